"""Images of the corpus by rewriting judgments and runs, as the paper did; dicts in and out."""

from __future__ import annotations

import naive
from irbounds.read.identifiers import intern_strings
from irbounds.resample.documents import IMAGES, counts_of_images


def counts_by_id(qrels, runs, packed, seed, image):
    """How often every document stands in an image; 1 for those that cannot matter."""
    counts, _ = counts_of_images(packed, seed, image // IMAGES)
    rows = dict(zip(packed.names.tolist(), packed.rows.tolist(), strict=True))
    ids, _ = intern_strings(
        sorted({doc for part in (qrels, *runs.values()) for docs in part.values() for doc in docs})
    )
    return {
        doc: int(counts[rows[hashed], image % IMAGES]) if hashed in rows else 1
        for doc, hashed in zip(ids.strings(), ids.hashes.tolist(), strict=True)
    }


def rewritten(qrels, runs, counts):
    """Judgments and runs of one image, all of them rewritten."""
    return (
        {q: naive.image_of_judgments(docs, counts) for q, docs in qrels.items()},
        {
            name: {q: naive.image_of_run(docs, counts) for q, docs in run.items()}
            for name, run in runs.items()
        },
    )
