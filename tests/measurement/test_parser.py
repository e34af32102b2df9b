"""Measures from their names, messages about wrong names, and measures of other providers."""

from __future__ import annotations

import ast

import ir_measures
import pytest

import irbounds
from irbounds.errors import MeasureError
from irbounds.measurement.parser import parse_measure

QRELS = {"1": {"a": 1, "b": 0}}
RUN = {"1": {"b": 2.0, "a": 1.0}}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ndgc@10", r"unknown measure 'ndgc@10', did you mean nDCG@10\?"),
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
        ("INSQ(T=0)", "T must be greater than 0"),
        ("NERR8(max_rel=1)", "needs a cutoff, such as @10"),
        ("IPrec", "IPrec needs a recall, as in recall="),
        ("BPM@3", "BPM@3 needs a max_rel, as in max_rel="),
        ("AP,P@10", "looks like several; give them one by one"),
        ("alpha_nDCG@5", r"alpha_nDCG@5: no installed provider .*pyndeval"),
    ],
)
def test_wrong_names_raise_a_helpful_error(name, message):
    with pytest.raises(MeasureError, match=message):
        parse_measure(name)


def test_no_measure_and_the_same_measure_twice_raise():
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


def test_providers_get_scores_without_ties():
    # SetAP does not care; Compat does: equal scores, and ours puts b before a
    tied = {"1": {"a": 1.0, "b": 1.0}}
    plain = irbounds.score(QRELS, {"r": {"1": {"b": 2.0, "a": 1.0}}}, ["Compat"]).values
    assert irbounds.score(QRELS, {"r": tied}, ["Compat"]).values == plain


def test_the_parser_works_without_removed_parts_of_ast(monkeypatch):
    for name in ("Num", "Str", "NameConstant"):  # gone in Python 3.14
        monkeypatch.delattr(ast, name, raising=False)
    assert parse_measure("RBP(rel=1,p=0.9)@5").name == "RBP(rel=1,p=0.9)@5"
    assert parse_measure("nDCG(gains={0:0,1:3})@10").is_external


def test_infap_gets_negative_grades():
    # pooled but not judged; by hand with Yilmaz and Aslam's formula, and as ir_measures has it
    qrels = {"1": {"a": 1, "b": -1, "c": 0, "d": 1, "e": -1, "f": 0}}
    run = {"1": {doc: float(6 - k) for k, doc in enumerate("baecdf")}}
    expected = ir_measures.calc_aggregate([ir_measures.infAP], qrels, run)[ir_measures.infAP]
    assert irbounds.score(qrels, {"r": run}, ["infAP"]).values.item() == pytest.approx(expected)
    assert expected == pytest.approx(0.675)


def test_a_query_with_only_negative_grades_scores_0():
    qrels = {"1": {"a": -1}, "2": {"a": 1}}
    run = {q: {"a": 1.0, "b": 2.0, "c": 3.0} for q in qrels}
    table = irbounds.score(qrels, {"r": run}, ["infAP", "SetAP"])
    assert (table.values[:, 0, 0] == 0).all()
    assert (table.values[:, 0, 1] > 0).all()


@pytest.mark.parametrize("measure", ["ERR@5", "nDCG(dcg='exp-log2')@5"])
def test_very_high_grades_do_not_overflow(measure):
    value = irbounds.score({"1": {"a": 5000, "b": 1}}, {"r": {"1": {"a": 1.0}}}, measure).values
    assert value.item() == pytest.approx(1.0)
