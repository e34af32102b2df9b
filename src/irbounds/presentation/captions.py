"""What stands below a table: parts of one line, of which any may be missing."""

from __future__ import annotations

__all__ = ["caption_of", "drawn"]


def caption_of(*parts: str) -> str:
    """All parts that say something."""
    return "; ".join(part for part in parts if part)


def drawn(n: int | None, what: str, seed: int | None = None) -> str:
    """``9,999 resamples, seed 0``; nothing where nothing was drawn."""
    if not n:
        return ""
    return f"{n:,} {what}" if seed is None else f"{n:,} {what}, seed {seed}"
