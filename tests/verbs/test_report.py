"""irbounds report: which sections, with whose numbers, and what cannot be asked for."""

from __future__ import annotations

import json
import re

import pytest

from irbounds import read_qrels, read_runs, score
from irbounds.presentation.html.page import BLOCK_CLOSES, BLOCK_OPENS, extract_provenance_block
from irbounds.presentation.registry import TIE_WORDS
from irbounds.reports.assembly import report_of
from irbounds.reports.provenance import read_provenance
from irbounds.reports.repetition import first_difference
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


def headings(page: str) -> list[str]:
    return re.findall(r'<h2 id="section-\d+">(.+?)</h2>', page)


@pytest.fixture
def page_of(irbounds, files):
    """The page of a command that must succeed."""

    def made(*arguments: str) -> str:
        done = irbounds("report", *arguments, *QUICK, "-o", "r.html")
        assert done.returncode == 0, done.stderr
        verdicts = done.stdout.decode().splitlines()  # one per measure, as on the page
        assert all(line.startswith("By ") for line in verdicts)
        assert re.search(rb"^report: r\.html \(\d[\d.]* [kM]B\)$", done.stderr, re.M)
        return (files / "r.html").read_text()

    return made


@pytest.fixture
def three(files):
    """A third run: ranks are of three systems or more."""
    (files / "three.run").write_text(run_text(7))
    return ("qrels.txt", "one.run", "two.run", "three.run")


def test_sections_are_in_their_order(page_of, three):
    page = page_of(*three, *CORPUS)
    later = ["Chance level", "Ties", "Corpus images", DIAGNOSIS]
    assert headings(page) == [MEANS, DIFFERENCES, "Ranks", *BY_QUERY, *later]
    assert "<h1>3 systems on 6 queries</h1>" in page


def test_without_the_size_of_the_corpus(page_of):
    found = headings(page_of("qrels.txt", "one.run", "two.run"))
    assert found == [MEANS, "Differences from two", *BY_QUERY, "Ties", DIAGNOSIS]


def test_a_title(page_of):
    page = page_of("qrels.txt", "one.run", "--title", "Sparse & dense")
    assert "<h1>Sparse &amp; dense</h1>" in page
    assert "1 system on 6 queries" not in page


def test_one_query_has_no_ranks(page_of, files, three):
    assert "Ranks" in headings(page_of(*three))
    judgments = (files / "qrels.txt").read_text().splitlines()
    (files / "qrels.txt").write_text("\n".join(judgments[:8]) + "\n")
    assert "Ranks" not in headings(page_of(*three))


def test_one_system_has_no_differences_and_no_ranks(page_of):
    page = page_of("qrels.txt", "one.run", *CORPUS)
    later = ["Chance level", "Ties", "Corpus images", DIAGNOSIS]
    assert headings(page) == [MEANS, *BY_QUERY, *later]


def test_ties_have_numbers_where_there_are_any(page_of, files):
    assert "No run has tied documents." in page_of("qrels.txt", "one.run", "two.run")
    (files / "tied.run").write_text(re.sub(r" [78] t$", " 7 t", run_text(1), flags=re.M))
    page = page_of("qrels.txt", "one.run", "tied.run", "--ties", "expected")
    assert "Ties" in headings(page)
    assert "No run has tied documents." not in page
    assert TIE_WORDS["expected"] in page


def test_the_baseline_can_be_named(page_of):
    assert "Differences from two" in page_of("qrels.txt", "one.run", "two.run", "--baseline", "two")


def test_scores_in_place_of_runs(page_of, files):
    (files / "s.csv").write_text("query_id,a,b\nq1,0.1,0.2\nq2,0.3,0.1\nq3,0.5,0.9\nq4,0.2,0.3\n")
    page = page_of("--scores", "AP=s.csv")
    assert headings(page) == [MEANS, "Differences from a", *BY_QUERY]


def test_a_measure_without_a_formula_for_chance_is_left_out_and_named(irbounds, files):
    arguments = ("report", "qrels.txt", "one.run", "-m", "AP", "-m", "Judged@5", *CORPUS)
    done = irbounds(*arguments, "-o", "r.html")
    assert done.returncode == 0, done.stderr
    page = (files / "r.html").read_text()
    assert page.count("Not for Judged@5: there is no way to compute it.") >= 2


def test_hostile_names_are_shown_and_not_run(page_of, files):
    name = "<img src=x onerror=alert(1)>"
    (files / f"{name}.run").write_text(run_text(1))
    page = page_of("qrels.txt", "one.run", f"{name}.run")
    assert name not in page
    assert "&lt;img src=x onerror=alert(1)&gt;" in page


def test_the_list_of_the_corpus_is_among_the_inputs(page_of, files):
    (files / "ids.txt").write_text("".join(f"d{k}\n" for k in range(40)))
    page = page_of("qrels.txt", "one.run", "--corpus", "ids.txt", "--n-images", "20")
    block = json.loads(extract_provenance_block(page))
    assert [one["name"] for one in block["inputs"]] == ["qrels", "one", "ids.txt"]
    assert block["options"]["corpus"] == "ids.txt"
    assert block["arguments"][0] == "report"


def test_the_numbers_are_those_of_the_other_commands(irbounds, files, three):
    """Record by record, for the same seed."""
    runs = read_runs([str(files / name) for name in three[1:]])
    qrels = read_qrels(str(files / "qrels.txt"))
    request = ReportRequest(qrels, runs, corpus_size=500, n_images=20, n_resamples=300, seed=7)
    table = score(qrels, runs, ["AP", "nDCG@10"])
    page = report_of(table, request, qrels, runs).page
    found = {one.heading: [r for t in one.tables for r in t.records] for one in page.sections}
    names = (*three, "--seed", "7", "--format", "json")
    sized = (*names, "--corpus-size", "500")
    drawn = ("--n-resamples", "300")
    asked = {
        "Means with intervals": ("evaluate", *names, *drawn),
        "Differences from one": ("compare", *names, "--baseline", "one"),
        "Ranks": ("rank", *names, *drawn),
        "Chance level": ("chance", *sized, "-m", "AP", "-m", "nDCG@10"),
        "Corpus images": (
            *("corpus", *sized, "--n-images", "20", "--resample-queries"),
            *("--show", "scores", "--show", "ranks", "--show", "measures"),
        ),
    }
    for heading, arguments in asked.items():
        theirs = json.loads(irbounds(*arguments).stdout)["results"]
        assert json.loads(json.dumps(found[heading])) == theirs, heading


def test_quiet_says_nothing(irbounds, files):
    done = irbounds("report", "qrels.txt", "one.run", *QUICK, "-o", "r.html", "--quiet")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "needs QRELS and RUN, or --scores"),
        (("q", "r", "-o", "r.pdf"), "--output r.pdf: use an extension of .html, .htm"),
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
def test_what_cannot_be_asked_for_is_said_in_one_line(irbounds, files, arguments, said):
    done = irbounds("report", *arguments)
    assert done.returncode == 2
    assert said in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1
    assert not list(files.glob("*.html"))


def test_the_page_has_a_name_where_none_is_given(irbounds, files):
    done = irbounds("report", "qrels.txt", ".", *QUICK)
    assert done.returncode == 0
    assert re.fullmatch(rb"report: irbounds-report\.html \(\d[\d.]* [kM]B\)\n", done.stderr)
    page = (files / "irbounds-report.html").read_text()
    assert "<h1>2 systems on 6 queries</h1>" in page
    assert json.loads(extract_provenance_block(page))["options"]["output"] is None
    assert irbounds("report", "--repeat", "irbounds-report.html", "--quiet").returncode == 0


def test_a_directory_of_the_pages_name_is_an_error_before_any_work(irbounds, files):
    (files / "irbounds-report.html").mkdir()
    done = irbounds("report", "q", "r")
    assert done.returncode == 2
    assert b"--output irbounds-report.html: this is a directory" in done.stderr


def test_the_page_is_opened_where_that_is_asked_for(irbounds, files, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    irbounds("report", "qrels.txt", "one.run", *QUICK)
    assert opened == []
    irbounds("report", "qrels.txt", "one.run", *QUICK, "-o", "r.html", "--open")
    assert opened == [(files / "r.html").resolve().as_uri()]
    irbounds("evaluate", "qrels.txt", "one.run", *QUICK, "--report", "e.html", "--open")
    assert opened[1:] == [(files / "e.html").resolve().as_uri()]
    assert b"--open needs --report FILE" in irbounds("evaluate", "q", "r", "--open").stderr


def test_python_makes_the_same_page(page_of, files, three, monkeypatch):
    """Up to what only a command can state: itself, its options and when it ran."""
    page_of(*three, *CORPUS)
    theirs = read_provenance(extract_provenance_block((files / "r.html").read_text()), "r.html")
    monkeypatch.chdir(files)
    qrels, *runs = three
    found = report(qrels, runs, measures="AP", n_resamples=200, corpus_size=500, n_images=20)
    found.save("python.html")
    ours = found.page.provenance
    assert (ours.results, ours.tables, ours.inputs) == (
        *(theirs.results, theirs.tables, theirs.inputs),
    )
    assert (ours.arguments, ours.options) == ((), {})
    texts = [(files / name).read_text() for name in ("r.html", "python.html")]
    assert first_difference(*texts, theirs, ours) == "section 'Provenance'"  # has no command


def test_help_is_light(loaded_by):
    assert loaded_by("report", "--help") == []


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_a_figure_is_named_too(irbounds, files, ending):
    done = irbounds("evaluate", "qrels.txt", "one.run", *QUICK, "--figure", f"f.{ending}")
    assert re.search(rf"^figure: f\.{ending} \(\d+ kB\)$", done.stderr.decode(), re.M)
    quiet = irbounds("evaluate", "qrels.txt", "one.run", *QUICK, "--figure", "f.svg", "--quiet")
    assert quiet.stderr == b""


def test_a_bad_name_for_the_demos_report_is_said_at_once(irbounds):
    done = irbounds("demo", "--report", "page.txt")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"--report page.txt: use an extension of .html, .htm" in done.stderr


@pytest.mark.slow
def test_the_demos_report_and_a_report_with_all_sections_repeat(irbounds, files):
    irbounds("demo")
    arguments = ("qrels.txt", "one.run", "two.run", *CORPUS, *QUICK, "-o", "r.html")
    irbounds("report", *arguments)
    for page in ("irbounds-demo.html", "r.html"):
        done = irbounds("report", "--repeat", page, "--quiet")
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith(b"the same numbers")
    # and a seed that is not the page's does not
    block = extract_provenance_block((files / "r.html").read_text())
    other = block.replace('"-o"', '"--seed", "1", "-o"')
    (files / "o.html").write_text(f"{BLOCK_OPENS}{other}{BLOCK_CLOSES}")
    done = irbounds("report", "--repeat", "o.html", "--quiet")
    assert done.returncode == 1
    assert b"the numbers differ\n" in done.stdout


def test_warnings_are_shown_where_there_are_any(page_of, files):
    shown = '<div class="warnings">'
    assert shown not in page_of("qrels.txt", "one.run", "two.run")
    short = (files / "two.run").read_text().splitlines()
    (files / "two.run").write_text("\n".join(short[:-8]) + "\n")  # lacks a query
    page = page_of("qrels.txt", "one.run", "two.run")
    assert shown in page
    assert "queries missing" in page.partition(shown)[2]


def test_a_verdict_per_measure_is_below_the_title(irbounds, files):
    arguments = ("qrels.txt", "one.run", "two.run", "-m", "AP", "-m", "P@2", "-o", "r.html")
    assert irbounds("report", *arguments).returncode == 0
    page = (files / "r.html").read_text()
    first, second = re.findall(r'<p class="verdict">(.*?)</p>', page)
    assert first.startswith("By AP, one (")
    assert "two (" in first
    assert "not significantly different: difference" in first
    assert second.startswith("By P@2, ")
