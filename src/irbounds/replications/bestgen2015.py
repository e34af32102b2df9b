"""Bestgen (2015), Exact Expected Average Precision of the Random Baseline: tables, claims, curves.

Table 1 lists all rankings of five documents of which two are relevant; Table 2 adds up the same
mean by where each relevant document may stand, which is the paper's procedure. Both are here as the
paper has them, in fractions, with our closed form beside them. The mean is 0.5925: the paper's
0.593 is the half of 1.186, a sum of contributions that were rounded before they were added.

With the closed form the paper's findings on Figure 1 can be proved, not only seen. What the exact
value has above the prevalence p = R / N is

    (1 - p) x (1/2 + 1/3 + ... + 1/N) / (N - 1),

that is 1 - p times the mean of 1/2 to 1/N. So it is above 0 unless every document is relevant, it
falls when p grows, it falls when N grows and p stays, and it is largest for one relevant document.
Where R stays and N grows, it may rise first. How large a collection must be for it to stay below
0.01 is a matter of looking for one number. A small difference is no small one beside a small
prevalence: for R = 1 the exact value is 1 + 1/2 + ... + 1/N times the prevalence, whatever N is.

The text does not give the grid of Figure 1. Ours: prevalences as far as they mean a whole number of
documents, and one relevant document, the lowest prevalence that there is.
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
#: the size and the number of relevant documents that sections 3 and 4 speak of
CALL, MIDDLE, LARGE = (10, 4), (100, 10), (10_000, 4_000)
#: Figure 1; the grid is ours
SIZES = (10, 20, 50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000)
PREVALENCES = (0.01, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8)
ENOUGH, BOUND = 600, 0.01  # "as soon as N is at least equal to 600, it is less than 0.01"
LOOKED_AT = 10_000  # sizes among which the least one is looked for
ROUNDS, CALLS = 5, 200  # of a time: the best of these, each the mean of so many calls


@dataclass(frozen=True)
class Term:
    """One row of Table 2: the i-th relevant document stands at rank n."""

    i: int
    n: int
    #: the probability of i relevant documents among the first n
    dhyper: Fraction

    @property
    def precision(self) -> Fraction:
        """Precision at rank n, which is also the chance that the last of the n is relevant."""
        return Fraction(self.i, self.n)

    @property
    def final(self) -> Fraction:
        """The probability that the i-th relevant document stands at rank n."""
        return self.dhyper * self.precision

    @property
    def contribution(self) -> Fraction:
        """What this adds to R times the expected AP."""
        return self.final * self.precision


@dataclass(frozen=True)
class ChancePoint:
    """A point of a curve: the expected AP of a random ranking, and the prevalence."""

    #: what all points of the curve share, as in ``"p = 0.1"``
    curve: str
    n_documents: int
    n_relevant: int
    prevalence: float
    exact: float

    @property
    def difference(self) -> float:
        """How far the exact value is above the prevalence."""
        return self.exact - self.prevalence


@dataclass(frozen=True)
class Bestgen2015:
    """The paper's tables and what its text claims, and the points of Figure 1."""

    tables: tuple[StudyTable, ...]
    points: tuple[ChancePoint, ...]


def answer_bestgen2015() -> Answer[Results[StudyTable]]:
    """Return the study with its sentences and figures."""
    from .bestgen2015_presentation import NOTES, bestgen_figures, bestgen_tables, finding_sentences

    study = replicate_bestgen2015()
    sentences = [*finding_sentences(study.tables), *NOTES]
    tables = bestgen_tables(study.tables, study.points)
    figures = partial(bestgen_figures, study.points)
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
    """Table 1: every ranking of two relevant documents among five, and its AP."""
    found = {
        "".join(str(int(rank in places)) for rank in range(1, N_EXAMPLE + 1)): _score(places)
        for places in combinations(range(1, N_EXAMPLE + 1), R_EXAMPLE)
    }
    total = sum(found.values(), Fraction())
    return _table(
        name="Table 1",
        number=1,
        title=f"AP of every ranking, N = {N_EXAMPLE} and R = {R_EXAMPLE}",
        corner="ranking",
        rows=(*found, "sum", "expected AP"),
        columns=("AP",),
        ours=[(float(one),) for one in (*found.values(), total, total / len(found))],
        theirs=[(one,) for one in (*THEIR_SCORES, THEIR_SUM, THEIR_MEAN)],
        decimals=2,
    )


def procedure_table() -> StudyTable:
    """Table 2: the paper's procedure, term by term."""
    terms = list(procedure_terms(N_EXAMPLE, R_EXAMPLE))
    total = sum((term.contribution for term in terms), Fraction())
    below = [(UNKNOWN, UNKNOWN, UNKNOWN, float(one)) for one in (total, total / R_EXAMPLE)]
    return _table(
        name="Table 2",
        number=2,
        title=f"the paper's procedure, N = {N_EXAMPLE} and R = {R_EXAMPLE}",
        corner="i, n",
        rows=(*(f"{term.i}, {term.n}" for term in terms), "sum", "expected AP"),
        columns=("dhyper", "i/n", "final prob.", "contribution"),
        ours=[*map(_numbers, terms), *below],
        theirs=[
            *THEIR_TERMS,
            (UNKNOWN, UNKNOWN, UNKNOWN, THEIR_TERM_SUM),
            (UNKNOWN, UNKNOWN, UNKNOWN, THEIR_MEAN),
        ],
    )


def claims_table() -> StudyTable:
    """What the text of sections 3 and 4 gives numbers for."""
    at_enough = float(expected_score(ENOUGH, 1))
    rows = {
        f"expected AP, {_sizes(CALL)}": (float(expected_score(*CALL)), 0.5285979),
        "the same by the paper's procedure": (float(_by_procedure(*CALL)), 0.5285979),
        f"rankings, {_sizes(MIDDLE)}": (math.comb(*MIDDLE), 17e12),
        f"terms to add, {_sizes(MIDDLE)}": (_n_terms(*MIDDLE), 910),
        f"terms to add, {_sizes(LARGE)}": (_n_terms(*LARGE), UNKNOWN),
        f"seconds, {_sizes(MIDDLE)}": (_seconds(lambda: expected_score(*MIDDLE)), 0.011),
        f"seconds, {_sizes(LARGE)}": (_seconds(lambda: expected_score(*LARGE)), 131),
        f"largest difference, N = {ENOUGH}": (at_enough - 1 / ENOUGH, BOUND),
        f"least N, difference below {BOUND}": (least_size_below(BOUND), ENOUGH),
        f"exact / prevalence, {_sizes((ENOUGH, 1))}": (at_enough * ENOUGH, UNKNOWN),
    }
    return _table(
        name="Sections 3 and 4",
        number=3,
        title="what the text says in numbers",
        corner="quantity",
        rows=tuple(rows),
        columns=("value",),
        ours=[(float(ours),) for ours, _ in rows.values()],
        theirs=[(float(theirs),) for _, theirs in rows.values()],
        decimals=7,
    )


def curve_points() -> tuple[ChancePoint, ...]:
    """Figure 1: the exact value and the prevalence, curve by curve."""
    curves = {"R = 1": [(size, 1) for size in SIZES]}
    for prevalence in PREVALENCES:
        named = f"p = {prevalence:g}"
        shares = [(size, prevalence * size) for size in SIZES]
        curves[named] = [(n, round(r)) for n, r in shares if r > 0.5 and math.isclose(r, round(r))]
    return tuple(
        ChancePoint(curve, n, r, r / n, float(expected_score(n, r)))
        for curve, sizes in curves.items()
        for n, r in sizes
    )


def least_size_below(bound: float) -> int:
    """The least N from which on the difference is below ``bound`` whatever R is.

    R = 1 has the largest difference, the others being (N - R) / (N - 1) of it. There it falls with
    N from 3 on, so the last size that is not below is the one to find.
    """
    sizes = np.arange(1, LOOKED_AT + 1)
    above = np.asarray(expected_score(sizes, np.ones_like(sizes))) - 1 / sizes >= bound
    return int(sizes[above].max(initial=0)) + 1


def procedure_terms(n_documents: int, n_relevant: int) -> Iterator[Term]:
    """The terms of the paper's double loop, in its order and in fractions."""
    for i in range(1, n_relevant + 1):
        for n in range(i, n_documents - n_relevant + i + 1):
            ways = math.comb(n_relevant, i) * math.comb(n_documents - n_relevant, n - i)
            yield Term(i, n, Fraction(ways, math.comb(n_documents, n)))


def _by_procedure(n_documents: int, n_relevant: int) -> Fraction:
    terms = procedure_terms(n_documents, n_relevant)
    return sum((term.contribution for term in terms), Fraction()) / n_relevant


def _n_terms(n_documents: int, n_relevant: int) -> int:
    """R (N - R + 1); the paper's R (R + N - 1) is a slip, its 910 is not."""
    return n_relevant * (n_documents - n_relevant + 1)


def _score(places: Sequence[int]) -> Fraction:
    """AP of relevant documents at these ranks (Equation 1)."""
    return sum((Fraction(i, n) for i, n in enumerate(places, 1)), Fraction()) / len(places)


def _numbers(term: Term) -> tuple[float, ...]:
    parts = (term.dhyper, term.precision, term.final, term.contribution)
    return tuple(map(float, parts))


def _seconds(call: Callable[[], object]) -> float:
    """Of one call: the best round's mean."""
    rounds = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        for _ in range(CALLS):
            call()
        rounds.append((time.perf_counter() - began) / CALLS)
    return min(rounds)


def _sizes(sizes: tuple[int, int]) -> str:
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
