"""``irbounds evaluate --scores 'scores/*.parquet'``: scores that are larger than memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from .. import __version__
from ..errors import ParameterError
from .inputs import UNNAMED, files_by_measure

if TYPE_CHECKING:
    from ..report.pages import Section
    from ..results import Estimate

__all__ = ["about_stream", "lines_about_stream", "stream_of", "with_stream_words"]

Stream = dict[str, list[str]]


def stream_of(
    scores: Sequence[str] | None, measures: Sequence[str] | None, **others: bool
) -> Stream | None:
    """The patterns and folders of each measure; None where scores are tables.

    ``others`` says which options were given that no stream has an answer to.
    """
    from ..api import is_stream

    if not scores:
        return None
    found = {
        name or (measures or [UNNAMED])[0]: files
        for name, files in files_by_measure(scores).items()
    }
    if not is_stream(found):
        return None
    for option, given in others.items():
        if given:
            shown = option if option.isupper() else f"--{option.replace('_', '-')}"
            raise ParameterError(
                f"{shown}: not for scores that are read as a stream, as patterns and folders are"
            )
    return _selected(found, measures or list(found))


def _selected(found: Mapping[str, list[str]], measures: Sequence[str]) -> Stream:
    for measure in measures:
        if measure not in found:
            raise ParameterError(f"no measure {measure!r} here, only {', '.join(found)}")
    return {measure: found[measure] for measure in measures}


def lines_about_stream(estimates: Sequence[Estimate]) -> list[str]:
    """What was read, and how."""
    from ..report.words import counted

    first = estimates[0]
    held = [
        counted(len(first.inputs), "file"),
        counted(first.n, "query", "queries"),
        counted(len({one.system for one in estimates}), "system"),
    ]
    return [f"scores: {', '.join(held)}; read as a stream (docs/streams.md)"]


def about_stream(estimates: Sequence[Estimate], warnings: Sequence[str]) -> dict[str, Any]:
    """What JSON says besides the results."""
    return {
        "irbounds": __version__,
        "warnings": list(warnings),
        "diagnosis": None,
        "inputs": [asdict(one) for one in estimates[0].inputs],
        "weights": _weights(estimates),
    }


def with_stream_words(section: Section, estimates: Sequence[Estimate]) -> Section:
    """The section with what a page says of Poisson weights, where there are any."""
    drawn = _weights(estimates) == "poisson"
    return replace(section, topics=[*section.topics, "stream"]) if drawn else section


def _weights(estimates: Sequence[Estimate]) -> str | None:
    """How queries were drawn again; None where nothing was drawn."""
    return next((one.weights for one in estimates if one.distribution is not None), None)
