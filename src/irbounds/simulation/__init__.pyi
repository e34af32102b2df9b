"""The public names of ``irbounds.simulation``."""

from .collection import SimulatedCollection as SimulatedCollection
from .collection import simulate_collection as simulate_collection
from .collection_files import write_collection as write_collection
