"""The public names of ``irbounds.random_rankings``."""

from ..results import ChanceLevel as ChanceLevel
from ..results import NullDistribution as NullDistribution
from ..results import QueryChance as QueryChance
from .distribution import expected_score as expected_score
from .distribution import null_distribution as null_distribution
from .distribution import score_variance as score_variance
