"""Provenance of a report: the parts, and the fingerprint of the results."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from irbounds import __version__
from irbounds.presentation.table import Table
from irbounds.reports.provenance import (
    LIBRARIES,
    Provenance,
    provenance_of,
    results_digest,
)
from irbounds.results import InputFile


def make_table(*means: float, title: str = "means") -> Table:
    records = tuple({"system": f"s{k}", "mean": mean} for k, mean in enumerate(means))
    return Table(title, ("system", "mean"), (), records)


def make_provenance(*tables: Table, **changed) -> Provenance:
    files = [InputFile("qrels", "sha256:" + "a" * 64), InputFile("run", "sha256:" + "b" * 64)]
    provenance = provenance_of(
        ["evaluate", "q", "r"], {"seed": 0}, files, tables or [make_table(0.5)]
    )
    return replace(provenance, **changed)


def test_provenance_has_all_parts():
    provenance = make_provenance()
    assert provenance.irbounds == __version__
    assert set(provenance.libraries) == set(LIBRARIES)
    assert all(provenance.libraries.values())
    assert provenance.arguments == ("evaluate", "q", "r")
    assert provenance.options == {"seed": 0}
    assert provenance.date.endswith("+00:00")
    assert provenance.results.startswith("sha256:")


def test_provenance_has_no_environment_data(monkeypatch):
    monkeypatch.setenv("IRBOUNDS_SECRET", "hidden-word")
    text = str(make_provenance())
    assert "hidden-word" not in text
    assert str(Path.cwd()) not in text


def test_digest_depends_on_the_numbers():
    same = results_digest([make_table(0.1, 0.2)])
    assert results_digest([make_table(0.1, 0.2)]) == same
    assert results_digest([make_table(0.1, 0.2000001)]) != same
    assert results_digest([make_table(0.2, 0.1)]) != same
    assert results_digest([make_table(0.1), make_table(0.2)]) != same


def test_digest_ignores_the_last_bit():
    assert results_digest([make_table(0.1 + 0.2)]) == results_digest([make_table(0.3)])
    assert results_digest([make_table(0.300000001)]) != results_digest([make_table(0.3)])
    assert results_digest([make_table(float("nan"))]) != results_digest([make_table(0.0)])
