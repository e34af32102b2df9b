"""One result of every type, made by the public functions where they exist."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import polars as pl

import irbounds
from irbounds.comparisons.differences import compare_with_best
from irbounds.corpora.bootstrap import corpus_bootstrap
from irbounds.random_rankings.collection_levels import chance_levels
from irbounds.scores.score_input import as_score_table
from recall_calls import estimate_all, estimate_recall

HOSTILE = "<script>alert(1)</script>"
TIED = "toString"  # what every object of JavaScript has, too
SAMPLE = {"retrieved": (200, 50, 20), "unretrieved": (900, 60, 2)}


def collection() -> tuple[dict[str, Any], dict[str, Any]]:
    """Return six queries of twelve documents and three runs, one tied, two with hostile names."""
    judged = {f"q{k}": {f"d{j}": int((j + k) % 3 == 0) for j in range(12)} for k in range(6)}
    runs = {
        name: {
            query: {f"d{(j * step + k) % 12}": float((12 - j) // coarse) for j in range(12)}
            for k, query in enumerate(judged)
        }
        for name, step, coarse in (("a.b", 1, 1), (HOSTILE, 5, 1), (TIED, 7, 4))
    }
    return judged, runs


def paper_table(
    scores: Any, baseline: str | None = None, **options: Any
) -> irbounds.results.PaperTable:
    """Return systems by measures as ``evaluate`` makes them, also of one system."""
    table = as_score_table(scores)
    estimates = irbounds.mean_interval(table, **options)
    level = {key: options[key] for key in ("confidence_level", "rng") if key in options}
    compared = compare_with_best(table, estimates, baseline, **level)
    return irbounds.results.PaperTable(tuple(estimates), tuple(compared), baseline)


def labelled_rows() -> dict[str, Any]:
    """Return labels and the scores of three classifiers, one tied, one with a hostile name."""
    rng = np.random.default_rng(9)
    labels = rng.random(60) < 0.4
    scores = rng.normal(size=60) + labels
    worse = rng.normal(size=60) + labels / 2
    return {"label": labels, "a.b": scores, HOSTILE: worse, TIED: np.round(scores)}


def _compare_groups(table: irbounds.ScoreTable) -> irbounds.results.Comparisons:
    groups = {query: (HOSTILE, "even")[k % 2] for k, query in enumerate(table.queries)}
    return irbounds.compare(scores=table.select(["AP"]), baseline=TIED, groups=groups)


def _compare_published() -> irbounds.results.Comparisons:
    row = {"measure": "AP", "system": HOSTILE, "mean": 0.4, "standard_deviation": 0.2}
    with TemporaryDirectory() as directory:
        files = [Path(directory) / name for name in ("ours.json", "theirs.json")]
        for n, file in enumerate(files, start=9):
            file.write_text(json.dumps({"results": [{**row, "n": n}]}))
        return irbounds.compare(*files)


@cache
def _of_queries() -> dict[str, Any]:
    judged, runs = collection()
    table = irbounds.score(judged, runs, ["AP", "P@5"])
    draws = {"rng": 1, "n_resamples": 200}
    bootstrap = {"method": "studentised-logit", **draws}
    scores = np.random.default_rng(4).beta(2, 3, size=(3, 20))
    frame = pl.DataFrame(dict(zip("abc", scores, strict=True)))
    return {
        "scores": table,
        "diagnosis": irbounds.check(judged, runs),
        "means": irbounds.mean_interval(table, method=["student-t", "bca"], **draws),
        "lower limits": irbounds.mean_interval(table, alternative="greater", **bootstrap),
        "paper table": paper_table(table, baseline=HOSTILE, **draws),
        "differences": irbounds.difference_interval(table.select(["AP"]), rng=1),
        "differences by query": irbounds.compare(
            scores=table.select(["AP"]), baseline=TIED, by_query=True
        ).by_query,
        "differences by group": irbounds.Results(_compare_groups(table)),
        "published means": irbounds.Results(_compare_published()),
        "differences between groups": _compare_groups(table).interactions,
        "gate": irbounds.gate(scores=table.select_systems(["a.b", HOSTILE]), margin=0.01),
        "ranks": irbounds.rank_interval(table),
        "ranks by points": irbounds.rank_interval(table, by="borda"),
        "query plans": irbounds.plan_queries(scores=frame, difference=0.1),
        "systems plans": irbounds.plan_queries(scores=frame, n_systems=4, difference=0.1),
        "classifiers": irbounds.ap(labelled_rows()),
        "bootstrapped classifiers": irbounds.ap(labelled_rows(), method="bca", n_resamples=99),
    }


@cache
def _of_images() -> dict[str, Any]:
    judged, runs = collection()
    images = corpus_bootstrap(judged, runs, ["AP"], corpus_size=40, n_images=64, rng=1)
    return {
        "images": images,
        "score precision": images.score_precision(),
        "difference precision": images.difference_precision(),
        "rank precision": images.rank_precision(),
        "variances": images.variance_split(),
    }


@cache
def _of_recall() -> dict[str, Any]:
    claim = estimate_recall(**SAMPLE, at_least=0.6)
    return {
        "recall": estimate_recall(**SAMPLE),
        "normal recall": estimate_recall(**SAMPLE, method="normal"),
        "all methods": estimate_all(**SAMPLE, all_methods=True),
        "quantities": estimate_all(**SAMPLE),
        "split plans": irbounds.plan_recall(
            corpus_size=2000, retrieved_size=300, n_relevant=200, recall=0.6, budget=200
        ),
        "claim plans": irbounds.plan_recall(
            corpus_size=2000, retrieved=(300, "all", 90), recall=0.9, recall_at_least=0.7
        ),
        "tipping points": irbounds.samples.tipping_points(claim),
        "drawn sample": irbounds.draw(population=[HOSTILE, TIED, "a.b"], n=3, seed=1),
    }


@cache
def _of_chance() -> dict[str, Any]:
    judged, runs = collection()
    table = irbounds.score(judged, runs, ["AP", "P@5"])
    return {
        "systems and chance": chance_levels(table, judged, runs, n_draws=99, seed=1),
        "chance alone": chance_levels(None, judged, measures="AP"),
        "chance of numbers": irbounds.chance(10, 4, observed=0.7),
    }


@cache
def _of_measures() -> dict[str, Any]:
    return {"measures": irbounds.measures()}


#: what makes which results, known before any is made: tests are collected in a moment
MAKERS = {
    _of_queries: (
        *("scores", "diagnosis", "means", "lower limits", "paper table"),
        *("differences", "differences by query", "differences by group", "published means"),
        *("differences between groups", "gate", "ranks", "ranks by points", "query plans"),
        "systems plans",
        *("classifiers", "bootstrapped classifiers"),
    ),
    _of_images: (
        *("images", "score precision", "difference precision", "rank precision"),
        "variances",
    ),
    _of_recall: (
        *("recall", "normal recall", "all methods", "quantities", "split plans", "claim plans"),
        *("tipping points", "drawn sample"),
    ),
    _of_chance: (*("systems and chance", "chance alone", "chance of numbers"),),
    _of_measures: ("measures",),
}
NAMES = tuple(name for names in MAKERS.values() for name in names)
#: those that there is a figure of
UNDRAWN = (
    *("measures", "diagnosis", "gate", "differences by query", "differences between groups"),
    *("query plans", "systems plans", "split plans", "claim plans", "tipping points"),
    *("drawn sample", "chance alone"),
)
DRAWN = tuple(name for name in NAMES if name not in UNDRAWN)


def result_of(name: str) -> Any:
    """Return the result of that name; only results of the same maker are computed.

    A tuple is the unchanged return value of a public function.
    """
    make = next(make for make, names in MAKERS.items() if name in names)
    return make()[name]


def every_result() -> dict[str, Any]:
    """Return all results by name."""
    results = {name: result for make in MAKERS for name, result in make().items()}
    assert tuple(results) == NAMES
    return results
