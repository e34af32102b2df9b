"""The public names of ``irbounds.planning``."""

from ..results import PlannedSample as PlannedSample
from ..results import QueryPlan as QueryPlan
from ..results import RangePoint as RangePoint
from ..results import RecallPlan as RecallPlan
from ..results import Reliability as Reliability
from ..results import ReliabilityPlan as ReliabilityPlan
from ..results import RequiredQueries as RequiredQueries
from ..results import SystemsPlan as SystemsPlan
from ..results import VarianceComponent as VarianceComponent
from ..results import WidthPoint as WidthPoint
from .recall_plan import widths_by_budget as widths_by_budget
from .recall_plan import widths_by_split as widths_by_split
