"""Public data sets for the replications: their list, local paths and downloads."""

from ..lazy_names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
