"""``irbounds simulate``: a collection with a known truth, as files."""

from __future__ import annotations

__all__ = ["EXAMPLES", "simulate"]

EXAMPLES = ""


def simulate() -> None:
    """Write a collection."""
