"""The public names of ``irbounds.cards``."""

from ..results import Card as Card
from ..results import CardComparison as CardComparison
from .comparison import compare_cards as compare_cards
from .files import card_text as card_text
from .files import read_card as read_card
from .files import write_card as write_card
from .result_card import make_card as make_card
