"""Time chance levels compared with the paper's loop: one, ten thousand, variances, p-values."""

from __future__ import annotations

import math
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy.special import digamma
from scipy.stats import hypergeom

import irbounds
from irbounds import expected_score
from irbounds.random_rankings import null_distribution, score_variance

from .reading_and_scoring import collection
from .timing import best_times

SIZE = (10_000, 4_000)  # the paper's larger example
HUGE = (10**12, 4 * 10**11)
ASKED_FACTOR = 1e6  # times faster than the paper's loop
SAMPLED_TERMS = 20_000  # of the loop with scipy's dhyper, which would take most of an hour
N_QUERIES, ASKED = 10_000, 0.05  # seconds for the AP of so many queries
OTHERS = (
    "AP@10", "P@10", "R@10", "RR@10", "nDCG@10", "RBP@10", "INSQ", "Rprec", "ERR@10", "Success@10",
)  # fmt: skip
EXACT = ((20, 10), (22, 11))
N_MEAN, N_DRAWS = 50, 9_999
TIED = ["AP", "nDCG@10", "P@10", "RR"]


def log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def dhyper(i: int, relevant: int, other: int, n: int) -> float:
    ways = log_choose(relevant, i) + log_choose(other, n - i)
    return math.exp(ways - log_choose(relevant + other, n))


def run_paper_loop(n_documents: int, n_relevant: int) -> float:
    """Compute RandomAPExact of the paper, translated to Python line by line."""
    ap = 0.0
    for i in range(1, n_relevant + 1):
        for n in range(i, n_documents - n_relevant + i + 1):
            ap = ap + dhyper(i, n_relevant, n_documents - n_relevant, n) * (i / n) * (i / n)
    return ap / n_relevant


def compute_closed_form(n: float, r: float) -> float:
    """Compute the closed form without validation: the lower bound of the time."""
    h = digamma(n + 1.0) + 0.5772156649015329
    return (h + (r - 1) * (n - h) / (n - 1)) / n


def measure_seconds_per_call(call: Callable[[], object], calls: int = 2000) -> float:
    def several() -> None:
        for _ in range(calls):
            call()

    return best_times({"one": several}, 5)["one"] / calls


def compare_single_level() -> str:
    began = time.perf_counter()
    theirs = run_paper_loop(*SIZE)
    loop = time.perf_counter() - began
    ours = measure_seconds_per_call(lambda: expected_score(*SIZE))
    huge = measure_seconds_per_call(lambda: expected_score(*HUGE))
    floor = measure_seconds_per_call(lambda: compute_closed_form(*map(float, SIZE)))
    off = abs(theirs / expected_score(*SIZE) - 1)
    missed = "" if loop / ours >= ASKED_FACTOR else " **missed**"
    return (
        f"expected_score(10_000, 4_000): {ours * 1e6:.1f} us; the paper's loop in Python (lgamma): "
        f"{loop:.1f} s, {loop / ours:,.0f} times as long (target: {ASKED_FACTOR:,.0f}){missed}, "
        f"and off by {off:.0e} of the value; {estimate_scipy_time()}\n"
        f"N = 10^12: {huge * 1e6:.1f} us, {huge / ours:.2f} times as long (target: no slower)\n"
        f"floor, the bare formula with digamma: {floor * 1e6:.1f} us; ours is "
        f"{ours / floor:.1f} times that, for checking the numbers and the measure's name"
    )


def estimate_scipy_time() -> str:
    """Extrapolate the time of the loop with scipy's probability from its first terms."""
    n_documents, n_relevant = SIZE
    began = time.perf_counter()
    for n in range(1, SAMPLED_TERMS + 1):
        hypergeom.pmf(1, n_documents, n_relevant, min(n, n_documents))
        if time.perf_counter() - began > 5:
            break
    terms = n_relevant * (n_documents - n_relevant + 1)
    seconds = (time.perf_counter() - began) / n * terms
    return f"with scipy.stats.hypergeom.pmf it would take {seconds / 60:.0f} min ({n:,} terms)"


def compare_collections() -> str:
    """Time ten thousand different queries: AP compared with its floor, and every other measure."""
    generator = np.random.default_rng(0)
    n = generator.integers(1_000, 10**7, N_QUERIES)
    r = generator.integers(1, 1_000, N_QUERIES)
    times = best_times(
        {
            "AP": lambda: expected_score(n, r),
            "floor": lambda: compute_closed_form(n.astype(float), r.astype(float)),
            "variance": lambda: score_variance(n, r),
        },
        7,
    )
    missed = "" if times["AP"] <= ASKED else " **missed**"
    lines = [
        f"{N_QUERIES:,} queries, AP: {times['AP'] * 1e3:.2f} ms (target: {ASKED * 1e3:.0f})"
        f"{missed}; the bare formula {times['floor'] * 1e3:.2f} ms; variance of AP "
        f"{times['variance'] * 1e3:.2f} ms"
    ]
    for name in OTHERS:
        took = best_times({"one": lambda m=name: expected_score(n, r, m)}, 3)["one"]
        lines.append(f"{name} {took * 1e3:.1f} ms")
    variance = measure_seconds_per_call(lambda: score_variance(*SIZE))
    return (
        f"{lines[0]}\n{', '.join(lines[1:])}\n"
        f"score_variance(10_000, 4_000): {variance * 1e6:.0f} us"
    )


def time_exact_distributions() -> str:
    """Time exact distributions; the floor is one sort of as many numbers."""
    lines = []
    for n, r in EXACT:
        call = best_times({"one": lambda n=n, r=r: null_distribution(n, r).p_value(0.7)}, 3)["one"]
        lines.append(f"{call * 1e3:.1f} ms for N = {n}, R = {r} ({math.comb(n, r):,} rankings)")
    numbers = np.random.default_rng(0).random(math.comb(*EXACT[0]))
    floor = best_times({"sort": lambda: np.sort(numbers)}, 5)["sort"]
    return (
        f"exact p-value: {'; '.join(lines)}; to sort {len(numbers):,} numbers takes "
        f"{floor * 1e3:.1f} ms"
    )


def time_drawn_mean() -> str:
    """Time the mean over queries of different sizes."""
    generator = np.random.default_rng(1)
    n = generator.integers(500, 20_000, N_MEAN)
    r = generator.integers(1, 200, N_MEAN)
    times = best_times(
        {
            "monte-carlo": lambda: null_distribution(n, r, n_draws=N_DRAWS).p_value(0.05),
            "floor": lambda: np.random.default_rng(0).random(int(r.sum()) * N_DRAWS),
        },
        2,
    )
    return (
        f"mean AP over {N_MEAN} queries ({r.sum():,} relevant documents), p-value: "
        f"{times['monte-carlo']:.2f} s by {N_DRAWS:,} draws (the random numbers alone: "
        f"{times['floor']:.2f} s)"
    )


def time_tie_rules() -> str:
    """Time scores by every tie rule compared with the default, from runs in memory."""
    with tempfile.TemporaryDirectory() as name, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        which, qrels, runs = collection(Path(name))
        qrels, runs = irbounds.read_qrels(qrels), irbounds.read_runs(runs)
        calls = {
            rule: lambda r=rule: irbounds.score(qrels, runs, TIED, ties=r)
            for rule in ("trec", "expected", "worst", "best")
        }
        for call in calls.values():
            call()  # compiled
        times = best_times(calls, 5)
    timings = ", ".join(
        f"{rule} {seconds_per_rule * 1e3:.0f} ms" for rule, seconds_per_rule in times.items()
    )
    return (
        f"ties on {which}, {len(runs)} runs, {', '.join(TIED)}: {timings}; expected takes "
        f"{times['expected'] / times['trec']:.1f} times as long as plain scoring"
    )


def report() -> str:
    return "\n\n".join(
        [
            "Chance",
            compare_single_level(),
            compare_collections(),
            time_exact_distributions(),
            time_drawn_mean(),
            time_tie_rules(),
        ]
    )
