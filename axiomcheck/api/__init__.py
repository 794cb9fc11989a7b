"""The verbs for Python: `check`, `matrix`, `prove`, `region`, `gate` and `score`, a module each.

Each does what the command of its name does, with the same options under the same names and the same defaults. They take
names, metrics and functions, and return results that a notebook shows, `axiomcheck.api.results.Result`.
"""
