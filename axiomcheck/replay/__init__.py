"""Whether a report is right as a whole: every cell against its witness, its certificate, its evidence and the header.

`axiomcheck.decide.witness` and `axiomcheck.proof.check` say whether a witness or a certificate is right. Whether it
belongs to the cell that it stands in, and whether everything else that the cell says follows, is decided here.
"""

from axiomcheck.replay.minimality import check_minimal
from axiomcheck.replay.report import Confirmed, Replay

__all__ = ["Confirmed", "Replay", "check_minimal"]
