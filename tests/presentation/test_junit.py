"""JUnit XML: outcomes, counts, and names with any characters."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from irbounds.presentation.junit import JUnitCase, render_junit


def make_case(outcome="passed", name="AP", text="numbers"):
    return JUnitCase(name, "irbounds.gate", outcome, "fail", f"message of {name}", text)


def test_outcomes_and_counts():
    cases = [make_case(outcome) for outcome in ("passed", "failure", "skipped", "failure")]
    root = ElementTree.fromstring(render_junit("suite", cases))
    (suite,) = root
    for element in (root, suite):
        counts = [element.get(name) for name in ("tests", "failures", "errors", "skipped")]
        assert counts == ["4", "2", "0", "1"]
    assert [[child.tag for child in case] for case in suite] == [
        ["system-out"],
        ["failure"],
        ["skipped"],
        ["failure"],
    ]
    assert suite[1][0].get("type") == "fail"
    assert suite[2][0].get("type") is None
    assert suite[1][0].text == "message of AP\nnumbers"


@pytest.mark.parametrize(
    "name",
    [
        "<script>",
        "a&b",
        '"quoted"',
        "]]>",
        "\x00\x1b[2J",
        "\ud800",
        "\ufffe",
        "a\nb",
        "é 中 😀",
        "'",
    ],
)
def test_any_name_gives_valid_xml(name):
    for outcome in ("passed", "failure", "skipped"):
        text = render_junit("suite", [make_case(outcome, name, f"{name}\n{name}")])
        (suite,) = ElementTree.fromstring(text.encode())
        assert suite[0].get("name")
        assert suite[0][0].text.startswith("message of")
        if name.isprintable():
            assert suite[0].get("name") == name
