"""irbounds recall."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from typing import get_args

import pytest

import irbounds as package
from irbounds.cli.error_messages import describe_error
from irbounds.cli.runner import run_command
from irbounds.results import Sample, Stratum
from irbounds.samples import quantities
from irbounds.samples import recall_intervals as intervals
from irbounds.validation import RecallMethod
from irbounds.verbs.recall import QUANTITIES, recall

COUNTS = ("--retrieved", "2000", "100", "50", "--unretrieved", "100000", "100", "3")
SMALL_COUNTS = ("--retrieved", "200", "100", "50", "--unretrieved", "1000", "100", "3")


def test_recall_of_counts_prints_summary_and_table(irbounds):
    result = irbounds("recall", *COUNTS)
    estimate = package.recall_interval(retrieved=(2000, 100, 50), unretrieved=(100_000, 100, 3))
    low, high = f"{estimate.interval.low:.2f}", f"{estimate.interval.high:.2f}"
    lines = result.stdout.decode().splitlines()
    assert lines[:3] == [
        "retrieved    2,000 documents, 100 sampled, 50 relevant",
        "unretrieved  100,000 documents, 100 sampled, 3 relevant",
        f"Recall is between {low} and {high} at the 95 % level; the estimate is 0.25.",
    ]
    start = lines.index("95 % interval (beta-binomial, prior 0.5)")
    assert lines[start + 1].split() == ["quantity", "estimate", "low", "high"]
    assert lines[start + 2].split() == ["recall", "0.25", low, high]
    names = [line.split()[0] for line in lines[start + 2 : -3]]
    assert names == ["recall", "precision", "F1", "yield", "prevalence", "elusion"]
    assert lines[-3:-1] == ["yield: relevant documents in all", ""]
    assert lines[-1].startswith(f"`irbounds plan-recall {' '.join(COUNTS)} --budget N` plans")
    assert (result.returncode, result.stderr) == (0, b"")


OTHER_OPTIONS = ((), ("--method", "monte-carlo"), ("--help",))


@pytest.mark.parametrize(
    "options",
    [("--all-methods",), *(pytest.param(other, marks=pytest.mark.slow) for other in OTHER_OPTIONS)],
)
def test_recall_of_counts_imports_no_large_libraries(options, loaded_by):
    assert loaded_by("recall", *SMALL_COUNTS, *options) == []


def test_recall_of_a_strata_file_imports_no_large_libraries(write, loaded_by):
    assert loaded_by("recall", str(write("s.csv", STRATA)), "--format", "json") == []


@pytest.mark.slow
def test_recall_of_a_systems_file_imports_no_large_libraries(write, loaded_by):
    assert loaded_by("recall", str(write("t.csv", SYSTEMS))) == []


@pytest.mark.slow
def test_recall_of_documents_imports_numba(write, loaded_by):
    """Compiled loops read documents, so the import checks above can fail."""
    retrieved_ids = write("found.txt", "a\nb\n")
    assessments = write("a.csv", "doc_id,relevance\na,1\nx,0\n")
    arguments = (
        "--assessed",
        str(assessments),
        "--retrieved-ids",
        str(retrieved_ids),
        "--corpus-size",
        "50",
    )
    assert "numba" in loaded_by("recall", *arguments)


STRATA = """\
stratum,retrieved,population,sampled,relevant,assessable
top,yes,500,50,40,50
next,yes,1500,50,10,45
rest,no,5000,100,3,100
"""
SYSTEMS = """\
topic,teams,pattern,N,n,r2
7,A B,RR,100,50,40
7,A B,RN,200,50,10
7,A B,NR,300,50,20
7,A B,NN,4000,50,1
8,A,R,100,50,10
8,A,N,4000,50,1
"""


def test_recall_json_of_a_strata_file(irbounds, write):
    path = write("s.csv", STRATA)
    result = irbounds("recall", "s.csv", "--quantity", "recall", "--format", "json")
    document = json.loads(result.stdout)
    estimate = package.recall_interval(package.samples.read_strata(path))
    (record,) = document["results"]
    assert (record["estimate"], record["low"], record["high"]) == (
        estimate.value,
        estimate.interval.low,
        estimate.interval.high,
    )
    assert (record["prior"], record["method"], record["table_error"]) == (
        "0.5", "beta-binomial", 0.0,
    )  # fmt: skip
    assert document["irbounds"] == package.__version__
    fingerprint = f"sha256:{hashlib.sha256(STRATA.encode()).hexdigest()}"
    assert document["inputs"] == [{"name": "s.csv", "fingerprint": fingerprint}]
    (sample,) = document["samples"]
    assert sample["strata"][1] == {
        "name": "next",
        "retrieved": True,
        "population": 1500,
        "sampled": 50,
        "relevant": 10,
        "assessable": 45,
    }
    assert record["retrieved_population"] == 2000
    assert record["retrieved_assessable"] == 95
    assert document["found"][0].startswith("Recall is between ")


def test_recall_reads_standard_input_with_one_result_per_team(irbounds):
    result = irbounds("recall", "-", "--format", "csv", stdin=SYSTEMS.encode())
    rows = list(csv.DictReader(io.StringIO(result.stdout.decode())))
    assert [(row["topic"], row["system"], row["quantity"]) for row in rows] == [
        ("7", "B", "recall"), ("7", "A", "recall"), ("8", "A", "recall"),
    ]  # fmt: skip
    strata = [
        package.samples.Stratum("RR", True, 100, 50, 40),
        package.samples.Stratum("RN", False, 200, 50, 10),
        package.samples.Stratum("NR", True, 300, 50, 20),
        package.samples.Stratum("NN", False, 4000, 50, 1),
    ]
    expected = package.recall_interval(strata).interval
    assert (float(rows[0]["low"]), float(rows[0]["high"])) == (expected.low, expected.high)
    stdout = irbounds("recall", "-", stdin=SYSTEMS.encode()).stdout.decode()
    assert stdout.startswith("samples 3 retrieved sets, 2 topics\n")
    assert "topic 8: recall with its 95 % interval (beta-binomial, prior 0.5)" in stdout


def test_recall_reproduces_published_legal09_results(irbounds, data_directory):
    """Official recall, precision and F1 of 24 runs, to every printed digit (3 decimals)."""
    result = irbounds(
        "recall", str(data_directory / "legal09" / "legal09_strata.csv"),
        "--method", "normal-official", "--format", "csv",
        "--quantity", "recall,precision,F",
    )  # fmt: skip
    computed = {
        (row["topic"], row["system"], row["quantity"].lower()): row
        for row in csv.DictReader(io.StringIO(result.stdout.decode()))
    }
    with (data_directory / "legal09" / "legal09_published.csv").open() as file:
        published = list(csv.DictReader(file))
    assert len(computed) == 3 * len(published) == 72
    for row in published:
        for quantity in ("recall", "precision", "f1"):
            record = computed[row["topic"], row["run"], quantity]
            for name, column in (("estimate", ""), ("low", "_lo"), ("high", "_hi")):
                published_value = float(row[f"{quantity}{column}"])
                assert float(record[name]) == pytest.approx(published_value, abs=0.000501)


def test_recall_all_methods_lists_every_method(irbounds):
    lines = irbounds("recall", *COUNTS, "--all-methods").stdout.decode().splitlines()
    start = lines.index("recall 0.25, its 95 % interval by 9 methods")
    rows = [line.split() for line in lines[start + 2 : -2]]
    assert [row[0] for row in rows] == [
        "naive-binomial", "normal", "laplace", "agresti-coull", "koopman", "beta-jeffreys",
        "beta-binomial", "beta-binomial", "beta-binomial",
    ]  # fmt: skip
    assert [row[1] for row in rows[6:]] == ["uniform", "most-conservative", "0.5"]
    assert [row for row in rows if "recommended" in row] == [rows[-1]]
    assert any(
        line.startswith("Computed for this design") and "that of other methods differs" in line
        for line in lines
    )


def test_recall_all_methods_explains_why_koopman_is_not_for_strata(irbounds, write):
    write("s.csv", STRATA)
    result = irbounds("recall", "s.csv", "--all-methods")
    lines = result.stdout.decode().splitlines()
    (row,) = [line.split() for line in lines if line.startswith("koopman")]
    assert row[1:] == ["not", "for", "strata", "-", "-", "-"]
    assert any(line.startswith("warning: method 'koopman' takes one stratum") for line in lines)


def test_recall_seed_determines_monte_carlo_draws(irbounds):
    def run_monte_carlo(*options):
        return irbounds(
            *("recall", *SMALL_COUNTS, "--quantity", "recall", "--method", "monte-carlo"),
            *("--format", "jsonl", *options),
        ).stdout

    assert run_monte_carlo() == run_monte_carlo("--seed", "0")
    assert run_monte_carlo() != run_monte_carlo("--seed", "1")
    assert json.loads(run_monte_carlo("--n-draws", "500"))["n_draws"] == 500


def test_recall_uses_alternative_prior_level_and_beta(irbounds):
    result = irbounds(
        "recall", *COUNTS, "--alternative", "greater", "--prior", "1,2",
        "--confidence-level", "0.9", "--quantity", "F", "--beta", "2", "--format", "jsonl",
    )  # fmt: skip
    estimate = package.samples.f_interval(
        retrieved=(2000, 100, 50),
        unretrieved=(100_000, 100, 3),
        beta=2.0,
        prior=(1, 2),
        confidence_level=0.9,
        alternative="greater",
    )
    row = json.loads(result.stdout)
    assert (row["quantity"], row["estimate"]) == ("F2", estimate.value)
    assert (row["low"], row["high"]) == (estimate.interval.low, estimate.interval.high)


def test_recall_quantity_ignores_case_and_order(irbounds):
    options = ("--quantity", "RECALL,f1", "--quantity", "F")
    result = irbounds("recall", *COUNTS, *options, "--format", "jsonl")
    assert [json.loads(line)["quantity"] for line in result.stdout.splitlines()] == ["recall", "F1"]


def test_recall_quantities_and_methods_equal_library_names():
    assert QUANTITIES == intervals.QUANTITIES
    assert set(get_args(RecallMethod)) == set(quantities.METHODS)


def test_recall_warns_about_an_unknown_column(irbounds, write):
    write("s.csv", STRATA.replace("assessable", "assesable"))
    stdout = irbounds("recall", "s.csv", "--quantity", "recall").stdout.decode()
    assert "\nwarning: s.csv: column 'assesable' is ignored; expected are stratum, " in stdout


def test_recall_of_complete_assessment_and_of_an_unsampled_part(irbounds):
    """Neither summary mentions repeated sampling."""
    fully_assessed = irbounds(
        "recall", "--retrieved", "200", "200", "50", "--unretrieved", "900", "900", "3"
    ).stdout.decode()
    assert (
        "\nEverything was assessed: recall is 0.9434, without sampling error.\n" in fully_assessed
    )
    partly_unsampled = irbounds(
        "recall", "--retrieved", "200", "100", "50", "--unretrieved", "900", "0", "0"
    ).stdout.decode()
    assert (
        "\nPart of the corpus was not sampled: results that depend on it rest on the pri"
        in partly_unsampled
    )
    for stdout in (fully_assessed, partly_unsampled):
        assert "repeated sampling" not in stdout


def test_recall_uses_assessable_and_cap_at_one(irbounds):
    result = irbounds(
        "recall", "--retrieved", "2000", "100", "50", "--unretrieved", "9000", "100", "0",
        "--assessable", "90", "100", "--cap-at-one", "--format", "jsonl",
        "--quantity", "recall,precision",
    )  # fmt: skip
    recall, precision = map(json.loads, result.stdout.splitlines())
    assert (recall["high"], recall["cap_at_one"]) == (1.0, True)
    assert precision["estimate"] == pytest.approx(50 / 90)
    assert (recall["retrieved_assessable"], recall["unretrieved_assessable"]) == (90, 100)


DOCUMENTS = ("--assessed", "a.qrels", "--run", "b.run", "--query", "7", "--cut-rank", "20")


@pytest.fixture
def documents(tmp_path):
    """Write a corpus of 500 ids, 20 retrieved ids, a run of 30 and 25 assessments of query 7."""
    (tmp_path / "ids.txt").write_text("".join(f"d{k}\n" for k in range(500)))
    (tmp_path / "found.txt").write_text("".join(f"d{k}\n" for k in range(20)))
    (tmp_path / "b.run").write_text(
        "".join(f"7 Q0 d{k} {k + 1} {100 - k} t\n" for k in range(30)) + "8 Q0 d1 1 1 t\n"
    )
    assessed = [*range(0, 20, 2), *range(20, 500, 32)]
    (tmp_path / "a.qrels").write_text(
        "".join(f"7 0 d{k} {(k % 3 == 0) - (k == 2)}\n" for k in assessed) + "8 0 d4 1\n"
    )
    return tmp_path


def test_recall_reads_assessed_documents_and_a_run(irbounds, documents):
    result = irbounds("recall", *DOCUMENTS, "--corpus", "ids.txt")
    lines = result.stdout.decode().splitlines()
    assert lines[:6] == [
        "retrieved    20 documents, 10 sampled, 9 assessable, 4 relevant",
        "unretrieved  480 documents, 15 sampled, 5 relevant",
        "b: 20 of 30 documents for query 7, cut after 20",
        "a.qrels: 1 assessed document of negative relevance could not be judged: sampled, but not "
        "assessable",
        "a.qrels: 1 assessment of other queries, left out",
        "a.qrels: taken as one random sample of each segment: 10 of 20 retrieved documents (50 %), "
        "15 of 480 others (3.1 %)",
    ]
    assert "b, query 7: 95 % interval (beta-binomial, prior 0.5)" in lines
    assert (result.returncode, result.stderr) == (0, b"")
    from_ids = irbounds(
        "recall", "--assessed", "a.qrels", "--retrieved-ids", "found.txt", "--query", "7",
        "--corpus-size", "500",
    )  # fmt: skip
    assert from_ids.stdout.decode().splitlines()[-6:] == lines[-6:]


def test_recall_warns_about_documents_missing_from_the_corpus_list(irbounds, documents):
    (documents / "ids.txt").write_text("".join(f"d{k}\n" for k in range(400)))
    result = irbounds("recall", *DOCUMENTS, "--corpus", "ids.txt")
    assert "warning: ids.txt lacks 3 of 25 assessed documents, left out\n" in result.stdout.decode()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "needs --retrieved and --unretrieved, SAMPLES, or --assessed, one of these; got none"),
        (("s.csv", "--query", "7"), "one of these; got SAMPLES and --query"),
        (
            (*COUNTS, "s.csv", "--cut-rank", "3"),
            "got SAMPLES, --retrieved, --unretrieved and --cut-rank",
        ),
        (COUNTS[:4], "needs --unretrieved too"),
        (COUNTS[4:], "needs --retrieved too"),
        (("--assessable", "5", "5"), "needs --retrieved too"),
        (
            ("--retrieved", "10", "20", "3", *COUNTS[4:]),
            "stratum 'retrieved': 20 sampled of a population of 10",
        ),
        (("--retrieved", "10", "-2", "3", *COUNTS[4:]), "stratum 'retrieved': sampled must be a"),
        (("--retrieved", "10", "2"), "requires 3 arguments"),
        (
            ("--retrieved", "10", "2", "many", *COUNTS[4:]),
            "--retrieved must be an integer; got 'many'",
        ),
        (
            ("--retrieved", "2,000", "100", "50", *COUNTS[4:]),
            "--retrieved must be an integer; got '2,000'; write 2000",
        ),
        (
            ("--retrieved", "2.000", "100", "50", *COUNTS[4:]),
            "--retrieved must be an integer; got '2.000'; write 2 or 2000",
        ),
        (
            ("--retrieved", "2000", "100", "50%", *COUNTS[4:]),
            "--retrieved must be an integer; got '50%'; a count is needed, not a percentage",
        ),
        ((*COUNTS[:5], "2.5", "1", "1"), "--unretrieved must be an integer; got '2.5'"),
        (
            ("--retrieved", "2000", "100", *COUNTS[4:]),
            "--retrieved needs 3 values: N SAMPLED RELEVANT; got '--unretrieved'",
        ),
        (
            (*COUNTS[:4], "--unretrieved", "100000", "100", "-o", "out.csv"),
            "--unretrieved needs 3 values: N SAMPLED RELEVANT; got '-o'",
        ),
        (
            ("--assessable", "90", *COUNTS),
            "--assessable needs 2 values: RETRIEVED UNRETRIEVED; got '--retrieved'",
        ),
        (
            (*COUNTS, "--quantity", "recal"),
            "--quantity must be one of recall, precision, F, yield, prevalence, elusion; got 'rec",
        ),
        (
            (*COUNTS, "--quantity", "F2"),
            "--quantity F2 needs --beta, the weight: give --quantity F with beta 2",
        ),
        (
            (*COUNTS, "--quantity", "F1", "--beta", "2"),
            "weight of 1; got beta 2: give --quantity F",
        ),
        ((*COUNTS, "--assessable", "101", "9"), "stratum 'retrieved': 101 assessable of 100 sampl"),
        ((*COUNTS, "--confidence-level", "95"), "got 95, did you mean 0.95?"),
        ((*COUNTS, "--method", "guess"), "guess"),
        ((*COUNTS, "--prior", "none"), "prior must be 'uniform', 'most-conservative', a number"),
        ((*COUNTS, "--method", "normal", "--prior", "1"), "prior is for beta-binomial"),
        ((*COUNTS, "--all-methods", "--method", "normal"), "--method is not for --all-methods"),
        ((*COUNTS, "--all-methods", "--quantity", "yield"), "--quantity is not for --all-methods"),
        (
            (*COUNTS, "--quantity", "recall", "--beta", "2"),
            "--beta is for --quantity F; got 2",
        ),
        ((*COUNTS, "--beta", "0"), "--beta must be a number from 1e-06 to 1e+06; got 0"),
        ((*COUNTS, "--n-draws", "50"), "--n-draws must be an integer of at least 100; got 50"),
        (
            (*COUNTS, "--method", "normal", "--quantity", "recall,yield"),
            "--method normal provides recall, not yield; use --method beta-binomial",
        ),
        (
            (*COUNTS, "--method", "koopman", "--quantity", "yield"),
            "--method koopman provides none of: yield",
        ),
        ((*COUNTS, "--output", "nowhere/x.csv"), "there is no directory nowhere"),
        (("nosuch.csv",), "nosuch.csv: no such file or directory"),
        (("--run", "b.run"), "needs --assessed, the documents that were drawn and assessed"),
        (("--assessed", "a.qrels"), "needs --retrieved-ids or --run"),
        (
            ("--assessed", "a", "--retrieved-ids", "b", "--cut-rank", "3"),
            "needs --run for --cut-rank and --cut-score",
        ),
        (DOCUMENTS, "needs --corpus-size or --corpus"),
        (
            (*DOCUMENTS, "--corpus-size", "5", "--corpus", "ids.txt"),
            "--corpus and --corpus-size: give one of them; got both, --corpus-size 5",
        ),
        (("--assessed", "-", "--run", "-", "--corpus-size", "5"), "standard input (-) can be read"),
        (
            (*DOCUMENTS, "--corpus-size", "22"),
            "--corpus-size is 22, but 35 different documents wer",
        ),
    ],
)
def test_recall_error_messages(documents, monkeypatch, capsys, arguments, message):
    """Run in this process: a process per case would take half a minute in total."""
    monkeypatch.chdir(documents)
    with pytest.raises(Exception, match=r"\w") as error_info:
        run_command(["recall", *arguments])
    assert message in describe_error(error_info.value, ["recall", *arguments])
    assert capsys.readouterr().out == ""


def test_recall_error_has_status_2(irbounds):
    result = irbounds("recall", *COUNTS, "--confidence-level", "95")
    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr.decode() == (
        "irbounds: error: --confidence-level must be a fraction between 0 and 1; got 95, did you "
        "mean 0.95?\n"
    )


@pytest.mark.parametrize("output_format", ["markdown", "latex", "csv", "json", "jsonl", "table"])
def test_recall_writes_every_format_to_a_file(tmp_path, monkeypatch, capsys, output_format):
    monkeypatch.chdir(tmp_path)
    run_command(["recall", *SMALL_COUNTS, "--format", output_format, "--output", "out.x"])
    assert capsys.readouterr().out == ""
    assert "precision" in (tmp_path / "out.x").read_text()


# ---- Python ----


def read_records(result):
    """Return the records that a command wrote as JSON."""
    return json.loads(result.stdout)["results"]


def to_json_records(records):
    """Return records as read back from JSON, with None for NaN."""
    return json.loads(json.dumps(records), parse_constant=lambda name: None)


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ((), {}),
        (("--all-methods",), {"all_methods": True}),
        (
            ("--quantity", "f1,elusion", "--confidence-level", "0.9", "--prior", "1,2"),
            {"quantity": ["F", "elusion"], "confidence_level": 0.9, "prior": (1, 2)},
        ),
        (
            ("--method", "monte-carlo", "--n-draws", "500", "--seed", "3", "--quantity", "recall"),
            {"method": "monte-carlo", "n_draws": 500, "seed": 3, "quantity": "recall"},
        ),
    ],
)
def test_recall_command_equals_python(irbounds, arguments, options):
    result = irbounds("recall", *SMALL_COUNTS, *arguments, "--format", "json")
    estimates = recall(retrieved=(200, 100, 50), unretrieved=(1000, 100, 3), **options)
    assert to_json_records(estimates.records()) == read_records(result)


def test_recall_function_prints_the_summary_of_the_command(irbounds):
    estimates = recall(retrieved=[200, 100, 50], unretrieved="1000,100,3")
    stdout = irbounds("recall", *SMALL_COUNTS).stdout.decode()
    sentences = stdout.partition("\n\n")[0].split()
    assert len(sentences) > 50
    assert str(estimates).split()[: len(sentences)] == sentences


def test_recall_function_accepts_files_samples_and_strata(irbounds, write):
    path = write("s.csv", STRATA)
    rows = read_records(irbounds("recall", "s.csv", "--format", "json"))
    sample = package.samples.read_strata(path)
    assert to_json_records(recall(path).records()) == rows
    for samples in (sample, [sample], tuple(sample)):
        assert to_json_records(recall(samples).records()) == rows
    samples_of_systems = package.samples.read_systems_sheet(write("t.csv", SYSTEMS))
    rows = read_records(irbounds("recall", "t.csv", "--format", "json"))
    assert to_json_records(recall(samples_of_systems).records()) == rows


def test_recall_function_accepts_documents(irbounds, documents):
    arguments = (*DOCUMENTS, "--corpus", "ids.txt", "--format", "json")
    assessments = {
        line.split()[2]: int(line.split()[3])
        for line in (documents / "a.qrels").read_text().splitlines()
        if line.startswith("7 ")
    }
    ids = [f"d{k}" for k in range(20)]
    estimates = recall(assessed=assessments, retrieved_ids=ids, corpus_size=500)
    limits = [(row["low"], row["high"]) for row in read_records(irbounds("recall", *arguments))]
    assert [(estimate.interval.low, estimate.interval.high) for estimate in estimates] == limits


STRATUM = Stratum("x", True, 10, 5, 2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"samples": 3}, "samples must be a file, a Sample, several of them, or strata; got 3"),
        ({"samples": []}, r"samples must be a file, .*got \[\]"),
        ({"samples": [STRATUM, "x"]}, "samples must be a file"),
        ({"samples": [Sample((STRATUM,)), Sample((STRATUM,))]}, "different systems or topics"),
        (
            {"retrieved": (1, 2), "unretrieved": (3, 2, 1)},
            r"retrieved needs 3 values: .*got \(1, 2\)",
        ),
        ({"retrieved": (9, 2, 1), "unretrieved": (9, 2.5, 1)}, "sampled must be an integer"),
        ({"assessed": {}, "run": {}, "retrieved_ids": []}, "needs retrieved_ids or run"),
    ],
)
def test_recall_function_rejects_invalid_values(options, message):
    with pytest.raises(package.IrboundsError, match=message):
        recall(**options)


def test_recall_function_checks_options_before_reading_files():
    with pytest.raises(package.errors.ParameterError, match="prior must be"):
        recall("nosuch.csv", prior="none")
    with pytest.raises(package.errors.ParameterError, match="n_draws must be"):
        recall("nosuch.csv", n_draws=1)
    with pytest.raises(package.errors.ParameterError, match="provides recall, not yield"):
        recall("nosuch.csv", method="normal", quantity=["recall", "yield"])


READ = ("--retrieved", "5000", "5000", "1000", "--unretrieved", "95000", "1500", "0")
CUT = ("--retrieved", "5000", "80")


def test_claim_is_judged_by_exact_limits(irbounds):
    result = irbounds("recall", *READ, "--at-least", "0.75", "--format", "json")
    row = json.loads(result.stdout)["results"][0]
    assert (row["quantity"], row["method"], row["alternative"]) == ("recall", "exact", "greater")
    assert row["is_shown"] is True
    assert row["low"] == pytest.approx(1000 / 1188)


def test_claim_that_is_not_shown_has_the_sample_that_would_show_it(irbounds):
    counts = ("--retrieved", "5000", "all", "1000", "--unretrieved", "95000", "100", "0")
    result = irbounds("recall", *counts, "--at-least", "0.75", "--format", "json")
    row = json.loads(result.stdout)["results"][0]
    assert (row["is_shown"], row["sample_needed"]) == (False, 847)


def test_sheet_of_many_sets_has_a_verdict_for_each(irbounds, write):
    lines = SYSTEMS.splitlines()
    unjudged = [f"{line},{'a' if k == 0 else 48 if k == 3 else 50}" for k, line in enumerate(lines)]
    write("many.csv", "\n".join(unjudged))
    claim = ("recall", "many.csv", "--at-least", "0.3")
    text = irbounds(*claim).stdout.decode()
    assert text.count("could not be judged") == 1
    assert text.count("one look") == 1
    rows = json.loads(irbounds(*claim, "--format", "json").stdout)["results"]
    assert {(row["topic"], row["system"]) for row in rows} == {("7", "A"), ("7", "B"), ("8", "A")}
    for row in rows:
        assert row["is_shown"] is (row["low"] >= 0.3)
    assert {row["is_shown"] for row in rows} == {True, False}
    table = text[text.index("topic 7:") :].splitlines()
    assert "recall >= 0.3" in table[1]
    shown = {row["system"]: row["is_shown"] for row in rows if row["topic"] == "7"}
    for name, is_shown in shown.items():
        (line,) = (line for line in table[:6] if line.startswith(f"{name} "))
        assert ("not shown" in line) is not is_shown


def test_limits_of_a_claim_count_documents_that_could_not_be_judged_against_it(irbounds):
    segments = ("--retrieved", "5000", "all", "1000", "--unretrieved", "95000", "1500")
    claim = ("--at-least", "0.75", "--format", "json")
    unjudged = irbounds("recall", *segments, "0", "--assessable", "5000", "1490", *claim)
    relevant = irbounds("recall", *segments, "10", *claim)
    ends = [
        [(row["quantity"], row["low"], row["high"]) for row in json.loads(result.stdout)["results"]]
        for result in (unjudged, relevant)
    ]
    assert ends[0] == ends[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--at-least", "75"), "did you mean 0.75?"),
        (("--at-least", "0.75", "--confidence-level", "5"), "did you mean 0.95?"),
        (("--at-least", "0.75", "--confidence-level", "0.05"), "of at least 0.8; got 0.05"),
        (("--at-least", "0.75", "--alternative", "less"), "--at-least needs a lower limit"),
        (("--at-least", "0.75", "--alternative", "two-sided"), "--at-least needs a lower limit"),
        (("--at-least", "0.75", "--method", "wald"), "judged by exact, beta-binomial"),
        (("--at-least", "0.75", "--all-methods"), "judged by one method"),
        (("--at-least", "0.75", "--quantity", "yield"), "--at-least is about recall"),
        (("--credit-found", "--method", "normal"), "--credit-found is for"),
        (("--control-set", "100000", "1500", "60"), "give one of them"),
    ],
)
def test_contradicting_options_of_claims(irbounds, arguments, message):
    result = irbounds("recall", *READ, *arguments)
    assert result.returncode == 2
    (line,) = result.stderr.decode().splitlines()
    assert message in line


def test_control_set_is_split_by_the_cut(irbounds):
    control = irbounds("recall", *CUT, "50", "--control-set", "100000", "1500", "60")
    plain = irbounds("recall", *CUT, "50", "--unretrieved", "95000", "1420", "10")
    tables = [
        result.stdout.decode().partition("quantity")[2].partition("yield: relevant")[0]
        for result in (control, plain)
    ]
    assert b"one control set, split by the cut" in control.stdout
    assert tables[0] == tables[1] != ""


def test_retrieved_part_of_a_control_set_must_fit(irbounds):
    result = irbounds("recall", *CUT, "70", "--control-set", "100000", "1500", "60")
    assert result.returncode == 2
    assert "70 relevant of the control set's 60" in result.stderr.decode()


def test_swapped_segments_are_mentioned(irbounds):
    swapped = ("--retrieved", "100000", "100", "3", "--unretrieved", "2000", "100", "50")
    result = irbounds("recall", *swapped)
    assert b"are retrieved and unretrieved swapped?" in result.stderr + result.stdout
