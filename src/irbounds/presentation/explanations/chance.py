"""Explanations of what random rankings score."""

from __future__ import annotations

from .explanation import Explanation

__all__ = ["CHANCE"]

CHANCE: dict[str, Explanation] = {
    "random-baseline": Explanation(
        "Random baseline",
        means=(
            "The chance level is the mean score of all rankings of the documents that chance "
            "ranks, and how far single random rankings lie from it. For AP it is above the share "
            "of relevant documents, the prevalence, which is often given in its place.",
            "The corrected score puts chance at 0 and a score of 1 at 1. The p-value is the "
            "probability that a random ranking does as well on the same queries, or as badly where "
            "that was asked.",
        ),
        does_not_mean=(
            "Better than chance is not good: with fifty queries nearly every system is. Whether "
            "one system is better than another is asked of their differences.",
            "Chance is about the order of these documents: which ones it ranks (all of the "
            "corpus, the judged, the retrieved) changes its score, and it says nothing of other "
            "queries.",
        ),
        method="Expected scores and standard deviations are exact, by formulas, wherever one is "
        "known; corrected scores are (score - chance) / (1 - chance), query by query.",
        references=("bestgen2015",),
    ),
    "exact": Explanation(
        "Exact distribution",
        means=(
            "In an exact distribution every choice of ranks for the relevant documents is counted.",
        ),
        does_not_mean=(
            "The distribution is exact for a random ranking of these documents, not for the "
            "question whether another collection would show the same.",
        ),
        method="All choices are equally likely; their scores are listed or counted by halves, "
        "without simulation.",
        references=("bestgen2015",),
    ),
    "monte-carlo": Explanation(
        "Random draws",
        means=(
            "By random draws a distribution is known as a population is by a sample of it: the "
            "more draws, the better.",
        ),
        does_not_mean=(
            "Another seed moves quantiles and p-values a little, and a p-value from draws is never "
            "smaller than 1 / (1 + draws).",
        ),
        method="Quantiles are those of the draws; a p-value is (1 + hits) / (1 + draws), so that "
        "chance alone gives one of at most 5 % in at most 5 % of cases.",
        references=("davison1997",),
    ),
    "matched-moments": Explanation(
        "Matched moments",
        means=(
            "Matched moments give an approximate distribution that has the exact mean and "
            "variance.",
        ),
        does_not_mean=(
            "Matched moments are poor where few documents among very many are relevant: then rare "
            "rankings make up most of the variance.",
        ),
        method="The score's place between the lowest and highest possible one is taken to have "
        "normal log-odds, with the two parameters that give the exact moments.",
    ),
}
