"""Coverage of intervals of recall against single intervals."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from irbounds import execution
from irbounds.errors import ParameterError
from irbounds.planning import recall_simulation as module
from irbounds.planning.recall_scenarios import (
    RecallDesign,
    make_realisation,
)
from irbounds.planning.recall_simulation import (
    NINE_METHODS,
    closest_fractions,
    draw_counts,
    estimate_coverage,
    make_coverage_rows,
    parse_methods,
    recall_coverage,
)
from irbounds.resampling.seeds import Purpose, stream
from irbounds.results import RecallRealisation, records
from irbounds.samples.recall_intervals import recall_interval

DESIGN = RecallDesign(
    corpus_size=900,
    n_relevant=60,
    recall=0.7,
    precision=0.5,
    retrieved_sample=30,
    unretrieved_sample=90,
)


def one_by_one(realisation, label, n_samples, seed, alternative="two-sided"):
    """Misses below and above, samples without an interval, and the mean width."""
    method, _, prior = label.partition(" ")
    generator = stream(seed, Purpose.recall_samples, 3, 0, 0)
    one = realisation
    found = generator.hypergeometric(
        one.relevant_retrieved, one.retrieved - one.relevant_retrieved, one.retrieved_sample,
        n_samples,
    )  # fmt: skip
    missed = generator.hypergeometric(
        one.relevant_unretrieved, one.unretrieved - one.relevant_unretrieved,
        one.unretrieved_sample, n_samples,
    )  # fmt: skip
    below = above = without = 0
    widths = []
    for r1, r0 in zip(found.tolist(), missed.tolist(), strict=True):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # samples without spread are expected here
            interval = recall_interval(
                retrieved=(one.retrieved, one.retrieved_sample, r1),
                unretrieved=(one.unretrieved, one.unretrieved_sample, r0),
                method=method,
                prior=prior or None,
                alternative=alternative,
            ).interval
        without += np.isnan(interval.low)
        below += one.recall < interval.low - 1e-11
        above += one.recall > interval.high + 1e-11
        widths.append(interval.high - interval.low)
    return below, above, without, np.nanmean(widths)


@pytest.mark.parametrize("label", NINE_METHODS)
def test_misses_match_single_intervals(label):
    n = 10 if label == "beta-jeffreys" else 60  # which takes a third of a second each
    found = recall_coverage(DESIGN, methods=[label], n_samples=n, rng=4)
    below, above, without, width = one_by_one(make_realisation(DESIGN), label, n, 4)
    assert found.below[0, 0] == pytest.approx(below / n)
    assert found.above[0, 0] == pytest.approx(above / n)
    assert found.without[0, 0] == pytest.approx(without / n)
    assert found.widths[0, 0] == pytest.approx(width, abs=1e-4)
    (row,) = found.rows
    assert row.coverage == pytest.approx(1 - (below + above + without) / n)
    assert row.rmse == pytest.approx(abs(row.coverage - 0.95))
    assert (row.method, row.scenario, row.closest) == (label, "own", 1)


@pytest.mark.parametrize("alternative", ["less", "greater"])
@pytest.mark.parametrize("label", ["koopman", "beta-binomial 0.5"])
def test_one_sided_intervals_miss_on_one_side(label, alternative):
    n = 60
    found = recall_coverage(DESIGN, methods=[label], n_samples=n, rng=9, alternative=alternative)
    below, above, _, width = one_by_one(make_realisation(DESIGN), label, n, 9, alternative)
    assert (found.below[0, 0], found.above[0, 0]) == pytest.approx((below / n, above / n))
    assert found.widths[0, 0] == pytest.approx(width, abs=1e-4)
    assert found.below[0, 0] == 0 if alternative == "less" else found.above[0, 0] == 0


def test_samples_without_relevant_documents_have_no_interval():
    design = RecallDesign(1000, 2, 0.5, 10, 20, retrieved_size=200)
    found = recall_coverage(design, methods=["normal", "beta-binomial"], n_samples=400, rng=1)
    # both counts are 0 with 0.95 * 0.975, give or take 4 standard errors of 0.013
    assert found.without[0, 0] == pytest.approx(0.926, abs=0.055)
    assert found.without[0, 1] == 0
    assert found.coverages[0, 0] < 1 - found.without[0, 0] + 1e-9


def test_same_numbers_on_any_threads_and_with_any_methods(monkeypatch):
    monkeypatch.setattr(module, "UNIT", 64)
    options = {"n_realisations": 4, "n_samples": 150, "rng": 3}
    with execution(threads=1):
        one = recall_coverage("small", **options)
    with execution(threads=3, n_blocks=5):
        three = recall_coverage("small", **options)
    for name in ("below", "above", "without", "widths"):
        assert np.array_equal(getattr(one, name), getattr(three, name)), name
    alone = recall_coverage("small", methods=["koopman"], **options)
    assert np.array_equal(alone.coverages[:, 0], one.coverages[:, NINE_METHODS.index("koopman")])
    # realisations are the first of however many
    more = recall_coverage("small", methods=["koopman"], **{**options, "n_realisations": 6})
    assert more.realisations[:4] == one.realisations
    assert np.array_equal(more.coverages[:4], alone.coverages)
    other = recall_coverage("small", methods=["koopman"], **{**options, "rng": 5})
    assert other.realisations != alone.realisations


def test_units_realisations_and_places_have_different_samples(monkeypatch):
    """Otherwise the noise of a tally would not shrink with its samples."""
    seen = []

    def recorded(*arguments):
        counts, times = draw_counts(*arguments)
        seen.append((counts.relevant.tobytes(), times.tobytes()))
        return counts, times

    monkeypatch.setattr(module, "UNIT", 50)
    monkeypatch.setattr(module, "draw_counts", recorded)
    twice = [make_realisation(DESIGN)] * 2
    for place in (3, 4):
        estimate_coverage(twice, name="x", place=place, methods=["normal"], n_samples=100, rng=1)
    assert len(seen) == len(set(seen)) == 8


def test_known_recall_is_covered():
    """All documents are sampled: interval and truth are one number, whatever rounding does."""
    design = RecallDesign(907, 61, 0.69, 83, 824, retrieved_size=83)
    posterior = ("beta-jeffreys", "beta-binomial 0.5", "beta-binomial most-conservative")
    for alternative in ("two-sided", "less", "greater"):
        found = recall_coverage(
            design, methods=["normal", *posterior], n_samples=2, rng=1, alternative=alternative
        )
        assert found.coverages[0].tolist() == [1, 1, 1, 1]
    two_sided = recall_coverage(design, methods=["beta-binomial"], n_samples=2, rng=1)
    assert two_sided.widths[0, 0] == pytest.approx(0, abs=2e-5)


def test_recall_of_one_is_covered():
    """Counts may be 0 in the posterior; a beta's share is not, and its interval never holds 1."""
    design = RecallDesign(1000, 40, 1.0, 60, 300, retrieved_size=100)
    found = recall_coverage(design, methods=["beta-binomial", "beta-jeffreys"], n_samples=20, rng=1)
    assert found.coverages[0].tolist() == [1, 0]


def test_repeated_samples_are_computed_once():
    realisation = RecallRealisation(50, 80, 10, 4, 20, 30)
    counts, times = draw_counts(realisation, 500, np.random.default_rng(1))
    assert times.sum() == 500
    assert len(np.unique(counts.relevant, axis=0)) == len(times) < 60
    again = np.random.default_rng(1)
    found = again.hypergeometric(10, 40, 20, 500)
    missed = again.hypergeometric(4, 76, 30, 500)
    place = np.flatnonzero((counts.relevant == [found[0], missed[0]]).all(axis=1))
    assert times[place] == np.count_nonzero((found == found[0]) & (missed == missed[0]))


def test_ties_for_the_closest_method_are_divided():
    coverage = np.array([[0.94, 0.96, 0.5], [0.9, 0.951, 0.951], [0.95, 0.2, 0.3], [1.0, 0.9, 0.9]])
    assert closest_fractions(coverage, 0.95) == pytest.approx(
        [(0.5 + 0 + 1 + 1 / 3) / 4, (0.5 + 0.5 + 1 / 3) / 4, (0.5 + 1 / 3) / 4]
    )


def test_coverage_rows_average_over_realisations():
    found = recall_coverage(
        "small", methods=["laplace", "koopman"], n_realisations=5, n_samples=80, rng=2
    )
    for m, row in enumerate(found.rows):
        coverage = found.coverages[:, m]
        assert row.coverage == pytest.approx(coverage.mean())
        assert row.rmse == pytest.approx(np.sqrt(np.mean((coverage - 0.95) ** 2)))
        # the standard error of a root is that of its square over twice the root
        squares = (coverage - 0.95) ** 2
        expected = squares.std(ddof=1) / np.sqrt(5) / (2 * row.rmse)
        assert row.rmse_noise == pytest.approx(expected)
        assert row.coverage_noise == pytest.approx(coverage.std(ddof=1) / np.sqrt(5))
        assert row.width == pytest.approx(found.widths[:, m].mean())
    assert sum(row.closest for row in found.rows) == pytest.approx(1)


def test_progress_is_called_after_every_block():
    told = []
    recall_coverage(
        "small", methods=["normal"], n_realisations=3, n_samples=2500, rng=1,
        progress=lambda done, total: told.append((done, total)),
    )  # fmt: skip
    assert told == [(k, 9) for k in range(1, 10)]


def test_recall_coverage_rejects_invalid_parameters():
    with pytest.raises(ParameterError, match="scenario must be one of 'neutral', 'legal', 'small'"):
        recall_coverage("large")
    with pytest.raises(ParameterError, match=r"n_realisations is for a scenario.*; got 5"):
        recall_coverage(DESIGN, n_realisations=5)
    with pytest.raises(ParameterError, match="n_samples must be an integer of at least 2"):
        recall_coverage(DESIGN, n_samples=1)
    with pytest.raises(ParameterError, match=r"did you mean 0.95"):
        recall_coverage(DESIGN, confidence_level=95)
    with pytest.raises(ParameterError, match=r"method must be one of 'naive-binomial', .*'wald'"):
        recall_coverage(DESIGN, methods=["wald"])
    with pytest.raises(ParameterError, match="method 'koopman' has no prior to choose"):
        parse_methods(["koopman uniform"])
    with pytest.raises(ParameterError, match="methods must be several different names"):
        parse_methods(["koopman", "koopman"])
    with pytest.raises(ParameterError, match="prior must be 'uniform'"):
        parse_methods(["beta-binomial weak"])
    assert [one.label for one in parse_methods(["beta-binomial", "beta-binomial 0.3,0.8"])] == [
        "beta-binomial 0.5",
        "beta-binomial 0.3,0.8",
    ]


# coverage


def test_coverage_is_exact_for_recall_drawn_from_the_prior():
    """A posterior is honest on average over its own prior: yields are drawn from that.

    600 realisations of 60 samples: standard errors of the mean coverage are below 0.004 for the
    posterior (margin: 3.5 of them; false alarm 1 in 2,000). The normal interval is the control.
    """
    rng = np.random.default_rng(12)
    realisations = []
    for _ in range(600):
        found, missed = (rng.binomial(N, rng.beta(0.5, 0.5)) for N in (3000, 8000))
        if found + missed:
            realisations.append(RecallRealisation(3000, 8000, found, missed, 60, 80))
    coverage = estimate_coverage(
        realisations,
        name="prior",
        place=9,
        methods=["beta-binomial 0.5", "normal"],
        n_samples=60,
        rng=6,
    )
    honest, normal = coverage.rows
    assert honest.coverage == pytest.approx(0.95, abs=0.014)
    assert honest.below == pytest.approx(0.025, abs=0.01)
    assert honest.above == pytest.approx(0.025, abs=0.01)
    assert normal.coverage < 0.92


def test_coverage_records():
    """With the columns of a frame."""
    design = RecallDesign(1000, 100, 0.5, 50, 100, precision=0.5)
    rows = recall_coverage(design, methods=["normal", "koopman"], n_samples=20, rng=0).rows
    first, second = records(rows)
    assert (first["method"], second["method"]) == ("normal", "koopman")
    assert first["coverage"] == rows[0].coverage
    assert {type(value) for value in first.values()} <= {str, int, float}


def test_coverage_without_intervals_is_exactly_0():
    """Shares of below, above and without that come to 1 may do so but for rounding."""
    n, sums = 10, np.zeros((1, 5, 1))
    for below in range(n):
        for above in range(n - below):
            sums[0, :3, 0] = below, above, n - below - above
            (row,) = make_coverage_rows("name", ["method"], sums, n, 0.95)
            assert row.coverage >= 0
            assert row.coverage_noise >= 0
