"""``measures``: what can be computed, and what it is called elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..requests.request import Request
from ..requests.verb import verb
from ..results.result import Answer

if TYPE_CHECKING:
    from ..results import MeasureInfo, Results


@dataclass(frozen=True, kw_only=True)
class MeasuresRequest(Request):
    """``measures`` has no options of its own."""


@verb(
    MeasuresRequest,
    group="Help",
    docs="measures",
    shows=("table",),
    is_parallel=False,
    examples=("irbounds measures", "irbounds measures --format csv"),
)
def measures(request: MeasuresRequest) -> Answer[Results[MeasureInfo]]:
    """List the measures, and their names in trec_eval and ranx.

    Shows for each measure whether chance levels, corpus images and means over ties can be computed,
    and whether irbounds or a provider of ir_measures computes it.

    Returns
    -------
    Results of MeasureInfo
        One per measure.

    Examples
    --------
    >>> import irbounds
    >>> irbounds.measures()[0].name
    'AP[@k]'
    """
    from ..measurement.measure_list import list_measures

    return Answer(list_measures())
