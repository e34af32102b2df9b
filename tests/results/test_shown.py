"""Results show themselves: every public one has a table and a figure, and loads neither unasked."""

from __future__ import annotations

import inspect
import pickle
import subprocess
import sys
import typing
from typing import Any

import pytest

import irbounds
from every_result import NAMES, every_result, result_of
from irbounds import results
from irbounds.results import NullDistribution, Results, Shown

#: what is read or made to be scored
INPUTS = {
    irbounds.Qrels,
    irbounds.Run,
    irbounds.Factors,
    irbounds.SimulatedCollection,
}
#: fields of results, and lines of a paper's figures; no public function gives them back
PARTS = {
    *("Interval", "ImageSummary", "SpreadSummary", "InputFile", "Standardisation", "Stratum"),
    *("QrelsDiagnosis", "RunDiagnosis", "RecallRealisation", "ChancePoint", "WidthPoint"),
    *("StudyCurve", "EstimatorScatter", "ProportionCoverage", "ShareBox"),
}
#: how classes say what they can do
PROTOCOLS = {"Limits", "SidedLimits", "Posterior", "NullDistribution"}


def public_functions() -> list[Any]:
    found = [getattr(irbounds, name) for name in irbounds.__all__]
    asked = vars(irbounds.CorpusBootstrap).items()
    questions = [f for name, f in asked if inspect.isfunction(f) and not name.startswith("_")]
    return [f for f in found if inspect.isfunction(f)] + questions


def given_back(function: Any) -> list[type]:
    """The classes of ours in a function's return annotation, what is inside of others too."""
    names = {**vars(sys.modules[function.__module__]), **vars(irbounds), **vars(results)}
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
def test_what_a_public_function_gives_back_shows_itself(function):
    for kind in given_back(function):
        assert kind in INPUTS or shows_itself(kind), kind


def test_several_results_come_as_results():
    """So that no tuple or list is left that knows nothing of showing."""
    for function in public_functions():
        hint = str(function.__annotations__["return"])
        kinds = [kind for kind in given_back(function) if kind not in INPUTS | {Results}]
        if kinds and ("tuple[" in hint or "list[" in hint):
            assert function.__name__ == "shown_as"


def test_the_checks_above_see_what_they_should():
    assert given_back(irbounds.mean_interval) == [Results, irbounds.Estimate]
    assert given_back(irbounds.null_distribution) == [NullDistribution]
    assert given_back(irbounds.check) == [irbounds.Diagnosis]
    assert not shows_itself(irbounds.Interval)


def test_every_class_of_results_shows_itself():
    classes = {name: c for name, c in vars(results).items() if inspect.isclass(c)}
    kinds = {name for name, c in classes.items() if c.__module__.startswith("irbounds")}
    assert kinds > PARTS | PROTOCOLS
    for name in kinds - PARTS - PROTOCOLS:
        assert shows_itself(classes[name]), name


@pytest.mark.parametrize("name", NAMES)
def test_every_kind_has_a_table_and_a_figure(name):
    found = result_of(name)
    for one in (found, found[0]) if isinstance(found, tuple) else (found,):
        text = one._repr_html_()
        assert text.count("<table") == text.count("</table>") > 0
        figure = one.plot()
        assert figure.description
        assert figure.to_dict()["config"]["background"] == "white"


def test_every_shown_class_is_tried_above():
    tried = {type(one) for found in every_result().values() for one in _with_parts(found)}
    for kind in _leaves(Shown):
        assert any(issubclass(one, kind) for one in tried), kind


def _with_parts(found: Any) -> list[Any]:
    parts = found if isinstance(found, Results) else ()
    return [found, *parts, *getattr(found, "rows", ()), *getattr(found, "queries", ())]


def _leaves(kind: type) -> list[type]:
    """Classes without subclasses; methods of an exact distribution are all reached by one."""
    below = kind.__subclasses__()
    known = [leaf for one in below for leaf in _leaves(one)]
    return known if below else [] if kind.__name__ == "Halved" else [kind]


def test_results_are_a_tuple():
    found = irbounds.mean_interval([0.1, 0.5, 0.4, 0.0], method=["student-t", "bca"], rng=1)
    plain = tuple(found)
    assert isinstance(found, tuple)
    assert found == plain
    assert plain == found
    assert hash(found) == hash(plain)
    first, second = found
    assert (found[0], found[-1], len(found)) == (first, second, 2)
    assert repr(found) == repr(plain)


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
    assert found.records() == irbounds.records(found)
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
