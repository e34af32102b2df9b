"""Chance levels of a collection and p-values of its systems, against every order."""

from __future__ import annotations

import math
import re
import statistics
from functools import partial

import pytest

import irbounds
import naive
from irbounds.measurement import parser
from irbounds.random_rankings.collection_levels import chance_levels
from irbounds.verbs.chance import chance

CORPUS = "abcdef"


JUDGED = {
    "q1": {"a": 1, "b": 0, "c": 2, "f": -1},
    "q2": {"e": 1, "a": 0},
    "q3": {"b": 1, "d": 1},
}


#: d has no judgment for q1, nor b for q2; q3 is missing
RUN = {"q1": {"d": 9.0, "a": 8.0, "c": 7.0, "b": 6.0}, "q2": {"e": 2.0, "b": 1.0}}


LONGER = {**RUN, "q3": {"b": 3.0, "a": 2.0, "c": 1.0}}


#: what chance ranks, by query
RANKED = {
    "corpus": {"q1": CORPUS, "q2": CORPUS, "q3": CORPUS},
    "judged": {query: "".join(docs) for query, docs in JUDGED.items()},
}


DEPTHS = {"q1": 4, "q2": 2, "q3": 0}


TWINS = {
    "AP": naive.average_precision,
    "AP(rel=2)": partial(naive.average_precision, rel=2),
    "AP@3": partial(naive.average_precision, cutoff=3),
    "P@2": partial(naive.precision, cutoff=2),
    "R@3": partial(naive.recall, cutoff=3),
    "Rprec": naive.r_precision,
    "RR": naive.reciprocal_rank,
    "RR@2": partial(naive.reciprocal_rank, cutoff=2),
    "Success@3": partial(naive.success, cutoff=3),
    "nDCG": naive.ndcg,
    "nDCG@3": partial(naive.ndcg, cutoff=3),
    "RBP(p=0.5)": partial(naive.graded_rank_biased_precision, max_grade=2, p=0.5),
    "INSQ(T=2.0)": partial(naive.inverse_squares, max_rel=2, T=2.0),
    "ERR@3": partial(naive.expected_reciprocal_rank, cutoff=3),
}


SIZES = {"corpus": 6, "judged": None}


def scores_of_chance(measure, kind, depths=DEPTHS):
    """By query, the scores of every order."""
    ranked = RANKED[kind]
    return {
        query: naive.chance_scores(
            TWINS[measure], JUDGED[query], ranked[query], min(len(ranked[query]), depths[query])
        )
        for query in JUDGED
    }


@pytest.mark.parametrize("measure", TWINS)
@pytest.mark.parametrize("kind", ["corpus", "judged"])
def test_levels_match_every_order(kind, measure):
    (row,) = chance(
        JUDGED, {"r": RUN}, measures=measure, corpus_size=SIZES[kind], n_draws=50, seed=0
    )
    twins = scores_of_chance(measure, kind)
    observed = [TWINS[measure](JUDGED[query], RUN.get(query, {})) for query in JUDGED]
    for query, score in zip(row.queries, observed, strict=True):
        scores = twins[query.query_id]
        mean = statistics.fmean(scores)
        assert query.expected == pytest.approx(mean, abs=1e-14)
        assert query.observed == pytest.approx(score, abs=1e-14)
        corrected = (score - mean) / (1 - mean) if mean < 1 else math.nan
        assert query.corrected == pytest.approx(corrected, abs=1e-13, nan_ok=True)
        if measure != "ERR@3":
            assert query.standard_deviation == pytest.approx(statistics.pstdev(scores), abs=1e-9)
    means = [statistics.fmean(scores) for scores in twins.values()]
    assert row.expected == pytest.approx(statistics.fmean(means), abs=1e-14)
    assert row.observed == pytest.approx(statistics.fmean(observed), abs=1e-14)
    variances = [statistics.pvariance(scores) for scores in twins.values()]
    if measure != "ERR@3":
        deviation = math.sqrt(sum(variances)) / 3
        assert row.standard_deviation == pytest.approx(deviation, abs=1e-9)
    assert (row.measure, row.system, row.population, row.n) == (measure, "r", kind, 3)


def test_measures_drawn_together_match_those_drawn_separately():
    measures = ["Success@3", "RR", "nDCG", "P@3"]
    options = {"corpus_size": 6, "n_draws": 300, "seed": 2}
    together = chance(JUDGED, {"r": RUN}, measures=measures, **options)
    for row in together:
        (alone,) = chance(JUDGED, {"r": RUN}, measures=row.measure, **options)
        assert (row.p_value, row.queries) == (alone.p_value, alone.queries)
    assert len({row.queries[0].p_value for row in together}) > 1


@pytest.mark.parametrize("measure", ["AP", "nDCG@3", "RR", "ERR@3"])
@pytest.mark.parametrize("kind", ["corpus", "judged"])
def test_monte_carlo_p_values_match_every_order(kind, measure):
    """4.5 standard deviations each: 32 numbers fail together once in some 4,000 seeds."""
    n_draws = 4000
    (row,) = chance(
        JUDGED, {"r": RUN}, measures=measure, corpus_size=SIZES[kind], n_draws=n_draws, seed=1
    )
    assert (row.method, row.n_draws, row.seed) == ("monte-carlo", n_draws, 1)
    twins = scores_of_chance(measure, kind)
    pairs = [(row.p_value, naive.chance_of_mean(twins.values(), row.observed))]
    pairs += [
        (query.p_value, naive.chance_of_mean([twins[query.query_id]], query.observed))
        for query in row.queries
    ]
    for result, expected in pairs:
        spread = math.sqrt(expected * (1 - expected) / n_draws)
        assert abs(result - expected) <= 4.5 * spread + 1 / n_draws
    # the negative control: the mean's own p-value is none of the single queries'
    assert len({round(result, 2) for result, _ in pairs}) > 1


def test_prevalence_is_not_the_chance_level():
    (row,) = chance(JUDGED, measures="AP", corpus_size=6)
    assert row.prevalence == pytest.approx((2 / 6 + 1 / 6 + 2 / 6) / 3)
    scores = scores_of_chance("AP", "corpus", dict.fromkeys(JUDGED, 6))
    assert row.expected == pytest.approx(
        statistics.fmean(map(statistics.fmean, scores.values())), abs=1e-14
    )
    assert row.expected > row.prevalence + 0.1
    assert (row.system, row.observed, row.corrected, row.p_value) == (None, None, None, None)
    assert (row.distribution, row.method) == (None, None)
    graded = chance(JUDGED, measures="AP(rel=2)", corpus_size=6)[0]
    assert graded.prevalence == pytest.approx(1 / 18)
    assert [query.n_relevant for query in graded.queries] == [1, 0, 0]


def test_query_missing_from_a_run_has_chance_level_0():
    for corpus_size, documents in ((6, 6), (None, 2)):
        (row,) = chance(JUDGED, {"r": RUN}, measures="AP", corpus_size=corpus_size, n_draws=9)
        missing = row.queries[2]
        assert (missing.n_documents, missing.depth) == (documents, 0)
        assert (missing.expected, missing.standard_deviation) == (0.0, 0.0)
        assert (missing.observed, missing.corrected, missing.p_value) == (0.0, 0.0, 1.0)


def test_common_queries():
    rows = chance(JUDGED, {"r": RUN, "l": LONGER}, corpus_size=6, queries="common")
    assert [[query.query_id for query in row.queries] for row in rows] == [["q1", "q2"]] * 2


def test_systems_with_equal_depths_share_a_distribution():
    other = {"q1": dict(zip("abcd", (4.0, 3.0, 2.0, 1.0), strict=True)), "q2": RUN["q2"]}
    rows = chance(
        JUDGED,
        {"r": RUN, "l": LONGER, "o": other},
        measures=["AP", "RR"],
        corpus_size=6,
        n_draws=200,
        seed=3,
    )
    assert [(row.measure, row.system) for row in rows] == [
        (measure, system) for measure in ("AP", "RR") for system in "rlo"
    ]
    by_key = {(row.measure, row.system): row for row in rows}
    for measure in ("AP", "RR"):
        assert by_key[measure, "r"].distribution is by_key[measure, "o"].distribution
        assert by_key[measure, "r"].distribution is not by_key[measure, "l"].distribution
    alone = chance(JUDGED, {"o": other}, measures=["AP", "RR"], corpus_size=6, n_draws=200, seed=3)
    for row in alone:
        beside = by_key[row.measure, "o"]
        assert row.p_value == beside.p_value
        assert row.queries == beside.queries


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
def test_sides_of_queries_match_every_order(alternative):
    options = {"corpus_size": 6, "alternative": alternative, "n_draws": 20_000, "seed": 0}
    (row,) = chance(JUDGED, {"r": LONGER}, measures="AP", **options)
    assert row.alternative == alternative
    assert row.p_value == row.distribution.p_value(row.observed, alternative)
    depths = {query: len(LONGER[query]) for query in JUDGED}
    for query in row.queries:
        scores = scores_of_chance("AP", "corpus", depths)[query.query_id]
        high = sum(score >= query.observed - 1e-12 for score in scores) / len(scores)
        low = sum(score <= query.observed + 1e-12 for score in scores) / len(scores)
        sides = {"greater": high, "less": low, "two-sided": min(1, 2 * min(high, low))}
        # of 20,000 draws: 4.5 standard deviations, doubled where both sides count
        assert query.p_value == pytest.approx(sides[alternative], abs=0.032)


def test_threads_give_the_same_results():
    result = []
    for threads in (1, 3):
        with irbounds.execution(threads=threads):
            result += chance(
                JUDGED, {"r": LONGER}, measures="nDCG", corpus_size=600, n_draws=3000, seed=5
            )
    assert result[0].queries == result[1].queries
    assert result[0].p_value == result[1].p_value


def test_queries_without_corrected_score_are_warned_about():
    judged = {"q1": {"a": 1, "b": 1}, "q2": {"a": 1, "b": 0}}
    run = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"a": 2.0, "b": 1.0}}
    (row,) = chance(judged, {"r": run}, n_draws=9)
    assert math.isnan(row.queries[0].corrected)
    assert (row.queries[0].expected, row.queries[0].p_value) == (1.0, 1.0)
    assert row.corrected == row.queries[1].corrected == 1.0
    assert row.warnings[-1] == (
        "AP: queries on which any order scores 1, so that they have no corrected score and are not "
        "in the mean of r: 1"
    )


def test_unjudged_documents_are_warned_about():
    (row,) = chance(JUDGED, {"r": LONGER}, n_draws=9)
    assert (
        "retrieved documents without a judgment, which count as not relevant and are not in the "
        "random rankings: 4; corpus_size includes them"
    ) in row.warnings
    # three are retrieved for q3, two are judged
    assert (row.queries[2].n_documents, row.queries[2].depth) == (2, 2)
    whole = {"q1": dict.fromkeys("abcf", 1.0), "q2": dict.fromkeys("ea", 1.0)}
    (row,) = chance(JUDGED, {"r": whole}, n_draws=9)
    assert not [line for line in row.warnings if "without a judgment" in line]


def test_levels_of_a_score_table():
    table = irbounds.score(JUDGED, {"r": RUN}, ["AP", "RR"])
    rows = chance_levels(table, JUDGED, {"r": RUN}, corpus_size=6)
    with_p = chance(JUDGED, {"r": RUN}, measures=["AP", "RR"], corpus_size=6, n_draws=9, seed=0)
    for row, other in zip(rows, with_p, strict=True):
        assert (row.expected, row.corrected) == (other.expected, other.corrected)
        assert row.p_value is row.method is row.distribution is None
        assert row.queries[0].p_value is None


def test_records_have_plain_numbers():
    (row,) = chance(JUDGED, {"r": RUN}, corpus_size=6)
    (record,) = irbounds.results.records([row])
    assert list(record) == [
        "measure", "system", "population", "n", "prevalence", "expected", "standard_deviation",
        "observed", "corrected", "p_value", "alternative", "method", "n_draws", "seed",
    ]  # fmt: skip
    assert {type(value) for value in record.values()} <= {str, int, float, type(None)}
    by_query = chance(JUDGED, {"r": RUN}, corpus_size=6, n_draws=9, per_query=True).records()
    assert by_query[0]["query_id"] == "q1"
    assert {type(value) for value in by_query[0].values()} == {str, int, float}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"corpus_size": 5}, "corpus_size must be at least the 6 documents that the judgments and"),
        ({"corpus_size": 0}, "corpus_size must be an integer of at least 1; got 0"),
        ({"corpus_size": 6.5}, "corpus_size must be an integer of at least 1; got 6.5"),
        ({"corpus_size": 6, "alternative": "up"}, "alternative must be one of"),
        ({"corpus_size": 6, "n_draws": 0}, "n_draws must be an integer of at least 1; got 0"),
        ({"corpus_size": 6, "queries": "judged"}, "queries must be one of 'all', 'common'; got"),
        ({"corpus_size": 6, "n_draws": 10**9}, "n_draws must be at most"),
        ({"corpus_size": 6, "measures": "Bpref"}, "Bpref has no formula for its chance level"),
        ({"corpus_size": 6, "measures": "AP(rel=0)"}, "rel must be at least 1"),
    ],
)
def test_bad_input(options, message):
    with pytest.raises(irbounds.IrboundsError, match=re.escape(message)):
        chance(JUDGED, {"r": RUN}, **options)


def test_robust03(robust03):
    """Real runs of 1,000 documents: far above chance, and shared populations."""
    runs = [str(robust03 / f"{name}.run.gz") for name in ("pircRBa1", "aplrob03a", "humR03dc")]
    rows = chance(
        str(robust03 / "qrels.txt.gz"), runs, measures=["AP", "P@10"],
        corpus_size=528_155, n_draws=199, seed=0,
    )  # fmt: skip
    by_key = {(row.measure, row.system): row for row in rows}
    assert by_key["AP", "pircRBa1"].distribution is by_key["AP", "aplrob03a"].distribution
    for row in rows:
        assert (row.p_value, row.method, row.n) == (1 / 200, "monte-carlo", 100)
        assert 0 < row.expected < 0.001 < 0.05 < row.corrected < row.observed
        drawn = row.distribution
        # the draws agree with the formula: 4.5 standard errors of their mean
        means = drawn.scores
        assert abs(means.mean() - row.expected) < 4.5 * row.standard_deviation / math.sqrt(199)
    # lists of 100 documents are cut there: relevant ones being rare, chance is nearly as the
    # harmonic numbers H(100) and H(1000), and exactly so with those above each relevant document
    short, long = by_key["AP", "humR03dc"], by_key["AP", "pircRBa1"]
    assert [{query.depth for query in row.queries} for row in (short, long)] == [{100}, {1000}]
    above = statistics.fmean(query.n_relevant - 1 for query in long.queries) / 528_154
    sums = [
        sum((1 - above) / rank + above for rank in range(1, depth + 1)) for depth in (100, 1000)
    ]
    assert short.expected / long.expected == pytest.approx(sums[0] / sums[1], rel=1e-12)
    assert sums[0] / sums[1] == pytest.approx(0.6930, abs=0.01)


def test_warnings_about_judgments_without_runs():
    qrels = {"q": {"a": 1, "b": 0}, "p": {"a": 0}, "o": {"b": -1}}
    (alone,) = chance(qrels)
    message = "judged queries with nothing relevant, which score 0: 2"
    assert message in alone.warnings
    assert "negative judgments, which count as not relevant: 1" in alone.warnings
    run = {query: {"a": 1.0} for query in qrels}
    (beside,) = chance(qrels, {"r": run}, n_draws=9)
    assert beside.warnings.count(message) == 1
    (fine,) = chance({"q": {"a": 1, "b": 0}})
    assert fine.warnings == ()


def test_names_of_measures_are_not_remembered_for_ever():
    assert parser._parse_text.cache_info().maxsize == 256
