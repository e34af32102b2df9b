"""Explanations of results that are about queries: means, differences, ranks, plans and cards."""

from __future__ import annotations

from .explanation import Explanation

__all__ = ["MEANS"]

MEANS: dict[str, Explanation] = {
    "mean-interval": Explanation(
        "Mean scores with intervals",
        means=(
            "A system's mean score over these queries stands for its mean over all queries of "
            "their kind. If queries were drawn again and again, and an interval made each time, "
            "the stated share of those intervals would hold that mean, as far as the method keeps "
            "its promise.",
        ),
        does_not_mean=(
            "Intervals that overlap do not show that two systems are equal: systems are compared "
            "on the same queries, by the intervals of their differences.",
            "The interval is about the mean; it does not say how far scores of single queries "
            "spread, and nothing of queries of another kind, other judgments or another corpus.",
        ),
        method="Queries are taken for a random sample of all queries of their kind; each method "
        "makes the interval from their scores in its own way.",
        references=("park2010", "park2011"),
    ),
    "difference": Explanation(
        "Differences of systems",
        means=(
            "A difference is the mean over the same queries of both systems; its interval is for "
            "what it would be over all queries of their kind. Of one comparison that was planned "
            "beforehand, an interval clear of 0 shows which system is the better one there; of "
            "many, the adjusted p-values decide.",
            "The p-value says how often a difference at least this far out would come about if "
            "there were none.",
        ),
        does_not_mean=(
            "A large p-value does not show that systems are equal: there may have been too few "
            "queries to tell. Look at how wide the interval is.",
            "A p-value is not the probability that there is no difference, and a small one does "
            "not make a difference large. Intervals are not adjusted for the number of "
            "comparisons; adjusted p-values are.",
        ),
        method="Scores are subtracted query by query, so that hard and easy queries cancel out; "
        "the interval and the test are of these differences.",
        references=("smucker2007", "urbano2019"),
    ),
    "rank": Explanation(
        "Ranks with intervals",
        means=(
            "A rank interval has the places that a system might have if all queries of this kind "
            "were known, for all systems together at the stated level: 1 + those that are surely "
            "better, to all less those that are surely worse.",
            "Systems that share a letter cannot be told apart here; those that share none can.",
        ),
        does_not_mean=(
            "Systems that share a letter are not shown to be equal.",
            "The share first is that of the resamples in which a system comes first. It makes no "
            "allowance for the number of systems, and is no probability that the system is best: "
            "who is never first in them may still be the best.",
        ),
        method="Two systems are told apart if their means differ by more than the largest "
        "difference that shuffling the scores of each query among the systems gives, in all but "
        "the stated share of shuffles. Systems of very unlike spread strain this.",
        references=("carterette2012", "westfall1993"),
    ),
    "calibration": Explanation(
        "Whether intervals keep their promise",
        means=(
            "The queries at hand are taken for all there are. Samples of n of them are drawn, an "
            "interval is made from each by every method, and the share that misses the known mean "
            "is set beside the share that the method promises to miss.",
        ),
        does_not_mean=(
            "A method that is honest on these scores need not be on those of other systems or "
            "measures, and its error is an average over systems: single ones can fare worse.",
            "A miss rate below the promised one is not better in itself: it is paid for in width.",
        ),
        method="A method is called short if its error is surely above the promised one by more "
        "than the tolerance. Of the honest ones the one with the lowest interval score, width "
        "plus a fine for each miss, is recommended.",
        references=("park2010", "park2011", "gneiting2007"),
    ),
    "query-plan": Explanation(
        "How many queries",
        means=(
            "The detectable difference is the smallest true difference that so many queries would "
            "show with the stated power, that is, in that share of experiments; and how many "
            "queries a wish would take.",
        ),
        does_not_mean=(
            "A difference below the detectable one may still be found, only less often than the "
            "power says; and one that is not found is not shown to be absent.",
            "The spread of scores is taken as known. It is estimated from the queries at hand, "
            "and with few of them a plan can be far off.",
        ),
        method="Power of the paired t test by the noncentral t distribution; exact for normal "
        "differences, otherwise as good as the t test.",
        references=("johnson1995",),
    ),
    "standardised": Explanation(
        "Standardised scores",
        means=(
            "A standardised score says how far a system lies from the reference systems on a "
            "query, in their standard deviations: every query has the same say, whether it is "
            "easy or hard.",
        ),
        does_not_mean=(
            "Standardised scores are comparable only where the reference systems are the same, and "
            "a mean of 0 says as good as these on average, not good.",
        ),
        method="z = (score - mean) / standard deviation of the reference systems' scores on the "
        "query; queries on which all of them score the same are left out and counted.",
        references=("webber2008", "park2010"),
    ),
    "z": Explanation(
        "z scores",
        means=("z is the distance from the reference systems' mean in their standard deviations.",),
        does_not_mean=(
            "z scores have no bounds: a query on which the reference systems nearly agree can "
            "outweigh all others.",
        ),
        method="(score - mean) / standard deviation, query by query.",
        references=("park2010",),
    ),
    "normal-cdf": Explanation(
        "z scores through the normal distribution",
        means=(
            "With normal-cdf, z is mapped to between 0 and 1, so that no query can outweigh the "
            "others: 0.5 is as good as the reference systems' mean.",
        ),
        does_not_mean=(
            "A normal-cdf score is no share of systems that were beaten, unless their scores are "
            "normal.",
        ),
        method="The standard normal distribution function of z.",
        references=("webber2008",),
    ),
    "card": Explanation(
        "Cards",
        means=(
            "A card is one system's mean with its interval, spread, number of queries and what "
            "was read: what others need to set their own numbers beside it without having its "
            "scores.",
        ),
        does_not_mean=(
            "A card allows no paired comparison, which needs the scores of every query.",
        ),
        method="Written as it was computed, with fingerprints of queries and files.",
        references=("park2010",),
    ),
    "card-comparison": Explanation(
        "Two cards compared",
        means=(
            "Compared are two published means, with an interval that takes the two sets of "
            "queries for independent random samples.",
        ),
        does_not_mean=(
            "On the same queries this interval is wider than a paired one wherever the systems' "
            "scores rise and fall together: what it does not show, a paired comparison may.",
            "Between two collections a difference is one of the collections too, not of the "
            "systems alone.",
        ),
        method="Welch's interval and test, from the means, standard deviations and numbers of "
        "queries on the cards.",
        references=("welch1947", "park2010"),
    ),
}
