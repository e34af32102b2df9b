"""Priors on a stratum's prevalence: Beta(alpha, beta), by number, by name or by a rule.

``0.5``, the default, stands for alpha = beta = 0.5, which has the best coverage in Webber's
experiments; ``"uniform"`` is alpha = beta = 1; ``"most-conservative"`` is the prior that leaves
most to be learnt from the sample, different for each stratum; two numbers are alpha and beta.

When not to use uniform: The uniform prior is not neutral: it expects half of a large unretrieved
segment to be relevant before any document is seen. This understates recall where hardly any
document is relevant.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..errors import ParameterError, quote
from ..parameters import as_float

LEAST, MOST = 1e-6, 1e6


@dataclass(frozen=True)
class Prior:
    """A prior for each stratum; ``pair`` is None for the most conservative one."""

    name: str
    pair: tuple[float, float] | None

    def of(self, population: float, sampled: float) -> tuple[float, float]:
        """Alpha and beta for a stratum."""
        if self.pair is not None:
            return self.pair
        from .most_conservative import most_conservative_prior

        both = most_conservative_prior(population, sampled)
        return both, both


def parse_prior(prior: Any) -> Prior:
    """What was given as ``prior``; None is the default."""
    if prior is None:
        return Prior("0.5", (0.5, 0.5))
    if isinstance(prior, str):
        return _named(prior)
    if as_float(prior) is not None:
        return _numbers(prior, (prior, prior))
    try:
        return _numbers(prior, tuple(prior))
    except TypeError:
        raise _refused(prior) from None


def _named(text: str) -> Prior:
    if text == "uniform":
        return Prior(text, (1.0, 1.0))
    if text == "most-conservative":
        return Prior(text, None)
    parts = text.split(",")
    return _numbers(text, tuple(parts) if len(parts) == 2 else (text, text))


def _numbers(given: Any, pair: tuple[Any, ...]) -> Prior:
    try:
        alpha, beta = (float(one) if isinstance(one, str) else as_float(one) for one in pair)
    except ValueError:
        raise _refused(given) from None
    if alpha is None or beta is None or not (LEAST <= alpha <= MOST and LEAST <= beta <= MOST):
        raise _refused(given)
    return Prior(f"{alpha:g}" if alpha == beta else f"{alpha:g},{beta:g}", (alpha, beta))


def _refused(given: Any) -> ParameterError:
    return ParameterError(
        f"prior must be 'uniform', 'most-conservative', a number from {LEAST:g} to {MOST:g} "
        f"or two of them, alpha and beta; got {quote(given)}"
    )
