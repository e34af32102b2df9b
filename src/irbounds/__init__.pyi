"""The public names of irbounds, each with the module that defines it."""

from . import corpora as corpora
from . import errors as errors
from . import random_rankings as random_rankings
from . import results as results
from . import samples as samples
from . import testing as testing
from .comparisons.differences import difference_interval as difference_interval
from .comparisons.pyterrier import pyterrier_test as pyterrier_test
from .comparisons.ranks import rank_interval as rank_interval
from .errors import IrboundsError as IrboundsError
from .intervals.means import mean_interval as mean_interval
from .parallel import execution as execution
from .random_rankings.distribution import expected_score as expected_score
from .reading.qrels_and_runs import read_qrels as read_qrels
from .reading.qrels_and_runs import read_run as read_run
from .reading.qrels_and_runs import read_runs as read_runs
from .reading.records import Qrels as Qrels
from .reading.records import Run as Run
from .reports.assembly import Report as Report
from .results import Results as Results
from .scores.score_input import read_scores as read_scores
from .scores.score_table import ScoreTable as ScoreTable
from .scores.scoring import score as score
from .verbs.ap import ap as ap
from .verbs.chance import chance as chance
from .verbs.check import check as check
from .verbs.compare import compare as compare
from .verbs.corpus import corpus as corpus
from .verbs.draw import draw as draw
from .verbs.evaluate import evaluate as evaluate
from .verbs.gate import gate as gate
from .verbs.measures import measures as measures
from .verbs.plan_queries import plan_queries as plan_queries
from .verbs.plan_recall import plan_recall as plan_recall
from .verbs.rank import rank as rank
from .verbs.recall import recall as recall
from .verbs.report import report as report
from .verbs.simulate import simulate as simulate
from .verbs.standardise import standardise as standardise

__version__: str
