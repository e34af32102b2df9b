"""``standardise``: scores standardised by reference systems on each query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ..errors import ParameterError
from ..presentation.registry import View, make_section
from ..requests.inputs import ScoreInput, answer_about
from ..requests.options import (
    TRANSFORM,
    ConfidenceLevel,
    FactorsFile,
    Method,
    PerQuery,
    Resamples,
    Seed,
    writable,
)
from ..requests.request import Option
from ..requests.verb import verb
from ..results.result import Answer
from ..validation import Transform

if TYPE_CHECKING:
    from ..presentation.page_content import Section
    from ..results import Estimate, Evaluation
    from ..scores.score_table import ScoreTable

Reference = Annotated[
    Sequence[str] | str | None,
    Option(
        "Systems to standardise by.",
        metavar="NAME,...",
        default="all systems",
    ),
]
WriteFactors = Annotated[
    Path | None,
    Option(
        "Write mean and standard deviation of each query as JSON.",
        metavar="FILE",
        panel="Output",
        file="write",
        check=writable(),
    ),
]


@dataclass(frozen=True, kw_only=True)
class StandardiseRequest(ScoreInput):
    """The options of ``standardise``."""

    reference: Reference = None
    factors: FactorsFile = None
    transform: Annotated[Transform, TRANSFORM] = "z"
    method: Method = None
    confidence_level: ConfidenceLevel = 0.95
    n_resamples: Resamples = 9999
    seed: Seed = 0
    per_query: PerQuery = False
    write_factors: WriteFactors = None

    def check(self) -> None:
        """Raise ``ParameterError`` where options contradict each other."""
        if self.factors is not None and self.reference:
            raise ParameterError(
                "factors and reference: give one of them; factors have their own reference systems"
            )
        if self.factors is not None and self.write_factors is not None:
            raise ParameterError("write_factors: with factors, there are no new factors to write")
        super().check()


@verb(
    StandardiseRequest,
    group="Look into methods",
    docs="standardising",
    shows=("table", "figure", "report", "top"),
    examples=(
        "irbounds standardise --scores AP=scores.csv",
        "irbounds standardise qrels.txt runs/ --reference bm25,dense \\\n"
        "    --write-factors f.json",
        "irbounds standardise --scores AP=scores.csv --factors f.json",
        "irbounds standardise --scores AP=scores.csv --per-query -o z.csv",
    ),
)
def standardise(request: StandardiseRequest) -> Answer[Evaluation]:
    """Show scores standardised by reference systems, on each query.

    On every query, the mean of the reference systems' scores is subtracted from a score, and the
    rest is divided by their standard deviation, so that hard and easy queries count equally. Shows
    each system's mean over queries with its interval, best first. Queries on which all reference
    systems have the same score are left out and counted.

    Returns
    -------
    Evaluation
        A tuple of ``Estimate``; ``.scores`` is the table of standardised scores.

    Examples
    --------
    >>> import irbounds
    >>> scores = {"old": [0.1, 0.4, 0.3, 0.0], "new": [0.3, 0.5, 0.2, 0.2]}
    >>> irbounds.standardise(scores=scores).scores.values[0, 1].round(2).tolist()
    [0.71, 0.71, -0.71, 0.71]
    """
    from ..intervals.means import mean_interval
    from ..progress import show_progress
    from ..results import Evaluation
    from ..standardisation.factors import Factors, read_factors, write_factors
    from ..standardisation.transforms import score_factors, standardise_scores

    raw = request.read_table()
    factors = request.factors
    if factors is None:
        factors = score_factors(raw, reference_names(request.reference, raw.systems))
    elif not isinstance(factors, Factors):
        factors = read_factors(factors)
    table = standardise_scores(
        raw, factors=factors, transform=request.transform, queries=request.queries
    )
    estimates: Sequence[Estimate] = ()
    if not request.per_query:
        with show_progress("resampling queries") as progress:
            estimates = mean_interval(
                table,
                method=request.method,
                confidence_level=request.confidence_level,
                n_resamples=request.n_resamples,
                rng=request.seed,
                progress=progress,
            )
    if request.write_factors is not None:
        write_factors(factors, request.write_factors)
    assert table.standardisation
    evaluation = Evaluation(estimates, scores=table)
    return answer_about(
        request,
        table,
        evaluation,
        facts={"standardisation": asdict(table.standardisation)},
        make_sections=partial(_sections, evaluation, table, request.transform),
    )


def _sections(
    evaluation: Evaluation, table: ScoreTable, transform: Transform, view: View
) -> list[Section]:
    section = make_section(list(evaluation) or [table], view)
    return [replace(section, topics=["standardised", transform, *section.topics])]


def reference_names(
    reference: Sequence[str] | str | None, systems: Sequence[str]
) -> list[str] | str:
    """Return the names of systems; a text that is not a name is split at commas."""
    if not reference or list(reference) == ["all"]:
        return "all"

    def names() -> Iterator[str]:
        for text in reference:
            if text in systems:
                yield text
            else:
                yield from (part.strip() for part in text.split(","))

    return list(names())
