"""The section about mistakes of assessors on a page."""

from __future__ import annotations

from dataclasses import replace

from irbounds.reports.recall_audit import audit_sections
from irbounds.reports.tipping_sections import tipping_sections
from irbounds.results import Sample, Stratum
from irbounds.samples import all_recall_intervals, sample_estimates

INSIDE = Stratum("retrieved", True, 5000, 500, 400)
OUTSIDE = Stratum("unretrieved", False, 95_000, 1500, 3)
SAMPLE = Sample((INSIDE, OUTSIDE))


def test_an_audit_ends_with_tipping_points_by_its_own_method():
    options = {"method": "exact", "alternative": "greater", "confidence_level": 0.9}
    estimates = sample_estimates(SAMPLE, **options, at_least=0.8)
    section = audit_sections([SAMPLE], estimates)[-1]
    assert section.heading == "Tipping points: were the assessors right?"
    table = section.tables[0]
    assert "90 % lower limit (exact)" in table.title
    assert table.headings[-1] == "recall >= 0.8"
    assert table.records[0]["low"] == estimates[0].interval.low
    assert [figure.name for figure in section.drawn] == ["tipping-points"]


def test_of_several_methods_the_recommended_one_counts():
    (section,) = tipping_sections([SAMPLE], all_recall_intervals(SAMPLE))
    assert "(beta-binomial, prior 0.5)" in section.tables[0].title


def test_pages_without_tipping_points():
    estimates = sample_estimates(SAMPLE)
    assert tipping_sections([SAMPLE, SAMPLE], estimates) == []
    assert tipping_sections([SAMPLE], estimates[1:]) == []
    checked = replace(OUTSIDE, relevant_checked=3, relevant_confirmed=2)
    (section,) = tipping_sections([Sample((INSIDE, checked))], estimates)
    assert section.heading == "Tipping points: were the assessors right?"
    assert section.sentences[0].startswith("Documents of this sample were assessed again, and ")
    assert not section.tables
    unsampled = replace(OUTSIDE, sampled=0, relevant=0)
    (section,) = tipping_sections([Sample((INSIDE, unsampled))], estimates)
    assert section.sentences[0].startswith("Part of the corpus was not sampled; tipping points")


def test_claim_with_unjudged_documents_has_a_sentence():
    """They count against the claim, which tables of single mistakes would contradict."""
    unjudged = Sample((INSIDE, replace(OUTSIDE, assessable=1490)))
    options = {"method": "exact", "alternative": "greater"}
    (section,) = tipping_sections([unjudged], sample_estimates(unjudged, **options, at_least=0.8))
    assert section.tables == ()
    assert "count against the claim" in section.sentences[0]
    (plain,) = tipping_sections([unjudged], sample_estimates(unjudged))
    assert plain.tables
