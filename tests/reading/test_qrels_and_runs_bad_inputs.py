"""Errors in inputs of evaluation tools, one test each; rows of docs/reference/bad-inputs.md."""

from __future__ import annotations

import json
import pickle
import re
import sys
import warnings

import polars as pl
import pytest

import irbounds
from irbounds.errors import DataError, InputError, SeveralInputsError
from irbounds.reading.assessments import read_assessments

if sys.version_info >= (3, 14):
    pass
else:
    pass

QRELS = "1 0 a 1\n1 0 b 0\n2 0 a 1\n"
RUN = "1 Q0 a 1 2.0 tag\n1 Q0 b 2 1.0 tag\n2 Q0 b 1 9 tag\n2 Q0 a 2 3 tag\n"


def run_lines(*entries):
    return "".join(f"{q} Q0 {d} {r} {s} tag\n" for q, d, r, s in entries)


def scores(qrels, run, measure="AP", **options):
    table = irbounds.score(qrels, {"mine": run}, [measure], **options)
    return dict(zip(table.queries, table.values[0, 0].tolist(), strict=True))


def warnings_of(qrels, run, **options):
    return " | ".join(irbounds.check(qrels, {"mine": run}, **options).warnings)


# --- queries -----------------------------------------------------------------------------------


def test_missing_judged_query_scores_0_and_is_counted(write):
    qrels, run = write("q", QRELS), write("r", run_lines((1, "a", 1, 2)))
    assert scores(qrels, run) == {"1": 1.0, "2": 0.0}
    assert "judged queries missing; each scores 0 there" in warnings_of(qrels, run)
    assert warnings_of(qrels, run).endswith(": mine (1)")


def test_common_queries_are_the_intersection(write):
    qrels, run = write("q", QRELS), write("r", run_lines((1, "a", 1, 2)))
    assert scores(qrels, run, queries="common") == {"1": 1.0}
    assert "left out for every run: mine (1)" in warnings_of(qrels, run, queries="common")


def test_query_without_judgments_is_ignored_and_counted(write):
    qrels, run = write("q", QRELS), write("r", RUN + run_lines((3, "a", 1, 2)))
    assert scores(qrels, run) == {"1": 1.0, "2": 0.5}
    assert "queries without judgments; left out: mine (1)" in warnings_of(qrels, run)


def test_no_query_in_common_names_ids_of_both_files(write):
    qrels = write("q", "".join(f"clef2015.{k} 0 a 1\n" for k in range(5)))
    run = write("r", "".join(f"qtest.{k} Q0 a 1 1 t\n" for k in range(5)))
    with pytest.raises(DataError, match="no query in common") as caught:
        scores(qrels, run)
    for k in range(3):
        assert f"'clef2015.{k}'" in str(caught.value)
        assert f"'qtest.{k}'" in str(caught.value)
    assert "qtest.3" not in str(caught.value)


@pytest.mark.parametrize("content", ["", "\n\n", "# nothing here\n"])
def test_empty_file(write, content):
    with pytest.raises(InputError, match="empty"):
        irbounds.read_qrels(write("q", content))
    with pytest.raises(InputError, match="empty"):
        irbounds.read_run(write("r", content))
    with pytest.raises(InputError, match="empty"):
        irbounds.read_run({})


def test_query_without_relevant_documents_scores_0_and_is_counted(write):
    qrels, run = write("q", "1 0 a 0\n2 0 a 1\n"), write("r", RUN)
    for measure in ("AP", "nDCG", "R@5", "Rprec", "Bpref", "SetR", "SetF", "ERR@5", "RBP"):
        assert scores(qrels, run, measure)["1"] == 0.0
    assert "judged queries with nothing relevant, which score 0: 1" in warnings_of(qrels, run)


# --- repeats -----------------------------------------------------------------------------------


def test_repeated_document_names_both_lines(write):
    run = write("r", RUN + run_lines((1, "b", 3, 0.5)))
    expected = "line 5: document 'b' is in query '1' twice \\(first on line 2\\)"
    with pytest.raises(InputError, match=expected) as caught:
        irbounds.read_run(run)
    assert str(caught.value).endswith("--duplicates first keeps the best-ranked")


QREL_DICT = {"1": {"a": 1, "b": 0}}


def test_document_in_two_queries_is_not_a_duplicate(write):
    assert irbounds.read_run(write("r", RUN)).n_duplicates == 0


def test_conflicting_judgments_name_both_lines(write):
    expected = "line 4: conflicting judgments of document 'b' in query '1': 0 on line 2 and 2 here"
    with pytest.raises(InputError, match=expected):
        irbounds.read_qrels(write("q", QRELS + "1 0 b 2\n"))


def test_identical_judgments_are_merged_and_counted(write):
    qrels = irbounds.read_qrels(write("q", QRELS + "1 0 b 0\n1 0 b 0\n"))
    assert qrels.to_dict() == {"1": {"a": 1, "b": 0}, "2": {"a": 1}}
    assert qrels.n_repeated == 2
    assert "judgments given more than once, identically; merged: 2" in warnings_of(qrels, RUN_DICT)


RUN_DICT = {"1": {"a": 2.0, "b": 1.0}, "2": {"a": 1.0}}


# --- order -------------------------------------------------------------------------------------


def test_query_with_equal_scores_is_counted(write):
    run = write("r", run_lines((1, "a", 1, 1), (1, "c", 2, 1)))
    assert "documents all have one score" in warnings_of(QREL_DICT, run)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nan", "score 'nan' is not a"),
        ("NaN", "score 'NaN' is not a"),
        ("abc", "score 'abc' is not a number"),
        ("1,5", "score '1,5' is not a number"),
        ("inf", "score 'inf' is infinite"),
        ("-Infinity", "score '-Infinity' is infinite"),
        ("1e999", "score '1e999' is infinite"),
    ],
)
def test_invalid_score(write, text, message):
    with pytest.raises(InputError, match=f"line 5: {message}"):
        irbounds.read_run(write("r", RUN + run_lines((1, "c", 3, text))))


@pytest.mark.parametrize("value", [float("nan"), float("inf"), None, "abc"])
def test_invalid_score_in_memory(value):
    with pytest.raises(InputError, match=r"record 2: score .* is (not a number|infinite)"):
        irbounds.read_run({"1": {"a": 1.0, "b": value}})


@pytest.mark.parametrize("text", ["1.7", "yes", "1.0", "", "1e0"])
def test_invalid_relevance(write, text):
    expected = f"line 4: relevance '{text}' is not an integer" if text else "line 4: 3 columns"
    with pytest.raises(InputError, match=expected):
        irbounds.read_qrels(write("q", QRELS + f"2 0 z {text}\n"))


@pytest.mark.parametrize("value", [1.7, "yes", None, float("nan")])
def test_invalid_relevance_in_memory(value):
    with pytest.raises(InputError, match=r"record 1: relevance .* is not an integer"):
        irbounds.read_qrels({"1": {"a": value}})


def test_negative_relevance_is_not_relevant_and_counted(write):
    qrels = write("q", "1 0 a -2\n1 0 b 1\n2 0 a 1\n")
    assert scores(qrels, write("r", RUN)) == {"1": 0.5, "2": 0.5}
    assert "negative judgments, which count as not relevant: 1" in warnings_of(qrels, RUN_DICT)


# --- lines -------------------------------------------------------------------------------------


def test_too_few_columns(write):
    with pytest.raises(InputError, match="line 3: 5 columns where 6 are expected"):
        irbounds.read_run(write("r", "1 Q0 a 1 2 t\n\n1 Q0 b 2 1\n"))


def test_document_id_with_a_space(write):
    with pytest.raises(InputError, match=r"line 2: 7 columns .* an id contains a space"):
        irbounds.read_run(write("r", "1 Q0 a 1 2 t\n1 Q0 my doc 2 1 t\n"))


def test_all_errors_are_reported_together(write):
    bad = "".join(f"1 Q0 d{k} 1 x t\n" for k in range(1000))
    with pytest.raises(InputError) as caught:
        irbounds.read_run(write("r", bad + "too few\n"))
    message = str(caught.value)
    assert all(f"line {k}: " in message for k in (1001, 1, 2))
    assert "; and 998 more" in message
    assert "\n" not in message


def test_five_column_judgments_are_sampled_assessments(write):
    with pytest.raises(InputError, match="inclusion probabilities"):
        irbounds.read_qrels(write("q", "1 0 a 1 0.25\n"))


def test_crlf_tabs_spaces_and_empty_lines(write):
    text = "\r\n1\t0  a\t 1  \r\n \t\n  1 0\tb 0\r\n2 0 a 1"
    assert (
        irbounds.read_qrels(write("q", text)).to_dict()
        == irbounds.read_qrels(write("p", QRELS)).to_dict()
    )


def test_byte_order_mark_is_removed(write):
    qrels = irbounds.read_qrels(write("q", b"\xef\xbb\xbf" + QRELS.encode()))
    assert qrels.query_ids == ("1", "2")


def test_number_sign_in_ids_and_comments(write):
    qrels = irbounds.read_qrels(write("q", "# made by hand\n1 0 msmarco#7 1\n1 0 a#b# 0\n"))
    assert qrels.to_dict() == {"1": {"msmarco#7": 1, "a#b#": 0}}


# --- files -------------------------------------------------------------------------------------


def test_depth_limits_documents_per_query(write):
    path = write("r", run_lines(*((1, f"d{k}", k, 5000 - k) for k in range(1500))))
    assert irbounds.read_run(path).depths.tolist() == [1500]
    cut = irbounds.read_run(path, depth=1000)
    assert cut.depths.tolist() == [1000]
    assert list(cut.to_dict()["1"])[-1] == "d999"
    diagnosis = irbounds.check({"1": {"d1": 1}}, [cut])
    assert diagnosis.notes == ("on request: cut to depth 1000",)
    assert diagnosis.warnings == ()


def test_runs_with_the_same_name(write, monkeypatch):
    path = write("r.run", RUN)
    monkeypatch.chdir(path.parent)
    for again in (path, str(path), "r.run", "./r.run", irbounds.read_run(path)):
        with pytest.raises(DataError, match="two runs are called 'r'"):
            irbounds.score(QREL_DICT, [path, again], "AP")


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["a/bm25.run", "b/bm25.run", "b/other.run"], ["a/bm25", "b/bm25", "other"]),
        (["bm25.run", "b/bm25.run"], ["bm25", "b/bm25"]),
        (["bm25.run", "bm25.txt"], ["bm25.run", "bm25.txt"]),
        (["bm25.run", "bm25.run.gz"], ["bm25.run", "bm25.run.gz"]),
        (["x/a/r.run", "y/a/r.run"], ["x/a/r", "y/a/r"]),
        (["a/r.run", "b/r.run", "b/r.txt"], ["a/r.run", "b/r.run", "b/r.txt"]),
        (["a/../b/r.run", "a/r.run"], ["b/r", "a/r"]),
    ],
)
def test_files_with_the_same_name_are_named_by_paths(tmp_path, monkeypatch, paths, names):
    monkeypatch.chdir(tmp_path)
    for number, path in enumerate(paths):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "a").mkdir(exist_ok=True)
        (tmp_path / path).write_text(run_lines((1, f"d{number}", 1, 2)))
    runs = irbounds.read_runs(paths)
    assert [run.name for run in runs] == names
    assert [run.doc_ids() for run in runs] == [[f"d{k}"] for k in range(len(paths))]
    whole = irbounds.read_runs([tmp_path / path for path in paths])
    assert [run.name for run in whole][2:] == names[2:]
    assert len({run.name for run in whole}) == len(paths)


def test_errors_of_all_runs_are_raised_together(write):
    good = [write(f"good{k}.run", RUN) for k in range(2)]
    twice = [write(f"twice{k}.run", RUN + run_lines((1, "b", 3, 0.5))) for k in range(3)]
    text = write("text.run", run_lines((1, "a", 1, "x"), (1, "b", 1, "y")))
    paths = [twice[0], good[0], text, *twice[1:], good[1], "none.run"]
    with pytest.raises(SeveralInputsError) as caught:
        irbounds.score(QREL_DICT, paths, "AP")
    lines = caught.value.lines
    assert lines[0].startswith("5 of 7 inputs")
    named = [twice[0], text, *twice[1:], "none.run"]
    assert [line.partition(": ")[0] for line in lines[1:6]] == [str(path) for path in named]
    assert "line 5: document 'b'" in lines[1]
    assert "line 1: score 'x'" in lines[2]
    assert "line 2: score 'y'" in lines[2]
    assert [line for line in lines if "--duplicates first" in line] == [lines[6]]
    assert lines[7:] == ("read without a fault: good0, good1",)
    assert str(caught.value) == "\n".join(lines)
    assert [error.fault for error in caught.value.errors] == list(lines[1:6])
    assert pickle.loads(pickle.dumps(caught.value)).lines == lines
    with pytest.raises(
        SeveralInputsError, match=r"the run 'x': record 1: .*\n.*the run 'y': record 1: "
    ):
        irbounds.read_runs({"x": {"1": {"a": "?"}}, "y": {"1": {"a": "?"}}})


def test_all_runs_without_a_query_in_common_are_named():
    strange = {name: {f"q{name}": {"a": 1.0}} for name in "xyz"}
    with pytest.raises(DataError, match=r"run 'x' has 'qx', \.\.\.; nor in 'y', 'z'"):
        irbounds.score(QREL_DICT, {"mine": {"1": {"a": 1.0}}, **strange}, "AP")


def test_run_under_two_names_is_a_warning(write):
    diagnosis = irbounds.check(QRELS_ALL, {"a": write("x", RUN), "b": write("y", RUN)})
    assert diagnosis.warnings == ("the same run under several names: a, b",)


QRELS_ALL = {"1": {"a": 1, "b": 0}, "2": {"a": 1}}


@pytest.mark.parametrize("measure", ["AP", "infAP", "Compat"])
def test_second_evaluation_gives_the_same_scores(write, measure):
    qrels = irbounds.read_qrels(write("q", QRELS))
    run = irbounds.read_run(write("r", RUN))
    first = irbounds.score(qrels, [run], [measure]).values
    assert (irbounds.score(qrels, [run], [measure]).values == first).all()
    assert first.any()


def test_system_without_relevant_documents_is_the_first_warning(write):
    run = write("r", run_lines((1, "z", 1, 2)))
    assert warnings_of(QRELS_ALL, run).startswith("found nothing relevant in any query: mine")


def test_valid_input_has_no_warnings(write):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert irbounds.check(write("q", QRELS), [write("r", RUN)]).warnings == ()


def test_empty_query_in_dicts():
    with pytest.raises(InputError, match="query '2' has no judgments; leave it out"):
        irbounds.read_qrels({"1": {"a": 1}, "2": {}})
    run = irbounds.read_run({"1": {"a": 1.0}, "2": {}})
    assert "judged queries missing" in warnings_of(QRELS_ALL, run)


def test_control_characters_in_ids(write):
    run = irbounds.read_run(write("r", "1 Q0 a\x01 1 9 t\n1 Q0 a 2 8 t\n"))
    assert list(run.to_dict()["1"]) == ["a\x01", "a"]


def test_long_file_without_line_breaks(write):
    with pytest.raises(InputError, match="columns where 6 are expected"):
        irbounds.read_run(write("r", b"x " * 2_000_000))


@pytest.mark.parametrize("character", ["\x1c", "\x1d", "\x1e", "\x1f", "\x85", "\u2003"])
@pytest.mark.parametrize("text", ["{}1", "1{}", "{}1{}"])
def test_only_white_space_of_trec_text_may_surround_a_number(write, text, character):
    text = text.replace("{}", character)
    for name, content in (
        ("r", run_lines((1, "a", 1, text))),
        ("r.csv", f"query_id,doc_id,score\n1,a,{text}\n"),
        ("r.json", json.dumps({"1": {"a": text}})),
    ):
        with pytest.raises(InputError, match=r"1: score .* is not a"):
            irbounds.read_run(write(name, content))
    for name, content in (("s.txt", f"map 1 0\nmap 2 {text}\n"), ("s.csv", f"topic,a\n1,{text}\n")):
        with pytest.raises(InputError, match="is not a finite number"):
            irbounds.read_scores(write(name, content))
    assert irbounds.read_run({"1": {"a": " 1\t"}}).to_dict() == {"1": {"a": 1.0}}


LONG = "9" * 1000 + "x" * 100_000
DEEP = "[" * 900 + "]" * 900
LONG_VALUES = {
    "r": run_lines((1, "a", 1, LONG)),
    "run.csv": f"query_id,doc_id,score\n1,a,{LONG}\n",
    "run.json": json.dumps({"1": {"a": LONG}}),
    "query.json": json.dumps({LONG: 5, "1": {}}),
    "deep.json": f'{{"1": {{"a": {DEEP}}}}}',
    "record.jsonl": f'{{"query_id": {DEEP}, "doc_id": {DEEP}, "score": 1}}',
    "twice": run_lines((LONG, LONG, 1, 1)) * 2,
    "header.csv": ",".join(f"{LONG}{k}" for k in range(30)) + "\n" + "1," * 29 + "1\n",
    "headers.csv": ",".join(map(str, range(5000))) + "\n" + "1," * 4999 + "1\n",
}


@pytest.mark.parametrize("name", LONG_VALUES)
def test_long_values_are_shortened_in_messages(write, name):
    with pytest.raises(InputError) as caught:
        irbounds.read_run(write(name, LONG_VALUES[name]))
    assert len(str(caught.value)) < 3000
    if name in ("r", "run.csv", "run.json"):
        assert re.search(r"1: score '9{30,}\.{3}x{30,}' is not a", str(caught.value))


def test_deep_lists_and_long_numbers_in_memory_are_shortened_in_messages():
    deep: list = []
    for _ in range(100_000):
        deep = [deep]
    for value in (deep, 10**6000, "x" * 10**6):
        with pytest.raises(InputError, match=r"record 1: score .{5,100} is"):
            irbounds.read_run({"1": {"a": value}})
        with pytest.raises(InputError, match=r"document 1: relevance .{5,100} is not an integer"):
            read_assessments({"a": value})
    with pytest.raises(InputError, match="record 1: query id an integer of 19,932 bits"):
        irbounds.read_run({10**6000: {"a": 1}})


LONG_NAME = "n" * 301


def test_names_over_300_characters_are_errors(tmp_path):
    run = {"q": {"d": 1.0}}
    scores = pl.DataFrame({"query_id": ["q1", "q2"], LONG_NAME: [0.1, 0.2]})
    scores.write_csv(tmp_path / "s.csv")
    scores.write_parquet(tmp_path / "s.parquet")
    for read in (
        lambda: irbounds.read_run(run, name=LONG_NAME),
        lambda: irbounds.read_runs({LONG_NAME: run}),
        lambda: irbounds.read_run({LONG_NAME: {"d": 1.0}}),
        lambda: irbounds.read_qrels({LONG_NAME: {"d": 1}}),
        lambda: irbounds.read_scores(scores),
        lambda: irbounds.read_scores(tmp_path / "s.csv"),
        lambda: irbounds.read_scores({LONG_NAME: [0.1, 0.2]}),
        lambda: irbounds.read_scores({"a": {LONG_NAME: 0.1, "q": 0.2}}),
        lambda: irbounds.read_scores(tmp_path / "s.parquet"),
        lambda: irbounds.ap({"label": [0, 1], LONG_NAME: [0.1, 0.2]}),
    ):
        with pytest.raises(InputError, match="a name may have 300 characters; got 301") as caught:
            read()
        assert len(str(caught.value)) < 300
    name = LONG_NAME[1:]
    assert irbounds.read_runs({name: {name: {"d": 1.0}}})[0].query_ids == (name,)
    assert irbounds.read_scores({name: {name: 0.1}}).systems == (name,)
