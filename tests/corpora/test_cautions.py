"""What is said about images before anyone reads them."""

import numpy as np
import pytest

from irbounds import corpus_bootstrap
from irbounds.errors import DataError
from irbounds.simulation import simulate_collection


@pytest.fixture(scope="module")
def made():
    return simulate_collection(3, 20, 5000, 400, rng=4)


def said(made, *, measures="RBP(p=0.95,rel=1)", runs=None, **options):
    options = {"corpus_size": 5000, "n_images": 200, "rng": 1, **options}
    return corpus_bootstrap(made.qrels, runs or made.runs, measures, **options).warnings


def cut(run, depth):
    """A run with its first documents alone."""
    return {query: dict(list(docs.items())[:depth]) for query, docs in run.to_dict().items()}


def test_nothing_odd_nothing_said(made):
    assert said(made) == ()


def test_short_runs_are_named_with_their_length(made):
    first, *others = made.runs
    runs = {first.name: cut(first, 12)} | {run.name: run for run in others}
    short = [line for line in said(made, runs=runs) if line.startswith("short runs")]
    assert short == [
        "short runs score too low on images, since nothing moves up where documents are missing "
        f"(most documents of a query): {first.name} (12)"
    ]


@pytest.mark.parametrize(("depth", "n_short"), [(99, 3), (100, 0)])
def test_runs_that_are_all_short(made, depth, n_short):
    runs = {run.name: cut(run, depth) for run in made.runs}
    assert sum(line.count("(99)") for line in said(made, runs=runs)) == n_short


def test_a_run_much_shorter_than_the_others(made):
    runs = {"short": cut(made.runs[0], 100)} | {run.name: run for run in made.runs}
    assert not [line for line in said(made, runs=runs) if "short (" in line]  # a quarter of 400
    deep = simulate_collection(2, 20, 5000, 500, rng=4)
    runs = {"short": cut(deep.runs[0], 100)} | {run.name: run for run in deep.runs}
    assert [line for line in said(deep, runs=runs) if "short (100)" in line]


def test_a_measure_that_images_shift():
    made = simulate_collection(3, 150, 5000, 400, rng=4)
    (line,) = said(made, measures=["RBP(p=0.95,rel=1)", "RR"])
    images = corpus_bootstrap(made.qrels, made.runs, "RR", corpus_size=5000, n_images=200, rng=1)
    low, high = np.quantile(images.means[0], (0.025, 0.975), axis=1)
    roots = images.root.means()[0]
    names = [
        s for s, a, r, b in zip(images.systems, low, roots, high, strict=True) if not a <= r <= b
    ]
    assert line.startswith("RR: images lie below the corpus, by about 0.")
    assert f"{len(names)} of 3 systems ({', '.join(names)}); docs/corpus.md says why" in line


def test_few_images(made):
    assert said(made, n_images=99) == (
        "99 images are few: standard deviations and intervals are rough",
    )


def test_a_list_of_another_corpus(made):
    wanted = r"no judged document is in the list of the corpus: the list has 'x', 'y', \.\.\. and"
    with pytest.raises(DataError, match=wanted):
        said(made, corpus_size=None, corpus=["x", "y"])
