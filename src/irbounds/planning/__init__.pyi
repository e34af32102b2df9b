"""The public names of ``irbounds.planning``."""

from ..results import CalibrationRow as CalibrationRow
from ..results import PlannedSample as PlannedSample
from ..results import QueryPlan as QueryPlan
from ..results import RecallCoverage as RecallCoverage
from ..results import RecallCoverageRow as RecallCoverageRow
from ..results import RecallPlan as RecallPlan
from ..results import RecallRealisation as RecallRealisation
from ..results import WidthPoint as WidthPoint
from .recall_plan import widths_by_budget as widths_by_budget
from .recall_plan import widths_by_split as widths_by_split
from .recall_scenarios import RecallDesign as RecallDesign
from .recall_simulation import recall_coverage as recall_coverage
