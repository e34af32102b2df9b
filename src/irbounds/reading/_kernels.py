"""Kernels that cut text into fields, read numbers, and number ids."""

from __future__ import annotations

import numpy as np

from ..kernels.jit import jit

NEWLINE = 10
COMMENT = 35  # '#'
SPACE, TAB, RETURN = 32, 9, 13  # C's white space: the space, and tab to carriage return


@jit
def is_space(byte: int) -> bool:
    """Return whether a byte separates fields."""
    return byte <= SPACE and (byte == SPACE or TAB <= byte <= RETURN)  # mostly one comparison


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

    Empty lines and lines that start with ``#`` are skipped. The number of each line with too few or
    too many fields is written to ``bad_lines`` and its field count to ``bad_counts``, as long as
    there is room.

    Returns the numbers of records, of lines, and of bad lines.
    """
    n_fields = starts.shape[0]
    size = buffer.size
    record = 0
    line = 0
    n_bad = 0
    i = 0
    while i < size:
        n_cut = 0
        if buffer[i] == COMMENT:
            while i < size and buffer[i] != NEWLINE:
                i += 1
        while i < size and buffer[i] != NEWLINE:
            if is_space(buffer[i]):
                i += 1
                continue
            start = i
            while i < size and not is_space(buffer[i]):
                i += 1
            if n_cut < n_fields:
                starts[n_cut, record] = start
                ends[n_cut, record] = i
            n_cut += 1
        i += 1
        if n_cut == n_fields:
            lines[record] = line
            record += 1
        elif n_cut > 0:
            if n_bad < bad_lines.size:
                bad_lines[n_bad] = line
                bad_counts[n_bad] = n_cut
            n_bad += 1
        line += 1
    return record, line, n_bad


# Decimal numbers, correctly rounded. The status of a field:
FINE = 0  # parsed
HARD = 1  # a number that the fast methods below cannot round for certain; the caller parses it
WRONG = 2  # not a number

PLUS, MINUS, POINT, ZERO, NINE, UPPER_E, LOWER_E = 43, 45, 46, 48, 57, 69, 101

EXACT_POWERS = 10.0 ** np.arange(23)  # the powers of ten that a double holds exactly
MAX_EXACT = np.uint64(2**53)  # integers up to this one are exact doubles
MAX_DIGITS = 19  # numbers of this many digits fit in 64 bits
MAX_EXPONENT = 100_000  # numbers with a greater one are left to the caller
SPLITTER = 134217729.0  # 2**27 + 1, Veltkamp


@jit
def divide_rounded(digits: np.uint64, power: float) -> tuple[float, bool]:
    """Return ``digits / power``, correctly rounded, and whether that is certain.

    The quotient is computed as a sum of two doubles (Dekker 1971), with a relative error of about
    2**-100. It is certain if the low part, changed by far more than its error in either direction,
    rounds to the same double.
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
    """Return a number (sign, digits with at most one point, exponent) and its status."""
    i = start
    negative = buffer[i] == MINUS
    if negative or buffer[i] == PLUS:
        i += 1
    digits = np.uint64(0)
    n_digits = 0  # significant digits
    n_any = 0  # with leading zeros
    exponent = 0
    after_point = False
    explicit_exponent = 0
    while i < end:
        c = buffer[i]
        if ZERO <= c <= NINE:
            n_any += 1
            if n_digits > 0 or c != ZERO:
                n_digits += 1
            if n_digits <= MAX_DIGITS:
                digits = digits * np.uint64(10) + np.uint64(c - ZERO)
                if after_point:
                    exponent -= 1
        elif c == POINT and not after_point:
            after_point = True
        else:
            break
        i += 1
    if n_any == 0:
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
            explicit_exponent = min(explicit_exponent * 10 + np.int64(c - ZERO), MAX_EXPONENT)
            i += 1
        exponent += -explicit_exponent if down else explicit_exponent
    value, status = 0.0, FINE
    if n_digits > MAX_DIGITS or explicit_exponent == MAX_EXPONENT:
        status = HARD
    elif digits == 0:
        value = 0.0
    elif digits <= MAX_EXACT and -22 <= exponent <= 22:
        # both operands are exact, so the result is rounded once (Clinger 1990)
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
    """Parse a column of numbers; return how many were not ``FINE``."""
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
    """Parse a column of integers of at most nine digits; return how many were ``WRONG``."""
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


# Ids as integers: a hash table of byte strings with linear probing.
#
# ``text`` holds the distinct ids without separators. Id ``k`` begins at ``offsets[k]``, ends before
# ``offsets[k + 1]`` and has the hash ``hashes[k]``. The length of ``slots`` is a power of two, at
# least twice the number of ids. A free slot is -1. In any other slot, the low half is the number of
# the id and the high half a part of its hash. So the slot alone nearly always shows that it holds
# another id, without an access to the text, which would be one or two cache misses.

FNV_OFFSET = np.uint64(14695981039346656037)
FNV_PRIME = np.uint64(1099511628211)
HALF = np.uint64(32)
NUMBER = np.int64(2**32 - 1)
TAG = np.int64((2**31 - 1) << 32)


@jit
def hash_bytes(buffer: np.ndarray, start: int, end: int) -> np.uint64:
    """Return FNV-1a with the high half folded in, since the low bits choose the slot."""
    value = FNV_OFFSET
    for i in range(start, end):
        value = (value ^ np.uint64(buffer[i])) * FNV_PRIME
    return value ^ (value >> HALF)


@jit
def same_bytes(
    a: np.ndarray, start_a: int, end_a: int, b: np.ndarray, start_b: int, end_b: int
) -> bool:
    """Return whether two ranges of bytes are equal."""
    if end_a - start_a != end_b - start_b:
        return False
    for i in range(end_a - start_a):
        if a[start_a + i] != b[start_b + i]:
            return False
    return True


@jit
def find_slot(
    buffer: np.ndarray,
    start: int,
    end: int,
    hashed: np.uint64,
    text: np.ndarray,
    offsets: np.ndarray,
    slots: np.ndarray,
) -> int:
    """Return the slot that holds this id, or the free slot where it belongs."""
    mask = slots.size - 1
    tag = np.int64(hashed) & TAG
    slot = np.int64(hashed) & mask
    while slots[slot] >= 0:
        if slots[slot] & TAG == tag:
            k = slots[slot] & NUMBER
            if same_bytes(buffer, start, end, text, offsets[k], offsets[k + 1]):
                break
        slot = (slot + 1) & mask
    return slot


@jit
def intern_ids(
    buffer: np.ndarray,
    starts: np.ndarray,
    ends: np.ndarray,
    text: np.ndarray,
    offsets: np.ndarray,
    hashes: np.ndarray,
    slots: np.ndarray,
    n_ids: int,
    is_grouped: bool,
    numbers: np.ndarray,
) -> int:
    """Write every id's number to ``numbers``, adding new ids; return the number of distinct ids.

    The arrays have room for as many new ids as there are fields. ``is_grouped`` says that most ids
    equal the one before, as query ids do; then the one before is compared first.
    """
    for i in range(starts.size):
        start = starts[i]
        end = ends[i]
        if (
            is_grouped
            and i > 0
            and same_bytes(buffer, start, end, buffer, starts[i - 1], ends[i - 1])
        ):
            numbers[i] = numbers[i - 1]
            continue
        hashed = hash_bytes(buffer, start, end)
        slot = find_slot(buffer, start, end, hashed, text, offsets, slots)
        if slots[slot] < 0:
            begin = offsets[n_ids]
            for j in range(end - start):
                text[begin + j] = buffer[start + j]
            offsets[n_ids + 1] = begin + end - start
            hashes[n_ids] = hashed
            slots[slot] = (np.int64(hashed) & TAG) | n_ids
            n_ids += 1
        numbers[i] = slots[slot] & NUMBER
    return n_ids


@jit
def place_ids(hashes: np.ndarray, n_ids: int, slots: np.ndarray) -> None:
    """Fill an empty table with the first ``n_ids`` ids, all distinct."""
    mask = slots.size - 1
    for k in range(n_ids):
        slot = np.int64(hashes[k]) & mask
        while slots[slot] >= 0:
            slot = (slot + 1) & mask
        slots[slot] = (np.int64(hashes[k]) & TAG) | k


@jit
def find_ids(
    sought: np.ndarray,
    bounds: np.ndarray,
    sought_hashes: np.ndarray,
    text: np.ndarray,
    offsets: np.ndarray,
    slots: np.ndarray,
    numbers: np.ndarray,
) -> None:
    """Write the number that each sought id has in the table, or -1, to ``numbers``."""
    for i in range(bounds.size - 1):
        hashed = sought_hashes[i]
        slot = find_slot(sought, bounds[i], bounds[i + 1], hashed, text, offsets, slots)
        numbers[i] = -1 if slots[slot] < 0 else slots[slot] & NUMBER
