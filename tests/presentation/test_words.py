"""Words that sentences, titles and descriptions share, and the noise of simulations."""

from __future__ import annotations

import math

import pytest

from irbounds.presentation.rounding import NOISE, within_noise
from irbounds.presentation.words import (
    capital,
    caption_of,
    counted,
    counted_queries,
    drawn,
    listed,
    shortened,
)


def test_counted():
    assert [counted(n, "system") for n in (0, 1, 2, 1_290)] == [
        *("0 systems", "1 system", "2 systems", "1,290 systems")
    ]
    assert counted(1, "query", "queries") == "1 query"
    assert counted(50, "query", "queries") == "50 queries"


def test_queries_by_whatever_rule():
    assert counted_queries(1) == "1 query"
    assert counted_queries(1, "judged queries") == "1 judged query"
    assert counted_queries(1, "queries in every run") == "1 query in every run"
    assert counted_queries(1_000, "queries in every run") == "1,000 queries in every run"


def test_names_are_listed_as_people_list_them():
    assert [listed(names) for names in ("a", "ab", "abc")] == ["a", "a and b", "a, b and c"]


def test_what_was_drawn_and_nothing_where_nothing_was():
    assert drawn(9999, "resamples", 0) == "9,999 resamples, seed 0"
    assert drawn(9999, "draws") == "9,999 draws"
    assert drawn(0, "draws", 3) == drawn(None, "draws", 3) == ""
    assert caption_of("", "p: t test", "", "seed 3") == "p: t test; seed 3"


def test_a_capital_and_nothing_else_changes():
    assert [capital(text) for text in ("", "recall of F1", "nDCG")] == ["", "Recall of F1", "NDCG"]


def test_a_long_name_keeps_both_ends():
    assert shortened("x" * 40) == "x" * 40
    name = "team-2021-" + "x" * 60 + "-run-7"
    short = shortened(name)
    assert len(short) == 40
    assert short.startswith("team-2021-x")
    assert short.endswith("-run-7")
    assert "\N{HORIZONTAL ELLIPSIS}" in short


@pytest.mark.parametrize(
    ("share", "ends"),
    [(0.5, (0.48, 0.52)), (0.01, (0.0, 0.03)), (0.99, (0.97, 1.0))],
)
def test_noise_is_two_standard_errors_and_no_share_is_beyond_its_bounds(share, ends):
    assert NOISE == 2
    assert within_noise(share, 0.01) == pytest.approx(ends)


def test_other_numbers_have_other_bounds_and_unknown_noise_has_no_ends():
    assert within_noise(3.0, 0.5, high=math.inf) == (2.0, 4.0)
    assert all(map(math.isnan, within_noise(0.5, math.nan)))
