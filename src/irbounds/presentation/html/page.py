"""A page as one HTML file that needs no network, no server and no installation.

The findings are first, then the sections, then inputs, methods and provenance. Every figure is in
the file twice: as SVG, and as a specification that Vega, in the same file, draws to the width of
the page.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import count
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from ..escaping import make_drawable
from ..explanations import EXPLANATIONS, Explanation, list_references
from ..page_content import Page, Section
from ..rounding import SIGNIFICANT, round_digits
from .content_security_policy import (
    content_security_policy,
    pack,
    read_template_file,
    script_markup,
    templates,
    vega_script,
)
from .table_markup import SHOWN_ROWS, HtmlTable, make_html_table

if TYPE_CHECKING:
    from ...reports.provenance import Provenance

FOLDED_LINES = 8  # of one kind of provenance; more are folded
FOLDED_ROWS = 40  # of a table next to a figure; a longer table is folded
#: the parts of the provenance, and what a page calls them
PROVENANCE_NAMES = {
    "date": "Made",
    "irbounds": "irbounds",
    "python": "Python",
    "machine": "Machine",
    "libraries": "Libraries",
    "arguments": "Command",
    "options": "Options",
    "inputs": "Inputs",
    "results": "Fingerprint of the results",
}


@dataclass(frozen=True)
class _HtmlSection:
    heading: str
    sentences: Sequence[str]
    tables: Sequence[HtmlTable]
    figures: Sequence[Any]
    explanations: Sequence[Explanation]
    conclusion: Sequence[str]
    is_folded: bool
    #: whether the comparison of two systems follows it
    has_pairs: bool

    @property
    def is_line(self) -> bool:
        """Whether the section has only a heading and sentences."""
        return not (self.tables or self.figures or self.explanations or self.conclusion)


def render_page(page: Page) -> str:
    """Return the content of the page's file."""
    tables, figures = count(1), count(1)
    lead = _make_html_figures([page.lead()], figures)
    pairs_after = _find_place_of_pairs(page)
    leads = bool(page.verdicts or lead)
    sections = [
        _HtmlSection(
            heading=section.heading,
            sentences=[_end_sentence(sentence) for sentence in section.sentences],
            tables=[make_html_table(table, next(tables)) for table in section.tables],
            figures=_make_html_figures(section.drawn, figures),
            explanations=_list_explanations(section),
            conclusion=[_end_sentence(sentence) for sentence in section.conclusion],
            is_folded=section.is_folded and (leads or place > 0),
            has_pairs=place == pairs_after,
        )
        for place, section in enumerate(page.sections)
    ]
    has_charts = bool(lead or pairs_after is not None or any(s.figures for s in sections))
    scripts = [script_markup(vega_script())] if has_charts else []
    scripts.append(script_markup(read_template_file("page.js")))
    style = Markup(read_template_file("page.css") + read_template_file("tooltip.css"))
    topics = _list_topics(page.sections)
    inputs = _describe_inputs(page)
    warnings = [_end_sentence(warning) for warning in page.warnings]
    return (
        templates()
        .get_template("page.html.jinja")
        .render(
            page=page,
            verdicts=[_end_sentence(verdict) for verdict in page.verdicts],
            lead=lead,
            inputs=inputs,
            warnings=warnings,
            made=_format_date(page.provenance),
            sections=sections,
            systems=_list_systems(page.sections),
            pairs=_pack_pairs(page) if pairs_after is not None else "",
            shown_rows=SHOWN_ROWS,
            folded_lines=FOLDED_LINES,
            folded_rows=FOLDED_ROWS,
            methods=[EXPLANATIONS[topic] for topic in topics if EXPLANATIONS[topic].method],
            references=list_references(topics),
            provenance=_make_provenance_rows(page.provenance),
            scripts=scripts,
            style=style,
            policy=content_security_policy(scripts, style),
        )
    )


def _make_html_figures(figures: Iterable[Any], numbers: Iterable[int]) -> list[Any]:
    """Return the figures for the template; only these load Vega."""
    drawn = [figure for figure in figures if figure is not None]
    if not drawn:
        return []
    from .figure_markup import make_html_figure

    return [
        make_html_figure(figure, number) for figure, number in zip(drawn, numbers, strict=False)
    ]


def _end_sentence(text: str) -> str:
    """Return a line of a terminal with a full stop; other marks stay as they are."""
    return f"{text}." if text and (text[-1].isalnum() or text[-1] in "%)") else text


def _describe_inputs(page: Page) -> list[str]:
    """Return the page's lines on its inputs, else the names of these."""
    if page.inputs:
        return [_end_sentence(line) for line in page.inputs]
    names = dict.fromkeys(item.name for item in page.provenance.inputs)
    return [f"Read: {', '.join(names)}" if names else "No files were read."]


def _list_topics(sections: Iterable[Section]) -> list[str]:
    """Return each topic once, in the order of the page."""
    return list(dict.fromkeys(topic for section in sections for topic in section.topics))


def _list_explanations(section: Section) -> list[Explanation]:
    """Return the explanations of the section's results."""
    explanations = (EXPLANATIONS[topic] for topic in _list_topics([section]))
    return [item for item in explanations if item.means or item.does_not_mean]


def _list_systems(sections: Iterable[Section]) -> list[str]:
    """Return the systems that a reader can select, in the order of the tables."""
    records = (r for section in sections for table in section.tables for r in table.records)
    named = (record.get(key) for record in records for key in ("system", "baseline"))
    return [make_drawable(name) for name in dict.fromkeys(named) if isinstance(name, str)]


def _find_place_of_pairs(page: Page) -> int | None:
    """Return the index of the section that the comparison of two systems follows.

    It is the first section of differences. With two systems there is no pair to choose.
    """
    if page.scores is None or len(page.scores.systems) < 3 or not page.sections:
        return None
    for place, section in enumerate(page.sections):
        if any("baseline" in record for table in section.tables for record in table.records[:1]):
            return place
    return 0


def _pack_pairs(page: Page) -> str:
    """Return the scores and the specification of the figure that a script of the page draws."""
    scores = page.scores
    if scores is None:
        return ""
    from .figure_markup import make_pair_spec

    values = [[[_round_score(v) for v in row] for row in table] for table in scores.values]
    names = {
        key: [make_drawable(str(name)) for name in getattr(scores, key)]
        for key in ("measures", "systems", "queries")
    }
    return pack({"spec": make_pair_spec(), "values": values, **names})


def _round_score(value: float) -> float | None:
    return round_digits(value, SIGNIFICANT) if math.isfinite(value) else None


def _format_date(provenance: Provenance) -> str:
    """Return ``3 March 2026, 14:05 UTC``."""
    made = datetime.fromisoformat(provenance.date)
    zone = f" {made.tzname()}" if made.tzinfo else ""
    return f"{made.day} {made:%B %Y, %H:%M}{zone}"


def _make_provenance_rows(provenance: Provenance) -> list[tuple[str, list[str]]]:
    """Return the provenance: names, each with its lines."""
    parts = asdict(provenance)
    parts["arguments"] = shlex.join(["irbounds", *provenance.arguments])
    parts["date"] = _format_date(provenance)
    return [(words, _format_lines(parts[key])) for key, words in PROVENANCE_NAMES.items()]


def _format_lines(value: Any) -> list[str]:
    if isinstance(value, Mapping):
        return [f"{key}: {_format_value(item)}" for key, item in value.items()]
    if isinstance(value, list | tuple):
        return [_format_value(item) for item in value] or ["none"]
    return [_format_value(value)]


def _format_value(value: Any) -> str:
    """Return a value of an option or an input as text."""
    if isinstance(value, Mapping):
        return ", ".join(_format_value(item) for item in value.values())
    if isinstance(value, list):
        return " ".join(_format_value(item) for item in value)
    if value is None:
        return "not given"
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
