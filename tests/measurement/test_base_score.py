"""``Measure.score`` of every measure against its naive twin and against pytrec_eval."""

from __future__ import annotations

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

import irbounds
from irbounds.measurement.registry import MEASURES
from measure_cases import SCORES

documents = st.sampled_from([f"d{k}" for k in range(12)])
judgments = st.dictionaries(documents, st.integers(-2, 3), min_size=1, max_size=9)
few_scores = st.sampled_from([0.0, 1.0, 2.0, 3.5, -1.0])
rankings = st.dictionaries(documents, few_scores, min_size=1, max_size=12)
collections = st.lists(
    st.tuples(judgments, st.one_of(st.none(), rankings)), min_size=1, max_size=4
).filter(lambda queries: any(run for _, run in queries))


def split(queries):
    """Judgments and a run; a query whose ranking is None is missing from the run."""
    qrels = {f"q{k}": judged for k, (judged, _) in enumerate(queries)}
    return qrels, {f"q{k}": run for k, (_, run) in enumerate(queries) if run}


def values(qrels, run, measure):
    table = irbounds.score(qrels, {"run": run}, measure)
    return dict(zip(table.queries, table.values[0, 0].tolist(), strict=True))


def max_grade(qrels):
    return max(1, *(grade for judged in qrels.values() for grade in judged.values()))


@settings(max_examples=200)
@given(collections)
def test_scores_match_the_naive_twin(queries):
    qrels, run = split(queries)
    top = max_grade(qrels)
    table = irbounds.score(qrels, {"run": run}, list(SCORES))
    for (name, twin), scores in zip(SCORES.items(), table.values[:, 0], strict=True):
        expected = [twin(qrels[q], run[q], top) if q in run else 0.0 for q in qrels]
        assert scores.tolist() == pytest.approx(expected, abs=1e-12, rel=0), name


def test_every_measure_has_a_case():
    stems = {name.partition("@")[0].partition("(")[0] for name in SCORES}
    assert stems == {one.description.stem for one in MEASURES}


PYTREC = {
    "AP": "map",
    "AP@5": "map_cut_5",
    "nDCG": "ndcg",
    "nDCG@5": "ndcg_cut_5",
    "P@5": "P_5",
    "R@5": "recall_5",
    "Rprec": "Rprec",
    "RR": "recip_rank",
    "Success@1": "success_1",
    "Bpref": "bpref",
    "SetP": "set_P",
    "SetP(relative=True)": "set_relative_P",
    "SetR": "set_recall",
    "SetF": "set_F",
}


# pytrec_eval 0.5 reads memory that is not its own where a grade is negative
plain = st.dictionaries(documents, st.integers(0, 3), min_size=1, max_size=9)


@settings(max_examples=300)
@given(st.lists(st.tuples(plain, rankings), min_size=1, max_size=4), st.integers(1, 2))
def test_scores_match_pytrec_eval(queries, rel):
    qrels, run = split(queries)
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, set(PYTREC.values()), relevance_level=rel)
    expected = evaluator.evaluate(run)
    names = [name if name.startswith("nDCG") else _with_rel(name, rel) for name in PYTREC]
    table = irbounds.score(qrels, {"run": run}, names)
    for their_name, scores in zip(PYTREC.values(), table.values[:, 0], strict=True):
        theirs = [expected[query][their_name] for query in table.queries]
        assert scores.tolist() == pytest.approx(theirs, abs=1e-12, rel=0), their_name


def _with_rel(measure: str, rel: int) -> str:
    stem, at, cutoff = measure.partition("@")
    if stem.endswith(")"):
        return f"{stem[:-1]},rel={rel}){at}{cutoff}"
    return f"{stem}(rel={rel}){at}{cutoff}"


def test_the_order_of_a_file_does_not_matter():
    rng = np.random.default_rng(3)
    qrels = {f"q{k}": {f"d{j}": int(rng.integers(0, 3)) for j in range(30)} for k in range(20)}
    run = {q: {f"d{j}": float(rng.normal()) for j in rng.permutation(60)[:40]} for q in qrels}
    mixed = {q: dict(reversed(run[q].items())) for q in reversed(run)}
    for measure in ("AP", "nDCG@10", "Bpref", "ERR@5", "Judged@7"):
        assert values(qrels, run, measure) == values(qrels, mixed, measure)


@pytest.mark.parametrize("name", ["INSQ(T=5)", "INSQ(T=2)", "RBP(rel=1,p=0.99)", "RBP(p=0.9)"])
def test_sums_of_a_thousand_weights_are_at_most_one(name):
    """All relevant, so that every weight counts; some sums would be a rounding error above 1."""
    qrels = {"q": {f"d{k:04}": 1 for k in range(1200)}}
    run = {"q": {f"d{k:04}": -float(k) for k in range(1200)}}
    (value,) = irbounds.score(qrels, {"r": run}, name).values.ravel()
    assert 1 - 1e-14 < value <= 1
