"""Tables on terminals of any width: names fold, numbers stay whole."""

from __future__ import annotations

import re
from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

from irbounds.presentation import terminal
from irbounds.presentation.table import Table
from irbounds.presentation.terminal import choose_layout, print_lines, print_table, print_warnings
from irbounds.presentation.verbosity import set_quiet

LONG = "a-system-with-a-name-that-no-table-was-made-for"
TABLE = Table(
    title="T [bold]not markup[/bold]",
    headings=("system", "mean", "low", "high"),
    cells=((LONG, "0.123", "0.100", "0.150"), ("[red]b", "1,234.5", "-", "-")),
    records=(),
)


def print_to_text(width, table=TABLE):
    text = StringIO()
    print_table(Console(file=text, width=width, force_terminal=True, color_system=None), table)
    return text.getvalue()


@pytest.mark.parametrize("width", [20, 40, 80, 120])
def test_terminal_table_keeps_all_characters_at_any_width(width):
    text = print_to_text(width)
    for word in ("0.123", "0.100", "0.150", "1,234.5", "[red]b", "mean", "low", "high"):
        assert word in text
    # the first word of each line below the rule, put together again
    below = text[text.rindex("─") + 1 :].split("\n")[1:-1]
    assert "".join(line.split()[0] for line in below) == f"{LONG}[red]b"
    assert "T [bold]not markup[/bold]" in text.replace("\n", " ").replace("  ", " ")


def test_names_keep_a_minimum_width_next_to_many_numbers():
    many = Table("T", ("query", *"abcdefghijklmno"), (("q-301", *["0.1234"] * 15),), records=())
    text = print_to_text(80, many)
    assert "q-301" in text
    assert text.count("0.1234") == 15


def test_terminal_table_fits_width_where_possible():
    assert max(len(line) for line in print_to_text(80).splitlines()) <= 80
    assert max(len(line) for line in print_to_text(40).splitlines()) <= 40


def test_terminal_warnings_are_one_line_without_markup():
    text = StringIO()
    print_warnings(Console(file=text, width=30, color_system=None), ["x" * 50, "[red]y"])
    assert text.getvalue() == f"warning: {'x' * 50}\nwarning: [red]y\n"


WIDE = Table(
    title="differences",
    headings=("system", "minus", "mean difference", "effect size", "detectable"),
    cells=(("bm25", "dense", "-0.02", "0.1", "0.3"), ("hybrid", "bm25", "0.08", "0.5", "0.2")),
    records=(),
    first_number=2,
    caption="a caption with words enough that it takes two lines",
    bars=((-0.05, -0.02, 0.01), (0.04, 0.08, 0.12)),
    spare=("detectable", "effect size"),
)


def list_printed_lines(width, table=WIDE):
    return [line.rstrip() for line in print_to_text(width, table).splitlines()]


def test_wide_terminal_shows_all_columns_with_bars_on_one_scale():
    assert list_printed_lines(80) == [
        "differences",
        "system  minus  mean difference  effect size  detectable  -0.06              0.12",
        "\u2500" * 80,
        "bm25    dense            -0.02          0.1         0.3   ├───●─┼─┤",
        "hybrid  bm25              0.08          0.5         0.2         ┊    ├────●────┤",
        "a caption with words enough that it takes two lines",
    ]


def test_headings_wrap_before_columns_are_omitted():
    assert list_printed_lines(46) == [
        "differences",
        "                     mean  effect",
        "system  minus  difference    size  detectable",
        "\u2500" * 45,
        "bm25    dense       -0.02     0.1         0.3",
        "hybrid  bm25         0.08     0.5         0.2",
        "a caption with words enough that it takes two",
        "lines",
    ]


def test_spare_columns_are_omitted_in_order_and_listed():
    lines = list_printed_lines(40)
    assert lines[2] == "system  minus  difference    size"
    note_text = " ".join(lines[lines.index("no room for detectable: widen the") :])
    assert note_text.endswith("the terminal; CSV and records have all columns")
    assert list_printed_lines(30)[2] == "system  minus  difference"
    assert "no room for effect size, detectable:" in " ".join(list_printed_lines(30))


def test_omitted_columns_have_no_notes():
    of_both, of_all = "effect size and detectable: of pairs", "mean difference: x; y: z"
    caption = f"{of_both}; detectable: with power; {of_all}"
    table = replace(WIDE, caption=caption)
    assert " ".join(list_printed_lines(80, table)).endswith(caption)
    narrow = " ".join(list_printed_lines(40, table))
    assert f"{of_both}; {of_all} no room for" in narrow
    assert "power" not in narrow
    narrowest = " ".join(list_printed_lines(30, table))
    assert f"{of_all} no room for" in narrowest
    assert "of pairs" not in narrowest
    # what is said of p is said of adjusted p, too
    tests = replace(WIDE, headings=(*WIDE.headings[:3], "adjusted p", "p"), spare=("p",))
    assert "p: a test" in " ".join(list_printed_lines(36, replace(tests, caption="p: a test")))


def test_bars_are_omitted_without_space_or_values():
    natural = 55
    assert choose_layout(WIDE, natural + 17).bar == 0
    assert choose_layout(WIDE, natural + 18).bar == 16
    assert choose_layout(WIDE, 300).bar == 48
    bare = Table("t", ("system", "mean"), (("a", "-"),), (), bars=(None,))
    assert choose_layout(bare, 300).bar == 0


def test_piped_table_has_all_columns_without_bars():
    text = StringIO()
    print_table(Console(file=text, width=20, color_system=None), WIDE)
    assert text.getvalue().splitlines() == [
        "differences",
        "system  minus  mean difference  effect size  detectable",
        "bm25    dense            -0.02          0.1         0.3",
        "hybrid  bm25              0.08          0.5         0.2",
        "a caption with words enough that it takes two lines",
    ]


def show_lines(*tables, is_terminal=True, **more):
    text = StringIO()
    console = Console(file=text, width=80, force_terminal=is_terminal, color_system=None)
    terminal.show(console, tables, more.pop("above", ()), (), **more)
    return [line.rstrip() for line in text.getvalue().splitlines()]


def test_conclusion_follows_empty_line():
    bare = Table("title", ("system", "mean"), (("a", "0.1"),), records=())
    assert show_lines(bare, below=["first", "second"])[-3:] == ["", "first", "second"]
    assert show_lines(above=["above"], below=["below"]) == ["above", "", "below"]
    assert show_lines(below=["below"]) == ["below"]


def test_hidden_rows_have_no_bars_or_bold_cells():
    many = Table(
        "title",
        ("system", "mean"),
        tuple((f"s{k}", f"0.{k}") for k in range(9)),
        records=(),
        bars=tuple((k / 10 - 0.05, k / 10, k / 10 + 0.05) for k in range(9)),
        strong=frozenset({(0, 1), (4, 1)}),
        shown_rows=(2, 4),
        shown_note="two of nine rows",
    )
    *_, first, second, note = show_lines(many)
    assert first.split()[:2] == ["s2", "0.2"]
    assert second.split()[:2] == ["s4", "0.4*"]
    assert note == "two of nine rows"
    assert len(show_lines(many)) == 6
    text = StringIO()
    with_bold = Console(file=text, width=80, force_terminal=True, color_system="standard")
    print_table(with_bold, many)
    assert re.findall(r"\x1b\[1m +(0\.\d)\x1b", text.getvalue()) == ["0.4"]
    piped = show_lines(many, is_terminal=False)  # where nobody scrolls, and grep must find all
    assert [line[:2] for line in piped[2:]] == [f"s{k}" for k in range(9)]


@pytest.mark.parametrize("is_terminal", [True, False])
def test_detail_tables_are_counted(is_terminal):
    bare = Table("title", ("system", "mean"), (("a", "0.1"),), records=())
    detail = replace(bare, title="hidden", is_detail=True)
    lines = show_lines(bare, detail, is_terminal=is_terminal)
    assert "hidden" not in lines
    assert lines[-1].startswith("1 table of numbers: --output")
    with set_quiet(True):
        assert show_lines(detail, is_terminal=is_terminal) == []


def test_sentences_wrap_at_words_on_terminal_only():
    line = "of all the queries there are, about 95 % hold, and a-very-long-name-does-not-break"
    for is_terminal, expected in (
        (False, [line]),
        (
            True,
            [
                "of all the queries there are, about",
                "95 % hold, and",
                "a-very-long-name-does-not-break",
            ],
        ),
    ):
        text = StringIO()
        console = Console(file=text, width=38, force_terminal=is_terminal, color_system=None)
        print_lines(console, [line])
        assert [output_line.rstrip() for output_line in text.getvalue().splitlines()] == expected


EVIL = "\x1b[31mred\x9b2J\x07\nfake line\u202e"
SPELT = r"\x1b[31mred\x9b2J\x07\nfake line\u202e"


@pytest.mark.parametrize("is_terminal", [True, False])
def test_control_characters_in_names_are_escaped_on_terminal(is_terminal):
    text = StringIO()
    console = Console(file=text, width=200, force_terminal=is_terminal, color_system=None)
    spare = (f"of {EVIL}",)
    table = Table(EVIL, (EVIL, *spare), ((EVIL, "1"),), records=(), caption=EVIL, spare=spare)
    print_table(console, table)
    print_lines(console, [f"{EVIL} is best"])
    print_warnings(console, [f"{EVIL} is odd"])
    output = text.getvalue()
    # title, two headings, cell, caption and a line; a warning has its line ends taken out
    assert output.count(SPELT) == 6
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", output)
