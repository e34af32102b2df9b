"""Precision of measurements on a corpus, from images of it (Zobel and Rashidi 2020)."""

from ..lazy_names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
