"""``irbounds compare-cards``: two published means against each other."""

from __future__ import annotations

from dataclasses import asdict
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
from .showing import make_view
from .writing import chosen_form, write_result

if TYPE_CHECKING:
    pass

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
    from ..presentation.registry import section_of
    from ..results.inputs import scale_lines

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
        [section_of([found], make_view(digits))],
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
