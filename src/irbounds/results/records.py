"""Results as plain records: the columns of every CSV file, and of a frame of one's own.

``polars.DataFrame(records(estimates))``, or pandas', is a frame with a row a result.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, fields, replace
from typing import Any

from ..errors import ParameterError
from .baseline import QueryBaseline, RandomBaseline
from .comparisons import Comparison, QueryPlan, RankEstimate
from .corpus import (
    DifferencePrecision,
    ImageSummary,
    MeasurePrecision,
    PoolPrecision,
    QueryPrecision,
    QuerySpread,
    RankPrecision,
    ScorePrecision,
    SpreadSummary,
    ValidityRow,
    VarianceSplit,
)
from .intervals import Estimate, Interval
from .recall import RecallEstimate, Stratum
from .recall_plans import PlannedSample, RecallPlan
from .recall_studies import RecallCoverageRow
from .samples import Sample
from .studies import CalibrationRow
from .ties import TieEffect

__all__ = ["records"]


def records(results: Iterable[Any]) -> list[dict[str, Any]]:
    """A dict a result, with plain numbers and text, for any kind of result but cards.

    Examples
    --------
    >>> from irbounds import mean_interval
    >>> row, = records(mean_interval([0.1, 0.5, 0.4, 0.0], method="student-t"))
    >>> row["mean"], row["method"], row["n"]
    (0.25, 'student-t', 4)
    """
    return [_record(result) for result in results]


def _record(result: Any) -> dict[str, Any]:
    for kind, record in RECORDS.items():
        if isinstance(result, kind):
            return record(result)
    known = ", ".join(kind.__name__ for kind in RECORDS)
    raise ParameterError(f"records are of {known}; got {type(result).__name__}")


def _of_estimate(one: Estimate) -> dict[str, Any]:
    return {
        "measure": one.measure,
        "system": one.system,
        "mean": one.value,
        **_ends(one.interval),
        "standard_error": one.standard_error,
        "n": one.n,
        **_promise(one.interval),
        "n_resamples": None if one.distribution is None else len(one.distribution),
        "n_dropped": one.n_dropped,
        "seed": one.seed,
    }


def _of_comparison(one: Comparison) -> dict[str, Any]:
    return {
        "measure": one.measure,
        "system": one.system,
        "baseline": one.baseline,
        "difference": one.difference,
        **_ends(one.interval),
        "standard_error": one.standard_error,
        "effect_size": one.effect_size,
        "p_value": one.p_value,
        "adjusted_p_value": one.adjusted_p_value,
        "detectable_difference": one.detectable_difference,
        "n": one.n,
        "n_comparisons": one.n_comparisons,
        **_promise(one.interval),
        "test": one.test,
        "adjustment": one.adjustment,
        "power": one.power,
        "n_draws": one.n_draws,
        "n_resamples": one.n_resamples,
        "seed": one.seed,
    }


def _of_rank(one: RankEstimate) -> dict[str, Any]:
    """As everywhere, the mean is called so, and a low that is a rank is called one."""
    names = {"value": "mean", "low": "rank_low", "high": "rank_high"}
    return {names.get(key, key): value for key, value in asdict(one).items()}


def _of_plan(one: QueryPlan) -> dict[str, Any]:
    return {key: value for key, value in asdict(one).items() if key not in ("inputs", "curve")}


def _of_recall_plan(one: RecallPlan) -> dict[str, Any]:
    """The sample's numbers by their own names; of the best split its sizes and width alone."""
    nested = ("sample", "best", "pilot", "pilot_sample", "curve")
    plain = {f.name: getattr(one, f.name) for f in fields(one) if f.name not in nested}
    (n1, r1), (n0, r0) = one.pilot or ((None, None), (None, None))
    first, second = one.pilot_sample or (n1, n0)
    return {
        **asdict(one.sample),
        **plain,
        "best_retrieved_sample": one.best.retrieved_sample,
        "best_unretrieved_sample": one.best.unretrieved_sample,
        "best_expected_width": one.best.expected_width,
        "pilot_retrieved_sample": first,
        "pilot_unretrieved_sample": second,
        "pilot_retrieved_relevant": r1,
        "pilot_unretrieved_relevant": r0,
    }


def _of_score_precision(one: ScorePrecision) -> dict[str, Any]:
    return {**_flat(one), "shift": one.shift}


def _of_rank_precision(one: RankPrecision) -> dict[str, Any]:
    return _flat(one, low="rank_low", high="rank_high", images="image_rank")


def _of_measure_precision(one: MeasurePrecision) -> dict[str, Any]:
    """One system has no differences, but its row has the columns of the others."""
    if one.differences is None:
        one = replace(one, differences=SpreadSummary(math.nan, math.nan))
    return _flat(one, scores="score_spread", differences="difference_spread")


def _of_query_spread(one: QuerySpread) -> dict[str, Any]:
    return _flat(
        one, median="spread_median", percentile_95="spread_percentile_95", maximum="spread_maximum"
    )


def _of_pool_precision(one: PoolPrecision) -> dict[str, Any]:
    """What is known of every single image stays in the result."""
    record = _flat(
        one,
        differences="image_difference",
        p_values="image_p_value",
        query_spreads="image_query_spread",
    )
    distributions = {
        *("image_differences", "image_p_values", "query_differences"),
        *("query_ids", "on_queries"),
    }
    return {key: value for key, value in record.items() if key not in distributions}


def _of_variance_split(one: VarianceSplit) -> dict[str, Any]:
    record = _flat(
        one,
        queries="query_variance",
        documents="document_variance",
        interaction="interaction_variance",
        total="total_variance",
        query_bootstrap="query_bootstrap_variance",
        document_bootstrap="document_bootstrap_variance",
        two_way_bootstrap="two_way_bootstrap_variance",
    )
    return {**record, "standard_error": math.sqrt(one.total)}


def _of_recall(one: RecallEstimate) -> dict[str, Any]:
    """The counts of each segment; those of its strata stay in the result."""
    posterior = one.posterior
    return {
        "topic": one.topic,
        "system": one.system,
        "quantity": one.quantity,
        "estimate": one.value,
        "bias_reduced": one.bias_reduced,
        **_ends(one.interval),
        "posterior_mean": None if posterior is None else posterior.mean,
        **_promise(one.interval),
        "prior": one.prior,
        "cap_at_one": one.cap_at_one,
        "n_draws": one.n_draws,
        "seed": one.seed,
        # how far coarse tables of a large corpus may have moved an end
        "table_error": one.table_error,
        **_segment_counts("retrieved", [s for s in one.strata if s.retrieved]),
        **_segment_counts("unretrieved", [s for s in one.strata if not s.retrieved]),
    }


def _of_baseline(one: RandomBaseline) -> dict[str, Any]:
    """The queries, each a record of its own, and the distribution stay in the result."""
    kept = ("queries", "distribution", "inputs", "warnings")
    return {f.name: getattr(one, f.name) for f in fields(one) if f.name not in kept}


def _of_sample(one: Sample) -> dict[str, Any]:
    """The counts of each segment; strata, notes and inputs stay in the result."""
    return {
        "topic": one.topic,
        "system": one.system,
        **_segment_counts("retrieved", [s for s in one if s.retrieved]),
        **_segment_counts("unretrieved", [s for s in one if not s.retrieved]),
    }


def _segment_counts(segment: str, strata: Sequence[Stratum]) -> dict[str, int]:
    return {
        f"{segment}_strata": len(strata),
        f"{segment}_population": sum(s.population for s in strata),
        f"{segment}_sampled": sum(s.sampled for s in strata),
        f"{segment}_assessable": sum(s.judged for s in strata),
        f"{segment}_relevant": sum(s.relevant for s in strata),
    }


def _flat(one: Any, **names: str) -> dict[str, Any]:
    """Every field a column, by its own name or the one given; summaries and intervals several.

    What sums up images is called so: ``image_mean``, ``image_standard_deviation`` and so on.
    """
    record: dict[str, Any] = {}
    for field in fields(one):
        value, name = getattr(one, field.name), names.get(field.name, field.name)
        if isinstance(value, Interval):
            record |= {**_ends(value), **_promise(value)}
        elif isinstance(value, ImageSummary | SpreadSummary):
            prefix = "image" if name == "images" else name
            record |= {f"{prefix}_{key}": number for key, number in asdict(value).items()}
        else:
            record[name] = value
    return record


def _ends(interval: Interval) -> dict[str, Any]:
    return {"low": interval.low, "high": interval.high}


def _promise(interval: Interval) -> dict[str, Any]:
    return {
        "method": interval.method,
        "confidence_level": interval.confidence_level,
        "alternative": interval.alternative,
    }


RECORDS: dict[type, Callable[[Any], dict[str, Any]]] = {
    Estimate: _of_estimate,
    Comparison: _of_comparison,
    RankEstimate: _of_rank,
    QueryPlan: _of_plan,
    PlannedSample: asdict,
    RecallPlan: _of_recall_plan,
    CalibrationRow: asdict,
    RecallCoverageRow: asdict,
    ScorePrecision: _of_score_precision,
    DifferencePrecision: _flat,
    RankPrecision: _of_rank_precision,
    QueryPrecision: _flat,
    MeasurePrecision: _of_measure_precision,
    QuerySpread: _of_query_spread,
    ValidityRow: asdict,
    PoolPrecision: _of_pool_precision,
    VarianceSplit: _of_variance_split,
    RecallEstimate: _of_recall,
    TieEffect: asdict,
    RandomBaseline: _of_baseline,
    QueryBaseline: asdict,
    Sample: _of_sample,
}
