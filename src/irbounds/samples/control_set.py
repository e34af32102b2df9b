"""A check of a control set: one random sample of a corpus, divided by a retrieved set.

Of n documents drawn at random from N, a hypergeometric number belongs to the N1 retrieved ones. If
the given number is far from the expected one, n N1 / N, the sample was probably not one random
sample of the whole corpus: the segments were sampled separately, or a count is wrong.
"""

from __future__ import annotations

from .hypergeometric import hypergeometric_masses

MIN_PROBABILITY = 1e-4  # two-sided, of a split without a warning


def implausible_split(population: int, sampled: int, part: int, part_sampled: int) -> str | None:
    """Return a warning if a random sample hardly has so many documents of a part.

    ``sampled`` documents were drawn from the ``population``, ``part_sampled`` of them from the
    ``part`` that is retrieved. None if the two-sided probability is at least ``MIN_PROBABILITY``.
    """
    if _two_sided_tail(population, sampled, part, part_sampled) >= MIN_PROBABILITY:
        return None
    expected = sampled * part / population
    return (
        f"of {sampled:,} documents drawn at random from {population:,}, about {expected:,.0f} are "
        f"expected among the {part:,} retrieved ones, but {part_sampled:,} are given: is this one "
        "random sample of the whole corpus?"
    )


def _two_sided_tail(population: int, sampled: int, part: int, count: int) -> float:
    """Return twice the smaller hypergeometric tail, at most 1."""
    first, masses = hypergeometric_masses(population, part, sampled)
    place = count - first
    below = masses[: max(place + 1, 0)].sum()
    above = masses[max(place, 0) :].sum()
    return float(min(2 * below, 2 * above, 1.0))
