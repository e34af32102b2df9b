"""Scores on replicates of the corpus: against rewritten runs, and reproducible bits."""

import itertools

import numpy as np
import pytest

import naive
from irbounds import execution, read_qrels, read_run
from irbounds.errors import DataError, MeasureError
from irbounds.measurement.judged_runs import Pool
from irbounds.measurement.parser import parse_measure, parse_measures
from irbounds.reading.ids import intern_strings
from irbounds.resampling.corpus_replicates import IMAGES, bootstrap_documents, draw_replicate_counts
from irbounds.resampling.packed_rankings import pack_rankings
from measure_cases import scores_on_images
from rewriting import counts_by_id, rewritten, sparse_collection

MAX_GRADE = 3
#: every kind of measure, with and without its parameters, and how the slow twin computes it
MEASURES = scores_on_images(MAX_GRADE)


def collection(seed=0, n_systems=4, n_queries=6, n_documents=40):
    """Graded judgments with unretrieved, negative and no relevant documents; runs with gaps, ties.

    The first judged document has the highest grade, so that MAX_GRADE is the collection's.
    """
    rng = np.random.default_rng(seed)
    documents = [f"d{k}" for k in range(n_documents)]
    qrels = {}
    for q in range(n_queries):
        chosen = rng.choice(documents, rng.integers(3, 20), replace=False).tolist()
        grades = rng.choice([-1, 0, 1, 2, 3], len(chosen), p=[0.1, 0.3, 0.3, 0.2, 0.1]).tolist()
        qrels[f"q{q}"] = dict(zip(chosen, grades, strict=True))
    qrels["q0"] = {"d0": MAX_GRADE, "d1": 1, **qrels["q0"], "never retrieved": 2}
    qrels["q1"] = dict.fromkeys(qrels["q1"], 0)
    runs = {}
    for s in range(n_systems):
        runs[f"s{s}"] = {
            f"q{q}": {
                doc: float(rng.integers(0, 8))
                for doc in rng.choice(documents, rng.integers(1, n_documents), replace=False)
            }
            for q in range(n_queries)
            if (s, q) != (1, 2)  # a judged query that a run lacks
        }
        runs[f"s{s}"]["not judged"] = {"d5": 1.0}
    return qrels, runs


def pack_collection(qrels, runs, corpus=60):
    records = [read_run(run, name=name) for name, run in runs.items()]
    return pack_rankings(Pool(read_qrels(qrels)), records, corpus)


def check_rewritten(qrels, runs, seed, corpus=60):
    packed = pack_collection(qrels, runs, corpus)
    images = bootstrap_documents(packed, parse_measures(MEASURES), 70, seed, precision=np.float64)
    for image in (0, 1, 2, 63, 64, 69):
        judged, amended = rewritten(qrels, runs, counts_by_id(qrels, runs, packed, seed, image))
        for (m, twin), (s, run), (q, query) in itertools.product(
            enumerate(MEASURES.values()), enumerate(amended.values()), enumerate(judged)
        ):
            expected = twin(judged[query], run.get(query, {}))
            assert abs(images.scores[m, s, q, image] - expected) < 1e-12


@pytest.mark.parametrize("seed", range(3))
def test_replicate_scores_match_rewritten_runs(seed):
    check_rewritten(*collection(seed), seed)


@pytest.mark.parametrize(
    "seed", [*range(8), *(pytest.param(k, marks=pytest.mark.slow) for k in range(8, 40))]
)
def test_replicate_scores_match_rewritten_sparse_runs(seed):
    qrels, runs = sparse_collection(seed)
    check_rewritten(qrels, runs, seed)
    named = {doc for part in (qrels, *runs.values()) for docs in part.values() for doc in docs}
    check_rewritten(qrels, runs, seed, intern_strings(sorted(named))[0])


def test_binary_judgments_have_the_same_replicate_scores():
    qrels, runs = collection(9)
    binary = {q: {d: int(g > 0) for d, g in docs.items()} for q, docs in qrels.items()}
    names = ["nDCG", "P@3", "RBP(rel=1,p=0.95)", "INSQ(T=5)", "R@3"]
    packed = pack_collection(binary, runs)
    assert len(packed.grades) == 1
    images = bootstrap_documents(packed, parse_measures(names), 64, 1, precision=np.float64)
    twins = [MEASURES[name] for name in names]
    twins[3] = lambda j, r: naive.inverse_squares(j, r, 1, 5)
    for image in (0, 40):
        judged, amended = rewritten(binary, runs, counts_by_id(binary, runs, packed, 1, image))
        for (m, twin), (s, run), (q, query) in itertools.product(
            enumerate(twins), enumerate(amended.values()), enumerate(judged)
        ):
            expected = twin(judged[query], run.get(query, {}))
            assert images.scores[m, s, q, image] == pytest.approx(expected, rel=0, abs=1e-12)


def test_replicate_scores_without_relevant_documents():
    packed = pack_collection({"q": {"a": 0}}, {"s": {"q": {"a": 1.0, "b": 0.5}}})
    images = bootstrap_documents(packed, parse_measures(MEASURES), 64, 1)
    assert (images.scores == 0).all()


def test_a_relevant_document_scores_in_replicates_that_draw_it():
    """One relevant document at rank 1: every measure is 0 exactly where it was not drawn."""
    qrels, runs = {"q": {"a": 1}}, {"s": {"q": {"a": 1.0}}}
    packed = pack_collection(qrels, runs, corpus=10**6)
    images = bootstrap_documents(packed, parse_measures(["AP", "nDCG", "RR", "Rprec"]), 640, 1)
    drawn = np.concatenate([draw_replicate_counts(packed, 1, b)[0][0] for b in range(10)]) > 0
    assert (images.scores[:, 0, 0] == drawn).all()
    # 1 - 1/e; false alarm 1e-4
    assert abs(drawn.mean() - 0.632) < 4 * np.sqrt(0.632 * 0.368 / 640)


@pytest.fixture(scope="module")
def many():
    qrels, runs = collection(3, n_systems=5, n_queries=8, n_documents=200)
    return qrels, runs, parse_measures(["AP", "nDCG@10", "RR", "ERR"])


def bits(images):
    return images.scores.tobytes(), images.means.tobytes()


def test_replicates_have_the_same_bits_on_any_threads(many):
    qrels, runs, measures = many
    packed = pack_collection(qrels, runs, 500)
    with execution(threads=1):
        first = bootstrap_documents(packed, measures, 1000, 5)
    for threads in (2, 3, 7):
        with execution(threads=threads):
            again = bootstrap_documents(packed, measures, 1000, 5)
        assert bits(again) == bits(first)
    assert bits(bootstrap_documents(packed, measures, 1000, 6)) != bits(first)


def test_more_replicates_begin_with_the_same_ones(many):
    qrels, runs, measures = many
    packed = pack_collection(qrels, runs, 500)
    few = bootstrap_documents(packed, measures, 100, 5)
    more = bootstrap_documents(packed, measures, 300, 5)
    assert (more.scores[..., :100] == few.scores).all()
    assert (more.means[..., :100] == few.means).all()


def test_replicate_means_are_of_all_images(many):
    qrels, runs, measures = many
    packed = pack_collection(qrels, runs, 500)
    exact = bootstrap_documents(packed, measures, 333, 5, precision=np.float64)
    assert exact.scores.shape == (4, 5, 8, 333)
    np.testing.assert_allclose(exact.means, exact.scores.mean(axis=2), rtol=1e-14)
    few = bootstrap_documents(packed, measures, 333, 5, n_stored=90)
    assert few.scores.shape == (4, 5, 8, 90)
    assert (few.scores == exact.scores[..., :90].astype(np.float32)).all()
    assert (few.means == exact.means).all()


def test_order_of_runs_does_not_change_replicates(many):
    qrels, runs, measures = many
    there = bootstrap_documents(pack_collection(qrels, runs, 500), measures, 100, 5)
    turned = dict(reversed(runs.items()))
    back = bootstrap_documents(pack_collection(qrels, turned, 500), measures, 100, 5)
    assert (back.scores[:, ::-1] == there.scores).all()


def test_with_a_corpus_list_fewer_queries_have_the_same_replicates(many):
    """As queries="common" does: a further run may take a query away from all."""
    qrels, runs, measures = many
    listed, _ = intern_strings(["never retrieved", *(f"d{k}" for k in range(500))])
    records = [read_run(run, name=name) for name, run in runs.items()]
    whole = pack_rankings(Pool(read_qrels(qrels)), records, listed)
    fewer = pack_rankings(Pool(read_qrels(qrels), list(qrels)[1:]), records, listed)
    there = bootstrap_documents(whole, measures, 100, 5).scores[:, :, 1:]
    assert (bootstrap_documents(fewer, measures, 100, 5).scores == there).all()


def test_with_a_corpus_list_a_further_run_does_not_change_replicates(many):
    qrels, runs, measures = many
    documents = ["never retrieved", *(f"d{k}" for k in range(500))]
    listed, _ = intern_strings(documents)
    fewer = {name: run for name, run in runs.items() if name != "s2"}
    all_five = bootstrap_documents(pack_collection(qrels, runs, listed), measures, 100, 5)
    four = bootstrap_documents(pack_collection(qrels, fewer, listed), measures, 100, 5)
    assert (all_five.scores[:, [0, 1, 3, 4]] == four.scores).all()
    # the order of the list is no matter either
    turned, _ = intern_strings(documents[::-1])
    again = bootstrap_documents(pack_collection(qrels, runs, turned), measures, 100, 5)
    assert (again.scores == all_five.scores).all()


def test_without_a_list_a_further_run_keeps_relevant_counts():
    """With the size alone this much is possible, and the others move by little.

    The further run brings relevant documents of the second query, and much else, into the first.
    """
    actual = {f"r{k}": 1 for k in range(30)}
    others = [f"n{k:02}" for k in range(40)]
    qrels = {"q0": {"z": 1, "y": 1}, "q1": actual}
    fewer = {
        "one": {
            "q0": {"z": 2.0, "y": 0.5, **dict.fromkeys(others[::4], 1.0)},
            "q1": dict.fromkeys(actual, 1.0),
        }
    }
    runs = {**fewer, "two": {"q0": {**dict.fromkeys([*actual, *others], 2.0), "y": 0.1}}}
    packed, before = pack_collection(qrels, runs, 200), pack_collection(qrels, fewer, 200)
    changed = 0
    for image in range(64):
        after = counts_by_id(qrels, runs, packed, 5, image)
        counts = counts_by_id(qrels, fewer, before, 5, image)
        assert all(after[doc] == counts[doc] for doc in (*actual, "z", "y"))
        changed += sum(after[doc] != counts[doc] for doc in counts)
    assert 0 < changed < 0.2 * 64 * 10


def test_packed_rankings_end_at_the_last_relevant_document():
    """Nor is a ranking without any; a document that another ranking needs is still cut off."""
    qrels = {"q": {"a": 1, "b": 1}}
    runs = {
        "x": {"q": {"n1": 9.0, "n2": 8.0, "a": 7.0, "b": 6.0}},
        "y": {"q": {"a": 9.0, "n1": 8.0, "n3": 7.0}},
        "z": {"q": {"n1": 9.0, "n4": 8.0}},
    }
    packed = pack_collection(qrels, runs)
    assert np.diff(packed.rankings.entry_bounds).tolist() == [4, 1, 0]
    assert packed.n_rows == 4


def test_corpus_size_below_the_named_documents_is_an_error():
    qrels, runs = {"q": {"a": 1, "b": 0}}, {"s": {"q": {"a": 1.0, "c": 0.5}}}
    assert pack_collection(qrels, runs, 3).corpus_size == 3
    with pytest.raises(DataError, match=r"at least the 3 documents .* name; got 2"):
        pack_collection(qrels, runs, 2)


def test_unlisted_documents_are_counted_and_added():
    listed, _ = intern_strings(["a", "x", "y"])
    packed = pack_collection({"q": {"a": 1, "b": 0}}, {"s": {"q": {"a": 1.0, "c": 0.5}}}, listed)
    assert (packed.corpus_size, packed.n_unlisted) == (5, 2)


@pytest.mark.parametrize("name", ["Success@5", "Bpref", "Judged@10", "SetF", "infAP"])
def test_measures_without_image_scores_are_refused(name):
    with pytest.raises(MeasureError, match=r"cannot be computed on images.*AP, P, R, Rprec, RR"):
        parse_measure(name).check_images()


def test_measures_that_score_unjudged_documents_are_refused():
    with pytest.raises(MeasureError, match="rel must be at least 1"):
        parse_measure("AP(rel=0)").check_images()
    with pytest.raises(MeasureError, match="min_rel must be at least 0"):
        parse_measure("INSQ(T=5,min_rel=-1,max_rel=2)").check_images()


def test_ap_is_accurate_at_deep_ranks():
    """Relevant documents at ranks from 3,000 to 60,000, with and without a cutoff."""
    documents = [f"d{k}" for k in range(60_000)]
    actual = documents[2999::3000]
    qrels = {"q": dict.fromkeys(actual, 1)}
    run = {"q": {doc: float(-k) for k, doc in enumerate(documents)}}
    packed = pack_collection(qrels, {"s": run}, 10**6)
    names = {"AP": None, "AP@5000": 5000, "AP@40000": 40_000}
    images = bootstrap_documents(packed, parse_measures(names), 64, 1, precision=np.float64)
    counts = counts_by_id(qrels, {"s": run}, packed, 1, 7)
    for m, cutoff in enumerate(names.values()):
        expected, hits, rank = 0.0, 0, 0
        for doc in documents:
            for _ in range(counts[doc]):
                rank += 1
                if doc in qrels["q"]:
                    hits += 1
                    expected += hits / rank if rank <= (cutoff or rank) else 0.0
        expected /= sum(counts[doc] for doc in actual)
        assert images.scores[m, 0, 0, 7] == pytest.approx(expected, rel=1e-12)


def test_large_counts_do_not_overflow_a_byte():
    """Bytes would overflow: the counts are added up one by one."""
    from irbounds.kernels.replicate_rankings import rank_relevant

    rng = np.random.default_rng(1)
    counts = rng.integers(0, 256, (30, IMAGES)).astype(np.uint8)
    entries = rng.permutation(30).astype(np.int32)
    which, above = np.empty(2, np.int64), np.empty((2, IMAGES), np.int32)
    copies = np.empty((2, IMAGES), np.uint8)
    assert rank_relevant(entries, 2, counts, 255, which, above, copies) == 2
    for k, doc in enumerate(which.tolist()):
        place = entries.tolist().index(doc)
        assert (above[k] == counts[entries[:place]].sum(axis=0)).all()
        assert (copies[k] == counts[doc]).all()
