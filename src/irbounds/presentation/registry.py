"""The registry of presentations: tables, sentences, figures and explanations per type of result.

Terminal, page, notebook, ``Results`` and ``irbounds.report`` show a result by its registered
presentation only. A type of result is registered in the file that defines it:

    present(RankEstimate, Presentation("Ranks", columns=(...), title=..., figures=("ranks:...",)))

Figures are named and not imported, so that drawing code is loaded only to draw.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, is_dataclass, replace
from functools import partial
from importlib import import_module
from inspect import signature
from typing import TYPE_CHECKING, Any

from ..errors import ParameterError
from .column_roles import Field, list_columns, make_record
from .page_content import Section
from .phrases import ENDS, WHERE_ALL_IS, half_width
from .rounding import decimals_of_column
from .table import BarEnds, Table, make_bar

if TYPE_CHECKING:
    from .figures.style import Figure

#: the rule for ties, if it is not the usual one (by document id)
TIE_WORDS = {
    "expected": "means over all orders of ties",
    "worst": "ties in their worst order",
    "best": "ties in their best order",
}


@dataclass(frozen=True)
class View:
    """How results are shown: options that results do not contain."""

    #: decimals; by default the uncertainty decides
    digits: int | None = None
    #: name of the queries that a mean is over, in the plural
    queries: str = "queries"
    #: the rule by which ties were scored
    ties: str = ""
    #: whether tables have records, which may take time to compute
    has_records: bool = True
    #: the largest number of systems in a figure
    top: int | None = None
    #: whether a terminal shows all tables and all of their rows
    verbose: bool = False


def _get_measure(result: Any) -> Hashable:
    return getattr(result, "measure", None)


def places_by_interval(results: Sequence[Any]) -> int:
    """Return the decimals that the intervals of a table support."""
    return decimals_of_column(half_width(result.value, result.interval) for result in results)


def _make_bar(result: Any) -> BarEnds | None:
    interval = getattr(result, "interval", None)
    return None if interval is None else make_bar(result.value, interval)


def _return_nothing(*_: Any) -> list[Any]:
    return []


@dataclass(frozen=True)
class Presentation:
    """How results of one type are shown."""

    #: heading of the section
    heading: str | Callable[[Sequence[Any]], str]
    #: names of the table's columns; ``interval`` is replaced by the ends that are limits, and a
    #: name with ``?`` is left out if all rows have the same text, or no value
    columns: Sequence[str] | Callable[[Sequence[Any]], Sequence[str]] = ()
    title: Callable[[Sequence[Any], View], str] = lambda results, view: ""
    #: below the table, after the notes of its columns
    caption: Callable[[Sequence[Any]], str] = lambda results: ""
    #: key of the table that a result is in
    group: Callable[[Any], Hashable] = _get_measure
    #: key by which rows are sorted; None keeps their order
    order: Callable[[Any], Any] | None = None
    places: Callable[[Sequence[Any]], int] = places_by_interval
    bar: Callable[[Any], BarEnds | None] = _make_bar
    #: headings that a narrow terminal leaves out, in this order
    spare: tuple[str, ...] = ()
    #: name of the kind of record, if a file has several kinds
    label: str = ""
    #: replaces all of the above, for results that are not rows of columns
    tables: Callable[[Sequence[Any], View], list[Table]] | None = None
    sentences: Callable[[Sequence[Any], View], list[str]] = _return_nothing
    #: sentences below the tables: what they show and do not show, and the command to run next
    conclusion: Callable[[Sequence[Any], View], list[str]] = _return_nothing
    #: how many rows a terminal shows, the first ones; 0 for all
    max_rows: int = 0
    #: functions of ``presentation.figures`` as ``"mean_plots:draw_means"``
    figures: tuple[str, ...] = ()
    #: the one that ``plot`` draws; by default the first
    main: str = ""
    #: keys of the explanations
    topics: Callable[[Sequence[Any]], Iterable[str]] = _return_nothing
    #: whether a figure shows a single result
    is_single: bool = False

    def make_tables(self, results: Sequence[Any], view: View) -> list[Table]:
        """Return the tables: one per group, in the order of first occurrence."""
        if self.tables is not None:
            return add_tie_rule(self.tables(results, view), view)
        groups: dict[Hashable, list[Any]] = {}
        for result in results:
            groups.setdefault(self.group(result), []).append(result)
        return add_tie_rule([self._table(part, view) for part in groups.values()], view)

    def _table(self, results: list[Any], view: View) -> Table:
        rows = results if self.order is None else sorted(results, key=self.order)
        names = self.columns(rows) if callable(self.columns) else self.columns
        fields = _choose_columns(names, rows)
        places = self.places(rows) if view.digits is None else view.digits
        notes = (f"{field.heading}: {field.column.note}" for field in fields if field.column.note)
        bars = tuple(map(self.bar, rows))
        labels = {"table": self.label} if self.label else {}
        headings = tuple(field.heading for field in fields)
        is_cut = 0 < self.max_rows < len(rows) and not view.verbose
        note = f"the first {self.max_rows} of {len(rows):,} rows (all: {WHERE_ALL_IS})"
        return Table(
            title=self.title(rows, view),
            headings=headings,
            cells=tuple(tuple(field.cell(row, places) for field in fields) for row in rows),
            records=tuple({**labels, **make_record(row)} for row in rows),
            first_number=sum(field.column.role == "key" for field in fields),
            caption="; ".join(filter(None, (*notes, self.caption(rows)))),
            bars=bars if any(bars) else (),
            spare=tuple(heading for heading in self.spare if heading in headings),
            shown_rows=tuple(range(self.max_rows)) if is_cut else (),
            shown_note=note if is_cut else "",
        )

    def draw(self, results: Sequence[Any], **options: Any) -> Figure:
        """Return the main figure."""
        names = (self.main or self.figures[0],) if self.figures else ()
        figures = [figure for name in names for figure in self._call(name, results, **options)]
        if not figures:
            raise ParameterError("these results have no figure")
        return figures[0]

    def draw_all(self, results: Sequence[Any], top: int | None = None) -> list[Figure]:
        """Return all figures; ``top`` is for those that show systems."""
        return [
            figure
            for name in self.figures
            for figure in self._call(name, results, **_select_options(self._load(name), top=top))
        ]

    def _call(self, name: str, results: Sequence[Any], **options: Any) -> list[Figure]:
        """Return the figures of a function, which draws one or a list of them."""
        draw = self._load(name)
        if self.is_single and len(results) > 1:
            kind = type(results[0]).__name__
            raise ParameterError(f"a figure is of one {kind}; got {len(results)}: plot each")
        made = draw(results[0] if self.is_single else results, **options)
        return made if isinstance(made, list) else [made]

    @staticmethod
    def _load(name: str) -> Callable[..., Any]:
        module, function = name.split(":")
        loaded = import_module(f".figures.{module}", __package__)
        draw: Callable[..., Any] = getattr(loaded, function)
        return draw


def _select_options(function: Callable[..., Any], **options: Any) -> dict[str, Any]:
    """Return the options that have a value and that a function takes."""
    known = signature(function).parameters
    return {key: value for key, value in options.items() if value is not None and key in known}


REGISTRY: dict[type, Presentation] = {}


def present(kind: type, presentation: Presentation) -> None:
    """Register the presentation of a type, which may be a runtime-checkable protocol."""
    REGISTRY[kind] = presentation


def find_presentation(result: Any) -> Presentation:
    """Return the presentation of a result."""
    presentation = REGISTRY.get(type(result))
    if presentation is None:
        kinds = (kind for kind in REGISTRY if isinstance(result, kind))
        presentation = next((REGISTRY[kind] for kind in kinds), None)
    if presentation is None:
        names = ", ".join(kind.__name__ for kind in REGISTRY)
        raise ParameterError(f"results that can be shown are {names}; got {type(result).__name__}")
    return presentation


def group_by_presentation(results: Iterable[Any]) -> list[tuple[Presentation, list[Any]]]:
    """Return results by their presentation."""
    parts: dict[int, tuple[Presentation, list[Any]]] = {}
    for result in results:
        presentation = find_presentation(result)
        parts.setdefault(id(presentation), (presentation, []))[1].append(result)
    return list(parts.values())


def make_tables(results: Iterable[Any], view: View | None = None) -> list[Table]:
    """Return the tables of results, type by type."""
    view = view or View()
    return [
        table
        for presentation, part in group_by_presentation(results)
        for table in presentation.make_tables(part, view)
    ]


def collect_warnings(results: Iterable[Any]) -> list[str]:
    """Return the warnings that results carry, each once."""
    return list(
        dict.fromkeys(
            warning
            for result in results
            if is_dataclass(result)
            for field in list_columns(type(result))
            if field.column.role == "warning"
            for warning in field.value(result)
        )
    )


def draw_figure(results: Iterable[Any], **options: Any) -> Figure:
    """Return the main figure of the first type among the results."""
    parts = group_by_presentation(results)
    if not parts:
        raise ParameterError("no results, so no figure")
    presentation, part = parts[0]
    return presentation.draw(part, **options)


def make_section(results: Sequence[Any], view: View | None = None, heading: str = "") -> Section:
    """Return results of one type as a section, for pages and terminals."""
    view = view or View()
    ((presentation, part),) = group_by_presentation(results)
    if not heading:
        words = presentation.heading
        heading = words if isinstance(words, str) else words(part)
    return Section(
        heading,
        presentation.sentences(part, view),
        presentation.make_tables(part, view),
        partial(presentation.draw_all, part, view.top),
        list(dict.fromkeys(presentation.topics(part))),
        presentation.conclusion(part, view),
    )


def make_sections(results: Iterable[Any], view: View | None = None) -> list[Section]:
    """Return results of any types as sections, one per type."""
    return [make_section(part, view) for _, part in group_by_presentation(results)]


def _choose_columns(names: Sequence[str], rows: Sequence[Any]) -> list[Field]:
    """Return the columns of a table, by name."""
    first = rows[0]
    known = {field.name: field for field in list_columns(type(first))}
    chosen: list[Field] = []
    for name in names:
        if name == "interval":
            chosen += [known[end] for end in ENDS[first.interval.alternative]]
        elif not name.endswith("?"):
            chosen.append(known[name])
        else:  # text that is the same in all rows is in the title; numbers are always shown
            field = known[name.removesuffix("?")]
            values = {field.value(row) for row in rows}
            if len(values) > 1 or isinstance(next(iter(values)), float):
                chosen.append(field)
    return chosen


def add_tie_rule(tables: list[Table], view: View) -> list[Table]:
    """Return tables that state the rule for ties in their titles and in every record."""
    if view.ties not in TIE_WORDS:
        return tables
    return [
        replace(
            table,
            title=f"{table.title}; {TIE_WORDS[view.ties]}",
            records=tuple({**row, "ties": view.ties} for row in table.records),
        )
        for table in tables
    ]
