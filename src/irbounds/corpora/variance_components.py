"""Variance components of a mean score: queries, documents and their interaction.

The score of query q on corpus C is mu + a_q + b(C) + e_q(C): an effect of the query, an effect of
the corpus on all queries, and an effect of the corpus on this query, with variances A, B and E. The
mean of Q queries on one corpus then has the variance

    A/Q + B + E/Q    over new queries and new corpora: queries, documents, interaction.

Each way of resampling shows a part of it. Resampled queries on the corpus itself show
V_Q = (A + E)/Q, since every score includes an e that cannot be separated from a. Images of the
corpus with the same queries show V_D = B + E/Q. Both crossed, each image with its own resample of
the queries, show A/Q + B + 3 E/Q: E/Q of the corpus, of the image, and of the scores on the image
from which queries are drawn. McCullagh (2000, "Resampling and exchangeable arrays", Bernoulli 6)
shows that no resampling of a crossed array is right for the variance of its mean in general.

E can be estimated from the images. Over images, the score of a query has the variance B + E, and
the mean of Q queries has B + E/Q. So E/Q is (the mean of the first - the second) / (Q - 1), and

    queries = V_Q - E/Q,   documents = V_D - E/Q,   total = V_Q + V_D - E/Q.

E/Q is never below 0. A component below 0 is set to 0, and the total is the sum of the components,
so that it is never below the variance that one way of resampling shows.

Variances over queries have the denominator Q - 1, as in a standard error; a bootstrap has Q. The
two-way variance is computed, not drawn: given an image, the mean of drawn queries has the variance
of the image's scores over Q.

When not to use: the document component is only as good as images are in place of new corpora, and
images repeat documents, which new corpora do not. docs/validation/published-zobel.md shows the
effect for each measure.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def split_variance(root: NDArray[np.float64], scores: NDArray[np.float64]) -> dict[str, float]:
    """Return the components, their total, and the variances that each way of resampling shows.

    ``root`` are scores on the corpus (query), ``scores`` those on images (query x image). For a
    single query, all are NaN except the variance over images.
    """
    n = root.size
    documents = float(scores.mean(axis=0).var(ddof=1))
    queries = interaction = within_images = np.nan
    if n > 1:
        queries = float(root.var(ddof=1)) / n
        query_variance = float(scores.var(axis=1, ddof=1).mean())
        interaction = max((query_variance - documents) / (n - 1), 0.0)  # rounding can go below 0
        within_images = float(scores.var(axis=0, ddof=1).mean()) / n
    components = {
        "queries": float(np.maximum(queries - interaction, 0.0)),
        "documents": float(np.maximum(documents - interaction, 0.0)),
        "interaction": interaction,
    }
    return {
        **components,
        "total": sum(components.values()),
        "query_bootstrap": queries,
        "document_bootstrap": documents,
        "two_way_bootstrap": documents + within_images,
    }
