"""Print the claims of two papers about INST and P@H beside computed values.

If a result has changed, run ``python -m research.claims > research/output/claims.txt``.
"""

from __future__ import annotations

from research.claims import inst, stopping
from research.claims.report import print_claims
from research.printing import text_of


def report() -> str:
    """Return all published numbers and statements of both papers with their computed counterparts as text."""
    claims = [claim for paper in (inst, stopping) for claim in paper.claims()]
    return text_of(lambda console: print_claims(console, claims))


if __name__ == "__main__":
    print(report(), end="")
