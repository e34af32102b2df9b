"""Collections made up, so that their truth is known."""

from __future__ import annotations

from .collection import SimulatedCollection, SimulationPlan, simulate_collection
from .write import write_collection

__all__ = ["SimulatedCollection", "SimulationPlan", "simulate_collection", "write_collection"]
