"""``study park2010`` and ``study park2011``: intervals of mean AP, with the papers' tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from ..presentation.registry import make_section
from ..requests.options import RESAMPLES, SEED, Samples, StudyData
from ..requests.request import Request
from ..requests.verb import verb
from ..results.result import Answer, Results
from ..validation import check_count

if TYPE_CHECKING:
    from ..presentation.figures.style import Figure
    from ..results import InputFile, StudyTable
    from ..scores.score_table import ScoreTable

SIMULATED = "simulated collection: the paper's numbers are for comparison, not to be met"
#: files with their numbers of systems and queries, which a simulated collection has too
ROBUST = ("robust2004_ap.csv", 110, 249)
OTHER = ("adhoc8_ap.csv", 129, 50)
OTHER_COLLECTION = 8  # the table that is on another collection than the paper's


@dataclass(frozen=True, kw_only=True)
class Park2010Request(Request):
    """The options of ``study park2010``."""

    data: StudyData = None
    n_samples: Samples = 1000
    seed: Annotated[int, SEED] = 0


@dataclass(frozen=True, kw_only=True)
class Park2011Request(Park2010Request):
    """The options of ``study park2011``."""

    n_resamples: Annotated[int, RESAMPLES] = 1000

    def check(self) -> None:
        """Raise ``ParameterError`` where there are too few resamples for an interval."""
        check_count("n_resamples", self.n_resamples, minimum=2)


@verb(
    Park2010Request,
    name="study park2010",
    group="Studies",
    docs="calibration",
    shows=("published", "report"),
    examples=(
        "irbounds study park2010 --data data",
        "irbounds study park2010 --data data --n-samples 100 -o park2010.csv",
    ),
)
def park2010(request: Park2010Request) -> Answer[Results[StudyTable]]:
    """Repeat Park (2010): normal and t intervals of AP.

    Tables 1 to 8: how often intervals of mean AP, raw and standardised, miss the true mean. Reads
    robust2004_ap.csv and adhoc8_ap.csv from the data directory or from its directory scores. Table
    8 is on TREC-8 (adhoc8_ap.csv) in place of the paper's TREC-3, so there the numbers differ.

    Returns
    -------
    Results of StudyTable
        One per table of the paper: ``.ours``, ``.theirs`` and the Monte Carlo ``.noise`` of ours.

    Examples
    --------
    >>> from irbounds.verbs.study_park import park2010
    >>> tables = park2010(n_samples=2)
    >>> len(tables), tables[0].columns[0]
    (8, 'mean')
    """
    from ..parallel.progress import show_progress
    from ..replications.park2010 import park2010 as study
    from ..replications.park2010 import references_that_agree

    seed = request.seed
    population = _population(request.data, *ROBUST, seed)
    other = _population(request.data, *OTHER, seed + 1)
    with show_progress("trying samples") as progress:
        tables = study(population, other, n_samples=request.n_samples, rng=seed, progress=progress)
    agree = references_that_agree(population, seed)
    notes = [f"queries on which five random systems agree, left out: {agree:.2f} on average"]
    if request.data is not None:
        notes.append("Table 8 is on TREC-8 in place of TREC-3, which is not among the data")
    return _answer(
        tables,
        [table for table in tables if table.number != OTHER_COLLECTION],
        ("normal", "student-t", "standardised"),
        request,
        notes,
        (*population.inputs, *other.inputs),
    )


@verb(
    Park2011Request,
    name="study park2011",
    group="Studies",
    docs="calibration",
    shows=("published", "report"),
    examples=(
        "irbounds study park2011 --data data",
        "irbounds study park2011 --data data --n-samples 100 -o park2011.csv",
        "irbounds study park2011 --data data --figures figures",
    ),
)
def park2011(request: Park2011Request) -> Answer[Results[StudyTable]]:
    """Repeat Park (2011): bootstrap intervals of AP.

    Tables 1 to 3: how often percentile, BCa and studentised logit intervals of mean AP miss the
    true mean. Reads robust2004_ap.csv from the data directory or from its directory scores.

    Returns
    -------
    Results of StudyTable
        One per table of the paper: ``.ours``, ``.theirs`` and the Monte Carlo ``.noise`` of ours.

    Examples
    --------
    >>> from irbounds.verbs.study_park import park2011
    >>> tables = park2011(n_samples=2, n_resamples=10)
    >>> [table.number for table in tables]
    [1, 2, 3]
    """
    from ..parallel.progress import show_progress
    from ..replications.park2011 import park2011 as study

    population = _population(request.data, *ROBUST, request.seed)
    with show_progress("trying samples") as progress:
        tables = study(
            population,
            n_samples=request.n_samples,
            n_resamples=request.n_resamples,
            rng=request.seed,
            progress=progress,
        )
    methods = ("percentile", "bca", "studentised-logit")
    facts = {"n_resamples": request.n_resamples}
    return _answer(tables, tables, methods, request, [], population.inputs, facts)


def _population(
    data: Path | None, name: str, n_systems: int, n_queries: int, seed: int
) -> ScoreTable:
    """Return the scores to draw samples from: read from a file, or simulated."""
    from ..parallel.progress import count_steps
    from ..replications.populations import real_scores, simulated_scores

    if data is not None:
        return real_scores(data, name)
    with count_steps("simulating queries", n_queries) as step:
        return simulated_scores(n_systems, n_queries, seed, step)


def _answer(
    tables: Sequence[StudyTable],
    comparable: Sequence[StudyTable],
    methods: Sequence[str],
    request: Park2010Request,
    notes: Sequence[str],
    inputs: Sequence[InputFile],
    facts: dict[str, Any] | None = None,
) -> Answer[Results[StudyTable]]:
    """Return the tables with a sentence on those that are on the paper's own collection."""
    from ..results.studies import study_sentence

    is_real = request.data is not None
    section = replace(
        make_section(tables),
        sentences=[study_sentence(comparable)] if is_real else [],
        figures=partial(_figures, tables),
        topics=["study", "calibration", *methods],
    )
    lines = list(notes) if is_real else [SIMULATED, *notes]
    return Answer(
        Results(tables),
        lines=lines,
        inputs=inputs,
        facts={
            "notes": [*lines, *section.sentences],
            "seed": request.seed,
            "n_samples": request.n_samples,
            **(facts or {}),
        },
        make_sections=lambda view: [section],
    )


def _figures(tables: Sequence[StudyTable]) -> list[Figure]:
    from ..presentation.figures.park import park_figures

    return park_figures(tables)
