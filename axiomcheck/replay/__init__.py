"""Replay of reports, which checks every verdict, witness and certificate again, and that they belong together.

`axiomcheck.decide.witness` and `axiomcheck.proof.check` decide whether a witness or a certificate is right. This
package decides whether it belongs to its cell and shows the cell's verdict. Statistics are accepted as reported.
"""

from axiomcheck.replay.cells import check_minimal
from axiomcheck.replay.report import Confirmed, Replay

__all__ = ["Confirmed", "Replay", "check_minimal"]
