"""Find the parameter values for which axioms hold: exact intervals for threshold axioms, grids for others."""
