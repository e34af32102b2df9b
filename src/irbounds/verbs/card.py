"""``card``: one system's mean, with the numbers that others need for a comparison."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated

from ..errors import ParameterError
from ..presentation.registry import View, make_section
from ..requests.inputs import ScoreInput, answer_about
from ..requests.options import (
    AlternativeSide,
    Bounds,
    Collection,
    ConfidenceLevel,
    Method,
    PriorVariance,
    Resamples,
    Seed,
    System,
)
from ..requests.request import Option
from ..requests.verb import verb
from ..results.result import Answer

if TYPE_CHECKING:
    from ..presentation.page_content import Section
    from ..results import Card
    from ..scores.score_table import ScoreTable

Note = Annotated[str | None, Option("Remark for readers of the card.", metavar="TEXT")]
Url = Annotated[str | None, Option("Address of further information.", metavar="URL")]


@dataclass(frozen=True, kw_only=True)
class CardRequest(ScoreInput):
    """The options of ``card``."""

    collection: Collection
    system: System = None
    method: Method = None
    confidence_level: ConfidenceLevel = 0.95
    alternative: AlternativeSide = "two-sided"
    n_resamples: Resamples = 9999
    seed: Seed = 0
    bounds: Bounds = None
    prior_variance: PriorVariance = None
    note: Note = None
    url: Url = None

    def check(self) -> None:
        """Raise ``ParameterError`` where options contradict each other."""
        if len(self.measures or ()) > 1 or (self.measures is None and self.scores is None):
            raise ParameterError("measures: a card has one measure; name it, as in AP")
        if len(self.method or ()) > 1:
            raise ParameterError("method: a card has one method")
        super().check()

    def read_card_table(self) -> ScoreTable:
        """Return the scores."""
        from ..measurement.names import UNNAMED

        table = self.read_table()
        if UNNAMED in table.measures:
            raise ParameterError(
                "measures: a card names its measure; name that of the table, as in AP"
            )
        return table


@verb(
    CardRequest,
    group="Look into methods",
    docs="cards",
    shows=("table", "figure", "report"),
    examples=(
        'irbounds card qrels.txt bm25.run --collection "TREC 2004 Robust" -m AP \\\n'
        "    -o bm25.card.json",
        "irbounds card --scores AP=scores.csv --system dense \\\n"
        '    --collection "our queries" -o dense.card.json',
        "irbounds compare-cards bm25.card.json dense.card.json",
    ),
)
def card(request: CardRequest) -> Answer[Card]:
    """Write a result card: a mean for others to compare with.

    A small JSON file with mean, standard deviation, number of queries and interval of one system by
    one measure, and fingerprints of the queries and of the standardisation, if any. It holds no
    score of a single query and no judgment.

    Returns
    -------
    Card
        ``irbounds.cards.write_card`` writes it to a file.

    Examples
    --------
    >>> import irbounds
    >>> scores = {"old": [0.1, 0.4, 0.3, 0.0], "new": [0.3, 0.5, 0.2, 0.2]}
    >>> made = irbounds.card(scores=scores, measures="AP", system="new", collection="our queries")
    >>> made.mean, made.n
    (0.3, 4)
    """
    from ..cards.files import card_text
    from ..cards.result_card import make_card
    from ..progress import show_progress

    table = request.read_card_table()
    with show_progress("resampling queries") as progress:
        made = make_card(
            table,
            collection=request.collection,
            system=request.system,
            method=request.method[0] if request.method else None,
            confidence_level=request.confidence_level,
            n_resamples=request.n_resamples,
            rng=request.seed,
            alternative=request.alternative,
            bounds=request.bounds,
            prior_variance=request.prior_variance,
            note=request.note,
            url=request.url,
            progress=progress,
        )
    return answer_about(
        request, table, made, text=card_text(made), make_sections=partial(_sections, made)
    )


def _sections(made: Card, view: View) -> list[Section]:
    """Return the sections of a page: the card in a sentence, its fields and its interval."""
    from ..results.cards import card_sentence, card_table

    section = make_section([made], view)
    return [replace(section, sentences=[card_sentence(made)], tables=[card_table(made)])]
