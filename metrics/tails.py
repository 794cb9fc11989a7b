"""Arguments about long blocks that several families share; see `axiomcheck.metrics.base.Tail`."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from axiomcheck.metrics.base import Tail

_SLACK = 1e-9
_FARTHEST = 2**1000


def vanishing_tail(bound: Callable[[int], float], statement: str) -> Tail | None:
    """A tail below a non-increasing bound, from the first n at which the bound is clearly under 1.

    None where that n is beyond any use (2**1000).
    """
    high = 1
    while not bound(high) < 1 - _SLACK:
        high *= 2
        if high > _FARTHEST:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        if bound(middle) < 1 - _SLACK:
            high = middle
        else:
            low = middle
    return Tail("below", high, bound, f"{statement}; below 1 from n = {high} on")


def geometric_tail(p: Fraction, keep: Fraction = Fraction(1)) -> Tail | None:
    """The tail of discounts p**(i-1) where the j-th relevant document counts at most keep**(j-1)."""
    ratio = float(p * keep)
    if ratio >= 1:
        return None
    shown = (
        f"p^n / (1 - p) with p = {float(p):g}"
        if keep == 1
        else f"p^n / (1 - p (1 - alpha)) with p (1 - alpha) = {ratio:g}"
    )
    return vanishing_tail(
        lambda n: float(p) ** n / (1 - ratio),
        f"L(n)/T <= {shown}, the sum of the whole geometric series from rank n + 1 on, which decreases in n",
    )


def harmonic_tail() -> Tail:
    """The tail of discounts 1/i where no document counts more than its grade."""
    return Tail(
        "below",
        1,
        lambda n: n / (n + 1),
        "L(n)/T <= n / (n + 1) < 1: n terms, none above 1 / (n + 1)",
    )


def log_growth_tail() -> Tail:
    """The tail of discounts 1 / log2(i + 1) where every relevant document counts fully."""
    return Tail(
        "above",
        3,
        lambda n: n / math.log2(2 * n + 1),
        "L(n)/T >= n / log2(2n + 1): n terms, none below the last; increasing in n and above 1 from n = 3 on",
    )
