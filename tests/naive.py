"""Slow and obvious twins of what irbounds computes fast: the oracles of the tests.

Nothing here imports irbounds. Judgments and runs are dict of dict; a function scores one query.
"""

from __future__ import annotations

import math
from fractions import Fraction

Judgments = dict[str, int]
Scores = dict[str, float]

CWL_DEPTH = 1000


def ranking(run: Scores) -> list[str]:
    """Document ids, best first: score descending, then id descending by bytes, as trec_eval."""
    return sorted(run, key=lambda doc: (run[doc], doc.encode()), reverse=True)


def grades(judgments: Judgments, run: Scores) -> list[int | None]:
    """The grade at each rank, None where not judged."""
    return [judgments.get(doc) for doc in ranking(run)]


def is_relevant(grade: int | None, rel: int = 1) -> bool:
    return grade is not None and grade >= rel


def n_relevant(judgments: Judgments, rel: int = 1) -> int:
    return sum(grade >= rel for grade in judgments.values())


def average_precision(judgments, run, rel=1, cutoff=None):
    total, hits = 0.0, 0
    for rank, grade in enumerate(grades(judgments, run)[:cutoff], start=1):
        if is_relevant(grade, rel):
            hits += 1
            total += hits / rank
    return total / n_relevant(judgments, rel) if n_relevant(judgments, rel) else 0.0


def precision(judgments, run, cutoff, rel=1):
    return sum(is_relevant(g, rel) for g in grades(judgments, run)[:cutoff]) / cutoff


def recall(judgments, run, cutoff=None, rel=1):
    found = sum(is_relevant(g, rel) for g in grades(judgments, run)[:cutoff])
    return found / n_relevant(judgments, rel) if n_relevant(judgments, rel) else 0.0


def r_precision(judgments, run, rel=1):
    wanted = n_relevant(judgments, rel)
    return precision(judgments, run, wanted, rel) if wanted else 0.0


def reciprocal_rank(judgments, run, rel=1, cutoff=None):
    for rank, grade in enumerate(grades(judgments, run)[:cutoff], start=1):
        if is_relevant(grade, rel):
            return 1 / rank
    return 0.0


def success(judgments, run, cutoff, rel=1):
    return float(any(is_relevant(g, rel) for g in grades(judgments, run)[:cutoff]))


def dcg(gains, cutoff=None):
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains[:cutoff], start=1))


def ndcg(judgments, run, cutoff=None, dcg_form="log2"):
    def gain(grade):
        grade = max(grade or 0, 0)
        return float(grade) if dcg_form == "log2" else 2.0**grade - 1

    ideal = dcg(sorted((gain(g) for g in judgments.values()), reverse=True), cutoff)
    return dcg([gain(g) for g in grades(judgments, run)], cutoff) / ideal if ideal else 0.0


def rank_biased_precision(judgments, run, p=0.8, rel=1, cutoff=None):
    weights = [p**i for i in range(CWL_DEPTH)]
    hits = [is_relevant(g, rel) for g in grades(judgments, run)[:cutoff]]
    return sum(w * hit for w, hit in zip(weights, hits, strict=False)) / sum(weights)


def graded_rank_biased_precision(judgments, run, max_grade, p=0.8):
    weights = [p**i for i in range(CWL_DEPTH)]
    gains = [max(g or 0, 0) / max_grade for g in grades(judgments, run)]
    return sum(w * gain for w, gain in zip(weights, gains, strict=False)) / sum(weights)


def inverse_squares(judgments, run, max_rel, T=1.0, min_rel=0):
    continuation = [((i + 2 * T - 1) / (i + 2 * T)) ** 2 for i in range(1, CWL_DEPTH + 1)]
    weights, reach = [], 1.0
    for probability in continuation:
        weights.append(reach)
        reach *= probability
    gains = [
        (min(max(g or 0, 0, min_rel), max_rel) - min_rel) / (max_rel - min_rel)
        for g in grades(judgments, run)
    ]
    return sum(w * gain for w, gain in zip(weights, gains, strict=False)) / sum(weights)


def expected_reciprocal_rank(judgments, run, cutoff=None, max_grade=4):
    total, reading = 0.0, 1.0
    for rank, grade in enumerate(grades(judgments, run)[:cutoff], start=1):
        stop = (2 ** max(grade or 0, 0) - 1) / 2**max_grade
        total += reading * stop / rank
        reading *= 1 - stop
    return total


def binary_preference(judgments, run, rel=1):
    wanted = n_relevant(judgments, rel)
    others = sum(0 <= grade < rel for grade in judgments.values())
    total, above = 0.0, 0
    for grade in grades(judgments, run):
        if is_relevant(grade, rel):
            total += 1 - (min(above, wanted) / min(others, wanted) if above else 0)
        elif grade is not None and grade >= 0:
            above += 1
    return total / wanted if wanted else 0.0


def judged(judgments, run, cutoff=None):
    seen = grades(judgments, run)[:cutoff]
    return sum(g is not None for g in seen) / len(seen) if seen else 0.0


def set_precision(judgments, run, rel=1, relative=False):
    found = sum(is_relevant(g, rel) for g in grades(judgments, run))
    base = min(len(run), n_relevant(judgments, rel)) if relative else len(run)
    return found / base if base else 0.0


def set_f(judgments, run, rel=1, beta=1.0):
    p, r = set_precision(judgments, run, rel), recall(judgments, run, rel=rel)
    return (1 + beta) * p * r / (beta * p + r) if p + r else 0.0


def parse_fields(text: str, n_fields: int) -> tuple[list[list[str]], list[tuple[int, int]]]:
    """Records of ``n_fields`` fields, and (line, number of fields) of every other line."""
    records, bad = [], []
    for number, line in enumerate(text.split("\n"), start=1):
        fields = line.split()
        if not fields or line.startswith("#"):
            continue
        if len(fields) == n_fields:
            records.append(fields)
        else:
            bad.append((number, len(fields)))
    return records, bad


def nearest_double(text: str) -> float:
    """The double nearest to a decimal, by exact arithmetic."""
    exact = Fraction(text)
    guess = float(text)
    near = [guess, math.nextafter(guess, math.inf), math.nextafter(guess, -math.inf)]
    finite = [value for value in near if math.isfinite(value)]
    return min(finite, key=lambda value: abs(Fraction(value) - exact))


def n_tied(scores: list[float]) -> int:
    """Entries that share their score with another one."""
    return sum(scores.count(score) > 1 for score in scores)


def n_contradictions(entries: list[tuple[float, int]]) -> int:
    """Entries (score, rank) that the rank puts behind an entry of lower score; -1 is unknown."""
    known = [(score, rank) for score, rank in entries if rank >= 0]
    return sum(any(s < score and r < rank for s, r in known) for score, rank in known)
