"""``study zobel2020``: the precision of measures by images of the corpus, with the paper's."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ..presentation.registry import make_section
from ..requests.options import SEED, Images, StudyData
from ..requests.request import Request
from ..requests.verb import verb
from ..results.result import Answer, Results
from ..validation import check_count
from .study_park import SIMULATED

if TYPE_CHECKING:
    from ..presentation.figures.style import Figure
    from ..replications.collections import StudyCollection
    from ..replications.zobel2020 import Zobel2020
    from ..results import CollectionTable

N_QUERIES = 100  # of the simulated collection that takes the place of robust03
TOPICS = ("study", "corpus-queries", "corpus-scores", "corpus-ranks", "corpus-pools")


@dataclass(frozen=True, kw_only=True)
class Zobel2020Request(Request):
    """The options of ``study zobel2020``."""

    data: StudyData = None
    n_images: Images = 1000
    seed: Annotated[int, SEED] = 0

    def check(self) -> None:
        """Raise ``ParameterError`` where there are too few images."""
        from ..replications.zobel2020 import LEAST_IMAGES

        check_count("n_images", self.n_images, minimum=LEAST_IMAGES)


@verb(
    Zobel2020Request,
    name="study zobel2020",
    group="Studies",
    docs="corpus",
    shows=("published", "report"),
    examples=(
        "irbounds study zobel2020 --data data",
        "irbounds study zobel2020 --data data -o zobel2020.csv",
        "irbounds study zobel2020 --data data --figures figures",
    ),
)
def zobel2020(request: Zobel2020Request) -> Answer[Results[CollectionTable]]:
    """Repeat Zobel and Rashidi (2020): images of the corpus.

    Tables 2 to 4: the precision of measures by images of the corpus. TREC 2003 Robust, which has
    the corpus of TREC-7 and TREC-8, is shown beside the paper's four collections. Reads robust03
    from the data directory: qrels.txt and *.run, plain or as .gz.

    Returns
    -------
    Results of CollectionTable
        Tables 2 to 4: ``.numbers`` by row and collection, ours first.

    Examples
    --------
    >>> from irbounds.verbs.study_zobel2020 import zobel2020
    >>> tables = zobel2020(data="data")  # doctest: +SKIP
    """
    from ..parallel.progress import show_progress
    from ..presentation.zobel2020 import NOTES, finding_sentences
    from ..replications.zobel2020 import zobel2020 as study

    collection = _read_collection(request.data, request.seed)
    with show_progress("drawing images") as progress:
        found = study(collection, n_images=request.n_images, rng=request.seed, progress=progress)
    lines = [
        *([SIMULATED] if request.data is None else []),
        _systems_line(found, collection),
        *NOTES,
    ]
    section = replace(
        make_section(found.tables),
        sentences=finding_sentences(found.tables, found.papers_way),
        figures=partial(_figures, found),
        topics=list(TOPICS),
    )
    images = found.images
    return Answer(
        Results(found.tables),
        lines=lines,
        warnings=images.warnings,
        inputs=images.inputs,
        facts={
            "notes": [*lines, *section.sentences],
            "seed": images.seed,
            "n_images": images.n_images,
            "corpus_size": images.corpus_size,
            "systems": list(images.systems),
        },
        make_sections=lambda view: [section],
    )


def _read_collection(data: Path | None, seed: int) -> StudyCollection:
    """Return the collection: read from files, or simulated."""
    from ..parallel.progress import count_steps
    from ..replications.collections import robust03_collection, robust03_files, simulated_collection

    if data is None:
        with count_steps("simulating queries", N_QUERIES) as step:
            return simulated_collection(seed, step, N_QUERIES)
    with count_steps("reading runs", len(robust03_files(data)[1])) as step:
        return robust03_collection(data, step)


def _systems_line(found: Zobel2020, collection: StudyCollection) -> str:
    """Return a line on the systems, and which of them is the typical one."""
    systems = found.images.systems
    line = (
        f"all {len(systems)} full runs, #1 the best by RBP (the paper: the best 50 of 74 to 129); "
        f"#2 is {systems[1]}"
    )
    if collection.left_out:
        line += f"; left out as too short: {', '.join(collection.left_out)}"
    return line


def _figures(found: Zobel2020) -> list[Figure]:
    from ..parallel.progress import show_progress
    from ..presentation.figures.zobel2020 import zobel2020 as figures
    from ..replications.zobel2020_figures import zobel2020_figures

    with show_progress("judging shallow pools") as progress:
        return figures(zobel2020_figures(found.images, progress))
