"""Cards as figures."""

from __future__ import annotations

import numpy as np
import pytest

from irbounds import ScoreTable, compare_cards, make_card
from irbounds.report.figures.cards import card_comparison, card_mean
from irbounds.report.figures.style import EMPHASIS

N = 10


def card(centre, name, **options):
    values = centre + np.linspace(-0.1, 0.1, N)
    table = ScoreTable(("AP",), (name,), tuple(f"q{k}" for k in range(N)), values[None, None])
    return make_card(table, collection="ours", method="student-t", rng=1, **options)


def test_either_card_and_the_difference_are_drawn(rows_of):
    found = compare_cards(card(0.6, "good"), card(0.3, "bad"))
    figure = card_comparison(found)
    rows = {row["system"]: row for row in rows_of(figure) if "system" in row}
    assert rows["good (ours)"]["mean"] == found.first.mean
    assert rows["bad (ours)"]["low"] == found.second.interval.low
    assert rows["difference"]["mean"] == found.difference
    assert rows["difference"]["high"] == found.interval.high
    assert "difference of 0.300 with its 95 % Welch interval" in figure.description


@pytest.mark.parametrize(("first", "is_right"), [(0.6, True), (0.1, False)])
def test_the_first_card_is_painted_above_and_where_its_mean_is(painted, first, is_right):
    ink = painted(card_comparison(compare_cards(card(first, "a"), card(0.35, "b"))), EMPHASIS)
    rows, columns = np.nonzero(ink)
    upper = columns[rows < rows.min() + 8].mean()
    second = np.unique(rows[rows < rows.min() + 60])[-1]
    lower = columns[(rows > second - 8) & (rows <= second)].mean()
    assert (upper > lower) == is_right


def test_cards_of_different_sides_have_a_panel_each(rows_of):
    one = card(0.6, "good", alternative="greater")
    figure = card_comparison(compare_cards(one, card(0.3, "bad")))
    assert len(figure.vconcat) == 3
    (row,) = [row for row in rows_of(figure) if row.get("system") == "good (ours)"]
    assert "high" not in row


def test_one_card():
    figure = card_mean(card(0.6, "good"))
    assert figure.name == "card-AP"
    assert figure.description == (
        "good (ours) at a mean AP of 0.600, with its 95 % Student t interval."
    )
