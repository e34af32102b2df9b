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
        """Skill and threshold."""
        size = (n, QUERIES, 1)
        return rng.uniform(0.3, 2.0, size), rng.uniform(1.0, 1.6, size)

    def meet(self, rng, junk, queries):
        """Relevance (round x query x document), and scores of the two systems."""
        skill, threshold = queries
        about = rng.normal(size=(len(skill), QUERIES, DOCUMENTS))
        noise = rng.normal(size=(2, *about.shape))
        return (about > threshold) & ~junk, (
            skill * about + noise[0] + self.pull * junk,
            0.8 * skill * about + noise[1],
        )


# four junk documents in a corpus, each at the top; or thirty, each a little too high
FEW, MANY = World(0.02, 3.0), World(0.15, 1.5)


def measured(relevant, scores):
    """Measure x round x query, by textbook formulas on whole rankings."""
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
    """Measure x row x round x query: of both systems and of their difference."""
    a, b = (measured(relevant, one) for one in scores)
    return np.stack([a, b, a - b], axis=1)


@dataclass(frozen=True)
class Truth:
    #: measure x row
    means: np.ndarray
    variances: dict[str, np.ndarray]

    def of(self, measure, row, part="total"):
        return self.variances[part][MEASURES.index(measure), ROWS.index(row)]


def truth_of(world, n_rounds):
    """From each round's queries on two fresh corpora: what they share is the queries' own part."""
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


def one_data_set(world, rng):
    """Judgments and runs as anyone has them."""
    relevant, scores = world.meet(rng, world.corpora(rng, 1), world.queries(rng, 1))
    names = [f"d{k}" for k in range(DOCUMENTS)]

    def by_query(values):
        rows = values[0].tolist()
        return {f"q{q}": dict(zip(names, row, strict=True)) for q, row in enumerate(rows)}

    runs = {name: by_query(one) for name, one in zip("ab", scores, strict=True)}
    return by_query(relevant.astype(int)), runs, rows_of(relevant, scores)


@dataclass(frozen=True)
class Estimates:
    #: measure x row x round of results
    rows: np.ndarray

    def all(self, measure, row, name):
        chosen = self.rows[MEASURES.index(measure), ROWS.index(row)]
        return np.array([getattr(one, name) for one in chosen])

    def mean(self, measure, row, name):
        return self.all(measure, row, name).mean()


def estimates_of(world, n_rounds, n_images=200):
    rng = np.random.default_rng(2)
    found = np.empty((len(MEASURES), len(ROWS), n_rounds), object)
    for k in range(n_rounds):
        qrels, runs, _ = one_data_set(world, rng)
        images = irbounds.corpus_bootstrap(
            qrels, runs, MEASURES, corpus_size=DOCUMENTS, n_images=n_images, rng=k
        )
        found[:, :2, k] = np.reshape(np.array(images.variance_split(), object), (-1, 2))
        found[:, 2, k] = images.variance_split("b")
    return Estimates(found)


def test_the_formulas_here_are_those_of_the_measures():
    qrels, runs, rows = one_data_set(FEW, np.random.default_rng(3))
    table = irbounds.score(qrels, runs, MEASURES)
    assert table.values == pytest.approx(rows[:, :2, 0], rel=1e-12)


def test_corrected_it_is_right_and_each_way_by_itself_is_not():
    truth, found = truth_of(MANY, 1500), estimates_of(MANY, 60)
    # the ratio's standard error: 0.027 for 60 data sets, 0.027 for the truth, together 0.04; within
    # 4 of them and a bias of 0.01, two checks: false alarm about 1 in 5,000
    for measure in ("P@10", "RBP(p=0.95,rel=1)"):
        whole = truth.of(measure, "a")
        ratio = {name: found.mean(measure, "a", name) / whole for name in ("total", *WAYS)}
        assert ratio["total"] == pytest.approx(1, abs=0.17)
        # the negative controls, in a longer run 1.4 to 1.6, 0.7, and 0.5 to 0.65
        assert ratio["two_way_bootstrap"] > 1.2
        assert ratio["query_bootstrap"] < 0.85
        assert ratio["document_bootstrap"] < 0.8


@pytest.fixture(scope="module")
def few():
    return truth_of(FEW, 5000), estimates_of(FEW, 300)


@pytest.fixture(scope="module")
def many():
    return truth_of(MANY, 5000), estimates_of(MANY, 300)


# In what follows a ratio's standard error is 0.02: 0.012 for 300 data sets and 0.016 for the truth.
# Bounds are at least 4 of them from what was measured against a truth of twice as many rounds.


@pytest.mark.slow
@pytest.mark.parametrize(
    ("measure", "expected"),
    [("AP", 0.99), ("nDCG", 0.96), ("P@10", 0.99), ("RBP(p=0.95,rel=1)", 1.0), ("RR", 0.94)],
)
def test_many_documents_with_small_effects(many, measure, expected):
    truth, found = many
    whole = truth.of(measure, "a")
    assert found.mean(measure, "a", "total") / whole == pytest.approx(expected, abs=0.09)
    assert found.mean(measure, "a", "two_way_bootstrap") / whole > 1.3
    assert found.mean(measure, "a", "query_bootstrap") / whole < 0.9
    assert found.mean(measure, "a", "document_bootstrap") / whole < 0.75


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["AP", "P@10", "RBP(p=0.95,rel=1)"])
@pytest.mark.parametrize("part", PARTS)
def test_every_part_is_right_where_effects_are_small(many, measure, part):
    truth, found = many
    off = (found.mean(measure, "a", part) - truth.of(measure, "a", part)) / truth.of(measure, "a")
    assert abs(off) < 0.09


@pytest.mark.slow
@pytest.mark.parametrize(
    ("measure", "expected"),
    [("AP", 0.90), ("nDCG", 0.84), ("P@10", 0.97), ("RBP(p=0.95,rel=1)", 0.97), ("RR", 0.75)],
)
def test_few_documents_with_large_effects_are_understated_by_some_measures(few, measure, expected):
    """A known weakness: what four documents do is seen nearly in full by P@10 and RBP alone.

    Each further one does less harm than the one before, and that bend costs 6 to 10 % of the
    documents' part with every measure; AP, nDCG and RR lose 24, 31 and 40 %.
    """
    truth, found = few
    whole = truth.of(measure, "a")
    assert found.mean(measure, "a", "total") / whole == pytest.approx(expected, abs=0.09)
    assert found.mean(measure, "a", "query_bootstrap") / whole < 0.8
    assert found.mean(measure, "a", "document_bootstrap") / whole < 0.8


@pytest.mark.slow
def test_the_interval_covers_where_that_of_the_queries_alone_does_not(few):
    truth, found = few
    mean = truth.means[MEASURES.index("P@10"), ROWS.index("a")]
    away = np.abs(found.all("P@10", "a", "value") - mean)
    reach = stats.t.ppf(0.975, QUERIES - 1)
    covered = {
        name: int((away <= reach * np.sqrt(found.all("P@10", "a", name))).sum())
        for name in ("total", "query_bootstrap", "two_way_bootstrap")
    }
    # 300 data sets: measured 0.947, 0.867 and 0.990; the first check's false alarm is 1 in 10,000
    assert stats.binomtest(covered["total"], 300, 0.95).pvalue > 1e-4
    assert stats.binomtest(covered["query_bootstrap"], 300, 0.95).pvalue < 1e-4
    assert covered["two_way_bootstrap"] > 290  # of 300, where 285 were asked for


@pytest.mark.slow
def test_a_difference_of_two_systems_that_no_query_tells_apart(many):
    """Its queries' part is 0 and must not be: so the total is somewhat too large, the rest far."""
    truth, found = many
    whole = truth.of("P@10", "a - b")
    assert abs(truth.of("P@10", "a - b", "queries")) < 0.06 * whole
    assert 1.0 < found.mean("P@10", "a - b", "total") / whole < 1.22
    assert found.mean("P@10", "a - b", "two_way_bootstrap") / whole > 2.3
