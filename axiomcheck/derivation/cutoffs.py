"""Write cutoffs as forms: the indicator of the first k ranks, and the minimum of a length and k."""

from __future__ import annotations

from axiomcheck.derivation.comparing import record_comparison
from axiomcheck.derivation.forms import LENGTH, POOL, ZERO, Form, Quantity, Underivable, least_of, of_atom

LONGEST = 1_000
"""Largest number that code may compare ranks and lengths with. Scores are also checked on rankings longer than this."""


def check_rank(rank: int) -> None:
    """Check that a constant in a comparison with ranks or lengths is not too large, and record it.

    Raises:
        Underivable: The constant is larger than `LONGEST`.

    """
    record_comparison(rank)
    if rank > LONGEST:
        raise Underivable(f"uses a cutoff above rank {LONGEST:,}, which is not supported")


def within(rank: int) -> Form:
    """Return the indicator of the first ``rank`` ranks, and record this number as a compared constant."""
    record_comparison(rank)
    return of_atom(Quantity("within", (rank,))) if rank > 0 else ZERO


def least(whole: Form, most: int, counted: bool = False) -> Form:
    """Return the minimum of a length and a constant as a form.

    Args:
        whole: Length of a ranking or of a pool.
        most: The constant.
        counted: True if ``whole`` may be the number of relevant documents.

    Raises:
        Underivable: The constant is not positive, or ``whole`` is not such a length.

    """
    check_rank(most)
    inner = least_of(whole)
    if inner is not None:
        whole, most = inner[0], min(inner[1], most)
    if most < 1 or (whole not in (LENGTH, POOL) and not counted):
        raise Underivable("takes the first 0 ranks, or the first ranks of a list other than the ranking and the pool")
    return of_atom(Quantity("least", (whole, most), whole.each))
