"""Tables on terminals of any width: names fold, numbers stay whole."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from irbounds.report.tables import Table
from irbounds.report.terminal import print_table, print_warnings

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
    assert "T [bold]not markup[/bold]" in text


def test_names_do_not_vanish_beside_many_numbers():
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
