"""Order and duplicates compared with sorted()."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import naive
from irbounds.kernels.ranking import (
    are_ranked,
    count_contradictions,
    count_repeats,
    digest_rankings,
    find_repeats,
    is_reordered,
    rank_documents,
)
from irbounds.reading.ids import intern_strings

runs = st.lists(
    st.dictionaries(
        st.text("abAB1é", min_size=1, max_size=4),
        st.sampled_from([0.0, 1.0, 1.5, -2.0]),
        max_size=9,
    ),
    min_size=1,
    max_size=4,
)


@given(runs, st.randoms(use_true_random=False))
def test_order_is_score_then_document_id_descending(queries, random):
    shuffled = [random.sample(sorted(query.items()), len(query)) for query in queries]
    flat = [pair for query in shuffled for pair in query]
    identifiers, docs = intern_strings([doc for doc, _ in flat])
    bounds = np.cumsum([0] + [len(query) for query in queries])
    order = np.arange(len(flat))
    keys = np.array([score for _, score in flat], dtype=np.float64)
    rank_documents(bounds, docs, keys, identifiers.text, identifiers.offsets, order)
    ordered = [flat[i][0] for i in order]
    assert ordered == [doc for query in queries for doc in naive.ranking(query)]
    text = identifiers.text, identifiers.offsets
    assert are_ranked(bounds, docs, keys, *text) == (ordered == [doc for doc, _ in flat])
    assert are_ranked(bounds, docs[order], keys[order], *text)


@given(st.lists(st.lists(st.tuples(st.integers(0, 3), st.integers(-1, 4)), max_size=6), min_size=1))
def test_rank_contradictions_are_equal_for_sorted_entries_and_index(queries):
    bounds = np.cumsum([0] + [len(query) for query in queries])
    flat = [pair for query in queries for pair in query]
    scores = np.array([float(score) for score, _ in flat])
    ranks = np.array([rank for _, rank in flat], dtype=np.int32)
    order = np.concatenate(
        [np.empty(0, np.int64)]
        + [a + np.argsort(-scores[a:b], kind="stable") for a, b in pairwise(bounds)]
    )
    expected = sum(
        any(0 <= rank < mine and score < ours for score, rank in query)
        for query in queries
        for ours, mine in query
    )
    assert count_contradictions(bounds, scores, ranks, order) == expected
    no_order = np.empty(0, np.int32)
    assert count_contradictions(bounds, scores[order], ranks[order], no_order) == expected


@given(st.lists(st.lists(st.integers(0, 5), max_size=8), min_size=1, max_size=4))
def test_duplicates_are_detected_only_within_a_query(queries):
    docs = np.array([doc for query in queries for doc in query], dtype=np.int32)
    bounds = np.cumsum([0] + [len(query) for query in queries])
    earlier = np.empty(len(docs), dtype=np.int64)
    n = find_repeats(bounds, docs, np.full(6, -1, dtype=np.int64), earlier)
    expected = []
    for begin, query in zip(bounds, queries, strict=False):
        for i, doc in enumerate(query):
            before = [j for j in range(i) if query[j] == doc]
            expected.append(begin + before[-1] if before else -1)
    assert earlier.tolist() == expected
    assert n == sum(e >= 0 for e in expected)
    assert n == count_repeats(bounds, docs, np.full(6, -1, dtype=np.int64))


@given(st.lists(st.lists(st.sampled_from("abcd"), max_size=4, unique=True), max_size=6))
def test_digests_are_equal_if_the_ordered_ids_are_equal(rankings):
    identifiers, docs = intern_strings([doc for ranking in rankings for doc in ranking])
    bounds = np.cumsum([0, *map(len, rankings)])
    digests = np.empty(len(rankings), dtype=np.uint64)
    digest_rankings(bounds, docs, identifiers.hashes, digests)
    for i, first in enumerate(rankings):
        for j, second in enumerate(rankings):
            assert (digests[i] == digests[j]) == (first == second)


near = st.sampled_from([1.0, 1 + 1e-9, 1 + 2e-9, 1.5, 1e300, 2e300])


@given(st.lists(st.dictionaries(st.text("ab1", min_size=1, max_size=3), near), min_size=1))
def test_queries_that_single_precision_reorders(queries):
    def rank_documents(query, key):
        return sorted(query, key=lambda doc: (key(query[doc]), doc.encode()), reverse=True)

    rankings = [rank_documents(query, float) for query in queries]
    identifiers, docs = intern_strings([doc for ranking in rankings for doc in ranking])
    scores = [
        query[doc] for query, ranking in zip(queries, rankings, strict=True) for doc in ranking
    ]
    bounds = np.cumsum([0, *map(len, queries)])
    ids = identifiers.text, identifiers.offsets
    found = is_reordered(bounds, docs, np.array(scores, dtype=np.float64), *ids)
    with np.errstate(over="ignore"):
        single = [rank_documents(query, np.float32) for query in queries]
    assert found == (rankings != single)
