"""Coverage of stratified recall: what the default keeps, and where its priors add up.

Samples are drawn from strata whose relevant documents are known, again and again. A coverage of
95 % in 400 samples has a standard error of 1.1 %; bounds are four of them below, a false alarm in
30,000.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from irbounds import recall_interval
from irbounds.errors import DegenerateSampleWarning
from irbounds.samples import Stratum

N_SAMPLES = 400
#: documents, sampled, relevant ones among all documents
FULL = {
    "retrieved": [(500, 60, 400), (1500, 80, 500)],
    "unretrieved": [(12_000, 150, 600), (88_000, 400, 900)],
}
HOLLOW = {
    "retrieved": [(2000, 200, 1000)],
    "unretrieved": [(20_000, 100, 400), *[(20_000, 100, 0)] * 9],
}


def coverage(design):
    rng = np.random.default_rng(7)
    plan = [(side == "retrieved", *one) for side, strata in design.items() for one in strata]
    found, total = (sum(R for side, _, _, R in plan if side or both) for both in (False, True))
    hits, n_warned = 0, 0
    for _ in range(N_SAMPLES):
        strata = [
            Stratum(str(k), side, N, n, int(rng.hypergeometric(R, N - R, n)))
            for k, (side, N, n, R) in enumerate(plan)
        ]
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always", DegenerateSampleWarning)
            interval = recall_interval(strata).interval
        n_warned += bool(said)
        hits += interval.low <= found / total <= interval.high
    return hits / N_SAMPLES, n_warned / N_SAMPLES


@pytest.mark.slow
def test_strata_that_hold_something():
    share, warned = coverage(FULL)
    assert share > 0.95 - 4 * 0.011
    assert warned < 0.01


@pytest.mark.slow
def test_a_few_empty_strata_cost_some_coverage_and_are_mostly_warned_of():
    few = {**HOLLOW, "unretrieved": HOLLOW["unretrieved"][:5]}
    share, warned = coverage(few)
    assert 0.72 < share < 0.9
    assert warned > 0.75


@pytest.mark.slow
def test_many_empty_strata_are_missed_and_warned_of():
    """The negative control: priors outweigh the samples, and a warning says so."""
    share, warned = coverage(HOLLOW)
    assert share < 0.5
    assert warned > 0.95
