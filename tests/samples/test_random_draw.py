"""Random samples that anyone can draw again, and the verification of a draw."""

from __future__ import annotations

import hashlib
import random
from collections import Counter

import numpy as np
import pytest
from scipy.stats import chi2

import naive
from irbounds.errors import DataError, InputError
from irbounds.samples import sampled_strata
from irbounds.samples.random_draw import PIECE, DrawOrder, draw_sample

IDS = [f"d{k}" for k in range(60)]
FOUND = IDS[::5]  # 12 documents


def test_order_is_that_of_hashlib():
    """The check that the documentation gives, with nothing but the standard library."""
    first = sorted(IDS, key=lambda doc: hashlib.sha256(b"7:" + doc.encode()).digest())[:20]
    assert list(draw_sample(IDS, 20, 7).doc_ids) == first


@pytest.mark.parametrize("seed", range(12))
def test_segments_are_drawn_as_the_naive_order_has_them(seed):
    rng = random.Random(seed)
    ids = {f"{rng.choice('äx€')}{k}" for k in range(rng.randint(2, 300))}
    found = set(rng.sample(sorted(ids), rng.randint(1, len(ids) - 1)))
    n, m = rng.randint(1, len(ids - found)), rng.randint(0, len(found))
    shuffled = rng.sample(sorted(ids), len(ids))
    sample = draw_sample(shuffled, n, seed, sorted(found), m)
    drawn = list(sample.doc_ids)
    assert [doc for doc in drawn if doc in found] == naive.draw_order(seed, found)[:m]
    assert [doc for doc in drawn if doc not in found] == naive.draw_order(seed, ids - found)[:n]
    counts = [(part.retrieved, part.population, part.sampled) for part in sample.segments]
    assert counts == [(False, len(ids - found), n), (True, len(found), m)]


def test_all_retrieved_documents_are_drawn():
    sample = draw_sample(IDS, 5, 7, FOUND, None)
    assert {doc for doc in sample.doc_ids if doc in FOUND} == set(FOUND)
    assert sample.segments[1].sampled == 12


def test_order_of_more_documents_than_a_piece():
    ids = [str(k) for k in range(PIECE + 10)]
    assert list(draw_sample(ids, 30, 3).doc_ids) == naive.draw_order(3, set(ids))[:30]


def test_equal_beginnings_of_hashes_are_told_apart(monkeypatch):
    """Documents are chosen by eight bytes of their hash, and ordered by all of it."""
    expected = draw_sample(IDS, 20, 7).doc_ids

    class Coarse(DrawOrder):
        def __init__(self, documents, seed):
            super().__init__(documents, seed)
            self._keys >>= np.uint64(62)

    monkeypatch.setattr("irbounds.samples.random_draw.DrawOrder", Coarse)
    assert draw_sample(IDS, 20, 7).doc_ids == expected


def test_larger_sample_extends_the_smaller_one():
    small, large = draw_sample(IDS, 10, 7), draw_sample(IDS, 25, 7)
    assert large.doc_ids[:10] == small.doc_ids
    assert draw_sample(IDS, 10, 8).doc_ids != small.doc_ids


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
        ((IDS, 61, 7), "n is 61, but there are only 60 documents"),
        ((IDS, 49, 7, FOUND), "n is 49, but there are only 48 unretrieved documents"),
        ((IDS, 1, 7, FOUND, 13), "retrieved_sample is 13, but there are only 12 retrieved"),
        ((IDS, 1, 7, ["x"]), "lists none of the retrieved documents: 'x' is not there"),
    ],
)
def test_impossible_samples_are_refused(arguments, words):
    with pytest.raises(DataError, match=words):
        draw_sample(*arguments)


def test_repeated_ids_are_refused():
    with pytest.raises(InputError, match="document 'd0' is there twice"):
        draw_sample([*IDS, "d0"], 3, 7)


def test_retrieved_documents_that_the_population_lacks_are_left_out():
    sample = draw_sample(IDS, 3, 7, [*FOUND, "x"], 2)
    assert sample.warnings == ("the population lacks 1 of 13 retrieved documents, left out",)
    assert sample.segments[1].population == 12


# ---- verification ----


@pytest.fixture
def sheet(write):
    """Write the sheet of a draw from both segments, with the given documents assessed."""
    sample = draw_sample(IDS, 20, 7, FOUND, 6)
    facts = [line for line in sample.to_sheet().splitlines(keepends=True) if line[0] == "#"]

    def write_sheet(doc_ids=sample.doc_ids):
        rows = "".join(f"{doc},{k % 2}\n" for k, doc in enumerate(doc_ids))
        return write("sheet.csv", "".join(facts) + "doc_id,relevance\n" + rows)

    write_sheet.inside = [doc for doc in sample.doc_ids if doc in FOUND]
    write_sheet.outside = [doc for doc in sample.doc_ids if doc not in FOUND]
    write_sheet.fingerprint = sample.inputs[0].fingerprint
    return write_sheet


def list_notes(sample):
    return [note.partition("sheet.csv: ")[2] for note in sample.notes]


def test_draw_is_verified_with_the_list_of_the_corpus(sheet):
    sample = sampled_strata(sheet(), retrieved_ids=FOUND, corpus=IDS)
    *_, facts, verdict = list_notes(sample)
    assert facts.startswith("20 of 48 unretrieved documents and 6 of 12 retrieved documents drawn")
    assert f"seed 7: the population (sha256 {sheet.fingerprint[7:19]})" in facts
    assert verdict == (
        "verified: the assessed documents are those that irbounds draw selects from the corpus "
        "with seed 7"
    )
    assert (sample.warnings, sample.draw_error) == ((), "")


def test_list_with_another_digest_is_named_although_the_draw_is_the_same(sheet):
    """The draw does not depend on the order of the list, nor on ids that come last in it."""
    found = FOUND[::-1]
    sample = sampled_strata(sheet(), retrieved_ids=found, corpus=IDS[::-1])
    population, retrieved = sample.warnings
    then = sheet.fingerprint[7:19]
    now = sample.inputs[-1].fingerprint[7:19]
    assert then != now
    assert f"population list had sha256 {then} at the draw" in population
    assert f"the corpus has sha256 {now}: it was changed after the draw, or" in population
    assert "retrieved list had sha256" in retrieved
    assert list_notes(sample)[-1].startswith("verified: ")
    assert sample.draw_error == ""


def test_digest_that_was_changed_in_the_sheet_is_named_in_full(sheet):
    path = sheet()
    digest = sheet.fingerprint.removeprefix("sha256:")
    changed = digest[:-1] + ("0" if digest[-1] != "0" else "1")
    path.write_text(path.read_text().replace(digest, changed))
    (warning,) = sampled_strata(path, retrieved_ids=FOUND, corpus=IDS).warnings
    assert digest in warning
    assert changed in warning


def test_digest_of_a_run_is_not_that_of_a_list(sheet, write):
    run = write("a.run", "".join(f"7 Q0 {doc} {k} {-k} a\n" for k, doc in enumerate(FOUND)))
    assert sampled_strata(sheet(), run=run, corpus=IDS).warnings == ()


def test_control_set_is_verified_for_any_retrieved_set(write):
    drawn = draw_sample(IDS, 20, 7)
    text = drawn.to_sheet().replace(",\n", ",0\n")
    for found in (FOUND, IDS[:3]):
        sample = sampled_strata(write("sheet.csv", text), retrieved_ids=found, corpus=IDS)
        assert list_notes(sample)[-1].startswith("verified: ")
        assert sample.warnings == ()


def test_documents_left_out_and_added_are_named(sheet):
    others = [doc for doc in IDS if doc not in FOUND and doc not in sheet.outside]
    path = sheet([*sheet.inside, *sheet.outside[2:], naive.draw_order(7, set(others))[-1]])
    sample = sampled_strata(path, retrieved_ids=FOUND, corpus=IDS)
    missing, added = sample.warnings
    first, second = sheet.outside[:2]
    assert "2 documents drawn by seed 7 but not assessed" in missing
    assert missing.endswith(f"not random: '{first}', '{second}'")
    assert "1 document assessed but not drawn by seed 7" in added
    assert sample.draw_error == missing
    assert "verified" not in " ".join(sample.notes)


def test_first_documents_of_the_draw_are_a_random_sample(sheet):
    path = sheet([*sheet.inside, *sheet.outside[:15]])
    sample = sampled_strata(path, retrieved_ids=FOUND, corpus=IDS)
    assert (
        "15 unretrieved documents are assessed and 20 were drawn: they are the first"
        in (list_notes(sample)[-1])
    )
    assert list_notes(sample)[-2].startswith("verified: ")
    assert sample.warnings == ()


def test_segment_assessed_in_full_needs_no_draw(sheet):
    sample = sampled_strata(sheet([*FOUND, *sheet.outside]), retrieved_ids=FOUND, corpus=IDS)
    assert list_notes(sample)[-1].startswith("verified: ")
    assert sample.warnings == ()


def test_another_retrieved_set_is_found_out(sheet):
    sample = sampled_strata(sheet(), retrieved_ids=[*FOUND, "d1", "d2"], corpus=IDS)
    assert "drawn from 48 unretrieved documents, but there are 46" in sample.warnings[0]
    assert "verified" not in " ".join(sample.notes)


def test_without_the_list_only_the_counts_are_compared(sheet):
    options = {"retrieved_ids": FOUND, "corpus_size": 60}
    complete = sampled_strata(sheet(), **options)
    assert list_notes(complete)[-1].startswith("the draw was not verified")
    assert complete.warnings == ()
    read_in_full = sampled_strata(sheet([*FOUND, *sheet.outside]), **options)
    assert read_in_full.warnings == ()
    fewer = sampled_strata(sheet([*sheet.inside[1:], *sheet.outside]), **options)
    (warning,) = fewer.warnings
    assert "5 retrieved documents are assessed, 6 were drawn" in warning
    assert fewer.draw_error == warning


def test_sizes_are_compared_with_those_of_the_draw(sheet):
    (warning,) = sampled_strata(sheet(), retrieved_ids=FOUND, corpus_size=61).warnings
    assert "drawn from 48 unretrieved documents, but there are 49" in warning


def test_segment_that_was_drawn_and_not_assessed_is_named(sheet):
    sample = sampled_strata(sheet(sheet.outside), retrieved_ids=FOUND, corpus=IDS)
    assert "none of the 6 retrieved documents that were drawn is assessed" in sample.notes[-1]


def test_counts_of_a_control_set_are_compared(write):
    rows = draw_sample(IDS, 20, 7).to_sheet().replace(",\n", ",0\n").splitlines(keepends=True)
    options = {"retrieved_ids": FOUND, "corpus_size": 60}
    assert sampled_strata(write("sheet.csv", "".join(rows)), **options).warnings == ()
    (warning,) = sampled_strata(write("sheet.csv", "".join(rows[:-1])), **options).warnings
    assert "19 documents are assessed, 20 were drawn" in warning
