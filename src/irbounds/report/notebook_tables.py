"""Tables of results that no command shows by themselves: cards, ties, plans, samples and the like.

A command has them as part of something else, a file, a diagnosis or a paper's table. In a notebook
they stand alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any

from ..results import (
    Card,
    NullDistribution,
    PlannedSample,
    QueryBaseline,
    RecallCoverageRow,
    Sample,
    Stratum,
    TieEffect,
    records,
)
from .baseline import QUANTILES
from .evaluation import half_width
from .families import by_measure
from .rounding import UNKNOWN, decimals, decimals_of_column, fixed, small_p
from .tables import Bar, Table

__all__ = [
    "card_tables",
    "estimator_tables",
    "null_distribution_tables",
    "planned_sample_tables",
    "query_baseline_tables",
    "recall_coverage_tables",
    "sample_tables",
    "tie_tables",
]

SHARE_DECIMALS = 3
DIGITS = 4  # of numbers that may be very small


def card_tables(cards: Sequence[Card]) -> list[Table]:
    """One table a measure: a card a row, best first."""
    return [_card_table(part) for part in by_measure(cards)]


def _card_table(cards: Sequence[Card]) -> Table:
    best_first = sorted(cards, key=lambda card: (-card.mean, card.system))
    places = decimals_of_column(half_width(card.mean, card.interval) for card in cards)
    first = best_first[0].interval
    return Table(
        title=f"{best_first[0].measure}: published means with their intervals "
        f"({first.confidence_level * 100:g} %, {first.method})",
        headings=("system", "collection", "mean", "low", "high", "sd", "queries"),
        cells=tuple(
            (
                *(card.system, card.collection),
                *(fixed(x, places) for x in (card.mean, card.interval.low, card.interval.high)),
                *(fixed(card.standard_deviation, places), f"{card.n:,}"),
            )
            for card in best_first
        ),
        records=tuple(_flat(card) for card in best_first),
        first_number=2,
        bars=tuple((card.interval.low, card.mean, card.interval.high) for card in best_first),
    )


def _flat(card: Card) -> dict[str, Any]:
    """The numbers of a card; what was read and how it was scaled stay in it."""
    left_out = ("interval", "inputs", "standardisation")
    plain = {key: value for key, value in asdict(card).items() if key not in left_out}
    return {**plain, **asdict(card.interval)}


def tie_tables(effects: Sequence[TieEffect]) -> list[Table]:
    """One table a measure: every run, with ties or without."""
    return [
        Table(
            title=f"ties: mean {part[0].measure} over {part[0].n:,} queries by each rule",
            headings=("run", "tied", "queries", "trec", "expected", "worst", "best"),
            cells=tuple(
                (
                    *(one.system, f"{one.n_tied:,}", f"{one.n_affected:,}"),
                    *(fixed(x, UNKNOWN) for x in (one.trec, one.expected, one.worst, one.best)),
                )
                for one in part
            ),
            records=tuple(records(part)),
            caption="queries: where the best and the worst order score differently",
            bars=tuple((one.worst, one.trec, one.best) for one in part),
        )
        for part in by_measure(effects)
    ]


def planned_sample_tables(samples: Sequence[PlannedSample]) -> list[Table]:
    """What samples of these sizes promise."""
    places = decimals_of_column(one.expected_width / 10 for one in samples)
    return [
        Table(
            title="intervals of recall to be expected, means over the samples that may come",
            headings=("assessed", "split", "retrieved", "others", "width", "low", "high"),
            cells=tuple(
                (
                    *(f"{one.budget:,}", f"{100 * one.split:.3g} %"),
                    *(f"{n:,}" for n in (one.retrieved_sample, one.unretrieved_sample)),
                    *(fixed(x, places) for x in _expected(one)),
                )
                for one in samples
            ),
            records=tuple(records(samples)),
            first_number=0,
            caption="split: share of the assessments that goes to the retrieved documents",
        )
    ]


def _expected(one: PlannedSample) -> tuple[float, float, float]:
    return one.expected_width, one.expected_low, one.expected_high


def recall_coverage_tables(rows: Sequence[RecallCoverageRow]) -> list[Table]:
    """One table a scenario and level: what every method promises, and what it does."""
    parts = groupby(rows, key=lambda row: (row.scenario, row.confidence_level))
    return [_coverage_table(list(part)) for _, part in parts]


def _coverage_table(rows: Sequence[RecallCoverageRow]) -> Table:
    first, noisy = rows[0], [row.coverage_noise for row in rows]
    places = max(SHARE_DECIMALS, decimals_of_column(noisy) - 1)
    return Table(
        title=f"scenario {first.scenario}: share of {first.confidence_level * 100:g} % intervals "
        "that hold the true recall",
        headings=("method", "coverage", "noise", "rmse", "below", "above", "none", "width"),
        cells=tuple(
            (row.method, *(fixed(x, places) for x in _coverage_numbers(row))) for row in rows
        ),
        records=tuple(records(rows)),
        caption="below, above: true recall lies there; rmse: of a corpus' coverage from the level",
        bars=tuple(_coverage_bar(row) for row in rows),
    )


def _coverage_numbers(row: RecallCoverageRow) -> tuple[float, ...]:
    shares = (row.below, row.above, row.without)
    return row.coverage, row.coverage_noise, row.rmse, *shares, row.width


def _coverage_bar(row: RecallCoverageRow) -> Bar:
    reach = 2 * row.coverage_noise
    return max(row.coverage - reach, 0.0), row.coverage, min(row.coverage + reach, 1.0)


def sample_tables(sample: Sample) -> list[Table]:
    """The strata of one sample with their counts."""
    named = ", ".join(filter(None, (sample.system, sample.topic and f"topic {sample.topic}")))
    return [
        Table(
            title=f"{named}: strata and what was drawn from them" if named else "strata",
            headings=("stratum", "retrieved", "documents", "sampled", "assessable", "relevant"),
            cells=tuple(_stratum_cells(one) for one in sample.strata),
            records=tuple(
                {"system": sample.system, "topic": sample.topic, **asdict(one)}
                for one in sample.strata
            ),
            first_number=2,
        )
    ]


def _stratum_cells(one: Stratum) -> tuple[str, ...]:
    assessable = one.sampled if one.assessable is None else one.assessable
    counts = (one.population, one.sampled, assessable, one.relevant)
    return one.name, "yes" if one.retrieved else "no", *(f"{n:,}" for n in counts)


def query_baseline_tables(rows: Sequence[QueryBaseline]) -> list[Table]:
    """What chance scores on each query, and what the system did where one is at hand."""
    beside = any(row.observed is not None for row in rows)
    scores = ("score", "corrected", "p") if beside else ()
    return [
        Table(
            title="what chance scores on each query",
            headings=("query", "documents", "relevant", "chance", "sd of chance", *scores),
            cells=tuple(_baseline_cells(row, beside) for row in rows),
            records=tuple(records(rows)),
        )
    ]


def _baseline_cells(row: QueryBaseline, beside: bool) -> tuple[str, ...]:
    counts = (f"{row.n_documents:,}", f"{row.n_relevant:,}")
    chance = (f"{row.expected:.{DIGITS}g}", f"{row.standard_deviation:.{DIGITS}g}")
    cells = (row.query_id, *counts, *chance)
    if not beside:
        return cells
    known = ("-" if x is None else fixed(x, UNKNOWN) for x in (row.observed, row.corrected))
    return *cells, *known, "-" if row.p_value is None else small_p(row.p_value)


def null_distribution_tables(distributions: Sequence[NullDistribution]) -> list[Table]:
    """Mean, standard deviation and quantiles of what chance scores."""
    return [
        Table(
            title="scores of random orders: mean, standard deviation and quantiles",
            headings=("method", "mean", "sd", *(f"{q * 100:g} %" for q in QUANTILES)),
            cells=tuple(
                (one.method, *(f"{x:.{DIGITS}g}" for x in _moments_and_quantiles(one)))
                for one in distributions
            ),
            records=tuple(_null_record(one) for one in distributions),
        )
    ]


def _moments_and_quantiles(one: NullDistribution) -> tuple[float, ...]:
    return one.mean, one.standard_deviation, *(one.quantile(q) for q in QUANTILES)


def _null_record(one: NullDistribution) -> dict[str, Any]:
    names = ("mean", "standard_deviation", *(f"quantile_{q:g}" for q in QUANTILES))
    return {"method": one.method, **dict(zip(names, _moments_and_quantiles(one), strict=True))}


def estimator_tables(scatters: Sequence[Any]) -> list[Table]:
    """How estimated recall scatters around the truth."""
    names = ("recall", "mean", "bias", "standard_deviation", "undefined")
    places = max(SHARE_DECIMALS, decimals(min(one.standard_deviation for one in scatters)))
    return [
        Table(
            title="estimated recall over all samples that may come",
            headings=("true recall", "mean", "bias", "sd", "no estimate"),
            cells=tuple(
                tuple(fixed(getattr(one, name), places) for name in names) for one in scatters
            ),
            records=tuple({name: float(getattr(one, name)) for name in names} for one in scatters),
            first_number=0,
            caption="no estimate: the probability that neither sample holds anything relevant",
        )
    ]
