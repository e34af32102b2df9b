"""``chance``: chance levels, which random rankings score, and systems compared with them."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from ..errors import ParameterError, quote, show_name
from ..presentation.registry import View, add_tie_rule, make_section
from ..requests.inputs import RUN_OPTIONS, ChanceInput, ScoredRuns, input_lines
from ..requests.options import (
    METHOD,
    N_DOCUMENTS,
    N_RELEVANT,
    AlternativeSide,
    Draws,
    Measures,
    PerQuery,
    Seed,
)
from ..requests.request import Option, join
from ..requests.verb import verb
from ..results.result import Answer
from ..validation import ChanceMethod, as_integer, grouping_hint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..presentation.page_content import Section
    from ..random_rankings.p_values import Significance
    from ..results import ChanceLevel, NullDistribution, Results
    from ..scores.score_table import ScoreTable
    from ..validation import Progress

GIVEN = "given"  # the documents are given by their numbers
NUMBERS = ("n_documents", "n_relevant", "grades", "observed")
COLLECTION = ("corpus_size", "corpus", "population", "queries", "ties", "per_query", *RUN_OPTIONS)


def _grades(name: str, value: Any) -> dict[int, int]:
    """Return the number of documents of each grade, from ``1:20,2:5`` or a mapping."""
    rule = f"{name} must be grades and their numbers of documents, as in 1:20,2:5"
    pairs: Any = value.items() if isinstance(value, Mapping) else ()
    if isinstance(value, str):
        pairs = [part.split(":") for part in value.split(",")]
    try:
        counts = {_integer(grade): _integer(count) for grade, count in pairs}
    except ValueError:
        raise ParameterError(f"{rule}; got {quote(value)}") from None
    if len(counts) < len(pairs):
        raise ParameterError(f"{name} must have each grade once; got {quote(value)}")
    if not counts:
        raise ParameterError(f"{rule}; got {quote(value)}")
    return counts


def _integer(value: Any) -> int:
    number = int(value) if isinstance(value, str) else as_integer(value)
    if number is None:
        raise ValueError
    return number


def _score(name: str, value: Any) -> float:
    from ..random_rankings.p_values import check_score

    return check_score(name, value)


Grades = Annotated[
    Any,
    Option(
        "Documents per grade, as in 1:20,2:5, in place of R.",
        "In Python also a dict of grades to numbers of documents.",
        metavar="GRADE:NUMBER,...",
        panel="Input",
        check=_grades,
    ),
]
Observed = Annotated[
    float | None,
    Option(
        "Score to compare with random rankings, with all its digits.",
        "For numbers of documents; runs have scores of their own.",
        metavar="SCORE",
        panel="Input",
        check=_score,
    ),
]


@dataclass(frozen=True, kw_only=True)
class ChanceRequest(ChanceInput, ScoredRuns):
    """The options of ``chance``."""

    measures: Measures = ("AP",)
    n_documents: Annotated[int | None, N_DOCUMENTS] = None
    n_relevant: Annotated[int | None, N_RELEVANT] = None
    grades: Grades = None
    observed: Observed = None
    method: Annotated[ChanceMethod | None, METHOD] = None
    alternative: AlternativeSide = "greater"
    n_draws: Draws = 9999
    seed: Seed = 0
    per_query: PerQuery = False

    needs: ClassVar[str] = "qrels, or n_documents with n_relevant or grades"

    def __post_init__(self) -> None:
        if _is_number(self.qrels):
            self._take_numbers()
        super().__post_init__()

    def _take_numbers(self) -> None:
        """Set N and R from the first two arguments, in place of judgments and runs."""
        runs = self.runs if isinstance(self.runs, list | tuple) else [self.runs]
        numbers = [self.qrels, *(run for run in runs if run is not None)]
        names = ("n_documents", "n_relevant")[: len(numbers)]
        if len(numbers) > len(names) or any(getattr(self, name) is not None for name in names):
            received = join([_quote_number(number) for number in numbers])
            raise ParameterError(f"needs n_documents and n_relevant, each once; got {received}")
        for name, value in zip(names, numbers, strict=True):
            object.__setattr__(self, name, value)
        for name in ("qrels", "runs"):
            object.__setattr__(self, name, None)

    def check(self) -> None:
        """Raise ``ParameterError`` where options contradict each other."""
        from ..random_rankings.p_values import check_draws

        super().check()
        check_draws(self.n_draws)

    def check_inputs(self) -> None:
        """Raise ``ParameterError`` unless there are judgments, or numbers of documents."""
        self.check_judgments()
        if not self.is_judged:
            self._check_numbers()
            return
        self.refuse("for numbers of documents; judgments and runs have both", *NUMBERS)
        self.check_population(True, "qrels")
        if self.population == "retrieved" and not self.has_runs:
            raise ParameterError("population='retrieved' is each run's own documents: needs runs")

    def _check_numbers(self) -> None:
        if self.runs is not None:
            raise ParameterError("needs qrels, the judgments, before runs")
        known = "n_documents and n_relevant are the numbers of one query"
        self.refuse(f"for qrels and runs; {known}", *COLLECTION)
        if self.n_relevant is not None and self.grades is not None:
            raise ParameterError("grades takes the place of n_relevant; give one of them")
        if self.n_documents is None or (self.n_relevant is None and self.grades is None):
            options = [f"{name} {getattr(self, name)}" for name in self.list_changed(*NUMBERS)]
            received = join(options) if options else "neither"
            raise ParameterError(f"needs {self.needs}; got {received}")
        self.check_measures()

    def check_measures(self) -> None:
        """Raise ``MeasureError`` where a measure has no chance level."""
        from ..measurement.parser import check_chance_measures

        super().check_measures()
        check_chance_measures(self.measure_names)
        if self.observed is not None and len(self.parsed_names) > 1:
            raise ParameterError(
                f"observed is a score by one measure; got {', '.join(self.parsed_names)}"
            )

    @property
    def has_runs(self) -> bool:
        """Whether there are runs."""
        return self.runs is not None and not (isinstance(self.runs, list | tuple) and not self.runs)

    @property
    def parsed_names(self) -> list[str]:
        """The measures, each by its own name."""
        from ..measurement.parser import parse_measures

        return [measure.name for measure in parse_measures(self.measure_names)]

    def significance(self, progress: Progress) -> Significance:
        """Return the options of p-values."""
        from ..random_rankings.p_values import Significance
        from ..resampling.seeds import seed_number

        seed = seed_number(self.seed)
        return Significance(self.method, self.alternative, self.n_draws, seed, progress)


def _quote_number(number: Any) -> str:
    return show_name(number) if isinstance(number, str) else quote(number)


def _is_number(value: Any) -> bool:
    """Return whether a first argument is a number of documents, and not the name of a file."""
    if not isinstance(value, str):
        return as_integer(value) is not None
    is_written = value.isdecimal() or bool(grouping_hint(value))
    return is_written and not os.path.lexists(value)


@verb(
    ChanceRequest,
    group="Look into methods",
    docs="chance-levels",
    shows=("table", "figure", "report", "top"),
    examples=(
        "irbounds chance 1000 25",
        "irbounds chance 1000 25 --observed 0.06 --figure chance.svg",
        "irbounds chance 1000 --grades 1:20,2:5 -m nDCG@10",
        "irbounds chance qrels.txt --corpus-size 528155",
        "irbounds chance qrels.txt bm25.run dense.run --corpus-size 528155",
        "irbounds chance qrels.txt bm25.run --population retrieved --per-query",
    ),
)
def chance(request: ChanceRequest) -> Answer[Results[ChanceLevel]]:
    """Show what a random ranking scores, and compare systems.

    Two numbers in place of judgments and runs are the documents of one query and how many of them
    are relevant (N and R). They give the exact mean score of all orders, which is not the
    prevalence R/N, and how scores vary around it. With judgments and runs every system's score is
    compared with the chance level, corrected for it, and tested: p is how often a random ranking
    scores as high or higher (alternative greater), as low or lower (less), or twice the smaller of
    both (two-sided). ``irbounds measures`` lists the measures that have chance levels, AP, nDCG and
    P@k among them. P-values are exact where that is quick (AP of few documents), else from random
    draws.

    Returns
    -------
    Results of ChanceLevel
        One per measure and system: ``.expected`` is the chance level, ``.observed`` the score,
        ``.corrected`` the score corrected for chance, ``.p_value`` its p-value; ``.queries`` has
        the numbers of every query, ``.distribution`` the scores of random rankings.

    Examples
    --------
    >>> import irbounds
    >>> level, = irbounds.chance(10, 4, observed=0.7)
    >>> round(level.expected, 4), round(level.p_value, 3), level.method
    (0.5286, 0.162, 'exact')
    >>> judged = {"q": {"a": 1, "b": 0, "c": 1, "d": 0}}
    >>> run = {"q": {"a": 4.0, "c": 3.0, "b": 2.0, "d": 1.0}}
    >>> level, = irbounds.chance(judged, {"mine": run}, population="judged")
    >>> round(level.expected, 4), level.prevalence, level.observed, round(level.p_value, 4)
    (0.6806, 0.5, 1.0, 0.1667)
    """
    table, levels = _levels(request)
    return Answer(
        levels,
        View(queries=request.query_words, ties=request.ties),
        () if table is None else input_lines(table),
        levels[0].warnings,
        levels[0].inputs,
        None if table is None else table.diagnosis,
        make_sections=partial(_sections, levels, request.per_query),
    )


def _levels(request: ChanceRequest) -> tuple[ScoreTable | None, Results[ChanceLevel]]:
    """Return the chance levels, with the scores of runs where there are any."""
    from ..progress import show_progress

    if not request.is_judged:
        with show_progress("drawing random rankings") as progress:
            return None, _levels_of_numbers(request, progress)
    if not request.has_runs:
        judgments, _ = request.read_judged()
        return None, request.chance_levels(None, judgments, measures=request.measure_names)
    table, judgments, runs = request.read_scored()
    with show_progress("drawing random rankings") as progress:
        significance = request.significance(progress)
        levels = request.chance_levels(table, judgments, runs, significance=significance)
        return table, levels


def _sections(levels: Sequence[ChanceLevel], is_per_query: bool, view: View) -> list[Section]:
    """Return the chance levels, or those of every query, and which documents they are of."""
    from ..results.chance_levels import describe_population, query_tables

    section = make_section(levels, view)
    if is_per_query:
        section = replace(section, tables=add_tie_rule(query_tables(levels, view.digits), view))
    return [replace(section, sentences=[describe_population(levels), *section.sentences])]


# ---- numbers of documents, without reading files or compiling kernels ----


def _levels_of_numbers(request: ChanceRequest, progress: Progress) -> Results[ChanceLevel]:
    """Return one chance level per measure, with its distribution."""
    from ..results import Results

    warnings: list[str] = []
    levels = [
        _level_of_numbers(request, measure, warnings, progress) for measure in request.parsed_names
    ]
    return Results(replace(level, warnings=tuple(warnings)) for level in levels)


def _level_of_numbers(
    request: ChanceRequest, measure: str, warnings: list[str], progress: Progress
) -> ChanceLevel:
    from ..random_rankings.expected_scores import corrected_score, expected_score, score_variance
    from ..results import ChanceLevel, QueryChance

    n_documents, observed = request.n_documents, request.observed
    assert n_documents is not None  # as was checked
    counts: dict[int, int] = request.grades or {1: request.n_relevant}
    expected = float(expected_score(n_documents, counts, measure))
    distribution, p_value = _distribution(request, measure, counts, warnings, progress)
    if distribution is None:
        deviation = math.sqrt(float(score_variance(n_documents, counts, measure)))
    else:
        deviation = distribution.standard_deviation
    n_relevant = sum(counts.values())
    numbers: dict[str, Any] = {
        "expected": expected,
        "standard_deviation": deviation,
        "observed": observed,
        "corrected": None if observed is None else float(corrected_score(observed, expected)),
        "p_value": p_value,
    }
    method = distribution.method if distribution else None
    is_drawn = method == "monte-carlo"
    query = QueryChance(
        query_id="",
        n_documents=n_documents,
        depth=n_documents,
        n_relevant=n_relevant,
        n_judged=n_relevant,
        method=None if observed is None else method,
        **numbers,
    )
    return ChanceLevel(
        measure=measure,
        system=None,
        population=GIVEN,
        n=1,
        prevalence=n_relevant / n_documents,
        alternative=request.alternative,
        queries=(query,),
        distribution=distribution,
        method=method,
        n_draws=request.n_draws if is_drawn else None,
        seed=request.seed if is_drawn else None,
        **numbers,
    )


def _distribution(
    request: ChanceRequest,
    measure: str,
    counts: dict[int, int],
    warnings: list[str],
    progress: Progress,
) -> tuple[NullDistribution | None, float | None]:
    """Return the scores of random rankings, and the p-value of the score that was observed.

    Without ``method``, and where no method is fast, return None for both and add a warning.
    """
    from ..random_rankings.distribution import null_distribution, score_range
    from ..results.chance_levels import warn_if_unreachable

    n_documents, observed = request.n_documents, request.observed
    try:
        distribution = null_distribution(
            n_documents,
            counts,
            measure,
            method=request.method,
            n_draws=request.n_draws,
            rng=request.seed,
            progress=progress,
        )
    except ParameterError as reason:
        if request.method is not None:
            raise
        warnings.append(f"{measure}: no quantiles and no p: {reason}")
        return None, None
    if observed is None:
        return distribution, None
    warning = warn_if_unreachable(measure, observed, *score_range(n_documents, counts, measure))
    if warning:
        warnings.append(warning)
    return distribution, distribution.p_value(observed, request.alternative)
