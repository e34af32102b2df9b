"""The public names of ``irbounds.simulation``."""

from .collection_files import write_collection as write_collection
from .simulated_collection import SimulatedCollection as SimulatedCollection
from .simulated_collection import simulate_collection as simulate_collection
