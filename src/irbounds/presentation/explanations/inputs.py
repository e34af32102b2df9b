"""Explanations of what was read: diagnosis, scores of single queries, streams, ties, studies."""

from __future__ import annotations

from .explanation import Explanation

__all__ = ["INPUTS"]

INPUTS: dict[str, Explanation] = {
    "diagnosis": Explanation(
        "Diagnosis of the inputs",
        means=(
            "The diagnosis is what the files hold, and everything in them that is odd: each fault "
            "that scoring meets is counted and said, with what was done about it.",
        ),
        does_not_mean=(
            "Files without a remark are not thereby right: judgments by the wrong assessor or a "
            "run of the wrong system look like any others.",
        ),
        method="Judgments and runs are counted and held against each other, query by query.",
    ),
    "score-table": Explanation(
        "Scores of single queries",
        means=("A score is that of one system on one query, by the stated measure.",),
        does_not_mean=(
            "A score of one query says little of a system: scores vary widely from query to query.",
            "A document without a judgment counts as not relevant, which need not be true.",
        ),
        method="Scored as trec_eval does, in double precision; a judged query that a run lacks "
        "scores 0 unless asked otherwise.",
    ),
    "stream": Explanation(
        "Scores read as a stream",
        means=(
            "The scores were read file by file and never held together. In a resample each query "
            "counts as often as a Poisson number with mean 1 says, which depends on the query's "
            "id: the order of the rows and the split of the files change nothing.",
        ),
        does_not_mean=(
            "Such a resample does not hold exactly as many queries as there are. From some hundred "
            "queries on, intervals differ from those of drawing with replacement by less than "
            "random numbers do.",
        ),
        method="Queries are weighted by Poisson numbers, which takes the place of drawing them "
        "with replacement. Scores are put on a grid of at least 2^38 steps between the least and "
        "the greatest; sums over the queries of a resample are exact, and its mean is divided by "
        "the number of queries that it holds.",
        references=("efron1979", "hanley2006"),
    ),
    "ties": Explanation(
        "Ties",
        means=(
            "Documents of equal score have no order of their own. Four mean scores are shown: the "
            "document id decides, as in trec_eval; the mean over all orders within ties; the "
            "worst order; the best.",
        ),
        does_not_mean=(
            "From worst to best is not a confidence interval: it says what a rule for ties can "
            "change on these queries, and nothing of other queries.",
        ),
        method="The mean over all orders is computed exactly, block by block of tied documents; "
        "nothing is drawn at random.",
        references=("mcsherry2008",),
    ),
    "study": Explanation(
        "A paper's numbers beside ours",
        means=(
            "A study is the experiment of a paper made again, with the paper's own numbers beside "
            "it. Where ours are simulated, their simulation noise says how closely the two can "
            "agree.",
        ),
        does_not_mean=(
            "Agreement on a paper's data does not show that its findings hold on others.",
            "Where the data or the details of the experiment are not the paper's own, numbers "
            "should be alike, and no more.",
        ),
    ),
}
