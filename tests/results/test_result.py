"""Results show themselves: as text, tables, frames and figures, and load nothing unasked."""

from __future__ import annotations

import inspect
import pickle
import subprocess
import sys
import typing
from typing import Any

import pytest

import irbounds
from every_result import DRAWN, NAMES, every_result, result_of
from irbounds import results
from irbounds.comparisons.pyterrier import PairedTest
from irbounds.presentation.registry import make_section, make_tables
from irbounds.reports.assembly import Report
from irbounds.results import NullDistribution, Result, Results
from irbounds.simulation import SimulatedCollection

#: what is read or made to be scored, a whole page, and the pair of numbers that PyTerrier takes
INPUTS = {
    Report,
    irbounds.Qrels,
    irbounds.Run,
    SimulatedCollection,
    PairedTest,
}
#: fields of results, and lines of a paper's figures; no public function gives them back
PARTS = {
    *(
        "RankInterval",
        "Interval",
        "ImageSummary",
        "InputFile",
        "NullDistribution",
        "QueryChance",
        "Stratum",
        "GateCheck",
        "TippingPoint",
    ),
    *("QrelsDiagnosis", "RunDiagnosis"),
}
#: tables of papers have a column "paper" after each of ours
REPEATED = {"paper table"}
#: where public functions are
NAMESPACES = (
    irbounds,
    irbounds.random_rankings,
    irbounds.results,
    irbounds.samples,
)


def list_public_functions() -> list[Any]:
    functions = dict.fromkeys(
        getattr(space, name) for space in NAMESPACES for name in space.__all__
    )
    bootstrap_methods = vars(irbounds.corpora.CorpusBootstrap).items()
    questions = [
        f for name, f in bootstrap_methods if inspect.isfunction(f) and not name.startswith("_")
    ]
    return [f for f in functions if inspect.isfunction(f)] + questions


def list_public_results() -> dict[str, Any]:
    return {name: getattr(results, name) for name in results.__all__}


def list_returned_classes(function: Any) -> list[type]:
    """Return the irbounds classes in a function's return annotation, nested ones included."""
    spaces = {
        **vars(sys.modules[function.__module__]),
        **vars(irbounds),
    }
    names = {**spaces, "SimulatedCollection": SimulatedCollection}
    names |= list_public_results()
    hint = function.__annotations__["return"]
    return _classes(eval(hint, names) if isinstance(hint, str) else hint)


def _classes(hint: Any) -> list[type]:
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    parts = [inner for part in inside for inner in _classes(part)]
    own = [origin or hint]
    return [c for c in own if getattr(c, "__module__", "").startswith("irbounds")] + parts


def can_show(kind: type) -> bool:
    return all(callable(getattr(kind, name, None)) for name in ("_repr_html_", "plot"))


@pytest.mark.parametrize("function", list_public_functions(), ids=lambda f: f.__name__)
def test_public_functions_return_displayable_results(function):
    for kind in list_returned_classes(function):
        assert kind in INPUTS or can_show(kind) or kind is NullDistribution, kind


def test_functions_return_results_instead_of_plain_sequences():
    """No public function returns a plain tuple or list of results."""
    plain = []
    for function in list_public_functions():
        hint = str(function.__annotations__["return"])
        kinds = [kind for kind in list_returned_classes(function) if kind not in INPUTS | {Results}]
        if kinds and ("tuple[" in hint or "list[" in hint):
            plain.append(function.__name__)
    assert plain == []


def test_display_checks_detect_plain_types():
    assert list_returned_classes(irbounds.mean_interval) == [Results, irbounds.results.Estimate]
    assert list_returned_classes(irbounds.random_rankings.null_distribution) == [NullDistribution]
    assert list_returned_classes(irbounds.check) == [irbounds.results.Diagnosis]
    assert not can_show(irbounds.results.Interval)


def test_result_classes_are_displayable():
    classes = {name: c for name, c in list_public_results().items() if inspect.isclass(c)}
    assert classes.keys() > PARTS
    for name in classes.keys() - PARTS:
        assert can_show(classes[name]), name


def list_single_and_all(name: str) -> tuple[Any, ...]:
    result = result_of(name)
    return (result, result[0]) if isinstance(result, tuple) else (result,)


def test_result_type_without_figure_raises():
    for name in set(NAMES) - set(DRAWN):
        for result in list_single_and_all(name):
            with pytest.raises(irbounds.errors.ParameterError, match="no figure"):
                result.plot()


@pytest.mark.parametrize("name", DRAWN)
def test_result_types_have_figures(name):
    for result in list_single_and_all(name):
        figure = result.plot()
        assert figure.description
        assert figure.to_dict()["config"]["background"] == "white"


@pytest.mark.parametrize("name", NAMES)
def test_result_types_have_headings_and_tables(name):
    for result in list_single_and_all(name):
        rows = list(result._rows())
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
def test_result_types_render_as_text_markdown_latex_and_html(name, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    for result in list_single_and_all(name):
        tables = make_tables(result._rows())
        text, html = str(result), result.to_html()
        assert html == result._repr_html_()
        assert html.count("<table") == html.count("</table>") == len(tables)
        assert result.to_latex().count(r"\begin{tabular}") == len(tables)
        assert result.to_markdown().count("\n\n| ") == len(tables)
        shown_tables = [table for table in tables if not table.is_detail]
        for table in () if name == "scores" else shown_tables:  # too many scores for a terminal
            # a line may be broken at any space of a title
            assert "".join(table.title.split()) in "".join(text.split())


@pytest.mark.parametrize("name", NAMES)
def test_frames_equal_records(name):
    for result in list_single_and_all(name):
        rows = result.records()
        assert rows
        plain = (str, int, float, bool, type(None))
        assert {type(value) for row in rows for value in row.values()} <= set(plain)
        kinds = {type(row) for row in result._rows()}
        assert len({tuple(row) for row in rows}) == len(kinds), "all rows of a kind are alike"
        columns = list(dict.fromkeys(column for row in rows for column in row))
        polars, pandas = result.to_polars(), result.to_pandas()
        assert set(polars.columns) == set(pandas.columns) == set(columns)
        assert polars.shape == pandas.shape == (len(rows), len(columns))
        missing = dict.fromkeys(columns)  # of rows of another kind
        texts = [sorted(map(str, {**missing, **row}.items())) for row in rows]
        frame = [sorted(map(str, row.items())) for row in polars.to_dicts()]
        assert sorted(frame) == sorted(texts)
        assert frame == texts or name == "scores"


def test_result_text_fits_80_columns_and_has_all_cells(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    result = result_of("means")
    text = str(result)
    assert max(map(len, text.splitlines())) <= 80
    assert repr(result) == text
    assert all(line == line.rstrip() for line in text.splitlines())
    (first, *_) = make_tables(result)
    for row in first.cells:
        assert all(cell in text for cell in row[1:])
    assert "\N{BLACK CIRCLE}" in text  # intervals as small bars
    assert "\x1b" not in text


def test_wide_terminal_shows_columns_omitted_at_80(monkeypatch):
    result = result_of("differences")
    monkeypatch.setenv("COLUMNS", "60")
    assert "no room for effect size, p:" in str(result)
    monkeypatch.setenv("COLUMNS", "150")
    assert "no room" not in str(result)
    assert "effect size" in str(result)


def test_result_text_includes_warnings():
    result = irbounds.evaluate(scores={"one": [0.1, 0.5, 0.3]})
    warning = result.warnings[0]
    assert f"warning: {warning}" in " ".join(str(result).split())
    assert warning in result.to_html()


def test_empty_results():
    nothing = Results()
    assert (str(nothing), repr(nothing)) == ("no results", "no results")
    assert nothing.to_html() == "<p>no results</p>"
    assert nothing.records() == []
    assert len(nothing.to_polars()) == len(nothing.to_pandas()) == 0
    with pytest.raises(irbounds.errors.ParameterError, match="no results, so no figure"):
        nothing.plot()


def test_to_frame_without_pandas_raises(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(
        irbounds.errors.ParameterError, match="needs pandas, which is not installed"
    ):
        result_of("means").to_pandas()


def test_sample_results_cover_every_result_type():
    tried = {type(member) for result in every_result().values() for member in _with_parts(result)}
    for kind in _leaves(Result):
        if issubclass(kind, Results):
            continue  # tuples that verbs return: of kinds that are tried
        assert any(issubclass(member, kind) for member in tried), kind


def _with_parts(result: Any) -> list[Any]:
    parts = result if isinstance(result, Results) else ()
    return [result, *parts, *getattr(result, "rows", ()), *getattr(result, "queries", ())]


def _leaves(kind: type) -> list[type]:
    """Return classes without subclasses; one exact distribution represents all its methods."""
    below = [
        subclass
        for subclass in kind.__subclasses__()
        if subclass.__module__.startswith("irbounds.")
    ]
    known = [leaf for subclass in below for leaf in _leaves(subclass)]
    return known if below else [] if kind.__name__ == "MeetInTheMiddle" else [kind]


def test_results_behave_as_tuple():
    estimates = irbounds.mean_interval([0.1, 0.5, 0.4, 0.0], method=["student-t", "bca"], rng=1)
    plain = tuple(estimates)
    assert isinstance(estimates, tuple)
    assert estimates == plain
    assert plain == estimates
    assert hash(estimates) == hash(plain)
    first, second = estimates
    assert (estimates[0], estimates[-1], len(estimates)) == (first, second, 2)
    assert repr(estimates) == str(estimates)


def test_slices_and_sums_of_results_are_displayable():
    means = result_of("means")
    for part in (means[:2], means[::-1], means + means[:1], means + tuple(means)):
        assert type(part) is Results
        assert "<table" in part._repr_html_()
    assert means[::-1] == tuple(means)[::-1]
    assert len(means + means[:1]) == len(means) + 1
    with pytest.raises(TypeError):
        means + list(means)


def test_results_records_equal_function_records():
    means = result_of("means")
    assert means.records() == irbounds.results.records(means)
    (record,) = Results([result_of("recall")]).records()
    assert (record["unretrieved_population"], record["retrieved_relevant"]) == (900, 20)


def test_results_can_be_pickled():
    ranks = result_of("ranks")
    assert pickle.loads(pickle.dumps(ranks)) == ranks
    assert type(pickle.loads(pickle.dumps(ranks))) is Results


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
def test_vl_convert_is_imported_only_to_draw_figures(code, heavy):
    program = (
        "import sys, irbounds\n"
        "def recall():\n"
        "    return irbounds.recall(retrieved=(200, 50, 20), unretrieved=(900, 60, 2))[0]\n"
        f"{code}\n"
        "heavy = ('altair', 'vl_convert', 'numba', 'polars')\n"
        "print(*[name for name in heavy if name in sys.modules])\n"
    )
    completed = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert completed.stdout.split() == heavy
