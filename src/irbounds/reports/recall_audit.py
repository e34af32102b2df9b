"""What an auditor signs below: every count, what is supposed of it, and a sentence to quote.

These sections stand in a report only. The terminal has the result in a few lines; a page that is
filed has to let a reader do the sum again: what each stratum holds, how many documents were drawn
from it, how many could be judged and were relevant, and how many documents each drawn one stands
for. What no program can see, that the samples were random, is not said as a fact: it is for whoever
signs to confirm. One statement leads, the one that was asked for. The other kind of interval comes
from the same computation and has a table of its own, for whoever chose it beforehand.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..presentation.phrases import SIDES, capitalise, pluralise
from ..presentation.rounding import percent
from ..presentation.sections import Section
from ..presentation.table import Table
from ..results.recall_estimates import (
    RecallEstimate,
    Stratum,
    is_known,
    is_recommended,
    is_settled,
    places_of,
    rests_on_prior,
    shown_numbers,
)
from ..results.samples import (
    Sample,
    counts_table,
    named_columns,
    names_in,
    segment_of,
    stratum_name,
    sums,
)

MOST_NAMED = 12  # strata whose samples are named in a sentence
#: columns of the kinds of interval that were not asked for
OTHER_KINDS = {
    "two-sided": ("lower limit",),
    "greater": ("low", "high"),
    "less": ("low", "high", "lower limit"),
}
#: lines to fill in above the signature
ATTESTATION = (
    "Matter",
    "The samples were drawn at random from the populations listed above, by (how)",
    "They were drawn on",
    "The counts are those of the assessments by",
    "Name",
    "Role",
    "Date",
    "Signature",
)
SUPPOSED = (
    "The intervals suppose that within a stratum every document had the same chance to be drawn, "
    "and that none was drawn twice: a simple random sample without replacement. irbounds cannot "
    "check this; whoever signs below confirms it."
)
WEIGHT = (
    "A stratum's weight is its population over its sample: how many documents each sampled "
    "document stands for."
)
NOT_JUDGED = (
    "Documents that could not be judged count as sampled and as not relevant; precision and F are "
    "about the documents that can be judged."
)
BEFOREHAND = (
    "The table has the other kind of statement; it holds in place of the one above, not beside it, "
    "and only if it was chosen before the samples were seen."
)
TWO_KINDS = (
    "A two-sided interval shares what its level leaves out between both sides. A lower limit has "
    "it all below and says nothing of how high the value may be, and so is no lower than the "
    "interval's lower end."
)
NO_STATEMENT = (
    "Part of the corpus was not sampled. What depends on it rests on the prior alone, and there is "
    "nothing to quote or to sign for: draw from every stratum first."
)
NOTHING_OPEN = "Every document was assessed: there is no interval to quote and no limit to add."
NO_INTERVAL = (
    "By this method the samples give no interval, or a single point, which claims a certainty that "
    "nobody has: there is nothing to quote or to sign for. Another method gives one."
)


def audit_sections(
    samples: Sequence[Sample], estimates: Sequence[RecallEstimate], digits: int | None = None
) -> list[Section]:
    """The samples as they were drawn, then what can be quoted, and the other kind of limit."""
    return [
        Section("Sampling plan and counts", _plan_sentences(samples), [counts_table(samples)]),
        _statement(estimates, digits),
    ]


def _statement(estimates: Sequence[RecallEstimate], digits: int | None) -> Section:
    """What can be quoted, and the other kind of limit; not what the prior alone would say."""
    if any(map(rests_on_prior, estimates)):
        return Section("Statement", [NO_STATEMENT])
    said, open_ones = _quoted(estimates, digits), [one for one in estimates if not is_settled(one)]
    if not open_ones:
        reason = NOTHING_OPEN if all(map(is_known, estimates)) else NO_INTERVAL
        return Section("Statement", [reason])
    return Section("Statement", [*said, BEFOREHAND, TWO_KINDS], [limits_table(open_ones, digits)])


def limits_table(estimates: Sequence[RecallEstimate], digits: int | None = None) -> Table:
    """The kinds of interval not asked for; the results' own table has the one that was."""
    names = named_columns(estimates)
    level, asked = _level(estimates[0]), estimates[0].interval.alternative
    methods = len({(one.interval.method, one.prior) for one in estimates}) > 1
    titles = {
        "two-sided": f"one-sided {level} lower limit, if it was chosen beforehand",
        "greater": f"two-sided {level} interval, if it was chosen beforehand",
        "less": f"two-sided {level} interval or one-sided lower limit, if chosen beforehand",
    }
    labels = ("quantity", *(("method", "prior") if methods else ()))
    return Table(
        title=titles[asked],
        headings=(*names, *labels, *OTHER_KINDS[asked]),
        cells=tuple(
            (*names_in(one, names), *_labels(one, labels), *_others(one, digits))
            for one in estimates
        ),
        records=tuple({"table": "limits", **_limit_record(one)} for one in estimates),
        first_number=len(names) + len(labels),
    )


def _plan_sentences(samples: Sequence[Sample]) -> list[str]:
    """What was drawn from where."""
    said = []
    if len(samples) == 1 and len(samples[0]) <= MOST_NAMED:
        drawn = "; ".join(_drawn(stratum) for stratum in samples[0])
        said.append(f"Drawn: {drawn}.")
    said += [SUPPOSED, WEIGHT]
    if any(stratum.judged < stratum.sampled for sample in samples for stratum in sample):
        said.append(NOT_JUDGED)
    return said


def _drawn(stratum: Stratum) -> str:
    segment = segment_of(stratum)
    document = "document" if stratum.population == 1 else "documents"
    own = stratum.name == segment
    what = f"{segment} {document}" if own else f"{document} of {stratum_name(stratum)}"
    if stratum.sampled == stratum.population:
        many = "the only" if stratum.population == 1 else f"all {stratum.population:,}"
        return f"{many} {what}"
    return f"{stratum.sampled:,} of the {stratum.population:,} {what}"


def _quoted(estimates: Sequence[RecallEstimate], digits: int | None) -> list[str]:
    """One sentence to quote, of a single sample's first quantity by the recommended method."""
    if len({(one.topic, one.system) for one in estimates}) > 1:
        return []
    first = next((one for one in estimates if is_recommended(one)), estimates[0])
    if is_settled(first):
        return []
    number, *ends = shown_numbers(first, places_of(first, digits))
    words = {"two-sided": "between {} and {}", "greater": "at least {}", "less": "at most {}"}
    said = words[first.interval.alternative].format(*ends)
    estimate = "" if math.isnan(first.value) else f"; the estimate is {number}"
    quantity = capitalise(first.quantity)
    counts = "; ".join(_segment_counts(first, is_retrieved) for is_retrieved in (True, False))
    return [f"To quote: {counts}. {quantity} is {said} ({_source(first)}){estimate}."]


def _source(one: RecallEstimate) -> str:
    """``95 % interval, beta-binomial with prior 0.5, irbounds 0.1.0``."""
    from .. import __version__

    prior = f" with prior {one.prior}" if one.prior else ""
    kind = SIDES[one.interval.alternative]
    return f"{_level(one)} {kind}, {one.interval.method}{prior}, irbounds {__version__}"


def _segment_counts(one: RecallEstimate, is_retrieved: bool) -> str:
    """``of 2,000 retrieved documents 100 were drawn, 50 of them relevant``."""
    strata = [stratum for stratum in one.strata if stratum.retrieved is is_retrieved]
    population, sampled, judged, relevant = sums(strata)
    word, of = ("retrieved", "Of") if is_retrieved else ("unretrieved", "of")
    parts = f" in {len(strata)} strata" if len(strata) > 1 else ""
    unread = "" if judged == sampled else f" ({sampled - judged:,} could not be judged)"
    if sampled == population:
        drawn = "that one was drawn" if sampled == 1 else "all were drawn"
    else:
        drawn = f"{sampled:,} {'was' if sampled == 1 else 'were'} drawn at random"
    documents = pluralise(population, f"{word} document")
    return f"{of} {documents}{parts} {drawn}{unread}, {relevant:,} of them relevant"


def _labels(one: RecallEstimate, labels: Sequence[str]) -> list[str]:
    found = {"quantity": one.quantity, "method": one.interval.method, "prior": one.prior or ""}
    return [found[label] for label in labels]


def _others(one: RecallEstimate, digits: int | None) -> list[str]:
    """The ends of the other kinds, each as it would be shown had it been asked for."""
    two_sided, bounded = _two_sided(one), _bounded(one)
    _, low, high = shown_numbers(two_sided, places_of(two_sided, digits))
    _, limit = shown_numbers(bounded, places_of(bounded, digits))
    found = {"low": low, "high": high, "lower limit": limit}
    return [found[kind] for kind in OTHER_KINDS[one.interval.alternative]]


def _two_sided(one: RecallEstimate) -> RecallEstimate:
    return one.at(one.interval.confidence_level, "two-sided")


def _bounded(one: RecallEstimate) -> RecallEstimate:
    return one.at(one.interval.confidence_level, "greater")


def _limit_record(one: RecallEstimate) -> dict[str, Any]:
    interval = _two_sided(one).interval
    return {
        "topic": one.topic,
        "system": one.system,
        "quantity": one.quantity,
        "method": one.interval.method,
        "prior": one.prior,
        "confidence_level": one.interval.confidence_level,
        "estimate": one.value,
        "low": interval.low,
        "high": interval.high,
        "lower_limit": _bounded(one).interval.low,
    }


def _level(one: RecallEstimate) -> str:
    return percent(one.interval.confidence_level)
