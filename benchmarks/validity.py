"""Error rates of all interval methods on real score tables, and the fit of the prior variances.

    python -m benchmarks.validity --data DIRECTORY [DIRECTORY ...]
    python -m benchmarks.validity fit --data DIRECTORY [DIRECTORY ...]

The first prints the validity table of docs/validation/calibration.md in markdown, the second the
measures of ``prior_variances.toml``. A directory contains score tables
``<collection>_<measure>.csv``, itself or in ``scores/``: topics x systems, with the names of
Urbano's repositories (ap, p10, rr, ndcg20, err20). It may contain the runs and judgments of TREC
2003 Robust (``robust03/``) and of the TREC 2021 Deep Learning track (``dl21/``).

The queries of a table are the population: samples of n queries are drawn with replacement for each
system, and the intervals that miss the system's mean are counted. The prior variances never come
from the collection that is judged: they are the medians of the other collections.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from replications.calibrate import CalibrationRow, calibrate

import irbounds
from irbounds.intervals.variance_prior import fit_prior_variance, listed_priors, prior_of

Floats = NDArray[np.float64]

#: measures of score tables, by the end of the file's name
FILES = {
    "ap": "AP",
    "p10": "P@10",
    "p20": "P@20",
    "rr": "RR",
    "ndcg20": "nDCG@20",
    "err20": "ERR@20",
}
#: measures that are computed from runs, for the fit
SCORED = (
    *("AP", "Bpref", "Rprec", "P@1", "P@3", "P@5", "P@10", "P@20", "P@50", "P@100"),
    *(
        "nDCG",
        "nDCG@1",
        "nDCG@3",
        "nDCG@5",
        "nDCG@10",
        "nDCG@20",
        "nDCG@100",
        "R@10",
        "R@50",
        "R@100",
    ),
    *("R@1000", "RR", "RR@10", "ERR@10", "ERR@20", "nERR@10", "nERR@20", "RBP", "INSQ"),
)
#: names of collections in the table
TITLES = {
    **{f"adhoc{k}": f"TREC-{k}" for k in range(3, 9)},
    "dl21": "TREC 2021 Deep Learning",
    "robust03": "TREC 2003 Robust",
    "robust2004": "TREC 2004 Robust",
    "genomics2004": "TREC 2004 Genomics",
    "enterprise2006": "TREC 2006 Enterprise",
    "web2004": "TREC 2004 Web, known items",
    **{f"web{year}": f"TREC {year} Web" for year in range(2010, 2015)},
}
#: measures of the validity table
JUDGED = ("AP", "P@10", "RR", "nDCG@20", "ERR@20")
MIN_SYSTEMS = 10  # a collection with fewer says little about its measure
SIZES = (3, 5, 8, 10, 15, 20, 30, 50, 100)
N_SAMPLES = 100_000  # samples per table and n, over all systems: a standard error of 0.0007
N_COMPARED = 10_000  # of these, for all methods: bootstrap methods take long
N_RESAMPLES = 1_000
LEVELS = (0.8, 0.9, 0.95, 0.99)
POPULATION = 50_000  # scores of a simulated world
MAX_ERROR = 0.06  # that a method may have at a nominal error of 0.05
DEFAULT = "moderated-wilson"
SEED = 21


# ---- score tables ----


def load_tables(directories: Sequence[Path]) -> dict[tuple[str, str], Floats]:
    """Return the scores (system x query) by collection and measure."""
    tables: dict[tuple[str, str], Floats] = {}
    for directory in directories:
        for path in sorted([*directory.glob("*_*.csv"), *directory.glob("scores/*_*.csv")]):
            collection, _, end = path.stem.rpartition("_")
            if end in FILES:
                table = irbounds.read_scores({FILES[end]: str(path)})
                tables[collection, FILES[end]] = np.asarray(table.values[0])
        for collection in ("robust03", "dl21"):
            tables |= _score_runs(directory / collection, collection)
    return tables


def _score_runs(directory: Path, collection: str) -> dict[tuple[str, str], Floats]:
    files = sorted(directory.glob("*.gz"))
    runs = [str(path) for path in files if path.name.endswith(".run.gz")]
    qrels = [str(path) for path in files if path.name.startswith("qrels")]
    if not runs or not qrels:
        return {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        table = irbounds.score(qrels[0], runs, measures=list(SCORED))
    return {
        (collection, measure): np.asarray(scores)
        for measure, scores in zip(table.measures, table.values, strict=True)
    }


# ---- prior variances ----


def fit_collections(tables: dict[tuple[str, str], Floats]) -> dict[str, dict[str, float]]:
    """Return the prior variance of each measure and collection."""
    fitted: dict[str, dict[str, float]] = {}
    for (collection, measure), scores in sorted(tables.items()):
        if len(scores) >= MIN_SYSTEMS:
            fitted.setdefault(measure, {})[collection] = round(fit_prior_variance(scores), 3)
    return fitted


def combine(variances: Sequence[float]) -> float:
    """Return the median over collections; of only two collections the larger one."""
    return float(max(variances) if len(variances) < 3 else np.median(variances))


def print_fit(tables: dict[tuple[str, str], Floats]) -> None:
    """Print the measures of ``prior_variances.toml``."""
    for measure, by_collection in fit_collections(tables).items():
        pairs = ", ".join(f"{name} = {value}" for name, value in by_collection.items())
        print(f'[measures."{measure}"]')
        print(f"variance = {combine(list(by_collection.values())):.2f}")
        print(f"collections = {{ {pairs} }}\n")


def prior_without(measure: str, collection: str) -> float:
    """Return the prior variance from the other collections; the generic one without any."""
    listed = listed_priors().get(measure, {"collections": {}})["collections"]
    others = [value for name, value in listed.items() if name != collection]
    return combine(others) if others else prior_of("a measure that is not listed").variance


# ---- worlds with a known truth ----


def make_worlds() -> dict[str, Floats]:
    """Return populations of AP-like scores, some of which break the assumptions of the default."""
    rng = np.random.default_rng(SEED)
    prior = prior_of("AP").variance

    def beta(mean: float, variance: float) -> Floats:
        total = 1 / variance - 1
        return np.asarray(rng.beta(mean * total, (1 - mean) * total, POPULATION))

    def known_item(exponent: float) -> Floats:
        rank = rng.zipf(exponent, POPULATION)
        return np.where(rank > 1000, 0.0, 1 / rank)

    half = rng.random(POPULATION) < 0.5
    rare = rng.random(POPULATION) < 0.1
    worlds = {
        f"beta, mean {mean}, variance as the prior": beta(mean, prior)
        for mean in (0.05, 0.1, 0.2, 0.4)
    }
    worlds |= {
        f"beta, mean {mean}, variance twice the prior": beta(mean, 2 * prior)
        for mean in (0.05, 0.1, 0.2, 0.4)
    }
    return worlds | {
        "half of the scores 0, others beta with mean 0.4": np.where(half, 0, beta(0.4, prior)),
        "half of the scores 0, others beta with mean 0.1": np.where(half, 0, beta(0.1, prior)),
        "known-item search, 40 % at rank 1": known_item(1.7),
        "known-item search, 67 % at rank 1": known_item(2.2),
        "one query in ten scores 0.8, others about 0.02": np.where(rare, 0.8, beta(0.02, 0.05)),
    }


# ---- error rates ----

Rows = dict[str, list[CalibrationRow]]


def judge(
    name: str,
    measure: str,
    scores: Floats,
    prior_variance: float,
    n_samples: int = N_SAMPLES,
    methods: Sequence[str] | None = None,
    sizes: Sequence[int] = SIZES,
) -> list[CalibrationRow]:
    """Return the error rates of methods, by default all, on one table or world at all levels."""
    print(f"{name} {measure}: prior variance {prior_variance:.3f}", file=sys.stderr, flush=True)
    systems = tuple(f"s{k}" for k in range(len(scores)))
    queries = tuple(map(str, range(scores.shape[1])))
    table = irbounds.ScoreTable((measure,), systems, queries, scores[None])
    return calibrate(
        table,
        sizes,
        methods=methods,
        levels=LEVELS,
        n_samples=max(n_samples // len(scores), 20),
        n_resamples=N_RESAMPLES,
        prior_variance=prior_variance,
        seed=SEED,
    )


def judge_tables(
    tables: dict[tuple[str, str], Floats],
    n_samples: int = N_SAMPLES,
    methods: Sequence[str] | None = None,
    sizes: Sequence[int] = SIZES,
) -> Rows:
    """Return the error rates on each table, each with priors from the other collections."""
    return {
        f"{TITLES.get(collection, collection)}, {measure}": judge(
            collection,
            measure,
            scores,
            prior_without(measure, collection),
            n_samples,
            methods,
            sizes,
        )
        for (collection, measure), scores in sorted(tables.items())
        if measure in JUDGED and len(scores) >= MIN_SYSTEMS
    }


def select(
    rows: Sequence[CalibrationRow], method: str, level: float = 0.95
) -> dict[int, CalibrationRow]:
    """Return the rows of a method and level by the number of queries."""
    return {row.n: row for row in rows if (row.method, row.confidence_level) == (method, level)}


def error_table(results: Rows, method: str = DEFAULT) -> Iterator[str]:
    """Return a row per table with the error rate for each number of queries."""
    yield "| scores | " + " | ".join(f"n = {n}" for n in SIZES) + " |"
    yield "| --- |" + " ---: |" * len(SIZES)
    for name, rows in results.items():
        errors = select(rows, method)
        yield f"| {name} | " + " | ".join(f"{errors[n].error:.3f}" for n in SIZES) + " |"


def method_table(results: Rows) -> Iterator[str]:
    """Return a row per method: its error rates and its mean width."""
    sizes = (5, 10, 20, 50)
    methods = dict.fromkeys(row.method for rows in results.values() for row in rows)
    yield (
        "| method | "
        + " | ".join(f"error, n = {n}" for n in sizes)
        + " | largest error, n >= 5 | cells above 0.06 | no interval, n = 5 | "
        + " | ".join(f"width, n = {n}" for n in sizes)
        + " |"
    )
    yield "| --- |" + " ---: |" * (2 * len(sizes) + 3)
    for method in methods:
        of_method = [select(rows, method) for rows in results.values()]
        usable = [by_size for by_size in of_method if by_size]
        cells = [row.error for by_size in usable for n, row in by_size.items() if n >= 5]
        n_above = sum(error > MAX_ERROR for error in cells)
        means = [np.mean([by_size[n].error for by_size in usable]) for n in sizes]
        widths = [np.mean([by_size[n].width for by_size in usable]) for n in sizes]
        missing = np.mean([by_size[5].without for by_size in usable])
        yield (
            f"| {method} | "
            + " | ".join(f"{error:.3f}" for error in means)
            + f" | {max(cells):.3f} | {n_above} of {len(cells)} | {missing:.3f} | "
            + " | ".join(f"{width:.3f}" for width in widths)
            + " |"
        )


def level_table(results: Rows, method: str = DEFAULT) -> Iterator[str]:
    """Return the largest error over tables and n >= 5 at each level, two-sided and one-sided."""
    yield "| level | nominal error | mean | largest | nominal, one limit | lower | upper |"
    yield "| ---: |" + " ---: |" * 6
    for level in LEVELS:
        rows = [
            row
            for of_table in results.values()
            for n, row in select(of_table, method, level).items()
            if n >= 5
        ]
        errors = [row.error for row in rows]
        yield (
            f"| {level} | {1 - level:.3f} | {np.mean(errors):.3f} | {max(errors):.3f} | "
            f"{(1 - level) / 2:.3f} | {max(row.below for row in rows):.3f} | "
            f"{max(row.above for row in rows):.3f} |"
        )


def print_validity(
    directories: Sequence[Path], n_samples: int = N_SAMPLES, n_compared: int = N_COMPARED
) -> None:
    """Print all tables in markdown."""
    tables = load_tables(directories)
    results = judge_tables(tables, n_samples, [DEFAULT])
    print(f"## {DEFAULT}: error rates (nominal 0.05, {n_samples:,} samples per table and n)\n")
    print("\n".join(error_table(results)))
    print(f"\n## {DEFAULT}: levels, over all tables and n >= 5\n")
    print("\n".join(level_table(results)))
    prior, populations = prior_of("AP").variance, make_worlds()
    worlds = {
        name: judge(name, "AP", scores[None], prior, n_samples, [DEFAULT])
        for name, scores in populations.items()
    }
    print(f"\n## {DEFAULT}: simulated scores with a known mean, prior of AP\n")
    print("\n".join(error_table(worlds)), flush=True)
    compared = judge_tables(tables, n_compared)
    print(f"\n## All methods: mean over {len(compared)} tables, {n_compared:,} samples\n")
    print("\n".join(method_table(compared)), flush=True)
    others = ("student-t", "logit-t", "studentised-logit")  # besides the default
    worlds = {
        name: judge(name, "AP", scores[None], prior, n_compared, (DEFAULT, *others))
        for name, scores in populations.items()
    }
    for method in others:
        print(f"\n## {method}: the same simulated scores, {n_compared:,} samples\n")
        print("\n".join(error_table(worlds, method)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("command", nargs="?", choices=("table", "fit"), default="table")
    parser.add_argument("--data", nargs="+", type=Path, required=True, metavar="DIRECTORY")
    parser.add_argument("--n-samples", type=int, default=N_SAMPLES)
    parser.add_argument("--n-compared", type=int, default=N_COMPARED, help="of all methods")
    options = parser.parse_args()
    if options.command == "fit":
        print_fit(load_tables(options.data))
    else:
        print_validity(options.data, options.n_samples, options.n_compared)


if __name__ == "__main__":
    main()
