"""Cut lines of text into fields."""

from __future__ import annotations

import numpy as np

from .jit import jit

NEWLINE = 10
COMMENT = 35  # '#'
BLANK, TAB, RETURN = 32, 9, 13  # C's white space: the blank, and tab to carriage return


@jit
def is_blank(byte: int) -> bool:
    """Whether a byte separates fields."""
    return byte <= BLANK and (byte == BLANK or TAB <= byte <= RETURN)  # mostly one comparison


@jit
def split_fields(
    buffer: np.ndarray,
    starts: np.ndarray,
    ends: np.ndarray,
    lines: np.ndarray,
    bad_lines: np.ndarray,
    bad_counts: np.ndarray,
) -> tuple[int, int, int]:
    """Find the fields of every line; ``starts`` and ``ends`` are fields x lines.

    Blank lines and lines that start with ``#`` are passed over. A line with another number of
    fields than asked for goes to ``bad_lines`` with its count, as long as there is room there.

    Returns the numbers of records, of lines, and of bad lines.
    """
    n_fields = starts.shape[0]
    size = buffer.size
    record = 0
    line = 0
    n_bad = 0
    i = 0
    while i < size:
        n_found = 0
        if buffer[i] == COMMENT:
            while i < size and buffer[i] != NEWLINE:
                i += 1
        while i < size and buffer[i] != NEWLINE:
            if is_blank(buffer[i]):
                i += 1
                continue
            start = i
            while i < size and not is_blank(buffer[i]):
                i += 1
            if n_found < n_fields:
                starts[n_found, record] = start
                ends[n_found, record] = i
            n_found += 1
        i += 1
        if n_found == n_fields:
            lines[record] = line
            record += 1
        elif n_found > 0:
            if n_bad < bad_lines.size:
                bad_lines[n_bad] = line
                bad_counts[n_bad] = n_found
            n_bad += 1
        line += 1
    return record, line, n_bad
