"""What ``irbounds recall`` is to estimate, checked before anything is read, and the estimates."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import ParameterError
from ..parameters import Alternative as AlternativeName
from ..parameters import check_confidence_level

if TYPE_CHECKING:
    from ..results import RecallEstimate, Sample

DEFAULT_METHOD = "beta-binomial"
RECALL = "recall"
QUANTITIES = (RECALL, "precision", "F", "yield", "prevalence", "elusion")
F_OF_BETA = re.compile(r"f(\d+(?:\.\d+)?)", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True)
class RecallWishes:
    """What is to be estimated, and how."""

    all_methods: bool
    quantities: tuple[str, ...]
    beta: float
    method: str
    prior: str | None
    confidence_level: float
    alternative: AlternativeName
    cap_at_one: bool
    n_draws: int
    seed: int


def quantity_named(text: str, beta: float) -> str:
    """A quantity in any case; F1 is F, unless another weight is asked for."""
    known = {name.lower(): name for name in QUANTITIES}
    if text.lower() in known:
        return known[text.lower()]
    weighed = F_OF_BETA.fullmatch(text)
    if weighed is None:
        raise ParameterError(f"--quantity must be one of {', '.join(QUANTITIES)}; got {text!r}")
    if float(weighed[1]) == beta == 1:
        return "F"
    raise ParameterError(
        f"--quantity {text}: --beta gives the weight of F; write --quantity F --beta {weighed[1]}"
    )


def check_wishes(wishes: RecallWishes) -> None:
    """Options that need each other; said before anything is read."""
    check_confidence_level(wishes.confidence_level)
    if wishes.all_methods:
        if set(wishes.quantities) - {RECALL}:
            raise ParameterError("--all-methods is about recall: leave --quantity out")
        if wishes.method != DEFAULT_METHOD or wishes.prior is not None:
            raise ParameterError("--all-methods takes the place of --method and --prior")
    if wishes.beta != 1 and wishes.quantities and "F" not in wishes.quantities:
        raise ParameterError(f"--beta is for --quantity F; got {wishes.beta:g} without it")


def estimated(samples: Sequence[Sample], wishes: RecallWishes) -> list[tuple[RecallEstimate, ...]]:
    """The results of each sample; one alone takes no time worth a bar."""
    from ..presentation.terminal import progress

    if len(samples) == 1:
        return [_of_sample(samples[0], wishes, is_one_of_many=False)]
    with progress("computing posteriors", len(samples)) as step:
        found = []
        for sample in samples:
            found.append(_of_sample(sample, wishes, is_one_of_many=True))
            step()
        return found


def _of_sample(
    sample: Sample, wishes: RecallWishes, *, is_one_of_many: bool
) -> tuple[RecallEstimate, ...]:
    from ..samples import all_recall_intervals, sample_estimates

    if wishes.all_methods:
        return all_recall_intervals(
            sample,
            confidence_level=wishes.confidence_level,
            alternative=wishes.alternative,
            cap_at_one=wishes.cap_at_one,
        )
    default = (RECALL,) if is_one_of_many else QUANTITIES
    found = sample_estimates(
        sample,
        quantities=wishes.quantities or default,
        beta=wishes.beta,
        method=wishes.method,
        prior=wishes.prior,
        confidence_level=wishes.confidence_level,
        alternative=wishes.alternative,
        cap_at_one=wishes.cap_at_one,
        n_draws=wishes.n_draws,
        rng=wishes.seed,
    )
    if len(found) < len(wishes.quantities):
        has = ", ".join(one.quantity for one in found)
        raise ParameterError(f"--method {wishes.method} has, of these, only {has}")
    return found
