"""The calculator's numbers in Chromium are those of the Python package, on random designs."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib.resources import files
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from calculator_designs import compute_in_python, find_differences, make_designs

#: in the order in which a page loads them
SCRIPTS = (
    "special",
    "exact",
    "many-strata",
    "yields",
    "posterior",
    "claims",
    "tipping",
    "compute",
)
MAX_BYTES = 120_000
MAX_SECONDS = 0.3
BATCH = 50  # designs per call of the browser
COMPUTE = """(designs) => designs.map((design) => {
    const { results, claim } = IrboundsRecall.compute(design);
    if (!design.is_planned) return { results };
    const sample_needed = IrboundsRecall.sampleNeeded(design);
    return { results, claim, sample_needed, tipping: IrboundsRecall.tippingPoints(design) };
})"""
#: the shortest of three runs, in seconds
MEASURE = """(design) => Math.min(...[1, 2, 3].map(() => {
    const start = performance.now();
    IrboundsRecall.compute(design);
    return (performance.now() - start) / 1000;
}))"""

Compute = Callable[[Sequence[dict[str, Any]]], list[dict[str, Any]]]


def read_scripts() -> list[str]:
    directory = files("irbounds.presentation") / "calculator"
    return [(directory / f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTS]


def open_calculator(chromium: Any, path: Path, scripts: Sequence[str]) -> Any:
    """Return a page with the scripts, opened from a file; errors in them fail the test."""
    tags = "".join(f"<script>{script}</script>\n" for script in scripts)
    path.write_text(f"<!doctype html><meta charset=utf-8>{tags}", encoding="utf-8")
    page = chromium.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(path.as_uri())
    assert errors == []
    return page


@pytest.fixture(scope="module")
def calculator(chromium, tmp_path_factory):
    page = open_calculator(chromium, tmp_path_factory.mktemp("page") / "page.html", read_scripts())
    yield page
    page.close()


def compute_in_browser(page: Any, designs: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    batches = [designs[start : start + BATCH] for start in range(0, len(designs), BATCH)]
    return [answer for batch in batches for answer in page.evaluate(COMPUTE, batch)]


def describe_differences(
    designs: Sequence[dict[str, Any]],
    expected: Sequence[dict[str, Any]],
    actual: Sequence[dict[str, Any]],
) -> list[str]:
    """Return a line per design that differs, with the design."""
    rows = zip(designs, expected, actual, strict=True)
    return [
        f"{json.dumps(design)}: {'; '.join(texts)}"
        for design, python, browser in rows
        if (texts := find_differences(python, browser))
    ]


def test_numbers_are_those_of_python_on_100_designs(calculator):
    designs = make_designs(100, seed=1, large=0.1)
    expected = list(map(compute_in_python, designs))
    assert describe_differences(designs, expected, compute_in_browser(calculator, designs)) == []


def test_numbers_are_those_of_python_beyond_a_million_documents(calculator):
    """Tables join counts here, and the search for exact limits stops at a gap."""
    exact = _two_strata((3_691_546, 9840, 2774), (2_346_481, 3815, 25), method="exact")
    joined = _two_strata((4_562_801, 364, 112), (1_068_843, 31, 0), method="beta-binomial")
    unsampled = {"name": "third", "retrieved": False, "population": 898_754}
    strata = [*joined["strata"], {**unsampled, "sampled": 0, "relevant": 0}]
    designs = [
        {**design, "credit_found": False, "is_planned": False}
        for design in (exact, joined, {**joined, "strata": strata})
    ]
    expected = list(map(compute_in_python, designs))
    assert describe_differences(designs, expected, compute_in_browser(calculator, designs)) == []


@pytest.mark.slow
def test_numbers_are_those_of_python_on_10_000_designs(calculator):
    designs = make_designs(10_000, seed=2)
    sizes = [max(part["population"] for part in design["strata"]) for design in designs]
    assert sum(size >= 100_000 for size in sizes) > 500
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        expected = pool.map(compute_in_python, designs, chunksize=25)
        actual = compute_in_browser(calculator, designs)
        assert describe_differences(designs, list(expected), actual) == []


@pytest.mark.parametrize(
    ("correct", "wrong"),
    [
        ("const PRIOR = 0.5;", "const PRIOR = 0.501;"),
        ("const EXCLUDED = 0.01;", "const EXCLUDED = 0.02;"),
        ("const MAX_POINTS = 1024;", "const MAX_POINTS = 1000;"),
        ("return sampled + high;", "return sampled + low;"),
        ("const TOLERANCE = 0.001;", "const TOLERANCE = 0.1;"),
    ],
)
def test_check_finds_a_wrong_constant(chromium, tmp_path, correct, wrong, designs_for_faults):
    designs, expected = designs_for_faults
    text = "\n".join(read_scripts())
    assert correct in text
    page = open_calculator(chromium, tmp_path / "page.html", [text.replace(correct, wrong)])
    assert describe_differences(designs, expected, compute_in_browser(page, designs))
    page.close()


@pytest.fixture(scope="module")
def designs_for_faults():
    designs = [
        _two_strata(method="exact", credit_found=False),
        _two_strata(method="beta-binomial", credit_found=False),
        _two_strata(unretrieved=(90_000, 4000, 1), method="exact", credit_found=False),
        _many_strata(),
    ]
    return designs, list(map(compute_in_python, designs))


def test_differences_are_found_in_every_kind_of_value():
    expected = {"a": [1.0, None, True, 2e6], "b": "x"}
    assert find_differences(expected, {"a": [1.0, None, True, 2e6 + 1e-3], "b": "x"}) == []
    for wrong in ([1.0 + 2e-9, None, True, 2e6], [1.0, 0.0, True, 2e6], [1.0, None, False, 2e6]):
        assert len(find_differences(expected, {"a": wrong, "b": "x"})) == 1
    assert find_differences(expected, {"a": expected["a"]})


def test_control_set_is_split(calculator):
    counts = {"retrieved": [2000, 60, 50], "control_set": [100_000, 3000, 53]}
    strata = calculator.evaluate("(counts) => IrboundsRecall.controlSet(counts)", counts)
    assert [list(part.values()) for part in strata] == [
        ["retrieved", True, 2000, 60, 50],
        ["unretrieved", False, 98_000, 2940, 3],
    ]


def test_scripts_are_small_and_complete():
    directory = files("irbounds.presentation") / "calculator"
    names = {path.name for path in directory.iterdir() if path.name.endswith(".js")}
    assert names >= {f"{name}.js" for name in SCRIPTS}
    assert sum(len(script.encode()) for script in read_scripts()) < MAX_BYTES


@pytest.mark.slow
@pytest.mark.parametrize("method", ["exact", "beta-binomial"])
def test_numbers_of_a_million_documents_take_a_third_of_a_second(calculator, method):
    design = _two_strata((50_000, 500, 400), (950_000, 1500, 3), method=method, credit_found=False)
    assert calculator.evaluate(MEASURE, design) < MAX_SECONDS


def _two_strata(
    retrieved: tuple[int, int, int] = (5000, 500, 400),
    unretrieved: tuple[int, int, int] = (95_000, 1500, 3),
    **options: Any,
) -> dict[str, Any]:
    names = ("population", "sampled", "relevant")
    strata = [
        {"name": "retrieved", "retrieved": True, **dict(zip(names, retrieved, strict=True))},
        {"name": "unretrieved", "retrieved": False, **dict(zip(names, unretrieved, strict=True))},
    ]
    common = {"confidence_level": 0.95, "at_least": 0.93, "is_control_set": False}
    return {"strata": strata, **common, "is_planned": True, **options}


def _many_strata() -> dict[str, Any]:
    design = _two_strata(method="exact", credit_found=False)
    more = {"name": "third", "retrieved": False, "population": 40_000, "sampled": 400}
    strata = [*design["strata"], {**more, "relevant": 1}]
    return {**design, "strata": strata, "at_least": None, "is_planned": False}
