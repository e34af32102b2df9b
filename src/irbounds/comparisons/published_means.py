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
from scipy import special

from ..errors import DataError, InputError, quote
from ..intervals.student_t import StudentT
from ..reading.mappings import parse_json
from ..reading.sources import Source
from ..results import InputFile, PublishedComparison
from ..results.interval import compute_interval
from ..validation import Alternative
from .adjustments import ADJUSTMENTS

LARGE = 1e300  # no number may be larger
HEAD = 1000  # bytes of a file within which the version of irbounds is


@dataclass(frozen=True, eq=False)
class Welch(StudentT):
    """Limits difference + t(p, df) error; ``n`` is df + 1."""

    method: ClassVar[str] = "welch"


def find_published(first: Any, second: Any) -> tuple[Path, Path] | None:
    """Return two JSON files that irbounds wrote; None where the arguments are anything else."""
    paths = [first, *(second if isinstance(second, list | tuple) else [second])]
    if len(paths) != 2 or not all(isinstance(path, str | Path) for path in paths):
        return None
    one, other = map(Path, paths)
    return (one, other) if _is_written(one) and _is_written(other) else None


def _is_written(path: Path) -> bool:
    if path.suffix.lower() != ".json" or not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            return b'"irbounds"' in file.read(HEAD)
    except OSError:  # the reader of judgments names the fault
        return False


def compare_published(
    paths: tuple[Path, Path], *, confidence_level: float, alternative: Alternative, adjustment: str
) -> tuple[list[PublishedComparison], list[str], list[InputFile]]:
    """Return every mean of the first file minus every mean of the second by the same measure.

    Also return warnings, and the files.
    """
    (one, file), (other, other_file) = map(_read_means, paths)
    rows: list[PublishedComparison] = []
    for measure in dict.fromkeys(row["measure"] for row in one["results"]):
        pairs = [
            (a, b)
            for a in one["results"]
            for b in other["results"]
            if a["measure"] == b["measure"] == measure
        ]
        limits = [_fit_welch(a, b) for a, b in pairs]
        intervals = [compute_interval(fit, confidence_level, alternative) for fit in limits]
        p = np.array([_compute_p_value(fit, alternative) for fit in limits])
        adjusted = ADJUSTMENTS[adjustment](p)
        for k, (a, b) in enumerate(pairs):
            is_same_name = a["system"] == b["system"]
            rows.append(
                PublishedComparison(
                    measure=measure,
                    system=f"{a['system']} ({file.name})" if is_same_name else a["system"],
                    baseline=f"{b['system']} ({other_file.name})" if is_same_name else b["system"],
                    value=float(limits[k].mean),
                    interval=intervals[k],
                    standard_error=float(limits[k].standard_error),
                    n=a["n"],
                    baseline_n=b["n"],
                    degrees_of_freedom=limits[k].n - 1,
                    effect_size=math.nan,
                    test="welch",
                    alternative=alternative,
                    p_value=float(p[k]),
                    adjustment=adjustment,
                    adjusted_p_value=float(adjusted[k]),
                    adjusted_p_low=float(adjusted[k]),
                    adjusted_p_high=float(adjusted[k]),
                    n_comparisons=len(pairs),
                    limits=limits[k],
                    inputs=(file, other_file),
                )
            )
    if not rows:
        raise DataError(f"{paths[0]} and {paths[1]} have no measure in common")
    return rows, _list_warnings(one, other, rows), [file, other_file]


def _read_means(path: Path) -> tuple[dict[str, Any], InputFile]:
    with Source(path) as source:
        text, fingerprint = source.text(), source.fingerprint
    try:
        document = parse_json(text)
        rows = document.get("results")
        for row in rows if isinstance(rows, list) and rows else [None]:
            _check_row(row)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    return document, InputFile(path.name, fingerprint)


def _check_row(row: Any) -> None:
    row = row if isinstance(row, dict) else {}
    texts = [row.get(key) for key in ("measure", "system")]
    numbers = [row.get(key) for key in ("mean", "standard_deviation", "n")]
    is_valid = (
        all(isinstance(text, str) for text in texts)
        and all(isinstance(number, int | float) and abs(number) < LARGE for number in numbers)
        and row["standard_deviation"] > 1 / LARGE
        and isinstance(row["n"], int)
        and row["n"] > 1
    )
    if not is_valid:
        raise InputError(
            "needs means with standard deviations above 0 and two queries or more, as irbounds "
            f"evaluate --format json writes them; got {quote([*texts, *numbers])}"
        )


def _fit_welch(a: dict[str, Any], b: dict[str, Any]) -> Welch:
    """Return the limits of a difference, with the degrees of freedom of Welch and Satterthwaite."""
    errors = [row["standard_deviation"] / math.sqrt(row["n"]) for row in (a, b)]
    error = math.hypot(*errors)
    # fractions of the variance, so that squares of tiny errors do not underflow
    fractions = [(part / error) ** 2 for part in errors]
    df = 1 / sum(f**2 / (row["n"] - 1) for f, row in zip(fractions, (a, b), strict=True))
    return Welch(np.asarray(a["mean"] - b["mean"]), np.asarray(error), df + 1)


def _compute_p_value(fit: Welch, alternative: Alternative) -> float:
    t, df = fit.mean / fit.standard_error, fit.n - 1
    if alternative == "two-sided":
        return float(2 * special.stdtr(df, -abs(t)))
    return float(special.stdtr(df, t if alternative == "less" else -t))


def _list_fingerprints(document: dict[str, Any]) -> set[str]:
    inputs = document.get("inputs")
    return {
        str(file.get("fingerprint"))
        for file in (inputs if isinstance(inputs, list) else [])
        if isinstance(file, dict)
    }


def _list_warnings(
    one: dict[str, Any], other: dict[str, Any], rows: Sequence[PublishedComparison]
) -> list[str]:
    if _list_fingerprints(one) & _list_fingerprints(other):
        warnings = [
            "both files have an input in common: on the same queries the interval is too wide, and "
            "a paired comparison of the scores is more precise"
        ]
    else:
        warnings = [
            "no common inputs: the difference may be due to the queries and not to the systems"
        ]
    if one.get("ties") != other.get("ties"):
        warnings.append("documents of equal score were ordered by different rules")
    if any(row.measure.startswith(("z(", "normal-cdf(")) for row in rows):
        warnings.append(
            "standardised scores are comparable only if their reference systems are the same"
        )
    return warnings
