"""Images made by hand, images of real runs, and numbers that R has."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from irbounds.corpora.bootstrap import corpus_bootstrap
from irbounds.corpora.images import CorpusBootstrap
from irbounds.scores.score_table import ScoreTable

MEASURES = ["AP", "nDCG", "P@10", "RBP(p=0.95,rel=1)", "INSQ(T=5)", "RR"]
NOT_FULL = ("NLPR03vb10", "humR03dc")  # runs of half the topics


@pytest.fixture(scope="session")
def images_of():
    """Images with the given scores: system x query x image, or measure by measure."""

    def make(scores, *, root=None, n_kept=None):
        scores = np.asarray(scores, float)
        scores = scores[None] if scores.ndim == 3 else scores
        root = scores.mean(axis=3) if root is None else np.asarray(root, float)
        names = [
            tuple(f"{letter}{k}" for k in range(n))
            for letter, n in zip("msq", scores.shape, strict=False)
        ]
        return CorpusBootstrap(
            root=ScoreTable(*names, root.reshape(scores.shape[:3])),
            scores=scores[..., :n_kept].astype(np.float32),
            means=scores.mean(axis=2),
            corpus_size=1000,
            seed=0,
        )

    return make


@pytest.fixture(scope="session")
def tenths():
    """Four systems, three queries, twelve images, all scores tenths: many are equal.

    In R, where the numbers that tests call R's come from, rounded so that equal tenths are equal:

    S <- 4; Q <- 3; n <- 12; x <- array(0, c(S, Q, n))
    for (s in 1:S) for (q in 1:Q) for (i in 1:n)
      x[s, q, i] <- ((7 * s + 5 * q + 3 * i * i + s * q * i) %% 11) / 10
    """
    s, q, i = np.ogrid[1:5, 1:4, 1:13]
    return ((7 * s + 5 * q + 3 * i * i + s * q * i) % 11) / 10


@pytest.fixture(scope="session")
def robust03_images(robust03):
    """Return a thousand images of Robust 2003: all full runs, binary judgments as in the paper."""
    with gzip.open(robust03 / "qrels.txt.gz", "rt") as lines:
        judged: dict[str, dict[str, int]] = {}
        for query, _, doc, grade in map(str.split, lines):
            judged.setdefault(query, {})[doc] = min(int(grade), 1)
    runs = [p for p in sorted(robust03.glob("*.run.gz")) if not p.name.startswith(NOT_FULL)]
    return corpus_bootstrap(judged, runs, MEASURES, corpus_size=528_155, n_images=1000, rng=0)
