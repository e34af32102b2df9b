"""``irbounds evaluate --scores 'scores/*.parquet'``: scores that are larger than memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from .. import __version__
from ..errors import ParameterError, quote, quote_several
from .evaluate_means import MeansWish, estimated
from .inputs import UNNAMED, files_by_measure
from .options import Form
from .showing import make_view
from .writing import write_result

if TYPE_CHECKING:
    from ..results import Estimate

Stream = dict[str, list[str]]


def stream_of(
    scores: Sequence[str] | None, measures: Sequence[str] | None, given: Mapping[str, bool]
) -> Stream | None:
    """The patterns and folders of each measure; None where scores are tables.

    ``given`` says of options that no stream has an answer to whether they were given.
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
    for option, is_given in given.items():
        if is_given:
            raise ParameterError(
                f"{option}: not for scores that are read as a stream, as patterns and folders are"
            )
    return _selected(found, measures or list(found))


def _selected(found: Mapping[str, list[str]], measures: Sequence[str]) -> Stream:
    for measure in measures:
        if measure not in found:
            raise ParameterError(f"no measure {quote(measure)} here, only {quote_several(found)}")
    return {measure: found[measure] for measure in measures}


def evaluate_stream(
    stream: Stream, wish: MeansWish, digits: int | None, form: Form, output: Path | None
) -> None:
    """Mean scores of systems with their intervals, of scores that are read once and not kept."""
    from ..presentation.registry import section_of

    said: list[str] = []
    estimates = estimated(stream, wish, "reading and resampling queries", said)
    section = section_of(estimates, make_view(digits))
    weights = next((one.weights for one in estimates if one.weights), None)
    if weights == "poisson":
        section = replace(section, topics=[*section.topics, "stream"])
    about = {
        "irbounds": __version__,
        "warnings": said,
        "diagnosis": None,
        "inputs": [asdict(one) for one in estimates[0].inputs],
        "weights": weights,
    }
    lines = _lines_about(estimates)
    write_result([section], form=form, output=output, inputs=lines, warnings=said, about=about)


def _lines_about(estimates: Sequence[Estimate]) -> list[str]:
    """What was read, and how."""
    from ..presentation.words import counted

    first = estimates[0]
    held = [
        counted(len(first.inputs), "file"),
        counted(first.n, "query", "queries"),
        counted(len({one.system for one in estimates}), "system"),
    ]
    return [f"scores: {', '.join(held)}; read as a stream"]
