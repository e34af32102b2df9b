"""The page of a recall audit: counts, the sentence to quote, tipping points and lines to sign.

These sections follow the estimates. The counts let a reader repeat the computation. No program can
verify that the samples were random, so whoever signs the page confirms it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..errors import DataError
from ..presentation.page_content import Section
from ..presentation.phrases import SIDES, capitalise, pluralise
from ..presentation.registry import View, make_section
from ..presentation.rounding import percent
from ..results.recall_estimates import RecallEstimate, format_numbers, main_estimate, places_of
from ..results.recall_sentences import CONDITIONS, LIMITS, is_conditional
from ..results.samples import (
    SegmentCounts,
    Stratum,
    counts_table,
    describe_checks,
    get_segment,
)
from ..results.tipping_points import HEADING

TITLE = "Recall audit"
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
UNJUDGED = (
    "Documents that could not be judged count as not relevant, and precision and F leave them out; "
    "limits, and intervals by method exact, take the worst case."
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


def audit_sections(estimates: Sequence[RecallEstimate], digits: int | None = None) -> list[Section]:
    """Return the counts, the sentence to quote, and the tipping points of recall."""
    strata = estimates[0].strata
    is_unjudged = any(part.judged < part.sampled for part in strata)
    sentences = [ASSUMPTION, UNJUDGED] if is_unjudged else [ASSUMPTION]
    quoted = _explain_no_statement(estimates) or f"To quote: {sentence_to_quote(estimates, digits)}"
    sections = [
        Section("Counts", sentences, [counts_table(strata)]),
        Section("Statement", [quoted]),
    ]
    of_recall = [estimate for estimate in estimates if estimate.quantity == "recall"]
    if of_recall:
        from ..samples.wrong_judgments import tipping_points

        try:
            points = tipping_points(main_estimate(of_recall))
            sections.append(make_section(points, View(digits=digits)))
        except DataError as error:
            sections.append(Section(HEADING, [f"{capitalise(str(error))}."]))
    return sections


def lines_to_sign(estimates: Sequence[RecallEstimate]) -> tuple[str, ...]:
    """Return the lines that a person fills in; none where the samples support no statement."""
    is_sound = _explain_no_statement(estimates) in ("", NOTHING_OPEN)
    return LINES_TO_SIGN if is_sound else ()


def _explain_no_statement(estimates: Sequence[RecallEstimate]) -> str:
    """Return why there is nothing to quote; an empty text if there is."""
    if any(
        part.population and not part.sampled
        for estimate in estimates
        for part in estimate.strata_that_matter
    ):
        return NO_STATEMENT
    main = main_estimate(estimates)
    if main.is_known:
        return NOTHING_OPEN
    low, high = main.interval
    return NO_INTERVAL if math.isnan(low) or low == high else ""


def sentence_to_quote(estimates: Sequence[RecallEstimate], digits: int | None = None) -> str:
    """Return a sentence with the counts, the limits of the main estimate, level and method."""
    from .. import __version__

    main = main_estimate(estimates)
    inside, outside = (get_segment(main.strata, side) for side in (True, False))
    counts = f"{_describe_segment('Of', inside)}; {_describe_segment('of', outside)}."
    if main.credit_found:
        n_relevant = SegmentCounts.of(outside).relevant
        verb = "was" if n_relevant == 1 else "were"
        counts += (
            f" The {pluralise(n_relevant, 'relevant document')} of the unretrieved sample {verb} "
            "added to the retrieved set."
        )
    number, *ends = format_numbers(main, places_of(main, digits))
    limits = LIMITS[main.interval.alternative].format(*ends)
    level = f"{percent(main.interval.confidence_level)} {SIDES[main.interval.alternative]}"
    prior = f" with prior {main.prior}" if main.prior else ""
    conditions = f", {CONDITIONS}" if is_conditional(main) else ""
    estimate = "" if math.isnan(main.value) else f"; the estimate is {number}"
    return (
        f"{counts} {capitalise(main.quantity)} is {limits} ({level}, {main.interval.method}{prior},"
        f" irbounds {__version__}){conditions}{estimate}."
    )


def _describe_segment(of: str, strata: Sequence[Stratum]) -> str:
    """Return ``Of 2,000 retrieved documents 100 were drawn at random, 50 of them relevant``."""
    count = SegmentCounts.of(strata)
    word = "retrieved" if strata[0].retrieved else "unretrieved"
    drawn = f"{count.sampled:,} {'was' if count.sampled == 1 else 'were'} drawn at random"
    if count.sampled == count.population:
        drawn = "that one was read" if count.sampled == 1 else "all were read"
    parts = f" in {count.strata} strata" if count.strata > 1 else ""
    n_unread = count.sampled - count.assessable
    unread = f" ({n_unread:,} could not be judged)" if n_unread else ""
    return (
        f"{of} {pluralise(count.population, f'{word} document')}{parts} {drawn}{unread}, "
        f"{count.relevant:,} of them relevant{describe_checks(strata)}"
    )
