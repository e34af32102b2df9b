"""The page of a recall audit: counts, the sentence to quote, tipping points and lines to sign.

These sections follow the estimates. The counts let a reader repeat the computation. No program can
verify that the samples were random, so whoever signs the page confirms it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..presentation.page_content import Section
from ..presentation.phrases import SIDES, capitalise, pluralise
from ..presentation.registry import View, make_section
from ..presentation.rounding import percent
from ..results.recall_estimates import (
    RecallEstimate,
    format_numbers,
    is_known,
    is_recommended,
    is_settled,
    places_of,
    rests_on_prior,
)
from ..results.recall_sentences import UNJUDGED, describe_conditions, is_conditional
from ..results.samples import Sample, counts_table, describe_checks, sums
from ..results.tipping_points import HEADING, has_tipping_points, has_unjudged

TITLE = "Recall audit"
DRAWN = "irbounds draw seed="  # the line of a draw, in notes
LINES_TO_SIGN = (
    "Matter",
    "Prepared by",
    "The samples were drawn at random from the populations listed above, by (how)",
    "Their sizes and the seed were fixed on",
    "This is look (k of K)",
    "Not used for training, judged blind, by",
    "Counts from the assessments by",
    "Name",
    "Role",
    "Date",
    "Signature",
)
ASSUMPTION = (
    "The intervals assume that within a stratum every document had the same chance to be drawn, "
    "and that none was drawn twice: a simple random sample without replacement. irbounds cannot "
    "check this; whoever signs confirms it."
)
NO_STATEMENT = (
    "Part of the corpus was not sampled. What depends on it rests on the prior only, and there is "
    "nothing to quote or to sign: draw from every stratum first."
)
NOTHING_OPEN = "Every document was assessed: there is no interval to quote."
NO_INTERVAL = (
    "By this method the samples give no interval, or a single point, which claims a certainty that "
    "the samples do not give. There is nothing to quote or to sign; use another method."
)
NO_TIPPING_POINTS = (
    "Tipping points are computed for samples of every stratum that were assessed once, and for a "
    "claim only where every unretrieved document could be judged."
)


def audit_sections(
    samples: Sequence[Sample], estimates: Sequence[RecallEstimate], digits: int | None = None
) -> list[Section]:
    """Return the counts, and for a single sample the sentence to quote and tipping points."""
    is_unjudged = any(part.judged < part.sampled for sample in samples for part in sample)
    sentences = [ASSUMPTION, UNJUDGED] if is_unjudged else [ASSUMPTION]
    counts = Section("Counts", sentences, [counts_table(samples)])
    if len(samples) > 1:
        return [counts]
    quoted = _explain_no_statement(estimates) or f"To quote: {sentence_to_quote(estimates, digits)}"
    return [
        counts,
        Section("Statement", [quoted]),
        *_tipping_sections(samples[0], estimates, digits),
    ]


def lines_to_sign(estimates: Sequence[RecallEstimate]) -> tuple[str, ...]:
    """Return the lines that a person fills in; none where the samples support no statement."""
    is_sound = _explain_no_statement(estimates) in ("", NOTHING_OPEN)
    return LINES_TO_SIGN if is_sound else ()


def _explain_no_statement(estimates: Sequence[RecallEstimate]) -> str:
    """Return why there is nothing to quote; an empty text if there is."""
    if any(map(rests_on_prior, estimates)):
        return NO_STATEMENT
    main = _main_estimate(estimates)
    if not is_settled(main):
        return ""
    return NOTHING_OPEN if is_known(main) else NO_INTERVAL


def _main_estimate(estimates: Sequence[RecallEstimate]) -> RecallEstimate:
    """Return the estimate of the claim, else the first one by the recommended method."""
    claims = (row for row in estimates if row.at_least is not None)
    recommended = (row for row in estimates if is_recommended(row))
    return next(claims, next(recommended, estimates[0]))


def sentence_to_quote(estimates: Sequence[RecallEstimate], digits: int | None = None) -> str:
    """Return a sentence with the counts, the limits of the main estimate, level and method."""
    from .. import __version__

    main = _main_estimate(estimates)
    number, *ends = format_numbers(main, places_of(main, digits))
    words = {"two-sided": "between {} and {}", "greater": "at least {}", "less": "at most {}"}
    limits = words[main.interval.alternative].format(*ends)
    level = f"{percent(main.interval.confidence_level)} {SIDES[main.interval.alternative]}"
    prior = f" with prior {main.prior}" if main.prior else ""
    conditions = f", {describe_conditions(main)}" if is_conditional(main) else ""
    estimate = "" if math.isnan(main.value) else f"; the estimate is {number}"
    return (
        f"{_describe_counts(main)}.{_describe_credit(main)} {capitalise(main.quantity)} is "
        f"{limits} ({level}, {main.interval.method}{prior}, irbounds {__version__}){conditions}"
        f"{estimate}."
    )


def _describe_counts(estimate: RecallEstimate) -> str:
    """Return how many documents were drawn from each segment."""
    return "; ".join(_describe_segment(estimate, side) for side in (True, False))


def _describe_segment(estimate: RecallEstimate, is_retrieved: bool) -> str:
    """Return ``Of 2,000 retrieved documents 100 were drawn at random, 50 of them relevant``."""
    strata = [stratum for stratum in estimate.strata if stratum.retrieved is is_retrieved]
    population, sampled, judged, relevant = sums(strata)
    word, of = ("retrieved", "Of") if is_retrieved else ("unretrieved", "of")
    parts = f" in {len(strata)} strata" if len(strata) > 1 else ""
    unread = "" if judged == sampled else f" ({sampled - judged:,} could not be judged)"
    drawn = f"{sampled:,} {'was' if sampled == 1 else 'were'} drawn at random"
    if sampled == population:
        drawn = "that one was read" if sampled == 1 else "all were read"
    documents = pluralise(population, f"{word} document")
    second = describe_checks(strata)
    return f"{of} {documents}{parts} {drawn}{unread}, {relevant:,} of them relevant{second}"


def _describe_credit(estimate: RecallEstimate) -> str:
    """Return a sentence on documents that were added to the retrieved set; empty without them."""
    if not estimate.credit_found:
        return ""
    n_relevant = sum(stratum.relevant for stratum in estimate.strata if not stratum.retrieved)
    documents = pluralise(n_relevant, "relevant document")
    verb = "was" if n_relevant == 1 else "were"
    return f" The {documents} of the unretrieved sample {verb} added to the retrieved set."


def _tipping_sections(
    sample: Sample, estimates: Sequence[RecallEstimate], digits: int | None
) -> list[Section]:
    """Return the tipping points of recall by its main method; nothing on a page without recall."""
    of_recall = [estimate for estimate in estimates if estimate.quantity == "recall"]
    if not of_recall:
        return []
    main = _main_estimate(of_recall)
    if not has_tipping_points(sample) or (main.at_least is not None and has_unjudged(sample)):
        return [Section(HEADING, [NO_TIPPING_POINTS])]
    from ..samples.wrong_judgments import tipping_points

    points = tipping_points(
        sample,
        at_least=main.at_least,
        method=main.interval.method,
        prior=main.prior,
        confidence_level=main.interval.confidence_level,
        alternative=main.interval.alternative,
        credit_found=main.credit_found,
    )
    return [make_section(points, View(digits=digits))]
