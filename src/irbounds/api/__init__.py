"""The verbs a person calls; each reads like the pipeline it is.

Those that work on one stage alone live with it and are gathered here.
"""

from ..cards.card import make_card
from ..cards.comparison import compare_cards
from ..cards.files import card_text, read_card, write_card
from ..comparisons.differences import check_comparison, difference_interval
from ..comparisons.ranks import rank_interval
from ..interval.means import mean_interval
from ..interval.methods import checked_methods
from ..parameters import check_confidence_level
from ..planning.calibration import calibrate
from ..planning.queries import check_query_plan, plan_queries
from ..random_rankings.significance import checked_significance
from ..read.inputs import read_qrels, read_run
from ..read.stream_files import is_stream, stream_files
from ..scores.score_input import read_scores
from ..simulation import simulate_collection, write_collection
from ..standardisation.factors import read_factors, write_factors
from ..standardisation.transforms import score_factors
from ..standardisation.transforms import standardise_scores as standardise
from .chance import (
    chance_levels,
    check_chance_measures,
)
from .images import check_corpus_measures, corpus_bootstrap
from .measure_list import list_measures
from .paper import compare_with_best, paper_table
from .runs import read_runs
from .scoring import check_measures, diagnose_runs, score, tie_effects

__all__ = [
    "calibrate",
    "card_text",
    "chance_levels",
    "check_chance_measures",
    "check_comparison",
    "check_confidence_level",
    "check_corpus_measures",
    "check_measures",
    "check_query_plan",
    "checked_methods",
    "checked_significance",
    "compare_cards",
    "compare_with_best",
    "corpus_bootstrap",
    "diagnose_runs",
    "difference_interval",
    "is_stream",
    "list_measures",
    "make_card",
    "mean_interval",
    "paper_table",
    "plan_queries",
    "rank_interval",
    "read_card",
    "read_factors",
    "read_qrels",
    "read_run",
    "read_runs",
    "read_scores",
    "score",
    "score_factors",
    "simulate_collection",
    "standardise",
    "stream_files",
    "tie_effects",
    "write_card",
    "write_collection",
    "write_factors",
]
