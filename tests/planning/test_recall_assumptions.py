"""Guesses and their validation."""

from __future__ import annotations

import pytest

from irbounds import errors
from irbounds.planning.recall_guesses import make_guess
from irbounds.planning.recall_plan import plan_recall


@pytest.mark.parametrize(
    ("guess", "plain"),
    [
        (0.5, 0.5),
        (1, 1),
        ((0.3, 0.8), "0.3 to 0.8"),
        ([(0.8, 2), (0.5, 1)], "0.5 or 0.8"),
        ([(0.5, 1), (0.8, 2), (0.6, 1)], "0.5, 0.6 or 0.8"),
        ([(0.5, 1), (0.9, 0)], 0.5),
        ([(k / 10, 1) for k in range(1, 10)], "one of 9 values from 0.1 to 0.9"),
    ],
)
def test_guess_as_number_or_text(guess, plain):
    """A range has every value in it; a list has no others than its own."""
    assert make_guess("recall", guess, 0, 1).plain == plain


# Guesses that cannot be planned with


def test_recall_that_few_documents_cannot_have_is_rejected():
    few = {"corpus_size": 1000, "retrieved_size": 100, "budget": 200}
    with pytest.raises(errors.DataError, match=r"3 relevant documents cannot have.*0\.5"):
        plan_recall(**few, n_relevant=3, recall=0.5)
    plan_recall(**few, n_relevant=30, recall=0.51)


def test_too_many_guesses_are_rejected():
    many = {"recall": [(0.2 + 0.01 * k, 1.0) for k in range(40)]}
    many["n_relevant"] = [(500.0 + k, 1.0) for k in range(40)]
    with pytest.raises(errors.ParameterError, match="400 pairs; got 40 and 40 values"):
        plan_recall(corpus_size=10_000, retrieved_size=2000, budget=500, **many)


def test_too_large_corpus_is_rejected():
    with pytest.raises(errors.ParameterError, match="corpus_size must be at most 1,000,000,000"):
        plan_recall(corpus_size=10**20, retrieved_size=100, n_relevant=50, recall=0.5, budget=200)
