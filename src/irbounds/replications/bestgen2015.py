"""Bestgen (2015), Exact Expected Average Precision of the Random Baseline: tables, claims, curves.

Table 1 lists all rankings of five documents of which two are relevant. Table 2 computes the same
mean by the possible ranks of each relevant document, which is the paper's procedure. Both are
computed here as in the paper, in fractions, and compared with our closed form. The mean is 0.5925.
The paper's 0.593 is half of 1.186, a sum of contributions that were rounded before they were added.

The closed form proves the paper's findings on Figure 1. The exact value exceeds the prevalence
p = R / N by

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
from functools import partial
from itertools import combinations

import numpy as np

from ..presentation.page_content import Section
from ..random_rankings.expected_scores import expected_score
from ..results.result import Answer, Results
from .paper_tables import HEADING, StudyTable

UNKNOWN = math.nan
N_EXAMPLE, R_EXAMPLE = 5, 2
#: Table 1 as printed, from the ranking 11000 to 00011
THEIR_SCORES = (1.00, 0.83, 0.75, 0.70, 0.58, 0.50, 0.45, 0.42, 0.37, 0.33)
THEIR_SUM, THEIR_MEAN = 5.93, 0.593
#: Table 2 as printed: dhyper, i/n, final probability, contribution
THEIR_TERMS = (
    (0.4, 1.00, 0.4, 0.400),
    (0.6, 0.50, 0.3, 0.150),
    (0.6, 0.33, 0.2, 0.067),
    (0.4, 0.25, 0.1, 0.025),
    (0.1, 1.00, 0.1, 0.100),
    (0.3, 0.67, 0.2, 0.134),
    (0.6, 0.50, 0.3, 0.150),
    (1.0, 0.40, 0.4, 0.160),
)
THEIR_TERM_SUM = 1.186
#: documents and relevant documents of the examples in sections 3 and 4
CALL, MIDDLE, LARGE = (10, 4), (100, 10), (10_000, 4_000)
#: Figure 1; the grid is ours
SIZES = (10, 20, 50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000)
PREVALENCES = (0.01, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8)
ENOUGH, BOUND = 600, 0.01  # "as soon as N is at least equal to 600, it is less than 0.01"
MAX_SIZE = 10_000  # up to which the least size is searched
ROUNDS, CALLS = 5, 200  # a time is the lowest mean of a round, over that many calls


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


@dataclass(frozen=True)
class ChancePoint:
    """A point of a curve: the expected AP of a random ranking, and the prevalence."""

    #: label of the curve, as in ``"p = 0.1"``
    curve: str
    n_documents: int
    n_relevant: int
    prevalence: float
    exact: float

    @property
    def difference(self) -> float:
        """Exact value minus prevalence."""
        return self.exact - self.prevalence


@dataclass(frozen=True)
class Bestgen2015:
    """The paper's tables, the numbers in its text, and the points of Figure 1."""

    tables: tuple[StudyTable, ...]
    points: tuple[ChancePoint, ...]


def answer_bestgen2015() -> Answer[Results[StudyTable]]:
    """Return the study with its sentences and figures."""
    from .bestgen2015_presentation import (
        NOTES,
        draw_bestgen_figures,
        finding_sentences,
        make_bestgen_tables,
    )

    study = replicate_bestgen2015()
    sentences = [*finding_sentences(study.tables), *NOTES]
    tables = make_bestgen_tables(study.tables, study.points)
    figures = partial(draw_bestgen_figures, study.points)
    section = Section(HEADING, sentences, tables, figures, ["study", "chance-level"])
    return Answer(
        Results(study.tables),
        facts={"notes": sentences},
        make_sections=lambda view: [section],
    )


def replicate_bestgen2015() -> Bestgen2015:
    """Return the whole study; nothing in it is random, and only times differ from run to run."""
    return Bestgen2015((rankings_table(), procedure_table(), claims_table()), curve_points())


def rankings_table() -> StudyTable:
    """Return Table 1: every ranking of two relevant documents among five, and its AP."""
    scores = {
        "".join(str(int(rank in places)) for rank in range(1, N_EXAMPLE + 1)): _average_precision(
            places
        )
        for places in combinations(range(1, N_EXAMPLE + 1), R_EXAMPLE)
    }
    total = sum(scores.values(), Fraction())
    return _table(
        name="Table 1",
        number=1,
        title=f"AP of every ranking, N = {N_EXAMPLE} and R = {R_EXAMPLE}",
        corner="ranking",
        rows=(*scores, "sum", "expected AP"),
        columns=("AP",),
        ours=[(float(value),) for value in (*scores.values(), total, total / len(scores))],
        theirs=[(value,) for value in (*THEIR_SCORES, THEIR_SUM, THEIR_MEAN)],
        decimals=2,
    )


def procedure_table() -> StudyTable:
    """Return Table 2: the paper's procedure, term by term."""
    terms = list(procedure_terms(N_EXAMPLE, R_EXAMPLE))
    total = sum((term.contribution for term in terms), Fraction())
    sums = [(UNKNOWN, UNKNOWN, UNKNOWN, float(value)) for value in (total, total / R_EXAMPLE)]
    return _table(
        name="Table 2",
        number=2,
        title=f"the paper's procedure, N = {N_EXAMPLE} and R = {R_EXAMPLE}",
        corner="i, n",
        rows=(*(f"{term.i}, {term.n}" for term in terms), "sum", "expected AP"),
        columns=("dhyper", "i/n", "final prob.", "contribution"),
        ours=[*map(_term_numbers, terms), *sums],
        theirs=[
            *THEIR_TERMS,
            (UNKNOWN, UNKNOWN, UNKNOWN, THEIR_TERM_SUM),
            (UNKNOWN, UNKNOWN, UNKNOWN, THEIR_MEAN),
        ],
    )


def claims_table() -> StudyTable:
    """Return the numbers in the text of sections 3 and 4."""
    at_enough = float(expected_score(ENOUGH, 1))
    rows = {
        f"expected AP, {_format_sizes(CALL)}": (float(expected_score(*CALL)), 0.5285979),
        "the same by the paper's procedure": (float(_apply_procedure(*CALL)), 0.5285979),
        f"rankings, {_format_sizes(MIDDLE)}": (math.comb(*MIDDLE), 17e12),
        f"terms to add, {_format_sizes(MIDDLE)}": (_count_terms(*MIDDLE), 910),
        f"terms to add, {_format_sizes(LARGE)}": (_count_terms(*LARGE), UNKNOWN),
        f"seconds, {_format_sizes(MIDDLE)}": (
            _measure_seconds(lambda: expected_score(*MIDDLE)),
            0.011,
        ),
        f"seconds, {_format_sizes(LARGE)}": (_measure_seconds(lambda: expected_score(*LARGE)), 131),
        f"largest difference, N = {ENOUGH}": (at_enough - 1 / ENOUGH, BOUND),
        f"least N, difference below {BOUND}": (least_size_below(BOUND), ENOUGH),
        f"exact / prevalence, {_format_sizes((ENOUGH, 1))}": (at_enough * ENOUGH, UNKNOWN),
    }
    return _table(
        name="Sections 3 and 4",
        number=3,
        title="numbers in the text",
        corner="quantity",
        rows=tuple(rows),
        columns=("value",),
        ours=[(float(ours),) for ours, _ in rows.values()],
        theirs=[(float(theirs),) for _, theirs in rows.values()],
        decimals=7,
    )


def curve_points() -> tuple[ChancePoint, ...]:
    """Return the points of Figure 1: exact value and prevalence, curve by curve."""
    curves = {"R = 1": [(size, 1) for size in SIZES]}
    for prevalence in PREVALENCES:
        label = f"p = {prevalence:g}"
        sizes = [(size, prevalence * size) for size in SIZES]
        curves[label] = [(n, round(r)) for n, r in sizes if r > 0.5 and math.isclose(r, round(r))]
    return tuple(
        ChancePoint(curve, n, r, r / n, float(expected_score(n, r)))
        for curve, points in curves.items()
        for n, r in points
    )


def least_size_below(bound: float) -> int:
    """Return the least N from which on the difference is below ``bound`` for every R.

    R = 1 has the largest difference; the others are (N - R) / (N - 1) of it. For R = 1 it falls
    with N from 3 on, so the answer follows the last size with a difference of ``bound`` or more.
    """
    sizes = np.arange(1, MAX_SIZE + 1)
    above = np.asarray(expected_score(sizes, np.ones_like(sizes))) - 1 / sizes >= bound
    return int(sizes[above].max(initial=0)) + 1


def procedure_terms(n_documents: int, n_relevant: int) -> Iterator[Term]:
    """Yield the terms of the paper's double loop, in its order and in fractions."""
    for i in range(1, n_relevant + 1):
        for n in range(i, n_documents - n_relevant + i + 1):
            ways = math.comb(n_relevant, i) * math.comb(n_documents - n_relevant, n - i)
            yield Term(i, n, Fraction(ways, math.comb(n_documents, n)))


def _apply_procedure(n_documents: int, n_relevant: int) -> Fraction:
    terms = procedure_terms(n_documents, n_relevant)
    return sum((term.contribution for term in terms), Fraction()) / n_relevant


def _count_terms(n_documents: int, n_relevant: int) -> int:
    """Return R (N - R + 1); the paper's R (R + N - 1) is a misprint, its 910 is right."""
    return n_relevant * (n_documents - n_relevant + 1)


def _average_precision(places: Sequence[int]) -> Fraction:
    """Return the AP of relevant documents at these ranks (Equation 1)."""
    return sum((Fraction(i, n) for i, n in enumerate(places, 1)), Fraction()) / len(places)


def _term_numbers(term: Term) -> tuple[float, ...]:
    parts = (term.dhyper, term.precision, term.final, term.contribution)
    return tuple(map(float, parts))


def _measure_seconds(call: Callable[[], object]) -> float:
    """Return the seconds of one call: the lowest mean of several rounds."""
    rounds = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        for _ in range(CALLS):
            call()
        rounds.append((time.perf_counter() - began) / CALLS)
    return min(rounds)


def _format_sizes(sizes: tuple[int, int]) -> str:
    return f"N = {sizes[0]:,}, R = {sizes[1]:,}"


def _table(
    *,
    name: str,
    number: int,
    title: str,
    corner: str,
    rows: Sequence[str],
    columns: Sequence[str],
    ours: Sequence[Sequence[float]],
    theirs: Sequence[Sequence[float]],
    decimals: int = 3,
) -> StudyTable:
    return StudyTable(
        study="bestgen2015",
        number=number,
        title=title,
        corner=corner,
        rows=tuple(rows),
        columns=tuple(columns),
        ours=tuple(map(tuple, ours)),
        theirs=tuple(map(tuple, theirs)),
        noise=(),
        decimals=decimals,
        name=name,
    )
