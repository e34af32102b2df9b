"""``corpus_bootstrap``: scores against pytrec_eval on rewritten files, inputs, warnings."""

import hashlib
import math

import numpy as np
import pytest
import pytrec_eval

import naive
from irbounds import execution, read_qrels, read_run, read_runs, score
from irbounds.corpora.bootstrap import corpus_bootstrap
from irbounds.errors import DataError, InputError, ParameterError
from irbounds.measurement.judged_runs import Pool
from irbounds.measurement.parser import parse_measures
from irbounds.resampling import corpus_replicates
from irbounds.resampling.corpus_replicates import bootstrap_documents
from irbounds.resampling.packed_rankings import pack_rankings
from irbounds.simulation import simulate_collection
from rewriting import counts_by_id, rewritten

QRELS = {"q1": {"a": 1, "b": 0, "c": 1}, "q2": {"a": 2, "d": 1}}
RUNS = {
    "x": {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"d": 2.0, "e": 1.0, "a": 0.5}},
    "y": {"q1": {"b": 3.0, "c": 2.0}, "q2": {"a": 1.0}},
}
PYTREC = {
    "AP": "map",
    "AP@100": "map_cut_100",
    "nDCG": "ndcg",
    "nDCG@20": "ndcg_cut_20",
    "P@10": "P_10",
    "R@100": "recall_100",
    "Rprec": "Rprec",
    "RR": "recip_rank",
}


@pytest.fixture(scope="module")
def images():
    return corpus_bootstrap(QRELS, RUNS, ["AP", "nDCG"], corpus_size=50, n_images=200, rng=3)


def pack(judged, runs, corpus_size):
    """Return the rankings of which images are drawn."""
    return pack_rankings(Pool(read_qrels(judged), tuple(judged)), read_runs(runs), corpus_size)


def test_equals_pytrec_eval_on_rewritten_real_runs(robust03):
    """Two runs on eight queries of TREC 2003 Robust, three images, graded judgments."""
    qrels = read_qrels(robust03 / "qrels.txt.gz").to_dict()
    judged = {q: qrels[q] for q in list(qrels)[::13]}
    runs = {}
    for name in ("pircRBa1", "aplrob03a"):
        run = read_run(robust03 / f"{name}.run.gz").to_dict()
        runs[name] = {q: run[q] for q in judged}
    images = corpus_bootstrap(judged, runs, list(PYTREC), corpus_size=528_155, n_images=66, rng=1)
    packed = pack(judged, runs, 528_155)
    parsed = parse_measures(list(PYTREC))
    exact = bootstrap_documents(packed, parsed, 66, 1, precision=np.float64).scores
    np.testing.assert_array_equal(images.scores, exact.astype(np.float32))
    for image in (0, 31, 65):
        counts = counts_by_id(judged, runs, packed, 1, image)
        amended, amended_runs = rewritten(judged, runs, counts)
        evaluator = pytrec_eval.RelevanceEvaluator(amended, set(PYTREC.values()))
        for s, run in enumerate(amended_runs.values()):
            rows = evaluator.evaluate(run)
            theirs = [[rows[q][name] for q in judged] for name in PYTREC.values()]
            np.testing.assert_allclose(exact[:, s, :, image], theirs, rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_bootstrap_of_queries_without_relevant_documents(seed):
    """All analyses work where few of 50 queries have a relevant document."""
    rng = np.random.default_rng(seed)
    fraction = rng.random()
    made = simulate_collection(3, 50, 2000, 4, rng=seed)
    qrels = {
        query: {doc: int(grade > 0 and k == 0) for k, (doc, grade) in enumerate(docs.items())}
        if rng.random() < fraction
        else dict.fromkeys(docs, 0)
        for query, docs in made.qrels.to_dict().items()
    }
    runs = {run.name: run.to_dict() for run in made.runs}
    images = corpus_bootstrap(qrels, runs, ["AP", "P@5"], corpus_size=2000, n_images=3, rng=1)
    packed = pack(qrels, runs, 2000)
    amended, copies = rewritten(qrels, runs, counts_by_id(qrels, runs, packed, 1, 2))
    for s, run in enumerate(copies.values()):
        ap = [naive.average_precision(amended[q], run[q]) for q in qrels]
        precision = [naive.precision(amended[q], run[q], 5) for q in qrels]
        np.testing.assert_allclose(images.scores[:, s, :, 2], [ap, precision], atol=1e-7)
        np.testing.assert_allclose(images.means[:, s, 2], [np.mean(ap), np.mean(precision)])
    assert len(images.variance_split()) == 6


def test_bootstrap_result_has_names_and_sizes(images):
    assert images.scores.shape == (2, 2, 2, 200)
    assert images.scores.dtype == np.float32
    assert images.means.shape == (2, 2, 200)
    assert (images.n_images, images.n_kept, images.corpus_size, images.seed) == (200, 200, 50, 3)
    assert (images.measures, images.systems, images.queries) == (
        ("AP", "nDCG"),
        ("x", "y"),
        ("q1", "q2"),
    )
    assert [row.name for row in images.root.inputs] == ["qrels", "x", "y"]
    assert repr(images) == (
        "<CorpusBootstrap: 200 images of 50 documents, 2 systems, 2 queries, 2 measures>"
    )
    np.testing.assert_allclose(images.means, images.scores.mean(axis=2), atol=1e-6)


def test_bootstrap_arrays_are_read_only(images):
    for array in (images.scores, images.means):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0, 0] = 1


def test_seed_reproduces_images(images):
    with execution(threads=1):
        again = corpus_bootstrap(
            QRELS, RUNS, ["AP", "nDCG"], corpus_size=50, n_images=200, rng=images.seed
        )
    assert again.scores.tobytes() == images.scores.tobytes()
    generator = np.random.default_rng(1)
    first = corpus_bootstrap(QRELS, RUNS, "AP", corpus_size=50, n_images=64, rng=generator)
    two = corpus_bootstrap(QRELS, RUNS, "AP", corpus_size=50, n_images=64, rng=first.seed)
    assert first.scores.tobytes() == two.scores.tobytes()


def test_progress_counts_images():
    calls = []
    corpus_bootstrap(
        QRELS, RUNS, "AP", corpus_size=50, n_images=200, rng=1, progress=lambda *x: calls.append(x)
    )
    assert calls == [(64, 200), (128, 200), (192, 200), (200, 200)]


def test_image_means_are_near_the_root_except_for_rr():
    """Footnote 5. The noise of these shifts is 0.02 of a spread, so nothing hangs on it."""
    made = simulate_collection(3, 30, 5000, 100, rng=4)
    images = corpus_bootstrap(
        made.qrels,
        made.runs,
        ["RBP(p=0.95,rel=1)", "RR"],
        corpus_size=made.plan["corpus_size"],
        n_images=2000,
        rng=1,
    )
    shifts = images.means.mean(axis=2) - images.root.means()
    spreads = images.means.std(axis=2)
    assert (abs(shifts[0]) < 0.3 * spreads[0]).all()
    assert (shifts[1] < -0.6 * spreads[1]).all()


def test_mean_rbp_over_images_is_rbp_with_another_p():
    """Worked out: a document below k - 1 others has p^x above it, x Poisson with mean k - 1.

    The mean of p^x is q^(k - 1) with q = exp(-(1 - p)), and that of 1 - p^c is 1 - q: so images
    score RBP(q) on average, but for the corpus being finite. Noise: 4 standard errors, a false
    alarm of 2e-4 for the three systems together; RBP(p) itself is more than 5 of them away.
    """
    made = simulate_collection(3, 30, 500_000, 100, rng=4)
    images = corpus_bootstrap(
        made.qrels, made.runs, "RBP(p=0.8,rel=1)", corpus_size=500_000, n_images=4000, rng=1
    )
    expected = score(made.qrels, made.runs, f"RBP(p={math.exp(-0.2)!r},rel=1)").means()[0]
    errors = images.means[0].std(axis=1, ddof=1) / math.sqrt(images.n_images)
    assert (abs(images.means[0].mean(axis=1) - expected) < 4 * errors).all()
    assert (abs(images.means[0].mean(axis=1) - images.root.means()[0]) > 5 * errors).all()


def test_corpus_list_from_a_file(write):
    path = write("corpus.txt", "\n".join("abcdefgh") + "\n\n")
    images = corpus_bootstrap(QRELS, RUNS, "AP", corpus=path, n_images=64, rng=1)
    assert images.corpus_size == 8
    assert not [line for line in images.warnings if "list" in line]
    again = corpus_bootstrap(QRELS, RUNS, "AP", corpus=list("hgfedcba"), n_images=64, rng=1)
    assert again.scores.tobytes() == images.scores.tobytes()


def test_unlisted_documents_are_counted():
    images = corpus_bootstrap(QRELS, RUNS, "AP", corpus=list("abcxyz"), n_images=64, rng=1)
    assert images.corpus_size == 8
    assert (
        "judged or retrieved documents that are not in the list of the corpus; taken to belong to "
        "it: 2"
    ) in images.warnings


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty: no document id"),
        ("a\nb\na\n", "line 3: document 'a' is there twice"),
        ("a\nb\nb\n", "line 3: document 'b' is there twice"),
        ("a\nb c\n", "line 2: one document id expected; got 'b c'"),
    ],
)
def test_bad_corpus_lists_are_errors(write, text, message):
    with pytest.raises(InputError, match=message):
        corpus_bootstrap(QRELS, RUNS, "AP", corpus=write("corpus.txt", text), n_images=64)


@pytest.mark.parametrize(
    ("corpus", "message"),
    [
        (7, "a path or an iterable of ids is expected; got int"),
        (b"abc", "a path or an iterable of ids is expected; got bytes"),
        (["a", None], "an id is text; got None"),
        (["a", "b c"], "document 2: one document id expected; got 'b c'"),
        (["a", "b", "a", "a"], "document 3: document 'a' is there twice"),
    ],
)
def test_corpus_lists_of_wrong_types_are_errors(corpus, message):
    with pytest.raises(InputError, match=message):
        corpus_bootstrap(QRELS, RUNS, "AP", corpus=corpus, n_images=64)


def test_corpus_list_accepts_the_ids_of_runs(write):
    """A blank that is none to a reader of TREC text belongs to an id, and numbers become text."""
    qrels, runs = {"q": {"a\u00a0b": 1, "7": 0}}, {"x": {"q": {"a\u00a0b": 2.0, "7": 1.0}}}
    path = write("ids.txt", "a\u00a0b\r\n7\n8")
    for corpus in (path, ["a\u00a0b", 7, 8]):
        images = corpus_bootstrap(qrels, runs, "AP", corpus=corpus, n_images=64, rng=1)
        assert images.corpus_size == 3


def test_corpus_list_ids_like_comments_and_invalid_ids(write):
    from irbounds.reading.corpus_list import read_corpus

    path = write("ids.txt", "#6\n #7\n\t8\n")
    assert read_corpus(path).documents.strings() == ["#6", "#7", "8"]
    with pytest.raises(InputError, match="line 1: one document id expected; got '# a comment'"):
        read_corpus(write("ids.txt", "# a comment\n8\n"))
    for other in ("", "\ud800", None, True, 10**5000):
        with pytest.raises(InputError, match="the corpus: an id is text; got "):
            read_corpus(["a", other])


def test_long_corpus_list_is_read_in_chunks(write, monkeypatch):
    from irbounds.reading import corpus_list

    monkeypatch.setattr(corpus_list, "PIECE", 10)
    path = write("ids.txt", "\n".join(f"d{k}" for k in range(100)))
    assert len(corpus_list.read_corpus(path).documents) == 100
    assert len(corpus_list.read_corpus(map(str, range(100))).documents) == 100
    twice = write("twice.txt", "\n".join([*(f"d{k}" for k in range(100)), "", "d3"]))
    with pytest.raises(InputError, match="line 102: document 'd3' is there twice"):
        corpus_list.read_corpus(twice)


def test_corpus_list_is_an_input(write):
    path = write("ids.txt", "a\nb\nc\nd\ne\n")
    images = corpus_bootstrap(QRELS, RUNS, "AP", corpus=path, n_images=64, rng=1)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert (images.root.inputs[-1].name, images.root.inputs[-1].fingerprint) == (
        str(path),
        f"sha256:{digest}",
    )


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({}, ParameterError, "needs either corpus_size or corpus, "),
        (
            {"corpus_size": 9, "corpus": ["a"]},
            ParameterError,
            "needs either corpus_size or corpus, ",
        ),
        ({"corpus_size": 2.5}, ParameterError, "corpus_size must be an integer .* got 2.5"),
        ({"corpus_size": 2**63}, ParameterError, "corpus_size must be at most 1,000,000,000,000"),
        ({"corpus_size": 0}, ParameterError, "corpus_size must be an integer .* got 0"),
        ({"corpus_size": 4}, DataError, "at least the 5 documents .* got 4"),
        (
            {"corpus_size": 9, "n_images": 1},
            ParameterError,
            "n_images must be .* at least 2; got 1",
        ),
        ({"corpus_size": 9, "rng": -1}, ParameterError, "rng must be"),
        ({"corpus_size": 9, "queries": "some"}, ParameterError, "queries must be"),
    ],
)
def test_bootstrap_parameter_errors(options, error, message):
    with pytest.raises(error, match=message):
        corpus_bootstrap(QRELS, RUNS, "AP", **options)


def test_single_scores_are_stored_up_to_a_number_of_bytes(monkeypatch):
    """1,280 images x 100 queries x 3 systems at 4 bytes are 1.5 MB."""
    made = simulate_collection(3, 100, 2000, 50, rng=1)

    def bootstrap():
        return corpus_bootstrap(made.qrels, made.runs, "AP", corpus_size=2000, n_images=1280, rng=1)

    whole = bootstrap()
    monkeypatch.setattr(corpus_replicates, "MAX_STORED_BYTES", 1_000_000)
    part = bootstrap()
    assert (whole.n_kept, part.n_kept) == (1280, 833)
    assert any("first 833 images only" in line for line in part.warnings)
    assert (part.scores == whole.scores[..., :833]).all()
    assert (part.means == whole.means).all()
    monkeypatch.setattr(corpus_replicates, "MAX_STORED_BYTES", 0)
    assert bootstrap().n_kept == 100


@pytest.fixture(scope="module")
def made():
    return simulate_collection(3, 20, 5000, 400, rng=4)


def list_warnings(made, *, measures="RBP(p=0.95,rel=1)", runs=None, **options):
    options = {"corpus_size": 5000, "n_images": 200, "rng": 1, **options}
    return corpus_bootstrap(made.qrels, runs or made.runs, measures, **options).warnings


def cut(run, depth):
    """Return a run with its first documents only."""
    return {query: dict(list(docs.items())[:depth]) for query, docs in run.to_dict().items()}


def test_warning_of_short_runs(made):
    first, *others = made.runs
    runs = {first.name: cut(first, 12)} | {run.name: run for run in others}
    short = [line for line in list_warnings(made, runs=runs) if line.startswith("short runs")]
    assert short == [
        "short runs score too low on images, since nothing moves up where documents are missing "
        f"(maximum number of documents per query): '{first.name} (12)'"
    ]


def test_warning_of_a_run_much_shorter_than_others(made):
    runs = {"short": cut(made.runs[0], 100)} | {run.name: run for run in made.runs}
    assert not [
        line for line in list_warnings(made, runs=runs) if "short (" in line
    ]  # a quarter of 400
    deep = simulate_collection(2, 20, 5000, 500, rng=4)
    runs = {"short": cut(deep.runs[0], 100)} | {run.name: run for run in deep.runs}
    assert [line for line in list_warnings(deep, runs=runs) if "short (100)" in line]


def test_list_of_another_corpus_is_an_error(made):
    options = r"no judged document is in the list of the corpus: the list has 'x', 'y', \.\.\. and"
    with pytest.raises(DataError, match=options):
        list_warnings(made, corpus_size=None, corpus=["x", "y"])
