"""Explanations of what images of the corpus say."""

from __future__ import annotations

from .explanation import Explanation

__all__ = ["CORPUS"]

CORPUS: dict[str, Explanation] = {
    "corpus-scores": Explanation(
        "Scores on other documents",
        means=(
            "The spread over images shows how far a system's mean score on these queries varies "
            "with the documents: what another collection of documents from the same source might "
            "have shown.",
        ),
        does_not_mean=(
            "The spread over images says nothing of other queries, which may matter more: for an "
            "error bar of a mean, queries are what to resample.",
            "Images repeat rankings and do not make them again, and documents without a judgment "
            "count as not relevant in each: a real new corpus would change more.",
        ),
        method="The ends are quantiles over images; the shift from the score on the "
        "corpus is an effect of repeated documents, not an error to be corrected.",
        references=("zobel2020",),
    ),
    "corpus-ranks": Explanation(
        "Ranks on other documents",
        means=(
            "A rank interval over images is the middle share of the ranks that a system has over "
            "images of the corpus, rounded outwards.",
        ),
        does_not_mean=(
            "An order that all images keep may still be due to the choice of queries.",
            "The share of images in which a system is best is no probability that it is best.",
        ),
        method="On each image, systems are ranked by their means; equal means share the better "
        "rank.",
        references=("zobel2020",),
    ),
    "corpus-differences": Explanation(
        "Differences on other documents",
        means=(
            "Differences over images show how far that of two systems' means on these queries "
            "varies with the documents. Both are scored on the same images, so that what befalls "
            "both alike cancels out.",
        ),
        does_not_mean=(
            "An interval over images that is clear of 0 holds for these queries alone; it is no "
            "test of which system is better on others.",
        ),
        method="On each image both systems are scored; the ends are quantiles of their "
        "differences.",
        references=("zobel2020",),
    ),
    "corpus-measures": Explanation(
        "How precise a measure is",
        means=(
            "A measure's precision is the standard deviation over images of a score, or of a "
            "difference of two systems, on one query: averaged over systems and queries, with its "
            "spread among them.",
        ),
        does_not_mean=(
            "A smaller standard deviation alone does not make a measure better: one that hardly "
            "varies may also hardly tell systems apart.",
        ),
        method="Standard deviations are taken query by query, before any averaging.",
        references=("zobel2020",),
    ),
    "corpus-systems": Explanation(
        "How precise a system's scores are",
        means=(
            "A system's precision is the standard deviation over images of its score on one "
            "query, averaged over queries.",
        ),
        does_not_mean=("A system with less variation over images is not thereby a better one.",),
        method="Standard deviations over images, query by query, then their mean over queries.",
        references=("zobel2020",),
    ),
    "corpus-queries": Explanation(
        "Single queries on other documents",
        means=(
            "Single queries show how far a system's score on each varies over images of the "
            "corpus.",
        ),
        does_not_mean=(
            "A query whose score varies much is not a bad query: few relevant documents, or one "
            "near the top, are enough.",
        ),
        method="A query with no relevant document left in an image scores 0 there.",
        references=("zobel2020",),
    ),
    "corpus-query-spreads": Explanation(
        "How precise a measure is on each query",
        means=(
            "A query's spread is the standard deviation over images of scores on it: median, 95th "
            "percentile and maximum over systems.",
        ),
        does_not_mean=(
            "A query with a small spread is not thereby a better one: where no system finds "
            "anything, nothing varies.",
        ),
        method="Standard deviations over images, query by query, for each system.",
        references=("zobel2020",),
    ),
    "corpus-validity": Explanation(
        "Do images hold one another",
        means=(
            "For validity, each image is left out in turn, and held against an interval from all "
            "others: the shares that fall below, inside and above.",
        ),
        does_not_mean=(
            "Validity shows that images are alike, not that they are like a new corpus.",
            "More inside than promised is no fault: where scores come in steps, many values lie "
            "on the ends.",
        ),
        method="By quantiles of the other images, or by their mean ± z standard deviations.",
        references=("zobel2020",),
    ),
    "corpus-pools": Explanation(
        "Shallow pools",
        means=(
            "A shallow pool shows what two systems' difference would look like had only their own "
            "first documents been judged, on the corpus and on its images.",
        ),
        does_not_mean=(
            "Differences from a shallow pool cannot be read as those of full judgments: measures "
            "that divide by the number of relevant documents then divide by too few.",
            "The share of images with p below 0.05 is no power: the queries stay the same.",
        ),
        method="On every image, the first documents of both rankings are looked up in the full "
        "judgments and all else counts as not relevant; p is that of the paired t test.",
        references=("zobel2020",),
    ),
    "variance-split": Explanation(
        "Queries and documents",
        means=(
            "The variance of a mean is made of three parts: the choice of queries, what the "
            "corpus does to all queries alike, and what it does to some queries and not to "
            "others. The total is for new queries on a new corpus.",
        ),
        does_not_mean=(
            "A part of 0 is one too small to see, not one that is known to be absent.",
            "The documents' part rests on images, which repeat documents: a new corpus, index or "
            "kind of document would differ more.",
        ),
        method="From the variances of scores over queries, over images, and over both; the "
        "interval is the mean ± t times the square root of the total.",
        references=("zobel2020",),
    ),
    "quantile": Explanation(
        "Quantiles over images",
        means=("Quantiles over images are the ends of the middle share of their values.",),
        does_not_mean=(
            "The middle of the images is no confidence interval for other queries, and images' "
            "values need not lie evenly around that of the corpus.",
        ),
        method="The (1 - level)/2 and (1 + level)/2 quantiles over all images.",
        references=("zobel2020",),
    ),
}
