"""Options about chance: those of ``irbounds baseline``, and of ``evaluate --chance``."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

import typer

from ..errors import ParameterError
from ..parameters import grouping_hint
from .options import Alternative


class ChanceRule(StrEnum):
    """Which documents chance ranks."""

    corpus = "corpus"
    judged = "judged"
    retrieved = "retrieved"


class MethodRule(StrEnum):
    """How a p-value is found."""

    exact = "exact"
    monte_carlo = "monte-carlo"
    matched_moments = "matched-moments"


def check_population(
    population: ChanceRule | None, corpus_size: int | None, corpus: str | None
) -> ChanceRule:
    """The documents that chance ranks, which nobody can guess."""
    if corpus_size is not None and corpus is not None:
        raise ParameterError(
            f"--corpus takes the place of --corpus-size; got {corpus!r} and {corpus_size}"
        )
    if corpus_size is not None and corpus_size < 1:
        raise ParameterError(f"--corpus-size must be at least 1; got {corpus_size}")
    sized = corpus_size is not None or corpus is not None
    if population in (ChanceRule.judged, ChanceRule.retrieved) and sized:
        raise ParameterError(
            f"--population {population} ranks no other documents: leave --corpus-size and --corpus "
            "out"
        )
    if population in (None, ChanceRule.corpus) and not sized:
        raise ParameterError(
            "which documents does chance rank? give --corpus-size D or --corpus FILE (all of the "
            "corpus), --population judged (those with a judgment), or --population retrieved (each "
            "run's own)"
        )
    return population or ChanceRule.corpus


def parsed_numbers(texts: Sequence[str], graded: bool) -> list[int]:
    """N and R, or N alone where grades say how much is relevant."""
    wanted = ["N"] if graded else ["N", "R"]
    meant = "N, a whole number, with --grades" if graded else "N and R, two whole numbers"
    if len(texts) != len(wanted):
        got = " ".join(texts) or "none"
        raise ParameterError(f"needs {meant}, or --qrels FILE for a collection; got {got}")
    numbers = []
    for name, text in zip(wanted, texts, strict=True):
        try:
            numbers.append(int(text))
        except ValueError:
            raise ParameterError(
                f"{name} must be a whole number; got {text!r}{grouping_hint(text)} (runs need "
                "--qrels FILE)"
            ) from None
    return numbers


def parsed_grades(text: str) -> dict[int, int]:
    """``1:20,2:5`` as how many documents have each grade."""
    try:
        pairs = [part.split(":") for part in text.split(",")]
        counts = {int(grade): int(count) for grade, count in pairs}
    except ValueError:
        raise ParameterError(
            f"--grades must be grades and their numbers, as in 1:20,2:5; got {text!r}"
        ) from None
    if len(counts) < len(pairs):
        raise ParameterError(f"--grades: each grade once; got {text!r}")
    return counts


NumbersOrRuns = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="N R | RUN",
        help="How many documents there are and how many of them are relevant; with --qrels, one "
        "file per system, or none for chance alone.",
    ),
]
QrelsFile = Annotated[
    str | None,
    typer.Option("--qrels", metavar="FILE", help="Judgments, or - for standard input."),
]
Grades = Annotated[
    str | None,
    typer.Option(
        metavar="GRADE:NUMBER,...",
        help="In place of R: how many documents have each grade, as in 1:20,2:5.",
    ),
]
Observed = Annotated[
    float | None,
    typer.Option(
        metavar="SCORE", help="With N and R: a score to put beside chance, with all its digits."
    ),
]
ChanceMeasures = Annotated[
    list[str] | None,
    typer.Option(
        "--measure",
        "-m",
        metavar="NAME",
        help="AP, P, R, Rprec, RR, Success, nDCG, RBP, INSQ or ERR in ir_measures' spelling; may "
        "be repeated. Default: AP.",
    ),
]
ChancePopulation = Annotated[
    ChanceRule | None,
    typer.Option(
        "--population",
        help="Which documents chance ranks: the whole corpus (with --corpus-size or --corpus), the "
        "judged ones of each query, or those that each run retrieved.",
    ),
]
ChanceMethod = Annotated[
    MethodRule | None,
    typer.Option(
        help="Where p and quantiles come from. Default: exact where that is possible (AP of few "
        "documents), else monte-carlo."
    ),
]
ChanceAlternative = Annotated[
    Alternative,
    typer.Option(
        help="greater: p is how often chance scores as high or higher; less: as low or lower; "
        "two-sided: twice the rarer."
    ),
]
ChanceDraws = Annotated[
    int, typer.Option("--n-draws", metavar="N", min=1, help="Random rankings of monte-carlo.")
]
