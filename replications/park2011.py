"""Park (2011), Bootstrap confidence intervals for mean average precision: Tables 1 to 3.

The population is the AP of 110 systems on the 249 topics of TREC 2004 Robust. For each system,
1,000 samples of 5, 10 and 20 topics are drawn without replacement, each is resampled 1,000 times,
and the intervals that miss the system's mean over all topics are counted. The tables hold the mean
over systems.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import irbounds

from .coverage import draw_from, tally_misses
from .data import find_file

ALPHAS = tuple(k / 100 for k in range(5, 55, 5))
SIZES = (5, 10, 20)
METHODS = ("percentile", "bca", "studentised-logit")
N_SAMPLES = 1000
N_RESAMPLES = 1000
SEED = 0
# fmt: off
#: Tables 1 to 3, one per method, by alpha from 0.05 to 0.50, for n = 5, 10, 20
PAPER = (
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


def rows(data: Path, scale: float) -> Iterator[tuple[str, str, str, float, float]]:
    """Yield table, row, column, the paper's number and ours; ``scale`` is of the samples."""
    file = find_file(data, "scores/robust2004_ap.csv")
    population = irbounds.read_scores(file, measure="AP").values[0]
    draw = draw_from(population, replacement=False)
    tallies = [
        tally_misses(
            draw,
            len(population),
            n,
            methods=METHODS,
            levels=[1 - alpha for alpha in ALPHAS],
            n_samples=max(round(scale * N_SAMPLES), 2),
            n_resamples=N_RESAMPLES,
            seed=SEED,
            bounds=(0.0, 1.0),
        )
        for n in SIZES
    ]
    for m, table in enumerate(PAPER):
        for k, alpha in enumerate(ALPHAS):
            for n, tally, paper in zip(SIZES, tallies, table[k], strict=True):
                ours = float(tally.errors[:, m, k].mean())
                yield f"Table {m + 1}", f"{alpha:.2f}", f"n = {n}", paper, ours
