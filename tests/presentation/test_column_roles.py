"""Fields that say what they are: columns, records and cells follow from their roles."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, ClassVar, Optional

import pytest

from irbounds.presentation.column_roles import (
    HIDDEN,
    Column,
    Count,
    Fraction,
    Key,
    PValue,
    Warnings,
    list_columns,
    make_record,
)
from irbounds.presentation.registry import collect_warnings

NAN = math.nan


def shout(text: str) -> str:
    return text.upper()


@dataclass(frozen=True)
class Ends:
    """A part whose columns have their own names."""

    low: float
    high: float
    column_prefix: ClassVar[str] = ""


@dataclass(frozen=True)
class Summary:
    """A part whose columns are named after the field that has it."""

    mean: float
    standard_deviation: Annotated[float, Column("spread", "sd")]


@dataclass(frozen=True)
class Plain:
    """A record with one field of each role."""

    system: Key
    value: Annotated[float, Column(heading="mean", name="average")]
    standard_error: float
    images: Annotated[Summary, Column(name="image")]
    ends: Ends
    best: Summary | None
    n: Count
    share: Fraction
    p_value: PValue
    label: Annotated[str, Column("key", text=lambda one, places: shout(one.system) * places)]
    secret: Annotated[Summary, HIDDEN]
    warnings: Warnings = ()
    limits: Any = field(default=None, repr=False)

    @property
    def shift(self) -> Annotated[float, Column("change")]:
        """Return a number; the annotation makes it a column."""
        return self.images.mean - self.value

    @cached_property
    def doubled(self) -> Annotated[float, Column(heading="twice", recorded=False)]:
        """Return a number for a column that is in tables only."""
        return 2 * self.value

    @property
    def not_a_column(self) -> float:
        """Return a number; without an annotation it is not a column."""
        return 0.0


@dataclass(frozen=True)
class Derived(Plain):
    """A subclass that adds columns, like ``RankInterval``."""

    extra: Annotated[int, Column("count", "more")] = 7

    @property
    def shift(self) -> Annotated[float, Column("change", "moved")]:
        """Return a number; replaces the column of the base class."""
        return 1.5


PARTS = {
    "images": Summary(0.4, 0.1),
    "ends": Ends(0.2, 0.5),
    "best": Summary(0.6, 0.2),
    "secret": Summary(9.0, 9.0),
}


def make_plain(kind=Plain, **changed):
    values = {"n": 1234, "share": 0.12345, "p_value": 0.0004, "label": "", "warnings": ("odd",)}
    return kind(
        **{"system": "a", "value": 0.3, "standard_error": 0.05, **PARTS, **values, **changed}
    )


def make_cells(record, places=2):
    texts = [
        column for column in list_columns(type(record)) if column.name not in ("secret", "warnings")
    ]
    return {column.name: column.cell(record, places) for column in texts}


def test_records_list_fields_in_order_then_properties():
    assert make_record(make_plain(limits=object())) == {
        "system": "a",
        "average": 0.3,
        "standard_error": 0.05,
        "image_mean": 0.4,
        "image_standard_deviation": 0.1,
        "low": 0.2,
        "high": 0.5,
        "best_mean": 0.6,
        "best_standard_deviation": 0.2,
        "n": 1234,
        "share": 0.12345,
        "p_value": 0.0004,
        "label": "",
        "shift": 0.4 - 0.3,
    }
    assert next(iter(make_record(make_plain()))) == "system"
    assert list(make_record(make_plain()))[-1] == "shift"


def test_missing_part_is_nan_in_records_and_dash_in_cells():
    record = make_plain(best=None)
    assert math.isnan(make_record(record)["best_mean"])
    assert make_cells(record)["best_mean"] == "-"
    assert list(make_record(record)) == list(make_record(make_plain()))


def test_headings_are_explicit_or_derived_from_names():
    headings = {listed.name: listed.heading for listed in list_columns(Plain)}
    assert headings["average"] == "mean"
    assert headings["standard_error"] == "standard error"
    assert headings["image_standard_deviation"] == "sd"
    assert headings["p_value"] == "p"
    assert headings["image_mean"] == "image mean"


def test_unrecorded_columns_are_in_tables_only():
    names = {listed.name: listed.column.recorded for listed in list_columns(Plain)}
    assert names["doubled"] is names["secret"] is names["warnings"] is False
    assert "limits" not in names
    assert "not_a_column" not in names
    assert make_cells(make_plain())["doubled"] == "0.60"


def test_subclass_has_inherited_and_own_columns():
    derived = make_plain(Derived)
    base = make_record(make_plain())
    assert make_record(derived) == {**base, "extra": 7, "shift": 1.5}
    headings = {column.name: column.heading for column in list_columns(Derived)}
    assert (headings["extra"], headings["shift"]) == ("more", "moved")


def test_column_of_a_subclass_follows_the_column_it_names():
    @dataclass(frozen=True)
    class Grouped(Ends):
        group: Annotated[str, Column("key", after="low")] = ""
        last: int = 0

    assert list(make_record(Grouped(0.1, 0.2, "x"))) == ["low", "group", "high", "last"]


def test_cell_text_of_every_role():
    actual = make_cells(make_plain())
    assert actual["system"] == "a"
    assert actual["average"] == "0.30"  # the decimals of the table
    assert actual["image_standard_deviation"] == "0.100"  # one more
    assert actual["shift"] == "+0.100"
    assert actual["n"] == "1,234"
    assert actual["share"] == "0.123"  # decimals of its own
    assert actual["p_value"] == "<0.001"
    assert make_cells(make_plain(), 4)["average"] == "0.3000"
    assert make_cells(make_plain(), 4)["share"] == "0.123"


@dataclass(frozen=True)
class Single:
    """A record with one number, whose column is set by the test."""

    value: Any


@pytest.mark.parametrize(
    ("column", "value", "cell"),
    [
        (Column(), 0.12345, "0.12"),
        (Column(places=1), 0.12345, "0.1"),
        (Column(places=0), 0.12345, "0"),
        (Column("value"), math.inf, "inf"),
        (Column("value"), "all", "all"),
        (Column("change"), -0.5, "-0.500"),
        (Column("change", places=1), 0.5, "+0.5"),
        (Column("spread", places=1), 0.5, "0.5"),
        (Column("fraction"), 1.0, "1.000"),
        (Column("fraction", places=1), 0.26, "0.3"),
        (Column("percentage"), 0.256, "26 %"),
        (Column("percentage", places=1), 0.256, "25.6 %"),
        (Column("p-value"), 0.05, "0.050"),
        (Column("count"), 0, "0"),
        (Column("key"), 12, "12"),
        (Column("key"), None, ""),
        *((Column(role), None, "-") for role in ("value", "count", "p-value", "fraction")),
        *((Column(role), NAN, "-") for role in ("value", "change", "percentage", "p-value")),
        (Column(text=lambda original, places: f"{original.value}/{places}"), None, "None/2"),
    ],
)
def test_cell_text_depends_on_column(column, value, cell):
    (original,) = list_columns(Single)
    listed_column = type(original)(original.name, column, original.path)
    assert listed_column.cell(Single(value), 2) == cell


def test_column_text_function_resolves_module_names():
    """Annotations are evaluated lazily; the lambda must still resolve names of the module."""
    assert make_cells(make_plain(), 2)["label"] == "AA"


@dataclass(frozen=True)
class Optionals:
    """Every notation of an optional field."""

    inside: Annotated[float | None, Column("fraction", "f")]
    outside: PValue | None
    old: Optional[Fraction]  # noqa: UP045
    part: Annotated[Summary, Column(name="it")] | None


def test_optional_column_accepts_either_annotation_order():
    roles = {
        listed.name: (listed.column.role, listed.heading) for listed in list_columns(Optionals)
    }
    assert roles == {
        "inside": ("fraction", "f"),
        "outside": ("p-value", "p"),
        "old": ("fraction", "old"),
        "it_mean": ("value", "it mean"),
        "it_standard_deviation": ("spread", "sd"),
    }
    empty = Optionals(None, None, None, None)
    assert set(make_cells(empty).values()) == {"-"}
    full = Optionals(0.25, 0.04, 0.5, Summary(1.0, 0.5))
    assert list(make_cells(full).values()) == ["0.250", "0.040", "0.500", "1.00", "0.500"]


def test_list_columns_is_cached():
    assert list_columns(Plain) is list_columns(Plain)


def test_warnings_are_collected_from_fields_without_repr():
    @dataclass(frozen=True)
    class Warned:
        value: float
        warnings: Warnings = field(default=(), repr=False)

    assert collect_warnings([Warned(1.0, ("odd", "rare")), Warned(2.0, ("odd",))]) == [
        "odd",
        "rare",
    ]
    assert make_record(Warned(1.0, ("odd",))) == {"value": 1.0}
