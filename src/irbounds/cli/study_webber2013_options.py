"""Options of ``irbounds study webber2013``: its parts, its scenarios, and sizes of one's own."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Part(StrEnum):
    """Parts of the study."""

    figures = "figures"
    coverage = "coverage"
    legal09 = "legal09"
    clef = "clef"


class Scenario(StrEnum):
    """What samples are drawn from to see how often intervals hold the truth."""

    neutral = "neutral"
    legal = "legal"
    small = "small"
    own = "own"


RecallData = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        envvar="IRBOUNDS_DATA",
        show_envvar=False,
        help="Where the folders legal09 and clef-tar2017 are. Default: the folder that "
        "IRBOUNDS_DATA names, else both parts are left out.",
    ),
]
Parts = Annotated[
    list[Part] | None,
    typer.Option(
        "--part",
        metavar="figures|coverage|legal09|clef",
        help="figures: what can be computed without samples; coverage: Tables IX and X; legal09: "
        "Table XII; clef: coverage on fully judged topics. May be repeated. Default: all, or "
        "coverage where a --scenario is named.",
    ),
]
Scenarios = Annotated[
    list[Scenario] | None,
    typer.Option(
        "--scenario",
        metavar="neutral|legal|small|own",
        help="The paper's neutral, legal and small one, or own: the sizes given by the options "
        "below. May be repeated. Default: the paper's three.",
    ),
]
Realisations = Annotated[
    int, typer.Option(metavar="N", help="Corpora drawn from each of the paper's scenarios.")
]
Samples = Annotated[int, typer.Option(metavar="N", help="Samples drawn from each corpus.")]
Population = Annotated[int | None, typer.Option(metavar="N", help="own: documents in the corpus.")]
Yield = Annotated[
    int | None, typer.Option("--yield", metavar="N", help="own: relevant documents in it.")
]
Recall = Annotated[
    float | None, typer.Option(metavar="X", help="own: the share of these that are retrieved.")
]
Precision = Annotated[
    float | None,
    typer.Option(metavar="X", help="own: the share of retrieved documents that are relevant."),
]
Retrieved = Annotated[
    int | None,
    typer.Option(metavar="N", help="own: the size of the retrieved set, in place of --precision."),
]
RetrievedSample = Annotated[
    int | None, typer.Option(metavar="N", help="own: documents assessed of the retrieved set.")
]
UnretrievedSample = Annotated[
    int | None, typer.Option(metavar="N", help="own: documents assessed of the rest.")
]
