"""What a plan for recall starts from, checked: sizes, guesses or a pilot, the interval meant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..errors import DataError, ParameterError, quote
from ..parameters import (
    as_float,
    check_alternative,
    check_choice,
    check_confidence_level,
    check_count,
    check_fraction,
    check_level,
    whole_number,
)
from ..samples.counts import MOST_DOCUMENTS
from ..samples.priors import parse_prior
from .recall_guesses import Guess, checked_guess, joint_guesses
from .recall_outlook import GuessedOutlook, PilotOutlook
from .recall_widths import METHODS, POSTERIOR_METHOD, Analysis, Sizes

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
    everything = check_count("corpus_size", corpus_size, least=2)
    if everything > MOST_DOCUMENTS:
        raise ParameterError(f"corpus_size must be at most {MOST_DOCUMENTS:,}; got {everything:,}")
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
    drawn, found = whole_number(sampled), whole_number(relevant)
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
    number = check_count("budget", budget, least=2)
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
