"""One presentation per kind of result: tables, sentences and figures follow from it."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, replace
from importlib import import_module
from types import ModuleType
from typing import Annotated, Protocol, runtime_checkable

import pytest

import irbounds
from every_result import HOSTILE, every_result
from irbounds.presentation import registry
from irbounds.presentation.column_roles import Column, Count, Key, Warnings
from irbounds.presentation.explanations import EXPLANATIONS
from irbounds.presentation.registry import (
    Presentation,
    View,
    collect_warnings,
    draw_figure,
    find_presentation,
    group_by_presentation,
    make_section,
    make_tables,
    present,
)
from irbounds.presentation.table import Table
from irbounds.results import Interval, Result, Results


@dataclass(frozen=True)
class Score(Result):
    """A result type defined for these tests only."""

    measure: Key
    system: Key
    value: float
    interval: Interval
    n: Annotated[int, Column("count", "queries", note="judged ones")] = 50
    warnings: Warnings = ()


@dataclass(frozen=True)
class Other(Result):
    """A result type without an interval."""

    system: Key
    n: Count


def title(rows, view):
    return f"{rows[0].measure} over {view.queries}"


SCORES = Presentation(
    "Scores",
    columns=("system", "value", "interval", "n?"),
    title=title,
    sentences=lambda rows, view: [f"{len(rows)} rows, digits {view.digits}"],
    topics=lambda rows: ["mean-interval", *(row.interval.method for row in rows)],
    figures=("scratch:draw", "scratch:draw_two"),
)
OTHERS = Presentation(
    lambda rows: f"{len(rows)} others",
    columns=("system", "n"),
    group=lambda row: None,
    places=lambda rows: 2,
    label="others",
)


@pytest.fixture(autouse=True)
def _own_registry(monkeypatch):
    monkeypatch.setattr(registry, "REGISTRY", dict(registry.REGISTRY))
    present(Score, SCORES)
    present(Other, OTHERS)


def make_score(system="a", value=0.3, half=0.043, measure="AP", side="two-sided", **more):
    ends = {"two-sided": (value - half, value + half), "greater": (value - half, math.inf)}
    ends["less"] = (-math.inf, value + half)
    return Score(measure, system, value, Interval(*ends[side], 0.95, "student-t", side), **more)


def make_table(*rows, presentation=SCORES, **view):
    (table,) = presentation.make_tables(rows, View(**view))
    return table


def test_table_is_built_from_columns():
    table = make_table(make_score("a"), make_score("b", 0.2), queries="judged queries")
    assert table == Table(
        title="AP over judged queries",
        headings=("system", "value", "low", "high"),
        cells=(("a", "0.300", "0.257", "0.343"), ("b", "0.200", "0.157", "0.243")),
        records=tuple(irbounds.results.records([make_score("a"), make_score("b", 0.2)])),
        bars=((0.3 - 0.043, 0.3, 0.3 + 0.043), (0.2 - 0.043, 0.2, 0.2 + 0.043)),
    )


def test_one_table_per_group_in_input_order():
    rows = [make_score(measure="RR"), make_score("b"), make_score("c", measure="RR")]
    tables = SCORES.make_tables(rows, View())
    assert [[row[0] for row in table.cells] for table in tables] == [["a", "c"], ["b"]]
    ungrouped = replace(SCORES, group=lambda row: None)
    assert len(ungrouped.make_tables(rows, View())) == 1


def test_rows_keep_input_order_or_sort_by_key():
    rows = [make_score("b", 0.2), make_score("a", 0.1), make_score("c", 0.3)]
    assert [row[0] for row in make_table(*rows).cells] == ["b", "a", "c"]
    ordered = make_table(*rows, presentation=replace(SCORES, order=lambda row: row.system))
    assert [row[0] for row in ordered.cells] == ["a", "b", "c"]
    assert [row["system"] for row in ordered.records] == ["a", "b", "c"]
    assert [bar[1] for bar in ordered.bars] == [0.1, 0.2, 0.3]


def test_optional_column_with_one_value_is_omitted():
    assert "queries" not in make_table(make_score(), make_score("b")).headings
    table = make_table(make_score(), make_score("b", n=1234))
    assert table.headings[-1] == "queries"
    assert [row[-1] for row in table.cells] == ["50", "1,234"]
    assert table.caption == "queries: judged ones"


@pytest.mark.parametrize(
    ("side", "headings", "cells", "bar"),
    [
        ("greater", ("low",), ("0.257",), (0.257, 0.3, math.inf)),
        ("less", ("high",), ("0.343",), (-math.inf, 0.3, 0.343)),
    ],
)
def test_one_sided_interval_has_one_column(side, headings, cells, bar):
    table = make_table(make_score(side=side))
    assert table.headings == ("system", "value", *headings)
    assert table.cells == (("a", "0.300", *cells),)
    assert table.bars == (pytest.approx(bar),)
    assert table.records[0]["alternative"] == side


def test_digits_follow_interval_unless_specified():
    assert make_table(make_score(half=0.0043)).cells[0][1:3] == ("0.3000", "0.2957")
    assert make_table(make_score(half=math.nan)).cells[0][1:] == ("0.3000", "-", "-")
    assert make_table(make_score(), digits=1).cells[0][1:] == ("0.3", "0.3", "0.3")
    own = replace(SCORES, places=lambda rows: 5)
    assert make_table(make_score(), presentation=own).cells[0][1] == "0.30000"


def test_rows_without_interval_have_no_bar():
    assert make_table(Other("a", 3), presentation=OTHERS).bars == ()
    some = replace(SCORES, bar=lambda row: (0, 1, 2) if row.system == "a" else None)
    assert make_table(make_score(), make_score("b"), presentation=some).bars == ((0, 1, 2), None)


def test_caption_starts_with_column_notes():
    own = replace(SCORES, columns=("system", "n"), caption=lambda rows: "9 draws")
    assert make_table(make_score(), presentation=own).caption == "queries: judged ones; 9 draws"


def test_key_columns_are_text_and_others_numeric():
    own = replace(SCORES, columns=("measure", "system", "n"))
    assert make_table(make_score(), presentation=own).first_number == 2


def test_label_is_in_every_record():
    (record,) = make_table(Other("a", 3), presentation=OTHERS).records
    assert record == {"table": "others", "system": "a", "n": 3}
    spare = replace(OTHERS, spare=("n",))
    assert make_table(Other("a", 3), presentation=spare).spare == ("n",)


@pytest.mark.parametrize("rule", ["expected", "worst", "best"])
def test_tie_rule_is_in_titles_and_records(rule):
    table = make_table(make_score(), ties=rule)
    assert table.title == f"AP over queries; {registry.TIE_WORDS[rule]}"
    assert table.records[0]["ties"] == rule
    own = replace(SCORES, tables=lambda rows, view: [Table("own", ("a",), (), ({},))])
    (tie_table,) = own.make_tables([make_score()], View(ties=rule))
    assert (tie_table.title, tie_table.records) == (
        f"own; {registry.TIE_WORDS[rule]}",
        ({"ties": rule},),
    )


@pytest.mark.parametrize("rule", ["", "trec"])
def test_default_tie_rule_is_not_stated(rule):
    assert make_table(make_score(), ties=rule) == make_table(make_score())


def test_section_contains_all_output_of_one_result_type():
    section = make_section([make_score(), make_score("b")], View(digits=1))
    assert section.heading == "Scores"
    assert section.sentences == ["2 rows, digits 1"]
    assert [len(table.cells) for table in section.tables] == [2]
    assert section.topics == ["mean-interval", "student-t"]  # each once
    assert make_section([make_score()], heading="My own").heading == "My own"
    assert make_section([Other("a", 3)]).heading == "1 others"
    with pytest.raises(ValueError, match="unpack"):
        make_section([make_score(), Other("a", 3)])


def test_conclusion_is_below_tables(monkeypatch):
    conclude = lambda rows, view: [f"{len(rows)} rows <b> conclude"]  # noqa: E731
    present(Score, replace(SCORES, conclusion=conclude))
    rows = Results([make_score(), make_score("b")])
    assert make_section(rows).conclusion == ["2 rows <b> conclude"]
    assert str(rows).splitlines()[-2:] == ["", "2 rows <b> conclude"]
    html = rows.to_html()
    assert html.index("</table>") < html.index("2 rows &lt;b&gt; conclude")
    assert "conclude" not in rows.to_markdown() + rows.to_latex()
    assert make_section([Other("a", 3)]).conclusion == []


def test_terminal_shows_the_first_rows_unless_verbose():
    present(Score, replace(SCORES, max_rows=2))
    rows = Results([make_score(name) for name in ("one", "two", "three", "four")])
    (table,) = make_tables(rows)
    assert (table.shown_rows, len(table.cells), len(table.records)) == ((0, 1), 4, 4)
    assert make_tables(rows, View(verbose=True))[0].shown_rows == ()
    text = str(rows)
    assert [name in text for name in ("one", "two", "three", "four")] == [True, True, False, False]
    assert "the first 2 of 4 rows" in text
    for document in (rows.to_html(), rows.to_markdown(), rows.to_latex()):
        assert "four" in document
        assert "the first 2 of" not in document


def test_results_of_several_types_are_grouped_by_type():
    rows = [make_score(), Other("a", 3), make_score("b")]
    assert [len(part) for _, part in group_by_presentation(rows)] == [2, 1]
    assert [table.headings[-1] for table in make_tables(rows)] == ["high", "n"]
    both = Results(rows)
    assert both.to_html().count("<table") == 2
    assert both.to_latex().count(r"\begin{table}") == 2
    assert str(both).index("AP over queries") < str(both).index("n\n")
    assert len(both.records()) == 3
    assert both.to_polars()["system"].to_list() == ["a", "a", "b"]
    assert both.to_polars()["value"].to_list() == [0.3, None, 0.3]


def test_warnings_are_collected_without_duplicates():
    rows = [
        make_score(warnings=("odd", "very odd")),
        Other("a", 3),
        make_score(warnings=("odd",)),
        object(),
    ]
    assert collect_warnings(rows) == ["odd", "very odd"]


@runtime_checkable
class HasTotal(Protocol):
    """A protocol through which unregistered classes are shown."""

    def total(self) -> int: ...


class Sum:
    """A class that is registered through the protocol only."""

    def total(self) -> int:
        """Return a number."""
        return 3


class Special(Other):
    """A result type without a separate presentation."""


def test_registry_accepts_protocol_or_base_class():
    totals = Presentation("Totals", tables=lambda rows, view: [])
    present(HasTotal, totals)
    assert find_presentation(Sum()) is totals
    assert find_presentation(Special("a", 3)) is OTHERS


@pytest.mark.parametrize("show", [make_tables, draw_figure, make_section])
def test_unregistered_object_raises_error_listing_types(show):
    with pytest.raises(irbounds.errors.ParameterError, match=r"Estimate, .*Score, .*; got int"):
        show([1])


@pytest.fixture
def figure_calls(monkeypatch):
    """Return the list of calls of the test figure functions."""
    calls = []
    module = ModuleType("scratch")
    module.draw = lambda rows, **options: calls.append((rows, options)) or "one"
    module.draw_two = lambda rows: ["two", "three"]
    monkeypatch.setitem(sys.modules, "irbounds.presentation.figures.scratch", module)
    return calls


def test_figures_are_loaded_by_name(figure_calls):
    rows = [make_score(), make_score("b")]
    assert draw_figure([*rows, Other("a", 3)], width=300) == "one"
    assert figure_calls == [(rows, {"width": 300})]
    assert make_section(rows).drawn == ["one", "two", "three"]


def test_figure_of_single_result(figure_calls):
    present(Score, replace(SCORES, is_single=True))
    result = make_score()
    draw_figure([result])
    assert figure_calls == [(result, {})]
    with pytest.raises(irbounds.errors.ParameterError, match="a figure is of one Score; got 2"):
        draw_figure([result, result])


def test_empty_results_have_no_figure():
    with pytest.raises(irbounds.errors.ParameterError, match="no results, so no figure"):
        draw_figure([])


def test_registered_figure_functions_exist():
    for kind, presentation in list(registry.REGISTRY.items()):  # importing figures may add kinds
        for name in () if kind is Score else presentation.figures:
            module, function = name.split(":")
            place = module if "." in module else f"irbounds.presentation.figures.{module}"
            figure_module = import_module(place)
            assert callable(getattr(figure_module, function)), (kind, name)


def test_registered_topics_have_explanations():
    for name, result in every_result().items():
        for presentation, part in group_by_presentation(result._rows()):
            assert set(presentation.topics(part)) <= set(EXPLANATIONS), name


def test_hostile_names_are_text_in_every_format(monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    results = Results([make_score(HOSTILE), make_score("a|b_c\\d [bold]x[/bold]")])
    assert HOSTILE not in results.to_html()
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in results.to_html()
    assert r"a$|$b\_c\textbackslash{}d" in results.to_latex()
    assert "a\\|b_c\\\\d" in results.to_markdown()
    assert HOSTILE in str(results)
    assert "[bold]x[/bold]" in str(results)
