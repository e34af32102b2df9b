"""Per-query scores with their labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ParameterError, quote, quote_several, show_name
from ..measurement.names import same_names, split_names
from ..presentation.registry import present
from ..results import Diagnosis, InputFile, Result, Standardisation
from ..results.query_scores import SCORES, score_records
from ..validation import MAX_SCORE, as_list

ROUNDING = 1e-9  # of the range of a measure


@dataclass(frozen=True, eq=False, repr=False)
class ScoreTable(Result):
    """Scores of systems on queries: ``values`` is measure x system x query."""

    measures: tuple[str, ...]
    systems: tuple[str, ...]
    queries: tuple[str, ...]
    values: NDArray[np.float64]
    #: the diagnosis of judgments and runs; None for a table of scores that was read
    diagnosis: Diagnosis | None = None
    #: sentences, most serious first; empty if nothing is unusual
    warnings: tuple[str, ...] = ()
    #: names and fingerprints of the inputs
    inputs: tuple[InputFile, ...] = ()
    #: how the scores were standardised, if they were
    standardisation: Standardisation | None = None
    #: the rule for tied documents: ``"trec"``, ``"expected"``, ``"worst"`` or ``"best"``
    ties: str = "trec"
    #: whether the queries are tasks, whose scores are means over queries
    are_tasks: bool = False
    #: queries of a table that was read which are not here, because a system lacks them
    n_left_out: int = 0

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
            cell = describe_cell(self.measures[m], self.systems[s], self.queries[q])
            check_magnitude(cell, abs(values[m, s, q]))
        for label in labels:
            if len(set(label)) < len(label):
                repeated = next(name for name, times in Counter(label).items() if times > 1)
                raise ParameterError(f"{quote(repeated)} is there twice; labels must differ")
        values.setflags(write=False)
        object.__setattr__(self, "values", values)

    def __repr__(self) -> str:
        n_measures, n_systems, n_queries = self.values.shape
        measures = ", ".join(self.measures) if n_measures < 6 else f"{n_measures} measures"
        return f"<ScoreTable: {n_systems:,} systems, {n_queries:,} queries, {measures}>"

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
        names = [name for measure in as_list(measures) for name in _split(measure, known)]
        places = [self._place(name, "measure") for name in names]
        selected = tuple(self.measures[place] for place in places)
        return replace(self, measures=selected, values=self.values[places])

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
        return {kind: {name: k for k, name in enumerate(names)} for kind, names in labels.items()}

    def _place(self, label: Any, kind: str) -> int:
        """Return the place of a measure or a system."""
        places = self._places[kind]
        if isinstance(label, str) and label in places:
            return places[label]
        same = same_names(label, places) if kind == "measure" else []
        if len(same) > 1:
            raise ParameterError(f"measure {quote(label)} may be any of {quote_several(same)} here")
        if not same:
            raise ParameterError(f"no {kind} {quote(label)} here, only {quote_several(places)}")
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


def _split(measure: Any, known: Mapping[str, int]) -> list[Any]:
    """Return the names in a list of measures such as ``"AP,P@10"``; a known name unchanged."""
    is_list = isinstance(measure, str) and measure not in known
    return split_names(measure) if is_list else [measure]


def find_outside(scores: NDArray[np.float64], bounds: tuple[float, float]) -> NDArray[np.bool_]:
    """Return which scores are outside their bounds, apart from rounding errors."""
    low, high = bounds
    rounding = ROUNDING * (high - low)
    return np.asarray((scores < low - rounding) | (scores > high + rounding))


def describe_cell(measure: str, system: str, query: str) -> str:
    """Return the name of a cell of a table for a message."""
    return f"{show_name(system)}, {show_name(measure)}, query {quote(query)}"


def check_magnitude(label: str, largest: float) -> None:
    """Raise ``ParameterError`` for a score whose sums and multiples might not be finite."""
    if largest > MAX_SCORE:
        raise ParameterError(
            f"{label}: scores must lie between -{MAX_SCORE:g} and {MAX_SCORE:g}; got one of size "
            f"{largest:g}"
        )
