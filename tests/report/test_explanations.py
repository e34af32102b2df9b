"""Every kind of result and every method has its explanation, and every reference its reader."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from irbounds.baseline.significance import Method as ChanceMethod
from irbounds.cli.corpus_tables import TableKind
from irbounds.compare.adjustments import ADJUSTMENTS
from irbounds.compare.tests_of_difference import TESTS
from irbounds.interval.methods import METHODS
from irbounds.recall.intervals import QUANTITIES
from irbounds.recall.quantities import METHODS as RECALL_METHODS
from irbounds.report.explanations import EXPLANATIONS, REFERENCES, Explanation, references_of
from irbounds.scores.standardise import Transform

KINDS = (
    *("mean-interval", "difference", "rank", "calibration", "query-plan", "standardised", "card"),
    *("card-comparison", "diagnosis", "score-table", "ties", "corpus-pools", "variance-split"),
    *("recall-plan", "random-baseline", "study"),
    *(f"corpus-{kind.value}" for kind in TableKind),
    *("F1" if quantity == "F" else quantity for quantity in QUANTITIES),
)
NAMES = (
    *METHODS,
    *TESTS,
    *(*ADJUSTMENTS, "max-statistic", "none"),
    *RECALL_METHODS,
    *("uniform", "most-conservative"),
    *get_args(ChanceMethod),
    *get_args(Transform),
    *("welch", "quantile"),
)
#: kinds and methods of our own making
WITHOUT_A_PAPER = {"diagnosis", "score-table", "study", "none", "matched-moments"}


@pytest.mark.parametrize("topic", dict.fromkeys((*KINDS, *NAMES)))
def test_there_is_an_explanation(topic):
    found = EXPLANATIONS[topic]
    assert found.name
    assert 1 <= len(found.means) <= 3
    assert 1 <= len(found.does_not_mean) <= 2
    assert topic in WITHOUT_A_PAPER or found.references


def test_there_are_no_others():
    """A name that nothing has any more would be explained for nobody."""
    assert set(EXPLANATIONS) == {*KINDS, *NAMES}


@pytest.mark.parametrize(("topic", "found"), EXPLANATIONS.items())
def test_sentences_are_whole_and_in_our_spelling(topic, found):
    for sentence in (*found.means, *found.does_not_mean, *([found.method] if found.method else [])):
        assert re.fullmatch(r"\S.*[.]", sentence), (topic, sentence)
        assert not re.search(r"  |\b\w+i[sz]ation[s]?\b(?<!isation)(?<!isations)", sentence)


def test_sentences_stand_alone_in_a_list_of_several_topics():
    """A page puts those of all its topics in one list, without the topics' names."""
    said = [
        sentence
        for found in EXPLANATIONS.values()
        for sentence in (*found.means, *found.does_not_mean)
    ]
    assert len(said) == len(set(said))
    assert [sentence for sentence in said if re.match("(It|Its|This|These) ", sentence)] == []


def test_every_reference_is_complete_and_used():
    used = {key for found in EXPLANATIONS.values() for key in found.references}
    assert used == set(REFERENCES)
    for key, text in REFERENCES.items():
        year = re.search(r"\((\d{4})\)\. \S", text)
        assert year, text
        assert key.endswith(year[1])
        assert text.lower().startswith(key.removesuffix(year[1]))


def test_references_are_each_given_once_by_name():
    found = references_of(["student-t", "t", "bca"])
    assert found == sorted({*found})
    assert [text.split(",")[0].split(" (")[0] for text in found] == [
        *("DiCiccio", "Efron", "Park", "Park", "Smucker", "Student", "Urbano"),
    ]
    assert references_of(["none"]) == []


def test_an_unknown_topic_is_said():
    with pytest.raises(KeyError, match="made-up"):
        references_of(["made-up"])


def test_an_explanation_needs_a_name_alone():
    assert Explanation("A name").references == ()
