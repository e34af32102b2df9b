"""Write docs/reference/cli.md from the requests of the commands, so that it cannot drift.

A test compares the file with what this script would write.
"""

from __future__ import annotations

import os
from pathlib import Path

from irbounds.cli.app import VERBS, load_verb, options_of_command
from irbounds.cli.help import names_of
from irbounds.requests.request import DeclaredOption
from irbounds.requests.verb import Verb

DOCS = Path(__file__).parents[1] / "docs"
TARGET = DOCS / "reference" / "cli.md"
#: parts of examples that keep the site from running them
NOT_RUN = {
    "tcp://": "needs a cluster",
    "--dataset": "downloads",
    "results/": "needs results of MTEB",
    "predictions.parquet": "needs predictions",
    "--assessed sheet.csv": "needs the assessed sheet",
}
INTRODUCTION = """\
# Command line

`irbounds COMMAND --help` shows the options of a command in one line each. The Python
function of the same name (`irbounds.plan_recall` for `irbounds plan-recall`) has the same options with underscores,
except those of output and execution, which Python has as methods of results (`to_pandas`, `to_latex`, `plot`) and as
`irbounds.execution`.

`irbounds --version` shows the version, `--debug` anywhere the traceback of an error, and
`irbounds --install-completion` sets up completion in the shell.

Exit status: 0 success; 1 `irbounds check` has warnings, or `irbounds gate` fails; 2 an error, in one line on standard error;
3 `irbounds gate` is undecided; 70 an unexpected error; 130 interrupted; 141 the reader of a pipe has gone away.
"""


def reference() -> str:
    """Return the whole page."""
    return INTRODUCTION + "".join(_section(load_verb(name)) for name in VERBS)


def _section(verb: Verb) -> str:
    options = options_of_command(verb)
    arguments = [declared for declared in options if declared.option.is_argument]
    words = [
        f"[{declared.metavar}]{'...' if declared.option.is_repeated else ''}"
        for declared in arguments
    ]
    usage = " ".join(["irbounds", verb.name, *words, "[OPTIONS]"])
    text = [verb.summary, *verb.description.split("\n\n")]
    lines = [f"\n## irbounds {verb.name}\n", f"```text\n{usage}\n```\n"]
    lines += [" ".join(part.split()) + "\n" for part in text if part]
    lines += _examples(verb)
    if verb.docs:
        (page,) = DOCS.rglob(f"{verb.docs}.md")
        link = os.path.relpath(page, TARGET.parent)
        title = page.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ")
        lines += [f"More: [{title}]({link})\n"]
    lines += ["| | |", "| --- | --- |", *map(_row, options)]
    return "\n".join(lines) + "\n"


def _examples(verb: Verb) -> list[str]:
    """Return a block of the examples, and one of those that cannot be run by the site."""
    reasons = {
        example: next((why for word, why in NOT_RUN.items() if word in example), "")
        for example in verb.examples
    }
    lines = []
    for reason in dict.fromkeys(reasons.values()):
        lines += [f"<!-- not run: {reason} -->"] if reason else []
        examples = [example for example, why in reasons.items() if why == reason]
        lines += ["```console", *(f"$ {example}" for example in examples), "```", ""]
    return lines


def _row(declared: DeclaredOption) -> str:
    choices = ", ".join(f"`{word}`" for word in declared.kind.choices)
    default = f"Default: {declared.default_words}." if declared.default_words else ""
    parts = [
        declared.option.help,
        declared.option.more,
        f"One of {choices}." if choices else "",
        default,
    ]
    text = " ".join(filter(None, parts)).replace("``", "`").replace("|", r"\|")
    names = names_of(declared).replace("|", r"\|")
    return f"| `{names}` | {text} |"


if __name__ == "__main__":
    TARGET.write_text(reference())
