"""Scores standardised by reference systems, query by query, and their factors."""

from ..lazy_names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
