"""``irbounds evaluate --chance``: what a random ranking scores, beside the means of systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import ParameterError
from .baseline_options import ChanceRule, check_population
from .inputs import DEFAULT_MEASURES, RunOptions, scored
from .options import QueriesRule, TiesRule, check_standard_input

if TYPE_CHECKING:
    from ..results import ChanceLevel
    from ..scores.score_table import ScoreTable

Chance = Annotated[
    bool,
    typer.Option(
        "--chance",
        help="Also what a random ranking scores, and the score corrected for it; needs "
        "--corpus-size, --corpus or --population.",
    ),
]


@dataclass(frozen=True)
class ChanceWish:
    """Which documents chance ranks."""

    population: ChanceRule
    corpus_size: int | None
    corpus: str | None


def chance_wish(
    chance: bool,
    population: ChanceRule | None,
    corpus_size: int | None,
    corpus: str | None,
    *,
    is_of_means: bool,
) -> ChanceWish | None:
    """What is asked about chance, checked before anything is read; None if nothing is."""
    if not chance:
        if (population, corpus_size, corpus) != (None, None, None):
            raise ParameterError("--corpus-size, --corpus and --population are for --chance")
        return None
    if not is_of_means:
        raise ParameterError(
            "--chance is about means of runs: for single queries there is irbounds baseline "
            "--per-query, and --scores do not say what was ranked"
        )
    return ChanceWish(check_population(population, corpus_size, corpus), corpus_size, corpus)


def table_with_chance(
    wish: ChanceWish,
    qrels: str | None,
    runs: Sequence[str] | None,
    measures: Sequence[str] | None,
    queries: QueriesRule,
    options: RunOptions,
    ties: TiesRule,
) -> tuple[ScoreTable, Sequence[ChanceLevel]]:
    """Scores of all systems, and what chance scores beside each."""
    from ..api import chance_levels, check_chance_measures

    wanted = measures or DEFAULT_MEASURES
    check_chance_measures(wanted)
    if wish.corpus is not None:
        check_standard_input([*([qrels] if qrels else []), *(runs or []), wish.corpus])
    table, judgments, packed = scored(qrels, runs, wanted, queries, options, ties)
    levels = chance_levels(
        table,
        judgments,
        packed,
        corpus_size=wish.corpus_size,
        corpus=wish.corpus,
        population=wish.population.value,
    )
    return table, levels
