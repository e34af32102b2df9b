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
    """One field of each kind."""

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
        """A column like any other."""
        return self.images.mean - self.value

    @cached_property
    def doubled(self) -> Annotated[float, Column(heading="twice", recorded=False)]:
        """A column that only tables have."""
        return 2 * self.value

    @property
    def not_a_column(self) -> float:
        """Without an annotation, as most properties are."""
        return 0.0


@dataclass(frozen=True)
class Derived(Plain):
    """A kind that adds to another, as ``RankInterval`` does."""

    extra: Annotated[int, Column("count", "more")] = 7

    @property
    def shift(self) -> Annotated[float, Column("change", "moved")]:
        """Replaces the one of its base."""
        return 1.5


PARTS = {
    "images": Summary(0.4, 0.1),
    "ends": Ends(0.2, 0.5),
    "best": Summary(0.6, 0.2),
    "secret": Summary(9.0, 9.0),
}


def plain(kind=Plain, **changed):
    held = {"n": 1234, "share": 0.12345, "p_value": 0.0004, "label": "", "warnings": ("odd",)}
    return kind(**{"system": "a", "value": 0.3, "standard_error": 0.05, **PARTS, **held, **changed})


def cells(one, places=2):
    shown = [
        column for column in list_columns(type(one)) if column.name not in ("secret", "warnings")
    ]
    return {column.name: column.cell(one, places) for column in shown}


def test_records_have_the_fields_in_order_then_the_properties():
    assert make_record(plain(limits=object())) == {
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
    assert next(iter(make_record(plain()))) == "system"
    assert list(make_record(plain()))[-1] == "shift"


def test_a_part_that_is_missing_is_nan_in_records_and_a_dash_in_cells():
    one = plain(best=None)
    assert math.isnan(make_record(one)["best_mean"])
    assert cells(one)["best_mean"] == "-"
    assert list(make_record(one)) == list(make_record(plain()))


def test_headings_are_given_or_made_from_names():
    headings = {one.name: one.heading for one in list_columns(Plain)}
    assert headings["average"] == "mean"
    assert headings["standard_error"] == "standard error"
    assert headings["image_standard_deviation"] == "sd"
    assert headings["p_value"] == "p"
    assert headings["image_mean"] == "image mean"


def test_hidden_columns_are_for_tables_only():
    names = {one.name: one.column.recorded for one in list_columns(Plain)}
    assert names["doubled"] is names["secret"] is names["warnings"] is False
    assert "limits" not in names
    assert "not_a_column" not in names
    assert cells(plain())["doubled"] == "0.60"


def test_a_kind_has_the_columns_of_its_base_and_its_own():
    one = plain(Derived)
    base = make_record(plain())
    assert make_record(one) == {**base, "extra": 7, "shift": 1.5}
    headings = {column.name: column.heading for column in list_columns(Derived)}
    assert (headings["extra"], headings["shift"]) == ("more", "moved")


def test_cells_of_every_role():
    found = cells(plain())
    assert found["system"] == "a"
    assert found["average"] == "0.30"  # the decimals of the table
    assert found["image_standard_deviation"] == "0.100"  # one more
    assert found["shift"] == "+0.100"
    assert found["n"] == "1,234"
    assert found["share"] == "0.123"  # decimals of its own
    assert found["p_value"] == "<0.001"
    assert cells(plain(), 4)["average"] == "0.3000"
    assert cells(plain(), 4)["share"] == "0.123"


@dataclass(frozen=True)
class Single:
    """One number, whose column a test chooses."""

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
        (Column(text=lambda one, places: f"{one.value}/{places}"), None, "None/2"),
    ],
)
def test_a_cell_follows_from_its_column(column, value, cell):
    (one,) = list_columns(Single)
    shown = type(one)(one.name, column, one.path)
    assert shown.cell(Single(value), 2) == cell


def test_the_text_of_a_cell_uses_names_of_its_module():
    """An annotation is evaluated late: its lambda must still find the names of the module."""
    assert cells(plain(), 2)["label"] == "AA"


@dataclass(frozen=True)
class Optionals:
    """All ways to write that a field may be None."""

    inside: Annotated[float | None, Column("fraction", "f")]
    outside: PValue | None
    old: Optional[Fraction]  # noqa: UP045
    part: Annotated[Summary, Column(name="it")] | None


def test_an_optional_column_is_found_in_either_order_of_annotation():
    roles = {one.name: (one.column.role, one.heading) for one in list_columns(Optionals)}
    assert roles == {
        "inside": ("fraction", "f"),
        "outside": ("p-value", "p"),
        "old": ("fraction", "old"),
        "it_mean": ("value", "it mean"),
        "it_standard_deviation": ("spread", "sd"),
    }
    empty = Optionals(None, None, None, None)
    assert set(cells(empty).values()) == {"-"}
    full = Optionals(0.25, 0.04, 0.5, Summary(1.0, 0.5))
    assert list(cells(full).values()) == ["0.250", "0.040", "0.500", "1.00", "0.500"]


def test_columns_are_computed_once():
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
