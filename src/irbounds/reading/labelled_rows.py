"""The rows of one test set: a label of two classes, and the scores of one or several classifiers.

A file is CSV, TSV or Parquet, plain or compressed; in memory it is a frame or a dict of columns.
Labels are 0 and 1, or false and true. Every other column of numbers holds the scores of a
classifier.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, ParameterError, check_names, quote, quote_several
from .columns import as_numbers, fingerprint_of
from .frames import FRAME_EXTENSIONS, column_values, name_columns, read_frame
from .sources import WHITE_SPACE, Source, detect_format

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Column = Sequence[Any] | NDArray[Any]

ID_NAMES = ("id", "row_id", "row", "index", "doc_id", "docid", "docno", "unnamed: 0", "")
TRUTH = {"false": 0.0, "true": 1.0}
UNNAMED = "the labels"


@dataclass(frozen=True, eq=False)
class LabelledRows:
    """A test set: whether each row is positive, and its score by every classifier."""

    source: str
    fingerprint: str
    labels: Bools
    #: by the name of the classifier
    scores: Mapping[str, Floats]
    #: columns that are neither labels nor scores: those of ids, and those without a number
    ignored: tuple[str, ...] = ()


def read_labelled_rows(
    source: Any, label_column: str = "label", score_columns: Sequence[str] = ()
) -> LabelledRows:
    """Read the rows of a file, a frame or a dict of columns.

    Scores are in ``score_columns``, by default in every other column of numbers that has not the
    name of a column of ids.
    """
    name, fingerprint = UNNAMED, ""
    columns: dict[str, Column]
    if isinstance(source, Mapping):
        columns = {str(column): _as_vector(column, values) for column, values in source.items()}
    else:
        if isinstance(source, str | Path):
            with Source(source) as opened:
                extension = detect_format(source, opened)
                if extension not in FRAME_EXTENSIONS:
                    first_line = opened.peek().partition(b"\n")[0]
                    extension = ".tsv" if b"\t" in first_line else ".csv"
                frame = read_frame(opened, extension)
                name, fingerprint = opened.name, opened.fingerprint
        else:
            frame = name_columns(source, name)
        columns = {column: column_values(frame, column) for column in frame.columns}
    if label_column not in columns:
        raise InputError(
            f"{name}: no column {quote(label_column)}; found {quote_several(columns)}; "
            "--label-column NAME, in Python label_column=NAME, names the labels"
        )
    others = [column for column in columns if column != label_column]
    for number, column in enumerate(score_columns):
        if column not in others:
            known = quote_several(others)
            raise ParameterError(f"score_columns must be one of {known}; got {quote(column)}")
        if column in score_columns[:number]:
            raise ParameterError(f"score_columns has {quote(column)} twice; give each column once")
    chosen = score_columns or [
        column
        for column in others
        if column.lower() not in ID_NAMES and not _is_text(columns[column])
    ]
    if not chosen:
        raise InputError(
            f"{name}: no column of scores besides the labels; found {quote_several(columns)}"
        )
    check_names(chosen, name)
    ignored = () if score_columns else tuple(name for name in others if name not in chosen)
    scores = {column: columns[column] for column in chosen}
    return _make_rows(name, fingerprint, label_column, columns[label_column], scores, ignored)


def _make_rows(
    source: str,
    fingerprint: str,
    label_column: str,
    values: Column,
    columns: Mapping[str, Column],
    ignored: tuple[str, ...] = (),
) -> LabelledRows:
    """Return the rows of columns of one length; both classes occur, and scores are finite."""
    if not len(values):
        raise InputError(f"{source}: empty: no rows")
    numbers = _as_doubles(
        values
        if isinstance(values, np.ndarray) and values.dtype.kind in "biuf"
        else [TRUTH.get(str(value).strip(WHITE_SPACE).lower(), value) for value in values]
    )
    for row in np.flatnonzero((numbers != 0) & (numbers != 1))[:1]:
        raise InputError(
            f"{source}: row {row + 1}: {label_column}: labels must be 0 and 1, or false and true; "
            f"got {quote(_as_plain(values[row]))}"
        )
    if numbers.min() == numbers.max():
        raise InputError(
            f"{source}: all {len(numbers):,} labels of {quote(label_column)} are "
            f"{'positive' if numbers[0] else 'negative'}; AP and ROC AUC need rows of both classes"
        )
    labels, scores = np.asarray(numbers == 1), dict[str, Floats]()
    for name, column in columns.items():
        if len(column) != len(values):
            raise InputError(
                f"{source}: {label_column} has {len(values):,} rows and {name} has "
                f"{len(column):,}; give one score per label"
            )
        scores[name] = _as_doubles(column)
        for row in np.flatnonzero(~np.isfinite(scores[name]))[:1]:
            raise InputError(
                f"{source}: row {row + 1}: {name}: score {quote(_as_plain(column[row]))} is not a "
                "finite number"
            )
    digest = fingerprint or fingerprint_of(labels, *scores.values())
    return LabelledRows(source, digest, labels, scores, ignored)


def _as_doubles(values: Column) -> Floats:
    if isinstance(values, np.ndarray) and values.dtype.kind in "biuf":
        return values.astype(np.float64)
    return as_numbers([_as_plain(value) for value in values])


def _as_plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _is_text(values: Column) -> bool:
    return isinstance(next(iter(values), None), str) and bool(np.isnan(_as_doubles(values)).all())


def _as_vector(name: str, values: Any) -> NDArray[Any]:
    """Return values as an array with one axis."""
    try:
        if isinstance(values, str | bytes | Mapping):
            raise TypeError
        array = np.asarray(values if hasattr(values, "__array__") else list(values))
    except (TypeError, ValueError):  # not iterable, or rows of different lengths
        raise InputError(f"{name} must be a sequence of values; got {quote(values)}") from None
    if array.ndim != 1:
        hint = "; of predict_proba give the positive class, [:, 1]" if array.ndim == 2 else ""
        raise InputError(f"{name} must have one axis; got the shape {array.shape}{hint}")
    return array
