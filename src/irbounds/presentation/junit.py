"""JUnit XML, which continuous integration servers read: a test suite with its cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from xml.etree import ElementTree

from .escaping import make_printable


@dataclass(frozen=True)
class JUnitCase:
    """A test case with its outcome."""

    name: str
    classname: str
    outcome: Literal["passed", "failure", "skipped"]
    #: kind of failure
    kind: str
    message: str
    #: further lines
    text: str


def render_junit(suite: str, cases: Sequence[JUnitCase], warnings: Sequence[str] = ()) -> str:
    """Return a test suite as XML; characters that XML does not allow are escaped."""
    counts = Counter(case.outcome for case in cases)
    numbers = {
        "tests": str(len(cases)),
        "failures": str(counts["failure"]),
        "errors": "0",
        "skipped": str(counts["skipped"]),
    }
    root = ElementTree.Element("testsuites", numbers)
    parent = ElementTree.SubElement(root, "testsuite", {"name": suite, **numbers})
    for case in cases:
        names = {"classname": case.classname, "name": make_printable(case.name)}
        element = ElementTree.SubElement(parent, "testcase", names)
        message = make_printable(case.message)
        text = "\n".join(map(make_printable, (case.message, *case.text.split("\n"))))
        if case.outcome == "passed":
            ElementTree.SubElement(element, "system-out").text = text
            continue
        kind = {"type": case.kind} if case.outcome == "failure" else {}
        ElementTree.SubElement(element, case.outcome, {**kind, "message": message}).text = text
    if warnings:
        lines = (f"warning: {make_printable(warning)}" for warning in warnings)
        ElementTree.SubElement(parent, "system-err").text = "\n".join(lines)
    ElementTree.indent(root)
    declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
    return f"{declaration}{ElementTree.tostring(root, encoding='unicode')}\n"
