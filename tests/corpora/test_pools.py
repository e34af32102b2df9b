"""Shallow pools: rows against scipy, R and the paper's claims."""

from __future__ import annotations

from dataclasses import astuple, replace
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from irbounds import corpus_bootstrap
from irbounds.corpora.shallow_pools import bootstrap_pools
from irbounds.errors import DataError, DegenerateSampleWarning, ParameterError
from irbounds.results import records
from irbounds.simulation import simulate_collection

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


def bootstrapped(measures=("AP",), qrels=QRELS, new=NEW, old=OLD, **options):
    runs = {"new": run_of(new), "old": run_of(old)}
    options = {"corpus_size": 20, "n_images": 64, "rng": 1, **options}
    return corpus_bootstrap(qrels, runs, list(measures), **options)


def test_an_example_on_paper():
    """R 4.2.2 gave the p-values and standard deviations.

    shallow <- c(1/2, -1/2, 1/6); all <- c(1/6, -1/4, 1/9)
    print(c(t.test(shallow)$p.value, sd(shallow), t.test(all)$p.value, sd(all)), digits = 15)
    """
    shallow, everything = bootstrapped().shallow_pools("new", "old", [1])
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


def test_all_judgments_are_the_t_test_of_the_bootstrap(simulated):
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


def test_rows_sum_up_the_images_of_their_depth(simulated):
    first, second, _ = simulated.systems
    rows = simulated.shallow_pools(first, second, (20, 5))
    assert [(row.measure, row.depth) for row in rows] == [
        (measure, depth) for measure in simulated.measures for depth in (20, 5, None)
    ]
    pair = simulated.packed.of_systems([0, 1])
    found = bootstrap_pools(pair, simulated.parsed, (20, 5), 150, simulated.seed)
    for k, row in enumerate(row for row in rows if row.depth):
        m, d = divmod(k, 2)
        means, spreads = found.means[m, d], found.deviations[m, d]
        p_values = 2 * stats.t.sf(np.abs(means) / spreads * np.sqrt(30), 29)
        assert row.differences.mean == pytest.approx(means.mean())
        assert row.query_spreads.mean == pytest.approx(spreads.mean())
        assert row.p_values.median == pytest.approx(np.median(p_values), rel=1e-9)
        assert row.significant == np.mean(p_values < 0.05)
        assert (row.system, row.baseline) == (first, second)


def test_the_other_way_round_has_the_other_sign(simulated):
    first, second, _ = simulated.systems
    there = simulated.shallow_pools(first, second, (5,))
    back = simulated.shallow_pools(second, first, (5,))
    for one, other in zip(there, back, strict=True):
        assert one.difference == -other.difference
        assert one.differences.minimum == -other.differences.maximum
        assert one.p_value == other.p_value
        assert one.n_relevant == other.n_relevant


def test_a_measure_above_the_depth_sees_no_difference(simulated):
    """What P@10 reads is in the pool of depth 10, in every image; a shallower one lacks some."""
    first, second, _ = simulated.systems
    rows = [r for r in simulated.shallow_pools(first, second, (9, 10)) if r.measure == "P@10"]
    short, enough, everything = rows
    assert replace(enough, depth=None, n_relevant=everything.n_relevant) == everything
    assert short.differences != everything.differences


def test_images_of_some_systems_and_of_few_kept_are_the_same(simulated):
    first, second, _ = simulated.systems
    rows = simulated.shallow_pools(first, second, (5,))
    assert simulated.select([second, first]).shallow_pools(first, second, (5,)) == rows
    kept = replace(simulated, scores=simulated.scores[..., :10])
    assert kept.shallow_pools(first, second, (5,)) == rows


def test_progress_counts_blocks(simulated):
    seen = []
    first, second, _ = simulated.systems
    simulated.shallow_pools(first, second, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(64, 150), (128, 150), (150, 150)]


def test_no_difference_at_all_has_the_p_value_1():
    rows = bootstrapped(["AP", "RR"], new=OLD).shallow_pools("new", "old", [1, 2])
    for row in rows:
        assert (row.difference, row.p_value, row.significant) == (0, 1, 0)
        assert astuple(row.p_values) == (1, 0, 1, 1, 1, 1, 1)
        assert astuple(row.query_spreads) == (0,) * 7


def same_on_both_queries(new, old, **options):
    """Two queries with the same documents: their differences are equal in every image."""
    qrels = {query: {"a": 1} for query in "qr"}
    orders = (dict.fromkeys("qr", order) for order in (new, old))
    return bootstrapped(["P@1"], qrels, *orders, **options)


def test_equal_differences_have_no_p_value_and_that_is_said():
    images = same_on_both_queries("ax", "xa", corpus_size=2)
    said = r"^P@1, .*: no p-value where .*: on the corpus, in \d+ of 64 images, which are left out$"
    with pytest.warns(DegenerateSampleWarning, match=said) as caught:
        shallow, everything = images.shallow_pools("new", "old", [1])
    assert [str(one.message)[:10] for one in caught] == ["P@1, depth", "P@1, all j"]
    assert caught[0].filename == __file__
    assert np.isnan(shallow.p_value)
    # of two documents one or both are drawn; with one alone there is no difference
    assert astuple(shallow.p_values) == (1, 0, 1, 1, 1, 1, 1)
    assert 0 < shallow.differences.mean < 1
    assert shallow.significant == 0
    assert everything.difference == 1


def test_no_image_has_a_p_value():
    """Found by trial, where both images hold the document: each seed has a chance of 0.4."""
    tried = (same_on_both_queries("a", "x", n_images=2, rng=seed) for seed in range(50))
    images = next(found for found in tried if found.means[0, 0].all())
    with pytest.warns(DegenerateSampleWarning, match="in 2 of 2 images"):
        shallow, _ = images.shallow_pools("new", "old", [1])
    assert np.isnan(astuple(shallow.p_values)).all()


@pytest.mark.parametrize("depths", [(), 10, (0,), (10, -1), (2.5,), "10", (True,), (10, None)])
def test_depths_that_are_none(depths):
    with pytest.raises(ParameterError, match=r"depths must be one or more integers >= 1; got "):
        bootstrapped().shallow_pools("new", "old", depths)


def test_other_wrong_questions():
    images = bootstrapped()
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
        bootstrapped(qrels={"q1": QRELS["q1"]}).shallow_pools("new", "old")


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


def test_every_image_is_kept_for_the_figures(simulated):
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


def test_differences_on_queries_are_summed_up_query_by_query(simulated):
    """The five numbers of each query's box, by numpy, from the differences that are kept."""
    rows = simulated.shallow_pools(*simulated.systems[:2], (5,))
    for row in rows:
        assert row.query_ids == simulated.queries
        kept = row.query_differences.astype(float)
        five = np.quantile(kept, (0, 0.25, 0.5, 0.75, 1), axis=1).T
        for summary, differences, numbers in zip(row.on_queries, kept, five, strict=True):
            assert astuple(summary)[2:] == pytest.approx(tuple(numbers))
            assert summary.mean == pytest.approx(differences.mean())
            assert summary.standard_deviation == pytest.approx(differences.std(ddof=1))
    assert rows[0].on_queries != rows[1].on_queries  # pools of depth 5 are not all judgments
    assert not {"query_ids", "on_queries"} & set(records(rows)[0])
