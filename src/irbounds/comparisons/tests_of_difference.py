"""The tests by name."""

from __future__ import annotations

from collections.abc import Callable

from .bootstrap_test import bootstrap_test
from .paired_t import paired_t
from .pairs import Pairs
from .plan import Plan, PValues
from .sign_flip import sign_flip
from .wilcoxon import wilcoxon

TESTS: dict[str, Callable[[Pairs, Plan], PValues]] = {
    "t": paired_t,
    "sign-flip": sign_flip,
    "wilcoxon": wilcoxon,
    "bootstrap": bootstrap_test,
}
