"""Read decimal numbers out of text, correctly rounded."""

from __future__ import annotations

import numpy as np

from .jit import jit

# What became of a field.
FINE = 0  # read
HARD = 1  # a number, but not one the short ways below can round: the caller reads it
WRONG = 2  # not a number

PLUS, MINUS, POINT, ZERO, NINE, UPPER_E, LOWER_E = 43, 45, 46, 48, 57, 69, 101

EXACT_POWERS = 10.0 ** np.arange(23)  # the powers of ten that a double holds exactly
MOST_EXACT = np.uint64(2**53)  # integers up to here are exact doubles
MOST_DIGITS = 19  # what always fits in 64 bits
MOST_EXPONENT = 100_000  # a greater one is not counted further, and left to the slow way
SPLITTER = 134217729.0  # 2**27 + 1, Veltkamp


@jit
def divide_rounded(digits: np.uint64, power: float) -> tuple[float, bool]:
    """``digits / power``, correctly rounded, and whether that is certain.

    The quotient is carried as a sum of two doubles (Dekker 1971), good to about 2**-100. It is
    certain where the low part, moved by far more than its error, rounds to the same double.
    """
    high = np.float64(digits)
    below = np.int64(digits - np.uint64(high))
    quotient = high / power
    big = SPLITTER * quotient
    q_high = big - (big - quotient)
    q_low = quotient - q_high
    big = SPLITTER * power
    p_high = big - (big - power)
    p_low = power - p_high
    product = quotient * power
    error = ((q_high * p_high - product) + q_high * p_low + q_low * p_high) + q_low * p_low
    correction = ((high - product) - error + np.float64(below)) / power
    least = quotient + correction * (1.0 - 2.0**-40)
    most = quotient + correction * (1.0 + 2.0**-40)
    return most, least == most


@jit
def parse_float(buffer: np.ndarray, start: int, end: int) -> tuple[float, int]:
    """One number: sign, digits with at most one point, exponent."""
    i = start
    negative = buffer[i] == MINUS
    if negative or buffer[i] == PLUS:
        i += 1
    digits = np.uint64(0)
    n_digits = 0  # significant ones
    n_seen = 0
    exponent = 0
    after_point = False
    written = 0
    while i < end:
        c = buffer[i]
        if ZERO <= c <= NINE:
            n_seen += 1
            if n_digits > 0 or c != ZERO:
                n_digits += 1
            if n_digits <= MOST_DIGITS:
                digits = digits * np.uint64(10) + np.uint64(c - ZERO)
                if after_point:
                    exponent -= 1
        elif c == POINT and not after_point:
            after_point = True
        else:
            break
        i += 1
    if n_seen == 0:
        return 0.0, WRONG
    if i < end:
        if buffer[i] != UPPER_E and buffer[i] != LOWER_E:
            return 0.0, WRONG
        i += 1
        down = i < end and buffer[i] == MINUS
        if i < end and (down or buffer[i] == PLUS):
            i += 1
        if i == end:
            return 0.0, WRONG
        while i < end:
            c = buffer[i]
            if c < ZERO or c > NINE:
                return 0.0, WRONG
            written = min(written * 10 + np.int64(c - ZERO), MOST_EXPONENT)
            i += 1
        exponent += -written if down else written
    value, status = 0.0, FINE
    if n_digits > MOST_DIGITS or written == MOST_EXPONENT:
        status = HARD
    elif digits == 0:
        value = 0.0
    elif digits <= MOST_EXACT and -22 <= exponent <= 22:
        # both operands are exact, so one operation rounds once (Clinger 1990)
        value = np.float64(digits)
        value = value * EXACT_POWERS[exponent] if exponent >= 0 else value / EXACT_POWERS[-exponent]
    elif -22 <= exponent < 0 and digits < np.uint64(2**63):
        value, certain = divide_rounded(digits, EXACT_POWERS[-exponent])
        status = FINE if certain else HARD
    else:
        status = HARD
    return (-value if negative else value), status


@jit
def parse_floats(
    buffer: np.ndarray,
    starts: np.ndarray,
    ends: np.ndarray,
    values: np.ndarray,
    status: np.ndarray,
) -> int:
    """Read a column of numbers; returns how many were not ``FINE``."""
    n_left = 0
    for i in range(starts.size):
        values[i], status[i] = parse_float(buffer, starts[i], ends[i])
        if status[i] != FINE:
            n_left += 1
    return n_left


@jit
def parse_integers(
    buffer: np.ndarray,
    starts: np.ndarray,
    ends: np.ndarray,
    values: np.ndarray,
    status: np.ndarray,
) -> int:
    """Read a column of whole numbers of at most nine digits; returns how many were ``WRONG``."""
    n_wrong = 0
    for i in range(starts.size):
        j = starts[i]
        negative = buffer[j] == MINUS
        if negative or buffer[j] == PLUS:
            j += 1
        value = 0
        fine = 0 < ends[i] - j <= 9
        while fine and j < ends[i]:
            c = buffer[j]
            fine = ZERO <= c <= NINE
            value = value * 10 + np.int64(c - ZERO)
            j += 1
        values[i] = -value if negative else value
        status[i] = FINE if fine else WRONG
        if not fine:
            n_wrong += 1
    return n_wrong
