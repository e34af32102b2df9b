"""What a report is made of: scores, what they come from, and how the numbers are wanted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from ..errors import MeasureError

if TYPE_CHECKING:
    from ..presentation.tables import Table
    from ..read.records import Qrels, Run
    from ..results import InputFile
    from ..scores.score_table import QueryRule, ScoreTable

__all__ = ["Findings", "Material", "ReportWishes"]


@dataclass(frozen=True)
class ReportWishes:
    """How the numbers of a report are to be found and shown."""

    confidence_level: float = 0.95
    methods: Sequence[str] | None = None
    #: what the others are compared with; None for the best by the first measure
    baseline: str | None = None
    n_resamples: int = 9999
    n_images: int = 1000
    seed: int = 0
    corpus_size: int | None = None
    corpus: str | None = None
    digits: int | None = None
    #: which queries a mean is over, in words, and by which rule
    rule: str = "judged queries"
    queries: QueryRule = "judged"


@dataclass(frozen=True)
class Material:
    """What every section is made of."""

    table: ScoreTable
    wishes: ReportWishes
    #: None where scores were read
    judgments: Qrels | None = None
    runs: tuple[Run, ...] = ()

    @cached_property
    def baseline(self) -> str:
        """The system that was named, else the best by the first measure."""
        if self.wishes.baseline is not None:
            return self.wishes.baseline
        means = self.table.means()[0].tolist()
        best_first = sorted(zip(means, self.table.systems, strict=True), key=_best_first)
        return best_first[0][1]

    @property
    def knows_corpus(self) -> bool:
        """Whether chance and images of the corpus can be computed."""
        sized = self.wishes.corpus_size is not None or self.wishes.corpus is not None
        return sized and self.judgments is not None

    def ruled(self, tables: Sequence[Table]) -> list[Table]:
        """Tables that say by which rule ties were scored, where that is not the usual one."""
        from ..presentation.ties import with_tie_rule

        return with_tie_rule(tables, self.table.ties)

    def computable(self, check: Callable[[list[str]], None]) -> tuple[list[str], list[str]]:
        """The measures that something can be computed for, and a sentence on those it cannot."""
        kept, left = [], []
        for measure in self.table.measures:
            try:
                check([measure])
            except MeasureError:
                left.append(measure)
            else:
                kept.append(measure)
        return kept, [f"Not for {', '.join(left)}: there is no way to compute it."] if left else []


def _best_first(pair: tuple[float, str]) -> tuple[float, str]:
    mean, system = pair
    return -mean, system


@dataclass
class Findings:
    """What sections come upon that belongs elsewhere on the page; they add to it."""

    warnings: list[str] = field(default_factory=list)
    #: what was read
    inputs: list[InputFile] = field(default_factory=list)
