"""A simulated collection with known truth: properties that other tests rely on.

Fixed seeds make every test repeatable. The false alarm rates say how often a test would fail by
chance with another seed, or with another numpy that has other streams.
"""

from __future__ import annotations

import itertools
import math
from statistics import NormalDist

import numpy as np
import pytest

import irbounds
import naive
from irbounds import simulation
from irbounds.errors import ParameterError
from irbounds.simulation import simulate_collection

SMALL = {"n_systems": 5, "n_queries": 6, "corpus_size": 3000, "depth": 40}
TREC_CORPUS = 528_155


@pytest.fixture(scope="module")
def small():
    return simulate_collection(**SMALL, max_grade=3, tie_rate=0.2, rng=11)


def find_relevance_by_rank(collection, qrels):
    """Return relevance (systems x queries x depth) and the number of relevant documents."""
    plan = collection.plan
    shape = (plan["n_systems"], plan["n_queries"], plan["depth"])
    docs = np.concatenate([run.docs for run in collection.runs]).reshape(shape)
    hits = np.zeros(shape, dtype=bool)
    n_relevant = np.zeros(plan["n_queries"], dtype=int)
    for q in range(plan["n_queries"]):
        entries = slice(qrels.bounds[q], qrels.bounds[q + 1])
        is_relevant = np.zeros(len(qrels.documents), dtype=bool)
        is_relevant[qrels.docs[entries]] = qrels.relevance[entries] > 0
        hits[:, q] = is_relevant[docs[:, q]]
        n_relevant[q] = is_relevant.sum()
    return docs, hits, n_relevant


def compute_average_precisions(collection, qrels):
    """Return average precision, queries x systems."""
    _, hits, n_relevant = find_relevance_by_rank(collection, qrels)
    precision = np.cumsum(hits, axis=2) / np.arange(1, hits.shape[2] + 1)
    return ((precision * hits).sum(axis=2) / np.maximum(n_relevant, 1)).T


def compute_overlap(docs, k):
    """Return the mean fraction of their first k documents that two systems have in common."""
    n_systems, n_queries, _ = docs.shape
    fractions = [
        len(np.intersect1d(docs[a, q, :k], docs[b, q, :k])) / k
        for a, b in itertools.combinations(range(n_systems), 2)
        for q in range(n_queries)
    ]
    return float(np.mean(fractions))


def plant(monkeypatch, strengths):
    """Give the systems these strengths in place of drawn ones."""
    monkeypatch.setattr(simulation, "draw_strengths", lambda *_: np.array(strengths))


def is_same_run(a, b):
    return a.name == b.name and a.to_dict() == b.to_dict() and a.fingerprint == b.fingerprint


# --- seeds ---------------------------------------------------------------------------------------


def test_same_seed_gives_the_same_bits(small):
    again = simulate_collection(**SMALL, max_grade=3, tie_rate=0.2, rng=11)
    for a, b in zip(small.runs, again.runs, strict=True):
        assert a.docs.tobytes() == b.docs.tobytes()
        assert a.scores.tobytes() == b.scores.tobytes()
        assert a.fingerprint == b.fingerprint
    for a, b in ((small.qrels, again.qrels), (small.complete, again.complete)):
        assert a.docs.tobytes() == b.docs.tobytes()
        assert a.relevance.tobytes() == b.relevance.tobytes()
        assert a.fingerprint == b.fingerprint
    assert small.strengths.tobytes() == again.strengths.tobytes()
    assert small.easiness.tobytes() == again.easiness.tobytes()
    assert small.interactions.tobytes() == again.interactions.tobytes()


def test_other_seed_gives_other_numbers(small):
    other = simulate_collection(**SMALL, max_grade=3, tie_rate=0.2, rng=12)
    assert all(a.fingerprint != b.fingerprint for a, b in zip(small.runs, other.runs, strict=True))
    assert small.complete.fingerprint != other.complete.fingerprint
    assert not np.isin(small.strengths, other.strengths).any()
    assert not np.isin(small.interactions, other.interactions).any()


def test_additional_system_changes_no_other_run(small):
    larger = simulate_collection(**(SMALL | {"n_systems": 6}), max_grade=3, tie_rate=0.2, rng=11)
    assert all(is_same_run(a, b) for a, b in zip(small.runs, larger.runs, strict=False))
    assert small.complete.to_dict() == larger.complete.to_dict()
    before, after = small.qrels.to_dict(), larger.qrels.to_dict()
    assert all(before[q].items() <= after[q].items() for q in before)
    assert len(larger.qrels) > len(small.qrels)
    np.testing.assert_array_equal(small.strengths, larger.strengths[:5])
    np.testing.assert_array_equal(small.interactions, larger.interactions[:, :5])


def test_additional_system_changes_no_judgment():
    few = simulate_collection(**SMALL, unjudged_rate=0.5, rng=11).qrels.to_dict()
    many = simulate_collection(
        **(SMALL | {"n_systems": 6}), unjudged_rate=0.5, rng=11
    ).qrels.to_dict()
    assert all(few[q].items() <= many[q].items() for q in few)


def test_additional_query_changes_no_other_query(small):
    larger = simulate_collection(**(SMALL | {"n_queries": 7}), max_grade=3, tie_rate=0.2, rng=11)
    pairs = [(small.qrels, larger.qrels), (small.complete, larger.complete)]
    pairs += zip(small.runs, larger.runs, strict=True)
    for a, b in pairs:
        longer = b.to_dict()
        assert longer.pop("q007")
        assert a.to_dict() == longer
    np.testing.assert_array_equal(small.easiness, larger.easiness[:6])
    np.testing.assert_array_equal(small.interactions, larger.interactions[:6])


def test_judgments_do_not_change_rankings():
    plain = simulate_collection(**SMALL, rng=11)
    other = simulate_collection(**SMALL, pool_depth=3, max_grade=4, unjudged_rate=0.7, rng=11)
    assert all(is_same_run(a, b) for a, b in zip(plain.runs, other.runs, strict=True))
    assert len(other.qrels) < len(plain.qrels)


# --- content -------------------------------------------------------------------------------------


def test_sizes_names_and_parameters(small):
    assert tuple(run.name for run in small.runs) == (
        "system-001",
        "system-002",
        "system-003",
        "system-004",
        "system-005",
    )
    assert small.qrels.query_ids == small.complete.query_ids == small.runs[0].query_ids
    assert small.qrels.query_ids == ("q001", "q002", "q003", "q004", "q005", "q006")
    assert all((run.depths == 40).all() for run in small.runs)
    assert small.plan["pool_depth"] == 20
    assert small.seed == 11
    assert repr(small) == ("<SimulatedCollection: 5 systems, 6 queries, 3,000 documents, depth 40>")
    ids = set(small.runs[0].documents.strings())
    assert all(len(i) == 8 and i[0] == "D" and 0 <= int(i[1:]) < 3000 for i in ids)


def test_true_order_is_that_of_the_strengths(monkeypatch):
    plant(monkeypatch, [0.1, -2, 3, 0.1, 0.5])
    collection = simulate_collection(**SMALL, rng=1)
    assert collection.true_order == tuple(f"system-00{n}" for n in (3, 5, 1, 4, 2))


@pytest.mark.parametrize("tie_rate", [0.0, 0.3, 1.0])
def test_runs_are_in_trec_eval_order(tie_rate):
    collection = simulate_collection(**SMALL, tie_rate=tie_rate, rng=5)
    for run in collection.runs:
        for query, entries in run.to_dict().items():
            assert len(entries) == 40, query
            assert list(entries) == naive.ranking(entries)


def test_pooled_judgments_are_exactly_the_pooled_documents(small):
    complete, qrels = small.complete.to_dict(), small.qrels.to_dict()
    runs = [run.to_dict() for run in small.runs]
    for query in qrels:
        pool = {doc for run in runs for doc in list(run[query])[:20]}
        assert qrels[query] == {doc: complete[query].get(doc, 0) for doc in pool}
    n_pooled = int((small.qrels.relevance > 0).sum())
    assert 0 < n_pooled < len(small.complete)
    for judgments in (*qrels.values(), *complete.values()):
        assert list(judgments) == sorted(judgments)
    assert (small.complete.relevance >= 1).all()


def test_pooled_judgments_lose_recall_but_no_top_documents(small):
    """The naive measures: the first ranks are all judged, deeper relevant documents are not."""
    complete, qrels = small.complete.to_dict(), small.qrels.to_dict()
    n_gained = 0
    for run in small.runs:
        for query, entries in run.to_dict().items():
            exact, pooled = complete[query], qrels[query]
            assert naive.precision(exact, entries, 10) == naive.precision(pooled, entries, 10)
            assert naive.precision(exact, entries, 40) >= naive.precision(pooled, entries, 40)
            n_gained += naive.recall(pooled, entries) > naive.recall(exact, entries)
    assert n_gained > len(small.runs)  # recall is higher if unretrieved documents are not counted


def test_queries_have_documents_in_common():
    collection = simulate_collection(**SMALL, rng=2)
    by_query = [set(entries) for entries in collection.runs[0].to_dict().values()]
    # 15 pairs of 40 documents of 3,000: 8 in common expected; none once in 3,000 seeds
    assert sum(len(a & b) for a, b in itertools.combinations(by_query, 2)) > 0


# --- parameters ----------------------------------------------------------------------------------


@pytest.mark.parametrize("tie_rate", [0.0, 0.25, 1.0])
def test_tie_rate_of_scores(tie_rate):
    collection = simulate_collection(4, 50, 3000, 100, tie_rate=tie_rate, rng=3)
    same = [np.diff(run.scores.reshape(50, 100), axis=1) == 0 for run in collection.runs]
    # 19,800 chances: a standard deviation of 0.003 at 0.25, so 1 false alarm in 16,000
    assert np.mean(same) == pytest.approx(tie_rate, abs=0.0125 if tie_rate == 0.25 else 0)


def test_ties_reorder_only_tied_documents():
    plain = simulate_collection(**SMALL, rng=3).runs[0].to_dict()
    tied = simulate_collection(**SMALL, rng=3, tie_rate=0.3).runs[0].to_dict()
    for query, entries in tied.items():
        assert entries.keys() == plain[query].keys()
        scores = [plain[query][doc] for doc in entries]
        assert scores != sorted(scores, reverse=True)
        groups = [list(group) for _, group in itertools.groupby(entries, key=entries.get)]
        best = [max(plain[query][doc] for doc in group) for group in groups]
        assert best == [entries[group[0]] for group in groups]
        assert best == sorted(best, reverse=True)


def test_rounding_makes_no_ties(monkeypatch):
    """At one decimal nearly all scores would be tied, so they are separated."""
    monkeypatch.setattr(simulation, "SCORE_DECIMALS", 1)
    collection = simulate_collection(**SMALL, rng=3)
    assert [run.n_tied for run in collection.runs] == [0] * 5


def test_fractions_of_grades():
    collection = simulate_collection(4, 200, 20_000, 50, max_grade=3, rng=4)
    grades = collection.complete.relevance
    counts = np.bincount(grades, minlength=4)
    assert counts[0] == 0
    assert len(counts) == 4
    # 2/3, 2/9 and 1/9 of some 11,600; 5 standard deviations are 0.02: 1 false alarm in a million
    np.testing.assert_allclose(counts[1:] / len(grades), [2 / 3, 2 / 9, 1 / 9], atol=0.02)
    assert set(collection.qrels.relevance) == {0, 1, 2, 3}
    binary = simulate_collection(4, 200, 20_000, 50, rng=4)
    assert set(binary.complete.relevance) == {1}
    np.testing.assert_array_equal(binary.complete.docs, collection.complete.docs)


def test_higher_grades_are_retrieved_more_often():
    collection = simulate_collection(4, 200, 20_000, 50, max_grade=3, rng=4)
    judged = np.bincount(collection.qrels.relevance, minlength=4)[1:]
    fraction = judged / np.bincount(collection.complete.relevance, minlength=4)[1:]
    assert fraction[0] < fraction[1] < fraction[2]


def test_unjudged_rate_of_judgments():
    full = simulate_collection(4, 50, 3000, 100, rng=3).qrels.to_dict()
    thin = simulate_collection(4, 50, 3000, 100, unjudged_rate=0.4, rng=3).qrels.to_dict()
    n_full, n_thin = (sum(map(len, judged.values())) for judged in (full, thin))
    assert all(thin[q].items() <= full[q].items() for q in thin)
    # some 5,300 judgments: a standard deviation of 0.007, so 1 false alarm in 16,000
    assert n_thin / n_full == pytest.approx(0.6, abs=0.027)


def test_every_query_has_a_judgment():
    collection = simulate_collection(**SMALL, unjudged_rate=1.0, rng=3)
    assert (collection.qrels.depths == 1).all()


@pytest.mark.parametrize(("corpus_size", "depth"), [(1, 1), (2, 2), (9, 9), (100, 100), (500, 70)])
def test_small_corpora_are_ranked_to_the_end(corpus_size, depth):
    collection = simulate_collection(3, 4, corpus_size, depth, rng=1)
    for run in collection.runs:
        for entries in run.to_dict().values():
            assert len(entries) == depth
    fraction = collection.complete.depths / corpus_size
    assert (collection.complete.depths >= 1).all()
    assert (fraction <= max(0.1, 1 / corpus_size)).all()


def test_collection_of_one_system_and_one_query():
    collection = simulate_collection(1, 1, rng=1)
    assert len(collection.runs[0]) == 100
    assert collection.plan["pool_depth"] == 50


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_systems": 0}, "n_systems must be an integer of at least 1; got 0"),
        ({"n_queries": -1}, "n_queries must be an integer of at least 1; got -1"),
        ({"n_queries": True}, "n_queries must be an integer of at least 1; got True"),
        ({"corpus_size": 2.5}, "corpus_size must be an integer of at least 1; got 2.5"),
        ({"depth": 3001}, "depth must be an integer from 1 to corpus_size, 3000; got 3001"),
        ({"depth": "x"}, "depth must be an integer; got 'x'"),
        ({"pool_depth": 0}, "pool_depth must be an integer of at least 1; got 0"),
        ({"pool_depth": 41}, "pool_depth must be an integer from 1 to the depth, 40; got 41"),
        ({"max_grade": 0}, "max_grade must be an integer of at least 1; got 0"),
        ({"max_grade": 11}, "max_grade must be an integer from 1 to 10; got 11"),
        ({"tie_rate": 1.5}, "tie_rate must be a number from 0 to 1; got 1.5"),
        ({"tie_rate": math.nan}, "tie_rate must be a number from 0 to 1; got nan"),
        ({"unjudged_rate": "a"}, "unjudged_rate must be a number; got 'a'"),
        ({"seed": -1}, "seed must be an integer of at least 0; got -1"),
        ({"seed": None}, "seed needs a value; got None"),
    ],
)
def test_errors_name_parameter_rule_and_value(arguments, message):
    with pytest.raises(ParameterError) as caught:
        irbounds.simulate(**(SMALL | arguments))
    assert str(caught.value) == message


# --- the truth -----------------------------------------------------------------------------------


def test_order_of_strengths_is_recovered_with_many_queries(monkeypatch):
    """Neighbours differ by 5 standard errors or more: 7 of them, 1 false alarm in a million."""
    planted = np.array([0.0, 1.2, -1.2, 0.8, -0.4, 0.4, -0.8, 1.6])
    plant(monkeypatch, planted)
    collection = simulate_collection(8, 500, rng=9)
    exact = compute_average_precisions(collection, collection.complete)
    order = np.argsort(-planted)
    assert np.argsort(-exact.mean(axis=0)).tolist() == order.tolist()


def test_equal_strengths_have_equal_expected_scores(monkeypatch):
    """No pair of 8 equal systems differs by 4.5 standard errors: 1 false alarm in 5,000."""
    plant(monkeypatch, np.zeros(8))
    collection = simulate_collection(8, 300, rng=9)
    exact = compute_average_precisions(collection, collection.complete)
    for a, b in itertools.combinations(range(8), 2):
        difference = exact[:, a] - exact[:, b]
        assert abs(difference.mean()) < 4.5 * difference.std() / math.sqrt(300)


def test_overlap_follows_from_the_noise_at_every_depth(monkeypatch):
    """2 Phi(-sigma / sqrt 2) of the non-relevant documents, whatever the depth.

    Strength -100 buries the relevant documents; the reach is widened so that none is missing. Over
    40 seeds the standard deviations are 0.010, 0.0065 and 0.0035; tolerances are 4 of them, and at
    depth 10 the 0.007 by which so small a depth falls short. 3 depths: 1 false alarm in 5,000.
    """
    monkeypatch.setattr(simulation, "REACH", 100)
    plant(monkeypatch, np.full(6, -100.0))
    collection = simulate_collection(6, 60, TREC_CORPUS, 100, rng=1)
    docs, hits, _ = find_relevance_by_rank(collection, collection.complete)
    assert not hits.any()
    expected = 2 * NormalDist().cdf(-simulation.NOISE_SD / math.sqrt(2))
    for k, tolerance in ((10, 0.047), (30, 0.026), (100, 0.014)):
        assert compute_overlap(docs, k) == pytest.approx(expected, abs=tolerance)


def measure_shape(collection):
    """Return the statistics of REAL_SHAPE for a simulated collection."""
    docs, hits, _ = find_relevance_by_rank(collection, collection.qrels)
    scores = compute_average_precisions(collection, collection.qrels)
    topics, systems = scores.mean(axis=1), scores.mean(axis=0)
    residuals = scores - topics[:, None] - systems + scores.mean()
    centred = (scores - systems) / scores.std(axis=0)
    pairs = np.triu_indices(scores.shape[1], 1)
    union = [len(np.unique(docs[:12, q])) for q in range(docs.shape[1])]
    return {
        "mean AP": scores.mean(),
        "sd of topic means": topics.std(ddof=1),
        "sd of system means": systems.std(ddof=1),
        "sd of residuals": residuals.std(),
        "correlation of systems": np.corrcoef(scores.T)[pairs].mean(),
        "median sd of a system": np.median(scores.std(axis=0, ddof=1)),
        "median skewness of a system": np.median((centred**3).mean(axis=0)),
        "mean P@10": hits[:, :, :10].mean(),
        "overlap at 10": compute_overlap(docs[:14, ::4], 10),
        "overlap at 1000": compute_overlap(docs[:14, ::10], 1000),
        "union of 12 runs": np.mean(union),
    }


# Real values: julian-urbano/sigir2018-simulation, data/robust2004_ap.csv and _p10.csv (249 topics x
# 110 systems); overlap and union from the 12 full runs of TREC 2003 Robust. The tolerance is the
# distance that the model keeps on average plus 3.5 standard deviations, both over 30 seeds of the
# simulation in this test. 11 statistics: 1 false alarm in 400.
REAL_SHAPE = {
    "mean AP": (0.260, 0.033),
    "sd of topic means": (0.179, 0.022),
    "sd of system means": (0.061, 0.011),
    "sd of residuals": (0.114, 0.007),
    "correlation of systems": (0.709, 0.061),
    "median sd of a system": (0.221, 0.023),
    "median skewness of a system": (0.862, 0.29),
    "mean P@10": (0.437, 0.077),
    "overlap at 10": (0.410, 0.097),
    "overlap at 1000": (0.470, 0.013),
    "union of 12 runs": (3695.0, 46.0),
}


def simulate_trec_like(monkeypatch, seed):
    """14 systems at the quantiles of their distribution: only queries vary from seed to seed.

    A pool of 250 from 14 systems judges as many documents as one of 100 from 110 systems.
    """
    quantiles = np.log(-np.log1p(-(np.arange(14) + 0.5) / 14))
    strengths = simulation.STRENGTH_SD * (quantiles - quantiles.mean()) / quantiles.std()
    plant(monkeypatch, strengths)
    return simulate_collection(14, 400, TREC_CORPUS, 1000, pool_depth=250, rng=seed)


def list_deviations(measured):
    return [k for k, (real, near) in REAL_SHAPE.items() if abs(measured[k] - real) > near]


@pytest.mark.slow
def test_shape_is_that_of_real_collections(monkeypatch):
    assert list_deviations(measure_shape(simulate_trec_like(monkeypatch, 1))) == []


@pytest.mark.slow
def test_shape_fails_for_equal_topics(monkeypatch):
    """Negative control: half the variance of topic easiness must be detected."""
    monkeypatch.setattr(simulation, "EASINESS_SD", simulation.EASINESS_SD / 2)
    failed = list_deviations(measure_shape(simulate_trec_like(monkeypatch, 1)))
    assert {"sd of topic means", "correlation of systems"} <= set(failed)


@pytest.mark.slow
def test_shape_with_all_systems():
    """110 systems x 249 queries as in 2004: 4 standard deviations over 20 seeds, 1 in 3,000."""
    measured = measure_shape(simulate_collection(110, 249, TREC_CORPUS, 1000, rng=1))
    assert measured["mean AP"] == pytest.approx(0.260, abs=0.059)
    assert measured["sd of topic means"] == pytest.approx(0.179, abs=0.035)
    assert measured["sd of system means"] == pytest.approx(0.061, abs=0.017)
    assert measured["sd of residuals"] == pytest.approx(0.114, abs=0.0095)
    assert measured["correlation of systems"] == pytest.approx(0.709, abs=0.082)
