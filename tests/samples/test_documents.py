"""Counts of strata from documents."""

from __future__ import annotations

import random
import re
from decimal import Decimal

import pytest

import naive
from irbounds.errors import DataError, InputError
from irbounds.reading.corpus_list import read_corpus
from irbounds.samples import Stratum
from irbounds.samples.documents import count_documents
from irbounds.samples.inclusion_probabilities import stratum_sizes

DRAWN = {"a": 1, "b": 0, "x": 1, "y": 0, "z": -1}


def counts(sample):
    return [
        (one.name, one.population, one.sampled, one.relevant, one.assessable)
        for one in sample.strata
    ]


def test_segments_from_ids_and_corpus_size(write):
    ids = write("found.txt", "a\nb\nc\n")
    sample = count_documents(DRAWN, retrieved_ids=ids, corpus_size=1000)
    assert counts(sample) == [("retrieved", 3, 2, 1, None), ("unretrieved", 997, 3, 1, 2)]
    assert [one.retrieved for one in sample.strata] == [True, False]
    assert [one.name for one in sample.inputs] == ["the assessments", str(ids)]
    assert sample.notes == (
        "the assessments: taken as random samples: 2 of 3 retrieved; 3 of 997 unretrieved",
    )
    assert sample.warnings == ()


@pytest.mark.parametrize("seed", range(20))
def test_counts_match_naive_count_of_the_corpus(seed):
    draw = random.Random(seed)
    corpus = {f"d{k}" for k in range(draw.randint(30, 300))}
    ids = sorted(corpus)
    retrieved = set(draw.sample(ids, draw.randint(1, 20)))
    assessed = {doc: draw.choice([-1, 0, 0, 1, 2]) for doc in draw.sample(ids, 25)}
    by_list = count_documents(assessed, retrieved_ids=sorted(retrieved), corpus=ids)
    by_size = count_documents(assessed, retrieved_ids=sorted(retrieved), corpus_size=len(corpus))
    expected = naive.sampled_counts(assessed, retrieved, corpus)
    assert by_list.strata == by_size.strata
    for one in by_list.strata:
        judged = one.sampled if one.assessable is None else one.assessable
        assert (one.population, one.sampled, one.relevant, judged) == expected[one.retrieved]


def test_documents_not_in_the_corpus_list_are_left_out():
    sample = count_documents(
        DRAWN, retrieved_ids=["a", "b", "gone"], corpus=["a", "b", "x", "z", "1", "2"]
    )
    assert counts(sample) == [("retrieved", 2, 2, 1, None), ("unretrieved", 4, 2, 1, 1)]
    assert sample.warnings == (
        "the corpus lacks 1 of 5 assessed documents, left out",
        "the corpus lacks 1 of 3 retrieved documents, left out",
    )
    with pytest.raises(
        DataError, match="lists none of the retrieved documents: 'A' is not there, "
    ):
        count_documents(DRAWN, retrieved_ids=["A", "B"], corpus=["a", "b"])
    with pytest.raises(
        DataError, match="lists none of the assessed documents: 'a' is not there, 'q"
    ):
        count_documents(DRAWN, retrieved_ids=["q"], corpus=["q", "r"])


def test_corpus_size_too_small_is_rejected():
    count_documents(DRAWN, retrieved_ids=["a", "b", "c"], corpus_size=6)
    with pytest.raises(
        DataError, match="corpus_size is 5, but 6 different documents were retrieved"
    ):
        count_documents(DRAWN, retrieved_ids=["a", "b", "c"], corpus_size=5)


STRATA = "stratum,retrieved,population\nmail,yes,2\nmail,no,40\nfiles,no,50\n"


def test_named_strata(write):
    drawn = write("a.csv", "doc_id,relevance,stratum\na,1,mail\nx,0,mail\ny,1,files\nz,-1,files\n")
    sizes = write("sizes.csv", STRATA)
    sample = count_documents(drawn, retrieved_ids=["a", "b"], strata=sizes)
    assert sample.strata == (
        Stratum("mail", True, 2, 1, 1),
        Stratum("mail", False, 40, 1, 0),
        Stratum("files", False, 50, 2, 1, 1),
    )
    same = count_documents(drawn, ["a", "b"], strata=sizes, corpus_size=92)
    assert same == sample
    with pytest.raises(
        DataError, match="the unretrieved strata have 90 documents together, but the"
    ):
        count_documents(drawn, retrieved_ids=["a", "b"], strata=sizes, corpus_size=93)
    with pytest.raises(
        DataError, match="the retrieved strata have 2 documents together, but the seg"
    ):
        count_documents(drawn, retrieved_ids=["a", "b", "c"], strata=sizes)
    with pytest.raises(
        DataError, match="no retrieved stratum 'files', to which document 'y' belongs"
    ):
        count_documents(drawn, retrieved_ids=["a", "y"], strata=sizes)


def test_notes_have_the_assumed_design_and_what_was_merged_or_left_out(write):
    ids = {"retrieved_ids": ["a", "b"]}
    assert count_documents({"a": 1, "b": 0}, **ids, corpus_size=2).notes == ()
    named = write("a.csv", "doc_id,relevance,stratum\na,1,mail\nx,0,mail\n")
    assert count_documents(named, **ids, strata=write("s.csv", STRATA)).notes == ()
    path = write("a.txt", "7 0 a 1\n7 0 a 1\n7 0 a 1\n7 0 x 0\n8 0 x 0\n")
    assert count_documents(path, **ids, query="7", corpus_size=4).notes == (
        f"{path}: taken as random samples: 1 of 2 retrieved; 1 of 2 unretrieved",
        f"{path}: 2 repeated assessments, merged",
        f"{path}: 1 assessment of other queries, left out",
    )


def test_named_strata_need_sizes(write):
    drawn = write("a.csv", "doc_id,relevance,stratum\na,1,mail\nx,0,mail\n")
    with pytest.raises(DataError, match="assessments name their strata; give the sheet"):
        count_documents(drawn, retrieved_ids=["a"], corpus_size=9)
    with pytest.raises(DataError, match="no column 'stratum', but strata gives the sizes"):
        count_documents(DRAWN, retrieved_ids=["a"], strata=write("s.csv", STRATA))
    tiny = write("t.csv", "stratum,retrieved,population\nmail,yes,1\nmail,no,0\n")
    with pytest.raises(
        DataError, match="stratum 'mail': 1 assessed documents of a population of 0"
    ):
        count_documents(drawn, retrieved_ids=["a"], strata=tiny)


def test_strata_from_inclusion_probabilities(write):
    """Two of 20 retrieved ones, 10 of 20 in a dense and 5 of 5,000 in a thin stratum outside."""
    lines = [f"7 0 r{k} 1 0.1" for k in range(2)]
    lines += [f"7 0 u{k} {k % 2} 0.5" for k in range(10)]
    lines += [f"7 0 v{k} 0 0.001" for k in range(5)]
    drawn = write("a.qrels", "\n".join(lines))
    sample = count_documents(drawn, retrieved_ids=[f"r{k}" for k in range(20)], corpus_size=5040)
    assert counts(sample) == [
        ("retrieved, iprob 0.1", 20, 2, 2, None),
        ("unretrieved, iprob 0.5", 20, 10, 5, None),
        ("unretrieved, iprob 0.001", 5000, 5, 0, None),
    ]
    with pytest.raises(
        DataError,
        match=r"^retrieved: inclusion probabilities imply 14 to 40 documents, but the segment "
        r"has 50; was the sample drawn for another retrieved set\?$",
    ):
        count_documents(drawn, retrieved_ids=[f"r{k}" for k in range(50)], corpus_size=5070)


@pytest.mark.parametrize("turned", [False, True])
def test_probability_with_most_decimals_is_used(write, turned):
    """0.1 alone may be 2 of 14 to 40; 0.1000 is 2 of 20, on whichever line it stands."""
    lines = ["7 0 r0 1 0.1", "7 0 r1 1 0.1000"]
    lines = [*(lines[::-1] if turned else lines), "7 0 u 0 0.01"]
    drawn = write("a.qrels", "\n".join(lines))
    sample = count_documents(drawn, retrieved_ids=[f"r{k}" for k in range(20)], corpus_size=120)
    assert sample.strata[0].population == 20
    assert sample.notes[-1].endswith(
        "taken as random samples: 2 of 20 retrieved, iprob 0.1000; 1 of 100 unretrieved, iprob 0.01"
    )
    with pytest.raises(DataError, match="imply 20 documents, but the segment has 21"):
        count_documents(drawn, retrieved_ids=[f"r{k}" for k in range(21)], corpus_size=121)


def test_impossible_probabilities_are_rejected(write):
    with pytest.raises(
        DataError,
        match=re.escape(
            "s: 10 documents drawn with probability 0.3000 would come from 33.33, which is not "
            "an integer; was the sample drawn for another retrieved set?"
        ),
    ):
        stratum_sizes({Decimal("0.3000"): 10}, 33, "s")
    unequal = {Decimal(k + 1) / 1000: 1 for k in range(30)}
    with pytest.raises(
        DataError, match="30 different inclusion probabilities for 30 documents: a s"
    ):
        stratum_sizes(unequal, 1000, "s")


@pytest.mark.parametrize("heading", ["doc_id", "DocNo", "docid", "Document", "document_id", "ID"])
def test_list_of_ids_has_no_heading(write, heading):
    path = write("found.txt", f"\n\n{heading}\na\nb\n")
    expected = f"{path}: line 3: {heading!r} looks like a heading; a list of ids has none"
    with pytest.raises(InputError, match=f"^{re.escape(expected)}$"):
        count_documents(DRAWN, retrieved_ids=path, corpus_size=9)
    with pytest.raises(InputError, match=f"^{re.escape(expected)}$"):
        read_corpus(path)
    # such a word further down, or in a list that is no file, is an id like others
    later = write("later.txt", f"a\n{heading}\n")
    assert len(read_corpus(later).documents) == len(read_corpus([heading, "a"]).documents) == 2


def test_real_topics_sampled_from_a_run(data_directory):
    """CLEF TAR 2017: everything is judged, so all of it drawn gives the counts of the truth."""
    directory = data_directory / "clef-tar2017"
    qrels, run = directory / "qrel_abs_test.txt.gz", directory / "waterloo-A-thresh-normal.run.gz"
    from irbounds import read_qrels, read_run

    judged = read_qrels(qrels).to_dict()["CD007431"]
    retrieved = set(read_run(run).to_dict()["CD007431"])
    sample = count_documents(qrels, sorted(retrieved), query="CD007431", corpus_size=len(judged))
    expected = naive.sampled_counts(judged, retrieved, set(judged) | retrieved)
    for one in sample.strata:
        assert (one.population, one.sampled, one.relevant) == expected[one.retrieved][:3]
    assert "assessments of other queries, left out" in sample.notes[-1]
