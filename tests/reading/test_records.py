"""``Qrels`` and ``Run``: ties and representation."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

import irbounds
import naive

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
