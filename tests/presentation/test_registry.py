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
    """A kind of result that only these tests have."""

    measure: Key
    system: Key
    value: float
    interval: Interval
    n: Annotated[int, Column("count", "queries", note="judged ones")] = 50
    warnings: Warnings = ()


@dataclass(frozen=True)
class Other(Result):
    """Another one, without an interval."""

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


def score(system="a", value=0.3, half=0.043, measure="AP", side="two-sided", **more):
    ends = {"two-sided": (value - half, value + half), "greater": (value - half, math.inf)}
    ends["less"] = (-math.inf, value + half)
    return Score(measure, system, value, Interval(*ends[side], 0.95, "student-t", side), **more)


def table_of(*rows, presentation=SCORES, **view):
    (table,) = presentation.make_tables(rows, View(**view))
    return table


def test_a_table_follows_from_the_columns():
    table = table_of(score("a"), score("b", 0.2), queries="judged queries")
    assert table == Table(
        title="AP over judged queries",
        headings=("system", "value", "low", "high"),
        cells=(("a", "0.300", "0.257", "0.343"), ("b", "0.200", "0.157", "0.243")),
        records=tuple(irbounds.results.records([score("a"), score("b", 0.2)])),
        bars=((0.3 - 0.043, 0.3, 0.3 + 0.043), (0.2 - 0.043, 0.2, 0.2 + 0.043)),
    )


def test_groups_have_a_table_each_in_the_order_in_which_they_come():
    rows = [score(measure="RR"), score("b"), score("c", measure="RR")]
    tables = SCORES.make_tables(rows, View())
    assert [[row[0] for row in table.cells] for table in tables] == [["a", "c"], ["b"]]
    whole = replace(SCORES, group=lambda row: None)
    assert len(whole.make_tables(rows, View())) == 1


def test_rows_come_as_they_are_or_by_a_key():
    rows = [score("b", 0.2), score("a", 0.1), score("c", 0.3)]
    assert [row[0] for row in table_of(*rows).cells] == ["b", "a", "c"]
    ordered = table_of(*rows, presentation=replace(SCORES, order=lambda row: row.system))
    assert [row[0] for row in ordered.cells] == ["a", "b", "c"]
    assert [row["system"] for row in ordered.records] == ["a", "b", "c"]
    assert [bar[1] for bar in ordered.bars] == [0.1, 0.2, 0.3]


def test_an_optional_column_with_one_value_is_left_out():
    assert "queries" not in table_of(score(), score("b")).headings
    table = table_of(score(), score("b", n=1234))
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
def test_a_one_sided_interval_has_one_column(side, headings, cells, bar):
    table = table_of(score(side=side))
    assert table.headings == ("system", "value", *headings)
    assert table.cells == (("a", "0.300", *cells),)
    assert table.bars == (pytest.approx(bar),)
    assert table.records[0]["alternative"] == side


def test_digits_are_those_of_the_interval_unless_given():
    assert table_of(score(half=0.0043)).cells[0][1:3] == ("0.3000", "0.2957")
    assert table_of(score(half=math.nan)).cells[0][1:] == ("0.3000", "-", "-")
    assert table_of(score(), digits=1).cells[0][1:] == ("0.3", "0.3", "0.3")
    own = replace(SCORES, places=lambda rows: 5)
    assert table_of(score(), presentation=own).cells[0][1] == "0.30000"


def test_bars_are_drawn_where_a_row_has_one():
    assert table_of(Other("a", 3), presentation=OTHERS).bars == ()
    some = replace(SCORES, bar=lambda row: (0, 1, 2) if row.system == "a" else None)
    assert table_of(score(), score("b"), presentation=some).bars == ((0, 1, 2), None)


def test_captions_have_the_notes_of_the_columns_first():
    own = replace(SCORES, columns=("system", "n"), caption=lambda rows: "9 draws")
    assert table_of(score(), presentation=own).caption == "queries: judged ones; 9 draws"


def test_keys_are_names_and_the_rest_is_numbers():
    own = replace(SCORES, columns=("measure", "system", "n"))
    assert table_of(score(), presentation=own).first_number == 2


def test_a_label_names_the_kind_in_every_record():
    (record,) = table_of(Other("a", 3), presentation=OTHERS).records
    assert record == {"table": "others", "system": "a", "n": 3}
    spare = replace(OTHERS, spare=("n",))
    assert table_of(Other("a", 3), presentation=spare).spare == ("n",)


@pytest.mark.parametrize("rule", ["expected", "worst", "best"])
def test_a_rule_for_ties_is_in_titles_and_records(rule):
    table = table_of(score(), ties=rule)
    assert table.title == f"AP over queries; {registry.TIE_WORDS[rule]}"
    assert table.records[0]["ties"] == rule
    own = replace(SCORES, tables=lambda rows, view: [Table("own", ("a",), (), ({},))])
    (made,) = own.make_tables([score()], View(ties=rule))
    assert (made.title, made.records) == (f"own; {registry.TIE_WORDS[rule]}", ({"ties": rule},))


@pytest.mark.parametrize("rule", ["", "trec"])
def test_the_usual_rule_for_ties_is_not_stated(rule):
    assert table_of(score(), ties=rule) == table_of(score())


def test_a_section_has_everything_of_one_kind():
    section = make_section([score(), score("b")], View(digits=1))
    assert section.heading == "Scores"
    assert section.sentences == ["2 rows, digits 1"]
    assert [len(table.cells) for table in section.tables] == [2]
    assert section.topics == ["mean-interval", "student-t"]  # each once
    assert make_section([score()], heading="My own").heading == "My own"
    assert make_section([Other("a", 3)]).heading == "1 others"
    with pytest.raises(ValueError, match="unpack"):
        make_section([score(), Other("a", 3)])


def test_a_conclusion_is_below_the_tables(monkeypatch):
    conclude = lambda rows, view: [f"{len(rows)} rows <b> conclude"]  # noqa: E731
    present(Score, replace(SCORES, conclusion=conclude))
    rows = Results([score(), score("b")])
    assert make_section(rows).conclusion == ["2 rows <b> conclude"]
    assert str(rows).splitlines()[-2:] == ["", "2 rows <b> conclude"]
    html = rows.to_html()
    assert html.index("</table>") < html.index("2 rows &lt;b&gt; conclude")
    assert "conclude" not in rows.to_markdown() + rows.to_latex()
    assert make_section([Other("a", 3)]).conclusion == []


def test_a_terminal_shows_the_rows_that_are_selected_unless_verbose():
    select = lambda rows: ((0, 2), "the first and the third")  # noqa: E731
    present(Score, replace(SCORES, select=select))
    rows = Results([score(name) for name in ("one", "two", "three", "four")])
    (table,) = make_tables(rows)
    assert (table.shown_rows, len(table.cells), len(table.records)) == ((0, 2), 4, 4)
    assert make_tables(rows, View(verbose=True))[0].shown_rows == ()
    text = str(rows)
    assert [name in text for name in ("one", "two", "three", "four")] == [True, False, True, False]
    assert text.endswith("the first and the third")
    for whole in (rows.to_html(), rows.to_markdown(), rows.to_latex()):
        assert "four" in whole
        assert "the first and" not in whole


def test_several_kinds_are_shown_kind_by_kind():
    rows = [score(), Other("a", 3), score("b")]
    assert [len(part) for _, part in group_by_presentation(rows)] == [2, 1]
    assert [table.headings[-1] for table in make_tables(rows)] == ["high", "n"]
    both = Results(rows)
    assert both.to_html().count("<table") == 2
    assert both.to_latex().count(r"\begin{table}") == 2
    assert str(both).index("AP over queries") < str(both).index("n\n")
    assert len(both.records()) == 3
    assert both.to_polars()["system"].to_list() == ["a", "a", "b"]
    assert both.to_polars()["value"].to_list() == [0.3, None, 0.3]


def test_warnings_of_results_are_collected_once():
    rows = [score(warnings=("odd", "very odd")), Other("a", 3), score(warnings=("odd",)), object()]
    assert collect_warnings(rows) == ["odd", "very odd"]


@runtime_checkable
class HasTotal(Protocol):
    """What an unregistered class may be shown by."""

    def total(self) -> int: ...


class Sum:
    """A class that only the protocol knows."""

    def total(self) -> int:
        """Return a number."""
        return 3


class Special(Other):
    """A kind without a presentation of its own."""


def test_a_kind_may_be_a_protocol_or_a_base_class():
    totals = Presentation("Totals", tables=lambda rows, view: [])
    present(HasTotal, totals)
    assert find_presentation(Sum()) is totals
    assert find_presentation(Special("a", 3)) is OTHERS


@pytest.mark.parametrize("show", [make_tables, draw_figure, make_section])
def test_an_object_that_is_no_result_is_an_error_that_lists_the_types(show):
    with pytest.raises(irbounds.errors.ParameterError, match=r"Estimate, .*Score, .*; got int"):
        show([1])


@pytest.fixture
def drawn(monkeypatch):
    """What the figure functions of the tests were called with."""
    calls = []
    module = ModuleType("scratch")
    module.draw = lambda rows, **options: calls.append((rows, options)) or "one"
    module.draw_two = lambda rows: ["two", "three"]
    monkeypatch.setitem(sys.modules, "irbounds.presentation.figures.scratch", module)
    return calls


def test_figures_are_loaded_by_name(drawn):
    rows = [score(), score("b")]
    assert draw_figure([*rows, Other("a", 3)], width=300) == "one"
    assert drawn == [(rows, {"width": 300})]
    assert make_section(rows).drawn == ["one", "two", "three"]


def test_a_figure_may_be_of_one_result(drawn):
    present(Score, replace(SCORES, is_single=True))
    one = score()
    draw_figure([one])
    assert drawn == [(one, {})]
    with pytest.raises(irbounds.errors.ParameterError, match="a figure is of one Score; got 2"):
        draw_figure([one, one])


def test_no_results_have_no_figure():
    with pytest.raises(irbounds.errors.ParameterError, match="no results, so no figure"):
        draw_figure([])


def test_the_figures_that_kinds_name_are_there():
    for kind, one in list(registry.REGISTRY.items()):  # importing figures may add kinds
        for name in () if kind is Score else one.figures:
            module, function = name.split(":")
            place = module if "." in module else f"irbounds.presentation.figures.{module}"
            found = import_module(place)
            assert callable(getattr(found, function)), (kind, name)


def test_the_topics_that_kinds_name_are_explained():
    for name, result in every_result().items():
        for presentation, part in group_by_presentation(result._rows()):
            assert set(presentation.topics(part)) <= set(EXPLANATIONS), name


def test_hostile_names_are_text_in_every_form(monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    found = Results([score(HOSTILE), score("a|b_c\\d [bold]x[/bold]")])
    assert HOSTILE not in found.to_html()
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in found.to_html()
    assert r"a$|$b\_c\textbackslash{}d" in found.to_latex()
    assert "a\\|b_c\\\\d" in found.to_markdown()
    assert HOSTILE in str(found)
    assert "[bold]x[/bold]" in str(found)
