"""Thousands of settings of a metric's parameters by axioms: which hold where, as regions of a grid."""
