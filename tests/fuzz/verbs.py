"""Targets: the numerical verbs with valid, extreme and invalid arguments.

An answer is right where its intervals are ordered, and where an interval that is not there (NaN) is
explained by a ``DegenerateSampleWarning``. Probabilities lie between 0 and 1. An argument that
makes no sense is refused by an error of irbounds.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import irbounds
from irbounds.corpora.bootstrap import corpus_bootstrap
from irbounds.standardisation import standardise_scores
from irbounds.verbs.chance import chance

from .engine import ACCEPTED, WRONG, Finding, Target

METHODS = (
    *("student-t", "percentile", "bca", "studentised-logit", "logit-t"),
    *("moderated-wilson", "clopper-pearson", None),
)
RECALL_METHODS = (
    *("naive-binomial", "normal", "laplace", "agresti-coull", "koopman", "beta-jeffreys"),
    *("beta-binomial", "normal-official", "monte-carlo"),
)
MEASURES = (
    *("AP", "AP@3", "P@5", "R@5", "Rprec", "RR", "RR@2", "Success@3", "nDCG", "nDCG@10", "ERR@10"),
    *("RBP(p=0.8)", "INSQ(T=2.0)", "Bpref", ""),
)
NUMBERS: tuple[Any, ...] = (
    *(0, 1, -1, 2, 3, 0.5, 0.95, 95, 1e-300, 1 - 2**-53, 5e-13, 1e300, 1e149, math.nan, math.inf),
    *(
        -0.0,
        True,
        None,
        "0.5",
        "",
        [],
        np.float32(0.9),
        np.int8(7),
        np.float64(0.1),
        np.bool_(True),
    ),
    *(np.array(3), np.array([3]), 10**30, 2**63, 1 + 2j),
)
PROBABILITIES = ("p_value", "adjusted_p_value", "best_probability")


def verb(call: Callable[[Random], Any]) -> Target:
    """Return a target that calls one verb and checks its answer."""

    def target(rng: Random, directory: Path) -> str:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("error")
            warnings.simplefilter("always", irbounds.errors.DegenerateSampleWarning)
            answer = call(rng)
        for item in answer if isinstance(answer, list | tuple) else [answer]:
            check(item, explained=bool(caught or getattr(item, "warnings", ())))
        return ACCEPTED

    return target


def check(result: Any, explained: bool) -> None:
    """Raise ``Finding`` where an answer contradicts itself."""
    interval = getattr(result, "interval", None)
    if isinstance(interval, irbounds.results.Interval):
        low, high = interval.low, interval.high
        if math.isnan(low) or math.isnan(high):
            explained or fail(f"no interval and no reason: {result!r:.300}")
        elif not low <= high:
            fail(f"low above high: {result!r:.300}")
    for name in PROBABILITIES:
        value = getattr(result, name, None)
        if isinstance(value, float) and not (math.isnan(value) or 0 <= value <= 1):
            fail(f"{name} {value}: {result!r:.300}")
    if isinstance(result, float | np.ndarray) and np.isnan(result).any() and not explained:
        fail(f"NaN and no reason: {result!r:.300}")


def fail(text: str) -> None:
    """Report a wrong answer."""
    raise Finding(WRONG, text)


def pick(rng: Random, usual: Any, chance: float = 0.02) -> Any:
    """Return a usual argument, now and then an unusual one."""
    return rng.choice(NUMBERS) if rng.random() < chance else usual


def scores_of(rng: Random, n_systems: int) -> dict[str, list[float]]:
    """Return scores of systems on the same queries, of one of many shapes."""
    n = rng.choice((1, 2, 3, 5, 12, 30))
    shape = rng.choice(("unit", "binary", "constant", "ends", "huge", "tiny", "mixed", "one"))

    def score() -> float:
        return {
            "unit": rng.random(),
            "binary": float(rng.randrange(2)),
            "constant": 0.25,
            "ends": rng.choice((0.0, 1.0, 1e-17, 1 - 2**-53)),
            "huge": rng.choice((1e149, -1e149, 1e249, -1e249, 1e200, 1.0)),
            "tiny": rng.choice((5e-324, 1e-310, 0.0, 1e-200)),
            "mixed": 10.0 ** rng.uniform(-320, 250.01),
            "one": 0.0,
        }[shape]

    table = {f"s{k}": [score() for _ in range(n)] for k in range(n_systems)}
    if shape == "one":
        table["s0"][rng.randrange(n)] = 1.0
    return table


def table_of(rng: Random, measure: str | None = None) -> irbounds.ScoreTable:
    """Return a table of a few systems."""
    scores = scores_of(rng, rng.choice((1, 2, 2, 2, 3, 3, 4)))
    values = np.array([[*scores.values()]])
    queries = tuple(f"q{k}" for k in range(values.shape[2]))
    measure = measure or rng.choice(("AP", "P@10", "score", "nDCG@10"))
    return irbounds.ScoreTable((measure,), tuple(scores), queries, values)


def level(rng: Random) -> Any:
    return pick(rng, rng.choice((0.5, 0.8, 0.95, 0.99, 0.999999)))


def side(rng: Random) -> Any:
    return pick(rng, rng.choice(("two-sided", "less", "greater")), 0.03)


def n_resamples(rng: Random) -> Any:
    return pick(rng, rng.choice((1, 2, 3, 10, 99)), 0.05)


def mean_interval(rng: Random) -> Any:
    table: Any = table_of(rng)
    if rng.random() < 0.3:
        table = rng.choice((next(iter(scores_of(rng, 1).values())), pick(rng, [0.1, 0.2], 0.7)))
    return irbounds.mean_interval(
        table,
        method=pick(rng, rng.choice((*METHODS, list(METHODS[:5]))), 0.03),
        confidence_level=level(rng),
        alternative=side(rng),
        n_resamples=n_resamples(rng),
        bounds=rng.choice((None, None, None, (0, 1), (-1e308, 1e308), pick(rng, (0, 1), 0.5))),
        sigma=pick(rng, None, 0.05),
        rng=pick(rng, rng.randrange(100), 0.02),
    )


def difference_interval(rng: Random) -> Any:
    return irbounds.difference_interval(
        table_of(rng),
        baseline=rng.choice((None, "s0", "s0", "s0")),
        method=pick(rng, rng.choice((*METHODS[:-2], "student-t")), 0.03),
        confidence_level=level(rng),
        alternative=side(rng),
        n_resamples=rng.choice((2, 99)),
        test=pick(rng, rng.choice(("sign-flip", "t", "wilcoxon")), 0.03),
        adjustment=pick(rng, rng.choice(("holm", "benjamini-hochberg", "none")), 0.03),
        rng=rng.randrange(100),
    )


def rank_interval(rng: Random) -> Any:
    return irbounds.rank_interval(
        table_of(rng),
        by=pick(rng, rng.choice(("mean", "borda")), 0.03),
        confidence_level=level(rng),
    )


def plan_queries(rng: Random) -> Any:
    return irbounds.plan_queries(
        scores=table_of(rng),
        baseline=rng.choice((None, "s0")),
        difference=pick(rng, rng.choice((None, 0.01, 0.2, 1e-9))),
        half_width=pick(rng, rng.choice((None, 0.01, 0.2, 1e-9))),
        power=pick(rng, 0.8),
        confidence_level=level(rng),
        alternative=side(rng),
    )


def plan_systems(rng: Random) -> Any:
    return irbounds.plan_queries(
        scores=table_of(rng),
        n_systems=pick(rng, rng.choice((2, 3, 30))),
        difference=pick(rng, rng.choice((None, 0.01, 0.2, 1e-9))),
        power=pick(rng, 0.8),
        confidence_level=level(rng),
    )


def standardise(rng: Random) -> Any:
    table = standardise_scores(table_of(rng), transform=pick(rng, rng.choice(("z", "normal-cdf"))))
    return irbounds.mean_interval(table, method="student-t")


def classifiers(rng: Random) -> Any:
    n = rng.choice((0, 1, 2, 5, 30))
    labels = [pick(rng, rng.choice((0, 1)), 0.01) for _ in range(n)]
    first, second = (
        [pick(rng, rng.choice((rng.random(), 0.5, -1e300, 3)), 0.01) for _ in range(n)]
        for _ in range(2)
    )
    options = {
        "method": rng.choice(("moderated-logit-t", "bca")),
        "confidence_level": level(rng),
        "alternative": side(rng),
        "n_resamples": n_resamples(rng),
        "seed": pick(rng, 7, 0.05),
    }
    return irbounds.ap({"label": labels, "first": first, "second": second}, **options)


def segment(rng: Random) -> Any:
    """Return population, sample size and relevant documents of a segment."""
    population = rng.choice((0, 1, 2, 10, 1000, 10**6, 10**9))
    sampled = rng.randint(0, min(population, rng.choice((1, 50, 1000))))
    relevant = rng.choice((0, sampled, rng.randint(0, sampled)))
    triple = [population, sampled, relevant]
    if rng.random() < 0.1:
        triple[rng.randrange(3)] = rng.choice(NUMBERS)
    return pick(rng, triple, 0.02)


def recall(rng: Random) -> Any:
    options: dict[str, Any] = {"confidence_level": level(rng), "alternative": side(rng)}
    options["method"] = pick(rng, rng.choice(RECALL_METHODS), 0.03)
    if options["method"] == "beta-binomial":
        options["prior"] = rng.choice(
            (None, "uniform", "most-conservative", 0.5, "1,2", "0,0", "x")
        )
    if options["method"] == "monte-carlo":
        options |= {"n_draws": rng.choice((1, 200)), "seed": 3}
    if rng.random() < 0.5:
        quantities = ["precision", "F", "yield", "prevalence", "elusion"]
        options["quantity"] = rng.sample(quantities, rng.randint(1, 5))
    return irbounds.recall(retrieved=segment(rng), unretrieved=segment(rng), **options)


def plan_recall(rng: Random) -> Any:
    population = rng.choice((100, 5000))
    retrieved = rng.randint(0, population)
    found = rng.randint(0, retrieved)
    relevant = found + rng.randint(0, population - retrieved)
    options = {"corpus_size": pick(rng, population), "confidence_level": level(rng)}
    if rng.random() < 0.5:
        options |= {"retrieved": (pick(rng, retrieved), "all", pick(rng, found))}
        options |= {"n_relevant": pick(rng, relevant), "recall_at_least": pick(rng, rng.random())}
    else:
        options |= {"retrieved_size": pick(rng, retrieved), "n_relevant": pick(rng, relevant)}
        options |= {"recall": pick(rng, found / relevant if relevant else 0.5)}
        options |= {"budget": pick(rng, rng.choice((2, 20, 50, population)))}
    return irbounds.plan_recall(**options)


def chance_level(rng: Random) -> Any:
    n = rng.choice((1, 2, 5, 12, 1000, 10**6, np.int8(100), np.uint8(200), 10**12))
    n_relevant = pick(rng, rng.choice((0, 1, 2, int(n), max(int(n) // 2, 1), np.int8(1))))
    measure = rng.choice(MEASURES)
    function = rng.choice(
        (
            irbounds.expected_score,
            irbounds.random_rankings.score_variance,
        )
    )
    answer = function(pick(rng, n), n_relevant, measure)
    if function is irbounds.random_rankings.score_variance and measure.startswith("ERR"):
        return []  # there is no formula: NaN by its documentation
    return [float(number) for number in np.ravel(answer)]


def chance_p_value(rng: Random) -> Any:
    distribution = irbounds.random_rankings.null_distribution(
        pick(rng, rng.choice((1, 2, 5, 12, 30, 200))),
        pick(rng, rng.choice((0, 1, 2, 5))),
        rng.choice(MEASURES),
        n_draws=pick(rng, rng.choice((1, 9, 99)), 0.05),
        rng=1,
    )
    p = distribution.p_value(pick(rng, rng.random(), 0.1), side(rng))
    if not 0 <= p <= 1:
        fail(f"p-value {p}")
    return []


def collection(
    rng: Random,
) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, dict[str, float]]]]:
    """Return judgments and two runs of a few queries; some have nothing relevant or retrieved."""
    documents = [f"d{k}" for k in range(rng.choice((1, 3, 8)))]
    queries = [f"q{k}" for k in range(rng.choice((1, 2, 5)))]
    rate = rng.choice((0.0, 0.2, 0.7, 1.0))
    grades = rng.choice(((1,), (1, 2, 3), (-1, 1)))
    judged = {
        query: {d: rng.choice(grades) if rng.random() < rate else 0 for d in documents}
        for query in queries
    }
    spread = rng.choice((1, 3, 100))
    runs = {
        name: {
            query: {
                d: float(rng.randrange(spread))
                for d in rng.sample(documents, rng.randint(1, len(documents)))
            }
            for query in queries
            if rng.random() < 0.9
        }
        or {queries[0]: {"d0": 1.0}}
        for name in ("a", "b")
    }
    return judged, runs


def scoring(rng: Random) -> Any:
    judged, runs = collection(rng)
    measures = [rng.choice(MEASURES)]
    ties = rng.choice(("trec", "expected", "worst", "best"))
    table = irbounds.score(judged, runs, measures, ties=ties, queries=rng.choice(("all", "common")))
    if table.values.min() < 0 or table.values.max() > 1:
        fail(f"scores from {table.values.min()} to {table.values.max()}")
    irbounds.check(judged, runs)
    return chance(
        judged,
        runs,
        measures=measures,
        corpus_size=rng.choice((None, 50)),
        n_draws=9,
        seed=1,
    )


def corpus(rng: Random) -> Any:
    judged, runs = collection(rng)
    images = corpus_bootstrap(
        judged,
        runs,
        [rng.choice(MEASURES)],
        corpus_size=pick(rng, rng.choice((8, 20, 1000)), 0.05),
        n_images=pick(rng, rng.choice((2, 10, 70)), 0.05),
        rng=1,
    )
    images.score_precision()
    images.rank_precision()
    images.difference_precision()
    return images.variance_split()


VERBS: dict[str, Target] = {
    "mean_interval": verb(mean_interval),
    "difference_interval": verb(difference_interval),
    "rank_interval": verb(rank_interval),
    "plan_queries": verb(plan_queries),
    "plan_systems": verb(plan_systems),
    "standardise": verb(standardise),
    "ap": verb(classifiers),
    "recall_interval and relatives": verb(recall),
    "plan_recall": verb(plan_recall),
    "expected_score and relatives": verb(chance_level),
    "null_distribution": verb(chance_p_value),
    "score, check, chance": verb(scoring),
    "corpus_bootstrap": verb(corpus),
}
