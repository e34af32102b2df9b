"""Results: frozen records of numbers, their inputs and how to show them."""

from ..lazy_names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
