"""Samples for recall: the smallest one for a claim, and the best split of a budget.

A guess says how many documents are relevant in each segment. So the number of relevant ones in a
sample is hypergeometric.

The smallest sample for a claim
-------------------------------
All retrieved documents were read, and R1 of them are relevant. "Recall is at least t" is false from
k missed documents on, with k the smallest number for which R1 / (R1 + k) is below t. A sample of n
of the N0 other documents with x relevant ones shows the claim if P(X <= x | N0, k, n) is below the
tail. Then the exact lower limit is at least t (``samples/exact.py``).

The larger the sample, the more relevant documents it may contain. For each c there is a smallest
sample n_c that shows the claim with c of them. The assurance is the probability of at most c. It
falls from n_c to before n_{c+1}, because a larger sample finds more, and rises again there. So the
smallest sample with an assurance is the first n_c that has it. The c are searched by doubling and
bisection, then ``LOOK_BACK`` values before, since the peaks need not rise strictly.

The best split of a budget
--------------------------
The expected width of the beta-binomial interval is the mean over all pairs of counts of the two
samples. A short range of counts is used in full. A long one is replaced by the points and weights
of Gauss's rule for that distribution: m of them give the exact expectation of every polynomial of
degree 2 m - 1. The upper limit is 1 where the unretrieved sample has no relevant document, so 0 has
its own point. Without this, the narrowest interval may have next to nothing of the unretrieved
segment assessed, since its upper limit comes from the prior (Figure 15).

The width over splits falls and rises again, and is flat at the bottom (Figures 15 and 16). Round
splits are tried first, then others, closer and closer around the best.

References: Webber (2013), section 4.3; Buonaccorsi (1987) for the exact limit; for the rule Golub
and Welsch (1969), with polynomials by Stieltjes' procedure.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError, DegenerateSampleWarning
from ..samples.counts import Counts
from ..samples.hypergeometric import hypergeometric_cdf, hypergeometric_masses
from ..samples.priors import parse_prior
from ..samples.uncertain_strata import exceeds, find_first
from ..samples.vectorised import posterior_limits

Floats = NDArray[np.float64]
Sizes = tuple[int, int]

ASSURANCE = 0.8  # probability with which a sample is to show a claim
MAX_SIZES = 6  # samples to compare a plan with
LIKELY = 1e-15  # smaller probabilities are not summed
LOOK_BACK = 32  # numbers of relevant documents
ROUNDING = 1e-12  # of an assurance

SPLITS = (0.01, 0.02, 0.05, *(k / 10 for k in range(1, 10)), 0.95, 0.98, 0.99)  # tried first
SPLIT_ROUNDS = 3  # of refinement, with two splits each
CELLS = 512  # of a posterior's table, which moves a limit by 0.0001 on average
POINTS = 9  # of Gauss's rule, per segment
NONE = 0.5  # a non-integer count below this is treated as 0
MIN_MASS = 1e-13

MAX_ROUNDING = 0.05  # error of recall when relevant documents are rounded to integers


def split_relevant(n_relevant: int, recall: float, size: Sizes) -> Sizes:
    """Return the relevant documents of both segments; raise ``DataError`` if there is no room."""
    inside, outside = n_relevant * recall, n_relevant * (1 - recall)
    for relevant, documents, where in (
        (inside, size[0], "in the retrieved set, which has"),
        (outside, size[1], "outside the retrieved set, where there are"),
    ):
        if relevant > documents + 0.5:  # half a document is rounding
            raise DataError(
                f"n_relevant {n_relevant:,} at a recall of {recall:g} means {relevant:,.10g} "
                f"relevant documents {where} {documents:,}"
            )
    found = min(round(inside), size[0])
    _check_rounding(found, n_relevant, recall)
    return found, min(n_relevant - found, size[1])


def count_missed(found: int, n_relevant: int | None, recall: float | None, unretrieved: int) -> int:
    """Return the relevant documents outside a retrieved set that was read, from one guess."""
    if recall is not None:
        if not found:
            raise DataError(
                "a recall without relevant documents in the retrieved set does not determine how "
                "many others there are; give n_relevant"
            )
        n_relevant = round(found / recall)
        _check_rounding(found, n_relevant, recall)
    assert n_relevant is not None
    if n_relevant < found:
        raise DataError(
            f"n_relevant must be at least {found:,}, the relevant documents in the retrieved set; "
            f"got {n_relevant:,}"
        )
    missed = n_relevant - found
    if missed > unretrieved:
        raise DataError(
            f"n_relevant {n_relevant:,} means {missed:,} relevant documents outside the retrieved "
            f"set, where there are {unretrieved:,}"
        )
    return missed


def _check_rounding(found: int, n_relevant: int, recall: float) -> None:
    """Raise ``DataError`` if rounding to integers changes recall: half of three is not possible."""
    if abs(found / n_relevant - recall) > MAX_ROUNDING:
        raise DataError(
            f"{n_relevant:,} relevant documents cannot have a recall of {recall:.4g}, nor one near "
            "it: plan with a larger n_relevant"
        )


# ---- a claim, judged by a sample of the unretrieved documents ----


@dataclass(frozen=True)
class Claim:
    """A claim about recall, and the guess by which its sample is planned."""

    #: documents outside the retrieved set, and the relevant ones among them by the guess
    unretrieved: int
    missed: int
    #: the smallest number of missed documents that contradicts the claim
    contradiction: int
    tail: float

    def is_shown(self, sampled: int, relevant: int) -> bool:
        """Return whether a sample with so many relevant documents shows the claim."""
        if self.contradiction > self.unretrieved:
            return True
        chance = hypergeometric_cdf(relevant, self.unretrieved, self.contradiction, sampled)
        return not exceeds(chance, self.tail)

    def max_relevant(self, sampled: int) -> int:
        """Return the largest number of relevant documents that shows the claim; -1 if none does."""
        return find_first(0, sampled + 1, lambda count: not self.is_shown(sampled, count)) - 1

    def smallest_sample(self, relevant: int) -> int:
        """Return the smallest sample that shows the claim with so many relevant documents."""
        first = max(1, relevant)
        return find_first(first, self.unretrieved, lambda n: self.is_shown(n, relevant))

    def assurance(self, sampled: int) -> float:
        """Return the probability that a sample shows the claim, if the guess is right."""
        first, masses = hypergeometric_masses(self.unretrieved, self.missed, sampled)
        is_shown = first + np.arange(len(masses)) <= self.max_relevant(sampled)
        likely = masses > LIKELY
        return float(masses[likely] @ is_shown[likely])


def make_claim(
    found: int, missed: int, unretrieved: int, recall: float, confidence_level: float
) -> Claim:
    """Return the claim that recall is at least ``recall``; raise ``DataError`` if it is false."""
    contradiction = 0
    if found:
        contradiction = max(math.floor(found / recall - found) - 1, 1)
        while found / (found + contradiction) >= recall:
            contradiction += 1
    if missed >= contradiction:
        guess = found / (found + missed) if found else 0.0
        raise DataError(
            f"no sample can be expected to show a recall of at least {recall:g} if recall is "
            f"guessed to be {guess:.10g}"
        )
    return Claim(unretrieved, missed, contradiction, 1 - confidence_level)


def find_claim_samples(claim: Claim) -> list[int]:
    """Return the smallest sample with the assurance, then samples to compare it with."""

    def is_enough(relevant: int) -> bool:
        return claim.assurance(claim.smallest_sample(relevant)) >= ASSURANCE - ROUNDING

    step, high = 1, 0
    while high < claim.missed and not is_enough(high):
        high, step = min(high + step, claim.missed), 2 * step
    enough = find_first(max(0, high - step), high, is_enough)
    allowed = next(c for c in range(max(0, enough - LOOK_BACK), enough + 1) if is_enough(c))
    plan = claim.smallest_sample(allowed)
    possible = min(claim.contradiction - 1, claim.unretrieved)
    counts = map(int, np.linspace(0, claim.max_relevant(plan) + 1, MAX_SIZES))
    others = {claim.smallest_sample(count) for count in counts if count <= possible}
    return [plan, *sorted(others - {plan})]


# ---- a budget, split between both segments ----


@dataclass(frozen=True)
class ExpectedInterval:
    """The means of both limits over all samples of one size."""

    sampled: Sizes
    low: float
    high: float
    width: float


def find_splits(
    size: Sizes, relevant: Sizes, budget: int, confidence_level: float
) -> list[ExpectedInterval]:
    """Return the best split of a budget, then round splits to compare it with."""
    tried: dict[int, ExpectedInterval] = {}

    def width(place: int) -> float:
        if place not in tried:
            sampled = place, budget - place
            tried[place] = expect_interval(size, relevant, sampled, confidence_level)
        return tried[place].width

    best, rounded = find_best_split(width, size, budget)
    return [tried[best], *(tried[place] for place in rounded if place != best)]


def find_best_split(
    width: Callable[[int], float], size: Sizes, budget: int
) -> tuple[int, list[int]]:
    """Return the retrieved sample with the smallest width, and those of the round splits."""
    lowest, highest = max(1, budget - size[1]), min(size[0], budget - 1)
    rounded = sorted({min(max(round(split * budget), lowest), highest) for split in SPLITS})
    places = sorted({lowest, *rounded, highest})
    best = min(places, key=width)
    for _ in range(SPLIT_ROUNDS):
        index = places.index(best)
        around = places[max(index - 1, 0) : index + 2]
        middles = (round(math.sqrt(low * high)) for low, high in pairwise(around))
        places = sorted({*around, *middles})
        best = min(places, key=width)
    return best, rounded


def expect_interval(
    size: Sizes, relevant: Sizes, sampled: Sizes, confidence_level: float
) -> ExpectedInterval:
    """Return the expected beta-binomial interval of samples of these sizes."""
    points = []
    for segment in zip(size, relevant, sampled, strict=True):
        first, masses = hypergeometric_masses(*segment)
        points.append(gauss_points(first + np.arange(len(masses), dtype=np.float64), masses))
    (counts, masses), (others, other_masses) = points
    pairs = np.stack(np.meshgrid(counts, others, indexing="ij"), axis=-1).reshape(-1, 2)
    weights = np.outer(masses, other_masses).ravel()
    low, high = posterior_ends(size, sampled, pairs, confidence_level)
    high = np.where(pairs[:, 1] < NONE, np.maximum(high, 1.0), high)
    total = weights.sum()
    means = (float(values @ weights / total) for values in (low, high, high - low))
    return ExpectedInterval(sampled, *means)


def posterior_ends(
    size: Sizes, sampled: Sizes, relevant: Floats, confidence_level: float
) -> tuple[Floats, Floats]:
    """Return the beta-binomial limits of several samples (samples, 2), with the default prior."""
    drawn = np.array(sampled, dtype=np.float64)
    counts = Counts(
        np.array([True, False]),
        np.array(size, dtype=np.float64),
        drawn,
        relevant,
        np.broadcast_to(drawn, relevant.shape),
    )
    prior, tail = parse_prior(None), (1 - confidence_level) / 2
    with warnings.catch_warnings():  # of a sample of one document
        warnings.simplefilter("ignore", DegenerateSampleWarning)
        priors = prior.of(size[0], sampled[0]), prior.of(size[1], sampled[1])
    low, high = posterior_limits(counts, priors, [tail, 1 - tail], max_cells=CELLS).limits.T.copy()
    return low, high


def gauss_points(counts: Floats, masses: Floats) -> tuple[Floats, Floats]:
    """Return the points and weights of Gauss's rule, plus one for a possible count of 0."""
    matters = masses > MIN_MASS
    counts, masses = counts[matters], masses[matters]
    if len(counts) <= 2 * POINTS:
        return counts, masses / masses.sum()
    if counts[0] == 0:
        points, weights = _gauss_rule(counts[1:], masses[1:])
        return np.concatenate([[0.0], points]), np.concatenate([masses[:1], weights])
    return _gauss_rule(counts, masses)


def _gauss_rule(counts: Floats, masses: Floats) -> tuple[Floats, Floats]:
    """Return points and weights by Stieltjes' procedure and the eigenvalues of the recurrence."""
    total = masses.sum()
    weights = masses / total
    centre = weights @ counts
    scale = math.sqrt(weights @ (counts - centre) ** 2)
    x = (counts - centre) / scale
    diagonal, off_diagonal = np.zeros(POINTS), np.zeros(POINTS)
    before, now, norm = np.zeros_like(x), np.ones_like(x), 1.0
    for step in range(POINTS):
        diagonal[step] = weights @ (x * now**2) / norm
        before, now = now, (x - diagonal[step]) * now - off_diagonal[step] * before
        norm, last = float(weights @ now**2), norm
        if step + 1 < POINTS:
            off_diagonal[step + 1] = norm / last
    root = np.sqrt(off_diagonal[1:])
    values, vectors = np.linalg.eigh(np.diag(diagonal) + np.diag(root, 1) + np.diag(root, -1))
    return centre + scale * values, total * vectors[0] ** 2
