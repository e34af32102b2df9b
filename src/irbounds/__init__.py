"""Honest uncertainty for information-retrieval evaluation.

The names below load what they need when they are first used: ``import irbounds`` alone loads
neither numba nor polars.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .errors import (
    DataError,
    DegenerateSampleWarning,
    FetchError,
    InputError,
    IrboundsError,
    MeasureError,
    ParameterError,
)

if TYPE_CHECKING:
    from .api import check, read_runs, score
    from .interval.means import mean_interval
    from .read.inputs import read_qrels, read_run
    from .read.records import Qrels, Run
    from .results import Diagnosis, Estimate, Interval
    from .scores.score_input import read_scores
    from .scores.score_table import ScoreTable
    from .simulate import SimulatedCollection, simulate_collection, write_collection

__version__ = "0.1.0"

__all__ = [
    "DataError",
    "DegenerateSampleWarning",
    "Diagnosis",
    "Estimate",
    "FetchError",
    "InputError",
    "Interval",
    "IrboundsError",
    "MeasureError",
    "ParameterError",
    "Qrels",
    "Run",
    "ScoreTable",
    "SimulatedCollection",
    "__version__",
    "check",
    "mean_interval",
    "read_qrels",
    "read_run",
    "read_runs",
    "read_scores",
    "score",
    "simulate_collection",
    "write_collection",
]

_HOMES = {
    "check": "api",
    "mean_interval": "interval.means",
    "read_runs": "api",
    "read_scores": "scores.score_input",
    "score": "api",
    "read_qrels": "read.inputs",
    "read_run": "read.inputs",
    "Qrels": "read.records",
    "Run": "read.records",
    "Diagnosis": "results",
    "Estimate": "results",
    "Interval": "results",
    "ScoreTable": "scores.score_table",
    "SimulatedCollection": "simulate",
    "simulate_collection": "simulate",
    "write_collection": "simulate",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'irbounds' has no attribute {name!r}")
    value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
