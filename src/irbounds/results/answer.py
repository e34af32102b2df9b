"""The answer of a verb: its result, and what a person is shown beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ..presentation.registry import View, sections_of
from .result import Result, Results

if TYPE_CHECKING:
    from ..presentation.sections import Section
    from .diagnosis import Diagnosis
    from .inputs import InputFile

Made = TypeVar("Made", covariant=True)


@dataclass(frozen=True)
class Answer(Generic[Made]):
    """A result with the inputs, warnings and facts that belong to it.

    The command line shows it; in Python a verb returns ``result``, which prints the same.
    """

    result: Made
    #: how it is shown, as far as the request says so
    view: View = field(default_factory=View)
    #: the inputs in a few lines
    lines: Sequence[str] = ()
    warnings: Sequence[str] = ()
    inputs: Sequence[InputFile] = ()
    diagnosis: Diagnosis | None = None
    #: what JSON states besides
    facts: Mapping[str, Any] = field(default_factory=dict)
    #: makes the sections, where it is not one per kind of result
    make_sections: Callable[[View], list[Section]] | None = field(default=None, repr=False)
    #: makes the sections that only a page has
    make_page_sections: Callable[[View], Sequence[Section]] | None = field(default=None, repr=False)
    #: labels of the lines that a person signs on a page
    signatures: Sequence[str] = ()
    #: what the command writes in place of tables
    text: str | None = None
    #: exit status of the command
    status: int = 0

    def sections(self, view: View | None = None) -> list[Section]:
        """Return what is shown: sentences, tables and figures."""
        shown = self.view if view is None else view
        if self.make_sections is not None:
            return self.make_sections(shown)
        rows = self.result._rows() if isinstance(self.result, Result) else ()
        return sections_of(rows, shown)

    def record(self, version: str, found: Sequence[str]) -> dict[str, Any]:
        """Return what JSON states besides the records of the tables."""
        return {
            "irbounds": version,
            "warnings": list(self.warnings),
            "diagnosis": self.diagnosis and _without_ties(self.diagnosis),
            "inputs": [asdict(one) for one in self.inputs],
            "found": list(found),
            **self.facts,
        }

    def with_warnings(self, warnings: Sequence[str]) -> Answer[Made]:
        """Return the same answer with further warnings, each once."""
        return replace(self, warnings=tuple(dict.fromkeys((*self.warnings, *warnings))))

    def attach(self) -> Made:
        """Return the result, which remembers how it is shown."""
        if isinstance(self.result, Results):
            self.result._answer = self
        return self.result


def _without_ties(diagnosis: Diagnosis) -> dict[str, Any]:
    return {key: value for key, value in asdict(diagnosis).items() if key != "ties"}
