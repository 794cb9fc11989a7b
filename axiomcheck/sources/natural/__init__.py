"""Metrics as people write them, run exactly: their own source read again over exact numbers.

`reading` reads a file's source a second time, `stand_ins` are what its numpy and math are then, `same_reading` checks
that both readings are of one function, `running` runs it and hands back what axiomcheck's arithmetic has.
"""
