"""All targets by name, and how many cases each gets."""

from __future__ import annotations

from .commands import COMMAND_LINES
from .readers import READERS
from .requests import REQUESTS
from .saved import SAVED
from .verbs import VERBS

TARGETS = {**READERS, **SAVED, **VERBS, **REQUESTS, **COMMAND_LINES}
#: shares of a run, where one target costs more time than others; 1 elsewhere
WEIGHTS = {
    **{
        "command line": 0.1,
        "corpus_bootstrap": 0.2,
    },
    **{
        "score, check, chance": 0.2,
        "plan_queries": 0.3,
        "plan_systems": 0.2,
    },
    **{"recall_interval and relatives": 0.3, "difference_interval": 0.3},
    **{"requests that are run": 0.2},
}
