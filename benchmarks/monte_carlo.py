"""Measure the Monte Carlo error of what irbounds draws, over seeds.

``python -m benchmarks.monte_carlo`` prints the tables of docs/validation/monte-carlo.md. It needs
the data that docs/how-to/data-sets.md names (``IRBOUNDS_DATA``) and some minutes.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike
from replications.calibrate import calibrate
from replications.data import find_file

import irbounds
from irbounds.measurement.judged_runs import Pool
from irbounds.measurement.parser import parse_measures
from irbounds.resampling.corpus_replicates import bootstrap_documents
from irbounds.resampling.packed_rankings import pack_rankings

from .timing import machine

METHODS = ("percentile", "bca", "studentised-logit")
SEEDS = range(200)
FEW_SEEDS = range(50)
CORPUS_SIZE = 528_155
#: by the percentile method: the error of a normal quantile over the half width, times root B
QUANTILE = 1.36
#: by studentised-logit: of a mean and a standard deviation
NORMAL_FIT = 0.87


def data_directory() -> Path:
    return Path(os.environ["IRBOUNDS_DATA"])


def read_ap_scores(name: str) -> irbounds.ScoreTable:
    return irbounds.read_scores(find_file(data_directory(), f"scores/{name}"), measure="AP")


def deviation_over_seeds(seeds: Sequence[int], draw: Callable[[int], ArrayLike]) -> np.ndarray:
    """Return the standard deviation of each number over seeds."""
    return np.std([draw(seed) for seed in seeds], axis=0, ddof=1)


def intervals() -> str:
    """Report the limits of 95 % intervals of the AP of 110 systems on 249 topics."""
    scores = read_ap_scores("robust2004_ap.csv")
    lines = [
        "| method | 1,000 resamples | 9,999 resamples | formula |",
        "| --- | ---: | ---: | --- |",
    ]
    shares = {n: interval_shares(scores, n) for n in (1_000, 9_999)}
    for k, method in enumerate(METHODS):
        constant = {"percentile": QUANTILE, "studentised-logit": NORMAL_FIT}.get(method)
        formula = f"{constant} / root B" if constant else ""
        cells = " | ".join(f"{shares[n][k]:.1%}" for n in shares)
        lines.append(f"| {method} | {cells} | {formula} |")
    return "\n".join(lines)


def interval_shares(scores, n_resamples: int) -> np.ndarray:
    """Return a limit's standard deviation over the half width by method, of the median system."""

    def ends(seed: int) -> list[float]:
        estimates = irbounds.mean_interval(
            scores, method=METHODS, n_resamples=n_resamples, rng=seed
        )
        return [
            end for estimate in estimates for end in (estimate.interval.low, estimate.interval.high)
        ]

    noise = deviation_over_seeds(SEEDS, ends).reshape(len(METHODS), -1, 2)
    low, high = np.reshape(ends(0), (len(METHODS), -1, 2)).transpose(2, 0, 1)
    return np.median(noise.mean(axis=2) / ((high - low) / 2), axis=1)


def corpus() -> str:
    """Report the score precision of the median of twelve runs of TREC 2003 Robust, AP."""
    place = data_directory() / "robust03"
    paths = [p for p in sorted(place.glob("*.run.gz")) if p.name[:4] not in ("NLPR", "humR")]
    qrels, runs = irbounds.read_qrels(place / "qrels.txt.gz"), irbounds.read_runs(paths)
    packed = pack_rankings(Pool(qrels), runs, CORPUS_SIZE)
    lines = ["| images | the standard deviation | an end |", "| ---: | ---: | ---: |"]
    for n in (100, 1_000):
        noise = deviation_over_seeds(FEW_SEEDS, lambda seed, n=n: spread_and_ends(packed, n, seed))
        shares = np.median(noise / spread_and_ends(packed, 10_000, 0)[0], axis=1)
        lines.append(f"| {n:,} | {shares[0]:.1%} | {shares[1:].mean():.1%} |")
    return "\n".join(lines)


def spread_and_ends(packed, n_images: int, seed: int) -> np.ndarray:
    """Return standard deviation and limits of the central 95 % of images by run."""
    means = bootstrap_documents(packed, parse_measures(["AP"]), n_images, seed, n_stored=1).means[0]
    return np.array([means.std(axis=1, ddof=1), *np.quantile(means, [0.025, 0.975], axis=1)])


def calibration() -> str:
    """Report the error rate of ``calibrate`` and its stated noise."""
    scores = read_ap_scores("robust2004_ap.csv")
    methods = ("student-t", "percentile", "studentised-logit")

    def rows(seed: int):
        return calibrate(scores, [10], methods=methods, n_samples=100, seed=seed)

    noise = deviation_over_seeds(FEW_SEEDS, lambda seed: [row.error for row in rows(seed)])
    stated = [row.error_noise for row in rows(0)]
    lines = ["| method | measured | stated as noise |", "| --- | ---: | ---: |"]
    for method, ours, theirs in zip(methods, noise, stated, strict=True):
        lines.append(f"| {method} | {ours:.4f} | {theirs:.4f} |")
    return "\n".join(lines)


PARTS = {
    "Ends of intervals, in per cent of the half width": intervals,
    "Corpus, in per cent of the standard deviation": corpus,
    "Calibration, n = 10, 100 samples of 110 systems": calibration,
}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    print(machine(), flush=True)
    for title, part in PARTS.items():
        print(f"\n{title}\n\n{part()}", flush=True)
