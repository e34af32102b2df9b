"""Per-query scores that someone computed already.

Wide tables (queries by systems), long tables (one score a row), what ``trec_eval -q`` prints and
what ``ir_measures -q`` prints. Each becomes one record a score; summary rows (``all``) are passed
over, since they can be computed again.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InputError, quote, quote_several, show_name
from .columns import as_numbers, fingerprint_of, id_texts
from .frames import (
    FRAME_ENDINGS,
    column_values,
    find_column,
    find_optional_column,
    named_frame,
    read_frame,
)
from .problems import Problems
from .sources import Source, base_name, file_ending

SUMMARY = "all"


@dataclass(frozen=True)
class ScoreRecords:
    """One score a place in the four lists."""

    source: str
    measures: Sequence[str]
    systems: Sequence[str]
    queries: Sequence[str]
    values: Sequence[float]
    #: SHA-256 of the file, or of the values where there is none
    fingerprint: str = ""
    #: sentences on what was left out
    warnings: tuple[str, ...] = ()
    #: whether the input does not name its system, which then has the file's name
    is_unnamed: bool = False

    def of(self, measure: str) -> ScoreRecords:
        """The scores by one measure, which is among them."""
        places = [place for place, one in enumerate(self.measures) if one == measure]
        return replace(
            self,
            measures=[measure] * len(places),
            systems=[self.systems[place] for place in places],
            queries=[self.queries[place] for place in places],
            values=[self.values[place] for place in places],
        )

    def called(self, system: str) -> ScoreRecords:
        """The same scores under another name of their system."""
        return replace(self, systems=[system] * len(self.values))

    def cells(self) -> Iterator[tuple[tuple[str, str, str], float]]:
        """Each score with its measure, system and query; summaries are passed over."""
        keys = zip(self.measures, self.systems, self.queries, strict=True)
        return ((k, v) for k, v in zip(keys, self.values, strict=True) if k[2] != SUMMARY)


def read_score_records(
    source: Any, *, measure: str, wanted: Collection[str] | None = None
) -> ScoreRecords:
    """Scores from a file or a frame; ``measure`` is what it holds where it does not say.

    Printed measures that are not among the ``wanted`` ones may have values that are no numbers.
    """
    if not isinstance(source, str | Path):
        records = _from_frame(source, "the scores", measure, "system")
        return replace(records, fingerprint=_fingerprint(records))
    with Source(source) as opened:
        ending = file_ending(source, opened)
        label = base_name(source)
        if ending in FRAME_ENDINGS:
            records = _from_frame(read_frame(opened, ending), opened.name, measure, label)
        else:
            records = _from_printed(opened, label, wanted)
        return replace(records, fingerprint=opened.fingerprint)


def _fingerprint(records: ScoreRecords) -> str:
    labels = "\0".join([*records.measures, *records.systems, *records.queries])
    return fingerprint_of(np.frombuffer(labels.encode(), np.uint8), np.asarray(records.values))


def _from_frame(frame: Any, source: str, measure: str, system: str) -> ScoreRecords:
    frame = named_frame(frame, source)
    names = list(frame.columns)
    if find_optional_column(names, "value", source):
        return _from_long(frame, source, measure, system)
    query = find_optional_column(names, "query_id", source)
    if query is None and "" in names[:1]:
        query = ""  # a first column without a heading, as R writes row names
    systems = [name for name in names if name != query]
    if "" in systems:
        raise InputError(f"{source}: column {names.index('') + 1} has no name in the header")
    n = len(frame)
    if not systems or not n:
        raise InputError(f"{source}: empty: no scores")
    problems = Problems(source, "row")
    numbers = [str(k + 1) for k in range(n)]
    queries = numbers if query is None else _labels(frame, query, problems)
    values = [v for s in systems for v in _numbers(column_values(frame, s), s, problems)]
    problems.raise_if_any()
    return ScoreRecords(
        source,
        [measure] * len(values),
        [s for s in systems for _ in range(n)],
        queries * len(systems),
        values,
    )


def _from_long(frame: Any, source: str, measure: str, system: str) -> ScoreRecords:
    names = list(frame.columns)
    n = len(frame)
    if not n:
        raise InputError(f"{source}: empty: no scores")
    problems = Problems(source, "row")
    value = find_column(names, "value", source)
    values = _numbers(column_values(frame, value), value, problems)

    def labels(meaning: str, otherwise: str) -> list[str]:
        column = find_optional_column(names, meaning, source)
        return [otherwise] * n if column is None else _labels(frame, column, problems)

    queries = _labels(frame, find_column(names, "query_id", source), problems)
    measures, systems = labels("measure", measure), labels("system", system)
    problems.raise_if_any()
    is_unnamed = find_optional_column(names, "system", source) is None
    return ScoreRecords(source, measures, systems, queries, values, is_unnamed=is_unnamed)


def _from_printed(source: Source, system: str, wanted: Collection[str] | None) -> ScoreRecords:
    """Three columns a line: trec_eval has the measure first, ir_measures the query.

    Some of trec_eval's measures are text: ``runid`` names the system, others are left out.
    """
    problems = Problems(source.name)
    rows: list[tuple[int, str, str, str]] = []
    for number, fields in source.fields():
        if len(fields) == 3:
            rows.append((number, fields[0], fields[1], fields[2]))
        else:
            problems.add(f"{len(fields)} columns where 3 are expected", number)
    problems.raise_if_any()
    if not rows:
        raise InputError(f"{source.name}: empty: no scores")
    measure_first = _measure_stands_first(rows, source.name)
    by_measure: dict[str, list[tuple[int, str, str]]] = {}
    for number, first, second, text in rows:
        measure, query = (first, second) if measure_first else (second, first)
        by_measure.setdefault(measure, []).append((number, query, text))
    names = list(dict.fromkeys(text for _, _, text in by_measure.pop("runid", [])))
    if len(names) > 1:
        raise InputError(f"{source.name}: one system is expected; got runid {quote_several(names)}")
    records: list[tuple[int, str, str, float]] = []
    skipped: dict[str, int] = {}
    for measure, lines in by_measure.items():
        name = _our_name(measure) if measure_first else measure
        texts = [text for _, _, text in lines]
        numbers = as_numbers(texts)
        finite = np.isfinite(numbers)
        if not finite.all() and _is_skipped(name, texts, wanted):
            skipped[name] = len(lines)
            continue
        for k in np.flatnonzero(~finite).tolist():
            shown = f"{show_name(measure)}: {quote(texts[k])}"
            problems.add(f"{shown} is not a finite number", lines[k][0])
        pairs = zip(lines, numbers.tolist(), strict=True)
        records += [(number, name, query, value) for (number, query, _), value in pairs]
    problems.raise_if_any()
    if not records:
        why = f": {_describe_skipped(skipped)}" if skipped else ""
        raise InputError(f"{source.name}: empty: no scores{why}")
    _, measures, queries, values = zip(*sorted(records), strict=True)
    systems = [names[0] if names else system] * len(records)
    warnings = (f"{source.name}: {_describe_skipped(skipped)}",) if skipped else ()
    return ScoreRecords(
        *(source.name, measures, systems, queries, values),
        warnings=warnings,
        is_unnamed=not names,
    )


def _is_skipped(measure: str, texts: Sequence[str], wanted: Collection[str] | None) -> bool:
    """Decide if a measure with values that are not numbers is left out: not wanted, or text."""
    return not any(map(_is_number, texts)) if wanted is None else measure not in wanted


def _is_number(text: str) -> bool:
    """Tell numbers of any kind, such as nan, from text."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def _describe_skipped(skipped: Mapping[str, int]) -> str:
    """Name the measures that were left out, and count their lines."""
    named = f"{quote_several(skipped)} (lines: {sum(skipped.values()):,})"
    return f"measures whose values are not numbers; left out: {named}"


def _measure_stands_first(rows: Sequence[tuple[int, str, str, str]], source: str) -> bool:
    """Whether a row is trec_eval's (measure query value) or ir_measures' (query measure value)."""
    trec = any(name == "runid" or _trec_measures(name) for name in {row[1] for row in rows})
    ours = any(map(_is_our_name, {row[2] for row in rows}))
    if trec == ours:
        raise InputError(
            f"{source}: neither trec_eval's nor ir_measures' output per query: no measure that "
            f"ir_measures knows in {quote(rows[0][1])} {quote(rows[0][2])} ... "
            "(score tables end in .csv)"
        )
    return trec


def _is_our_name(name: str) -> bool:
    import ir_measures

    return name.partition("@")[0].partition("(")[0] in ir_measures.measures.registry


def _our_name(name: str) -> str:
    """trec_eval's name in our spelling where it has one: ``ndcg_cut_10`` is ``nDCG@10``."""
    measures = _trec_measures(name)
    return str(measures[0]) if len(measures) == 1 else name


def _trec_measures(name: str) -> list[Any]:
    import ir_measures

    try:
        return list(ir_measures.parse_trec_measure(name))
    except (ValueError, KeyError):
        return []


def _labels(frame: Any, column: str, problems: Problems) -> list[str]:
    return id_texts(column_values(frame, column), show_name(column) or "query id", problems)


def _numbers(values: Sequence[object], column: str, problems: Problems) -> list[float]:
    numbers = as_numbers(values)
    if len(values) > 1 and all(re.search("[A-Za-z]{2}", str(one)) for one in values):
        names = f"{show_name(column)}: no value is a number"
        problems.add(f"{names}; if it names the queries, rename it to query_id", 1)
        return []
    for i in np.flatnonzero(~np.isfinite(numbers)).tolist():
        shown = f"{show_name(column)}: {quote(values[i])}"
        problems.add(f"{shown} is not a finite number", i + 1)
    return [float(number) for number in numbers]
