"""Random samples that anyone can draw again, and the comparison with a draw."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from scipy.stats import chi2

import naive
from irbounds.errors import DataError, IrboundsError
from irbounds.samples.documents import count_documents
from irbounds.samples.random_draw import draw_sample

IDS = [f"d{k}" for k in range(60)]
FOUND = IDS[::5]  # 12 documents


@pytest.mark.parametrize("seed", range(12))
def test_segments_are_drawn_as_the_naive_order_has_them(seed):
    rng = random.Random(seed)
    ids = {f"{rng.choice('äx€')}{k}" for k in range(rng.randint(2, 300))}
    found = set(rng.sample(sorted(ids), rng.randint(1, len(ids) - 1)))
    n, m = rng.randint(1, len(ids - found)), rng.randint(0, len(found))
    shuffled = rng.sample(sorted(ids), len(ids))
    sample = draw_sample(shuffled, n, seed, sorted(found), m)
    drawn = set(sample.doc_ids)
    digest = naive.lists_digest(found, ids - found)
    assert drawn & found == set(naive.draw_order(seed, found, digest)[:m])
    assert drawn - found == set(naive.draw_order(seed, ids - found, digest)[:n])
    assert len(drawn) == len(sample.doc_ids) == n + m
    assert sample.line == (
        f"irbounds draw seed={seed} unretrieved={n}/{len(ids - found)} retrieved={m}/{len(found)} "
        f"lists={digest}"
    )


def test_larger_sample_extends_the_smaller_one():
    small, large = draw_sample(IDS, 10, 7), draw_sample(IDS, 25, 7)
    assert set(small.doc_ids) < set(large.doc_ids)
    assert draw_sample(IDS, 10, 8).doc_ids != small.doc_ids


def test_same_seed_draws_other_documents_from_other_lists():
    """One document that changes sides leaves a sample of 24 of 48 that is not the former one."""
    drawn = set(draw_sample(IDS, 24, 7, FOUND).doc_ids)
    other = set(draw_sample(IDS, 24, 7, [*FOUND[1:], "d1"]).doc_ids)
    assert 5 < len(drawn & other) < 20


def test_every_document_is_drawn_equally_often():
    """Chi-squared at a false-alarm rate of 0.001; counts are negatively correlated."""
    n_seeds, n = 3000, 6
    counts = Counter(doc for seed in range(n_seeds) for doc in draw_sample(IDS, n, seed).doc_ids)
    expected = n_seeds * n / len(IDS)
    statistic = sum((counts[doc] - expected) ** 2 / expected for doc in IDS)
    scaled = statistic * (len(IDS) - 1) / (len(IDS) - n)
    assert chi2.ppf(0.0005, len(IDS) - 1) < scaled < chi2.ppf(0.9995, len(IDS) - 1)


def test_segments_are_mixed_at_random():
    """The mean place of retrieved documents is that of all rows, within 4 standard errors."""
    places = [
        place
        for seed in range(200)
        for place, doc in enumerate(draw_sample(IDS, 12, seed, FOUND, 12).doc_ids)
        if doc in FOUND
    ]
    assert abs(np.mean(places) - 11.5) < 4 * np.std(range(24)) / np.sqrt(len(places))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((IDS, 61, 7), "61 documents to draw, but there are only 60 corpus documents"),
        ((IDS, 49, 7, FOUND), "49 documents to draw, but there are only 48 unretrieved"),
        ((IDS, 1, 7, FOUND, 13), "13 documents to draw, but there are only 12 retrieved"),
        (
            (IDS, 1, 7, [*FOUND, "x"]),
            "the population lacks 1 of 13 retrieved documents, such as 'x",
        ),
    ],
)
def test_impossible_samples_are_refused(arguments, words):
    with pytest.raises(DataError, match=words):
        draw_sample(*arguments)


# ---- comparison with the draw ----


@pytest.fixture
def sheet(write):
    """Write the sheet of a draw from both segments, with the given documents assessed."""
    sample = draw_sample(IDS, 20, 7, FOUND, 6)
    facts = [line for line in sample.to_sheet().splitlines(keepends=True) if line[0] == "#"]

    def write_sheet(doc_ids=sample.doc_ids, line=sample.line):
        rows = "".join(f"{doc},{k % 2}\n" for k, doc in enumerate(doc_ids))
        text = "".join(facts).replace(sample.line, line)
        return write("sheet.csv", f"{text}doc_id,relevance\n{rows}")

    write_sheet.line = sample.line
    write_sheet.drawn = sample.doc_ids
    return write_sheet


def test_documents_of_the_draw_pass_with_the_line_of_the_draw(sheet):
    for retrieved, corpus in ((FOUND, IDS), (FOUND[::-1], IDS[::-1])):
        sample = count_documents(sheet(), retrieved_ids=retrieved, corpus=corpus)
        assert [(part.population, part.sampled) for part in sample.strata] == [(12, 6), (48, 20)]
        assert sample.notes[-1].startswith(f"{sheet.line} (verified: ")
        assert sample.warnings == ()


@pytest.mark.parametrize(
    ("retrieved", "corpus"),
    [
        ([*FOUND[1:], "d1"], IDS),  # one in, one out: the sizes are the same
        ([*FOUND, "d1"], IDS),
        (FOUND[1:], IDS),
        (FOUND, [*IDS, "x"]),
        (FOUND, IDS[:-1]),
        (FOUND, [*IDS[:-1], "x"]),
    ],
)
def test_other_lists_are_refused(sheet, retrieved, corpus):
    with pytest.raises(
        DataError, match=r"sheet\.csv: drawn from other lists: .* credit_found adds"
    ):
        count_documents(sheet(), retrieved_ids=retrieved, corpus=corpus)


@pytest.mark.parametrize(
    ("was", "is_now"),
    [
        ("seed=7", "seed=8"),
        ("=20/48", "=20/49"),
        ("=20/48", "=19/48"),
        ("=20/48", "=99/48"),
        ("retrieved=6/12", "corpus=6/12"),
        (" retrieved=6/12", ""),
        ("lists=", "lists=0"),
    ],
)
def test_changed_lines_of_a_draw_are_refused(sheet, was, is_now):
    path = sheet(line=sheet.line.replace(was, is_now)[: len(sheet.line)])
    with pytest.raises(IrboundsError, match=r"other lists|but not|incomplete or changed|to draw"):
        count_documents(path, retrieved_ids=FOUND, corpus=IDS)


def test_fewer_or_other_documents_than_drawn_are_refused(sheet):
    first, *rest = sheet.drawn
    other = next(doc for doc in IDS if doc not in sheet.drawn)
    missing, added = f"drawn but not assessed: '{first}'", f"assessed but not drawn: '{other}'"
    for doc_ids, words in (
        (rest, missing),
        ([*sheet.drawn, other], added),
        ([*rest, other], missing),
        ([*sheet.drawn, "x"], "assessed but not drawn: 'x'"),
    ):
        with pytest.raises(DataError, match=rf"sheet\.csv: 1 document {words}"):
            count_documents(sheet(doc_ids), retrieved_ids=FOUND, corpus=IDS)


def test_draw_needs_the_list_of_the_corpus(sheet):
    with pytest.raises(DataError, match="needs corpus, the list of ids"):
        count_documents(sheet(), retrieved_ids=FOUND, corpus_size=60)


def test_control_set_is_one_for_any_retrieved_set(write):
    drawn = draw_sample(IDS, 20, 7)
    assert drawn.line.startswith("irbounds draw seed=7 corpus=20/60 lists=")
    text = drawn.to_sheet().replace(",\n", ",0\n")
    for found in (FOUND, IDS[:3]):
        sample = count_documents(write("sheet.csv", text), retrieved_ids=found, corpus=IDS)
        assert sample.notes[-1].startswith(f"{drawn.line} (verified: ")
    with pytest.raises(DataError, match="drawn from other lists"):
        count_documents(write("sheet.csv", text), retrieved_ids=FOUND, corpus=IDS[1:])
