"""The interval methods by name, with the inputs that each needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from ..errors import ParameterError, quote, quote_several
from ..results.interval import Limits
from ..validation import check_choice
from .bca import bca
from .binary_scores import clopper_pearson
from .logit_t import logit_t
from .moderated_wilson import moderated_wilson
from .normal import normal
from .percentile import percentile
from .sample import Sample
from .student_t import student_t
from .studentised_logit import studentised_logit


@dataclass(frozen=True)
class Method:
    """An interval method and the inputs that it needs."""

    fit: Callable[[Sample], Limits]
    needs_bootstrap: bool = False
    needs_bounds: bool = False
    needs_prior: bool = False
    needs_binary: bool = False
    needs_sigma: bool = False


METHODS: dict[str, Method] = {
    "normal": Method(normal, needs_sigma=True),
    "student-t": Method(student_t),
    "logit-t": Method(logit_t, needs_bounds=True),
    "moderated-wilson": Method(moderated_wilson, needs_bounds=True, needs_prior=True),
    "clopper-pearson": Method(clopper_pearson, needs_binary=True),
    "percentile": Method(percentile, needs_bootstrap=True),
    "bca": Method(bca, needs_bootstrap=True),
    "studentised-logit": Method(studentised_logit, needs_bootstrap=True, needs_bounds=True),
}


def check_methods(method: Any) -> list[str]:
    """Return the names of one or several methods; an empty list for the default."""
    if method is None:
        return []
    try:
        methods = [method] if isinstance(method, str) else list(method)
    except TypeError:
        raise ParameterError(f"method must be the name of a method; got {quote(method)}") from None
    for name in methods:
        check_choice("method", name, METHODS)
        if methods.count(name) > 1:
            raise ParameterError(f"method {name!r} is given twice")
    return methods


def refuse_unused_prior(prior_variance: Any, methods: Iterable[str]) -> None:
    """Raise ``ParameterError`` for a prior variance that none of the methods uses."""
    names = dict.fromkeys(methods)
    if prior_variance is not None and not any(METHODS[name].needs_prior for name in names):
        raise ParameterError(
            f"prior_variance is for moderated methods only, not for {quote_several(names)}; the "
            "default is a moderated method for scores other than 0 and 1 with known bounds"
        )
