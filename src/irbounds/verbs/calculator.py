"""``calculator``: a page that computes recall from samples in a browser."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..requests.request import Request
from ..requests.verb import verb
from ..results.result import Answer

if TYPE_CHECKING:
    from ..reports.calculator import Calculator


@dataclass(frozen=True, kw_only=True)
class CalculatorRequest(Request):
    """``calculator`` has no options of its own."""


@verb(
    CalculatorRequest,
    group="Audit recall",
    docs="calculator",
    shows=("calculator",),
    is_parallel=False,
    examples=(
        "irbounds calculator",
        "irbounds calculator -o recall.html --open",
        "irbounds recall --check recall-record.json",
        "pdftotext signed.pdf - | irbounds recall --check -",
    ),
)
def calculator(request: CalculatorRequest) -> Answer[Calculator]:
    """Write a page that computes recall in a browser.

    One HTML file for people without a terminal: counts, claim and matter are typed in, and verdict,
    limits, tipping points and the sentence to quote are shown at once. It needs no network. Its
    numbers are those of recall. Printed, it is a page to sign, with a record that recall --check
    verifies.

    Returns
    -------
    Calculator
        ``.save("recall.html")`` writes the page; ``.html`` is its text.

    Examples
    --------
    >>> import irbounds
    >>> page = irbounds.calculator()
    >>> page.html.startswith("<!DOCTYPE html>")
    True
    """
    from ..reports.calculator import make_calculator

    return Answer(make_calculator())
