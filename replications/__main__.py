"""Print the tables of a replicated paper as CSV: ``python -m replications park2011``."""

from __future__ import annotations

import argparse
import csv
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from irbounds.errors import IrboundsError, ParameterError

PAPERS = {
    "park2010": "Park (2010), normal and t intervals of AP: Tables 1 to 8",
    "park2011": "Park (2011), bootstrap intervals of AP: Tables 1 to 3",
    "webber2013": "Webber (2013), intervals of recall: Tables IX, X and XII",
    "bestgen2015": "Bestgen (2015), expected AP of a random ranking: Tables 1 and 2, Figure 1",
    "zobel2020": "Zobel and Rashidi (2020), images of the corpus: Tables 2 to 4",
}
CALIBRATE = "calibrate"
COLUMNS = ("table", "row", "column", "paper", "ours")


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    names = [f"  {name:12} {title}" for name, title in PAPERS.items()]
    names.append(f"  {CALIBRATE:12} error rates of interval methods on your scores")
    parser = argparse.ArgumentParser(
        prog="python -m replications",
        description="Print a paper's numbers and ours as CSV.\n\n" + "\n".join(names),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("name", nargs="?", choices=[*PAPERS, CALIBRATE], metavar="NAME")
    parser.add_argument(
        "scores", nargs="?", metavar="SCORES", help="scores.csv or AP=scores.csv, for calibrate"
    )
    parser.add_argument(
        "--data", type=Path, metavar="DIRECTORY", help="public collections; default: IRBOUNDS_DATA"
    )
    parser.add_argument(
        "--scale", type=float, default=1.0, help="multiplies the number of samples (default: 1)"
    )
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table that a command line names; return the exit status."""
    parser = make_parser()
    options = parser.parse_args(arguments)
    if options.name is None:
        print(parser.format_help(), end="")
        return 0
    data = options.data or Path(os.environ.get("IRBOUNDS_DATA", "."))
    try:
        if options.scale <= 0:
            raise ParameterError(f"--scale must be above 0; got {options.scale}")
        if (options.name == CALIBRATE) != (options.scores is not None):
            raise ParameterError("SCORES is needed by calibrate, and by no paper")
        module = import_module(f"replications.{options.name}")
        if options.name == CALIBRATE:
            header, rows = module.COLUMNS, list(module.rows(options.scores, options.scale))
        else:
            header, rows = COLUMNS, list(module.rows(data.expanduser(), options.scale))
    except (IrboundsError, OSError) as error:
        print(f"replications: {error}", file=sys.stderr)
        return 2
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(header)
    for row in rows:
        writer.writerow(["" if value != value else value for value in row])  # NaN: not printed
    return 0


if __name__ == "__main__":
    sys.exit(main())
