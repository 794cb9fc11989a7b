"""Replay of reports: every verdict, witness and certificate is checked again.

`axiomcheck.decide.witness` and `axiomcheck.proof.check` check witnesses and certificates themselves. This package
checks that they belong to their cells and show the cells' verdicts. Statistics are accepted as reported.
"""

from axiomcheck.replay.cells import check_minimal
from axiomcheck.replay.report import Confirmed, Replay

__all__ = ["Confirmed", "Replay", "check_minimal"]
