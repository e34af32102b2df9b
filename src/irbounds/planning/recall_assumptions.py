"""The assumptions and the targets of a plan for recall, validated.

The assumptions are the sizes of corpus and retrieved set, guesses of the number of relevant
documents and of recall, or a pilot, and the interval method. The targets are a budget, sample
sizes, an interval width, or a recall to show.

A guess is a number, a range (every value in it equally likely) or values with weights. Ranges are
integrated over by Gauss and Legendre's rule, which needs no random numbers: five points are exact
for polynomials of degree nine, and the functions that are averaged here are smooth.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError, ParameterError, quote
from ..samples.counts import MAX_DOCUMENTS
from ..samples.priors import parse_prior
from ..validation import (
    as_float,
    as_integer,
    check_alternative,
    check_choice,
    check_confidence_level,
    check_count,
    check_fraction,
    check_level,
)
from .recall_widths import (
    METHODS,
    POSTERIOR_METHOD,
    Analysis,
    Guesses,
    GuessPrediction,
    PilotPrediction,
    Sizes,
)

Floats = NDArray[np.float64]

PILOT = "from the pilot"
ASSURANCE = 0.8  # the default with recall_at_least
POINTS = 5  # of a range
MAX_LISTED = 4  # values that are listed before the last one
MAX_PAIRS = 400  # of n_relevant and recall, so that a plan takes seconds
MAX_ROUNDING = 0.05  # error of recall when relevant documents are rounded to integers


@dataclass(frozen=True, eq=False)
class Assumptions:
    """The corpus, the guesses or the pilot, and the interval method."""

    corpus_size: int
    retrieved_size: int
    yield_guess: float | str
    recall_guess: float | str
    max_recall: float
    prediction: GuessPrediction | PilotPrediction
    analysis: Analysis


@dataclass(frozen=True)
class Targets:
    """The size of the sample, or the target for which it is computed."""

    budget: int | None
    split: float | None
    interval_width: float | None
    recall_at_least: float | None
    assurance: float | None
    pilot_fraction: float | None


def make_assumptions(
    *,
    corpus_size: Any,
    retrieved_size: Any,
    recall: Any = None,
    n_relevant: Any = None,
    prevalence: Any = None,
    method: Any = POSTERIOR_METHOD,
    prior: Any = None,
    confidence_level: Any = 0.95,
    alternative: Any = "two-sided",
    cap_at_one: bool = True,
    pilot: Any = None,
) -> Assumptions:
    """Return validated assumptions; raise an error with the invalid numbers."""
    check_choice("method", method, METHODS)
    level = check_confidence_level(confidence_level)
    if prior is not None and method != POSTERIOR_METHOD:
        raise ParameterError(
            f"prior belongs to method {POSTERIOR_METHOD!r}; got method {quote(method)}"
        )
    side = check_alternative(alternative)
    analysis = Analysis(method, parse_prior(prior), level, side, bool(cap_at_one))
    everything = check_count("corpus_size", corpus_size, minimum=2)
    if everything > MAX_DOCUMENTS:
        raise ParameterError(f"corpus_size must be at most {MAX_DOCUMENTS:,}; got {everything:,}")
    inside = check_count("retrieved_size", retrieved_size)
    if inside >= everything:
        raise DataError(
            f"retrieved_size must be less than the corpus_size of {everything:,}; got {inside:,}"
        )
    size = (inside, everything - inside)
    if pilot is not None:
        _check_no_guess({"n_relevant": n_relevant, "prevalence": prevalence, "recall": recall})
        prediction = _predict_from_pilot(pilot, size, analysis)
        return Assumptions(everything, inside, PILOT, PILOT, 1.0, prediction, analysis)
    relevant_guess = _guess_relevant(n_relevant, prevalence, everything)
    if recall is None:
        raise ParameterError("needs recall: a guess, such as 0.5 or a range from 0.3 to 0.8")
    recall_guess = make_guess("recall", recall, 0.0, 1.0)
    guesses = combine_guesses(relevant_guess, recall_guess, everything, inside)
    return Assumptions(
        everything,
        inside,
        relevant_guess.plain,
        recall_guess.plain,
        recall_guess.high,
        GuessPrediction(size, guesses),
        analysis,
    )


def make_targets(
    assumptions: Assumptions,
    *,
    budget: Any,
    split: Any,
    retrieved_sample: Any,
    unretrieved_sample: Any,
    interval_width: Any,
    recall_at_least: Any,
    assurance: Any,
    pilot_fraction: Any,
) -> Targets:
    """Return validated targets; raise an error unless they determine the sample size."""
    if retrieved_sample is not None or unretrieved_sample is not None:
        if budget is not None or split is not None:
            raise ParameterError(
                "give retrieved_sample and unretrieved_sample, or budget and split, not both"
            )
        sizes = _check_sample_sizes(assumptions, retrieved_sample, unretrieved_sample)
        budget, split = sum(sizes), sizes[0] / sum(sizes)
    elif budget is not None:
        budget = check_budget(assumptions, budget)
    if split is not None and retrieved_sample is None:
        split = check_fraction("split", split)
    if interval_width is not None:
        meaning = "from the lower end to the upper one"
        interval_width = _check_open_fraction("interval_width", interval_width, meaning)
    if assurance is not None:
        assurance = check_level("assurance", assurance)
    if recall_at_least is not None:
        recall_at_least = check_fraction("recall_at_least", recall_at_least)
    _check_targets(assumptions, budget, interval_width, recall_at_least, assurance)
    if pilot_fraction is not None:
        pilot_fraction = _check_open_fraction("pilot_fraction", pilot_fraction, "of the budget")
        if budget is None or isinstance(assumptions.prediction, PilotPrediction):
            raise ParameterError("pilot_fraction needs a budget, and guesses instead of a pilot")
    return Targets(budget, split, interval_width, recall_at_least, assurance, pilot_fraction)


def _check_targets(
    assumptions: Assumptions,
    budget: int | None,
    interval_width: float | None,
    recall_at_least: float | None,
    assurance: float | None,
) -> None:
    if interval_width is not None and (budget is not None or recall_at_least is not None):
        raise ParameterError(
            "interval_width determines the budget; give it without a budget, sample sizes or "
            "recall_at_least"
        )
    if assurance not in (None, ASSURANCE) and recall_at_least is None:
        raise ParameterError(
            f"assurance needs recall_at_least too; got only assurance {assurance:g}"
        )
    if recall_at_least is not None:
        if assumptions.analysis.alternative == "less":
            raise ParameterError("recall_at_least needs a lower end; alternative 'less' has none")
        if assumptions.max_recall <= recall_at_least:
            raise DataError(
                f"no sample can be expected to show a recall of at least {recall_at_least:g} "
                f"if recall is guessed to be at most {assumptions.max_recall:.10g}"
            )
    if budget is None and interval_width is None and recall_at_least is None:
        raise ParameterError(
            "needs budget, interval_width or recall_at_least, or the sizes of both samples"
        )


def _check_open_fraction(name: str, value: Any, meaning: str) -> float:
    """Return a fraction; without a hint about percentages, which are rarely meant here."""
    number = as_float(value)
    if number is None or not 0 < number < 1:
        received = quote(value) if number is None else f"{number:g}"
        raise ParameterError(
            f"{name} must be a fraction between 0 and 1, {meaning}; got {received}"
        )
    return number


def _check_no_guess(guesses: dict[str, Any]) -> None:
    for name, guess in guesses.items():
        if guess is not None:
            raise ParameterError(f"a pilot replaces guesses; got {name} as well")


def _guess_relevant(n_relevant: Any, prevalence: Any, corpus_size: int) -> Guess:
    if n_relevant is not None and prevalence is not None:
        raise ParameterError("n_relevant and prevalence are two forms of one guess; give one")
    if n_relevant is None and prevalence is None:
        raise ParameterError(
            "needs n_relevant or prevalence: a guess of the number of relevant documents"
        )
    if n_relevant is not None:
        return make_guess("n_relevant", n_relevant, 1.0, corpus_size)
    fraction = make_guess("prevalence", prevalence, 0.0, 1.0)
    if fraction.low * corpus_size < 1:
        raise ParameterError(
            f"prevalence: fewer than one relevant document among {corpus_size:,}; got {fraction}"
        )
    return fraction.times("n_relevant", corpus_size)


def _predict_from_pilot(pilot: Any, size: Sizes, analysis: Analysis) -> PilotPrediction:
    try:
        (n1, r1), (n0, r0) = pilot
    except (TypeError, ValueError):
        raise ParameterError(
            "pilot must be (sampled, relevant) of the retrieved documents and of the others, as in "
            f"((50, 20), (200, 1)); got {quote(pilot)}"
        ) from None
    n1, r1 = _check_pilot(n1, r1, size[0], "retrieved documents")
    n0, r0 = _check_pilot(n0, r0, size[1], "others")
    return PilotPrediction(size, (n1, n0), (r1, r0), analysis.priors(size, (n1, n0)))


def _check_pilot(sampled: Any, relevant: Any, size: int, segment: str) -> Sizes:
    """Return the sampled and the relevant documents of a segment in the pilot."""
    n_sampled, n_relevant = as_integer(sampled), as_integer(relevant)
    if n_sampled is None or n_sampled < 1:
        raise DataError(
            f"pilot: at least 1 of the {segment} must be assessed; got {quote(sampled)}"
        )
    if n_sampled > size:
        raise DataError(f"pilot: {n_sampled:,} assessed, but there are only {size:,} {segment}")
    if n_relevant is None or not 0 <= n_relevant <= n_sampled:
        raise DataError(
            f"pilot: of {n_sampled:,} assessed {segment}, 0 to {n_sampled:,} may be relevant; "
            f"got {quote(relevant)}"
        )
    return n_sampled, n_relevant


def check_budget(assumptions: Assumptions, budget: Any) -> int:
    """Return the budget; raise an error unless it covers a pilot and fits the corpus."""
    number = check_count("budget", budget, minimum=2)
    _check_covers_pilot(assumptions, "budget", number, sum(assumptions.prediction.min_sampled))
    if number > assumptions.corpus_size:
        raise DataError(
            f"budget must be at most the corpus_size of {assumptions.corpus_size:,}; got {number:,}"
        )
    return number


def _check_covers_pilot(assumptions: Assumptions, name: str, number: int, minimum: int) -> None:
    if isinstance(assumptions.prediction, PilotPrediction) and number < minimum:
        raise ParameterError(
            f"{name} must be at least {minimum:,}, because it includes the documents of the pilot; "
            f"got {number:,}"
        )


def _check_sample_sizes(
    assumptions: Assumptions, retrieved_sample: Any, unretrieved_sample: Any
) -> Sizes:
    prediction, sizes = assumptions.prediction, []
    if retrieved_sample is None:
        raise ParameterError("unretrieved_sample needs retrieved_sample too")
    if unretrieved_sample is None:
        raise ParameterError("retrieved_sample needs unretrieved_sample too")
    for place, name, value in (
        (0, "retrieved_sample", retrieved_sample),
        (1, "unretrieved_sample", unretrieved_sample),
    ):
        number = check_count(name, value)
        _check_covers_pilot(assumptions, name, number, prediction.min_sampled[place])
        if number > prediction.segment_sizes[place]:
            where = "the retrieved set has" if place == 0 else "there are outside the retrieved set"
            available = prediction.segment_sizes[place]
            raise DataError(f"{name}: {number:,} is more than the {available:,} {where}")
        sizes.append(number)
    return sizes[0], sizes[1]


@dataclass(frozen=True, eq=False)
class Guess:
    """Values of one quantity with weights that add up to 1."""

    name: str
    values: Floats
    weights: Floats
    #: the minimum and maximum; the ends of a range are not among the values
    low: float
    high: float
    #: True if every value between them is possible
    is_range: bool = False

    @property
    def mean(self) -> float:
        """The expectation."""
        return float(self.values @ self.weights)

    def times(self, name: str, factor: float) -> Guess:
        """Return the guess of another quantity, which is a multiple of this one."""
        values, low, high = self.values * factor, self.low * factor, self.high * factor
        return Guess(name, values, self.weights, low, high, self.is_range)

    @property
    def plain(self) -> float | str:
        """The number if the guess is one, else the text."""
        if self.low < self.high:
            return str(self)
        return int(self.low) if self.low.is_integer() else self.low

    def __str__(self) -> str:
        if self.low == self.high:
            return f"{self.low:.10g}"
        if self.is_range:
            return f"{self.low:.10g} to {self.high:.10g}"
        *others, last = (f"{value:.10g}" for value in np.unique(self.values).tolist())
        if len(others) >= MAX_LISTED:
            return f"one of {len(others) + 1} values from {others[0]} to {last}"
        return f"{', '.join(others)} or {last}"


def make_guess(name: str, guess: Any, low: float, high: float) -> Guess:
    """Return a guess from a number, a (low, high) range, or several (value, weight)."""
    number = as_float(guess)
    if number is not None:
        return _check_bounds(_guess_number(name, number), guess, low, high)
    items = _check_items(name, guess)
    ends = [as_float(item) for item in items]
    if len(ends) == 2 and ends[0] is not None and ends[1] is not None:
        parsed = _guess_range(name, guess, ends[0], ends[1])
    else:
        parsed = _guess_values(name, guess, items)
    return _check_bounds(parsed, guess, low, high)


def combine_guesses(
    n_relevant: Guess, recall: Guess, corpus_size: int, retrieved_size: int
) -> Guesses:
    """Return the relevant documents of both segments, for every n_relevant with every recall."""
    rest = corpus_size - retrieved_size
    if len(n_relevant.values) * len(recall.values) > MAX_PAIRS:
        raise ParameterError(
            f"every n_relevant is combined with every recall, in at most {MAX_PAIRS} pairs; got "
            f"{len(n_relevant.values)} and {len(recall.values)} values"
        )
    _check_fit(n_relevant, recall, retrieved_size, is_retrieved=True)
    _check_fit(n_relevant, recall, rest, is_retrieved=False)
    total = np.maximum(np.rint(n_relevant.values), 1)[:, None]
    inside = np.minimum(np.rint(total * recall.values), retrieved_size)
    _check_rounding(total, inside, recall)
    outside = np.minimum(total - inside, rest)
    weights = np.outer(n_relevant.weights, recall.weights)
    return Guesses(np.stack([inside, outside], axis=-1).reshape(-1, 2), weights.ravel())


def _check_rounding(total: Floats, inside: Floats, recall: Guess) -> None:
    """Raise ``DataError`` if rounding to integers changes recall: half of three is not possible."""
    errors = np.abs(inside / total - recall.values)
    if errors.max() > MAX_ROUNDING:
        row, column = (int(places[0]) for places in np.nonzero(errors == errors.max()))
        raise DataError(
            f"{total[row, 0]:,.0f} relevant documents cannot have a recall of "
            f"{recall.values[column]:.4g}, nor one near it: plan with a larger n_relevant"
        )


def _check_fit(n_relevant: Guess, recall: Guess, size: int, *, is_retrieved: bool) -> None:
    """Raise ``DataError`` unless a segment has room for the most relevant documents guessed."""
    extreme = recall.high if is_retrieved else recall.low
    relevant = n_relevant.high * (extreme if is_retrieved else 1 - extreme)
    where = "in the retrieved set, which has"
    if not is_retrieved:
        where = "outside the retrieved set, where there are"
    if relevant > size + 0.5:  # half a document is rounding
        raise DataError(
            f"n_relevant {n_relevant.high:,.10g} at a recall of {extreme:g} means {relevant:,.10g} "
            f"relevant documents {where} {size:,}{_suggest_range(n_relevant, recall, is_retrieved)}"
        )


def _suggest_range(n_relevant: Guess, recall: Guess, is_retrieved: bool) -> str:
    """Return advice if valid ranges have an impossible combination."""
    spread = [guess.name for guess in (n_relevant, recall) if guess.low < guess.high]
    if not spread:
        return ""
    if is_retrieved:
        ways = [f"lower the upper end of {' or of '.join(spread)}"]
    else:
        yields, recalls = "lower the upper end of n_relevant", "raise the lower end of recall"
        ways = [yields if name == n_relevant.name else recalls for name in spread]
    return f"; every n_relevant is combined with every recall: {' or '.join(ways)}"


def _check_items(name: str, guess: Any) -> Sequence[Any]:
    try:
        items = () if isinstance(guess, str) else tuple(guess)
    except TypeError:
        items = ()
    if not items:
        raise ParameterError(
            f"{name} must be a number, a (low, high) range or several (value, weight); "
            f"got {quote(guess)}"
        )
    return items


def _guess_number(name: str, value: float) -> Guess:
    return Guess(name, np.array([value]), np.ones(1), value, value)


def _guess_range(name: str, guess: Any, low: float, high: float) -> Guess:
    if not low <= high:
        raise ParameterError(f"{name}: a range has its lower end first; got {quote(guess)}")
    if low == high:
        return _guess_number(name, low)
    places, weights = np.polynomial.legendre.leggauss(POINTS)
    values = low + (high - low) * (places + 1) / 2
    return Guess(name, values, weights / 2, low, high, is_range=True)


def _guess_values(name: str, guess: Any, items: Sequence[Any]) -> Guess:
    try:
        pairs = np.array([tuple(map(float, item)) for item in items])
    except (TypeError, ValueError, OverflowError):
        pairs = np.empty(0)
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise ParameterError(
            f"{name} must be a number, a (low, high) range or several (value, weight); "
            f"got {quote(guess)}"
        )
    values, weights = pairs.T
    if not (np.all(weights >= 0) and 0 < weights.sum() < math.inf):
        raise ParameterError(
            f"{name}: weights must be at least 0, and not all 0; got {quote(guess)}"
        )
    possible = weights > 0
    values, weights = values[possible], weights[possible] / weights.sum()
    return Guess(name, values, weights, float(values.min()), float(values.max()))


def _check_bounds(parsed: Guess, guess: Any, low: float, high: float) -> Guess:
    if not (low <= parsed.low and parsed.high <= high):
        number = as_float(guess)
        received = quote(guess) if number is None else f"{number:.10g}"
        # 85 is probably a percentage; 1.2 is not
        is_percent = high == 1 and parsed.low >= 2 and parsed.high <= 100
        hint = f", did you mean {parsed.times(parsed.name, 0.01)}?" if is_percent else ""
        raise ParameterError(
            f"{parsed.name} must be between {low:,.10g} and {high:,.10g}; got {received}{hint}"
        )
    return parsed
