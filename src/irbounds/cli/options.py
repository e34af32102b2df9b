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
    "DuplicateRule",
    "Duplicates",
    "Float32",
    "Form",
    "Format",
    "Order",
    "OrderRule",
    "Output",
    "Qrels",
    "Queries",
    "QueriesRule",
    "Runs",
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


Qrels = Annotated[
    str, typer.Argument(metavar="QRELS", help="Judgments: a file, or - for standard input.")
]
Runs = Annotated[
    list[str], typer.Argument(metavar="RUN", help="One file per system, or - for standard input.")
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
