"""Pools on images: against pools, runs and judgments that are rewritten by hand."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import naive
from irbounds import execution, read_qrels, read_run
from irbounds.corpora.shallow_pools import bootstrap_pools, pools_on_corpus
from irbounds.measurement.judged_runs import Pool
from irbounds.measurement.parser import parse_measures
from irbounds.reading.ids import intern_strings
from irbounds.resampling.corpus_replicates import IMAGES, bootstrap_documents, draw_replicate_counts
from irbounds.scores.packed_rankings import pack_rankings
from rewriting import sparse_collection

MAX_GRADE = 3
#: a measure of every kind and every base; a pool without its highest grade keeps the scale
MEASURES = {
    "AP": naive.average_precision,
    "AP(rel=2)@7": lambda j, r: naive.average_precision(j, r, rel=2, cutoff=7),
    "nDCG": naive.ndcg,
    "nDCG(dcg='exp-log2')@4": lambda j, r: naive.ndcg(j, r, 4, dcg_form="exp-log2"),
    "P@10": lambda j, r: naive.precision(j, r, 10),
    "R@6": lambda j, r: naive.recall(j, r, 6),
    "Rprec": naive.r_precision,
    "RR": naive.reciprocal_rank,
    "RBP(p=0.95,rel=1)": lambda j, r: naive.rank_biased_precision(j, r, p=0.95),
    "RBP(p=0.7)": lambda j, r: naive.graded_rank_biased_precision(j, r, MAX_GRADE, 0.7),
    "INSQ(T=5)": lambda j, r: naive.inverse_squares(j, r, MAX_GRADE, 5),
    "ERR": naive.expected_reciprocal_rank,
}
DEPTHS = (1, 3, 10, 500, None)  # 500: deeper than any ranking, and yet not all judgments


def collection(seed):
    """Graded judgments, unretrieved and no relevant documents; tied runs, one without a query."""
    rng = np.random.default_rng(seed)
    documents = [f"d{k}" for k in range(30)]
    qrels = {}
    for q in range(6):
        judged = rng.choice(documents, rng.integers(5, 20), replace=False).tolist()
        grades = rng.choice([-1, 0, 1, 2, 3], len(judged), p=[0.1, 0.3, 0.3, 0.2, 0.1]).tolist()
        qrels[f"q{q}"] = dict(zip(judged, grades, strict=True))
    qrels["q0"] |= {"d0": MAX_GRADE, "d1": 1, "never retrieved": 2}
    qrels["q1"] = dict.fromkeys(qrels["q1"], 0)
    runs = {
        name: {
            query: {
                doc: float(rng.integers(0, 8))
                for doc in rng.choice(documents, rng.integers(2, 25), replace=False).tolist()
            }
            for query in qrels
        }
        for name in ("new", "other", "old")
    }
    del runs["old"]["q2"]
    return qrels, runs


def sparse(seed):
    """A sparse collection of at least two queries, as a standard deviation needs."""
    qrels, runs = sparse_collection(seed)
    return {**qrels, "one more": {"d0": 0}}, runs


def packed_of(qrels, runs, corpus_size=50):
    records = [read_run(run, name=name) for name, run in runs.items()]
    return pack_rankings(Pool(read_qrels(qrels)), records, corpus_size)


def counts_by_id(qrels, runs, packed, seed, image):
    """How often every document stands in an image; 7 for those that cannot matter."""
    counts, _ = draw_replicate_counts(packed, seed, image // IMAGES)
    rows = dict(zip(packed.names.tolist(), packed.rows.tolist(), strict=True))
    named = {doc for part in (qrels, *runs.values()) for docs in part.values() for doc in docs}
    ids, _ = intern_strings(sorted(named))
    return {
        doc: int(counts[rows[hashed], image % IMAGES]) if hashed in rows else 7
        for doc, hashed in zip(ids.strings(), ids.hashes.tolist(), strict=True)
    }


def twin(qrels, runs, counts, measure, depth):
    """Mean and standard deviation over queries of the naive differences."""
    differences = naive.pooled_differences(
        MEASURES[measure], qrels, runs["new"], runs["old"], counts, depth
    )
    return np.mean(differences), np.std(differences, ddof=1)


@pytest.mark.parametrize(
    ("make", "seed"), [*((collection, k) for k in range(5)), *((sparse, k) for k in range(30))]
)
def test_equals_pools_made_by_hand(make, seed):
    qrels, runs = make(seed)
    packed = packed_of(qrels, runs)
    found = bootstrap_pools(packed.of_systems([0, 2]), parse_measures(MEASURES), DEPTHS, 70, seed)
    for image in (0, 1, 63, 64, 69):
        counts = counts_by_id(qrels, runs, packed, seed, image)
        for (m, measure), (d, depth) in itertools.product(enumerate(MEASURES), enumerate(DEPTHS)):
            mean, deviation = twin(qrels, runs, counts, measure, depth)
            assert found.means[m, d, image] == pytest.approx(mean, rel=0, abs=2e-12)
            assert found.deviations[m, d, image] == pytest.approx(deviation, rel=0, abs=2e-12)


@pytest.mark.parametrize("seed", range(5))
def test_the_same_on_the_corpus_itself(seed):
    qrels, runs = collection(seed)
    pair = packed_of(qrels, runs).of_systems([0, 2])
    found, n_relevant = pools_on_corpus(pair, parse_measures(MEASURES), DEPTHS)
    assert found.means.shape == (len(MEASURES), len(DEPTHS), 1)
    ones = dict.fromkeys(counts_by_id(qrels, runs, packed_of(qrels, runs), 0, 0), 1)
    for (m, measure), (d, depth) in itertools.product(enumerate(MEASURES), enumerate(DEPTHS)):
        mean, deviation = twin(qrels, runs, ones, measure, depth)
        assert found.means[m, d, 0] == pytest.approx(mean, rel=0, abs=2e-12)
        assert found.deviations[m, d, 0] == pytest.approx(deviation, rel=0, abs=2e-12)
    for n, depth in zip(n_relevant, DEPTHS, strict=True):
        pools = [
            naive.pool_of_image(docs, [runs[s].get(q, {}) for s in ("new", "old")], ones, depth)
            for q, docs in qrels.items()
        ]
        assert n == pytest.approx(np.mean([naive.n_relevant(pool) for pool in pools]))


def test_the_comparison_by_hand_would_see_another_depth():
    """The control: what differs by one rank only is told apart, in nearly every image."""
    qrels, runs = collection(0)
    packed = packed_of(qrels, runs)
    found = bootstrap_pools(packed.of_systems([0, 2]), parse_measures(["AP"]), (3,), 64, 0)
    apart = [
        abs(found.means[0, 0, k] - twin(qrels, runs, counts, "AP", 4)[0]) > 1e-6
        for k in range(20)
        for counts in [counts_by_id(qrels, runs, packed, 0, k)]
    ]
    assert np.mean(apart) > 0.5


def test_a_document_across_the_edge_is_judged_in_all_its_copies():
    """Copies of a come first; b begins within the depth of 2 or not, and counts whole or not."""
    qrels = {"q": {"b": 1}, "nothing relevant": {"a": 0}}
    runs = {"new": {"q": {"a": 2.0, "b": 1.0}}, "old": {"q": {"a": 1.0}}}
    packed = packed_of(qrels, runs, 4)
    found = bootstrap_pools(packed, parse_measures(["P@10"]), (2,), 256, 1)
    counts = np.concatenate(
        [draw_replicate_counts(packed, 1, unit)[0] for unit in range(4)], axis=1
    )
    b, a = counts[packed.rankings.rows].astype(int)  # relevant ones first
    assert ((a < 2) & (b > 0) & (a + b > 2)).any()
    assert ((a >= 2) & (b > 0)).any()
    assert found.means[0, 0] == pytest.approx(np.where(a < 2, b, 0) / 10 / 2)


def test_all_judgments_are_the_bootstrap_itself():
    qrels, runs = collection(7)
    pair = packed_of(qrels, runs).of_systems([2, 0])
    measures = parse_measures(MEASURES)
    images = bootstrap_documents(pair, measures, 200, 7, precision=np.float64)
    differences = images.scores[:, 0] - images.scores[:, 1]
    found = bootstrap_pools(pair, measures, (5, None), 200, 7)
    np.testing.assert_allclose(found.means[:, 1], differences.mean(axis=1), atol=1e-12)
    np.testing.assert_allclose(found.deviations[:, 1], differences.std(axis=1, ddof=1), atol=2e-12)
    assert np.abs(found.means[:, 0] - found.means[:, 1]).max() > 0.1  # the pool does matter


def test_no_depth_is_so_deep_that_it_is_all_judgments():
    """A relevant document that neither brings up is in no pool."""
    qrels = {query: {"a": 1, "missed": 1} for query in "qr"}
    runs = {"new": {"q": {"a": 1.0}}, "old": {"r": {"x": 1.0}}}
    found, n_relevant = pools_on_corpus(
        packed_of(qrels, runs), parse_measures(["AP"]), (2**40, None)
    )
    assert n_relevant.tolist() == [0.5, 2]
    assert found.means[0, :, 0].tolist() == [0.5, 0.25]


def test_equal_differences_have_no_spread_whatever_rounding_says():
    queries = [f"q{k}" for k in range(3)]
    qrels = {query: {"a": 1} for query in queries}
    runs = {name: {query: {doc: 1.0} for query in queries} for name, doc in ("na", "ox")}
    found, _ = pools_on_corpus(packed_of(qrels, runs), parse_measures(["P@10"]), (1,))
    assert np.std([0.1] * 3, ddof=1) != 0  # the control
    assert found.means[0, 0, 0] == pytest.approx(0.1)
    assert found.deviations[0, 0, 0] == 0


def test_no_query_has_a_relevant_document():
    qrels = {"q": {"a": 0}, "r": {"b": 0}}
    packed = packed_of(qrels, {"new": {"q": {"a": 1.0}}, "old": {"r": {"b": 1.0}}})
    found = bootstrap_pools(packed, parse_measures(MEASURES), DEPTHS, 64, 1)
    assert (found.means == 0).all()
    assert (found.deviations == 0).all()


def test_the_same_score_in_another_order_is_no_difference():
    """Both have copies of relevant documents at the same ranks, and sum them up differently."""
    others, relevant = [f"n{k}" for k in range(5)], [f"r{k}" for k in range(10)]
    qrels = {query: dict.fromkeys(relevant, 1) for query in "qr"}
    orders = {"new": others + relevant, "old": others + relevant[::-1]}
    runs = {
        name: {query: {doc: -float(k) for k, doc in enumerate(order)} for query in "qr"}
        for name, order in orders.items()
    }
    measures = parse_measures(["AP", "nDCG", "RBP(p=0.95,rel=1)"])
    packed = packed_of(qrels, runs)
    found = bootstrap_pools(packed, measures, (None,), 64, 1)
    assert (found.means == 0).all()
    assert (found.deviations == 0).all()
    exact = bootstrap_documents(packed, measures, 64, 1, precision=np.float64).scores
    assert (exact[:, 0] != exact[:, 1]).any()  # the control: but for rounding they would differ


@pytest.mark.parametrize("threads", [2, 5])
def test_threads_change_no_bit_and_more_images_only_add(threads):
    qrels, runs = collection(3)
    pair = packed_of(qrels, runs, 400).of_systems([0, 2])
    measures = parse_measures(["AP", "nDCG", "ERR"])
    with execution(threads=1):
        one = bootstrap_pools(pair, measures, DEPTHS, 500, 5)
    with execution(threads=threads, n_blocks=7):
        more = bootstrap_pools(pair, measures, DEPTHS, 700, 5)
    assert (more.means[..., :500] == one.means).all()
    assert (more.deviations[..., :500] == one.deviations).all()
    other = bootstrap_pools(pair, measures, DEPTHS, 500, 6)
    assert (other.means != one.means).any()
