"""Regions of parameters in which axioms hold: intervals with exact ends for threshold axioms, and grids for others."""
