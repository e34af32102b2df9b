"""Explanations of what samples of assessed documents tell of a retrieved set."""

from __future__ import annotations

from .explanation import Explanation

__all__ = ["RECALL"]

RECALL: dict[str, Explanation] = {
    "recall": Explanation(
        "Recall",
        means=(
            "Recall is the share of all relevant documents in the corpus that was retrieved. If "
            "the same corpus were sampled again and again in the same way, about the stated share "
            "of such intervals would hold the true recall of this retrieved set, as far as the "
            "method keeps its promise.",
        ),
        does_not_mean=(
            "Every assessment is taken for the truth, and the samples for random ones of all "
            "documents that were counted; errors in either are not covered.",
            "An interval of recall is about this retrieved set alone: a search that was changed "
            "after looking at the sample needs a new sample. A one-sided limit must have been "
            "chosen before the numbers were seen.",
        ),
        method="Retrieved and unretrieved documents are sampled at random, each in one or more "
        "strata; recall follows from the relevant documents estimated on both sides.",
        references=("webber2013",),
    ),
    "precision": Explanation(
        "Precision",
        means=(
            "Precision is the share of relevant documents among the retrieved ones that can be "
            "assessed.",
        ),
        does_not_mean=(
            "Precision says nothing of what was left behind: high precision goes with any recall.",
        ),
        method="From the random sample of the retrieved documents alone.",
        references=("webber2013",),
    ),
    "F1": Explanation(
        "F1",
        means=(
            "F1 is the harmonic mean of precision and recall, with an interval for the two "
            "jointly.",
        ),
        does_not_mean=(
            "The same F1 can come from good precision with poor recall and the other way round.",
        ),
        method="Computed from the relevant documents estimated on both sides, not from the ends of "
        "two other intervals.",
        references=("webber2013",),
    ),
    "yield": Explanation(
        "Yield",
        means=("Yield is how many relevant documents the corpus holds, retrieved or not.",),
        does_not_mean=(
            "Yield is a number for the corpus that was counted, and not for documents beyond it.",
        ),
        method="Each stratum's size times the share of relevant documents in its sample, added up.",
        references=("webber2013",),
    ),
    "prevalence": Explanation(
        "Prevalence",
        means=(
            "Prevalence is the share of relevant documents in the whole corpus: yield over size.",
        ),
        does_not_mean=(
            "A low prevalence does not make a small error: the little that is left behind may be "
            "most of what there is.",
        ),
        method="Yield divided by the number of documents.",
        references=("webber2013",),
    ),
    "elusion": Explanation(
        "Elusion",
        means=("Elusion is the share of relevant documents among those that were not retrieved.",),
        does_not_mean=(
            "Low elusion does not mean high recall: a small share of a large rest can be more "
            "than all that was found.",
        ),
        method="From the random sample of the unretrieved documents alone.",
        references=("webber2013",),
    ),
    "recall-plan": Explanation(
        "A plan for a sample",
        means=(
            "A plan says how wide an interval of recall is to be expected from so many "
            "assessments, how to split them between retrieved and other documents, and how many a "
            "wish takes.",
        ),
        does_not_mean=(
            "A plan is as good as its guesses of yield and recall: where the corpus is unlike "
            "them, the interval will be wider or narrower.",
            "The expected width is an average over samples that may come; the one that comes can "
            "give a wider interval, and no plan promises what recall will be found.",
        ),
        method="The method's interval averaged over all samples that can come from a corpus as "
        "guessed. Where the unretrieved sample holds nothing relevant, the upper end is taken as "
        "1.",
        references=("webber2013",),
    ),
}
