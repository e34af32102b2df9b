"""Sample sizes, and the coverage of interval methods, before an experiment."""

from ..lazy_names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
