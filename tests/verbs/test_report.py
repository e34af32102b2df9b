"""irbounds report: its sections, their numbers and its error messages."""

from __future__ import annotations

import json
import re

import pytest

from irbounds import read_qrels, read_runs, score
from irbounds.presentation.registry import TIE_WORDS
from irbounds.reports.assembly import report_of
from irbounds.verbs.report import ReportRequest, report

from ..conftest import run_text

CORPUS = ("--corpus-size", "500", "--n-images", "20")
QUICK = ("--n-resamples", "200", "-m", "AP")
MEANS, DIFFERENCES, DIAGNOSIS = (
    "Means with intervals",
    "Differences from one",
    "Diagnosis of the inputs",
)
BY_QUERY = ["Scores by query", "Range of each query&#39;s scores"]


def find_headings(page: str) -> list[str]:
    return re.findall(r'<h2 id="section-\d+">(.+?)</h2>', page)


@pytest.fixture
def write_report(irbounds, files):
    """Return a function that runs ``irbounds report`` and returns the page."""

    def run_report(*arguments: str) -> str:
        result = irbounds("report", *arguments, *QUICK, "-o", "r.html")
        assert result.returncode == 0, result.stderr
        verdicts = result.stdout.decode().splitlines()  # one per measure, as on the page
        assert all(line.startswith("By ") for line in verdicts)
        assert re.search(rb"^report: r\.html \(\d[\d.]* [kM]B\)$", result.stderr, re.M)
        return (files / "r.html").read_text()

    return run_report


@pytest.fixture
def three_runs(files):
    """Write a third run: reports have ranks for three systems or more."""
    (files / "three.run").write_text(run_text(7))
    return ("qrels.txt", "one.run", "two.run", "three.run")


def test_report_section_order(write_report, three_runs):
    page = write_report(*three_runs, *CORPUS)
    remaining = ["Chance level", "Ties", "Corpus images", DIAGNOSIS]
    assert find_headings(page) == [MEANS, DIFFERENCES, "Ranks", *BY_QUERY, *remaining]
    assert "<h1>3 systems on 6 queries</h1>" in page


def test_report_without_corpus_size_omits_chance_and_images(write_report):
    headings = find_headings(write_report("qrels.txt", "one.run", "two.run"))
    assert headings == [MEANS, "Differences from two", *BY_QUERY, "Ties", DIAGNOSIS]


def test_report_title_is_escaped(write_report):
    page = write_report("qrels.txt", "one.run", "--title", "Sparse & dense")
    assert "<h1>Sparse &amp; dense</h1>" in page
    assert "1 system on 6 queries" not in page


def test_report_of_one_query_has_no_ranks(write_report, files, three_runs):
    assert "Ranks" in find_headings(write_report(*three_runs))
    judgments = (files / "qrels.txt").read_text().splitlines()
    (files / "qrels.txt").write_text("\n".join(judgments[:8]) + "\n")
    assert "Ranks" not in find_headings(write_report(*three_runs))


def test_report_of_one_system_has_no_differences_and_no_ranks(write_report):
    page = write_report("qrels.txt", "one.run", *CORPUS)
    remaining = ["Chance level", "Ties", "Corpus images", DIAGNOSIS]
    assert find_headings(page) == [MEANS, *BY_QUERY, *remaining]


def test_report_ties_section_with_and_without_ties(write_report, files):
    assert "No run has tied documents." in write_report("qrels.txt", "one.run", "two.run")
    (files / "tied.run").write_text(re.sub(r" [78] t$", " 7 t", run_text(1), flags=re.M))
    page = write_report("qrels.txt", "one.run", "tied.run", "--ties", "expected")
    assert "Ties" in find_headings(page)
    assert "No run has tied documents." not in page
    assert TIE_WORDS["expected"] in page


def test_report_uses_baseline(write_report):
    assert "Differences from two" in write_report(
        "qrels.txt", "one.run", "two.run", "--baseline", "two"
    )


def test_report_reads_scores(write_report, files):
    (files / "s.csv").write_text("query_id,a,b\nq1,0.1,0.2\nq2,0.3,0.1\nq3,0.5,0.9\nq4,0.2,0.3\n")
    page = write_report("--scores", "AP=s.csv")
    assert find_headings(page) == [MEANS, "Differences from a", *BY_QUERY]


def test_report_names_measures_without_a_chance_formula(irbounds, files):
    arguments = ("report", "qrels.txt", "one.run", "-m", "AP", "-m", "Judged@5", *CORPUS)
    result = irbounds(*arguments, "-o", "r.html")
    assert result.returncode == 0, result.stderr
    page = (files / "r.html").read_text()
    assert page.count("Not for Judged@5: there is no way to compute it.") >= 2


def test_report_escapes_html_in_names(write_report, files):
    name = "<img src=x onerror=alert(1)>"
    (files / f"{name}.run").write_text(run_text(1))
    page = write_report("qrels.txt", "one.run", f"{name}.run")
    assert name not in page
    assert "&lt;img src=x onerror=alert(1)&gt;" in page


def test_report_provenance_lists_the_corpus_file(write_report, files):
    (files / "ids.txt").write_text("".join(f"d{k}\n" for k in range(40)))
    page = write_report("qrels.txt", "one.run", "--corpus", "ids.txt", "--n-images", "20")
    provenance = page.partition('<dl class="provenance">')[2]
    for source in ("qrels", "one", "ids.txt"):
        assert f"{source}, sha256:" in provenance
    assert "corpus: ids.txt" in provenance
    assert "irbounds report qrels.txt one.run" in provenance


def test_report_numbers_equal_those_of_the_other_commands(irbounds, files, three_runs):
    """Compare all records, for the same seed."""
    runs = read_runs([str(files / name) for name in three_runs[1:]])
    qrels = read_qrels(str(files / "qrels.txt"))
    request = ReportRequest(
        qrels, runs, corpus_size=500, n_images=20, n_resamples=300, seed=7, baseline="one"
    )
    table = score(qrels, runs, ["AP", "nDCG@10"])
    page = report_of(table, request, qrels, runs).page
    records_by_heading = {
        section.heading: [r for t in section.tables for r in t.records] for section in page.sections
    }
    common_arguments = (*three_runs, "--seed", "7", "--format", "json")
    with_corpus_size = (*common_arguments, "--corpus-size", "500")
    resample_options = ("--n-resamples", "300")
    commands = {
        "Means with intervals": (
            "evaluate",
            *common_arguments,
            *resample_options,
            "--baseline",
            "one",
        ),
        "Differences from one": ("compare", *common_arguments, "--baseline", "one"),
        "Ranks": ("rank", *three_runs, "--format", "json"),
        "Chance level": ("chance", *with_corpus_size, "-m", "AP", "-m", "nDCG@10"),
        "Corpus images": (
            *("corpus", *with_corpus_size, "--n-images", "20", "--resample-queries"),
            *("--show", "scores", "--show", "ranks", "--show", "measures"),
        ),
    }
    for heading, arguments in commands.items():
        expected_records = json.loads(irbounds(*arguments).stdout)["results"]
        assert json.loads(json.dumps(records_by_heading[heading])) == expected_records, heading


def test_report_quiet_prints_nothing(irbounds, files):
    result = irbounds("report", "qrels.txt", "one.run", *QUICK, "-o", "r.html", "--quiet")
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")


@pytest.mark.parametrize(
    ("arguments", "expected_message"),
    [
        ((), "needs QRELS and RUN, or --scores"),
        (("q", "r", "-o", "r.txt"), "--output r.txt: use an extension of .html, .htm"),
        (("q", "r", "-o", "no/r.html"), "--output no/r.html: there is no directory no"),
        (("q", "r", "--confidence-level", "95"), "did you mean 0.95?"),
        (("q", "r", "--method", "magic"), "'magic'"),
        (
            ("q", "r", "--corpus-size", "5", "--corpus", "f"),
            "--corpus takes the place of --corpus-size",
        ),
        (("q", "r", "--corpus-size", "0"), "of at least 1; got 0"),
        (("q", "r", "--corpus", "-"), "standard input (-) can be read only once"),
        (
            ("--scores", "s", "--corpus-size", "5"),
            "--corpus-size is for QRELS and RUN, not for scores",
        ),
        (
            ("qrels.txt", "one.run", "--baseline", "three"),
            "--baseline must be one of 'one'; got 'three'",
        ),
        (("q", "r", "--results", "x"), "no option --results"),
    ],
)
def test_report_errors_are_one_line(irbounds, files, arguments, expected_message):
    result = irbounds("report", *arguments)
    assert result.returncode == 2
    assert expected_message in result.stderr.decode()
    assert result.stderr.count(b"\n") == 1
    assert not list(files.glob("*.html"))


def test_report_default_file_name(irbounds, files):
    result = irbounds("report", "qrels.txt", ".", *QUICK)
    assert result.returncode == 0
    assert re.fullmatch(rb"report: irbounds-report\.html \(\d[\d.]* [kM]B\)\n", result.stderr)
    page = (files / "irbounds-report.html").read_text()
    assert "<h1>2 systems on 6 queries</h1>" in page


def test_report_rejects_a_directory_as_output_before_reading_inputs(irbounds, files):
    (files / "irbounds-report.html").mkdir()
    result = irbounds("report", "q", "r")
    assert result.returncode == 2
    assert b"--output irbounds-report.html: this is a directory" in result.stderr


def test_open_opens_the_page_in_the_browser(irbounds, files, monkeypatch):
    opened_urls = []
    monkeypatch.setattr("webbrowser.open", opened_urls.append)
    irbounds("report", "qrels.txt", "one.run", *QUICK)
    assert opened_urls == []
    irbounds("report", "qrels.txt", "one.run", *QUICK, "-o", "r.html", "--open")
    assert opened_urls == [(files / "r.html").resolve().as_uri()]
    irbounds("evaluate", "qrels.txt", "one.run", *QUICK, "--report", "e.html", "--open")
    assert opened_urls[1:] == [(files / "e.html").resolve().as_uri()]
    assert b"--open needs --report FILE" in irbounds("evaluate", "q", "r", "--open").stderr


def test_report_function_has_the_results_of_the_command(
    write_report, files, three_runs, monkeypatch
):
    page = write_report(*three_runs, *CORPUS)
    monkeypatch.chdir(files)
    qrels, *runs = three_runs
    provenance = report(
        qrels, runs, measures="AP", n_resamples=200, corpus_size=500, n_images=20
    ).page.provenance
    assert provenance.results in page
    assert all(source.fingerprint in page for source in provenance.inputs)
    assert (provenance.arguments, provenance.options) == ((), {})


def test_report_help_imports_no_large_libraries(loaded_by):
    assert loaded_by("report", "--help") == []


@pytest.mark.parametrize("extension", ["svg", "png"])
def test_figure_file_and_size_are_printed(irbounds, files, extension):
    result = irbounds("evaluate", "qrels.txt", "one.run", *QUICK, "--figure", f"f.{extension}")
    assert re.search(rf"^figure: f\.{extension} \(\d+ kB\)$", result.stderr.decode(), re.M)
    quiet = irbounds("evaluate", "qrels.txt", "one.run", *QUICK, "--figure", "f.svg", "--quiet")
    assert quiet.stderr == b""


def test_demo_rejects_an_invalid_report_file(irbounds):
    result = irbounds("demo", "--report", "page.txt")
    assert (result.returncode, result.stdout) == (2, b"")
    assert b"--report page.txt: use an extension of .html, .htm" in result.stderr


def test_report_has_warnings_only_if_there_are_any(write_report, files):
    warnings_tag = '<div class="warnings">'
    assert warnings_tag not in write_report("qrels.txt", "one.run", "two.run")
    lines = (files / "two.run").read_text().splitlines()
    (files / "two.run").write_text("\n".join(lines[:-8]) + "\n")  # lacks a query
    page = write_report("qrels.txt", "one.run", "two.run")
    assert warnings_tag in page
    assert "queries missing" in page.partition(warnings_tag)[2]


def test_quiet_report_prints_no_warnings(irbounds_process, tmp_path):
    rows = "q1,0.1,0.2,0.3\nq2,0.2,0.3,0.1\nq3,0.4,0.5,0.2\n"
    (tmp_path / "s.csv").write_text(f"query_id,a,b,c\n{rows}")
    arguments = ("--scores", "s.csv", "--baseline", "c", "-q", "-o", "r.html")
    result = irbounds_process("report", *arguments)
    assert (result.returncode, result.stderr) == (0, b"")


def test_report_has_one_verdict_per_measure(irbounds, files):
    arguments = ("qrels.txt", "one.run", "two.run", "-m", "AP", "-m", "P@2", "-o", "r.html")
    assert irbounds("report", *arguments).returncode == 0
    page = (files / "r.html").read_text()
    first, second = re.findall(r'<p class="verdict">(.*?)</p>', page)
    assert first.startswith("By AP, one (")
    assert "two (" in first
    assert "not significantly different: difference" in first
    assert second.startswith("By P@2, ")


def test_report_and_card_take_the_prior_variance(irbounds, files):
    (files / "s.csv").write_text(
        "topic,a,b\n" + "".join(f"q{k},{k / 9},{(7 - k) / 11}\n" for k in range(6))
    )
    options = ("--scores", "AP=s.csv", "--prior-variance", "0.8")
    evaluated = json.loads(irbounds("evaluate", *options, "--format", "json").stdout)["results"]
    low = {row["system"]: row["low"] for row in evaluated}
    assert {row["prior_variance"] for row in evaluated} == {0.8}
    card = json.loads(irbounds("card", *options, "--system", "a", "--collection", "c").stdout)
    assert (card["prior_variance"], card["interval"]["low"]) == (0.8, low["a"])
    assert irbounds("report", *options, "-o", "page.html").returncode == 0
    assert irbounds("report", *options[:2], "-o", "other.html").returncode == 0
    high = {row["system"]: row["high"] for row in evaluated}
    cell = f"[{low['b']:.2f}, {high['b']:.2f}]"
    assert cell in (files / "page.html").read_text()
    assert cell not in (files / "other.html").read_text()
    unused = irbounds("report", *options, "--method", "student-t", "-o", "unused.html")
    assert unused.returncode == 2
    assert b"--prior-variance" in unused.stderr
    assert not (files / "unused.html").exists()
