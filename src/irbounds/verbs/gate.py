"""``gate``: whether a new system may replace an old one."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from ..errors import DataError, ParameterError, quote, quote_several, show_name
from ..requests.inputs import RUN_OPTIONS, RunOptions, ScoreInput, answer_about
from ..requests.options import (
    Bounds,
    ConfidenceLevel,
    Dataset,
    Measures,
    Qrels,
    Queries,
    Scores,
    Ties,
)
from ..requests.request import Option
from ..requests.verb import verb
from ..results.result import Answer
from ..validation import Requirement, as_float

if TYPE_CHECKING:
    from ..comparisons.non_inferiority import Margin
    from ..reading.records import Run
    from ..results import Gate
    from ..scores.score_table import ScoreTable

ALL = ""  # the key of a margin for all measures
SHARED_OPTIONS = ("measures", "queries", "task_split")


class Margins(dict[str, "Margin"]):
    """Margins by measure; the key ``ALL`` is for one without a measure."""

    def __str__(self) -> str:
        return ",".join(f"{measure}={margin}".lstrip("=") for measure, margin in self.items())


def _margins(name: str, value: Any) -> Margins:
    """Return the margins that a number, a text or a mapping contains."""
    from ..comparisons.non_inferiority import Margin
    from ..measurement.names import split_names

    if isinstance(value, Mapping):
        items = [(str(measure), part) for measure, part in value.items()]
    elif isinstance(value, str):
        parts = [part.rpartition("=") for part in split_names(value)]
        items = [(measure.strip(), part.strip()) for measure, _, part in parts]
        if any(equals and not measure.strip() for measure, equals, _ in parts):
            raise ParameterError(f"{name} has no measure before '='; got {quote(value)}")
    else:
        items = [(ALL, value)]
    if not items:
        raise ParameterError(f"{name} must be a number, as in 0.01 or 2%; got {quote(value)}")
    for measure, times in Counter(measure for measure, _ in items).items():
        if times > 1:
            what = measure or "all measures, which are separated by commas"
            raise ParameterError(f"{name} has two values for {what}; got {quote(value)}")
    margins = Margins()
    for measure, part in items:
        margins[measure] = Margin(*_read_margin(name, part))
    return margins


def _read_margin(name: str, value: Any) -> tuple[float, bool]:
    """Return a margin, and whether it is relative."""
    text = value.strip() if isinstance(value, str) else ""
    is_relative = text.endswith("%")
    number = as_float(value)
    if isinstance(value, str):
        try:
            number = float(text.removesuffix("%"))
        except ValueError:
            number = None
    if number is None or not 0 <= number < float("inf"):
        raise ParameterError(
            f"{name} must be a number greater than 0, or a percentage of the old mean; got "
            f"{quote(value)}"
        )
    if number == 0:
        raise ParameterError(f"{name} 0: use require='better' to pass only what is better")
    if is_relative and number >= 100:
        raise ParameterError(f"{name} {text}: a percentage of the old mean is below 100 %")
    return (number / 100, True) if is_relative else (number, False)


SYSTEM = Option(
    "Run of the old system; its name with --scores.",
    "With scores, the two arguments are names of systems. Without names, the scores must be those "
    "of two systems, the old one first. In Python also a frame, a dict of dicts or a ``Run``.",
    metavar="OLD",
    panel="Input",
    file="read",
    is_argument=True,
)
Old = Annotated[Any, SYSTEM]
New = Annotated[
    Any,
    Option(
        "Run of the new system; its name with --scores.",
        metavar="NEW",
        panel="Input",
        file="read",
        is_argument=True,
    ),
]
MarginOption = Annotated[
    Any,
    Option(
        "How much lower the new mean may be: 0.01, or 2% of the old.",
        "By measure as in nDCG@10=0.01,AP=2%, in Python also a dict. These are then the measures, "
        "unless others are arguments.",
        metavar="X",
        check=_margins,
    ),
]
Require = Annotated[
    Requirement,
    Option(
        "What a new system has to be shown to be.",
        "not-worse: not lower than the old one by the margin or more; better: higher.",
    ),
]
Undecided = Annotated[
    Literal["pass", "fail"] | None,
    Option(
        "What an undecided gate counts as.",
        "It changes the exit status, not the verdict.",
        default="neither, exit status 3",
    ),
]
Identical = Annotated[
    Literal["refuse", "pass"],
    Option(
        "Whether two systems with the same rankings pass.",
        "By default they are refused, because one of them may not have run.",
    ),
]


@dataclass(frozen=True, kw_only=True)
class _Inputs(RunOptions, ScoreInput):
    """Judgments and runs, or scores, as other verbs read them."""


@dataclass(frozen=True, kw_only=True)
class GateRequest(RunOptions):
    """The options of ``gate``."""

    qrels: Qrels = field(default=None, kw_only=False)
    old: Old = field(default=None, kw_only=False)
    new: New = field(default=None, kw_only=False)
    dataset: Dataset = None
    scores: Scores = None
    measures: Measures = None
    margin: MarginOption = None
    require: Require = "not-worse"
    undecided: Undecided = None
    identical: Identical = "refuse"
    confidence_level: ConfidenceLevel = 0.95
    queries: Queries = "all"
    ties: Ties = "trec"
    bounds: Bounds = None

    #: whether the scores are the only argument, which may be meant as judgments
    _is_lone: ClassVar[bool] = False

    def check(self) -> None:
        """Raise ``ParameterError`` where inputs are missing or options contradict each other."""
        self._check_requirement()
        self._check_inputs()
        if self.measures is None and self.margin and ALL not in self.margin:
            object.__setattr__(self, "measures", tuple(self.margin))
        inputs = self.make_inputs()
        object.__setattr__(self, "measures", inputs.measures)

    def _check_requirement(self) -> None:
        if self.confidence_level <= 0.5:
            raise ParameterError(
                f"confidence_level must be above 0.5 for one-sided limits; got "
                f"{self.confidence_level:g}"
            )
        if self.require == "better" and self.margin is not None:
            raise ParameterError(
                "margin is for require='not-worse'; a better system has a lower limit above 0"
            )
        if self.require == "better" and self.identical == "pass":
            raise ParameterError(
                "identical='pass' is for require='not-worse'; the same rankings are not better"
            )
        if self.require == "not-worse" and self.margin is None:
            raise ParameterError(
                "needs margin: how much lower the new mean may be, as in 0.01 or 2%; or "
                "require='better'"
            )

    def _check_inputs(self) -> None:
        """Tell names of systems from judgments and runs."""
        arguments = [item for item in (self.qrels, self.old, self.new) if item is not None]
        is_lone = self.qrels is not None and len(arguments) == 1 and self.dataset is None
        if self.scores is None and is_lone:
            object.__setattr__(self, "scores", self.qrels)
            object.__setattr__(self, "qrels", None)
            object.__setattr__(self, "_is_lone", True)
            arguments = []
        if self.scores is None:
            if len(arguments) != (3 if self.dataset is None else 2):
                needed = "qrels, old and new, or scores" if self.dataset is None else "old and new"
                raise ParameterError(f"needs {needed}")
            if self.dataset is not None:
                self._set_arguments(None, *arguments)
            return
        if self.dataset is not None:
            raise ParameterError(
                "scores takes the place of dataset and runs; give one or the other"
            )
        if len(arguments) not in (0, 2):
            raise ParameterError(
                "scores takes the place of qrels and runs: give it without arguments, or with the "
                f"names of the old and the new system; got {quote_several(arguments)}"
            )
        for name in arguments:
            if not isinstance(name, str):
                raise ParameterError(f"old and new are names with scores; got {quote(name)}")
        self._set_arguments(None, *(arguments or (None, None)))
        self.refuse("for runs; scores are read as they are", *RUN_OPTIONS, "ties")

    def _set_arguments(self, *values: Any) -> None:
        for name, value in zip(("qrels", "old", "new"), values, strict=True):
            object.__setattr__(self, name, value)

    def make_inputs(self) -> ScoreInput:
        """Return the request that reads judgments and runs, or scores."""
        shared = {name: getattr(self, name) for name in SHARED_OPTIONS}
        if self.scores is not None:
            source = {"qrels" if self._is_lone else "scores": self.scores}
            return _Inputs(**source, **shared)
        options = {name: getattr(self, name) for name in (*RUN_OPTIONS, "ties", "dataset")}
        return _Inputs(self.qrels, self._runs(), **shared, **options)

    def _runs(self) -> Any:
        """Return both runs; files have their own names, other objects are old and new."""
        from ..reading.qrels_and_runs import list_run_files
        from ..reading.records import Run

        pair = (self.old, self.new)
        for name, source in zip(("old", "new"), pair, strict=True):
            files = list_run_files(source, self.qrels) if isinstance(source, str | Path) else [0]
            if len(files) != 1:
                raise ParameterError(
                    f"{name} {show_name(str(source))}: {len(files):,} runs; give one"
                )
        if all(isinstance(source, str | Path) for source in pair):
            places = [os.path.realpath(source) for source in pair]
            if places[0] != places[1]:
                return list(pair)
        elif all(isinstance(source, Run) for source in pair) and pair[0].name != pair[1].name:
            return list(pair)
        return dict(zip(("old", "new"), pair, strict=True))

    def read(self) -> tuple[ScoreTable, tuple[Run, ...]]:
        """Return the scores of the old and the new system, and their runs if there are any."""
        inputs = self.make_inputs()
        if inputs.is_judged:
            table, _, runs = inputs.read_scored()
            return table, runs
        table = inputs.read_tables()
        if self.old is not None:
            if self.old == self.new:
                raise ParameterError(f"old and new are both {quote(self.old)}; give two systems")
            return table.select_systems([self.old, self.new]), ()
        if len(table.systems) != 2:
            raise ParameterError(
                f"needs old and new: the scores are those of {quote_several(table.systems)}"
            )
        return table, ()

    def choose_margins(
        self, table: ScoreTable, bounds: Mapping[str, tuple[float, float] | None]
    ) -> dict[str, Margin]:
        """Return the margin of every measure of a table; ``bounds`` are those of the measures."""
        from ..comparisons.non_inferiority import Margin
        from ..measurement.names import same_names

        if self.require == "better":
            return dict.fromkeys(table.measures, Margin(0.0))
        margins = dict.fromkeys(table.measures, self.margin.get(ALL))
        for measure, margin in self.margin.items():
            if measure == ALL:
                continue
            same = [measure] if measure in margins else same_names(measure, margins)
            if not same:
                raise ParameterError(
                    f"margin for {quote(measure)}, which is not among the measures "
                    f"{quote_several(table.measures)}"
                )
            margins |= dict.fromkeys(same, margin)
        for measure, margin in margins.items():
            if margin is None:
                raise ParameterError(f"margin of {quote(measure)} is missing; give one for each")
            low, high = bounds[measure] or (-math.inf, math.inf)
            if not margin.is_relative and margin.value >= high - low:
                raise ParameterError(
                    f"margin {margin.value:g} of {measure}, which is between {low:g} and "
                    f"{high:g}, would pass any system; {margin.value:g}% is a percentage of "
                    "the old mean"
                )
        return margins


@verb(
    GateRequest,
    group="Compare systems",
    docs="gate",
    shows=("table", "report"),
    is_parallel=False,
    examples=(
        "irbounds gate qrels.txt old.run new.run -m nDCG@10 --margin 0.01",
        "irbounds gate qrels.txt old.run new.run --margin nDCG@10=0.01,AP=2%",
        "irbounds gate qrels.txt old.run new.run -m AP --margin 2%",
        "irbounds gate qrels.txt old.run new.run --require better --undecided fail",
        "irbounds gate bm25 dense --scores AP=scores.csv --margin 2%",
    ),
)
def gate(request: GateRequest) -> Answer[Gate]:
    """Decide whether a new system may replace an old one.

    Non-inferiority on the same queries: passes where the lower limit of new - old is above -margin
    by every measure, fails where the upper limit is below -margin by one of them, and is undecided
    otherwise, with the number of queries that it would take. Refuses systems that may not have run:
    empty, 0 on every query, without most queries, or with the rankings of the other. Exit status: 0
    pass, 1 fail, 3 undecided, 2 the gate could not run.

    Returns
    -------
    Gate
        ``.verdict`` is ``"pass"``, ``"fail"`` or ``"undecided"``, ``.checks`` has one check per
        measure, with its difference, limits and margin.

    Examples
    --------
    >>> import irbounds
    >>> old = [0.31, 0.42, 0.11, 0.64, 0.25, 0.50, 0.38, 0.70]
    >>> new = [0.33, 0.41, 0.14, 0.65, 0.25, 0.52, 0.37, 0.72]
    >>> verdict = irbounds.gate(scores={"AP": {"old": old, "new": new}}, margin=0.01)
    >>> print(verdict)
    PASS: new is not worse than old by more than the margin in AP (8 queries)
    AP 0.4138 -> 0.4237, difference +0.0100 (-0.0001 to +0.0201), margin 0.01
    It would pass with any margin above 0.0001 (95 % limits).
    """
    from ..comparisons.non_inferiority import check_measures
    from ..comparisons.refused_pairs import check_pair, describe_identity
    from ..measurement.parser import bounds_of
    from ..results import Gate

    table, runs = request.read()
    bounds = {measure: request.bounds or bounds_of(measure) for measure in table.measures}
    margins = request.choose_margins(table, bounds)
    check_pair(table, runs, bounds)
    _check_relative_margins(table, margins)
    identity = describe_identity(table, runs)
    if identity and request.identical == "refuse":
        raise DataError(
            f"{identity}: one of them may not have run; identical='pass' passes such a pair"
        )
    checks = check_measures(
        table,
        margins,
        confidence_level=request.confidence_level,
        bounds=request.bounds,
    )
    if identity:
        checks = tuple(replace(check, verdict="pass", queries_needed=None) for check in checks)
    old, new = table.systems
    result = Gate(
        old,
        new,
        checks,
        request.require,
        request.undecided,
        bool(identity),
        table.inputs,
        table.warnings,
    )
    facts = {"verdict": result.verdict, "require": result.require}
    answer = answer_about(request.make_inputs(), table, result, facts=facts, status=result.status)
    return replace(answer, lines=())


def _check_relative_margins(table: ScoreTable, margins: Mapping[str, Margin]) -> None:
    """Raise ``DataError`` where a mean has no percentage."""
    for measure, values in zip(table.measures, table.values, strict=True):
        if margins[measure].is_relative and not values[0].mean() > 0:
            raise DataError(
                f"{measure}: a margin in percent needs an old mean above 0; got "
                f"{values[0].mean():g}"
            )
