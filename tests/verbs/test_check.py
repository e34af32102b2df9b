"""irbounds check: the diagnosis and its exit status."""

from __future__ import annotations

import json

import pytest


def test_check_returns_0_without_warnings(irbounds, files):
    plain = irbounds("check", "qrels.txt", "one.run", "two.run")
    assert (plain.returncode, plain.stderr) == (0, b"")
    assert b"nothing unusual: 2 runs, 6 queries; 100.0 % of the first 10 judged" in plain.stdout
    assert irbounds("check", "qrels.txt", "one.run", "--quiet").stdout == b""


def test_check_returns_1_with_warnings_and_writes_all_counts(irbounds, files):
    (files / "odd.run").write_text(
        "q0 Q0 d1 1 5 t\nq0 Q0 d2 2 5 t\nq0 Q0 new 0 3 t\nq9 Q0 d1 1 1 t\nq0 Q0 d1 7 1 t\n"
    )
    result = irbounds("check", "qrels.txt", "odd.run", "--duplicates", "first", "--format", "json")
    assert result.returncode == 1
    document = json.loads(result.stdout)
    assert document["qrels"]["n_judgments"] == 48
    (run,) = document["results"]
    counts = {k: v for k, v in run.items() if k.startswith(("n_", "depth"))}
    assert counts == {
        "n_queries": 2, "n_entries": 4, "n_documents": 3,
        "n_missing": 5, "n_unjudged": 1, "n_duplicates": 1,
        "n_rank_contradictions": 2, "n_constant": 0, "n_tied": 2, "n_short": 1, "n_float32": 0,
        "depth_least": 1, "depth_median": 2.0, "depth_most": 3,
    }  # fmt: skip
    assert run["tied_share"] == 0.5
    assert run["judged_at_10"] == 2 / 3
    stderr = result.stderr.decode()
    assert "judged queries missing; each scores 0 there" in stderr
    assert "odd (5)" in stderr
    assert "queries without judgments; left out: odd (1)" in stderr


def test_check_figure_includes_runs_without_ties(irbounds, files):
    result = irbounds("check", "qrels.txt", "one.run", "--figure", "f.json")
    assert result.returncode == 0, result.stderr
    assert '"one"' in (files / "f.json").read_text()


def test_check_returns_2_for_an_invalid_run(irbounds, files):
    (files / "bad.run").write_text("q0 Q0 d1 1 nan t\n")
    result = irbounds("check", "qrels.txt", "bad.run")
    assert result.returncode == 2
    assert result.stderr.decode() == (
        "irbounds: error: bad.run: line 1: score 'nan' is not a decimal number\n"
    )


def test_check_lists_every_invalid_file(irbounds, files):
    for k in range(40):
        text = (files / "one.run").read_text()
        duplicates = "".join(f"q{q} Q0 d0 9 -1 t\n" for q in range(6)) if k % 8 < 5 else ""
        (files / f"r{k}.run").write_text(text + duplicates)
    result = irbounds("check", "qrels.txt", *(f"r{k}.run" for k in range(40)))
    assert (result.returncode, result.stdout) == (2, b"")
    summary, *error_lines, hint, readable = result.stderr.decode().splitlines()
    assert summary == "irbounds: error: 25 of 40 inputs cannot be read"
    assert [line.partition(".")[0] for line in error_lines] == [
        f"r{k}" for k in range(40) if k % 8 < 5
    ]
    assert all("line 49: document 'd0'" in line and "and 3 more" in line for line in error_lines)
    assert "--duplicates first" in hint
    assert result.stderr.count(b"--duplicates") == 1
    assert readable.endswith(", ".join(f"r{k}" for k in range(40) if k % 8 >= 5))


@pytest.mark.parametrize("command", ["check", "evaluate", "compare", "rank", "report"])
def test_every_command_reports_runs_with_identical_rankings(irbounds, files, command):
    (files / "twin.run").write_text((files / "one.run").read_text().replace(" t\n", " other\n"))
    output_options = ("-o", "page.html") if command == "report" else ()
    result = irbounds(
        command, "qrels.txt", "one.run", "twin.run", "two.run", "-m", "AP", *output_options
    )
    assert result.returncode == (1 if command == "check" else 0), result.stderr
    text = (files / "page.html").read_text() if output_options else result.stdout.decode()
    assert "the same rankings in inputs that differ: one, twin" in text


def test_check_and_evaluate_warn_about_short_and_tied_runs(irbounds, files):
    (files / "tied.run").write_text("".join(f"q0 Q0 d{k} 1 5 t\n" for k in range(2)))
    for command in ("check", "evaluate"):
        result = irbounds(command, "qrels.txt", "tied.run", "-m", "AP")
        assert b"fewer than 100 documents" in result.stdout
        assert b"tied (1 of 6 queries, the shortest 2)" in result.stdout
        assert b"tied (100.0 % tied, AP " in result.stdout


def test_check_reports_requested_changes_without_a_warning(irbounds, files):
    result = irbounds("check", "qrels.txt", "one.run", "--depth", "5", "--float32")
    assert result.returncode == 0
    assert "on request: scores rounded to float32; cut to depth 5\n" in result.stdout.decode()


def test_check_queries_common_reports_omitted_queries(irbounds, files):
    (files / "few.run").write_text("q0 Q0 d0 1 5 t\n")
    result = irbounds("check", "qrels.txt", "few.run", "--queries", "common")
    assert b"left out for every run: few (5)" in result.stdout


def test_check_reads_standard_input_only_once(irbounds, files):
    result = irbounds("check", "-", "-", stdin=b"")
    assert (result.returncode, result.stderr) == (
        2,
        b"irbounds: error: standard input (-) can be read only once\n",
    )
