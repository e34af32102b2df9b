"""``python -m replications``: columns, exit codes and missing data."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest
from replications.__main__ import PAPERS, main


def run(capsys, *arguments):
    status = main(list(arguments))
    written = capsys.readouterr()
    return status, list(csv.DictReader(io.StringIO(written.out))), written


@pytest.fixture
def data(tmp_path):
    """Return a data directory with small tables of 8 systems on 60 topics, and of 7 on 20."""
    rng = np.random.default_rng(7)
    (tmp_path / "scores").mkdir()
    for name, n_queries, n_systems in (("robust2004_ap", 60, 8), ("adhoc3_ap", 20, 7)):
        # with the quotes that write.csv of R puts around names
        lines = [",".join(f'"sys{s}"' for s in range(n_systems))]
        lines += [",".join(f"{x:.4f}" for x in row) for row in rng.random((n_queries, n_systems))]
        (tmp_path / "scores" / f"{name}.csv").write_text("\n".join(lines) + "\n")
    return tmp_path


def test_list_of_papers(capsys):
    status, _, written = run(capsys)
    assert status == 0
    assert all(name in written.out for name in PAPERS)


def test_numbers_that_the_paper_does_not_print_are_empty(capsys):
    status, rows, _ = run(capsys, "bestgen2015")
    assert status == 0
    assert list(rows[0]) == ["table", "row", "column", "paper", "ours"]
    assert list(rows[-1].values())[:4] == ["Figure 1", "N = 1000", "p = 0.8", ""]
    assert float(rows[-1]["ours"]) > 0


@pytest.mark.parametrize(("paper", "n_rows"), [("park2010", 195), ("park2011", 90)])
def test_tables_of_a_small_collection(capsys, data, paper, n_rows):
    status, rows, _ = run(capsys, paper, "--data", str(data), "--scale", "0.004")
    assert status == 0
    assert len(rows) == n_rows
    assert all(float(row["ours"]) >= 0 for row in rows)


def test_data_directory_of_the_environment(capsys, data, monkeypatch):
    monkeypatch.setenv("IRBOUNDS_DATA", str(data))
    assert run(capsys, "park2011", "--scale", "0.002")[0] == 0


def test_table_8_is_on_trec8_without_trec3(capsys, data):
    scores = data / "scores"
    (scores / "adhoc3_ap.csv").rename(scores / "adhoc8_ap.csv")
    status, rows, _ = run(capsys, "park2010", "--data", str(data), "--scale", "0.004")
    assert status == 0
    assert rows[-1]["table"] == "Table 8 on TREC-8"


def test_error_rates_of_own_scores(capsys, data):
    file = f"AP={data / 'scores' / 'robust2004_ap.csv'}"
    status, rows, _ = run(capsys, "calibrate", file, "--scale", "0.02")
    assert status == 0
    assert {row["n"] for row in rows} == {"5", "10", "20", "50"}
    assert {row["measure"] for row in rows} == {"AP"}
    for row in rows:
        parts = [float(row[name]) for name in ("below", "above", "none")]
        assert sum(parts) == pytest.approx(float(row["error"]))
        assert float(row["worst_error"]) >= float(row["error"])


def fail_to_connect(*_, **__):
    raise OSError("no network")


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["park2011"], "no scores/robust2004_ap.csv here"),
        (["calibrate"], "SCORES is needed by calibrate"),
        (["calibrate", "nowhere.csv"], "nowhere.csv"),
        (["bestgen2015", "--scale", "0"], "--scale must be above 0; got 0"),
    ],
)
def test_errors_are_one_line(capsys, tmp_path, monkeypatch, arguments, text):
    monkeypatch.setattr("pooch.retrieve", fail_to_connect)
    status, rows, written = run(capsys, *arguments, "--data", str(tmp_path))
    assert (status, rows, written.err.count("\n")) == (2, [], 1)
    assert text in written.err


def test_a_public_file_is_downloaded_where_it_is_missing(data, monkeypatch, tmp_path):
    """With its address and checksum, into the cache and not into the data directory."""
    from replications.data import find_file

    calls = []

    def retrieve(url, sha256, *, fname, path):
        calls.append((url, sha256, fname))
        return str(tmp_path / "cache" / fname)

    monkeypatch.setattr("pooch.retrieve", retrieve)
    found = find_file(data, "scores/adhoc8_ap.csv")
    assert found == tmp_path / "cache" / "adhoc8_ap.csv"
    ((url, sha256, name),) = calls
    assert url.startswith("https://raw.githubusercontent.com/julian-urbano/sigir2019-statistical/")
    assert (len(sha256), name) == (64, "adhoc8_ap.csv")
