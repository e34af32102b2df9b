"""Explanations of tests of a difference, and of adjustments for many of them."""

from __future__ import annotations

from .explanation import Explanation

__all__ = ["SIGNIFICANCE"]

SIGNIFICANCE: dict[str, Explanation] = {
    "sign-flip": Explanation(
        "Sign-flip test (Fisher's randomisation test)",
        means=(
            "Sign-flip test: if either system could as well have had either score of each query, "
            "every difference could have had the other sign. p is the share of sign choices that "
            "give a mean at least as far out as the one observed.",
        ),
        does_not_mean=(
            "A p-value from random signs is never smaller than 1 / (1 + draws): one at that limit "
            "says no more than that.",
        ),
        method="All choices are counted for up to 30 differences other than 0; for more, p = (1 + "
        "hits) / (1 + draws).",
        references=("fisher1935", "smucker2007"),
    ),
    "t": Explanation(
        "Paired t test",
        means=(
            "The paired t test holds the mean difference over its standard error against "
            "Student's t: exact for independent normal differences, and good in practice from "
            "some twenty queries on.",
        ),
        does_not_mean=(
            "The t test should not be relied on for a handful of queries with very skewed "
            "differences.",
        ),
        method="Mean times √n / standard deviation of the differences, with n - 1 degrees of "
        "freedom.",
        references=("student1908", "smucker2007", "urbano2019"),
    ),
    "wilcoxon": Explanation(
        "Wilcoxon's signed-rank test",
        means=("Wilcoxon's test asks whether differences lie evenly around 0.",),
        does_not_mean=(
            "Wilcoxon's test does not ask whether the mean difference is 0: for skewed "
            "differences the two are different questions.",
        ),
        method="Differences are replaced by the ranks of their sizes, with their signs; those of 0 "
        "are left out.",
        references=("wilcoxon1945", "urbano2019"),
    ),
    "bootstrap": Explanation(
        "Studentised bootstrap test",
        means=(
            "The bootstrap test says how often resampled differences, shifted to a mean of 0, "
            "give a t ratio as far out as the one observed.",
        ),
        does_not_mean=(
            "With fewer than some twenty queries the bootstrap test should not be relied on, and "
            "its p-value is never smaller than 1 / (1 + draws).",
        ),
        method="p = (1 + hits) / (1 + draws), over resamples of the queries.",
        references=("efron1993", "sakai2006"),
    ),
    "holm": Explanation(
        "Holm's adjustment",
        means=(
            "Holm: where differences with an adjusted p-value of at most 0.05 are taken as found, "
            "the chance of any false finding in the whole family of comparisons is at most 5 %, "
            "whatever the dependence between them.",
        ),
        does_not_mean=(
            "Holm's adjustment is of p-values, not of intervals, and for the comparisons shown: "
            "those tried and not shown are not allowed for.",
        ),
        method="The k-th smallest of m p-values is multiplied by m - k + 1, and is no smaller than "
        "the one before it.",
        references=("holm1979",),
    ),
    "benjamini-hochberg": Explanation(
        "Benjamini and Hochberg's adjustment",
        means=(
            "Benjamini and Hochberg: of the findings with an adjusted p-value of at most 0.05, at "
            "most 5 % are false on average, if the tests are independent or positively dependent.",
        ),
        does_not_mean=(
            "Benjamini and Hochberg's adjustment does not bound the chance that some finding is "
            "false, as Holm's adjustment does: it promises less and finds more.",
        ),
        method="The k-th smallest of m p-values is multiplied by m / k, and is no larger than the "
        "one after it.",
        references=("benjamini1995",),
    ),
    "max-statistic": Explanation(
        "Max-statistic (randomised Tukey HSD)",
        means=(
            "Max-statistic: if no system differed from another, the chance of finding any "
            "difference would be at most the level. It knows how the comparisons hang together.",
        ),
        does_not_mean=(
            "By the max-statistic all pairs are held against one distribution: a small but steady "
            "difference of two like systems is hard to find by it, and systems far more erratic "
            "than the rest are told apart too often.",
        ),
        method="The scores of each query are shuffled among the systems; p = (1 + hits) / (1 + "
        "draws), with a hit where the largest difference of shuffled means is at least the pair's "
        "own.",
        references=("carterette2012", "westfall1993"),
    ),
    "none": Explanation(
        "No adjustment",
        means=("Unadjusted p-values are right for one comparison that was planned beforehand.",),
        does_not_mean=(
            "Of twenty comparisons of equal systems, one has p below 0.05 on average: a small "
            "unadjusted p-value picked from many shows little.",
        ),
        method="Nothing is done to the p-values.",
    ),
}
