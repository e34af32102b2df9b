"""Multinomial counts of documents compared with naive code, and their moments."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

import naive
from irbounds.kernels.multinomial_counts import (
    CHUNK,
    DRIFT,
    IMAGES,
    bound_counts,
    draw_multinomial,
)

KEY = np.uint64(0x1234567890ABCDEF)


def make_names(n, seed=0):
    return np.random.default_rng(seed).integers(0, 2**64, n, dtype=np.uint64)


def draw_all(names, n_documents, n_blocks=1, first=0):
    counts = np.empty((n_blocks, len(names), IMAGES), np.uint8)
    rows = np.arange(len(names))
    for block in range(n_blocks):
        largest = draw_multinomial(names, KEY, first + block, n_documents, rows, counts[block])
        assert largest == counts[block].max(initial=0)
    return counts.transpose(1, 0, 2).reshape(len(names), -1)


@pytest.mark.parametrize(
    ("n_documents", "n_named"), [(1, 1), (2, 2), (5, 3), (300, 300), (2000, 2000), (10**6, 700)]
)
def test_multinomial_counts_match_naive(n_documents, n_named):
    names = make_names(n_named)
    counts = draw_all(names, n_documents, first=3)
    for image in (0, 1, 17, 63):
        expected = naive.multinomial_counts(
            names.tolist(), int(KEY), 3 * IMAGES + image, n_documents
        )
        assert counts[:, image].tolist() == expected


def test_bounds_match_sums_in_a_large_corpus():
    """The bounds decide nearly all counts: 150 chunks, all images of a unit."""
    names = make_names(10_000)
    counts = draw_all(names, 40_000)
    left = 40_000 - np.vstack([np.zeros(IMAGES, int), counts[:-1].cumsum(axis=0)])
    rng = np.random.default_rng(1)
    for k in rng.choice(len(names), 300, replace=False).tolist():
        for i in rng.choice(IMAGES, 4).tolist():
            u = naive.image_fraction(int(names[k]), int(KEY), i)
            assert counts[k, i] == naive.invert_binomial(u, int(left[k, i]), 40_000 - k)


def draw_sixteen_bits(names):
    """Return the first 16 bits of every document in the images of block 0, as ``draw_bits``."""
    mixed = names.copy() ^ KEY
    step = np.uint64(0x9E3779B97F4A7C15)
    words = np.arange(1, IMAGES // 4 + 1, dtype=np.uint64) * step

    def mix(z):
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))

    return mix(mix(mixed)[:, None] + words).view(np.uint16)


def test_further_bits_decide_where_sixteen_do_not():
    """Some 45 of 640,000 cells have the bits of a threshold and are decided by further bits."""
    names = make_names(10_000)
    counts = draw_all(names, 40_000)
    left = 40_000 - np.vstack([np.zeros(IMAGES, int), counts[:-1].cumsum(axis=0)])
    documents = 40_000 - np.arange(len(names))[:, None]
    bits = draw_sixteen_bits(names)
    undecided = sum(
        np.floor(65536 * stats.binom.cdf(j, left, 1 / documents)) == bits for j in range(5)
    )
    cells = np.argwhere(undecided)
    assert len(cells) > 25
    for k, i in cells.tolist():
        u = naive.image_fraction(int(names[k]), int(KEY), i)
        assert int(65536 * u) == bits[k, i]
        assert counts[k, i] == naive.invert_binomial(u, int(left[k, i]), 40_000 - k)


@pytest.mark.parametrize(
    ("left", "surplus"),
    [
        (4_000, 0),
        (4_000, -120),
        (50_000, 4_000),
        (500_000, 900),
        (500_000, -40_000),
        (10**8, 10**6),
    ],
)
def test_bounds_hold_for_a_chunk(left, surplus):
    """The bounds hold whether a chunk has no draw or DRIFT more than it has documents."""
    surely, maybe = np.empty((2, 6, IMAGES), np.uint16)
    bound_counts(np.full(IMAGES, surplus, np.int32), left, surely, maybe)
    assert (maybe > 0).all()
    for used, moved in itertools.product((0, CHUNK - 1), (-DRIFT, 0, CHUNK - 1)):
        now = left - used
        up_to = 65536 * stats.binom.cdf(np.arange(6), now + surplus + moved, 1 / now)
        assert (maybe[:, 0] <= up_to).all()
        assert (up_to[:5] <= surely[:5, 0] + 1.0).all()


@pytest.mark.parametrize(("left", "surplus"), [(1, 0), (100, 5), (2000, 0), (10_000, 1500)])
def test_bounds_exclude_nothing_with_few_documents_left(left, surplus):
    surely, maybe = np.empty((2, 6, IMAGES), np.uint16)
    bound_counts(np.full(IMAGES, surplus, np.int32), left, surely, maybe)
    assert (surely == 65535).all()
    assert (maybe == 0).all()


def test_drift_of_a_chunk_is_bounded():
    """128 documents take over 378 draws with a chance below 1e-60."""
    assert stats.poisson.logsf(CHUNK + DRIFT, CHUNK * 1.1) / math.log(10) < -60


@pytest.mark.parametrize("n_documents", [1, 7, 300, 5000])
def test_counts_add_up_to_the_corpus_size(n_documents):
    counts = draw_all(make_names(n_documents), n_documents, 2)
    assert (counts.sum(axis=0) == n_documents).all()


def count_outcomes(counts):
    """Count how often each outcome of three documents occurs."""
    outcomes, times = np.unique(counts.T, axis=0, return_counts=True)
    return dict(zip(map(tuple, outcomes.tolist()), times.tolist(), strict=True))


def multinomial(counts, n):
    return math.factorial(n) / math.prod(map(math.factorial, counts)) / len(counts) ** n


def compute_chi_square_p(counts):
    """Test all outcomes of three documents drawn three times against their exact probabilities."""
    observed = count_outcomes(counts)
    every = [c for c in itertools.product(range(4), repeat=3) if sum(c) == 3]
    assert set(observed) <= set(every)
    n = sum(observed.values())
    expected = [n * multinomial(c, 3) for c in every]
    return stats.chisquare([observed.get(c, 0) for c in every], expected).pvalue


def test_tiny_corpus_has_multinomial_probabilities():
    """25,600 images; false alarm rate 1e-4 (the seed is fixed)."""
    assert compute_chi_square_p(draw_all(make_names(3), 3, 400)) > 1e-4


def test_negative_control_of_multinomial_probabilities():
    """Probability 1/4 instead of 1/3; the last document has the rest."""
    rng = np.random.default_rng(2)
    first = rng.binomial(3, 0.25, 25_600)
    second = rng.binomial(3 - first, 0.5)
    assert compute_chi_square_p(np.array([first, second, 3 - first - second])) < 1e-4


def compute_moment_scores(counts, n_documents):
    """Return z-scores of the mean, the variance, the covariance and the variance of the total.

    Of n documents of D in many images: 1, 1 - 1/D, -1/D (over all pairs together), n (1 - n/D).
    """
    n, n_images = counts.shape
    deviations = counts.astype(float) - 1
    total = deviations.sum(axis=0)
    squares = (deviations**2).sum(axis=0)
    pairs = (total**2 - squares) / (n * (n - 1))  # mean product of a pair, by image
    of_total = total**2 - n * (1 - n / n_documents)
    samples = {
        "mean": (total / n, 0.0),
        "variance": (squares / n, 1 - 1 / n_documents),
        "covariance": (pairs, -1 / n_documents),
        "total": (of_total, 0.0),
    }
    return {
        name: (x.mean() - mu) / (x.std(ddof=1) / math.sqrt(n_images))
        for name, (x, mu) in samples.items()
    }


def test_moments_are_multinomial():
    """Named: 300 of 400 documents, 12,800 images; false alarm of the four together 2.5e-4."""
    scores = compute_moment_scores(draw_all(make_names(300), 400, 200), 400)
    assert max(map(abs, scores.values())) < 4, scores


def test_negative_control_poisson_counts_fail():
    """Negative control: independent counts have the means, but not the other moments."""
    counts = np.random.default_rng(3).poisson(1, (300, 12_800))
    scores = compute_moment_scores(counts, 400)
    assert abs(scores["mean"]) < 4
    assert scores["covariance"] > 20
    assert scores["total"] > 20


def test_order_of_documents_does_not_change_the_distribution():
    """First, middle and last documents have the same distribution; false alarm 1e-4 each."""
    counts = draw_all(make_names(900), 900, 50)
    expected = stats.binom.pmf(np.arange(5), 900, 1 / 900)
    for part in (counts[:100], counts[400:500], counts[800:]):
        observed = np.bincount(np.minimum(part.ravel(), 5), minlength=6)
        chances = [*expected, 1 - expected.sum()]
        # counts of one image are correlated by 1/900, so the test is slightly too strict
        assert stats.chisquare(observed, observed.sum() * np.array(chances)).pvalue > 1e-4


def test_units_and_documents_are_independent():
    """Correlations of neighbouring images and documents; false alarm about 1e-4 for the largest."""
    counts = draw_all(make_names(64), 10**6, 100).astype(float)
    across = np.corrcoef(counts)
    np.fill_diagonal(across, 0)
    assert abs(across).max() < 5.5 / math.sqrt(counts.shape[1])
    along = [np.corrcoef(row[:-lag], row[lag:])[0, 1] for row in counts for lag in (1, 4, 64)]
    assert max(map(abs, along)) < 5.5 / math.sqrt(counts.shape[1])


def test_counts_are_written_to_their_rows():
    names = make_names(50)
    whole = draw_all(names, 60)
    rows = np.full(50, -1)
    rows[[7, 30]] = [1, 0]
    counts = np.zeros((2, IMAGES), np.uint8)
    draw_multinomial(names, KEY, 0, 60, rows, counts)
    assert (counts == whole[[30, 7]]).all()


def test_additional_document_changes_few_counts():
    """Counts depend on the bits of a document: one more document changes about one count in D."""
    names = make_names(5001)
    more = draw_all(names, 10**5)
    fewer = draw_all(names[1:], 10**5)
    assert (more[1:] != fewer).mean() < 1e-4
