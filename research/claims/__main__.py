"""Print what two papers say of INST and P@H beside what is computed.

Run ``python -m research.claims > research/output/claims.txt`` where something has changed.
"""

from __future__ import annotations

from research.claims import inst, stopping
from research.claims.report import print_claims
from research.printing import text_of


def report() -> str:
    """Return every printed number and statement of both papers with the computed one, as text."""
    claims = [claim for paper in (inst, stopping) for claim in paper.claims()]
    return text_of(lambda console: print_claims(console, claims))


if __name__ == "__main__":
    print(report(), end="")
