"""Replicate Zobel and Rashidi (2020), Corpus bootstrapping, CIKM 2020.

The paper draws 100 images of the corpora of TREC-6 to TREC-9 and scores on each the 50 systems that
are best by RBP. Its runs are not among the data: TREC 2003 Robust takes their place, with other
topics on the corpus of TREC-7 and TREC-8, all of its full runs and a thousand images. So our number
is that of one more collection, and is repeated next to those of the paper's four.

- Judgments are binary in the paper; a grade of 1 or more is relevant here.
- Table 2: each image is left out in turn, which is less noisy than the paper's way, the last of a
  hundred. The paper does not say how it makes an interval of images. Quantiles are in its rows, and
  mean +- 1.96 standard deviations, which its numbers look like, in rows of their own. A difference
  at an end is inside, so that quantiles contain more of P@10 and RR, which come in steps.
- Table 4: system #2 by RBP here; #7, #6, #2 and #5 in the paper.
- INSQ is that of C/W/L with T = 5, and gives less than the paper's: 0.066 against 0.078 in Table 3
  on TREC-8. The paper's parameter seems to be another one.
- Figures have no printed numbers. Figure 1 is of all systems; 6 and 7 are of the best two, with
  pools of depth 10, 25 and all judgments ("depth 100"). Figures 2 to 5 are of images of the corpus:
  ``irbounds.corpus(...).images`` has their scores on queries, means and ranks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

from irbounds import Qrels, Run, read_qrels, read_runs, score
from irbounds.corpora.bootstrap import corpus_bootstrap

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Row = tuple[str, str, str, float, float]

NAN = float("nan")
SEED = 0
N_IMAGES, PAPER_IMAGES = 1000, 100
#: documents on TREC disks 4 and 5 without the Congressional Record: TREC-7, TREC-8 and Robust
CORPUS_SIZE = 528_155
SHORT = 100  # a run that never ranks more than this has no meaningful AP or nDCG@1000
OUTSIDE = 0.025  # of an interval, on either side
#: tolerance of equal differences: a score of 32 bits has an error of up to 2**-25, a difference of
#: 2**-24, two differences that ought to be equal of 2**-23, and twice that is allowed
CLOSE = 2.0**-22
#: the paper's names and ours; its nDCG ends at 1,000, as do the weights of RBP and INSQ
MEASURES = {
    "AP": "AP",
    "INSQ@5": "INSQ(T=5)",
    "nDCG": "nDCG@1000",
    "P@10": "P@10",
    "RBP@0.95": "RBP(p=0.95,rel=1)",
    "RR": "RR",
}
PERSISTENCE, RBP_DEPTH = 0.95, 1000
EVERYTHING = 2**31  # a depth at which documents in neither ranking are judged too
POOL_MEASURES = ("AP", "RBP@0.95")
POOL_DEPTHS = {"depth 10": 10, "depth 25": 25, "all judgments": EVERYTHING}
CHUNK = 100  # images of pools in memory at a time
#: as printed, from TREC6 to TREC9: percent below, in and above (Table 2), mean and sd (3 and 4)
COLLECTIONS = ("TREC6", "TREC7", "TREC8", "TREC9")
PARTS = {"Table 2": ("below", "in", "above"), "Table 3": ("mean", "sd"), "Table 4": ("mean", "sd")}
# fmt: off
PAPER: dict[str, dict[str, tuple[tuple[float, ...], ...]]] = {
    "Table 2": {
        "AP": ((2.6, 94.2, 3.2), (2.5, 94.7, 2.8), (1.8, 96.3, 1.9), (2.4, 94.5, 3.1)),
        "INSQ@5": ((2.4, 94.6, 3.0), (2.5, 94.6, 2.9), (2.7, 94.4, 2.9), (2.3, 94.7, 3.03)),
        "nDCG": ((2.7, 94.6, 2.7), (3.2, 94.1, 2.7), (2.4, 95.1, 2.5), (2.3, 94.9, 2.8)),
        "P@10": ((3.0, 93.9, 3.1), (3.0, 94.0, 3.0), (2.1, 95.1, 2.7), (2.0, 95.2, 2.8)),
        "RBP@0.95": ((2.4, 94.2, 3.4), (2.7, 94.8, 2.5), (1.4, 96.9, 1.7), (2.3, 94.5, 3.2)),
        "RR": ((2.2, 95.4, 2.4), (2.6, 94.4, 3.0), (2.5, 94.3, 3.2), (2.8, 95.0, 2.2)),
    },
    "Table 3": {
        "AP": ((0.058, 0.054), (0.047, 0.030), (0.046, 0.035), (0.067, 0.064)),
        "INSQ@5": ((0.084, 0.037), (0.083, 0.034), (0.078, 0.035), (0.076, 0.037)),
        "nDCG": ((0.062, 0.044), (0.049, 0.028), (0.045, 0.028), (0.071, 0.050)),
        "P@10": ((0.140, 0.060), (0.148, 0.054), (0.144, 0.056), (0.131, 0.066)),
        "RBP@0.95": ((0.060, 0.026), (0.060, 0.023), (0.057, 0.024), (0.051, 0.027)),
        "RR": ((0.220, 0.144), (0.210, 0.142), (0.201, 0.145), (0.230, 0.140)),
    },
    "Table 4": {
        "AP": ((0.07, 0.06), (0.06, 0.04), (0.06, 0.04), (0.08, 0.07)),
        "INSQ@5": ((0.09, 0.03), (0.08, 0.03), (0.08, 0.03), (0.08, 0.03)),
        "nDCG": ((0.07, 0.05), (0.06, 0.03), (0.06, 0.03), (0.08, 0.06)),
        "P@10": ((0.13, 0.05), (0.12, 0.06), (0.12, 0.06), (0.13, 0.05)),
        "RBP@0.95": ((0.07, 0.02), (0.07, 0.01), (0.07, 0.02), (0.06, 0.02)),
        "RR": ((0.17, 0.13), (0.12, 0.13), (0.10, 0.12), (0.18, 0.13)),
    },
}
# fmt: on


def rows(data: Path, scale: float) -> Iterator[tuple[str, str, str, float, float]]:
    """Yield table, row, column, the paper's number and ours."""
    n_images = max(round(scale * N_IMAGES), 3)
    qrels, runs = read_robust03(data / "robust03")
    images = corpus_bootstrap(
        qrels, runs, list(MEASURES.values()), corpus_size=CORPUS_SIZE, n_images=n_images, rng=SEED
    )
    for m, measure in enumerate(MEASURES):
        yield from table_rows(measure, images.scores[m])
    yield from pool_rows(qrels, runs[:2], n_images)


def read_robust03(directory: Path) -> tuple[Qrels, list[Run]]:
    """Return binary judgments and the full runs, the best by RBP first (section 4)."""
    qrels = read_qrels(next(directory.glob("qrels.txt*")))
    qrels = replace(qrels, relevance=(qrels.relevance >= 1).astype(np.int32))
    runs = [run for run in read_runs(sorted(directory.glob("*.run*"))) if run.depths.max() > SHORT]
    means = score(qrels, runs, [MEASURES["RBP@0.95"]]).means()[0]
    return qrels, [runs[place] for place in np.argsort(-means, kind="stable")]


# ---- Tables 2 to 4: a measure's scores are system x query x image ----


def table_rows(measure: str, scores: NDArray[np.float32]) -> Iterator[Row]:
    """Yield the rows of a measure in Tables 2 to 4 and Figure 1, the spread of single queries."""
    deviations = scores.std(axis=2, ddof=1, dtype=np.float64)
    counts = np.zeros((4, 2))
    spreads = []
    for first, second in combinations(range(len(scores)), 2):
        differences = np.subtract(scores[first], scores[second], dtype=np.float64)
        counts[0] += count_outside_quantiles(differences)
        counts[1] += count_outside_normal(differences)
        counts[2:] += count_last_outside(differences[:, :PAPER_IMAGES])
        spreads.append(differences.std(axis=1, ddof=1))
    n_differences = np.size(spreads)
    totals = np.array([scores.shape[2], scores.shape[2], 1, 1]) * n_differences
    percents = [
        (100 * below / total, 100 - 100 * (below + above) / total, 100 * above / total)
        for (below, above), total in zip(counts.tolist(), totals.tolist(), strict=True)
    ]
    yield from paper_rows("Table 2", measure, percents[0])
    words = ("normal rule", "last of 100 images", "last of 100 images, normal rule")
    for way, numbers in zip(words, percents[1:], strict=True):
        for part, ours in zip(PARTS["Table 2"], numbers, strict=True):
            yield "Table 2", f"{measure}, {way}", part, NAN, ours
    yield from paper_rows("Table 3", measure, mean_and_spread(np.ravel(spreads)))
    yield from paper_rows("Table 4", measure, mean_and_spread(deviations[1]))
    high = np.quantile(deviations, 0.95, axis=0)  # over systems
    for query, probability in (("least", 0.0), ("median", 0.5), ("largest", 1.0)):
        yield "Figure 1", measure, f"{query} query", NAN, float(np.quantile(high, probability))


def paper_rows(table: str, measure: str, numbers: Sequence[float]) -> Iterator[Row]:
    """Yield our numbers next to those of each of the paper's collections."""
    for collection, papers in zip(COLLECTIONS, PAPER[table][measure], strict=True):
        for part, paper, ours in zip(PARTS[table], papers, numbers, strict=True):
            yield table, measure, f"{collection} {part}", paper, ours


def mean_and_spread(values: Floats) -> tuple[float, float]:
    """Return the mean and the standard deviation."""
    return float(values.mean()), float(values.std(ddof=1))


def count_outside_quantiles(differences: Floats) -> Integers:
    """Count images below and above the quantiles of all other images (differences: query x image).

    Leaving out a value moves the lower quantile of the others in one of three ways: the value was
    below the place of the quantile, at it, or above it. A value above is never outside.
    """
    n = differences.shape[1]
    place = OUTSIDE * (n - 2)  # of the lower quantile among the n - 1 others, counted from 0
    whole = int(place)
    part = place - whole
    ascending = np.sort(differences, axis=1)
    counts = []
    for lowest in (ascending, -ascending[:, ::-1]):
        before, at, after = lowest[:, whole], lowest[:, whole + 1], lowest[:, whole + 2]
        end = at + part * (after - at)  # of all others where a value up to ``before`` is left out
        below = np.count_nonzero(lowest[:, : whole + 1] < end[:, None] - CLOSE)
        end = before + part * (after - before)  # where ``at`` itself is left out
        counts.append(below + np.count_nonzero(at < end - CLOSE))
    return np.array(counts)


def count_outside_normal(differences: Floats) -> Integers:
    """Count images below and above mean -+ 1.96 standard deviations of all other images.

    At a distance d from the mean of n values, the others have a mean that is d n / (n - 1) away and
    the sum of squares S - d**2 n / (n - 1).
    """
    n, z = differences.shape[1], special.ndtri(OUTSIDE)
    centred = differences - differences.mean(axis=1, keepdims=True)
    squares = (centred**2).sum(axis=1, keepdims=True)
    ratio = n / (n - 1)
    reach = np.sqrt(squares * z**2 / (ratio**2 * (n - 2) + ratio * z**2))
    below, above = centred < -reach - CLOSE, centred > reach + CLOSE
    return np.array([np.count_nonzero(below), np.count_nonzero(above)])


def count_last_outside(differences: Floats) -> list[Integers]:
    """Count last images below and above the intervals of the others: quantiles, normal rule."""
    rest, last = differences[:, :-1], differences[:, -1]
    reach = -special.ndtri(OUTSIDE) * rest.std(axis=1, ddof=1)
    by_quantile = np.quantile(rest, (OUTSIDE, 1 - OUTSIDE), axis=1)
    by_normal = rest.mean(axis=1) - reach, rest.mean(axis=1) + reach
    return [
        np.array([np.count_nonzero(last < low - CLOSE), np.count_nonzero(last > high + CLOSE)])
        for low, high in (by_quantile, by_normal)
    ]


# ---- Figures 6 and 7: shallow pools ----


def pool_rows(qrels: Qrels, runs: Sequence[Run], n_images: int) -> Iterator[Row]:
    """Yield comparisons of two systems on judgments of their own first documents."""
    on_corpus, on_images = compare_in_pools(qrels, runs, n_images)
    for m, measure in enumerate(POOL_MEASURES):
        for d, depth in enumerate(POOL_DEPTHS):
            row, root, differences = f"{measure}, {depth}", on_corpus[m, d, :, 0], on_images[m, d]
            p_values = np.asarray(stats.ttest_1samp(differences, 0, axis=0).pvalue)
            numbers = {
                "difference on the corpus": root.mean(),
                "p-value on the corpus": stats.ttest_1samp(root, 0).pvalue,
                "mean difference": differences.mean(),
                "sd of the difference": differences.mean(axis=0).std(ddof=1),
                "median p-value": np.median(p_values),
                "p < 0.05": np.mean(p_values < 0.05),
            }
            for column, ours in numbers.items():
                yield "Figure 6", row, column, NAN, float(ours)
            spread = float(differences.std(axis=0, ddof=1).mean())
            yield "Figure 7", row, "sd over queries", NAN, spread


def compare_in_pools(qrels: Qrels, runs: Sequence[Run], n_images: int) -> tuple[Floats, Floats]:
    """Return differences of two systems: measure x depth x query, on the corpus and on images.

    An image is drawn document by document. Those without a number matter to neither system.
    """
    numbers: dict[str, int] = {}
    topics = []
    rankings = [run.to_dict() for run in runs]
    for query, grades in qrels.to_dict().items():
        relevant = [document for document, grade in grades.items() if grade > 0]
        lists = [relevant, *(list(ranking.get(query, ())) for ranking in rankings)]
        topics.append(
            [np.array([numbers.setdefault(d, len(numbers)) for d in ids], int) for ids in lists]
        )
    on_corpus = score_topics(topics, np.ones((len(numbers), 1), np.int32))
    draw = np.random.default_rng(SEED)
    parts = []
    for begin in range(0, n_images, CHUNK):
        counts = np.empty((len(numbers), min(CHUNK, n_images - begin)), np.int32)
        for image in range(counts.shape[1]):
            drawn = draw.integers(CORPUS_SIZE, size=CORPUS_SIZE)
            counts[:, image] = np.bincount(drawn, minlength=CORPUS_SIZE)[: len(numbers)]
        parts.append(score_topics(topics, counts))
    return on_corpus, np.concatenate(parts, axis=-1)


def score_topics(topics: Sequence[Sequence[Integers]], counts: NDArray[np.int32]) -> Floats:
    """Return differences for counts of documents (document x image), with ranks unchanged.

    A pool is the first documents of either ranking, copies counted. It contains all copies of a
    document or none, and others count as not relevant.
    """
    differences = np.zeros((2, len(POOL_DEPTHS), len(topics), counts.shape[1]))
    for q, (relevant, *rankings) in enumerate(topics):
        copies = counts[relevant]
        first_ranks = np.full(copies.shape, EVERYTHING)
        systems = []
        for ranking in rankings:
            _, ranks, places = np.intersect1d(ranking, relevant, return_indices=True)
            order = np.argsort(ranks)
            ranks, places = ranks[order], places[order]
            above = (np.cumsum(counts[ranking], axis=0) - counts[ranking])[ranks]
            first_ranks[places] = np.minimum(first_ranks[places], above + 1)
            systems.append((places, above))
        for d, depth in enumerate(POOL_DEPTHS.values()):
            pooled = np.where(first_ranks <= depth, copies, 0)
            n_relevant = pooled.sum(axis=0)
            first, second = (
                score_ranking(above, pooled[places], n_relevant) for places, above in systems
            )
            differences[:, d, q] = first - second
    return differences


def score_ranking(above: Integers, copies: Integers, n_relevant: Integers) -> Floats:
    """Return AP and RBP of relevant documents in the order of their ranks (document x image).

    A document with c copies below x other documents has the ranks x + 1 to x + c.
    """
    hits = np.cumsum(copies, axis=0) - copies
    precision, weight = np.zeros((2, copies.shape[1]))
    for copy in range(1, copies.max(initial=0) + 1):
        ranks = above + copy
        is_there = copies >= copy
        precision += (is_there * (hits + copy) / ranks).sum(axis=0)
        weight += (is_there * (ranks <= RBP_DEPTH) * PERSISTENCE ** (ranks - 1)).sum(axis=0)
    rbp = weight * (1 - PERSISTENCE) / (1 - PERSISTENCE**RBP_DEPTH)
    return np.stack((precision / np.maximum(n_relevant, 1), rbp))
