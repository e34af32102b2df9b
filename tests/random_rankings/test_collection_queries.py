"""Single queries beside chance: how their p-values are found, and what can be checked by them."""

from __future__ import annotations

import weakref

import numpy as np
import pytest

import irbounds
from irbounds.measurement import parser
from irbounds.measurement.parser import find_measure
from irbounds.measurement.populations import population_of
from irbounds.random_rankings import collection_levels
from irbounds.random_rankings.collection_levels import _is_faster_exact
from irbounds.verbs.chance import chance


def collection(sizes, n_relevant, seed=0):
    """Judgments of so many documents a query, and a run that ranks them at random."""
    rng = np.random.default_rng(seed)
    qrels, run = {}, {}
    for k, n in enumerate(sizes):
        relevant = set(rng.choice(n, n_relevant, replace=False).tolist())
        qrels[f"q{k}"] = {f"d{i}": int(i in relevant) for i in range(n)}
        run[f"q{k}"] = {f"d{i}": float(score) for i, score in enumerate(rng.normal(size=n))}
    return qrels, {"r": run}


def baseline(sizes, n_relevant, **options):
    given = {"population": "judged", "n_draws": 999, "seed": 0, **options}
    (row,) = chance(*collection(sizes, n_relevant), measures="AP", **given)
    return row


def test_queries_are_listed_where_that_is_as_quick_as_drawing():
    sizes = [*range(10, 80), 400]
    row = baseline(sizes, 2)
    # C(n + 1, 2) additions against 999 draws of two relevant documents
    expected = ["exact" if n * (n + 1) / 2 <= 1998 else "monte-carlo" for n in sizes]
    assert [query.method for query in row.queries] == expected
    assert len(set(expected)) == 2
    assert row.method == "monte-carlo"
    for query in row.queries:
        exact = irbounds.random_rankings.p_value(query.observed, query.n_documents, 2)
        # drawn ones within 4.5 standard deviations: the seed is fixed
        assert query.p_value == pytest.approx(exact, abs=1e-12 if query.method == "exact" else 0.08)


@pytest.mark.parametrize(
    ("n_documents", "n_relevant", "n_draws", "quick"),
    [
        (1100, 2, 9999, False),
        (150, 2, 9999, True),
        (1100, 2, 400_000, True),
        (30, 28, 9999, True),
        (44, 22, 10**7, False),
        (10, 0, 1, True),
    ],
)
def test_what_is_quick(n_documents, n_relevant, n_draws, quick):
    query = population_of(n_documents, n_relevant)
    assert _is_faster_exact(find_measure("AP"), query, n_draws) is quick


def test_distributions_of_queries_are_not_kept(monkeypatch):
    """One is made while the last one is still there; none of the others is."""
    alive, most = [], []

    def watched(*given, **options):
        found = compute_distribution(*given, **options)
        alive.append(weakref.ref(found))
        most.append(sum(reference() is not None for reference in alive))
        return found

    compute_distribution = collection_levels.compute_distribution
    monkeypatch.setattr(collection_levels, "compute_distribution", watched)
    row = baseline(range(20, 50), 2, n_draws=10_000)
    assert {query.method for query in row.queries} == {"exact"}
    assert len(most) == 30
    assert max(most) <= 2


def test_where_the_mean_is_counted_so_is_every_query():
    row = baseline([6, 7], 3, n_draws=1)
    assert (row.method, [query.method for query in row.queries]) == ("exact", ["exact"] * 2)
    alone = baseline([40], 9)  # too many to list, few enough to count
    assert (alone.method, alone.queries[0].method) == ("exact", "exact")
    assert alone.p_value == alone.queries[0].p_value


@pytest.mark.parametrize("method", ["monte-carlo", "matched-moments"])
def test_a_method_that_was_asked_for_is_every_query_s(method):
    row = baseline(range(10, 14), 3, method=method)
    assert {row.method, *(query.method for query in row.queries)} == {method}
    records = irbounds.results.records(row.queries)
    assert {record["method"] for record in records} == {method}


def test_without_p_values_there_is_no_method():
    qrels, _ = collection([10, 11], 3)
    (row,) = chance(qrels, measures="AP", population="judged")
    assert [query.method for query in row.queries] == [None, None]


def test_relevant_documents_that_no_list_holds_are_counted():
    """What AP divides by is not what is ranked, and without it no number can be checked."""
    qrels = {"q": {"a": 1, "b": 2, "c": 1, "d": 0}, "p": {"a": 1}}
    run = {"q": {"d": 3.0, "a": 2.0, "b": 1.0}, "p": {"x": 1.0}}
    found = {}
    for kind in ("retrieved", "judged"):
        rows = chance(
            qrels, {"r": run}, measures=["AP", "AP(rel=2)"], population=kind, n_draws=9, seed=0
        )
        for row in rows:
            pairs = [(query.n_relevant, query.n_judged) for query in row.queries]
            found[kind, row.measure] = pairs
    assert found == {
        ("retrieved", "AP"): [(2, 3), (0, 1)],
        ("retrieved", "AP(rel=2)"): [(1, 1), (0, 0)],
        ("judged", "AP"): [(3, 3), (1, 1)],
        ("judged", "AP(rel=2)"): [(1, 1), (0, 0)],
    }
    (row, _) = chance(qrels, {"r": run}, measures=["AP", "RR"], population="retrieved")
    query = row.queries[0]
    whole = irbounds.expected_score(query.n_documents, query.n_relevant)
    assert query.expected == pytest.approx(whole * query.n_relevant / query.n_judged, rel=1e-14)
    assert irbounds.results.records([query])[0]["n_judged"] == 3


def test_judgments_that_chance_alone_meets_are_warned_about():
    qrels = {"q": {"a": 1, "b": 0}, "p": {"a": 0}, "o": {"b": -1}}
    (alone,) = chance(qrels, population="judged")
    said = "judged queries with nothing relevant, which score 0: 2"
    assert said in alone.warnings
    assert "negative judgments, which count as not relevant: 1" in alone.warnings
    run = {query: {"a": 1.0} for query in qrels}
    (beside,) = chance(qrels, {"r": run}, population="judged")
    assert beside.warnings.count(said) == 1
    (fine,) = chance({"q": {"a": 1, "b": 0}}, population="judged")
    assert fine.warnings == ()


def test_names_of_measures_are_not_remembered_for_ever():
    assert parser._parse_once.cache_info().maxsize == 256
