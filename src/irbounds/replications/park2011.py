"""Park (2011), Bootstrap confidence intervals for mean average precision: Tables 1 to 3.

The population is the AP of 110 systems on the 249 topics of TREC 2004 Robust. For each system,
1,000 samples of 5, 10 and 20 topics are drawn without replacement, each is resampled 1,000 times,
and the intervals that miss the system's mean over all topics are counted. The tables hold the mean
over systems.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..parallel.progress import show_progress
from ..planning.interval_coverage import (
    CoveragePlan,
    DrawFrom,
    Tally,
    count_samples,
    reserve_coverage_memory,
    tally_misses,
)
from ..resampling.seeds import SeedLike, seed_number
from ..results.result import Answer, Results
from ..scores.score_table import ScoreTable
from ..validation import Progress, check_count
from .paper_tables import StudyTable
from .park2010 import ROBUST
from .park_presentation import answer_park
from .study_data import check_population, read_population

if TYPE_CHECKING:
    from .commands import Park2011Request

ALPHAS = tuple(k / 100 for k in range(5, 55, 5))
SIZES = (5, 10, 20)
METHODS = ("percentile", "bca", "studentised-logit")
TITLES = (
    "Type I error of percentile bootstrap intervals",
    "Type I error of accelerated (BCa) bootstrap intervals",
    "Type I error of studentised logit bootstrap intervals",
)
# fmt: off
#: Tables 1 to 3, by alpha from 0.05 to 0.50, for n = 5, 10, 20
THEIRS = (
    ((0.1814, 0.1075, 0.0701), (0.2279, 0.1576, 0.1191), (0.2816, 0.2045, 0.1672),
     (0.3295, 0.2514, 0.2151), (0.3658, 0.2981, 0.2628), (0.4015, 0.3435, 0.3098),
     (0.4380, 0.3901, 0.3587), (0.4789, 0.4357, 0.4054), (0.5166, 0.4811, 0.4552),
     (0.5573, 0.5269, 0.5035)),
    ((0.1704, 0.0932, 0.0592), (0.2186, 0.1442, 0.1067), (0.2613, 0.1927, 0.1552),
     (0.3085, 0.2392, 0.2030), (0.3515, 0.2848, 0.2500), (0.3903, 0.3310, 0.2995),
     (0.4278, 0.3777, 0.3477), (0.4664, 0.4242, 0.3958), (0.5050, 0.4702, 0.4445),
     (0.5450, 0.5172, 0.4937)),
    ((0.0546, 0.0541, 0.0466), (0.1097, 0.1075, 0.0934), (0.1646, 0.1592, 0.1420),
     (0.2190, 0.2101, 0.1910), (0.2724, 0.2606, 0.2406), (0.3244, 0.3103, 0.2915),
     (0.3742, 0.3601, 0.3424), (0.4232, 0.4089, 0.3924), (0.4730, 0.4580, 0.4431),
     (0.5235, 0.5074, 0.4937)),
)
# fmt: on


def answer_park2011(request: Park2011Request) -> Answer[Results[StudyTable]]:
    """Return Tables 1 to 3 on the collection of the request."""
    population = read_population(request.data, *ROBUST, request.seed)
    with show_progress("trying samples") as progress:
        tables = replicate_park2011(
            population,
            n_samples=request.n_samples,
            n_resamples=request.n_resamples,
            rng=request.seed,
            progress=progress,
        )
    facts = {"n_resamples": request.n_resamples}
    return answer_park(tables, tables, METHODS, request, [], population.inputs, facts)


def replicate_park2011(
    population: ScoreTable,
    *,
    n_samples: int = 1000,
    n_resamples: int = 1000,
    rng: SeedLike = None,
    progress: Progress | None = None,
) -> tuple[StudyTable, ...]:
    """Tables 1 to 3 on the first measure of ``population``, which lies between 0 and 1."""
    check_population(population, 2, max(SIZES))
    scores = population.values[0]
    plan = CoveragePlan(
        METHODS,
        [1 - alpha for alpha in ALPHAS],
        check_count("n_samples", n_samples, minimum=2),
        check_count("n_resamples", n_resamples, minimum=2),
        seed_number(rng),
        bounds=(0.0, 1.0),
    )
    step = count_samples(progress, len(SIZES) * len(scores), plan.n_samples)
    draw = DrawFrom(scores, replacement=False)
    with reserve_coverage_memory(max(SIZES), scores.shape[1], plan):
        tallies = [tally_misses(draw, len(scores), n, plan, step) for n in SIZES]
    return tuple(_table(m, tallies) for m in range(len(METHODS)))


def _table(m: int, tallies: list[Tally]) -> StudyTable:
    levels = range(len(ALPHAS))
    return StudyTable(
        study="park2011",
        number=m + 1,
        title=TITLES[m],
        corner="alpha",
        rows=tuple(f"{alpha:.2f}" for alpha in ALPHAS),
        columns=tuple(f"n = {n}" for n in SIZES),
        ours=tuple(tuple(float(t.errors[:, m, k].mean()) for t in tallies) for k in levels),
        theirs=THEIRS[m],
        noise=tuple(tuple(t.error_noise(m, k) for t in tallies) for k in levels),
        decimals=4,
    )
