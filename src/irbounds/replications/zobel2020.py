"""Zobel and Rashidi (2020), Corpus bootstrapping: Tables 2 to 4 and Figures 1 to 7.

The paper draws 100 images of the corpora of TREC-6 to TREC-9 and scores on each the 50 systems that
are best by RBP. Table 2 counts how often an interval from the other images contains the difference
of two systems on a query in an image that was left out. Table 3 gives the mean and the standard
deviation, over pairs of systems and queries, of the standard deviation of such a difference over
images. Table 4 gives the same for the scores of one system on queries.

The paper's runs are not among the data. TREC 2003 Robust takes their place: other topics on the
corpus of TREC-7 and TREC-8, with all its full runs, and a thousand images. A collection of the user
can take its place. So our column is one more collection next to the paper's. The order of the
measures and the size of the numbers should agree, not their digits.

Judgments are binary in the paper; a grade of 1 or more is relevant here. Each image is left out in
turn (Table 2), which is less noisy than the paper's way: one image shared by all pairs of systems.
The paper does not say how it makes an interval from images. Both rules are here: quantiles in the
rows of the paper, and mean +- 1.96 standard deviations in rows below. The paper's numbers look like
the latter: quantiles of 99 images contain 93.1 % of a measure without steps and more of P@10, which
the paper does not show.

As in the paper, Figure 2 is of system #3 and Figures 3 to 5 are of the best 25 systems. Figures 6
and 7 compare the best two by AP and RBP on pools of depth 10 and 25 and on all judgments, which the
paper calls depth 100. Differences from the paper: Figure 1 is of all systems, not of the best 50,
and also has the median and the maximum besides the 95th percentile, and RR, which the paper leaves
out. Ranks are among all systems. Our figures are of one collection, the paper's Figures 1 and 4 of
four.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ..corpora.bootstrap import CorpusBootstrap, corpus_bootstrap
from ..errors import DataError
from ..parallel.progress import show_progress
from ..presentation.registry import make_section
from ..resampling.seeds import SeedLike, seed_number
from ..results import MeasurePrecision, SpreadSummary, ValidityRow
from ..results.corpus_measures import PoolPrecision, QueryPrecision, QuerySpread
from ..results.corpus_systems import RankPrecision, ScorePrecision
from ..results.result import Answer, Results
from ..validation import Progress, check_count
from .commands import MIN_IMAGES, OWN_LABEL
from .paper_tables import CollectionTable
from .study_data import (
    SIMULATED,
    StudyCollection,
    binary_qrels,
    read_collection,
    read_own_collection,
)
from .zobel2020_presentation import NOTES, draw_zobel2020, finding_sentences

if TYPE_CHECKING:
    from ..presentation.figures.style import Figure
    from .commands import Zobel2020Request

Numbers = tuple[tuple[float, ...], ...]

#: the paper's names and ours; its nDCG ends at 1,000, as do the weights of RBP and INSQ
MEASURES = {
    "AP": "AP",
    "INSQ@5": "INSQ(T=5)",
    "nDCG": "nDCG@1000",
    "P@10": "P@10",
    "RBP@0.95": "RBP(p=0.95,rel=1)",
    "RR": "RR",
}
SORT_MEASURE = "RBP@0.95"
TYPICAL = 2  # our system of Table 4; the paper's are #7, #6, #2 and #5 of its collections
PAPER_IMAGES = 100
N_BEST = 25  # systems of Figures 3 to 5
FIGURE_2_SYSTEM = 3
#: of Figures 6 and 7
POOL_MEASURES, POOL_DEPTHS = ("AP", "RBP@0.95"), (10, 25)
TOPICS = ("study", "corpus-queries", "corpus-scores", "corpus-ranks", "corpus-pools")
#: as printed
COLLECTIONS = ("TREC6", "TREC7", "TREC8", "TREC9")
THEIR_TYPICAL = (7, 6, 2, 5)
#: order of the columns: TREC-7 and TREC-8, which have our corpus, are first
COLUMN_ORDER = (1, 2, 0, 3)
TITLES = {
    2: "percent of differences of two systems on a query below / in / above the 95 % interval",
    3: "standard deviation of the difference of two systems on a query, mean ± sd",
    4: "standard deviation of a typical system's score on a query, mean ± sd",
}
# fmt: off
#: as printed, by collection from TREC6 to TREC9: percent below, in and above (Table 2), mean and
#: standard deviation (3 and 4)
THEIRS: dict[int, dict[str, Numbers]] = {
    2: {
        "AP": ((2.6, 94.2, 3.2), (2.5, 94.7, 2.8), (1.8, 96.3, 1.9), (2.4, 94.5, 3.1)),
        "INSQ@5": ((2.4, 94.6, 3.0), (2.5, 94.6, 2.9), (2.7, 94.4, 2.9), (2.3, 94.7, 3.03)),
        "nDCG": ((2.7, 94.6, 2.7), (3.2, 94.1, 2.7), (2.4, 95.1, 2.5), (2.3, 94.9, 2.8)),
        "P@10": ((3.0, 93.9, 3.1), (3.0, 94.0, 3.0), (2.1, 95.1, 2.7), (2.0, 95.2, 2.8)),
        "RBP@0.95": ((2.4, 94.2, 3.4), (2.7, 94.8, 2.5), (1.4, 96.9, 1.7), (2.3, 94.5, 3.2)),
        "RR": ((2.2, 95.4, 2.4), (2.6, 94.4, 3.0), (2.5, 94.3, 3.2), (2.8, 95.0, 2.2)),
    },
    3: {
        "AP": ((0.058, 0.054), (0.047, 0.030), (0.046, 0.035), (0.067, 0.064)),
        "INSQ@5": ((0.084, 0.037), (0.083, 0.034), (0.078, 0.035), (0.076, 0.037)),
        "nDCG": ((0.062, 0.044), (0.049, 0.028), (0.045, 0.028), (0.071, 0.050)),
        "P@10": ((0.140, 0.060), (0.148, 0.054), (0.144, 0.056), (0.131, 0.066)),
        "RBP@0.95": ((0.060, 0.026), (0.060, 0.023), (0.057, 0.024), (0.051, 0.027)),
        "RR": ((0.220, 0.144), (0.210, 0.142), (0.201, 0.145), (0.230, 0.140)),
    },
    4: {
        "AP": ((0.07, 0.06), (0.06, 0.04), (0.06, 0.04), (0.08, 0.07)),
        "INSQ@5": ((0.09, 0.03), (0.08, 0.03), (0.08, 0.03), (0.08, 0.03)),
        "nDCG": ((0.07, 0.05), (0.06, 0.03), (0.06, 0.03), (0.08, 0.06)),
        "P@10": ((0.13, 0.05), (0.12, 0.06), (0.12, 0.06), (0.13, 0.05)),
        "RBP@0.95": ((0.07, 0.02), (0.07, 0.01), (0.07, 0.02), (0.06, 0.02)),
        "RR": ((0.17, 0.13), (0.12, 0.13), (0.10, 0.12), (0.18, 0.13)),
    },
}
# fmt: on


@dataclass(frozen=True)
class Zobel2020Figures:
    """Rows for Figures 1 to 7, measures by the paper's names."""

    #: of Figures 3 to 5, in the order of their numbers: #1 is the best by RBP
    systems: tuple[str, ...]
    #: Figure 1
    query_spreads: tuple[QuerySpread, ...]
    #: Figure 2, of one system
    query_precision: tuple[QueryPrecision, ...]
    #: Figures 3 and 4
    score_precision: tuple[ScorePrecision, ...]
    #: Figure 5
    rank_precision: tuple[RankPrecision, ...]
    #: Figures 6 and 7, of the best two
    pools: tuple[PoolPrecision, ...]


@dataclass(frozen=True, eq=False)
class Zobel2020:
    """Tables 2 to 4, and the images that they were computed from."""

    tables: tuple[CollectionTable, ...]
    #: systems in the order of their numbers: #1 is the best by RBP on the corpus
    images: CorpusBootstrap
    #: Table 2 as the paper computes it: only the last of 100 images is left out
    papers_way: tuple[ValidityRow, ...]


def answer_zobel2020(request: Zobel2020Request) -> Answer[Results[CollectionTable]]:
    """Return Tables 2 to 4 on the collection of the request."""
    is_own = request.qrels is not None
    if is_own:
        assert request.corpus_size
        label = request.label or OWN_LABEL
        collection = read_own_collection(request.qrels, request.runs, request.corpus_size, label)
    else:
        collection = read_collection(request.data, request.seed)
    with show_progress("drawing images") as progress:
        study = replicate_zobel2020(
            collection, n_images=request.n_images, rng=request.seed, progress=progress
        )
    lines = [
        *([SIMULATED] if request.data is None and not is_own else []),
        _describe_systems(study, collection, "runs" if is_own else "full runs"),
        *NOTES,
    ]
    section = replace(
        make_section(study.tables),
        sentences=finding_sentences(study.tables, study.papers_way),
        figures=partial(_draw_figures, study, collection.name if is_own else ""),
        topics=list(TOPICS),
    )
    images = study.images
    return Answer(
        Results(study.tables),
        lines=lines,
        warnings=images.warnings,
        inputs=images.inputs,
        facts={
            "notes": [*lines, *section.sentences],
            "seed": images.seed,
            "n_images": images.n_images,
            "corpus_size": images.corpus_size,
            "systems": list(images.systems),
        },
        make_sections=lambda view: [section],
    )


def _describe_systems(study: Zobel2020, collection: StudyCollection, runs: str) -> str:
    """Return a line on the systems, and which of them is the typical one."""
    systems = study.images.systems
    line = (
        f"all {len(systems)} {runs}, #1 the best by RBP (the paper: the best 50 of 74 to 129); "
        f"#2 is {systems[1]}"
    )
    if collection.left_out:
        line += f"; left out as too short: {', '.join(collection.left_out)}"
    return line


def _draw_figures(study: Zobel2020, label: str) -> list[Figure]:
    with show_progress("judging shallow pools") as progress:
        return draw_zobel2020(zobel2020_figures(study.images, progress), label)


def replicate_zobel2020(
    collection: StudyCollection,
    *,
    n_images: int = 1000,
    rng: SeedLike = None,
    progress: Progress | None = None,
) -> Zobel2020:
    """Return Tables 2 to 4 on a collection, next to the paper's own."""
    n = check_count("n_images", n_images, minimum=MIN_IMAGES)
    if len(collection.runs) < TYPICAL:
        raise DataError(f"the study needs at least {TYPICAL} full runs; got {len(collection.runs)}")
    seed = seed_number(rng)
    images = _sort_systems(_bootstrap(collection, n, seed, progress))
    hundred = replace(images, scores=images.scores[..., :PAPER_IMAGES])
    tables = (
        _table(2, collection.name, _validity_percents(images.validity())),
        _table(3, collection.name, _difference_spreads(images.measure_precision())),
        _table(4, f"{collection.name} #{TYPICAL}", _typical_spreads(images)),
    )
    return Zobel2020(tables, images, hundred.validity(left_out="last"))


def _bootstrap(
    collection: StudyCollection, n_images: int, seed: int, progress: Progress | None
) -> CorpusBootstrap:
    return corpus_bootstrap(
        binary_qrels(collection.qrels),
        collection.runs,
        list(MEASURES.values()),
        corpus_size=collection.corpus_size,
        n_images=n_images,
        rng=seed,
        progress=progress,
    )


def _sort_systems(images: CorpusBootstrap) -> CorpusBootstrap:
    """Return the images with systems in descending order of RBP on the corpus (section 4)."""
    means = images.root.means()[list(MEASURES).index(SORT_MEASURE)]
    return images.select([images.systems[s] for s in np.argsort(-means, kind="stable")])


def _validity_percents(rows: Sequence[ValidityRow]) -> dict[str, tuple[float, ...]]:
    """Return percentages by measure: first by quantiles, then by the normal rule."""
    names = dict(zip(MEASURES.values(), MEASURES, strict=True))
    percents: dict[str, tuple[float, ...]] = {}
    for rule, words in (("quantile", ""), ("normal", ", normal rule")):
        for row in rows:
            if row.rule == rule:
                cell = (100 * row.below, 100 * row.inside, 100 * row.above)
                percents[names[row.measure] + words] = cell
    return percents


def _difference_spreads(rows: Sequence[MeasurePrecision]) -> dict[str, tuple[float, ...]]:
    """Return mean and standard deviation of the deviations of differences, by measure."""
    return {
        name: _pair(row.differences)
        for name, row in zip(MEASURES, rows, strict=True)
        if row.differences  # there are two systems at least
    }


def _typical_spreads(images: CorpusBootstrap) -> dict[str, tuple[float, ...]]:
    """Return mean and standard deviation of the deviations of one system, by measure."""
    typical = images.systems[TYPICAL - 1]
    rows = [row for row in images.system_precision() if row.system == typical]
    return {name: _pair(row.scores) for name, row in zip(MEASURES, rows, strict=True)}


def _pair(spread: SpreadSummary) -> tuple[float, float]:
    return spread.mean, spread.standard_deviation


def _table(number: int, name: str, ours: Mapping[str, tuple[float, ...]]) -> CollectionTable:
    """Return our column and the paper's, which are NaN in rows that the paper does not have."""
    parts = ("below", "in", "above") if number == 2 else ("mean", "sd")
    unknown = ((float("nan"),) * len(parts),) * len(COLLECTIONS)
    theirs = {row: THEIRS[number].get(row, unknown) for row in ours}
    return CollectionTable(
        study="zobel2020",
        number=number,
        title=TITLES[number],
        corner="measure",
        rows=tuple(ours),
        collections=(name, *(_their_name(number, c) for c in COLUMN_ORDER)),
        parts=parts,
        numbers=tuple(
            (mine, *(theirs[row][c] for c in COLUMN_ORDER)) for row, mine in ours.items()
        ),
        between=" / " if number == 2 else " ± ",
        decimals={2: 1, 3: 3, 4: 2}[number],
    )


def _their_name(number: int, collection: int) -> str:
    name = COLLECTIONS[collection]
    return f"{name} #{THEIR_TYPICAL[collection]}" if number == 4 else name


# ---- the figures ----


def zobel2020_figures(
    images: CorpusBootstrap, progress: Progress | None = None
) -> Zobel2020Figures:
    """Return the rows of all figures; the systems of ``images`` are sorted, best first."""
    best = images.systems[:N_BEST]
    third = images.systems[min(FIGURE_2_SYSTEM, len(images.systems)) - 1]
    first, second = images.systems[:2]
    pools = _rename_measures(images.shallow_pools(first, second, POOL_DEPTHS, progress=progress))
    return Zobel2020Figures(
        systems=best,
        query_spreads=_rename_measures(images.query_spreads()),
        query_precision=_rename_measures(images.query_precision(third)),
        score_precision=_rename_measures(
            row for row in images.score_precision() if row.system in best
        ),
        rank_precision=_rename_measures(
            row for row in images.rank_precision() if row.system in best
        ),
        pools=tuple(row for row in pools if row.measure in POOL_MEASURES),
    )


def _rename_measures(rows: Iterable[Any]) -> tuple[Any, ...]:
    """Return rows with the paper's names of measures."""
    names = {ours: theirs for theirs, ours in MEASURES.items()}
    return tuple(replace(row, measure=names[row.measure]) for row in rows)
