"""What a plan for recall starts from, checked: sizes, guesses or a pilot, the interval meant.

What a plan supposes: how many relevant documents there are, and how many of them are retrieved.

Nobody knows either before the sample. A guess is a number, a range (every value in it as likely as
any other) or values with weights. Ranges are integrated over by Gauss and Legendre's rule, which
needs no random numbers: five points are exact for polynomials of degree nine, and what is averaged
over a range here is smooth.
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
    GuessedOutlook,
    Guesses,
    PilotOutlook,
    Sizes,
)

PILOT = "as the pilot says"
ASSURANCE = 0.8  # where recall_at_least is given alone


@dataclass(frozen=True, eq=False)
class Setting:
    """The corpus, what is supposed of it, and how the sample will be analysed."""

    corpus_size: int
    retrieved_size: int
    yield_guess: float | str
    recall_guess: float | str
    most_recall: float
    outlook: GuessedOutlook | PilotOutlook
    analysis: Analysis


@dataclass(frozen=True)
class Targets:
    """What is given of the sample, and what is wished of it."""

    budget: int | None
    split: float | None
    interval_width: float | None
    recall_at_least: float | None
    assurance: float | None
    pilot_fraction: float | None


def checked_setting(
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
) -> Setting:
    """Refuse what cannot be, in one line with the numbers."""
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
        outlook = _pilot_outlook(pilot, size, analysis)
        return Setting(everything, inside, PILOT, PILOT, 1.0, outlook, analysis)
    amount = _relevant(n_relevant, prevalence, everything)
    if recall is None:
        raise ParameterError("needs recall: a guess, such as 0.5 or a range from 0.3 to 0.8")
    share = checked_guess("recall", recall, 0.0, 1.0)
    guesses = joint_guesses(amount, share, everything, inside)
    supposed = amount.plain, share.plain, share.high
    return Setting(everything, inside, *supposed, GuessedOutlook(size, guesses), analysis)


def checked_targets(
    setting: Setting,
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
    """One thing must say how large the sample is: its sizes, a budget or a wish."""
    if retrieved_sample is not None or unretrieved_sample is not None:
        if budget is not None or split is not None:
            raise ParameterError(
                "retrieved_sample and unretrieved_sample take the place of budget and split"
            )
        sizes = _sample_sizes(setting, retrieved_sample, unretrieved_sample)
        budget, split = sum(sizes), sizes[0] / sum(sizes)
    elif budget is not None:
        budget = checked_budget(setting, budget)
    if split is not None and retrieved_sample is None:
        split = check_fraction("split", split)
    if interval_width is not None:
        meaning = "from the lower end to the upper one"
        interval_width = _checked_part("interval_width", interval_width, meaning)
    if assurance is not None:
        assurance = check_level("assurance", assurance)
    if recall_at_least is not None:
        recall_at_least = check_fraction("recall_at_least", recall_at_least)
    _check_wishes(setting, budget, interval_width, recall_at_least, assurance)
    if pilot_fraction is not None:
        pilot_fraction = _checked_part("pilot_fraction", pilot_fraction, "of the budget")
        if budget is None or isinstance(setting.outlook, PilotOutlook):
            raise ParameterError("pilot_fraction needs a budget, and guesses in place of a pilot")
    return Targets(budget, split, interval_width, recall_at_least, assurance, pilot_fraction)


def _check_wishes(
    setting: Setting,
    budget: int | None,
    interval_width: float | None,
    recall_at_least: float | None,
    assurance: float | None,
) -> None:
    if interval_width is not None and (budget is not None or recall_at_least is not None):
        raise ParameterError(
            "interval_width finds a budget: give it without a budget, sample sizes or "
            "recall_at_least"
        )
    if assurance not in (None, ASSURANCE) and recall_at_least is None:
        raise ParameterError(f"assurance needs recall_at_least too; got {assurance:g} alone")
    if recall_at_least is not None:
        if setting.analysis.alternative == "less":
            raise ParameterError("recall_at_least needs a lower end; alternative 'less' has none")
        if setting.most_recall <= recall_at_least:
            raise DataError(
                f"no sample can be expected to show a recall of at least {recall_at_least:g} "
                f"where it is guessed to be at most {setting.most_recall:.10g}"
            )
    if budget is None and interval_width is None and recall_at_least is None:
        raise ParameterError(
            "needs budget, interval_width or recall_at_least, or the sizes of both samples"
        )


def _checked_part(name: str, value: Any, meaning: str) -> float:
    """Return a fraction; no hint, for what is above 1 here is rarely meant in percent."""
    number = as_float(value)
    if number is None or not 0 < number < 1:
        shown = quote(value) if number is None else f"{number:g}"
        raise ParameterError(f"{name} must be a fraction between 0 and 1, {meaning}; got {shown}")
    return number


def _check_no_guess(guesses: dict[str, Any]) -> None:
    for name, guess in guesses.items():
        if guess is not None:
            raise ParameterError(f"a pilot takes the place of guesses; got {name} as well")


def _relevant(n_relevant: Any, prevalence: Any, corpus_size: int) -> Guess:
    if (n_relevant is None) == (prevalence is None):
        raise ParameterError("needs n_relevant or prevalence: a guess of what is relevant")
    if n_relevant is not None:
        return checked_guess("n_relevant", n_relevant, 1.0, corpus_size)
    fraction = checked_guess("prevalence", prevalence, 0.0, 1.0)
    if fraction.low * corpus_size < 1:
        raise ParameterError(
            f"prevalence: fewer than one relevant document among {corpus_size:,}; got {fraction}"
        )
    return fraction.times("n_relevant", corpus_size)


def _pilot_outlook(pilot: Any, size: Sizes, analysis: Analysis) -> PilotOutlook:
    try:
        (n1, r1), (n0, r0) = pilot
    except (TypeError, ValueError):
        raise ParameterError(
            "pilot must be (sampled, relevant) of the retrieved documents and of the others, as in "
            f"((50, 20), (200, 1)); got {quote(pilot)}"
        ) from None
    n1, r1 = _pilot_counts(n1, r1, size[0], "retrieved documents")
    n0, r0 = _pilot_counts(n0, r0, size[1], "others")
    return PilotOutlook(size, (n1, n0), (r1, r0), analysis.priors(size, (n1, n0)))


def _pilot_counts(sampled: Any, relevant: Any, most: int, what: str) -> Sizes:
    """Documents of a segment in the pilot, and the relevant ones among them."""
    drawn, found = as_integer(sampled), as_integer(relevant)
    if drawn is None or drawn < 1:
        raise DataError(f"pilot: at least 1 of the {what} must be assessed; got {quote(sampled)}")
    if drawn > most:
        raise DataError(f"pilot: {drawn:,} assessed, but there are only {most:,} {what}")
    if found is None or not 0 <= found <= drawn:
        raise DataError(
            f"pilot: of {drawn:,} assessed {what}, 0 to {drawn:,} may be relevant; "
            f"got {quote(relevant)}"
        )
    return drawn, found


def checked_budget(setting: Setting, budget: Any) -> int:
    """Assessments that cover a pilot, and no more than there are documents."""
    number = check_count("budget", budget, minimum=2)
    _check_covers_pilot(setting, "budget", number, sum(setting.outlook.least))
    if number > setting.corpus_size:
        raise DataError(
            f"budget must be at most the corpus_size of {setting.corpus_size:,}; got {number:,}"
        )
    return number


def _check_covers_pilot(setting: Setting, name: str, number: int, least: int) -> None:
    if isinstance(setting.outlook, PilotOutlook) and number < least:
        raise ParameterError(
            f"{name} must be at least {least:,}, for the documents of the pilot count towards it; "
            f"got {number:,}"
        )


def _sample_sizes(setting: Setting, retrieved_sample: Any, unretrieved_sample: Any) -> Sizes:
    outlook, found = setting.outlook, []
    if retrieved_sample is None:
        raise ParameterError("unretrieved_sample needs retrieved_sample too")
    if unretrieved_sample is None:
        raise ParameterError("retrieved_sample needs unretrieved_sample too")
    for place, name, value in (
        (0, "retrieved_sample", retrieved_sample),
        (1, "unretrieved_sample", unretrieved_sample),
    ):
        number = check_count(name, value)
        _check_covers_pilot(setting, name, number, outlook.least[place])
        if number > outlook.size[place]:
            where = "the retrieved set has" if place == 0 else "there are outside the retrieved set"
            raise DataError(f"{name}: {number:,} is more than the {outlook.size[place]:,} {where}")
        found.append(number)
    return found[0], found[1]


Floats = NDArray[np.float64]

POINTS = 5  # a range
FEW = 4  # values that are named one by one
MOST_PAIRS = 400  # of a yield and a recall, so that a plan takes seconds
MOST_ROUNDING = 0.05  # of recall, where relevant documents are rounded to whole ones


@dataclass(frozen=True, eq=False)
class Guess:
    """Values of one quantity with weights that add up to 1."""

    name: str
    values: Floats
    weights: Floats
    #: the least and the greatest possible value: ends of a range are no points of the rule
    low: float
    high: float
    #: whether every value between these is meant
    is_range: bool = False

    @property
    def mean(self) -> float:
        """The expectation."""
        return float(self.values @ self.weights)

    def times(self, name: str, factor: float) -> Guess:
        """The same of another quantity, which is so many times this one."""
        values, low, high = self.values * factor, self.low * factor, self.high * factor
        return Guess(name, values, self.weights, low, high, self.is_range)

    @property
    def plain(self) -> float | str:
        """The number where it is one, for programs; else the words."""
        if self.low < self.high:
            return str(self)
        return int(self.low) if self.low.is_integer() else self.low

    def __str__(self) -> str:
        if self.low == self.high:
            return f"{self.low:.10g}"
        if self.is_range:
            return f"{self.low:.10g} to {self.high:.10g}"
        *others, last = (f"{value:.10g}" for value in np.unique(self.values).tolist())
        if len(others) >= FEW:
            return f"one of {len(others) + 1} values from {others[0]} to {last}"
        return f"{', '.join(others)} or {last}"


def checked_guess(name: str, guess: Any, low: float, high: float) -> Guess:
    """A number, a (low, high) range, or several (value, weight); all between two bounds."""
    number = as_float(guess)
    if number is not None:
        return _checked_within(_point(name, number), guess, low, high)
    items = _items(name, guess)
    ends = [as_float(item) for item in items]
    if len(ends) == 2 and ends[0] is not None and ends[1] is not None:
        found = _range(name, guess, ends[0], ends[1])
    else:
        found = _weighted(name, guess, items)
    return _checked_within(found, guess, low, high)


def joint_guesses(
    n_relevant: Guess, recall: Guess, corpus_size: int, retrieved_size: int
) -> Guesses:
    """Every n_relevant with every recall, as relevant documents of both segments, if they fit."""
    rest = corpus_size - retrieved_size
    if len(n_relevant.values) * len(recall.values) > MOST_PAIRS:
        raise ParameterError(
            f"every n_relevant is supposed with every recall, in at most {MOST_PAIRS} pairs; got "
            f"{len(n_relevant.values)} and {len(recall.values)} values"
        )
    _check_fit(n_relevant, recall, retrieved_size, is_retrieved=True)
    _check_fit(n_relevant, recall, rest, is_retrieved=False)
    total = np.maximum(np.rint(n_relevant.values), 1)[:, None]
    found = np.minimum(np.rint(total * recall.values), retrieved_size)
    _check_whole(total, found, recall)
    missed = np.minimum(total - found, rest)
    weights = np.outer(n_relevant.weights, recall.weights)
    return Guesses(np.stack([found, missed], axis=-1).reshape(-1, 2), weights.ravel())


def _check_whole(total: Floats, found: Floats, recall: Guess) -> None:
    """A handful of documents cannot have any recall: half of three is none."""
    off = np.abs(found / total - recall.values)
    if off.max() > MOST_ROUNDING:
        few, guessed = (int(place[0]) for place in np.nonzero(off == off.max()))
        raise DataError(
            f"{total[few, 0]:,.0f} relevant documents cannot have a recall of "
            f"{recall.values[guessed]:.4g}, nor one near it: plan with a larger n_relevant"
        )


def _check_fit(n_relevant: Guess, recall: Guess, size: int, *, is_retrieved: bool) -> None:
    """Most is retrieved at the highest recall, and most is missed at the lowest."""
    extreme = recall.high if is_retrieved else recall.low
    relevant = n_relevant.high * (extreme if is_retrieved else 1 - extreme)
    where = "in the retrieved set, which has"
    if not is_retrieved:
        where = "outside the retrieved set, where there are"
    if relevant > size + 0.5:  # half a document is rounding
        raise DataError(
            f"n_relevant {n_relevant.high:,.10g} at a recall of {extreme:g} means {relevant:,.10g} "
            f"relevant documents {where} {size:,}{_way_out(n_relevant, recall, is_retrieved)}"
        )


def _way_out(n_relevant: Guess, recall: Guess, is_retrieved: bool) -> str:
    """Ranges that are fine each may have a corner that cannot be."""
    spread = [guess.name for guess in (n_relevant, recall) if guess.low < guess.high]
    if not spread:
        return ""
    if is_retrieved:
        ways = [f"lower the upper end of {' or of '.join(spread)}"]
    else:
        yields, recalls = "lower the upper end of n_relevant", "raise the lower end of recall"
        ways = [yields if name == n_relevant.name else recalls for name in spread]
    return f"; every n_relevant is supposed with every recall: {' or '.join(ways)}"


def _items(name: str, guess: Any) -> Sequence[Any]:
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


def _point(name: str, value: float) -> Guess:
    return Guess(name, np.array([value]), np.ones(1), value, value)


def _range(name: str, guess: Any, low: float, high: float) -> Guess:
    if not low <= high:
        raise ParameterError(f"{name}: a range has its lower end first; got {quote(guess)}")
    if low == high:
        return _point(name, low)
    places, weights = np.polynomial.legendre.leggauss(POINTS)
    values = low + (high - low) * (places + 1) / 2
    return Guess(name, values, weights / 2, low, high, is_range=True)


def _weighted(name: str, guess: Any, items: Sequence[Any]) -> Guess:
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
    kept = weights > 0
    values, weights = values[kept], weights[kept] / weights.sum()
    return Guess(name, values, weights, float(values.min()), float(values.max()))


def _checked_within(found: Guess, guess: Any, low: float, high: float) -> Guess:
    if not (low <= found.low and found.high <= high):
        number = as_float(guess)
        given = quote(guess) if number is None else f"{number:.10g}"
        # 85 is a percentage; 1.2 is something else
        is_percent = high == 1 and found.low >= 2 and found.high <= 100
        hint = f", did you mean {found.times(found.name, 0.01)}?" if is_percent else ""
        raise ParameterError(
            f"{found.name} must be between {low:,.10g} and {high:,.10g}; got {given}{hint}"
        )
    return found
