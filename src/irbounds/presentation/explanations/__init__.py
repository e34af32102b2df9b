"""What results mean and what they do not, in plain sentences, and the papers behind the methods.

A topic is a kind of result (``"mean-interval"``) or the name of a method as commands spell it
(``"studentised-logit"``, ``"holm"``). A page collects the explanations of its sections' topics.
Where two commands have a method of one name (``"normal"``, ``"monte-carlo"``), its sentences are
true of both, and speak of neither.
"""

from __future__ import annotations

from collections.abc import Sequence

from .chance import CHANCE
from .corpus import CORPUS
from .explanation import Explanation
from .inputs import INPUTS
from .means import MEANS
from .means_methods import MEANS_METHODS
from .recall import RECALL
from .recall_methods import RECALL_METHODS
from .references import REFERENCES
from .significance import SIGNIFICANCE

__all__ = ["EXPLANATIONS", "REFERENCES", "Explanation", "references_of"]

EXPLANATIONS: dict[str, Explanation] = {
    **INPUTS,
    **MEANS,
    **MEANS_METHODS,
    **SIGNIFICANCE,
    **CORPUS,
    **RECALL,
    **RECALL_METHODS,
    **CHANCE,
}


def references_of(topics: Sequence[str]) -> list[str]:
    """The papers behind the topics, each once, by name."""
    keys = {key for topic in topics for key in EXPLANATIONS[topic].references}
    return sorted(REFERENCES[key] for key in keys)
