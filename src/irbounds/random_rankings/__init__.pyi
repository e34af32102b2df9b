"""The public names of ``irbounds.random_rankings``."""

from ..results import ChanceLevel as ChanceLevel
from ..results import NullDistribution as NullDistribution
from ..results import QueryChance as QueryChance
from .corrected import corrected_score as corrected_score
from .distribution import null_distribution as null_distribution
from .distribution import p_value as p_value
from .distribution import score_range as score_range
from .moments import expected_score as expected_score
from .moments import score_variance as score_variance
