"""Words that sentences, titles and descriptions share, and the noise of simulations."""

from __future__ import annotations

from irbounds.presentation.phrases import (
    capitalise,
    describe_draws,
    join_caption,
    join_names,
    pluralise,
    pluralise_queries,
    shorten,
)


def test_count_phrases_use_singular_and_plural():
    assert [pluralise(n, "system") for n in (0, 1, 2, 1_290)] == [
        *("0 systems", "1 system", "2 systems", "1,290 systems")
    ]
    assert pluralise(1, "query", "queries") == "1 query"
    assert pluralise(50, "query", "queries") == "50 queries"


def test_query_phrases_by_selection_rule():
    assert pluralise_queries(1) == "1 query"
    assert pluralise_queries(1, "judged queries") == "1 judged query"
    assert pluralise_queries(1, "queries in every run") == "1 query in every run"
    assert pluralise_queries(1_000, "queries in every run") == "1,000 queries in every run"


def test_names_are_joined_with_commas_and_and():
    assert [join_names(names) for names in ("a", "ab", "abc")] == ["a", "a and b", "a, b and c"]


def test_draws_phrase_is_empty_without_draws():
    assert describe_draws(9999, "resamples", 0) == "9,999 resamples, seed 0"
    assert describe_draws(9999, "draws") == "9,999 draws"
    assert describe_draws(0, "draws", 3) == describe_draws(None, "draws", 3) == ""
    assert join_caption("", "p: t test", "", "seed 3") == "p: t test; seed 3"


def test_capitalise_changes_only_first_character():
    assert [capitalise(text) for text in ("", "recall of F1", "nDCG")] == [
        "",
        "Recall of F1",
        "NDCG",
    ]


def test_shortened_name_keeps_both_ends():
    assert shorten("x" * 40) == "x" * 40
    name = "team-2021-" + "x" * 60 + "-run-7"
    short = shorten(name)
    assert len(short) == 40
    assert short.startswith("team-2021-x")
    assert short.endswith("-run-7")
    assert "\N{HORIZONTAL ELLIPSIS}" in short
