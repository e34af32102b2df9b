"""Random designs of the recall calculator, and their numbers by the Python package."""

from __future__ import annotations

import math
import warnings
from typing import Any
from unittest import mock

import numpy as np

from irbounds.results import Sample, Stratum
from irbounds.results.tipping_points import has_tipping_points
from irbounds.samples import quantities
from irbounds.samples.recall_intervals import sample_estimates
from irbounds.samples.wrong_judgments import tipping_points

LEVELS = (0.8, 0.9, 0.95, 0.975, 0.99)
CLAIMS = (0.5, 0.7, 0.75, 0.8, 0.9)
LESS_IS_BETTER = ("yield", "prevalence", "elusion")
#: number of strata with documents, and how often there are so many; limits of three or more
#: uncertain strata take Python a tenth of the whole time each
N_STRATA = {1: 0.13, 2: 0.75, 3: 0.08, 4: 0.04}
PLANNED = 0.15  # the fraction of designs with a sample that is needed, and with tipping points
#: most documents of such a design, by whether it has at most two uncertain strata
MAX_PLANNED = {True: 20_000, False: 300}


def make_designs(n: int, seed: int, *, large: float = 0.3) -> list[dict[str, Any]]:
    """Return random requests of the calculator; ``large`` is the fraction with 10^6 documents.

    Populations are log-uniform up to 10^6 per stratum, and up to 10^4 otherwise.
    """
    rng = np.random.default_rng(seed)
    return [_make_design(rng, 1e6 if rng.random() < large else 1e4) for _ in range(n)]


def _make_design(rng: np.random.Generator, max_population: float) -> dict[str, Any]:
    is_control_set = bool(rng.random() < 0.15)
    if is_control_set:
        strata = _split_control_set(rng, max_population)
    else:
        n = int(rng.choice(list(N_STRATA), p=list(N_STRATA.values())))
        strata = [_make_stratum(rng, k, max_population) for k in range(n)]
        strata += [
            _stratum(f"empty {side}", side, 0, 0, 0)
            for side in (True, False)
            if not any(part["retrieved"] == side for part in strata)
        ]
    size = sum(part["population"] for part in strata)
    n_open = sum(0 < part["sampled"] < part["population"] for part in strata)
    return {
        "strata": strata,
        "confidence_level": float(rng.choice(LEVELS)),
        "at_least": float(rng.choice(CLAIMS)) if rng.random() < 0.6 else None,
        "method": str(rng.choice(("exact", "beta-binomial"))),
        "credit_found": bool(rng.random() < 0.2),
        "is_control_set": is_control_set,
        "is_planned": bool(rng.random() < PLANNED and size <= MAX_PLANNED[n_open < 3]),
    }


def _make_stratum(rng: np.random.Generator, k: int, max_population: float) -> dict[str, Any]:
    population = _log_uniform(rng, max_population)
    retrieved = bool(rng.random() < (0.9, 0.05, 0.5, 0.5)[k])
    sampled = int(rng.choice((0, population, _log_uniform(rng, population)), p=(0.06, 0.2, 0.74)))
    prevalence = rng.choice((0.0, rng.beta(0.3, 3), rng.random(), 1.0), p=(0.3, 0.4, 0.25, 0.05))
    relevant = int(rng.binomial(sampled, prevalence))
    return _stratum(f"stratum {k}", retrieved, population, sampled, relevant)


def _split_control_set(rng: np.random.Generator, max_population: float) -> list[dict[str, Any]]:
    population = max(_log_uniform(rng, max_population), 2)
    sampled = _log_uniform(rng, population)
    size = int(rng.integers(0, population + 1))
    inside = int(rng.hypergeometric(size, population - size, sampled))
    relevant = int(rng.binomial(inside, rng.random()))
    missed = int(rng.binomial(sampled - inside, rng.choice((0.0, rng.beta(0.3, 5)))))
    return [
        _stratum("retrieved", True, size, inside, relevant),
        _stratum("unretrieved", False, population - size, sampled - inside, missed),
    ]


def _stratum(
    name: str, retrieved: bool, population: int, sampled: int, relevant: int
) -> dict[str, Any]:
    return {
        "name": name,
        "retrieved": retrieved,
        "population": population,
        "sampled": sampled,
        "relevant": relevant,
    }


def _log_uniform(rng: np.random.Generator, high: float) -> int:
    return round(math.exp(rng.uniform(0, math.log(high)))) if high > 1 else 1


def compute_in_python(design: dict[str, Any]) -> dict[str, Any]:
    """Return the numbers of a design as the calculator does, with null for undefined ones."""
    with warnings.catch_warnings(), mock.patch.object(quantities, "STRONG_PULL", math.inf):
        warnings.simplefilter("ignore")
        return _compute(design)


def _compute(design: dict[str, Any]) -> dict[str, Any]:
    sample = Sample(
        tuple(Stratum(**part) for part in design["strata"]),
        is_control_set=design["is_control_set"],
    )
    options = {name: design[name] for name in ("confidence_level", "credit_found")}
    is_planned = design["is_planned"]
    intervals = sample_estimates(sample, method=design["method"], **options)
    limits = sample_estimates(
        sample,
        method="exact",
        alternative="greater",
        at_least=design["at_least"] if is_planned else None,
        **options,
    )
    results = [
        {
            "quantity": interval.quantity,
            "estimate": _or_none(interval.value),
            "low": _or_none(interval.interval.low),
            "high": _or_none(interval.interval.high),
            "limit": _or_none(
                limit.interval.high if limit.quantity in LESS_IS_BETTER else limit.interval.low
            ),
            "limit_side": "at most" if limit.quantity in LESS_IS_BETTER else "at least",
        }
        for interval, limit in zip(intervals, limits, strict=True)
    ]
    if not is_planned:
        return {"results": results}
    recall = limits[0]
    claim = None
    if design["at_least"] is not None:
        claim = {name: getattr(recall, name) for name in ("at_least", "is_shown")}
    return {
        "results": results,
        "claim": claim,
        "sample_needed": recall.sample_needed,
        "tipping": _compute_tipping(sample, design, options),
    }


def _compute_tipping(
    sample: Sample, design: dict[str, Any], options: dict[str, Any]
) -> dict[str, Any] | None:
    if not has_tipping_points(sample):
        return None
    method = None if design["at_least"] is not None else design["method"]
    (points,) = tipping_points(sample, at_least=design["at_least"], method=method, **options)
    names = ("at_least", "shown_from", "falls_from", "n_judged_irrelevant", "credit_found")
    return {
        **{
            name: [
                {
                    "judgment": point.judgment,
                    "n_wrong": point.n_wrong,
                    "n_judged": point.n_judged,
                    "estimate": _or_none(point.value),
                    "low": _or_none(point.interval.low),
                    "high": _or_none(point.interval.high),
                    "is_shown": point.is_shown,
                }
                for point in getattr(points, name)
            ]
            for name in ("mistaken", "missed")
        },
        **{name: getattr(points, name) for name in names},
        "tolerated": [
            {"by": error.by, "n_documents": error.n_documents, "rate": error.rate}
            for error in points.tolerated
        ],
        "order": list(points.order),
    }


def _or_none(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def find_differences(expected: Any, actual: Any, path: str = "") -> list[str]:
    """Return the places where numbers differ by more than 1e-9, relative to those above 1."""
    if isinstance(expected, dict) and isinstance(actual, dict) and expected.keys() == actual.keys():
        return [
            text
            for key in expected
            for text in find_differences(expected[key], actual[key], f"{path}.{key}")
        ]
    if isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        return [
            text
            for k, pair in enumerate(zip(expected, actual, strict=True))
            for text in find_differences(*pair, f"{path}[{k}]")
        ]
    if _is_number(expected) and _is_number(actual):
        is_equal = abs(expected - actual) <= 1e-9 * max(1.0, abs(expected))
    else:
        is_equal = expected == actual
    return [] if is_equal else [f"{path}: {expected!r} in Python, {actual!r} in JavaScript"]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
