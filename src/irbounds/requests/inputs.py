"""Input groups that verbs share: judgments and runs, and tables of scores."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from ..errors import InputError, ParameterError, quote
from ..results.result import Answer
from .options import (
    DEFAULT_MEASURES,
    Dataset,
    Depth,
    Duplicates,
    Float32,
    Measures,
    Order,
    Qrels,
    Queries,
    Runs,
    Scores,
    TaskSplit,
    Ties,
)
from .request import Request, texts_of

if TYPE_CHECKING:
    from ..measurement.base import Measure
    from ..reading.records import Qrels as Judgments
    from ..reading.records import Run
    from ..scores.score_table import ScoreTable

Made = TypeVar("Made")
TABLE_SUFFIXES = (".csv", ".tsv", ".json", ".jsonl", ".parquet")  # judgments hardly have them
RUN_OPTIONS = ("duplicates", "order", "float32", "depth")


@dataclass(frozen=True, kw_only=True)
class JudgedRuns(Request):
    """Judgments and runs, and how they are read."""

    qrels: Qrels = field(default=None, kw_only=False)
    runs: Runs = field(default=None, kw_only=False)
    dataset: Dataset = None
    measures: Measures = None
    queries: Queries = "all"

    needs: ClassVar[str] = "qrels and runs"

    def check(self) -> None:
        """Raise ``ParameterError`` where inputs are missing or measures cannot be computed."""
        super().check()
        self.check_inputs()
        if self.is_judged:
            self.check_measures()

    @property
    def is_judged(self) -> bool:
        """Whether judgments are given."""
        return self.qrels is not None or self.dataset is not None

    def check_inputs(self) -> None:
        """Raise ``ParameterError`` where judgments or runs are missing."""
        self.check_judgments()
        if not self.is_judged or _is_empty(self.runs):
            raise ParameterError(f"needs {self.needs}")

    def check_judgments(self) -> None:
        """Raise ``ParameterError`` where judgments are given twice, or as a directory."""
        if self.dataset is not None and self.qrels is not None:
            raise ParameterError("dataset takes the place of qrels; give one or the other")
        if is_directory(self.qrels) and self.runs:
            raise ParameterError(
                f"qrels {self.qrels}: this is a directory; judgments come first, then runs"
            )

    @property
    def measure_names(self) -> list[str]:
        """The measures to compute."""
        return list(self.measures or DEFAULT_MEASURES)

    def check_measures(self) -> None:
        """Raise ``MeasureError`` where a measure cannot be computed."""
        self.parse_measures()

    def parse_measures(self) -> tuple[Measure, ...]:
        """Return the measures to compute; the request keeps their names in our spelling."""
        from ..measurement.parser import parse_measures

        parsed = parse_measures(self.measure_names)
        if self.measures is not None:
            object.__setattr__(self, "measures", tuple(measure.name for measure in parsed))
        return parsed

    @property
    def query_words(self) -> str:
        """What a mean is over."""
        if not self.is_judged:
            return "queries"
        return "judged queries" if self.queries == "all" else "queries in every run"

    def read_judged(self) -> tuple[Judgments, tuple[Run, ...]]:
        """Read judgments and runs, with progress."""
        from ..progress import count_steps, show_progress
        from ..reading.ir_datasets_qrels import read_ir_datasets_qrels
        from ..reading.qrels_and_runs import list_run_files, read_qrels, read_runs

        with show_progress("reading judgments"):
            if self.dataset is None:
                judgments = read_qrels(self.qrels)
            else:
                judgments = read_ir_datasets_qrels(self.dataset)
        sources = [] if self.runs is None else list_run_files(self.runs, self.qrels)
        n = len(sources) if isinstance(sources, list | tuple | Mapping) else 1
        if not n:
            return judgments, ()
        with count_steps("reading runs", n) as step:
            return judgments, read_runs(sources, progress=step, **self.run_options)

    @property
    def run_options(self) -> dict[str, Any]:
        """The options of reading runs, where a command has them."""
        return {}


@dataclass(frozen=True, kw_only=True)
class RunOptions(Request):
    """How runs are read."""

    duplicates: Duplicates = "error"
    order: Order = "score"
    float32: Float32 = False
    depth: Depth = None
    task_split: TaskSplit = None

    @property
    def run_options(self) -> dict[str, Any]:
        """The options of reading runs."""
        return {name: getattr(self, name) for name in (*RUN_OPTIONS, "task_split")}


@dataclass(frozen=True, kw_only=True)
class ScoredRuns(JudgedRuns):
    """Judgments and runs, and how they are scored."""

    ties: Ties = "trec"

    def check_measures(self) -> None:
        """Raise ``MeasureError`` where a measure cannot be computed by the rule for ties."""
        from ..scores.ties import check_ties

        check_ties(self.ties, self.parse_measures())

    def read_scored(self) -> tuple[ScoreTable, Judgments, tuple[Run, ...]]:
        """Return scores with the judgments and runs that they are computed from."""
        from ..progress import count_steps
        from ..scores.scoring import score

        judgments, runs = self.read_judged()
        with count_steps("scoring runs", len(runs)) as step:
            table = score(
                judgments,
                runs,
                self.measure_names,
                queries=self.queries,
                ties=self.ties,
                progress=step,
            )
        return table, judgments, runs


@dataclass(frozen=True, kw_only=True)
class ScoreInput(ScoredRuns):
    """Scores of systems on queries: computed from judgments and runs, or read from tables."""

    scores: Scores = None

    needs: ClassVar[str] = "qrels and runs, or scores"
    #: whether the scores are the only argument, which may be meant as judgments
    _is_lone: ClassVar[bool] = False

    def check_inputs(self) -> None:
        """Raise ``ParameterError`` unless there are judgments and runs, or scores."""
        self.check_judgments()
        if _is_empty(self.scores):
            if not self.is_judged:
                raise ParameterError(f"needs {self.needs}")
            if self.dataset is not None and _is_empty(self.runs):
                raise ParameterError("dataset needs runs")
            if _is_empty(self.runs):  # the only argument is a table of scores
                object.__setattr__(self, "scores", self.qrels)
                object.__setattr__(self, "qrels", None)
                object.__setattr__(self, "_is_lone", True)
                self._refuse_run_options()
            return
        if self.dataset is not None:
            raise ParameterError(
                "scores takes the place of dataset and runs; give one or the other"
            )
        if self.qrels is not None or not _is_empty(self.runs):
            raise ParameterError("scores takes the place of qrels and runs; give one or the other")
        self._refuse_run_options()

    def _refuse_run_options(self) -> None:
        names = [name for name in self.run_options if name != "task_split"]
        self.refuse("for runs; scores are read as they are", *names, "ties")

    def read_table(self) -> ScoreTable:
        """Return the scores of all systems."""
        return self.read_scored()[0] if self.is_judged else self.read_tables()

    def read_tables(self) -> ScoreTable:
        """Return scores that are read from tables."""
        from ..progress import show_progress
        from ..scores.score_input import as_score_table

        texts = texts_of(self.scores)
        try:
            with show_progress("reading scores"):
                return as_score_table(
                    tables_by_measure(texts) if texts else self.scores,
                    queries=self.queries,
                    measures=self.measures,
                    task_split=self.run_options.get("task_split"),
                )
        except InputError as error:
            suffixes = [Path(text).suffix for text in texts]
            if not self._is_lone or any(suffix in TABLE_SUFFIXES for suffix in suffixes):
                raise
            raise InputError(f"{error} (judgments need runs)") from None


def is_directory(path: Any) -> bool:
    """Return whether a source is the path of a directory."""
    return isinstance(path, str | Path) and os.path.lexists(path) and Path(path).is_dir()


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, list | tuple | Mapping) and not value)


def tables_by_measure(files: Sequence[str]) -> dict[str | None, list[str]]:
    """Return the tables by measure; None for those without ``NAME=``."""
    by_measure: dict[str | None, list[str]] = {}
    for file in files:
        name, equals, path = file.partition("=")
        is_named = bool(equals) and not os.path.lexists(file)
        if is_named and not path:
            raise ParameterError(f"scores needs the name of a file after '='; got {quote(file)}")
        by_measure.setdefault(name if is_named else None, []).append(path if is_named else file)
    return by_measure


def input_lines(table: ScoreTable) -> list[str]:
    """Return the lines about judgments and runs, where they were read."""
    from ..results.input_diagnosis import summary_lines

    return summary_lines(table.diagnosis) if table.diagnosis else []


def answer_about(
    request: JudgedRuns,
    table: ScoreTable,
    result: Made,
    *,
    warnings: Sequence[str] = (),
    facts: Mapping[str, Any] | None = None,
    **more: Any,
) -> Answer[Made]:
    """Return the answer that is computed from a table of scores, with what is known about it."""
    from ..presentation.registry import View

    return Answer(
        result,
        View(queries="tasks" if table.are_tasks else request.query_words, ties=table.ties),
        [*input_lines(table), *more.pop("lines", ())],
        (*table.warnings, *warnings),
        table.inputs,
        table.diagnosis,
        {"ties": table.ties, **(facts or {})},
        **more,
    )
