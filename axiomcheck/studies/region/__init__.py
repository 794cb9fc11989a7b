"""For which parameters a constraint holds: exact ends where there is one parameter, certified cells elsewhere."""

from axiomcheck.studies.region.axes import Axis, read_axis
from axiomcheck.studies.region.decide import region_of
from axiomcheck.studies.region.result import Cell, End, Piece, Region

__all__ = ["Axis", "Cell", "End", "Piece", "Region", "read_axis", "region_of"]
