"""Confidence intervals and tests for information-retrieval evaluation.

What is each mean, and its confidence interval?      evaluate
Which systems differ? May one replace the other?     compare; gate, testing.assert_not_worse
Which ranks could each system have?                  rank
What if the corpus had held other documents?         corpus
What is the recall of a retrieved set?               recall; draw a sample
What do random rankings score, and classifiers?      chance, ap
Are judgments and runs complete and consistent?      check
How do scores compare with those of other systems?   standardise
Which results, figures and warnings on one page?     report
How many queries, or assessments, are required?      plan_queries, plan_recall
How can others compare their means with ours?        evaluate, compare

Readers: read_qrels, read_run, read_runs, read_scores. Collections: simulate. List: measures.
Threads: execution. On scores, counts and labels: score, mean_interval, rank_interval,
difference_interval, expected_score, pyterrier_test. Special: samples, random_rankings, corpora,
results, errors.
"""

from .lazy_names import attach

__version__ = "0.2.0"

__getattr__, __dir__, __all__ = attach(__name__, __file__)
