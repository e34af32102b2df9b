"""Coverage of intervals of recall by simulation: samples from corpora whose recall is known.

Both samples are drawn from a realisation many times, without replacement, so that their relevant
documents are hypergeometric counts. All methods get the same samples, and a sample that occurs
twice is computed once. An interval of a posterior contains the truth t if neither P(recall <= t) is
below its lower probability nor P(recall < t) at or above its upper one. This is equivalent to
comparing t with the two ends, both included, without the rounding of the ends.

A unit of work is a thousand samples of one realisation. Its random numbers depend only on its
place, so that any number of threads, and any choice of methods, gives the same samples.

Sums over samples are realisation x sum x method: samples with the truth below the interval, above
it, and without an interval, then the widths of the existing intervals, and the squares of these.
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
from .recall_scenarios import SCENARIOS, RecallDesign, draw_realisation, make_realisation

Floats = NDArray[np.float64]

#: the methods of Table IV, with the prior after the name
NINE_METHODS = tuple(" ".join(filter(None, method)) for method in ALL_METHODS)
UNIT = 1000  # samples per unit
CELLS = 256  # of a table of yields: limits are accurate to about 0.00001
TOLERANCE = 1e-5
ROUNDING = 1e-12  # tolerance of an end that equals the truth
OWN = "own"
N_SUMS = 5
COST = 2e7  # approximate operations per unit: about 20 ms for all nine methods


@dataclass(frozen=True)
class Method:
    """A parsed label of a method; ``fit`` is None for a posterior."""

    label: str
    fit: Callable[[Counts], Any] | None
    #: the prior of beta-binomial; None for other methods
    prior: Prior | None


@dataclass(frozen=True)
class CoverageTask:
    """The methods and options for every realisation."""

    methods: Sequence[Method]
    n_samples: int
    confidence_level: float
    alternative: Alternative
    seed: int
    #: the place of the scenario among the random streams, so that scenarios have other samples
    place: int

    @property
    def low(self) -> float | None:
        """The probability of the lower end; None if the interval has no lower end."""
        return _end_probabilities(self.confidence_level, self.alternative)[0]

    @property
    def high(self) -> float | None:
        """The probability of the upper end; None if the interval has no upper end."""
        return _end_probabilities(self.confidence_level, self.alternative)[1]


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
        result records.
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
    >>> result = recall_coverage(design, methods=["normal", "beta-binomial"], n_samples=500)
    >>> [(row.method, round(row.coverage, 2)) for row in result.rows]
    [('normal', 0.91), ('beta-binomial 0.5', 0.96)]
    """
    seed = seed_number(rng)
    if isinstance(scenario, RecallDesign):
        if n_realisations is not None:
            raise ParameterError(
                "n_realisations is for a scenario, since a design is one realisation; "
                f"got {quote(n_realisations)}"
            )
        name, realisations = OWN, [make_realisation(scenario)]
    else:
        check_choice("scenario", scenario, SCENARIOS)
        number = check_count("n_realisations", 1000 if n_realisations is None else n_realisations)
        name = scenario
        realisations = [draw_realisation(scenario, seed, k) for k in range(number)]
    return estimate_coverage(
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


def estimate_coverage(
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
    """Return the coverage over given realisations, whose scenario is called ``name``.

    ``place`` selects the random streams of their samples; scenarios and designs use 0 to 3.
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
    sums = _sum_samples(realisations, task, name, progress)
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
        rows=make_coverage_rows(
            name, [method.label for method in task.methods], sums, n_samples, confidence_level
        ),
        realisations=tuple(realisations),
        below=below,
        above=above,
        without=without,
        widths=widths,
    )


def parse_methods(labels: Sequence[str]) -> tuple[Method, ...]:
    """Return methods by label, such as ``"beta-binomial uniform"`` with a prior."""
    try:
        names = [] if isinstance(labels, str) else [str(label) for label in labels]
    except TypeError:
        names = []
    if not names or len(set(names)) < len(names):
        raise ParameterError(f"methods must be several different names; got {quote(labels)}")
    return tuple(_parse_method(name) for name in names)


def _parse_method(label: str) -> Method:
    name, _, prior = label.partition(" ")
    known = (*RECALL.closed, "beta-jeffreys", "beta-binomial")
    check_choice("method", name, known)
    if prior and name != "beta-binomial":
        raise ParameterError(f"method {name!r} has no prior to choose; got {quote(label)}")
    if name == "beta-binomial":
        parsed = parse_prior(prior or None)
        return Method(f"{name} {parsed.name}", None, parsed)
    return Method(name, RECALL.closed.get(name), None)


def _end_probabilities(level: float, side: Alternative) -> tuple[float | None, float | None]:
    if side == "two-sided":
        return (1 - level) / 2, (1 + level) / 2
    return (1 - level, None) if side == "greater" else (None, level)


def _sum_samples(
    realisations: Sequence[RecallRealisation],
    task: CoverageTask,
    name: str,
    progress: Progress | None,
) -> Floats:
    """Return sums over samples per realisation: below, above, without, widths and squares."""
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
        priors=_find_all_priors(realisations, task.methods),
        task=task,
        units_each=units_each,
    )
    layout = [((N_SUMS, len(task.methods)), np.float64)]
    units = run_work(
        work,
        n_units,
        cost=COST,
        layout=lambda unit: layout,
        progress=count_progress(progress, n_units),
    )
    unit_sums = np.stack([sums for (sums,) in units])
    return np.asarray(unit_sums.reshape(len(realisations), units_each, N_SUMS, -1).sum(axis=1))


def tally_unit(
    unit: int,
    *,
    realisations: Sequence[RecallRealisation],
    priors: Sequence[Sequence[SegmentPriors | None]],
    task: CoverageTask,
    units_each: int,
) -> Arrays:
    """Return the sums over the samples of a unit: sum x method."""
    index, part = divmod(unit, units_each)
    size = min(UNIT, task.n_samples - part * UNIT)
    generator = stream(task.seed, Purpose.recall_samples, task.place, index, part)
    realisation = realisations[index]
    counts, times = draw_counts(realisation, size, generator)
    sums = np.empty((N_SUMS, len(task.methods)))
    for m, method in enumerate(task.methods):
        misses = _find_misses(counts, method, priors[index][m], realisation.recall, task)
        sums[:, m] = _sum_misses(*misses, times)
    return (sums,)


def _find_all_priors(
    realisations: Sequence[RecallRealisation], methods: Sequence[Method]
) -> list[list[SegmentPriors | None]]:
    """Return the prior of every method in every realisation, before threads start.

    A sample of one document has no most conservative prior, and 0.5 is used instead. The warning
    about it is suppressed, since thousands of realisations could issue it.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateSampleWarning)
        return [
            [_find_priors(realisation, method.prior) for method in methods]
            for realisation in realisations
        ]


def _find_priors(realisation: RecallRealisation, prior: Prior | None) -> SegmentPriors | None:
    if prior is None:
        return None
    return (
        prior.of(realisation.retrieved, realisation.retrieved_sample),
        prior.of(realisation.unretrieved, realisation.unretrieved_sample),
    )


def draw_counts(
    realisation: RecallRealisation, n_samples: int, generator: np.random.Generator
) -> tuple[Counts, Floats]:
    """Draw samples; return the distinct ones, and how often each was drawn."""
    segments = realisation.retrieved, realisation.unretrieved
    sizes = realisation.retrieved_sample, realisation.unretrieved_sample
    inside = generator.hypergeometric(
        realisation.relevant_retrieved,
        segments[0] - realisation.relevant_retrieved,
        sizes[0],
        n_samples,
    )
    outside = generator.hypergeometric(
        realisation.relevant_unretrieved,
        segments[1] - realisation.relevant_unretrieved,
        sizes[1],
        n_samples,
    )
    base = sizes[1] + 1
    codes, times = np.unique(inside * base + outside, return_counts=True)
    relevant = np.stack((codes // base, codes % base), axis=-1).astype(np.float64)
    sampled = np.array(sizes, dtype=np.float64)
    population = np.array(segments, dtype=np.float64)
    assessable = np.broadcast_to(sampled, relevant.shape)
    counts = Counts(np.array([True, False]), population, sampled, relevant, assessable)
    return counts, times.astype(np.float64)


def _find_misses(
    counts: Counts, method: Method, priors: SegmentPriors | None, truth: float, task: CoverageTask
) -> tuple[NDArray[np.bool_], NDArray[np.bool_], Floats]:
    """Return whether the truth is below and above each interval, and the widths."""
    ends = [probability for probability in (task.low, task.high) if probability is not None]
    if method.fit is not None:
        limits = method.fit(counts)
        values = np.stack([limits.limit(probability) for probability in ends], axis=-1)
        low, high = _complete_ends(values, task)
        return truth < low - ROUNDING, truth > high + ROUNDING, high - low
    posterior = posterior_limits(counts, priors, ends, truth, max_cells=CELLS, tolerance=TOLERANCE)
    low, high = _complete_ends(posterior.limits, task)
    below = posterior.at_most < (task.low or 0.0)
    above = posterior.below >= (2.0 if task.high is None else task.high)
    return below, above, high - low


def _complete_ends(values: Floats, task: CoverageTask) -> tuple[Floats, Floats]:
    """Return both ends; a one-sided interval ends at 0 or 1, and is NaN where its limit is."""
    low = values[..., 0] if task.low is not None else 0 * values[..., 0]
    high = values[..., -1] if task.high is not None else 0 * values[..., 0] + 1
    return low, high


def _sum_misses(
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


def make_coverage_rows(
    name: str, methods: Sequence[str], sums: Floats, n: int, level: float
) -> tuple[RecallCoverageRow, ...]:
    """Return one row per method, with simulation noise, from sums over n samples each."""
    below, above, without = (sums[:, k] / n for k in range(3))
    coverage = np.maximum(
        1 - below - above - without, 0.0
    )  # rounding can make it slightly negative
    rmse, rmse_noise = _compute_rmse(coverage - level)
    closest = closest_fractions(coverage, level)
    rows = []
    for m, method in enumerate(methods):
        width, width_noise = _mean_width(sums[:, :, m], n)
        rows.append(
            RecallCoverageRow(
                scenario=name,
                method=method,
                confidence_level=level,
                coverage=float(coverage[:, m].mean()),
                coverage_noise=_mean_noise(coverage[:, m], n),
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


def _compute_rmse(errors: Floats) -> tuple[Floats, Floats]:
    """Return the root mean squared error, and its noise from the sampling of realisations."""
    squares = errors**2
    rmse = np.sqrt(squares.mean(axis=0))
    if len(errors) < 2:
        return rmse, np.full(errors.shape[1], np.nan)
    spread = squares.std(axis=0, ddof=1) / np.sqrt(len(errors))
    return rmse, np.divide(spread, 2 * rmse, out=np.zeros_like(rmse), where=rmse > 0)


def closest_fractions(coverage: Floats, level: float) -> Floats:
    """Return the fraction of realisations in which each method is closest (Figure 14).

    Tied methods get equal parts.
    """
    distance = np.round(np.abs(coverage - level), 9)  # so that equal fractions of samples tie
    best = distance == distance.min(axis=1, keepdims=True)
    return np.asarray((best / best.sum(axis=1, keepdims=True)).mean(axis=0))


def _mean_noise(coverage: Floats, n_samples: int) -> float:
    """Return the standard error of the mean over realisations, or of the samples of one."""
    if len(coverage) > 1:
        return float(coverage.std(ddof=1) / np.sqrt(len(coverage)))
    return float(np.sqrt(coverage[0] * (1 - coverage[0]) / n_samples))


def _mean_width(sums: Floats, n_samples: int) -> tuple[float, float]:
    """Return the mean width of existing intervals over realisations, and its noise."""
    counts = n_samples - sums[:, 2]
    known = counts > 0
    if not known.any():
        return np.nan, np.nan
    means = sums[known, 3] / counts[known]
    if len(means) > 1:
        return float(means.mean()), float(means.std(ddof=1) / np.sqrt(len(means)))
    variance = max(sums[known, 4][0] / counts[known][0] - means[0] ** 2, 0.0)
    return float(means[0]), float(np.sqrt(variance / counts[known][0]))
