"""Which scale standardised scores are on, in a line."""

from __future__ import annotations

from ..results import Standardisation, shown_fingerprint

__all__ = ["scale_lines"]

SHOWN_SYSTEMS = 5


def scale_lines(done: Standardisation | None) -> list[str]:
    """How many reference systems, which factors, and the first names; nothing for raw scores."""
    if done is None:
        return []
    named = ", ".join(done.systems[:SHOWN_SYSTEMS])
    more = ", ..." if len(done.systems) > SHOWN_SYSTEMS else ""
    factors = shown_fingerprint(done.fingerprint)
    return [f"reference systems {len(done.systems):,} (factors {factors}): {named}{more}"]
