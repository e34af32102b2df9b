"""Results show themselves: as text, tables, frames and figures, and load nothing unasked."""

from __future__ import annotations

import inspect
import pickle
import subprocess
import sys
import typing
from dataclasses import replace
from typing import Any

import pytest

import irbounds
from every_result import DRAWN, NAMES, every_result, result_of
from irbounds import results
from irbounds.presentation.registry import make_section, make_tables
from irbounds.reports.assembly import Report
from irbounds.results import NullDistribution, Result, Results

#: what is read or made to be scored, and a whole page
INPUTS = {
    Report,
    irbounds.Qrels,
    irbounds.Run,
    irbounds.standardisation.Factors,
    irbounds.simulation.SimulatedCollection,
}
#: fields of results, and lines of a paper's figures; no public function gives them back
PARTS = {
    *(
        "RankInterval",
        "Interval",
        "ImageSummary",
        "SpreadSummary",
        "InputFile",
        "Standardisation",
        "Stratum",
    ),
    *("QrelsDiagnosis", "RunDiagnosis", "RecallRealisation", "WidthPoint"),
}
#: tables of papers have a column "paper" after each of ours
REPEATED = {"study", "paper table"}
#: how classes say what they can do
PROTOCOLS = {"Posterior", "NullDistribution"}
#: where public functions are
NAMESPACES = (
    irbounds,
    irbounds.cards,
    irbounds.planning,
    irbounds.random_rankings,
    irbounds.results,
    irbounds.samples,
    irbounds.simulation,
    irbounds.standardisation,
)


def public_functions() -> list[Any]:
    found = dict.fromkeys(getattr(space, name) for space in NAMESPACES for name in space.__all__)
    asked = vars(irbounds.corpora.CorpusBootstrap).items()
    questions = [f for name, f in asked if inspect.isfunction(f) and not name.startswith("_")]
    return [f for f in found if inspect.isfunction(f)] + questions


def public_results() -> dict[str, Any]:
    return {name: getattr(results, name) for name in results.__all__}


def given_back(function: Any) -> list[type]:
    """The classes of ours in a function's return annotation, what is inside of others too."""
    spaces = {
        **vars(sys.modules[function.__module__]),
        **vars(irbounds),
        **vars(irbounds.simulation),
    }
    names = {**spaces, "SimulatedCollection": irbounds.simulation.SimulatedCollection}
    names |= public_results()
    hint = function.__annotations__["return"]
    return _classes(eval(hint, names) if isinstance(hint, str) else hint)


def _classes(hint: Any) -> list[type]:
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    parts = [one for part in inside for one in _classes(part)]
    own = [origin or hint]
    return [c for c in own if getattr(c, "__module__", "").startswith("irbounds")] + parts


def shows_itself(kind: type) -> bool:
    return all(callable(getattr(kind, name, None)) for name in ("_repr_html_", "plot"))


@pytest.mark.parametrize("function", public_functions(), ids=lambda f: f.__name__)
def test_results_of_public_functions_show_themselves(function):
    for kind in given_back(function):
        assert kind in INPUTS or shows_itself(kind) or kind is NullDistribution, kind


@pytest.mark.parametrize("name", ["exact", "monte-carlo", "matched"])
def test_every_null_distribution_shows_itself(name):
    assert isinstance(result_of(name), NullDistribution)
    assert shows_itself(type(result_of(name)))


def test_several_results_come_as_results():
    """So that no tuple or list is left that knows nothing of showing."""
    plain = []
    for function in public_functions():
        hint = str(function.__annotations__["return"])
        kinds = [kind for kind in given_back(function) if kind not in INPUTS | {Results}]
        if kinds and ("tuple[" in hint or "list[" in hint):
            plain.append(function.__name__)
    assert plain == []


def test_the_checks_above_can_fail():
    assert given_back(irbounds.mean_interval) == [Results, irbounds.results.Estimate]
    assert given_back(irbounds.random_rankings.null_distribution) == [NullDistribution]
    assert given_back(irbounds.check) == [irbounds.results.Diagnosis]
    assert not shows_itself(irbounds.results.Interval)


def test_every_class_of_results_shows_itself():
    classes = {name: c for name, c in public_results().items() if inspect.isclass(c)}
    assert classes.keys() > PARTS | PROTOCOLS
    for name in classes.keys() - PARTS - PROTOCOLS:
        assert shows_itself(classes[name]), name


def one_and_all(name: str) -> tuple[Any, ...]:
    found = result_of(name)
    return (found, found[0]) if isinstance(found, tuple) else (found,)


def test_a_type_without_a_figure_is_an_error():
    (name,) = set(NAMES) - set(DRAWN)
    for one in one_and_all(name):
        with pytest.raises(irbounds.errors.ParameterError, match="no figure"):
            one.plot()


@pytest.mark.parametrize("name", DRAWN)
def test_every_kind_has_a_figure(name):
    for one in one_and_all(name):
        figure = one.plot()
        assert figure.description
        assert figure.to_dict()["config"]["background"] == "white"


@pytest.mark.parametrize("name", NAMES)
def test_every_kind_has_a_heading_and_a_table_per_row(name):
    for one in one_and_all(name):
        rows = list(one._rows())
        tables = make_tables(rows)
        assert tables
        for table in tables:
            assert all(len(cells) == len(table.headings) for cells in table.cells)
            assert set(table.spare) <= set(table.headings), "a column to spare is one of its own"
            assert len(table.bars) in (0, len(table.cells))
            assert len(set(table.headings)) == len(table.headings) or name in REPEATED
        if len({type(row) for row in rows}) == 1:
            assert make_section(rows).heading


@pytest.mark.parametrize("name", NAMES)
def test_every_kind_is_shown_as_text_markdown_latex_and_html(name, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    for one in one_and_all(name):
        tables = make_tables(one._rows())
        text, html = str(one), one.to_html()
        assert html == one._repr_html_()
        assert html.count("<table") == html.count("</table>") == len(tables)
        assert one.to_latex().count(r"\begin{tabular}") == len(tables)
        assert one.to_markdown().count("\n\n| ") == len(tables)
        shown = [table for table in tables if not table.is_detail]
        for table in () if name == "scores" else shown:  # too many scores for a terminal
            # a line may be broken at any space of a title
            assert "".join(table.title.split()) in "".join(text.split())


@pytest.mark.parametrize("name", NAMES)
def test_frames_are_the_records(name):
    for one in one_and_all(name):
        rows = one.records()
        assert rows
        plain = (str, int, float, bool, type(None))
        assert {type(value) for row in rows for value in row.values()} <= set(plain)
        kinds = {type(row) for row in one._rows()}
        assert len({tuple(row) for row in rows}) == len(kinds), "all rows of a kind are alike"
        columns = list(dict.fromkeys(column for row in rows for column in row))
        polars, pandas = one.to_polars(), one.to_pandas()
        assert set(polars.columns) == set(pandas.columns) == set(columns)
        assert polars.shape == pandas.shape == (len(rows), len(columns))
        missing = dict.fromkeys(columns)  # of rows of another kind
        texts = [sorted(map(str, {**missing, **row}.items())) for row in rows]
        frame = [sorted(map(str, row.items())) for row in polars.to_dicts()]
        assert sorted(frame) == sorted(texts)
        assert frame == texts or name == "scores"


def test_text_fits_eighty_columns_and_has_the_cells(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    found = result_of("means")
    text = str(found)
    assert max(map(len, text.splitlines())) <= 80
    assert repr(found) == text
    assert all(line == line.rstrip() for line in text.splitlines())
    (first, *_) = make_tables(found)
    for row in first.cells:
        assert all(cell in text for cell in row[1:])
    assert "\N{BLACK CIRCLE}" in text  # intervals as small bars
    assert "\x1b" not in text


def test_a_wide_terminal_shows_columns_that_eighty_leave_out(monkeypatch):
    found = result_of("differences")
    monkeypatch.setenv("COLUMNS", "60")
    assert "no room for effect size, p, detectable:" in str(found)
    monkeypatch.setenv("COLUMNS", "150")
    assert "no room" not in str(found)
    assert "detectable" in str(found)


def test_sentences_and_warnings_are_part_of_the_text():
    found = result_of("systems and chance")
    text = " ".join(str(found).split())
    assert "p is how often a random ranking scores" in text
    sample = replace(result_of("sample"), warnings=("two rows were left out",))
    assert "warning: two rows were left out" in str(sample)
    assert "<p>two rows were left out</p>" in sample.to_html()


def test_no_results():
    nothing = Results()
    assert (str(nothing), repr(nothing)) == ("no results", "no results")
    assert nothing.to_html() == "<p>no results</p>"
    assert nothing.records() == []
    assert len(nothing.to_polars()) == len(nothing.to_pandas()) == 0
    with pytest.raises(irbounds.errors.ParameterError, match="no results, so no figure"):
        nothing.plot()


def test_frames_without_pandas_are_an_error(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(
        irbounds.errors.ParameterError, match="needs pandas, which is not installed"
    ):
        result_of("means").to_pandas()


def test_every_kind_of_result_is_tried_above():
    tried = {type(one) for found in every_result().values() for one in _with_parts(found)}
    for kind in _leaves(Result):
        if issubclass(kind, Results):
            continue  # tuples that verbs return: of kinds that are tried
        assert any(issubclass(one, kind) for one in tried), kind


def _with_parts(found: Any) -> list[Any]:
    parts = found if isinstance(found, Results) else ()
    return [found, *parts, *getattr(found, "rows", ()), *getattr(found, "queries", ())]


def _leaves(kind: type) -> list[type]:
    """Classes without subclasses; methods of an exact distribution are all reached by one."""
    below = [one for one in kind.__subclasses__() if one.__module__.startswith("irbounds.")]
    known = [leaf for one in below for leaf in _leaves(one)]
    return known if below else [] if kind.__name__ == "MeetInTheMiddle" else [kind]


def test_results_are_a_tuple():
    found = irbounds.mean_interval([0.1, 0.5, 0.4, 0.0], method=["student-t", "bca"], rng=1)
    plain = tuple(found)
    assert isinstance(found, tuple)
    assert found == plain
    assert plain == found
    assert hash(found) == hash(plain)
    first, second = found
    assert (found[0], found[-1], len(found)) == (first, second, 2)
    assert repr(found) == str(found)


def test_parts_and_sums_of_results_show_themselves():
    found = result_of("means")
    for part in (found[:2], found[::-1], found + found[:1], found + tuple(found)):
        assert type(part) is Results
        assert "<table" in part._repr_html_()
    assert found[::-1] == tuple(found)[::-1]
    assert len(found + found[:1]) == len(found) + 1
    with pytest.raises(TypeError):
        found + list(found)


def test_records_are_those_of_the_function():
    found = result_of("means")
    assert found.records() == irbounds.results.records(found)
    sample = result_of("sample")
    (record,) = Results([sample]).records()
    assert (record["unretrieved_population"], record["retrieved_relevant"]) == (900, 20)


def test_results_can_be_pickled():
    found = result_of("ties")
    assert pickle.loads(pickle.dumps(found)) == found
    assert type(pickle.loads(pickle.dumps(found))) is Results


@pytest.mark.parametrize(
    ("code", "heavy"),
    [
        ("import irbounds", []),
        ("recall()", []),
        ("recall()._repr_html_()", []),
        ("recall().plot()", []),
        ("recall().plot().svg()", ["vl_convert"]),
    ],
)
def test_vl_convert_is_loaded_by_a_drawn_figure_only(code, heavy):
    program = (
        "import sys, irbounds\n"
        "def recall():\n"
        "    return irbounds.recall_interval(retrieved=(200, 50, 20), unretrieved=(900, 60, 2))\n"
        f"{code}\n"
        "heavy = ('altair', 'vl_convert', 'numba', 'polars')\n"
        "print(*[name for name in heavy if name in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == heavy
