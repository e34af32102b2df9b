"""Where a report's numbers come from, written and read again, and two of them compared."""

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


def table_of(*means: float, title: str = "means") -> Table:
    records = tuple({"system": f"s{k}", "mean": mean} for k, mean in enumerate(means))
    return Table(title, ("system", "mean"), (), records)


def made(*tables: Table, **changed) -> Provenance:
    files = [InputFile("qrels", "sha256:" + "a" * 64), InputFile("run", "sha256:" + "b" * 64)]
    found = provenance_of(["evaluate", "q", "r"], {"seed": 0}, files, tables or [table_of(0.5)])
    return replace(found, **changed)


def test_it_says_all_that_a_repetition_needs():
    found = made()
    assert found.irbounds == __version__
    assert set(found.libraries) == set(LIBRARIES)
    assert all(found.libraries.values())
    assert found.arguments == ("evaluate", "q", "r")
    assert found.options == {"seed": 0}
    assert found.date.endswith("+00:00")
    assert found.results.startswith("sha256:")


def test_it_is_read_as_it_was_written():
    found = made(table_of(0.1, 0.2), table_of(0.3, title="</script>\u2028 <b>"))
    assert read_provenance(found.as_json(), "page.html") == found


def test_nothing_of_the_environment_is_in_it(monkeypatch):
    monkeypatch.setenv("IRBOUNDS_SECRET", "hidden-word")
    text = made().as_json()
    assert "hidden-word" not in text
    assert str(Path.cwd()) not in text
    assert set(json.loads(text)) == {
        *("irbounds", "python", "machine", "libraries", "arguments", "options"),
        *("inputs", "results", "date", "tables"),
    }


def test_another_number_another_digest():
    same = results_digest([table_of(0.1, 0.2)])
    assert results_digest([table_of(0.1, 0.2)]) == same
    assert results_digest([table_of(0.1, 0.2000001)]) != same
    assert results_digest([table_of(0.2, 0.1)]) != same
    assert results_digest([table_of(0.1), table_of(0.2)]) != same


def test_the_last_bit_is_no_other_number():
    assert results_digest([table_of(0.1 + 0.2)]) == results_digest([table_of(0.3)])
    assert results_digest([table_of(0.300000001)]) != results_digest([table_of(0.3)])
    assert results_digest([table_of(float("nan"))]) != results_digest([table_of(0.0)])


def test_the_same_numbers():
    lines = comparison_lines(made(table_of(0.1, 0.2)), made(table_of(0.1, 0.2), date="later"))
    assert lines == ["the same numbers: tables 1, rows 2", "the same words, tables and figures"]


def test_rows_that_differ_are_counted_by_table():
    before = made(table_of(0.1, 0.2, 0.3, title="AP"), table_of(0.5, title="RR"), table_of(0.4))
    after = made(table_of(0.1, 0.25, 0.3, title="AP"), table_of(0.5, title="RR"), table_of(0.4))
    assert comparison_lines(before, after) == ["the numbers differ", "  1 of 3 rows: AP"]


def test_rows_and_tables_that_come_and_go():
    before = made(table_of(0.1, 0.2, title="AP"), table_of(0.5, title="RR"))
    after = made(table_of(0.1, title="AP"), table_of(0.5, title="P@5"))
    assert comparison_lines(before, after) == [
        "the numbers differ",
        "  1 of 2 rows gone: AP",
        "  no longer there: RR",
        "  only now there: P@5",
    ]


def test_more_rows_and_another_order():
    one, two = table_of(0.1, 0.2), table_of(0.1, 0.2, 0.3)
    assert comparison_lines(made(one), made(two))[1:] == ["  1 of 3 (was 2) rows: means"]
    turned = replace(one, records=one.records[::-1])
    assert comparison_lines(made(one), made(turned))[1:] == ["  another order of rows: means"]


def test_two_tables_of_one_title_are_told_apart():
    before = made(table_of(0.1), table_of(0.2))
    after = made(table_of(0.1), table_of(0.3))
    assert comparison_lines(before, after) == ["the numbers differ", "  1 of 1 rows: means"]


def test_changed_inputs_and_versions_are_named():
    before = made()
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


def test_an_input_that_was_not_there():
    before = made()
    after = replace(before, inputs=before.inputs[:1])
    assert comparison_lines(before, after)[0] == "run is no longer read: was sha256 bbbbbbbbbbbb"
    assert comparison_lines(after, before)[0] == "run was not read then: sha256 bbbbbbbbbbbb"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("evaluate", "judgments/qrels.txt", "../run.trec.gz"), "../run.trec.gz"),
        (("evaluate", "--scores", "AP=scores/run.csv"), "scores/run.csv"),
        (("evaluate", "--scores=AP=run"), "run"),
        (("evaluate", "qrels", "run.2.txt.gz"), "run"),  # another file
        (("evaluate", "run.txt", "run.run"), "run"),  # either could be it
        (("study", "park2010"), "run"),
    ],
)
def test_a_changed_input_is_named_as_it_was_typed(arguments, said):
    before = replace(made(), arguments=arguments)
    after = replace(before, inputs=(before.inputs[0], InputFile("run", "sha256:" + "c" * 64)))
    assert comparison_lines(before, after)[0].startswith(f"{said} has changed: sha256 ccc")


def test_two_inputs_of_one_name_are_in_the_order_of_the_words():
    old, new = (InputFile("a", "sha256:" + digit * 64) for digit in "bc")
    before = replace(made(), arguments=("check", "a.txt", "a.run"), inputs=(old, old))
    after = replace(before, inputs=(old, new))
    assert comparison_lines(before, after)[0].startswith("a.run has changed: sha256 ccc")


def test_an_input_that_is_named_by_a_longer_path():
    old, new = (InputFile("b/a", "sha256:" + digit * 64) for digit in "bc")
    files = ("runs/a/a.run.gz", "runs/b/a.run.gz")
    before = replace(made(), arguments=("check", "qrels", *files), inputs=(old,))
    after = replace(before, inputs=(new,))
    assert comparison_lines(before, after)[0].startswith("runs/b/a.run.gz has changed: sha256 ccc")


def test_a_block_may_name_any_number_of_inputs(within):
    """Each changed input was once looked for in all words of the command line."""
    n = 20_000
    inputs = tuple(InputFile(f"i{k}", "sha256:" + "b" * 64) for k in range(n))
    words = ("check", *(f"folder/i{k}.run" for k in range(n)))
    before = replace(made(), arguments=words, inputs=inputs)
    with within(20):
        lines = comparison_lines(before, replace(before, inputs=()))
    assert lines[n - 1].startswith(f"folder/i{n - 1}.run is no longer read")


def test_a_page_that_reads_otherwise_is_named_where_it_does():
    before = made()
    assert comparison_lines(before, before, "table 'AP'") == [
        "the words, tables or figures on this page are not those that irbounds writes: table 'AP'"
    ]
    assert status(before, before, "table 'AP'") == DIFFERENT
    assert status(before, before) == SAME


def test_with_other_versions_it_may():
    before = made()
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
def test_a_broken_block_is_an_error_that_names_the_part(part, value):
    block = json.dumps({**json.loads(made().as_json()), part: value})
    with pytest.raises(
        InputError, match=rf"page\.html: its provenance block has no readable {part}"
    ):
        read_provenance(block, "page.html")


@pytest.mark.parametrize("block", ["", "{", "[" * 100_000, '{"a": '])
def test_what_is_no_json_is_an_error(block):
    with pytest.raises(InputError, match=r"^page\.html: its provenance block is not JSON$"):
        read_provenance(block, "page.html")


@pytest.mark.parametrize("block", ["[]", "3", "null", '"text"'])
def test_json_of_another_kind_is_an_error(block):
    with pytest.raises(InputError, match="has no readable parts"):
        read_provenance(block, "page.html")


def test_parts_of_a_later_version_are_passed_over():
    found = made()
    block = json.dumps({**json.loads(found.as_json()), "colour": "blue"})
    assert read_provenance(block, "page.html") == found
