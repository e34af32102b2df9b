"""irbounds draw."""

from __future__ import annotations

import hashlib
import json

import pytest

import irbounds as package
import naive
from irbounds.errors import ParameterError

IDS = [f"d{k}" for k in range(200)]
FOUND = IDS[:40]
BOTH = ("--retrieved-ids", "found.txt", "--n", "30", "--retrieved-sample", "10")


@pytest.fixture
def lists(write):
    """Write the lists of the population and of the retrieved documents."""
    return write("ids.txt", "\n".join(IDS) + "\n"), write("found.txt", "\n".join(FOUND) + "\n")


def read_rows(text: str) -> list[str]:
    rows = [line for line in text.splitlines() if not line.startswith("#")]
    assert rows[0] == "doc_id,relevance"
    assert all(row.endswith(",") for row in rows[1:])
    return [row.removesuffix(",") for row in rows[1:]]


def test_sheet_of_a_control_set(irbounds, lists, tmp_path):
    arguments = ("draw", "--population", "ids.txt", "--n", "30", "--seed", "7")
    result = irbounds(*arguments, "-o", "sheet.csv")
    assert (result.returncode, result.stdout) == (0, b"")
    text = (tmp_path / "sheet.csv").read_text()
    assert read_rows(text) == naive.draw_order(7, set(IDS))[:30]
    digest = hashlib.sha256(lists[0].read_bytes()).hexdigest()
    assert f"# population sha256: {digest}\n" in text
    lines = result.stderr.decode().splitlines()
    assert lines[0] == f"30 of 200 documents drawn with seed 7: ids.txt (sha256 {digest[:12]})"
    assert lines[1].startswith("next: fill in relevance, then irbounds recall --assessed SHEET")
    printed = irbounds(*arguments, "--quiet")
    assert (printed.stdout.decode(), printed.stderr) == (text, b"")


def test_sheet_does_not_depend_on_the_order_of_the_list(irbounds, lists):
    arguments = ("draw", "--population", "-", "--n", "30", "--seed", "7")
    one, other = (
        irbounds(*arguments, stdin="\n".join(ids).encode()).stdout.decode()
        for ids in (IDS, IDS[::-1])
    )
    assert read_rows(one) == read_rows(other)


def test_drawn_sheet_is_assessed_and_verified_by_recall(irbounds, lists, tmp_path):
    """From the lists to the page: seed, digests and verdict are on it."""
    irbounds("draw", "--population", "ids.txt", *BOTH, "--seed", "7", "-o", "sheet.csv")
    path = tmp_path / "sheet.csv"
    doc_ids = read_rows(path.read_text())
    assert len(set(doc_ids) & set(FOUND)) == 10
    path.write_text(path.read_text().replace(",\n", ",1\n", 8).replace(",\n", ",0\n"))
    arguments = ("--assessed", "sheet.csv", "--retrieved-ids", "found.txt", "--corpus", "ids.txt")
    result = irbounds("recall", *arguments, "--report", "page.html")
    verdict = (
        "sheet.csv: verified: the assessed documents are those that irbounds draw selects from "
        "ids.txt with seed 7"
    )
    assert verdict in result.stdout.decode()
    page = (tmp_path / "page.html").read_text()
    assert verdict in page
    assert "documents drawn with seed 7: ids.txt (sha256 " in page
    for file in lists:
        assert hashlib.sha256(file.read_bytes()).hexdigest() in page
    notes = json.loads(irbounds("recall", *arguments, "--format", "json").stdout)["notes"]
    assert verdict in notes


SHEET = ("--assessed", "sheet.csv", "--retrieved-ids", "found.txt", "--corpus", "ids.txt")


@pytest.fixture
def fill_in(irbounds, lists, tmp_path):
    """Return a function that draws a sheet with some options and fills it in."""

    def write_sheet(*options: str, n_relevant: int = 8, seed_then: int = 7) -> list[str]:
        arguments = ("--retrieved-ids", "found.txt", "--n", "100", *options, "--seed", "7")
        drawn = irbounds("draw", "--population", "ids.txt", *arguments, "-o", "sheet.csv")
        path = tmp_path / "sheet.csv"
        text = path.read_text().replace(",\n", ",1\n", n_relevant).replace(",\n", ",0\n")
        path.write_text(text.replace("# seed: 7\n", f"# seed: {seed_then}\n"))
        return drawn.stderr.decode().splitlines()

    return write_sheet


def test_documents_of_another_draw_show_no_claim(irbounds, fill_in):
    fill_in("--retrieved-sample", "30", seed_then=8)
    result = irbounds("recall", *SHEET, "--at-least", "0.1", "--report", "page.html")
    assert (result.returncode, result.stdout, result.stderr.count(b"\n")) == (2, b"", 1)
    message = result.stderr.decode()
    assert "documents drawn by seed 8 but not assessed, so that the sample is not random" in message
    assert "--at-least needs the documents that irbounds draw selected" in message
    fill_in("--retrieved-sample", "30")
    assert irbounds("recall", *SHEET, "--at-least", "0.1").returncode == 0


def test_page_of_documents_of_another_draw_has_nothing_to_quote_or_sign(
    irbounds, fill_in, tmp_path
):
    for seed, is_there in ((8, False), (7, True)):
        fill_in("--retrieved-sample", "30", seed_then=seed)
        assert irbounds("recall", *SHEET, "--report", "page.html").returncode == 0
        page = (tmp_path / "page.html").read_text()
        for words in ("<h2>To quote</h2>", "were drawn at random", '<p class="signature">'):
            assert (words in page) is is_there, words
        assert ("are not those that irbounds draw selected" in page) is not is_there


def test_review_gives_the_counts_of_what_it_read_and_a_sample_of_the_rest(irbounds, fill_in):
    """The command that draw prints works, with the number of relevant documents filled in."""
    command = fill_in()[1].partition("irbounds ")[2]
    assert command.startswith("recall --retrieved 40 all RELEVANT --assessed SHEET ")
    command = command.replace("RELEVANT", "33").replace("SHEET", "sheet.csv")
    result = irbounds(*command.split(), "--format", "json")
    content = json.loads(result.stdout)
    (sample,) = content["samples"]
    inside, outside = sample["strata"]
    counts = ("population", "sampled", "relevant")
    assert [inside[name] for name in counts] == [40, 40, 33]
    assert [outside[name] for name in counts] == [160, 100, 8]
    assert any(note.startswith("sheet.csv: verified: ") for note in content["notes"])
    assert "sample of the unretrieved documents: 100 of 160 (62 %)" in " ".join(content["notes"])


@pytest.mark.parametrize(
    ("counts", "options", "words"),
    [
        ("39 all 33", (), "--retrieved has 39 documents, but 40 were retrieved"),
        ("40 39 33", (), "--retrieved has 39 sampled of 40 documents"),
        ("40 all 41", (), "--retrieved: 41 relevant of 40 sampled"),
        ("40 all 0", ("--retrieved-sample", "all"), "0 relevant documents of 40, but "),
        ("40 all 39", ("--retrieved-sample", "all"), "39 relevant documents of 40, but "),
    ],
)
def test_counts_of_a_review_that_contradict_the_documents(
    irbounds, fill_in, counts, options, words
):
    fill_in(*options)
    result = irbounds("recall", "--retrieved", *counts.split(), *SHEET)
    assert (result.returncode, result.stdout, result.stderr.count(b"\n")) == (2, b"", 1)
    assert words in result.stderr.decode()


def test_every_retrieved_document_is_put_on_the_sheet(irbounds, fill_in, tmp_path):
    lines = fill_in("--retrieved-sample", "all")
    assert "40 of 40 retrieved documents" in lines[0]
    assert "--retrieved 40" not in lines[1]
    assert all(f"\n{doc}," in (tmp_path / "sheet.csv").read_text() for doc in FOUND)
    sample = package.draw(population=IDS, retrieved_ids=FOUND, n=3, retrieved_sample="all", seed=7)
    assert set(FOUND) < set(sample.doc_ids)


def test_python_and_the_command_draw_the_same(irbounds, lists):
    arguments = ("draw", "--population", "ids.txt", *BOTH, "--seed", "7")
    sample = package.draw(population=IDS, retrieved_ids=FOUND, n=30, retrieved_sample=10, seed=7)
    assert read_rows(irbounds(*arguments).stdout.decode()) == list(sample.doc_ids)


def test_seed_is_required_and_the_error_says_why(irbounds, lists):
    result = irbounds("draw", "--population", "ids.txt", "--n", "30")
    assert result.returncode == 2
    assert b"needs --seed" in result.stderr
    assert b"before the draw" in result.stderr
    with pytest.raises(ParameterError, match="seed must be at most"):
        package.draw(population=IDS, n=3, seed=10**5000)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--n", "3"), "needs --population"),
        (("--population", "ids.txt"), "needs --n"),
        (("--population", "ids.txt", "--n", "0"), "--n must be an integer"),
        (("--population", "ids.txt", "--n", "999"), "--n is 999, but there are only 200 documents"),
        (("--population", "ids.txt", "--n", "3", "--retrieved-sample", "3"), "--retrieved-ids"),
        (("--population", "ids.txt", "--n", "3", "-o", "x.json"), "use an extension of .csv"),
        (("--population", "none.txt", "--n", "3"), "none.txt: no such file"),
    ],
)
def test_errors_have_one_line(irbounds, lists, arguments, words):
    result = irbounds("draw", *arguments, "--seed", "7")
    assert (result.returncode, result.stdout, result.stderr.count(b"\n")) == (2, b"", 1)
    assert words in result.stderr.decode()
