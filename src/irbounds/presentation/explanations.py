"""Explanations of results and methods, with the papers behind them.

The sentences are in ``explanations.toml``, which is read when they are first needed. A topic is a
kind of result (``"mean-interval"``) or the name of a method as commands spell it (``"bca"``).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any


@dataclass(frozen=True)
class Explanation:
    """A topic: its name in words, what it means and does not mean, and its method."""

    name: str
    #: paragraphs; for a method, when to use it
    means: tuple[str, ...] = ()
    #: paragraphs; for a method, when not to use it
    does_not_mean: tuple[str, ...] = ()
    #: how it is computed
    method: str = ""
    #: keys of REFERENCES
    references: tuple[str, ...] = ()
    #: the group of methods that it belongs to; empty for a kind of result
    group: str = ""
    #: the name of the method as commands spell it, where another method has the same one
    option: str = ""


EXPLANATIONS: dict[str, Explanation]
REFERENCES: dict[str, str]


def __getattr__(name: str) -> Any:
    if name not in ("EXPLANATIONS", "REFERENCES"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _read()[name == "REFERENCES"]


def list_references(topics: Iterable[str]) -> list[str]:
    """Return the references of the topics, each once, sorted by author."""
    explanations, references = _read()
    return sorted({references[key] for topic in topics for key in explanations[topic].references})


@cache
def _read() -> tuple[dict[str, Explanation], dict[str, str]]:
    """Read the explanations and the references."""
    import tomllib
    from importlib.resources import files

    path = files("irbounds.presentation").joinpath("explanations.toml")
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    groups = {"": data["results"], **data.get("methods", {})}
    explanations = {
        topic: _explanation(entry, group)
        for group, entries in groups.items()
        for topic, entry in entries.items()
    }
    references = data.get("references", {})
    return explanations, {key: _join_lines(text) for key, text in references.items()}


def _explanation(entry: dict[str, Any], group: str) -> Explanation:
    means, does_not_mean = ("when", "when_not") if group else ("means", "does_not_mean")
    return Explanation(
        name=entry["name"],
        means=tuple(map(_join_lines, entry[means].split("\n\n"))),
        does_not_mean=tuple(map(_join_lines, entry[does_not_mean].split("\n\n"))),
        method=_join_lines(entry.get("method", "")),
        references=tuple(entry.get("references", ())),
        group=group,
        option=entry.get("option", ""),
    )


def _join_lines(text: str) -> str:
    return " ".join(text.split())
