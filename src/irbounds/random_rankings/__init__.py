"""Scores of random rankings: expectation, variance, distribution and p-values."""

from ..lazy_names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
