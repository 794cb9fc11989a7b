"""Python functions `check`, `matrix`, `prove`, `region`, `gate` and `score`, each in a module of its own.

Each function does what the command of the same name does, with the same option names and defaults. The functions accept
names, metrics and functions, and return subclasses of `axiomcheck.api.results.Result`, which notebooks display.
"""
