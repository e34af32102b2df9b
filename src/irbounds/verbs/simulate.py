"""``simulate``: judgments and runs whose truth is known."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from ..errors import ParameterError, quote
from ..requests.options import CORPUS_SIZE, DEPTH, N_QUERIES, N_SYSTEMS, SEED
from ..requests.request import Option, Request
from ..requests.verb import verb
from ..results.result import Answer
from ..validation import as_float

if TYPE_CHECKING:
    from ..simulation import SimulatedCollection


def _rate(name: str, value: Any) -> float:
    rate = as_float(value)
    if rate is None or not 0 <= rate <= 1:
        raise ParameterError(f"{name} must be a number from 0 to 1; got {quote(value)}")
    return rate


DIRECTORY = Option(
    "Directory to write the files to; made if missing.",
    "In Python nothing is written without it.",
    metavar="DIRECTORY",
    panel="Output",
    file="write",
    is_argument=True,
    is_needed=True,
)
POOL_DEPTH = Option(
    "Depth of pools: documents of each run that are judged.",
    metavar="K",
    minimum=1,
    default="half the depth, at most 100",
)
GRADES = Option(
    "Highest grade of a relevant document, at most 10.",
    "Relevant documents have grades from 1, each a third as frequent as the one below.",
    metavar="G",
    minimum=1,
)
TIES = Option("Chance that a document ties with the one above it.", metavar="P", check=_rate)
UNJUDGED = Option("Chance that a pooled document is not judged.", metavar="P", check=_rate)


@dataclass(frozen=True, kw_only=True)
class SimulateRequest(Request):
    """The options of ``simulate``."""

    directory: Annotated[Path | None, DIRECTORY] = field(default=None, kw_only=False)
    n_systems: Annotated[int, N_SYSTEMS] = 8
    n_queries: Annotated[int, replace(N_QUERIES, panel="Input", minimum=1)] = 50
    corpus_size: Annotated[int, CORPUS_SIZE] = 20_000
    depth: Annotated[int, replace(DEPTH, panel="Input")] = 100
    pool_depth: Annotated[int | None, POOL_DEPTH] = None
    max_grade: Annotated[int, GRADES] = 1
    tie_rate: Annotated[float, TIES] = 0.0
    unjudged_rate: Annotated[float, UNJUDGED] = 0.0
    seed: Annotated[int, SEED] = 0

    def check(self) -> None:
        """Raise ``ParameterError`` where a number is too large for another one."""
        from ..simulation import MAX_GRADE

        for name, value, maximum, limit in (
            ("depth", self.depth, self.corpus_size, "corpus_size, "),
            ("pool_depth", self.pool_depth or 1, self.depth, "the depth, "),
            ("max_grade", self.max_grade, MAX_GRADE, ""),
        ):
            if value > maximum:
                rule = f"an integer from 1 to {limit}{maximum}"
                raise ParameterError(f"{name} must be {rule}; got {value}")


@verb(
    SimulateRequest,
    group="Data",
    docs="simulation",
    shows=(),
    is_parallel=False,
    examples=(
        "irbounds simulate demo-collection --seed 1",
        "irbounds evaluate demo-collection/qrels.txt demo-collection/*.run",
        "irbounds simulate trec-like --n-systems 129 --corpus-size 528155 --depth 1000",
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
    from ..simulation import simulate_collection, write_collection

    options = asdict(request)
    directory, seed = options.pop("directory"), options.pop("seed")
    collection = simulate_collection(**options, rng=seed)
    sizes = (
        pluralise(request.n_systems, "system"),
        pluralise(request.n_queries, "query", "queries"),
        pluralise(request.corpus_size, "document"),
    )
    text = f"simulated {', '.join(sizes)}, depth {request.depth:,}"
    if directory is not None:
        paths = write_collection(collection, directory)
        text += make_printable(f": {pluralise(len(paths), 'file')} in {directory}")
    return Answer(collection, text=f"{text}\n")
