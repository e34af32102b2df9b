"""Two phases: a pilot sample first, then the rest of the budget where the pilot says it is needed.

The paper leaves this to future work (section 5.1). After a pilot, yields have a posterior, and what
further assessments will show follows from it (``PilotOutlook``): the rest is split so that the
width is smallest in expectation over that. The interval at the end uses pilot and rest together, as
one random sample of each segment. A posterior does not mind that the size of the second part was
decided upon the first; the coverage of an interval over repeated samples may, by a little.

Before a pilot there is nothing but guesses, and the question is whether a pilot will pay. For each
guess, each pilot that may come and each rest that may follow it, the width at the end is worked
out. To be quick, the rest is split here by the rule for normal intervals, n1 : n0 as s1 : s0 with
s = sqrt((1 - p) / p) and p the pilot's posterior mean, which is near the best. A pilot may pay
where guesses are wide; if they are sharp, it can only tell what is known. Since widths near the
best split are flat, a few percent of width is what there is to gain.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .recall_outlook import (
    Future,
    GuessedOutlook,
    crossed,
    gauss_points,
    hypergeometric_counts,
    likely_samples,
)
from .recall_widths import Analysis, Sizes, interval_ends, weighted_mean

Floats = NDArray[np.float64]

POINTS = 4  # of a segment, in the pilot and in the rest


def two_phase_width(
    analysis: Analysis, outlook: GuessedOutlook, pilot: Sizes, budget: int
) -> float:
    """The expected width at the end, if the rest is allocated after a pilot of these sizes."""
    widths, weights = [], []
    for guess, weight in zip(outlook.guesses.relevant, outlook.guesses.weights, strict=True):
        first = [
            gauss_points(*hypergeometric_counts(size, of, n), POINTS)
            for size, of, n in zip(outlook.size, guess.tolist(), pilot, strict=True)
        ]
        for seen, chance in zip(*crossed(first[0], first[1]), strict=True):
            widths.append(_width_after(analysis, outlook.size, guess, pilot, seen, budget))
            weights.append(weight * chance)
    return weighted_mean(np.array(widths), np.array(weights))


def reallocated(analysis: Analysis, size: Sizes, pilot: Sizes, seen: Floats, budget: int) -> Sizes:
    """Samples of both segments, pilot and rest together, by the rule for normal intervals."""
    needs = []
    for place, (alpha, beta) in enumerate(analysis.priors(size, pilot)):
        share = (seen[place] + alpha) / (pilot[place] + alpha + beta)
        needs.append(math.sqrt((1 - share) / share))
    least = max(pilot[0], budget - size[1])
    most = min(size[0], budget - pilot[1])
    retrieved = min(max(round(budget * needs[0] / sum(needs)), least), most)
    return retrieved, budget - retrieved


def _width_after(
    analysis: Analysis, size: Sizes, guess: Floats, pilot: Sizes, seen: Floats, budget: int
) -> float:
    """The expected width after a pilot that has shown so many relevant documents."""
    sampled = reallocated(analysis, size, pilot, seen, budget)
    rest = []
    for place in (0, 1):
        counts, masses = hypergeometric_counts(
            size[place] - pilot[place],
            max(guess[place] - seen[place], 0.0),
            sampled[place] - pilot[place],
        )
        rest.append((counts + seen[place], masses))
    samples, weights = likely_samples([Future(1.0, rest[0], rest[1])], POINTS)
    low, high = interval_ends(analysis, size, sampled, samples)
    return weighted_mean(high - low, weights)
