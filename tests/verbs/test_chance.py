"""irbounds chance, and evaluate --chance."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest

import irbounds as package
from irbounds.validation import as_list
from irbounds.verbs.chance import chance

QUICK = ("--n-draws", "99")


@pytest.fixture
def run(irbounds, files):
    """Return a function that runs a command and returns its stdout and stderr."""

    def run_command(*arguments: str) -> tuple[str, str]:
        result = irbounds(*arguments)
        assert result.returncode == 0, result.stderr
        return result.stdout.decode(), result.stderr.decode()

    return run_command


def test_chance_of_document_counts_prints_moments_and_quantiles(irbounds):
    result = irbounds("chance", "10", "4")
    assert result.stdout.decode().splitlines() == [
        "chance: a random ranking of 10 documents, 4 of them relevant (prevalence 0.4)",
        "",
        "scores of random rankings: mean, standard deviation and quantiles",
        "measure  chance      sd     5 %    50 %    95 %    99 %",
        "AP       0.5286  0.1563  0.3180  0.5048  0.8167  0.9167",
        "exact",
    ]
    assert (result.returncode, result.stderr) == (0, b"")


def test_chance_observed_adds_corrected_score_and_p_value(run):
    lines = run("chance", "10", "4", "--observed", "0.7")[0].splitlines()
    assert lines[-1] == "p: a random ranking scores as high or higher; exact"
    corrected = (0.7 - package.expected_score(10, 4)) / (1 - package.expected_score(10, 4))
    p = package.random_rankings.null_distribution(10, 4).p_value(0.7)
    assert lines[-3].split()[-3:] == ["score", "corrected", "p"]
    assert lines[-2].split()[1] == "0.5286"
    assert lines[-2].split()[-3:] == ["0.7000", f"{corrected:.4f}", f"{p:.3f}"]


def test_chance_of_document_counts_writes_json(run):
    arguments = ("chance", "20", "5", "-m", "AP", "-m", "nDCG@5")
    stdout, _ = run(*arguments, "--format", "json", "--seed", "3", "--n-draws", "200")
    document = json.loads(stdout)
    first, second = document["results"]
    assert (first["n_documents"], first["n_relevant"], first["prevalence"]) == (20, 5, 0.25)
    assert first["expected"] == package.expected_score(20, 5)
    assert (first["method"], first["n_draws"], first["seed"]) == ("exact", None, None)
    assert first["p_value"] is None
    chance = package.random_rankings.null_distribution(20, 5, "nDCG@5", n_draws=200, rng=3)
    assert (second["method"], second["n_draws"], second["seed"]) == ("monte-carlo", 200, 3)
    assert second["quantile_0.99"] == chance.quantile(0.99)
    assert document["irbounds"] == package.__version__


def test_chance_output_is_reproducible_with_the_same_seed(run):
    arguments = ("chance", "50", "5", "-m", "RR", *QUICK, "--format", "csv", "--observed", "0.3")
    first_output = run(*arguments)
    assert run(*arguments, "--seed", "0") == first_output
    assert run(*arguments, "--seed", "1") != first_output


def test_help_states_the_default_measures(run):
    assert "[AP]" in " ".join(run("chance", "--help")[0].split())
    assert "[AP,nDCG@10]" in " ".join(run("evaluate", "--help")[0].split())


@pytest.mark.slow
def test_chance_of_document_counts_imports_no_large_libraries(loaded_by):
    measures = ("-m", "AP", "-m", "nDCG@10", "-m", "ERR@5", "-m", "RR")
    assert loaded_by("chance", "10", "4", *measures, *QUICK) == []
    assert loaded_by("chance", "10", "4", "--observed", "0.5") == []


@pytest.mark.slow
def test_chance_of_judgments_imports_numba(files, loaded_by):
    arguments = (str(files / "qrels.txt"), "--corpus-size", "50")
    assert "numba" in loaded_by("chance", *arguments)


COLLECTION = ("qrels.txt", "--corpus-size", "50")


def test_chance_compares_systems_with_random_rankings(irbounds, files):
    result = irbounds("chance", *COLLECTION, "one.run", "two.run", "-m", "AP", *QUICK)
    assert (result.returncode, result.stderr) == (0, b"")
    lines = result.stdout.decode().splitlines()
    assert lines[0].startswith("judgments qrels (sha256 ")
    assert lines[-7] == "chance: a random ranking of 50 documents, cut where each run ends"
    title = "AP: mean over 6 judged queries, compared with a random ranking of the corpus"
    assert lines[-5] == title
    assert lines[-1] == "p: a random ranking scores as high or higher; 99 draws, seed 0"
    assert lines[-4].split() == [
        "system", "score", "chance", "sd", "of", "chance", "corrected", "p",
    ]  # fmt: skip


def test_chance_csv_equals_python_results(run, files):
    paths = [str(files / name) for name in ("qrels.txt", "one.run", "two.run")]
    stdout, _ = run(
        "chance", *COLLECTION, "one.run", "two.run", "-m", "AP", "-m", "P@5", *QUICK,
        "--format", "csv", "--seed", "4",
    )  # fmt: skip
    rows = list(csv.DictReader(io.StringIO(stdout)))
    expected = chance(
        paths[0], paths[1:], measures=["AP", "P@5"], corpus_size=50, n_draws=99, seed=4
    )
    by_key = {(row.measure, row.system): row for row in expected}
    assert len(rows) == 4
    for row in rows:
        level = by_key[row["measure"], row["system"]]
        assert float(row["expected"]) == level.expected
        assert float(row["observed"]) == level.observed
        assert float(row["corrected"]) == level.corrected
        assert float(row["p_value"]) == level.p_value
        assert row["population"] == "corpus"


def test_chance_per_query_lists_every_query(run, files):
    arguments = ("chance", "qrels.txt", "one.run")
    json_lines, _ = run(*arguments, "--per-query", "--format", "jsonl", *QUICK)
    records = [json.loads(line) for line in json_lines.splitlines()]
    (row,) = chance(str(files / "qrels.txt"), str(files / "one.run"), n_draws=99)
    assert [(record["query_id"], record["p_value"]) for record in records] == [
        (query.query_id, query.p_value) for query in row.queries
    ]
    assert {(record["measure"], record["system"]) for record in records} == {("AP", "one")}
    stdout, _ = run(*arguments, "--per-query", *QUICK)
    assert "AP of each query: one compared with chance" in stdout


def test_chance_without_runs_prints_chance_levels(run, files):
    lines = run("chance", *COLLECTION, "-m", "AP", "-m", "RR")[0].splitlines()
    assert lines[0] == "chance: a random ranking of 50 documents"
    assert lines[2] == "chance levels of a random ranking of the corpus: mean over 6 judged queries"
    assert [line.split()[0] for line in lines[3:]] == ["measure", "AP", "RR"]
    rows = chance(str(files / "qrels.txt"), None, measures="AP", corpus_size=50)
    assert float(lines[4].split()[1]) == pytest.approx(rows[0].expected, abs=0.005)
    assert "AP of each query: chance level" in run("chance", *COLLECTION, "--per-query")[0]


def test_chance_of_judged_documents_without_a_corpus_size(run, files):
    (files / "extra.run").write_text("q0 Q0 d1 1 2 t\nq0 Q0 unknown 2 1 t\n")
    stdout, _ = run("chance", "qrels.txt", "extra.run")
    assert "8 documents, the judged ones of each query, cut where each run ends" in stdout
    assert "warning: retrieved documents without a judgment, which count as not relevant" in stdout


def test_chance_reads_standard_input_and_writes_output_file(irbounds, files):
    text = (files / "qrels.txt").read_bytes()
    result = irbounds("chance", "-", "--corpus-size", "50", "one.run", "-o", "t.md", stdin=text)
    assert (result.returncode, result.stdout) == (0, b"")
    assert "chance: a random ranking of 50 documents" in result.stderr.decode()
    assert "| system | score | chance |" in (files / "t.md").read_text()


@pytest.mark.parametrize(
    ("arguments", "expected_message"),
    [
        ((), "needs QRELS, or --n-documents with --n-relevant; got neither"),
        (("10",), "--n-relevant; got --n-documents 10"),
        (("--n-relevant", "4"), "--n-relevant; got --n-relevant 4"),
        (("10", "4", "5"), "needs --n-documents and --n-relevant, each once; got 10, 4 and 5"),
        (("10", "--n-documents", "9"), "each once; got 10"),
        (("10", "four"), "--n-relevant must be an integer; got 'four'"),
        (("10,000", "4"), "--n-documents must be an integer; got '10,000'; write 10000"),
        (("10", "12"), "--n-relevant must be at most --n-documents; got 12 relevant of 10"),
        (("0", "0"), "--n-documents must be an integer of at least 1; got 0"),
        (("10", "4", "--observed", "7"), "observed must be a number between 0 and 1; got 7"),
        (("10", "4", "--observed", "nan"), "observed must be a number between 0 and 1; got nan"),
        (
            ("10", "4", "--corpus-size", "9"),
            "--corpus-size is for QRELS and RUN; --n-documents and",
        ),
        (("10", "4", "--per-query"), "--per-query is for QRELS and RUN; --n-documents and"),
        (
            ("10", "4", "--ties", "best", "--per-query"),
            "--ties and --per-query are for QRELS and RUN; --n-documents and --n-relevant",
        ),
        (("10", "4", "-m", "Bpref"), "Bpref has no formula for its chance level; these have"),
        (("10", "4", "-m", "nDCQ@10"), "did you mean nDCG@10?"),
        (("10", "4", "--n-draws", "1000000000"), "--n-draws must be at most"),
        (("1000000000000", "1000000000"), "monte-carlo would draw 9,999,000,000,000 ranks, in"),
        (
            ("qrels.txt", "--corpus-size", "0"),
            "--corpus-size must be an integer of at least 1; got 0",
        ),
        (
            ("qrels.txt", "--corpus-size", "5", "one.run"),
            "--corpus-size must be at least the 8 documents that the judgments and runs name",
        ),
        ((*COLLECTION, "10"), "10: no such file"),
        ((*COLLECTION, "one.run", "--observed", "0.2"), "--observed is for numbers of documents"),
        ((*COLLECTION, "no.run"), "no.run: no such file"),
        ((*COLLECTION, "one.run", "-m", "SetP"), "SetP has no formula for its chance level"),
        ((*COLLECTION, "-o", "t.parquet"), "t.parquet: "),
    ],
)
def test_chance_errors_are_one_line(irbounds, files, arguments, expected_message):
    result = irbounds("chance", *arguments)
    assert (result.returncode, result.stdout) == (2, b"")
    assert expected_message in result.stderr.decode()
    assert result.stderr.count(b"\n") == 1


def test_chance_error_has_status_2(irbounds):
    result = irbounds("chance", "10", "12")
    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr == (
        b"irbounds: error: --n-relevant must be at most --n-documents; got 12 relevant of 10\n"
    )


# evaluate --chance

EVALUATE = ("evaluate", "qrels.txt", "one.run", "two.run", "-m", "AP", "--method", "student-t")


def test_evaluate_chance_adds_chance_columns(run, files):
    lines = run(*EVALUATE, "--chance", "--corpus-size", "50")[0].splitlines()
    assert "chance: a random ranking of 50 documents, cut where each run ends" in lines
    assert lines[-5].split() == ["system", "mean", "low", "high", "chance", "corrected"]
    plain = run(*EVALUATE)[0].splitlines()
    assert [line.split()[:4] for line in lines[-4:-2]] == [line.split() for line in plain[-4:-2]]
    csv_text, _ = run(*EVALUATE, "--chance", "--corpus-size", "50", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(csv_text)))
    expected = chance(
        str(files / "qrels.txt"),
        [str(files / "one.run"), str(files / "two.run")],
        corpus_size=50,
        n_draws=9,
    )
    by_name = {row.system: row for row in expected}
    for row in rows:
        assert float(row["chance"]) == by_name[row["system"]].expected
        assert float(row["corrected"]) == by_name[row["system"]].corrected
        assert float(row["mean"]) == by_name[row["system"]].observed


def test_evaluate_chance_of_judged_documents(run):
    stdout, _ = run(*EVALUATE, "--chance", "--format", "jsonl")
    (first, _) = (json.loads(line) for line in stdout.splitlines())
    assert first["population"] == "judged"
    # all eight documents are retrieved and judged, and two or three are relevant
    assert 0.4 < first["chance"] < 0.6


def test_evaluate_chance_warns_of_documents_that_random_rankings_lack():
    judged = {"q": {"a": 1, "b": 0}, "r": {"a": 1, "b": 0}}
    runs = {"mine": {"q": {"a": 3.0, "x": 2.0, "y": 1.0}, "r": {"b": 2.0, "a": 1.0}}}
    options = {"measures": "AP", "method": "student-t", "chance": True}
    result = package.evaluate(judged, runs, **options)
    of_chance = package.chance(judged, runs, measures="AP", n_draws=99)[0].warnings
    assert {line for line in of_chance if "random rankings: 2" in line} & {*result.warnings}
    whole = package.evaluate(judged, runs, corpus_size=9, **options)
    assert not [line for line in whole.warnings if "random rankings" in line]


@pytest.mark.parametrize(
    ("arguments", "expected_message"),
    [
        (("--corpus-size", "50"), "--corpus-size is for chance"),
        (
            ("--chance", "--corpus-size", "50", "--per-query"),
            "--chance is about means of runs: chance levels per query are in irbounds chance",
        ),
        (
            ("--chance", "--corpus-size", "50", "-m", "Bpref"),
            "Bpref has no formula for its chance level; these have one: AP,",
        ),
        (
            ("--chance", "--corpus-size", "5"),
            "--corpus-size must be at least the 8 documents that the judgments and runs name",
        ),
    ],
)
def test_evaluate_chance_rejects_invalid_options(irbounds, files, arguments, expected_message):
    result = irbounds(*EVALUATE, *arguments)
    assert (result.returncode, result.stdout) == (2, b"")
    assert expected_message in result.stderr.decode()


def test_evaluate_chance_rejects_scores(irbounds, files):
    (files / "ap.csv").write_text("topic,a\n1,0.5\n2,0.25\n")
    result = irbounds("evaluate", "--scores", "AP=ap.csv", "--chance", "--corpus-size", "50")
    assert result.returncode == 2
    assert b"scores do not say what was ranked" in result.stderr


def test_chance_observed_rejects_several_measures(irbounds):
    result = irbounds("chance", "10", "4", "-m", "AP", "-m", "RR", "--observed", "0.5")
    assert result.stderr == (b"irbounds: error: --observed is a score by one measure; got AP, RR\n")


CONSTANT_RUN = "".join(f"q{k} Q0 d{j} {j + 1} 0.5 t\n" for k in range(6) for j in range(8))


@pytest.mark.parametrize("command", ["chance", "compare", "rank"])
def test_ties_option_sets_the_rule_for_tied_scores(irbounds, files, command):
    (files / "constant.run").write_text(CONSTANT_RUN)
    arguments = ["qrels.txt", "constant.run", "one.run"]
    if command == "chance":
        arguments = ["qrels.txt", "constant.run", *QUICK]
    results = {}
    for ties in ("trec", "expected"):
        result = irbounds(command, *arguments, "-m", "RR", "--ties", ties, "--format", "json")
        results[ties] = json.loads(result.stdout)["results"]
    assert [row.get("ties") for row in results["trec"]] == [None] * len(results["trec"])
    assert {row["ties"] for row in results["expected"]} == {"expected"}
    if command == "chance":  # a run with constant scores has the score of chance
        (row,) = results["expected"]
        assert row["observed"] == pytest.approx(row["expected"], abs=1e-12)
        assert row["corrected"] == pytest.approx(0, abs=1e-12)
        assert results["trec"][0]["observed"] != row["observed"]
    stdout = irbounds(command, *arguments, "-m", "RR", "--ties", "best").stdout.decode()
    assert "ties in their best order" in " ".join(stdout.split())


def test_chance_reads_a_file_named_with_a_number(run, files):
    (files / "10").write_text((files / "qrels.txt").read_text())
    stdout = run("chance", "10", "one.run", "--corpus-size", "50", *QUICK)[0]
    assert stdout.startswith("judgments 10 (sha256 ")
    with_options = run("chance", "--n-documents", "10", "--n-relevant", "4")[0]
    assert with_options.splitlines()[-2].startswith("AP       0.5286")


def test_chance_positional_and_named_counts_give_equal_output(run):
    positional = run("chance", "10", "4", "--format", "csv")
    assert positional == run(
        "chance", "--n-documents", "10", "--n-relevant", "4", "--format", "csv"
    )
    assert positional == run("chance", "10", "--n-relevant", "4", "--format", "csv")


@pytest.mark.parametrize(
    ("arguments", "values", "options"),
    [
        (("20", "5"), (20, 5), {"measures": ["AP", "RR"]}),
        (("20", "5"), ("20", "5"), {"measures": ["AP", "RR"]}),
        (("20", "5"), (np.int64(20), [np.int64(5)]), {"measures": ["AP", "RR"]}),
        (("20", "5"), (), {"n_documents": 20, "n_relevant": 5, "measures": ["AP", "RR"]}),
        (("20", "5", "--observed", "0.4"), (20, 5), {"observed": 0.4}),
    ],
)
def test_chance_of_document_counts_equals_python(run, arguments, values, options):
    names = as_list(options.get("measures", "AP"))
    measures = [text for name in names for text in ("-m", name)]
    draw_options = ("--n-draws", "200", "--seed", "3")
    json_text, _ = run("chance", *arguments, *measures, *draw_options, "--format", "json")
    levels = chance(*values, n_draws=200, seed=3, **options)
    assert json.loads(json_text)["results"] == levels.records()
    lines = run("chance", *arguments, *measures, *draw_options)[0].splitlines()
    assert str(levels).splitlines()[:2] == lines[:2]


@pytest.mark.parametrize("arguments", [(), ("one.run", "two.run"), ("one.run", "--per-query")])
def test_chance_of_a_collection_equals_python(run, files, arguments):
    runs = [str(files / name) for name in arguments if name.endswith(".run")] or None
    json_text, _ = run("chance", *COLLECTION, *arguments, *QUICK, "-m", "RR", "--format", "json")
    options = {"measures": "RR", "n_draws": 99, "per_query": "--per-query" in arguments}
    levels = chance(files / "qrels.txt", runs, corpus_size=50, **options)
    document = json.loads(json_text)
    assert document["results"] == levels.records()
    assert document["found"][0].startswith("chance: a random ranking of 50 documents")


def test_chance_function_requires_judgments_for_runs():
    with pytest.raises(package.errors.ParameterError, match="needs qrels"):
        chance(runs={"r": {"q": {"a": 1.0}}})


def test_chance_prints_the_rule_for_ties_above_the_table(run):
    stdout, _ = run("chance", *COLLECTION, "one.run", "--ties", "worst", *QUICK)
    assert "on request: ties in their worst order" in stdout.splitlines()


def test_chance_of_document_counts_writes_a_figure(irbounds, tmp_path):
    arguments = ("chance", "10", "4", "--observed", "0.7")
    plain = irbounds(*arguments)
    result = irbounds(*arguments, "--figure", "chance.svg")
    assert (result.returncode, result.stdout) == (0, plain.stdout)
    assert "0.7 observed (p = 0.162)" in (tmp_path / "chance.svg").read_text()


def test_chance_draws_systems(irbounds, files):
    result = irbounds("chance", *COLLECTION, "one.run", *QUICK, "--figure", "systems.json")
    assert result.returncode == 0, result.stderr
    systems = json.loads((files / "systems.json").read_text())
    assert systems["title"] == "Mean AP compared with random rankings of the corpus"
