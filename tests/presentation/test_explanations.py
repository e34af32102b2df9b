"""Every kind of result and every method has its explanation, and every reference its reader."""

from __future__ import annotations

import re

import pytest

from irbounds.presentation.explanations import EXPLANATIONS, REFERENCES, Explanation, references_of

#: kinds and methods of our own making
WITHOUT_A_PAPER = {"diagnosis", "score-table", "study", "none", "matched-moments"}


@pytest.mark.parametrize("topic", EXPLANATIONS)
def test_an_explanation_says_what_is_meant_and_what_is_not(topic):
    """That every method and every kind of result has one is among the tests of commands' pages."""
    found = EXPLANATIONS[topic]
    assert found.name
    assert 1 <= len(found.means) <= 3
    assert 1 <= len(found.does_not_mean) <= 2
    assert topic in WITHOUT_A_PAPER or found.references


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


def test_a_name_that_commands_share_is_explained_for_all_of_them():
    """A page of means or of chance does not speak of recall, nor the other way round."""
    for topic in ("normal", "monte-carlo"):
        found = EXPLANATIONS[topic]
        words = " ".join((*found.means, *found.does_not_mean, found.method))
        assert not re.search("recall|relevant|retrieved|chance level|posterior|image", words)
        assert not {"webber2013", "park2010", "zobel2020"} & {*found.references}


def test_no_method_says_what_another_one_says():
    """A page lists the methods of all its topics."""
    sentences = [
        sentence
        for found in EXPLANATIONS.values()
        for sentence in re.split(r"(?<=[.]) (?=[A-Z])", found.method)
        if sentence
    ]
    assert sorted(one for one in {*sentences} if sentences.count(one) > 1) == []


def test_one_word_for_one_thing():
    for topic, found in EXPLANATIONS.items():
        words = " ".join((*found.means, *found.does_not_mean, found.method))
        assert not re.search("random order|one-sided bound|lower bound", words), topic


def test_a_page_can_be_mailed():
    """What it says refers to no file that stays behind."""
    for topic, found in EXPLANATIONS.items():
        said = " ".join((*found.means, *found.does_not_mean, found.method or ""))
        assert "docs/" not in said, topic


def test_only_the_stream_says_how_its_queries_are_resampled():
    """Its page also explains the method of the interval, which must not contradict it."""
    for method in ("percentile", "basic", "bca", "studentised", "studentised-logit"):
        assert "replacement" not in EXPLANATIONS[method].method
    assert "takes the place of drawing them with replacement" in EXPLANATIONS["stream"].method
