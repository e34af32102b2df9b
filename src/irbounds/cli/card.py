"""``irbounds card``: one system's mean, with what others need to compare theirs with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ..errors import ParameterError
from ..presentation.loudness import is_quiet
from .inputs import UNNAMED, RunOptions, table_of
from .options import (
    Alternative,
    AlternativeOption,
    Bounds,
    ConfidenceLevel,
    Depth,
    DuplicateRule,
    Duplicates,
    Float32,
    Form,
    Method,
    OptionalQrels,
    OptionalRuns,
    Order,
    OrderRule,
    Output,
    Queries,
    QueriesRule,
    Resamples,
    Scores,
    Seed,
    parsed_bounds,
)
from .standardise import TransformName
from .writing import (
    chosen_form,
    collected_warnings,
    lines_about,
    record_about,
    write_figure_and_page,
)

if TYPE_CHECKING:
    from ..presentation.pages import Section
    from ..results import Card
    from ..scores.score_table import ScoreTable

EXAMPLES = (
    "\b\nExamples:\n"
    '  irbounds card qrels.txt bm25.run --collection "TREC 2004 Robust" -m AP -o bm25.card.json\n'
    '  irbounds card --scores AP=scores.csv --system bm25 --collection "our queries"\n'
    '  irbounds card --scores AP=scores.csv --system bm25 --collection "our queries" '
    "--factors ours.json\n"
    '  irbounds card qrels.txt bm25.run --collection "our queries" -m AP --figure bm25.svg\n'
    "  irbounds compare-cards bm25.card.json dense.card.json"
)

OneMeasure = Annotated[
    list[str] | None,
    typer.Option(
        "--measure",
        "-m",
        metavar="NAME",
        help="The measure, in ir_measures' spelling. With --scores: which of its measures, or what "
        "a wide table holds.",
    ),
]
Collection = Annotated[
    str,
    typer.Option(metavar="NAME", help="What the queries and documents are, in your own words."),
]
System = Annotated[
    str | None, typer.Option(metavar="NAME", help="Which system, where there are several.")
]
Factors = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Standardise the scores first, by these published factors."),
]
Transform = Annotated[
    TransformName | None,
    typer.Option(help="With --factors: z, which is the default, or normal-cdf."),
]
Note = Annotated[str | None, typer.Option(metavar="TEXT", help="Whatever else should be known.")]
Url = Annotated[str | None, typer.Option(metavar="URL", help="Where more is to be found.")]


def card(
    collection: Collection,
    qrels: OptionalQrels = None,
    runs: OptionalRuns = None,
    measures: OneMeasure = None,
    scores: Scores = None,
    system: System = None,
    factors: Factors = None,
    transform: Transform = None,
    queries: Queries = QueriesRule.judged,
    method: Method = None,
    confidence_level: ConfidenceLevel = 0.95,
    alternative: AlternativeOption = Alternative.two_sided,
    n_resamples: Resamples = 9999,
    seed: Seed = 0,
    bounds: Bounds = None,
    note: Note = None,
    url: Url = None,
    duplicates: Duplicates = DuplicateRule.error,
    order: Order = OrderRule.score,
    float32: Float32 = False,
    depth: Depth = None,
    output: Output = None,
) -> None:
    """A result card: one system's mean that others can compare theirs with.

    Writes a small JSON file with mean, standard deviation, number of queries and interval of one
    system by one measure, and fingerprints of the queries and of the standardisation, if any. It
    holds no score of a single query and no judgment. docs/cards.md explains every field.
    """
    from ..api import check_confidence_level, checked_methods, make_card
    from ..presentation.terminal import progress_of

    chosen_form(Form.json, output)
    check_confidence_level(confidence_level)
    checked_methods(method)
    within = parsed_bounds(bounds)
    if len(measures or []) > 1 or not (measures or scores):
        raise ParameterError("a card is of one measure: name it, as in -m AP")
    if transform and not factors:
        raise ParameterError("--transform needs --factors to standardise by")
    options = RunOptions(duplicates.value, order.value, float32, depth)
    table = table_of(qrels, runs, scores, measures, queries, options)
    if UNNAMED in table.measures:
        raise ParameterError("a card names its measure: say which one the table holds, as in -m AP")
    if factors:
        table = _standardised(table, factors, transform or TransformName.z, queries)
    said = list(table.warnings)
    with collected_warnings(said), progress_of("resampling queries") as progress:
        made = make_card(
            table,
            collection=collection,
            system=system,
            method=method,
            confidence_level=confidence_level,
            n_resamples=n_resamples,
            rng=seed,
            alternative=alternative.value,
            bounds=within,
            note=note,
            url=url,
            progress=progress,
        )
    _write(made, table, said, output)


def _standardised(
    table: ScoreTable, factors: str, transform: TransformName, queries: QueriesRule
) -> ScoreTable:
    from ..api import standardise

    kept: Literal["all", "common"] = "common" if queries is QueriesRule.common else "all"
    return standardise(table, factors=factors, transform=transform.value, queries=kept)


def _write(made: Card, table: ScoreTable, said: Sequence[str], output: Path | None) -> None:
    """The card where it belongs; what is odd about the inputs on standard error."""
    from ..api import card_text, write_card
    from ..presentation.terminal import console_for, print_lines, print_warnings
    from ..results.inputs import scale_lines

    inputs = [*lines_about(table), *scale_lines(made.standardisation)]
    if not is_quiet():
        console = console_for(error=True)
        print_lines(console, inputs)
        print_warnings(console, said)
    if output is None:
        print(card_text(made), end="")
    else:
        write_card(made, output)
    write_figure_and_page([_section(made)], inputs, said, record_about(table, said))


def _section(made: Card) -> Section:
    """Return the card as a page has it: what it says, field by field, and its interval."""
    from ..presentation.registry import section_of
    from ..results.cards import card_sentence, card_table

    section = section_of([made])
    return replace(section, sentences=[card_sentence(made)], tables=[card_table(made)])
