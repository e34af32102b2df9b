"""A checkpoint of other work is refused with the options that were changed, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import irbounds
import sample_work
from every_result import collection
from irbounds.errors import CheckpointError
from irbounds.parallel import checkpoint
from irbounds.parallel import work as work_module
from irbounds.parallel.checkpoint import describe_work
from irbounds.parallel.digests import library_versions
from irbounds.parallel.work import bind, run_work
from irbounds.verbs.chance import chance as chance_levels

UNITS = 12
SCORES = np.arange(20) / 20
TWO = pl.DataFrame({"a": SCORES, "b": SCORES[::-1] ** 2})


def refused(directory: Path, reason: str):
    message = (
        f"{directory}: this checkpoint is of other work: {reason}; give another directory, or "
        "remove this one"
    )
    return pytest.raises(CheckpointError, match=f"^{re.escape(message)}$")


def draw(
    directory: Path, n_units: int = UNITS, function=sample_work.draw, what="samples", **shared
):
    chosen = {"seed": 1, "n": 5} | shared
    options = {"seed": chosen["seed"]}
    work = bind(function, what, options=options, inputs={"n": "the sizes"}, **chosen)
    with irbounds.execution(checkpoint=directory):
        return list(run_work(work, n_units, cost=1.0))


def other_draw(unit, *, seed, n, more=1):
    return sample_work.draw(unit, seed=seed, n=n)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"seed": 2}, "seed is 1 there and 2 here"),
        ({"seed": 2, "n": 6, "n_units": 13}, "seed is 1 there and 2 here"),
        ({"n": 6, "n_units": 13}, "the sizes differ"),
        ({"n_units": 13}, "its size is 12 there and 13 here"),
        ({"what": "others", "seed": 2}, "samples there and others here"),
        ({"function": other_draw}, f"sample_work.draw there and {__name__}.other_draw here"),
        ({"function": other_draw, "more": 2}, "the data that it is computed from differ (more)"),
    ],
)
def test_changed_options_are_named_before_their_consequences(tmp_path, change, reason):
    draw(tmp_path)
    with refused(tmp_path, reason):
        draw(tmp_path, **change)


@pytest.mark.parametrize("name", ["irbounds", "numpy"])
def test_another_version_is_refused(tmp_path, monkeypatch, name):
    draw(tmp_path)
    here = library_versions()
    monkeypatch.setattr(checkpoint, "library_versions", lambda: here | {name: "9.9"})
    with refused(tmp_path, f"{name} is {here[name]} there and 9.9 here"):
        draw(tmp_path)


def test_inputs_must_be_shared_arguments():
    with pytest.raises(TypeError, match="samples: in inputs but not shared: colums"):
        bind(sample_work.draw, "samples", inputs={"colums": "the scores"}, columns=SCORES)


def means(scores=TWO, **options):
    chosen = {"method": "percentile", "n_resamples": 200, "rng": 1} | options
    irbounds.mean_interval(scores, **chosen)


def differences(**options):
    irbounds.difference_interval(TWO[:8], **({"baseline": "a", "test": "sign-flip"} | options))


def flipped(**options):
    scores = np.random.default_rng(1).random((2, 40))
    frame = pl.DataFrame({"a": scores[0], "b": scores[1]})
    irbounds.difference_interval(
        frame, **({"n_resamples": 300, "test": "sign-flip", "rng": 1} | options)
    )


def images(corpus_size=40, measure="AP", more=None, n_images=70):
    judged, runs = collection()
    runs["a.b"]["q0"].update(more or {})
    options = {"corpus_size": corpus_size, "n_images": n_images, "rng": 1}
    return irbounds.corpus_bootstrap(judged, runs, [measure], **options)


def chance(**options):
    judged, runs = collection()
    chosen = {"corpus_size": 40, "method": "monte-carlo", "n_draws": 200, "seed": 1} | options
    chance_levels(judged, runs, measures=chosen.pop("measures", ["AP"]), **chosen)


CORPUS = "the runs, judgments or corpus differ"
ROWS = [
    (means, {"n_resamples": 300}, "n_resamples is 200 there and 300 here"),
    (means, {"method": "studentised"}, "standard_errors is False there and True here"),
    (means, {"scores": TWO[:19]}, "the scores differ"),
    (
        means,
        {"n_resamples": 300, "rng": 2},
        "n_resamples is 200 there and 300 here, seed is 1 there and 2 here",
    ),
    (differences, {"alternative": "less"}, "alternative is 'two-sided' there and 'less' here"),
    (flipped, {"rng": 2}, "seed is 1 there and 2 here"),
    (images, {"corpus_size": 50}, "corpus_size is 40 there and 50 here"),
    (images, {"n_images": 80}, "n_images is 70 there and 80 here"),
    (images, {"measure": "P@5"}, "measures is ['AP'] there and ['P@5'] here"),
    (images, {"more": {"d99": 99.0}}, CORPUS),
    (chance, {"corpus_size": 50}, "n_documents is 40 there and 50 here"),
    (chance, {"n_draws": 300}, "n_draws is 200 there and 300 here"),
    (chance, {"measures": ["RR"]}, "measures is ['AP'] there and ['RR'] here"),
]


@pytest.mark.parametrize(
    ("work", "change", "reason"), ROWS, ids=[f"{w.__name__} {' '.join(c)}" for w, c, _ in ROWS]
)
def test_the_changed_option_is_named(tmp_path, monkeypatch, work, change, reason):
    monkeypatch.chdir(tmp_path)
    with irbounds.execution(checkpoint="c", threads=1):
        work()
    with irbounds.execution(checkpoint="c", threads=1), refused(Path("c"), reason):
        work(**change)


def test_other_work_is_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    kinds = {
        means: "resampled queries",
        images: "images of a corpus",
    }
    for work, kind in kinds.items():
        with irbounds.execution(checkpoint=kind, threads=1):
            work()
        for other in kinds.keys() - {work}:
            said = refused(Path(kind), f"{kind} there and {kinds[other]} here")
            with irbounds.execution(checkpoint=kind, threads=1), said:
                other()


def test_subdirectories_are_named_by_the_work(tmp_path):
    with irbounds.execution(checkpoint=tmp_path / "c", threads=1):
        means()
        flipped()
    assert sorted(path.name for path in (tmp_path / "c").iterdir()) == [
        *("0001-resampled-queries", "0002-drawn-sign-flip-tests")
    ]


def test_a_description_shows_short_values_and_digests_of_others():
    options = {"seed": 3, "methods": ["bca"]}
    shared = {"columns": SCORES, "places": (1, 2), "names": ["x" * 99]}
    account = describe_work(bind(sample_work.draw, "samples", options=options, **shared), 4)
    assert account["options"] == {"seed": "3", "methods": "['bca']"}
    assert account["others"]["places"] == "(1, 2)"
    assert account["others"]["columns"].startswith("sha256:")
    assert account["others"]["names"].startswith("sha256:")
    assert (account["what"], account["function"], account["n_units"]) == (
        *("samples", "sample_work.draw", 4),
    )


def test_every_kind_of_work_describes_its_options_and_inputs(monkeypatch):
    """Check the seed, if there is one, and the inputs of every kind of work."""
    accounts = {}
    run_blocks = work_module._run_blocks

    def record(work, n_units, *rest):
        accounts[work.what] = describe_work(work, n_units)
        return run_blocks(work, n_units, *rest)

    monkeypatch.setattr(work_module, "_run_blocks", record)
    with irbounds.execution(threads=1):
        for work in (
            means,
            differences,
            flipped,
            chance,
        ):
            work()
    assert len(accounts) >= 5
    for what, account in accounts.items():
        assert account["inputs"], what
        assert "seed" in account["options"] or what == "exact sign-flip tests"
