"""Assertions about systems, for tests of search engines with pytest or unittest."""

from __future__ import annotations

from typing import Any, Literal

from .errors import IrboundsError
from .results.gate import Gate, gate_lines
from .verbs.gate import gate

__all__ = ["assert_not_worse"]


def assert_not_worse(
    qrels: Any = None,
    old: Any = None,
    new: Any = None,
    *,
    undecided: Literal["pass", "fail"] = "fail",
    **options: Any,
) -> Gate:
    """Check that a new system passes the gate; raise ``AssertionError`` if it does not.

    Parameters
    ----------
    qrels, old, new
        Judgments and two runs, as ``gate`` takes them.
    undecided
        ``"fail"`` raises also where the queries do not decide, ``"pass"`` does not.
    **options
        Options of ``gate``, such as ``measures``, ``margin`` and ``scores``.

    Returns
    -------
    Gate
        The verdict and its numbers.

    Raises
    ------
    AssertionError
        With the lines that ``irbounds gate`` prints.
    DataError
        If a system may not have run.

    Examples
    --------
    >>> old = [0.31, 0.42, 0.11, 0.64, 0.25, 0.50, 0.38, 0.70]
    >>> new = [0.33, 0.41, 0.14, 0.65, 0.25, 0.52, 0.37, 0.72]
    >>> passed = assert_not_worse(scores={"AP": {"old": old, "new": new}}, margin=0.01)
    >>> passed.verdict
    'pass'
    """
    __tracebackhide__ = True
    try:
        result = gate(qrels, old, new, undecided=undecided, **options)
    except IrboundsError as error:
        raise error.with_traceback(None) from None  # one line instead of the source of the package
    if result.status:
        raise AssertionError("\n".join([*gate_lines(result), *result.warnings]))
    return result
