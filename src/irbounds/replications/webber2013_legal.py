"""Webber (2013), Table XII: recall in the Interactive Task of the TREC 2009 Legal Track.

Each topic's strata are the intersections of what the teams retrieved, and each stratum has its own
sample. The table gives three intervals a team: the beta-binomial with prior 0.5, the normal one
with its covariance, and the normal one with a document of each kind added to every stratum
(Laplace). The counts are those after adjudication.

Normal and Laplace intervals are formulas, so every printed digit is to be met. The paper's
beta-binomial ends are quantiles of 10,000 draws, and differ from the computed ones by their noise.
"""

from __future__ import annotations

from pathlib import Path

from ..errors import DataError
from ..reading.strata_sheet import read_systems_sheet
from ..results import InputFile, Sample, StudyTable
from ..samples.recall_intervals import recall_interval
from ..validation import Progress
from .data_files import data_file

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


def legal09_table(
    directory: Path, progress: Progress | None = None
) -> tuple[StudyTable, tuple[InputFile, ...]]:
    """Table XII, and the sheet that it was computed from, of a data directory or its own."""
    path = data_file(directory, "legal09", SHEET)
    samples = {(one.topic, one.system): one for one in read_systems_sheet(path)}
    ours = []
    for topic, team in THEIRS:
        key = topic, RENAMED.get((topic, team), team)
        if key not in samples:
            raise DataError(f"{path}: no team {key[1]} in topic {topic}, which Table XII has")
        ours.append(_row(samples[key]))
        if progress:
            progress(len(ours), len(THEIRS))
    columns = [f"{method} {end}" for method in METHODS for end in ("low", "high")]
    table = StudyTable(
        study="webber2013",
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


def _row(sample: Sample) -> tuple[float, ...]:
    """Recall, then both ends by each method."""
    estimates = [recall_interval(sample.strata, method=method) for method in METHODS]
    ends = [end for one in estimates for end in (one.interval.low, one.interval.high)]
    return (estimates[0].value, *ends)
