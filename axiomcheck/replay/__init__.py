"""Check reports again: every verdict, witness and certificate, and that they belong together.

`axiomcheck.decide.witness` and `axiomcheck.proof.check` say whether a witness or a certificate is right. Whether it
belongs to the cell that it stands in, and shows the cell's verdict, is decided here. Statistics are as reported.
"""

from axiomcheck.replay.cells import check_minimal
from axiomcheck.replay.report import Confirmed, Replay

__all__ = ["Confirmed", "Replay", "check_minimal"]
