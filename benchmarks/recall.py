"""Time recall intervals compared with draws, single intervals and exact limits."""

from __future__ import annotations

import time

import numpy as np

from irbounds import recall
from irbounds.results import Stratum
from irbounds.samples.counts import Counts
from irbounds.samples.vectorised import posterior_limits

from .timing import Row, best_times, markdown

N_DRAWS = 10_000  # the paper's, for each interval
HALF = ((0.5, 0.5), (0.5, 0.5))
ENDS = (0.025, 0.975)
#: corpora of Webber's (2013) scenarios: documents, relevant and sampled ones of both segments
CORPORA = {
    "neutral": ((737_740, 724_194), (234_538, 27_736), (1_524, 177)),
    "legal": ((301_429, 4_596_741), (130_252, 62_961), (311, 5_327)),
    "small": ((147, 904), (14, 27), (68, 93)),
}
#: retrieved and unretrieved segment, and seconds that one interval may take
ALONE = (
    ((50_000, 500, 300), (950_000, 2000, 12), 0.05),
    ((500_000, 100, 50), (500_000, 100, 3), 0.05),
    ((10**8, 1000, 500), (9 * 10**8, 1000, 3), 1.0),
)
#: strata of a million documents: retrieved, population, sampled, relevant
EXACT = (
    ((True, 50_000, 50_000, 30_000), (False, 950_000, 3000, 0)),
    ((True, 50_000, 1500, 800), (False, 950_000, 3000, 5)),
    ((True, 500_000, 1500, 800), (False, 500_000, 3000, 50)),
    ((True, 500_000, 15_000, 8000), (False, 500_000, 30_000, 500)),
    ((True, 50_000, 1500, 800), (False, 150_000, 3000, 5), (False, 800_000, 3000, 2)),
)


def draw_limits(counts, generator) -> None:
    """Compute limits as in the paper, per interval: draw both yields and take quantiles."""
    left = (counts.population - counts.sampled).astype(np.int64)
    for relevant in counts.relevant:
        yields = [
            relevant[k]
            + generator.binomial(
                left[k],
                generator.beta(0.5 + relevant[k], 0.5 + counts.sampled[k] - relevant[k], N_DRAWS),
            )
            for k in range(2)
        ]
        np.quantile(yields[0] / (yields[0] + yields[1]), ENDS)


def compare() -> str:
    rows = []
    for name, corpus in CORPORA.items():
        segments, relevant, sampled = (np.array(pair) for pair in corpus)
        samples = np.random.default_rng(1).hypergeometric(
            relevant, segments - relevant, sampled, (1000, 2)
        )
        distinct = np.unique(samples, axis=0).astype(float)
        assessable = np.broadcast_to(sampled.astype(float), distinct.shape)
        counts = Counts(
            np.array([True, False]), segments.astype(float), sampled, distinct, assessable
        )
        generator = np.random.default_rng(2)
        contenders = {
            "ours": lambda c=counts: posterior_limits(c, HALF, ENDS),
            "drawn": lambda c=counts, g=generator: draw_limits(c, g),
        }
        posterior_limits(counts, HALF, ENDS)  # compiled
        times = best_times(contenders, 3)
        task = f"{len(counts.relevant)} posterior intervals, {name} scenario, one thread"
        rows.append(Row(task, times["ours"], f"{N_DRAWS:,} draws each", times["drawn"], 20))
    return f"Recall, beta-binomial with prior 0.5\n\n{markdown(rows)}"


def time_single_intervals() -> str:
    lines = []
    for retrieved, unretrieved, target in ALONE:
        counts = {"retrieved": retrieved, "unretrieved": unretrieved}
        seconds = best_times({"one": lambda g=counts: recall(**g, quantity="recall")}, 5)["one"]
        lines.append(
            f"{seconds * 1000:.0f} ms for {retrieved} and {unretrieved} (target: "
            f"{target * 1000:.0f})"
        )
    return f"one interval: {'; '.join(lines)}"


def time_exact_limits() -> str:
    """Time guaranteed lower limits for a million documents (target: 1 s of CPU)."""
    lines = []
    for strata in EXACT:
        began = time.process_time()
        interval = recall(
            [Stratum(str(place), *row) for place, row in enumerate(strata)],
            method="exact",
            alternative="greater",
            quantity="recall",
        )[0].interval
        seconds = time.process_time() - began
        lines.append(f"{seconds:.2f} s of CPU for {strata} (limit {interval.low:.4f})")
    return f"one exact lower limit (target: 1 s): {'; '.join(lines)}"


def report() -> str:
    return "\n\n".join([compare(), time_single_intervals(), time_exact_limits()])
