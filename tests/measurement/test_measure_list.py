"""The list of measures: its columns, and its table."""

from __future__ import annotations

import ir_measures
import pytest

import irbounds
from irbounds.measurement.registry import MEASURES

ROWS = {row.name.partition("@")[0].rstrip("["): row for row in irbounds.measures()}


def test_every_measure_of_ir_measures_is_listed_once_and_ours_are_first():
    rows = irbounds.measures()
    assert len(rows) == len(ROWS)
    assert set(ROWS) - {"nERR"} == {known.NAME for known in ir_measures.measures.registry.values()}
    assert list(ROWS)[: len(MEASURES)] == [measure.description.stem for measure in MEASURES]
    assert all(row.description and "\n" not in row.description for row in rows)


def test_flags_match_the_operations():
    ours = {measure.description.stem for measure in MEASURES}
    without_chance_level = {"Bpref", "Judged", "SetP", "SetR", "SetF"}
    chance = {name for name, row in ROWS.items() if row.has_chance_level}
    assert chance == ours - without_chance_level
    replicates = {name for name, row in ROWS.items() if row.has_corpus_replicates}
    assert replicates == ours - without_chance_level - {"Success"}
    assert {name for name, row in ROWS.items() if row.has_expected_ties} == ours
    assert {name for name, row in ROWS.items() if row.provider == "irbounds"} == ours
    assert ROWS["infAP"].provider == "ir_measures"


def test_a_measure_without_an_installed_provider_is_listed_as_such(monkeypatch):
    monkeypatch.setattr(ir_measures.DefaultPipeline, "supports", lambda measure: False)
    providers = {row.provider for row in irbounds.measures()}
    assert providers == {"irbounds", "not installed"}


@pytest.mark.parametrize(
    ("measure", "name", "trec_eval", "ranx"),
    [
        ("AP", "AP[@k]", "map, map_cut_k", "map, map@k"),
        ("P", "P@k", "P_k", "precision@k"),
        ("IPrec", "IPrec@recall", "iprec_at_recall_k, ircl_prn.k", ""),
        ("RBP", "RBP[@k]", "", ""),
        ("SetF", "SetF", "set_F", "f1"),
    ],
)
def test_names(measure, name, trec_eval, ranx):
    row = ROWS[measure]
    assert (row.name, row.trec_eval, row.ranx) == (name, trec_eval, ranx)


@pytest.mark.parametrize("width", [80, 120])
def test_the_table_fits_the_terminal(width, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    lines = str(irbounds.measures()).splitlines()
    assert max(map(len, lines)) <= width
    row = next(line for line in lines if line.startswith("Success@k"))
    assert row.split()[-2:] == ["yes", "-"]  # chance levels, but no replicates of the corpus
    assert "success_k" in row


def test_frames():
    frame = irbounds.measures().to_polars()
    assert frame.height == len(ROWS)
    assert frame.row(0, named=True) == {
        "name": "AP[@k]",
        "description": "average precision",
        "parameters": "rel, judged_only",
        "trec_eval_names": "map, map_cut_k",
        "ranx_names": "map, map@k",
        "has_chance_level": True,
        "has_corpus_replicates": True,
        "has_expected_ties": True,
        "provider": "irbounds",
    }
    pandas = pytest.importorskip("pandas")
    assert isinstance(irbounds.measures().to_pandas(), pandas.DataFrame)
