"""How often intervals of recall miss: samples from corpora whose recall is known.

Both samples are drawn from a realisation again and again, without replacement, so that their
relevant documents are hypergeometric counts. All methods see the same samples, and a sample that
comes twice is worked on once. An interval of a posterior holds the truth t where neither P(recall
<= t) is below its lower probability nor P(recall < t) at its upper one: this is the same as to
compare t with the two ends, both included, and not subject to the ends' rounding.

A unit is a thousand samples of one realisation. Its random numbers belong to its place alone, so
that any number of threads, and any choice of methods, gives the same samples.

Coverage over realisations in a few numbers, each with its simulation noise.

Sums are realisation x quantity x method: samples with the truth below the interval, above it, and
without an interval, then the widths of the intervals that exist, and the squares of these.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import DegenerateSampleWarning, ParameterError, quote
from ..parallel.work import Arrays, bind, count_progress, run_work
from ..resampling.seeds import Purpose, SeedLike, seed_number, stream
from ..results import RecallCoverage, RecallCoverageRow, RecallRealisation
from ..samples.counts import Counts
from ..samples.priors import Prior, parse_prior
from ..samples.quantities import RECALL
from ..samples.recall_intervals import ALL_METHODS
from ..samples.vectorised import SegmentPriors, posterior_limits
from ..validation import (
    Alternative,
    Progress,
    check_alternative,
    check_choice,
    check_confidence_level,
    check_count,
)
from .recall_scenarios import SCENARIOS, RecallDesign, draw_realisation, realisation_of

Floats = NDArray[np.float64]

#: Table IV; after the name of a method with a prior, the prior
NINE_METHODS = tuple(" ".join(filter(None, one)) for one in ALL_METHODS)
UNIT = 1000  # samples
CELLS = 256  # of a table of yields: limits to some 0.00001
TOLERANCE = 1e-5
ROUNDING = 1e-12  # an end that is the truth but for rounding holds it
OWN = "own"
N_SUMS = 5
COST = 2e7  # operations of a unit, roughly: some 20 ms by all nine methods


@dataclass(frozen=True)
class Method:
    """A label of a method, taken apart; ``fit`` is None for a posterior."""

    label: str
    fit: Callable[[Counts], Any] | None
    #: of beta-binomial; beta-jeffreys has none to choose
    prior: Prior | None


@dataclass(frozen=True)
class CoverageTask:
    """What to try on every realisation."""

    methods: Sequence[Method]
    n_samples: int
    confidence_level: float
    alternative: Alternative
    seed: int
    #: so that no two scenarios share their samples
    place: int

    @property
    def low(self) -> float | None:
        """The probability of the lower end; None where an interval is open to that side."""
        return _probabilities(self.confidence_level, self.alternative)[0]

    @property
    def high(self) -> float | None:
        """The probability of the upper end; None where an interval is open to that side."""
        return _probabilities(self.confidence_level, self.alternative)[1]


def recall_coverage(
    scenario: str | RecallDesign,
    *,
    methods: Sequence[str] = NINE_METHODS,
    n_realisations: int | None = None,
    n_samples: int = 1000,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    rng: SeedLike = 0,
    progress: Progress | None = None,
) -> RecallCoverage:
    """Return the coverage of intervals of recall by each method, by simulation.

    Parameters
    ----------
    scenario
        ``"neutral"``, ``"legal"`` or ``"small"``, which draw corpora and retrieved sets at random,
        or a ``RecallDesign`` with given sizes.
    methods
        Names as ``recall_interval`` takes them. A prior follows ``beta-binomial`` after a space.
    n_realisations
        The number of corpora to draw from a scenario, 1,000 by default; a design is one corpus.
    n_samples
        The number of samples per corpus, the same ones for all methods.
    confidence_level, alternative
        Of the intervals: a fraction, and ``"two-sided"``, ``"less"`` or ``"greater"``.
    rng
        Seed or generator; the same seed gives the same numbers. None draws a new seed, which the
        result names.
    progress
        Called with the number of samples done and the number of all samples.

    Returns
    -------
    RecallCoverage
        ``rows`` has one row per method.

    Examples
    --------
    >>> from irbounds.planning import RecallDesign
    >>> design = RecallDesign(10_000, 300, 0.6, retrieved_sample=50, unretrieved_sample=200,
    ...                       precision=0.5)
    >>> found = recall_coverage(design, methods=["normal", "beta-binomial"], n_samples=500)
    >>> [(row.method, round(row.coverage, 2)) for row in found.rows]
    [('normal', 0.91), ('beta-binomial 0.5', 0.96)]
    """
    seed = seed_number(rng)
    if isinstance(scenario, RecallDesign):
        if n_realisations is not None:
            raise ParameterError(
                "n_realisations is for a scenario, as a design is one realisation; "
                f"got {quote(n_realisations)}"
            )
        name, realisations = OWN, [realisation_of(scenario)]
    else:
        check_choice("scenario", scenario, SCENARIOS)
        number = check_count("n_realisations", 1000 if n_realisations is None else n_realisations)
        name = scenario
        realisations = [draw_realisation(scenario, seed, k) for k in range(number)]
    return coverage_of(
        realisations,
        name=name,
        place=SCENARIOS[name].number if name in SCENARIOS else len(SCENARIOS),
        methods=methods,
        n_samples=n_samples,
        confidence_level=confidence_level,
        alternative=alternative,
        rng=seed,
        progress=progress,
    )


def coverage_of(
    realisations: Sequence[RecallRealisation],
    *,
    name: str,
    place: int,
    methods: Sequence[str] = NINE_METHODS,
    n_samples: int = 1000,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    rng: SeedLike = 0,
    progress: Progress | None = None,
) -> RecallCoverage:
    """Coverage of realisations that are given; ``name`` is what to call them.

    Their samples are those of ``place`` among the seed's; 0 to 3 are taken by scenarios.
    """
    seed = seed_number(rng)
    confidence_level = check_confidence_level(confidence_level)
    side = check_alternative(alternative)
    task = CoverageTask(
        methods=parse_methods(methods),
        n_samples=check_count("n_samples", n_samples, minimum=2),
        confidence_level=confidence_level,
        alternative=side,
        seed=seed,
        place=place,
    )
    sums = _tally(realisations, task, name, progress)
    below, above, without = (sums[:, k] / n_samples for k in range(3))
    with np.errstate(invalid="ignore"):  # no sample had an interval
        widths = sums[:, 3] / (n_samples - sums[:, 2])
    return RecallCoverage(
        scenario=name,
        methods=tuple(method.label for method in task.methods),
        confidence_level=confidence_level,
        alternative=side,
        n_samples=task.n_samples,
        seed=seed,
        rows=coverage_rows(
            name, [one.label for one in task.methods], sums, n_samples, confidence_level
        ),
        realisations=tuple(realisations),
        below=below,
        above=above,
        without=without,
        widths=widths,
    )


def parse_methods(labels: Sequence[str]) -> tuple[Method, ...]:
    """Methods by name; ``"beta-binomial uniform"`` names a prior too."""
    try:
        names = [] if isinstance(labels, str) else [str(label) for label in labels]
    except TypeError:
        names = []
    if not names or len(set(names)) < len(names):
        raise ParameterError(f"methods must be several different names; got {quote(labels)}")
    return tuple(_parsed(name) for name in names)


def _parsed(label: str) -> Method:
    name, _, prior = label.partition(" ")
    known = (*RECALL.closed, "beta-jeffreys", "beta-binomial")
    check_choice("method", name, known)
    if prior and name != "beta-binomial":
        raise ParameterError(f"method {name!r} has no prior to choose; got {quote(label)}")
    if name == "beta-binomial":
        chosen = parse_prior(prior or None)
        return Method(f"{name} {chosen.name}", None, chosen)
    return Method(name, RECALL.closed.get(name), None)


def _probabilities(level: float, side: Alternative) -> tuple[float | None, float | None]:
    if side == "two-sided":
        return (1 - level) / 2, (1 + level) / 2
    return (1 - level, None) if side == "greater" else (None, level)


def _tally(
    realisations: Sequence[RecallRealisation],
    task: CoverageTask,
    name: str,
    progress: Progress | None,
) -> Floats:
    """Sums over samples by realisation: below, above, without, widths and their squares."""
    units_each = -(-task.n_samples // UNIT)
    n_units = len(realisations) * units_each
    work = bind(
        tally_unit,
        "coverage of recall intervals",
        options={
            "scenario": name,
            "n_realisations": len(realisations),
            "methods": [method.label for method in task.methods],
            "n_samples": task.n_samples,
            "confidence_level": task.confidence_level,
            "alternative": task.alternative,
            "seed": task.seed,
        },
        inputs={"realisations": "the corpora"},
        realisations=list(realisations),
        priors=_all_priors(realisations, task.methods),
        task=task,
        units_each=units_each,
    )
    layout = [((N_SUMS, len(task.methods)), np.float64)]
    found = run_work(
        work,
        n_units,
        cost=COST,
        layout=lambda unit: layout,
        progress=count_progress(progress, n_units),
    )
    rooms = np.stack([sums for (sums,) in found])
    return np.asarray(rooms.reshape(len(realisations), units_each, N_SUMS, -1).sum(axis=1))


def tally_unit(
    unit: int,
    *,
    realisations: Sequence[RecallRealisation],
    priors: Sequence[Sequence[SegmentPriors | None]],
    task: CoverageTask,
    units_each: int,
) -> Arrays:
    """What became of a unit's samples: sum x method."""
    index, part = divmod(unit, units_each)
    size = min(UNIT, task.n_samples - part * UNIT)
    generator = stream(task.seed, Purpose.recall_samples, task.place, index, part)
    realisation = realisations[index]
    counts, times = drawn_counts(realisation, size, generator)
    sums = np.empty((N_SUMS, len(task.methods)))
    for m, method in enumerate(task.methods):
        ends = _ends(counts, method, priors[index][m], realisation.recall, task)
        sums[:, m] = _sums(*ends, times)
    return (sums,)


def _all_priors(
    realisations: Sequence[RecallRealisation], methods: Sequence[Method]
) -> list[list[SegmentPriors | None]]:
    """Every posterior's prior in every realisation, before threads are at work.

    A sample of one document has no most conservative prior: 0.5 takes its place, and thousands of
    realisations need not say so each.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateSampleWarning)
        return [[_priors(one, method.prior) for method in methods] for one in realisations]


def _priors(realisation: RecallRealisation, prior: Prior | None) -> SegmentPriors | None:
    if prior is None:
        return None
    return (
        prior.of(realisation.retrieved, realisation.retrieved_sample),
        prior.of(realisation.unretrieved, realisation.unretrieved_sample),
    )


def drawn_counts(
    realisation: RecallRealisation, n_samples: int, generator: np.random.Generator
) -> tuple[Counts, Floats]:
    """The distinct samples that were drawn, and how often each was."""
    one = realisation
    found = generator.hypergeometric(
        one.relevant_retrieved,
        one.retrieved - one.relevant_retrieved,
        one.retrieved_sample,
        n_samples,
    )
    missed = generator.hypergeometric(
        one.relevant_unretrieved,
        one.unretrieved - one.relevant_unretrieved,
        one.unretrieved_sample,
        n_samples,
    )
    base = one.unretrieved_sample + 1
    codes, times = np.unique(found * base + missed, return_counts=True)
    relevant = np.stack((codes // base, codes % base), axis=-1).astype(np.float64)
    sampled = np.array([one.retrieved_sample, one.unretrieved_sample], dtype=np.float64)
    population = np.array([one.retrieved, one.unretrieved], dtype=np.float64)
    assessable = np.broadcast_to(sampled, relevant.shape)
    counts = Counts(np.array([True, False]), population, sampled, relevant, assessable)
    return counts, times.astype(np.float64)


def _ends(
    counts: Counts, method: Method, priors: SegmentPriors | None, truth: float, task: CoverageTask
) -> tuple[NDArray[np.bool_], NDArray[np.bool_], Floats]:
    """Whether the truth lies below each interval, whether above it, and its width."""
    chosen = [one for one in (task.low, task.high) if one is not None]
    if method.fit is not None:
        limits = method.fit(counts)
        found = np.stack([limits.limit(probability) for probability in chosen], axis=-1)
        low, high = _both_ends(found, task)
        return truth < low - ROUNDING, truth > high + ROUNDING, high - low
    many = posterior_limits(counts, priors, chosen, truth, max_cells=CELLS, tolerance=TOLERANCE)
    low, high = _both_ends(many.limits, task)
    below = many.at_most < (task.low or 0.0)
    above = many.below >= (2.0 if task.high is None else task.high)
    return below, above, high - low


def _both_ends(found: Floats, task: CoverageTask) -> tuple[Floats, Floats]:
    """The ends of an interval; one that is open to a side ends at 0 or 1, or is nowhere."""
    low = found[..., 0] if task.low is not None else 0 * found[..., 0]
    high = found[..., -1] if task.high is not None else 0 * found[..., 0] + 1
    return low, high


def _sums(
    below: NDArray[np.bool_], above: NDArray[np.bool_], widths: Floats, times: Floats
) -> tuple[float, ...]:
    missing = np.isnan(widths)
    known = np.where(missing, 0, widths)
    return (
        float(times @ (below & ~missing)),
        float(times @ (above & ~missing)),
        float(times @ missing),
        float(times @ known),
        float(times @ known**2),
    )


def coverage_rows(
    name: str, methods: Sequence[str], sums: Floats, n: int, level: float
) -> tuple[RecallCoverageRow, ...]:
    """A row a method from sums over n samples of each realisation."""
    below, above, without = (sums[:, k] / n for k in range(3))
    coverage = np.maximum(1 - below - above - without, 0.0)  # rounding can leave crumbs below 0
    rmse, rmse_noise = _rmse(coverage - level)
    closest = closest_shares(coverage, level)
    rows = []
    for m, method in enumerate(methods):
        width, width_noise = _width(sums[:, :, m], n)
        rows.append(
            RecallCoverageRow(
                scenario=name,
                method=method,
                confidence_level=level,
                coverage=float(coverage[:, m].mean()),
                coverage_noise=_noise(coverage[:, m], n),
                rmse=float(rmse[m]),
                rmse_noise=float(rmse_noise[m]),
                below=float(below[:, m].mean()),
                above=float(above[:, m].mean()),
                without=float(without[:, m].mean()),
                width=width,
                width_noise=width_noise,
                closest=float(closest[m]),
            )
        )
    return tuple(rows)


def _rmse(errors: Floats) -> tuple[Floats, Floats]:
    """Root mean squared error, and its noise from realisations being a sample of the scenario."""
    squares = errors**2
    rmse = np.sqrt(squares.mean(axis=0))
    if len(errors) < 2:
        return rmse, np.full(errors.shape[1], np.nan)
    spread = squares.std(axis=0, ddof=1) / np.sqrt(len(errors))
    return rmse, np.divide(spread, 2 * rmse, out=np.zeros_like(rmse), where=rmse > 0)


def closest_shares(coverage: Floats, level: float) -> Floats:
    """Share of realisations in which a method is nearest the level (Figure 14), ties split."""
    distance = np.round(np.abs(coverage - level), 9)  # shares of samples tie exactly
    best = distance == distance.min(axis=1, keepdims=True)
    return np.asarray((best / best.sum(axis=1, keepdims=True)).mean(axis=0))


def _noise(shares: Floats, n_samples: int) -> float:
    """Of a mean over realisations; of the samples alone where there is one realisation."""
    if len(shares) > 1:
        return float(shares.std(ddof=1) / np.sqrt(len(shares)))
    return float(np.sqrt(shares[0] * (1 - shares[0]) / n_samples))


def _width(sums: Floats, n_samples: int) -> tuple[float, float]:
    """Mean over realisations of the mean width of intervals that exist, with its noise."""
    counts = n_samples - sums[:, 2]
    known = counts > 0
    if not known.any():
        return np.nan, np.nan
    means = sums[known, 3] / counts[known]
    if len(means) > 1:
        return float(means.mean()), float(means.std(ddof=1) / np.sqrt(len(means)))
    variance = max(sums[known, 4][0] / counts[known][0] - means[0] ** 2, 0.0)
    return float(means[0]), float(np.sqrt(variance / counts[known][0]))
