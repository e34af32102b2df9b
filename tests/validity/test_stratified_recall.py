"""Coverage of stratified recall: what the default keeps, and where its priors add up.

Samples are drawn from strata whose relevant documents are known, again and again. A coverage of
95 % in 400 samples has a standard error of 1.1 %; bounds are four of them below, a false alarm in
30,000.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from irbounds.errors import DegenerateSampleWarning
from irbounds.samples import Stratum
from recall_calls import estimate_recall

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


def simulate_coverage(design):
    rng = np.random.default_rng(7)
    plan = [
        (side == "retrieved", *stratum) for side, strata in design.items() for stratum in strata
    ]
    n_retrieved_relevant, total = (
        sum(R for side, _, _, R in plan if side or both) for both in (False, True)
    )
    hits, n_warned = 0, 0
    for _ in range(N_SAMPLES):
        strata = [
            Stratum(str(k), side, N, n, int(rng.hypergeometric(R, N - R, n)))
            for k, (side, N, n, R) in enumerate(plan)
        ]
        with warnings.catch_warnings(record=True) as caught_warnings:
            warnings.simplefilter("always", DegenerateSampleWarning)
            interval = estimate_recall(strata).interval
        n_warned += bool(caught_warnings)
        hits += interval.low <= n_retrieved_relevant / total <= interval.high
    return hits / N_SAMPLES, n_warned / N_SAMPLES


@pytest.mark.slow
def test_coverage_of_strata_with_relevant_documents_is_nominal():
    share, warned = simulate_coverage(FULL)
    assert share > 0.95 - 4 * 0.011
    assert warned < 0.01


@pytest.mark.slow
def test_few_empty_strata_reduce_coverage_and_mostly_warn():
    few = {**HOLLOW, "unretrieved": HOLLOW["unretrieved"][:5]}
    share, warned = simulate_coverage(few)
    assert 0.72 < share < 0.9
    assert warned > 0.75


@pytest.mark.slow
def test_many_empty_strata_lose_coverage_and_warn():
    """Negative control: the priors dominate the samples, and a warning is given."""
    share, warned = simulate_coverage(HOLLOW)
    assert share < 0.5
    assert warned > 0.95
