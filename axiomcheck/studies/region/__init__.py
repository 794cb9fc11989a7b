"""Regions of parameters in which axioms hold: intervals with exact ends for threshold axioms, and grids for others."""

from axiomcheck.studies.region.axes import Axis, axis_of, read_axis
from axiomcheck.studies.region.decide import Regions, regions_of
from axiomcheck.studies.region.result import End, Region, RegionCell, RegionPiece, SettingsGrid

__all__ = [
    "Axis",
    "End",
    "Region",
    "RegionCell",
    "RegionPiece",
    "Regions",
    "SettingsGrid",
    "axis_of",
    "read_axis",
    "regions_of",
]
