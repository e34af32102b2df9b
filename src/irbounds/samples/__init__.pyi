"""The public names of ``irbounds.samples``."""

from ..reading.strata_sheet import read_samples as read_samples
from ..results import RecallEstimate as RecallEstimate
from ..results import Sample as Sample
from ..results import Stratum as Stratum
from ..results import TippingPoints as TippingPoints
from .documents import sampled_strata as sampled_strata
from .recall_intervals import all_recall_intervals as all_recall_intervals
from .recall_intervals import elusion_interval as elusion_interval
from .recall_intervals import f_interval as f_interval
from .recall_intervals import precision_interval as precision_interval
from .recall_intervals import prevalence_interval as prevalence_interval
from .recall_intervals import recall_interval as recall_interval
from .recall_intervals import sample_estimates as sample_estimates
from .recall_intervals import yield_interval as yield_interval
from .wrong_judgments import tipping_points as tipping_points
