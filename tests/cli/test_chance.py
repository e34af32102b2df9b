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
    """What a command writes to standard output, and to standard error."""

    def call(*arguments: str) -> tuple[str, str]:
        done = irbounds(*arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout.decode(), done.stderr.decode()

    return call


def test_numbers(irbounds):
    done = irbounds("chance", "10", "4")
    assert done.stdout.decode().splitlines() == [
        "chance: a random ranking of 10 documents, 4 of them relevant (prevalence 0.4)",
        "Distribution: exact.",
        "",
        "scores of random rankings: mean, standard deviation and quantiles",
        "measure  chance      sd     5 %    50 %    95 %    99 %",
        "AP       0.5286  0.1563  0.3180  0.5048  0.8167  0.9167",
    ]
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_score_beside_numbers(run):
    lines = run("chance", "10", "4", "--observed", "0.7", "--digits", "4")[0].splitlines()
    assert lines[2] == "p is how often a random ranking scores as high or higher."
    corrected = package.random_rankings.corrected_score(0.7, package.expected_score(10, 4))
    p = package.random_rankings.p_value(0.7, 10, 4)
    assert lines[-2].split()[-3:] == ["score", "corrected", "p"]
    assert lines[-1].split()[1] == "0.5286"
    assert lines[-1].split()[-3:] == ["0.7000", f"{corrected:.4f}", f"{p:.3f}"]


def test_numbers_as_records(run):
    arguments = ("chance", "20", "5", "-m", "AP", "-m", "nDCG@5")
    written, _ = run(*arguments, "--format", "json", "--seed", "3", "--n-draws", "200")
    document = json.loads(written)
    first, second = document["results"]
    assert (first["n_documents"], first["n_relevant"], first["prevalence"]) == (20, 5, 0.25)
    assert first["expected"] == package.expected_score(20, 5)
    assert (first["method"], first["n_draws"], first["seed"]) == ("exact", None, None)
    assert first["p_value"] is None
    chance = package.random_rankings.null_distribution(20, 5, "nDCG@5", n_draws=200, rng=3)
    assert (second["method"], second["n_draws"], second["seed"]) == ("monte-carlo", 200, 3)
    assert second["quantile_0.99"] == chance.quantile(0.99)
    assert document["irbounds"] == package.__version__


def test_grades_methods_and_sides(run):
    written, said = run(
        *("chance", "100", "--grades", "1:20,2:5", "-m", "nDCG@10", "--observed", "0.2"),
        *("--method", "matched-moments", "--alternative", "less", "--format", "jsonl"),
    )
    record = json.loads(written)
    assert (record["n_relevant"], record["method"]) == (25, "matched-moments")
    assert "warning: matched-moments is rough for nDCG@10" in said
    with pytest.warns(package.errors.DegenerateSampleWarning, match="rough for nDCG@10"):
        chance = package.random_rankings.null_distribution(
            100, {1: 20, 2: 5}, "nDCG@10", method="matched-moments"
        )
    assert record["p_value"] == chance.p_value(0.2, "less")


def test_the_same_seed_gives_the_same_bytes(run):
    arguments = ("chance", "50", "5", "-m", "RR", *QUICK, "--format", "csv", "--observed", "0.3")
    once = run(*arguments)
    assert run(*arguments, "--seed", "0") == once
    assert run(*arguments, "--seed", "1") != once


def test_help_states_the_default_measure(run):
    assert "[AP]" in " ".join(run("chance", "--help")[0].split())
    assert "[AP,nDCG@10]" in " ".join(run("evaluate", "--help")[0].split())


def test_numbers_load_nothing_heavy(loaded_by):
    measures = ("-m", "AP", "-m", "nDCG@10", "-m", "ERR@5", "-m", "RR")
    assert loaded_by("chance", "10", "4", *measures, *QUICK) == []
    assert loaded_by("chance", "10", "4", "--observed", "0.5") == []


def test_the_check_above_can_fail(files, loaded_by):
    arguments = (str(files / "qrels.txt"), "--corpus-size", "50")
    assert "numba" in loaded_by("chance", *arguments)


COLLECTION = ("qrels.txt", "--corpus-size", "50")


def test_systems_beside_chance(irbounds, files):
    done = irbounds("chance", *COLLECTION, "one.run", "two.run", "-m", "AP", *QUICK)
    assert (done.returncode, done.stderr) == (0, b"")
    lines = done.stdout.decode().splitlines()
    assert lines[0].startswith("judgments qrels (sha256 ")
    assert lines[-8:-6] == [
        "chance: a random ranking of 50 documents, cut where each run ends",
        "p is how often a random ranking scores as high or higher.",
    ]
    title = "AP: mean over 6 judged queries, compared with a random ranking of the corpus"
    assert lines[-5] == title
    assert lines[-1].startswith("p by random draws; ")
    assert lines[-4].split() == [
        "system", "score", "chance", "sd", "of", "chance", "corrected", "p",
    ]  # fmt: skip


def test_csv_holds_what_python_gives(run, files):
    paths = [str(files / name) for name in ("qrels.txt", "one.run", "two.run")]
    written, _ = run(
        "chance", *COLLECTION, "one.run", "two.run", "-m", "AP", "-m", "P@5", *QUICK,
        "--format", "csv", "--seed", "4",
    )  # fmt: skip
    rows = list(csv.DictReader(io.StringIO(written)))
    expected = chance(
        paths[0], paths[1:], measures=["AP", "P@5"], corpus_size=50, n_draws=99, seed=4
    )
    by_key = {(row.measure, row.system): row for row in expected}
    assert len(rows) == 4
    for row in rows:
        one = by_key[row["measure"], row["system"]]
        assert float(row["expected"]) == one.expected
        assert float(row["observed"]) == one.observed
        assert float(row["corrected"]) == one.corrected
        assert float(row["p_value"]) == one.p_value
        assert row["population"] == "corpus"


def test_every_query(run, files):
    arguments = ("chance", "qrels.txt", "--population", "retrieved", "one.run")
    written, _ = run(*arguments, "--per-query", "--format", "jsonl", *QUICK)
    records = [json.loads(line) for line in written.splitlines()]
    (row,) = chance(str(files / "qrels.txt"), str(files / "one.run"), population="retrieved")
    assert [(one["query_id"], one["p_value"]) for one in records] == [
        (query.query_id, query.p_value) for query in row.queries
    ]
    assert {(one["measure"], one["system"]) for one in records} == {("AP", "one")}
    shown, _ = run(*arguments, "--per-query", *QUICK)
    assert "chance: a random ranking of the documents that each run retrieved" in shown
    assert "AP of each query: one compared with chance" in shown


def test_chance_alone(run, files):
    lines = run("chance", *COLLECTION, "-m", "AP", "-m", "RR")[0].splitlines()
    assert lines[0] == "chance: a random ranking of 50 documents"
    assert lines[2] == "chance levels of a random ranking of the corpus: mean over 6 judged queries"
    assert [line.split()[0] for line in lines[3:]] == ["measure", "AP", "RR"]
    rows = chance(str(files / "qrels.txt"), None, measures="AP", corpus_size=50)
    assert float(lines[4].split()[1]) == pytest.approx(rows[0].expected, abs=0.005)
    assert "AP of each query: chance level" in run("chance", *COLLECTION, "--per-query")[0]


def test_judged_documents_and_a_list(run, files):
    (files / "extra.run").write_text("q0 Q0 d1 1 2 t\nq0 Q0 unknown 2 1 t\n")
    said, _ = run("chance", "qrels.txt", "--population", "judged", "extra.run")
    assert "8 documents, the judged ones of each query, cut where each run ends" in said
    assert "warning: retrieved documents without a judgment, which count as not relevant" in said
    (files / "ids.txt").write_text("".join(f"d{k}\n" for k in range(1, 50)))
    said, _ = run("chance", "qrels.txt", "--corpus", "ids.txt")
    assert said.startswith("chance: a random ranking of 50 documents\nwarning: ")


def test_output_and_standard_input(irbounds, files):
    text = (files / "qrels.txt").read_bytes()
    done = irbounds("chance", "-", "--corpus-size", "50", "one.run", "-o", "t.md", stdin=text)
    assert (done.returncode, done.stdout) == (0, b"")
    assert "chance: a random ranking of 50 documents" in done.stderr.decode()
    assert "| system | score | chance |" in (files / "t.md").read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "needs QRELS, or --n-documents with --n-relevant or --grades; got neither"),
        (("10",), "--n-relevant or --grades; got --n-documents 10"),
        (("--n-relevant", "4"), "--n-relevant or --grades; got --n-relevant 4"),
        (("10", "4", "5"), "needs --n-documents and --n-relevant, each once; got 10, 4 and 5"),
        (("10", "--n-documents", "9"), "each once; got 10"),
        (("10", "four"), "--n-relevant must be an integer; got 'four'"),
        (("10,000", "4"), "--n-documents must be an integer; got '10,000'; write 10000"),
        (("10", "12"), "--n-relevant must be at most --n-documents; got 12 relevant of 10"),
        (("0", "0"), "--n-documents must be an integer of at least 1; got 0"),
        (("10", "4", "--observed", "7"), "observed must lie between 0 and 1; got 7"),
        (("10", "4", "--observed", "nan"), "observed must be a number; got nan"),
        (("10", "4", "--grades", "1:2"), "--grades takes the place of --n-relevant"),
        (("10", "--grades", "1"), "--grades must be grades and their numbers of documents, as in"),
        (("10", "--grades", "1:2,1:3"), "--grades must have each grade once; got '1:2,1:3'"),
        (("10", "--grades", "0:2"), "grades must be integers of 1 to 999,999,999; got 0"),
        (
            ("10", "4", "--corpus-size", "9"),
            "--corpus-size is for QRELS and RUN; --n-documents and",
        ),
        (("10", "4", "--per-query"), "--per-query is for QRELS and RUN; --n-documents and"),
        (
            ("10", "4", "--ties", "best", "--depth", "5"),
            "--ties and --depth are for QRELS and RUN; --n-documents and --n-relevant",
        ),
        (("10", "4", "-m", "Bpref"), "Bpref has no formula for what chance scores; these have"),
        (("10", "4", "-m", "nDCQ@10"), "did you mean nDCG@10?"),
        (("10", "4", "--n-draws", "1000000000"), "--n-draws must be at most"),
        (("100", "30", "--method", "exact"), "method 'exact' counts rankings"),
        (("qrels.txt",), "which documents does a random ranking have? give --corpus-size or"),
        (("qrels.txt", "--population", "corpus"), "which documents does a random ranking have?"),
        (
            ("qrels.txt", "--population", "retrieved"),
            "--population retrieved is each run's own documents: needs RUN",
        ),
        (
            ("qrels.txt", "--population", "judged", "--corpus-size", "50"),
            "--population judged takes no --corpus-size",
        ),
        ((*COLLECTION, "--corpus", "ids.txt"), "--corpus takes the place of --corpus-size; give"),
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
        (
            (*COLLECTION, "--grades", "1:2", "--n-documents", "9"),
            "--n-documents and --grades are for numbers of documents",
        ),
        ((*COLLECTION, "no.run"), "no.run: no such file"),
        ((*COLLECTION, "one.run", "-m", "SetP"), "SetP has no formula for what chance scores"),
        ((*COLLECTION, "-o", "t.parquet"), "t.parquet: "),
    ],
)
def test_errors_are_one_line(irbounds, files, arguments, said):
    done = irbounds("chance", *arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    assert said in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1


def test_an_error_ends_with_status_2(irbounds):
    done = irbounds("chance", "10", "12")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == (
        b"irbounds: error: --n-relevant must be at most --n-documents; got 12 relevant of 10\n"
    )


# evaluate --chance

EVALUATE = ("evaluate", "qrels.txt", "one.run", "two.run", "-m", "AP", "--method", "student-t")


def test_chance_beside_means(run, files):
    lines = run(*EVALUATE, "--chance", "--corpus-size", "50")[0].splitlines()
    assert "chance: a random ranking of 50 documents, cut where each run ends" in lines
    assert lines[-5].split() == ["system", "mean", "low", "high", "chance", "corrected"]
    plain = run(*EVALUATE)[0].splitlines()
    assert [line.split()[:4] for line in lines[-4:-2]] == [line.split() for line in plain[-4:-2]]
    written, _ = run(*EVALUATE, "--chance", "--corpus-size", "50", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(written)))
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


def test_chance_of_each_runs_own_documents(run):
    written, _ = run(*EVALUATE, "--chance", "--population", "retrieved", "--format", "jsonl")
    (first, _) = (json.loads(line) for line in written.splitlines())
    assert first["population"] == "retrieved"
    # all eight documents are retrieved and judged: two or three of them are relevant
    assert 0.4 < first["chance"] < 0.6


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--chance",), "which documents does a random ranking have? give --corpus-size or"),
        (("--corpus-size", "50"), "--corpus-size is for chance"),
        (("--population", "judged"), "population is for chance"),
        (
            ("--chance", "--corpus-size", "50", "--per-query"),
            "--chance is about means of runs: chance levels per query are in irbounds chance",
        ),
        (
            ("--chance", "--corpus-size", "50", "-m", "Bpref"),
            "Bpref has no formula for what chance scores; these have one: AP,",
        ),
        (
            ("--chance", "--corpus-size", "5"),
            "--corpus-size must be at least the 8 documents that the judgments and runs name",
        ),
    ],
)
def test_errors_of_chance(irbounds, files, arguments, said):
    done = irbounds(*EVALUATE, *arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    assert said in done.stderr.decode()


def test_scores_do_not_say_what_was_ranked(irbounds, files):
    (files / "ap.csv").write_text("topic,a\n1,0.5\n2,0.25\n")
    done = irbounds("evaluate", "--scores", "AP=ap.csv", "--chance", "--corpus-size", "50")
    assert done.returncode == 2
    assert b"scores do not say what was ranked" in done.stderr


def test_one_score_is_by_one_measure(irbounds):
    done = irbounds("chance", "10", "4", "-m", "AP", "-m", "RR", "--observed", "0.5")
    assert done.stderr == (b"irbounds: error: --observed is a score by one measure; got AP, RR\n")


def test_what_cannot_be_drawn_still_has_a_mean(run):
    shown, _ = run("chance", str(10**12), str(10**9))
    assert "warning: AP: no quantiles and no p: monte-carlo draws the rank" in shown
    assert shown.splitlines()[-1].split() == ["AP", "0.00100000", "3.2e-08", "-", "-", "-", "-"]


CONSTANT = "".join(f"q{k} Q0 d{j} {j + 1} 0.5 t\n" for k in range(6) for j in range(8))


@pytest.mark.parametrize("command", ["chance", "compare", "rank"])
def test_ties_are_scored_as_asked(irbounds, files, command):
    (files / "constant.run").write_text(CONSTANT)
    arguments = ["qrels.txt", "constant.run", "one.run"]
    if command == "chance":
        arguments = ["qrels.txt", "constant.run", "--population", "retrieved", *QUICK]
    found = {}
    for ties in ("trec", "expected"):
        done = irbounds(command, *arguments, "-m", "RR", "--ties", ties, "--format", "json")
        found[ties] = json.loads(done.stdout)["results"]
    assert [row.get("ties") for row in found["trec"]] == [None] * len(found["trec"])
    assert {row["ties"] for row in found["expected"]} == {"expected"}
    if command == "chance":  # a run that ranks nothing scores what chance does
        (row,) = found["expected"]
        assert row["observed"] == pytest.approx(row["expected"], abs=1e-12)
        assert row["corrected"] == pytest.approx(0, abs=1e-12)
        assert found["trec"][0]["observed"] != row["observed"]
    shown = irbounds(command, *arguments, "-m", "RR", "--ties", "best").stdout.decode()
    assert "ties in their best order" in " ".join(shown.split())


@pytest.mark.parametrize(
    ("arguments", "score", "ends"),
    [
        (("10", "3", "-m", "P@10"), "0.8", "0.3 and 0.3"),
        (("10", "0"), "0.5", "0 and 0"),
        (("10", "10"), "0.5", "1 and 1"),
    ],
)
def test_a_score_that_no_ranking_has(run, arguments, score, ends):
    shown, _ = run("chance", *arguments, "--observed", score, *QUICK)
    name = arguments[-1] if "-m" in arguments else "AP"
    said = f"no ranking of these documents scores {score} by {name}: scores lie between {ends}"
    assert f"warning: {said}\n" in shown
    possible, _ = run("chance", *arguments, "--observed", ends.split()[0], *QUICK)
    assert "warning" not in possible


def test_a_file_with_a_number_for_its_name_is_read(run, files):
    (files / "10").write_text((files / "qrels.txt").read_text())
    shown = run("chance", "10", "one.run", "--corpus-size", "50", *QUICK)[0]
    assert shown.startswith("judgments 10 (sha256 ")
    numbers = run("chance", "--n-documents", "10", "--n-relevant", "4")[0]
    assert numbers.splitlines()[-1].startswith("AP       0.5286")


def test_numbers_by_place_and_by_name_are_the_same(run):
    by_place = run("chance", "10", "4", "--format", "csv")
    assert by_place == run("chance", "--n-documents", "10", "--n-relevant", "4", "--format", "csv")
    assert by_place == run("chance", "10", "--n-relevant", "4", "--format", "csv")
    assert by_place == run("chance", "10", "--grades", "1:4", "--format", "csv")


@pytest.mark.parametrize(
    ("words", "values", "options"),
    [
        (("20", "5"), (20, 5), {"measures": ["AP", "RR"]}),
        (("20", "5"), ("20", "5"), {"measures": ["AP", "RR"]}),
        (("20", "5"), (np.int64(20), [np.int64(5)]), {"measures": ["AP", "RR"]}),
        (("20", "5"), (), {"n_documents": 20, "n_relevant": 5, "measures": ["AP", "RR"]}),
        (("20", "5", "--observed", "0.4"), (20, 5), {"observed": 0.4}),
        (("20", "--grades", "1:3,2:2"), (20,), {"grades": {1: 3, 2: 2}, "measures": "nDCG@5"}),
        (("20", "--grades", "1:3,2:2"), (20,), {"grades": "1:3,2:2", "measures": "nDCG@5"}),
    ],
)
def test_numbers_have_the_same_digits_in_python(run, words, values, options):
    names = as_list(options.get("measures", "AP"))
    measures = [text for name in names for text in ("-m", name)]
    more = ("--n-draws", "200", "--seed", "3")
    written, _ = run("chance", *words, *measures, *more, "--format", "json")
    levels = chance(*values, n_draws=200, seed=3, **options)
    assert json.loads(written)["results"] == levels.records()
    shown = run("chance", *words, *measures, *more)[0].splitlines()
    assert str(levels).splitlines()[:2] == shown[:2]  # a wide text has bars beside its numbers


@pytest.mark.parametrize("more", [(), ("one.run", "two.run"), ("one.run", "--per-query")])
def test_a_collection_has_the_same_digits_in_python(run, files, more):
    runs = [str(files / name) for name in more if name.endswith(".run")] or None
    written, _ = run("chance", *COLLECTION, *more, *QUICK, "-m", "RR", "--format", "json")
    options = {"measures": "RR", "n_draws": 99, "per_query": "--per-query" in more}
    levels = chance(files / "qrels.txt", runs, corpus_size=50, **options)
    document = json.loads(written)
    assert document["results"] == levels.records()
    assert document["found"][0].startswith("chance: a random ranking of 50 documents")


def test_grades_in_python(run):
    for wrong in ({1: 0.5}, {"a": 1}, [1, 2], {}, 7):
        with pytest.raises(
            package.errors.ParameterError, match="grades must be grades and their numbers"
        ):
            chance(10, grades=wrong)


def test_runs_need_judgments():
    with pytest.raises(package.errors.ParameterError, match="needs qrels"):
        chance(runs={"r": {"q": {"a": 1.0}}})


def test_the_rule_for_ties_is_said_above_the_table(run):
    shown, _ = run("chance", *COLLECTION, "one.run", "--ties", "worst", *QUICK)
    assert "on request: ties in their worst order" in shown.splitlines()


def test_a_figure_and_a_report_of_numbers(irbounds, tmp_path):
    arguments = ("chance", "10", "4", "--observed", "0.7")
    plain = irbounds(*arguments)
    done = irbounds(*arguments, "--figure", "chance.svg", "--report", "page.html")
    assert (done.returncode, done.stdout) == (0, plain.stdout)
    assert "0.7 observed (p = 0.162)" in (tmp_path / "chance.svg").read_text()
    page = (tmp_path / "page.html").read_text()
    assert "Better than chance does not mean good" in page
    assert "Bestgen, Y. (2015)" in page


def test_a_figure_of_systems_and_one_of_queries(irbounds, files):
    for name, runs in (("systems.json", ["one.run", "two.run"]), ("queries.json", [])):
        draws = QUICK if runs else ()
        done = irbounds("chance", *COLLECTION, *runs, *draws, "--figure", name)
        assert done.returncode == 0, done.stderr
    systems, queries = (
        json.loads((files / name).read_text()) for name in ("systems.json", "queries.json")
    )
    assert systems["title"] == "Mean AP compared with random rankings of the corpus"
    assert "6 queries: AP of random rankings" in queries["description"]


def test_without_a_distribution_there_is_no_figure(irbounds, tmp_path):
    done = irbounds("chance", "1000000000000", "500000000", "--figure", "chance.png")
    assert done.returncode == 2
    said = b"error: --figure chance.png: the other options leave no figure to draw\n"
    assert done.stderr.endswith(said)
    assert done.stdout == b""  # said before the tables are shown
    assert not (tmp_path / "chance.png").exists()
