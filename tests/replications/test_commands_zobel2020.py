"""``irbounds study zobel2020`` as a person meets it."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import fields

from irbounds.replications.commands import zobel2020
from irbounds.replications.zobel2020 import Zobel2020Figures, zobel2020_figures


def test_on_robust03(irbounds, robust03):
    done = irbounds("study", "zobel2020", "--data", str(robust03.parent), "--n-images", "100")
    text = done.stdout.decode()
    assert done.returncode == 0, done.stderr
    assert done.stderr == b""
    assert "#2 is aplrob03a; left out as too short: NLPR03vb10, humR03dc" in text
    assert "least precise in Table 3: RR, then P@10; 4 of the paper's 4 collections" in text
    assert "most even in Table 3: RBP@0.95" in text
    assert "simulated" not in text
    heads = [line.split() for line in text.splitlines() if line.startswith("measure")]
    assert heads[0] == ["measure", "robust03", "TREC7", "TREC8", "TREC6", "TREC9"]
    assert heads[2][:5] == ["measure", "robust03", "#2", "TREC7", "#6"]
    assert "2.5 / 94.7 / 2.8  1.8 / 96.3 / 1.9  2.6 / 94.2 / 3.2  2.4 / 94.5 / 3.1" in text
    assert "0.210 ± 0.142  0.201 ± 0.145  0.220 ± 0.144  0.230 ± 0.140" in text


def test_csv_and_json_hold_every_collection(irbounds, robust03, tmp_path):
    command = ("study", "zobel2020", "--data", str(robust03), "--n-images", "50", "--seed", "3")
    done = irbounds(*command, "--format", "csv")
    records = list(csv.DictReader(io.StringIO(done.stdout.decode())))
    assert len(records) == 12 * 5 * 3 + 2 * 6 * 5 * 2
    paper = [r for r in records if (r["table"], r["row"], r["part"]) == ("3", "RBP@0.95", "sd")]
    assert [r["value"] for r in paper[1:]] == ["0.023", "0.024", "0.026", "0.027"]
    assert b"the paper's way, the last of 50 images alone" in done.stderr
    assert irbounds(*command, "--output", "study.json").returncode == 0
    written = json.loads((tmp_path / "study.json").read_text())
    assert (written["seed"], written["n_images"], written["corpus_size"]) == (3, 50, 528155)
    assert written["systems"][:2] == ["pircRBa1", "aplrob03a"]
    assert len(written["inputs"]) == 13
    ours = {(r["table"], r["row"], r["part"]): r["value"] for r in written["results"][:3]}
    assert ours[2, "AP", "below"] == float(records[0]["value"])  # the same seed, the same numbers
    unknown = [r for r in written["results"] if r["row"] == "AP, normal rule"]
    assert [r["value"] for r in unknown[3:]] == [None] * 12


def test_without_data_it_is_simulated(irbounds):
    done = irbounds("study", "zobel2020", "--n-images", "20", IRBOUNDS_DATA="")
    text = done.stdout.decode()
    assert done.returncode == 0, done.stderr
    assert text.startswith("simulated collection: the paper's numbers are for comparison")
    assert "too short" not in text
    assert "measure   simulated #2     TREC7 #6     TREC8 #2     TREC6 #7     TREC9 #5" in text


def test_what_cannot_be_done_is_said_in_a_line(irbounds, robust03):
    done = irbounds("study", "zobel2020", "--data", "nowhere")
    assert done.returncode == 2
    assert b"nowhere: no qrels.txt here" in done.stderr
    done = irbounds("study", "zobel2020", "--data", str(robust03), "--n-images", "2")
    assert done.returncode == 2
    assert b"--n-images must be an integer of at least 3; got 2" in done.stderr
    assert done.stdout == b""


def by_ap(images, progress=None):
    """The rows of all figures, of one measure: to draw all six takes several seconds."""
    rows = zobel2020_figures(images, progress)
    return Zobel2020Figures(
        rows.systems,
        *(
            tuple(row for row in getattr(rows, field.name) if row.measure == "AP")
            for field in fields(rows)[1:]
        ),
    )


def test_the_papers_figures_are_written(irbounds, tmp_path, monkeypatch):
    """As specifications, which are quicker to write than PNG, SVG and PDF of each."""
    monkeypatch.setattr("irbounds.cli.output.PAPER_EXTENSIONS", (".json",))
    monkeypatch.setattr("irbounds.replications.study_data.N_QUERIES", 6)
    monkeypatch.setattr("irbounds.replications.zobel2020.zobel2020_figures", by_ap)
    command = ("study", "zobel2020", "--n-images", "5", "--figures", "figures")
    done = irbounds(*command, IRBOUNDS_DATA="")
    assert done.returncode == 0, done.stderr
    written = sorted(path.name for path in (tmp_path / "figures").iterdir())
    assert written == [f"zobel2020-figure-{k}.json" for k in range(1, 8)]
    sixth = json.loads((tmp_path / "figures" / written[5]).read_text())
    assert "shallow pools: p-value against difference" in sixth["title"]


def test_a_page_has_all_collections_however_narrow_the_terminal(irbounds, tmp_path, monkeypatch):
    monkeypatch.setattr("irbounds.replications.study_data.N_QUERIES", 6)
    monkeypatch.setattr("irbounds.replications.zobel2020._draw_figures", lambda found: [])
    monkeypatch.setattr(
        "irbounds.presentation.terminal.UNWRAPPED", 60
    )  # what a terminal would have
    command = ("study", "zobel2020", "--n-images", "5", "--report", "page.html")
    done = irbounds(*command, IRBOUNDS_DATA="")
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "page.html").read_text()
    assert "no room for" not in page
    for heading in ("TREC6 #7", "TREC9 #5"):
        assert f">{heading}<" in page


def test_python_gives_the_same_digits(irbounds, monkeypatch):
    monkeypatch.delenv("IRBOUNDS_DATA", raising=False)
    monkeypatch.setattr("irbounds.replications.study_data.N_QUERIES", 6)
    done = irbounds("study", "zobel2020", "--n-images", "5", "--seed", "2", "--format", "json")
    written = json.loads(done.stdout)
    tables = zobel2020(n_images=5, seed=2)
    found = json.loads(json.dumps(tables.records()).replace("NaN", "null"))
    assert found == written["results"]
    assert str(tables).startswith("simulated collection: the paper's numbers")
