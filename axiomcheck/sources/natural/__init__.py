"""Metrics as people write them, run exactly: their own source read again over exact numbers.

`reading` reads a file's source a second time, `arrays`, `numpy_names` and `math_names` are what its numpy and math are
then, `running` runs a function so and hands back what axiomcheck's arithmetic has.
"""
