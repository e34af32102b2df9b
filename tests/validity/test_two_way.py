"""New queries and a new corpus, drawn many times: does the split of variance say what they would?

A world in which both can be drawn afresh. A document is about each query to a degree; those above
the query's threshold are relevant. A system sees that degree through the query's skill and noise.
Some documents are junk: not relevant to anything, yet system "a" is drawn to them for every query,
so that a corpus with more of them is worse for all queries alike. System "b" is not.

The truth is brute force, by formulas in this file: thousands of fresh corpora with fresh queries.
The estimates are from single data sets, as anyone has one: judgments, runs and their images.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from scipy import stats

import irbounds
from irbounds.corpora.bootstrap import corpus_bootstrap

QUERIES, DOCUMENTS = 20, 200
MEASURES = ("AP", "nDCG", "P@10", "RBP(p=0.95,rel=1)", "RR")
ROWS = ("a", "b", "a - b")
PARTS = ("queries", "documents", "interaction", "total")
WAYS = ("query_bootstrap", "document_bootstrap", "two_way_bootstrap")


@dataclass(frozen=True)
class World:
    #: how many documents are junk, and how strongly "a" is drawn to it
    junk: float
    pull: float

    def corpora(self, rng, n):
        return rng.random((n, 1, DOCUMENTS)) < self.junk

    def queries(self, rng, n):
        """Draw skill and threshold of each query."""
        size = (n, QUERIES, 1)
        return rng.uniform(0.3, 2.0, size), rng.uniform(1.0, 1.6, size)

    def meet(self, rng, junk, queries):
        """Return relevance (round x query x document) and the scores of both systems."""
        skill, threshold = queries
        about = rng.normal(size=(len(skill), QUERIES, DOCUMENTS))
        noise = rng.normal(size=(2, *about.shape))
        return (about > threshold) & ~junk, (
            skill * about + noise[0] + self.pull * junk,
            0.8 * skill * about + noise[1],
        )


# four junk documents in a corpus, each at the top; or thirty, each a little too high
FEW, MANY = World(0.02, 3.0), World(0.15, 1.5)


def compute_measures(relevant, scores):
    """Return measure x round x query, by textbook formulas on complete rankings."""
    order = np.argsort(-scores, axis=-1)
    hits = np.take_along_axis(relevant, order, -1).astype(float)
    ranks = np.arange(1, DOCUMENTS + 1)
    n = hits.sum(axis=-1).astype(int)
    some = np.maximum(n, 1)
    discounts = 1 / np.log2(ranks + 1)
    weights = 0.95**ranks / (0.95 ** np.arange(1, 1001)).sum()
    return np.stack(
        [
            (hits * np.cumsum(hits, axis=-1) / ranks).sum(axis=-1) / some,
            hits @ discounts / np.cumsum(discounts)[some - 1],
            hits[..., :10].mean(axis=-1),
            hits @ weights,
            np.where(n > 0, 1 / (hits.argmax(axis=-1) + 1), 0),
        ]
    )


def rows_of(relevant, scores):
    """Return measure x row x round x query, for both systems and their difference."""
    a, b = (compute_measures(relevant, system_scores) for system_scores in scores)
    return np.stack([a, b, a - b], axis=1)


@dataclass(frozen=True)
class Truth:
    #: measure x row
    means: np.ndarray
    variances: dict[str, np.ndarray]

    def of(self, measure, row, part="total"):
        return self.variances[part][MEASURES.index(measure), ROWS.index(row)]


def simulate_truth(world, n_rounds):
    """Estimate the components from two corpora per round; the covariance is the query component."""
    rng = np.random.default_rng(1)
    means, spreads, shared = [], [], []
    for _ in range(n_rounds // 50):
        queries = world.queries(rng, 50)
        pair = [rows_of(*world.meet(rng, world.corpora(rng, 50), queries)) for _ in range(2)]
        deviations = [scores - scores.mean(axis=-1, keepdims=True) for scores in pair]
        means += [scores.mean(axis=-1) for scores in pair]
        spreads += [scores.var(axis=-1, ddof=1).mean(axis=-1) for scores in pair]
        shared.append((deviations[0] * deviations[1]).sum(axis=-1).mean(axis=-1) / (QUERIES - 1))
    together = np.concatenate(means, axis=2)
    total = together.var(axis=2, ddof=1)
    within, own = np.mean(spreads, axis=0) / QUERIES, np.mean(shared, axis=0) / QUERIES
    parts = {"queries": own, "documents": total - within, "interaction": within - own}
    return Truth(together.mean(axis=2), {**parts, "total": total})


def draw_data_set(world, rng):
    """Draw the judgments and runs of one data set."""
    relevant, scores = world.meet(rng, world.corpora(rng, 1), world.queries(rng, 1))
    names = [f"d{k}" for k in range(DOCUMENTS)]

    def by_query(values):
        rows = values[0].tolist()
        return {f"q{q}": dict(zip(names, row, strict=True)) for q, row in enumerate(rows)}

    runs = {name: by_query(system_scores) for name, system_scores in zip("ab", scores, strict=True)}
    return by_query(relevant.astype(int)), runs, rows_of(relevant, scores)


@dataclass(frozen=True)
class Estimates:
    #: measure x row x round of results
    rows: np.ndarray

    def all(self, measure, row, name):
        chosen = self.rows[MEASURES.index(measure), ROWS.index(row)]
        return np.array([getattr(estimate, name) for estimate in chosen])

    def mean(self, measure, row, name):
        return self.all(measure, row, name).mean()


def compute_estimates(world, n_rounds, n_images=200):
    rng = np.random.default_rng(2)
    estimates = np.empty((len(MEASURES), len(ROWS), n_rounds), object)
    for k in range(n_rounds):
        qrels, runs, _ = draw_data_set(world, rng)
        images = corpus_bootstrap(
            qrels, runs, MEASURES, corpus_size=DOCUMENTS, n_images=n_images, rng=k
        )
        estimates[:, :2, k] = np.reshape(np.array(images.variance_split(), object), (-1, 2))
        estimates[:, 2, k] = images.variance_split("b")
    return Estimates(estimates)


def test_textbook_formulas_agree_with_measures():
    qrels, runs, rows = draw_data_set(FEW, np.random.default_rng(3))
    table = irbounds.score(qrels, runs, MEASURES)
    assert table.values == pytest.approx(rows[:, :2, 0], rel=1e-12)


@pytest.mark.slow
def test_corrected_two_way_variance_is_right_and_single_components_are_not():
    truth, estimates = simulate_truth(MANY, 1500), compute_estimates(MANY, 60)
    # the ratio's standard error: 0.027 for 60 data sets, 0.027 for the truth, together 0.04; within
    # 4 of them and a bias of 0.01, two checks: false alarm about 1 in 5,000
    for measure in ("P@10", "RBP(p=0.95,rel=1)"):
        true_total = truth.of(measure, "a")
        ratio = {name: estimates.mean(measure, "a", name) / true_total for name in ("total", *WAYS)}
        assert ratio["total"] == pytest.approx(1, abs=0.17)
        # the negative controls, in a longer run 1.4 to 1.6, 0.7, and 0.5 to 0.65
        assert ratio["two_way_bootstrap"] > 1.2
        assert ratio["query_bootstrap"] < 0.85
        assert ratio["document_bootstrap"] < 0.8


@pytest.fixture(scope="module")
def few_documents():
    return simulate_truth(FEW, 5000), compute_estimates(FEW, 300)


@pytest.fixture(scope="module")
def many_documents():
    return simulate_truth(MANY, 5000), compute_estimates(MANY, 300)


# In what follows a ratio's standard error is 0.02: 0.012 for 300 data sets and 0.016 for the truth.
# Bounds are at least 4 of them from what was measured against a truth of twice as many rounds.


@pytest.mark.slow
@pytest.mark.parametrize(
    ("measure", "expected"),
    [("AP", 0.99), ("nDCG", 0.96), ("P@10", 0.99), ("RBP(p=0.95,rel=1)", 1.0), ("RR", 0.94)],
)
def test_two_way_variance_with_many_small_document_effects(many_documents, measure, expected):
    truth, estimates = many_documents
    true_total = truth.of(measure, "a")
    assert estimates.mean(measure, "a", "total") / true_total == pytest.approx(expected, abs=0.09)
    assert estimates.mean(measure, "a", "two_way_bootstrap") / true_total > 1.3
    assert estimates.mean(measure, "a", "query_bootstrap") / true_total < 0.9
    assert estimates.mean(measure, "a", "document_bootstrap") / true_total < 0.75


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["AP", "P@10", "RBP(p=0.95,rel=1)"])
@pytest.mark.parametrize("part", PARTS)
def test_every_variance_component_is_right_for_small_effects(many_documents, measure, part):
    truth, estimates = many_documents
    off = (estimates.mean(measure, "a", part) - truth.of(measure, "a", part)) / truth.of(
        measure, "a"
    )
    assert abs(off) < 0.09


@pytest.mark.slow
@pytest.mark.parametrize(
    ("measure", "expected"),
    [("AP", 0.90), ("nDCG", 0.84), ("P@10", 0.97), ("RBP(p=0.95,rel=1)", 0.97), ("RR", 0.75)],
)
def test_some_measures_understate_few_large_document_effects(few_documents, measure, expected):
    """A known weakness: what four documents do is seen nearly in full by P@10 and RBP alone.

    Each further one does less harm than the one before, and that bend costs 6 to 10 % of the
    documents' part with every measure; AP, nDCG and RR lose 24, 31 and 40 %.
    """
    truth, estimates = few_documents
    true_total = truth.of(measure, "a")
    assert estimates.mean(measure, "a", "total") / true_total == pytest.approx(expected, abs=0.09)
    assert estimates.mean(measure, "a", "query_bootstrap") / true_total < 0.8
    assert estimates.mean(measure, "a", "document_bootstrap") / true_total < 0.8


@pytest.mark.slow
def test_two_way_interval_covers_where_query_interval_does_not(few_documents):
    truth, estimates = few_documents
    mean = truth.means[MEASURES.index("P@10"), ROWS.index("a")]
    away = np.abs(estimates.all("P@10", "a", "value") - mean)
    reach = stats.t.ppf(0.975, QUERIES - 1)
    covered = {
        name: int((away <= reach * np.sqrt(estimates.all("P@10", "a", name))).sum())
        for name in ("total", "query_bootstrap", "two_way_bootstrap")
    }
    # 300 data sets: measured 0.947, 0.867 and 0.990; the first check's false alarm is 1 in 10,000
    assert stats.binomtest(covered["total"], 300, 0.95).pvalue > 1e-4
    assert stats.binomtest(covered["query_bootstrap"], 300, 0.95).pvalue < 1e-4
    assert covered["two_way_bootstrap"] > 290  # of 300, where 285 were asked for


@pytest.mark.slow
def test_two_way_variance_of_difference_without_query_effect(many_documents):
    """The query component is 0, so the total is slightly and the rest far too large."""
    truth, estimates = many_documents
    true_total = truth.of("P@10", "a - b")
    assert abs(truth.of("P@10", "a - b", "queries")) < 0.06 * true_total
    assert 1.0 < estimates.mean("P@10", "a - b", "total") / true_total < 1.22
    assert estimates.mean("P@10", "a - b", "two_way_bootstrap") / true_total > 2.3
