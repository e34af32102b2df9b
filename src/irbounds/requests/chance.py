"""The options that define which documents a random ranking consists of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import ParameterError
from .options import CorpusList, CorpusSize, Population, check_corpus
from .request import Request

if TYPE_CHECKING:
    from ..random_rankings.p_values import Significance
    from ..results import ChanceLevel, Results
    from ..scores.score_table import ScoreTable
    from ..validation import PopulationName


@dataclass(frozen=True, kw_only=True)
class ChanceInput(Request):
    """The documents that a random ranking consists of."""

    corpus_size: CorpusSize = None
    corpus: CorpusList = None
    population: Population = None

    def check_population(self, is_used: bool, option: str) -> None:
        """Raise ``ParameterError`` where the documents are not known, or not used."""
        if not is_used:
            self.refuse(f"for {option}", "corpus_size", "corpus", "population")
            return
        check_corpus(self.corpus_size, self.corpus)
        is_sized = self.corpus_size is not None or self.corpus is not None
        if self.population in ("judged", "retrieved") and is_sized:
            raise ParameterError(
                f"population={self.population!r} takes no corpus_size and no corpus"
            )
        if self.population in (None, "corpus") and not is_sized:
            raise ParameterError(
                "which documents does a random ranking have? give corpus_size or corpus (all of "
                "the corpus), population='judged' (those with a judgment), or "
                "population='retrieved' (those of each run)"
            )

    @property
    def population_name(self) -> PopulationName:
        """The name of the population."""
        return self.population or "corpus"

    def chance_levels(
        self,
        table: ScoreTable | None,
        judgments: Any,
        runs: Any = (),
        *,
        measures: Sequence[str] = (),
        significance: Significance | None = None,
    ) -> Results[ChanceLevel]:
        """Return the chance level of every measure, and of every system where there is a table."""
        from ..random_rankings.collection_levels import chance_levels

        return chance_levels(
            table,
            judgments,
            runs,
            measures=measures,
            corpus_size=self.corpus_size,
            corpus=self.corpus,
            population=self.population_name,
            significance=significance,
        )
