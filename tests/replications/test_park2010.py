"""Park (2010): the paper's tables on its data, and the command.

The tolerances were set before the numbers were known. Monte Carlo noise of a mean error is below
0.001 at full scale, so they allow for what the paper does not state, not for chance.
"""

from __future__ import annotations

import json

import numpy as np
import pytest

from irbounds.errors import DataError, InputError
from irbounds.planning.interval_coverage import CoveragePlan, tally_misses
from irbounds.replications import park2010 as study
from irbounds.replications.park2010 import (
    ALPHAS,
    METHODS,
    SIZES,
    THEIRS,
    DrawStandardised,
    count_agreeing_queries,
    replicate_park2010,
)
from irbounds.replications.park2011 import replicate_park2011
from irbounds.replications.study_data import has_data_file, read_ap_scores, simulate_scores


@pytest.fixture(scope="module")
def robust(data_directory):
    return read_ap_scores(data_directory, "robust2004_ap.csv")


@pytest.fixture(scope="module")
def adhoc(data_directory):
    return read_ap_scores(data_directory, "adhoc8_ap.csv")


def far(table, column=None):
    ours, theirs = np.array(table.ours), np.array(table.theirs)
    difference = np.abs(ours - theirs)
    return difference.max() if column is None else difference[:, column].max()


def check_park2010(tables, slack=0.0):
    tables = {table.number: table for table in tables}
    for number, reach in ((1, 0.012), (2, 0.02), (3, 0.012), (4, 0.012), (5, 0.02)):
        assert far(tables[number], column=0) < reach + slack, number
    assert far(tables[6]) < 0.02 + slack
    widths = tables[7]
    for ours, theirs, noise in zip(widths.ours[0], widths.theirs[0], widths.noise[0], strict=True):
        assert abs(ours - theirs) < max(0.15 * theirs, 2 * noise)
    # closer than required, where the tail is lighter: other standard deviations would be 12 % off
    ours, theirs = np.array(widths.ours[0][1:]), np.array(widths.theirs[0][1:])
    assert np.abs(ours / theirs - 1).max() < 0.06


@pytest.mark.slow
def test_park2010_with_fewer_samples(robust, adhoc):
    tables = replicate_park2010(robust, adhoc, n_samples=200, rng=1)
    check_park2010(tables, slack=0.006)  # four standard errors of the noise of 200 samples
    assert [table.number for table in tables] == list(range(1, 9))
    # what the paper is about: t on AP is too short, and standardising mends it
    assert tables[1].ours[0][0] > 0.07
    assert tables[3].ours[0][0] < 0.06


@pytest.mark.slow
def test_park2010_at_full_scale(robust, adhoc):
    check_park2010(replicate_park2010(robust, adhoc, rng=0))


def test_five_systems_rarely_agree(robust, adhoc):
    assert count_agreeing_queries(robust, 1) < 0.05
    assert count_agreeing_queries(adhoc, 1) < 0.05


def test_topics_on_which_references_agree_are_left_out():
    """With scores of 0 and 1 five systems often agree; nothing breaks, and no interval is wild."""
    rng = np.random.default_rng(2)
    population = simulate_scores(8, 60, 1)
    values = rng.integers(0, 2, size=population.values.shape).astype(float)
    coarse = type(population)(population.measures, population.systems, population.queries, values)
    assert count_agreeing_queries(coarse, 1) == pytest.approx(60 / 16, rel=0.4)
    tables = replicate_park2010(coarse, coarse, n_samples=50, rng=1)
    assert np.isfinite(tables[6].ours).all()
    assert max(tables[6].ours[0][1:]) < 10
    assert len(tables[6].columns) == len(SIZES)


def test_no_sample_contains_a_topic_on_which_references_agree():
    rng = np.random.default_rng(3)
    scores = rng.random((9, 40))
    scores[:, 5:] = 0.5  # on these all systems agree
    drawn = DrawStandardised(scores)(2, 4, 200, rng)
    assert drawn.scores.shape == (200, 4)
    assert (drawn.scores != 0).all()
    assert np.abs(drawn.mean).max() < 20


def test_same_seed_gives_same_tables_and_progress_is_complete():
    population, other = simulate_scores(8, 60, 1), simulate_scores(7, 55, 2)
    steps = []
    first = replicate_park2010(
        population, other, n_samples=20, rng=3, progress=lambda *step: steps.append(step)
    )
    assert np.array_equal(
        first[4].ours, replicate_park2010(population, other, n_samples=20, rng=3)[4].ours
    )
    assert steps == [(20 * k, 20 * 95) for k in range(1, 96)]  # samples
    steps.clear()
    options = {"n_samples": 20, "n_resamples": 40, "rng": 3}
    tables = replicate_park2011(population, progress=lambda *step: steps.append(step), **options)
    assert tables == replicate_park2011(population, **options)
    assert steps == [(20 * k, 20 * 24) for k in range(1, 25)]


def test_too_small_population_is_an_error():
    small = simulate_scores(5, 60, 1)
    with pytest.raises(DataError, match="at least 6 systems and 50 queries; got 5 and 60"):
        replicate_park2010(small, small, n_samples=2)
    with pytest.raises(DataError, match="at least 2 systems and 20 queries; got 8 and 15"):
        replicate_park2011(simulate_scores(8, 15, 1), n_samples=2)


def test_missing_file_is_an_error(tmp_path):
    with pytest.raises(InputError, match=r"no robust2004_ap\.csv here, nor in a directory scores"):
        read_ap_scores(tmp_path, "robust2004_ap.csv")


def test_without_data_a_collection_is_simulated(irbounds, monkeypatch):
    monkeypatch.setattr(study, "ROBUST", ("robust2004_ap.csv", 8, 60))
    monkeypatch.setattr(study, "TREC3", ("adhoc3_ap.csv", 7, 20))
    done = irbounds("study", "park2010", "--n-samples", "4", IRBOUNDS_DATA="")
    text = done.stdout.decode()
    assert done.returncode == 0, done.stderr
    assert "simulated collection: the paper's numbers are for comparison" in text
    assert "TREC-8" not in text
    for number in range(1, 9):
        assert f"Table {number}: " in text
    assert "  paper   20.217   3.456   2.172   1.518   0.981" in text


def test_decimals_are_those_of_the_paper(irbounds):
    done = irbounds("study", "park2010", "--digits", "2")
    assert done.returncode == 2
    assert b"--digits" in done.stderr


# ---- Table 8 ----


def mean_sd_max(scores, *, others_only, seeds):
    """Return Table 8 (level x mean, sd and max over systems), averaged over seeds."""
    tables = []
    for seed in seeds:
        plan = CoveragePlan(METHODS, [1 - a for a in ALPHAS], 1000, n_resamples=0, seed=seed)
        draw = DrawStandardised(scores, others_only=others_only)
        errors = tally_misses(draw, len(scores), 5, plan).errors[:, METHODS.index("student-t")]
        tables.append([errors.mean(axis=0), errors.std(axis=0, ddof=1), errors.max(axis=0)])
    return np.mean(tables, axis=0).T


def test_table_8_on_trec3_meets_the_paper(data_directory):
    """Means over two seeds; one seed has a standard deviation of 0.003 at most.

    The maximum is that of one system: 0.118 at alpha = 0.05 with a standard deviation of 0.009, so
    the paper's 0.142 is 2.7 of them away, and at other levels less.
    """
    if not has_data_file(data_directory, "scores", "adhoc3_ap.csv"):
        pytest.skip(f"needs adhoc3_ap.csv, which is not in {data_directory}")
    scores = read_ap_scores(data_directory, "adhoc3_ap.csv").values[0]
    assert scores.shape == (40, 50)
    theirs = np.array(THEIRS[8])
    ours = mean_sd_max(scores, others_only=True, seeds=(0, 1))
    assert np.abs(ours - theirs)[:, 0].max() < 0.005
    assert np.abs(ours - theirs)[:, 1].max() < 0.006
    assert np.abs(ours - theirs)[:, 2].max() < 0.035
    # negative control: with the system itself among the five, systems differ less than in the paper
    own_too = mean_sd_max(scores, others_only=False, seeds=(0, 1))
    assert own_too[0, 1] < ours[0, 1] - 0.001
    assert np.abs(own_too - theirs)[:, 0].max() > np.abs(ours - theirs)[:, 0].max()


def test_a_system_is_never_among_the_others_that_it_is_standardised_by():
    """With six systems the five others are always the same, so the scores are known."""
    rng = np.random.default_rng(3)
    scores = rng.random((6, 30))
    drawn = DrawStandardised(scores, others_only=True)(2, 4, 50, rng)
    others = np.delete(scores, 2, axis=0)
    expected = (scores[2] - others.mean(axis=0)) / others.std(axis=0, ddof=1)
    assert drawn.mean == pytest.approx(np.full(50, expected.mean()))
    assert np.isclose(drawn.scores[..., None], expected).any(axis=2).all()
    mixed = DrawStandardised(scores)(2, 4, 50, rng)
    assert len(np.unique(mixed.mean.round(9))) > 1


@pytest.fixture
def data(tmp_path):
    """A data directory with small tables for Tables 1 to 7 (8 systems) and TREC-3 (7 systems)."""
    rng = np.random.default_rng(7)
    (tmp_path / "scores").mkdir()
    for name, n_queries, n_systems in (("robust2004_ap", 60, 8), ("adhoc3_ap", 20, 7)):
        # with the quotes that write.csv of R puts around names
        lines = [",".join(f'"sys{s}"' for s in range(n_systems))]
        lines += [",".join(f"{x:.4f}" for x in row) for row in rng.random((n_queries, n_systems))]
        (tmp_path / "scores" / f"{name}.csv").write_text("\n".join(lines) + "\n")
    return tmp_path


def test_table_8_reads_trec3_where_it_is(irbounds, data):
    command = ("study", "park2010", "--data", ".", "--n-samples", "4", "--format", "json")
    written = json.loads(irbounds(*command).stdout)
    assert [one["name"].rpartition("/")[2] for one in written["inputs"]] == [
        "robust2004_ap.csv",
        "adhoc3_ap.csv",
    ]
    assert "Table 8: the five systems are drawn from the other 6, not from all" in written["notes"]
    first = next(row for row in written["results"] if row["table"] == 8)
    assert first["theirs"] == 0.055
    population, other = (
        read_ap_scores(data, name) for name in ("robust2004_ap.csv", "adhoc3_ap.csv")
    )
    tables = replicate_park2010(population, other, n_samples=4, rng=0, others_only=True)
    assert first["ours"] == tables[7].ours[0][0]
    assert tables[:7] == replicate_park2010(population, other, n_samples=4, rng=0)[:7]


def test_table_8_is_on_trec8_where_trec3_is_missing(irbounds, data):
    (data / "scores" / "adhoc3_ap.csv").rename(data / "scores" / "adhoc8_ap.csv")
    done = irbounds("study", "park2010", "--data", ".", "--n-samples", "4")
    assert done.returncode == 0, done.stderr
    assert b"Table 8 is on TREC-8 in place of TREC-3, which is not among the data" in done.stdout
    (data / "scores" / "adhoc8_ap.csv").unlink()
    done = irbounds("study", "park2010", "--data", ".", "--n-samples", "4")
    assert done.returncode == 2
    assert b".: no adhoc8_ap.csv here" in done.stderr
