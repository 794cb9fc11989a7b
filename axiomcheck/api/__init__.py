"""Python functions `check`, `matrix`, `prove`, `region`, `gate` and `score`, with a module each.

Each function does the same as the command of its name, with the same option names and defaults. They accept names,
metrics and functions, and return subclasses of `axiomcheck.api.results.Result`, which notebooks display.
"""
