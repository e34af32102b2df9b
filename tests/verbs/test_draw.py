"""irbounds draw."""

from __future__ import annotations

import json
import re

import pytest

import irbounds as package
import naive
from irbounds.errors import ParameterError

IDS = [f"d{k}" for k in range(200)]
FOUND = IDS[:40]


@pytest.fixture
def lists(write):
    """Write the lists of the population and of the retrieved documents."""
    return write("ids.txt", "\n".join(IDS) + "\n"), write("found.txt", "\n".join(FOUND) + "\n")


def read_rows(text: str) -> list[str]:
    rows = [line for line in text.splitlines() if not line.startswith("#")]
    assert rows[0] == "doc_id,relevance"
    assert all(row.endswith(",") for row in rows[1:])
    return [row.removesuffix(",") for row in rows[1:]]


def test_sheet_of_a_control_set_and_its_line_to_deposit(irbounds, lists, tmp_path):
    arguments = ("draw", "--population", "ids.txt", "--n", "30", "--seed", "7")
    result = irbounds(*arguments, "-o", "sheet.csv")
    assert (result.returncode, result.stdout) == (0, b"")
    text = (tmp_path / "sheet.csv").read_text()
    digest = naive.lists_digest(set(), set(IDS))
    assert set(read_rows(text)) == set(naive.draw_order(7, set(IDS), digest)[:30])
    line = f"irbounds draw seed=7 corpus=30/200 lists={digest}"
    assert text.startswith(f"# {line}\n")
    lines = result.stderr.decode().splitlines()
    assert lines[0] == f"deposit before the review: {line}"
    printed = irbounds(*arguments, "--quiet")
    assert (printed.stdout.decode(), printed.stderr) == (text, b"")


SHEET = ("--assessed", "sheet.csv", "--retrieved-ids", "found.txt", "--corpus", "ids.txt")


@pytest.fixture
def fill_in(irbounds, lists, tmp_path):
    """Return a function that draws a sheet with some options and fills it in."""

    def write_sheet(*options: str, n_relevant: int = 8) -> list[str]:
        arguments = ("--retrieved-ids", "found.txt", "--n", "100", *options, "--seed", "7")
        drawn = irbounds("draw", "--population", "ids.txt", *arguments, "-o", "sheet.csv")
        path = tmp_path / "sheet.csv"
        text = path.read_text().replace(",\n", ",1\n", n_relevant).replace(",\n", ",0\n")
        path.write_text(text)
        return drawn.stderr.decode().splitlines()

    return write_sheet


def test_line_to_deposit_is_repeated_by_recall_and_on_its_page(irbounds, fill_in, tmp_path):
    line = fill_in("--retrieved-sample", "30")[0].removeprefix("deposit before the review: ")
    options = ("--at-least", "0.1", "--report", "page.html")
    result = irbounds("recall", *SHEET, *options)
    assert result.returncode == 0
    assert line in " ".join(result.stdout.decode().split())
    page = (tmp_path / "page.html").read_text()
    assert line in page
    assert '<p class="signature">' in page
    notes = json.loads(irbounds("recall", *SHEET, "--format", "json").stdout)["notes"]
    assert any(note.startswith(line) for note in notes)


@pytest.mark.parametrize("change", [(r"\nd\d+,", "\nx,"), ("seed=7", "seed=8")])
def test_other_documents_than_those_of_the_draw_are_refused(irbounds, fill_in, tmp_path, change):
    fill_in("--retrieved-sample", "30")
    path = tmp_path / "sheet.csv"
    path.write_text(re.sub(*change, path.read_text(), count=1))
    result = irbounds("recall", *SHEET, "--report", "page.html")
    assert (result.returncode, result.stdout, result.stderr.count(b"\n")) == (2, b"", 1)
    assert not (tmp_path / "page.html").exists()


def test_review_gives_the_counts_of_what_it_read_and_a_sample_of_the_rest(irbounds, fill_in):
    fill_in()
    result = irbounds("recall", "--retrieved", *["40", "all", "33"], *SHEET, "--format", "json")
    content = json.loads(result.stdout)
    (sample,) = content["samples"]
    inside, outside = sample["strata"]
    counts = ("population", "sampled", "relevant")
    assert [inside[name] for name in counts] == [40, 40, 33]
    assert [outside[name] for name in counts] == [160, 100, 8]
    assert any(note.startswith("irbounds draw seed=7 ") for note in content["notes"])


@pytest.mark.parametrize(
    ("counts", "options", "words"),
    [
        ("39 all 33", (), "--retrieved has 39 documents, but 40 were retrieved"),
        ("40 39 33", (), "--retrieved has 39 sampled of 40 documents"),
        ("40 all 41", (), "--retrieved: 41 relevant of 40 sampled"),
        ("40 all 0", ("--retrieved-sample", "40"), "0 relevant documents of 40, but "),
        ("40 all 39", ("--retrieved-sample", "40"), "39 relevant documents of 40, but "),
    ],
)
def test_counts_of_a_review_that_contradict_the_documents(
    irbounds, fill_in, counts, options, words
):
    fill_in(*options)
    result = irbounds("recall", "--retrieved", *counts.split(), *SHEET)
    assert (result.returncode, result.stdout, result.stderr.count(b"\n")) == (2, b"", 1)
    assert words in result.stderr.decode()


def test_seed_is_required(irbounds, lists):
    result = irbounds("draw", "--population", "ids.txt", "--n", "30")
    assert result.returncode == 2
    assert b"needs --seed" in result.stderr
    with pytest.raises(ParameterError, match="seed must be at most"):
        package.draw(population=IDS, n=3, seed=10**5000)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--n", "3"), "needs --population"),
        (("--population", "ids.txt"), "needs --n"),
        (("--population", "ids.txt", "--n", "0"), "--n must be an integer"),
        (
            ("--population", "ids.txt", "--n", "999"),
            "999 documents to draw, but there are only 200 corpus documents",
        ),
        (("--population", "ids.txt", "--n", "3", "--retrieved-sample", "3"), "--retrieved-ids"),
        (("--population", "ids.txt", "--n", "3", "-o", "x.json"), "use an extension of .csv"),
        (("--population", "none.txt", "--n", "3"), "none.txt: no such file"),
    ],
)
def test_errors_have_one_line(irbounds, lists, arguments, words):
    result = irbounds("draw", *arguments, "--seed", "7")
    assert (result.returncode, result.stdout, result.stderr.count(b"\n")) == (2, b"", 1)
    assert words in result.stderr.decode()
