"""Small examples of all random work, for tests of reproducibility, checkpoints and clusters.

In a module of its own at the top, so that other processes can import it. Whatever draws in another
way than these belongs here too, with at least two units; ``sample_work`` has units that are no more
than samples.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import polars as pl

import irbounds
from every_result import collection, labelled_rows
from irbounds.parallel.digests import compute_digest
from irbounds.verbs.chance import chance


def environment(**more: str) -> dict[str, str]:
    """Return environment variables with which another Python finds the same modules and files."""
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))} | more


@cache
def scores(n: int = 40) -> pl.DataFrame:
    """Return the scores of three systems on n queries."""
    drawn = np.random.default_rng(4).beta(2, 3, size=(3, n))
    return pl.DataFrame(dict(zip("abc", drawn, strict=True)))


@cache
def score_table(n_systems: int, seed: int, n: int = 60) -> irbounds.ScoreTable:
    """Return the scores of some systems on n queries, with a measure."""
    values = np.random.default_rng(seed).beta(0.5, 2, size=(1, n_systems, n))
    systems = tuple(f"s{k}" for k in range(n_systems))
    return irbounds.ScoreTable(("AP",), systems, tuple(f"q{k}" for k in range(n)), values)


def _means(source: Any, **options: Any) -> Any:
    return irbounds.mean_interval(source, method=["bca", "studentised"], rng=1, **options)


def _differences(**options: Any) -> Any:
    return irbounds.difference_interval(scores(), n_resamples=300, rng=1, **options)


def _images() -> irbounds.corpora.CorpusBootstrap:
    judged, runs = collection()
    return irbounds.corpus_bootstrap(judged, runs, ["AP"], corpus_size=40, n_images=150, rng=1)


def _baseline() -> Any:
    judged, runs = collection()
    options = {"corpus_size": 40, "method": "monte-carlo", "n_draws": 25_000}
    return chance(judged, runs, measures=["AP", "nDCG@5"], seed=1, **options)


def _card() -> Any:
    named = {"system": "s1", "collection": "c", "method": "percentile"}
    return irbounds.cards.make_card(score_table(4, 4), n_resamples=300, rng=1, **named)


CHANCE = {"n_draws": 3000, "rng": 1, "method": "monte-carlo"}


#: what a person calls, by what it divides
WORK: dict[str, Callable[[], Any]] = {
    "resampled queries": lambda: _means(scores(), n_resamples=700),
    "sign flips": lambda: _differences(test="sign-flip", method="percentile"),
    "exact sign flips": lambda: irbounds.difference_interval(
        score_table(9, 4, 12), test="sign-flip"
    ),
    "sign flips on a grid": lambda: irbounds.difference_interval(
        score_table(9, 4), test="sign-flip"
    ),
    "bootstrap test": lambda: _differences(test="bootstrap", method="bca"),
    "card": _card,
    "resampled rows": lambda: irbounds.ap(labelled_rows(), method="bca", n_resamples=700),
    "images": _images,
    "two-way means": lambda: _images().two_way_means(),
    "variances": lambda: _images().variance_split(),
    "random rankings": _baseline,
    "null distribution": lambda: irbounds.random_rankings.null_distribution(5000, 200, **CHANCE),
    "p-value": lambda: irbounds.random_rankings.p_value(0.05, 5000, 200, **CHANCE),
}


def bits(name: str) -> str:
    """Return a digest of the whole result of this work."""
    return compute_digest(WORK[name]())


@cache
def bits_on_one_thread(name: str) -> str:
    """Return the digest on one thread, which all other ways must give."""
    with irbounds.execution(threads=1, n_blocks=1):
        return bits(name)
