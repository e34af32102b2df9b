"""The diagnosis of inputs: counts and warnings, and the effect of ties on scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Annotated, Any

from ..presentation.column_roles import Column, Count, Key, Warnings
from ..presentation.phrases import group_by_measure, pluralise, pluralise_queries
from ..presentation.registry import Presentation, View, make_tables, present
from ..presentation.rounding import PERCENT_DECIMALS, UNKNOWN, fixed, format_setting, percentage
from ..presentation.table import Table
from .result import Result, shorten_fingerprint

MOSTLY = 0.5  # of a run's entries that are tied
NOTABLE = 0.001  # a change of a score that is worth a warning


@dataclass(frozen=True)
class QrelsDiagnosis:
    """Counts and warnings about the judgments."""

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
    """Counts and warnings about one run, also relative to the judgments."""

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
    def tie_span(self) -> float:
        """The mean AP in the best order within ties minus that in the worst."""
        return self.tie_high - self.tie_low

    @property
    def has_notable_ties(self) -> bool:
        """Whether most entries are tied, or the order within ties changes the mean AP."""
        return self.tied_share >= MOSTLY or self.tie_span > NOTABLE


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
    #: the effect of ties on mean scores, where it was computed
    ties: tuple[TieEffect, ...] = field(default=(), repr=False)

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
        *_reach_of_ties(runs),
        *diagnosis.notes,
    ]


def check_lines(
    diagnosis: Diagnosis, effects: Sequence[TieEffect] = (), *, verbose: bool = False
) -> list[str]:
    """Return the inputs in one line, or in several, and the effect of ties on the means.

    The line states if nothing is unusual; the caller shows the warnings.
    """
    measures = [part for part in group_by_measure(effects) if part[0].measure != "AP"]
    ties = [line for part in measures for line in _reach_of_effects(part)]
    if verbose:
        return [*summary_lines(diagnosis), *ties]
    runs = diagnosis.runs
    if not any(run.has_notable_ties for run in runs):  # otherwise a warning mentions them
        ties = [*_reach_of_ties(runs), *ties]
    judged, tied = ([getattr(run, it) for run in runs] for it in ("judged_at_10", "tied_share"))
    line = (
        f"{pluralise(len(runs), 'run')}, {pluralise_queries(diagnosis.qrels.n_queries)}; "
        f"{_range(judged)} of the first 10 judged, {_range(tied)} of entries tied"
    )
    begin = "" if diagnosis.warnings else "nothing unusual: "
    return [f"{begin}{line}", *ties, *diagnosis.notes]


def diagnosis_sentences(diagnosis: Diagnosis) -> list[str]:
    """Return how many findings are unusual, or which checks found nothing."""
    n = len(diagnosis.warnings)
    if n:
        return [f"{pluralise(n, 'unusual finding')}, listed among the inputs."]
    if any(map(_flaws, diagnosis.runs)):
        return []
    return ["No queries are missing, nothing is repeated or out of order."]


def _flaws(run: RunDiagnosis) -> int:
    return run.n_missing + run.n_duplicates + run.n_rank_contradictions


def diagnosis_tables(diagnosis: Diagnosis, effects: Sequence[TieEffect], view: View) -> list[Table]:
    """Return content, unusual counts, effects of ties and fingerprints of the runs.

    Text has them only where ``view`` is verbose.
    """
    tied = [effect for effect in effects if effect.n_tied]
    ties = make_tables(tied, View(view.digits)) if tied else []
    tables = [
        _content_table(diagnosis),
        _unusual_table(diagnosis.runs),
        # JSON has their records apart from those of the runs
        *(replace(table, records=(), bars=()) for table in ties),
        _fingerprint_table(diagnosis),
    ]
    return [replace(table, is_detail=not view.verbose) for table in tables]


def run_tables(diagnosis: Diagnosis) -> list[Table]:
    """Return the content of the runs, and unusual counts if there are any."""
    has_unusual = any(any(_unusual_counts(run)) for run in diagnosis.runs)
    more = [_unusual_table(diagnosis.runs)] if has_unusual else []
    return [_content_table(diagnosis), *more]


def _content_table(diagnosis: Diagnosis) -> Table:
    return Table(
        title="content of the runs",
        headings=("run", "queries", "entries", "documents", "depth", "judged", "tied"),
        cells=tuple(_content(run) for run in diagnosis.runs),
        records=tuple(diagnosis._records()),
        caption="judged: of the first 10 / of the first 100",
        spare=("documents", "entries"),
    )


def _unusual_table(runs: Sequence[RunDiagnosis]) -> Table:
    return Table(
        title="unusual queries and entries",
        headings=(
            *("run", "missing", "no judgments", "short", "one score"),
            *("repeated", "rank conflicts"),
        ),
        cells=tuple((run.name, *(f"{n:,}" for n in _unusual_counts(run))) for run in runs),
        records=(),  # all in those of the first table
        caption="numbers of queries, and of entries in the last two columns",
    )


def _fingerprint_table(diagnosis: Diagnosis) -> Table:
    files: list[QrelsDiagnosis | RunDiagnosis] = [diagnosis.qrels, *diagnosis.runs]
    return Table(
        title="fingerprints, SHA-256",
        headings=("file", "fingerprint"),
        cells=tuple((file.name, file.fingerprint.removeprefix("sha256:")) for file in files),
        records=(),
        first_number=2,  # a digest is read from its left
    )


def diagnosis_record(diagnosis: Diagnosis) -> dict[str, Any]:
    """Return the diagnosis for JSON, without runs and ties, which have their own records."""
    apart = ("runs", "ties")
    return {key: value for key, value in asdict(diagnosis).items() if key not in apart}


def _reach_of_ties(runs: Sequence[RunDiagnosis]) -> list[str]:
    """Return the run whose mean AP ties can move most, where four decimals show it."""
    widest = max(runs, key=lambda run: run.tie_span)
    return _reach("AP", widest.name, widest.tie_low, widest.tie_high)


def _reach_of_effects(effects: Sequence[TieEffect]) -> list[str]:
    widest = max(effects, key=lambda effect: effect.span)
    return _reach(widest.measure, widest.system, widest.worst, widest.best)


def _reach(measure: str, run: str, low: float, high: float) -> list[str]:
    span = fixed(high - low, UNKNOWN)
    if float(span) == 0:
        return []
    ends = " to ".join(fixed(end, UNKNOWN) for end in (low, high))
    return [f"ties leave the mean {measure} open by up to {span} ({run}: {ends})"]


def _content(run: RunDiagnosis) -> tuple[str, ...]:
    depth = f"{run.depth_most:,}"
    if run.depth_least != run.depth_most:
        depth = f"{run.depth_least:,}-{depth}"
    judged = f"{_percent(run.judged_at_10).removesuffix(' %')}/{_percent(run.judged_at_100)}"
    return (
        run.name,
        f"{run.n_queries:,}",
        f"{run.n_entries:,}",
        f"{run.n_documents:,}",
        depth,
        judged,
        _percent(run.tied_share),
    )


def _unusual_counts(run: RunDiagnosis) -> tuple[int, ...]:
    return (
        run.n_missing,
        run.n_unjudged,
        run.n_short,
        run.n_constant,
        run.n_duplicates,
        run.n_rank_contradictions,
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
        tables=lambda rows, view: [
            table for row in rows for table in diagnosis_tables(row, row.ties, view)
        ],
        sentences=lambda rows, view: [
            line for row in rows for line in check_lines(row, row.ties, verbose=view.verbose)
        ],
        figures=("dots:draw_diagnosis",),
        topics=lambda rows: ["diagnosis"],
        is_single=True,
    ),
)


@dataclass(frozen=True)
class TieEffect(Result):
    """One system by one measure: mean scores over queries by each rule for ties."""

    system: Annotated[str, Column("key", "run")]
    measure: Key
    #: entries whose score equals a neighbour's, of all queries of the run, and their fraction
    n_tied: Annotated[int, Column("count", "tied", note="entries")]
    tied_share: float
    #: queries of the means
    n: Count
    #: how many of them score differently in the best and the worst order
    n_affected: Annotated[int, Column("count", "queries", note="where best and worst differ")]
    #: the document id decides, as in trec_eval
    trec: float
    #: over all orders within ties
    expected: float
    worst: float
    best: float

    @property
    def span(
        self,
    ) -> Annotated[float, Column(text=lambda effect, places: effect._span_text(places))]:
        """The mean in the best order minus that in the worst."""
        return self.best - self.worst

    def _span_text(self, places: int) -> str:
        """Return ``0`` where the order changes no query."""
        least = 10.0**-places
        if not self.n_affected:
            return "0"
        return f"<{fixed(least, places)}" if self.span < least / 2 else fixed(self.span, places)


present(
    TieEffect,
    Presentation(
        "Ties",
        columns=("system", "n_tied", "n_affected", "trec", "expected", "worst", "best", "span"),
        title=lambda rows, view: f"ties: mean {rows[0].measure} by each rule",
        places=lambda rows: UNKNOWN,
        bar=lambda effect: (effect.worst, effect.trec, effect.best),
        sentences=lambda rows, view: tie_sentences(rows),
        figures=("dots:draw_tie_effects",),
        topics=lambda rows: ["ties"],
    ),
)


def tie_sentences(effects: Sequence[TieEffect]) -> list[str]:
    """Return one sentence per measure: the run whose mean ties can change most."""
    return [_most_tied(part) for part in group_by_measure(effects)]


def _most_tied(part: Sequence[TieEffect]) -> str:
    widest = max(part, key=lambda effect: effect.span)
    span = fixed(widest.span, UNKNOWN)
    if float(span) == 0:
        smallest = format_setting(10.0**-UNKNOWN)
        return f"{widest.measure}: ties move no run's mean by as much as {smallest}."
    low, high = fixed(widest.worst, UNKNOWN), fixed(widest.best, UNKNOWN)
    return (
        f"{widest.measure}: by the order within ties the mean of {widest.system} could be anything "
        f"from {low} to {high}, a span of {span}; no other run's is wider."
    )
