"""The public names of ``irbounds.samples``."""

from ..results import RecallEstimate as RecallEstimate
from ..results import Stratum as Stratum
from ..results import TippingPoint as TippingPoint
from .wrong_judgments import tipping_points as tipping_points
