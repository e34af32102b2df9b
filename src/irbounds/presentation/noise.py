from .rounding import NOISE as NOISE
from .rounding import within_noise as within_noise
