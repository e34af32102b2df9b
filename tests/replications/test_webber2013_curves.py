"""Webber (2013) without random samples: figures, Table XII, and what the text says of them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from irbounds.errors import DataError, InputError
from irbounds.replications.paper_tables import StudyTable
from irbounds.replications.webber2013 import finding_sentences, webber_tables
from irbounds.replications.webber2013_collections import RENAMED, THEIRS, legal09_table
from irbounds.replications.webber2013_curves import (
    BUDGETS,
    QUALITIES,
    SIZES,
    SPLITS,
    bias_table,
    coverage_table,
    estimator_table,
    figure_tables,
    prior_table,
    width_tables,
)

#: sums down the columns and along the rows of Table XII, added up from the paper's text
COLUMN_SUMS = (9.932, 7.724, 11.058, 8.303, 11.553, 7.224, 11.114)
# fmt: off
ROW_SUMS = (
    4.980, 3.165, 1.321, 1.086, 4.581, 3.947, 5.592, 3.853, 1.122, 0.189, 5.153, 2.077,
    1.361, 4.674, 3.205, 2.030, 0.550, 0.309, 0.076, 0.064, 5.291, 5.230, 3.722, 3.330,
)
# fmt: on


@pytest.fixture(scope="module")
def widths():
    """Figures 15, 16 and 17, by row and column."""
    return [
        {row: dict(zip(table.columns, ours, strict=True)) for row, ours in _rows(table)}
        for table in width_tables()
    ]


@pytest.fixture(scope="module")
def legal(data_folder):
    """Table XII and its input, and the steps that were reported."""
    steps = []
    table, inputs = legal09_table(data_folder, lambda done, total: steps.append((done, total)))
    return table, inputs, steps


def _rows(table):
    return zip(table.rows, table.ours, strict=True)


def _column(table, name):
    place = table.columns.index(name)
    return np.array([row[place] for row in table.ours])


# Figures 2 and 3: the estimator's bias


def test_the_mean_estimate_of_table_iii():
    table = estimator_table()
    assert table.ours[0] == pytest.approx((0.25, 0.31), abs=0.005)
    assert table.theirs == ((0.25, 0.31),)


def test_the_bias_of_figure_3():
    """Less with larger samples, more with lower yield, less with higher recall (section 2.4)."""
    table = bias_table()
    bias = np.array(table.ours)
    assert (np.diff(bias, axis=1) < 0).all()
    assert (np.diff(bias[:3], axis=0) > 0).all()
    assert (bias[3] < bias[2]).all()
    assert bias[0][2] == pytest.approx(estimator_table().ours[0][1] - 0.25)  # Table III
    assert table.rows[2:] == ("300, recall 0.25", "300, recall 0.77")


# Figures 4 to 7: coverage of a proportion


def test_mean_coverages_but_for_wald_s_are_the_paper_s():
    table = coverage_table()
    means = dict(zip(table.rows, _column(table, "mean"), strict=True))
    assert means["clopper-pearson"] == pytest.approx(0.977, abs=0.0005)
    assert means["wilson"] == pytest.approx(0.953, abs=0.0005)
    assert means["jeffreys"] == pytest.approx(0.951, abs=0.0005)
    assert means["wald"] == pytest.approx(0.846, abs=0.0005)


def test_the_paper_s_mean_of_wald_has_n_minus_1_in_its_variance():
    table = coverage_table()
    means = dict(zip(table.rows, (row[0] for row in table.ours), strict=True))
    assert means["wald, n - 1"] == pytest.approx(0.851, abs=0.00051)


def test_what_the_text_says_of_coverage():
    lowest = dict(zip(coverage_table().rows, _column(coverage_table(), "lowest"), strict=True))
    assert lowest["clopper-pearson"] >= 0.95  # the exact one
    assert lowest["wald"] < 0.02  # "close to 0 for edge cases"
    assert 0.8 < lowest["wilson"] < 0.95  # negative control: an approximate one is not exact


# Figure 8


def test_the_table_of_priors():
    table = prior_table()
    at_four_fifths = _column(table, "80%")
    assert (at_four_fifths > 0.48).all()
    assert (at_four_fifths < 0.5).all()
    assert (np.diff(np.array(table.ours), axis=1) > 0).all()  # alpha grows with the share
    assert (np.diff(_column(table, "20%")) > 0).all()
    assert (np.diff(_column(table, "95%")) < 0).all()


# Figures 15 to 17


def test_a_higher_yield_is_narrower_and_less_sensitive_to_the_split(widths):
    by_yield = [np.array(list(widths[0][f"{size:,}"].values())) for size in SIZES]
    between = slice(SPLITS.index(0.05), SPLITS.index(0.5) + 1)
    for high, low in itertools.pairwise(by_yield):
        assert (high < low).all()
        assert np.ptp(high[between]) < np.ptp(low[between])


def test_a_lower_yield_wants_more_of_the_sample_outside(widths):
    best = [min(row, key=row.get) for row in widths[0].values()]
    assert [float(share.rstrip("%")) for share in best] == [20.0, pytest.approx(7.5, abs=3), 2.0]


def test_a_fifth_is_not_far_from_the_best_in_figure_16(widths):
    for row in widths[1].values():
        assert row["20%"] < 1.15 * min(row.values())
        assert row["90%"] > 1.5 * min(row.values())  # negative control: nine tenths is far


def test_quality_and_width(widths):
    by_quality = dict(zip(QUALITIES, widths[1].values(), strict=True))
    precise, thorough = by_quality[0.2, 0.8], by_quality[0.8, 0.2]
    assert all(precise[share] < thorough[share] for share in precise)


def test_the_normal_width_falls_with_the_root_of_the_sample(widths):
    for size in SIZES[:2]:  # a set of 5,000 is sampled whole before long
        row = list(widths[2][f"{size:,}, normal"].values())
        for (one, n), (other, m) in itertools.pairwise(zip(row, BUDGETS, strict=True)):
            assert one / other == pytest.approx((m / n) ** 0.5, rel=0.05)


def test_beta_binomial_and_normal_agree_where_there_is_much_to_see(widths):
    both = [widths[2][f"500,000, {method}"] for method in ("beta-binomial", "normal")]
    assert both[0]["50,000"] == pytest.approx(both[1]["50,000"], rel=0.01)
    few = [widths[2][f"5,000, {method}"] for method in ("beta-binomial", "normal")]
    assert few[0]["100"] < 1 < few[1]["100"]  # normal intervals wider than all that is possible


# Table XII


def test_no_digit_of_table_xii_is_off():
    """One wrong digit changes the sum of its row and that of its column."""
    table = np.array(list(THEIRS.values()))
    assert table.shape == (24, 7)
    assert table.sum(axis=0) == pytest.approx(COLUMN_SUMS)
    assert table.sum(axis=1) == pytest.approx(ROW_SUMS)


def test_table_xii_is_met(legal):
    table, inputs, steps = legal
    ours, theirs = np.array(table.ours), np.array(table.theirs)
    closed = [0, 3, 4, 5, 6]  # recall, normal, Laplace
    assert [[f"{x:.3f}" for x in row] for row in ours[:, closed]] == [
        [f"{x:.3f}" for x in row] for row in theirs[:, closed]
    ]
    assert np.abs(ours - theirs)[:, 1:3].max() < 0.0015
    assert [one.name.endswith("legal09_strata.csv") for one in inputs] == [True]
    assert steps == [(k, 24) for k in range(1, 25)]


def test_a_team_taken_for_another_would_show(data_folder, monkeypatch):
    """Negative control: the numbers tell teams of a topic apart."""
    monkeypatch.setitem(RENAMED, ("204", "UD"), "CB")
    table, _ = legal09_table(data_folder)
    assert np.abs(np.array(table.ours) - np.array(table.theirs)).max() > 0.05


def test_the_folder_itself_will_do_and_a_wrong_one_is_named(data_folder, tmp_path):
    own, whole = (legal09_table(one)[1] for one in (data_folder / "legal09", data_folder))
    assert own == whole
    with pytest.raises(
        InputError, match=r"no legal09_strata\.csv here, nor in a directory legal09"
    ):
        legal09_table(tmp_path)
    sheet = "teams,pattern,N,n,r2\nA B,RN,9,3,1\nA B,NR,9,3,1\n"
    (tmp_path / "legal09_strata.csv").write_text(sheet)
    with pytest.raises(DataError, match="no team UW in topic 201, which Table XII has"):
        legal09_table(tmp_path)


# what is said and shown


def test_sentences_and_tables(legal):
    tables = [*figure_tables(), legal[0]]
    said = finding_sentences(tables)
    assert said == [
        "Figure 2: 2 of 2 numbers within half of the last printed digit; "
        "farthest apart 0.0042 (Table III, mean estimate)",
        "Figures 4 to 7: 4 of 5 numbers within half of the last printed digit; "
        "farthest apart 0.0052 (wald, mean)",
        "Table XII, numbers met to every printed digit: recall 24 of 24, "
        "beta-binomial 43 of 48, normal 48 of 48, laplace 48 of 48",
        "Table XII, beta-binomial: the paper's ends are quantiles of 10,000 draws, ours are "
        "computed; farthest apart 0.0010 (203 UW)",
    ]
    shown = {table.title.split(":")[0]: table for table in webber_tables(tables)}
    assert shown["Figure 8"].headings[:3] == ("documents", "10%", "20%")  # nothing printed
    assert shown["Figures 4 to 7"].cells[1] == ("wald", "0.846", "0.851", "-0.005", "0.005")
    row = next(cells for cells in shown["Table XII"].cells if cells[0] == "203 UW")
    assert row[1:4] == ("0.865", "0.624-0.881", "0.625-0.881")
    assert row[4:] == ("0.832-0.897", "=", "0.552-0.940", "=")
    assert len(shown["Table XII"].records) == 24 * 7
    assert shown["Table XII"].records[0]["table"] == "Table XII"


def _study(name, rows, columns, ours, theirs, decimals=3):
    return StudyTable(
        "webber2013", 9, "t", "method", rows, columns, ours, theirs, (), decimals, name
    )


def test_half_a_digit_is_the_printed_number_and_more_is_not():
    table = _study("Figure 0", ("a",), ("x", "y", "z"), ((0.1004, 0.1006, 0.3),),
                   ((0.1, 0.1, float("nan")),))  # fmt: skip
    assert finding_sentences([table]) == [
        "Figure 0: 1 of 2 numbers within half of the last printed digit; "
        "farthest apart 0.0006 (a, y)"
    ]


def test_tables_ix_and_x_are_met_within_tolerances():
    rows = ("naive-binomial", "normal", "koopman")
    errors = _study(
        "Table IX", rows, ("small", "mean"), ((0.9, 0.9), (0.18, 0.9), (0.033, 0.9)),
        ((0.1, 0.1), (0.155, 0.1), (0.026, 0.1)),
    )  # fmt: skip
    widths = _study(
        "Table X", rows, ("small width", "small cvr"), ((0.9, 0.9), (0.229, 0.904), (0.259, 0.981)),
        ((0.1, 0.1), (0.21, 0.89), (0.24, 0.97)), 2,
    )  # fmt: skip
    assert finding_sentences([errors, widths]) == [
        "Table IX, the normal family: 1 of 1 within 0.03 (rmse) of the paper's",
        "Table IX, koopman and the posteriors: 0 of 1 within 0.006 (rmse) of the paper's; "
        "not: koopman, small (0.033, paper 0.026)",
        "Table X, the normal family: 2 of 2 within 0.02 (width) and 0.015 (cvr) of the paper's",
        "Table X, koopman and the posteriors: 1 of 2 within 0.02 (width) and 0.01 (cvr) of the "
        "paper's; not: koopman, small cvr (0.981, paper 0.97)",
    ]


def test_a_wide_table_is_shown_in_parts():
    columns = tuple(f"{s} {what}" for s in "abc" for what in ("width", "cvr"))
    table = _study("Table X", ("koopman",), columns, ((0.1,) * 6,), ((0.2,) * 6,))
    parts = webber_tables([table])
    assert [part.headings[1] for part in parts] == ["a width", "b width", "c width"]
    assert sum(len(part.records) for part in parts) == 6
