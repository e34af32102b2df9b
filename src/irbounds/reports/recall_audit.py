"""A recall audit: a cover to sign, the sampling plan with its counts, and a statement to quote.

These parts are only in a report. The terminal shows the result in a few lines. The cover of a
single sample is one printed page; the sections are its annexes. A page that is filed must let a
reader repeat the computation: the documents of each stratum, how many were drawn, how many of these
could be judged and were relevant, and how many documents each drawn document represents. No program
can verify that the samples were random, so whoever signs confirms it. The requested kind of
interval is the statement. The other kind comes from the same computation and has a separate table,
for whoever chose it beforehand.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from ..presentation.page_content import Cover, Section
from ..presentation.phrases import (
    SIDES,
    capitalise,
    cut_after_word,
    join_caption,
    pluralise,
    shorten,
)
from ..presentation.registry import View, find_presentation
from ..presentation.rounding import format_setting, percent
from ..presentation.table import Table
from ..results.recall_estimates import (
    RecallEstimate,
    format_numbers,
    is_known,
    is_recommended,
    is_settled,
    places_of,
    rests_on_prior,
)
from ..results.recall_sentences import (
    UNJUDGED,
    claim_sentences,
    describe_conditions,
    is_conditional,
)
from ..results.samples import (
    CHECK_NOTE,
    Sample,
    Stratum,
    checked_sums,
    counts_table,
    describe_checks,
    name_columns,
    names_in,
    segment_of,
    stratum_name,
    sums,
)
from ..samples.claims import side_of_limit
from .tipping_sections import tipping_sections

TITLE = "Recall audit"
PLAN = "Sampling plan and counts"
STRATA = ("stratum", "strata")
MAX_NAMED = 12  # strata that are listed in a sentence and on the cover
MAX_STRATUM = 48  # characters of a stratum's name on the cover
#: the same two next to the columns of a second assessment
MAX_CHECKED, MAX_CHECKED_STRATUM = 6, 36
MAX_NOTES, MAX_NOTE = 3, 200  # notes on the cover, and characters of one
DRAWN = "irbounds draw seed="  # the line of a draw, in notes
MAX_FINDINGS = 600  # characters of the sentences on the cover
#: columns of the kinds of interval that were not requested
OTHER_KINDS = {
    "two-sided": ("lower limit",),
    "greater": ("low", "high"),
    "less": ("low", "high", "lower limit"),
}
#: lines to fill in at the top, and those above the signature
HEADINGS = ("Matter", "Prepared by")
ATTESTATION = (
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
WEIGHT = (
    "A stratum's weight is its population over its sample: how many documents each sampled "
    "document represents."
)
BEFOREHAND = (
    "The table has the other kind of statement. It may be used instead of the one above, not in "
    "addition to it, and only if it was chosen before the samples were seen."
)
TWO_KINDS = (
    "A two-sided interval divides the error probability between both sides. A lower limit has all "
    "of it below and does not limit how high the value may be, so it is no lower than the lower "
    "end of the interval."
)
NO_STATEMENT = (
    "Part of the corpus was not sampled. What depends on it rests on the prior only, and there is "
    "nothing to quote or to sign: draw from every stratum first."
)
NOTHING_OPEN = "Every document was assessed: there is no interval to quote and no limit to add."
NO_INTERVAL = (
    "By this method the samples give no interval, or a single point, which claims a certainty that "
    "the samples do not give. There is nothing to quote or to sign; use another method."
)


def make_cover(sample: Sample, estimates: Sequence[RecallEstimate], view: View) -> Cover:
    """Return the cover of one sample: claim, verdict, counts, sentence to quote, signature."""
    reason = _explain_no_statement(estimates)
    return Cover(
        claim=_describe_claim(_main_estimate(estimates)),
        findings=_keep_first(_list_findings(estimates, view)),
        quote="" if reason else _sentence_to_quote(estimates, view.digits),
        counts=_cover_counts(sample),
        notes=_cover_notes(sample.notes),
        headings=HEADINGS,
        signatures=ATTESTATION if reason in ("", NOTHING_OPEN) else (),
    )


def _list_findings(estimates: Sequence[RecallEstimate], view: View) -> list[str]:
    """Return the verdict, why there is nothing to quote if so, and what the result means."""
    main = _main_estimate(estimates)
    verdict = claim_sentences(main, places_of(main, view.digits))
    reason = _explain_no_statement(estimates)
    sentences = find_presentation(main).sentences(estimates, view)
    return list(dict.fromkeys((*verdict, *([reason] if reason else []), *sentences)))


def _keep_first(sentences: Iterable[str]) -> list[str]:
    """Return the sentences for which the cover has room; the annex has all."""
    kept: list[str] = []
    for sentence in sentences:
        if sum(map(len, kept)) + len(sentence) > MAX_FINDINGS:
            return [*kept, "More is said under Estimates."]
        kept.append(sentence)
    return kept


def _cover_notes(notes: Sequence[str]) -> list[str]:
    """Return the notes for which the cover has room, those on the draw of the sample first."""
    ordered = sorted(notes, key=lambda note: DRAWN not in note)
    kept = [cut_after_word(note, MAX_NOTE) for note in ordered[:MAX_NOTES]]
    return (
        [*kept, f"{len(notes) - MAX_NOTES:,} more under Inputs."]
        if len(notes) > len(kept)
        else kept
    )


def _describe_claim(estimate: RecallEstimate) -> str:
    if estimate.at_least is None:
        return ""
    return f"{capitalise(estimate.quantity)} is at least {format_setting(estimate.at_least)}."


def _cover_counts(sample: Sample) -> Table:
    """Return the counts of each stratum, or of each segment if there are many strata."""
    table = counts_table([sample])
    is_checked = any(stratum.is_checked for stratum in sample)
    n_named, room = (MAX_CHECKED, MAX_CHECKED_STRATUM) if is_checked else (MAX_NAMED, MAX_STRATUM)
    if len(sample) <= n_named:
        cells = ((shorten(name, room), *numbers) for name, *numbers in table.cells)
        return replace(table, cells=tuple(cells))
    return replace(
        table,
        cells=(*(_segment_cells(sample, side) for side in (True, False)), table.cells[-1]),
        caption=join_caption(
            f"documents; {PLAN!r} has the counts of each stratum", CHECK_NOTE if is_checked else ""
        ),
    )


def _segment_cells(sample: Sample, is_retrieved: bool) -> tuple[str, ...]:
    strata = [stratum for stratum in sample if stratum.retrieved is is_retrieved]
    name = f"{'retrieved' if is_retrieved else 'unretrieved'}, {pluralise(len(strata), *STRATA)}"
    is_checked = any(stratum.is_checked for stratum in sample)
    second = checked_sums(strata) if is_checked else ()
    return name, *(f"{number:,}" for number in (*sums(strata), *second)), ""


def audit_sections(
    samples: Sequence[Sample], estimates: Sequence[RecallEstimate], digits: int | None = None
) -> list[Section]:
    """Return the sampling plan with its counts, the statement to quote, and tipping points."""
    return [
        Section(PLAN, _plan_sentences(samples), [counts_table(samples)]),
        _statement(estimates, digits),
        *tipping_sections(samples, estimates, digits),
    ]


def _statement(estimates: Sequence[RecallEstimate], digits: int | None) -> Section:
    """Return the statement to quote and the other limits, unless they rest on the prior only."""
    if reason := _explain_no_statement(estimates):
        return Section("Statement", [reason])
    quoted = _sentence_to_quote(estimates, digits)
    sentences = [*([f"To quote: {quoted}"] if quoted else []), BEFOREHAND, TWO_KINDS]
    open_estimates = [estimate for estimate in estimates if not is_settled(estimate)]
    return Section("Statement", sentences, [limits_table(open_estimates, digits)])


def _explain_no_statement(estimates: Sequence[RecallEstimate]) -> str:
    """Return why there is nothing to quote; an empty text if there is."""
    if any(map(rests_on_prior, estimates)):
        return NO_STATEMENT
    if not all(map(is_settled, estimates)):
        return ""
    return NOTHING_OPEN if all(map(is_known, estimates)) else NO_INTERVAL


def limits_table(estimates: Sequence[RecallEstimate], digits: int | None = None) -> Table:
    """Return the kinds of interval that were not requested; the results have the one that was."""
    names = name_columns(estimates)
    level, requested = _level(estimates[0]), estimates[0].interval.alternative
    has_methods = len({(row.interval.method, row.prior) for row in estimates}) > 1
    titles = {
        "two-sided": f"one-sided {level} lower limit, if it was chosen beforehand",
        "greater": f"two-sided {level} interval, if it was chosen beforehand",
        "less": f"two-sided {level} interval or one-sided lower limit, if chosen beforehand",
    }
    labels = ("quantity", *(("method", "prior") if has_methods else ()))
    limits = _claim_limits(estimates)
    has_sides = len({limit.interval.alternative for limit in limits}) > 1
    kinds = OTHER_KINDS[requested]
    if has_sides:
        titles = {side: text.replace("lower limit", "limit") for side, text in titles.items()}
    return Table(
        title=titles[requested],
        headings=(
            *names,
            *labels,
            *(kind.replace("lower limit", "limit") if has_sides else kind for kind in kinds),
        ),
        cells=tuple(
            (
                *names_in(row, names),
                *_labels(row, labels),
                *_other_ends(row, limit, kinds, digits, has_sides),
            )
            for row, limit in zip(estimates, limits, strict=True)
        ),
        records=tuple(
            {"table": "limits", **_limit_record(row, limit)}
            for row, limit in zip(estimates, limits, strict=True)
        ),
        first_number=len(names) + len(labels),
    )


def _plan_sentences(samples: Sequence[Sample]) -> list[str]:
    """Return how many documents were drawn from which stratum, and the assumptions."""
    sentences = []
    if len(samples) == 1 and len(samples[0]) <= MAX_NAMED:
        draws = "; ".join(_describe_draw(stratum) for stratum in samples[0])
        sentences.append(f"Drawn: {draws}.")
    sentences += [ASSUMPTION, WEIGHT]
    if any(stratum.judged < stratum.sampled for sample in samples for stratum in sample):
        sentences.append(UNJUDGED)
    return sentences


def _describe_draw(stratum: Stratum) -> str:
    segment = segment_of(stratum)
    document = "document" if stratum.population == 1 else "documents"
    is_segment = stratum.name == segment
    documents = f"{segment} {document}" if is_segment else f"{document} of {stratum_name(stratum)}"
    if stratum.sampled == stratum.population:
        many = "the only" if stratum.population == 1 else f"all {stratum.population:,}"
        return f"{many} {documents}"
    return f"{stratum.sampled:,} of the {stratum.population:,} {documents}"


def _main_estimate(estimates: Sequence[RecallEstimate]) -> RecallEstimate:
    """Return the estimate of the claim, else the first one by the recommended method."""
    claims = (row for row in estimates if row.at_least is not None)
    recommended = (row for row in estimates if is_recommended(row))
    return next(claims, next(recommended, estimates[0]))


def _sentence_to_quote(estimates: Sequence[RecallEstimate], digits: int | None) -> str:
    """Return a sentence on the main estimate; an empty text for many samples."""
    first = _main_estimate(estimates)
    if len({(row.topic, row.system) for row in estimates}) > 1 or is_settled(first):
        return ""
    number, *ends = format_numbers(first, places_of(first, digits))
    words = {"two-sided": "between {} and {}", "greater": "at least {}", "less": "at most {}"}
    ends_text = words[first.interval.alternative].format(*ends)
    estimate = "" if math.isnan(first.value) else f"; the estimate is {number}"
    quantity = capitalise(first.quantity)
    conditions = f", {describe_conditions(first)}" if is_conditional(first) else ""
    return (
        f"{_describe_counts(first)}.{_describe_credit(first)} {quantity} is {ends_text} "
        f"({_source(first)}){conditions}{estimate}."
    )


def _describe_counts(estimate: RecallEstimate) -> str:
    """Return how many documents were drawn from each segment."""
    return "; ".join(_segment_counts(estimate, side) for side in (True, False))


def _describe_credit(estimate: RecallEstimate) -> str:
    """Return a sentence on documents that were added to the retrieved set; empty without them."""
    if not estimate.credit_found:
        return ""
    n_relevant = sum(stratum.relevant for stratum in estimate.strata if not stratum.retrieved)
    documents = pluralise(n_relevant, "relevant document")
    verb = "was" if n_relevant == 1 else "were"
    return f" The {documents} of the unretrieved sample {verb} added to the retrieved set."


def _source(estimate: RecallEstimate) -> str:
    """Return ``95 % interval, beta-binomial with prior 0.5, irbounds 0.2.0``."""
    from .. import __version__

    prior = f" with prior {estimate.prior}" if estimate.prior else ""
    kind = SIDES[estimate.interval.alternative]
    return f"{_level(estimate)} {kind}, {estimate.interval.method}{prior}, irbounds {__version__}"


def _segment_counts(estimate: RecallEstimate, is_retrieved: bool) -> str:
    """Return ``of 2,000 retrieved documents 100 were drawn, 50 of them relevant``."""
    strata = [stratum for stratum in estimate.strata if stratum.retrieved is is_retrieved]
    population, sampled, judged, relevant = sums(strata)
    word, of = ("retrieved", "Of") if is_retrieved else ("unretrieved", "of")
    parts = f" in {len(strata)} strata" if len(strata) > 1 else ""
    unread = "" if judged == sampled else f" ({sampled - judged:,} could not be judged)"
    if sampled == population:
        drawn = "that one was read" if sampled == 1 else "all were read"
    else:
        drawn = f"{sampled:,} {'was' if sampled == 1 else 'were'} drawn at random"
    documents = pluralise(population, f"{word} document")
    second = describe_checks(strata)
    return f"{of} {documents}{parts} {drawn}{unread}, {relevant:,} of them relevant{second}"


def _labels(estimate: RecallEstimate, labels: Sequence[str]) -> list[str]:
    by_label = {
        "quantity": estimate.quantity,
        "method": estimate.interval.method,
        "prior": estimate.prior or "",
    }
    return [by_label[label] for label in labels]


def _other_ends(
    estimate: RecallEstimate,
    limit: RecallEstimate,
    kinds: Sequence[str],
    digits: int | None,
    has_sides: bool,
) -> list[str]:
    """Return the ends of the other kinds of interval, as their own results would show them."""
    two_sided = _two_sided(estimate)
    _, low, high = format_numbers(two_sided, places_of(two_sided, digits))
    _, end = format_numbers(limit, places_of(limit, digits), has_sides)
    ends = {"low": low, "high": high, "lower limit": end}
    return [ends[kind] for kind in kinds]


def _two_sided(estimate: RecallEstimate) -> RecallEstimate:
    return estimate.at(estimate.interval.confidence_level, "two-sided")


def _claim_limits(estimates: Sequence[RecallEstimate]) -> list[RecallEstimate]:
    """Return the limits of a claim that the set is at least this good."""
    names = [row.quantity for row in estimates]
    return [
        row.at(row.interval.confidence_level, side_of_limit(row.quantity, "greater", names))
        for row in estimates
    ]


def _limit_record(estimate: RecallEstimate, limit: RecallEstimate) -> dict[str, Any]:
    interval = _two_sided(estimate).interval
    is_lower = limit.interval.alternative == "greater"
    return {
        "topic": estimate.topic,
        "system": estimate.system,
        "quantity": estimate.quantity,
        "method": estimate.interval.method,
        "prior": estimate.prior,
        "confidence_level": estimate.interval.confidence_level,
        "estimate": estimate.value,
        "low": interval.low,
        "high": interval.high,
        "lower_limit": limit.interval.low if is_lower else None,
        "upper_limit": None if is_lower else limit.interval.high,
    }


def _level(estimate: RecallEstimate) -> str:
    return percent(estimate.interval.confidence_level)
