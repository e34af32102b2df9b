"""Per-query scores as readers return them, one record per score."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

#: the id of rows that hold a mean over queries
SUMMARY = "all"


@dataclass(frozen=True)
class ScoreRecords:
    """Per-query scores as they were read: one score per place in the four lists."""

    source: str
    measures: Sequence[str]
    systems: Sequence[str]
    queries: Sequence[str]
    values: Sequence[float]
    #: SHA-256 of the file, or of the values if there is no file
    fingerprint: str = ""
    #: sentences on what was ignored
    warnings: tuple[str, ...] = ()
    #: whether the input does not name its system, which then has the file's name
    is_unnamed: bool = False
    #: whether its queries are tasks, whose scores are means over queries
    are_tasks: bool = False
    #: sentences on queries that failed where the scores were computed
    failed: tuple[str, ...] = ()

    def select(self, measures: Collection[str]) -> ScoreRecords:
        """Return the scores by some of the measures."""
        places = [place for place, name in enumerate(self.measures) if name in measures]
        if len(places) == len(self.measures):
            return self
        return replace(
            self,
            measures=[self.measures[place] for place in places],
            systems=[self.systems[place] for place in places],
            queries=[self.queries[place] for place in places],
            values=[self.values[place] for place in places],
        )

    def with_measures(self, names: Mapping[str, str]) -> ScoreRecords:
        """Return the scores with other names of their measures."""
        if all(old == new for old, new in names.items()):
            return self
        return replace(self, measures=[names[name] for name in self.measures])

    def with_system(self, system: str) -> ScoreRecords:
        """Return the scores with another name of their system."""
        return replace(self, systems=[system] * len(self.values))

    def cells(self) -> Iterator[tuple[tuple[str, str, str], float]]:
        """Return an iterator of scores with their measure, system and query, without summaries."""
        keys = zip(self.measures, self.systems, self.queries, strict=True)
        return ((k, v) for k, v in zip(keys, self.values, strict=True) if k[2] != SUMMARY)
