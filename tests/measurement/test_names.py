"""Names of measures in other tools: each gives the number that its tool computes."""

from __future__ import annotations

import logging
import random
import re
import subprocess
import sys
from pathlib import Path

import ir_measures
import polars as pl
import pytest
import pytrec_eval

import irbounds
from irbounds.errors import InputError, MeasureError
from irbounds.measurement.names import (
    RANX_NAMES,
    REFUSED,
    TREC_EVAL_NAMES,
    is_measure_name,
    our_name,
    split_names,
)
from irbounds.measurement.parser import parse_measure, parse_measures

#: mean over the queries of ``collection()``, by ranx 0.3.21: ``ranx.evaluate(qrels, run, name)``
RANX_MEANS = {
    "map": 0.1523928716770871,
    "map@10": 0.07806475287602739,
    "ndcg": 0.3186318599485208,
    "ndcg@10": 0.1955389127363506,
    "ndcg_burges": 0.2944219229295397,
    "ndcg_burges@10": 0.17641018786241472,
    "precision@10": 0.22999999999999998,
    "recall@10": 0.16438544570897512,
    "hit_rate@10": 0.8666666666666667,
    "r-precision": 0.24833413862825623,
    "mrr": 0.4901623376623377,
    "mrr@10": 0.4786904761904761,
    "bpref": 0.3260423195410627,
    "f1": 0.30158680365787,
}
#: pytrec_eval has only the newer one of two names
NEWER = {"R-prec": "Rprec", "ircl_prn.0.30": "iprec_at_recall_0.30"}


def collection() -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Return graded judgments and a run without ties, with unjudged documents."""
    draw = random.Random(20240611)
    qrels: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for k in range(30):
        judged = draw.sample(range(60), 25)
        grades = {f"d{doc}": draw.choice([0, 0, 0, 1, 2, 3]) for doc in judged}
        qrels[f"q{k}"] = grades | {"d60": 1, "d61": 0}
        retrieved = draw.sample(range(62), draw.randint(12, 40))
        scores = draw.sample(range(1000), len(retrieved))
        run[f"q{k}"] = {f"d{doc}": float(x) for doc, x in zip(retrieved, scores, strict=True)}
    return qrels, run


QRELS, RUN = collection()


def compute_values(name: str) -> dict[str, float]:
    table = irbounds.score(QRELS, {"run": RUN}, name)
    return dict(zip(table.queries, table.values.ravel().tolist(), strict=True))


def with_number(name: str) -> str:
    return (
        name.replace("recall_k", "recall_0.30")
        if name.startswith("iprec")
        else (name.replace(".k", ".0.30").replace("_k", "_10").replace("@k", "@10"))
    )


@pytest.mark.parametrize("name", [*TREC_EVAL_NAMES, "recall_k", "success_k"])
def test_trec_eval_name_computes_trec_eval_value(name):
    name = with_number(name)
    theirs = NEWER.get(name, name)
    scores = pytrec_eval.RelevanceEvaluator(QRELS, {theirs}).evaluate(RUN)
    expected = {query: row[theirs] for query, row in scores.items()}
    assert compute_values(name) == pytest.approx(expected, abs=1e-12)
    assert len(set(expected.values())) > 1 or name == "num_q"  # 1 for each query


@pytest.mark.parametrize("name", RANX_NAMES)
def test_ranx_name_computes_ranx_value(name):
    name = with_number(name)
    assert sum(compute_values(name).values()) / len(QRELS) == pytest.approx(
        RANX_MEANS[name], abs=1e-12
    )


@pytest.mark.slow  # ranx compiles for ten seconds; its means are pinned above
@pytest.mark.filterwarnings("ignore")  # of numba, in ranx
@pytest.mark.parametrize("name", RANX_NAMES)
def test_ranx_name_agrees_with_installed_ranx(name):
    ranx = pytest.importorskip("ranx")
    name = with_number(name)
    qrels, run = ranx.Qrels(QRELS), ranx.Run(RUN)
    ranx.evaluate(qrels, run, name)
    assert compute_values(name) == pytest.approx(dict(run.scores[name]), abs=1e-12)
    assert run.mean_scores[name] == pytest.approx(RANX_MEANS[name], abs=1e-12)


#: spellings that users of trec_eval, ranx, ir_measures, BEIR and MTEB type, by what they mean
SPELLINGS = {
    "AP": "AP map MAP mAP ap Ap",
    "AP@100": "AP@100 map@100 MAP@100 map_cut_100 map_cut.100 map100 AP_100 map_at_100 MAP.100",
    "nDCG": "nDCG ndcg NDCG",
    "nDCG@10": "nDCG@10 ndcg_cut_10 ndcg_cut.10 ndcg@10 NDCG@10 ndcg10 nDCG10 ndcg_10 ndcg_at_10",
    "nDCG(dcg='exp-log2')": "ndcg_burges ndcg-burges NDCG_BURGES nDCG(dcg='exp-log2')",
    "nDCG(dcg='exp-log2')@10": "ndcg_burges@10 ndcg_burges_10 ndcg_burges_at_10",
    "P@10": "P@10 P_10 P10 P.10 p@10 p10 p_10 P_at_10 precision@10 Precision@10 precision_10",
    "R@100": "R@100 recall_100 recall.100 recall@100 Recall@100 RECALL@100 recall_at_100 r@100",
    "Success@5": "Success@5 success_5 success.5 success@5 Success5 hit_rate@5 hit-rate@5",
    "Rprec": "Rprec R-prec r-prec rprec R-Precision r-precision r_precision RPREC",
    "RR": "RR recip_rank mrr MRR rr RECIP_RANK recip-rank",
    "RR@10": "RR@10 mrr@10 MRR@10 rr@10 mrr10 mrr_10 mrr_at_10 MRR.10",
    "Bpref": "Bpref bpref BPref BPREF",
    "infAP": "infAP infap INFAP",
    "IPrec@0.1": "IPrec@0.1 iprec_at_recall_0.10 iprec_at_recall.0.10 ircl_prn.0.10 iprec@0.1",
    "SetP": "SetP set_P setp SET_P set-p",
    "SetP(relative=True)": "set_relative_P SetRelP SetP(relative=True)",
    "SetR": "SetR set_recall setr",
    "SetF": "SetF set_F f1 F1 setf",
    "SetAP": "SetAP set_map setap",
    "NumQ": "NumQ num_q numq",
    "NumRet": "NumRet num_ret numret",
    "NumRel": "NumRel num_rel numrel",
    "NumRet(rel=1)": "NumRet(rel=1) num_rel_ret NumRelRet numrelret",
    "AP(rel=2)@10": "AP(rel=2)@10 map(rel=2)@10 MAP(rel=2)@10",
    "RBP(rel=1,p=0.5)@10": "rbp(rel=1,p=0.5)@10 RBP(rel=1,p=0.5)@10",
    "RBP@95": "RBP@95",
    "Accuracy@5": "Accuracy@5",
    "ERR@20": "ERR@20 err@20 err20 ERR_20",
    "INSQ": "INSQ insq",
    "Judged@10": "Judged@10 judged@10 judged_10",
}
#: tables name measures with spaces, too
SPACED = {"nDCG@10": [" nDCG @ 10 "], "RBP(p=0.5,rel=1)": ["RBP( p=0.5, rel=1 )"]}
#: names that tables keep as they are
UNCHANGED = (
    *("hits@10", "rbp.95", "rbp@95", "dcg@10", "f1@10", "accuracy@5", "gm_map", "precision"),
    *("recall", "score", "mine", "z(mine)", "z(z(q", "bpref@10", "P@0", "P@010", "P@1.5"),
    *("AP(foo=3)", "AP(rel=[1])", "map@100-l2", "map-rerank", "latency", "", "(", "@", "P_1_0"),
    *("AP(" + "(" * 500 + ")" * 500 + ")", "AP(\0)", "AP@10\n@10", "z(AP)"),
)


@pytest.mark.parametrize(("ours", "names"), SPELLINGS.items())
def test_spelling_is_read_as_measure(ours, names):
    for name in names.split():
        assert (parse_measure(name).name, our_name(name)) == (ours, ours)


@pytest.mark.parametrize(("ours", "names"), SPACED.items())
def test_spaces_of_names_are_ignored(ours, names):
    assert {our_name(name) for name in names} == {ours}


@pytest.mark.parametrize("name", UNCHANGED)
def test_other_names_of_tables_are_unchanged(name):
    assert our_name(name) == name


def test_spellings_have_every_listed_name():
    written = {
        re.sub(r"(?<=[@_.])(\d+|0\.10)$", "k", name)
        for names in SPELLINGS.values()
        for name in names.split()
    }
    assert {*TREC_EVAL_NAMES, *RANX_NAMES} <= written


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        ("hits@10", ["count", "Success@10", "P@10"]),
        ("hits", ["count", "Success@k"]),
        ("dcg@10", ["not normalised", "nDCG@10"]),
        ("f1@10", ["SetF", "cutoff"]),
        ("rbp.95", ["RBP(rel=1,p=0.95)"]),
        ("rbp@95", ["RBP(rel=1,p=0.95)", "RBP@95"]),
        ("accuracy@5", ["Success@5", "Accuracy@5"]),
        ("gm_map", ["AP"]),
        ("recall", ["'recall' is read as R", "cutoff"]),
        ("precision", ["'precision' is read as P", "cutoff"]),
        ("bpref@10", ["'bpref@10' is read as Bpref", "no parameter 'cutoff'"]),
        ("map(foo=3)", ["'map(foo=3)' is read as AP", "no parameter 'foo'"]),
        ("ndcg_cut", ["unknown measure 'ndcg_cut'", "nDCG@k"]),
        ("ndcg_burges(dcg='log2')", ["unknown measure"]),
        ("recal@10", ["did you mean R@10?"]),
        ("P@010", ["cannot read measure 'P@010'"]),
        ("set_P_10", ["unknown measure 'set_P_10'"]),
    ],
)
def test_ambiguous_or_unknown_name_is_one_line_error(name, facts):
    with pytest.raises(MeasureError) as caught:
        parse_measures(name)
    message = str(caught.value)
    assert "\n" not in message
    assert [fact for fact in facts if fact not in message] == []


def test_accepted_and_refused_names_are_disjoint():
    assert not set(REFUSED) & (set(TREC_EVAL_NAMES) | set(RANX_NAMES))
    assert all(
        TREC_EVAL_NAMES[name] == RANX_NAMES[name] for name in set(TREC_EVAL_NAMES) & set(RANX_NAMES)
    )


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("map,ndcg@10", ["map", "ndcg@10"]),
        (" map , ndcg@10, ", ["map", "ndcg@10"]),
        ("RBP(rel=1,p=0.8)", ["RBP(rel=1,p=0.8)"]),
        ("RBP(rel=1,p=0.8)@5,AP,P(rel=2)@5", ["RBP(rel=1,p=0.8)@5", "AP", "P(rel=2)@5"]),
        ("nDCG(gains={0:0,1:3})@10,AP", ["nDCG(gains={0:0,1:3})@10", "AP"]),
        ("P.5,10,ndcg_cut.20,100", ["P.5", "P.10", "ndcg_cut.20", "ndcg_cut.100"]),
        ("iprec_at_recall.0.1,0.2", ["iprec_at_recall.0.1", "iprec_at_recall.0.2"]),
        ("map,10", ["map", "10"]),
        ("", []),
    ],
)
def test_comma_separated_text_is_several_names(text, names):
    assert split_names(text) == names


def list_notes(caplog, *names) -> list[str]:
    caplog.clear()
    with caplog.at_level(logging.INFO, logger="irbounds"):
        parse_measures(names)
    assert all(
        record.levelno == logging.INFO and record.name == "irbounds" for record in caplog.records
    )
    return [record.getMessage() for record in caplog.records]


def test_note_states_interpretation_of_name(caplog):
    assert list_notes(caplog, "map", "P@5", "ndcg_cut_10,rr") == [
        "measure 'map' is read as AP, 'ndcg_cut_10' is read as nDCG@10, 'rr' is read as RR"
    ]
    assert list_notes(caplog, "MAP") == ["measure 'MAP' is read as AP"]


def test_ir_measures_spelling_has_no_note(caplog):
    own = ["AP", " nDCG @ 10 ", "RBP(p=0.5,rel=1)", "P(cutoff=5)", "SetF(beta=1)", ir_measures.RR]
    assert list_notes(caplog, *own) == []


@pytest.mark.parametrize(
    ("name", "other", "canonical"),
    [
        ("AP", "map", "AP"),
        ("P_10", "precision@10", "P@10"),
        ("RBP(p=0.5,rel=1)", "RBP(rel=1,p=0.5)", "RBP(rel=1,p=0.5)"),
        ("INSQ(T=5)", "INSQ(T=5.0)", "INSQ(T=5.0)"),
    ],
)
def test_two_names_for_one_measure_is_error_with_both(name, other, canonical):
    with pytest.raises(MeasureError) as caught:
        parse_measures([name, other])
    message = f"measure {canonical} is given twice, as '{name}' and as '{other}'"
    assert str(caught.value) == message


def test_measures_with_different_parameters_are_distinct():
    assert len(parse_measures("AP,AP(rel=2),P@5,P@10,P(rel=2)@10,RBP(p=0.5),RBP(p=0.6)")) == 7


def test_table_measure_lookup_accepts_any_name():
    table = irbounds.score(QRELS, {"run": RUN}, ["AP", "nDCG@10", "RBP(rel=1,p=0.5)", "P@5"])
    for name in ("AP", "map", "MAP", ir_measures.AP):
        assert (table.scores(name, "run") == table.values[0, 0]).all()
    for name in ("RBP(p=0.5,rel=1)", "RBP( rel=1, p=0.5 )", "rbp(p=0.5,rel=1)"):
        assert (table.scores(name, "run") == table.values[2, 0]).all()
    part = table.select(["ndcg_cut_10", "map"])
    assert part.measures == ("nDCG@10", "AP")
    assert (part.values == table.values[[1, 0]]).all()
    assert table.select("map,P_5").measures == ("AP", "P@5")
    assert table.select("RBP(p=0.5,rel=1)").measures == ("RBP(rel=1,p=0.5)",)


def make_table(*measures: str) -> irbounds.ScoreTable:
    score_values = [[[float(k)]] for k in range(len(measures))]
    return irbounds.ScoreTable(measures, ("run",), ("q",), score_values)


def test_table_with_foreign_names_is_found_by_our_names():
    table = make_table("map", "ndcg_cut_10", "score", "z(AP)", "AP(foo=3)", "AP(rel=[1])")
    assert table.scores("map", "run") == table.scores("AP", "run") == [0.0]
    assert table.scores("nDCG@10", "run") == [1.0]
    assert table.select(["AP"]).measures == ("map",)
    for name in ("AP@10", "P_10", "hits@10", "Score", "AP(rel=2)", 3, None):
        with pytest.raises(
            irbounds.errors.ParameterError, match=r"no measure .* here, only 'map', 'ndcg"
        ):
            table.scores(name, "run")


def test_ambiguous_table_measure_is_error():
    table = make_table("map", "AP", "a,b")
    assert table.scores("AP", "run") == [1.0]
    assert table.scores("map", "run") == [0.0]
    assert table.select(["a,b"]).measures == ("a,b",)
    with pytest.raises(
        irbounds.errors.ParameterError, match="'MAP' may be any of 'map', 'AP' here"
    ):
        table.scores("MAP", "run")
    with pytest.raises(irbounds.errors.ParameterError, match="'AP' is there twice"):
        make_table("AP", "P@5").select(["AP", "map"])


@pytest.mark.parametrize("name", [*TREC_EVAL_NAMES, *RANX_NAMES])
def test_listed_name_is_measure_and_old_name_may_be_query(name):
    name = with_number(name)
    assert is_measure_name(name) == (name not in ("R-prec", "ircl_prn.0.30"))


@pytest.mark.parametrize(
    "name", ["P10", "p10", "p_10", "recall100", "R100", "rr", "q1", "official"]
)
def test_names_that_may_be_ids_are_not_measures(name, capsys):
    assert not is_measure_name(name)
    assert capsys.readouterr().out == ""


def sources(name: str, tmp_path: Path) -> dict[str, object]:
    """Return the same two scores by a measure of this name, in each form that names measures."""
    long = f"query_id,system,measure,value\nq1,a,{name},0.5\nq2,a,{name},0.25\n"
    (tmp_path / "long.csv").write_text(long)
    (tmp_path / "a.txt").write_text(f"{name}\tq1\t0.5\n{name}\tq2\t0.25\n")
    (tmp_path / "wide.csv").write_text("query_id,a\nq1,0.5\nq2,0.25\n")
    return {
        "long": tmp_path / "long.csv",
        "printed": tmp_path / "a.txt",
        "wide": {name: tmp_path / "wide.csv"},
        "mapping": {"a": {"q1": {name: 0.5, "AP@7": 0}, "q2": {name: 0.25, "AP@7": 0}}},
        "json": {name: {"a": {"q1": 0.5, "q2": 0.25}}},
    }


@pytest.mark.parametrize("form", ["long", "printed", "wide", "mapping", "json"])
@pytest.mark.parametrize(("name", "ours"), [("map", "AP"), ("P_10", "P@10"), ("AP", "AP")])
def test_score_sources_have_canonical_names(tmp_path, form, name, ours):
    if form == "printed" and name == "AP":
        pytest.skip("not printed by trec_eval")
    table = irbounds.read_scores(sources(name, tmp_path)[form])
    assert table.measures[0] == ours
    assert table.scores(name, "a").tolist() == [0.5, 0.25]
    first = irbounds.mean_interval(table.select(ours))[0]
    assert (first.measure, first.interval.method) == (ours, "moderated-wilson")


def test_wide_table_keeps_system_names():
    frame = pl.DataFrame({"qid": ["P10", "P5"], "map": [0.5, 0.1], "P_10": [0.1, 0.2]})
    table = irbounds.read_scores(frame, measure="mrr")
    assert (table.measures, table.systems) == (("RR",), ("map", "P_10"))
    assert table.queries == ("P10", "P5")


@pytest.mark.parametrize(
    ("scores", "names"),
    [
        ({"q1": {"map": 0.1, "AP": 0.2}}, ["'map'", "'AP'", "both AP"]),
        ({"a": {"q1": {"P_10": 0.1, "precision@10": 0.2}}}, ["'P_10'", "'precision@10'", "P@10"]),
        ({"ndcg": {"a": {"q": 1.0}}, "nDCG": {"b": {"q": 1.0}}}, ["'ndcg'", "'nDCG'"]),
    ],
)
def test_source_with_two_names_for_one_measure_is_error(scores, names):
    with pytest.raises(InputError) as caught:
        irbounds.read_scores(scores)
    assert [part for part in ["the scores: ", *names] if part not in str(caught.value)] == []


def test_files_with_two_names_for_one_measure_is_error(tmp_path):
    first, second = (tmp_path / name for name in ("first.csv", "second.csv"))
    first.write_text("query_id,measure,value\nq1,map,0.5\nq1,AP,0.25\n")
    with pytest.raises(InputError, match=r"first.csv: measures 'map' and 'AP' are both AP"):
        irbounds.read_scores(first)
    for path, system in ((first, "a"), (second, "b")):
        path.write_text(f"query_id,{system}\nq1,0.5\n")
    with pytest.raises(InputError, match="measures 'map' and 'AP' are both AP"):
        irbounds.read_scores({"map": first, "AP": second})
    # two sources may have two names
    first.write_text("query_id,system,measure,value\nq1,a,map,0.5\n")
    second.write_text("query_id,system,measure,value\nq1,b,MAP,0.25\n")
    table = irbounds.read_scores([first, second])
    assert (table.measures, table.systems) == (("AP",), ("a", "b"))


def test_table_with_canonical_names_does_not_import_ir_measures(tmp_path):
    (tmp_path / "long.csv").write_text("query_id,measure,value\nq1,AP,0.5\nq1,nDCG@10,0.5\n")
    (tmp_path / "wide.csv").write_text("query_id,a\nq1,0.5\n")
    program = (
        "import sys, irbounds\n"
        "irbounds.read_scores('long.csv'), irbounds.read_scores('wide.csv')\n"
        "irbounds.read_scores('wide.csv', measure='P@10')\n"
        "assert 'ir_measures' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, cwd=tmp_path)


def test_documentation_lists_every_name():
    text = (Path(__file__).parents[2] / "docs" / "reference" / "measures.md").read_text()
    rows = [line.split("|") for line in text.splitlines() if line.startswith("| `")]
    trec_eval, ranx = (
        {name for row in rows if len(row) == 5 for name in re.findall(r"`(.*?)`", row[column])}
        for column in (2, 3)
    )
    assert set(TREC_EVAL_NAMES) <= trec_eval
    assert set(RANX_NAMES) <= ranx
