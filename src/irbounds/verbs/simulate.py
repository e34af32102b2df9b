"""``simulate``: judgments and runs whose truth is known."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ..requests.options import CORPUS_SIZE, DEPTH, N_QUERIES, N_SYSTEMS, SEED
from ..requests.request import Option, Request
from ..requests.verb import verb
from ..results.result import Answer

if TYPE_CHECKING:
    from ..simulation import SimulatedCollection


Directory = Annotated[
    Path | None,
    Option(
        "Directory to write the files to; made if missing.",
        "In Python nothing is written without it.",
        metavar="DIRECTORY",
        panel="Output",
        file="write",
        is_argument=True,
        is_needed=True,
    ),
]
NSystems = Annotated[int, N_SYSTEMS]
NQueries = Annotated[int, replace(N_QUERIES, panel="Input", minimum=1)]
Depth = Annotated[int, replace(DEPTH, panel="Input")]  # no advanced option here
PoolDepth = Annotated[
    int | None,
    Option(
        "Depth of pools: documents of each run that are judged.",
        metavar="K",
        minimum=1,
        default="half the depth, at most 100",
    ),
]
MaxGrade = Annotated[
    int,
    Option(
        "Highest grade of a relevant document.",
        "Relevant documents have grades from 1, each a third as frequent as the one below.",
        metavar="G",
        minimum=1,
    ),
]
TieRate = Annotated[
    float, Option("Chance that a document ties with the one above it.", metavar="P")
]
UnjudgedRate = Annotated[float, Option("Chance that a pooled document is not judged.", metavar="P")]
Compress = Annotated[bool, Option("Compress judgments and runs with gzip.", panel="Output")]
Overwrite = Annotated[bool, Option("Replace files of the same names.", panel="Output")]


@dataclass(frozen=True, kw_only=True)
class SimulateRequest(Request):
    """The options of ``simulate``."""

    directory: Directory = field(default=None, kw_only=False)
    n_systems: NSystems = 8
    n_queries: NQueries = 50
    corpus_size: Annotated[int, CORPUS_SIZE] = 20_000
    depth: Depth = 100
    pool_depth: PoolDepth = None
    max_grade: MaxGrade = 1
    tie_rate: TieRate = 0.0
    unjudged_rate: UnjudgedRate = 0.0
    seed: Annotated[int, SEED] = 0
    compress: Compress = False
    overwrite: Overwrite = False

    def check(self) -> None:
        """Raise ``ParameterError`` where a directory is missing for what is written to it."""
        if self.directory is None:
            self.refuse("for files; give directory", "compress", "overwrite")


@verb(
    SimulateRequest,
    group="Data",
    docs="simulation",
    shows=(),
    is_parallel=False,
    examples=(
        "irbounds simulate demo-collection --seed 1",
        "irbounds evaluate demo-collection/qrels.txt demo-collection/*.run",
        "irbounds simulate trec-like --n-systems 129 --corpus-size 528155 \\\n"
        "--depth 1000 --compress",
    ),
)
def simulate(request: SimulateRequest) -> Answer[SimulatedCollection]:
    """Make judgments and runs whose truth is known.

    Queries differ in difficulty, systems have known strengths, their rankings overlap as real ones
    do, and judgments are pooled from their first documents. Writes qrels.txt, complete-qrels.txt
    (every relevant document, judged or not), one run per system, and truth.json.

    Returns
    -------
    SimulatedCollection
        ``.qrels``, ``.runs``, ``.complete`` (all relevant documents) and ``.true_order``.

    Examples
    --------
    >>> from irbounds.verbs.simulate import simulate
    >>> collection = simulate(n_systems=4, n_queries=3, corpus_size=1000, depth=20, seed=1)
    >>> collection
    <SimulatedCollection: 4 systems, 3 queries, 1,000 documents, depth 20>
    """
    from ..presentation.escaping import make_printable
    from ..presentation.phrases import pluralise
    from ..progress import count_steps
    from ..simulation import simulate_collection, write_collection

    n_systems, n_queries = request.n_systems, request.n_queries
    with count_steps("simulating queries", n_queries) as step:
        collection = simulate_collection(
            n_systems,
            n_queries,
            request.corpus_size,
            request.depth,
            pool_depth=request.pool_depth,
            max_grade=request.max_grade,
            tie_rate=request.tie_rate,
            unjudged_rate=request.unjudged_rate,
            rng=request.seed,
            progress=step,
        )
    systems, queries = pluralise(n_systems, "system"), pluralise(n_queries, "query", "queries")
    documents = pluralise(request.corpus_size, "document")
    text = f"simulated {systems}, {queries}, {documents}, depth {request.depth:,}"
    if request.directory is not None:
        with count_steps("writing files", n_systems + 2) as step:
            paths = write_collection(
                collection,
                request.directory,
                compress=request.compress,
                overwrite=request.overwrite,
                progress=step,
            )
        text += make_printable(f": {pluralise(len(paths), 'file')} in {request.directory}")
    return Answer(collection, text=f"{text}\n")
