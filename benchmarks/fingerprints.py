"""Check that results are bit-identical wherever work runs: fingerprints per execution mode.

Everything that draws is run on one thread, on two, on two Dask workers and in 1 to 64 blocks. A
fingerprint is the SHA-256 of all that a result holds, its distributions included, so that a single
differing bit shows. ``python -m benchmarks.fingerprints`` prints the table and ends with an error
where any two differ. Fields are hashed in their first order (``FIRST_LAYOUT``) and without names,
so that fingerprints can be compared across versions that rename, reorder or add fields.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, make_dataclass
from functools import cache
from operator import attrgetter
from pathlib import Path

import irbounds
from irbounds.parallel import digests
from irbounds.parallel.dask import dask_client
from irbounds.verbs.chance import chance

Job = Callable[[], object]
Way = Callable[[], object]

SEED = 8
N_BLOCKS = (1, 2, 4, 8, 16, 32, 64)
BOOTSTRAPS = ("percentile", "basic", "bca", "studentised", "studentised-logit")
CORPUS_SIZE = 50_000
N_IMAGES = 64 * 64 - 5  # 64 units, the last one not full
DIGITS = 8  # of a fingerprint, that are shown


@cache
def collection():
    return irbounds.simulation.simulate_collection(6, 20, CORPUS_SIZE, 100, max_grade=2, rng=SEED)


@cache
def scores():
    return irbounds.score(collection().qrels, collection().runs, ["AP", "nDCG@10"])


@cache
def population(n_systems: int = 12, n_queries: int = 60):
    large = irbounds.simulation.simulate_collection(n_systems, n_queries, rng=SEED)
    return irbounds.score(large.qrels, large.runs, ["AP"])


def images():
    return irbounds.corpus_bootstrap(
        collection().qrels,
        collection().runs,
        ["AP", "nDCG@10"],
        corpus_size=CORPUS_SIZE,
        n_images=N_IMAGES,
        rng=SEED,
    )


@cache
def images_once():
    """Return the cached images, for jobs that use them."""
    return images()


def evaluate():
    return irbounds.mean_interval(scores(), method=BOOTSTRAPS, rng=SEED)


def compare():
    """Compare on sixty queries: on a grid, with drawn signs, and by the bootstrap test."""
    flips = {"test": "sign-flip"}
    options = (flips, flips | {"n_resamples": 9_999}, {"test": "bootstrap"})
    return [irbounds.difference_interval(population(), rng=SEED, **some) for some in options]


def compare_exactly():
    """Compare on twenty queries, for which all million sign vectors are enumerated."""
    return irbounds.difference_interval(scores(), test="sign-flip", rng=SEED, adjustment="none")


def corpus():
    replicates = images()
    tables = (
        replicates.score_precision(),
        replicates.rank_precision(),
        replicates.difference_precision(),
    )
    return tables


def two_way():
    return images_once().two_way_means(), images_once().variance_split()


def chance_levels():
    return chance(
        collection().qrels,
        collection().runs,
        measures=["AP", "nDCG@10"],
        corpus_size=CORPUS_SIZE,
        method="monte-carlo",
        n_draws=2_000,
        seed=SEED,
    )


#: the first fields of results that have changed since, as ``name`` or ``name=where it is now``; no
#: fields where these are as they were
FIRST_LAYOUT: dict[str, str] = {
    "Comparison": (
        "measure system baseline difference=value interval standard_error n effect_size test "
        "alternative p_value adjustment adjusted_p_value n_comparisons detectable_difference power "
        "limits distribution n_draws n_resamples seed inputs"
    ),
    "DifferencePrecision": (
        "measure system baseline root=value images interval higher_probability n_queries n_images"
    ),
    "Estimate": (
        "system measure value interval standard_error n limits distribution seed n_dropped inputs"
    ),
    "RankPrecision": (
        "measure system root=mean rank=value images low=interval.low high=interval.high "
        "best_probability over_next confidence_level=interval.confidence_level n_systems n_images"
    ),
    "ScorePrecision": "measure system root=value images interval decimals n_queries n_images",
    "VarianceSplit": (
        "measure system baseline root=value queries documents interaction total query_bootstrap "
        "document_bootstrap two_way_bootstrap interval n_queries n_images"
    ),
}


def values_of_fields(record: object) -> list[object]:
    """Return what a record holds, without the names of its fields."""
    return [value for _, value in named_values(record)]


# numbers alone are compared: a class, function, module or field may be renamed
named_values = digests._parts
digests._parts = values_of_fields
digests.qualified_name = lambda _: ""


def in_first_layout(result: object) -> object:
    """Return results under the names that they had first."""
    if isinstance(result, list | tuple):
        return type(result)(map(in_first_layout, result))
    kind = type(result).__name__
    if kind not in FIRST_LAYOUT:
        return result
    names = FIRST_LAYOUT[kind]
    places = dict(name.split("=") if "=" in name else (name, name) for name in names.split())
    places = places or {member.name: member.name for member in fields(result)}
    stand_in = make_dataclass(kind, places, eq=False)
    return stand_in(*(attrgetter(place)(result) for place in places.values()))


#: what is run, by the name in the table
JOBS: dict[str, Job] = {
    "evaluate": evaluate,
    "compare": compare,
    "compare, all signs": compare_exactly,
    "corpus": corpus,
    "corpus --resample-queries": two_way,
    "chance": chance_levels,
}


@contextmanager
def ways() -> Iterator[dict[str, Way]]:
    """Return the execution modes by name; each starts without a checkpoint."""
    with tempfile.TemporaryDirectory() as directory, dask_client("local", 2) as client:
        checkpoints = Path(directory)
        yield {
            "1 thread": lambda: irbounds.execution(threads=1),
            "2 threads": lambda: irbounds.execution(threads=2),
            "Dask, 2 workers": lambda: irbounds.execution(executor=client),
            **{
                f"{n} block{'s' if n > 1 else ''}": lambda n=n: irbounds.execution(n_blocks=n)
                for n in N_BLOCKS
            },
            "checkpoint": lambda: irbounds.execution(checkpoint=fresh(checkpoints), n_blocks=5),
        }


def fresh(directory: Path) -> Path:
    return directory / str(len(list(directory.iterdir())))


def fingerprints(jobs: dict[str, Job] = JOBS) -> dict[str, dict[str, str]]:
    """Return the fingerprint of each job and execution mode."""
    digest_by_way: dict[str, dict[str, str]] = {job: {} for job in jobs}
    with ways() as all_ways:
        for job, work in jobs.items():
            for way, begin in all_ways.items():
                with begin():
                    digest_by_way[job][way] = digests.compute_digest(in_first_layout(work()))
    return digest_by_way


def check(digest_by_way: dict[str, dict[str, str]]) -> None:
    """Exit with an error if one job has two fingerprints."""
    differing = [job for job, prints in digest_by_way.items() if len(set(prints.values())) > 1]
    if differing:
        conflicts = {job: digest_by_way[job] for job in differing}
        raise SystemExit(f"fingerprints differ: {conflicts}")


def markdown(digest_by_way: dict[str, dict[str, str]]) -> str:
    """Return one row per job; ``check`` has shown that all modes have the same fingerprint."""
    lines = ["| | fingerprint |", "| --- | --- |"]
    for job, prints in digest_by_way.items():
        lines.append(f"| {job} | `{next(iter(prints.values()))[:DIGITS]}` |")
    return "\n".join(lines)


def report() -> str:
    digest_by_way = fingerprints()
    check(digest_by_way)
    ways_taken = ", ".join(next(iter(digest_by_way.values())))
    return (
        f"Fingerprints of whole results, seed {SEED}, the same in all of these ways: {ways_taken}"
        f"\n\n{markdown(digest_by_way)}"
    )


if __name__ == "__main__":
    print(report())
