"""Columns of results: a field says what it is, and all ways of showing it follow from that.

A field of a result is annotated with a ``Column``, which has a role: ``p_value: PValue``, or
``effect_size: Annotated[float, Column("value", "effect size", places=2)]``. Records, CSV, JSON,
frames, cells of tables and small bars are made from these roles; no result writes its own. A
property whose return type is annotated is a column like any other. Fields with ``repr=False`` are
for computing and are in no record.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from .rounding import FRACTION_DECIMALS, fixed, percentage, small_p, with_sign

UNIONS = (Union, UnionType)
Role = Literal[
    "key", "value", "change", "spread", "fraction", "percentage", "p-value", "count", "warning"
]


@dataclass(frozen=True)
class Column:
    """What a field is, and how tables show it."""

    #: ``key`` names a row; ``value`` and ``spread`` (a decimal more) have the decimals of the
    #: table, ``change`` has a sign too; the others have decimals of their own; ``warning`` is a
    #: sentence above the table
    role: Role = "value"
    #: above the column; its name unless given
    heading: str = ""
    #: of the column in records; that of the field unless given
    name: str = ""
    #: what the heading means, for the line below the table
    note: str = ""
    #: decimals, where neither the role nor the table decides
    places: int | None = None
    #: makes the cell from the result and the table's decimals, where the role does not decide
    text: Callable[[Any, int], str] | None = None
    #: whether records have it
    recorded: bool = True


Key: TypeAlias = Annotated[str, Column("key")]
Count: TypeAlias = Annotated[int, Column("count")]
Fraction: TypeAlias = Annotated[float, Column("fraction")]
PValue: TypeAlias = Annotated[float, Column("p-value", "p")]
#: for computing, or shown elsewhere: in no record
HIDDEN = Column(recorded=False)
#: sentences that are shown with the result
Warnings: TypeAlias = Annotated[tuple[str, ...], Column("warning", recorded=False)]


@dataclass(frozen=True)
class Field:
    """A column of a kind of result, and where its value is found."""

    name: str
    column: Column
    #: attributes from the result to the value
    path: tuple[str, ...]

    @property
    def heading(self) -> str:
        """The words above the column."""
        return self.column.heading or self.name.replace("_", " ")

    def value(self, result: Any) -> Any:
        """Return the value; NaN where a part of the result that would have it is missing."""
        for attribute in self.path:
            if result is None:
                return math.nan
            result = getattr(result, attribute)
        return result

    def cell(self, result: Any, places: int) -> str:
        """Return the text of a cell; ``places`` are the decimals that the table's values have."""
        column = self.column
        if column.text is not None:
            return column.text(result, places)
        value = self.value(result)
        if column.role == "key":
            return "" if value is None else str(value)
        if value is None or (isinstance(value, float) and math.isnan(value)):
            return "-"
        if isinstance(value, str):
            return value
        return _number(value, column, places)


def _number(value: float, column: Column, places: int) -> str:
    chosen = column.places
    match column.role:
        case "count":
            return f"{value:,}"
        case "p-value":
            return small_p(value)
        case "percentage":
            return percentage(value, chosen or 0)
        case "fraction":
            return fixed(value, FRACTION_DECIMALS if chosen is None else chosen)
        case "spread":
            return fixed(value, places + 1 if chosen is None else chosen)
        case "change":
            return with_sign(value, places + 1 if chosen is None else chosen)
    return fixed(value, places if chosen is None else chosen)


def make_record(result: Any) -> dict[str, Any]:
    """Return a result as plain names and values: a row of a CSV file or of a frame."""
    columns = list_columns(type(result))
    return {one.name: one.value(result) for one in columns if one.column.recorded}


def list_columns(kind: Any) -> tuple[Field, ...]:
    """Return the columns of a kind of result: its fields, then its annotated properties."""
    return _columns_of(kind)


@cache
def _columns_of(kind: type) -> tuple[Field, ...]:
    # without local names a lambda in an annotation finds the names of its module
    hints = get_type_hints(kind, localns={}, include_extras=True)
    found: list[Field] = []
    for one in fields(kind):
        column = _column(hints[one.name])
        if one.repr or (column is not None and column.role == "warning"):
            found += _fields(one.name, hints[one.name])
    for name, member in _properties(kind):
        hint = get_type_hints(member, include_extras=True).get("return")
        if _column(hint) is not None:
            found += _fields(name, hint)
    return tuple(found)


def _properties(kind: type) -> Iterable[tuple[str, Any]]:
    members = {name: one for base in reversed(kind.__mro__) for name, one in vars(base).items()}
    for name, member in members.items():
        function = getattr(member, "fget", None) or getattr(member, "func", None)
        if isinstance(member, property) or type(member).__name__ == "cached_property":
            yield name, function


def _column(hint: Any) -> Column | None:
    if get_origin(hint) in UNIONS:
        return next(filter(None, map(_column, get_args(hint))), None)
    if get_origin(hint) is not Annotated:
        return None
    return next((one for one in get_args(hint)[1:] if isinstance(one, Column)), None)


def _fields(attribute: str, hint: Any) -> list[Field]:
    """Return the columns of one field; a field that is itself a result has several."""
    column = _column(hint) or Column()
    name = column.name or attribute
    nested = next((part for part in _types(hint) if is_dataclass(part)), None)
    if nested is None or not column.recorded:
        return [Field(name, column, (attribute,))]
    prefix = getattr(nested, "column_prefix", f"{name}_")
    return [
        replace(one, name=f"{prefix}{one.name}", path=(attribute, *one.path))
        for one in list_columns(nested)
    ]


def _types(hint: Any) -> list[Any]:
    """Return the types that a value may have: of ``Annotated[A | None, ...]`` A and None."""
    if get_origin(hint) is Annotated:
        return _types(get_args(hint)[0])
    if get_origin(hint) in UNIONS:
        return [one for part in get_args(hint) for one in _types(part)]
    return [hint]
