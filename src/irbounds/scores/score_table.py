"""Per-query scores with their labels, and the one rule for queries that a run lacks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError, InputError, ParameterError, quote, quote_several, show_name
from ..measurement.base import Measure
from ..measurement.external import ExternalMeasure, ProvidedScorer
from ..measurement.judged_runs import JudgedRun
from ..measurement.names import same_names, split_names
from ..presentation.registry import present
from ..reading.records import Qrels, Run
from ..reading.score_mappings import ScoreRecords
from ..results import Diagnosis, InputFile, Result, Standardisation
from ..results.query_scores import SCORES, score_records
from ..validation import MAX_SCORE, QueryRule, as_list, check_choice


@dataclass(frozen=True, eq=False, repr=False)
class ScoreTable(Result):
    """Scores of systems on queries: ``values`` is measure x system x query."""

    measures: tuple[str, ...]
    systems: tuple[str, ...]
    queries: tuple[str, ...]
    values: NDArray[np.float64]
    #: what was found in the inputs; None for a table of scores that was read
    diagnosis: Diagnosis | None = None
    #: sentences, most serious first; empty where nothing is odd
    warnings: tuple[str, ...] = ()
    #: names and fingerprints of what was read
    inputs: tuple[InputFile, ...] = ()
    #: how the scores were standardised, if they were
    standardisation: Standardisation | None = None
    #: the rule for tied documents: ``"trec"``, ``"expected"``, ``"worst"`` or ``"best"``
    ties: str = "trec"

    def __post_init__(self) -> None:
        values = np.array(self.values, dtype=np.float64)
        labels = (self.measures, self.systems, self.queries)
        shape = tuple(map(len, labels))
        if values.shape != shape:
            raise ParameterError(f"values must be of shape {shape}; got {values.shape}")
        largest = max(values.max(initial=0.0), -values.min(initial=0.0))
        if not np.isfinite(largest):
            raise ParameterError("values must be finite numbers")
        if largest > MAX_SCORE:
            m, s, q = np.argwhere(np.abs(values) > MAX_SCORE)[0]
            place = _place_of(self.measures[m], self.systems[s], self.queries[q])
            check_magnitude(place, abs(values[m, s, q]))
        for label in labels:
            if len(set(label)) < len(label):
                twice = next(one for one, times in Counter(label).items() if times > 1)
                raise ParameterError(f"{quote(twice)} is there twice; labels must differ")
        values.setflags(write=False)
        object.__setattr__(self, "values", values)

    def __repr__(self) -> str:
        n_measures, n_systems, n_queries = self.values.shape
        return (
            f"<ScoreTable: {n_systems:,} systems, {n_queries:,} queries, "
            f"{', '.join(self.measures) if n_measures < 6 else f'{n_measures} measures'}>"
        )

    __str__ = __repr__

    def _records(self) -> list[dict[str, Any]]:
        return score_records(self)

    def scores(self, measure: str, system: str) -> NDArray[np.float64]:
        """Return one system's scores by one measure.

        Parameters
        ----------
        measure, system
            Their names. A measure is found by any name that means the same: ``AP`` by ``map``.

        Returns
        -------
        array
            One score per query, in the order of ``queries``.
        """
        of_measure: NDArray[np.float64] = self.values[self._place(measure, "measure")]
        of_system: NDArray[np.float64] = of_measure[self._place(system, "system")]
        return of_system

    def select(self, measures: Sequence[str] | str) -> ScoreTable:
        """Return the table with some of its measures.

        Parameters
        ----------
        measures
            Names of measures, in the order of the result, found as ``scores`` finds them. They keep
            the names that they have here.

        Returns
        -------
        ScoreTable
            With these measures only.
        """
        known = self._places["measure"]
        names = [
            name
            for one in as_list(measures)
            for name in (split_names(one) if isinstance(one, str) and one not in known else [one])
        ]
        places = [self._place(name, "measure") for name in names]
        kept = tuple(self.measures[place] for place in places)
        return replace(self, measures=kept, values=self.values[places])

    def select_systems(self, systems: Sequence[str]) -> ScoreTable:
        """Return the table with some of its systems.

        Parameters
        ----------
        systems
            Names of systems, in the order of the result.

        Returns
        -------
        ScoreTable
            With these systems only.
        """
        if not systems:
            raise ParameterError("no system given")
        places = [self._place(system, "system") for system in systems]
        return replace(self, systems=tuple(systems), values=self.values[:, places])

    @cached_property
    def _places(self) -> dict[str, dict[str, int]]:
        """The place of each measure and of each system."""
        labels = {"measure": self.measures, "system": self.systems}
        return {what: {one: k for k, one in enumerate(known)} for what, known in labels.items()}

    def _place(self, label: Any, what: str) -> int:
        places = self._places[what]
        if isinstance(label, str) and label in places:
            return places[label]
        same = same_names(label, places) if what == "measure" else []
        if len(same) > 1:
            raise ParameterError(f"measure {quote(label)} may be any of {quote_several(same)} here")
        if not same:
            raise ParameterError(f"no {what} {quote(label)} here, only {quote_several(places)}")
        return places[same[0]]

    def means(self) -> NDArray[np.float64]:
        """Return the means over queries: measure x system."""
        means: NDArray[np.float64] = self.values.mean(axis=2)
        return means

    def to_polars(self) -> Any:
        """Return a polars frame with one row per score."""
        import polars as pl

        return pl.DataFrame(self._columns())

    def to_pandas(self) -> Any:
        """Return a pandas frame with one row per score; pandas must be installed."""
        try:
            import pandas as pd
        except ImportError:
            raise ImportError("to_pandas needs pandas: pip install pandas") from None
        return pd.DataFrame(self._columns())

    def _columns(self) -> dict[str, Any]:
        n_measures, n_systems, n_queries = self.values.shape
        return {
            "query_id": list(self.queries) * (n_measures * n_systems),
            "system": [s for s in self.systems for _ in self.queries] * n_measures,
            "measure": [m for m in self.measures for _ in range(n_systems * n_queries)],
            "value": self.values.ravel(),
        }


present(ScoreTable, SCORES)


def _place_of(measure: str, system: str, query: str) -> str:
    """Name a cell of a table in a message."""
    return f"{show_name(system)}, {show_name(measure)}, query {quote(query)}"


def check_magnitude(label: str, largest: float) -> None:
    """Raise ``ParameterError`` for a score whose sums and multiples might not be finite."""
    if largest > MAX_SCORE:
        raise ParameterError(
            f"{label}: scores must lie between -{MAX_SCORE:g} and {MAX_SCORE:g}; got one of size "
            f"{largest:g}"
        )


def choose_queries(qrels: Qrels, runs: Sequence[Run], rule: QueryRule) -> tuple[str, ...]:
    """The queries that count: the one place where a missing query is decided on.

    ``judged``: every judged query; a run that lacks one scores 0 there. ``common``: the judged
    queries that every run has. Queries without judgments never count.
    """
    check_choice("queries", rule, get_args(QueryRule))
    _check_some_in_common(qrels, runs)
    if rule == "all":
        return qrels.query_ids
    common = set(qrels.query_ids).intersection(*(run.query_ids for run in runs))
    if not common:
        raise DataError("queries='common': no judged query is in every run")
    return tuple(query for query in qrels.query_ids if query in common)


def table_from_records(records: Sequence[ScoreRecords], queries: QueryRule = "all") -> ScoreTable:
    """A table from per-query scores that were read, one value for every cell.

    ``queries="all"`` refuses a table with gaps; ``"common"`` keeps the queries without any.
    """
    if queries not in ("all", "common"):
        raise ParameterError(f"queries must be 'all' or 'common'; got {quote(queries)}")
    cells: dict[tuple[str, str, str], float] = {}
    for one in records:
        for key, value in one.cells():
            if key in cells:
                measure, system, query = key
                raise InputError(
                    f"{one.source}: two values of {show_name(measure)} for system {quote(system)}, "
                    f"query {quote(query)}"
                )
            if abs(value) > MAX_SCORE:
                check_magnitude(f"{one.source}: {_place_of(*key)}", abs(value))
            cells[key] = value
    if not cells:
        raise InputError(f"{records[0].source}: only summary rows; ask for scores per query (-q)")
    measures, systems, names = (tuple(dict.fromkeys(part)) for part in zip(*cells, strict=True))
    # a table is made only of queries without gaps: others could be far larger than what was read
    n_each = len(measures) * len(systems)
    found = Counter(query for _, _, query in cells)
    kept = tuple(name for name in names if found[name] == n_each)
    n_gaps = n_each * len(names) - len(cells)
    if n_gaps and queries == "all":
        keys = product(measures, systems, names)
        measure, system, query = next(key for key in keys if key not in cells)
        raise InputError(
            f"{records[0].source}: no value of {show_name(measure)} for system {quote(system)}, "
            f"query {quote(query)} (gaps: {n_gaps:,}); queries='common' or --queries common leaves "
            "such queries out"
        )
    if not kept:
        raise InputError(f"{records[0].source}: no query has a value in every cell")
    ordered = [cells[key] for key in product(measures, systems, kept)]
    values = np.array(ordered).reshape(len(measures), len(systems), len(kept))
    said = [
        *_warnings_of_scores(systems, values, len(names) - len(kept)),
        *(warning for one in records for warning in one.warnings),
    ]
    inputs = tuple(InputFile(one.source, one.fingerprint) for one in records)
    return ScoreTable(measures, systems, kept, values, warnings=tuple(said), inputs=inputs)


def _warnings_of_scores(
    systems: Sequence[str], values: NDArray[np.float64], n_left_out: int
) -> Iterator[str]:
    zero = [
        system for system, row in zip(systems, (values == 0).all(axis=(0, 2)), strict=True) if row
    ]
    if zero:
        yield f"0 on every query: {', '.join(zero)}"
    if n_left_out:
        yield f"queries without a value in every cell; left out: {n_left_out:,}"


def score_runs(
    qrels: Qrels,
    runs: Sequence[Run],
    judged: Sequence[JudgedRun],
    measures: Sequence[Measure],
    progress: Callable[[], None] | None = None,
) -> NDArray[np.float64]:
    """Scores as measure x system x query; ``progress`` is called after each run."""
    queries = judged[0].pool.query_ids
    values = np.empty((len(measures), len(runs), len(queries)))
    others = [measure for measure in measures if isinstance(measure, ExternalMeasure)]
    scorer = ProvidedScorer(others, qrels, queries) if others else None
    for s, (run, judged_run) in enumerate(zip(runs, judged, strict=True)):
        provided = scorer.score(run) if scorer else {}
        for m, measure in enumerate(measures):
            is_provided = measure.name in provided
            values[m, s] = provided[measure.name] if is_provided else measure.score(judged_run)
        if progress:
            progress()
    return values


def _check_some_in_common(qrels: Qrels, runs: Sequence[Run]) -> None:
    judged = set(qrels.query_ids)
    strange = [run for run in runs if judged.isdisjoint(run.query_ids)]
    if not strange:
        return
    first, *others = strange
    here, there = (", ".join(map(quote, ids[:3])) for ids in (qrels.query_ids, first.query_ids))
    more = f"; nor in {quote_several([run.name for run in others])}" if others else ""
    raise DataError(
        f"no query in common: the judgments {quote(qrels.name)} have {here}, ... "
        f"and the run {quote(first.name)} has {there}, ...{more}"
    )
