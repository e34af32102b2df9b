"""``draw``: a random sample of documents to assess."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

from ..errors import ParameterError
from ..requests.options import POPULATION, RETRIEVED_IDS, RETRIEVED_SAMPLE, SEED
from ..requests.request import Option, Request
from ..requests.verb import verb
from ..results.result import Answer

if TYPE_CHECKING:
    from ..results import DrawnSample

FILE_OF_IDS = "A file with one id per line. In Python also an iterable of ids."


@dataclass(frozen=True, kw_only=True)
class DrawRequest(Request):
    """The options of ``draw``."""

    population: Annotated[Any, replace(POPULATION, more=FILE_OF_IDS, metavar="FILE", file="read")]
    n: Annotated[
        int,
        Option(
            "Number of documents to draw.",
            "With retrieved ids they are drawn from all other documents.",
            metavar="N",
            panel="Input",
            minimum=1,
        ),
    ]
    seed: Annotated[int, replace(SEED, more="Record it before the draw.", panel="Input")]
    retrieved_ids: Annotated[
        Any, replace(RETRIEVED_IDS, more=FILE_OF_IDS, default="draw from the whole population")
    ] = None
    retrieved_sample: Annotated[int, replace(RETRIEVED_SAMPLE, panel="Input", minimum=0)] = 0

    def check(self) -> None:
        """Raise ``ParameterError`` for a sample of unknown documents."""
        super().check()
        if self.retrieved_sample and self.retrieved_ids is None:
            raise ParameterError("retrieved_sample needs retrieved_ids")


@verb(
    DrawRequest,
    group="Audit recall",
    docs="recall",
    shows=("sheet",),
    is_parallel=False,
    examples=(
        "irbounds draw --population ids.txt --n 1500 --seed 7 -o sheet.csv",
        "irbounds draw --population ids.txt --retrieved-ids found.txt \\\n"
        "    --n 1500 --retrieved-sample 300 --seed 7 -o sheet.csv",
        "irbounds recall --assessed sheet.csv --retrieved-ids found.txt \\\n    --corpus ids.txt",
    ),
)
def draw(request: DrawRequest) -> Answer[DrawnSample]:
    """Draw a random sample of documents to assess.

    Writes a sheet to fill in, and prints a line to deposit before the review. recall reads the
    sheet, repeats the line, and refuses other documents than those drawn and other lists. Documents
    are ordered by the SHA-256 of ``seed:lists:id``, where lists is the digest of both lists, and
    the first ones of each segment are drawn. So anyone can repeat the draw, in any language.

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
    """
    from ..samples.random_draw import draw_sample

    sample = draw_sample(
        request.population, request.n, request.seed, request.retrieved_ids, request.retrieved_sample
    )
    return Answer(
        sample,
        lines=[f"deposit before the review: {sample.line}"],
        inputs=sample.inputs,
        text=sample.to_sheet(),
    )
