"""Names of measures: what is understood, and what is said of the rest."""

from __future__ import annotations

import ir_measures
import pytest

import irbounds
from irbounds import MeasureError
from irbounds.scores.measures import parse_measure

QRELS = {"1": {"a": 1, "b": 0}}
RUN = {"1": {"b": 2.0, "a": 1.0}}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("ndgc@10", r"unknown measure 'ndgc@10', did you mean nDCG@10\?"),
        ("ndcg@10", r"unknown measure 'ndcg@10', did you mean nDCG@10\?"),
        ("map", r"unknown measure 'map', did you mean AP\?"),
        ("ndcg_cut_10", r"did you mean nDCG@10\?"),
        ("P_10", r"did you mean P@10\?"),
        ("recip_rank", r"did you mean RR\?"),
        ("qqqqqq", "unknown measure 'qqqqqq'$"),
        ("AP@", "cannot read measure 'AP@'"),
        ("nDCG(10)", "cannot read measure"),
        ("P", "P needs a cutoff, such as @10"),
        ("AP@0", "AP@0: the cutoff must be at least 1"),
        ("AP(foo=3)", r"no parameter 'foo' \(it takes: cutoff, rel, judged_only\)"),
        ("AP(rel='x')", "rel must be int; got 'x'"),
        ("nDCG(dcg='ln')", "dcg must be str, one of"),
        ("RBP(p=1.5)", r"p must lie between 0 and 1; got 1\.5"),
        ("INSQ(max_rel=0)", "max_rel must be greater than min_rel"),
        ("alpha_nDCG@5", r"alpha_nDCG@5: no installed provider .*pyndeval"),
    ],
)
def test_a_wrong_name_is_an_error_that_helps(name, said):
    with pytest.raises(MeasureError, match=said):
        parse_measure(name)


def test_a_misspelt_measure_is_said_before_anything_is_read():
    with pytest.raises(MeasureError, match="unknown measure"):
        irbounds.score("/no/such/file", "/no/such/file", ["nope"])


def test_none_and_twice():
    with pytest.raises(MeasureError, match="no measure given"):
        irbounds.score(QRELS, {"r": RUN}, [])
    with pytest.raises(MeasureError, match="measure AP is given twice"):
        irbounds.score(QRELS, {"r": RUN}, ["AP", "MAP"])
    with pytest.raises(MeasureError, match="a measure is a name, such as 'AP'; got int"):
        irbounds.score(QRELS, {"r": RUN}, [3])


def test_ir_measures_objects_and_aliases():
    table = irbounds.score(QRELS, {"r": RUN}, [ir_measures.AP, ir_measures.nDCG @ 10, "MRR"])
    assert table.measures == ("AP", "nDCG@10", "RR")


def test_measures_defined_at_runtime_go_to_their_own_provider():
    depth = ir_measures.define_byquery(lambda qrels, run: float(len(run)), name="Depth")
    assert irbounds.score(QRELS, {"r": RUN}, [depth]).values.item() == 2.0


def test_providers_get_an_order_that_they_cannot_break_differently():
    # SetAP does not care; Compat does: equal scores, and ours puts b before a
    tied = {"1": {"a": 1.0, "b": 1.0}}
    plain = irbounds.score(QRELS, {"r": {"1": {"b": 2.0, "a": 1.0}}}, ["Compat"]).values
    assert irbounds.score(QRELS, {"r": tied}, ["Compat"]).values == plain


@pytest.mark.parametrize("name", ["INSQ(T=5)", "RBP(rel=1,p=0.95)", "nDCG(dcg='exp-log2')@20"])
def test_names_are_kept_as_ir_measures_writes_them(name):
    assert parse_measure(name).name == name
