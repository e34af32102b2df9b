"""The public names of ``irbounds.planning``."""

from ..results import PlannedSample as PlannedSample
from ..results import RecallPlan as RecallPlan
from .recall_plan import widths_by_budget as widths_by_budget
from .recall_plan import widths_by_split as widths_by_split
