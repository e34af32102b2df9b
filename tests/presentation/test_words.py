"""Words for queries and systems: tasks and models where the input calls them so."""

from __future__ import annotations

import json

import polars as pl
import pytest

import irbounds
from irbounds.presentation.words import QUERIES, TASKS
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
    irbounds.report(scores=write_results(tmp_path / "r", SCORES), n_resamples=99).save(page)
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
