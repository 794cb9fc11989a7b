"""Find the parameter values for which axioms hold: intervals with exact ends for threshold axioms, grids for others."""
