"""How much memory judgments and runs take."""

from __future__ import annotations

from irbounds import read_run
from irbounds.reading.records import bytes_of_records
from irbounds.simulation import simulate_collection


def test_document_ids_that_runs_share_count_once():
    """Simulated runs share one table of ids; to count it for each would leave no memory to work."""
    made = simulate_collection(5, 4, 2_000, 50, rng=1)
    assert all(run.documents is made.runs[0].documents for run in made.runs)
    entries = [run.bounds.nbytes + run.docs.nbytes + run.scores.nbytes for run in made.runs]
    ids = made.runs[0].nbytes - entries[0]
    assert bytes_of_records(made.runs) == sum(entries) + ids


def test_runs_with_ids_of_their_own_count_in_full():
    runs = [read_run({"q": {f"{name}{k}": -k for k in range(9)}}, name=name) for name in "ab"]
    assert bytes_of_records(runs) == sum(run.nbytes for run in runs)
