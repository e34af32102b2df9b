"""The recall calculator of the site: its numbers are those of the package, and it is usable."""

from __future__ import annotations

import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect

from irbounds import recall
from irbounds.errors import DegenerateSampleWarning
from recall_calls import estimate_recall

PAGE = Path(__file__).parents[2] / "calculator" / "recall.html"
TOLERANCE = 1e-9
N_DESIGNS = 2000
LEVELS = (0.8, 0.9, 0.95, 0.99)
CLAIMS = (None, 0.5, 0.7, 0.75, 0.8, 0.9)
MAX_POPULATIONS = (20, 1000, 1_000_000)
NAMES = ("population", "sampled", "relevant")
#: undefined numbers become null
COMPUTE = "(designs) => designs.map((each) => JSON.parse(JSON.stringify(computeRecall(each))))"


def make_designs(n: int, seed: int) -> list[dict[str, Any]]:
    rng = np.random.default_rng(seed)
    designs = []
    for _ in range(n):
        largest = int(rng.choice(MAX_POPULATIONS))
        segments = {name: make_segment(rng, largest) for name in ("retrieved", "unretrieved")}
        level = float(rng.choice(LEVELS))
        designs.append({**segments, "level": level, "claim": CLAIMS[rng.integers(len(CLAIMS))]})
    return designs


def make_segment(rng: np.random.Generator, largest: int) -> dict[str, int]:
    """Return counts of a segment: read in full or sampled, with none, some or all relevant."""
    population = draw_log_uniform(rng, largest)
    sampled = population if rng.random() < 0.25 else draw_log_uniform(rng, population)
    prevalence = rng.choice((0.0, 1.0, rng.beta(0.3, 3), rng.random()), p=(0.2, 0.1, 0.4, 0.3))
    counts = (population, sampled, int(rng.binomial(sampled, prevalence)))
    return dict(zip(NAMES, counts, strict=True))


def draw_log_uniform(rng: np.random.Generator, high: int) -> int:
    return round(math.exp(rng.uniform(0, math.log(high))))


def compute_in_python(design: dict[str, Any]) -> dict[str, Any]:
    """Return what the page computes of a design; None for an undefined number."""
    samples = {name: tuple(design[name].values()) for name in ("retrieved", "unretrieved")}
    level = design["level"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateSampleWarning)
        described = estimate_recall(**samples, confidence_level=level)
        exact = estimate_recall(**samples, confidence_level=level, method="exact")
        limit = estimate_recall(
            **samples, confidence_level=level, method="exact", alternative="greater"
        )
    has_relevant = any(design[name]["relevant"] for name in samples)
    claim = design["claim"]
    return {
        "estimate": replace_nan(described.value),
        "interval": [*map(replace_nan, described.interval)],
        "exact": [*map(replace_nan, exact.interval)],
        "limit": replace_nan(limit.interval.low),
        "isShown": None if claim is None else has_relevant and limit.interval.low >= claim,
    }


def replace_nan(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def is_close(expected: Any, actual: Any) -> bool:
    if isinstance(expected, list):
        return all(map(is_close, expected, actual))
    if isinstance(expected, float) and isinstance(actual, int | float):
        return abs(expected - actual) <= TOLERANCE
    return bool(expected == actual)


@pytest.fixture
def page(chromium):
    """Return the page, opened from a file; errors and requests fail the test."""
    page = chromium.new_page()
    page.set_default_timeout(10_000)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text))
    page.on("request", lambda request: faults.append(request.url))
    page.goto(PAGE.as_uri())
    yield page
    page.close()
    assert faults == [PAGE.as_uri()]


@pytest.mark.slow
def test_numbers_are_those_of_python(page):
    designs = make_designs(N_DESIGNS, seed=1)
    assert sum(design["retrieved"]["population"] > 100_000 for design in designs) > 50
    differences = []
    for design, actual in zip(designs, page.evaluate(COMPUTE, designs), strict=True):
        expected = compute_in_python(design)
        if not all(is_close(expected[name], actual[name]) for name in expected):
            differences.append((design, expected, actual))
    assert differences == []


def test_page_is_used(page):
    verdict = page.locator("#verdict")
    claim = recall(retrieved=(5000, "all", 1000), unretrieved=(95_000, 1500, 2), at_least=0.75)[0]
    shown_limit = math.floor(claim.interval.low * 10_000) / 10_000
    assert not claim.is_shown
    expect(verdict).to_contain_text("Not shown: recall of at least 0.75")
    expect(page.locator("#limit")).to_have_text(f"{shown_limit:.4f}")

    page.fill("#claim", "70")
    page.fill("#unretrieved-relevant", "0")
    expect(verdict).to_have_class("shown")
    expect(page.locator("#quote")).to_contain_text("1,500 of 95,000 unretrieved documents")

    page.fill("#unretrieved-population", "100.000")
    expect(page.locator("#unretrieved-population-error")).not_to_be_empty()
    expect(page.locator("#numbers")).to_be_hidden()
    page.fill("#unretrieved-population", "100,000")
    page.fill("#level", "75 %")
    expect(page.locator("#level-error")).not_to_be_empty()
    page.fill("#claim", "")
    expect(page.locator("#level-error")).to_be_empty()
    expect(page.locator("#numbers")).to_be_visible()
