"""Words of a trade: tasks and models for queries and systems, and those of e-discovery."""

from __future__ import annotations

import json
import re

import polars as pl
import pytest

import irbounds
from irbounds.presentation.words import EDISCOVERY, QUERIES, TASKS
from irbounds.results import Sample, Stratum
from irbounds.results.samples import choose_words, counts_table
from mteb_files import write_results

SCORES = {
    "org/a": {"Arc": 0.31, "Bio": 0.52, "Cod": 0.44, "Dev": 0.4},
    "org/b": {"Arc": 0.41, "Bio": 0.71, "Cod": 0.43, "Dev": 0.5},
    "query-system": {"Arc": 0.11, "Bio": 0.11, "Cod": 0.13, "Dev": 0.1},
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Systems on 12 queries, per-query", "Models on 12 tasks, per-task"),
        ("a system's query; subsystem", "a model's task; subsystem"),
        ("--queries common or queries='common'", "--queries common or queries='common'"),
        ("`irbounds plan-queries` for systems", "`irbounds plan-queries` for models"),
        ("irbounds compare tests systems", "irbounds compare tests models"),
        ("--per-query, irbounds", "--per-query, irbounds"),
        ("my system beats system", "my system beats model"),
        ("column query_id", "column query_id"),
    ],
)
def test_words_are_replaced_except_in_names_and_options(text, expected):
    assert TASKS.protect(["my system", "other"]).apply(text) == expected
    assert QUERIES.apply(text) == text


@pytest.mark.parametrize("verb", [irbounds.evaluate, irbounds.compare, irbounds.rank])
def test_results_of_tasks_say_tasks_and_models_everywhere_but_in_records(tmp_path, verb):
    result = verb(scores=write_results(tmp_path, SCORES))
    figure = result.plot()
    spec = {**figure.to_dict(), "datasets": None}
    titles = json.dumps(spec).replace('"field": "system"', "").replace("datum['system']", "")
    text = "\n".join((str(result), result.to_html(), result.to_markdown(), titles))
    assert "tasks" in text
    assert "model" in text
    assert "query-system" in text
    rest = text.replace("query-system", "").replace("datum['baseline']", "")
    assert "quer" not in rest.replace("queries_", "")
    assert "ystem" not in rest.replace('data-system="', "").replace("color_system", "")
    assert {"system"} <= set(result.records()[0])


def test_page_of_tasks_has_their_words(tmp_path):
    page = tmp_path / "page.html"
    irbounds.report(scores=write_results(tmp_path / "r", SCORES)).save(page)
    text = page.read_text()
    assert "Compare two models" in text
    assert "Differences per task, the largest first" in text
    assert "Compare two systems" not in text
    assert "3 models on 4 tasks" in text


def test_tables_with_a_column_of_tasks_have_their_words():
    wide = pl.DataFrame({"task": ["Arc", "Bio"], "a": [0.3, 0.6], "b": [0.4, 0.7]})
    assert irbounds.read_scores(wide).words == TASKS
    long = pl.DataFrame(
        {"task_name": ["Arc", "Arc"], "model_name": ["a", "b"], "score": [0.3, 0.6]}
    )
    table = irbounds.read_scores(long)
    assert (table.words, table.systems, table.queries) == (TASKS, ("a", "b"), ("Arc",))
    named = long.rename({"score": "value", "model_name": "model", "task_name": "task"})
    assert irbounds.read_scores(named).systems == ("a", "b")
    usual = pl.DataFrame({"query_id": ["1", "2"], "a": [0.3, 0.6]})
    assert irbounds.read_scores(usual).words == QUERIES


SAMPLE = Sample(
    (
        Stratum("irrelevant mail", True, 2_000, 100, 50, 98),
        Stratum("retrieved", True, 500, 100, 30),
        Stratum("unretrieved", False, 100_000, 100, 3),
    ),
    system="relevant-one",
)
#: words that no text has in e-discovery, except in names and options
REPLACED = re.compile(r"relevan|retriev|prevalence|assessor", re.IGNORECASE)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Of 9 retrieved documents 2 are relevant", "Of 9 produced documents 2 are responsive"),
        ("of 9 unretrieved documents", "of 9 null-set documents"),
        ("An unretrieved sample", "A null-set sample"),
        ("Retrieved and unretrieved documents", "Produced and null-set documents"),
        ("Everything unretrieved was drawn", "Everything in the null set was drawn"),
        ("the unretrieved segment", "the null set"),
        ("this retrieved set; 3 retrieved sets", "this production; 3 productions"),
        ("documents that were not retrieved", "documents that were not produced"),
        ("rest (unretrieved)", "rest (not produced)"),
        ("Prevalence: an assessor's", "Richness: a reviewer's"),
        ("an irrelevant document", "a non-responsive document"),
        ("Elusion is low", "Elusion is low"),
        ("`irbounds recall --retrieved 9 9 1`", "`irbounds recall --retrieved 9 9 1`"),
        ("retrieved=(9, 9, 1), retrieved_ids", "retrieved=(9, 9, 1), retrieved_ids"),
        ("the relevant custodian", "the relevant custodian"),
    ],
)
def test_words_of_ediscovery_are_grammatical(text, expected):
    assert EDISCOVERY.protect(["relevant custodian", "other"]).apply(text) == expected


def test_labels_of_ediscovery_are_replaced_only_as_whole_texts():
    assert EDISCOVERY.label("elusion") == "elusion rate"
    assert EDISCOVERY.label("unretrieved") == "null set"
    assert EDISCOVERY.label("retrieved") == "produced"
    assert EDISCOVERY.protect(["unretrieved"]).label("unretrieved") == "unretrieved"


def test_recall_in_ediscovery_words_says_them_everywhere_but_in_records():
    usual, result = (irbounds.recall(SAMPLE, words=trade) for trade in ("search", "ediscovery"))
    spec = json.dumps(result.plot().to_dict())
    text = "\n".join((str(result), result.to_html(), result.to_markdown(), spec))
    assert "richness" in text
    assert "elusion rate" in text
    assert "produced     2,500 documents, 200 sampled, 198 assessable, 80 responsive" in text
    assert "null set     100,000 documents" in text
    assert REPLACED.findall(text.replace("relevant-one", "")) == []
    assert REPLACED.search(str(usual).replace("relevant-one", ""))
    assert result.records() == usual.records()
    assert result.records()[-1]["quantity"] == "elusion"


def test_page_in_ediscovery_words_keeps_names_and_options(irbounds_page):
    text = irbounds_page("--words", "ediscovery")
    assert "Of 2,500 produced documents in 2 strata 200 were drawn at random" in text
    assert "irrelevant mail (produced)" in text
    assert "the elusion test, the random sample of the null-set documents only" in text
    assert "elusion rate" in text
    assert "(docs/reference/recall-methods.md)" not in text
    visible = text.replace("irrelevant mail", "").partition("References\n")[0]
    kept = re.sub(r"\b[a-z]+_[a-z]+\b", "", visible)  # names of columns
    assert REPLACED.findall(kept) == []


@pytest.fixture
def irbounds_page(tmp_path, irbounds):
    """Return a function that writes the page of a sheet, and returns its visible words."""

    def write(*options: str) -> str:
        rows = (
            f"{s.name},{'yes' if s.retrieved else 'no'},{s.population},{s.sampled},{s.relevant},"
            f"{s.judged}"
            for s in SAMPLE
        )
        heading = "stratum,retrieved,population,sampled,relevant,assessable"
        (tmp_path / "strata.csv").write_text("\n".join((heading, *rows)) + "\n")
        result = irbounds("recall", "strata.csv", "--report", "page.html", *options)
        assert result.returncode == 0, result.stderr
        body = (tmp_path / "page.html").read_text().partition("<main")[2]
        visible = re.sub(r"<script.*?</script>", "", body, flags=re.DOTALL)
        return re.sub(r"<[^>]*>", "", visible)

    return write


@pytest.mark.parametrize("name", ["produced", "Production"])
def test_stratum_that_is_named_as_the_trade_does_has_no_segment_added(name):
    sample = Sample((Stratum(name, True, 2_000, 100, 50), Stratum("null", False, 900, 90, 3)))
    words = choose_words("ediscovery", [sample])
    names = [row[0] for row in words.reword_table(counts_table([sample])).cells]
    assert names == [name, "null", "total"]
    swapped = Sample((Stratum("null", True, 9, 9, 1), Stratum(name, False, 9, 9, 1)))
    names = [row[0] for row in words.reword_table(counts_table([swapped])).cells]
    assert names == ["null (produced)", f"{name} (not produced)", "total"]


def test_report_of_results_explains_them_in_their_words(tmp_path):
    result = irbounds.recall(SAMPLE, words="ediscovery")
    irbounds.report(results=[result]).save(tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text()
    assert "Richness is the fraction of responsive documents" in text
    assert "Prevalence is the fraction" not in text
