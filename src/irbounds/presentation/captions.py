from .words import caption_of as caption_of
from .words import drawn as drawn
