"""The public names of ``irbounds.standardisation``."""

from ..results import Standardisation as Standardisation
from .factors import Factors as Factors
from .factors import read_factors as read_factors
from .factors import write_factors as write_factors
from .transforms import score_factors as score_factors
from .transforms import standardise_scores as standardise_scores
