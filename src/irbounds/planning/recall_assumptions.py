"""The assumptions and the targets of a plan for recall, validated.

The assumptions are the sizes of corpus and retrieved set, guesses of the number of relevant
documents and of recall, or a pilot, and the interval method. The targets are a budget, sample
sizes, an interval width, or a recall to show.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..errors import DataError, ParameterError, quote
from ..samples.counts import MAX_DOCUMENTS
from ..samples.priors import parse_prior
from ..validation import (
    as_float,
    as_integer,
    check_alternative,
    check_choice,
    check_claim,
    check_confidence_level,
    check_count,
    check_fraction,
    check_level,
)
from .recall_guesses import Guess, combine_guesses, combine_with_known, make_guess
from .recall_widths import (
    EXACT_METHOD,
    METHODS,
    POSTERIOR_METHOD,
    Analysis,
    GuessPrediction,
    PilotPrediction,
    Sizes,
)

ALL = "all"  # in place of the size of a sample
PILOT = "from the pilot"
ASSURANCE = 0.8  # the default with recall_at_least


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
    #: the relevant documents of a retrieved set that was read in full; None if not known
    known_relevant: int | None = None

    @property
    def is_read_in_full(self) -> bool:
        """Whether all retrieved documents are assessed, so that only others are drawn."""
        return self.prediction.is_read_in_full


@dataclass(frozen=True)
class Targets:
    """The size of the sample, or the target for which it is computed."""

    budget: int | None
    split: float | None
    interval_width: float | None
    recall_at_least: float | None
    assurance: float | None
    pilot_fraction: float | None
    is_control_set: bool = False


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
    is_read_in_full: bool = False,
    retrieved_relevant: Any = None,
    credit_found: bool = False,
) -> Assumptions:
    """Return validated assumptions; raise an error with the invalid numbers."""
    check_choice("method", method, METHODS)
    _check_exact(method, is_read_in_full, credit_found)
    level = check_confidence_level(confidence_level)
    if prior is not None and method != POSTERIOR_METHOD:
        raise ParameterError(
            f"prior belongs to method {POSTERIOR_METHOD!r}; got method {quote(method)}"
        )
    side = check_alternative(alternative)
    analysis = Analysis(
        method, parse_prior(prior), level, side, bool(cap_at_one), bool(credit_found)
    )
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
    if retrieved_relevant is not None:
        known = as_integer(retrieved_relevant)
        if known is None or not 0 <= known <= inside:
            raise DataError(
                f"retrieved: of {inside:,} documents, 0 to {inside:,} may be relevant; got "
                f"{quote(retrieved_relevant)}"
            )
        return _assume_known(known, n_relevant, prevalence, recall, size, analysis)
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
        GuessPrediction(size, guesses, (inside if is_read_in_full else 1, 1), is_read_in_full),
        analysis,
    )


def _check_exact(method: str, is_read_in_full: bool, credit_found: bool) -> None:
    """Raise ``ParameterError`` unless exact limits are possible, or others are used."""
    if method == EXACT_METHOD and not is_read_in_full:
        raise ParameterError(
            "method 'exact' is planned for a retrieved set that is read in full: give "
            f"retrieved_sample {ALL!r}, or method {POSTERIOR_METHOD!r}"
        )
    if credit_found and method != EXACT_METHOD:
        raise ParameterError(
            "credit_found needs a retrieved set that is read in full, and method 'exact'; got "
            f"method {quote(method)}"
        )


def _assume_known(
    known: int, n_relevant: Any, prevalence: Any, recall: Any, size: Sizes, analysis: Analysis
) -> Assumptions:
    """Return assumptions about a retrieved set that was read in full."""
    everything = sum(size)
    relevant_guess = recall_guess = None
    if n_relevant is not None or prevalence is not None:
        relevant_guess = _guess_relevant(n_relevant, prevalence, everything)
    if recall is not None:
        recall_guess = make_guess("recall", recall, 0.0, 1.0)
    relevant_guess, recall_guess, guesses = combine_with_known(
        known, relevant_guess, recall_guess, size[1]
    )
    totals = guesses.relevant.sum(axis=1)
    return Assumptions(
        everything,
        size[0],
        relevant_guess.plain,
        recall_guess.plain,
        float((known / totals).max()) if totals.all() else 1.0,
        GuessPrediction(size, guesses, (size[0], 1), is_read_in_full=True),
        analysis,
        known,
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
    control_set: bool = False,
) -> Targets:
    """Return validated targets; raise an error unless they determine the sample size."""
    if assumptions.is_read_in_full:
        _check_rest_targets(assumptions, split, retrieved_sample, pilot_fraction, control_set)
        retrieved_sample = None if unretrieved_sample is None else assumptions.retrieved_size
    if control_set:
        if split is not None or retrieved_sample is not None or unretrieved_sample is not None:
            raise ParameterError(
                "control_set is one sample of the whole corpus; leave out split and the sizes of "
                "samples"
            )
        split = assumptions.retrieved_size / assumptions.corpus_size
    if retrieved_sample is not None or unretrieved_sample is not None:
        if budget is not None or split is not None:
            raise ParameterError(
                "give retrieved_sample and unretrieved_sample, or budget and split, not both"
            )
        sizes = _check_sample_sizes(assumptions, retrieved_sample, unretrieved_sample)
        budget, split = sum(sizes), sizes[0] / sum(sizes)
    elif budget is not None:
        budget = check_budget(assumptions, budget)
    if split is not None and retrieved_sample is None and not control_set:
        split = check_fraction("split", split)
    if interval_width is not None:
        meaning = "from the lower end to the upper one"
        interval_width = _check_open_fraction("interval_width", interval_width, meaning)
    if assurance is not None:
        assurance = check_level("assurance", assurance)
    if recall_at_least is not None:
        level = assumptions.analysis.confidence_level
        recall_at_least = check_claim("recall_at_least", recall_at_least, level)
    _check_targets(assumptions, budget, interval_width, recall_at_least, assurance)
    if pilot_fraction is not None:
        pilot_fraction = _check_open_fraction("pilot_fraction", pilot_fraction, "of the budget")
        if budget is None or isinstance(assumptions.prediction, PilotPrediction):
            raise ParameterError("pilot_fraction needs a budget, and guesses instead of a pilot")
    return Targets(
        budget, split, interval_width, recall_at_least, assurance, pilot_fraction, control_set
    )


def _check_rest_targets(
    assumptions: Assumptions,
    split: Any,
    retrieved_sample: Any,
    pilot_fraction: Any,
    control_set: bool,
) -> None:
    """Raise ``ParameterError`` for targets that do not fit a retrieved set read in full."""
    size = assumptions.retrieved_size
    if split is not None or pilot_fraction is not None or control_set:
        raise ParameterError(
            f"all {size:,} retrieved documents are read, and only others are drawn; leave out "
            "split, pilot_fraction and control_set"
        )
    if retrieved_sample not in (None, ALL, size):
        raise ParameterError(
            f"retrieved_sample must be {ALL!r} or {size:,}, because the retrieved set is read in "
            f"full; got {quote(retrieved_sample)}"
        )


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
        if not _can_reach(assumptions, recall_at_least):
            raise DataError(
                f"no sample can be expected to show a recall of at least {recall_at_least:g} "
                f"if recall is guessed to be at most {assumptions.max_recall:.10g}"
            )
    if budget is None and interval_width is None and recall_at_least is None:
        raise ParameterError(
            "needs budget, interval_width or recall_at_least, or the sizes of both samples"
        )


def _can_reach(assumptions: Assumptions, recall: float) -> bool:
    """Return whether some sample may be expected to show a recall, by the guesses."""
    if assumptions.analysis.credit_found:
        return True  # if the whole rest is drawn
    highest = assumptions.max_recall
    return highest >= recall if assumptions.is_read_in_full else highest > recall


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


def reads_all(pilot: Any, retrieved_size: Any) -> bool:
    """Return whether the retrieved documents of a pilot, not validated yet, are all there are."""
    try:
        return bool(pilot[0][0] == retrieved_size)
    except (TypeError, LookupError):
        return False


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
    if assumptions.is_read_in_full and number <= assumptions.retrieved_size:
        raise ParameterError(
            f"budget must be above {assumptions.retrieved_size:,}, because it includes the "
            f"retrieved documents, which are read in full; got {number:,}"
        )
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
        raise ParameterError(f"retrieved_sample needs unretrieved_sample too, unless it is {ALL!r}")
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
