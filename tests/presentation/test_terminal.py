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
from irbounds.presentation.verbosity import set_verbosity

LONG = "a-system-with-a-name-that-no-table-was-made-for"
TABLE = Table(
    title="T [bold]not markup[/bold]",
    headings=("system", "mean", "low", "high"),
    cells=((LONG, "0.123", "0.100", "0.150"), ("[red]b", "1,234.5", "-", "-")),
    records=(),
)


def shown(width, table=TABLE):
    text = StringIO()
    print_table(Console(file=text, width=width, force_terminal=True, color_system=None), table)
    return text.getvalue()


@pytest.mark.parametrize("width", [20, 40, 80, 120])
def test_no_number_and_no_letter_is_lost_at_any_width(width):
    text = shown(width)
    for whole in ("0.123", "0.100", "0.150", "1,234.5", "[red]b", "mean", "low", "high"):
        assert whole in text
    # the first word of each line below the rule, put together again
    below = text[text.rindex("─") + 1 :].split("\n")[1:-1]
    assert "".join(line.split()[0] for line in below) == f"{LONG}[red]b"
    assert "T [bold]not markup[/bold]" in text.replace("\n", " ").replace("  ", " ")


def test_names_keep_a_minimum_width_next_to_many_numbers():
    many = Table("T", ("query", *"abcdefghijklmno"), (("q-301", *["0.1234"] * 15),), records=())
    text = shown(80, many)
    assert "q-301" in text
    assert text.count("0.1234") == 15


def test_it_fits_where_it_can():
    assert max(len(line) for line in shown(80).splitlines()) <= 80
    assert max(len(line) for line in shown(40).splitlines()) <= 40


def test_warnings_are_one_line_each_and_no_markup():
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


def drawn(width, table=WIDE):
    return [line.rstrip() for line in shown(width, table).splitlines()]


def test_all_of_it_with_bars_on_one_scale():
    assert drawn(80) == [
        "differences",
        "system  minus  mean difference  effect size  detectable  -0.06              0.12",
        "\u2500" * 80,
        "bm25    dense            -0.02          0.1         0.3   ├───●─┼─┤",
        "hybrid  bm25              0.08          0.5         0.2         ┊    ├────●────┤",
        "a caption with words enough that it takes two lines",
    ]


def test_headings_take_two_lines_before_columns_go():
    assert drawn(46) == [
        "differences",
        "                     mean  effect",
        "system  minus  difference    size  detectable",
        "\u2500" * 45,
        "bm25    dense       -0.02     0.1         0.3",
        "hybrid  bm25         0.08     0.5         0.2",
        "a caption with words enough that it takes two",
        "lines",
    ]


def test_spare_columns_are_left_out_in_order_and_listed():
    lines = drawn(40)
    assert lines[2] == "system  minus  difference    size"
    said = " ".join(lines[lines.index("no room for detectable: widen the") :])
    assert said.endswith("the terminal; CSV and records have all columns")
    assert drawn(30)[2] == "system  minus  difference"
    assert "no room for effect size, detectable:" in " ".join(drawn(30))


def test_columns_that_have_no_room_are_not_explained():
    of_both, of_all = "effect size and detectable: of pairs", "mean difference: x; y: z"
    caption = f"{of_both}; detectable: with power; {of_all}"
    table = replace(WIDE, caption=caption)
    assert " ".join(drawn(80, table)).endswith(caption)
    narrow = " ".join(drawn(40, table))
    assert f"{of_both}; {of_all} no room for" in narrow
    assert "power" not in narrow
    narrowest = " ".join(drawn(30, table))
    assert f"{of_all} no room for" in narrowest
    assert "of pairs" not in narrowest
    # what is said of p is said of adjusted p, too
    tests = replace(WIDE, headings=(*WIDE.headings[:3], "adjusted p", "p"), spare=("p",))
    assert "p: a test" in " ".join(drawn(36, replace(tests, caption="p: a test")))


def test_bars_need_room_and_something_to_draw():
    natural = 55
    assert choose_layout(WIDE, natural + 17).bar == 0
    assert choose_layout(WIDE, natural + 18).bar == 16
    assert choose_layout(WIDE, 300).bar == 48
    bare = Table("t", ("system", "mean"), (("a", "-"),), (), bars=(None,))
    assert choose_layout(bare, 300).bar == 0


def test_a_pipe_has_all_columns_and_no_bars():
    text = StringIO()
    print_table(Console(file=text, width=20, color_system=None), WIDE)
    assert text.getvalue().splitlines() == [
        "differences",
        "system  minus  mean difference  effect size  detectable",
        "bm25    dense            -0.02          0.1         0.3",
        "hybrid  bm25              0.08          0.5         0.2",
        "a caption with words enough that it takes two lines",
    ]


def lines_shown(*tables, is_terminal=True, **more):
    text = StringIO()
    console = Console(file=text, width=80, force_terminal=is_terminal, color_system=None)
    terminal.show(console, tables, more.pop("above", ()), (), **more)
    return [line.rstrip() for line in text.getvalue().splitlines()]


def test_a_conclusion_follows_an_empty_line():
    bare = Table("title", ("system", "mean"), (("a", "0.1"),), records=())
    assert lines_shown(bare, below=["first", "second"])[-3:] == ["", "first", "second"]
    assert lines_shown(above=["above"], below=["below"]) == ["above", "", "below"]
    assert lines_shown(below=["below"]) == ["below"]


def test_rows_that_are_not_shown_take_their_bars_and_bold_cells_with_them():
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
    *_, first, second, note = lines_shown(many)
    assert first.split()[:2] == ["s2", "0.2"]
    assert second.split()[:2] == ["s4", "0.4*"]
    assert note == "two of nine rows"
    assert len(lines_shown(many)) == 6
    text = StringIO()
    with_bold = Console(file=text, width=80, force_terminal=True, color_system="standard")
    print_table(with_bold, many)
    assert re.findall(r"\x1b\[1m +(0\.\d)\x1b", text.getvalue()) == ["0.4"]
    piped = lines_shown(many, is_terminal=False)  # where nobody scrolls, and grep must find all
    assert [line[:2] for line in piped[2:]] == [f"s{k}" for k in range(9)]


@pytest.mark.parametrize("is_terminal", [True, False])
def test_tables_of_details_are_counted(is_terminal):
    bare = Table("title", ("system", "mean"), (("a", "0.1"),), records=())
    detail = replace(bare, title="hidden", is_detail=True)
    lines = lines_shown(bare, detail, is_terminal=is_terminal)
    assert "hidden" not in lines
    assert lines[-1].startswith("1 table of numbers: --verbose")
    with set_verbosity("quiet"):
        assert lines_shown(detail, is_terminal=is_terminal) == []


def test_sentences_break_at_words_only_on_a_terminal():
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
        assert [one.rstrip() for one in text.getvalue().splitlines()] == expected


EVIL = "\x1b[31mred\x9b2J\x07\nfake line\u202e"
SPELT = r"\x1b[31mred\x9b2J\x07\nfake line\u202e"


@pytest.mark.parametrize("is_terminal", [True, False])
def test_no_name_steers_the_terminal(is_terminal):
    text = StringIO()
    console = Console(file=text, width=200, force_terminal=is_terminal, color_system=None)
    spare = (f"of {EVIL}",)
    table = Table(EVIL, (EVIL, *spare), ((EVIL, "1"),), records=(), caption=EVIL, spare=spare)
    print_table(console, table)
    print_lines(console, [f"{EVIL} is best"])
    print_warnings(console, [f"{EVIL} is odd"])
    said = text.getvalue()
    # title, two headings, cell, caption and a line; a warning has its line ends taken out
    assert said.count(SPELT) == 6
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", said)
