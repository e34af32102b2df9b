"""Calls of ``irbounds.recall`` with strata, or with counts of segments that may be assessable."""

from __future__ import annotations

from typing import Any

import irbounds
from irbounds.results import Stratum


def segments(retrieved: Any, unretrieved: Any) -> tuple[Stratum, Stratum]:
    """Return one stratum per segment, from documents, sampled, relevant[, assessable]."""
    return (
        Stratum("retrieved", True, *retrieved),
        Stratum("unretrieved", False, *unretrieved),
    )


def estimate_all(strata: Any = None, *, quantity: Any = None, **options: Any) -> Any:
    """Return several quantities, by default all that the method provides."""
    if strata is None:
        strata = segments(options.pop("retrieved"), options.pop("unretrieved"))
    return irbounds.recall(strata, quantity=quantity, **options)


def estimate_recall(strata: Any = None, **options: Any) -> Any:
    """Return the estimate of recall."""
    return estimate_all(strata, quantity="recall", **options)[0]
