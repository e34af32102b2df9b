"""Figures and reports of irbounds recall and plan-recall."""

from __future__ import annotations

import json

SMALL = ("--retrieved", "200", "100", "50", "--unretrieved", "1000", "100", "3")
PLAN = (
    *("plan-recall", "--corpus-size", "10000", "--retrieved-size", "500", "--n-relevant", "300"),
    *("--recall", "0.6"),
)


def specification(path):
    return json.loads(path.read_text())


def test_the_figure_is_the_posterior(irbounds, tmp_path):
    done = irbounds("recall", *SMALL, "--figure", "r.json")
    assert done.returncode == 0, done.stderr
    assert specification(tmp_path / "r.json")["name"] == "posterior-recall"


def test_the_figure_of_all_methods_is_all_methods(irbounds, tmp_path):
    irbounds("recall", *SMALL, "--all-methods", "--figure", "m.json")
    assert specification(tmp_path / "m.json")["name"] == "recall-methods"


def test_the_figure_of_many_sets_is_of_systems(irbounds, tmp_path, write):
    write("t.csv", "topic,teams,pattern,N,n,r2\n7,A B,RR,100,50,40\n7,A B,RN,200,50,10\n"
                   "7,A B,NR,300,50,20\n7,A B,NN,4000,50,1\n")  # fmt: skip
    irbounds("recall", "t.csv", "--figure", "s.json")
    spec = specification(tmp_path / "s.json")
    assert spec["name"] == "recall-systems"
    assert json.dumps(spec).count('"system": "A"') >= 1


def test_the_audit_page_has_what_is_signed(irbounds, tmp_path):
    done = irbounds("recall", *SMALL, "--report", "audit.html")
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "audit.html").read_text()
    for words in ("Sampling plan and counts", "Statement", "To quote: Of 200 retrieved",
                  "lower limit", "Matter",
                  "without replacement", "Role", "Signature",
                  "100 of the 1,000 unretrieved documents"):  # fmt: skip
        assert words in page
    assert "Sampling plan" not in done.stdout.decode()  # of the page only


def test_nothing_is_drawn_unless_it_is_asked_for(loaded_by):
    assert "vl_convert" not in loaded_by("recall", *SMALL)
    assert "vl_convert" not in loaded_by(*PLAN, "--budget", "500")


def test_the_check_above_can_fail(loaded_by, tmp_path):
    figure = str(tmp_path / "r.json")
    assert "vl_convert" in loaded_by("recall", *SMALL, "--figure", figure)


def test_plans_are_drawn_by_split_and_by_size(irbounds, tmp_path):
    irbounds(*PLAN, "--budget", "500", "--figure", "p.json")
    assert specification(tmp_path / "p.json")["name"] == "recall-plan-allocation"
    irbounds(*PLAN, "--budget", "200,500", "--figure", "b.json")
    assert specification(tmp_path / "b.json")["name"] == "recall-plan-size"


def test_a_plans_report_has_other_budgets_too(irbounds, tmp_path):
    pilot = ("--retrieved", "8000", "50", "20", "--unretrieved", "92000", "200", "1")
    done = irbounds("plan-recall", *pilot, "--budget", "600", "--report", "p.html")
    assert done.returncode == 0, done.stderr
    assert "by the number of documents assessed" in (tmp_path / "p.html").read_text()
