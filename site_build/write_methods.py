"""Write docs/reference/methods.md from the explanations that pages and docstrings use.

A test compares the file with what this script would write.
"""

from __future__ import annotations

import re
from pathlib import Path

from irbounds.presentation.explanations import EXPLANATIONS, Explanation, list_references

TARGET = Path(__file__).parents[1] / "docs" / "reference" / "methods.md"
INTRODUCTION = """\
# Methods

Each method with what it computes, when to use it and when not, and where it comes from. Generated
by `make reference` from the text that the HTML report shows."""
#: heading and introduction of each group of methods, in the order of the page
GROUPS = {
    "intervals": (
        "Intervals over queries",
        "`--method` of `evaluate` and `compare`. "
        "Formulas and costs: [Interval methods](interval-methods.md). Measured error rates: "
        "[Calibration](../validation/calibration.md).",
    ),
    "tests": (
        "Tests of a difference",
        "`--test` of `compare`. Special cases: [Comparison tests](comparison-tests.md).",
    ),
    "adjustments": (
        "Adjustments for several comparisons",
        "`--adjustment` of `compare`; `rank` uses `holm`. An example with 5,995 pairs: "
        "[What a comparison means](../concepts/comparisons.md#families-of-comparisons).",
    ),
    "recall": (
        "Recall from samples",
        "`--method` of `recall`. Formulas and coverage: [Recall methods](recall-methods.md).",
    ),
    "priors": ("Priors", "`--prior` of `recall` with `beta-binomial` or `monte-carlo`."),
    "chance": (
        "Chance level",
        "The p-values of `chance`: `exact` for AP of at most 22 documents, else `monte-carlo` "
        "([methods](../how-to/chance-levels.md#methods)).",
    ),
    "shared": (
        "Methods of several commands",
        "`clopper-pearson` is a method of `evaluate` for scores that are 0 or 1. `normal` is a method "
        "of `evaluate` (with `--sigma`) and `recall`; `monte-carlo` of `chance` and `recall`.",
    ),
    "others": (
        "Other methods",
        "`quantile` is used by `corpus`, `welch` by `compare` of published means; `z` and `normal-cdf` are "
        "`--transform` of `standardise`.",
    ),
}


def reference() -> str:
    """Return the text of the page."""
    paragraphs = [INTRODUCTION]
    for group, (heading, introduction) in GROUPS.items():
        topics = [topic for topic, known in EXPLANATIONS.items() if known.group == group]
        paragraphs += [f"## {heading}", introduction]
        paragraphs += [line for topic in topics for line in section(topic, EXPLANATIONS[topic])]
    cited = list_references(topic for topic, known in EXPLANATIONS.items() if known.group)
    paragraphs += ["## References", "\n".join(f"- {reference}" for reference in cited)]
    return "\n\n".join(paragraphs) + "\n"


def section(topic: str, explanation: Explanation) -> list[str]:
    """Return the paragraphs about one method."""
    paragraphs = {
        "What it is": explanation.method,
        "When to use": " ".join(explanation.means),
        "When not to use": " ".join(explanation.does_not_mean),
        "References": "; ".join(map(citation, list_references([topic]))),
    }
    lines = [f"**{label}:** {text}" for label, text in paragraphs.items() if text]
    return [f"### `{explanation.option or topic}`: {explanation.name}", *lines]


def citation(reference: str) -> str:
    """Return the surnames and the year: Efron and Tibshirani (1993)."""
    return re.sub(r",( [A-Z]\.)+", "", reference.partition(").")[0]) + ")"


if __name__ == "__main__":
    TARGET.write_text(reference(), encoding="utf-8")
