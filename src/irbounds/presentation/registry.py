"""The presentation of every kind of result: tables, sentences, figures and explanations.

Terminal, page, notebook, ``Results`` and ``irbounds.report`` all show a result by what is
registered here, and by nothing else. A kind of result registers itself in the file that defines it:

    present(RankEstimate, Presentation("Ranks", columns=(...), title=..., figures=("ranks:...",)))

Figures are named and not imported, so that nothing is loaded before something is drawn.
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
from .phrases import ENDS, half_width
from .rounding import decimals_of_column
from .sections import Section
from .table import BarEnds, Table, make_bar

if TYPE_CHECKING:
    from .figures.style import Figure

#: what was done with ties where it is not the usual rule, by document id
TIE_WORDS = {
    "expected": "means over all orders of ties",
    "worst": "ties in their worst order",
    "best": "ties in their best order",
}


@dataclass(frozen=True)
class View:
    """How results are to be shown, where results do not know it themselves."""

    #: decimals, where the uncertainty is not to decide
    digits: int | None = None
    #: which queries a mean is over, in the plural
    queries: str = "queries"
    #: by which rule ties were scored
    ties: str = ""
    #: what to call the thing that was searched for
    topic: str = "topic"
    #: whether tables have records, which may take time to compute
    has_records: bool = True
    #: systems in a figure, where it shows so many
    top: int | None = None
    #: whether a terminal shows all tables and all of their rows
    verbose: bool = False


def _measure(result: Any) -> Hashable:
    return getattr(result, "measure", None)


def places_by_interval(results: Sequence[Any]) -> int:
    """Return the decimals that the intervals of a table support."""
    return decimals_of_column(half_width(one.value, one.interval) for one in results)


def _bar(result: Any) -> BarEnds | None:
    interval = getattr(result, "interval", None)
    return None if interval is None else make_bar(result.value, interval)


def _nothing(*_: Any) -> list[Any]:
    return []


def _all_rows(rows: Sequence[Any]) -> tuple[tuple[int, ...], str]:
    return (), ""


@dataclass(frozen=True)
class Presentation:
    """How results of one kind are shown."""

    #: of a section
    heading: str | Callable[[Sequence[Any]], str]
    #: names of the table's columns; ``interval`` stands for the ends that say something, and a
    #: name with ``?`` is left out where all rows have the same value
    columns: Sequence[str] = ()
    title: Callable[[Sequence[Any], View], str] = lambda results, view: ""
    #: below the table, after the notes of its columns
    caption: Callable[[Sequence[Any]], str] = lambda results: ""
    #: results that share a table
    group: Callable[[Any], Hashable] = _measure
    #: key by which rows are sorted; as they come where it is None
    order: Callable[[Any], Any] | None = None
    places: Callable[[Sequence[Any]], int] = places_by_interval
    bar: Callable[[Any], BarEnds | None] = _bar
    #: headings that a narrow terminal leaves out, the first to go first
    spare: tuple[str, ...] = ()
    #: what records say of their kind where several kinds share a file
    label: str = ""
    #: in place of all of the above, for results that are not rows of columns
    tables: Callable[[Sequence[Any], View], list[Table]] | None = None
    sentences: Callable[[Sequence[Any], View], list[str]] = _nothing
    #: sentences below the tables: what they show, what they do not, and which command tells more
    conclusion: Callable[[Sequence[Any], View], list[str]] = _nothing
    #: places of the rows that a terminal shows, and which rows these are
    select: Callable[[Sequence[Any]], tuple[tuple[int, ...], str]] = _all_rows
    #: functions of ``presentation.figures`` as ``"mean_plots:draw_means"``, or of another module by
    #: its full name as ``"package.module:function"``
    figures: tuple[str, ...] = ()
    #: the one that ``plot`` draws; the first unless given
    main: str = ""
    #: keys of the explanations
    topics: Callable[[Sequence[Any]], Iterable[str]] = _nothing
    #: whether figures are of one result
    is_single: bool = False

    def make_tables(self, results: Sequence[Any], view: View) -> list[Table]:
        """Return the tables: one per group, in the order in which the groups come."""
        if self.tables is not None:
            return add_tie_rule(self.tables(results, view), view)
        groups: dict[Hashable, list[Any]] = {}
        for result in results:
            groups.setdefault(self.group(result), []).append(result)
        return add_tie_rule([self._table(part, view) for part in groups.values()], view)

    def _table(self, results: list[Any], view: View) -> Table:
        rows = results if self.order is None else sorted(results, key=self.order)
        fields = _chosen(self.columns, rows)
        places = self.places(rows) if view.digits is None else view.digits
        notes = (f"{one.heading}: {one.column.note}" for one in fields if one.column.note)
        bars = tuple(map(self.bar, rows))
        labels = {"table": self.label} if self.label else {}
        headings = tuple(one.heading for one in fields)
        shown_rows, shown_note = ((), "") if view.verbose else self.select(rows)
        return Table(
            title=self.title(rows, view),
            headings=headings,
            cells=tuple(tuple(one.cell(row, places) for one in fields) for row in rows),
            records=tuple({**labels, **make_record(row)} for row in rows),
            first_number=sum(one.column.role == "key" for one in fields),
            caption="; ".join(filter(None, (*notes, self.caption(rows)))),
            bars=bars if any(bars) else (),
            spare=tuple(heading for heading in self.spare if heading in headings),
            shown_rows=shown_rows,
            shown_note=shown_note,
        )

    def draw(self, results: Sequence[Any], **options: Any) -> Figure:
        """Return the main figure."""
        names = (self.main or self.figures[0],) if self.figures else ()
        drawn = [one for name in names for one in self._drawn(name, results, **options)]
        if not drawn:
            raise ParameterError("these results have no figure")
        return drawn[0]

    def draw_all(self, results: Sequence[Any], top: int | None = None) -> list[Figure]:
        """Return all figures; ``top`` is for those that show systems."""
        return [
            figure
            for name in self.figures
            for figure in self._drawn(name, results, **_taken(self._function(name), top=top))
        ]

    def _drawn(self, name: str, results: Sequence[Any], **options: Any) -> list[Figure]:
        """Return what a function draws: a figure, or a list of them."""
        draw = self._function(name)
        if self.is_single and len(results) > 1:
            kind = type(results[0]).__name__
            raise ParameterError(f"a figure is of one {kind}; got {len(results)}: plot each")
        made = draw(results[0] if self.is_single else results, **options)
        return made if isinstance(made, list) else [made]

    @staticmethod
    def _function(name: str) -> Callable[..., Any]:
        module, function = name.split(":")
        place = module if "." in module else f".figures.{module}"
        found: Callable[..., Any] = getattr(import_module(place, __package__), function)
        return found


def _taken(function: Callable[..., Any], **options: Any) -> dict[str, Any]:
    """Return the options that are given and that a function takes."""
    known = signature(function).parameters
    return {key: one for key, one in options.items() if one is not None and key in known}


REGISTRY: dict[type, Presentation] = {}


def present(kind: type, presentation: Presentation) -> None:
    """Register how results of a kind are shown; a kind may be a runtime-checkable protocol."""
    REGISTRY[kind] = presentation


def find_presentation(result: Any) -> Presentation:
    """Return the presentation of a result."""
    found = REGISTRY.get(type(result))
    found = found or next((REGISTRY[kind] for kind in REGISTRY if isinstance(result, kind)), None)
    if found is None:
        names = ", ".join(kind.__name__ for kind in REGISTRY)
        raise ParameterError(f"results that can be shown are {names}; got {type(result).__name__}")
    return found


def group_by_presentation(results: Iterable[Any]) -> list[tuple[Presentation, list[Any]]]:
    """Return results kind by kind."""
    parts: dict[int, tuple[Presentation, list[Any]]] = {}
    for result in results:
        found = find_presentation(result)
        parts.setdefault(id(found), (found, []))[1].append(result)
    return list(parts.values())


def make_tables(results: Iterable[Any], view: View | None = None) -> list[Table]:
    """Return the tables of results, kind by kind."""
    shown = view or View()
    return [
        one
        for found, part in group_by_presentation(results)
        for one in found.make_tables(part, shown)
    ]


def collect_warnings(results: Iterable[Any]) -> list[str]:
    """Return the warnings that results carry, each once."""
    return list(
        dict.fromkeys(
            warning
            for result in results
            if is_dataclass(result)
            for one in list_columns(type(result))
            if one.column.role == "warning"
            for warning in one.value(result)
        )
    )


def draw_figure(results: Iterable[Any], **options: Any) -> Figure:
    """Return the main figure of the first kind among the results."""
    parts = group_by_presentation(results)
    if not parts:
        raise ParameterError("no results, so no figure")
    found, part = parts[0]
    return found.draw(part, **options)


def make_section(results: Sequence[Any], view: View | None = None, heading: str = "") -> Section:
    """Return results of one kind as a section of a page, which a terminal shows too."""
    shown = view or View()
    ((found, part),) = group_by_presentation(results)
    named = found.heading if isinstance(found.heading, str) else found.heading(part)
    return Section(
        heading or named,
        found.sentences(part, shown),
        found.make_tables(part, shown),
        partial(found.draw_all, part, shown.top),
        list(dict.fromkeys(found.topics(part))),
        found.conclusion(part, shown),
    )


def make_sections(results: Iterable[Any], view: View | None = None) -> list[Section]:
    """Return results of any kinds as sections, one per kind."""
    return [make_section(part, view) for _, part in group_by_presentation(results)]


def _chosen(names: Sequence[str], rows: Sequence[Any]) -> list[Field]:
    """Return the columns of a table, by name."""
    first = rows[0]
    known = {one.name: one for one in list_columns(type(first))}
    chosen: list[Field] = []
    for name in names:
        if name == "interval":
            chosen += [known[end] for end in ENDS[first.interval.alternative]]
        elif not name.endswith("?"):
            chosen.append(known[name])
        elif len({known[name[:-1]].value(row) for row in rows}) > 1:
            chosen.append(known[name[:-1]])
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
