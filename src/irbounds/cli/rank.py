"""``irbounds rank``: where systems stand, and where they might."""

from __future__ import annotations

from .inputs import RunOptions, table_of, which_queries
from .options import (
    ConfidenceLevel,
    Depth,
    Digits,
    DuplicateRule,
    Duplicates,
    Float32,
    Format,
    Measures,
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
    Ties,
    TiesRule,
)
from .showing import make_view
from .writing import (
    chosen_form,
    collected_warnings,
    lines_about,
    record_about,
    write_result,
)

EXAMPLES = (
    "\b\nExamples:\n"
    "  irbounds rank qrels.txt runs/*.run -m nDCG@10\n"
    "  irbounds rank --scores AP=scores.csv --confidence-level 0.9 --output leaderboard.md\n"
    "  irbounds rank qrels.txt runs/*.run -m AP --figure ranks.svg"
)


def rank(
    qrels: OptionalQrels = None,
    runs: OptionalRuns = None,
    measures: Measures = None,
    scores: Scores = None,
    queries: Queries = QueriesRule.judged,
    confidence_level: ConfidenceLevel = 0.95,
    n_resamples: Resamples = 9999,
    seed: Seed = 0,
    duplicates: Duplicates = DuplicateRule.error,
    order: Order = OrderRule.score,
    ties: Ties = TiesRule.trec,
    float32: Float32 = False,
    depth: Depth = None,
    digits: Digits = None,
    form: Format = None,
    output: Output = None,
) -> None:
    """Ranks of systems with intervals, chances of being best, and tied groups.

    The intervals and groups of a measure hold together at the level: all pairs of systems are
    compared on the same queries with one allowance for their number, the max-statistic of
    irbounds compare. docs/ranking.md says how.
    """
    from ..api import check_confidence_level, rank_interval
    from ..presentation.registry import section_of
    from ..presentation.terminal import progress_of

    chosen = chosen_form(form, output)
    check_confidence_level(confidence_level)
    options = RunOptions(duplicates.value, order.value, float32, depth)
    table = table_of(qrels, runs, scores, measures, queries, options, ties)
    said = list(table.warnings)
    with collected_warnings(said), progress_of("resampling queries") as progress:
        ranks = rank_interval(
            table,
            confidence_level=confidence_level,
            n_resamples=n_resamples,
            rng=seed,
            progress=progress,
        )
    section = section_of(ranks, make_view(digits, which_queries(scores, queries), ties=table.ties))
    write_result(
        [section],
        form=chosen,
        output=output,
        inputs=lines_about(table),
        warnings=said,
        about=record_about(table, said, found=section.sentences, ties=table.ties),
    )
