"""Means with intervals for ``irbounds evaluate``, from a table or a stream of scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from .writing import collected_warnings

if TYPE_CHECKING:
    from ..parameters import Alternative
    from ..results import Estimate
    from ..scores.score_table import ScoreTable


@dataclass(frozen=True)
class MeansWish:
    """What ``mean_interval`` is asked for besides the scores, by the names that it has there."""

    method: Sequence[str] | None
    confidence_level: float
    n_resamples: int
    rng: int
    alternative: Alternative
    bounds: tuple[float, float] | None
    sigma: float | None


def estimated(
    scores: ScoreTable | dict[str, list[str]], wish: MeansWish, what: str, said: list[str]
) -> Sequence[Estimate]:
    """Estimates, with a bar to look at and ``what`` beside it; warnings are added to ``said``."""
    from ..api import mean_interval
    from ..presentation.terminal import progress_of
    from ..results.estimates import unknown_bounds

    with collected_warnings(said), progress_of(what) as progress:
        estimates = mean_interval(scores, **asdict(wish), progress=progress)
    if not wish.method:
        said += unknown_bounds(estimates)
    return estimates
