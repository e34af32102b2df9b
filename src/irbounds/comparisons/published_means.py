"""Comparison of two published means: Welch's interval and test (Park 2010, section 6).

``evaluate --format json`` writes means, standard deviations and numbers of queries, which is all
that a comparison of two independent samples needs. Reference: Welch (1947); Satterthwaite (1946).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from ..errors import DataError, InputError, quote
from ..intervals.student_t import StudentT
from ..reading.mappings import parse_json
from ..reading.sources import Source
from ..results import InputFile, PublishedComparison
from ..results.interval import compute_interval
from ..validation import Alternative
from .adjustments import ADJUSTMENTS
from .tests_of_difference import compute_t_tail

LARGE = 1e300  # no number may be larger


@dataclass(frozen=True, eq=False)
class Welch(StudentT):
    """Limits difference + t(p, df) error; ``n`` is df + 1."""

    method: ClassVar[str] = "welch"


def find_published(first: Any, second: Any) -> list[Path]:
    """Return two JSON files; nothing where the arguments are anything else."""
    paths = [first, *(second if isinstance(second, list | tuple) else [second])]
    if len(paths) != 2 or not all(isinstance(path, str | Path) for path in paths):
        return []
    paths = list(map(Path, paths))
    return paths if all(path.suffix.lower() == ".json" for path in paths) else []


def compare_published(
    paths: Sequence[Path], *, confidence_level: float, alternative: Alternative, adjustment: str
) -> tuple[list[PublishedComparison], list[str], list[InputFile]]:
    """Return every mean of the first file minus every mean of the second by the same measure.

    Also return warnings, and the files.
    """
    documents, files = zip(*map(_read_means, paths), strict=True)
    if files[0].fingerprint == files[1].fingerprint:
        raise InputError(f"{paths[0]} and {paths[1]} have the same content; give two files")
    # a mean with intervals by several methods is one mean
    one, other = (
        list({(row["measure"], row["system"]): row for row in document["results"]}.values())
        for document in documents
    )
    comparisons: list[PublishedComparison] = []
    for measure in dict.fromkeys(row["measure"] for row in one):
        pairs = [(a, b) for a in one for b in other if a["measure"] == b["measure"] == measure]
        limits = [_fit_welch(a, b) for a, b in pairs]
        t = np.array([fit.mean / fit.standard_error for fit in limits])
        p = compute_t_tail(t, [fit.n - 1 for fit in limits], alternative)
        adjusted = ADJUSTMENTS[adjustment](p)
        for (a, b), fit, p_value, adjusted_p in zip(pairs, limits, p, adjusted, strict=True):
            names = [a["system"], b["system"]]
            if names[0] == names[1]:
                names = [f"{name} ({file.name})" for name, file in zip(names, files, strict=True)]
            comparisons.append(
                PublishedComparison(
                    measure=measure,
                    system=names[0],
                    baseline=names[1],
                    value=float(fit.mean),
                    interval=compute_interval(fit, confidence_level, alternative),
                    standard_error=float(fit.standard_error),
                    n=a["n"],
                    baseline_n=b["n"],
                    degrees_of_freedom=fit.n - 1,
                    effect_size=math.nan,
                    test="welch",
                    alternative=alternative,
                    p_value=float(p_value),
                    adjustment=adjustment,
                    adjusted_p_value=float(adjusted_p),
                    adjusted_p_low=float(adjusted_p),
                    adjusted_p_high=float(adjusted_p),
                    n_comparisons=len(pairs),
                    limits=fit,
                    inputs=files,
                )
            )
    if not comparisons:
        raise DataError(f"{paths[0]} and {paths[1]} have no measure in common")
    warnings = []
    if lacking := {row["measure"] for row in one} ^ {row["measure"] for row in other}:
        warnings.append(f"only one file has {', '.join(sorted(lacking))}")
    if set.intersection(*map(_list_fingerprints, documents)):
        warnings.append(
            "both files have an input in common: on the same queries the interval is too wide, and "
            "a paired comparison of the scores is more precise"
        )
    if documents[0].get("ties") != documents[1].get("ties"):
        warnings.append("documents of equal score were ordered by different rules")
    return comparisons, warnings, list(files)


def _list_fingerprints(document: dict[str, Any]) -> set[str]:
    inputs = document.get("inputs")
    files = inputs if isinstance(inputs, list) else []
    return {str(file.get("fingerprint")) for file in files if isinstance(file, dict)}


def _read_means(path: Path) -> tuple[dict[str, Any], InputFile]:
    with Source(path) as source:
        text, file = source.text(), InputFile(path.name, source.fingerprint)
    try:
        document = parse_json(text)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    rows = document.get("results")
    for row in rows if isinstance(rows, list) and rows else [None]:
        row = row if isinstance(row, dict) else {}
        texts = {key: row.get(key) for key in ("measure", "system")}
        numbers = {key: row.get(key) for key in ("mean", "standard_deviation", "n")}
        faults = [key for key, text in texts.items() if not isinstance(text, str)]
        faults += [
            key
            for key, number in numbers.items()
            if not isinstance(number, int | float) or not abs(number) < LARGE
        ]
        if not faults and row["standard_deviation"] <= 1 / LARGE:
            faults = ["standard_deviation"]
        if not faults and (not isinstance(row["n"], int) or row["n"] < 2):
            faults = ["n"]
        if faults:
            raise InputError(
                f"{path}: needs means with standard deviations above 0 and two queries or more, as "
                f"irbounds evaluate -o FILE.json writes them; {faults[0]} of system "
                f"{quote(row.get('system'))} is {quote(row.get(faults[0]))}"
            )
    return document, file


def _fit_welch(a: dict[str, Any], b: dict[str, Any]) -> Welch:
    """Return the limits of a difference, with the degrees of freedom of Welch and Satterthwaite."""
    errors = [row["standard_deviation"] / math.sqrt(row["n"]) for row in (a, b)]
    error = math.hypot(*errors)
    # fractions of the variance, so that squares of tiny errors do not underflow
    fractions = [(part / error) ** 2 for part in errors]
    df = 1 / sum(f**2 / (row["n"] - 1) for f, row in zip(fractions, (a, b), strict=True))
    return Welch(np.asarray(a["mean"] - b["mean"]), np.asarray(error), df + 1)
