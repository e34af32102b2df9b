"""Explanations of the ways to an interval of a mean or of a difference."""

from __future__ import annotations

from .explanation import Explanation

__all__ = ["MEANS_METHODS"]

MEANS_METHODS: dict[str, Explanation] = {
    "student-t": Explanation(
        "Student's t interval",
        means=(
            "Student's t interval is exact for independent normal scores, and honest in practice "
            "from some fifty queries on.",
        ),
        does_not_mean=(
            "Student's t interval is too short for a handful of queries of a skewed measure, and "
            "can reach beyond what the measure can be.",
        ),
        method="Mean ± t times standard deviation / √n, with t from Student's distribution of "
        "n - 1 degrees of freedom.",
        references=("student1908", "park2010"),
    ),
    "studentised-logit": Explanation(
        "Studentised logit bootstrap",
        means=(
            "The studentised logit interval is for the mean of a measure with bounds: it stays "
            "within them, and comes near its promise even for few queries of a skewed measure.",
        ),
        does_not_mean=(
            "The studentised logit interval still misses more often than promised where nearly "
            "all scores are at a bound, as those of very poor systems are.",
        ),
        method="Bootstrap means are mapped to the whole line by the logit; their mean ± t times "
        "their standard deviation is mapped back.",
        references=("park2011",),
    ),
    "studentised": Explanation(
        "Studentised bootstrap",
        means=(
            "The studentised interval is a t interval whose table comes from the scores "
            "themselves, so that it follows their skewness.",
        ),
        does_not_mean=(
            "With fewer than some ten queries the ends of the studentised interval are erratic, "
            "and it can reach beyond what the measure can be.",
        ),
        method="Each resample of the queries gives a t ratio of its own; their quantiles take the "
        "place of Student's t.",
        references=("davison1997", "diciccio1996"),
    ),
    "bca": Explanation(
        "BCa bootstrap",
        means=(
            "The BCa interval has quantiles of bootstrap means, at levels corrected for bias and "
            "skewness.",
        ),
        does_not_mean=(
            "The correction in BCa does not make up for few queries: with ten of them it is as "
            "short as the percentile interval.",
        ),
        method="The levels are shifted by the share of bootstrap means below the mean and by the "
        "acceleration, from the third moment of the scores.",
        references=("efron1987", "diciccio1996", "park2011"),
    ),
    "percentile": Explanation(
        "Percentile bootstrap",
        means=(
            "The percentile interval is the middle share of resampled means, within the range of "
            "the measure.",
        ),
        does_not_mean=(
            "With few queries the percentile interval is too short: a resampled mean varies less "
            "than a mean of fresh queries does.",
        ),
        method="Queries are resampled, and the ends are quantiles of the means of the resamples.",
        references=("efron1979", "park2011"),
    ),
    "basic": Explanation(
        "Basic bootstrap",
        means=("The basic interval is the percentile interval turned round the mean.",),
        does_not_mean=(
            "For a skewed measure the basic interval's long side is the wrong one, and it can "
            "reach beyond what the measure can be: it is here because studies compare it.",
        ),
        method="Twice the mean less the upper and lower quantiles of bootstrap means.",
        references=("davison1997",),
    ),
    "normal": Explanation(
        "Normal interval",
        means=(
            "A normal interval is the estimate ± a multiple of its standard error, as if the "
            "estimate were normally distributed around the truth.",
        ),
        does_not_mean=(
            "A normal interval takes its standard error for known and knows no bounds: it is too "
            "short for small samples, may reach beyond possible values, and claims certainty "
            "where a sample happens not to vary.",
        ),
        method="The estimate ± z times its standard error, z from the normal distribution.",
        references=("efron1993",),
    ),
    "welch": Explanation(
        "Welch's interval and test",
        means=(
            "Welch's interval is for the difference of two means of independent samples with "
            "spreads of their own.",
        ),
        does_not_mean=(
            "Welch's interval is not right for the same queries twice: there the pairs make a "
            "sharper comparison, which needs all scores.",
        ),
        method="Difference ± t times √(s₁²/n₁ + s₂²/n₂), with the degrees of freedom after Welch "
        "and Satterthwaite.",
        references=("welch1947", "satterthwaite1946"),
    ),
}
