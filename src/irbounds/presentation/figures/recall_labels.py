"""Words that figures of recall share."""

from __future__ import annotations

from ...results import RecallEstimate
from ..evaluation import SIDES
from ..rounding import percent
from ..words import shortened

__all__ = [
    "LABEL_LIMIT",
    "LINE",
    "axis_title",
    "level_label",
    "method_label",
    "of_whom",
    "side_label",
]

LINE = 22  # pixels of a row with a name to its left
LABEL_LIMIT = 320  # pixels of such a name


def axis_title(one: RecallEstimate) -> str:
    """What is along the axis."""
    return "yield (relevant documents)" if one.quantity == "yield" else one.quantity


def method_label(one: RecallEstimate) -> str:
    """A method with its prior, if it has one."""
    return one.interval.method + (f", prior {one.prior}" if one.prior else "")


def level_label(one: RecallEstimate) -> str:
    """As everywhere in words: 95 %."""
    return percent(one.interval.confidence_level)


def side_label(one: RecallEstimate) -> str:
    """An interval, or a limit."""
    return SIDES[one.interval.alternative]


def of_whom(one: RecallEstimate, *, in_title: bool = False) -> str:
    """Whose retrieved set it is, where that has a name: `` of UW, topic 201``."""
    topic = f"topic {one.topic}" if one.topic else ""
    system = shortened(one.system) if in_title and one.system else one.system
    named = ", ".join(filter(None, (system, topic)))
    return f" of {named}" if named else ""
