"""Scores on images of the corpus, and their analyses: scores, differences, ranks and variances.

Both systems of a difference are scored on the same images, and a relevant document that an image
lacks or repeats changes both scores. So a difference varies less than two independent scores would.
The intervals of two scores may overlap where that of their difference does not contain 0; the
difference decides.

Images vary the documents and not the queries: scores, differences and ranks are for these queries.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..comparisons.pairs import check_pairs_fit, check_systems, pair_places
from ..errors import DataError, DegenerateSampleWarning
from ..intervals.student_t import StudentT
from ..results import (
    DifferencePrecision,
    ImageSummary,
    Interval,
    RankInterval,
    RankPrecision,
    Result,
    Results,
    ScorePrecision,
    VarianceSplit,
)
from ..results.interval import compute_interval
from ..scores.score_table import ScoreTable
from ..validation import check_confidence_level
from .variance_components import split_variance

Floats = NDArray[np.float64]

CHUNK = 1 << 20  # numbers in memory at a time, 8 MiB
MAX_DECIMALS = 8  # of a score that is the same on all images
DECIMALS = 12  # of means and their differences
SLACK = 1e-9  # a quantile this close to an integer is that integer


@dataclass(frozen=True, eq=False, repr=False)
class CorpusBootstrap(Result):
    """Scores of systems on images of the corpus."""

    #: scores on the corpus itself, with measures, systems, queries and inputs
    root: ScoreTable
    #: measure x system x query x image: the first images, as many as fit in 2 GiB
    scores: NDArray[np.float32]
    #: measure x system x image: means over queries, of every image
    means: Floats
    #: number of documents in the corpus
    corpus_size: int
    #: the value of ``rng`` that draws the same images again
    seed: int
    #: warnings in sentences, most serious first
    warnings: tuple[str, ...] = ()

    def __repr__(self) -> str:
        n_measures, n_systems, n_images = self.means.shape
        return (
            f"<CorpusBootstrap: {n_images:,} images of {self.corpus_size:,} documents, "
            f"{n_systems:,} systems, {len(self.queries):,} queries, {n_measures} measures>"
        )

    def _rows(self) -> tuple[Any, ...]:
        ranks = self.rank_precision() if len(self.systems) > 1 else ()
        return (*self.score_precision(), *ranks)

    @property
    def measures(self) -> tuple[str, ...]:
        """Names of the measures."""
        return self.root.measures

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems."""
        return self.root.systems

    @property
    def queries(self) -> tuple[str, ...]:
        """Ids of the queries."""
        return self.root.queries

    @property
    def n_images(self) -> int:
        """Number of images."""
        return int(self.means.shape[2])

    @property
    def n_kept(self) -> int:
        """Number of images, the first ones, whose scores are all stored."""
        return int(self.scores.shape[3])

    def score_precision(self, confidence_level: float = 0.95) -> Results[ScorePrecision]:
        """Return each mean score, its spread and interval over images, and the decimals of it."""
        confidence_level = check_confidence_level(confidence_level)
        roots = self.root.means()
        return Results(
            ScorePrecision(
                measure=measure,
                system=self.systems[s],
                value=float(roots[m, s]),
                images=summary,
                interval=interval,
                decimals=justified_decimals(summary.standard_deviation),
                n_queries=len(self.queries),
                n_images=self.n_images,
            )
            for m, measure in enumerate(self.measures)
            for s, (summary, interval) in enumerate(summarise_rows(self.means[m], confidence_level))
        )

    def difference_precision(
        self, baseline: str | None = None, confidence_level: float = 0.95
    ) -> Results[DifferencePrecision]:
        """Return differences of mean scores, with their spread and interval over images.

        Without a baseline there are all pairs, the system that is better on the corpus first.
        """
        confidence_level = check_confidence_level(confidence_level)
        check_systems(self.systems, baseline)
        check_pairs_fit(len(self.systems), len(self.measures), baseline)
        step = max(CHUNK // self.n_images, 1)
        rows = []
        for m, measure in enumerate(self.measures):
            roots = self.root.means()[m]
            first, second = pair_places(self.systems, round_means(roots), baseline)
            values = round_means(roots[first] - roots[second])
            for begin in range(0, len(first), step):
                some = slice(begin, begin + step)
                differences = round_means(self.means[m, first[some]] - self.means[m, second[some]])
                higher = ((differences > 0) + (differences == 0) / 2).mean(axis=1)
                summaries = summarise_rows(differences, confidence_level)
                for k, (summary, interval) in enumerate(summaries, begin):
                    rows.append(
                        DifferencePrecision(
                            measure=measure,
                            system=self.systems[first[k]],
                            baseline=self.systems[second[k]],
                            value=float(values[k]),
                            images=summary,
                            interval=interval,
                            higher_probability=float(higher[k - begin]),
                            n_queries=len(self.queries),
                            n_images=self.n_images,
                        )
                    )
        return Results(rows)

    def rank_precision(self, confidence_level: float = 0.95) -> Results[RankPrecision]:
        """Return the ranks of the systems on the images, the best on the corpus first (Figure 5).

        Equal means have the same rank, and the same probability of being best.
        """
        confidence_level = check_confidence_level(confidence_level)
        if len(self.systems) < 2:
            raise DataError(f"ranks need at least two systems; got {len(self.systems)}")
        rows = []
        for measure, roots, means in zip(self.measures, self.root.means(), self.means, strict=True):
            on_corpus, on_images = rank_systems(roots[:, None])[:, 0], rank_systems(means)
            is_best = on_images == 1
            best_probabilities = (is_best / is_best.sum(axis=0)).mean(axis=1)
            order = np.argsort(on_corpus, kind="stable")
            for s, after in zip(order, [*order[1:], None], strict=True):
                ranks = on_images[s]
                over_next = None
                if after is not None:
                    lower = on_images[after]
                    over_next = float(np.mean(ranks < lower) + np.mean(ranks == lower) / 2)
                ((summary, ends),) = summarise_rows(ranks[None], confidence_level)
                low, high = math.floor(ends.low + SLACK), math.ceil(ends.high - SLACK)
                rows.append(
                    RankPrecision(
                        measure=measure,
                        system=self.systems[s],
                        mean=float(roots[s]),
                        value=int(on_corpus[s]),
                        images=summary,
                        interval=RankInterval(low, high, confidence_level, ends.method),
                        best_probability=float(best_probabilities[s]),
                        over_next=over_next,
                        n_systems=len(self.systems),
                        n_images=self.n_images,
                    )
                )
        return Results(rows)

    def variance_split(
        self, baseline: str | None = None, confidence_level: float = 0.95
    ) -> Results[VarianceSplit]:
        """Return the variance of mean scores due to queries, to documents and to their interaction.

        With a baseline these are the variances of the differences from it.
        """
        confidence_level = check_confidence_level(confidence_level)
        if baseline is not None:
            check_systems(self.systems, baseline)
        base = None if baseline is None else self.systems.index(baseline)
        rows = []
        for m, measure in enumerate(self.measures):
            for s, system in enumerate(self.systems):
                if s == base:
                    continue
                root, scores = self.root.values[m, s], self.scores[m, s].astype(np.float64)
                if base is not None:
                    root = root - self.root.values[m, base]
                    scores -= self.scores[m, base]
                parts = split_variance(root, scores)
                error = np.sqrt(parts["total"]) if parts["total"] else np.nan  # nothing varies
                if np.isnan(error):
                    label = system if baseline is None else f"{system} minus {baseline}"
                    what = "a single query" if root.size < 2 else "the same score on every query"
                    warnings.warn(
                        f"{label}, {measure}: no interval: {what}",
                        DegenerateSampleWarning,
                        stacklevel=2,
                    )
                limits = StudentT(root.mean(), np.asarray(error), root.size)
                rows.append(
                    VarianceSplit(
                        measure=measure,
                        system=system,
                        baseline=baseline,
                        value=float(root.mean()),
                        **parts,
                        interval=compute_interval(limits, confidence_level, "two-sided"),
                        n_queries=root.size,
                        n_images=self.n_kept,
                    )
                )
        return Results(rows)


def summarise_rows(
    rows: NDArray[np.number], confidence_level: float
) -> Iterator[tuple[ImageSummary, Interval]]:
    """Return the summary of each row, and the percentile interval of its images."""
    exact = np.asarray(rows, np.float64)
    outside = (1 - confidence_level) / 2
    probabilities = (0.0, 0.25, 0.5, 0.75, 1.0, outside, 1 - outside)
    quantiles = np.quantile(exact, probabilities, axis=1).T.tolist()
    means, deviations = exact.mean(axis=1).tolist(), exact.std(axis=1, ddof=1).tolist()
    for mean, deviation, (*quartiles, low, high) in zip(means, deviations, quantiles, strict=True):
        yield (
            ImageSummary(mean, deviation, *quartiles),
            Interval(low, high, confidence_level, "percentile"),
        )


def justified_decimals(standard_deviation: float) -> int:
    """Return the place of the first digit: 2 for 0.013 and 0.094, 3 for 0.0041.

    Further digits are noise. Section 6 of the paper (Zobel and Rashidi 2020) concludes that fifty
    queries justify at most two decimals.
    """
    if standard_deviation <= 10.0**-MAX_DECIMALS:
        return MAX_DECIMALS
    first_digit = float(f"{standard_deviation:.0e}")  # 0.0096 is 0.01 when rounded to a digit
    return max(-math.floor(math.log10(first_digit) + 1e-9), 0)


def round_means(means: Floats) -> Floats:
    """Return means, or differences of means, rounded to the decimals that count.

    Two systems that find equally many relevant documents have the same precision, and yet their
    means over queries can differ in the sixteenth digit, by the order of the additions. Scores of
    the measures here are between 0 and 1, so that twelve decimals are enough to compare means.
    """
    return np.asarray(np.round(means, DECIMALS) + 0.0)  # and no -0


def rank_systems(means: Floats) -> NDArray[np.int32]:
    """Return the ranks of the systems on every image (system x image), from 1 for the highest mean.

    Equal means have the lowest of their ranks.
    """
    ranks = np.empty(means.shape, np.int32)
    step = max(CHUNK // len(means), 1)
    for begin in range(0, means.shape[1], step):
        values = -round_means(means[:, begin : begin + step])
        order = np.argsort(values, axis=0, kind="stable")
        rising = np.take_along_axis(values, order, axis=0)
        begins = np.zeros(values.shape, np.intp)
        begins[1:] = np.where(rising[1:] != rising[:-1], np.arange(1, len(values))[:, None], 0)
        lowest = np.maximum.accumulate(begins, axis=0) + 1
        np.put_along_axis(ranks[:, begin : begin + step], order, lowest, axis=0)
    return ranks
