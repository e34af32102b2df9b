"""Result cards: published means that others can compare theirs with."""

from ..lazy_names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
