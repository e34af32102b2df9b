"""Webber (2013) on real collections: Table XII on the Legal Track, and coverage on CLEF TAR 2017.

Each topic's strata are the intersections of what the teams retrieved, and each stratum has its own
sample. The table gives three intervals per team: the beta-binomial with prior 0.5, the normal one
with its covariance, and the normal one with a document of each kind added to every stratum
(Laplace). The counts are those after adjudication.

Normal and Laplace intervals are formulas, so every printed digit is to be met. The paper's
beta-binomial ends are quantiles of 10,000 draws, and differ from the computed ones by their noise.

On CLEF TAR 2017 every document is judged, so real retrieved sets have a known recall. The
``thresh`` runs retrieve nearly all relevant documents, often all of them, which is the hardest case
for an interval: sets with a recall of 1 are a group of their own. Sets that contain the whole topic
are left out, because nothing outside of them can be sampled. For a middle case, the ranked run is
cut after a twentieth of each topic's documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..errors import DataError
from ..planning.recall_simulation import UNIT, estimate_coverage
from ..reading.qrels_and_runs import read_qrels, read_runs
from ..reading.records import Qrels, Run
from ..reading.strata_sheet import read_systems_sheet
from ..resampling.seeds import SeedLike, seed_number
from ..results import InputFile, RecallCoverage, RecallRealisation, Sample
from ..samples.recall_intervals import recall_interval
from ..validation import Progress, check_count
from .paper_tables import StudyTable
from .study_data import data_file
from .webber2013_coverage import MIN_SAMPLES, STUDY, method_table, partial_progress

SHEET = "legal09_strata.csv"
#: in the paper's order
METHODS = ("beta-binomial", "normal", "laplace")
#: the paper's name of a team, and the sheet's
RENAMED = {("204", "UD"): "AD"}
# fmt: off
#: as printed, by topic and team: recall, then the low and the high end by each of the methods
THEIRS = {
    ("201", "UW"): (0.778, 0.451, 0.929, 0.485, 1.070, 0.351, 0.916),
    ("201", "CS"): (0.489, 0.287, 0.593, 0.304, 0.673, 0.226, 0.593),
    ("201", "CB"): (0.204, 0.119, 0.250, 0.126, 0.282, 0.093, 0.247),
    ("201", "UP"): (0.167, 0.097, 0.208, 0.102, 0.231, 0.076, 0.205),
    ("202", "UW"): (0.673, 0.523, 0.768, 0.542, 0.803, 0.501, 0.771),
    ("202", "CS"): (0.579, 0.451, 0.662, 0.467, 0.692, 0.432, 0.664),
    ("203", "UW"): (0.865, 0.625, 0.881, 0.832, 0.897, 0.552, 0.940),
    ("203", "UB"): (0.592, 0.427, 0.621, 0.552, 0.631, 0.378, 0.652),
    ("203", "ZL-NoCull"): (0.175, 0.123, 0.185, 0.157, 0.192, 0.105, 0.185),
    ("203", "ZL-Cull"): (0.029, 0.019, 0.034, 0.023, 0.035, 0.016, 0.033),
    ("204", "H5"): (0.762, 0.572, 0.882, 0.595, 0.930, 0.538, 0.874),
    ("204", "UD"): (0.305, 0.229, 0.360, 0.235, 0.374, 0.216, 0.358),
    ("204", "CB"): (0.198, 0.148, 0.240, 0.151, 0.246, 0.140, 0.238),
    ("205", "CS"): (0.673, 0.593, 0.738, 0.599, 0.747, 0.587, 0.737),
    ("205", "EQ"): (0.463, 0.404, 0.509, 0.409, 0.516, 0.399, 0.505),
    ("205", "IN"): (0.292, 0.253, 0.327, 0.254, 0.329, 0.250, 0.325),
    ("206", "CB-High"): (0.076, 0.052, 0.112, 0.046, 0.106, 0.049, 0.109),
    ("206", "LO"): (0.042, 0.025, 0.069, 0.020, 0.063, 0.023, 0.067),
    ("206", "CB-Mid"): (0.011, 0.007, 0.015, 0.007, 0.015, 0.007, 0.014),
    ("206", "CB-Low"): (0.009, 0.006, 0.013, 0.006, 0.013, 0.005, 0.012),
    ("207", "CB"): (0.768, 0.698, 0.798, 0.723, 0.813, 0.689, 0.802),
    ("207", "UW"): (0.761, 0.689, 0.791, 0.714, 0.807, 0.677, 0.791),
    ("207", "LO"): (0.538, 0.489, 0.566, 0.503, 0.573, 0.484, 0.569),
    ("207", "EQ"): (0.483, 0.437, 0.507, 0.451, 0.515, 0.430, 0.507),
}
# fmt: on
CLEF, QRELS = "clef-tar2017", "qrel_abs_test.txt"
THRESH = ("waterloo-A-thresh-normal.run", "waterloo-B-thresh-normal.run")
RANKED = "waterloo-A-rank-normal.run"
CUT = 0.05  # of a topic's documents
RETRIEVED_SAMPLE, UNRETRIEVED_SAMPLE = 100, 300  # or all, where there are fewer
CLEF_PLACE = 4  # of its samples, after those of scenarios


# ---- the Legal Track ----


def legal09_table(
    directory: Path, progress: Progress | None = None
) -> tuple[StudyTable, tuple[InputFile, ...]]:
    """Return Table XII, and the sheet that it was computed from, of a data directory or part."""
    path = data_file(directory, "legal09", SHEET)
    samples = {(sample.topic, sample.system): sample for sample in read_systems_sheet(path)}
    ours = []
    for topic, team in THEIRS:
        key = topic, RENAMED.get((topic, team), team)
        if key not in samples:
            raise DataError(f"{path}: no team {key[1]} in topic {topic}, which Table XII has")
        ours.append(_estimates(samples[key]))
        if progress:
            progress(len(ours), len(THEIRS))
    columns = [f"{method} {end}" for method in METHODS for end in ("low", "high")]
    table = StudyTable(
        study=STUDY,
        number=12,
        title="recall and its 95 % interval in the TREC 2009 Legal Track",
        corner="topic, team",
        rows=tuple(f"{topic} {team}" for topic, team in THEIRS),
        columns=("recall", *columns),
        ours=tuple(ours),
        theirs=tuple(THEIRS.values()),
        noise=(),
        name="Table XII",
    )
    return table, next(iter(samples.values())).inputs


def _estimates(sample: Sample) -> tuple[float, ...]:
    """Return recall, then both ends by each method."""
    estimates = [recall_interval(sample.strata, method=method) for method in METHODS]
    ends = [
        end for estimate in estimates for end in (estimate.interval.low, estimate.interval.high)
    ]
    return (estimates[0].value, *ends)


# ---- CLEF TAR 2017 ----


def clef_tables(
    directory: Path,
    *,
    n_samples: int = 1000,
    rng: SeedLike = None,
    progress: Progress | None = None,
) -> tuple[list[StudyTable], tuple[InputFile, ...]]:
    """Return coverage and width on the topics of CLEF TAR 2017, and the files that were read."""
    seed = seed_number(rng)
    n_samples = check_count("n_samples", n_samples, minimum=MIN_SAMPLES)
    qrels, thresh, ranked = _read_clef(directory)
    sets = [retrieved for run in thresh for retrieved in list_retrieved_sets(qrels, run)]
    groups = {
        "all found": [retrieved for retrieved in sets if not retrieved.relevant_unretrieved],
        "thresh": [retrieved for retrieved in sets if retrieved.relevant_unretrieved],
        "cut": list_retrieved_sets(qrels, ranked, cut=CUT),
    }
    steps = [len(group) * -(-n_samples // UNIT) for group in groups.values()]
    coverages = [
        estimate_coverage(
            group,
            name=name,
            n_samples=n_samples,
            place=CLEF_PLACE + k,
            rng=seed,
            progress=partial_progress(progress, sum(steps[:k]), sum(steps)),
        )
        for k, (name, group) in enumerate(groups.items())
    ]
    inputs = tuple(
        InputFile(source.name, source.fingerprint) for source in (qrels, *thresh, ranked)
    )
    return [clef_table(coverages)], inputs


def clef_table(coverages: Sequence[RecallCoverage]) -> StudyTable:
    """Return mean coverage and width by group of retrieved sets."""
    columns, ours, noise = [], [], []
    for coverage in coverages:
        columns += [f"{coverage.scenario} cvr", f"{coverage.scenario} width"]
        ours += [[row.coverage for row in coverage.rows], [row.width for row in coverage.rows]]
        noise += [
            [row.coverage_noise for row in coverage.rows],
            [row.width_noise for row in coverage.rows],
        ]
    sizes = ", ".join(f"{coverage.scenario} {len(coverage.realisations)}" for coverage in coverages)
    title = (
        f"samples of {RETRIEVED_SAMPLE} and {UNRETRIEVED_SAMPLE} documents; retrieved sets: {sizes}"
    )
    return method_table("CLEF TAR 2017", 0, title, columns, ours, noise)


def list_retrieved_sets(
    qrels: Qrels, run: Run, *, cut: float | None = None
) -> list[RecallRealisation]:
    """Return a run's documents of each judged topic as a retrieved set.

    Topics without anything to sample inside or outside of the set are left out. ``cut`` ends a
    ranking after that fraction of the topic's documents.
    """
    names, places = qrels.doc_ids(), {query: k for k, query in enumerate(run.query_ids)}
    ranked = run.doc_ids()
    realisations = []
    for k, query in enumerate(qrels.query_ids):
        entries = range(qrels.bounds[k], qrels.bounds[k + 1])
        relevance = {names[entry]: qrels.relevance[entry] for entry in entries}
        if query not in places:
            continue
        first, last = run.bounds[places[query]], run.bounds[places[query] + 1]
        if cut is not None:
            last = min(last, first + round(cut * len(relevance)))
        inside = [doc for doc in ranked[first:last] if doc in relevance]
        realisation = _realisation(relevance, inside)
        if realisation is not None:
            realisations.append(realisation)
    return realisations


def _realisation(relevance: dict[str, Any], inside: Sequence[str]) -> RecallRealisation | None:
    """Return a retrieved set; None if nothing is outside, nothing inside, or nothing relevant."""
    rest = len(relevance) - len(inside)
    relevant = sum(grade > 0 for grade in relevance.values())
    hits = sum(relevance[doc] > 0 for doc in inside)
    if not (rest and inside and relevant):
        return None
    samples = min(RETRIEVED_SAMPLE, len(inside)), min(UNRETRIEVED_SAMPLE, rest)
    return RecallRealisation(len(inside), rest, int(hits), int(relevant - hits), *samples)


def _read_clef(directory: Path) -> tuple[Qrels, tuple[Run, ...], Run]:
    files = {Path(name).stem: data_file(directory, CLEF, name) for name in (*THRESH, RANKED)}
    *thresh, ranked = read_runs(files)
    return read_qrels(data_file(directory, CLEF, QRELS)), tuple(thresh), ranked
