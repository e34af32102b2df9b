"""What images of the corpus say of systems: scores, ranks and differences, and the gist of them.

On the screen ``corpus`` is the number on the corpus as it is; everything else in a row is of the
images. Quartiles and extremes that find no room there are in the records.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import median

from ..results import DifferencePrecision, Interval, RankPrecision, ScorePrecision, records
from .bars import bar_of
from .families import by_measure
from .rounding import UNKNOWN, decimals_of_column, decimals_of_share, fixed, percent, signed
from .tables import Table, labelled
from .words import counted, counted_queries

__all__ = [
    "IMAGE",
    "difference_precision_tables",
    "percent",
    "places_of",
    "rank_precision_tables",
    "score_precision_sentences",
    "score_precision_tables",
    "share",
]

#: the first sentence of whatever is said of images
IMAGE = (
    "An image is the corpus drawn again with replacement: as many documents, of which some are "
    "missing and some are there twice or more. Every run is scored on the same images."
)


def score_precision_tables(
    rows: Sequence[ScorePrecision], rule: str, digits: int | None = None
) -> list[Table]:
    """One table a measure, best system first; ``rule`` says what queries a mean is over."""
    return [_score_table(part, rule, digits) for part in by_measure(rows)]


def rank_precision_tables(
    rows: Sequence[RankPrecision], scores: Sequence[ScorePrecision], digits: int | None = None
) -> list[Table]:
    """One table a measure, best system first; ``scores`` decide how many digits they have."""
    places = {part[0].measure: places_of(part, digits) for part in by_measure(scores)}
    return [_rank_table(part, places.get(part[0].measure, UNKNOWN)) for part in by_measure(rows)]


def difference_precision_tables(
    rows: Sequence[DifferencePrecision], digits: int | None = None
) -> list[Table]:
    """One table a measure, largest difference first."""
    return [_difference_table(part, digits) for part in by_measure(rows)]


def score_precision_sentences(
    scores: Sequence[ScorePrecision], ranks: Sequence[RankPrecision]
) -> list[str]:
    """One sentence a measure: how precise its means are, and how much of the order is certain."""
    orders = {part[0].measure: part for part in by_measure(ranks)}
    return [_sentence(part, orders.get(part[0].measure, [])) for part in by_measure(scores)]


def places_of(
    rows: Iterable[ScorePrecision | DifferencePrecision], digits: int | None = None
) -> int:
    """Decimals of a column: those that were asked for, or what the intervals support."""
    if digits is not None:
        return digits
    return decimals_of_column(row.interval.half_width for row in rows)


def share(value: float, n_images: int) -> str:
    """A share of images, to no more digits than that many images give."""
    return fixed(value, decimals_of_share(n_images))


def _score_table(rows: Sequence[ScorePrecision], rule: str, digits: int | None) -> Table:
    best_first = sorted(rows, key=lambda row: (-row.root, row.system))
    first, places = rows[0], places_of(rows, digits)
    level = percent(first.interval.confidence_level)
    return Table(
        title=f"{first.measure} over {counted_queries(first.n_queries, rule)}: on the corpus and "
        f"on {first.n_images:,} images",
        headings=("system", "corpus", "mean", "shift", "sd", "low", "high", "decimals"),
        cells=tuple(_score_cells(row, places) for row in best_first),
        records=labelled("scores", records(best_first)),
        caption=f"low to high: {level} of images; shift: mean - corpus; decimals: the most that "
        "can be relied on",
        bars=tuple(bar_of(row.root, row.interval) for row in best_first),
        spare=("shift", "mean", "sd"),
    )


def _score_cells(row: ScorePrecision, places: int) -> tuple[str, ...]:
    """What is small beside a score has a decimal more."""
    return (
        row.system,
        fixed(row.root, places),
        fixed(row.images.mean, places),
        signed(row.shift, places + 1),
        fixed(row.images.standard_deviation, places + 1),
        *_ends(row.interval, places),
        str(row.decimals) if row.images.standard_deviation else "-",
    )


def _rank_table(rows: Sequence[RankPrecision], places: int) -> Table:
    first = rows[0]
    return Table(
        title=f"{first.measure}: ranks on the corpus and on {first.n_images:,} images",
        headings=(
            *("system", "corpus", "rank", "from", "to", "middle half"),
            *("best", "over next"),
        ),
        cells=tuple(
            (
                row.system,
                fixed(row.root, places),
                *map(str, (row.rank, row.low, row.high)),
                _middle_half(row),
                share(row.best_probability, row.n_images),
                "" if row.over_next is None else share(row.over_next, row.n_images),
            )
            for row in rows
        ),
        records=labelled("ranks", records(rows)),
        caption=f"from, to: {percent(first.confidence_level)} of images; best, over next: share "
        "where it leads all, or the next below",
        bars=tuple((row.low, row.rank, row.high) for row in rows),
        spare=("middle half",),
    )


def _middle_half(row: RankPrecision) -> str:
    """From quartile to quartile, rounded outwards as the other ends are."""
    return f"{math.floor(row.images.lower_quartile)}-{math.ceil(row.images.upper_quartile)}"


def _difference_table(rows: Sequence[DifferencePrecision], digits: int | None) -> Table:
    largest_first = sorted(rows, key=lambda row: -row.root)
    first, places = rows[0], places_of(rows, digits)
    baselines = {row.baseline for row in rows}
    # against one baseline its name stands in the title, not in every row
    names = ("system",) if len(baselines) == 1 else ("system", "baseline")
    against = f" from {first.baseline}" if len(baselines) == 1 else ""
    return Table(
        title=f"{first.measure}: differences{against} over {counted_queries(first.n_queries)}, on "
        f"the corpus and on {first.n_images:,} images",
        headings=(
            *("system", "minus")[: len(names)],
            *("corpus", "mean", "sd", "low", "high", "higher"),
        ),
        cells=tuple(
            (*(getattr(row, name) for name in names), *_difference_cells(row, places))
            for row in largest_first
        ),
        records=labelled("differences", records(largest_first)),
        first_number=len(names),
        caption=f"low to high: {percent(first.interval.confidence_level)} of images; higher: share "
        "where the system is higher",
        bars=tuple(bar_of(row.root, row.interval) for row in largest_first),
        spare=("mean", "sd"),
    )


def _difference_cells(row: DifferencePrecision, places: int) -> tuple[str, ...]:
    return (
        fixed(row.root, places),
        fixed(row.images.mean, places),
        fixed(row.images.standard_deviation, places + 1),
        *_ends(row.interval, places),
        share(row.higher_probability, row.n_images),
    )


def _ends(interval: Interval, places: int) -> tuple[str, str]:
    return fixed(interval.low, places), fixed(interval.high, places)


def _sentence(scores: Sequence[ScorePrecision], ranks: Sequence[RankPrecision]) -> str:
    said = f"{scores[0].measure}: {_precision(scores)}"
    shares = [rank.over_next for rank in ranks if rank.over_next is not None]
    if not shares:
        return f"{said}."
    if len(shares) == 1:
        return f"{said}; the two keep their order in {percent(shares[0])} of images."
    level = ranks[0].confidence_level
    kept = sum(one >= level for one in shares)
    keep = "keeps its" if kept == 1 else "keep their"
    return (
        f"{said}; {kept:,} of {len(shares):,} neighbouring pairs {keep} order in "
        f"{percent(level)} of images."
    )


def _precision(scores: Sequence[ScorePrecision]) -> str:
    """To within how much the documents pin the means down, and the decimals that are left."""
    moved = [row for row in scores if row.interval.half_width > 0]
    if not moved:
        return "no image changes a mean score"
    places = places_of(moved)
    width = fixed(median(row.interval.half_width for row in moved), places)
    spread = fixed(median(row.images.standard_deviation for row in moved), places + 1)
    level = percent(scores[0].interval.confidence_level)
    return (
        "on other documents of the same kind a mean would vary by about "
        f"\N{PLUS-MINUS SIGN}{width} ({level} of images; standard deviation {spread}), so that no "
        f"more than {_decimals(moved, len(scores))}"
    )


def _decimals(moved: Sequence[ScorePrecision], n_systems: int) -> str:
    """The decimals of most systems, and where systems differ how many systems have which."""
    systems = Counter(row.decimals for row in moved)
    (usual, n_usual), *others = sorted(systems.items(), key=lambda one: (-one[1], one[0]))
    said = f"{counted(usual, 'decimal')} of it can be relied on"
    if not others:
        return said
    which = "systems" if len(moved) == n_systems else "systems that vary"
    rest = "".join(f", {counted(places, 'decimal')} for {n:,}" for places, n in sorted(others))
    return f"{said} for {n_usual:,} of {len(moved):,} {which}{rest}"
