"""Images of the corpus by rewriting judgments and runs (dicts), as in the paper."""

from __future__ import annotations

import numpy as np

import naive
from irbounds.reading.ids import intern_strings
from irbounds.resampling.corpus_replicates import IMAGES, draw_replicate_counts


def counts_by_id(qrels, runs, packed, seed, image):
    """Return how often every document is in an image; 1 for documents without effect."""
    counts, _ = draw_replicate_counts(packed, seed, image // IMAGES)
    rows = dict(zip(packed.hashes.tolist(), packed.rows.tolist(), strict=True))
    ids, _ = intern_strings(
        sorted({doc for part in (qrels, *runs.values()) for docs in part.values() for doc in docs})
    )
    return {
        doc: int(counts[rows[hashed], image % IMAGES]) if rows.get(hashed, -1) >= 0 else 1
        for doc, hashed in zip(ids.strings(), ids.hashes.tolist(), strict=True)
    }


def rewritten(qrels, runs, counts):
    """Return the rewritten judgments and runs of one image."""
    return (
        {q: naive.image_of_judgments(docs, counts) for q, docs in qrels.items()},
        {
            name: {q: naive.image_of_run(docs, counts) for q, docs in run.items()}
            for name, run in runs.items()
        },
    )


def sparse_collection(seed, max_grade=3):
    """Return a random collection of edge cases; some queries have no relevant documents.

    Also queries that a run lacks, all documents relevant, one document, all scores tied, and query
    ids in no order. Where anything is relevant, something has the highest grade.
    """
    rng = np.random.default_rng((1, seed))
    n_documents, n_queries = rng.choice([1, 2, 8, 40]), rng.choice([1, 2, 6, 20])
    documents = [f"d{k}" for k in range(n_documents)]
    all_empty, all_tied = rng.random(2)
    qrels = {}
    for query in rng.permutation(n_queries):
        judged = rng.choice(documents, rng.integers(1, n_documents + 1), replace=False).tolist()
        lowest, highest = (-1, 0) if rng.random() < all_empty else (rng.choice([-1, 1]), max_grade)
        grades = rng.integers(lowest, highest + 1, len(judged)).tolist()
        if max(grades) > 0:
            rest = 0 if rng.random() < all_empty else 1
            grades = [max_grade, *(rest * grade for grade in grades[1:])]
        qrels[f"q{query}"] = dict(zip(judged, grades, strict=True))
    runs = {}
    for name in ("new", "other", "old"):
        n_scores = 1 if rng.random() < all_tied else 8
        runs[name] = {
            query: {
                doc: float(rng.integers(n_scores))
                for doc in rng.choice(documents, rng.integers(1, n_documents + 1), replace=False)
            }
            for query in qrels
            if rng.random() < 0.75
        } or {next(iter(qrels)): {"not judged": 1.0}}
    return qrels, runs
