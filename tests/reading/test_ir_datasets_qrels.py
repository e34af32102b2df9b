"""Judgments of ir_datasets, from data sets that the tests register: no network."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import uuid

import ir_datasets
import pytest
from ir_datasets.formats import TrecQrels
from ir_datasets.util import LocalDownload

import irbounds
from irbounds.errors import InputError, ParameterError
from irbounds.reading.ir_datasets_qrels import read_ir_datasets_qrels

LINES = "q1 0 a 2\nq1 0 b 0\nq2 1 a -1\nq2 2 c 1\n"


@pytest.fixture
def register(tmp_path, monkeypatch):
    """Return a function that registers a data set with judgments in a file; gives its id."""
    registered = ir_datasets.registry._registered
    monkeypatch.setattr(ir_datasets.registry, "_registered", dict(registered))
    monkeypatch.setenv("IR_DATASETS_HOME", str(tmp_path / "home"))

    def add(text=LINES, name=None):
        name = name or f"local-{uuid.uuid4().hex}/test"
        file = tmp_path / f"{uuid.uuid4().hex}.qrels"
        file.write_text(text)
        qrels = TrecQrels(LocalDownload(file), {0: "not relevant", 1: "relevant"})
        ir_datasets.registry.register(name, ir_datasets.Dataset(qrels))
        return name

    return add


def test_judgments_equal_those_of_the_file(register, write):
    name = register()
    qrels = read_ir_datasets_qrels(name)
    assert qrels.to_dict() == irbounds.read_qrels(write("q.txt", LINES)).to_dict()
    assert qrels.name == f"ir_datasets:{name}"
    assert qrels.n_negative == 1
    assert qrels.fingerprint.startswith("sha256:")
    changed = read_ir_datasets_qrels(register(LINES.replace("q1 0 a 2", "q1 0 a 1")))
    assert changed.fingerprint != qrels.fingerprint
    assert read_ir_datasets_qrels(register()).fingerprint == qrels.fingerprint


def test_dataset_in_place_of_qrels(register, write):
    name = register()
    run = {"q1": {"b": 2.0, "a": 1.0}, "q2": {"c": 1.0}}
    from_dataset = irbounds.evaluate(dataset=name, runs={"mine": run})
    from_file = irbounds.evaluate(write("q.txt", LINES), {"mine": run})
    assert [estimate.value for estimate in from_dataset] == [
        estimate.value for estimate in from_file
    ]
    names = [(file.name, file.fingerprint[:7]) for file in from_dataset[0].inputs]
    assert (f"ir_datasets:{name}", "sha256:") in names
    assert irbounds.check(dataset=name, runs=run).qrels.name == f"ir_datasets:{name}"
    assert irbounds.chance(dataset=name)[0].n == 2
    for options, message in (
        ({"qrels": run}, "dataset takes the place of qrels"),
        ({"scores": {"a": [0.1]}}, "scores takes the place of dataset and runs"),
        ({}, "dataset needs runs"),
    ):
        with pytest.raises(ParameterError, match=message):
            irbounds.compare(dataset=name, **options)
    with pytest.raises(ParameterError, match="dataset takes the place of qrels"):
        irbounds.chance(run, dataset=name)
    with pytest.raises(ParameterError, match="dataset must be text"):
        irbounds.rank(dataset=3, runs=run)


def test_unknown_data_sets_and_data_sets_without_judgments(register):
    register(name="local-set/test")
    with pytest.raises(InputError, match="'local-set/tes' is not in ir_datasets, did you mean"):
        read_ir_datasets_qrels("local-set/tes")
    with pytest.raises(InputError, match=r"'\\x00' is not in ir_datasets.*https://ir-datasets.com"):
        read_ir_datasets_qrels("\0")
    ir_datasets.registry.register("local-set", ir_datasets.Dataset())
    with pytest.raises(InputError, match="has no judgments; judgments are in 'local-set/test'"):
        read_ir_datasets_qrels("local-set")
    with pytest.raises(InputError, match=r"ir_datasets:local-bad/x: .*record 1: relevance"):
        read_ir_datasets_qrels(_register_records("local-bad/x", [("q1", "a", 0.5)]))
    with pytest.raises(InputError, match="ir_datasets:local-empty/x: empty"):
        read_ir_datasets_qrels(_register_records("local-empty/x", []))


def _register_records(name, records, error=None):
    from ir_datasets.formats import BaseQrels, GenericQrel

    class Records(BaseQrels):
        def qrels_iter(self):
            ir_datasets.log.easy().warn("Download failed: noise")
            ir_datasets.log.easy().info("Please confirm\nthe agreement")
            if error:
                raise error
            return iter([GenericQrel(*record) for record in records])

        def qrels_defs(self):
            return {}

    ir_datasets.registry.register(name, ir_datasets.Dataset(Records()))
    return name


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        ("requests", r"download failed \(ConnectionError\); check the network"),
        (RuntimeError("All download sources failed", [1]), "download failed"),
        (FileNotFoundError("/x/file.tgz"), "no file /x/file.tgz; see https"),
        (ValueError("two\nlines"), "ValueError: two lines"),
        (EOFError(), "EOFError"),
    ],
)
def test_failures_of_ir_datasets_are_one_line(register, capfd, caplog, error, reason):
    if error == "requests":
        requests = pytest.importorskip("requests")
        error = requests.ConnectionError("Max retries exceeded\nwith url")
    name = _register_records("local-failing/x", [], error)
    with (
        caplog.at_level(logging.INFO, logger="irbounds"),
        pytest.raises(InputError, match=rf"ir_datasets:{name}: .*{reason}") as caught,
    ):
        read_ir_datasets_qrels(name)
    assert [record.getMessage() for record in caplog.records] == ["Please confirm the agreement"]
    assert "\n" not in str(caught.value)
    assert capfd.readouterr().err == ""
    assert "IR_DATASETS_DL_DISABLE_PBAR" not in os.environ


def test_package_that_is_not_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "ir_datasets", None)
    with pytest.raises(ParameterError, match=r'pip install "irbounds\[datasets\]"') as caught:
        irbounds.evaluate(dataset="beir/nfcorpus/test", runs={"q": {"a": 1.0}})
    assert "\n" not in str(caught.value)


def test_directory_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    code = (
        "from irbounds.reading.ir_datasets_qrels import read_ir_datasets_qrels as r\n"
        "try:\n    r('beir/nfcorpus/test')\nexcept Exception as error:\n    print(repr(error))"
    )
    home = {"IR_DATASETS_HOME": str(tmp_path / "file" / "x")}
    shown = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **home},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "InputError" in shown.stdout
    assert "Not a directory; ir_datasets needs a directory" in shown.stdout


def test_command_line_takes_all_arguments_as_runs(register, irbounds, tmp_path):
    name = register()
    for system, scores in (("old", "1.0"), ("new", "3.0")):
        lines = [
            f"{q} Q0 {d} 1 {s} x\n" for q in ("q1", "q2") for d, s in (("a", scores), ("b", 2))
        ]
        (tmp_path / f"{system}.run").write_text("".join(lines))
    (tmp_path / "q.txt").write_text(LINES)
    from_dataset = irbounds("compare", "--dataset", name, "old.run", "new.run", "--format", "csv")
    from_file = irbounds("compare", "q.txt", "old.run", "new.run", "--format", "csv")
    assert from_dataset.returncode == 0
    assert from_dataset.stdout == from_file.stdout
    single = irbounds("evaluate", "old.run", "--dataset", name, "-m", "AP")
    assert single.returncode == 0
    for arguments, message in (
        (("evaluate", "--dataset", name), b"--dataset needs RUN"),
        (
            ("evaluate", "--dataset", name, "--scores", "s.csv"),
            b"--scores takes the place of --data",
        ),
        (("evaluate", "--dataset", name, "q.txt", "old.run"), b"q.txt: line 1: 4 columns where 6"),
        (("evaluate", "--dataset", "no/such", "old.run"), b"'no/such' is not in ir_datasets"),
    ):
        result = irbounds(*arguments)
        assert result.returncode == 2
        assert message in result.stderr
        assert result.stderr.count(b"\n") == 1


def test_report_records_the_data_set(register, irbounds, tmp_path):
    name = register("".join(f"q{k} 0 {d} {r}\n" for k in range(9) for d, r in (("a", 1), ("b", 0))))
    lines = [f"q{k} Q0 {d} 1 {s + k % 2} x\n" for k in range(9) for d, s in (("a", 1.5), ("b", 2))]
    (tmp_path / "my.run").write_text("".join(lines))
    made = irbounds("report", "--dataset", name, "my.run", "-m", "AP", "-o", "r.html")
    assert made.returncode == 0, made.stderr
    assert f"ir_datasets:{name}" in (tmp_path / "r.html").read_text()
