"""Whether work fits into memory, asked before it starts.

A limit is what this process may come to occupy: the program, what was read, what is kept and what
each thread works in. Workers of a cluster have limits of their own, which their administrators set.

Two kinds of answers. How much of a result is kept may depend on the limit that was given, and then
on nothing else: what the program takes is a fixed sum there (``room``). Whether work is refused,
and on how many threads it runs, changes no number, and goes by what the process occupies at that
moment (``left_now``). Where nobody gave a limit, it is what the machine has, or the container.

Within a unit nothing is refused: what units take was asked for before the first of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from ..errors import ParameterError
from .execution import current, using
from .machine import NO_LIMIT, machine_memory, resident
from .sizes import PROGRAM, shown_bytes

TRIFLE = 32 << 20  # bytes that are not worth asking for
#: how to set another limit, for all errors that are raised for want of memory
ALLOW_MORE = "allow more with --memory (in Python irbounds.execution(memory=...))"


def room(otherwise: int) -> int:
    """Bytes that work may take: what the execution's memory leaves, or ``otherwise``.

    What the program itself takes is a fixed sum and not looked up: results may depend on what fits,
    and must not depend on the moment. ``otherwise`` is never more than the machine has.
    """
    allowed = current().memory
    if allowed is None:
        return min(otherwise, max(machine_memory() - PROGRAM, 0))
    return max(allowed - PROGRAM, 0)


def left_now() -> int:
    """Bytes that the process may take in addition to what it occupies, or will before any work."""
    how = current()
    if how.within_unit:
        return NO_LIMIT
    return max((how.memory or machine_memory()) - max(resident(), PROGRAM), 0)


@contextmanager
def fitting(what: str, *, kept: float, each_thread: float = 0, advice: str) -> Iterator[None]:
    """Work on as many threads as fit; raise ``ParameterError`` where not even one does.

    ``kept`` is what all threads need together, in bytes.
    """
    how = current()
    if kept + each_thread * how.n_threads < TRIFLE:
        yield
        return
    available = left_now()
    check_fits(what, kept + (0 if how.is_elsewhere else each_thread), available, advice)
    with threads_within(available - kept, each_thread):
        yield


@contextmanager
def threads_within(available: float, needed_each: float) -> Iterator[None]:
    """Work on no more threads than fit into memory, on one at least."""
    how = current()
    if how.is_elsewhere:
        yield
        return
    fit = max(int(available // max(needed_each, 1)), 1)
    with using(replace(how, threads=min(fit, how.n_threads))):
        yield


def check_fits(what: str, needed: float, available: int, advice: str) -> None:
    """Raise ``ParameterError`` where work needs more bytes than it may take."""
    if needed > available:
        raise ParameterError(
            f"{what}: at least {shown_bytes(needed)} of memory, and {shown_bytes(available)} may "
            f"be taken; {advice}, or {_enough(needed - available, available)}"
        )


def _enough(lacking: float, available: int) -> str:
    """Say how to allow more, and what is enough; a machine may have less than that."""
    limit = current().memory or available + PROGRAM
    enough = 1.02 * (limit + lacking)  # as it is rounded when it is shown
    has = machine_memory()
    here = "" if enough <= has else f", of which this machine has {shown_bytes(has)}"
    return f"{ALLOW_MORE}: {shown_bytes(enough)}{here}"


def check_fits_now(what: str, needed: float, advice: str) -> None:
    """Raise ``ParameterError`` where work needs more than the process may take in addition."""
    if needed > TRIFLE:
        check_fits(what, needed, left_now(), advice)
