"""For which parameters an axiom holds: exact ends where there is one parameter, certified cells elsewhere."""

from axiomcheck.studies.region.axes import Axis, axis_of, read_axis
from axiomcheck.studies.region.decide import region_of
from axiomcheck.studies.region.result import End, Region, RegionCell, RegionPiece

__all__ = ["Axis", "End", "Region", "RegionCell", "RegionPiece", "axis_of", "read_axis", "region_of"]
