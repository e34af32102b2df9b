"""Simulated collections, whose true values are known."""

from ..lazy_names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
