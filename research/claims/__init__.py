"""Compare numbers and statements published in papers with values computed by axiomcheck's metrics.

Each paper has a module that creates `Claim` objects. Published values are stored as data; computed values never are.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Claim"]


@dataclass(frozen=True)
class Claim:
    """A published number or statement with its computed counterpart.

    Args:
        paper: Work that makes the claim, such as ``"INST"``.
        where: Place in the paper, such as ``"Table 1, W(3), tail of gain 0"``.
        what: Quantity or statement in words.
        published: Text printed in the paper.
        computed: Computed value or outcome, with enough digits for the comparison.
        agrees: True if the computed value, rounded to the number of published digits, is the published one; for a
            statement, True if it is true.
        note: Explanation of a disagreement, or the method by which an agreement was established; may be empty.

    """

    paper: str
    where: str
    what: str
    published: str
    computed: str
    agrees: bool
    note: str = ""
