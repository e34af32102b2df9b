"""Result cards: published means that others can compare theirs with.

A published mean is of little use for comparisons unless readers know how it would vary with other
queries. Mean, standard deviation and number of queries are enough for that, and for standardised
scores the reference systems (Park 2010, section 6). A card holds these in a small JSON file, with
fingerprints that show whether two cards have the same queries and the same scale. It contains no
score of a single query and no judgment.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import PurePath
from typing import Any, get_args

from .. import __version__
from ..errors import DataError, ParameterError, quote
from ..intervals.means import mean_interval
from ..intervals.sample import deviation_of
from ..resampling.seeds import SeedLike
from ..results import Card, Estimate, InputFile, Interval
from ..scores.score_input import as_score_table
from ..scores.score_table import ScoreTable
from ..validation import Alternative, Progress, Transform

TRANSFORMS = get_args(Transform)


def make_card(
    scores: Any,
    *,
    collection: str,
    system: str | None = None,
    measure: str | None = None,
    method: str | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 9999,
    rng: SeedLike = 0,
    alternative: Alternative = "two-sided",
    bounds: tuple[float, float] | None = None,
    prior_variance: Any = None,
    note: str | None = None,
    url: str | None = None,
    progress: Progress | None = None,
) -> Card:
    """Return the result card of one system by one measure.

    Parameters
    ----------
    scores
        A ``ScoreTable`` (from ``score``, ``read_scores`` or ``standardise_scores``), anything
        ``read_scores`` takes, or a plain sequence of one system's scores.
    collection
        The name of the queries and documents, such as ``"TREC 2004 Robust"``.
    system, measure
        Which ones of the table; required where there are several.
    method, confidence_level, n_resamples, rng, alternative, bounds, prior_variance, progress
        As in ``mean_interval``, for the interval of the mean; not ``"normal"``, whose known
        standard deviation a card does not hold.
    note, url
        A remark, and the address of further information.

    Returns
    -------
    Card
        Mean, standard deviation, interval and the fingerprints of the queries and inputs.

    Examples
    --------
    >>> card = make_card([0.1, 0.5, 0.4, 0.0, 0.2, 0.9], collection="a few queries")
    >>> card.n, round(card.mean, 4), round(card.standard_deviation, 4)
    (6, 0.35, 0.3271)
    """
    _check_texts(collection, note, url)
    _check_method(method)
    table = _select_scores(as_score_table(scores), system, measure)
    (estimate,) = mean_interval(
        table,
        method=method,
        confidence_level=confidence_level,
        n_resamples=n_resamples,
        rng=rng,
        alternative=alternative,
        bounds=bounds,
        prior_variance=prior_variance,
        progress=progress,
    )
    return _fill_card(table, estimate, collection, note, url)


def query_fingerprint(queries: Iterable[str]) -> str:
    """Return the SHA-256 of a set of query ids, whatever their order."""
    text = json.dumps(sorted(queries), separators=(",", ":"))
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def is_standardised(measure: str) -> bool:
    """Return whether a measure has the name of standardised scores, such as ``z(AP)``."""
    return measure.startswith(tuple(f"{transform}(" for transform in TRANSFORMS))


def _check_texts(collection: Any, note: Any, url: Any) -> None:
    if not isinstance(collection, str) or not collection.strip():
        raise ParameterError(f"collection must be a name; got {quote(collection)}")
    for name, value in (("note", note), ("url", url)):
        if not isinstance(value, str | None):
            raise ParameterError(f"{name} must be text; got {quote(value)}")


def _check_method(method: Any) -> None:
    """Raise ``ParameterError`` unless ``method`` is a text or None; the name is checked later."""
    if not isinstance(method, str | None):
        raise ParameterError(f"method must be the name of one method; got {quote(method)}")
    if method == "normal":
        raise ParameterError("method 'normal' is not for cards: they do not hold its known sigma")


def _select_scores(table: ScoreTable, system: str | None, measure: str | None) -> ScoreTable:
    """Return the table with one system and one measure only."""
    table = table.select([_choose_name("measure", measure, table.measures)])
    if len(table.measures) > 1:
        raise ParameterError(f"a card has one measure; got {quote(measure)}")
    (measure,) = table.measures
    system = _choose_name("system", system, table.systems)
    if is_standardised(measure):
        raise DataError(
            f"the factors of the standardised scores of {measure} are not known: make the card "
            "from raw scores and factors"
        )
    values = table.scores(measure, system)[None, None]
    inputs = tuple(_list_inputs(table, system))
    return replace(table, measures=(measure,), systems=(system,), values=values, inputs=inputs)


def _list_inputs(table: ScoreTable, system: str) -> Iterator[InputFile]:
    """Return the inputs of one system's scores, by file name without directories."""
    if table.diagnosis is None:
        yield from (
            replace(file, name=PurePath(file.name).name or file.name) for file in table.inputs
        )
        return
    judgments, *runs = table.inputs
    yield judgments
    yield from (run for run in runs if run.name == system)


def _choose_name(kind: str, name: str | None, known: tuple[str, ...]) -> str:
    if name is None and len(known) > 1:
        raise ParameterError(f"a card has one {kind}: name one of {', '.join(known)}")
    return known[0] if name is None else name


def _fill_card(
    table: ScoreTable, estimate: Estimate, collection: str, note: str | None, url: str | None
) -> Card:
    scores = table.values[0, 0]
    deviation = _compute_deviation(scores)
    return Card(
        system=estimate.system,
        collection=collection,
        measure=estimate.measure,
        n=estimate.n,
        mean=estimate.value,
        standard_deviation=deviation,
        standard_error=deviation / math.sqrt(estimate.n),
        interval=_clean_interval(estimate.interval),
        n_resamples=None if estimate.distribution is None else len(estimate.distribution),
        seed=estimate.seed,
        standardisation=None,
        query_fingerprint=query_fingerprint(table.queries),
        irbounds=__version__,
        inputs=table.inputs,
        prior_variance=estimate.prior_variance,
        ties=table.ties,
        note=note,
        url=url,
    )


def _compute_deviation(scores: Any) -> float:
    if len(scores) < 2:
        return math.nan
    if (scores == scores[0]).all():  # rounding can give equal scores a spread
        return 0.0
    return float(deviation_of(scores))


def _clean_interval(interval: Interval) -> Interval:
    """Return the interval, with NaN for both ends where neither is finite."""
    if math.isfinite(interval.low) or math.isfinite(interval.high):
        return interval
    return replace(interval, low=math.nan, high=math.nan)
