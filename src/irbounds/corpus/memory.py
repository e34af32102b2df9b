"""How much memory a bootstrap of the corpus takes, said before it starts.

Means over queries are kept of every image, eight bytes for each measure and system. Scores on
single queries, four bytes each, are kept of as many images as fit, the first ones: images are drawn
alike, so the first thousand of a million are a sample as good as any. What needs single scores
(quantiles and differences per query) is then computed from those images; means and standard
deviations, systems' scores and ranks are of all.
"""

from __future__ import annotations

import logging
import math

from ..errors import ParameterError
from ..resample.documents import IMAGES

__all__ = ["images_to_keep"]

logger = logging.getLogger("irbounds")

MEBIBYTE = 1 << 20
WORTH_SAYING = 256 * MEBIBYTE
FEWEST = 100  # images whose single scores are kept, come what may: as many as the paper drew


def images_to_keep(
    cells: tuple[int, int, int], n_images: int, n_rows: int, threads: int, memory: int
) -> int:
    """How many images to keep the scores of, for measures x systems x queries.

    Says how much memory that takes, where it is much; raises ``ParameterError`` where even the
    least does not fit.
    """
    n_cells = math.prod(cells)
    means = 8 * cells[0] * cells[1] * n_images
    working = threads * (n_rows * IMAGES + 16 * n_cells) + 24 * n_cells
    least = means + working + 4 * n_cells * min(n_images, FEWEST)
    if least > memory:
        raise ParameterError(
            f"{n_images:,} images take at least {_shown(least)}, and memory allows "
            f"{_shown(memory)}: take fewer images, systems or measures, or in Python more memory"
        )
    kept = min(n_images, (memory - means - working) // (4 * n_cells))
    taken = means + working + 4 * n_cells * kept
    if taken > WORTH_SAYING:
        logger.info("%s images take about %s of memory ...", f"{n_images:,}", _shown(taken))
    return int(kept)


def _shown(n_bytes: int) -> str:
    return f"{n_bytes / MEBIBYTE:,.0f} MiB"
