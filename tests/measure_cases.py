"""Every measure with its naive implementation: cases for tests of all measures.

A new measure gets its lines here, and tests of its own in ``tests/measurement``.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from functools import partial
from typing import Any

import naive
from irbounds.errors import MeasureError
from irbounds.measurement.parser import parse_measure

#: the highest grade of collections whose twins depend on it
TOP = 3

#: by measure, a function of the judgments and the run of one query, given the highest grade
SCORES: dict[str, Callable[..., float]] = {
    "AP": lambda q, r, top: naive.average_precision(q, r),
    "AP(rel=2)": lambda q, r, top: naive.average_precision(q, r, rel=2),
    "AP(rel=0)": lambda q, r, top: naive.average_precision(q, r, rel=0),
    "AP@1": lambda q, r, top: naive.average_precision(q, r, cutoff=1),
    "AP(rel=2)@3": lambda q, r, top: naive.average_precision(q, r, rel=2, cutoff=3),
    "P@3": lambda q, r, top: naive.precision(q, r, 3),
    "P(rel=2)@6": lambda q, r, top: naive.precision(q, r, 6, rel=2),
    "P(rel=2)@4": lambda q, r, top: naive.precision(q, r, 4, rel=2),
    "R@3": lambda q, r, top: naive.recall(q, r, 3),
    "R(rel=0)@3": lambda q, r, top: naive.recall(q, r, 3, rel=0),
    "Rprec": lambda q, r, top: naive.r_precision(q, r),
    "Rprec(rel=2)": lambda q, r, top: naive.r_precision(q, r, rel=2),
    "Rprec(rel=-1)": lambda q, r, top: naive.r_precision(q, r, rel=-1),
    "RR": lambda q, r, top: naive.reciprocal_rank(q, r),
    "RR(rel=2)@3": lambda q, r, top: naive.reciprocal_rank(q, r, rel=2, cutoff=3),
    "RR(rel=0)@4": lambda q, r, top: naive.reciprocal_rank(q, r, rel=0, cutoff=4),
    "Success@2": lambda q, r, top: naive.success(q, r, 2),
    "Success(rel=2)@3": lambda q, r, top: naive.success(q, r, 3, rel=2),
    "nDCG": lambda q, r, top: naive.ndcg(q, r),
    "nDCG@3": lambda q, r, top: naive.ndcg(q, r, 3),
    "nDCG(dcg='exp-log2')": lambda q, r, top: naive.ndcg(q, r, None, "exp-log2"),
    "nDCG(dcg='exp-log2')@4": lambda q, r, top: naive.ndcg(q, r, 4, "exp-log2"),
    "RBP": lambda q, r, top: naive.graded_rank_biased_precision(q, r, top),
    "RBP(rel=1,p=0.95)": lambda q, r, top: naive.rank_biased_precision(q, r, 0.95),
    "RBP(rel=2,p=0.5)@3": lambda q, r, top: naive.rank_biased_precision(q, r, 0.5, 2, 3),
    "INSQ(T=5)": lambda q, r, top: naive.inverse_squares(q, r, top, 5.0),
    "INSQ(T=5,max_rel=3)": lambda q, r, top: naive.inverse_squares(q, r, 3, 5.0),
    "INSQ(T=1.5,max_rel=2,min_rel=1)": lambda q, r, top: naive.inverse_squares(q, r, 2, 1.5, 1),
    "ERR": lambda q, r, top: naive.expected_reciprocal_rank(q, r),
    "ERR@1": lambda q, r, top: naive.expected_reciprocal_rank(q, r, 1),
    "ERR@3": lambda q, r, top: naive.expected_reciprocal_rank(q, r, 3),
    "nERR": lambda q, r, top: naive.normalised_err(q, r),
    "nERR@3": lambda q, r, top: naive.normalised_err(q, r, 3),
    "Bpref": lambda q, r, top: naive.binary_preference(q, r),
    "Bpref(rel=2)": lambda q, r, top: naive.binary_preference(q, r, 2),
    "Judged": lambda q, r, top: naive.judged(q, r),
    "Judged@4": lambda q, r, top: naive.judged(q, r, 4),
    "SetP": lambda q, r, top: naive.set_precision(q, r),
    "SetP(relative=True)": lambda q, r, top: naive.set_precision(q, r, relative=True),
    "SetR": lambda q, r, top: naive.recall(q, r),
    "SetR(rel=2)": lambda q, r, top: naive.recall(q, r, rel=2),
    "SetF": lambda q, r, top: naive.set_f(q, r),
    "SetF(beta=2.0,rel=2)": lambda q, r, top: naive.set_f(q, r, 2, 2.0),
}


def scores_on_images(top: int) -> dict[str, Callable[..., float]]:
    """Return the twins of measures that images of the corpus have, given the highest grade."""
    able = {}
    for name, twin in SCORES.items():
        with suppress(MeasureError):
            parse_measure(name).check_images()
            able[name] = partial(twin, top=top)
    return able


def _exponential(grade: int) -> Fraction:
    return Fraction(2**grade - 1)


_UNCUT: dict[str, Callable[..., Any]] = {
    "AP": naive.exact_average_precision,
    "Rprec": naive.exact_r_precision,
    "RR": naive.exact_reciprocal_rank,
    "nDCG": naive.exact_ndcg,
    "ERR": naive.exact_expected_reciprocal_rank,
    "nERR": naive.exact_normalised_err,
}
_CUT: dict[str, Callable[..., Any]] = {
    "AP": naive.exact_average_precision,
    "P": naive.exact_precision,
    "R": naive.exact_recall,
    "RR": naive.exact_reciprocal_rank,
    "Success": naive.exact_success,
    "nDCG": naive.exact_ndcg,
    "ERR": naive.exact_expected_reciprocal_rank,
    "nERR": naive.exact_normalised_err,
}
#: by measure, an exact function of a ranking's grades and of the judged grades, which are 0 and 1
BINARY: dict[str, Callable[..., Any]] = {
    **_UNCUT,
    **{
        f"{name}@{cutoff}": partial(twin, cutoff=cutoff)
        for name, twin in _CUT.items()
        for cutoff in (1, 2, 3, 5, 12)
    },
    "RBP": naive.exact_rank_biased_precision,
    "RBP(p=0.5)@3": partial(naive.exact_rank_biased_precision, p=0.5, cutoff=3),
    "INSQ": naive.exact_inverse_squares,
    "INSQ(T=5)": partial(naive.exact_inverse_squares, T=5.0),
}
#: the same for grades from 0 to ``TOP``
GRADED: dict[str, Callable[..., Any]] = {
    "AP(rel=2)": partial(naive.exact_average_precision, rel=2),
    "AP(rel=2)@3": partial(naive.exact_average_precision, rel=2, cutoff=3),
    "P(rel=2)@3": partial(naive.exact_precision, rel=2, cutoff=3),
    "R(rel=3)@2": partial(naive.exact_recall, rel=3, cutoff=2),
    "Rprec(rel=2)": partial(naive.exact_r_precision, rel=2),
    "RR(rel=2)": partial(naive.exact_reciprocal_rank, rel=2),
    "RR(rel=3)@2": partial(naive.exact_reciprocal_rank, rel=3, cutoff=2),
    "Success(rel=2)@2": partial(naive.exact_success, rel=2, cutoff=2),
    "nDCG": naive.exact_ndcg,
    "nDCG@3": partial(naive.exact_ndcg, cutoff=3),
    "nDCG(dcg='exp-log2')": partial(naive.exact_ndcg, gain=_exponential),
    "nDCG(dcg='exp-log2')@2": partial(naive.exact_ndcg, cutoff=2, gain=_exponential),
    "RBP": partial(naive.exact_rank_biased_precision, max_grade=TOP),
    "RBP(rel=2)@4": partial(naive.exact_rank_biased_precision, rel=2, cutoff=4),
    "INSQ": partial(naive.exact_inverse_squares, max_rel=TOP),
    "INSQ(min_rel=1,max_rel=2)": partial(naive.exact_inverse_squares, min_rel=1, max_rel=2),
    "ERR": naive.exact_expected_reciprocal_rank,
    "ERR@2": partial(naive.exact_expected_reciprocal_rank, cutoff=2),
    "nERR": naive.exact_normalised_err,
    "nERR@2": partial(naive.exact_normalised_err, cutoff=2),
}


def collection_with_ties(rng: random.Random) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return judgments and a run: small and large blocks, grades from -2, a missing query."""
    documents = [f"d{k}" for k in range(8)]
    qrels, run = {}, {}
    for k in range(6):
        judged = rng.sample(documents, rng.randint(1, 7))
        qrels[f"q{k}"] = {doc: rng.choice([-2, 0, 0, 1, 1, 2, TOP]) for doc in judged}
        n_scores = rng.choice([1, 2, 4])  # 1: every document in one block
        retrieved = rng.sample(documents, rng.randint(1, 5 if n_scores == 1 else 7))
        if k != 3:
            run[f"q{k}"] = {doc: float(rng.randrange(n_scores)) for doc in retrieved}
    qrels["q0"]["d0"] = TOP
    return qrels, run
