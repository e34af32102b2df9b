"""Samples as they were drawn: counts in lines and tables."""

from __future__ import annotations

from irbounds.results import Sample, Stratum
from irbounds.results.samples import sample_lines

STRATA = (Stratum("in", True, 2000, 100, 50, 90), Stratum("out", False, 100_000, 100, 3))


def test_drawn_sample_counts_in_lines_and_tables():
    assert sample_lines([Sample(STRATA)]) == [
        "retrieved    2,000 documents, 100 sampled, 90 assessable, 50 relevant",
        "unretrieved  100,000 documents, 100 sampled, 3 relevant",
    ]
    three = Sample((*STRATA, Stratum("more", False, 500, 0, 0)))
    assert sample_lines([three])[1] == (
        "unretrieved  100,500 documents, 100 sampled, 3 relevant in 2 strata"
    )
    many = [Sample(STRATA, topic=topic) for topic in ("a", "a", "b")]
    assert sample_lines(many) == ["samples 3 retrieved sets, 2 topics"]
    assert sample_lines([Sample(STRATA)] * 2) == ["samples 2 retrieved sets"]
