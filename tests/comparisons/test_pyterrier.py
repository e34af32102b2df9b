"""The test for experiments of PyTerrier, called as PyTerrier calls it."""

from __future__ import annotations

import warnings
from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import irbounds
from irbounds.errors import ParameterError


def experiment(systems, baseline, test):
    """Return p-values as ``pt.Experiment`` 1.1.2 computes them from scores by system and query.

    Arrays of the scores of a system and of the baseline, in the order of the baseline's queries;
    the second item of the result is the p-value.
    """
    order = list(systems[baseline])
    arrays = {name: np.array([row[query] for query in order]) for name, row in systems.items()}
    return {name: test(arrays[name], arrays[baseline])[1] for name in systems if name != baseline}


@pytest.fixture
def systems():
    rng = np.random.default_rng(7)
    names = [f"q{k}" for k in range(40)]
    base = rng.random(40)
    return {
        system: dict(zip(names, np.clip(base + shift + rng.normal(0, 0.2, 40), 0, 1), strict=True))
        for system, shift in (("bm25", 0.0), ("dense", 0.1), ("other", -0.02))
    }


def test_default_equals_paired_t_of_scipy(systems):
    ours = experiment(systems, "bm25", irbounds.pyterrier_test)
    theirs = experiment(systems, "bm25", stats.ttest_rel)
    assert ours == pytest.approx(theirs, rel=1e-10)
    a, b = (list(systems[name].values()) for name in ("dense", "bm25"))
    expected = stats.ttest_rel(a, b)
    assert irbounds.pyterrier_test(a, b) == pytest.approx(tuple(expected), rel=1e-10)
    assert irbounds.pyterrier_test(b, a).statistic == pytest.approx(-expected.statistic, rel=1e-10)


@pytest.mark.parametrize("test", ["t", "sign-flip", "wilcoxon"])
def test_other_tests_equal_those_of_compare(systems, test):
    ours = experiment(systems, "bm25", partial(irbounds.pyterrier_test, test=test))
    scores = pd.DataFrame(systems).rename_axis("qid")
    compared = irbounds.compare(scores=scores, baseline="bm25", test=test)
    assert ours == {comparison.system: comparison.p_value for comparison in compared}


def test_differences_without_spread_and_scores_that_are_not_numbers():
    test = irbounds.pyterrier_test
    assert test([0.5, 0.25], [0.5, 0.25]) == (0.0, 1.0)
    assert np.isnan(test([0.5], [0.25])).all()
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert test(np.ones(6), np.zeros(6)) == tuple(stats.ttest_rel(np.ones(6), np.zeros(6)))
        assert test(np.zeros(6), np.ones(6)) == tuple(stats.ttest_rel(np.zeros(6), np.ones(6)))
    assert test([0.3, 0.2], [0.2, 0.1]).pvalue == 0  # equal except for rounding
    assert test(np.ones(6), np.zeros(6), test="sign-flip") == (np.inf, 2 / 2**6)
    for scores, baseline, message in (
        ([0.5, np.nan], [0.5, 0.25], "scores must be finite; got nan for query 2"),
        ([0.5, 0.25], [np.inf, 0.25], "baseline_scores must be finite; got inf for query 1"),
        ([0.5, 0.25], [0.5], "must be of the same queries; got 2 and 1 scores"),
        ([], [], "must be one per query"),
        ([[0.5]], [[0.5]], "must be one per query"),
        (["x"], ["y"], "must be numbers; got list"),
    ):
        with pytest.raises(ParameterError, match=message):
            test(scores, baseline)
    with pytest.raises(ParameterError, match="test must be"):
        test([0.5, 0.25], [0.25, 0.5], test="F")


@pytest.mark.slow  # loads PyTerrier
@pytest.mark.filterwarnings("ignore")  # of PyTerrier
def test_experiment_of_installed_pyterrier(tmp_path):
    pt = pytest.importorskip("pyterrier")
    rng = np.random.default_rng(3)
    queries = [str(k) for k in range(301, 321)]
    pairs = pd.DataFrame(
        [(q, f"d{k}") for q in queries for k in range(30)], columns=["qid", "docno"]
    )
    qrels = pairs.assign(label=rng.integers(0, 3, len(pairs)))
    topics = pd.DataFrame({"qid": queries, "query": "words"})
    runs = [
        pt.model.add_ranks(pairs.assign(score=qrels["label"] + rng.normal(0, noise, len(pairs))))
        for noise in (1, 2)
    ]
    options = {"eval_metrics": ["map", "ndcg_cut_10"], "names": ["a", "b"]}
    call = partial(pt.Experiment, runs, topics, qrels, **options)
    means = call(baseline=0, test=irbounds.pyterrier_test, correction="holm")
    by_default = call(baseline=0)
    for column in ("map p-value", "ndcg_cut_10 p-value"):
        assert means[column][1] == pytest.approx(by_default[column][1], rel=1e-10)
    perquery = call(perquery=True, save_dir=str(tmp_path))
    table = irbounds.read_scores(tmp_path / "perquery.csv")
    assert (
        table.scores("AP", "a").tolist()
        == irbounds.read_scores(perquery).scores("AP", "a").tolist()
    )
    own = irbounds.score(qrels, {"a": runs[0], "b": runs[1]}, ["AP", "nDCG@10"])
    for measure in own.measures:
        for system in own.systems:
            theirs = dict(zip(table.queries, table.scores(measure, system), strict=True))
            ours = dict(zip(own.queries, own.scores(measure, system), strict=True))
            assert ours == pytest.approx(theirs, abs=1e-9)
