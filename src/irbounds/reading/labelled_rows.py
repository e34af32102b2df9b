"""The rows of one test set: a label of two classes, and the scores of one or several classifiers.

A file is CSV, TSV or Parquet, plain or compressed; in memory it is a frame, a dict of columns, or
arrays as scikit-learn takes them. Labels are 0 and 1, -1 and 1, or false and true; others need the
name of the positive one. Every other column of numbers holds the scores of a classifier.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, ParameterError, check_names, quote, quote_several
from .columns import as_numbers, fingerprint_of
from .error_list import ErrorList
from .frames import FRAME_EXTENSIONS, column_values, name_columns, read_frame
from .sources import WHITE_SPACE, Source, detect_format

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

LABEL_NAMES = ("label", "y_true", "labels", "target", "relevance", "y")
ID_NAMES = ("id", "row_id", "row", "index", "doc_id", "docid", "docno", "unnamed: 0", "")
TRUTH = {"false": 0.0, "true": 1.0}
#: the two values of labels, the negative one first
PAIRS = ((0.0, 1.0), (-1.0, 1.0))
UNNAMED = "the labels"
WHICH_CLASS = "--positive LABEL, in Python positive=LABEL, names the positive one"
WHICH_LABEL = "--label-column NAME, in Python label_column=NAME, names it"
INFINITE = ("inf", "infinity")


@dataclass(frozen=True, eq=False)
class LabelledRows:
    """A test set: whether each row is positive, and its score by every classifier."""

    source: str
    fingerprint: str
    labels: Bools
    #: by the name of the classifier
    scores: Mapping[str, Floats]
    ids: Sequence[str] | None = None
    #: sentences on columns that were found by their names, and on ignored ones
    notes: tuple[str, ...] = ()


def read_labelled_rows(
    source: Any,
    *,
    label_column: str | None = None,
    score_columns: Sequence[str] = (),
    id_column: str | None = None,
    positive: str | None = None,
) -> LabelledRows:
    """Read the rows of a file, a frame or a dict of columns.

    By default the columns of labels and ids are found by their names, and every other column of
    numbers holds scores. ``positive`` is the label of the positive class; all others are then
    negative.
    """
    if isinstance(source, str | Path):
        with Source(source) as opened:
            extension = detect_format(source, opened)
            if extension not in FRAME_EXTENSIONS:
                first_line = opened.peek().partition(b"\n")[0]
                extension = ".tsv" if b"\t" in first_line else ".csv"
            frame, name = read_frame(opened, extension), opened.name
            fingerprint = opened.fingerprint
    elif isinstance(source, Mapping):
        frame, name, fingerprint = _ColumnFrame(_check_columns(source)), UNNAMED, ""
    else:
        frame, name, fingerprint = name_columns(source, UNNAMED), UNNAMED, ""
    names = list(frame.columns)
    of_label = _find_label(names, label_column, (*score_columns, id_column), name)
    found_ids = [other for other in names if other.lower() in ID_NAMES and other != of_label]
    of_ids = _find_ids(names, id_column, found_ids)
    if not len(frame):
        raise InputError(f"{name}: empty: a header and no rows")
    notes = []
    if label_column is None and of_label != LABEL_NAMES[0]:
        notes.append(f"{name}: labels are in column {quote(of_label)}")
    without = [other for other in found_ids if other != id_column and not score_columns]
    if without:
        texts = [quote(other) if other else "the column without a name" for other in without]
        notes.append(f"{name}: ids of rows, not scores: {', '.join(texts)}")
    others = (of_label, of_ids, *found_ids)
    columns, ignored = _read_scores(frame, names, score_columns, others, name)
    check_names(columns, name)
    if ignored:
        notes.append(f"{name}: without numbers, ignored: {quote_several(ignored)}")
    labels = parse_labels(column_values(frame, of_label), positive, name, of_label)
    ids = None
    if of_ids is not None:
        ids = [str(value).strip(WHITE_SPACE) for value in column_values(frame, of_ids)]
        if id_column is not None and len(set(ids)) < len(ids):
            raise InputError(f"{name}: column {quote(of_ids)} has an id twice")
    digest = fingerprint or fingerprint_of(labels, *columns.values())
    return LabelledRows(name, digest, labels, columns, ids, tuple(notes))


def rows_from_arrays(
    labels: Any, scores: Mapping[str, Any], positive: object = None
) -> LabelledRows:
    """Return the rows of arrays: labels, and the scores of each classifier by name.

    ``positive`` is the label of the positive class, compared as text or as a number.
    """
    values = _as_vector("y_true", labels)
    columns = {name: _as_vector(name, column) for name, column in scores.items()}
    for name, column in columns.items():
        if len(column) != len(values):
            raise InputError(
                f"y_true has {len(values):,} rows and {name} has {len(column):,}; give one score "
                "per label"
            )
    if not len(values):
        raise InputError(f"{UNNAMED}: empty: no rows")
    numbers = {name: _check_scores(column, name, UNNAMED) for name, column in columns.items()}
    text = None if positive is None else _as_text(positive)
    made = parse_labels(values, text, UNNAMED, "y_true")
    return LabelledRows(UNNAMED, fingerprint_of(made, *numbers.values()), made, numbers)


def parse_labels(values: Any, positive: str | None, source: str, column: str) -> Bools:
    """Return whether each label is positive; both classes are there."""
    _check_no_gap(values, source, are_words=positive is not None)
    labels = (
        _match_positive(values, positive)
        if positive is not None
        else _find_positive(values, source)
    )
    n_positive = int(np.count_nonzero(labels))
    if n_positive in (0, len(labels)):
        which = "negative" if n_positive == 0 else "positive"
        hint = f" (positive is {quote(positive)})" if positive is not None else ""
        raise InputError(
            f"{source}: all {len(labels):,} labels of {quote(column)} are {which}{hint}; AP and "
            "ROC AUC need rows of both classes"
        )
    return labels


def _check_no_gap(values: Any, source: str, *, are_words: bool) -> None:
    """Raise ``InputError`` where a label is missing; among words, "none" is a label."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "biu":
        return
    words = ("",) if are_words else ("", "nan", "none", "null")
    for row, value in enumerate(values, 1):
        text = _as_text(value)
        is_nan = isinstance(value, float | np.floating) and np.isnan(value)
        if value is None or is_nan or text.lower() in words:
            raise InputError(f"{source}: row {row}: no label: got {quote(text)}")


def _match_positive(values: Any, positive: str) -> Bools:
    """Return which labels are the positive one as text, as a number, or as true or false."""
    number = as_numbers([positive])[0]
    same = []
    for value in values:
        text = _as_text(value)
        is_same = text == positive or (not np.isnan(number) and as_numbers([text])[0] == number)
        if isinstance(value, bool | np.bool_):
            is_same = text.lower() == positive.lower()
        same.append(is_same)
    return np.array(same, dtype=bool)


def _as_text(value: object) -> str:
    return str(value).strip(WHITE_SPACE)


def _find_positive(values: Any, source: str) -> Bools:
    """Return which labels are 1 or true, where the others are 0, -1 or false."""
    numbers = _label_numbers(values)
    if np.isnan(numbers).any():
        distinct = list(dict.fromkeys(_as_text(value) for value in values))
        raise InputError(
            f"{source}: labels must be 0 and 1, -1 and 1, or false and true; got "
            f"{quote_several(distinct)}: {WHICH_CLASS}"
        )
    distinct_numbers = np.unique(numbers)
    for low, high in PAIRS:
        if np.isin(distinct_numbers, (low, high)).all():
            return np.asarray(numbers == high)
    texts = [f"{number:g}" for number in distinct_numbers.tolist()]
    raise InputError(
        f"{source}: labels must be 0 and 1, -1 and 1, or false and true; got "
        f"{', '.join(texts[:5])}{', ...' if len(texts) > 5 else ''}: {WHICH_CLASS}"
    )


def _label_numbers(values: Any) -> Floats:
    if isinstance(values, np.ndarray) and values.dtype.kind in "biuf":
        return values.astype(np.float64)
    plain = [
        TRUTH.get(_as_text(value).lower(), value)
        if isinstance(value, str | bool | np.bool_)
        else value
        for value in values
    ]
    return as_numbers(plain)


@dataclass(frozen=True)
class _ColumnFrame:
    """A dict of columns, with the part of the interface of frames that reading needs."""

    cells: Mapping[str, NDArray[Any]]

    @property
    def columns(self) -> list[str]:
        return list(self.cells)

    def __len__(self) -> int:
        return len(next(iter(self.cells.values()), ()))

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self.cells[name]


def _check_columns(source: Mapping[Any, Any]) -> dict[str, NDArray[Any]]:
    """Return a dict of columns of one length."""
    if not source:
        raise InputError(f"{UNNAMED}: empty: no columns")
    columns = {}
    for name, values in source.items():
        if not isinstance(name, str):
            raise InputError(f"{UNNAMED}: a column must be named by text; got {quote(name)}")
        columns[name] = _as_vector(name, values)
    lengths = {name: len(values) for name, values in columns.items()}
    (first, n), *others = lengths.items()
    for name, length in others:
        if length != n:
            raise InputError(
                f"{UNNAMED}: column {quote(first)} has {n:,} rows and {quote(name)} {length:,}"
            )
    return columns


def _as_vector(name: str, values: Any) -> NDArray[Any]:
    """Return values as an array with one axis."""
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise InputError(f"{name} must be a sequence of values; got {quote(values)}")
    try:
        array = np.asarray(values if hasattr(values, "__array__") else list(values))
    except (TypeError, ValueError):  # rows of different lengths
        raise InputError(f"{name} must be a sequence of values; got {quote(values)}") from None
    if array.ndim == 2 and array.shape[1] == 2:
        raise InputError(
            f"{name} has two columns, as predict_proba returns them; give the one of the positive "
            "class, [:, 1]"
        )
    if array.ndim != 1:
        raise InputError(f"{name} must have one axis; got the shape {array.shape}")
    return array


def _find_label(
    names: Sequence[str], label: str | None, others: Sequence[str | None], source: str
) -> str:
    """Return the column of the labels; ``others`` are chosen for scores or ids."""
    if label is not None:
        _require_column(names, label, "label_column")
        return label
    known = [name for name in names if name.lower() in LABEL_NAMES]
    candidates = [name for name in known if name not in others] or known
    if not candidates:
        raise InputError(
            f"{source}: no column {LABEL_NAMES[0]!r}; found {quote_several(names)}; {WHICH_LABEL}"
        )
    if len(candidates) > 1:
        raise InputError(
            f"{source}: each of the columns {quote_several(candidates)} could be the label; "
            f"{WHICH_LABEL}"
        )
    return candidates[0]


def _find_ids(names: Sequence[str], ids: str | None, candidates: Sequence[str]) -> str | None:
    """Return the column of the ids: the requested one, or the only one found by its name."""
    if ids is not None:
        _require_column(names, ids, "id_column")
        return ids
    return candidates[0] if len(candidates) == 1 else None


def _require_column(names: Sequence[str], name: str, option: str) -> None:
    if name not in names:
        raise ParameterError(f"{option} must be one of {quote_several(names)}; got {quote(name)}")


def _read_scores(
    frame: Any,
    names: Sequence[str],
    chosen: Sequence[str],
    others: Sequence[str | None],
    source: str,
) -> tuple[dict[str, Floats], list[str]]:
    """Return the scores of every classifier, and the columns without numbers.

    ``others`` are the columns of the labels and of ids.
    """
    for number, name in enumerate(chosen):
        if name == others[0]:
            raise ParameterError(f"score_columns has the column of the labels, {quote(name)}")
        _require_column([other for other in names if other != others[0]], name, "score_columns")
        if name in chosen[:number]:
            raise ParameterError(f"score_columns has {quote(name)} twice; give each column once")
    columns: dict[str, Floats] = {}
    ignored = []
    for name in chosen or [name for name in names if name not in others]:
        series = frame[name]
        values = series if isinstance(series, np.ndarray) else column_values(frame, name)
        if not chosen and _is_text(values):
            ignored.append(name)
            continue
        columns[name] = _check_scores(values, name, source)
    if not columns:
        raise InputError(
            f"{source}: no column of scores besides the labels; found {quote_several(names)}"
        )
    return columns, ignored


def _is_text(values: Any) -> bool:
    """Return whether no value of a column is a number, nor missing."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "biuf":
        return False
    return all(
        isinstance(value, str)
        and value.strip(WHITE_SPACE).lower() not in ("", "nan")
        and not _is_infinite(value)
        for value in values
    ) and bool(np.isnan(as_numbers(list(values))).all())


def _is_infinite(value: object) -> bool:
    """Return whether a value is text for infinity, which is not read as a number."""
    return isinstance(value, str) and _as_text(value).lower().lstrip("+-") in INFINITE


def _check_scores(values: Any, name: str, source: str) -> Floats:
    """Return the scores of a classifier, which are finite."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "biuf":
        numbers = values.astype(np.float64)
    else:
        numbers = as_numbers(
            [float(value) if isinstance(value, np.floating) else value for value in values]
        )
    faulty = np.flatnonzero(~np.isfinite(numbers))
    errors = ErrorList(source, "row")
    for row in faulty[:4].tolist():
        kind = "infinite" if _is_infinite(values[row]) or np.isinf(numbers[row]) else "not a number"
        errors.add(f"{name}: score {quote(_as_plain(values[row]))} is {kind}", row + 1)
    errors.count_more(max(len(faulty) - 4, 0))
    errors.raise_if_any()
    return numbers


def _as_plain(value: object) -> object:
    return value.item() if isinstance(value, np.generic) else value
