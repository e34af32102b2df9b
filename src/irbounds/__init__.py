"""Honest uncertainty for information-retrieval evaluation.

The names below load what they need when they are first used: ``import irbounds`` alone loads
neither numba nor polars.
"""

from .lazy_names import attach

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = attach(__name__, __file__)
