"""``irbounds baseline 10 4``: chance for numbers alone, at once and without anything heavy."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from ..errors import ParameterError
from ..parameters import Alternative as AlternativeName
from ..parameters import Progress
from .baseline_options import parsed_grades, parsed_numbers

if TYPE_CHECKING:
    from ..results import ChanceLevel, NullDistribution

GIVEN = "given"  # the population is what the numbers say


@dataclass(frozen=True)
class ChanceQuestion:
    """What is asked about chance, of numbers as of a collection."""

    measures: tuple[str, ...]
    method: Literal["exact", "monte-carlo", "matched-moments"] | None
    alternative: AlternativeName
    n_draws: int
    seed: int


def rows_of_numbers(
    texts: Sequence[str], grades: str | None, observed: float | None, question: ChanceQuestion
) -> list[ChanceLevel]:
    """One row a measure: what chance scores, its distribution, and a score beside it."""
    from ..presentation.terminal import progress_of

    counts = None if grades is None else parsed_grades(grades)
    n_documents, *relevant = parsed_numbers(texts, graded=counts is not None)
    with progress_of("drawing random rankings") as progress:
        return [
            _row(measure, n_documents, counts or {1: relevant[0]}, observed, question, progress)
            for measure in question.measures
        ]


def _row(
    measure: str,
    n_documents: int,
    counts: dict[int, int],
    observed: float | None,
    question: ChanceQuestion,
    progress: Progress,
) -> ChanceLevel:
    from .. import expected_score
    from ..random_rankings import ChanceLevel, QueryChance, corrected_score, score_variance

    expected = float(expected_score(n_documents, counts, measure))
    chance, p_value = _distribution(measure, n_documents, counts, observed, question, progress)
    deviation = math.sqrt(float(score_variance(n_documents, counts, measure)))
    n_relevant = sum(counts.values())
    found: dict[str, Any] = {
        "expected": expected,
        "standard_deviation": chance.standard_deviation if chance else deviation,
        "observed": observed,
        "corrected": None if observed is None else float(corrected_score(observed, expected)),
        "p_value": p_value,
    }
    method = chance.method if chance else None
    drawn = method == "monte-carlo"
    return ChanceLevel(
        measure=measure,
        system=None,
        population=GIVEN,
        n=1,
        prevalence=n_relevant / n_documents,
        alternative=question.alternative,
        queries=(
            QueryChance(
                query_id="",
                n_documents=n_documents,
                depth=n_documents,
                n_relevant=n_relevant,
                n_judged=n_relevant,
                method=None if observed is None else method,
                **found,
            ),
        ),
        distribution=chance,
        method=method,
        n_draws=question.n_draws if drawn else None,
        seed=question.seed if drawn else None,
        **found,
    )


def _distribution(
    measure: str,
    n_documents: int,
    counts: dict[int, int],
    observed: float | None,
    question: ChanceQuestion,
    progress: Progress,
) -> tuple[NullDistribution | None, float | None]:
    """Of chance scores, with its p-value; neither, and a warning, where nobody asked how."""
    from ..random_rankings import null_distribution, score_range
    from ..results.chance import unreachable

    try:
        chance = null_distribution(
            n_documents,
            counts,
            measure,
            method=question.method,
            n_draws=question.n_draws,
            rng=question.seed,
            progress=progress,
        )
    except ParameterError as reason:
        if question.method is not None:
            raise
        warnings.warn(f"{measure}: no quantiles and no p: {reason}", stacklevel=2)
        return None, None
    if observed is None:
        return chance, None
    said = unreachable(measure, observed, *score_range(n_documents, counts, measure))
    if said:
        warnings.warn(said, stacklevel=2)
    return chance, chance.p_value(observed, question.alternative)
