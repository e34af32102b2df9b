"""Topics on the pages of all commands: each has an explanation, and each explanation is used."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from irbounds.comparisons.adjustments import ADJUSTMENTS
from irbounds.comparisons.tests_of_difference import TESTS
from irbounds.intervals.methods import METHODS
from irbounds.presentation.explanations import EXPLANATIONS
from irbounds.samples.quantities import METHODS as RECALL_METHODS
from irbounds.validation import ChanceMethod

SCORES = ("--scores", "AP=s.csv")
FEW = ("--n-resamples", "99")
CARD = ("card", *SCORES, "--system", "s1", "--collection", "ours")
SIZED = ("qrels.txt", "one.run", "two.run", "-m", "AP", "--corpus-size", "100", "--n-images", "20")
SAMPLES = ("recall", "--retrieved", "200", "100", "50", "--unretrieved", "1000", "100", "3")
PLAN = ("plan-recall", "--corpus-size", "10000", "--retrieved-size", "500", "--n-relevant", "300")
#: commands whose pages together show every kind of result, with the topics they must explain
PAGES = {
    "evaluate": (("evaluate", *SCORES), {"mean-interval", "moderated-wilson"}),
    "evaluate, several measures": (
        ("evaluate", *SIZED[:3], *FEW),
        {"mean-interval", "moderated-wilson", "t", "holm"},
    ),
    "evaluate --per-query": (("evaluate", *SCORES, "--per-query"), {"score-table"}),
    "evaluate --chance": (
        ("evaluate", "qrels.txt", "one.run", "--chance", "--corpus-size", "100", *FEW),
        {"mean-interval", "chance-level"},
    ),
    "compare": (("compare", *SCORES), {"difference", "student-t", "t", "holm"}),
    "compare --by-query": (
        ("compare", "--scores", "AP=s.csv", "--baseline", "s1", "--by-query"),
        {"query-contributions", "t", "holm"},
    ),
    "compare --groups": (
        ("compare", "--scores", "AP=s.csv", "--groups", "g.csv"),
        {"group-differences", "group-interaction", "t", "holm"},
    ),
    "compare --adjustment none": (
        ("compare", *SCORES, "--adjustment", "none"),
        {"difference", "none"},
    ),
    "gate": (
        ("gate", "s1", "s2", *SCORES, "--margin", "0.1", "--undecided", "pass"),
        {"gate", "t", "holm"},
    ),
    "rank": (("rank", *SCORES), {"rank", "t", "holm"}),
    "rank by points": (("rank", *SCORES, "--by", "borda"), {"rank", "borda"}),
    "ap": (("ap", "labels.csv"), {"classifier", "classifier-difference"}),
    "plan queries": (("plan-queries", *SCORES), {"query-plan"}),
    "plan queries of systems": (
        ("plan-queries", *SCORES, "--n-systems", "4"),
        {"query-plan"},
    ),
    "standardise": (
        ("standardise", "--scores", "AP=s.csv", *FEW),
        {"standardised", "z", "mean-interval"},
    ),
    "standardise to 0..1": (
        ("standardise", "--scores", "AP=s.csv", "--transform", "normal-cdf", "--per-query"),
        {"standardised", "normal-cdf", "score-table"},
    ),
    "card": (CARD, {"card"}),
    "compare-cards": (("compare-cards", "a.json", "b.json"), {"card-comparison", "welch"}),
    "check": (("check", "qrels.txt", "one.run"), {"diagnosis", "ties"}),
    "chance": (("chance", "10", "4"), {"chance-level", "exact"}),
    "corpus": (
        (
            *("corpus", *SIZED, "--resample-queries"),
            *("--show", "scores", "--show", "ranks", "--show", "measures"),
            *("--show", "differences", "--show", "queries", "--system", "one"),
        ),
        {
            *("corpus-scores", "corpus-ranks", "corpus-measures"),
            *("corpus-differences", "corpus-queries", "variance-split", "quantile"),
        },
    ),
    "recall": (
        SAMPLES,
        {"recall", "precision", "F1", "yield", "prevalence", "elusion", "beta-binomial"},
    ),
    "recall --at-least": (
        (*SAMPLES, "--at-least", "0.5"),
        {"recall", "exact-limits", "tipping-points"},
    ),
    "recall --prior uniform": ((*SAMPLES, "--prior", "uniform"), {"uniform"}),
    "recall --prior most-conservative": (
        (*SAMPLES, "--prior", "most-conservative"),
        {"most-conservative"},
    ),
    "plan-recall": (
        (*PLAN, "--recall", "0.6", "--budget", "100,200", "--prior", "uniform"),
        {"recall-plan", "beta-binomial", "uniform"},
    ),
    "report": (("report", *SIZED[:3], "-m", "AP", *FEW), {"diagnosis", "difference"}),
    "report of four systems": (("report", *SCORES, *FEW), {"rank", "difference"}),
}
#: names of methods, which a command explains when it uses them
NAMES = {
    *METHODS,
    *TESTS,
    *ADJUSTMENTS,
    *RECALL_METHODS,
    *get_args(ChanceMethod),
}


@pytest.fixture
def inputs(files):
    """Judgments, runs, and a table of four systems on twelve queries."""
    rows = np.random.default_rng(4).uniform(0.1, 0.9, (12, 4)).round(3)
    lines = [f"q{k}," + ",".join(map(str, row)) for k, row in enumerate(rows)]
    (files / "s.csv").write_text("query_id,s1,s2,s3,s4\n" + "\n".join(lines) + "\n")
    rows = [f"{int(k % 3 == 0)},{k % 7},{k % 5}" for k in range(40)]
    (files / "labels.csv").write_text("label,a,b\n" + "\n".join(rows) + "\n")
    groups = "".join(f"q{k},{k % 3}\n" for k in range(12))
    (files / "g.csv").write_text(f"query_id,group\n{groups}")
    return files


@pytest.fixture
def topics(irbounds, inputs, monkeypatch):
    """Return the topics of a command's page without writing the page or its figures."""
    pages = []
    monkeypatch.setattr(
        "irbounds.cli.output.write_page",
        lambda page, path, is_opened=False: pages.append(page),
    )

    def read_topics(*arguments: str) -> set[str]:
        if arguments[0] == "compare-cards":
            for system, file in (("s1", "a.json"), ("s2", "b.json")):
                irbounds(*CARD, "--system", system, "-o", file)
        option = "--output" if arguments[0] == "report" else "--report"
        result = irbounds(*arguments, option, "page.html")
        # check exits with 1 if there are warnings
        assert result.returncode in (0, 1), result.stderr
        (page,) = pages
        return {topic for section in page.sections for topic in section.topics}

    return read_topics


@pytest.mark.parametrize("name", PAGES)
def test_page_explains_its_topics(topics, name):
    arguments, expected = PAGES[name]
    page_topics = topics(*arguments)
    assert page_topics >= expected
    assert page_topics <= set(EXPLANATIONS)


def test_every_explanation_is_used():
    """Each belongs to a page above or to a method that an option names."""
    explained = {topic for _, expected in PAGES.values() for topic in expected}
    assert set(EXPLANATIONS) == explained | NAMES
