"""How ties change scores, in cells and sentences."""

from __future__ import annotations

from irbounds.presentation.registry import View, section_of, tables_of
from irbounds.results import TieEffect
from irbounds.scores.scoring import tie_effects


def effect(n_affected, span):
    return TieEffect("a", "AP", 10, 0.1, 50, n_affected, 0.3, 0.3, 0.3, 0.3 + span)


def test_spans_of_ties_go_by_one_rule():
    """The last bit of a sum is no effect; what decimals cannot show is less than they can."""
    effects = [effect(0, 0.0), effect(0, 1e-17), effect(3, 0.00001), effect(3, 0.00006)]
    (table,) = tables_of(effects)
    assert [row[-1] for row in table.cells] == ["0", "0", "<0.0001", "0.0001"]
    (coarse,) = tables_of(effects, View(digits=2))
    assert [row[-1] for row in coarse.cells] == ["0", "0", "<0.01", "<0.01"]


def test_a_row_has_the_mean_by_each_rule_and_a_bar_from_worst_to_best():
    one = TieEffect("a", "AP", 1234, 0.1, 50, 3, 0.31, 0.32, 0.30, 0.35)
    (table,) = tables_of([one])
    assert table.title == "ties: mean AP by each rule"
    assert table.headings == ("run", "tied", "queries", "trec", "expected", "worst", "best", "span")
    assert table.cells == (("a", "1,234", "3", "0.3100", "0.3200", "0.3000", "0.3500", "0.0500"),)
    assert table.bars == ((0.30, 0.31, 0.35),)


def test_ties_that_matter_and_ties_that_do_not():
    qrels = {"q": {"a": 0, "b": 1}}
    runs = {"all": {"q": {"a": 1.0, "b": 1.0}}, "none": {"q": {"a": 1.0, "b": 2.0}}}
    assert section_of(tie_effects(qrels, runs, "RR")).sentences == [
        "RR: by the order within ties the mean of all could be anything from 0.5000 to 1.0000, a "
        "span of 0.5000; no other run's is wider."
    ]
    assert section_of(tie_effects(qrels, {"none": runs["none"]}, "RR")).sentences == [
        "RR: ties move no run's mean by as much as 0.0001."
    ]
