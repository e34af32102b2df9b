"""The scores that the studies take for a population: the papers' own, or simulated ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ..errors import DataError
from ..scores.score_input import read_scores
from ..scores.score_table import ScoreTable
from ..scores.scoring import score
from ..simulation import simulate_collection
from .data_files import data_file

MEASURE = "AP"


def real_scores(directory: Path, name: str) -> ScoreTable:
    """A table of AP from a data directory, or from its part ``scores``."""
    return read_scores(data_file(directory, "scores", name), measure=MEASURE)


def simulated_scores(
    n_systems: int, n_queries: int, seed: int, progress: Callable[[], None] | None = None
) -> ScoreTable:
    """AP of a simulated collection of that size."""
    collection = simulate_collection(n_systems, n_queries, rng=seed, progress=progress)
    return score(collection.qrels, collection.runs, [MEASURE])


def check_population(table: ScoreTable, n_systems: int, n_queries: int) -> None:
    """Raise unless there is enough to draw from."""
    if len(table.systems) < n_systems or len(table.queries) < n_queries:
        raise DataError(
            f"the study needs at least {n_systems} systems and {n_queries} queries; got "
            f"{len(table.systems)} and {len(table.queries)}"
        )
