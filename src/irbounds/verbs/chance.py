"""``chance``: chance levels, which random rankings score, and systems compared with them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from ..errors import ParameterError, quote, show_name
from ..presentation.registry import View, add_tie_rule, make_section
from ..requests.inputs import ScoredRuns, input_lines
from ..requests.options import (
    N_DOCUMENTS,
    N_RELEVANT,
    AlternativeSide,
    CorpusSize,
    Draws,
    Measures,
    PerQuery,
    Seed,
)
from ..requests.request import Option, join
from ..requests.verb import verb
from ..results.result import Answer
from ..validation import as_integer, grouping_hint

if TYPE_CHECKING:
    from ..presentation.page_content import Section
    from ..results import ChanceLevel, Results
    from ..validation import Progress

NUMBERS = ("n_documents", "n_relevant", "observed")
COLLECTION = ("corpus_size", "queries", "ties", "per_query")


def _score(name: str, value: Any) -> float:
    from ..results.chance_levels import check_score

    return check_score(name, value)


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
class ChanceRequest(ScoredRuns):
    """The options of ``chance``."""

    measures: Measures = ("AP",)
    corpus_size: CorpusSize = None
    n_documents: Annotated[int | None, N_DOCUMENTS] = None
    n_relevant: Annotated[int | None, N_RELEVANT] = None
    observed: Observed = None
    alternative: AlternativeSide = "greater"
    n_draws: Draws = 9999
    seed: Seed = 0
    per_query: PerQuery = False

    needs: ClassVar[str] = "qrels, or n_documents with n_relevant"

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
            received = join([show_name(x) if isinstance(x, str) else quote(x) for x in numbers])
            raise ParameterError(f"needs n_documents and n_relevant, each once; got {received}")
        for name, value in zip(names, numbers, strict=True):
            object.__setattr__(self, name, value)
        for name in ("qrels", "runs"):
            object.__setattr__(self, name, None)

    def check(self) -> None:
        """Raise ``ParameterError`` where options contradict each other."""
        from ..random_rankings.distribution import check_draws

        super().check()
        check_draws(self.n_draws)

    def check_inputs(self) -> None:
        """Raise ``ParameterError`` unless there are judgments, or numbers of documents."""
        self.check_judgments()
        if self.is_judged:
            self.refuse("for numbers of documents; judgments and runs have both", *NUMBERS)
            return
        if self.runs is not None:
            raise ParameterError("needs qrels, the judgments, before runs")
        known = "n_documents and n_relevant are the numbers of one query"
        self.refuse(f"for qrels and runs; {known}", *COLLECTION)
        if self.n_documents is None or self.n_relevant is None:
            options = [f"{name} {getattr(self, name)}" for name in self.list_changed(*NUMBERS)]
            received = join(options) if options else "neither"
            raise ParameterError(f"needs {self.needs}; got {received}")
        self.check_measures()

    def check_measures(self) -> None:
        """Raise ``MeasureError`` where a measure has no chance level."""
        from ..measurement.parser import check_chance_measures

        super().check_measures()
        check_chance_measures(self.measure_names)
        if self.observed is not None and len(self.parse_measures()) > 1:
            names = ", ".join(measure.name for measure in self.parse_measures())
            raise ParameterError(f"observed is a score by one measure; got {names}")

    @property
    def has_runs(self) -> bool:
        """Whether there are runs."""
        return self.runs is not None and not (isinstance(self.runs, list | tuple) and not self.runs)


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
    shows=("table", "figure"),
    examples=(
        "irbounds chance 1000 25",
        "irbounds chance 1000 25 --observed 0.06 --figure chance.svg",
        "irbounds chance qrels.txt --corpus-size 528155",
        "irbounds chance qrels.txt bm25.run dense.run --corpus-size 528155",
        "irbounds chance qrels.txt bm25.run --per-query",
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
    P@k among them. Numbers of at most 22 documents have exact p-values of AP; all others are from
    random draws. A random ranking of judgments is one of the corpus where its size is given, else
    one of the judged documents of each query.

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
    >>> level, = irbounds.chance(judged, {"mine": run})
    >>> round(level.expected, 4), level.prevalence, level.observed, round(level.p_value, 2)
    (0.6806, 0.5, 1.0, 0.17)
    """
    from ..progress import show_progress
    from ..random_rankings.collection_levels import chance_levels
    from ..results import Results

    table = None
    if not request.is_judged:
        with show_progress("drawing random rankings") as progress:
            measures = request.parse_measures()
            levels = Results(_level_of_numbers(request, m.name, progress) for m in measures)
    elif not request.has_runs:
        judgments, _ = request.read_judged()
        levels = chance_levels(
            None, judgments, measures=request.measure_names, corpus_size=request.corpus_size
        )
    else:
        table, judgments, runs = request.read_scored()
        with show_progress("drawing random rankings") as progress:
            levels = chance_levels(
                table,
                judgments,
                runs,
                corpus_size=request.corpus_size,
                n_draws=request.n_draws,
                seed=request.seed,
                alternative=request.alternative,
                progress=progress,
            )
    return Answer(
        levels,
        View(queries=request.query_words, ties=request.ties),
        () if table is None else input_lines(table),
        levels[0].warnings,
        levels[0].inputs,
        None if table is None else table.diagnosis,
        make_sections=partial(_sections, levels, request.per_query),
    )


def _sections(levels: Sequence[ChanceLevel], is_per_query: bool, view: View) -> list[Section]:
    """Return the chance levels, or those of every query, and which documents they are of."""
    from ..results.chance_levels import describe_population, make_query_table

    section = make_section(levels, view)
    if is_per_query:
        section = replace(section, tables=add_tie_rule(list(map(make_query_table, levels)), view))
    return [replace(section, sentences=[describe_population(levels)])]


def _level_of_numbers(request: ChanceRequest, measure: str, progress: Progress) -> ChanceLevel:
    """Return the chance level of one query, without reading files or compiling kernels."""
    from ..random_rankings.distribution import correct_score, null_distribution
    from ..results import ChanceLevel, QueryChance

    n_documents, n_relevant, observed = request.n_documents, request.n_relevant, request.observed
    assert n_documents is not None  # as was checked
    assert n_relevant is not None
    distribution = null_distribution(
        n_documents,
        n_relevant,
        measure,
        n_draws=request.n_draws,
        rng=request.seed,
        progress=progress,
    )
    numbers: dict[str, Any] = {
        "expected": distribution.mean,
        "standard_deviation": distribution.standard_deviation,
    }
    if observed is not None:
        numbers |= {
            "observed": observed,
            "corrected": float(correct_score(observed, distribution.mean)),
            "p_value": distribution.p_value(observed, request.alternative),
        }
    is_drawn = distribution.method == "monte-carlo"
    return ChanceLevel(
        measure=measure,
        system=None,
        population="given",
        n=1,
        prevalence=n_relevant / n_documents,
        alternative=request.alternative,
        queries=(QueryChance("", n_documents, n_documents, n_relevant, **numbers),),
        distribution=distribution,
        method=distribution.method,
        n_draws=request.n_draws if is_drawn else None,
        seed=request.seed if is_drawn else None,
        **numbers,
    )
