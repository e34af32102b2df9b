"""Labels and scores of one test set: columns, classes, and what is refused."""

from __future__ import annotations

import gzip

import numpy as np
import polars as pl
import pytest

from irbounds.errors import InputError, IrboundsError
from irbounds.reading.labelled_rows import read_labelled_rows, rows_from_arrays

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
    ("labels", "positive"),
    [
        ([1, -1, -1, 1], None),
        ([True, False, False, True], None),
        ([1.0, 0.0, 0.0, 1.0], None),
        (["1", "0", "0", "1"], None),
        (["True", "false", "FALSE", "true"], None),
        (["yes", "no", "maybe", "yes"], "yes"),
        ([2, 1, 1, 2], "2"),
        (["2.0", "1", "3", "2"], "2"),
    ],
)
def test_labels(labels, positive):
    check(read_labelled_rows({**COLUMNS, "label": labels}, positive=positive))


@pytest.mark.parametrize("gap", ["", None, np.nan])
def test_a_missing_label_is_not_negative(gap):
    labels = np.array(["spam", gap, "ham", "spam"], dtype=object)
    with pytest.raises(InputError, match="row 2: no label"):
        read_labelled_rows({"label": labels, "model": MODEL}, positive="spam")


def test_none_is_a_label_among_words():
    rows = read_labelled_rows(
        {"label": ["spam", "none", "none", "spam"], "model": MODEL}, positive="spam"
    )
    assert rows.labels.tolist() == [True, False, False, True]


def test_booleans_are_matched_by_their_names():
    frame = {"label": [True, False, False, True], "model": MODEL}
    for word in ("true", "True"):
        assert read_labelled_rows(frame, positive=word).labels.tolist() == frame["label"]
    assert read_labelled_rows(frame, positive="false").labels.tolist() == [False, True, True, False]


def test_columns_are_chosen_by_name():
    rows = read_labelled_rows({"y": LABELS, "id": list("abcd"), "a": MODEL, "b": OTHER})
    assert (list(rows.scores), rows.ids) == (["a", "b"], list("abcd"))
    named = {"good": LABELS, "a": MODEL, "b": OTHER, "name": list("abcd")}
    rows = read_labelled_rows(named, label_column="good", score_columns=["b"], id_column="name")
    assert (list(rows.scores), rows.ids) == (["b"], list("abcd"))


def test_text_columns_are_ignored_with_a_note():
    rows = read_labelled_rows({**COLUMNS, "comment": ["a", "b", "c", "d"]})
    check(rows)
    assert "comment" in rows.notes[0]


@pytest.mark.parametrize("name", ["y", "y_true", "labels", "target", "relevance", "Label"])
def test_labels_in_a_column_of_another_name_have_a_note(name):
    columns = {name: LABELS, "model": MODEL, "other": OTHER}
    rows = read_labelled_rows(columns)
    check(rows)
    assert rows.notes == (f"the labels: labels are in column '{name}'",)
    assert read_labelled_rows(columns, label_column=name).notes == ()
    assert read_labelled_rows(COLUMNS).notes == ()


def test_a_column_chosen_for_scores_is_not_the_label():
    rows = read_labelled_rows({"label": LABELS, "y": MODEL}, score_columns=["y"])
    assert (rows.labels.tolist(), list(rows.scores)) == ([True, False, False, True], ["y"])
    rows = read_labelled_rows({"target": LABELS, "y": MODEL}, label_column="target")
    assert list(rows.scores) == ["y"]


@pytest.mark.parametrize("name", ["id", "index", "Unnamed: 0", ""])
def test_columns_of_ids_have_a_note(name):
    rows = read_labelled_rows({name: [4, 5, 6, 7], **COLUMNS})
    check(rows)
    assert (len(rows.notes), rows.ids) == (1, ["4", "5", "6", "7"])
    assert (f"'{name}'" if name else "without a name") in rows.notes[0]
    assert read_labelled_rows({name: [4, 5, 6, 7], **COLUMNS}, id_column=name).notes == ()


def test_several_columns_of_ids_are_no_scores_and_need_a_choice():
    columns = {"index": [0, 1, 2, 3], **COLUMNS, "docno": [7, 8, 9, 10]}
    rows = read_labelled_rows(columns)
    check(rows)
    assert rows.ids is None
    assert "'index', 'docno'" in rows.notes[0]
    rows = read_labelled_rows(columns, id_column="docno")
    check(rows)
    assert rows.ids == ["7", "8", "9", "10"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        ("label,model\n", "no rows"),
        ("model,other\n1,2\n", "'label'"),
        ("label\n1\n0\n", "no column of scores"),
        ("label,model,model\n1,2,3\n", "twice"),
        ("label,model\n1,0.5\n1,0.4\n", "all 2 labels of 'label' are positive"),
        ("label,model\n0,0.5\n0,0.4\n", "are negative"),
        ("label,model\n1,0.5\n0,nan\n", "row 2: model: score 'nan' is not a number"),
        ("label,model\n1,0.5\n0,\n", "row 2: model: score '' is not a number"),
        ("label,model\n1,0.5\n0,1e999\n", "row 2: model: score '1e999' is infinite"),
        ("label,model\n1,0.5\n0,-Infinity\n", "row 2: model: score '-Infinity' is infinite"),
        ("label,model\n1,-inf\n0,inf\n", "score '-inf' is infinite"),
        ("y,target,model\n1,1,0.5\n0,0,0.4\n", "each of the columns 'y', 'target' could be"),
        ("label,Label,model\n1,1,0.5\n0,0,0.4\n", "'label', 'Label' could be the label"),
        ("label,model\n1,0.5\n2,0.4\n0,0.1\n", "got 0, 1, 2: --positive"),
        ("label,model\nyes,0.5\nno,0.4\n", "got 'yes', 'no': --positive"),
        ("label,model\n1,0.5\n,0.4\n", "row 2: no label"),
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
        ({"label_column": "x"}, "label_column must be one of 'label', 'model', 'other'; got 'x'"),
        ({"score_columns": ["x"]}, "score_columns must be one of 'model', 'other'; got 'x'"),
        ({"score_columns": ["model", "model"]}, "score_columns has 'model' twice"),
        ({"id_column": "x"}, "got 'x'"),
        ({"score_columns": ["label"]}, "column of the labels"),
        ({"positive": "7"}, "all 4 labels of 'label' are negative (positive is '7')"),
    ],
)
def test_bad_options(options, words):
    with pytest.raises(IrboundsError) as error:
        read_labelled_rows(COLUMNS, **options)
    assert words in str(error.value)


def test_repeated_ids_are_refused():
    with pytest.raises(InputError, match="an id twice"):
        read_labelled_rows({**COLUMNS, "key": ["a", "a", "b", "c"]}, id_column="key")


@pytest.mark.parametrize(
    ("labels", "scores", "words"),
    [
        ([], [], "empty"),
        ([1, 0], [0.5], "y_true has 2 rows and y_score has 1"),
        ([1, 0], np.ones((2, 2)), r"\[:, 1\]"),
        ([1, 0], np.ones((2, 3)), "one axis"),
        ([[1], [0]], [1, 2], "y_true must have one axis"),
        ([1, 1], [0.5, 0.4], "both classes"),
        ([1, 0], [0.5, np.nan], "row 2: y_score: score nan is not a number"),
        ([1, 0], [0.5, -np.inf], "is infinite"),
        ([1, 0], ["a", "b"], "not a number"),
        ([1, np.nan], [1, 2], "no label"),
        ([1, None], [1, 2], "no label"),
        ([0, 3], [1, 2], "got 0, 3"),
        (1, [1, 2], "y_true must be a sequence"),
        ("10", [1, 2], "y_true must be a sequence"),
        ([1, 0], None, "y_score must be a sequence"),
        ([1, 0], [[1], [2, 3]], "y_score must be a sequence"),
    ],
)
def test_bad_arrays(labels, scores, words):
    with pytest.raises(InputError, match=words) as error:
        rows_from_arrays(labels, {"y_score": scores})
    assert "\n" not in str(error.value)
