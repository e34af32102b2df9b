"""The public names of ``irbounds.samples``."""

from ..reading.strata_sheet import read_samples as read_samples
from ..results import RecallEstimate as RecallEstimate
from ..results import Sample as Sample
from ..results import Stratum as Stratum
from ..results import TippingPoint as TippingPoint
from .documents import sampled_strata as sampled_strata
from .recall_intervals import all_recall_intervals as all_recall_intervals
from .recall_intervals import recall_interval as recall_interval
from .recall_intervals import sample_estimates as sample_estimates
from .wrong_judgments import tipping_points as tipping_points
