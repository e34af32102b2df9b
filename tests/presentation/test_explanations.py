"""Explanations: the data file is complete, and docstrings say the same."""

from __future__ import annotations

import importlib
import pkgutil
import re
import subprocess
import sys
import tomllib
from importlib.resources import files
from typing import get_args

import pytest

import irbounds.intervals
import irbounds.samples
from irbounds.intervals.methods import METHODS
from irbounds.presentation.explanations import (
    EXPLANATIONS,
    REFERENCES,
    Explanation,
    list_references,
)
from irbounds.validation import RecallMethod

DATA = tomllib.loads(
    files("irbounds.presentation").joinpath("explanations.toml").read_text(encoding="utf-8")
)
#: of this file; other packages may have added theirs to EXPLANATIONS
TOPICS = [*DATA["results"], *(name for group in DATA["methods"].values() for name in group)]
#: topics without a paper behind them
WITHOUT_REFERENCE = {"diagnosis", "score-table", "none", "matched-moments"}
#: words that the project does not use, or that have one name elsewhere
REJECTED_WORDS = "shares? of|promise|whole number|beside|random order|one-sided bound|lower bound"


def list_paragraphs(explanation: Explanation) -> tuple[str, ...]:
    return (*explanation.means, *explanation.does_not_mean)


def join_text(explanation: Explanation) -> str:
    return " ".join((*list_paragraphs(explanation), explanation.method))


def test_entries_have_known_keys_and_unique_topics():
    assert set(DATA) == {"results", "methods", "references"}
    common = {"name", "method", "references", "option"}
    for entry in DATA["results"].values():
        assert {"means", "does_not_mean"} <= set(entry) <= {"means", "does_not_mean", *common}
    for methods in DATA["methods"].values():
        for entry in methods.values():
            assert {"when", "when_not", "method"} <= set(entry) <= {"when", "when_not", *common}
    assert len(TOPICS) == len(set(TOPICS))
    assert set(TOPICS) <= set(EXPLANATIONS)


def test_entry_paragraphs_have_no_line_breaks():
    entry, explanation = DATA["results"]["difference"], EXPLANATIONS["difference"]
    assert len(explanation.means) == len(explanation.does_not_mean) == 2
    assert explanation.means[1].startswith("The p-value is the probability of")
    assert " ".join(explanation.means).split() == entry["means"].split()
    assert not explanation.group
    method = EXPLANATIONS["bca"]
    assert method.group == "intervals"
    assert method.means[0].split() == DATA["methods"]["intervals"]["bca"]["when"].split()
    assert method.does_not_mean[0].split() == (
        DATA["methods"]["intervals"]["bca"]["when_not"].split()
    )


@pytest.mark.parametrize("topic", TOPICS)
def test_explanation_is_complete(topic):
    explanation = EXPLANATIONS[topic]
    assert explanation.name
    assert 1 <= len(explanation.means) <= 3
    assert 1 <= len(explanation.does_not_mean) <= 2
    assert (topic in WITHOUT_REFERENCE) == (not explanation.references)
    for text in (*list_paragraphs(explanation), explanation.method):
        assert re.fullmatch(r"(\S.*[.])?", text)
        assert not re.search(r"  |\n|ization|docs/", text)
    assert not re.search(REJECTED_WORDS, join_text(explanation))


def test_paragraphs_name_their_topic():
    """A page lists the paragraphs of its topics without their names."""
    listed = [
        text for explanation in EXPLANATIONS.values() for text in list_paragraphs(explanation)
    ]
    assert len(listed) == len(set(listed))
    assert [text for text in listed if re.match("(It|Its|This|These) ", text)] == []


def test_recall_is_explained_for_guaranteed_limits_and_others():
    (text,) = EXPLANATIONS["recall"].means
    assert "at least this fraction of guaranteed limits (method exact)" in text
    assert "about this fraction by other methods" in text


def test_methods_share_no_sentence():
    """A page lists the methods of all its topics."""
    sentences = [
        sentence
        for explanation in EXPLANATIONS.values()
        for sentence in re.split(r"(?<=[.]) (?=[A-Z])", explanation.method)
        if sentence
    ]
    assert len(sentences) == len(set(sentences))


def test_references_are_complete_and_used():
    used = {key for explanation in EXPLANATIONS.values() for key in explanation.references}
    assert used == set(REFERENCES)
    for key, text in REFERENCES.items():
        year = re.search(r"\((\d{4})\)\. \S", text)
        assert year, text
        assert key.endswith(year[1])
        assert text.lower().startswith(key.removesuffix(year[1]))


def test_references_of_topics_are_unique_and_sorted():
    references = list_references(["student-t", "t", "bca"])
    assert references == sorted({*references})
    assert [text.split(",")[0].split(" (")[0] for text in references] == [
        *("DiCiccio", "Efron", "Park", "Park", "Smucker", "Student", "Urbano"),
    ]
    assert list_references(["none"]) == []


def test_unknown_topic_raises():
    with pytest.raises(KeyError, match="made-up"):
        list_references(["made-up"])


@pytest.mark.parametrize("topic", DATA["methods"]["shared"])
def test_method_text_applies_to_all_its_commands(topic):
    """A page of means or of chance does not mention recall, nor the other way round."""
    explanation = EXPLANATIONS[topic]
    words = "recall|relevant|retrieved|chance level|posterior|image|queries"
    assert not re.search(words, join_text(explanation))
    assert not {"webber2013", "park2010", "zobel2020"} & {*explanation.references}


def test_explanations_file_is_read_lazily():
    code = (
        "import sys, irbounds.presentation.explanations as e; assert 'tomllib' not in sys.modules;"
        "e.EXPLANATIONS; assert 'tomllib' in sys.modules; assert not hasattr(e, 'MADE_UP')"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def list_docstring_limitations() -> list[tuple[str, str]]:
    """Return topic and text of each paragraph "When not to use" of interval and recall modules.

    The topic is the name of the module unless the paragraph has one: "When not to use NAME: ...".
    """
    pairs = []
    for package in (irbounds.intervals, irbounds.samples):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            docstring = importlib.import_module(module.name).__doc__ or ""
            for text in docstring.strip().split("\n\n"):
                match = re.match(r"When not to use(?: ([\w-]+))?: (.*)", " ".join(text.split()))
                if match:
                    topic = match[1] or module.name.rpartition(".")[2].replace("_", "-")
                    pairs.append((topic, match[2]))
    return pairs


def test_docstring_limitations_equal_explanations():
    pairs = list_docstring_limitations()
    expected = {*METHODS, *get_args(RecallMethod), *DATA["methods"]["priors"], "exact-limits"} - {
        "exact"
    }
    assert {topic for topic, _ in pairs} == expected
    assert [topic for topic, _ in pairs].count("normal") == 2  # of a mean and of recall
    for topic, text in pairs:
        assert text == " ".join(EXPLANATIONS[topic].does_not_mean), topic
