"""What papers print about their metrics, against what the metrics here compute.

One module per paper; each makes `Claim` objects. A paper's value is data, the computed value never is.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Claim"]


@dataclass(frozen=True)
class Claim:
    """One published number or statement, decided.

    Args:
        paper: the work that makes it, such as ``"INST"``.
        where: the place in the paper, such as ``"Table 1, W(3), tail of gain 0"``.
        what: what the number or statement is about, in words.
        published: as the paper prints it.
        computed: the computed value or the outcome, in enough digits to be compared.
        agrees: whether rounding the computed value to the digits printed gives the published one; of a statement,
            whether it is true.
        note: where it does not agree, whose error it is and why; else how the agreement was established, if that
            needs saying.

    """

    paper: str
    where: str
    what: str
    published: str
    computed: str
    agrees: bool
    note: str = ""
