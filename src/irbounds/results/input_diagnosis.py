"""The diagnosis of inputs: counts and warnings."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from ..presentation.column_roles import Warnings
from ..presentation.registry import Presentation, present
from ..presentation.rounding import PERCENT_DECIMALS, percentage
from ..presentation.table import Table
from .result import Result, shorten_fingerprint

MOSTLY = 0.5  # of a run's entries that are tied
NOTABLE = 0.001  # a change of a score that is worth a warning
NOTHING = "Nothing is unusual."


@dataclass(frozen=True)
class QrelsDiagnosis:
    """Counts of the judgments."""

    name: str
    fingerprint: str
    n_queries: int
    n_judgments: int
    n_documents: int
    n_relevant: int
    max_grade: int
    n_negative: int
    n_repeated: int
    #: of the queries that are scored
    n_without_relevant: int


@dataclass(frozen=True)
class RunDiagnosis:
    """Counts of one run, also relative to the judgments."""

    name: str
    fingerprint: str
    n_queries: int
    n_entries: int
    #: distinct ones
    n_documents: int
    depth_least: int
    depth_median: float
    depth_most: int
    judged_at_10: float
    judged_at_100: float
    #: entries whose score equals a neighbour's
    n_tied: int
    tied_share: float
    #: mean AP in the worst and in the best order within ties
    tie_low: float
    tie_high: float
    #: queries whose documents all have one score
    n_constant: int
    n_missing: int
    n_unjudged: int
    n_duplicates: int
    n_rank_contradictions: int
    never_relevant: bool
    options: tuple[str, ...]
    #: scored queries with too few documents for the measures, and with relevant ones missing
    n_short: int = 0
    #: the fewest documents among them
    short_least: int = 0
    #: scored queries that single precision moves by more than 0.001, the largest change, and where
    n_float32: int = 0
    float32_change: float = 0.0
    float32_measure: str = ""
    float32_query: str = ""

    @property
    def has_notable_ties(self) -> bool:
        """Whether most entries are tied, or the order within ties changes the mean AP."""
        return self.tied_share >= MOSTLY or self.tie_high - self.tie_low > NOTABLE


@dataclass(frozen=True)
class Diagnosis(Result):
    """Counts and warnings about judgments and runs, and how irregularities were handled."""

    qrels: QrelsDiagnosis
    runs: tuple[RunDiagnosis, ...]
    #: the rule for queries that a run lacks, and how many queries it leaves
    queries: str
    n_scored: int
    #: sentences, most serious first; empty where nothing is unusual
    warnings: Warnings
    #: sentences on what was done because an option requested it
    notes: tuple[str, ...] = ()

    def _records(self) -> list[dict[str, Any]]:
        """Return one record per run."""
        return [{**asdict(run), "options": "; ".join(run.options)} for run in self.runs]


def summary_lines(diagnosis: Diagnosis) -> list[str]:
    """Return the inputs in a few lines; the caller shows the warnings."""
    qrels, runs = diagnosis.qrels, diagnosis.runs
    grades = f", highest grade {qrels.max_grade}" if qrels.max_grade > 1 else ""
    return [
        f"judgments {qrels.name} ({shorten_fingerprint(qrels.fingerprint)}): "
        f"queries {qrels.n_queries:,}, judgments {qrels.n_judgments:,}, "
        f"relevant {qrels.n_relevant:,}{grades}",
        f"runs {len(runs)}: entries {sum(run.n_entries for run in runs):,}, "
        f"at most {max(run.depth_most for run in runs):,} per query; "
        f"judged of the first 10: {_range([run.judged_at_10 for run in runs])}; "
        f"tied: {_range([run.tied_share for run in runs])}",
        *diagnosis.notes,
    ]


def run_table(diagnosis: Diagnosis) -> Table:
    """Return the content of the runs; text does not show it."""
    cells = []
    for run in diagnosis.runs:
        depths = [f"{run.depth_least:,}", f"{run.depth_most:,}"]
        judged = f"{_percent(run.judged_at_10).removesuffix(' %')}/{_percent(run.judged_at_100)}"
        cells.append(
            (
                run.name,
                f"{run.n_queries:,}",
                f"{run.n_entries:,}",
                f"{run.n_documents:,}",
                "-".join(dict.fromkeys(depths)),
                judged,
                _percent(run.tied_share),
            )
        )
    return Table(
        title="content of the runs",
        headings=("run", "queries", "entries", "documents", "depth", "judged", "tied"),
        cells=tuple(cells),
        records=tuple(diagnosis._records()),
        caption="judged: of the first 10 / of the first 100",
        spare=("documents", "entries"),
        is_detail=True,
    )


def _percent(share: float) -> str:
    return percentage(share, PERCENT_DECIMALS)


def _range(shares: list[float]) -> str:
    low, high = _percent(min(shares)), _percent(max(shares))
    return low if low == high else f"{low.removesuffix(' %')} to {high}"


present(
    Diagnosis,
    Presentation(
        "Diagnosis of the inputs",
        tables=lambda rows, view: [*map(run_table, rows)],
        sentences=lambda rows, view: [
            line
            for row in rows
            for line in (*([] if row.warnings else [NOTHING]), *summary_lines(row))
        ],
        topics=lambda rows: ["diagnosis"],
        is_single=True,
    ),
)
