"""Verification of a record of the recall calculator: every number is computed again.

The record is a JSON object: counts, claim and options, and the numbers that the page computed from
them. It is a file that the page saved, or a block on a printed or saved page. In the block ``~``
and ``^`` stand for spaces and hyphens, so that lines may be broken anywhere. What a page says
around the block is compared too: its sentences and tables must be those that follow from the
counts.
"""

from __future__ import annotations

import html
import json
import math
import re
import unicodedata
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from .. import __version__
from ..errors import DegenerateSampleWarning, InputError, IrboundsError, quote
from ..presentation.phrases import pluralise
from ..presentation.registry import View, make_section
from ..presentation.rounding import format_setting
from ..presentation.words import Words
from ..reading.mappings import STRICT_JSON
from ..reading.sources import Source
from ..results import RecallEstimate, Sample, Stratum, TippingPoints
from ..results.recall_estimates import GUARANTEED, format_numbers, places_of
from ..results.samples import choose_words, stratum_name, sums
from ..results.tipping_points import COLUMNS_TO_FILL, has_tipping_points
from .recall_audit import list_findings, write_quote
from .tipping_sections import NOT_SAMPLED

KIND = "irbounds_recall"
BLOCK = '{"record":"irbounds_recall"'
#: marks in a block, and what they stand for: programs that read PDFs join lines at hyphens
MARKS = str.maketrans("~^", " -")
DECODER = json.JSONDecoder(**STRICT_JSON)
TOLERANCE = 1e-9  # absolute up to 1, relative above
SAME, DIFFERENT = 0, 1  # exit statuses; 2 is that of errors
MAX_NAMED = 8  # strata in the table of counts on the page
ORDER = ("recall", "elusion", "precision", "F1", "yield", "prevalence")  # on the page
NUMBERS = ("estimate", "low", "high", "limit")
ENTRIES = ("matter", "prepared_by", "date")
CLAIM = ("is_shown", "sample_needed")
TIPPING = ("shown_from", "falls_from")
CHOICES: Mapping[str, tuple[str, ...]] = {
    "design": ("two-samples", "review", "control-set"),
    "method": ("beta-binomial", "exact"),
    "words": ("search", "ediscovery"),
}
OTHERS = ("record", "irbounds", "strata", "confidence_level", "at_least", "credit_found")
COMPUTED = ("results", "claim", "tipping", "sentence", "verdict")
VERDICT = re.compile(r"(?:Notshown|Shown):recallofatleast[\d.]*\d")
NOT_TEXT = re.compile(r"<(script|style|template|form)\b.*?</\1\s*>", re.DOTALL | re.IGNORECASE)
TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True)
class RecordCheck:
    """The comparison of a record with its repetition."""

    #: one line per difference
    differences: tuple[str, ...]
    #: numbers and sentences that were compared
    n_numbers: int
    n_texts: int
    #: the version that made the record
    version: str

    @property
    def status(self) -> int:
        """The exit status of the command."""
        return DIFFERENT if self.differences else SAME

    def lines(self) -> list[str]:
        """Return one line per difference, or one that all is confirmed."""
        lines = list(self.differences)
        if self.version != __version__:
            lines.insert(0, f"made by irbounds {self.version}, checked by irbounds {__version__}")
        if self.differences:
            return lines
        texts = f" and {pluralise(self.n_texts, 'line')} of text" if self.n_texts else ""
        return [*lines, f"all {self.n_numbers:,} numbers{texts} are confirmed"]


@dataclass(frozen=True)
class Design:
    """The counts and the options of a record, from which everything else follows."""

    sample: Sample
    confidence_level: float
    at_least: float | None
    method: str
    credit_found: bool
    trade: str
    #: added to the ends of intervals by a posterior, which scripts compute with another last digit
    nudge: float = 0.0

    @cached_property
    def intervals(self) -> dict[str, RecallEstimate]:
        """Two-sided intervals by quantity."""
        return self._estimate(self.method, "two-sided", None)

    @cached_property
    def limits(self) -> dict[str, RecallEstimate]:
        """Guaranteed limits by quantity, with the verdict on the claim."""
        return self._estimate("exact", "greater", self.at_least)

    def _estimate(self, method: str, side: Any, at_least: float | None) -> dict[str, Any]:
        from ..samples.recall_intervals import sample_estimates

        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DegenerateSampleWarning)
            estimates = sample_estimates(
                self.sample,
                method=method,
                alternative=side,
                confidence_level=self.confidence_level,
                at_least=at_least,
                credit_found=self.credit_found,
            )
        is_nudged = self.nudge and method != GUARANTEED
        return {
            estimate.quantity: _nudge(estimate, self.nudge) if is_nudged else estimate
            for estimate in estimates
        }

    @property
    def statement(self) -> list[RecallEstimate]:
        """The estimates that the page states: limits for a claim, else intervals."""
        return [*(self.intervals if self.at_least is None else self.limits).values()]

    @cached_property
    def tipping(self) -> TippingPoints | None:
        """The tipping points; None if a stratum has no sample."""
        from ..samples.wrong_judgments import tipping_points

        if not has_tipping_points(self.sample):
            return None
        (points,) = tipping_points(
            self.sample,
            at_least=self.at_least,
            method=self.method if self.at_least is None else "exact",
            confidence_level=self.confidence_level,
            credit_found=self.credit_found,
        )
        return points

    @property
    def words(self) -> Words:
        """The words of the page."""
        return choose_words(self.trade, [self.sample])

    def findings(self) -> list[str]:
        """Return the sentences of the result, the verdict first."""
        return [*map(self.words.apply, list_findings(self.statement))]

    def quote(self, version: str = __version__) -> str:
        """Return the sentence to quote, as that version wrote it; empty if there is none."""
        text = self.words.apply(write_quote(self.statement))
        return text.replace(f"irbounds {__version__})", f"irbounds {version})")

    def tipping_sentences(self) -> list[str]:
        """Return what mistakes of the assessors would change."""
        if self.tipping is None:
            return [self.words.apply(NOT_SAMPLED)]
        section = make_section([self.tipping], View())
        sentences = (*section.sentences, *section.conclusion)
        return [self.words.apply(text) for text in sentences if text != COLUMNS_TO_FILL]

    def result_rows(self) -> list[tuple[str, ...]]:
        """Return the table of all quantities: estimate, interval and limit."""
        rows = []
        for name in ORDER:
            interval, limit = self.intervals[name], self.limits[name]
            numbers = format_numbers(interval, places_of(interval, None))
            end = format_numbers(limit, places_of(limit, None), has_sides=True)[1]
            rows.append((name, *numbers, end))
        return [self._reword(row) for row in rows]

    def count_rows(self) -> list[tuple[str, ...]]:
        """Return the table of counts by stratum, or by segment if there are many strata."""
        groups = {stratum_name(part): [part] for part in self.sample}
        if len(self.sample) > MAX_NAMED:
            groups = dict(map(self._segment, (True, False)))
        return [
            self._reword((name, *(f"{n:,}" for k, n in enumerate(sums(strata)) if k != 2)))
            for name, strata in {**groups, "total": [*self.sample]}.items()
        ]

    def _segment(self, is_retrieved: bool) -> tuple[str, list[Stratum]]:
        strata = [part for part in self.sample if part.retrieved is is_retrieved]
        name = "retrieved" if is_retrieved else "unretrieved"
        return f"{name}, {pluralise(len(strata), 'stratum', 'strata')}", strata

    def _reword(self, cells: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(map(self.words.label, cells))

    def texts(self, version: str) -> list[str]:
        """Return every sentence on the page."""
        claim = self.at_least
        return [
            *([] if claim is None else [f"Recall is at least {format_setting(claim)}."]),
            *self.findings(),
            *filter(None, [self.quote(version)]),
            *self.tipping_sentences(),
        ]


def _nudge(estimate: RecallEstimate, change: float) -> RecallEstimate:
    interval = estimate.interval
    moved = replace(interval, low=interval.low + change, high=interval.high + change)
    return replace(estimate, interval=moved)


def check_file(path: Path) -> RecordCheck:
    """Return how a file with a record differs from what is computed now."""
    with Source(path) as source:
        text = source.read().decode("utf-8-sig", errors="replace")
        return check_record(text, source.name)


def check_record(text: str, source: str) -> RecordCheck:
    """Return how a record, or a text that contains one, differs from what Python computes."""
    record, around = find_record(text, source)
    design = read_design(record, source)
    try:
        numbers = [*_compare_numbers(record, design)]
        tried = [_compare_texts(record, around, design)]
        if tried[0] and design.method != GUARANTEED:  # an end may be rounded to another digit
            tried += [
                _compare_texts(record, around, replace(design, nudge=change))
                for change in (TOLERANCE, -TOLERANCE)
            ]
    except IrboundsError as error:
        raise InputError(f"{source}: the record cannot be computed: {error}") from None
    unknown = _list_unknown(record)
    differences = [
        *filter(None, numbers),
        *([] if [] in tried else tried[0]),
        *([f"the record has entries that are not checked: {', '.join(unknown)}"] * bool(unknown)),
    ]
    n_texts = len(_list_texts(record, design)) if around else 0
    return RecordCheck(tuple(differences), len(numbers), n_texts, record["irbounds"])


# ---- the record in a text ----


def find_record(text: str, source: str) -> tuple[dict[str, Any], str]:
    """Return the record in a text, and the text of the page around it; empty for a saved record."""
    try:
        record = DECODER.decode(text)
    except InputError as error:
        raise InputError(f"{source}: {error}") from None
    except (ValueError, RecursionError):
        return _find_block(text, source)
    if not isinstance(record, dict) or record.get("record") != KIND:
        raise InputError(
            f"{source}: this JSON is not a record of the recall calculator: it does not begin with "
            f"{BLOCK}"
        )
    return record, ""


def _find_block(text: str, source: str) -> tuple[dict[str, Any], str]:
    if text.startswith("%PDF-"):
        raise InputError(
            f"{source}: this is a PDF; check its text: pdftotext FILE - | irbounds recall --check -"
        )
    is_page = re.search(r"<html\b", text[:1000], re.IGNORECASE) is not None
    plain = html.unescape(TAG.sub(" ", NOT_TEXT.sub(" ", text))) if is_page else text
    squeezed = _squeeze(plain)
    places = [match.start() for match in re.finditer(re.escape(BLOCK), squeezed)]
    if not places:
        raise InputError(
            f"{source}: no record of the recall calculator in it: no text that begins with {BLOCK}"
        )
    try:
        records = [DECODER.raw_decode(squeezed[place:].translate(MARKS))[0] for place in places]
    except (ValueError, RecursionError, InputError) as error:
        raise InputError(f"{source}: the record is damaged: {error}") from None
    if any(record != records[0] for record in records):
        raise InputError(f"{source}: {len(records)} different records; check one at a time")
    return records[0], plain


def _squeeze(text: str) -> str:
    """Return a text without white space and soft hyphens, and with ligatures as letters."""
    return re.sub(r"\s", "", _normalise(text))


def _condense(text: str) -> str:
    """Return a text without white space and hyphens, at which lines may be joined."""
    return _squeeze(text).replace("-", "")


def _split(text: str) -> list[str]:
    """Return the words of a text without hyphens."""
    return [word for word in _normalise(text).replace("-", "").split() if word]


def _normalise(text: str) -> str:
    return unicodedata.normalize("NFKC", text).replace("\u00ad", "")


def read_design(record: Mapping[str, Any], source: str) -> Design:
    """Return the counts and options of a record; raise ``InputError`` where one is invalid."""

    def refuse(name: str, rule: str) -> InputError:
        value = quote(record.get(name, "nothing"))
        return InputError(f"{source}: {name} of the record must be {rule}; got {value}")

    if not isinstance(record.get("irbounds"), str):
        raise refuse("irbounds", "a version")
    for name, choices in CHOICES.items():
        if record.get(name) not in choices:
            raise refuse(name, f"one of {', '.join(choices)}")
    if not isinstance(record.get("credit_found"), bool):
        raise refuse("credit_found", "true or false")
    for name in ("confidence_level", "at_least"):
        value = record.get(name)
        is_no_claim = name == "at_least" and name in record and value is None
        if not _is_number(value) and not is_no_claim:
            raise refuse(name, "a number")
    strata = record.get("strata")
    if not isinstance(strata, list) or not all(map(_is_stratum, strata)):
        raise refuse("strata", "lists of a name, true or false, and three counts")
    return Design(
        Sample(
            tuple(Stratum(*part) for part in strata),
            is_control_set=record["design"] == "control-set",
        ),
        record["confidence_level"],
        record["at_least"],
        record["method"],
        record["credit_found"],
        record["words"],
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_stratum(part: Any) -> bool:
    kinds = (str, bool, int, int, int)
    return (
        isinstance(part, list)
        and len(part) == len(kinds)
        and all(type(value) is kind for value, kind in zip(part, kinds, strict=True))
    )


# ---- comparison ----


def _compare_numbers(record: Mapping[str, Any], design: Design) -> Iterator[str]:
    """Yield one line per number: what differs, or nothing where it is confirmed."""
    listed = record.get("results")
    rows = {row[0]: row[1:] for row in (listed if isinstance(listed, list) else []) if _is_row(row)}
    for name in ORDER:
        interval, limit = design.intervals[name], design.limits[name]
        is_lower = limit.interval.alternative == "greater"
        end = limit.interval.low if is_lower else limit.interval.high
        values = (interval.value, interval.interval.low, interval.interval.high, end)
        row = rows.get(name, [GONE] * len(NUMBERS))
        for number, written, computed in zip(NUMBERS, row, values, strict=True):
            yield _compare(f"{name}, {number}", written, computed)
    yield from _compare_claim(record, design)
    yield from _compare_tipping(record, design)


def _is_row(row: Any) -> bool:
    return isinstance(row, list) and len(row) == 1 + len(NUMBERS) and isinstance(row[0], str)


GONE = "nothing"


def _list_unknown(record: Mapping[str, Any]) -> list[str]:
    """Return the entries of a record that nothing is compared with."""
    known = {"claim": CLAIM, "tipping": (*TIPPING, "tolerated")}
    parts = {name: part for name in known if isinstance(part := record.get(name), dict)}
    listed = record.get("results")
    names = [row[0] if _is_row(row) else row for row in listed] if isinstance(listed, list) else []
    return [
        *sorted(set(record) - {*OTHERS, *CHOICES, *ENTRIES, *COMPUTED}),
        *(
            f"{name}, {key}"
            for name, part in parts.items()
            for key in part
            if key not in known[name]
        ),
        *(f"results, {quote(name)}" for name in names if name not in ORDER),
        *(f"results, {name} twice" for name in ORDER if names.count(name) > 1),
    ]


def _compare_claim(record: Mapping[str, Any], design: Design) -> Iterator[str]:
    recall, claim = design.limits["recall"], record.get("claim")
    if design.at_least is None:
        yield "" if claim is None else f"claim: the record has {quote(claim)}, but states no claim"
        return
    written = claim if isinstance(claim, dict) else {}
    for name in CLAIM:
        yield _compare(f"claim, {name}", written.get(name, GONE), getattr(recall, name))


def _compare_tipping(record: Mapping[str, Any], design: Design) -> Iterator[str]:
    points, tipping = design.tipping, record.get("tipping")
    if points is None:
        yield "" if tipping is None else "tipping: the record has some, but none can be computed"
        return
    written = tipping if isinstance(tipping, dict) else {}
    for name in TIPPING:
        yield _compare(f"tipping, {name}", written.get(name, GONE), getattr(points, name))
    listed = written.get("tolerated")
    rows = [row for row in listed if isinstance(row, list)] if isinstance(listed, list) else []
    errors = [(error.by, error.n_documents, error.rate) for error in points.tolerated]
    if len(rows) != len(errors) or any(len(row) != 3 for row in rows):
        yield f"tipping, tolerated: the record has {len(rows)}, computed {len(errors)}"
        return
    for row, computed in zip(rows, errors, strict=True):
        for name, was, now in zip(("by", "n_documents", "rate"), row, computed, strict=True):
            yield _compare(f"tipping, tolerated {computed[0]}, {name}", was, now)


def _compare(name: str, written: Any, computed: Any) -> str:
    """Return a line if two values differ by more than ``TOLERANCE``; None stands for NaN."""
    if isinstance(computed, float) and not math.isfinite(computed):
        computed = None
    if _is_number(written) and _is_number(computed):
        is_same = abs(written - computed) <= TOLERANCE * max(1.0, abs(computed))
    else:
        is_same = type(written) is type(computed) and written == computed
    if is_same:
        return ""
    return f"{name}: the record has {_describe(written)}, computed {_describe(computed)}"


def _describe(value: Any) -> str:
    return "none" if value is None else quote(value) if isinstance(value, str) else str(value)


def _compare_texts(record: Mapping[str, Any], around: str, design: Design) -> list[str]:
    """Return one line per sentence or row of a table that is not the computed one."""
    expected = {"verdict": design.findings()[0], "sentence": design.quote(record["irbounds"])}
    lines = [
        f"{name}: the record has {quote(record[name])}, computed {text!r}"
        for name, text in expected.items()
        if name in record and record[name] != text
    ]
    if not around:
        return lines
    rows = [*design.count_rows(), *design.result_rows()]
    return [
        *lines,
        *_compare_page(around, _list_texts(record, design), rows),
        *_compare_verdicts(around, design),
    ]


def _list_texts(record: Mapping[str, Any], design: Design) -> list[str]:
    """Return what a person entered, and every sentence of the page."""
    entries = [" ".join(str(record[name]).split()) for name in ENTRIES if record.get(name)]
    return [*entries, *design.texts(record["irbounds"])]


def _compare_page(
    around: str, sentences: Sequence[str], rows: Sequence[Sequence[str]]
) -> list[str]:
    """Return one line per sentence and per row of a table that a page does not have.

    The text of a PDF may have the cells of a table in another order. So every word of a row must be
    on the page as often as in all rows and sentences together.
    """
    condensed = _condense(around)
    is_there = {text: _condense(text) in condensed for text in sentences}
    confirmed = [text for text in sentences if is_there[text]]
    words = Counter(_split(around))
    words.subtract(word for text in confirmed for word in _split(text))
    lines = [f"the page does not have: {text}" for text in sentences if not is_there[text]]
    for row in rows:
        needed = _split(" ".join(row))
        words.subtract(needed)
        if any(words[word] < 0 for word in needed):
            lines.append(f"the page does not have the row: {' '.join(row)}")
    return lines


def _compare_verdicts(around: str, design: Design) -> list[str]:
    """Return one line per verdict on a page that is not the computed one."""
    verdict = VERDICT.match(_squeeze(design.findings()[0]))
    return [
        f"the page has another verdict: {other}"
        for other in dict.fromkeys(VERDICT.findall(_squeeze(around)))
        if verdict is None or other != verdict[0]
    ]
