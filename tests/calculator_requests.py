"""Requests of the recall calculator's page, and records of their results as it writes them."""

from __future__ import annotations

import json
import math
import textwrap
from collections.abc import Iterator
from typing import Any

import numpy as np

from irbounds import __version__
from irbounds.reports.recall_record import Design, read_design

FIELDS = ("name", "retrieved", "population", "sampled", "relevant")
CLAIMS = (None, 0.5, 0.75, 0.8, 0.9, 0.95)
LEVELS = (0.9, 0.95, 0.975, 0.99)
NAMES = ("mail", "it's retrieved", 'the "relevant" part', "unretrieved", "null set", "R&D <b>")


def random_requests(n: int, seed: int) -> Iterator[dict[str, Any]]:
    """Yield requests with one to three strata per segment and every option."""
    rng = np.random.default_rng(seed)
    for _ in range(n):
        design = str(rng.choice(["two-samples", "review", "control-set"], p=[0.5, 0.3, 0.2]))
        is_control_set = design == "control-set"
        yield {
            "design": design,
            "is_control_set": is_control_set,
            "strata": [
                _random_stratum(rng, k, size, side, design)
                for side in (True, False)
                for size in [1 if is_control_set or rng.random() < 0.8 else int(rng.integers(2, 4))]
                for k in range(size)
            ],
            "confidence_level": float(rng.choice(LEVELS)),
            "at_least": CLAIMS[rng.integers(len(CLAIMS))],
            "method": str(rng.choice(["beta-binomial", "exact"])),
            "credit_found": bool(rng.random() < 0.2),
            "words": str(rng.choice(["search", "ediscovery"])),
        }


def _random_stratum(
    rng: np.random.Generator, k: int, size: int, is_retrieved: bool, design: str
) -> dict[str, Any]:
    # limits of three uncertain strata take longer
    population = int(10 ** rng.uniform(1, 2.5 if size > 1 else 4 if is_retrieved else 5))
    sampled = int(population * rng.uniform(0, 1) ** 2)
    if (design == "review" and is_retrieved) or rng.random() < 0.05:
        sampled = population
    rate = rng.uniform(0.2, 0.9) if is_retrieved else rng.choice([0.0, 0.001, 0.01, 0.05])
    segment = "retrieved" if is_retrieved else "unretrieved"
    return {
        "name": segment if size == 1 else f"{NAMES[rng.integers(len(NAMES))]} {k}",
        "retrieved": is_retrieved,
        "population": population,
        "sampled": sampled,
        "relevant": int(rng.binomial(sampled, rate)),
    }


def python_design(request: dict[str, Any]) -> Design:
    """Return what Python computes of a request."""
    strata = [list(stratum.values()) for stratum in request["strata"]]
    return read_design({**request, "strata": strata, "irbounds": "0"}, "request")


EXAMPLE = {
    "design": "review",
    "strata": [
        dict(zip(FIELDS, values, strict=True))
        for values in (
            ("mail", True, 5000, 5000, 4000),
            ("chat & calls", True, 300, 300, 20),
            ("unretrieved", False, 95_000, 1500, 3),
        )
    ],
    "confidence_level": 0.95,
    "at_least": 0.75,
    "method": "beta-binomial",
    "credit_found": False,
    "words": "search",
}


def make_record(request: dict[str, Any]) -> dict[str, Any]:
    """Return the record that the page writes for a request, with Python's numbers."""
    design = python_design(request)
    recall, points = design.limits["recall"], design.tipping
    claim = {name: getattr(recall, name) for name in ("is_shown", "sample_needed")}
    return {
        "record": "irbounds_recall",
        "irbounds": __version__,
        **{"matter": "In re Example", "prepared_by": "A. Auditor", "date": ""},
        **{key: request[key] for key in EXAMPLE if key != "strata"},
        "strata": [list(stratum.values()) for stratum in request["strata"]],
        "results": [_result_row(design, name) for name in design.intervals],
        "claim": None if request["at_least"] is None else claim,
        "tipping": points
        and {
            "shown_from": points.shown_from,
            "falls_from": points.falls_from,
            "tolerated": [[each.by, each.n_documents, each.rate] for each in points.tolerated],
        },
    }


def _result_row(design: Design, name: str) -> list[Any]:
    interval, limit = design.intervals[name], design.limits[name].interval
    end = limit.low if limit.alternative == "greater" else limit.high
    numbers = (interval.value, *interval.interval, end)
    return [name, *(None if math.isnan(number) else number for number in numbers)]


def write_block(record: dict[str, Any]) -> str:
    """Return a record as the page prints it, in lines of 60 characters."""
    text = json.dumps(record, separators=(",", ":")).replace("&", "\\u0026")
    text = text.translate(str.maketrans(" -", "~^"))
    return "\n".join(text[k : k + 60] for k in range(0, len(text), 60))


def write_page_text(record: dict[str, Any]) -> str:
    """Return the text of a printed page with a record."""
    design = read_design(record, "record")
    rows = ("\t".join(row) for row in (*design.count_rows(), *design.result_rows()))
    entries = [record[name] for name in ("matter", "prepared_by", "date")]
    sentences = "\n".join(textwrap.fill(text, 60) for text in design.texts(record["irbounds"]))
    return "\n".join(("Recall audit", *entries, sentences, *rows, write_block(record), "Signature"))
