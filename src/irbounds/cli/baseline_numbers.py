"""``irbounds baseline 10 4``: chance for numbers alone, at once and without anything heavy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from ..errors import ParameterError
from ..parameters import Alternative as AlternativeName
from ..parameters import Progress
from .baseline_options import parsed_grades, parsed_numbers

if TYPE_CHECKING:
    from ..results import RandomBaseline

__all__ = ["Wishes", "checked_score", "rows_of_numbers"]

GIVEN = "given"  # the population is what the numbers say


@dataclass(frozen=True)
class Wishes:
    """What is asked about chance, of numbers as of a collection."""

    measures: tuple[str, ...]
    method: Literal["exact", "monte-carlo", "matched-moments"] | None
    alternative: AlternativeName
    n_draws: int
    seed: int


def checked_score(observed: float | None) -> float | None:
    """A score of 0 to 1, or none."""
    if observed is not None and not 0 <= observed <= 1:
        raise ParameterError(f"--observed must be a score of 0 to 1; got {observed:g}")
    return observed


def rows_of_numbers(
    texts: Sequence[str], grades: str | None, observed: float | None, wishes: Wishes
) -> list[RandomBaseline]:
    """One row a measure: what chance scores, its distribution, and a score beside it."""
    from ..report.terminal import progress_of

    counts = None if grades is None else parsed_grades(grades)
    n_documents, *relevant = parsed_numbers(texts, graded=counts is not None)
    score = checked_score(observed)
    with progress_of("drawing random rankings") as progress:
        return [
            _row(measure, n_documents, counts or {1: relevant[0]}, score, wishes, progress)
            for measure in wishes.measures
        ]


def _row(
    measure: str,
    n_documents: int,
    counts: dict[int, int],
    observed: float | None,
    wishes: Wishes,
    progress: Progress,
) -> RandomBaseline:
    from .. import QueryBaseline, RandomBaseline, corrected_score, expected_score, null_distribution

    expected = float(expected_score(n_documents, counts, measure))
    chance = null_distribution(
        n_documents,
        counts,
        measure,
        method=wishes.method,
        n_draws=wishes.n_draws,
        rng=wishes.seed,
        progress=progress,
    )
    n_relevant = sum(counts.values())
    found: dict[str, Any] = {
        "expected": expected,
        "standard_deviation": chance.standard_deviation,
        "observed": observed,
        "corrected": None if observed is None else float(corrected_score(observed, expected)),
        "p_value": None if observed is None else chance.p_value(observed, wishes.alternative),
    }
    drawn = chance.method == "monte-carlo"
    return RandomBaseline(
        measure=measure,
        system=None,
        population=GIVEN,
        n=1,
        prevalence=n_relevant / n_documents,
        alternative=wishes.alternative,
        queries=(QueryBaseline("", n_documents, n_documents, n_relevant, **found),),
        distribution=chance,
        method=chance.method,
        n_draws=wishes.n_draws if drawn else None,
        seed=wishes.seed if drawn else None,
        **found,
    )
