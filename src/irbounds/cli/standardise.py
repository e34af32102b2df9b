"""``irbounds standardise``: scores relative to reference systems, query by query."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import ParameterError
from .inputs import table_of_scores
from .options import (
    ConfidenceLevel,
    Digits,
    Format,
    Method,
    Output,
    PerQuery,
    Resamples,
    ScoreFiles,
    Seed,
    TableMeasures,
    TableQueries,
    TableQueriesRule,
    check_standard_input,
)
from .showing import check_place, make_view
from .writing import chosen_form, collected_warnings, record_about, write_result

if TYPE_CHECKING:
    from ..presentation.pages import Section

EXAMPLES = (
    "\b\nExamples:\n"
    "  irbounds standardise AP=scores.csv\n"
    "  irbounds standardise AP=scores.csv --reference bm25,dense,hybrid --write-factors ours.json\n"
    "  irbounds standardise AP=new.csv --factors ours.json\n"
    "  irbounds standardise AP=scores.csv --per-query --output z.csv\n"
    "  irbounds standardise AP=scores.csv --figure means.svg\n"
    "  irbounds evaluate --scores z.csv"
)


class TransformName(StrEnum):
    """What is made of a score's distance from the mean."""

    z = "z"
    normal_cdf = "normal-cdf"


Reference = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAMES",
        help="Systems to standardise by, with commas between them; may be repeated. "
        "Default: all systems.",
    ),
]
FactorsFile = Annotated[
    str | None,
    typer.Option(
        "--factors", metavar="FILE", help="Standardise by the factors that others published."
    ),
]
Transform = Annotated[
    TransformName,
    typer.Option(
        help="z: standard deviations from the mean; normal-cdf: their normal distribution "
        "function, between 0 and 1."
    ),
]
WriteFactors = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write mean and standard deviation of each query as JSON."),
]


def standardise(
    scores: ScoreFiles,
    reference: Reference = None,
    factors: FactorsFile = None,
    transform: Transform = TransformName.z,
    write_factors: WriteFactors = None,
    measures: TableMeasures = None,
    queries: TableQueries = TableQueriesRule.all,
    method: Method = None,
    confidence_level: ConfidenceLevel = 0.95,
    n_resamples: Resamples = 9999,
    seed: Seed = 0,
    per_query: PerQuery = False,
    digits: Digits = None,
    form: Format = None,
    output: Output = None,
) -> None:
    """Standardised scores: how far systems lie from reference systems, query by query.

    On every query, the mean of the reference systems' scores is taken off a score and the rest is
    divided by their standard deviation, so that hard and easy queries count alike. Shows each
    system's mean over queries with its interval, best first. Queries on which all reference systems
    have the same score are left out and counted. docs/standardising.md has the formulas and the
    format of a factors file.
    """
    from .. import api
    from ..presentation.registry import section_of
    from ..presentation.terminal import progress_of
    from ..results.inputs import scale_lines

    chosen = chosen_form(form, output)
    api.check_confidence_level(confidence_level)
    api.checked_methods(method)
    _check_files(scores, reference, factors, write_factors, output)
    raw = table_of_scores(scores, measures, queries.value)
    by = (
        api.read_factors(factors)
        if factors
        else api.score_factors(raw, reference_names(reference, raw.systems))
    )
    table = api.standardise(raw, factors=by, transform=transform.value, queries=queries.value)
    said = list(table.warnings)
    section: Section
    if per_query:
        section = section_of([table], make_view(digits))
    else:
        with collected_warnings(said), progress_of("resampling queries") as progress:
            estimates = api.mean_interval(
                table,
                method=method,
                confidence_level=confidence_level,
                n_resamples=n_resamples,
                rng=seed,
                progress=progress,
            )
        section = section_of(estimates, make_view(digits))
    if write_factors:
        api.write_factors(by, write_factors)
    assert table.standardisation
    write_result(
        [replace(section, topics=["standardised", transform.value, *section.topics])],
        form=chosen,
        output=output,
        inputs=scale_lines(table.standardisation),
        warnings=said,
        about=record_about(table, said, standardisation=asdict(table.standardisation)),
    )


def reference_names(given: Sequence[str] | None, systems: Sequence[str]) -> Sequence[str] | str:
    """Names as a person gave them: one that is a system's is taken whole, others cut at commas."""
    if not given or list(given) == ["all"]:
        return "all"

    def names() -> Iterator[str]:
        for text in given:
            if text in systems:
                yield text
            else:
                yield from (part.strip() for part in text.split(","))

    return list(names())


def _check_files(
    scores: Sequence[str],
    reference: Sequence[str] | None,
    factors: str | None,
    write_factors: Path | None,
    output: Path | None,
) -> None:
    """What can be told of files before any is read."""
    check_standard_input([*scores, *([factors] if factors else [])])
    if factors and reference:
        raise ParameterError("--factors have their own reference systems; leave --reference out")
    if write_factors is None:
        return
    if factors:
        raise ParameterError("--write-factors: with --factors there are no new ones to write")
    if str(write_factors) == "-":
        raise ParameterError(f"--write-factors {write_factors}: name a file")
    check_place("--write-factors", write_factors)
    if output is not None and os.path.realpath(output) == os.path.realpath(write_factors):
        raise ParameterError(f"--write-factors {write_factors}: --output names the same file")
