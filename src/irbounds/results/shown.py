"""Results show themselves in a notebook: as a table when they are looked at, as a figure by asking.

``Shown`` gives this to a single result, and ``Results`` to the many that a function gives back: a
tuple in every respect, with a table, a figure and records of its own. How a kind of result looks
is known in ``report`` alone; it is asked when something is to be shown and not before, so results
stay light (docs/adr/0020).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeVar, overload

if TYPE_CHECKING:
    from ..presentation.figures.style import Figure

__all__ = ["Results", "Shown"]

Item = TypeVar("Item", covariant=True)


class Shown:
    """What a result has besides its numbers: a table in a notebook, and a figure."""

    __slots__ = ()

    def shown_as(self) -> Iterable[Any]:
        """The results that it is shown as: itself, unless it is made of others."""
        return (self,)

    def _repr_html_(self) -> str:
        from ..presentation.notebook import html_of

        return html_of(self.shown_as())

    def plot(self, **options: Any) -> Figure:
        """Return the main figure; ``options`` are those of its function, as ``top=20``."""
        from ..presentation.notebook import figure_of

        return figure_of(self.shown_as(), **options)


class Results(Shown, tuple[Item, ...]):
    """Results of one call: a tuple that shows itself as a table or a figure.

    Examples
    --------
    >>> from irbounds import mean_interval
    >>> estimates = mean_interval([0.1, 0.5, 0.4, 0.0], method="student-t")
    >>> [row["mean"] for row in estimates.records()]
    [0.25]
    >>> estimates == tuple(estimates), type(estimates[:1]).__name__
    (True, 'Results')
    """

    __slots__ = ()

    @overload
    def __getitem__(self, place: SupportsIndex) -> Item: ...
    @overload
    def __getitem__(self, place: slice) -> Results[Item]: ...
    def __getitem__(self, place: SupportsIndex | slice) -> Any:
        if isinstance(place, slice):
            return Results(super().__getitem__(place))
        return super().__getitem__(place)

    def __add__(self, others: tuple[Any, ...]) -> Results[Any]:
        return Results((*self, *others)) if isinstance(others, tuple) else NotImplemented

    def shown_as(self) -> Results[Item]:
        """Themselves."""
        return self

    def records(self) -> list[dict[str, Any]]:
        """A dict a result, with plain numbers and text: the rows of a frame of one's own."""
        from .records import records

        return records(self)
