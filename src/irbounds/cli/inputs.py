"""Judgments and runs, or tables of scores, as a command was given them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ..errors import ParameterError
from .options import QueriesRule, TiesRule, check_standard_input

if TYPE_CHECKING:
    from ..read.records import Qrels, Run
    from ..scores.score_table import ScoreTable

DEFAULT_MEASURES = ["AP", "nDCG@10"]
PARQUET = ".parquet"
UNNAMED = "score"  # what a wide table holds if nobody says


@dataclass(frozen=True)
class RunOptions:
    """How runs are read."""

    duplicates: str = "error"
    order: str = "score"
    float32: bool = False
    depth: int | None = None


def table_of(
    qrels: str | None,
    runs: Sequence[str] | None,
    scores: Sequence[str] | None,
    measures: Sequence[str] | None,
    queries: QueriesRule,
    options: RunOptions,
    ties: TiesRule = TiesRule.trec,
) -> ScoreTable:
    """Scores of all systems: read from tables, or computed from judgments and runs."""
    if not scores:
        return scored(qrels, runs, measures or DEFAULT_MEASURES, queries, options, ties)[0]
    check_pattern(scores, qrels, runs, quoted=False)
    if qrels or runs:
        raise ParameterError("--scores takes the place of QRELS and RUN; give one or the other")
    if options != RunOptions():
        raise ParameterError("--duplicates, --order, --float32 and --depth are for runs")
    if ties is not TiesRule.trec:
        raise ParameterError("--ties is for runs; scores are read as they are")
    return table_of_scores(scores, measures, "common" if queries is QueriesRule.common else "all")


def check_pattern(
    scores: Sequence[str] | None, qrels: str | None, runs: Sequence[str] | None, *, quoted: bool
) -> None:
    """Say what became of a pattern that the shell replaced by the files of these names.

    ``quoted``: whether the command takes patterns itself.
    """
    if not scores or qrels is None:
        return
    if any(Path(one).suffix != PARQUET for one in (*scores, qrels, *(runs or []))):
        return
    pattern = Path(scores[-1]).with_name(f"*{PARQUET}")
    remedy = f"put the pattern in quotes, --scores '{pattern}'" if quoted else "put it before each"
    raise ParameterError(f"several files after --scores: {remedy}")


def table_of_scores(
    files: Sequence[str], measures: Sequence[str] | None, queries: Literal["all", "common"]
) -> ScoreTable:
    """Scores read from tables; ``NAME=FILE`` says which measure a wide table holds."""
    from ..api import read_scores
    from ..presentation.terminal import progress_of

    check_standard_input(files)
    unnamed = (measures or [UNNAMED])[0]
    with progress_of("reading scores"):
        return read_scores(
            files_by_measure(files), measure=unnamed, queries=queries, measures=measures or None
        )


def files_by_measure(files: Sequence[str]) -> dict[str | None, list[str]]:
    """Tables of scores under the measures that they are said to hold; None where nothing is."""
    by_measure: dict[str | None, list[str]] = {}
    for file in files:
        name, path = _named_table(file)
        by_measure.setdefault(name, []).append(path)
    return by_measure


def judgments_and_runs(
    qrels: str, runs: Sequence[str], options: RunOptions
) -> tuple[Qrels, tuple[Run, ...]]:
    """Judgments and runs, read with a bar to look at."""
    from ..api import read_qrels, read_runs
    from ..presentation.terminal import progress, progress_of

    with progress_of("reading judgments"):
        judgments = read_qrels(qrels)
    with progress("reading runs", len(runs)) as step:
        return judgments, read_runs(list(runs), progress=step, **asdict(options))


def which_queries(scores: Sequence[str] | None, queries: QueriesRule) -> str:
    """What a mean is over, in words."""
    if scores:
        return "queries"
    return "judged queries" if queries is QueriesRule.judged else "queries in every run"


def scored(
    qrels: str | None,
    runs: Sequence[str] | None,
    measures: Sequence[str],
    queries: QueriesRule,
    options: RunOptions,
    ties: TiesRule,
) -> tuple[ScoreTable, Qrels, tuple[Run, ...]]:
    """Scores of all systems, with the judgments and runs that they come from."""
    from ..api import check_measures, score
    from ..presentation.terminal import progress

    if qrels is None or not runs:
        raise ParameterError("needs QRELS and at least one RUN, or --scores FILE")
    check_standard_input([qrels, *runs])
    check_measures(measures, ties.value)  # a misspelt measure is said before a gigabyte is read
    judgments, packed = judgments_and_runs(qrels, runs, options)
    with progress("scoring runs", len(runs)) as step:
        table = score(
            judgments,
            packed,
            measures,
            queries=queries.value,
            ties=ties.value,
            progress=step,
        )
    return table, judgments, packed


def _named_table(file: str) -> tuple[str | None, str]:
    """``AP=scores.csv`` is a table of AP, unless there is a file of that very name."""
    name, equals, path = file.partition("=")
    return (name, path) if equals and not Path(file).exists() else (None, file)
