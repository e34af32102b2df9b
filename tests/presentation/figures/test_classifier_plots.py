"""Figures of classifiers on one test set."""

from __future__ import annotations

import json

import irbounds
from every_result import HOSTILE, labelled_rows
from irbounds.presentation.figures.classifier_plots import draw_classifiers


def parts():
    results = irbounds.ap(labelled_rows())
    differences = [result for result in results if hasattr(result, "baseline")]
    return [result for result in results if result not in differences], differences


def test_scores_have_a_panel_per_measure_with_the_chance_level():
    scores, _ = parts()
    figure = draw_classifiers(scores)
    panels = figure.to_dict()["vconcat"]
    assert [panel["title"]["text"] for panel in panels] == ["AP", "ROC AUC"]
    text = json.dumps(figure.to_dict())
    assert f'"place": {scores[0].chance}' in text
    assert '"place": 0.5' in text
    assert "chance level" in figure.title
    alone = draw_classifiers([score for score in scores if score.measure == "AP"])
    assert "vconcat" not in alone.to_dict()


def test_best_classifiers_come_first_and_others_are_counted():
    scores, _ = parts()
    ap = [score for score in scores if score.measure == "AP"]
    figure = draw_classifiers(ap, top=2)
    assert "the first 2 of 3 rows" in figure.title
    best = max(ap, key=lambda score: score.value)
    assert f"{best.classifier} has the highest AP" in figure.description


def test_differences_name_both_classifiers():
    _, differences = parts()
    figure = draw_classifiers(differences)
    text = json.dumps(figure.to_dict())
    assert json.dumps(f"a.b - {HOSTILE}")[1:-1] in text
    assert '"place": 0' in text
