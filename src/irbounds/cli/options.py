"""Options that several commands share, worded once."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ..errors import ParameterError


class Form(StrEnum):
    """Output formats."""

    table = "table"
    csv = "csv"
    json = "json"
    jsonl = "jsonl"
    markdown = "markdown"
    latex = "latex"


class QueriesRule(StrEnum):
    """Which queries count."""

    judged = "judged"
    common = "common"


class TableQueriesRule(StrEnum):
    """What happens to queries that a table of scores lacks."""

    all = "all"
    common = "common"


class DuplicateRule(StrEnum):
    """What to do with a document that stands twice in a query."""

    error = "error"
    first = "first"


class OrderRule(StrEnum):
    """What puts a run in order."""

    score = "score"
    rank = "rank"


class TiesRule(StrEnum):
    """What becomes of documents with equal scores."""

    trec = "trec"
    expected = "expected"
    worst = "worst"
    best = "best"


class Alternative(StrEnum):
    """Which side an interval or a test is about."""

    two_sided = "two-sided"
    less = "less"
    greater = "greater"


def check_standard_input(names: Iterable[str]) -> None:
    """Standard input can be read only once."""
    if list(names).count("-") > 1:
        raise ParameterError("standard input (-) can be read only once")


def check_corpus_size(corpus_size: int | None, corpus: str | None) -> None:
    """The size of the corpus or its list, not both."""
    if corpus_size is not None and corpus is not None:
        raise ParameterError(
            f"--corpus takes the place of --corpus-size; got {corpus!r} and {corpus_size}"
        )
    if corpus_size is not None and corpus_size < 1:
        raise ParameterError(f"--corpus-size must be at least 1; got {corpus_size}")


def numbers_of(option: str, text: str) -> list[int]:
    """``5,10,20`` as whole numbers."""
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise ParameterError(f"{option} must be whole numbers, as in 5,10; got {text!r}") from None


def parsed_bounds(text: str | None) -> tuple[float, float] | None:
    """``0,1`` as two numbers."""
    if text is None:
        return None
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise ParameterError(f"--bounds must be two numbers, as in 0,1; got {text!r}") from None
    return low, high


_QRELS = typer.Argument(metavar="QRELS", help="Judgments: a file, or - for standard input.")
_RUNS = typer.Argument(metavar="RUN", help="One file per system, or - for standard input.")

Qrels = Annotated[str, _QRELS]
OptionalQrels = Annotated[str | None, _QRELS]
Runs = Annotated[list[str], _RUNS]
OptionalRuns = Annotated[list[str] | None, _RUNS]
Measures = Annotated[
    list[str] | None,
    typer.Option(
        "--measure",
        "-m",
        metavar="NAME",
        help="A measure in ir_measures' spelling; may be repeated. Default: AP and nDCG@10. "
        "With --scores: which of its measures, or what a wide table holds.",
    ),
]
Scores = Annotated[
    list[str] | None,
    typer.Option(
        metavar="FILE",
        help="Per-query scores in place of judgments and runs; may be repeated. NAME=FILE says "
        "which measure a wide table holds, or which one to take. For evaluate also a pattern in "
        "quotes, or a folder, of Parquet files.",
    ),
]
ScoreFiles = Annotated[
    list[str],
    typer.Argument(
        metavar="SCORES",
        help="Per-query scores: files, or - for standard input. NAME=FILE says which measure a "
        "wide table holds.",
    ),
]
TableMeasures = Annotated[
    list[str] | None,
    typer.Option(
        "--measure",
        "-m",
        metavar="NAME",
        help="Which of the tables' measures, or what a wide table holds; may be repeated. "
        "Default: all of them.",
    ),
]
TableQueries = Annotated[
    TableQueriesRule,
    typer.Option(
        "--queries",
        help="all: a query without a score everywhere is an error; common: such "
        "queries are left out and counted.",
    ),
]
PerQuery = Annotated[
    bool, typer.Option("--per-query", help="The score of every query instead of the means.")
]
Digits = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=0,
        max=15,
        help="Decimals; by default as many as the interval's width supports.",
    ),
]
Queries = Annotated[
    QueriesRule,
    typer.Option(
        help="judged: every judged query, 0 where a run lacks it; common: those in every run."
    ),
]
Duplicates = Annotated[
    DuplicateRule,
    typer.Option(help="A document twice in a query: an error, or keep the best-ranked (first)."),
]
Order = Annotated[OrderRule, typer.Option(help="Order a run by its scores or by its rank column.")]
Ties = Annotated[
    TiesRule,
    typer.Option(
        help="Documents of equal score: ordered by id as in trec_eval, the mean over all their "
        "orders, or the worst or best of these."
    ),
]
Float32 = Annotated[
    bool, typer.Option("--float32", help="Round scores to single precision, as trec_eval 9 does.")
]
Depth = Annotated[
    int | None, typer.Option(metavar="K", help="Keep the first K documents of each query.")
]
ConfidenceLevel = Annotated[
    float, typer.Option(metavar="LEVEL", help="A fraction between 0 and 1.")
]
_METHODS = (
    "student-t, studentised-logit, studentised, bca, percentile{}. Default: studentised-logit "
    "where the measure's bounds are known, else student-t."
)
Method = Annotated[str | None, typer.Option(metavar="NAME", help=_METHODS.format(" or basic"))]
Methods = Annotated[
    list[str] | None,
    typer.Option(
        "--method", metavar="NAME", help=_METHODS.format(", basic or normal; may be repeated")
    ),
]
AlternativeOption = Annotated[
    Alternative,
    typer.Option(help="Two-sided, or one-sided: less bounds from above, greater from below."),
]
Resamples = Annotated[
    int,
    typer.Option("--n-resamples", metavar="N", help="Bootstrap resamples, where a method draws."),
]
Seed = Annotated[
    int, typer.Option(metavar="N", min=0, help="The same seed gives the same numbers.")
]
Bounds = Annotated[
    str | None,
    typer.Option(
        metavar="LOW,HIGH",
        help="Lowest and highest value of a score, for studentised-logit; known for the usual "
        "measures.",
    ),
]
CorpusSize = Annotated[
    int | None,
    typer.Option(metavar="D", help="How many documents the corpus holds in all."),
]
CorpusList = Annotated[
    str | None,
    typer.Option(
        "--corpus",
        metavar="FILE",
        help="In place of the size, the ids of all its documents, one a line.",
    ),
]
Format = Annotated[
    Form | None,
    typer.Option("--format", help="Default: table, or what the ending of --output says."),
]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write there, whole or not at all."),
]
