"""Shallow pools, against scipy, R, the claims of the paper and rewritten judgments."""

from __future__ import annotations

import itertools
from dataclasses import astuple, replace
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

import naive
from irbounds import corpus_bootstrap, execution, read_qrels, read_run
from irbounds.corpora.shallow_pools import bootstrap_pools, pools_on_corpus
from irbounds.errors import DataError, DegenerateSampleWarning, ParameterError
from irbounds.measurement.judged_runs import Pool
from irbounds.measurement.parser import parse_measures
from irbounds.reading.ids import intern_strings
from irbounds.resampling.corpus_replicates import IMAGES, bootstrap_documents, draw_replicate_counts
from irbounds.resampling.packed_rankings import pack_rankings
from irbounds.results import records
from irbounds.simulation import simulate_collection
from rewriting import sparse_collection

# Three queries whose pools of depth 1 and scores can be worked out on paper; c of the third query
# is in neither run, x is never relevant.
QRELS = {
    "q1": {"a": 1, "b": 1, "c": 1, "x": 0},
    "q2": {"a": 1, "b": 1, "x": 0},
    "q3": {"a": 1, "b": 1, "c": 1},
}
NEW = {"q1": "axbc", "q2": "xab", "q3": "ab"}
OLD = {"q1": "xabc", "q2": "axb", "q3": "bxa"}


def run_of(orders):
    return {
        query: {doc: float(-k) for k, doc in enumerate(order)} for query, order in orders.items()
    }


def make_bootstrap(measures=("AP",), qrels=QRELS, new=NEW, old=OLD, **options):
    runs = {"new": run_of(new), "old": run_of(old)}
    options = {"corpus_size": 20, "n_images": 64, "rng": 1, **options}
    return corpus_bootstrap(qrels, runs, list(measures), **options)


def test_pools_of_a_worked_example():
    """R 4.2.2 gave the p-values and standard deviations.

    shallow <- c(1/2, -1/2, 1/6); all <- c(1/6, -1/4, 1/9)
    print(c(t.test(shallow)$p.value, sd(shallow), t.test(all)$p.value, sd(all)), digits = 15)
    """
    shallow, everything = make_bootstrap().shallow_pools("new", "old", [1])
    assert (shallow.depth, everything.depth) == (1, None)
    assert shallow.n_relevant == pytest.approx(4 / 3)
    assert everything.n_relevant == pytest.approx(8 / 3)
    assert shallow.difference == pytest.approx(1 / 18, rel=1e-9)
    assert everything.difference == pytest.approx(1 / 108, rel=1e-9)
    assert shallow.p_value == pytest.approx(0.867546764293496, rel=1e-9)
    assert everything.p_value == pytest.approx(0.949937382567824, rel=1e-9)


@pytest.fixture(scope="module")
def simulated():
    made = simulate_collection(3, 30, 5000, 100, rng=4)
    return corpus_bootstrap(
        made.qrels,
        made.runs,
        ["AP", "nDCG", "P@10", "RR"],
        corpus_size=made.corpus_size,
        n_images=150,
        rng=5,
    )


def test_all_judgments_match_the_t_test_of_the_bootstrap(simulated):
    second, _, first = simulated.systems
    rows = simulated.shallow_pools(first, second, (5,))
    means = simulated.means[:, 2] - simulated.means[:, 0]
    for m, row in enumerate(row for row in rows if row.depth is None):
        root = stats.ttest_rel(*simulated.root.values[m, [2, 0]])
        assert row.difference == pytest.approx(simulated.root.means()[m, [2, 0]] @ [1, -1])
        assert row.p_value == pytest.approx(root.pvalue, rel=1e-9)
        assert row.differences.mean == pytest.approx(means[m].mean())
        assert row.differences.maximum == pytest.approx(means[m].max())
        scores = simulated.scores[m, [2, 0]].astype(np.float64)  # kept in single precision
        p_values = stats.ttest_rel(scores[0], scores[1]).pvalue
        spreads = (scores[0] - scores[1]).std(axis=0, ddof=1)
        assert row.p_values.mean == pytest.approx(p_values.mean(), rel=1e-5)
        assert row.p_values.minimum == pytest.approx(p_values.min(), rel=1e-4)
        assert row.significant == pytest.approx(np.mean(p_values < 0.05))
        assert row.query_spreads.median == pytest.approx(np.median(spreads), rel=1e-5)
        assert (row.n_queries, row.n_images) == (30, 150)


def test_pool_rows_summarise_the_images_of_their_depth(simulated):
    first, second, _ = simulated.systems
    rows = simulated.shallow_pools(first, second, (20, 5))
    assert [(row.measure, row.depth) for row in rows] == [
        (measure, depth) for measure in simulated.measures for depth in (20, 5, None)
    ]
    pair = simulated.packed.select_systems([0, 1])
    actual = bootstrap_pools(pair, simulated.parsed, (20, 5), 150, simulated.seed)
    for k, row in enumerate(row for row in rows if row.depth):
        m, d = divmod(k, 2)
        means, spreads = actual.means[m, d], actual.deviations[m, d]
        p_values = 2 * stats.t.sf(np.abs(means) / spreads * np.sqrt(30), 29)
        assert row.differences.mean == pytest.approx(means.mean())
        assert row.query_spreads.mean == pytest.approx(spreads.mean())
        assert row.p_values.median == pytest.approx(np.median(p_values), rel=1e-9)
        assert row.significant == np.mean(p_values < 0.05)
        assert (row.system, row.baseline) == (first, second)


def test_swapped_systems_have_the_opposite_sign(simulated):
    first, second, _ = simulated.systems
    there = simulated.shallow_pools(first, second, (5,))
    back = simulated.shallow_pools(second, first, (5,))
    for row, other in zip(there, back, strict=True):
        assert row.difference == -other.difference
        assert row.differences.minimum == -other.differences.maximum
        assert row.p_value == other.p_value
        assert row.n_relevant == other.n_relevant


def test_measure_with_cutoff_above_the_depth_does_not_change(simulated):
    """What P@10 reads is in the pool of depth 10, in every image; a shallower one lacks some."""
    first, second, _ = simulated.systems
    rows = [r for r in simulated.shallow_pools(first, second, (9, 10)) if r.measure == "P@10"]
    short, enough, everything = rows
    assert replace(enough, depth=None, n_relevant=everything.n_relevant) == everything
    assert short.differences != everything.differences


def test_pools_do_not_depend_on_selected_systems_or_stored_images(simulated):
    first, second, _ = simulated.systems
    rows = simulated.shallow_pools(first, second, (5,))
    assert simulated.select([second, first]).shallow_pools(first, second, (5,)) == rows
    stored = replace(simulated, scores=simulated.scores[..., :10])
    assert stored.shallow_pools(first, second, (5,)) == rows


def test_pool_progress_counts_units(simulated):
    calls = []
    first, second, _ = simulated.systems
    simulated.shallow_pools(first, second, progress=lambda done, total: calls.append((done, total)))
    assert calls == [(64, 150), (128, 150), (150, 150)]


def test_p_value_of_no_difference_is_1():
    rows = make_bootstrap(["AP", "RR"], new=OLD).shallow_pools("new", "old", [1, 2])
    for row in rows:
        assert (row.difference, row.p_value, row.significant) == (0, 1, 0)
        assert astuple(row.p_values) == (1, 0, 1, 1, 1, 1, 1)
        assert astuple(row.query_spreads) == (0,) * 7


def same_on_both_queries(new, old, **options):
    """Two queries with the same documents: their differences are equal in every image."""
    qrels = {query: {"a": 1} for query in "qr"}
    orders = (dict.fromkeys("qr", order) for order in (new, old))
    return make_bootstrap(["P@1"], qrels, *orders, **options)


def test_equal_differences_have_no_p_value_and_a_warning():
    images = same_on_both_queries("ax", "xa", corpus_size=2)
    message = (
        r"^P@1, .*: no p-value where .*: on the corpus, in \d+ of 64 images, which are left out$"
    )
    with pytest.warns(DegenerateSampleWarning, match=message) as caught:
        shallow, everything = images.shallow_pools("new", "old", [1])
    assert [str(warning.message)[:10] for warning in caught] == ["P@1, depth", "P@1, all j"]
    assert caught[0].filename == __file__
    assert np.isnan(shallow.p_value)
    # of two documents one or both are drawn; with one only there is no difference
    assert astuple(shallow.p_values) == (1, 0, 1, 1, 1, 1, 1)
    assert 0 < shallow.differences.mean < 1
    assert shallow.significant == 0
    assert everything.difference == 1


def test_no_image_has_a_p_value():
    """Found by trial, where both images hold the document: each seed has a chance of 0.4."""
    tried = (same_on_both_queries("a", "x", n_images=2, rng=seed) for seed in range(50))
    images = next(part for part in tried if part.means[0, 0].all())
    with pytest.warns(DegenerateSampleWarning, match="in 2 of 2 images"):
        shallow, _ = images.shallow_pools("new", "old", [1])
    assert np.isnan(astuple(shallow.p_values)).all()


@pytest.mark.parametrize("depths", [(), 10, (0,), (10, -1), (2.5,), "10", (True,), (10, None)])
def test_wrong_depths_are_errors(depths):
    with pytest.raises(ParameterError, match=r"depths must be one or more integers >= 1; got "):
        make_bootstrap().shallow_pools("new", "old", depths)


def test_pool_parameter_errors():
    images = make_bootstrap()
    with pytest.raises(ParameterError, match=r"depths must differ; got \(5, 5\)"):
        images.shallow_pools("new", "old", (5, 5))
    with pytest.raises(ParameterError, match="system must be one of 'new', 'old'; got 'newer'"):
        images.shallow_pools("newer", "old")
    with pytest.raises(ParameterError, match="baseline must be one of 'new', 'old'; got None"):
        images.shallow_pools("new", None)
    with pytest.raises(ParameterError, match="system and baseline must differ; got 'new' for both"):
        images.shallow_pools("new", "new")
    with pytest.raises(DataError, match="images lack them"):
        replace(images, packed=None).shallow_pools("new", "old")
    with pytest.raises(DataError, match="at least two queries; got 1"):
        make_bootstrap(qrels={"q1": QRELS["q1"]}).shallow_pools("new", "old")


# What shows on real runs. The paper's section 7 has one pair of TREC-9; these are of TREC 2003.

AP, RBP = "AP", "RBP(p=0.95,rel=1)"


@pytest.fixture(scope="module")
def robust_images(robust03):
    short = ("NLPR03vb10.run.gz", "humR03dc.run.gz")
    runs = sorted(path for path in robust03.glob("*.run.gz") if path.name not in short)
    return corpus_bootstrap(
        robust03 / "qrels.txt.gz", runs, [AP, RBP], corpus_size=528_155, n_images=1000, rng=0
    )


def test_the_two_best_systems_on_real_runs(robust_images):
    """AP's differences and their spread grow in shallow pools; RBP loses what it cannot see.

    Not as in the paper: AP's p-values do not keep falling (at depth 10 they are above those of all
    judgments), and RBP is the same only from a depth of some 25 on.
    """
    best, second = np.argsort(-robust_images.root.means()[1])[:2]
    names = [robust_images.systems[k] for k in (best, second)]
    assert names == ["pircRBa1", "aplrob03a"]
    rows = {(row.measure, row.depth): row for row in robust_images.shallow_pools(*names)}
    ap, rbp = ([rows[m, depth] for depth in (10, 25, 100, None)] for m in (AP, RBP))
    means = robust_images.means[:, best] - robust_images.means[:, second]
    assert ap[3].differences.mean == pytest.approx(means[0].mean(), abs=1e-12)
    assert rbp[3].differences.mean == pytest.approx(means[1].mean(), abs=1e-12)
    assert ap[0].n_relevant == pytest.approx(6.0, abs=0.05)
    # AP: exaggerated at every depth, and the spread over queries grows as the pool shrinks
    assert all(row.differences.mean > 1.9 * ap[3].differences.mean for row in ap[:3])
    spreads = [row.query_spreads.mean for row in ap]
    assert spreads == sorted(spreads, reverse=True)
    assert spreads[0] > 2.4 * spreads[3]
    assert ap[1].p_values.median < 0.6 * ap[3].p_values.median < 0.6 * ap[0].p_values.median
    # RBP: all the same at depth 100, much the same at 25, not at 10
    assert rbp[2].differences.mean == pytest.approx(rbp[3].differences.mean, rel=0.01)
    assert rbp[2].p_values.median == pytest.approx(rbp[3].p_values.median, rel=0.02)
    assert rbp[1].query_spreads.mean == pytest.approx(rbp[3].query_spreads.mean, rel=0.2)
    assert rbp[1].p_values.median == pytest.approx(rbp[3].p_values.median, rel=0.1)
    assert rbp[0].differences.mean < 0.5 * rbp[3].differences.mean
    assert rbp[0].query_spreads.mean < 0.6 * rbp[3].query_spreads.mean


@pytest.mark.slow
def test_all_pairs_on_real_runs(robust_images):
    """AP exaggerates most differences, and p-values mostly rise, for either measure."""
    few = replace(robust_images, means=robust_images.means[..., :64])
    pairs = [few.shallow_pools(*pair, (10,)) for pair in combinations(few.systems, 2)]
    assert len(pairs) == 66
    ap = [(rows[0], rows[1]) for rows in pairs]
    rbp = [(rows[2], rows[3]) for rows in pairs]

    def share(of_pairs, holds):
        return np.mean([holds(shallow, full) for shallow, full in of_pairs])

    def larger(shallow, full):
        return abs(shallow.differences.mean) > abs(full.differences.mean)

    def surer(shallow, full):
        return shallow.p_values.median < full.p_values.median

    def wider(shallow, full):
        return shallow.query_spreads.mean > full.query_spreads.mean

    assert (share(ap, wider), share(rbp, wider)) == (1, 0)
    assert share(ap, larger) > 0.6
    assert share(rbp, larger) < 0.1
    assert share(ap, surer) < 0.4
    assert share(rbp, surer) < 0.4


def test_pool_results_store_every_image(simulated):
    """What is summed up is there image by image, and on single queries for the first images."""
    first, second, _ = simulated.systems
    for row in simulated.shallow_pools(first, second, (5,)):
        assert row.image_differences.shape == row.image_p_values.shape == (simulated.n_images,)
        assert row.image_differences.mean() == pytest.approx(row.differences.mean)
        assert np.median(row.image_p_values) == pytest.approx(row.p_values.median)
        assert row.query_differences.shape == (row.n_queries, simulated.n_images)
        np.testing.assert_allclose(
            row.query_differences.mean(axis=0), row.image_differences, atol=1e-6
        )
        with pytest.raises(ValueError, match="read-only"):
            row.image_differences[0] = 1


def test_pool_results_summarise_differences_per_query(simulated):
    """The five numbers of each query's box, by numpy, from the differences that are kept."""
    rows = simulated.shallow_pools(*simulated.systems[:2], (5,))
    for row in rows:
        assert row.query_ids == simulated.queries
        stored = row.query_differences.astype(float)
        five = np.quantile(stored, (0, 0.25, 0.5, 0.75, 1), axis=1).T
        for summary, differences, numbers in zip(row.on_queries, stored, five, strict=True):
            assert astuple(summary)[2:] == pytest.approx(tuple(numbers))
            assert summary.mean == pytest.approx(differences.mean())
            assert summary.standard_deviation == pytest.approx(differences.std(ddof=1))
    assert rows[0].on_queries != rows[1].on_queries  # pools of depth 5 are not all judgments
    assert not {"query_ids", "on_queries"} & set(records(rows)[0])


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


def pack_collection(qrels, runs, corpus_size=50):
    records = [read_run(run, name=name) for name, run in runs.items()]
    return pack_rankings(Pool(read_qrels(qrels)), records, corpus_size)


def counts_by_id(qrels, runs, packed, seed, image):
    """Return how often every document occurs in an image; 7 for those that cannot matter."""
    counts, _ = draw_replicate_counts(packed, seed, image // IMAGES)
    rows = dict(zip(packed.hashes.tolist(), packed.rows.tolist(), strict=True))
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
    ("make", "seed"),
    [
        *((collection, k) for k in range(2)),
        *((sparse, k) for k in range(8)),
        *(pytest.param(collection, k, marks=pytest.mark.slow) for k in range(2, 5)),
        *(pytest.param(sparse, k, marks=pytest.mark.slow) for k in range(8, 30)),
    ],
)
def test_pools_match_rewritten_judgments(make, seed):
    qrels, runs = make(seed)
    packed = pack_collection(qrels, runs)
    pooled = bootstrap_pools(
        packed.select_systems([0, 2]), parse_measures(MEASURES), DEPTHS, 70, seed
    )
    for image in (0, 1, 63, 64, 69):
        counts = counts_by_id(qrels, runs, packed, seed, image)
        for (m, measure), (d, depth) in itertools.product(enumerate(MEASURES), enumerate(DEPTHS)):
            mean, deviation = twin(qrels, runs, counts, measure, depth)
            assert pooled.means[m, d, image] == pytest.approx(mean, rel=0, abs=2e-12)
            assert pooled.deviations[m, d, image] == pytest.approx(deviation, rel=0, abs=2e-12)


@pytest.mark.parametrize("seed", range(5))
def test_pools_on_the_corpus_match_rewritten_judgments(seed):
    qrels, runs = collection(seed)
    pair = pack_collection(qrels, runs).select_systems([0, 2])
    pooled, n_relevant = pools_on_corpus(pair, parse_measures(MEASURES), DEPTHS)
    assert pooled.means.shape == (len(MEASURES), len(DEPTHS), 1)
    ones = dict.fromkeys(counts_by_id(qrels, runs, pack_collection(qrels, runs), 0, 0), 1)
    for (m, measure), (d, depth) in itertools.product(enumerate(MEASURES), enumerate(DEPTHS)):
        mean, deviation = twin(qrels, runs, ones, measure, depth)
        assert pooled.means[m, d, 0] == pytest.approx(mean, rel=0, abs=2e-12)
        assert pooled.deviations[m, d, 0] == pytest.approx(deviation, rel=0, abs=2e-12)
    for n, depth in zip(n_relevant, DEPTHS, strict=True):
        pools = [
            naive.pool_of_image(docs, [runs[s].get(q, {}) for s in ("new", "old")], ones, depth)
            for q, docs in qrels.items()
        ]
        assert n == pytest.approx(np.mean([naive.n_relevant(pool) for pool in pools]))


def test_negative_control_another_depth_differs():
    """The control: what differs by one rank only is distinguished in nearly every image."""
    qrels, runs = collection(0)
    packed = pack_collection(qrels, runs)
    pooled = bootstrap_pools(packed.select_systems([0, 2]), parse_measures(["AP"]), (3,), 64, 0)
    apart = [
        abs(pooled.means[0, 0, k] - twin(qrels, runs, counts, "AP", 4)[0]) > 1e-6
        for k in range(20)
        for counts in [counts_by_id(qrels, runs, packed, 0, k)]
    ]
    assert np.mean(apart) > 0.5


def test_document_at_the_pool_depth_is_judged_in_all_copies():
    """Copies of a come first; b begins within the depth of 2 or not, and counts whole or not."""
    qrels = {"q": {"b": 1}, "nothing relevant": {"a": 0}}
    runs = {"new": {"q": {"a": 2.0, "b": 1.0}}, "old": {"q": {"a": 1.0}}}
    packed = pack_collection(qrels, runs, 4)
    pooled = bootstrap_pools(packed, parse_measures(["P@10"]), (2,), 256, 1)
    counts = np.concatenate(
        [draw_replicate_counts(packed, 1, unit)[0] for unit in range(4)], axis=1
    )
    b, a = counts[packed.rankings.rows].astype(int)  # relevant ones first
    assert ((a < 2) & (b > 0) & (a + b > 2)).any()
    assert ((a >= 2) & (b > 0)).any()
    assert pooled.means[0, 0] == pytest.approx(np.where(a < 2, b, 0) / 10 / 2)


def test_all_judgments_match_the_corpus_bootstrap():
    qrels, runs = collection(7)
    pair = pack_collection(qrels, runs).select_systems([2, 0])
    measures = parse_measures(MEASURES)
    images = bootstrap_documents(pair, measures, 200, 7, precision=np.float64)
    differences = images.scores[:, 0] - images.scores[:, 1]
    pooled = bootstrap_pools(pair, measures, (5, None), 200, 7)
    np.testing.assert_allclose(pooled.means[:, 1], differences.mean(axis=1), atol=1e-12)
    np.testing.assert_allclose(pooled.deviations[:, 1], differences.std(axis=1, ddof=1), atol=2e-12)
    assert np.abs(pooled.means[:, 0] - pooled.means[:, 1]).max() > 0.1  # the pool does matter


def test_the_largest_depth_is_not_all_judgments():
    """A relevant document that neither brings up is in no pool."""
    qrels = {query: {"a": 1, "missed": 1} for query in "qr"}
    runs = {"new": {"q": {"a": 1.0}}, "old": {"r": {"x": 1.0}}}
    pooled, n_relevant = pools_on_corpus(
        pack_collection(qrels, runs), parse_measures(["AP"]), (2**40, None)
    )
    assert n_relevant.tolist() == [0.5, 2]
    assert pooled.means[0, :, 0].tolist() == [0.5, 0.25]


def test_equal_differences_have_no_spread_despite_rounding():
    queries = [f"q{k}" for k in range(3)]
    qrels = {query: {"a": 1} for query in queries}
    runs = {name: {query: {doc: 1.0} for query in queries} for name, doc in ("na", "ox")}
    pooled, _ = pools_on_corpus(pack_collection(qrels, runs), parse_measures(["P@10"]), (1,))
    assert np.std([0.1] * 3, ddof=1) != 0  # the control
    assert pooled.means[0, 0, 0] == pytest.approx(0.1)
    assert pooled.deviations[0, 0, 0] == 0


def test_pools_without_relevant_documents():
    qrels = {"q": {"a": 0}, "r": {"b": 0}}
    packed = pack_collection(qrels, {"new": {"q": {"a": 1.0}}, "old": {"r": {"b": 1.0}}})
    pooled = bootstrap_pools(packed, parse_measures(MEASURES), DEPTHS, 64, 1)
    assert (pooled.means == 0).all()
    assert (pooled.deviations == 0).all()


def test_pools_ignore_rounding_of_equal_scores():
    """Both have copies of relevant documents at the same ranks, and sum them up differently."""
    others, relevant = [f"n{k}" for k in range(5)], [f"r{k}" for k in range(10)]
    qrels = {query: dict.fromkeys(relevant, 1) for query in "qr"}
    orders = {"new": others + relevant, "old": others + relevant[::-1]}
    runs = {
        name: {query: {doc: -float(k) for k, doc in enumerate(order)} for query in "qr"}
        for name, order in orders.items()
    }
    measures = parse_measures(["AP", "nDCG", "RBP(p=0.95,rel=1)"])
    packed = pack_collection(qrels, runs)
    pooled = bootstrap_pools(packed, measures, (None,), 64, 1)
    assert (pooled.means == 0).all()
    assert (pooled.deviations == 0).all()
    exact = bootstrap_documents(packed, measures, 64, 1, precision=np.float64).scores
    assert (exact[:, 0] != exact[:, 1]).any()  # the control: but for rounding they would differ


@pytest.mark.parametrize("threads", [2, 5])
def test_pools_have_the_same_bits_on_any_threads(threads):
    qrels, runs = collection(3)
    pair = pack_collection(qrels, runs, 400).select_systems([0, 2])
    measures = parse_measures(["AP", "nDCG", "ERR"])
    with execution(threads=1):
        first = bootstrap_pools(pair, measures, DEPTHS, 500, 5)
    with execution(threads=threads, n_blocks=7):
        more = bootstrap_pools(pair, measures, DEPTHS, 700, 5)
    assert (more.means[..., :500] == first.means).all()
    assert (more.deviations[..., :500] == first.deviations).all()
    other = bootstrap_pools(pair, measures, DEPTHS, 500, 6)
    assert (other.means != first.means).any()
