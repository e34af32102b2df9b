"""Labels and scores of one test set: columns, classes, and what is refused."""

from __future__ import annotations

import gzip

import numpy as np
import polars as pl
import pytest

from irbounds.errors import InputError, IrboundsError
from irbounds.reading.labelled_rows import read_labelled_rows

LABELS, MODEL, OTHER = [1, 0, 0, 1], [0.9, 0.4, 0.5, 0.8], [1.0, 2.0, 3.0, 4.0]
TEXT = "label,model,other\n1,0.9,1\n0,0.4,2\n0,0.5,3\n1,0.8,4\n"
COLUMNS = {"label": LABELS, "model": MODEL, "other": OTHER}


def check(rows):
    assert rows.labels.tolist() == [True, False, False, True]
    assert {name: scores.tolist() for name, scores in rows.scores.items()} == {
        "model": MODEL,
        "other": OTHER,
    }


def test_files(tmp_path):
    (tmp_path / "a.csv").write_text(TEXT)
    (tmp_path / "a.txt").write_text(TEXT)
    (tmp_path / "b.txt").write_text(TEXT.replace(",", "\t"))
    (tmp_path / "a.tsv").write_text(TEXT.replace(",", "\t"))
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(TEXT.encode()))
    pl.DataFrame(COLUMNS).write_parquet(tmp_path / "a.parquet")
    for path in sorted(tmp_path.iterdir()):
        check(read_labelled_rows(path))


def test_frames_and_columns():
    frame = pl.DataFrame(COLUMNS)
    for source in (frame, frame.lazy(), frame.to_pandas(), COLUMNS):
        check(read_labelled_rows(source))
    check(read_labelled_rows({"label": map(bool, LABELS), "model": MODEL, "other": OTHER}))


@pytest.mark.parametrize(
    "labels",
    [
        [True, False, False, True],
        [1.0, 0.0, 0.0, 1.0],
        ["1", "0", "0.0", "1"],
        ["True", "false", "FALSE", "true"],
        np.array([True, False, 0, 1], dtype=object),
    ],
)
def test_labels(labels):
    check(read_labelled_rows({**COLUMNS, "label": labels}))


def test_columns_are_chosen_by_name():
    named = {"label": OTHER, "good": LABELS, "a": MODEL, "b": OTHER}
    rows = read_labelled_rows(named, "good", ["b"])
    assert (rows.labels.sum(), list(rows.scores), rows.ignored) == (2, ["b"], ())


@pytest.mark.parametrize("name", ["id", "index", "Unnamed: 0", ""])
def test_ids_and_text_are_not_scores(name):
    rows = read_labelled_rows({name: [4, 5, 6, 7], **COLUMNS, "comment": list("abcd")})
    check(rows)
    assert rows.ignored == (name, "comment")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        ("label,model\n", "no rows"),
        ("model,other\n1,2\n", "no column 'label'; found 'model', 'other'; --label-column NAME"),
        ("label\n1\n0\n", "no column of scores"),
        ("label,model,model\n1,2,3\n", "twice"),
        ("label,model\n1,0.5\n1,0.4\n", "all 2 labels of 'label' are positive"),
        ("label,model\n0,0.5\n0,0.4\n", "are negative"),
        ("label,model\n1,0.5\n0,nan\n", "row 2: model: score 'nan' is not a finite number"),
        ("label,model\n1,0.5\n0,\n", "row 2: model: score '' is not a finite number"),
        ("label,model\n1,0.5\n0,1e999\n", "row 2: model: score '1e999' is not a finite"),
        ("label,model\n1,0.5\n2,0.4\n0,0.1\n", "row 2: label: labels must be 0 and 1, or false"),
        ("label,model\n1,0.5\n-1,0.4\n", "and true; got '-1'"),
        ("label,model\nyes,0.5\nno,0.4\n", "got 'yes'"),
        ("label,model\n1,0.5\n,0.4\n", "row 2: label: labels must be 0 and 1"),
        ("label,model\n1,0.5,2\n", "3 cells where the header has 2"),
    ],
)
def test_bad_files(tmp_path, text, words):
    path = tmp_path / "labels.csv"
    path.write_text(text)
    with pytest.raises(InputError) as error:
        read_labelled_rows(path)
    message = str(error.value)
    assert words in message
    assert "labels.csv" in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"label_column": "x"}, "no column 'x'"),
        ({"score_columns": ["x"]}, "score_columns must be one of 'model', 'other'; got 'x'"),
        ({"score_columns": ["label"]}, "score_columns must be one of 'model', 'other'"),
        ({"score_columns": ["model", "model"]}, "score_columns has 'model' twice"),
    ],
)
def test_bad_options(options, words):
    with pytest.raises(IrboundsError) as error:
        read_labelled_rows(COLUMNS, **options)
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("labels", "scores", "words"),
    [
        ([], [], "empty"),
        ([1, 0], [0.5], "label has 2 rows and model has 1"),
        ([1, 0], np.ones((2, 2)), r"\[:, 1\]"),
        ([1, 0], np.ones((2, 3)), "one axis"),
        ([[1], [0]], [1, 2], "label must have one axis"),
        ([1, 1], [0.5, 0.4], "both classes"),
        ([1, 0], [0.5, np.nan], "row 2: model: score nan is not a finite number"),
        ([1, 0], [0.5, -np.inf], "is not a finite number"),
        ([1, 0], ["a", "b"], "no column of scores"),
        ([1, np.nan], [1, 2], "got nan"),
        ([1, None], [1, 2], "got None"),
        ([0, 3], [1, 2], "got 3"),
        (1, [1, 2], "label must be a sequence"),
        ("10", [1, 2], "label must be a sequence"),
        ([1, 0], None, "model must be a sequence"),
        ([1, 0], [[1], [2, 3]], "model must be a sequence"),
    ],
)
def test_bad_arrays(labels, scores, words):
    with pytest.raises(InputError, match=words) as error:
        read_labelled_rows({"label": labels, "model": scores})
    assert "\n" not in str(error.value)
