"""Per-query scores that were computed elsewhere."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections import namedtuple

import numpy as np
import pandas as pd
import polars as pl
import pytest

import irbounds
from irbounds.errors import InputError, SeveralInputsError

WIDE = "topic,bm25,dense\n301,0.25,0.5\n302,0,1e-04\n"


def as_dict(table):
    return {
        (m, s): dict(zip(table.queries, table.scores(m, s).tolist(), strict=True))
        for m in table.measures
        for s in table.systems
    }


EXPECTED = {
    ("AP", "bm25"): {"301": 0.25, "302": 0.0},
    ("AP", "dense"): {"301": 0.5, "302": 1e-4},
}


def test_wide_table_with_a_topic_column(write):
    assert as_dict(irbounds.read_scores(write("s.csv", WIDE), measure="AP")) == EXPECTED


def test_wide_table_without_ids_numbers_the_queries(write):
    table = irbounds.read_scores(write("s.csv", '"a","b"\n1,2\n3,4\n'))
    assert table.queries == ("1", "2")
    assert table.systems == ("a", "b")
    assert table.measures == ("score",)


def test_wide_table_with_row_names_of_r(write):
    table = irbounds.read_scores(write("s.csv", '"","a"\n"301",0.5\n"302",0.25\n'))
    assert table.queries == ("301", "302")
    assert table.systems == ("a",)


@pytest.mark.parametrize("frame", [pl.DataFrame, pd.DataFrame])
def test_long_table(frame):
    long = [
        {"query_id": q, "system": s, "measure": m, "value": v}
        for (m, s), values in EXPECTED.items()
        for q, v in values.items()
    ]
    assert as_dict(irbounds.read_scores(frame(long))) == EXPECTED


PERQUERY = pd.DataFrame(  # as pt.Experiment(..., perquery=True) of PyTerrier 1.1.2 returns it
    [
        (system, query, measure, 0.1 * k)
        for k, (system, query, measure) in enumerate(
            (system, query, measure)
            for system in ("BM25", "dense")
            for query in ("301", "302", "303")
            for measure in ("map", "ndcg_cut_10")
        )
    ],
    columns=["name", "qid", "measure", "value"],
)


@pytest.mark.parametrize("measures", [("map", "ndcg_cut_10"), ("AP", "nDCG@10")])
def test_perquery_of_pyterrier_matches_a_pivot(tmp_path, measures):
    frame = PERQUERY.replace({"measure": dict(zip(("map", "ndcg_cut_10"), measures, strict=True))})
    frame.to_csv(tmp_path / "perquery.csv", index=False)  # as save_dir= writes it
    pivot = frame.pivot(index="qid", columns=["measure", "name"], values="value")
    for source in (frame, tmp_path / "perquery.csv", frame.sample(frac=1, random_state=1)):
        table = irbounds.read_scores(source)
        assert sorted(table.measures) == ["AP", "nDCG@10"]
        for theirs, ours in zip(measures, ("AP", "nDCG@10"), strict=True):
            for system in ("BM25", "dense"):
                expected = pivot[theirs][system].loc[list(table.queries)]
                assert table.scores(ours, system).tolist() == expected.tolist()


def test_means_and_scores_of_pyterrier():
    both = namedtuple("EvaluationDataTuple", ["averages", "perquery"])
    means = PERQUERY.pivot_table(index="name", columns="measure", values="value").reset_index()
    table = irbounds.rank(scores=both(means, PERQUERY))
    assert table.records() == irbounds.rank(scores=PERQUERY).records()


def test_missing_values_and_repeated_rows_of_pyterrier(tmp_path):
    file = tmp_path / "perquery.csv"
    PERQUERY.assign(value=PERQUERY["value"].where(PERQUERY.index != 4)).to_csv(file, index=False)
    with pytest.raises(InputError, match=r"csv: row 5: value: '' is not .* topics without judgm"):
        irbounds.read_scores(file)
    with pytest.raises(InputError, match="row 5: value: nan is not a finite number; PyTerrier"):
        irbounds.read_scores(PERQUERY.assign(value=[*range(4), np.nan, *range(7)]))
    pd.concat([PERQUERY, PERQUERY[:1]]).to_csv(file, index=False)
    with pytest.raises(InputError, match="two values of AP for system 'BM25', query '301'"):
        irbounds.read_scores(file)
    with pytest.raises(InputError, match=r"no column 'query_id' .*; found 'name', 'measure'"):
        irbounds.read_scores(PERQUERY.drop(columns="qid"))


@pytest.mark.parametrize(
    ("columns", "measures"),
    [
        (("query", "system", "mymetric"), ("mymetric",)),
        (("qid", "name", "map"), ("AP",)),
        (("task", "model", "score"), ("score",)),
        (("id", "run", "AP", "nDCG@10"), ("AP", "nDCG@10")),
        (("query_id", "method", "measure", "result"), ("m1", "m2")),
    ],
)
def test_one_row_per_query_and_system(tmp_path, columns, measures):
    keys = [(query, system) for query in ("3", "1", "2") for system in ("a", "b")]
    rows = [(*key, *(0.01 * k + m for m in range(len(columns) - 2))) for k, key in enumerate(keys)]
    if "measure" in columns:
        rows = [(*key, measure, k + 0.5) for k, key in enumerate(keys) for measure in measures]
    frame = pd.DataFrame(rows, columns=columns)
    frame.to_csv(tmp_path / "s.csv", index=False)
    frame.to_csv(tmp_path / "numbered.csv")
    pivot = frame.set_index(list(columns[:2]))
    for source in (frame, tmp_path / "s.csv", tmp_path / "numbered.csv", pl.DataFrame(frame)):
        table = irbounds.read_scores(source)
        assert table.measures == measures
        assert table.queries == ("3", "1", "2")
        for place, measure in enumerate(measures):
            for system in table.systems:
                cells = pivot.loc[[(query, system) for query in table.queries]]
                if "measure" in columns:
                    expected = cells[cells["measure"] == measure]["result"]
                else:
                    expected = cells[columns[2 + place]]
                assert table.scores(measure, system).tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("query,system,x,y\n1,a,1,2\n1,b,1,2\n", ["query_id, system, measure and value", "'x'"]),
        ("query,system\n1,a\n1,b\n", ["query_id, system, measure and value", "'query', 'sys"]),
        ("query,system,measure\n1,a,AP\n1,b,AP\n", ["query_id, system, measure and value"]),
        ("query,retriever,AP\n1,a,1\n1,b,1\n", ["retriever: no value", "call it system"]),
        ("query,system,AP\n1,a,x\n1,b,0\n", ["row 1: AP: 'x' is not a finite number"]),
        ("query,system,AP\n1,a,1\n1,b,0\n1,b,0\n", ["two values of AP for system 'b'"]),
        ("query,system,AP\n1,a,1\n1,b,0\n2,b,0\n", ["no value of AP for system 'a', query '2'"]),
    ],
)
def test_columns_expected_in_rows_of_queries_and_systems(write, text, facts):
    with pytest.raises(InputError) as caught:
        irbounds.read_scores(write("s.csv", text))
    for fact in ("s.csv: ", *facts):
        assert fact in str(caught.value)


def test_json_lines_of_ir_measures(write):
    rows = [("301", "AP", 0.25), ("301", "P@10", 0.5), ("302", "AP", 0.0), ("302", "P@10", 1)]
    rows += [("all", "AP", 0.125), ("all", "P@10", 0.75)]
    lines = [f'{{"query_id": "{q}", "measure": "{m}", "value": {v}}}\n' for q, m, v in rows]
    assert as_dict(irbounds.read_scores(write("bm25.jsonl", "".join(lines)))) == {
        ("AP", "bm25"): {"301": 0.25, "302": 0.0},
        ("P@10", "bm25"): {"301": 0.5, "302": 1.0},
    }
    for line, message in [
        ('{"query_id": "303", "measure": "AP"}', "line 7: the columns of line 1 are"),
        ('{"query_id": "303", "measure": "AP", "value": }', "line 7: not JSON"),
        ('{"query_id": "303", "measure": "AP", "value": NaN}', "line 7: numbers must be finite"),
        ('{"query_id": "303", "measure": "AP", "value": null}', "row 7: value: None is not"),
    ]:
        with pytest.raises(InputError, match=rf"bm25\.jsonl: {message}"):
            irbounds.read_scores(write("bm25.jsonl", "".join(lines) + line))


def test_trec_eval_output(write):
    printed = (
        "runid                 \tall\tbm25\n"
        "map                   \t301\t0.2500\nP_10                  \t301\t0.4000\n"
        "map                   \t302\t0.0000\nP_10                  \t302\t0.1000\n"
        "map                   \tall\t0.1250\nP_10                  \tall\t0.2500\n"
    )
    assert as_dict(irbounds.read_scores(write("out.txt", printed))) == {
        ("AP", "bm25"): {"301": 0.25, "302": 0.0},
        ("P@10", "bm25"): {"301": 0.4, "302": 0.1},
    }


def test_trec_eval_output_in_its_own_order(write):
    # trec_eval prints the summary's runid line last, and measures that we have no name for
    printed = "num_nonrel_judged_ret\t1\t7\nmap\t1\t0.5\nrunid\tall\tmine\nmap\tall\t0.5\n"
    table = irbounds.read_scores(write("out.txt", printed))
    assert table.systems == ("mine",)
    assert table.measures == ("num_nonrel_judged_ret", "AP")


TREC_EVAL = (
    "runid\tall\tbm25\nmap\t1\t0.5\nrelstring_10\t1\t'1100-'\nmap\t2\t0.25\n"
    "relstring_10\t2\t'0000'\nbpref\t1\t0.5\nbpref\t2\t0.75\nrelstring_10\tall\t''\n"
)


@pytest.mark.parametrize(
    "options", [{}, {"measures": ["AP", "Bpref"]}, {"measures": ["AP"]}, {"measures": ["Bpref"]}]
)
def test_text_measures_of_trec_eval_are_ignored_and_counted(write, options):
    path = write("out.txt", TREC_EVAL)
    table = irbounds.read_scores(path, **options)
    expected = {"AP": {"1": 0.5, "2": 0.25}, "Bpref": {"1": 0.5, "2": 0.75}}
    chosen = options.get("measures", ["AP", "Bpref"])
    assert as_dict(table) == {(name, "bm25"): expected[name] for name in chosen}
    if options:  # a measure that is not requested has no warning
        assert table.warnings == ()
    else:
        (warning,) = table.warnings
        assert str(path) in warning
        assert "'relstring_10'" in warning


def test_invalid_values_are_errors_only_in_requested_measures(write):
    path = write("out.txt", TREC_EVAL.replace("bpref\t2\t0.75", "bpref\t2\tnan"))
    for sources, options in ((path, {"measures": ["AP"]}), ({"AP": path}, {})):
        table = irbounds.read_scores(sources, **options)
        assert as_dict(table) == {("AP", "bm25"): {"1": 0.5, "2": 0.25}}
        assert table.warnings == ()
    for options in ({}, {"measures": ["Bpref"]}):
        with pytest.raises(InputError, match="line 7: bpref: 'nan' is not a finite number"):
            irbounds.read_scores(path, **options)
    with pytest.raises(InputError, match="line 3: relstring_10: \"'1100-'\" is not a finite"):
        irbounds.read_scores(path, measures=["relstring_10"])
    with pytest.raises(irbounds.errors.ParameterError, match="no measure 'P@5' here, only 'AP'"):
        irbounds.read_scores(path, measures=["P@5"])


def test_output_of_two_systems_in_one_file(write):
    text = "map\t1\t0.5\nrunid\tall\ta\nmap\t2\t0.5\nrunid\tall\tb\n"
    with pytest.raises(InputError, match="one system is expected; got runid 'a', 'b'"):
        irbounds.read_scores(write("out.txt", text))


def test_output_of_ir_measures(write):
    qrels = write("q", "301 0 a 1\n301 0 b 0\n302 0 a 1\n")
    run = write("r", "301 Q0 a 1 3 t\n302 Q0 b 1 3 t\n302 Q0 a 2 2 t\n")
    printed = subprocess.run(
        [
            sys.executable,
            "-W",
            "ignore",
            "-m",
            "ir_measures",
            "-q",
            "-p",
            "6",
            qrels,
            run,
            "AP",
            "P@2",
        ],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert as_dict(irbounds.read_scores(write("bm25.txt", printed))) == {
        ("AP", "bm25"): {"301": 1.0, "302": 0.5},
        ("P@2", "bm25"): {"301": 0.5, "302": 0.5},
    }


def test_several_files_are_one_table(write):
    first = write("bm25.txt", "map\t1\t0.5\nmap\t2\t0.25\n")
    second = write("dense.txt", "map\t2\t0.75\nmap\t1\t1\n")
    assert as_dict(irbounds.read_scores([first, second])) == {
        ("AP", "bm25"): {"1": 0.5, "2": 0.25},
        ("AP", "dense"): {"1": 1.0, "2": 0.75},
    }


def test_files_with_the_same_name_and_cells_are_named_by_paths(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for directory, text in (("a", "map\t1\t0.5\n"), ("b", "map\t1\t1\n"), ("c", "P_10\t1\t0.1\n")):
        (tmp_path / directory).mkdir()
        (tmp_path / directory / "bm25.txt").write_text(text)
        (tmp_path / directory / "long.csv").write_text("topic,measure,value\n1,AP,0.5\n")
    (tmp_path / "dense.txt").write_text("map\t1\t0.75\n")
    paths = ["a/bm25.txt", "b/bm25.txt", "dense.txt", "a/long.csv", "b/long.csv"]
    table = irbounds.read_scores(paths)
    assert table.systems == ("a/bm25", "b/bm25", "dense", "a/long", "b/long")
    assert irbounds.read_scores(["a/bm25.txt", "c/bm25.txt"]).systems == ("bm25",)
    with pytest.raises(InputError, match="two values of AP for system 'bm25', query '1'"):
        irbounds.read_scores(["a/bm25.txt", tmp_path / "a" / "bm25.txt"])


def test_errors_of_all_score_files_are_raised_together(write):
    paths = [write("a.txt", "map 1 nan\n"), write("b.txt", "map 1 0.5\n"), write("c.txt", "")]
    with pytest.raises(SeveralInputsError) as caught:
        irbounds.read_scores(paths)
    first, a, c, read = caught.value.lines
    assert first.startswith("2 of 3")
    assert "a.txt: line 1: map: 'nan'" in a
    assert "c.txt: empty" in c
    assert read.endswith("b.txt")


def test_gaps_are_refused_or_dropped(write):
    files = [write("a.txt", "map\t1\t0.5\nmap\t2\t0.25\n"), write("b.txt", "map\t1\t1\n")]
    message = r"b\.txt: no value of AP for system 'b', query '2' \(gaps: 1\)"
    with pytest.raises(InputError, match=message):
        irbounds.read_scores(files)
    assert irbounds.read_scores(files, queries="common").queries == ("1",)
    with pytest.raises(irbounds.errors.ParameterError, match="queries must be 'all' or 'common'"):
        irbounds.read_scores(files, queries="judged")


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("s.csv", "topic,a\n1,\n", "row 1: a: '' is not a finite number"),
        ("s.csv", "topic,a\n1,0.5\n2,x\n", "row 2: a: 'x' is not a finite number"),
        ("s.csv", "topic,a\n1,0.5\n1,0.5\n", "two values of score for system 'a', query '1'"),
        ("s.csv", "", "empty"),
        ("s.csv", "topic,a\n", "empty"),
        ("s.csv", "a\n0.5\n\n0.25\n", "line 3: an empty line in a table of one column"),
        ("s.txt", "runid all mine\n", "empty: no scores"),
        ("s.txt", "", "empty"),
        (
            "s.txt",
            "map 1 x\nP_5 1 'x'\n",
            "empty: no scores: .* not numbers; ignored: 'AP', 'P@5'",
        ),
        ("s.txt", "map all 0.5\n", "only summary rows"),
        ("s.txt", "gm_map 301 0.5\n", "neither trec_eval's nor ir_measures' output"),
        ("s.csv", "topic,a,a\n1,0.5,1\n", "column 'a' is in the header twice"),
        ("s.csv", "topic,a\n,0.5\n", "row 1: topic '' is neither text nor an integer"),
        ("s.txt", "map 1\n", "line 1: 2 columns where 3 are expected"),
        ("s.txt", "map 1 nan\n", "line 1: map: 'nan' is not a finite number"),
    ],
)
def test_bad_tables(write, name, text, said):
    with pytest.raises(InputError, match=said):
        irbounds.read_scores(write(name, text))


def test_score_matrix_of_robust04(data_directory):
    table = irbounds.read_scores(data_directory / "scores" / "robust2004_ap.csv", measure="AP")
    assert table.values.shape == (1, 110, 249)
    assert table.queries[0] == "301"
    raw = np.loadtxt(data_directory / "scores" / "robust2004_ap.csv", delimiter=",", skiprows=1)
    assert (table.values[0] == raw[:, 1:].T).all()


def test_summary_rows_are_ignored(write):
    wide = irbounds.read_scores(write("w.csv", "topic,a\n1,0.5\n2,0.1\nall,0.3\n"))
    long = irbounds.read_scores(write("l.csv", "qid,value\n1,0.5\n2,0.1\nall,0.3\n"))
    assert wide.queries == long.queries == ("1", "2")


def test_pandas_index_names_the_queries():
    frame = pd.DataFrame({"a": [0.1, 0.2]}, index=["q7", "q9"])
    assert irbounds.read_scores(frame.rename_axis("topic")).queries == ("q7", "q9")
    assert irbounds.read_scores(frame.set_axis([7, 9])).queries == ("7", "9")
    assert irbounds.read_scores(frame.reset_index(drop=True)).queries == ("1", "2")
    assert irbounds.read_scores(pd.DataFrame(np.eye(3))).systems == ("0", "1", "2")


def test_pandas_index_is_never_a_score():
    scores = {"a": [0.1, 0.2]}
    for index in (
        pd.Index([301, 302], name="number"),
        pd.MultiIndex.from_tuples([(301, 1), (302, 2)], names=["qid", "fold"]),
        pd.MultiIndex.from_tuples([(301, 1), (302, 2)], names=["Topic", None]),
    ):
        table = irbounds.read_scores(pd.DataFrame(scores, index=index))
        assert (table.systems, table.queries) == (("a",), ("301", "302"))
    numbered = pd.DataFrame(scores, index=pd.MultiIndex.from_tuples([(301, 1), (302, 2)]))
    table = irbounds.read_scores(numbered)
    assert (table.systems, table.queries) == (("a",), ("1", "2"))
    folds = pd.MultiIndex.from_tuples([(301, 1), (301, 2)], names=["qid", "fold"])
    with pytest.raises(InputError, match="two values of score for system 'a', query '301'"):
        irbounds.read_scores(pd.DataFrame(scores, index=folds))


@pytest.mark.parametrize(
    ("columns", "index", "name"),
    [
        (["a", "a"], None, "a"),
        ([1, "1"], None, "1"),
        (["topic", "a"], pd.Index(["x"], name="topic"), "topic"),
        (["", "a"], pd.Index(["x"]), ""),
    ],
)
def test_repeated_column_of_a_frame(columns, index, name):
    frame = pd.DataFrame([[0.5, 0.25]], columns=columns, index=index)
    with pytest.raises(InputError, match=f"column '{name}' is in the frame twice"):
        irbounds.read_scores(frame)


def test_lazy_frames_are_collected(tmp_path):
    wide = pl.DataFrame({"topic": ["x", "y"], "a": [0.5, 1.0]})
    assert as_dict(irbounds.read_scores(wide.lazy())) == as_dict(irbounds.read_scores(wide))
    assert irbounds.read_scores({"AP": wide.lazy()}).measures == ("AP",)
    qrels = pl.DataFrame({"query_id": ["1"], "doc_id": ["a"], "relevance": [1]})
    run = pl.DataFrame({"query_id": ["1"], "doc_id": ["a"], "score": [1.5]})
    assert irbounds.read_qrels(qrels.lazy()).query_ids == ("1",)
    for runs in (run.lazy(), [run.lazy()], {"mine": run.lazy()}):
        assert irbounds.score(qrels.lazy(), runs, "AP").values.tolist() == [[[1.0]]]
    for read in (irbounds.read_scores, irbounds.read_qrels, irbounds.read_run):
        with pytest.raises(InputError, match=r"polars cannot collect the LazyFrame: .*gone") as e:
            read(pl.scan_parquet(tmp_path / "gone.parquet"))
        assert "\n" not in str(e.value)


def test_tables_of_one_measure_each(write):
    first, second = write("x.csv", "topic,a\n1,0.5\n"), write("y.csv", "topic,a\n1,0.25\n")
    table = irbounds.read_scores({"AP": first, "P@10": [second]})
    assert as_dict(table) == {("AP", "a"): {"1": 0.5}, ("P@10", "a"): {"1": 0.25}}
    assert as_dict(table.select(["P@10"])) == {("P@10", "a"): {"1": 0.25}}


@pytest.mark.parametrize("nothing", [[], {}, ()])
def test_no_scores(nothing):
    with pytest.raises(irbounds.errors.ParameterError, match="no scores given"):
        irbounds.read_scores(nothing)


@pytest.mark.parametrize("other", [None, 5, np.eye(2)])
def test_objects_without_scores(other):
    with pytest.raises(InputError, match="a file or a pandas or polars frame is expected"):
        irbounds.read_scores(other)


def test_columns_of_several_levels():
    long = pd.DataFrame({"q": [1, 2], "s": ["a", "a"], "x": [0.5, 1.0], "y": [0.0, 1.0]})
    with pytest.raises(InputError, match=r"a column must have one name; got \('x', 'a'\)"):
        irbounds.read_scores(long.pivot_table(index="q", columns="s", values=["x", "y"]))


def test_number_beyond_doubles():
    with pytest.raises(irbounds.errors.ParameterError, match="scores must be finite numbers"):
        irbounds.mean_interval([0.5, 10**400])


def test_table_with_many_gaps(write):
    """As large as the product of its names it would not fit into any memory."""
    rows = "".join(f"q{k},s{k},m{k},0.5\n" for k in range(20_000))
    path = write("s.csv", f"query_id,system,measure,value\n{rows}")
    with pytest.raises(
        InputError, match=r"no value of m0 for system 's0', query 'q1' \(gaps: 7,999"
    ):
        irbounds.read_scores(path)
    with pytest.raises(InputError, match="no query has a value in every cell"):
        irbounds.read_scores(path, queries="common")


TASKS = {"a": [0.1, 0.3], "b": [0.2, 0.4]}
BY_TASK = {("score", "a"): {"one": 0.1, "two": 0.3}, ("score", "b"): {"one": 0.2, "two": 0.4}}


def sources_of(columns, tmp_path):
    """The same wide table as frames and as files."""
    frame = pl.DataFrame(columns)
    frame.write_csv(tmp_path / "s.csv")
    frame.write_csv(tmp_path / "s.tsv", separator="\t")
    frame.write_parquet(tmp_path / "s.parquet")
    files = [tmp_path / f"s.{ending}" for ending in ("csv", "tsv", "parquet")]
    return [frame, frame.lazy(), pd.DataFrame(columns), *files]


@pytest.mark.parametrize(
    "name",
    ["query_id", "qid", "query", "topic", "topic_id", "task", "Dataset", "id", "item", "task_name"],
)
def test_id_column_with_a_known_name(tmp_path, caplog, name):
    with caplog.at_level(logging.INFO, "irbounds"):
        for place in (0, 1, 2):
            columns = list(TASKS.items())
            columns.insert(place, (name, ["one", "two"]))
            for source in sources_of(dict(columns), tmp_path):
                assert as_dict(irbounds.read_scores(source)) == BY_TASK
        for source in sources_of({name: [7, 5], **TASKS}, tmp_path):
            assert irbounds.read_scores(source).queries == ("7", "5")
    assert not caplog.records


@pytest.mark.parametrize("name", ["", "name", "Model", "corpus", "Unnamed: 0"])
def test_column_that_does_not_name_queries_or_tasks_is_an_error(tmp_path, name):
    """The rows may be models and the columns tasks, which would be ranked."""
    message = "does not name queries or tasks; a row must be a query or task and a column a system"
    for source in sources_of({name: ["one", "two"], **TASKS}, tmp_path):
        with pytest.raises(InputError, match=rf"column (1 \(without a name\)|'{name}') {message}"):
            irbounds.read_scores(source)
    for index in (None, name):
        with pytest.raises(InputError, match=message):
            irbounds.read_scores(
                pd.DataFrame(TASKS, index=pd.Index(["one", "two"], name=index or None))
            )


@pytest.mark.parametrize("name", ["name", "model"])
def test_numbers_of_models_are_an_error(name):
    with pytest.raises(InputError, match=f"column '{name}' does not name queries or tasks"):
        irbounds.read_scores(pd.DataFrame({name: [7, 5], **TASKS}))


def test_pandas_index_with_a_name_of_queries_or_tasks_is_the_id_column():
    for name in ("task", "dataset", "query_id"):
        frame = pd.DataFrame(TASKS, index=pd.Index(["one", "two"], name=name))
        assert as_dict(irbounds.read_scores(frame)) == BY_TASK


def test_numeric_column_is_a_system(tmp_path):
    for source in sources_of({"x": [1, 2], **TASKS}, tmp_path):
        table = irbounds.read_scores(source)
        assert (table.systems, table.queries) == (("x", "a", "b"), ("1", "2"))
    for name, values in (("id", [0.5, 0.25]), ("task", [1, 1])):  # not ids, but scores
        assert irbounds.read_scores(pd.DataFrame({name: values, **TASKS})).systems[0] == name


@pytest.mark.parametrize("heading", ["", "Unnamed: 0"])
def test_row_numbers_are_not_scores(write, heading):
    path = write("s.csv", f"{heading},task,a,b\n0,one,0.1,0.2\n1,two,0.3,0.4\n")
    assert as_dict(irbounds.read_scores(path)) == BY_TASK
    path = write("t.csv", f"{heading},topic,a,b\n5,one,0.1,0.2\n3,two,0.3,0.4\n")
    assert as_dict(irbounds.read_scores(path)) == BY_TASK
    path = write("u.csv", f"{heading},a,b\n0,0.1,0.2\n1,0.3,0.4\n")
    assert irbounds.read_scores(path).systems == ("a", "b")


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("task,split,a\none,dev,0.1\ntwo,dev,0.2\n", ["'task' and 'split'", "drop one"]),
        ("x,y,a\none,dev,0.1\ntwo,test,0.2\n", ["'x' and 'y'", "drop one"]),
        ("id,name,a\n1,one,0.1\n2,two,0.2\n", ["'id' and 'name'", "drop one"]),
        (",name,a\nx,one,0.1\ny,two,0.2\n", ["1 (without a name)", "'name'", "drop one"]),
        (",topic,a\nx,1,0.1\ny,2,0.2\n", ["column 1 has no name in the header"]),
        ("qid,task,a\n1,one,0.1\n2,two,0.2\n", ["task: no value is a number", "qid names the"]),
        ("lang,a\nen,0.1\nen,0.2\n", ["column 'lang'", "rename the column to query_id"]),
        ("Metric,T1,T2\nx,0.1,0.2\ny,0.3,0.4\n", ["column 'Metric'", "transpose"]),
        ("name,map,P_10\nbm25,0.1,0.2\ndense,0.3,0.4\n", ["column 'name'", "transpose"]),
        ("q1,0.1,1e-3\nq2,0.2,0.3\nq3,0,1\n", ["column 'q1'", "rename the column to query_id"]),
        ("a,b\n0.1,x\n0.2,0.3\n", ["row 1: b: 'x' is not a finite number"]),
        ("a,b\n0.1,x\n", ["row 1: b: 'x' is not a finite number"]),
        ("a,b\n0.1,nan\n0.2,nan\n", ["row 1: b: 'nan' is not a finite number"]),
        ("x,a\none,0.1\n2,0.2\n", ["row 1: x: 'one' is not a finite number"]),
    ],
)
def test_ambiguous_id_columns(write, text, facts):
    with pytest.raises(InputError) as caught:
        irbounds.read_scores(write("s.csv", text))
    for fact in ("s.csv: ", *facts):
        assert fact in str(caught.value)


OLD_TREC_EVAL = (
    "num_ret        \t1\t10\nmap            \t1\t0.5000\nR-prec         \t1\t0.4000\n"
    "recip_rank     \t1\t1.0000\nircl_prn.0.10  \t1\t0.7000\nP10            \t1\t0.3000\n"
    "num_q          \tall\t1\nmap            \tall\t0.5000\nP10            \tall\t0.3000\n"
)


def test_output_of_old_trec_eval(write):
    table = irbounds.read_scores(write("bm25.txt", OLD_TREC_EVAL))
    assert table.measures == ("NumRet", "AP", "Rprec", "RR", "IPrec@0.1", "P@10")
    assert table.values[:, 0, 0].tolist() == [10, 0.5, 0.4, 1, 0.7, 0.3]
    assert table.queries == ("1",)


def test_output_of_trec_eval_o_is_refused(write):
    text = "\nQueryid (Num):        1\nTotal number of documents over all queries\n"
    with pytest.raises(InputError, match=r"s.txt: line 2: .* run trec_eval -q without -o"):
        irbounds.read_scores(write("s.txt", text))


def test_gaps_of_measures_that_are_not_requested_do_not_matter(tmp_path):
    (tmp_path / "a.txt").write_text("map\tq1\t0.5\nmap\tq2\t0.4\nP_10\tq1\t0.1\nP_10\tq2\t0.2\n")
    (tmp_path / "b.txt").write_text("map\tq1\t0.3\nmap\tq2\t0.2\n")
    files = [tmp_path / "a.txt", tmp_path / "b.txt"]
    table = irbounds.read_scores(files, measures="AP")
    assert (table.measures, table.systems) == (("AP",), ("a", "b"))
    with pytest.raises(InputError, match="the measures of systems differ"):
        irbounds.read_scores(files)
