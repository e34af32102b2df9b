"""Agreement with the field's tools on TREC 2003 Robust: 14 runs, 100 queries."""

from __future__ import annotations

import itertools
import shutil
from collections import defaultdict

import ir_measures
import numpy as np
import pytest
import pytrec_eval

import irbounds

PYTREC = {
    "AP": "map",
    "AP@100": "map_cut_100",
    "nDCG": "ndcg",
    "nDCG@10": "ndcg_cut_10",
    "P@10": "P_10",
    "P@1000": "P_1000",
    "R@100": "recall_100",
    "Rprec": "Rprec",
    "RR": "recip_rank",
    "Success@5": "success_5",
    "Bpref": "bpref",
    "SetP": "set_P",
    "SetR": "set_recall",
    "SetF": "set_F",
}


@pytest.fixture(scope="module")
def collection(robust03):
    paths = sorted(robust03.glob("*.run.gz"))
    assert len(paths) == 14
    return irbounds.read_qrels(robust03 / "qrels.txt.gz"), paths


@pytest.fixture(scope="module")
def raw_runs(collection):
    """The runs as ir_measures reads them, dict of dict."""
    runs = {}
    for path in collection[1]:
        run = runs[path.name] = defaultdict(dict)
        for entry in ir_measures.read_trec_run(str(path)):
            run[entry.query_id][entry.doc_id] = entry.score
    return runs


@pytest.fixture(scope="module")
def theirs(collection, raw_runs):
    """pytrec_eval's values: measure x system x query."""
    qrels = collection[0].to_dict()
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, set(PYTREC.values()))
    found = [evaluator.evaluate(run) for run in raw_runs.values()]
    return np.array(
        [
            [[one.get(q, {}).get(name, 0.0) for q in qrels] for one in found]
            for name in PYTREC.values()
        ]
    )


def test_runs_match_ir_measures(collection, raw_runs):
    for path, raw in zip(collection[1], raw_runs.values(), strict=True):
        assert irbounds.read_run(path).to_dict() == raw


def test_scores_match_pytrec_eval_in_single_precision(collection, theirs):
    qrels, paths = collection
    runs = irbounds.read_runs(paths, float32=True)
    ours = irbounds.score(qrels, runs, list(PYTREC)).values
    assert np.abs(ours - theirs).max() <= 1e-10


def test_scores_match_pytrec_eval_in_double_precision_without_ties(collection, theirs):
    qrels, paths = collection
    double, single = irbounds.read_runs(paths), irbounds.read_runs(paths, float32=True)
    ours = irbounds.score(qrels, double, list(PYTREC)).values
    # a query may differ only where rounding to float32 has moved a document
    may_differ = np.array(
        [
            [
                not np.array_equal(a.docs[i:j], b.docs[i:j])
                for i, j in itertools.pairwise(a.bounds.tolist())
            ]
            for a, b in zip(double, single, strict=True)
        ]
    )
    assert all(run.query_ids == qrels.query_ids for run in double)
    differs = np.abs(ours - theirs) > 1e-10
    assert not (differs & ~may_differ).any()
    assert differs.sum() == 26  # of 19,600 values: double precision does make a difference
    assert np.abs(ours - theirs).max() < 1e-5


def provided(collection, raw_runs, measures, runs=None):
    """ir_measures' values, run by run."""
    qrels = collection[0].to_dict()
    evaluator = ir_measures.evaluator([ir_measures.parse_measure(m) for m in measures], qrels)
    names = {str(ir_measures.parse_measure(m)): k for k, m in enumerate(measures)}
    for name, raw in raw_runs.items():
        if runs is not None and name not in runs:
            continue
        values = np.zeros((len(measures), len(qrels)))
        place = {query: k for k, query in enumerate(qrels)}
        for metric in evaluator.iter_calc(raw):
            values[names[str(metric.measure)], place[metric.query_id]] = metric.value
        yield name, values


# runs without ties, so that a provider's own way of breaking them does not matter
UNTIED = ("humR03dc.run.gz", "uic0301.run.gz")
CWL = [
    "RBP(rel=1,p=0.8)",
    "RBP(rel=1,p=0.95)",
    "RBP(rel=2,p=0.99)",
    "INSQ(T=5.0,max_rel=2)",
    "INSQ(T=1.0,max_rel=1)",
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("measures", "tolerance"),
    [
        (CWL, 1e-10),
        (["RR@10", "RR(rel=2)@3", "Judged@10", "Judged"], 1e-12),
    ],
)
def test_scores_match_other_providers_without_ties(collection, raw_runs, measures, tolerance):
    qrels, paths = collection
    runs = irbounds.read_runs([path for path in paths if path.name in UNTIED])
    ours = irbounds.score(qrels, runs, measures)
    for k, (_, values) in enumerate(provided(collection, raw_runs, measures, UNTIED)):
        assert np.abs(ours.values[:, k] - values).max() <= tolerance


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_scores_match_cwl_eval_in_our_order(collection):
    qrels, paths = collection
    runs = irbounds.read_runs(paths)
    ranked = {
        run.name: {
            q: {d: float(-k) for k, d in enumerate(docs)} for q, docs in run.to_dict().items()
        }
        for run in runs
    }
    ours = irbounds.score(qrels, runs, CWL).values
    for s, (_, values) in enumerate(provided(collection, ranked, CWL)):
        assert np.abs(ours[:, s] - values).max() <= 1e-10


@pytest.mark.filterwarnings("ignore")
def test_cwl_eval_orders_ties_as_in_the_file(collection, raw_runs):
    """The order of ties, not the formula, is why means of a tied run differ."""
    name = "MU03rob01.run.gz"
    ((_, values),) = provided(collection, raw_runs, CWL[:1], [name])
    qrels, paths = collection
    (path,) = [path for path in paths if path.name == name]
    trec, worst, best = (
        irbounds.score(qrels, [path], CWL[:1], ties=rule).means().item()
        for rule in ("trec", "worst", "best")
    )
    assert round(values.mean(), 4) == 0.3805
    assert round(trec, 4) == 0.3833
    assert worst < values.mean() < best


@pytest.mark.skipif(not shutil.which("perl"), reason="gdeval is a perl script")
def test_scores_match_gdeval_to_five_decimals(collection, raw_runs):
    measures = ["ERR@20", "nDCG(dcg='exp-log2')@20"]
    qrels, paths = collection
    runs = irbounds.read_runs([path for path in paths if path.name in UNTIED])
    ours = irbounds.score(qrels, runs, measures).values
    for s, (_, values) in enumerate(provided(collection, raw_runs, measures, UNTIED)):
        assert np.abs(ours[:, s] - values).max() <= 0.5e-5 + 1e-12


PROVIDED = ["infAP", "IPrec@0.1", "SetAP", "NumRet(rel=1)", "P(judged_only=True)@10"]


@pytest.mark.parametrize("measure", PROVIDED)
def test_external_measures_are_computed_by_providers(collection, raw_runs, measure):
    qrels, paths = collection
    wanted = UNTIED[1]
    (run,) = irbounds.read_runs([path for path in paths if path.name == wanted])
    ours = irbounds.score(qrels, [run], measure).values[0, 0]
    ((_, values),) = provided(collection, raw_runs, [measure], [wanted])
    assert ours.any()
    assert np.abs(ours - values[0]).max() <= 1e-12
