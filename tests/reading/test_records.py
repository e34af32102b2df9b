"""``Qrels`` and ``Run``: ties, representation and memory."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

import irbounds
import naive
from irbounds.reading.records import bytes_of_records
from irbounds.simulation import simulate_collection

few_scores = st.lists(st.sampled_from([1.0, 2.0, 3.0]), min_size=1, max_size=5)


@given(st.lists(few_scores, min_size=1, max_size=4))
def test_ties_are_counted_within_queries_only(queries):
    nested = {
        f"q{k}": {f"d{j}": score for j, score in enumerate(scores)}
        for k, scores in enumerate(queries)
    }
    assert irbounds.read_run(nested).n_tied == sum(map(naive.n_tied, queries))


def test_repr_is_one_line():
    assert repr(irbounds.read_run({"1": {"a": 1.0}})) == "<Run run: 1 entries for 1 queries>"
    assert repr(irbounds.read_qrels({"1": {"a": 1}})) == "<Qrels qrels: 1 judgments of 1 queries>"


def test_shared_document_ids_count_once():
    """Simulated runs share one table of ids, which is counted once."""
    made = simulate_collection(5, 4, 2_000, 50, rng=1)
    assert all(run.documents is made.runs[0].documents for run in made.runs)
    entries = [run.bounds.nbytes + run.docs.nbytes + run.scores.nbytes for run in made.runs]
    ids = made.runs[0].nbytes - entries[0]
    assert bytes_of_records(made.runs) == sum(entries) + ids


def test_separate_document_ids_count_per_run():
    runs = [
        irbounds.read_run({"q": {f"{name}{k}": -k for k in range(9)}}, name=name) for name in "ab"
    ]
    assert bytes_of_records(runs) == sum(run.nbytes for run in runs)
