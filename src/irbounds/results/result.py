"""Base classes of results: their tables, figures and records, the answer of a verb, and inputs.

``Result`` is one result, ``Results`` the tuple of results that a function returns. The presentation
of a type of result is registered where the type is defined (``presentation.registry``). Libraries
for drawing and for frames are loaded on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Generic, SupportsIndex, TypeVar, overload

from ..errors import ParameterError
from ..presentation.column_roles import make_record
from ..presentation.registry import View, make_sections

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from ..presentation.figures.style import Figure
    from ..presentation.page_content import Section
    from .input_diagnosis import Diagnosis


Item = TypeVar("Item", covariant=True)


def records(results: Iterable[Any]) -> list[dict[str, Any]]:
    """Return one dict per result, with plain numbers and text.

    Parameters
    ----------
    results
        Results, such as ``mean_interval`` returns.

    Returns
    -------
    list of dict
        The rows of the CSV output.

    Examples
    --------
    >>> from irbounds import mean_interval
    >>> row, = records(mean_interval([0.1, 0.5, 0.4, 0.0], method="student-t"))
    >>> row["mean"], row["method"], row["n"]
    (0.25, 'student-t', 4)
    """
    rows: list[dict[str, Any]] = []
    for result in results:
        if not hasattr(result, "_records"):
            raise ParameterError(f"records() takes results; got {type(result).__name__}")
        rows += result._records()
    return rows


class Result:
    """A result: ``print`` shows its table, ``plot`` draws it, ``to_...`` returns its numbers."""

    __slots__ = ()

    def _rows(self) -> Iterable[Any]:
        """Return the results that are shown for this one: itself, or its parts."""
        return (self,)

    def _records(self) -> list[dict[str, Any]]:
        """Return the records of this result: by default one."""
        return [make_record(self)]

    def _sections(self, has_records: bool = True) -> list[Section]:
        """Return the sections that are shown: sentences, tables and figures, one per type."""
        from ..presentation.registry import View, make_sections

        return make_sections(self._rows(), View(has_records=has_records))

    def _lines_and_warnings(self) -> tuple[Sequence[str], Sequence[str]]:
        """Return the lines about the inputs, and the warnings."""
        from ..presentation.registry import collect_warnings

        return (), collect_warnings(self._rows())

    def __str__(self) -> str:
        from ..presentation.terminal import render_text

        return render_text(self._sections(has_records=False), *self._lines_and_warnings())

    def _repr_html_(self) -> str:
        return self.to_html()

    def records(self) -> list[dict[str, Any]]:
        """Return one dict per row, with plain numbers and text: what CSV and JSON hold."""
        return records(self._rows())

    def to_polars(self) -> pl.DataFrame:
        """Return the records as a polars frame."""
        import polars as pl

        return pl.DataFrame(self.records(), infer_schema_length=None)

    def to_pandas(self) -> pd.DataFrame:
        """Return the records as a pandas frame; pandas must be installed."""
        try:
            import pandas as pd
        except ImportError:
            raise ParameterError(
                "to_pandas needs pandas, which is not installed: pip install pandas"
            ) from None
        return pd.DataFrame(self.records())

    def to_markdown(self) -> str:
        """Return the tables as Markdown."""
        return self._render("markdown")

    def to_latex(self) -> str:
        """Return the tables as LaTeX, which needs the package booktabs."""
        return self._render("latex")

    def to_html(self) -> str:
        """Return sentences and tables as HTML, to be part of a page."""
        from ..presentation.html.table_markup import render_html

        return render_html(self._sections(has_records=False), *self._lines_and_warnings())

    def plot(self, **options: Any) -> Figure:
        """Return the main figure.

        Parameters
        ----------
        **options
            Options of the figure's function (docs/reference/figures.md).

        Returns
        -------
        Figure
            ``.save("figure.svg")`` writes it; a notebook displays it.
        """
        return self._draw(options)

    def _draw(self, options: Mapping[str, Any]) -> Figure:
        from ..presentation.registry import draw_figure

        return draw_figure(self._rows(), **options)

    def _render(self, form: str) -> str:
        from ..presentation.table import render

        tables = [table for section in self._sections() for table in section.tables]
        return render(tables, form, {})


class Results(Result, tuple[Item, ...]):
    """Results of one call: a tuple that shows itself as a table or a figure.

    Examples
    --------
    >>> from irbounds import mean_interval
    >>> estimates = mean_interval([0.1, 0.5, 0.4, 0.0], method="student-t")
    >>> print(estimates)  # doctest: +ELLIPSIS
    score: mean over 4 queries with its 95 % Student t interval
    system  mean    low  high  ...
    >>> [row["mean"] for row in estimates.records()]
    [0.25]
    >>> estimates == tuple(estimates), type(estimates[:1]).__name__
    (True, 'Results')
    """

    #: the answer of a verb; None for the results of a function
    _answer: Answer[Any] | None = None
    #: whether these are some of the results of a call, which sentences are not about
    _is_part = False

    @overload
    def __getitem__(self, place: SupportsIndex) -> Item: ...
    @overload
    def __getitem__(self, place: slice) -> Results[Item]: ...
    def __getitem__(self, place: SupportsIndex | slice) -> Any:
        if isinstance(place, slice):
            part: Results[Any] = Results(super().__getitem__(place))
            part._is_part = len(part) < len(self) or self._is_part
            return part
        return super().__getitem__(place)

    def __add__(self, others: tuple[Any, ...]) -> Results[Any]:
        return Results((*self, *others)) if isinstance(others, tuple) else NotImplemented

    def __repr__(self) -> str:
        return str(self)

    def __reduce__(self) -> Any:
        return Results, (tuple(self),)  # without the answer, which contains functions

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about the inputs and the results."""
        return tuple(self._lines_and_warnings()[1])

    def records(self) -> list[dict[str, Any]]:
        """Return one dict per row, with plain numbers and text: what CSV and JSON hold."""
        if self._answer is None:
            return super().records()
        return [
            dict(row)
            for section in self._sections()
            for table in section.tables
            for row in table.records
        ]

    def _draw(self, options: Mapping[str, Any]) -> Figure:
        if self._answer is None or self._answer.make_sections is None:
            return super()._draw(options)
        figures = [
            figure for section in self._sections(has_records=False) for figure in section.drawn
        ]
        if not figures:
            raise ParameterError("these results have no figure")
        return figures[0]

    def _rows(self) -> Iterable[Any]:
        return self

    def _sections(self, has_records: bool = True) -> list[Section]:
        if self._is_part:
            sections = super()._sections(has_records)
            return [replace(section, sentences=(), conclusion=()) for section in sections]
        if self._answer is None:
            return super()._sections(has_records)
        return self._answer.sections(replace(self._answer.view, has_records=has_records))

    def _lines_and_warnings(self) -> tuple[Sequence[str], Sequence[str]]:
        if self._answer is None:
            return super()._lines_and_warnings()
        return self._answer.lines, self._answer.warnings


Outcome = TypeVar("Outcome", covariant=True)


@dataclass(frozen=True)
class Answer(Generic[Outcome]):
    """A result with the inputs, warnings and facts that belong to it.

    The command line shows it; in Python a verb returns ``result``, which prints the same.
    """

    result: Outcome
    #: how it is shown, by the options of the request
    view: View = field(default_factory=View)
    #: the inputs in a few lines
    lines: Sequence[str] = ()
    warnings: Sequence[str] = ()
    inputs: Sequence[InputFile] = ()
    diagnosis: Diagnosis | None = None
    #: further facts in JSON
    facts: Mapping[str, Any] = field(default_factory=dict)
    #: makes the sections, if there is not one per type of result
    make_sections: Callable[[View], list[Section]] | None = field(default=None, repr=False)
    #: makes the sections that only a page has
    make_page_sections: Callable[[View], Sequence[Section]] | None = field(default=None, repr=False)
    #: labels of the lines that a person fills in and signs on a page
    signatures: Sequence[str] = ()
    #: the title of a page; by default the command
    title: str = ""
    #: text that the command writes instead of tables
    text: str | None = None
    #: exit status of the command
    status: int = 0

    def sections(self, view: View | None = None) -> list[Section]:
        """Return the sections that are shown: sentences, tables and figures."""
        view = self.view if view is None else view
        if self.make_sections is not None:
            return self.make_sections(view)
        return make_sections(self.result._rows() if isinstance(self.result, Result) else (), view)

    def page_sections(self, view: View) -> list[Section]:
        """Return the sections that only a page has."""
        return list(self.make_page_sections(view) if self.make_page_sections else ())

    def record(self, version: str, findings: Sequence[str]) -> dict[str, Any]:
        """Return the part of JSON that is not the records of the tables."""
        return {
            "irbounds": version,
            "warnings": list(self.warnings),
            "diagnosis": self.diagnosis and asdict(self.diagnosis),
            "inputs": [asdict(file) for file in self.inputs],
            "found": list(findings),
            **self.facts,
        }

    def with_warnings(self, warnings: Sequence[str]) -> Answer[Outcome]:
        """Return the answer with further warnings, each once."""
        return replace(self, warnings=tuple(dict.fromkeys((*self.warnings, *warnings))))

    def attach(self) -> Outcome:
        """Return the result with a reference to this answer, which decides how it is shown."""
        if isinstance(self.result, Results):
            self.result._answer = self
        return self.result


MAX_DIGITS = 12  # hexadecimal digits of a fingerprint, which distinguish files


@dataclass(frozen=True)
class InputFile:
    """An input: its name and the SHA-256 of its content."""

    name: str
    fingerprint: str


def shorten_fingerprint(fingerprint: str) -> str:
    """Return the beginning of a fingerprint: ``sha256 855e54b0fdbb``."""
    return f"sha256 {fingerprint.removeprefix('sha256:')[:MAX_DIGITS]}"
