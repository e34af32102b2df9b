"""Webber (2013), Tables IX and X and Figures 13 and 14: how often nine intervals hold the recall.

Three scenarios of corpora and retrieved sets, 1,000 realisations each, 1,000 samples of each
realisation, all methods on the same samples. The paper's posteriors are 10,000 draws for each
interval; here their limits are computed, which is why the whole takes minutes.

What an RMSE over a thousand realisations is worth depends on the method. For most it settles. For
the beta-binomial with a uniform prior in the neutral scenario a handful of realisations decides it,
where next to nothing relevant is left unretrieved and only some tens or hundreds of documents are
sampled there: the sample holds nothing relevant, always, and the prior, which adds one relevant
document, puts the truth above every interval. Each such realisation has a coverage near 0 and adds
0.0009 to the mean square. There are 2.5 of them in a thousand on average (20,000 were tried): two
make an RMSE of 0.045, three 0.055, and five or six, which one in ten sets of a thousand has, the
paper's 0.072.

On CLEF TAR 2017 everything is judged, so that real retrieved sets have a known recall. The
``thresh`` runs retrieve nearly all that is relevant, often all of it, which is the hardest case for
an interval: those sets stand apart from the others, and sets that hold the whole topic are left
out, as there is nothing outside to sample. So that there is something in between, the ranked run is
cut after a twentieth of each topic's documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..planning.recall_scenarios import SCENARIOS, RecallDesign
from ..planning.recall_simulation import NINE_METHODS, UNIT, coverage_of, recall_coverage
from ..reading.qrels_and_runs import read_qrels, read_runs
from ..reading.records import Qrels, Run
from ..resampling.seeds import SeedLike, seed_number
from ..results import InputFile, RecallCoverage, RecallRealisation, StudyTable
from ..validation import Progress, check_choice, check_count
from .data_files import data_file

#: as printed, by scenario: RMSE (Table IX), mean width and mean coverage (Table X) of the methods
THEIRS = {
    "neutral": (
        (0.252, 0.225, 0.107, 0.215, 0.016, 0.026, 0.072, 0.020, 0.014),
        (0.23, 0.18, 0.22, 0.19, 0.22, 0.22, 0.21, 0.22, 0.22),
        (0.83, 0.86, 0.92, 0.87, 0.96, 0.94, 0.94, 0.95, 0.95),
    ),
    "legal": (
        (0.281, 0.189, 0.110, 0.251, 0.011, 0.014, 0.014, 0.015, 0.013),
        (0.21, 0.21, 0.23, 0.19, 0.26, 0.26, 0.24, 0.26, 0.26),
        (0.80, 0.87, 0.90, 0.82, 0.95, 0.95, 0.95, 0.95, 0.95),
    ),
    "small": (
        (0.063, 0.155, 0.034, 0.120, 0.026, 0.042, 0.012, 0.014, 0.012),
        (0.29, 0.21, 0.22, 0.21, 0.24, 0.19, 0.22, 0.21, 0.21),
        (0.95, 0.89, 0.94, 0.89, 0.97, 0.92, 0.95, 0.95, 0.95),
    ),
}
THEIR_MEANS = (0.199, 0.189, 0.084, 0.195, 0.017, 0.027, 0.033, 0.016, 0.013)
STUDY = "webber2013"
PART, QRELS = "clef-tar2017", "qrel_abs_test.txt"
THRESH = ("waterloo-A-thresh-normal.run", "waterloo-B-thresh-normal.run")
RANKED = "waterloo-A-rank-normal.run"
CUT = 0.05  # of a topic's documents
RETRIEVED_SAMPLE, UNRETRIEVED_SAMPLE = 100, 300  # or all, where there are fewer
LEAST_SAMPLES = 2
CLEF_PLACE = 4  # of its samples, after those of scenarios


def scenario_coverages(
    scenarios: Sequence[str | RecallDesign] = tuple(THEIRS),
    *,
    n_realisations: int = 1000,
    n_samples: int = 1000,
    rng: SeedLike = None,
    progress: Progress | None = None,
) -> list[RecallCoverage]:
    """How the nine methods fare in each scenario, by realisation: what tables and figures need."""
    seed = seed_number(rng)
    n_realisations = check_count("n_realisations", n_realisations, minimum=2)
    n_samples = check_count("n_samples", n_samples, minimum=LEAST_SAMPLES)
    for scenario in scenarios:
        if not isinstance(scenario, RecallDesign):
            check_choice("scenario", scenario, SCENARIOS)
    sizes = [None if isinstance(one, RecallDesign) else n_realisations for one in scenarios]
    steps = [(size or 1) * -(-n_samples // UNIT) for size in sizes]
    return [
        recall_coverage(
            scenario,
            n_realisations=size,
            n_samples=n_samples,
            rng=seed,
            progress=_part_of(progress, sum(steps[:k]), sum(steps)),
        )
        for k, (scenario, size) in enumerate(zip(scenarios, sizes, strict=True))
    ]


def tables_of(found: Sequence[RecallCoverage]) -> list[StudyTable]:
    """The tables of coverages that are there already."""
    papers = [one for one in found if one.scenario in THEIRS]
    tables = []
    if papers:
        tables += [table_ix(papers), table_x(papers), figure_13(papers), figure_14(papers)]
    return tables + [own_table(one) for one in found if one.scenario not in THEIRS]


def table_ix(found: Sequence[RecallCoverage]) -> StudyTable:
    """Root mean squared error of coverage, with the mean over scenarios if all are there."""
    columns = [one.scenario for one in found]
    ours = [[row.rmse for row in one.rows] for one in found]
    noise = [[row.rmse_noise for row in one.rows] for one in found]
    theirs: list[Sequence[float]] = [THEIRS[name][0] for name in columns]
    if set(columns) == set(THEIRS):
        ours.append(list(np.mean(ours, axis=0)))
        noise.append(list(np.sqrt(np.square(noise).sum(axis=0)) / len(noise)))
        theirs.append(THEIR_MEANS)
        columns.append("mean")
    title = "root mean squared error from nominal coverage"
    return _table("Table IX", 9, title, columns, ours, theirs, noise, 3)


def table_x(found: Sequence[RecallCoverage]) -> StudyTable:
    """Mean width and mean coverage."""
    columns, ours, theirs, noise = [], [], [], []
    for one in found:
        columns += [f"{one.scenario} width", f"{one.scenario} cvr"]
        ours += [[row.width for row in one.rows], [row.coverage for row in one.rows]]
        noise += [[row.width_noise for row in one.rows], [row.coverage_noise for row in one.rows]]
        theirs += [THEIRS[one.scenario][1], THEIRS[one.scenario][2]]
    return _table("Table X", 10, "mean width and mean coverage", columns, ours, theirs, noise, 2)


def figure_13(found: Sequence[RecallCoverage]) -> StudyTable:
    """Balance: where the truth is when an interval misses it. The paper prints no numbers."""
    columns, ours, noise = [], [], []
    for one in found:
        columns += [f"{one.scenario} below", f"{one.scenario} above"]
        for shares in (one.below, one.above):
            ours.append(list(shares.mean(axis=0)))
            noise.append(list(shares.std(axis=0, ddof=1) / np.sqrt(len(shares))))
    title = "share of samples with the true recall below, or above, the interval"
    return _table("Figure 13", 13, title, columns, ours, _unknown(ours), noise, 3)


def figure_14(found: Sequence[RecallCoverage]) -> StudyTable:
    """Share of realisations in which a method comes nearest. The paper prints no numbers."""
    ours = [[row.closest for row in one.rows] for one in found]
    n = [len(one.realisations) for one in found]
    noise = [
        list(np.sqrt(np.multiply(p, np.subtract(1, p)) / k)) for p, k in zip(ours, n, strict=True)
    ]
    title = "share of realisations in which a method's coverage is nearest the level"
    columns = [one.scenario for one in found]
    return _table("Figure 14", 14, title, columns, ours, _unknown(ours), noise, 3)


def own_table(found: RecallCoverage) -> StudyTable:
    """A design of one's own: coverage, balance and width."""
    n = found.n_samples
    ours = [[getattr(row, name) for row in found.rows] for name in ("coverage", "below", "above")]
    noise = [_share_noise(shares, n) for shares in ours]
    ours.append([row.width for row in found.rows])
    noise.append([row.width_noise for row in found.rows])
    one = found.realisations[0]
    title = (
        f"{one.retrieved_sample:,} of {one.retrieved:,} retrieved and {one.unretrieved_sample:,} "
        f"of {one.unretrieved:,} other documents sampled, recall {one.recall:.4g}"
    )
    columns = ["coverage", "below", "above", "width"]
    return _table("Own sizes", 0, title, columns, ours, _unknown(ours), noise, 3)


def clef_tables(
    directory: Path,
    *,
    n_samples: int = 1000,
    rng: SeedLike = None,
    progress: Progress | None = None,
) -> tuple[list[StudyTable], tuple[InputFile, ...]]:
    """Coverage and width on the topics of CLEF TAR 2017, and what was read."""
    seed = seed_number(rng)
    n_samples = check_count("n_samples", n_samples, minimum=LEAST_SAMPLES)
    qrels, thresh, ranked = _clef(directory)
    sets = [one for run in thresh for one in retrieved_sets(qrels, run)]
    groups = {
        "all found": [one for one in sets if not one.relevant_unretrieved],
        "thresh": [one for one in sets if one.relevant_unretrieved],
        "cut": retrieved_sets(qrels, ranked, cut=CUT),
    }
    steps = [len(group) * -(-n_samples // UNIT) for group in groups.values()]
    found = [
        coverage_of(
            group,
            name=name,
            n_samples=n_samples,
            place=CLEF_PLACE + k,
            rng=seed,
            progress=_part_of(progress, sum(steps[:k]), sum(steps)),
        )
        for k, (name, group) in enumerate(groups.items())
    ]
    read = (qrels, *thresh, ranked)
    return [clef_table(found)], tuple(InputFile(one.name, one.fingerprint) for one in read)


def clef_table(found: Sequence[RecallCoverage]) -> StudyTable:
    """Mean coverage and width by group of retrieved sets."""
    columns, ours, noise = [], [], []
    for one in found:
        columns += [f"{one.scenario} cvr", f"{one.scenario} width"]
        ours += [[row.coverage for row in one.rows], [row.width for row in one.rows]]
        noise += [[row.coverage_noise for row in one.rows], [row.width_noise for row in one.rows]]
    sizes = ", ".join(f"{one.scenario} {len(one.realisations)}" for one in found)
    title = (
        f"samples of {RETRIEVED_SAMPLE} and {UNRETRIEVED_SAMPLE} documents; retrieved sets: {sizes}"
    )
    return _table("CLEF TAR 2017", 0, title, columns, ours, _unknown(ours), noise, 3)


def retrieved_sets(qrels: Qrels, run: Run, *, cut: float | None = None) -> list[RecallRealisation]:
    """A run's documents of each judged topic as a retrieved set; those without a rest left out."""
    names, places = qrels.doc_ids(), {query: k for k, query in enumerate(run.query_ids)}
    ranked = run.doc_ids()
    found = []
    for k, query in enumerate(qrels.query_ids):
        entries = range(qrels.bounds[k], qrels.bounds[k + 1])
        relevance = {names[entry]: qrels.relevance[entry] for entry in entries}
        if query not in places:
            continue
        first, last = run.bounds[places[query]], run.bounds[places[query] + 1]
        if cut is not None:
            last = min(last, first + round(cut * len(relevance)))
        inside = [doc for doc in ranked[first:last] if doc in relevance]
        made = _realisation(relevance, inside)
        if made is not None:
            found.append(made)
    return found


def _realisation(relevance: dict[str, Any], inside: Sequence[str]) -> RecallRealisation | None:
    """None where nothing is outside, nothing inside, or nothing relevant."""
    rest = len(relevance) - len(inside)
    relevant = sum(grade > 0 for grade in relevance.values())
    hits = sum(relevance[doc] > 0 for doc in inside)
    if not (rest and inside and relevant):
        return None
    samples = min(RETRIEVED_SAMPLE, len(inside)), min(UNRETRIEVED_SAMPLE, rest)
    return RecallRealisation(len(inside), rest, int(hits), int(relevant - hits), *samples)


def _clef(directory: Path) -> tuple[Qrels, tuple[Run, ...], Run]:
    files = {Path(name).stem: data_file(directory, PART, name) for name in (*THRESH, RANKED)}
    *thresh, ranked = read_runs(files)
    return read_qrels(data_file(directory, PART, QRELS)), tuple(thresh), ranked


def _part_of(progress: Progress | None, done_before: int, total: int) -> Progress | None:
    """Progress of one part as that of the whole."""
    if progress is None:
        return None
    return lambda done, _: progress(done_before + done, total)


def _share_noise(shares: Sequence[float], n: int) -> list[float]:
    return [float(np.sqrt(share * (1 - share) / n)) for share in shares]


def _unknown(ours: Sequence[Sequence[float]]) -> list[list[float]]:
    return [[np.nan] * len(column) for column in ours]


def _table(
    name: str,
    number: int,
    title: str,
    columns: Sequence[str],
    ours: Sequence[Sequence[float]],
    theirs: Sequence[Sequence[float]],
    noise: Sequence[Sequence[float]],
    decimals: int,
) -> StudyTable:
    """Numbers by column, as a table by row."""
    by_row = [
        tuple(tuple(map(float, row)) for row in zip(*numbers, strict=True))
        for numbers in (ours, theirs, noise)
    ]
    return StudyTable(
        study=STUDY,
        number=number,
        title=title,
        corner="method",
        rows=NINE_METHODS,
        columns=tuple(columns),
        ours=by_row[0],
        theirs=by_row[1],
        noise=by_row[2],
        decimals=decimals,
        name=name,
    )
