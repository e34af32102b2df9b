"""The sentences of the calculator's page are those of Python, character by character."""

from __future__ import annotations

import pytest

from calculator_requests import python_design, random_requests
from irbounds.presentation import rounding
from irbounds.reports.calculator import make_calculator
from irbounds.validation import count_hint, parse_written_count

N_DESIGNS, N_QUICK, SEED = 100, 30, 34
DESCRIBE = """(request) => {
    const computed = IrboundsRecall.compute(request);
    const claim = computed.claim;
    const isOpen = claim && !claim.is_shown;
    const needed = isOpen ? IrboundsRecall.sampleNeeded(request) : null;
    const points = IrboundsRecall.tippingPoints(request);
    const { words, ...said } = Calculator.describe(request, computed, needed, points);
    return said;
}"""


@pytest.fixture(scope="module")
def calculator(chromium, tmp_path_factory):
    """Return the open page of the calculator."""
    path = tmp_path_factory.mktemp("calculator") / "recall.html"
    make_calculator().save(path)
    page = chromium.new_page()
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-drawn]")
    yield page
    page.close()


@pytest.fixture(scope="module")
def designs():
    """Return requests with their results by Python, which are computed when they are needed."""
    return [(request, python_design(request)) for request in random_requests(N_DESIGNS, SEED)]


@pytest.mark.parametrize(
    "k",
    [pytest.param(k, marks=[pytest.mark.slow] if k >= N_QUICK else []) for k in range(N_DESIGNS)],
)
def test_sentences_and_tables_are_those_of_python(calculator, designs, k):
    request, design = designs[k]
    said = calculator.evaluate(DESCRIBE, request)
    assert said["findings"] == design.findings()
    assert said["quote"] == design.quote()
    assert said["tipping"] == design.tipping_sentences()
    assert [*map(tuple, said["results"])] == design.result_rows()
    assert [*map(tuple, said["counts"])] == design.count_rows()


def test_designs_have_every_kind_of_sentence(designs):
    """Without them the comparison above would show little."""
    text = "\n".join(
        line for _, design in designs for line in (*design.findings(), *design.tipping_sentences())
    )
    for part in (
        *("Shown: ", "Not shown: ", "more than these", "No larger unretrieved", "On average over"),
        *("Guaranteed: at least", "rest on the prior", "need not contain", "final set"),
        *("It is no longer shown if", "It is shown if", "stands by the estimate"),
        *(
            "what is left of each",
            "too small",
            "one look",
            "others are in the unretrieved sample",
            "The estimate of recall changes",
            "null-set",
            "responsive",
        ),
    ):
        assert part in text, part
    assert any(not design.quote() for _, design in designs)


NUMBERS = [0.0, 0.5, 0.125, 0.375, 2.5, 1e-9, 0.00012345, 0.05, 0.995, 99.5, 1234567.5, 12.5, 1 / 3]


@pytest.mark.parametrize("value", NUMBERS)
def test_numbers_are_rounded_as_in_python(calculator, value):
    """Also ties, which JavaScript rounds up and Python to the even digit."""

    def evaluate(function, *arguments):
        script = f"(arguments) => Calculator.{function}(...arguments)"
        return calculator.evaluate(script, list(arguments))

    for places in range(9):
        assert evaluate("fixed", value, places) == rounding.fixed(value, places)
    for digits in (1, 2, 3, 10):
        assert evaluate("significant", value, digits) == rounding.significant(value, digits)
    assert evaluate("formatCount", value) == rounding.format_count(value)
    assert evaluate("formatSetting", value) == rounding.format_setting(value)
    assert evaluate("decimals", value) == rounding.decimals(value)


COUNTS = [
    *("100000", "100,000", "100 000", "100.000", "1.000.000", "1'000", "1\u00a0000", "800.0"),
    *("1,200.00", "1.200,00", "1,00", "1.5", "-3", "12%", "1e5", "all of them", "", "1,0000", "0"),
    *("007", "9" * 19, "\u0663"),
]


@pytest.mark.parametrize("text", COUNTS)
def test_counts_are_read_as_in_a_sheet(calculator, text):
    read = "text => { try { return Calculator.readCount(text); } catch (e) { return e.message; } }"
    count = parse_written_count(text)
    answer = calculator.evaluate(read, text)
    if count is not None:
        assert answer == count
    else:
        assert isinstance(answer, str)
        assert answer.endswith(count_hint(text))


@pytest.mark.parametrize(
    ("text", "fraction"),
    [
        *(("0.75", 0.75), ("75 %", 0.75), ("75%", 0.75), ("75", 0.75), ("0,75", 0.75), (".9", 0.9)),
        *(("99.9", 0.999), ("99,9 %", 0.999), ("0.5 %", 0.005), (" 97.5 ", 0.975)),
        *(("1", None), ("100 %", None), ("0", None), ("a", None), ("1.2.3", None), ("-5", None)),
    ],
)
def test_fractions_are_read_as_typed(calculator, text, fraction):
    read = "(text) => { try { return Calculator.readFraction(text); } catch { return null; } }"
    assert calculator.evaluate(read, text) == fraction
