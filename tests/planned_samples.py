"""Predictions and simulated samples for tests of recall plans."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from irbounds.planning.recall_guesses import combine_guesses, make_guess
from irbounds.planning.recall_widths import Analysis, GuessPrediction, interval_ends
from irbounds.samples.priors import parse_prior

TWO_SIDED = Analysis("beta-binomial", parse_prior(None), 0.95, "two-sided", cap_at_one=True)
FROM_BELOW = replace(TWO_SIDED, alternative="greater")
# Figure 15's corpus: yields equal the retrieved set's size, precision and recall are 0.5
CORPUS = 5_000_000


def make_prediction(corpus_size, retrieved_size, n_relevant, recall):
    """Return the prediction of guesses."""
    return GuessPrediction(
        (retrieved_size, corpus_size - retrieved_size),
        combine_guesses(
            make_guess("n_relevant", n_relevant, 1, corpus_size),
            make_guess("recall", recall, 0, 1),
            corpus_size,
            retrieved_size,
        ),
    )


def draw_samples(rng, prediction, sampled, n_samples):
    """Return counts of simulated samples, for the first guess."""
    relevant = prediction.guesses.relevant[0].astype(int)
    sizes = prediction.segment_sizes
    return np.stack(
        [
            rng.hypergeometric(relevant[k], sizes[k] - relevant[k], sampled[k], n_samples)
            for k in (0, 1)
        ],
        axis=-1,
    ).astype(float)


def simulate_ends(analysis, prediction, sampled, counts):
    """Return the ends of every simulated sample; equal samples are computed once."""
    distinct, places = np.unique(counts, axis=0, return_inverse=True)
    low, high = interval_ends(analysis, prediction.segment_sizes, sampled, distinct)
    return low[places.ravel()], high[places.ravel()]
