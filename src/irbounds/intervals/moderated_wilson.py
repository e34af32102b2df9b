"""Wilson's interval for the mean of a measure with bounds, with a moderated variance.

Wilson's interval of a proportion contains every p for which the sample is at most z standard errors
away, where the standard error is the one under that p, sqrt(p (1 - p) / n). Scores between 0 and 1
vary less: their variance under a mean of mu is taken as c mu (1 - mu), where c is between 0 and 1.
The limits are the two solutions mu of

    (m - mu)^2 = t^2 c^ mu (1 - mu) / n

which is a quadratic equation. The estimate c^ of c combines that of the sample,
h = s^2 / (m (1 - m)), with a prior variance c (``variance_prior``), and the prior can only raise
it, never lower it:

    nu = (n - 1) / (1 + max(kappa, 0) / 2)
    c^ = max(h, (d0 c + nu h) / (d0 + nu)),    t with d0 + nu degrees of freedom

nu is the number of degrees of freedom of the sample's variance. It is below n - 1 because skewed
scores have a large kurtosis: a sample without the rare easy query shows too small a variance, and
knows little about it. kappa is the excess kurtosis of a beta distribution with mean m and variance
c m (1 - m), which real scores follow closely:

    kappa = 6 c / (1 + 2 c) ((1 - 2 m)^2 / (m (1 - m) (1 + c)) - 1)

Near a bound nu is small and the prior counts most. Where all scores are at a bound, the limit is
exact for scores of any distribution between the bounds: with a mean of mu at most the fraction
1 - mu of the scores can be 0, so that n zeros have a probability of at most (1 - mu)^n.

With c = 1, d0 = 0 and scores of 0 and 1 the interval is Wilson's, with t and the variance of n - 1
in place of z and that of n. Equal scores have an interval, which then comes from the prior alone.
Nothing is drawn at random.

When not to use: Where the prior variance is far too small for the scores, the moderated Wilson
interval is too short with few queries: give a prior variance of your own. It needs the bounds of
the measure.

Reference: Wilson (1927); moderated variances, Smyth (2004); effective degrees of freedom,
Satterthwaite (1946).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..results.interval import Side
from .sample import ROUNDING, Sample, scale_to_bounds

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ModeratedWilson:
    """Limits mu with (m - mu)^2 = t(p)^2 c^ mu (1 - mu) / n, within the bounds."""

    method: ClassVar[str] = "moderated-wilson"

    #: of scores between 0 and 1
    mean: Floats
    #: the estimate of c, and its degrees of freedom
    variance: Floats
    degrees_of_freedom: Floats
    n: int
    bounds: tuple[float, float]
    prior_variance: float

    def limit(self, probability: float) -> Floats:
        """Return the confidence limit of a probability: a lower one up to 0.5, else an upper."""
        return self.limit_at(probability, "low" if probability <= 0.5 else "high")

    def limit_at(self, probability: float, side: Side) -> Floats:
        """Return the limit as the low or the high end, which differ where scores are at a bound."""
        low, high = self.bounds
        if self.n < 2:
            return np.full(self.mean.shape, np.nan)
        t = special.stdtrit(self.degrees_of_freedom, probability)
        k = t**2 * self.variance / self.n
        root = np.sqrt(k * self.mean * (1 - self.mean) + k**2 / 4)
        upper = (self.mean + k / 2 + root) / (1 + k)
        with np.errstate(invalid="ignore"):  # a mean of 0 with t = 0
            lower = self.mean**2 / ((1 + k) * upper)  # the product of the roots is m^2 / (1 + k)
        limit = np.where(t < 0, lower, upper)
        if side == "low":
            at_zero, at_one = 0.0, 1 - _exact(probability, self.n)
        else:
            at_zero, at_one = _exact(1 - probability, self.n), 1.0
        limit = np.where(self.mean < ROUNDING, at_zero, limit)
        limit = np.where(self.mean > 1 - ROUNDING, at_one, limit)
        return np.clip(low + (high - low) * limit, low, high)


def _exact(tail: float, n: int) -> float:
    """Return the mean under which n scores of 0 have at most the probability ``tail``."""
    return float(-np.expm1(np.log(tail) / n))


def moderated_wilson(sample: Sample) -> ModeratedWilson:
    """Fit the limits to a sample; only a single score gives NaN."""
    assert sample.bounds is not None
    assert sample.prior is not None
    c, d0 = sample.prior.variance, sample.prior.degrees_of_freedom
    mean, variance = scale_to_bounds(sample)
    product = np.maximum(mean * (1 - mean), ROUNDING**2)
    kurtosis = 6 * c / (1 + 2 * c) * ((1 - 2 * mean) ** 2 / (product * (1 + c)) - 1)
    nu = (sample.n - 1) / (1 + np.maximum(kurtosis, 0) / 2)
    relative = variance / product
    moderated = np.maximum(relative, (d0 * c + nu * relative) / (d0 + nu))
    return ModeratedWilson(mean, moderated, d0 + nu, sample.n, sample.bounds, c)
