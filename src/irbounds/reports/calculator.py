"""The recall calculator: one HTML file that computes in the browser and needs no network.

The page is for people without a terminal. Its numbers are computed by the scripts in
``presentation/calculator``, its sentences by those in ``presentation/templates/calculator``. The
constant sentences and the words of e-discovery are embedded here, so that they have one source. See
ADR 34.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from markupsafe import Markup

from .. import __version__
from ..atomic_write import write_atomically
from ..presentation.html.content_security_policy import (
    content_security_policy,
    json_for_script,
    read_template_file,
    script_markup,
    templates,
)
from ..presentation.words import EDISCOVERY, FIXED
from ..results import recall_sentences, tipping_points
from ..results.recall_estimates import RECOMMENDED
from ..results.samples import SEGMENT_NAMES
from ..samples.control_set import MIN_PROBABILITY
from ..validation import MIN_CLAIM_LEVEL
from . import recall_audit, tipping_sections

TITLE = "Recall calculator"
#: scripts of the numbers, in the order in which they are loaded
NUMBERS = (
    "special.js",
    "exact.js",
    "many-strata.js",
    "yields.js",
    "posterior.js",
    "claims.js",
    "tipping.js",
    "compute.js",
)
#: scripts of the page, in the order in which they are loaded
SCRIPTS = ("numbers.js", "sentences.js", "record.js", "figure.js", "page.js")
MAX_ENTRY, MAX_DATE, MAX_NAME = 160, 40, 28  # characters that fit on the printed page
MAX_STRATA = 8  # per segment


@dataclass(frozen=True)
class Calculator:
    """The page of the recall calculator."""

    html: str

    def save(self, path: str | Path) -> None:
        """Write the page as one file (atomically).

        Parameters
        ----------
        path
            The file, ``.html``.

        Returns
        -------
        None
        """
        with write_atomically(Path(path)) as file:
            file.write(self.html.encode())

    def __str__(self) -> str:
        return f"{TITLE}, irbounds {__version__}"


def make_calculator() -> Calculator:
    """Return the page with its style sheet, scripts and sentences."""
    scripts = [
        script_markup("\n".join(map(_read_numbers_file, NUMBERS))),
        script_markup("\n".join(read_template_file(f"calculator/{name}") for name in SCRIPTS)),
    ]
    style = Markup(read_template_file("page.css") + read_template_file("calculator/page.css"))
    html = (
        templates()
        .get_template("calculator/page.html.jinja")
        .render(
            title=TITLE,
            sheet_title=recall_audit.TITLE,
            version=__version__,
            headings=recall_audit.HEADINGS,
            attestation=recall_audit.ATTESTATION,
            tipping_heading=tipping_points.HEADING,
            max_entry=MAX_ENTRY,
            max_date=MAX_DATE,
            texts=json_for_script(json.dumps(list_texts())),
            scripts=scripts,
            style=style,
            policy=content_security_policy(scripts, style),
        )
    )
    return Calculator(html)


def _read_numbers_file(name: str) -> str:
    return files("irbounds.presentation").joinpath("calculator", name).read_text(encoding="utf-8")


def list_texts() -> dict[str, Any]:
    """Return the constant sentences of the page, and its words, by the names in its scripts."""
    return {
        "version": __version__,
        "prior": RECOMMENDED[1],
        "credited": recall_sentences.CREDITED,
        "outside": recall_sentences.OUTSIDE,
        "rests_on_prior": recall_sentences.RESTS_ON_PRIOR,
        "not_covered": recall_sentences.NOT_COVERED,
        "mistakes": recall_sentences.MISTAKES,
        "not_random": recall_sentences.NOT_RANDOM,
        "one_look": recall_sentences.ONE_LOOK,
        "conditions": recall_sentences.CONDITIONS,
        "min_claim_level": MIN_CLAIM_LEVEL,
        "methods_page": recall_sentences.METHODS_PAGE,
        "computing": "The sample that would show it is being computed.",
        "no_statement": recall_audit.NO_STATEMENT,
        "nothing_open": recall_audit.NOTHING_OPEN,
        "no_interval": recall_audit.NO_INTERVAL,
        "not_sampled": tipping_sections.NOT_SAMPLED,
        "not_here": tipping_points.NOT_HERE,
        "tipping_credited": tipping_points.CREDITED,
        "tipping_titles": tipping_points.TITLES,
        "tipping_headings": tipping_points.HEADINGS,
        "segment_names": {str(side).lower(): names for side, names in SEGMENT_NAMES.items()},
        "min_probability": MIN_PROBABILITY,
        "max_name": MAX_NAME,
        "max_strata": MAX_STRATA,
        "ediscovery": {
            "replaced": EDISCOVERY.replaced,
            "labels": EDISCOVERY.labels,
            "fixed": FIXED,
        },
    }
