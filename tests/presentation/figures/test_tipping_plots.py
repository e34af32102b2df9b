"""The figure of recall by the error rates of assessors."""

from __future__ import annotations

import pytest

from irbounds.presentation.figures.style import QUIET
from irbounds.presentation.figures.tipping_plots import draw_error_rates, estimate_recall
from irbounds.results import Stratum
from irbounds.samples import tipping_points

STRATA = (
    Stratum("retrieved", True, 2000, 100, 50),
    Stratum("unretrieved", False, 100_000, 1000, 20),
)


def test_recall_is_corrected_by_both_rates():
    """1,000 relevant documents were found; 2 % of 100,000 are missed as judged."""
    assert estimate_recall(STRATA, 0.0, 0.0) == pytest.approx(1000 / 3000)
    missed = 100_000 * (0.02 - 0.01) / (1 - 0.01 - 0.25)
    assert estimate_recall(STRATA, 0.01, 0.25) == pytest.approx(1000 / (1000 + missed))
    assert estimate_recall(STRATA, 0.03, 0.0) == 1


def test_lines_begin_at_the_estimate_and_end_where_nothing_is_missed(rows_of):
    (result,) = results = tipping_points(STRATA)
    (figure,) = draw_error_rates(results)
    rows = [row for row in rows_of(figure) if "miss" in row]
    assert {row["miss"] for row in rows} == {"0 %", "10 %", "25 %", "50 %"}
    first, *_, last = [row for row in rows if row["miss"] == "0 %"]
    assert (first["rate"], first["recall"]) == (0, result.as_judged.value)
    assert (last["rate"], last["recall"]) == (0.02, 1)
    for miss in ("0 %", "50 %"):
        line = [row["recall"] for row in rows if row["miss"] == miss]
        assert line == sorted(line)
    assert "0.333 as judged" in figure.description


def test_the_claim_is_a_line(rows_of, painted):
    (figure,) = draw_error_rates(tipping_points(STRATA, at_least=0.6))
    assert {"place": 0.6} in rows_of(figure)
    (plain,) = draw_error_rates(tipping_points(STRATA))
    assert painted(figure, QUIET).sum() > painted(plain, QUIET).sum() + 100


def test_a_sample_without_relevant_documents_has_no_figure():
    empty = (STRATA[0], Stratum("unretrieved", False, 100_000, 1000, 0))
    assert draw_error_rates(tipping_points(empty)) == []
