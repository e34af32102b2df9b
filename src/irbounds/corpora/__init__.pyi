"""The public names of ``irbounds.corpora``."""

from ..results import CorpusResults as CorpusResults
from ..results import DifferencePrecision as DifferencePrecision
from ..results import ImageSummary as ImageSummary
from ..results import RankPrecision as RankPrecision
from ..results import ScorePrecision as ScorePrecision
from ..results import VarianceSplit as VarianceSplit
from .images import CorpusBootstrap as CorpusBootstrap
