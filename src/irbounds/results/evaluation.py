"""The result of ``evaluate``: means with intervals, and what was computed beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .comparisons import Comparison
from .mean_estimates import Estimate
from .paper_table import PaperTable
from .result import Results

if TYPE_CHECKING:
    from ..scores.score_table import ScoreTable
    from .chance_levels import ChanceLevel


class Evaluation(Results[Estimate]):
    """Means of systems with their intervals: a tuple of ``Estimate``, one per measure and system.

    ``print`` shows the table of the command, ``to_pandas`` returns its rows.
    """

    #: the scores per query; None where they were read as a stream
    scores: ScoreTable | None = None
    #: every system compared with the best one, or with the baseline
    comparisons: Results[Comparison] = Results()
    #: the system that the others are compared with; None for the best one by each measure
    baseline: str | None = None
    #: chance levels, where they were asked for
    chance: Results[ChanceLevel] = Results()

    def __new__(cls, estimates: Any = (), **beside: Any) -> Evaluation:
        """Return estimates with what belongs to them."""
        made = super().__new__(cls, estimates)
        made.__dict__.update(beside)
        return made

    @property
    def paper(self) -> PaperTable:
        """Systems by measures in one table, with the comparisons."""
        return PaperTable(tuple(self), tuple(self.comparisons), self.baseline)
