"""Prior variances of scores, which methods with "moderated" in their name use.

The largest variance that scores between 0 and 1 with the mean m can have is m (1 - m): that of
scores that are 0 or 1. Real scores have a fraction of it that depends mostly on the measure: about
a quarter for AP, two thirds for RR. That fraction is the prior variance c of a measure. It counts
as much as a few degrees of freedom, the same number for all measures.

``prior_variances.toml`` contains the prior variances that are used, with the collections they come
from: the median over collections of the median over systems. ``python -m benchmarks.validity fit``
computes them from score tables. Of only two collections it is the larger one. A measure that is not
listed has that of the next smaller listed cutoff (P@15 that of P@10), else of the smallest one,
else of the measure without cutoff, else the ``generic`` one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError, ParameterError, quote, quote_several
from ..measurement.names import UNNAMED, same_names, stem_of

Floats = NDArray[np.float64]

ROUNDING = 1e-9  # by which a scaled score may exceed its bounds


@dataclass(frozen=True)
class VariancePrior:
    """A prior variance, relative to m (1 - m), and the degrees of freedom that it counts as."""

    variance: float
    degrees_of_freedom: float


@cache
def _read_file() -> dict[str, Any]:
    import tomllib
    from importlib.resources import files

    path = files("irbounds.intervals").joinpath("prior_variances.toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))


def listed_priors() -> dict[str, dict[str, Any]]:
    """Return the prior variance of each listed measure, with its collections."""
    measures: dict[str, dict[str, Any]] = _read_file()["measures"]
    return measures


def prior_of(measure: str) -> VariancePrior:
    """Return the prior of a measure."""
    return _with_degrees(_variance_of(measure))


def _with_degrees(variance: float) -> VariancePrior:
    return VariancePrior(variance, float(_read_file()["degrees_of_freedom"]))


def _variance_of(measure: str) -> float:
    listed = listed_priors()
    if measure in listed:
        return float(listed[measure]["variance"])
    stem, cutoff = stem_of(measure), _cutoff_of(measure)
    cutoffs = {_cutoff_of(name): name for name in listed if stem_of(name) == stem}
    name = cutoffs.pop(0, stem)  # without a cutoff
    if cutoff and cutoffs:
        smaller = [k for k in cutoffs if k <= cutoff]
        name = cutoffs[max(smaller) if smaller else min(cutoffs)]
    return float(listed[name]["variance"] if name in listed else _read_file()["generic"])


def _cutoff_of(measure: str) -> int:
    """Return the cutoff of a name, 0 without one."""
    parts = re.search(r"@(\d+)$", measure)
    return int(parts[1]) if parts else 0


def relative_variances(scores: Floats) -> Floats:
    """Return s^2 / (m (1 - m)) of each system (system x query); NaN for equal scores."""
    mean = scores.mean(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        variances = scores.var(axis=1, ddof=1) / (mean * (1 - mean))
    return np.where((scores == scores[:, :1]).all(axis=1), np.nan, variances)


def fit_prior_variance(scores: Floats) -> float:
    """Return the prior variance of reference scores (system x query): the median over systems.

    Scores are between 0 and 1. A median is robust to some systems that are unlike the others.
    """
    if scores.shape[1] < 2:
        raise DataError("a prior variance needs reference scores of at least two queries")
    variances = relative_variances(scores)
    variances = variances[~np.isnan(variances)]
    if not variances.size or not float(np.median(variances)) > 0:
        raise DataError("the reference scores have no spread, so that they give no prior variance")
    return min(float(np.median(variances)), 1.0)


def choose_prior(prior_variance: Any) -> Callable[[str, tuple[float, float]], VariancePrior]:
    """Return the function from a measure and its bounds to its prior.

    ``prior_variance`` is None for the listed priors, a number for all measures, or reference scores
    that ``read_scores`` takes, to fit the prior of each measure to.
    """
    if prior_variance is None:
        return lambda measure, bounds: prior_of(measure)
    if isinstance(prior_variance, Real):
        prior = _with_degrees(check_prior_variance(prior_variance))
        return lambda measure, bounds: prior
    from ..scores.score_input import as_score_table

    table = as_score_table(prior_variance)

    def fit(measure: str, bounds: tuple[float, float]) -> VariancePrior:
        low, high = bounds
        scores = (table.values[_find_measure(table.measures, measure)] - low) / (high - low)
        if scores.min() < -ROUNDING or scores.max() > 1 + ROUNDING:
            raise DataError(
                f"prior_variance: the reference scores of {measure} must be between {low:g} and "
                f"{high:g}"
            )
        return _with_degrees(fit_prior_variance(np.clip(scores, 0.0, 1.0)))

    return fit


def _find_measure(measures: tuple[str, ...], measure: str) -> int:
    """Return the place of a measure in reference scores; a table without names is for all."""
    if measures == (UNNAMED,):
        return 0
    same = [measure] if measure in measures else same_names(measure, measures)
    if len(same) != 1:
        raise ParameterError(
            f"prior_variance: the reference scores have no {quote(measure)}, only "
            f"{quote_several(measures)}"
        )
    return measures.index(same[0])


def check_prior_variance(value: Any) -> float:
    """Return a prior variance; raise ``ParameterError`` unless it is above 0 and at most 1."""
    variance = float(value)
    if not 0 < variance <= 1:
        raise ParameterError(
            "prior_variance must be above 0 and at most 1, relative to the largest variance "
            f"m (1 - m) of scores with the mean m; got {quote(value)}"
        )
    return variance


def parse_prior_variance(name: str, value: Any) -> Any:
    """Return a checked number, reference scores, or None.

    Text that is not a number is a file of reference scores, ``AP=FILE`` one of a measure.
    """
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            measure, equals, file = value.partition("=")
            return {measure: file} if equals and not Path(value).exists() else value
    if isinstance(value, bool):
        raise ParameterError(f"{name} must be a number or reference scores; got {value}")
    return check_prior_variance(value) if isinstance(value, Real) else value
