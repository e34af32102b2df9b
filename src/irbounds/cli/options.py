"""Options that several commands share, worded once."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ..errors import ParameterError

__all__ = [
    "ConfidenceLevel",
    "Depth",
    "Digits",
    "DuplicateRule",
    "Duplicates",
    "Float32",
    "Form",
    "Format",
    "Measures",
    "OptionalQrels",
    "OptionalRuns",
    "Order",
    "OrderRule",
    "Output",
    "PerQuery",
    "Qrels",
    "Queries",
    "QueriesRule",
    "Runs",
    "Scores",
    "check_standard_input",
]


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


class DuplicateRule(StrEnum):
    """What to do with a document that stands twice in a query."""

    error = "error"
    first = "first"


class OrderRule(StrEnum):
    """What puts a run in order."""

    score = "score"
    rank = "rank"


def check_standard_input(names: Iterable[str]) -> None:
    """Standard input can be read only once."""
    if list(names).count("-") > 1:
        raise ParameterError("standard input (-) can be read only once")


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
        "which measure a wide table holds.",
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
Float32 = Annotated[
    bool, typer.Option("--float32", help="Round scores to single precision, as trec_eval 9 does.")
]
Depth = Annotated[
    int | None, typer.Option(metavar="K", help="Keep the first K documents of each query.")
]
ConfidenceLevel = Annotated[
    float, typer.Option(metavar="LEVEL", help="A fraction between 0 and 1.")
]
Format = Annotated[
    Form | None,
    typer.Option("--format", help="Default: table, or what the ending of --output says."),
]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write there, whole or not at all."),
]
