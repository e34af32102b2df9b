"""``irbounds baseline``: what a random ranking scores, and systems beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import __version__
from ..errors import ParameterError
from .baseline_numbers import ChanceQuestion, rows_of_numbers
from .baseline_options import (
    ChanceAlternative,
    ChanceDraws,
    ChanceMeasures,
    ChanceMethod,
    ChancePopulation,
    ChanceRule,
    Grades,
    NumbersOrRuns,
    Observed,
    QrelsFile,
    check_population,
)
from .inputs import RunOptions, scored, which_queries
from .options import (
    Alternative,
    CorpusList,
    CorpusSize,
    Depth,
    Digits,
    DuplicateRule,
    Duplicates,
    Float32,
    Format,
    Order,
    OrderRule,
    Output,
    PerQuery,
    Queries,
    QueriesRule,
    Seed,
    Ties,
    TiesRule,
    check_standard_input,
)
from .showing import make_view
from .writing import chosen_form, collected_warnings, write_result

if TYPE_CHECKING:
    from ..results import ChanceLevel, Diagnosis

EXAMPLES = (
    "\b\nExamples:\n"
    "  irbounds baseline 10 4\n"
    "  irbounds baseline 1000 25 --observed 0.31\n"
    "  irbounds baseline 1000 25 --observed 0.06 --figure chance.svg\n"
    "  irbounds baseline 1000 25 -m AP -m nDCG@10 -m RR\n"
    "  irbounds baseline 1000 --grades 1:20,2:5 -m nDCG@10\n"
    "  irbounds baseline --qrels qrels.txt --corpus-size 528155\n"
    "  irbounds baseline --qrels qrels.txt --corpus-size 528155 bm25.run dense.run\n"
    "  irbounds baseline --qrels qrels.txt --population retrieved bm25.run --per-query"
)
DEFAULT_MEASURE = "AP"


@dataclass(frozen=True)
class _Collection:
    """What only a collection has, as options gave it."""

    population: ChanceRule | None = None
    corpus_size: int | None = None
    corpus: str | None = None
    queries: QueriesRule = QueriesRule.judged
    per_query: bool = False
    ties: TiesRule = TiesRule.trec
    options: RunOptions = field(default_factory=RunOptions)


def baseline(
    arguments: NumbersOrRuns = None,
    qrels: QrelsFile = None,
    grades: Grades = None,
    observed: Observed = None,
    measures: ChanceMeasures = None,
    corpus_size: CorpusSize = None,
    corpus: CorpusList = None,
    population: ChancePopulation = None,
    queries: Queries = QueriesRule.judged,
    method: ChanceMethod = None,
    alternative: ChanceAlternative = Alternative.greater,
    n_draws: ChanceDraws = 9999,
    seed: Seed = 0,
    per_query: PerQuery = False,
    duplicates: Duplicates = DuplicateRule.error,
    order: Order = OrderRule.score,
    ties: Ties = TiesRule.trec,
    float32: Float32 = False,
    depth: Depth = None,
    digits: Digits = None,
    form: Format = None,
    output: Output = None,
) -> None:
    """What a random ranking scores, and how far systems are above it.

    Of N documents R are relevant: the exact mean score of all their orders, which is not the
    prevalence R/N, and how scores vary around it. With judgments and runs: each system's score
    beside chance, corrected for it, with a p-value. docs/random-baseline.md says what these mean.
    """
    from ..presentation.registry import section_of, with_tie_rule
    from ..results.chance import query_tables

    chosen = chosen_form(form, output)
    question = ChanceQuestion(
        measures=tuple(dict.fromkeys(measures or [DEFAULT_MEASURE])),
        method=method.value if method else None,
        alternative=alternative.value,
        n_draws=n_draws,
        seed=seed,
    )
    collection = _Collection(
        population=population,
        corpus_size=corpus_size,
        corpus=corpus,
        queries=queries,
        per_query=per_query,
        ties=ties,
        options=RunOptions(duplicates.value, order.value, float32, depth),
    )
    said: list[str] = []
    rows: Sequence[ChanceLevel]
    diagnosis = None
    with collected_warnings(said):
        if qrels is None:
            _check_numbers(arguments or [], collection, question, observed)
            rows = rows_of_numbers(arguments or [], grades, observed, question)
        else:
            _check_no_numbers(arguments or [], grades, observed)
            rows, diagnosis = _of_collection(qrels, arguments or [], collection, question)
    said = list(dict.fromkeys([*rows[0].warnings, *said]))
    view = make_view(digits, which_queries(None, queries), ties=ties.value)
    section = section_of(rows, view)
    if per_query and qrels is not None:
        section = replace(section, tables=with_tie_rule(query_tables(rows, digits), view))
    write_result(
        [section],
        form=chosen,
        output=output,
        inputs=_about_inputs(rows, diagnosis),
        warnings=said,
        about=_about(rows, diagnosis, said, section.sentences),
    )


def _check_numbers(
    arguments: Sequence[str], given: _Collection, question: ChanceQuestion, observed: float | None
) -> None:
    """What only a collection has, said before anything is computed."""
    files = [text for text in arguments if not text.isdecimal() and Path(text).is_file()]
    if files:
        raise ParameterError(
            f"judgments are given by --qrels: irbounds baseline --qrels {' '.join(files)}"
        )
    if given != _Collection():
        raise ParameterError(
            "--corpus-size, --corpus, --population, --queries, --per-query and the options of runs "
            "are for --qrels; N and R are a query of their own"
        )
    if observed is not None and len(question.measures) > 1:
        named = ", ".join(question.measures)
        raise ParameterError(f"--observed is a score by one measure; got several: {named}")


def _check_no_numbers(arguments: Sequence[str], grades: str | None, observed: float | None) -> None:
    if grades is not None or observed is not None:
        raise ParameterError("--grades and --observed are for N and R; --qrels and runs have both")
    numbers = [text for text in arguments if text.isdecimal() and not Path(text).exists()]
    if numbers:
        raise ParameterError(
            f"with --qrels the arguments are runs; got {' and '.join(numbers)}, no such file"
        )


def _of_collection(
    qrels: str, runs: Sequence[str], given: _Collection, question: ChanceQuestion
) -> tuple[Sequence[ChanceLevel], Diagnosis | None]:
    """Rows of all measures and systems, and what was found in the inputs."""
    from ..api import check_chance_measures, random_baseline, read_qrels

    kind = check_population(given.population, given.corpus_size, given.corpus)
    if kind is ChanceRule.retrieved and not runs:
        raise ParameterError("--population retrieved is each run's own documents: give runs")
    check_chance_measures(question.measures)  # said before a gigabyte is read
    check_standard_input([qrels, *runs, *([given.corpus] if given.corpus else [])])
    ranked: dict[str, Any] = {
        "corpus_size": given.corpus_size,
        "corpus": given.corpus,
        "population": kind.value,
    }
    if not runs:
        return random_baseline(read_qrels(qrels), None, question.measures, **ranked), None
    return _of_systems(qrels, runs, given, question, ranked)


def _of_systems(
    qrels: str,
    runs: Sequence[str],
    given: _Collection,
    question: ChanceQuestion,
    ranked: dict[str, Any],
) -> tuple[Sequence[ChanceLevel], Diagnosis | None]:
    """Scores beside chance, with p-values."""
    from ..api import chance_levels, checked_significance
    from ..presentation.terminal import progress_of

    table, judgments, packed = scored(
        qrels, runs, question.measures, given.queries, given.options, given.ties
    )
    with progress_of("drawing random rankings") as progress:
        asked = checked_significance(
            question.method, question.alternative, question.n_draws, question.seed, progress
        )
        rows = chance_levels(table, judgments, packed, **ranked, significance=asked)
    return rows, table.diagnosis


def _about_inputs(rows: Sequence[ChanceLevel], diagnosis: Diagnosis | None) -> list[str]:
    from ..results.chance import population_line
    from ..results.diagnosis import summary_lines

    return [*(summary_lines(diagnosis) if diagnosis else []), population_line(rows)]


def _about(
    rows: Sequence[ChanceLevel],
    diagnosis: Diagnosis | None,
    said: Sequence[str],
    found: Sequence[str],
) -> dict[str, Any]:
    return {
        "irbounds": __version__,
        "warnings": list(said),
        "diagnosis": asdict(diagnosis) if diagnosis else None,
        "inputs": [asdict(one) for one in rows[0].inputs],
        "found": [*_about_inputs(rows, None), *found],
    }
