from .intervals import ENDS as ENDS
from .intervals import SIDES as SIDES
from .intervals import end_values as end_values
from .intervals import half_width as half_width
from .intervals import interval_words as interval_words
