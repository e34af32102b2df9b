"""``compare_cards``: the difference of two published means."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

from ..presentation.registry import View
from ..requests.options import AlternativeSide, ConfidenceLevel
from ..requests.request import Option, Request
from ..requests.verb import verb
from ..results.result import Answer

if TYPE_CHECKING:
    from ..results import CardComparison

CARD = Option(
    "A card, as irbounds card writes it.",
    "In Python also a ``Card``. The second card's mean is subtracted from the first one's.",
    metavar="CARD",
    panel="Input",
    file="read",
    is_argument=True,
)


@dataclass(frozen=True, kw_only=True)
class CompareCardsRequest(Request):
    """The options of ``compare_cards``."""

    first: Annotated[Any, CARD] = field(kw_only=False)
    second: Annotated[Any, CARD] = field(kw_only=False)
    confidence_level: ConfidenceLevel = 0.95
    alternative: AlternativeSide = "two-sided"


@verb(
    CompareCardsRequest,
    group="Look into methods",
    docs="cards",
    is_parallel=False,
    examples=(
        "irbounds compare-cards bm25.card.json dense.card.json",
        "irbounds compare-cards bm25.card.json dense.card.json -o table.tex",
    ),
)
def compare_cards(request: CompareCardsRequest) -> Answer[CardComparison]:
    """Compare two result cards by Welch's interval and test.

    Needs only the cards. Refuses cards of different measures or of scores that were standardised
    differently. Warns where the collections or the queries differ, and where they are the same,
    since a paired comparison of the scores themselves would be more precise.

    Returns
    -------
    CardComparison
        ``.value`` is the difference, ``.interval`` its interval, ``.p_value`` belongs to its test.

    Examples
    --------
    >>> import irbounds
    >>> scores = {"old": [0.1, 0.4, 0.3, 0.0], "new": [0.3, 0.5, 0.2, 0.2]}
    >>> known = {"scores": scores, "measures": "AP", "collection": "our queries"}
    >>> new, old = (irbounds.card(**known, system=name) for name in ("new", "old"))
    >>> round(irbounds.compare_cards(new, old).value, 3)
    0.1
    """
    from ..cards.comparison import compare_cards as compare
    from ..cards.files import read_card
    from ..results import Card
    from ..results.result import describe_standardisation

    first, second = (
        card if isinstance(card, Card) else read_card(card)
        for card in (request.first, request.second)
    )
    comparison = compare(
        first,
        second,
        confidence_level=request.confidence_level,
        alternative=request.alternative,
    )
    return Answer(
        comparison,
        View(),
        describe_standardisation(first.standardisation),
        comparison.warnings,
        tuple(dict.fromkeys((*first.inputs, *second.inputs))),
        facts={"reason": comparison.reason},
    )
