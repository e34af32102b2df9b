"""Provenance of a report: written, read, and compared with another."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from irbounds import __version__
from irbounds.errors import InputError
from irbounds.presentation.table import Table
from irbounds.reports.provenance import (
    LIBRARIES,
    Provenance,
    provenance_of,
    read_provenance,
    results_digest,
)
from irbounds.reports.repetition import DIFFERENT, NUMBERS_ONLY, SAME, comparison_lines, status
from irbounds.results import InputFile


def make_table(*means: float, title: str = "means") -> Table:
    records = tuple({"system": f"s{k}", "mean": mean} for k, mean in enumerate(means))
    return Table(title, ("system", "mean"), (), records)


def make_provenance(*tables: Table, **changed) -> Provenance:
    files = [InputFile("qrels", "sha256:" + "a" * 64), InputFile("run", "sha256:" + "b" * 64)]
    provenance = provenance_of(
        ["evaluate", "q", "r"], {"seed": 0}, files, tables or [make_table(0.5)]
    )
    return replace(provenance, **changed)


def test_provenance_has_all_that_a_repetition_needs():
    provenance = make_provenance()
    assert provenance.irbounds == __version__
    assert set(provenance.libraries) == set(LIBRARIES)
    assert all(provenance.libraries.values())
    assert provenance.arguments == ("evaluate", "q", "r")
    assert provenance.options == {"seed": 0}
    assert provenance.date.endswith("+00:00")
    assert provenance.results.startswith("sha256:")


def test_provenance_is_read_as_written():
    provenance = make_provenance(make_table(0.1, 0.2), make_table(0.3, title="</script>\u2028 <b>"))
    assert read_provenance(provenance.as_json(), "page.html") == provenance


def test_provenance_has_no_environment_data(monkeypatch):
    monkeypatch.setenv("IRBOUNDS_SECRET", "hidden-word")
    text = make_provenance().as_json()
    assert "hidden-word" not in text
    assert str(Path.cwd()) not in text
    assert set(json.loads(text)) == {
        *("irbounds", "python", "machine", "libraries", "arguments", "options"),
        *("inputs", "results", "date", "tables"),
    }


def test_digest_depends_on_the_numbers():
    same = results_digest([make_table(0.1, 0.2)])
    assert results_digest([make_table(0.1, 0.2)]) == same
    assert results_digest([make_table(0.1, 0.2000001)]) != same
    assert results_digest([make_table(0.2, 0.1)]) != same
    assert results_digest([make_table(0.1), make_table(0.2)]) != same


def test_digest_ignores_the_last_bit():
    assert results_digest([make_table(0.1 + 0.2)]) == results_digest([make_table(0.3)])
    assert results_digest([make_table(0.300000001)]) != results_digest([make_table(0.3)])
    assert results_digest([make_table(float("nan"))]) != results_digest([make_table(0.0)])


def test_equal_numbers_have_no_difference():
    lines = comparison_lines(
        make_provenance(make_table(0.1, 0.2)), make_provenance(make_table(0.1, 0.2), date="later")
    )
    assert lines == ["the same numbers: tables 1, rows 2", "the same words, tables and figures"]


def test_different_rows_are_counted_per_table():
    before = make_provenance(
        make_table(0.1, 0.2, 0.3, title="AP"), make_table(0.5, title="RR"), make_table(0.4)
    )
    after = make_provenance(
        make_table(0.1, 0.25, 0.3, title="AP"), make_table(0.5, title="RR"), make_table(0.4)
    )
    assert comparison_lines(before, after) == ["the numbers differ", "  1 of 3 rows: AP"]


def test_added_and_removed_rows_and_tables():
    before = make_provenance(make_table(0.1, 0.2, title="AP"), make_table(0.5, title="RR"))
    after = make_provenance(make_table(0.1, title="AP"), make_table(0.5, title="P@5"))
    assert comparison_lines(before, after) == [
        "the numbers differ",
        "  1 of 2 rows gone: AP",
        "  no longer there: RR",
        "  only now there: P@5",
    ]


def test_more_rows_and_reordered_rows():
    two_rows, three_rows = make_table(0.1, 0.2), make_table(0.1, 0.2, 0.3)
    assert comparison_lines(make_provenance(two_rows), make_provenance(three_rows))[1:] == [
        "  1 of 3 (was 2) rows: means"
    ]
    reordered = replace(two_rows, records=two_rows.records[::-1])
    assert comparison_lines(make_provenance(two_rows), make_provenance(reordered))[1:] == [
        "  another order of rows: means"
    ]


def test_tables_with_equal_titles_are_distinguished():
    before = make_provenance(make_table(0.1), make_table(0.2))
    after = make_provenance(make_table(0.1), make_table(0.3))
    assert comparison_lines(before, after) == ["the numbers differ", "  1 of 1 rows: means"]


def test_changed_inputs_and_versions_are_named():
    before = make_provenance()
    after = replace(
        before,
        inputs=(before.inputs[0], InputFile("run", "sha256:" + "c" * 64)),
        libraries={**before.libraries, "numpy": "0.0"},
    )
    assert comparison_lines(before, after) == [
        "run has changed: sha256 cccccccccccc, was sha256 bbbbbbbbbbbb",
        f"numpy: 0.0, was {before.libraries['numpy']}",
        "the same numbers: tables 1, rows 1",
        "the same words, tables and figures",
    ]


def test_added_and_removed_inputs_are_named():
    before = make_provenance()
    after = replace(before, inputs=before.inputs[:1])
    assert comparison_lines(before, after)[0] == "run is no longer read: was sha256 bbbbbbbbbbbb"
    assert comparison_lines(after, before)[0] == "run was not read then: sha256 bbbbbbbbbbbb"


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (("evaluate", "judgments/qrels.txt", "../run.trec.gz"), "../run.trec.gz"),
        (("evaluate", "--scores", "AP=scores/run.csv"), "scores/run.csv"),
        (("evaluate", "--scores=AP=run"), "run"),
        (("evaluate", "qrels", "run.2.txt.gz"), "run"),  # a different file
        (("evaluate", "run.txt", "run.run"), "run"),  # ambiguous
        (("demo",), "run"),
    ],
)
def test_changed_input_is_named_as_typed(arguments, name):
    before = replace(make_provenance(), arguments=arguments)
    after = replace(before, inputs=(before.inputs[0], InputFile("run", "sha256:" + "c" * 64)))
    assert comparison_lines(before, after)[0].startswith(f"{name} has changed: sha256 ccc")


def test_inputs_of_equal_name_are_in_argument_order():
    old, new = (InputFile("a", "sha256:" + digit * 64) for digit in "bc")
    before = replace(make_provenance(), arguments=("check", "a.txt", "a.run"), inputs=(old, old))
    after = replace(before, inputs=(old, new))
    assert comparison_lines(before, after)[0].startswith("a.run has changed: sha256 ccc")


def test_input_named_by_a_longer_path():
    old, new = (InputFile("b/a", "sha256:" + digit * 64) for digit in "bc")
    files = ("runs/a/a.run.gz", "runs/b/a.run.gz")
    before = replace(make_provenance(), arguments=("check", "qrels", *files), inputs=(old,))
    after = replace(before, inputs=(new,))
    assert comparison_lines(before, after)[0].startswith("runs/b/a.run.gz has changed: sha256 ccc")


def test_many_changed_inputs_take_linear_time(within):
    """Regression: each changed input was searched for in all arguments of the command line."""
    n = 20_000
    inputs = tuple(InputFile(f"i{k}", "sha256:" + "b" * 64) for k in range(n))
    words = ("check", *(f"directory/i{k}.run" for k in range(n)))
    before = replace(make_provenance(), arguments=words, inputs=inputs)
    with within(20):
        lines = comparison_lines(before, replace(before, inputs=()))
    assert lines[n - 1].startswith(f"directory/i{n - 1}.run is no longer read")


def test_page_difference_is_located():
    before = make_provenance()
    assert comparison_lines(before, before, "table 'AP'") == [
        "the words, tables or figures on this page are not those that irbounds writes: table 'AP'"
    ]
    assert status(before, before, "table 'AP'") == DIFFERENT
    assert status(before, before) == SAME


def test_page_may_differ_with_other_versions():
    before = make_provenance()
    after = replace(before, python="2.7")
    lines = comparison_lines(before, after, "table 'AP'")
    assert lines[1] == "the same numbers: tables 1, rows 1"
    assert lines[2].startswith("only the numbers in its block were compared")
    assert "first in table 'AP'" in lines[2]
    assert "not confirmed" in lines[2]
    assert status(before, after) == SAME
    assert status(before, after, "table 'AP'") == NUMBERS_ONLY
    assert status(before, replace(after, results="sha256:0")) == DIFFERENT


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("irbounds", 1),
        ("results", None),
        ("arguments", "evaluate q r"),
        ("arguments", ["evaluate", 3]),
        ("arguments", None),
        ("libraries", ["numpy"]),
        ("libraries", {"numpy": 2}),
        ("options", []),
        ("inputs", [{"name": "q"}]),
        ("inputs", ["q"]),
        ("inputs", {"name": "q", "fingerprint": "f"}),
        ("tables", [{"title": "t", "rows": 3}]),
    ],
)
def test_error_of_invalid_block_names_the_part(part, value):
    block = json.dumps({**json.loads(make_provenance().as_json()), part: value})
    with pytest.raises(
        InputError, match=rf"page\.html: its provenance block has no readable {part}"
    ):
        read_provenance(block, "page.html")


@pytest.mark.parametrize("block", ["", "{", "[" * 100_000, '{"a": '])
def test_block_that_is_not_json_is_an_error(block):
    with pytest.raises(InputError, match=r"^page\.html: its provenance block is not JSON$"):
        read_provenance(block, "page.html")


@pytest.mark.parametrize("block", ["[]", "3", "null", '"text"'])
def test_block_of_other_json_type_is_an_error(block):
    with pytest.raises(InputError, match="has no readable parts"):
        read_provenance(block, "page.html")


def test_unknown_parts_of_a_block_are_ignored():
    provenance = make_provenance()
    block = json.dumps({**json.loads(provenance.as_json()), "colour": "blue"})
    assert read_provenance(block, "page.html") == provenance
