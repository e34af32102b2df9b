"""Golden numbers: the digits of every verb on small fixed inputs.

``python -m benchmarks.golden`` compares all calls with ``tests/golden.json`` and names the call and
the field that differ; ``--write`` replaces the file. Inputs are made by integer arithmetic, so that
they are the same on every machine. Floating-point numbers are stored as ``float.hex``. On the
processor and with the versions that the file names they must be equal bit by bit, elsewhere to a
relative difference of 1e-12.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib.metadata import version
from itertools import product
from pathlib import Path
from typing import Any

import llvmlite.binding

import irbounds

FILE = Path(__file__).parents[1] / "tests" / "golden.json"
TOLERANCE = 1e-12  # relative, on other processors and with other versions of the libraries
LIBRARIES = ("numpy", "scipy", "numba")

N_QUERIES, N_SYSTEMS = 12, 5
MEAN_METHODS = (
    *("moderated-wilson", "student-t", "logit-t", "studentised-logit", "bca", "percentile"),
)
RECALL_METHODS = (
    *("beta-binomial", "beta-jeffreys", "koopman", "laplace", "agresti-coull", "normal"),
    *("normal-official", "naive-binomial", "monte-carlo", "exact"),
)
QUANTITIES = ("recall", "precision", "F", "yield", "prevalence", "elusion")
RETRIEVED, UNRETRIEVED = (2000, 100, 50), (100_000, 400, 3)
DRAWS = {"n_resamples": 200, "seed": 3}


def score(system: int, query: int) -> float:
    """Return a score in thousandths that depends on system and query."""
    difficulty = query * 389 % 500
    return (difficulty + (system * 211 + query * query * 97 + system * query * 53) % 400) / 1000


@cache
def scores() -> dict[str, dict[str, list[float]]]:
    """Return tables of scores by measure: system -> scores of the queries."""
    return {
        measure: {
            f"s{system}": [score(system + shift, query) for query in range(N_QUERIES)]
            for system in range(N_SYSTEMS)
        }
        for measure, shift in (("AP", 0), ("nDCG@10", 7))
    }


def one_measure() -> dict[str, dict[str, list[float]]]:
    return {"AP": scores()["AP"]}


def binary() -> dict[str, dict[str, list[float]]]:
    return {
        "Success@5": {
            f"s{system}": [float((query * 5 + system * 3) % 7 > 2) for query in range(N_QUERIES)]
            for system in range(2)
        }
    }


@cache
def collection() -> tuple[dict[str, dict[str, int]], dict[str, dict[str, dict[str, float]]]]:
    """Return judgments and runs of a small collection, with grades and ties."""
    qrels = {
        f"q{query}": {f"d{k}": (k * 7 + query * 3) % 11 // 4 for k in range(20 + query)}
        for query in range(6)
    }
    runs = {
        f"s{system}": {
            query: {
                document: float((k * (13 + 2 * system) + len(judged) * 5) % 37 // (1 + system % 2))
                for k, document in enumerate([*judged, "u1", "u2", "u3"])
            }
            for query, judged in qrels.items()
        }
        for system in range(3)
    }
    return qrels, runs


def labelled_rows() -> dict[str, list[float]]:
    return {
        "label": [(k * 7 % 10) // 7 for k in range(80)],
        "one": [(k * 37 % 80 + (k * 7 % 10) * 6) / 140 for k in range(80)],
        "two": [(k * 53 % 80 + (k * 7 % 10) * 3) / 110 for k in range(80)],
    }


def strata(n_uncertain: int, *, is_checked: bool = False) -> list[irbounds.samples.Stratum]:
    """Return a retrieved stratum that was read in full, and so many sampled ones."""
    checks = {"relevant_confirmed": 4, "irrelevant_checked": 40, "irrelevant_overturned": 1}
    others = [
        irbounds.samples.Stratum(
            *(f"rest {k}", False, 3000 + 1000 * k, 150 + 50 * k, 5 if is_checked else k % 3),
            **({"relevant_checked": 5, **checks} if is_checked else {}),
        )
        for k in range(n_uncertain)
    ]
    return [irbounds.samples.Stratum("found", True, 800, 800, 310), *others]


def list_calls() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield the name of each call and the call."""
    qrels, runs = collection()
    yield "score", lambda: irbounds.score(qrels, runs, ["AP", "nDCG@10", "P@5", "RR", "ERR@10"])
    for ties in ("expected", "worst", "best"):
        yield (
            f"evaluate, ties {ties}",
            lambda ties=ties: irbounds.evaluate(qrels, runs, measures="AP,P@5", ties=ties),
        )
    yield "evaluate", lambda: irbounds.evaluate(scores=scores())
    yield "evaluate, baseline", lambda: irbounds.evaluate(scores=scores(), baseline="s1")
    yield "evaluate, 0 and 1", lambda: irbounds.evaluate(scores=binary())
    yield (
        "evaluate, known sigma",
        lambda: irbounds.evaluate(scores=one_measure(), method="normal", sigma=0.2),
    )
    for method, side in product(MEAN_METHODS, ("two-sided", "less", "greater")):
        yield (
            f"mean, {method}, {side}",
            lambda method=method, side=side: irbounds.evaluate(
                scores=one_measure(), method=method, alternative=side, **DRAWS
            ),
        )
    for test, adjustment in product(
        ("t", "sign-flip", "wilcoxon"), ("holm", "benjamini-hochberg", "none")
    ):
        yield (
            f"compare, {test}, {adjustment}",
            lambda test=test, adjustment=adjustment: irbounds.compare(
                scores=scores(), test=test, adjustment=adjustment
            ),
        )
    for method in ("logit-t", "bca", "percentile", "studentised-logit"):
        yield (
            f"compare, {method}",
            lambda method=method: irbounds.compare(
                scores=one_measure(), baseline="s2", method=method, **DRAWS
            ),
        )
    yield (
        "compare, one side",
        lambda: irbounds.compare(scores=one_measure(), baseline="s2", alternative="greater"),
    )
    groups = {f"{query + 1}": "xyz"[query % 3] for query in range(N_QUERIES)}
    yield "compare, groups", lambda: irbounds.compare(scores=one_measure(), groups=groups)
    for by in ("mean", "borda"):
        yield f"rank, {by}", lambda by=by: irbounds.rank(scores=scores(), by=by)
    pair = {measure: {s: table[s] for s in ("s0", "s1")} for measure, table in scores().items()}
    for margin in (0.02, 0.3):
        yield f"gate, {margin}", lambda margin=margin: irbounds.gate(scores=pair, margin=margin)
    yield from list_recall_calls()
    yield (
        "plan-recall",
        lambda: irbounds.plan_recall(
            corpus_size=100_000, retrieved_size=8000, n_relevant=5000, recall=0.85, budget=1500
        ),
    )
    yield (
        "plan-recall, claim",
        lambda: irbounds.plan_recall(
            retrieved=(600, "all", 93), corpus_size=1175, recall=0.98, recall_at_least=0.9
        ),
    )
    for n, r in ((10, 4), (1000, 25)):
        yield (
            f"chance, {n} {r}",
            lambda n=n, r=r: irbounds.chance(
                n_documents=n, n_relevant=r, observed=0.45, n_draws=500, seed=3
            ),
        )
    yield (
        "chance, collection",
        lambda: irbounds.chance(
            qrels, runs, measures="AP,nDCG@10,P@5", corpus_size=60, n_draws=200, seed=3
        ),
    )
    for show in ("scores", "differences", "ranks"):
        yield (
            f"corpus, {show}",
            lambda show=show: irbounds.corpus(
                qrels, runs, corpus_size=60, n_images=130, seed=3, show=show, resample_queries=True
            ),
        )
    yield (
        "corpus, shares",
        lambda: irbounds.corpus(
            qrels, runs, corpus_size=60, n_images=130, seed=3, resample_queries=True, baseline="s1"
        ),
    )
    yield "ap", lambda: irbounds.ap(labelled_rows())
    yield "ap, bca", lambda: irbounds.ap(labelled_rows(), method="bca", **DRAWS)
    yield "plan-queries", lambda: irbounds.plan_queries(scores=one_measure(), difference=0.05)
    rows = labelled_rows()
    yield (
        "plan-queries, half width",
        lambda: irbounds.plan_queries(scores=rows, baseline="one", half_width=0.02),
    )
    yield "plan-queries, variances", lambda: irbounds.plan_queries(scores=rows, n_systems=7)
    yield (
        "plan-queries, systems",
        lambda: irbounds.plan_queries(n_systems=10, difference=0.1, variance=0.0442),
    )
    for transform in ("z", "normal-cdf"):
        yield (
            f"standardise, {transform}",
            lambda transform=transform: irbounds.standardise(
                scores=one_measure(), reference=["s0", "s1", "s2"], transform=transform
            ),
        )
    yield "check", lambda: irbounds.check(qrels, runs)


def list_recall_calls() -> Iterator[tuple[str, Callable[[], Any]]]:
    counts = {"retrieved": RETRIEVED, "unretrieved": UNRETRIEVED}
    for method in RECALL_METHODS:
        for side in ("two-sided", "less", "greater"):
            yield (
                f"recall, {method}, {side}",
                lambda method=method, side=side: irbounds.recall(
                    **counts, method=method, alternative=side, quantity="recall", n_draws=200
                ),
            )
    for method, quantity in product(("beta-binomial", "exact"), QUANTITIES):
        yield (
            f"{quantity}, {method}",
            lambda method=method, quantity=quantity: irbounds.recall(
                **counts, method=method, quantity=quantity
            ),
        )
    for prior in ("uniform", "most-conservative"):
        yield (
            f"recall, prior {prior}",
            lambda prior=prior: irbounds.recall(**counts, prior=prior, quantity="recall"),
        )
    for n in (1, 2, 5):
        yield f"claim, {n} strata", lambda n=n: irbounds.recall(strata(n), at_least=0.7)
        yield f"recall, {n} strata", lambda n=n: irbounds.recall(strata(n))
    yield "claim, credit found", lambda: irbounds.recall(strata(1), at_least=0.7, credit_found=True)
    yield "recall, second assessment", lambda: irbounds.recall(strata(1, is_checked=True))
    yield (
        "recall, assessed documents",
        lambda: irbounds.recall(
            assessed={f"d{k}": (k * 7 + 2) % 5 // 3 for k in range(60)},
            retrieved_ids=[f"d{k}" for k in range(0, 60, 2)],
            corpus_size=900,
        ),
    )


def encode(records: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the numbers of records: floating-point ones as hexadecimal text."""
    return [
        {
            name: value.hex() if isinstance(value, float) else value
            for name, value in row.items()
            if isinstance(value, (bool, int, float))
        }
        for row in records
    ]


def compute() -> dict[str, list[dict[str, Any]]]:
    """Return the numbers of every call."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {name: encode(call().records()) for name, call in list_calls()}


def list_differences(
    expected: dict[str, Any], actual: dict[str, Any], tolerance: float
) -> list[str]:
    """Return one line per call or field that differs."""
    lines = [f"{name}: not computed any more" for name in expected.keys() - actual.keys()]
    lines += [f"{name}: new; write the file" for name in actual.keys() - expected.keys()]
    for name in expected.keys() & actual.keys():
        if len(expected[name]) != len(actual[name]):
            lines.append(f"{name}: {len(expected[name])} rows before, {len(actual[name])} now")
            continue
        for k, (before, now) in enumerate(zip(expected[name], actual[name], strict=True)):
            lines += [
                f"{name}, row {k}, {field}: {_show(before.get(field))} before, "
                f"{_show(now.get(field))} now"
                for field in before.keys() | now.keys()
                if not _is_equal(before.get(field), now.get(field), tolerance)
            ]
    return sorted(lines)


def _show(value: Any) -> str:
    return repr(float.fromhex(value)) if isinstance(value, str) else repr(value)


def _is_equal(before: Any, now: Any, tolerance: float) -> bool:
    if before == now or not (tolerance and isinstance(before, str) and isinstance(now, str)):
        return bool(before == now)
    return math.isclose(float.fromhex(before), float.fromhex(now), rel_tol=tolerance)


def describe_machine() -> dict[str, str]:
    """Return the processor and the versions that the last bits of numbers depend on."""
    processor = llvmlite.binding.get_host_cpu_name()
    return {"processor": processor} | {name: version(name) for name in LIBRARIES}


def compare_with_file(actual: dict[str, Any]) -> list[str]:
    """Return the differences from the stored numbers."""
    stored = json.loads(FILE.read_text())
    tolerance = 0.0 if stored["machine"] == describe_machine() else TOLERANCE
    return list_differences(stored["calls"], actual, tolerance)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help="replace the stored numbers")
    if parser.parse_args().write:
        calls = [f"{json.dumps(name)}: {json.dumps(rows)}" for name, rows in compute().items()]
        lines = ",\n".join(calls)
        machine = json.dumps(describe_machine())
        FILE.write_text(f'{{"machine": {machine}, "calls": {{\n{lines}\n}}}}\n')
        return 0
    differences = compare_with_file(compute())
    print("\n".join(differences) or "all numbers are equal")
    return bool(differences)


if __name__ == "__main__":
    sys.exit(main())
