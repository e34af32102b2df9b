"""Recall, precision and yield from random samples of assessed documents."""

from ..lazy_names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
