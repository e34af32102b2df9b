"""Cards as figures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from every_result import HOSTILE
from irbounds import ScoreTable
from irbounds.cards import compare_cards, make_card
from irbounds.presentation.figures.published import card_comparison, card_means
from irbounds.presentation.figures.style import EMPHASIS

N = 10


def card(centre, name, **options):
    values = centre + np.linspace(-0.1, 0.1, N)
    table = ScoreTable(("AP",), (name,), tuple(f"q{k}" for k in range(N)), values[None, None])
    return make_card(table, collection="ours", method="student-t", rng=1, **options)


def by_card(rows):
    return {row["card"]: row for row in rows if "card" in row}


def test_either_card_and_the_difference_are_drawn(rows_of):
    found = compare_cards(card(0.6, HOSTILE), card(0.3, "bad"))
    figure = card_comparison(found)
    rows = by_card(rows_of(figure))
    assert rows[f"{HOSTILE} (ours)"]["mean"] == found.first.mean
    assert rows[f"{HOSTILE} (ours)"]["system"] == HOSTILE  # what a reader picks elsewhere too
    assert rows["bad (ours)"]["low"] == found.second.interval.low
    assert rows["difference"]["mean"] == found.value
    assert rows["difference"]["high"] == found.interval.high
    assert {"place": 0} in rows_of(figure)
    assert "differ significantly in AP: difference 0.300, 95 % interval 0.2" in figure.description
    assert [panel["title"]["text"] for panel in figure.to_dict()["vconcat"]] == [
        *("Mean AP with the interval on the card", "Difference with its 95 % Welch interval"),
    ]


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
    assert len(figure.to_dict()["vconcat"]) == 3
    assert "high" not in by_card(rows_of(figure))["good (ours)"]


def test_one_card():
    figure = card_means([card(0.6, "good")])
    assert (figure.name, figure.title) == ("card-AP", "Mean AP with the interval on the card")
    assert figure.description == (
        "good (ours) has a mean AP of 0.600 over 10 queries, 95 % interval 0.552 to 0.648."
    )


def test_one_card_with_one_end(rows_of):
    figure = card_means([card(0.6, "good", alternative="greater")])
    assert "high" not in rows_of(figure)[0]
    assert figure.description.endswith(", 95 % lower limit 0.561.")


def test_several_cards_stand_best_first_and_by_measure(rows_of):
    bad, good = card(0.3, "bad"), card(0.6, "good")
    figure = card_means([bad, good])
    assert figure.title == "Published means (AP) with their intervals"
    assert list(by_card(rows_of(figure))) == ["good (ours)", "bad (ours)"]
    assert figure.description.startswith("good (ours) has a mean AP of 0.600")
    assert "; bad (ours) has a mean AP of 0.300" in figure.description
    assert len(card_means([bad, good, replace(good, measure="P@5")]).to_dict()["vconcat"]) == 2


def test_the_better_card_is_painted_further_right(painted):
    cards = [card(0.1, "bad"), card(0.6, "good")]
    rows, columns = np.nonzero(painted(card_means(cards), EMPHASIS))
    middle = (rows.min() + rows.max()) / 2
    assert columns[rows < middle].min() > columns[rows > middle].max()
