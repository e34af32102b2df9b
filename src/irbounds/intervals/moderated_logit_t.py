"""Logit-t interval whose variance is moderated by a prior variance.

The variance of scores between 0 and 1 is close to c m (1 - m), with a c that depends little on the
system and the collection (``variance_prior``). The variance of a small sample is therefore replaced
by a weighted mean of both, and the degrees of freedom grow by those of the prior:

    s~^2 = (d0 c m (1 - m) + (n - 1) s^2) / (d0 + n - 1),    degrees of freedom n - 1 + d0

The limits are those of the logit-t interval with s~. By fifty queries the prior hardly matters.
Equal scores have an interval, unless they are at a bound.

When not to use: Near a bound the moderated logit-t interval is unstable: where all scores are at it
there is no interval, and where nearly all are, it is far too long. Where the prior variance is far
too small for the scores, it is too short.

Reference: moderated variances, Smyth (2004); the logit scale, Park (2011).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import special

from .logit_t import LogitT
from .sample import ROUNDING, Sample, scale_to_bounds


@dataclass(frozen=True, eq=False)
class ModeratedLogitT(LogitT):
    """Limits of a logit-t interval with a moderated variance."""

    method: ClassVar[str] = "moderated-logit-t"

    prior_variance: float


def moderated_logit_t(sample: Sample) -> ModeratedLogitT:
    """Fit the limits to a sample; a single score, or scores at a bound, give NaN."""
    assert sample.bounds is not None
    assert sample.prior is not None
    mean, variance = scale_to_bounds(sample)
    product = mean * (1 - mean)
    d0, d = sample.prior.degrees_of_freedom, sample.n - 1
    moderated = (d0 * sample.prior.variance * product + d * variance) / (d0 + d)
    with np.errstate(invalid="ignore", divide="ignore"):
        error = np.sqrt(moderated / sample.n) / product
    inside = (mean > ROUNDING) & (mean < 1 - ROUNDING) & (sample.n > 1)
    error = np.where(inside, error, np.nan)
    prior_variance = sample.prior.variance
    return ModeratedLogitT(special.logit(mean), error, d0 + d, sample.bounds, prior_variance)
