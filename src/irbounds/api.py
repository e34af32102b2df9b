"""The verbs a person calls; each reads like the pipeline it is."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, TypeVar, get_args

from .baseline.chance_measures import chance_parameters
from .baseline.collection import PopulationName, collection_of
from .baseline.collection_rows import baseline_rows
from .baseline.significance import Method, checked_significance
from .baseline.tie_rules import effects_of_ties, score_by_rule
from .compare.card_comparison import compare_cards
from .compare.card_files import card_text, read_card, write_card
from .compare.cards import make_card
from .compare.differences import check_comparison, difference_interval
from .compare.ranks import rank_interval
from .corpus.bootstrap import CorpusBootstrap
from .corpus.cautions import cautions
from .corpus.memory import images_to_keep
from .design.calibration import calibrate
from .design.queries import check_query_plan, plan_queries
from .errors import DataError, ParameterError
from .interval.means import mean_interval
from .interval.methods import checked_methods
from .parameters import (
    MOST_DOCUMENTS,
    Alternative,
    Progress,
    check_choice,
    check_confidence_level,
    check_count,
)
from .read.corpus_list import read_corpus
from .read.inputs import read_qrels, read_run
from .read.records import Run
from .resample.blocks import available_cores, counted
from .resample.documents import IMAGES, bootstrap_documents
from .resample.streams import SeedLike, seed_number
from .results import Diagnosis, InputFile, RandomBaseline, TieEffect
from .scores.diagnose import diagnose
from .scores.factors import read_factors, write_factors
from .scores.image_measures import check_image_measures
from .scores.measures import parse_measures
from .scores.packed_rankings import pack_rankings
from .scores.packed_runs import Pool, judge_run
from .scores.score_input import read_scores
from .scores.score_table import QueryRule, ScoreTable, choose_queries
from .scores.standardise import score_factors, standardise
from .scores.tie_orders import TieRule, check_ties
from .simulate import simulate_collection, write_collection

__all__ = [
    "calibrate",
    "card_text",
    "chance_levels",
    "check",
    "check_chance_measures",
    "check_comparison",
    "check_confidence_level",
    "check_corpus_measures",
    "check_measures",
    "check_query_plan",
    "checked_methods",
    "compare_cards",
    "corpus_bootstrap",
    "difference_interval",
    "make_card",
    "mean_interval",
    "plan_queries",
    "random_baseline",
    "rank_interval",
    "read_card",
    "read_factors",
    "read_qrels",
    "read_run",
    "read_runs",
    "read_scores",
    "score",
    "score_factors",
    "simulate_collection",
    "standardise",
    "tie_effects",
    "write_card",
    "write_collection",
    "write_factors",
]

Item = TypeVar("Item")
Result = TypeVar("Result")


def score(
    qrels: Any,
    runs: Any,
    measures: Iterable[Any] | str,
    *,
    queries: QueryRule = "judged",
    ties: TieRule = "trec",
    progress: Callable[[], None] | None = None,
) -> ScoreTable:
    """Score every run on every query by every measure.

    Parameters
    ----------
    qrels
        Judgments: anything that ``read_qrels`` takes.
    runs
        One run or several: a list, or a mapping of names to anything that ``read_run`` takes.
    measures
        Names in ir_measures' spelling, such as ``["AP", "nDCG@10", "RBP(rel=1,p=0.95)"]``.
    queries
        ``"judged"``: all judged queries, 0 where a run lacks one. ``"common"``: those in every run.
    ties
        Documents of equal score: ``"trec"`` orders them by id, descending; ``"expected"`` is the
        mean over all their orders, exactly; ``"worst"`` and ``"best"`` are the extremes.
    progress
        Called after each run is scored; ir_measures' providers can take seconds for one.

    Examples
    --------
    >>> table = score({"q": {"a": 1, "b": 0}}, {"mine": {"q": {"b": 2.0, "a": 1.0}}}, ["AP", "P@1"])
    >>> table.values.ravel().tolist()
    [0.5, 0.0]
    """
    parsed = parse_measures(measures)
    check_ties(ties, parsed)
    qrels, runs = read_qrels(qrels), read_runs(runs)
    pool = Pool(qrels, choose_queries(qrels, runs, queries))
    judged = _in_threads(lambda run: judge_run(run, pool), runs)
    diagnosis = diagnose(qrels, runs, judged, queries, ties)
    return ScoreTable(
        measures=tuple(measure.name for measure in parsed),
        systems=tuple(run.name for run in runs),
        queries=pool.query_ids,
        values=score_by_rule(ties, qrels, runs, judged, parsed, progress),
        diagnosis=diagnosis,
        warnings=diagnosis.warnings,
        inputs=tuple(InputFile(one.name, one.fingerprint) for one in (qrels, *runs)),
        ties=ties,
    )


def tie_effects(
    qrels: Any, runs: Any, measures: Iterable[Any] | str, *, queries: QueryRule = "judged"
) -> list[TieEffect]:
    """How far ties move mean scores: each run by each measure, by every rule for ties.

    Examples
    --------
    >>> constant = {"mine": {"q": {"a": 1.0, "b": 1.0}}}
    >>> (effect,) = tie_effects({"q": {"a": 0, "b": 1}}, constant, "RR")
    >>> effect.trec, effect.worst, effect.expected, effect.best
    (1.0, 0.5, 0.75, 1.0)
    """
    parsed = parse_measures(measures)
    check_ties("expected", parsed)
    qrels, runs = read_qrels(qrels), read_runs(runs)
    pool = Pool(qrels, choose_queries(qrels, runs, queries))
    judged = _in_threads(lambda run: judge_run(run, pool), runs)
    return effects_of_ties(qrels, runs, judged, parsed)


def corpus_bootstrap(
    qrels: Any,
    runs: Any,
    measures: Iterable[Any] | str,
    *,
    corpus_size: int | None = None,
    corpus: Any = None,
    n_images: int = 1000,
    rng: SeedLike = None,
    queries: QueryRule = "judged",
    memory: int = 2**31,
    threads: int | None = None,
    progress: Progress | None = None,
) -> CorpusBootstrap:
    """Score every run on images of the corpus: its documents drawn again, with replacement.

    Parameters
    ----------
    qrels, runs, measures, queries
        As for ``score``; measures are AP, nDCG, P, R, RBP, INSQ, RR, ERR and Rprec, with their
        cutoffs and parameters.
    corpus_size
        How many documents the corpus holds, named in a file or not.
    corpus
        In place of the size, the ids of all its documents: a file with one a line, or an iterable.
        Then a further run changes nothing in the images of the others, unless it names documents
        that the list lacks; these are counted and join the corpus.
    n_images
        How many images to draw.
    rng
        Seed or generator; the same seed gives the same images.
    memory
        Bytes that scores and what it takes to compute them may occupy. Where not all scores fit,
        those of the first images are kept, and means and standard deviations of all.
    threads
        Defaults to all cores; makes no difference to the result.
    progress
        Called now and then with how many images are done and how many there are.

    Examples
    --------
    >>> judged = {"q": {"a": 1, "b": 0, "c": 1}}
    >>> run = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}
    >>> images = corpus_bootstrap(judged, {"mine": run}, ["AP", "P@1"], corpus_size=50, rng=1)
    >>> images
    <CorpusBootstrap: 1,000 images of 50 documents, 1 systems, 1 queries, 2 measures>
    >>> [(row.measure, round(row.root, 2), row.decimals) for row in images.score_precision()]
    [('AP', 0.83, 1), ('P@1', 1.0, 1)]
    """
    parsed = parse_measures(measures)
    check_image_measures(parsed)
    n = check_count("n_images", n_images, least=2)
    cores = available_cores() if threads is None else check_count("threads", threads)
    room = check_count("memory", memory)
    size = check_corpus_size(corpus_size, corpus)
    qrels, runs = read_qrels(qrels), read_runs(runs)
    root = score(qrels, runs, [measure.name for measure in parsed], queries=queries)
    pool = Pool(qrels, root.queries)
    if size is not None:
        packed = pack_rankings(pool, runs, size)
    else:
        listed = read_corpus(corpus)
        packed = pack_rankings(pool, runs, listed.documents)
        root = replace(root, inputs=(*root.inputs, InputFile(listed.name, listed.fingerprint)))
    at_once = min(cores, -(-n // IMAGES))
    kept = images_to_keep(root.values.shape, n, packed.n_rows, at_once, room)
    seed = seed_number(rng)
    images = bootstrap_documents(
        packed,
        parsed,
        n,
        seed,
        n_kept=kept,
        threads=cores,
        progress=counted(progress, n, step=IMAGES),
    )
    return CorpusBootstrap(
        root=root,
        scores=images.scores,
        means=images.means,
        query_means=images.query_means,
        query_deviations=images.query_deviations,
        corpus_size=packed.corpus_size,
        seed=seed,
        warnings=(*root.warnings, *cautions(runs, root, packed, images.means, kept)),
        packed=packed,
        parsed=parsed,
    )


def random_baseline(
    qrels: Any,
    runs: Any = None,
    measures: Iterable[Any] | str = "AP",
    *,
    corpus_size: int | None = None,
    corpus: Any = None,
    population: PopulationName = "corpus",
    queries: QueryRule = "judged",
    method: Method | None = None,
    alternative: Alternative = "greater",
    n_draws: int = 9999,
    rng: SeedLike = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> list[RandomBaseline]:
    """What a random ranking scores on a collection, and systems beside it.

    Parameters
    ----------
    qrels, runs, measures, queries
        As for ``score``; without runs, chance alone. Measures are AP, P, R, Rprec, RR, Success,
        nDCG, RBP, INSQ and ERR, with their cutoffs and parameters.
    corpus_size, corpus
        How many documents the corpus holds, or the list of their ids, for ``population="corpus"``.
    population
        Which documents are put in a random order for each query: all of the ``"corpus"``, the
        ``"judged"`` ones, or those that a run ``"retrieved"``. With runs, chance is cut where a
        run's list ends.
    method
        How p-values are found: ``"exact"`` (AP of few documents), ``"monte-carlo"`` or
        ``"matched-moments"``; None is exact where that is quick, else monte-carlo.
    alternative
        ``"greater"``: how often chance scores as high as the system; ``"less"``: as low.
    n_draws, rng
        Random rankings of monte-carlo, and their seed or generator.
    threads
        Defaults to all cores; makes no difference to the result.
    progress
        Called now and then with how much is done and how much there is.

    Returns
    -------
    list of RandomBaseline
        One a measure and system; ``queries`` of each has the numbers of every query.

    Examples
    --------
    >>> judged = {"q": {"a": 1, "b": 0, "c": 1, "d": 0}}
    >>> run = {"q": {"a": 4.0, "c": 3.0, "b": 2.0, "d": 1.0}}
    >>> (row,) = random_baseline(judged, {"mine": run}, population="judged")
    >>> round(row.expected, 4), row.prevalence, row.observed, round(row.p_value, 4), row.method
    (0.6806, 0.5, 1.0, 0.1667, 'exact')
    """
    parsed = parse_measures(measures)
    check_chance_measures(measures)
    asked = checked_significance(method, alternative, n_draws, seed_number(rng), threads, progress)
    size = check_population(population, corpus_size, corpus, has_runs=runs is not None)
    qrels = read_qrels(qrels)
    packed = () if runs is None else read_runs(runs)
    table = None
    if packed:
        table = score(qrels, packed, [measure.name for measure in parsed], queries=queries)
    listed = None if corpus is None else read_corpus(corpus)
    collection = collection_of(qrels, packed, table, population, listed or size)
    return baseline_rows(parsed, collection, asked)


def chance_levels(
    table: ScoreTable,
    qrels: Any,
    runs: Any,
    *,
    corpus_size: int | None = None,
    corpus: Any = None,
    population: PopulationName = "corpus",
) -> list[RandomBaseline]:
    """What chance scores beside the scores of a table of these runs; without p-values."""
    check_chance_measures(table.measures)
    size = check_population(population, corpus_size, corpus, has_runs=True)
    listed = None if corpus is None else read_corpus(corpus)
    collection = collection_of(
        read_qrels(qrels), read_runs(runs), table, population, listed or size
    )
    return baseline_rows(parse_measures(table.measures), collection, None)


def check(qrels: Any, runs: Any, *, queries: QueryRule = "judged") -> Diagnosis:
    """What is odd about judgments and runs, without scoring them."""
    qrels, runs = read_qrels(qrels), read_runs(runs)
    pool = Pool(qrels, choose_queries(qrels, runs, queries))
    judged = _in_threads(lambda run: judge_run(run, pool), runs)
    return diagnose(qrels, runs, judged, queries)


def check_corpus_size(corpus_size: Any, corpus: Any) -> int | None:
    """The size of the corpus, None where its list is given; one of the two must be."""
    if (corpus_size is None) == (corpus is None):
        raise ParameterError("needs corpus_size or corpus, the list of its documents; one of them")
    if corpus_size is None:
        return None
    size = check_count("corpus_size", corpus_size)
    if size > MOST_DOCUMENTS:
        raise ParameterError(f"corpus_size must be at most {MOST_DOCUMENTS:,}; got {size:,}")
    return size


def check_population(
    population: Any, corpus_size: Any, corpus: Any, *, has_runs: bool
) -> int | None:
    """The size of the corpus, None where its list is given or nothing but a part of it counts."""
    check_choice("population", population, get_args(PopulationName))
    sized = corpus_size is not None or corpus is not None
    if population == "corpus" and sized:
        return check_corpus_size(corpus_size, corpus)
    if population == "corpus":
        raise ParameterError(
            "needs corpus_size or corpus, the list of its documents; or population='judged' or "
            "'retrieved'"
        )
    if sized:
        raise ParameterError(f"population={population!r} takes no corpus_size and no corpus")
    if population == "retrieved" and not has_runs:
        raise ParameterError("population='retrieved' is each run's own documents: needs runs")
    return None


def check_measures(measures: Iterable[Any] | str, ties: TieRule = "trec") -> None:
    """Raise ``MeasureError`` unless every measure is one that ``score`` can compute."""
    check_ties(ties, parse_measures(measures))


def check_chance_measures(measures: Iterable[Any] | str) -> None:
    """Raise ``MeasureError`` unless there is a formula for what chance scores by every measure."""
    for measure in parse_measures(measures):
        chance_parameters(measure)


def check_corpus_measures(measures: Iterable[Any] | str) -> None:
    """Raise ``MeasureError`` unless ``corpus_bootstrap`` can compute every measure on images."""
    check_image_measures(parse_measures(measures))


def read_runs(
    sources: Any, *, progress: Callable[[], None] | None = None, **options: Any
) -> tuple[Run, ...]:
    """Read several runs, two or more at a time; names must differ.

    ``options`` are those of ``read_run``; ``progress`` is called after each run.
    """
    named = _named(sources)

    def read(item: tuple[str | None, Any]) -> Run:
        run = read_run(item[1], name=item[0], **options)
        if progress:
            progress()
        return run

    runs = tuple(_in_threads(read, named))
    _check_distinct(runs)
    return runs


def _in_threads(function: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    """One call an item, in parallel: zlib and the kernels let go of the interpreter's lock."""
    with ThreadPoolExecutor(min(len(items), os.cpu_count() or 1)) as pool:
        return list(pool.map(function, items))


def _named(sources: Any) -> list[tuple[str | None, Any]]:
    """Runs with the names they were given; one run may be a dict of dict, or records, itself."""
    if isinstance(sources, Mapping) and not _is_one_run(sources):
        named: list[tuple[str | None, Any]] = [(str(name), run) for name, run in sources.items()]
    elif isinstance(sources, list | tuple | Iterator):
        items = list(sources)
        records = bool(items) and hasattr(items[0], "_fields")
        named = [(None, items)] if records else [(None, run) for run in items]
    else:
        named = [(None, sources)]
    if not named:
        raise ParameterError("no run given")
    return named


def _is_one_run(mapping: Mapping[Any, Any]) -> bool:
    inner = next(iter(mapping.values()), None)
    if not isinstance(inner, Mapping):
        return False
    return not isinstance(next(iter(inner.values()), None), Mapping)


def _check_distinct(runs: Sequence[Run]) -> None:
    seen: set[str] = set()
    for run in runs:
        if run.name in seen:
            raise DataError(
                f"two runs are called {run.name!r}: one file twice, or two files of one name; "
                "in Python, a mapping of names to runs tells them apart"
            )
        seen.add(run.name)
