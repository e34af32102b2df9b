"""Column roles: the annotations of a result's fields from which its records and tables are made.

A field of a result is annotated with a ``Column``, which has a role: ``p_value: PValue``, or
``effect_size: Annotated[float, Column("value", "effect size", places=2)]``. Records, CSV, JSON,
frames and cells of tables are made from these roles. A property whose return type is annotated is a
column too. Fields with ``repr=False`` are for computing and are in no record.
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
    """The role of a field, and how tables show it."""

    #: ``key`` names a row. ``value``, ``spread`` and ``change`` have the decimals of the table,
    #: ``spread`` and ``change`` one more, ``change`` also a sign. The others have their own
    #: decimals. ``warning`` is a sentence above the table.
    role: Role = "value"
    #: above the column; by default its name
    heading: str = ""
    #: of the column in records; by default that of the field
    name: str = ""
    #: explanation of the heading, for the caption of the table
    note: str = ""
    #: decimals, if neither the role nor the table decides them
    places: int | None = None
    #: makes the cell from the result and the table's decimals, if the role does not
    text: Callable[[Any, int], str] | None = None
    #: whether records contain it
    recorded: bool = True
    #: the column that it follows; by default that of the field before it. For a field of a subclass
    after: str = ""


Key: TypeAlias = Annotated[str, Column("key")]
Count: TypeAlias = Annotated[int, Column("count")]
Fraction: TypeAlias = Annotated[float, Column("fraction")]
PValue: TypeAlias = Annotated[float, Column("p-value", "p")]
#: of fields for computing, or shown elsewhere: not in records
HIDDEN = Column(recorded=False)
#: warnings, which are printed with the result
Warnings: TypeAlias = Annotated[tuple[str, ...], Column("warning", recorded=False)]


@dataclass(frozen=True)
class Field:
    """A column of a type of result, and the path to its value."""

    name: str
    column: Column
    #: attributes from the result to the value
    path: tuple[str, ...]

    @property
    def heading(self) -> str:
        """The words above the column."""
        return self.column.heading or self.name.replace("_", " ")

    def value(self, result: Any) -> Any:
        """Return the value; NaN if the part of the result that contains it is None."""
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
        return _format_number(value, column, places)


def _format_number(value: float, column: Column, places: int) -> str:
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
    """Return a result as names and values: a row of a CSV file or of a frame."""
    columns = list_columns(type(result))
    return {field.name: field.value(result) for field in columns if field.column.recorded}


def list_columns(kind: Any) -> tuple[Field, ...]:
    """Return the columns of a type of result: its fields, then its annotated properties."""
    return _columns_of(kind)


@cache
def _columns_of(kind: type) -> tuple[Field, ...]:
    # with empty local names, a lambda in an annotation uses the names of its module
    hints = get_type_hints(kind, localns={}, include_extras=True)
    columns: list[Field] = []
    for field in fields(kind):
        column = _find_column(hints[field.name])
        if field.repr or (column is not None and column.role == "warning"):
            columns += _make_fields(field.name, hints[field.name])
    for name, member in _list_properties(kind):
        hint = get_type_hints(member, include_extras=True).get("return")
        if _find_column(hint) is not None:
            columns += _make_fields(name, hint)
    for field_ in [field for field in columns if field.column.after]:
        columns.remove(field_)
        names = [field.name for field in columns]
        columns.insert(names.index(field_.column.after) + 1, field_)
    return tuple(columns)


def _list_properties(kind: type) -> Iterable[tuple[str, Any]]:
    members = {
        name: member for base in reversed(kind.__mro__) for name, member in vars(base).items()
    }
    for name, member in members.items():
        function = getattr(member, "fget", None) or getattr(member, "func", None)
        if isinstance(member, property) or type(member).__name__ == "cached_property":
            yield name, function


def _find_column(hint: Any) -> Column | None:
    if get_origin(hint) in UNIONS:
        return next(filter(None, map(_find_column, get_args(hint))), None)
    if get_origin(hint) is not Annotated:
        return None
    return next((note for note in get_args(hint)[1:] if isinstance(note, Column)), None)


def _make_fields(attribute: str, hint: Any) -> list[Field]:
    """Return the columns of one field; a field that is itself a result has several."""
    column = _find_column(hint) or Column()
    name = column.name or attribute
    nested = next((part for part in _list_types(hint) if is_dataclass(part)), None)
    if nested is None or not column.recorded:
        return [Field(name, column, (attribute,))]
    prefix = getattr(nested, "column_prefix", f"{name}_")
    return [
        replace(field, name=f"{prefix}{field.name}", path=(attribute, *field.path))
        for field in list_columns(nested)
    ]


def _list_types(hint: Any) -> list[Any]:
    """Return the types that a value may have: of ``Annotated[A | None, ...]`` A and None."""
    if get_origin(hint) is Annotated:
        return _list_types(get_args(hint)[0])
    if get_origin(hint) in UNIONS:
        return [kind for part in get_args(hint) for kind in _list_types(part)]
    return [hint]
