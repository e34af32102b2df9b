"""Recall taken for a plain proportion of the relevant documents seen: the naive binomial.

Rec -+ z(1 - alpha/2) sqrt(Rec (1 - Rec) / n), as if the relevant documents of both samples were
one random sample of all relevant documents. It is here because it is in use for diagnostic tests,
and to be compared with.

The paper does not say what n is. Here it is the number of relevant documents in the samples, which
is what a proportion of relevant documents is a proportion of. A simulation of the paper's three
scenarios (1,000 realisations, 500 samples) gave the following; no reading that was tried gives the
paper's numbers, and the small scenario's RMSE of 0.063 is missed by every Wald interval around
the plain estimate.

=======================================  ===============  ===============  ===============
RMSE / mean coverage / mean width        neutral          legal            small
=======================================  ===============  ===============  ===============
paper (Tables IX and X)                  .25 / .83 / .23  .28 / .80 / .21  .06 / .95 / .29
n = relevant in both samples (taken)     .34 / .78 / .14  .37 / .72 / .13  .16 / .90 / .24
n = relevant in the retrieved sample     .33 / .80 / .22  .37 / .74 / .18  .16 / .91 / .32
n = both samples                         .47 / .59 / .07  .64 / .37 / .03  .49 / .51 / .07
n = both samples x estimated prevalence  .29 / .82 / .17  .21 / .88 / .26  .15 / .93 / .29
=======================================  ===============  ===============  ===============

When not to use: Unless both segments were sampled at the same rate, the relevant documents of both
samples are not a random sample of all relevant ones, and the coverage of the naive binomial can be
far from nominal.

Reference: Webber (2013), section 3.1, Equation 27.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .counts import Counts
from .propagation import NormalLimits, check_sampled, segment_yields, share


@dataclass(frozen=True, eq=False)
class NaiveBinomial(NormalLimits):
    """Limits Rec + z(p) sqrt(Rec (1 - Rec) / n)."""

    method: ClassVar[str] = "naive-binomial"


def naive_binomial(counts: Counts) -> NaiveBinomial:
    """Fit to counts; every stratum with documents needs a sample."""
    check_sampled(counts, NaiveBinomial.method)
    recall = segment_yields(counts).recall
    seen = np.asarray(counts.relevant.sum(axis=-1))
    return NaiveBinomial(recall, np.sqrt(share(recall * (1 - recall), seen)))
