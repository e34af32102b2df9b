"""Tables IX and X, Figures 13 and 14, a design of one's own, and CLEF TAR 2017."""

from __future__ import annotations

import numpy as np
import pytest

from irbounds.errors import ParameterError
from irbounds.planning.recall_scenarios import RecallDesign
from irbounds.planning.recall_simulation import NINE_METHODS, recall_coverage
from irbounds.replications import webber2013_coverage as study

OWN = {
    "corpus_size": 5000,
    "n_relevant": 200,
    "recall": 0.6,
    "precision": 0.4,
    "retrieved_size": None,
    "retrieved_sample": 50,
    "unretrieved_sample": 150,
}


def test_sums_of_the_papers_numbers():
    """Sums of the printed columns, added up by hand: a slip of a digit shows."""
    sums = {
        "neutral": (0.947, 1.91, 8.22),
        "legal": (0.898, 2.12, 8.14),
        "small": (0.478, 2.00, 8.41),
    }
    for name, (rmse, width, coverage) in sums.items():
        for column, total in zip(study.THEIRS[name], (rmse, width, coverage), strict=True):
            assert len(column) == 9
            assert sum(column) == pytest.approx(total)
    means = np.mean([study.THEIRS[name][0] for name in study.THEIRS], axis=0)
    assert means == pytest.approx(study.THEIR_MEANS, abs=0.0011)  # the paper's own rounding


def test_tables_contain_the_coverages():
    steps = []
    coverages = study.scenario_coverages(
        ["small", RecallDesign(**OWN)],
        n_realisations=4,
        n_samples=60,
        rng=2,
        progress=lambda done, total: steps.append((done, total)),
    )
    tables = study.coverage_tables(coverages)
    assert [table.name for table in tables] == [
        "Table IX",
        "Table X",
        "Figure 13",
        "Figure 14",
        "Own sizes",
    ]
    assert steps == [(k, 5) for k in range(1, 6)]
    rows = recall_coverage("small", n_realisations=4, n_samples=60, rng=2).rows
    ix, x, balance, nearest, own = tables
    assert all(table.rows == NINE_METHODS for table in tables)
    assert ix.columns == ("small",)
    assert [row[0] for row in ix.ours] == [row.rmse for row in rows]
    assert [row[0] for row in ix.theirs] == list(study.THEIRS["small"][0])
    assert x.columns == ("small width", "small cvr")
    assert x.ours == tuple((row.width, row.coverage) for row in rows)
    assert balance.ours == tuple(pytest.approx((row.below, row.above)) for row in rows)
    assert sum(row[0] for row in nearest.ours) == pytest.approx(1)
    assert np.isnan(balance.theirs).all()
    assert own.columns == ("coverage", "below", "above", "width")
    assert own.title.startswith("50 of 300 retrieved and 150 of 4,700 other documents sampled")


def test_table_ix_has_the_mean_of_three_scenarios():
    coverages = study.scenario_coverages(n_realisations=2, n_samples=20, rng=1)
    ix = study.coverage_tables(coverages)[0]
    assert ix.columns == ("neutral", "legal", "small", "mean")
    for ours, theirs, mean in zip(ix.ours, ix.theirs, study.THEIR_MEANS, strict=True):
        assert ours[3] == pytest.approx(np.mean(ours[:3]))
        assert theirs[3] == mean


def test_invalid_scenarios_are_errors_before_any_work():
    with pytest.raises(ParameterError, match="scenario must be one of"):
        study.scenario_coverages(["neutral", "huge"])
    with pytest.raises(ParameterError, match="n_realisations must be an integer of at least 2"):
        study.scenario_coverages(["neutral"], n_realisations=1)
