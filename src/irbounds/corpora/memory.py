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
from contextlib import AbstractContextManager
from dataclasses import dataclass

from ..kernels.dealing import IMAGES
from ..parallel.memory import check_fits, format_bytes, memory_budget, reserve_memory
from ..resampling.pools import KEPT
from ..scores.packed_rankings import PackedRankings

logger = logging.getLogger("irbounds")

MOST = 2 << 30  # bytes, where nobody says otherwise and the machine has them
THREADS = 8  # that are to fit beside the scores, if those leave half of the memory
WORTH_SAYING = 256 << 20  # bytes
FEWER = "take fewer images, systems or measures"
FEWEST = 100  # images whose single scores are kept, come what may: as many as the paper drew


@dataclass(frozen=True)
class ImageMemory:
    """How much fits."""

    #: images, the first ones, of which every score is kept
    n_kept: int
    #: bytes for threads to work in, and what each of them takes
    left: int
    each_thread: int


def plan_memory(
    cells: tuple[int, int, int], n_images: int, packed: PackedRankings, inputs: int = 0
) -> ImageMemory:
    """How many images to keep the scores of, for measures x systems x queries.

    ``inputs`` is what judgments and runs take, in bytes.

    That does not depend on how many threads there are: as many work as fit beside the scores. Says
    how much memory that takes, where it is much; raises ``ParameterError`` where even the least
    does not fit.
    """
    n_cells = math.prod(cells)
    # the counts of a unit; three units of scores with their sums: under way, done, taken over
    each_thread = IMAGES * packed.n_rows + 3 * n_cells * (4 * IMAGES + 16)
    means = 3 * 8 * cells[0] * cells[1] * n_images  # themselves, ranks and what is made of them
    fixed = means + 24 * n_cells + _bytes_of(packed) + inputs
    least = fixed + each_thread + 4 * n_cells * min(n_images, FEWEST)
    allowed = memory_budget(MOST)
    check_fits(f"{n_images:,} images", least, allowed, FEWER)
    for_scores = max(allowed - fixed - THREADS * each_thread, (allowed - fixed - each_thread) // 2)
    kept = max(min(n_images, for_scores // (4 * n_cells)), min(n_images, FEWEST))
    taken = fixed + 4 * n_cells * kept
    if taken > WORTH_SAYING:
        logger.info("%s images take about %s of memory ...", f"{n_images:,}", format_bytes(taken))
    return ImageMemory(int(kept), allowed - taken, each_thread)


def pools_fitting(
    packed: PackedRankings, shape: tuple[int, int, int], n_images: int
) -> AbstractContextManager[None]:
    """Compare pools on as many threads as fit, for measures x depths x queries."""
    n_measures, n_depths, n_queries = shape
    n_cells = math.prod(shape)
    kept = 16 * n_measures * n_depths * n_images + 4 * n_cells * min(n_images, KEPT)
    # the counts of a unit; its differences, and three copies as they are summed up
    each_thread = IMAGES * (packed.n_rows + 4 * 8 * n_cells + 4 * n_depths * n_queries)
    return reserve_memory(
        f"{n_images:,} images at {n_depths} depths",
        kept=kept,
        each_thread=each_thread,
        advice="take fewer images, depths or measures",
    )


def _bytes_of(packed: PackedRankings) -> int:
    arrays = (*packed.rankings, packed.names, packed.rows)
    return int(sum(array.nbytes for array in arrays))
