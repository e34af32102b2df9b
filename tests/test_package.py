"""The package as a whole: loaded modules, public names, docstrings and documents."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
import pydoc
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest

import irbounds
from irbounds.cli.app import VERBS as COMMAND_PLACES

ROOT = Path(__file__).parent.parent
HEAVY = {"numba", "polars", "pandas", "altair", "dask", "distributed", "pooch"}


def list_loaded_packages(*arguments: str) -> set[str]:
    """Return the top-level packages that Python imports, from ``-X importtime``."""
    result = subprocess.run(
        [sys.executable, "-X", "importtime", *arguments], capture_output=True, text=True, check=True
    )
    lines = [line for line in result.stderr.splitlines() if line.startswith("import time:")]
    assert len(lines) > 20
    return {line.rpartition("|")[2].strip().partition(".")[0] for line in lines}


@pytest.mark.parametrize(
    "arguments",
    [
        ("-c", "import irbounds"),
        ("-m", "irbounds", "--help"),
        ("-m", "irbounds", "--version"),
        ("-m", "irbounds", "evaluate", "--help"),
    ],
)
def test_heavy_packages_are_not_loaded_early(arguments):
    assert not list_loaded_packages(*arguments) & HEAVY


def test_check_of_loaded_packages_can_fail():
    assert "numba" in list_loaded_packages("-c", "import irbounds.measurement._kernels")


#: public names by namespace; adding a name is an API decision
PUBLIC_NAMES = {
    "irbounds": """
        IrboundsError Qrels Report Results Run ScoreTable __version__ ap
        average_precision_difference average_precision_interval card cards
        chance check compare compare_cards corpora corpus corpus_bootstrap
        difference_interval draw errors evaluate execution expected_score gate mean_interval
        measures plan_queries plan_recall planning pyterrier_test random_rankings
        rank rank_interval read_qrels read_run read_runs read_scores recall recall_interval report
        results samples score simulate simulation standardisation standardise testing
        """,
    "irbounds.cards": """
        Card CardComparison card_text compare_cards make_card read_card write_card
        """,
    "irbounds.corpora": """
        CorpusBootstrap CorpusResults DifferencePrecision ImageSummary MeasurePrecision
        QueryPrecision RankPrecision ScorePrecision SpreadSummary VarianceSplit
        """,
    "irbounds.errors": """
        DataError DegenerateSampleWarning InputError
        IrboundsError MeasureError ParameterError SeveralInputsError
        """,
    "irbounds.planning": """
        PlannedSample RecallPlan widths_by_budget widths_by_split
        """,
    "irbounds.random_rankings": """
        ChanceLevel NullDistribution QueryChance corrected_score expected_score null_distribution
        p_value score_range score_variance
        """,
    "irbounds.results": """
        Card CardComparison ChanceLevel ClassifierDifference ClassifierScore
        Comparison Comparisons CorpusResults Diagnosis DifferencePrecision DrawnSample DrawnSegment
        Estimate Evaluation Gate GateCheck GroupComparison GroupInteraction ImageSummary InputFile
        Interval MeasureInfo MeasurePrecision NullDistribution PaperTable PlannedSample
        Posterior QrelsDiagnosis QueryChance QueryContribution QueryPlan QueryPrecision
        RankEstimate RankInterval RankPrecision RecallEstimate RecallPlan
        Result Results RunDiagnosis Sample ScorePrecision
        SpreadSummary Standardisation Stratum SystemsPlan TieEffect TippingPoint TippingPoints
        ToleratedError VarianceSplit records
    """,
    "irbounds.samples": """
        RecallEstimate Sample Stratum TippingPoints all_recall_intervals elusion_interval f_interval
        precision_interval prevalence_interval read_samples read_strata read_systems_sheet
        recall_interval sample_estimates sampled_strata tipping_points yield_interval
    """,
    "irbounds.simulation": "SimulatedCollection simulate_collection write_collection",
    "irbounds.standardisation": """
        Factors Standardisation read_factors score_factors standardise_scores write_factors
        """,
    "irbounds.testing": "assert_not_worse",
}
#: functions of the package, so that no module directly below ``irbounds`` may have their names
VERBS = {
    *("ap", "evaluate", "compare", "rank", "corpus", "recall", "chance", "check"),
    *("standardise", "report", "simulate", "plan_queries", "plan_recall", "card", "compare_cards"),
    *("score", "measures", "gate", "draw"),
}
#: the first word of a function's docstring
COMMANDS = {name.partition(" ")[0] for name in COMMAND_PLACES}
FIRST_WORDS = (
    *("Return", "Read", "Write", "Score", "Check", "Count", "Simulate", "Download", "Set"),
    *("Show", "Test", "Compare", "Estimate", "Plan", "Report", "List", "Make", "Decide", "Draw"),
)
#: namespaces that load without heavy packages
LIGHT = ("irbounds.samples", "irbounds.random_rankings", "irbounds.planning", "irbounds.cards")


@pytest.mark.parametrize("namespace", PUBLIC_NAMES)
def test_public_names(namespace):
    module = importlib.import_module(namespace)
    assert sorted(module.__all__) == PUBLIC_NAMES[namespace].split()
    assert set(module.__all__) <= set(dir(module))
    for name in module.__all__:
        assert getattr(module, name) is not None
    with pytest.raises(AttributeError, match=f"'{namespace}' has no attribute 'nothing'"):
        _ = module.nothing


def test_namespaces_are_public_names():
    below = {name.partition(".")[2] for name in PUBLIC_NAMES if "." in name}
    assert below == {n for n in irbounds.__all__ if inspect.ismodule(getattr(irbounds, n))}


def test_no_module_has_the_name_of_a_function():
    """An imported submodule becomes an attribute of its package and would hide the function."""
    assert not VERBS & {module.name for module in pkgutil.iter_modules(irbounds.__path__)}
    modules = {"irbounds.errors", "irbounds.testing"}
    for namespace in PUBLIC_NAMES.keys() - {"irbounds", *modules}:
        module = importlib.import_module(namespace)
        below = {info.name for info in pkgutil.iter_modules(module.__path__)}
        assert not below & set(module.__all__), namespace


@pytest.mark.parametrize("namespace", LIGHT)
def test_namespace_loads_no_heavy_packages(namespace):
    assert not list_loaded_packages("-c", f"import {namespace}") & (HEAVY | {"numpy", "scipy"})


def test_stub_is_the_only_list_of_names(tmp_path, monkeypatch):
    package = tmp_path / "some_package"
    package.mkdir()
    attached = "__getattr__, __dir__, __all__ = attach(__name__, __file__)"
    source = f"from irbounds.lazy_names import attach\nlevel = 3\n{attached}\n"
    (package / "__init__.py").write_text(source)
    stub = "from . import below as below\nfrom .below import half as half\nlevel: int\n"
    (package / "__init__.pyi").write_text(stub)
    (package / "below.py").write_text("half = 0.5\nother = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    some = importlib.import_module("some_package")
    assert some.__all__ == dir(some) == ["below", "half", "level"]
    assert "some_package.below" not in sys.modules
    assert (some.half, some.level, some.below.other) == (0.5, 3, 1)
    assert vars(some)["half"] == 0.5  # resolved without __getattr__ from now on
    with pytest.raises(AttributeError, match="'some_package' has no attribute 'other'"):
        _ = some.other


def list_public_functions() -> dict[str, Callable[..., object]]:
    """Return every public function by its full name."""
    return {
        name: value for name, value in list_public_values().items() if inspect.isfunction(value)
    }


def list_public_methods() -> dict[str, Callable[..., object]]:
    """Return every public method of public classes that has parameters."""
    methods = {}
    for name, value in list_public_values().items():
        if inspect.isclass(value) and not issubclass(value, Exception):
            for method, function in inspect.getmembers(value, inspect.isfunction):
                ours = function.__module__.startswith("irbounds.")
                if ours and method[0] != "_" and len(inspect.signature(function).parameters) > 1:
                    methods[f"{name}.{method}"] = function
    return methods


def list_public_values() -> dict[str, object]:
    """Return everything public by the first of its full names."""
    values: dict[str, object] = {}
    ids: set[int] = set()
    for namespace in PUBLIC_NAMES:
        module = importlib.import_module(namespace)
        for name in module.__all__:
            value = getattr(module, name)
            if id(value) not in ids and not inspect.ismodule(value):
                ids.add(id(value))
                values[f"{namespace}.{name}"] = value
    return values


def parse_sections(function: Callable[..., object]) -> dict[str, str]:
    """Return the numpydoc sections of a docstring, by their headings."""
    parts = re.split(r"^(\w+)\n-+\n", inspect.getdoc(function) or "", flags=re.M)
    return dict(zip(["", *parts[1::2]], parts[0::2], strict=True))


def list_documented_parameters(text: str) -> set[str]:
    lines = [line for line in text.splitlines() if line and not line.startswith(" ")]
    return {name.strip(" *") for line in lines for name in line.split(",")}


@pytest.mark.parametrize(("name", "function"), list_public_functions().items())
def test_public_function_is_documented(name, function):
    sections = parse_sections(function)
    first = sections[""].splitlines()[0]
    assert re.match(rf"({'|'.join(FIRST_WORDS)}) .*\.$", first), first
    assert list_documented_parameters(sections.get("Parameters", "")) == set(
        inspect.signature(function).parameters
    )
    assert sections["Returns"].strip()
    assert ">>> " in sections["Examples"]


@pytest.mark.parametrize(("name", "method"), list_public_methods().items())
def test_public_method_is_documented(name, method):
    sections = parse_sections(method)
    assert re.match(rf"({'|'.join(FIRST_WORDS)}) .*\.$", sections[""].splitlines()[0])
    parameters = list(inspect.signature(method).parameters)[1:]
    assert list_documented_parameters(sections["Parameters"]) == set(parameters)
    assert sections["Returns"].strip()


@pytest.mark.parametrize("name", [n for n, v in list_public_values().items() if inspect.isclass(v)])
def test_public_class_is_documented(name):
    first = (inspect.getdoc(list_public_values()[name]) or "").splitlines()[0]
    assert re.match(r"(?!(What|How|Whether|Where|Of|Do|Does)\b)[A-Z`].*[.`]$", first), first


def test_docstring_checks_can_fail():
    def plain(scores):
        """How it is."""

    with pytest.raises(AssertionError, match="How it is"):
        test_public_function_is_documented("plain", plain)


def test_help_begins_with_a_guide_on_one_screen():
    """The guide fits 24 lines; the text that ``help`` appends follows it."""
    page = pydoc.render_doc(irbounds, renderer=pydoc.plaintext).splitlines()
    guide = page[: page.index("PACKAGE CONTENTS")]
    assert len(guide) <= 25
    assert max(map(len, guide)) <= 100
    words = set(re.findall(r"\w+", "\n".join(guide)))
    functions = {n for n in irbounds.__all__ if inspect.isroutine(getattr(irbounds, n))}
    namespaces = {n for n in irbounds.__all__ if inspect.ismodule(getattr(irbounds, n))}
    assert functions | namespaces <= words
    assert words >= VERBS


def test_default_seed_is_0():
    """The default is that of the command line, so that two calls give the same digits."""
    defaults = {
        name: inspect.signature(function).parameters["rng"].default
        for name, function in list_public_functions().items()
        if "rng" in inspect.signature(function).parameters
    }
    assert defaults.keys() >= {"irbounds.mean_interval", "irbounds.cards.make_card"}
    assert len(defaults) >= 10
    assert set(defaults.values()) == {0}, defaults


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_omitted_seed_equals_seed_0(method):
    scores = [0.12, 0.53, 0.48, 0.0, 0.21, 0.94]
    (estimate,) = irbounds.mean_interval(scores, method=method)
    ((same,), (other,)) = (irbounds.mean_interval(scores, method=method, rng=k) for k in (0, 1))
    assert estimate.seed == 0
    assert (estimate.distribution == same.distribution).all()
    assert not (estimate.distribution == other.distribution).all()


def test_options_of_samples_have_seed_0():
    """``sample_estimates`` and its relatives take ``rng`` among their options."""
    counts = {"retrieved": (2000, 100, 50), "unretrieved": (100_000, 100, 3)}
    options = {"quantities": ["recall"], "method": "monte-carlo", "n_draws": 200}
    (estimate,) = irbounds.samples.sample_estimates(**counts, **options)
    (same,) = irbounds.samples.sample_estimates(**counts, **options, rng=0)
    assert estimate.seed == 0
    assert estimate.interval == same.interval


def test_seed_none_draws_a_seed_stored_in_the_result():
    scores = np.linspace(0, 1, 30)
    drawn = [bootstrap_mean(scores, rng) for rng in (None, None, 0)]
    assert len({result.seed for result in drawn}) == 3
    assert bootstrap_mean(scores, drawn[0].seed).interval == drawn[0].interval
    collections = [irbounds.simulation.simulate_collection(2, 2, 100, 5, rng=None) for _ in "ab"]
    first, second = (result.seed for result in collections)
    assert first != second
    again = irbounds.simulation.simulate_collection(2, 2, 100, 5, rng=first)
    assert again.runs[0].to_dict() == collections[0].runs[0].to_dict()


def bootstrap_mean(scores, rng):
    (estimate,) = irbounds.mean_interval(scores, method="percentile", n_resamples=50, rng=rng)
    return estimate


def test_version_is_the_same_everywhere():
    assert version("irbounds") == irbounds.__version__
    output = subprocess.run(
        [sys.executable, "-m", "irbounds", "--version"], capture_output=True, text=True, check=True
    )
    assert output.stdout == f"irbounds {irbounds.__version__}\n"
    assert f"version: {irbounds.__version__}\n" in (ROOT / "CITATION.cff").read_text()
    assert f"## {irbounds.__version__} " in (ROOT / "CHANGELOG.md").read_text()


def list_modules() -> list[str]:
    infos = pkgutil.walk_packages(irbounds.__path__, "irbounds.")
    return sorted(module.name for module in infos if module.name != "irbounds.__main__")


@pytest.mark.parametrize("name", list_modules())
def test_examples_in_docstrings(name, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")  # results are printed as wide as the terminal
    module = importlib.import_module(name)
    assert module.__doc__
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize(
    ("page", "script"), [("cli", "write_cli_reference"), ("methods", "write_methods")]
)
def test_generated_pages_are_up_to_date(page, script):
    spec = importlib.util.spec_from_file_location(script, ROOT / "site_build" / f"{script}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[script] = module  # dataclasses look up their module
    spec.loader.exec_module(module)
    text = (ROOT / f"docs/reference/{page}.md").read_text(encoding="utf-8")
    assert text == module.reference(), "run: make reference"


def test_paths_of_pages_exist():
    """In the README and other files beside the pages, and in code."""
    suffixes = (".py", ".md", ".toml", ".yml", ".ipynb")
    places = ("src", "tests", "benchmarks", "examples", "site_build")
    files = [path for place in places for path in (ROOT / place).rglob("*")]
    files = [path for path in (*files, *ROOT.glob("*")) if path.suffix in suffixes]
    assert len(files) > 300
    for path in files:
        for page in re.findall(r"docs/[\w/-]+\.md", path.read_text(encoding="utf-8")):
            assert (ROOT / page).is_file(), f"{path}: {page}"


def test_readme_commands_exist():
    """The README has about 90 lines: one command and its output, and a dozen questions."""
    readme = (ROOT / "README.md").read_text()
    assert len(readme.splitlines()) <= 98
    named = set(re.findall(r"irbounds ([a-z][\w-]+)", readme))
    assert named >= {"evaluate", "compare", "rank", "corpus", "recall", "chance", "demo", "docs"}
    assert {word for word in named if word not in COMMANDS} <= {"puts", "simulate"}


def test_no_dependency_is_pinned_to_a_single_version():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert not [
        requirement
        for requirement in project["dependencies"]
        if "==" in requirement.partition(";")[0]
    ]
