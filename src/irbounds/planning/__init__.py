"""Sample sizes before an experiment, and the coverage of recall methods."""

from ..lazy_names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
