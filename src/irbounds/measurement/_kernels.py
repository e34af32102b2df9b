"""Find the judged documents of rankings."""

from __future__ import annotations

import numpy as np

from ..kernels.jit import jit


@jit
def find_judged(
    qrels_bounds: np.ndarray,
    qrels_docs: np.ndarray,
    relevance: np.ndarray,
    run_query: np.ndarray,
    run_bounds: np.ndarray,
    run_docs: np.ndarray,
    place: np.ndarray,
    bounds: np.ndarray,
    ranks: np.ndarray,
    grades: np.ndarray,
) -> int:
    """Write rank (from 1) and grade of every judged entry, query by query; return their number.

    ``run_query`` is each judged query's place in the run, or -1. ``run_docs`` are the numbers that
    the judgments have for the documents, -1 for those without judgment. ``place`` has an entry per
    judged document and must be filled with -1. It becomes the place of the document's last
    judgment, which counts only within the current query.
    """
    n = 0
    for q in range(run_query.size):
        bounds[q] = n
        r = run_query[q]
        if r < 0:
            continue
        begin = qrels_bounds[q]
        for i in range(begin, qrels_bounds[q + 1]):
            place[qrels_docs[i]] = i
        first = run_bounds[r]
        for i in range(first, run_bounds[r + 1]):
            doc = run_docs[i]
            if doc >= 0 and place[doc] >= begin:
                ranks[n] = i - first + 1
                grades[n] = relevance[place[doc]]
                n += 1
    bounds[run_query.size] = n
    return n
