"""Chance as tables and sentences."""

from __future__ import annotations

import math
from io import StringIO

import numpy as np
import pytest
from rich.console import Console

from irbounds.presentation.registry import View, make_tables
from irbounds.presentation.table import Table
from irbounds.presentation.terminal import print_table
from irbounds.results import ChanceLevel, NullDistribution, QueryChance
from irbounds.results.chance_levels import (
    add_chance_columns,
    describe_population,
    make_query_table,
)

NAN = math.nan


#: a distribution whose quantiles are their own probabilities, halved
LINE = NullDistribution("exact", 0.25, 0.1, np.arange(1, 1001) / 2000, np.arange(1, 1001))


def make_query(name="q1", documents=528_155, depth=1000, relevant=33, **more):
    values = {"expected": 0.012345, "standard_deviation": 0.0123, **more}
    return QueryChance(name, documents, depth, relevant, **values)


def make_row(
    system="bm25", observed=0.2345, expected=0.0123456, deviation=0.00345, p=0.0312, **more
):
    corrected = None if observed is None else (observed - expected) / (1 - expected)
    values = {
        "measure": "AP",
        "population": "corpus",
        "n": 50,
        "prevalence": 0.002,
        "corrected": corrected,
        "method": None if p is None else "monte-carlo",
        "n_draws": None if p is None else 9999,
        "queries": (make_query(),),
        **more,
    }
    return ChanceLevel(
        system=system,
        expected=expected,
        standard_deviation=deviation,
        observed=observed,
        p_value=p,
        **values,
    )


def print_to_text(table, width=80):
    text = StringIO()
    print_table(Console(file=text, width=width, force_terminal=True, color_system=None), table)
    return text.getvalue()


def test_systems_with_chance_fit_80_columns():
    rows = [
        make_row("bm25"),
        make_row("a-dense-one", 0.3111, p=0.0001),
        make_row("nothing", 0.0, p=1.0),
    ]
    (table,) = make_tables(rows, View(queries="judged queries"))
    # how wide the last column is depends on the version of rich
    words_by_line = [
        line.split() for line in print_to_text(table).splitlines() if "\u2500" not in line
    ]
    assert words_by_line == [
        line.split()
        for line in (
            "AP: mean over 50 judged queries, compared with a random ranking of the corpus",
            "system        score  chance  sd of chance  corrected       p",
            "a-dense-one  0.3111  0.0123        0.0034     0.3025  <0.001",
            "bm25         0.2345  0.0123        0.0034     0.2249   0.031",
            "nothing      0.0000  0.0123        0.0034    -0.0125   1.000",
            "p: a random ranking scores as high or higher; 9,999 draws",
        )
    ]
    assert [record["system"] for record in table.records] == ["a-dense-one", "bm25", "nothing"]
    assert table.records[0]["expected"] == 0.0123456


def test_chance_has_four_decimals_or_more_for_small_deviation():
    (table,) = make_tables([make_row(expected=0.0000139, deviation=0.000036)])
    assert table.cells == (("bm25", "0.2345", "0.000014", "0.000036", "0.2345", "0.031"),)
    (table,) = make_tables([make_row(deviation=0.045)])
    assert table.cells == (("bm25", "0.2345", "0.0123", "0.0450", "0.2249", "0.031"),)
    (table,) = make_tables([make_row(deviation=NAN)])  # ERR: by chance itself
    assert table.cells[0][2:4] == ("0.0123", "-")


def test_missing_corrected_score_is_omitted():
    (table,) = make_tables([make_row(corrected=NAN)])
    assert table.cells[0][4] == "-"


def test_chance_without_systems_shows_prevalence():
    rows = [
        make_row(None, None, p=None),
        make_row(None, None, 0.5, 0.2, p=None, measure="nDCG@10"),
    ]
    (table,) = make_tables(rows, View(queries="judged queries"))
    title = "chance levels of a random ranking of the corpus: mean over 50 judged queries"
    assert table.title == title
    assert table.headings == ("measure", "chance", "sd of chance", "prevalence")
    assert table.cells == (
        ("AP", "0.0123", "0.0034", "0.0020"),
        ("nDCG@10", "0.5000", "0.2000", "0.0020"),
    )


def test_chance_query_table_has_counts():
    queries = (
        make_query(observed=0.5, corrected=0.4939, p_value=0.0004),
        make_query("q2", 10, 0, 3, observed=0.0, corrected=NAN, p_value=1.0),
    )
    table = make_query_table(make_row(queries=queries))
    assert table.title == "AP of each query: bm25 compared with chance"
    assert table.cells == (
        ("q1", "528,155", "1,000", "33", "0.0123", "0.0123", "0.5000", "0.4939", "<0.001"),
        ("q2", "10", "0", "3", "0.0123", "0.0123", "0.0000", "-", "1.000"),
    )
    assert table.records[0]["measure"] == "AP"
    assert table.records[0]["system"] == "bm25"
    alone = make_query_table(make_row(None, None, p=None))
    assert alone.title == "AP of each query: chance level"
    assert alone.headings[-1] == "sd of chance"
    assert alone.cells == (("q1", "528,155", "1,000", "33", "0.0123", "0.0123"),)


def test_chance_of_counts_shows_quantiles():
    fields = {"population": "given", "distribution": LINE, "method": "exact", "n_draws": None}
    single_query = (make_query("", 10, 10, 4),)
    (alone, scored) = (
        make_row(None, score, 0.25, 0.1, p=p, queries=single_query, prevalence=0.4, **fields)
        for score, p in ((None, None), (0.4, 0.2))
    )
    (table,) = make_tables([alone])
    assert table.headings == ("measure", "chance", "sd", "5 %", "50 %", "95 %", "99 %")
    assert table.cells == (("AP", "0.2500", "0.1000", "0.0250", "0.2500", "0.4750", "0.4950"),)
    (record,) = table.records
    assert (record["n_documents"], record["n_relevant"]) == (10, 4)
    assert record["quantile_0.95"] == 0.475
    (table,) = make_tables([scored])
    assert table.cells[0][-3:] == ("0.4000", "0.2000", "0.200")
    assert table.caption == "p: a random ranking scores as high or higher; exact"
    drawn = make_row(
        *(None, None, 0.25, 0.1, None),
        **{**fields, "method": "monte-carlo", "n_draws": 999},
        queries=single_query,
        measure="RR",
    )
    (table,) = make_tables([alone, drawn])
    assert table.caption == "AP: exact; RR: 999 draws"
    assert describe_population([alone]) == (
        "chance: a random ranking of 10 documents, 4 of them relevant (prevalence 0.4)"
    )


@pytest.mark.parametrize(
    ("kind", "system", "description"),
    [
        ("corpus", "a", "a random ranking of 528,155 documents, cut where each run ends"),
        ("corpus", None, "a random ranking of 528,155 documents"),
        (
            "judged",
            "a",
            "a random ranking of 10 to 528,155 documents, the judged ones of each query, cut where "
            "each run ends",
        ),
    ],
)
def test_chance_population_is_described(kind, system, description):
    queries = (make_query(), *((make_query("q2", 10),) if kind == "judged" else ()))
    assert (
        describe_population([make_row(system, population=kind, queries=queries)])
        == f"chance: {description}"
    )


@pytest.mark.parametrize(
    ("alternative", "words"),
    [("greater", "as high or higher"), ("less", "as low or lower"), ("two-sided", "both sides")],
)
def test_chance_p_value_is_explained(alternative, words):
    (table,) = make_tables([make_row(alternative=alternative)])
    assert words in table.caption.partition(";")[0]


def test_chance_columns_are_added_to_means():
    table = Table(
        title="AP: means",
        headings=("system", "mean", "low", "high"),
        cells=(("b", "0.31", "0.20", "0.40"), ("a", "0.23", "0.10", "0.30")),
        records=({"measure": "AP", "system": "b"}, {"measure": "AP", "system": "a"}),
    )
    extended_table = add_chance_columns(table, [make_row("a"), make_row("b", 0.31)])
    assert extended_table.title == "AP: means, compared with a random ranking of the corpus"
    assert extended_table.headings[-2:] == ("chance", "corrected")
    assert [cells[-2:] for cells in extended_table.cells] == [
        ("0.0123", "0.30"),
        ("0.0123", "0.22"),
    ]
    assert extended_table.records[1]["chance"] == 0.0123456
    assert extended_table.records[1]["corrected"] == make_row("a").corrected
