"""Bestgen (2015), Exact Expected Average Precision of the Random Baseline: tables, claims, curves.

Table 1 lists all rankings of five documents of which two are relevant. Table 2 computes the same
mean by the possible ranks of each relevant document, which is the paper's procedure. Both are
computed here as in the paper, in fractions. The mean is 0.5925. The paper's 0.593 is half of 1.186,
a sum of contributions that were rounded before they were added.

The closed form of irbounds proves the paper's findings on Figure 1. The exact value exceeds the
prevalence p = R / N by

    (1 - p) x (1/2 + 1/3 + ... + 1/N) / (N - 1),

that is 1 - p times the mean of 1/2 to 1/N. So the difference is above 0 unless every document is
relevant. It falls when p grows, and when N grows and p is fixed, and it is largest for one relevant
document. If R is fixed and N grows, it may rise first. A search finds the least N from which on it
is below 0.01. Even a small difference is large compared with a small prevalence: for R = 1 the
exact value is 1 + 1/2 + ... + 1/N times the prevalence, for every N.

The text does not give the grid of Figure 1. Ours has the prevalences p for which p N is an integer,
and one relevant document, the lowest prevalence that there is.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np

from irbounds import expected_score

Row = tuple[str, str, str, float, float]

UNKNOWN = math.nan
N_EXAMPLE, R_EXAMPLE = 5, 2
#: Table 1 as printed, from the ranking 11000 to 00011
PAPER_SCORES = (1.00, 0.83, 0.75, 0.70, 0.58, 0.50, 0.45, 0.42, 0.37, 0.33)
PAPER_SUM, PAPER_MEAN = 5.93, 0.593
#: Table 2 as printed: dhyper, i/n, final probability, contribution
PAPER_TERMS = (
    (0.4, 1.00, 0.4, 0.400),
    (0.6, 0.50, 0.3, 0.150),
    (0.6, 0.33, 0.2, 0.067),
    (0.4, 0.25, 0.1, 0.025),
    (0.1, 1.00, 0.1, 0.100),
    (0.3, 0.67, 0.2, 0.134),
    (0.6, 0.50, 0.3, 0.150),
    (1.0, 0.40, 0.4, 0.160),
)
PAPER_TERM_SUM = 1.186
#: documents and relevant documents of the examples in sections 3 and 4
CALL, MIDDLE, LARGE = (10, 4), (100, 10), (10_000, 4_000)
#: Figure 1; the grid is ours
SIZES = (10, 20, 50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000)
PREVALENCES = (0.01, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8)
ENOUGH, BOUND = 600, 0.01  # "as soon as N is at least equal to 600, it is less than 0.01"
MAX_SIZE = 10_000  # up to which the least size is searched
ROUNDS, CALLS = 5, 200  # a time is the lowest mean of a round, over that many calls


def rows(data: Path, scale: float) -> Iterator[Row]:
    """Yield table, row, column, the paper's number and ours; nothing is read or drawn."""
    yield from ranking_rows()
    yield from procedure_rows()
    for name, (ours, paper) in compute_claims().items():
        yield "Sections 3 and 4", name, "value", float(paper), float(ours)
    yield from curve_rows()


# ---- Table 1 ----


def ranking_rows() -> Iterator[Row]:
    """Yield Table 1: every ranking of two relevant documents among five, and its AP."""
    scores = []
    ranks = range(1, N_EXAMPLE + 1)
    for places, paper in zip(combinations(ranks, R_EXAMPLE), PAPER_SCORES, strict=True):
        ranking = "".join("1" if rank in places else "0" for rank in ranks)
        scores.append(average_precision(places))
        yield "Table 1", ranking, "AP", paper, float(scores[-1])
    total = sum(scores, Fraction())
    yield "Table 1", "sum", "AP", PAPER_SUM, float(total)
    yield "Table 1", "expected AP", "AP", PAPER_MEAN, float(total / len(scores))


def average_precision(places: Sequence[int]) -> Fraction:
    """Return the AP of relevant documents at these ranks (Equation 1)."""
    return sum((Fraction(i, n) for i, n in enumerate(places, 1)), Fraction()) / len(places)


# ---- Table 2 ----


@dataclass(frozen=True)
class Term:
    """One row of Table 2: the i-th relevant document is at rank n."""

    i: int
    n: int
    #: the probability of i relevant documents among the first n
    dhyper: Fraction

    @property
    def precision(self) -> Fraction:
        """Precision at rank n, also the probability that the document there is relevant."""
        return Fraction(self.i, self.n)

    @property
    def final(self) -> Fraction:
        """Probability that the i-th relevant document is at rank n."""
        return self.dhyper * self.precision

    @property
    def contribution(self) -> Fraction:
        """Term of the sum that is R times the expected AP."""
        return self.final * self.precision


def procedure_terms(n_documents: int, n_relevant: int) -> Iterator[Term]:
    """Yield the terms of the paper's double loop, in its order and in fractions."""
    for i in range(1, n_relevant + 1):
        for n in range(i, n_documents - n_relevant + i + 1):
            ways = math.comb(n_relevant, i) * math.comb(n_documents - n_relevant, n - i)
            yield Term(i, n, Fraction(ways, math.comb(n_documents, n)))


def apply_procedure(n_documents: int, n_relevant: int) -> Fraction:
    """Return the expected AP by the paper's procedure."""
    terms = procedure_terms(n_documents, n_relevant)
    return sum((term.contribution for term in terms), Fraction()) / n_relevant


def procedure_rows() -> Iterator[Row]:
    """Yield Table 2: the paper's procedure, term by term."""
    terms = procedure_terms(N_EXAMPLE, R_EXAMPLE)
    columns = ("dhyper", "i/n", "final prob.", "contribution")
    for term, paper in zip(terms, PAPER_TERMS, strict=True):
        ours = (term.dhyper, term.precision, term.final, term.contribution)
        for column, printed, number in zip(columns, paper, ours, strict=True):
            yield "Table 2", f"{term.i}, {term.n}", column, printed, float(number)
    mean = apply_procedure(N_EXAMPLE, R_EXAMPLE)
    yield "Table 2", "sum", "contribution", PAPER_TERM_SUM, float(mean * R_EXAMPLE)
    yield "Table 2", "expected AP", "contribution", PAPER_MEAN, float(mean)


# ---- sections 3 and 4 ----


def compute_claims() -> dict[str, tuple[float, float]]:
    """Return the numbers in the text of sections 3 and 4, ours and the paper's."""
    at_enough = float(expected_score(ENOUGH, 1))
    call, middle, large = (f"N = {n:,}, R = {r:,}" for n, r in (CALL, MIDDLE, LARGE))
    return {
        f"expected AP, {call}": (float(expected_score(*CALL)), 0.5285979),
        "the same by the paper's procedure": (float(apply_procedure(*CALL)), 0.5285979),
        f"rankings, {middle}": (math.comb(*MIDDLE), 17e12),
        f"terms to add, {middle}": (count_terms(*MIDDLE), 910),
        f"terms to add, {large}": (count_terms(*LARGE), UNKNOWN),
        f"seconds, {middle}": (measure_seconds(lambda: expected_score(*MIDDLE)), 0.011),
        f"seconds, {large}": (measure_seconds(lambda: expected_score(*LARGE)), 131),
        f"largest difference, N = {ENOUGH}": (at_enough - 1 / ENOUGH, BOUND),
        f"least N, difference below {BOUND}": (least_size_below(BOUND), ENOUGH),
        f"exact / prevalence, N = {ENOUGH}, R = 1": (at_enough * ENOUGH, UNKNOWN),
    }


def count_terms(n_documents: int, n_relevant: int) -> int:
    """Return R (N - R + 1); the paper's R (R + N - 1) is a misprint, its 910 is right."""
    return n_relevant * (n_documents - n_relevant + 1)


def measure_seconds(call: Callable[[], object]) -> float:
    """Return the seconds of one call: the lowest mean of several rounds."""
    rounds = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        for _ in range(CALLS):
            call()
        rounds.append((time.perf_counter() - began) / CALLS)
    return min(rounds)


def least_size_below(bound: float) -> int:
    """Return the least N from which on the difference is below ``bound`` for every R.

    R = 1 has the largest difference; the others are (N - R) / (N - 1) of it. For R = 1 it falls
    with N from 3 on, so the answer follows the last size with a difference of ``bound`` or more.
    """
    sizes = np.arange(1, MAX_SIZE + 1)
    above = np.asarray(expected_score(sizes, np.ones_like(sizes))) - 1 / sizes >= bound
    return int(sizes[above].max(initial=0)) + 1


# ---- Figure 1 ----


def curve_rows() -> Iterator[Row]:
    """Yield the points of Figure 1: the exact value minus the prevalence, curve by curve."""
    for n in SIZES:
        yield "Figure 1", f"N = {n}", "R = 1", UNKNOWN, float(expected_score(n, 1)) - 1 / n
    for prevalence in PREVALENCES:
        for n in SIZES:
            r = round(prevalence * n)
            if r > 0 and math.isclose(prevalence * n, r):
                ours = float(expected_score(n, r)) - r / n
                yield "Figure 1", f"N = {n}", f"p = {prevalence:g}", UNKNOWN, ours
