"""Run user-written metrics in exact arithmetic, by recompiling their source to use exact numbers.

`reading` recompiles the source, `stand_ins` provides replacements for NumPy and math, `same_reading` checks that both
versions define the same function, and `running` calls the recompiled function and converts its scores to axiomcheck's
arithmetic.
"""
