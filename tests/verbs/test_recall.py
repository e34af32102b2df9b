"""irbounds recall."""

from __future__ import annotations

import hashlib
import json

import pytest

import irbounds as package
from irbounds.cli.error_messages import describe_error
from irbounds.cli.runner import run_command
from irbounds.reading.strata_sheet import read_strata
from irbounds.results import Stratum
from irbounds.verbs.recall import recall
from recall_calls import estimate_all, estimate_recall

COUNTS = ("--retrieved", "2000", "100", "50", "--unretrieved", "100000", "100", "3")
SMALL_COUNTS = ("--retrieved", "200", "100", "50", "--unretrieved", "1000", "100", "3")


def test_recall_of_counts_prints_summary_and_table(irbounds):
    result = irbounds("recall", *COUNTS)
    estimate = estimate_recall(retrieved=(2000, 100, 50), unretrieved=(100_000, 100, 3))
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
    names = [line.split()[0] for line in lines[start + 2 : -1]]
    assert names == ["recall", "precision", "F1", "yield", "prevalence", "elusion"]
    assert lines[-1] == "yield: relevant documents in all"
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


def test_recall_json_of_a_strata_file(irbounds, write):
    path = write("s.csv", STRATA)
    result = irbounds("recall", "s.csv", "--quantity", "recall", "--format", "json")
    document = json.loads(result.stdout)
    estimate = estimate_recall(read_strata(path).strata)
    (record,) = document["results"]
    assert (record["estimate"], record["low"], record["high"]) == (
        estimate.value,
        estimate.interval.low,
        estimate.interval.high,
    )
    assert (record["prior"], record["method"]) == ("0.5", "beta-binomial")
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


def test_recall_reads_standard_input(irbounds, write):
    result = irbounds("recall", "-", "--format", "csv", stdin=STRATA.encode())
    write("s.csv", STRATA)
    assert result.stdout == irbounds("recall", "s.csv", "--format", "csv").stdout


def test_recall_all_methods_lists_every_method(irbounds):
    lines = irbounds("recall", *COUNTS, "--all-methods").stdout.decode().splitlines()
    start = lines.index("recall 0.25, its 95 % interval by 9 methods")
    rows = [line.split() for line in lines[start + 2 :]]
    assert [row[0] for row in rows] == [
        "naive-binomial", "normal", "laplace", "agresti-coull", "koopman", "beta-jeffreys",
        "beta-binomial", "beta-binomial", "beta-binomial",
    ]  # fmt: skip
    assert [row[1] for row in rows[6:]] == ["uniform", "most-conservative", "0.5"]
    assert [row for row in rows if "recommended" in row] == [rows[-1]]


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


def test_recall_uses_alternative_prior_level_and_digits(irbounds):
    result = irbounds(
        "recall", *COUNTS, "--alternative", "greater", "--prior", "1,2",
        "--confidence-level", "0.9", "--quantity", "F", "--format", "jsonl",
    )  # fmt: skip
    (estimate,) = estimate_all(
        retrieved=(2000, 100, 50),
        unretrieved=(100_000, 100, 3),
        quantity=["F"],
        prior="1,2",
        confidence_level=0.9,
        alternative="greater",
    )
    (row,) = map(json.loads, result.stdout.splitlines())
    assert (row["quantity"], row["low"]) == ("F1", estimate.interval.low)


def test_recall_quantity_ignores_case_and_order(irbounds):
    options = ("--quantity", "RECALL,f1", "--quantity", "F")
    result = irbounds("recall", *COUNTS, *options, "--format", "jsonl")
    assert [json.loads(line)["quantity"] for line in result.stdout.splitlines()] == ["recall", "F1"]


DOCUMENTS = ("--assessed", "a.qrels", "--retrieved-ids", "found.txt", "--query", "7")


@pytest.fixture
def documents(tmp_path):
    """Write a corpus of 500 ids, 20 retrieved ids and 25 assessments of query 7."""
    (tmp_path / "ids.txt").write_text("".join(f"d{k}\n" for k in range(500)))
    (tmp_path / "found.txt").write_text("".join(f"d{k}\n" for k in range(20)))
    assessed = [*range(0, 20, 2), *range(20, 500, 32)]
    (tmp_path / "a.qrels").write_text(
        "".join(f"7 0 d{k} {(k % 3 == 0) - (k == 2)}\n" for k in assessed) + "8 0 d4 1\n"
    )
    return tmp_path


def test_recall_reads_assessed_documents(irbounds, documents):
    result = irbounds("recall", *DOCUMENTS, "--corpus", "ids.txt")
    lines = result.stdout.decode().splitlines()
    assert lines[:2] == [
        "retrieved    20 documents, 10 sampled, 9 assessable, 4 relevant",
        "unretrieved  480 documents, 15 sampled, 5 relevant",
    ]
    assert (result.returncode, result.stderr) == (0, b"")
    by_size = irbounds("recall", *DOCUMENTS, "--corpus-size", "500")
    assert by_size.stdout.decode().splitlines()[-6:] == lines[-6:]


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
            (*COUNTS, "s.csv", "--corpus-size", "3"),
            "got SAMPLES, --retrieved, --unretrieved and --corpus-size",
        ),
        (COUNTS[:4], "needs --unretrieved too"),
        (COUNTS[4:], "needs --retrieved too"),
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
            (*COUNTS, "--quantity", "recal"),
            "--quantity must be one of recall, precision, F, yield, prevalence, elusion; got 'rec",
        ),
        ((*COUNTS, "--confidence-level", "95"), "got 95, did you mean 0.95?"),
        ((*COUNTS, "--method", "guess"), "guess"),
        ((*COUNTS, "--prior", "none"), "prior must be 'uniform', 'most-conservative', a number"),
        ((*COUNTS, "--method", "normal", "--prior", "1"), "prior is for beta-binomial"),
        ((*COUNTS, "--all-methods", "--method", "normal"), "--method is not for --all-methods"),
        ((*COUNTS, "--all-methods", "--quantity", "yield"), "--quantity is not for --all-methods"),
        ((*COUNTS, "--n-draws", "50"), "--n-draws must be an integer of at least 100; got 50"),
        (
            (*COUNTS, "--method", "normal", "--quantity", "recall,yield"),
            "--method normal provides recall, not yield; use --method beta-binomial",
        ),
        (
            (*COUNTS, "--method", "koopman", "--quantity", "yield"),
            "--method koopman provides recall, not yield",
        ),
        ((*COUNTS, "--output", "nowhere/x.csv"), "there is no directory nowhere"),
        (("nosuch.csv",), "nosuch.csv: no such file or directory"),
        (("--query", "7"), "needs --assessed, the documents that were drawn and assessed"),
        (("--assessed", "a.qrels"), "needs --retrieved-ids, the retrieved documents"),
        (DOCUMENTS, "needs --corpus-size or --corpus"),
        (
            (*DOCUMENTS, "--corpus-size", "5", "--corpus", "ids.txt"),
            "--corpus and --corpus-size: give one of them; got both, --corpus-size 5",
        ),
        (
            ("--assessed", "-", "--retrieved-ids", "-", "--corpus-size", "5"),
            "standard input (-) can be read",
        ),
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
            {"quantity": ["F", "elusion"], "confidence_level": 0.9, "prior": "1,2"},
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
    assert len(sentences) > 30
    assert str(estimates).split()[: len(sentences)] == sentences


def test_recall_function_accepts_files_and_strata(irbounds, write):
    path = write("s.csv", STRATA)
    rows = read_records(irbounds("recall", "s.csv", "--format", "json"))
    strata = read_strata(path).strata
    for samples in (strata, list(strata)):
        assert to_json_records(recall(samples).records()) == rows


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
        ({"samples": 3}, "samples must be a file or several Stratum; got 3"),
        ({"samples": []}, r"samples must be a file .*got \[\]"),
        ({"samples": [STRATUM, "x"]}, "samples must be a file"),
        (
            {"retrieved": (1, 2), "unretrieved": (3, 2, 1)},
            r"retrieved needs 3 values: .*got \(1, 2\)",
        ),
        ({"retrieved": (9, 2, 1), "unretrieved": (9, 2.5, 1)}, "sampled must be an integer"),
        ({"assessed": {}, "corpus_size": 5}, "needs retrieved_ids"),
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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--at-least", "75"), "did you mean 0.75?"),
        (("--at-least", "0.75", "--confidence-level", "5"), "did you mean 0.95?"),
        (("--at-least", "0.75", "--confidence-level", "0.05"), "of at least 0.8; got 0.05"),
        (("--at-least", "0.75", "--alternative", "less"), "--at-least needs a lower limit"),
        (("--at-least", "0.75", "--alternative", "two-sided"), "--at-least needs a lower limit"),
        (("--at-least", "0.75", "--method", "laplace"), "judged by exact, beta-binomial"),
        (("--at-least", "0.75", "--all-methods"), "judged by one method"),
        (("--at-least", "0.75", "--quantity", "yield"), "--at-least is about recall"),
        (("--credit-found", "--method", "normal"), "--credit-found is for"),
    ],
)
def test_contradicting_options_of_claims(irbounds, arguments, message):
    result = irbounds("recall", *READ, *arguments)
    assert result.returncode == 2
    (line,) = result.stderr.decode().splitlines()
    assert message in line


def test_swapped_segments_are_mentioned(irbounds):
    swapped = ("--retrieved", "100000", "100", "3", "--unretrieved", "2000", "100", "50")
    result = irbounds("recall", *swapped)
    assert b"are retrieved and unretrieved swapped?" in result.stderr + result.stdout
