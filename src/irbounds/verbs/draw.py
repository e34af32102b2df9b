"""``draw``: a random sample of documents to assess."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

from ..errors import ParameterError
from ..requests.options import (
    ALL,
    POPULATION,
    RETRIEVED_IDS,
    RETRIEVED_SAMPLE,
    SEED,
    count_or_all,
)
from ..requests.request import Option, Request
from ..requests.verb import verb
from ..results.result import Answer

if TYPE_CHECKING:
    from ..results import DrawnSample

PopulationIds = Annotated[
    Any,
    replace(
        POPULATION,
        more="A file with one id per line. In Python also an iterable of ids.",
        metavar="FILE",
        file="read",
    ),
]
SampleSize = Annotated[
    int,
    Option(
        "Number of documents to draw.",
        "With retrieved ids they are drawn from all other documents.",
        metavar="N",
        panel="Input",
        minimum=1,
    ),
]
RetrievedIds = Annotated[
    Any,
    replace(
        RETRIEVED_IDS,
        more="They are left out, or have a sample of their own. In Python also an iterable of ids.",
        default="draw from the whole population",
    ),
]
RetrievedSample = Annotated[
    Any,
    replace(
        RETRIEVED_SAMPLE,
        more="Drawn too. With the word all, every retrieved document is on the sheet.",
        metavar="N|all",
        panel="Input",
        minimum=None,
        check=count_or_all,
        default="none",
    ),
]
DrawSeed = Annotated[
    int | None,
    replace(
        SEED,
        more="Required: choose it before the draw and record it. From the same lists the same seed "
        "draws the same documents, and a larger sample contains the smaller one.",
        panel="Input",
        default="required",
    ),
]


@dataclass(frozen=True, kw_only=True)
class DrawRequest(Request):
    """The options of ``draw``."""

    population: PopulationIds
    n: SampleSize
    seed: DrawSeed = None
    retrieved_ids: RetrievedIds = None
    retrieved_sample: RetrievedSample = None

    def check(self) -> None:
        """Raise ``ParameterError`` for a missing seed, and for a sample of unknown documents."""
        if self.seed is None:
            raise ParameterError(
                "needs seed, an integer that was chosen and recorded before the draw: a draw "
                "without it cannot be verified"
            )
        if self.retrieved_sample is not None and self.retrieved_ids is None:
            raise ParameterError("retrieved_sample needs retrieved_ids")


@verb(
    DrawRequest,
    group="Audit recall",
    docs="recall-inputs",
    shows=("sheet",),
    is_parallel=False,
    examples=(
        "irbounds draw --population ids.txt --n 1500 --seed 7 -o sheet.csv",
        "irbounds draw --population ids.txt --retrieved-ids found.txt \\\n"
        "    --n 1500 --retrieved-sample 300 --seed 7 -o sheet.csv",
        "irbounds recall --assessed sheet.csv --retrieved-ids found.txt \\\n    --corpus ids.txt",
        "irbounds recall --retrieved 600 all 93 --assessed sheet.csv \\\n"
        "    --retrieved-ids found.txt --corpus ids.txt",
    ),
)
def draw(request: DrawRequest) -> Answer[DrawnSample]:
    """Draw a random sample of documents to assess.

    Writes a sheet to fill in, and prints a line to deposit before the review. recall reads the
    sheet, repeats the line, and refuses other documents than those drawn and other lists. The
    sample is one of the whole population (a control set), one of the documents that were not
    retrieved, or one of each segment. Documents are ordered by the SHA-256 of ``seed:lists:id``,
    where lists is the digest of both lists, and the first ones are drawn. So anyone can repeat the
    draw, in any language.

    Returns
    -------
    DrawnSample
        ``.doc_ids`` in the order of the sheet, ``.line`` to deposit; ``.to_sheet()`` is the text of
        the sheet.

    Examples
    --------
    >>> import irbounds
    >>> sample = irbounds.draw(population=["a", "b", "c", "d", "e"], n=2, seed=7)
    >>> sample.doc_ids
    ('d', 'c')
    >>> irbounds.draw(population=["e", "d", "c", "b", "a"], n=2, seed=7).line == sample.line
    True
    """
    from ..samples.random_draw import draw_sample

    assert request.seed is not None
    sample = draw_sample(
        request.population,
        request.n,
        request.seed,
        request.retrieved_ids,
        None if request.retrieved_sample == ALL else request.retrieved_sample or 0,
    )
    return Answer(
        sample,
        lines=[
            f"deposit before the review: {sample.line}",
            f"next: fill in relevance, then {sample.next_command}",
        ],
        warnings=sample.warnings,
        inputs=sample.inputs,
        text=sample.to_sheet(),
    )
