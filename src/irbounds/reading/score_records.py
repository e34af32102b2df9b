"""Per-query scores as they were read: one record per score."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

#: the id of rows that hold a mean over queries
SUMMARY = "all"


@dataclass(frozen=True)
class ScoreRecords:
    """One score a place in the four lists."""

    source: str
    measures: Sequence[str]
    systems: Sequence[str]
    queries: Sequence[str]
    values: Sequence[float]
    #: SHA-256 of the file, or of the values where there is none
    fingerprint: str = ""
    #: sentences on what was left out
    warnings: tuple[str, ...] = ()
    #: whether the input does not name its system, which then has the file's name
    is_unnamed: bool = False

    def of(self, measure: str) -> ScoreRecords:
        """The scores by one measure, which is among them."""
        places = [place for place, one in enumerate(self.measures) if one == measure]
        return replace(
            self,
            measures=[measure] * len(places),
            systems=[self.systems[place] for place in places],
            queries=[self.queries[place] for place in places],
            values=[self.values[place] for place in places],
        )

    def with_measures(self, names: Mapping[str, str]) -> ScoreRecords:
        """The same scores with other names of their measures."""
        if all(old == new for old, new in names.items()):
            return self
        return replace(self, measures=[names[one] for one in self.measures])

    def called(self, system: str) -> ScoreRecords:
        """The same scores under another name of their system."""
        return replace(self, systems=[system] * len(self.values))

    def cells(self) -> Iterator[tuple[tuple[str, str, str], float]]:
        """Each score with its measure, system and query; summaries are passed over."""
        keys = zip(self.measures, self.systems, self.queries, strict=True)
        return ((k, v) for k, v in zip(keys, self.values, strict=True) if k[2] != SUMMARY)
