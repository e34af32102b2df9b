"""The public names of ``irbounds.corpora``."""

from ..results import CorpusResults as CorpusResults
from ..results import DifferencePrecision as DifferencePrecision
from ..results import ImageSummary as ImageSummary
from ..results import MeasurePrecision as MeasurePrecision
from ..results import QueryPrecision as QueryPrecision
from ..results import RankPrecision as RankPrecision
from ..results import ScorePrecision as ScorePrecision
from ..results import SpreadSummary as SpreadSummary
from ..results import VarianceSplit as VarianceSplit
from .bootstrap import CorpusBootstrap as CorpusBootstrap
