"""Bestgen (2015): the paper's tables and claims, by its procedure and by our closed form."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import subprocess
import sys
from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pytest

from irbounds import expected_score
from irbounds.presentation.html.page import extract_provenance_block
from irbounds.replications.bestgen2015 import (
    PREVALENCES,
    SIZES,
    THEIR_SCORES,
    THEIR_TERMS,
    claims_table,
    curve_points,
    least_size_below,
    procedure_table,
    procedure_terms,
    rankings_table,
    replicate_bestgen2015,
)
from irbounds.replications.bestgen2015_presentation import finding_sentences, make_bestgen_tables
from irbounds.replications.commands import bestgen2015


@pytest.fixture(scope="module")
def study():
    return replicate_bestgen2015()


def difference(n_documents, n_relevant):
    """What the exact value has above the prevalence, in fractions: the study's closed form."""
    if n_documents == 1:
        return Fraction(0)
    others = sum(Fraction(1, n) for n in range(2, n_documents + 1)) / (n_documents - 1)
    return (1 - Fraction(n_relevant, n_documents)) * others


def by_procedure(n_documents, n_relevant):
    terms = procedure_terms(n_documents, n_relevant)
    return sum(term.contribution for term in terms) / n_relevant


def test_table_1_as_printed():
    table = rankings_table()
    scores = {row: ours for row, (ours,) in zip(table.rows, table.ours, strict=True)}
    assert (table.rows[0], table.rows[9]) == ("11000", "00011")
    assert [round(scores[row], 2) for row in table.rows[:10]] == list(THEIR_SCORES)
    assert sum(THEIR_SCORES) == pytest.approx(5.93)  # the paper adds what it has rounded
    assert scores["sum"] == 5.925
    assert scores["expected AP"] == 0.5925
    assert table.theirs[-1] == (0.593,)


def test_table_2_as_printed_but_for_one_contribution():
    table = procedure_table()
    assert table.rows[:8] == ("1, 1", "1, 2", "1, 3", "1, 4", "2, 2", "2, 3", "2, 4", "2, 5")
    off = np.abs(np.array(table.ours[:8]) - np.array(THEIR_TERMS))
    halves = np.array([0.05, 0.005, 0.05, 0.0005]) + 1e-12
    assert np.argwhere(off > halves).tolist() == [[5, 3]]
    assert table.ours[5][3] == pytest.approx(0.4 / 3)  # printed as 0.2 x 0.67
    contributions = [row[3] for row in THEIR_TERMS]
    assert sum(contributions) == pytest.approx(1.186)
    assert [row[3] for row in table.ours[8:]] == [1.185, 0.5925]


def test_final_probabilities_of_each_document_sum_to_one():
    """The paper's footnote: they sum to 1 for each i, and the hypergeometric ones do not."""
    for n_documents, n_relevant in [(5, 2), (10, 4), (12, 1), (7, 7)]:
        terms = list(procedure_terms(n_documents, n_relevant))
        assert len(terms) == n_relevant * (n_documents - n_relevant + 1)
        for i in range(1, n_relevant + 1):
            assert sum(term.final for term in terms if term.i == i) == 1
    assert sum(term.dhyper for term in procedure_terms(5, 2) if term.i == 1) == 2


def test_example_call_of_the_paper():
    assert f"{float(by_procedure(10, 4)):.7f}" == "0.5285979"
    assert expected_score(10, 4) == pytest.approx(float(by_procedure(10, 4)), rel=1e-14)


@pytest.mark.parametrize("n_documents", range(1, 10))
def test_procedure_enumeration_and_closed_form_agree(n_documents):
    for n_relevant in range(1, n_documents + 1):
        places = list(combinations(range(1, n_documents + 1), n_relevant))
        scores = [sum(Fraction(i, n) for i, n in enumerate(one, 1)) for one in places]
        mean = sum(scores) / len(places) / n_relevant
        assert by_procedure(n_documents, n_relevant) == mean
        assert mean - Fraction(n_relevant, n_documents) == difference(n_documents, n_relevant)
        assert expected_score(n_documents, n_relevant) == pytest.approx(float(mean), rel=1e-14)


def test_the_papers_function_in_r():
    """R 4.2.2, with the function as the paper prints it, in 0.001 and 35 seconds:

    print(RandomAPExact(100, 10), digits = 16); print(RandomAPExact(10000, 4000), digits = 16)
    """
    assert expected_score(100, 10) == pytest.approx(0.1380670683421783, rel=1e-14)
    # 24 million roundings leave the loop off in the twelfth digit
    assert expected_score(10_000, 4_000) == pytest.approx(0.4005273090924766, rel=2e-12)
    assert expected_score(10_000, 4_000) == pytest.approx(0.400527309093072, rel=1e-14)


def test_numbers_in_the_text():
    table = claims_table()
    ours = {row: value for row, (value,) in zip(table.rows, table.ours, strict=True)}
    theirs = {row: value for row, (value,) in zip(table.rows, table.theirs, strict=True)}
    assert ours["rankings, N = 100, R = 10"] == 17_310_309_456_440
    assert ours["terms to add, N = 100, R = 10"] == theirs["terms to add, N = 100, R = 10"] == 910
    assert ours["terms to add, N = 10,000, R = 4,000"] == 24_004_000
    assert ours["least N, difference below 0.01"] == 597
    assert ours["largest difference, N = 600"] == pytest.approx(float(difference(600, 1)))
    for row in table.rows:
        if row.startswith("seconds"):
            assert 0 < ours[row] < theirs[row]


def test_difference_is_below_one_percent_from_597_documents_on():
    """In fractions, and one fewer are not."""
    assert difference(597, 1) < Fraction(1, 100) <= difference(596, 1)
    assert least_size_below(0.01) == 597
    # it falls from 3 on, so it stays below; no other R has more
    largest = [difference(n, 1) for n in range(3, 600)]
    assert all(later < sooner for sooner, later in pairwise(largest))
    assert max(range(1, 31), key=lambda r: difference(30, r)) == 1


def test_exact_value_exceeds_prevalence_unless_all_are_relevant():
    for n in range(1, 40):
        relevant = np.arange(1, n + 1)
        above = expected_score(np.full(n, n), relevant) - relevant / n
        assert (above[:-1] > 1e-4).all()
        assert above[-1] == 0


def test_difference_falls_with_n_and_with_p_but_not_at_fixed_r():
    points = curve_points()
    by_curve = {
        curve: [point.difference for point in points if point.curve == curve]
        for curve in dict.fromkeys(point.curve for point in points)
    }
    for differences in by_curve.values():
        assert (np.diff(differences) < 0).all()
    last = [differences[-1] for differences in by_curve.values()]
    assert (np.diff(last) < 0).all()
    assert difference(2, 1) < difference(3, 1)


def test_small_difference_is_large_relative_to_a_small_prevalence():
    for n in (600, 10_000, 10**9):
        harmonic = math.log(n) + np.euler_gamma + 1 / (2 * n)
        assert expected_score(n, 1) * n == pytest.approx(harmonic, rel=1e-6)


def test_points_of_figure_1():
    points = curve_points()
    curves = ["R = 1", *(f"p = {p:g}" for p in PREVALENCES)]
    assert list(dict.fromkeys(point.curve for point in points)) == curves
    whole = sum(percent * n % 100 == 0 for percent in (1, 5, 10, 20, 40, 60, 80) for n in SIZES)
    assert len(points) == len(SIZES) + whole
    for point in points:
        assert point.prevalence == point.n_relevant / point.n_documents
        exact = Fraction(point.n_relevant, point.n_documents) + difference(
            point.n_documents, point.n_relevant
        )
        assert point.exact == pytest.approx(float(exact), rel=1e-14)


def test_sentences_list_the_numbers_that_differ(study):
    sentences = finding_sentences(study.tables)
    assert sentences[0] == (
        "Tables 1 and 2: 44 of 46 numbers as printed; not: Table 2, contribution (2, 3); "
        "Table 2, contribution (sum)"
    )
    assert "the expected AP is 0.5925" in sentences[1]
    assert "from N = 597 on (paper: from 600 on)" in sentences[2]
    assert "7.0 times the prevalence at N = 600" in sentences[2]


def test_terminal_tables(study):
    tables = make_bestgen_tables(study.tables, study.points)
    first, second, claims, seconds, curves = tables
    assert [table for table in tables if not table.repeats] == [seconds]
    assert all(row.startswith("seconds") for row, *_ in seconds.cells)
    assert not any(row.startswith("seconds") for row, *_ in claims.cells)
    assert first.cells[1] == ("10100", "0.83", "=")
    assert first.cells[-1] == ("expected AP", "0.5925", "=")
    assert second.cells[5] == ("2, 3", "0.3", "=", "0.67", "=", "0.2", "=", "0.133", "0.134")
    assert second.cells[-1] == ("expected AP", *[""] * 6, "0.5925", "=")
    assert claims.cells[2][1:] == ("17,310,309,456,440", "17,000,000,000,000")
    assert curves.headings[:3] == ("N", "R = 1", "p = 0.01")
    assert curves.cells[0][:4] == ("10", "0.19290", "-", "-")
    assert curves.cells[8][:3] == ("600", "0.00996", "0.00988")
    for table in tables:
        widths = [
            max(map(len, column)) for column in zip(table.headings, *table.cells, strict=True)
        ]
        assert sum(widths) + 2 * (len(widths) - 1) <= 80


STUDY = ("study", "bestgen2015")


def test_tables_and_curves(irbounds):
    done = irbounds(*STUDY)
    text = done.stdout.decode()
    assert done.returncode == 0, done.stderr
    assert done.stderr == b""
    assert [part.split(":")[0] for part in text.split("\n\n")[1:]] == [
        "Table 1", "Table 2", "Sections 3 and 4", "Sections 3 and 4", "Figure 1",
    ]  # fmt: skip
    assert "\nexpected AP  0.5925      =\n" in text
    assert "\n600    0.00996   0.00988 " in text
    seconds = re.compile(r"^seconds.*\n", re.M)
    assert len(seconds.findall(text)) == 3  # two rows, and the note that they differ
    again = irbounds(*STUDY).stdout.decode()
    # A measured time's digits decide how wide its column is: words are compared, not spaces.
    assert seconds.sub("", text).split() == seconds.sub("", again).split()


def test_records_contain_the_points(irbounds, tmp_path):
    done = irbounds(*STUDY, "--format", "csv")
    records = list(csv.DictReader(io.StringIO(done.stdout.decode())))
    assert {record["study"] for record in records} == {"bestgen2015"}
    assert b"below 0.01 for every R from N = 597 on" in done.stderr
    point = next(
        record
        for record in records
        if record["curve"] == "p = 0.4" and record["n_documents"] == "100"
    )
    assert (point["table"], point["n_relevant"], point["prevalence"]) == ("Figure 1", "40", "0.4")
    assert float(point["exact"]) == expected_score(100, 40)
    assert float(point["exact_minus_prevalence"]) == pytest.approx(expected_score(100, 40) - 0.4)
    assert irbounds(*STUDY, "--output", "study.json").returncode == 0
    written = json.loads((tmp_path / "study.json").read_text())
    assert len(written["notes"]) == 7
    one = next(r for r in written["results"] if r.get("row") == "expected AP, N = 10, R = 4")
    assert (one["theirs"], round(one["ours"], 7)) == (0.5285979, 0.5285979)


def test_python_and_command_line_give_the_same_numbers(irbounds):
    def but_seconds(records):
        return [one for one in records if not str(one.get("row")).startswith("seconds")]

    tables = bestgen2015()
    written = json.loads(irbounds(*STUDY, "--format", "json").stdout)
    both = json.loads(json.dumps(tables.records()).replace("NaN", "null")), written["results"]
    assert but_seconds(both[0]) == but_seconds(both[1])
    assert written["found"] == written["notes"]
    assert " ".join(str(tables).split()).startswith(written["found"][0])


def test_markdown_output(irbounds):
    done = irbounds(*STUDY, "--format", "latex")
    assert done.returncode == 0, done.stderr
    assert b"0.5925" in done.stdout


def test_study_loads_no_heavy_library():
    script = (
        "import sys, runpy; sys.argv = ['irbounds', 'study', 'bestgen2015']\n"
        "try: runpy.run_module('irbounds', run_name='__main__')\n"
        "except SystemExit: pass\n"
        "print([x for x in ('numba', 'polars', 'scipy.stats') if x in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert done.stdout.decode().splitlines()[-1] == "[]"


def test_figures_and_a_report(irbounds, tmp_path):
    done = irbounds(*STUDY, "--figures", "figures", "--report", "page.html")
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in (tmp_path / "figures").iterdir()) == [
        f"bestgen2015-{name}.{ending}"
        for name in ("exact-against-prevalence", "figure-1")
        for ending in ("pdf", "png", "svg")
    ]
    assert "A study repeats the experiment of a paper" in (tmp_path / "page.html").read_text()


def test_repeat_does_not_compare_measured_seconds(irbounds, tmp_path):
    irbounds(*STUDY, "--report", "page.html")
    marks = json.loads(extract_provenance_block((tmp_path / "page.html").read_text()))["tables"]
    assert [mark["title"].partition(":")[0] for mark in marks] == [
        "Table 1", "Table 2", "Sections 3 and 4", "Figure 1",
    ]  # fmt: skip
    done = irbounds("report", "--repeat", "page.html", "--quiet")
    assert done.returncode == 0, done.stdout
    assert done.stdout.startswith(b"the same numbers: tables 4, ")
