"""The verdict of a gate: whether a new system may replace an old one, measure by measure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..presentation.column_roles import (
    HIDDEN,
    Column,
    Count,
    Key,
    PValue,
    Warnings,
    make_record,
)
from ..presentation.phrases import join_names, pluralise_queries
from ..presentation.registry import Presentation, View, present
from ..presentation.rounding import (
    MAX_DECIMALS,
    decimals_of_column,
    fixed,
    format_setting,
    percent,
    small_p,
    with_sign,
)
from ..presentation.table import Table
from ..presentation.verbosity import is_quiet
from ..validation import Requirement
from .interval import Interval
from .result import InputFile, Result

Verdict = Literal["pass", "fail", "undecided"]
MIN_CHANGED = 6  # differences other than 0 that a t test needs (docs/reference/gate-rules.md)
STATUS: dict[Verdict, int] = {"pass": 0, "fail": 1, "undecided": 3}


@dataclass(frozen=True, eq=False)
class GateCheck:
    """One measure: the difference of two systems with its limits, the margin and the verdict."""

    measure: Key
    #: ``"pass"``, ``"fail"`` or ``"undecided"``
    verdict: Annotated[Verdict, Column("key")]
    old_mean: float
    new_mean: float
    #: mean of new - old
    value: Annotated[float, Column(name="difference")]
    #: one-sided limits of the difference, at ``confidence_level`` and at ``high_level``; NaN where
    #: the bounds of the measure would be needed and are not known
    low: float
    high: float
    #: how much lower the new mean may be; a relative margin times the old mean
    margin: float
    #: the margin as a fraction of the old mean; None for an absolute one
    relative_margin: float | None
    #: p-values of the hypotheses that the difference is at most -margin, and at least -margin
    p_pass: PValue
    p_fail: PValue
    #: by Holm's procedure, for all measures of the gate
    adjusted_p_fail: PValue
    n: Count
    #: queries on which the new system scores lower, and higher
    n_lost: Count
    n_gained: Count
    #: of an undecided measure: queries that would decide, if difference and spread stay as they
    #: are; None where no practical number would
    queries_needed: int | None
    power: float
    #: ``"student-t"``, or ``"clopper-pearson"`` where only few queries change
    method: str
    confidence_level: float
    high_level: float
    #: ids of the queries, and on each of them the scores of the old and the new system
    queries: tuple[str, ...] = field(default=(), repr=False)
    scores: tuple[NDArray[np.float64], NDArray[np.float64]] | None = field(default=None, repr=False)

    @property
    def n_changed(self) -> int:
        """The number of queries on which the scores differ."""
        return self.n_lost + self.n_gained

    @property
    def has_few_changes(self) -> bool:
        """Whether too few queries change for a t test."""
        return self.method == "clopper-pearson" and self.n_changed < MIN_CHANGED

    @property
    def is_constant(self) -> bool:
        """Whether all queries change by the same amount, which allows no t test."""
        return self.method == "clopper-pearson" and self.n_changed >= MIN_CHANGED

    @property
    def interval(self) -> Interval:
        """Both limits as one two-sided interval, whose level is that of both sides together."""
        level = self.confidence_level + self.high_level - 1
        return Interval(self.low, self.high, level, self.method)


@dataclass(frozen=True, eq=False)
class Gate(Result):
    """The verdict on a new system, and one check per measure."""

    old: str
    new: str
    checks: tuple[GateCheck, ...]
    #: ``"not-worse"`` or ``"better"``
    require: Requirement
    #: what an undecided gate counts as: ``"pass"``, ``"fail"``, or None for neither
    undecided: Literal["pass", "fail"] | None = None
    #: whether both systems have the same rankings, which was allowed
    is_identical: bool = False
    inputs: Annotated[tuple[InputFile, ...], HIDDEN] = field(default=(), repr=False)
    #: about the judgments, the runs and the scores
    warnings: Warnings = ()

    @property
    def verdict(self) -> Verdict:
        """``"fail"`` if a measure fails, else ``"undecided"`` if one is, else ``"pass"``."""
        verdicts = {check.verdict for check in self.checks}
        return "fail" if "fail" in verdicts else "undecided" if "undecided" in verdicts else "pass"

    @property
    def status(self) -> int:
        """The exit status of the command: 0 pass, 1 fail, 3 undecided, unless that counts."""
        verdict = self.verdict
        return STATUS[self.undecided or verdict] if verdict == "undecided" else STATUS[verdict]

    def _records(self) -> list[dict[str, Any]]:
        """Return one record per measure."""
        systems = {"old": self.old, "new": self.new}
        return [{**make_record(check), **systems} for check in self.checks]


def gate_lines(gate: Gate, digits: int | None = None) -> list[str]:
    """Return the verdict, the numbers of every measure, and what follows."""
    return [
        _describe_verdict(gate, gate.checks),
        *(_describe_numbers(gate, check, digits) for check in gate.checks),
        *_describe_consequences(gate, gate.checks, digits),
    ]


def _describe_verdict(gate: Gate, checks: Sequence[GateCheck]) -> str:
    """Return the verdict on all measures, or on one of them."""
    part = Gate(gate.old, gate.new, tuple(checks), gate.require, is_identical=gate.is_identical)
    verdict, queries = part.verdict, pluralise_queries(checks[0].n)
    if gate.is_identical:
        return f"PASS: {gate.new} and {gate.old} rank alike on all queries"
    measures = join_names(check.measure for check in checks if check.verdict == verdict)
    by = "" if gate.require == "better" else " by more than the margin"
    than = f"than {gate.old}{by} in {measures}"
    words = {
        ("fail", "not-worse"): "FAIL: {} is worse",
        ("fail", "better"): "FAIL: {} is worse",
        ("pass", "not-worse"): "PASS: {} is not worse",
        ("pass", "better"): "PASS: {} is better",
        ("undecided", "not-worse"): "UNDECIDED: {} may be worse",
        ("undecided", "better"): "UNDECIDED: {} is not shown to be better",
    }[verdict, gate.require]
    counted = f"; counts as {gate.undecided}" if verdict == "undecided" and gate.undecided else ""
    return f"{words.format(gate.new)} {than} ({queries}){counted}"


def _describe_numbers(gate: Gate, check: GateCheck, digits: int | None) -> str:
    """Return both means, the difference with its limits, and the margin."""
    places = _places([check], digits)
    means = f"{check.measure} {fixed(check.old_mean, places)} -> {fixed(check.new_mean, places)}"
    if gate.is_identical:
        return means
    margin = "" if gate.require == "better" else f", margin {_format_margin(check, places)}"
    return (
        f"{means}, difference {with_sign(check.value, places)} ({with_sign(check.low, places)} to "
        f"{with_sign(check.high, places)}){margin}"
    )


def _format_margin(check: GateCheck, places: int) -> str:
    if check.relative_margin is None:
        return format_setting(check.margin)
    if check.margin:  # at least one digit other than 0
        places = max(places, math.ceil(-math.log10(check.margin)))
    return f"{percent(check.relative_margin)} = {fixed(check.margin, min(places, MAX_DECIMALS))}"


def _describe_consequences(
    gate: Gate, checks: Sequence[GateCheck], digits: int | None
) -> list[str]:
    """Return one line on what would decide, or what else would be decided."""
    if gate.is_identical:
        return ["Nothing was tested: the same rankings pass on request."]
    sentences = [*_describe_few_changes(checks), *_describe_outlook(gate, checks, digits)]
    return [" ".join(sentences)]


def _describe_few_changes(checks: Sequence[GateCheck]) -> list[str]:
    """Return sentences on measures whose differences allow no t test."""
    sentences = []
    few = [check for check in checks if check.has_few_changes]
    if few:
        counts = [f"{check.n_changed:,}{_by_measure(check, checks)}" for check in few]
        sentences.append(f"Too few queries change for a t test: {join_names(counts)}.")
    equal = [check for check in checks if check.is_constant]
    if equal:
        names = join_names(_by_measure(check, checks).strip() for check in equal)
        where = f" {names}" if names else ""
        sentences.append(
            f"All queries change by the same amount{where}, or their differences vanish beside the "
            "margin, so there is no t test."
        )
    if any(math.isnan(check.low) for check in (*few, *equal)):
        sentences.append("Limits need the bounds of the measure (--bounds).")
    return sentences


def _by_measure(check: GateCheck, checks: Sequence[GateCheck]) -> str:
    return f" by {check.measure}" if len(checks) > 1 else ""


def _describe_outlook(gate: Gate, checks: Sequence[GateCheck], digits: int | None) -> list[str]:
    verdicts = Counter(check.verdict for check in checks)
    level = f"{percent(checks[0].confidence_level)} limits"
    if verdicts["fail"] and len(checks) > 1:
        counts = ", ".join(f"{word} {verdicts[word]}" for word in STATUS)
        return [f"Measures: {counts}; {level}, upper ones by Holm's procedure."]
    if verdicts["undecided"]:
        return _describe_needs([check for check in checks if check.verdict == "undecided"])
    has_percentage = any(check.relative_margin is not None for check in checks)
    if gate.require == "better":
        return [f"Decided by {level}."]
    if all(check.low >= 0 for check in checks) and not has_percentage:
        return [f"The lower limit is above 0, so it is also better ({level})."]
    if has_percentage:  # the limits depend on it
        return [f"Decided by {level}."]
    is_fail = bool(verdicts["fail"])
    limits = [
        _format_limit(check, "high" if is_fail else "low", digits)
        + (f" in {check.measure}" if len(checks) > 1 else "")
        for check in checks
    ]
    verb, side = ("fail", "below") if is_fail else ("pass", "above")
    return [f"It would {verb} with any margin {side} {join_names(limits)} ({level})."]


def _format_limit(check: GateCheck, end: str, digits: int | None) -> str:
    return fixed(max(-getattr(check, end), 0.0), _places([check], digits))


def _describe_needs(undecided: Sequence[GateCheck]) -> list[str]:
    """Return how many queries would decide the undecided measures."""
    first, is_one = undecided[0], len(undecided) == 1
    setting = f"{percent(first.confidence_level)} limits, {percent(first.power)} power"
    sentences = []
    counts = [
        f"{check.queries_needed:,} queries" + ("" if is_one else f" in {check.measure}")
        for check in undecided
        if check.queries_needed is not None
    ]
    hopeless = [
        f"{'More queries' if is_one else f'By {check.measure}, more queries'} would not decide."
        if check.is_constant
        else f"The difference{'' if is_one else f' in {check.measure}'} is too close to "
        f"{'the margin' if check.margin else '0'} for any practical number of queries."
        for check in undecided
        if check.queries_needed is None and not math.isnan(check.low)
    ]
    if counts:
        sentences.append(f"About {join_names(counts)} would decide ({setting}, same differences).")
    return [*sentences, *hopeless]


def _places(checks: Sequence[GateCheck], digits: int | None) -> int:
    """Return decimals that show on which side of the margin the limits are."""
    if digits is not None:
        return digits
    places = decimals_of_column(check.interval.half_width for check in checks)
    while places < MAX_DECIMALS and any(_is_hidden(check, places) for check in checks):
        places += 1
    return places


def _is_hidden(check: GateCheck, places: int) -> bool:
    """Return whether rounding would move a limit to the margin, to 0, or beyond one of them."""
    return any(
        (limit > value) != (round(limit, places) > value)
        or (limit < value) != (round(limit, places) < value)
        for limit in (check.low, check.high)
        for value in (-check.margin, 0.0)
    )


def _tables(gates: Sequence[Gate], view: View) -> list[Table]:
    return [_table(gate, view) for gate in gates]


def _table(gate: Gate, view: View) -> Table:
    """Return the numbers of all measures; a terminal shows them as sentences."""
    places = _places(gate.checks, view.digits)
    caption = " ".join(_describe_consequences(gate, gate.checks, view.digits))
    return Table(
        title=_describe_verdict(gate, gate.checks),
        headings=(
            *("measure", "verdict", gate.old, gate.new, "difference", "low", "high"),
            *("margin", "p", "queries"),
        ),
        cells=tuple(_cells(gate, check, places) for check in gate.checks),
        records=tuple(gate._records()),
        first_number=2,
        caption=f"{caption} low, high: one-sided {percent(gate.checks[0].confidence_level)} "
        "limits of the difference; p: of the verdict, of a pass where undecided",
        spare=("p", "queries"),
        is_detail=not (view.verbose or is_quiet()),
        is_stated=True,
    )


def _cells(gate: Gate, check: GateCheck, places: int) -> tuple[str, ...]:
    p = check.adjusted_p_fail if check.verdict == "fail" else check.p_pass
    return (
        check.measure,
        check.verdict,
        fixed(check.old_mean, places),
        fixed(check.new_mean, places),
        *(with_sign(x, places) for x in (check.value, check.low, check.high)),
        "-" if gate.require == "better" else _format_margin(check, places),
        small_p(p),
        f"{check.n:,}",
    )


def _sentences(gates: Sequence[Gate], view: View) -> list[str]:
    """Return the lines of a terminal; a verbose one shows the table in their place."""
    if view.verbose and not view.has_records:
        return []
    return [line for gate in gates for line in gate_lines(gate, view.digits)]


present(
    Gate,
    Presentation(
        "Gate",
        tables=_tables,
        sentences=_sentences,
        topics=lambda gates: ["gate", "t", "holm"],
        is_single=True,
    ),
)
