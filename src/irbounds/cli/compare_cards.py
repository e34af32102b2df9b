"""``irbounds compare-cards``: two published means against each other."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from .options import (
    Alternative,
    AlternativeOption,
    ConfidenceLevel,
    Digits,
    Format,
    Output,
    check_standard_input,
)
from .writing import chosen_form, write_result

if TYPE_CHECKING:
    from ..presentation.figures.style import Figure
    from ..results import CardComparison

__all__ = ["EXAMPLES", "compare_cards"]

EXAMPLES = (
    "\b\nExamples:\n"
    "  irbounds compare-cards bm25.card.json dense.card.json\n"
    "  irbounds compare-cards ours.card.json theirs.card.json --confidence-level 0.9 -o t.tex\n"
    "  irbounds compare-cards bm25.card.json dense.card.json --figure cards.pdf"
)

First = Annotated[str, typer.Argument(metavar="CARD", help="A card, as irbounds card writes it.")]
Second = Annotated[
    str, typer.Argument(metavar="CARD", help="The card whose mean is subtracted from that one's.")
]


def compare_cards(
    first: First,
    second: Second,
    confidence_level: ConfidenceLevel = 0.95,
    alternative: AlternativeOption = Alternative.two_sided,
    digits: Digits = None,
    form: Format = None,
    output: Output = None,
) -> None:
    """Compare two result cards: the difference of their means, by Welch's interval and test.

    Needs nothing but the cards. Refuses cards of different measures or of scores that were
    standardised differently; warns where the collections or the queries differ, and where they are
    the same, since a paired comparison of the scores themselves would be sharper.
    """
    from .. import __version__, api
    from ..presentation.cards import card_comparison_sentence, card_comparison_table
    from ..presentation.pages import Section
    from ..presentation.standardisation import scale_lines

    chosen = chosen_form(form, output)
    api.check_confidence_level(confidence_level)
    check_standard_input([first, second])
    found = api.compare_cards(
        api.read_card(first),
        api.read_card(second),
        confidence_level=confidence_level,
        alternative=alternative.value,
    )
    write_result(
        [
            Section(
                "Comparison",
                [card_comparison_sentence(found, digits)],
                [card_comparison_table(found, digits)],
                partial(_figures, found),
                ["card-comparison", "welch"],
            )
        ],
        form=chosen,
        output=output,
        inputs=scale_lines(found.first.standardisation),
        warnings=found.warnings,
        about={
            "irbounds": __version__,
            "warnings": found.warnings,
            "reason": found.reason,
            "inputs": [asdict(one) for card in (found.first, found.second) for one in card.inputs],
        },
    )


def _figures(found: CardComparison) -> list[Figure]:
    from ..presentation.figures.published import card_comparison

    return [card_comparison(found)]
