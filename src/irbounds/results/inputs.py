"""What was read, and by which numbers it was put on a scale."""

from __future__ import annotations

from dataclasses import dataclass

SHOWN_DIGITS = 12  # hex digits: enough to tell files apart by eye
SHOWN_SYSTEMS = 5


@dataclass(frozen=True)
class InputFile:
    """An input: its name and the SHA-256 of its content."""

    name: str
    fingerprint: str


@dataclass(frozen=True)
class Standardisation:
    """The standardisation of scores: transform, reference systems and fingerprint of factors."""

    #: ``"z"`` or ``"normal-cdf"``
    transform: str
    systems: tuple[str, ...]
    #: SHA-256 of the factors of the measures at hand
    fingerprint: str


def shown_fingerprint(fingerprint: str) -> str:
    """The beginning of a fingerprint, for people: ``sha256 855e54b0fdbb``."""
    return f"sha256 {fingerprint.removeprefix('sha256:')[:SHOWN_DIGITS]}"


def scale_lines(done: Standardisation | None) -> list[str]:
    """How many reference systems, which factors, and the first names; nothing for raw scores."""
    if done is None:
        return []
    named = ", ".join(done.systems[:SHOWN_SYSTEMS])
    more = ", ..." if len(done.systems) > SHOWN_SYSTEMS else ""
    factors = shown_fingerprint(done.fingerprint)
    return [f"reference systems {len(done.systems):,} (factors {factors}): {named}{more}"]
