"""irbounds check: the diagnosis alone, and its exit status."""

from __future__ import annotations

import hashlib
import json

import pytest


def test_clean_is_status_0(irbounds, files):
    plain = irbounds("check", "qrels.txt", "one.run", "two.run")
    assert (plain.returncode, plain.stderr) == (0, b"")
    line, numbers = plain.stdout.decode().splitlines()
    assert line.startswith("nothing unusual: 2 runs, 6 queries; 100.0 % of the first 10 judged")
    assert "--verbose" in numbers
    assert irbounds("check", "qrels.txt", "one.run", "--quiet").stdout == b""
    done = irbounds("check", "qrels.txt", "one.run", "two.run", "--verbose")
    assert done.returncode == 0
    digest = hashlib.sha256((files / "one.run").read_bytes()).hexdigest()
    content, oddities, fingerprint = [
        line.split() for line in done.stdout.decode().splitlines() if line.startswith("one ")
    ]
    assert content == ["one", "6", "48", "8", "8", "100.0/100.0", "%", "0.0", "%"]
    assert oddities == ["one", "0", "0", "0", "0", "0", "0"]
    assert fingerprint == ["one", digest]


def test_warnings_are_status_1_and_every_count_shows(irbounds, files):
    (files / "odd.run").write_text(
        "q0 Q0 d1 1 5 t\nq0 Q0 d2 2 5 t\nq0 Q0 new 0 3 t\nq9 Q0 d1 1 1 t\nq0 Q0 d1 7 1 t\n"
    )
    done = irbounds("check", "qrels.txt", "odd.run", "--duplicates", "first", "--format", "json")
    assert done.returncode == 1
    whole = json.loads(done.stdout)
    assert whole["qrels"]["n_judgments"] == 48
    (run,) = whole["results"]
    counts = {k: v for k, v in run.items() if k.startswith(("n_", "depth"))}
    assert counts == {
        "n_queries": 2, "n_entries": 4, "n_documents": 3,
        "n_missing": 5, "n_unjudged": 1, "n_duplicates": 1,
        "n_rank_contradictions": 2, "n_constant": 0, "n_tied": 2, "n_short": 1, "n_float32": 0,
        "depth_least": 1, "depth_median": 2.0, "depth_most": 3,
    }  # fmt: skip
    assert run["tied_share"] == 0.5
    assert run["judged_at_10"] == 2 / 3
    said = done.stderr.decode()
    assert "judged queries missing; each scores 0 there" in said
    assert "odd (5)" in said
    assert "queries without judgments; left out: odd (1)" in said


def test_ties_by_as_many_digits_as_are_asked_for(irbounds, files):
    (files / "tied.run").write_text("".join(f"q0 Q0 d{k} {k} 5 t\n" for k in range(8)))
    for digits in (2, 6):
        done = irbounds("check", "qrels.txt", "tied.run", "--digits", str(digits), "--verbose")
        table = done.stdout.decode().partition("ties: mean AP by each rule")[2]
        row = next(line for line in table.splitlines() if line.startswith("tied ")).split()
        assert [len(number.partition(".")[2]) for number in row[3:]] == [digits] * 5


def test_the_figure_has_runs_without_ties_too(irbounds, files):
    done = irbounds("check", "qrels.txt", "one.run", "--figure", "f.json")
    assert done.returncode == 0, done.stderr
    assert '"one"' in (files / "f.json").read_text()


def test_errors_are_status_2(irbounds, files):
    (files / "bad.run").write_text("q0 Q0 d1 1 nan t\n")
    done = irbounds("check", "qrels.txt", "bad.run")
    assert done.returncode == 2
    assert done.stderr.decode() == (
        "irbounds: error: bad.run: line 1: score 'nan' is not a decimal number\n"
    )


def test_every_faulty_file_is_named(irbounds, files):
    for k in range(40):
        text = (files / "one.run").read_text()
        again = "".join(f"q{q} Q0 d0 9 -1 t\n" for q in range(6)) if k % 8 < 5 else ""
        (files / f"r{k}.run").write_text(text + again)
    done = irbounds("check", "qrels.txt", *(f"r{k}.run" for k in range(40)))
    assert (done.returncode, done.stdout) == (2, b"")
    first, *faulty, hint, read = done.stderr.decode().splitlines()
    assert first == "irbounds: error: 25 of 40 inputs cannot be read"
    assert [line.partition(".")[0] for line in faulty] == [f"r{k}" for k in range(40) if k % 8 < 5]
    assert all("line 49: document 'd0'" in line and "and 3 more" in line for line in faulty)
    assert "--duplicates first" in hint
    assert done.stderr.count(b"--duplicates") == 1
    assert read.endswith(", ".join(f"r{k}" for k in range(40) if k % 8 >= 5))


@pytest.mark.parametrize("command", ["check", "evaluate", "compare", "rank", "report"])
def test_every_command_names_runs_that_differ_only_in_their_tag(irbounds, files, command):
    (files / "twin.run").write_text((files / "one.run").read_text().replace(" t\n", " other\n"))
    page = ("-o", "page.html") if command == "report" else ()
    done = irbounds(command, "qrels.txt", "one.run", "twin.run", "two.run", "-m", "AP", *page)
    assert done.returncode == (1 if command == "check" else 0), done.stderr
    text = (files / "page.html").read_text() if page else done.stdout.decode()
    assert "the same rankings in inputs that differ: one, twin" in text


def test_short_and_tied_runs_are_said_by_check_and_evaluate(irbounds, files):
    (files / "tied.run").write_text("".join(f"q0 Q0 d{k} 1 5 t\n" for k in range(2)))
    for command in ("check", "evaluate"):
        done = irbounds(command, "qrels.txt", "tied.run", "-m", "AP")
        assert b"fewer than 100 documents" in done.stdout
        assert b"tied (1 of 6 queries, the shortest 2)" in done.stdout
        assert b"tied (100.0 % tied, AP " in done.stdout


def test_what_was_asked_for_is_said_and_is_no_warning(irbounds, files):
    done = irbounds("check", "qrels.txt", "one.run", "--depth", "5", "--float32")
    assert done.returncode == 0
    assert "on request: scores rounded to float32; cut to depth 5\n" in done.stdout.decode()


def test_common_queries(irbounds, files):
    (files / "few.run").write_text("q0 Q0 d0 1 5 t\n")
    done = irbounds("check", "qrels.txt", "few.run", "--queries", "common")
    assert b"left out for every run: few (5)" in done.stdout


def test_standard_input_only_once(irbounds, files):
    done = irbounds("check", "-", "-", stdin=b"")
    assert (done.returncode, done.stderr) == (
        2,
        b"irbounds: error: standard input (-) can be read only once\n",
    )
