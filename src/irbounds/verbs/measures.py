"""``measures``: what can be computed, and what it is called elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import MeasureError
from ..requests.request import Request
from ..requests.verb import verb
from ..results.result import Answer

if TYPE_CHECKING:
    from ..results import MeasureInfo, Results
    from ..results.measure_info import Provider

EXAMPLES = {int: 10, float: 0.5}  # values of parameters that a measure needs
PROVIDERS: tuple[Provider, Provider, Provider] = ("irbounds", "ir_measures", "not installed")


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
    from ..measurement.names import definitions
    from ..measurement.registry import MEASURES
    from ..results import Results

    known = {definition.NAME: definition for definition in definitions().values()}
    first = [measure.description.stem for measure in MEASURES]
    rows = [_describe(known[name]) for name in dict.fromkeys((*first, *known))]
    return Answer(Results(sorted(rows, key=lambda row: PROVIDERS.index(row.provider))))


def _describe(definition: Any) -> MeasureInfo:
    from ..measurement.parser import parse_measure
    from ..measurement.registry import descriptions
    from ..results import MeasureInfo

    stem, parameters, at = definition.NAME, definition.SUPPORTED_PARAMS, definition.AT_PARAM
    required = {key: EXAMPLES[info.dtype] for key, info in parameters.items() if info.required}
    try:
        measure = parse_measure(type(definition)(**required))
        provider = PROVIDERS[measure.is_external]
    except MeasureError:
        measure, provider = None, PROVIDERS[2]
    description = descriptions().get(stem)
    number = f"@{'k' if at == 'cutoff' else at}" if at in parameters else ""
    return MeasureInfo(
        name=f"{stem}{number if at in required or not number else f'[{number}]'}",
        description=(description and description.text) or definition.PRETTY_NAME,
        parameters=", ".join(key for key in parameters if key != at),
        trec_eval=", ".join(description.trec_eval if description else ()),
        ranx=", ".join(description.ranx if description else ()),
        has_chance_level=measure is not None and measure.has_chance_level(),
        has_corpus_replicates=measure is not None and measure.has_image_form(),
        has_expected_ties=measure is not None and measure.has_expected_over_ties(),
        provider=provider,
    )
