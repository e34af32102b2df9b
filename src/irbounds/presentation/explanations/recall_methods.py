"""Explanations of the ways to an interval of recall, of a share, and of their priors."""

from __future__ import annotations

from .explanation import Explanation

__all__ = ["RECALL_METHODS"]

RECALL_METHODS: dict[str, Explanation] = {
    "beta-binomial": Explanation(
        "Beta-binomial posterior",
        means=(
            "The beta-binomial posterior is what is known of the numbers of relevant documents "
            "after the samples, for documents drawn without replacement from segments of these "
            "sizes. With the prior 0.5 its intervals hold the true recall about as often as they "
            "promise.",
        ),
        does_not_mean=(
            "Beta-binomial: where a segment was hardly sampled, the prior speaks in place of the "
            "data; with many strata that hold nothing relevant it weighs more than they do.",
        ),
        method="The posterior of each stratum's relevant documents, combined over strata and "
        "segments by computation, not simulation; the ends are its quantiles.",
        references=("webber2013",),
    ),
    "beta-jeffreys": Explanation(
        "Beta posterior with Jeffreys' prior",
        means=(
            "Beta-jeffreys is close to the beta-binomial where the samples are a small part of "
            "the segments.",
        ),
        does_not_mean=(
            "Beta-jeffreys forgets that what was not sampled is so many whole documents, and is "
            "too short where much of a segment was assessed.",
        ),
        method="A beta posterior with prior ½, ½ for the prevalence of what was not sampled; the "
        "ends are quantiles.",
        references=("webber2013", "brown2001"),
    ),
    "koopman": Explanation(
        "Koopman's interval",
        means=(
            "Koopman's is an interval without a prior, from the ratio of two proportions; close "
            "to the beta-binomial for simple samples that are small parts of their segments.",
        ),
        does_not_mean=(
            "Koopman's interval is not for strata, and too wide where much of a segment was "
            "assessed.",
        ),
        method="All ratios are kept that a chi-square test with the most likely pair of "
        "proportions does not reject; recall follows from the ratio.",
        references=("koopman1984", "webber2013"),
    ),
    "laplace": Explanation(
        "Normal interval with one added to each count",
        means=(
            "Laplace is the normal interval after one relevant and one other document more a "
            "sample.",
        ),
        does_not_mean=(
            "The documents that laplace adds understate recall where relevant ones are rare among "
            "many unretrieved ones, and the interval may reach beyond 1.",
        ),
        method="The normal interval of the counts so changed; the point estimate is not changed.",
        references=("webber2013",),
    ),
    "agresti-coull": Explanation(
        "Normal interval with two added to each count",
        means=(
            "Agresti-coull is the normal interval after two relevant and two other documents more "
            "a sample.",
        ),
        does_not_mean=(
            "Agresti-coull is good for one proportion and too much for recall: four documents "
            "that nobody drew can weigh more than the sample. It is here to be compared with.",
        ),
        method="The normal interval with two more of each kind in every sample; the estimate "
        "shown is without them.",
        references=("agresti1998", "webber2013"),
    ),
    "naive-binomial": Explanation(
        "Naive binomial",
        means=(
            "The naive binomial takes recall for a plain proportion of the relevant documents in "
            "the samples. It is in use, and here to be compared with.",
        ),
        does_not_mean=(
            "The relevant documents of both samples are no random sample of all relevant ones, "
            "unless both segments were sampled at the same rate: the naive binomial keeps no "
            "promise.",
        ),
        method="Recall ± z times √(recall times (1 - recall) / relevant documents in the samples).",
        references=("webber2013",),
    ),
    "normal-official": Explanation(
        "Normal interval of the TREC Legal Track",
        means=(
            "Normal-official is the interval that the TREC Legal Track published: it serves to "
            "reproduce its numbers.",
        ),
        does_not_mean=(
            "Normal-official leaves out a covariance, so that it is mostly too wide, and is still "
            "a normal interval: too sure where few relevant documents were drawn.",
        ),
        method="The track's own variance formulas, with ends clipped to what is possible.",
        references=("hedin2009", "webber2013"),
    ),
    "wilson": Explanation(
        "Wilson's interval",
        means=(
            "Wilson's interval is for the share of relevant documents in one simple sample; good "
            "on average for any share.",
        ),
        does_not_mean=(
            "The coverage of Wilson's interval is right on average, not for each share: near 0 "
            "and 1 it can be lower.",
        ),
        method="All shares from which the observed one lies within z standard errors, with the "
        "standard error of the share in question; by default corrected for a finite population.",
        references=("wilson1927", "brown2001", "webber2013"),
    ),
    "jeffreys": Explanation(
        "Jeffreys' interval",
        means=(
            "Jeffreys' interval is for the share of relevant documents in one simple sample of a "
            "much larger population; good on average for any share.",
        ),
        does_not_mean=(
            "Jeffreys' interval has no correction for a finite population: where much was "
            "assessed, the beta-binomial is the one to take.",
        ),
        method="Quantiles of the beta posterior with prior ½, ½; 0 and 1 are held where nothing or "
        "everything was relevant.",
        references=("brown2001", "webber2013"),
    ),
    "clopper-pearson": Explanation(
        "Clopper and Pearson's interval",
        means=(
            "Clopper and Pearson's is the interval of exact tests: it holds the true share at "
            "least as often as promised, whatever that share is.",
        ),
        does_not_mean=(
            "Clopper and Pearson's “exact” is not “exactly as often”: the interval is mostly "
            "wider than it needs to be.",
        ),
        method="All shares that neither one-sided test rejects; by default with the "
        "hypergeometric distribution, for a finite population.",
        references=("clopper1934", "webber2013"),
    ),
    "wald": Explanation(
        "Wald interval",
        means=("Wald's is the textbook interval of a proportion, here to be compared with.",),
        does_not_mean=(
            "With few relevant documents Wald's interval is far too short, and a bare point where "
            "none or all are relevant.",
        ),
        method="Share ± z times √(share times (1 - share) / n), by default corrected for a finite "
        "population.",
        references=("brown2001", "webber2013"),
    ),
    "uniform": Explanation(
        "Uniform prior",
        means=(
            "Uniform prior: before the sample, every number of relevant documents is equally "
            "likely.",
        ),
        does_not_mean=(
            "The uniform prior is not without an opinion: half of a large unretrieved segment is "
            "expected to be relevant before any document is seen, which understates recall where "
            "hardly any is.",
        ),
        method="A beta-binomial prior with both parameters 1.",
        references=("webber2013",),
    ),
    "most-conservative": Explanation(
        "Most conservative prior",
        means=(
            "The most conservative prior is the one from which a sample of this size is expected "
            "to teach most.",
        ),
        does_not_mean=(
            "“Most conservative” is about what is learnt, not about the interval: with a few "
            "sampled documents its intervals are too short.",
        ),
        method="A beta-binomial prior whose equal parameters maximise the expected information "
        "gain, for each stratum.",
        references=("dyer1993", "webber2013"),
    ),
}
