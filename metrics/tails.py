"""Bounds on L(n)/T that decide DeepTh and CloseTh for several metrics; see `axiomcheck.metrics.base.Tail`."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from axiomcheck.metrics.base import Tail

_SLACK = 1e-9
_FARTHEST = 2**1000


def first_number(passes: Callable[[int], bool], least: int = 1, most: int = _FARTHEST) -> int | None:
    """Find the smallest n >= ``least`` that passes a test, by bisection. Return None if it is above ``most``.

    The test must be monotone: if n passes, every larger number passes.
    """
    low, high = least - 1, least
    while not passes(high):
        low, high = high, 2 * high
        if low >= most:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if passes(middle) else (middle, high)
    return high if high <= most else None


def vanishing_tail(bound: Callable[[int], float], statement: str) -> Tail | None:
    """Return the `Tail` with a given upper bound on L(n)/T, which must not increase in n.

    It starts at the first n at which the bound is clearly below 1. If that n is above 2**1000, return None.
    """
    start = first_number(lambda n: bound(n) < 1 - _SLACK)
    return None if start is None else Tail("below", start, bound, f"{statement}; below 1 from n = {start} on")


def growing_tail(bound: Callable[[int], float], statement: str, farthest: int = _FARTHEST) -> Tail | None:
    """Return the `Tail` with a given lower bound on L(n)/T, which must increase from n = 2 on.

    It starts at the first n >= 2 at which the bound is clearly above 1. If that n is >= ``farthest``, return None.
    """
    start = first_number(lambda n: bound(n) > 1 + _SLACK, 2, farthest - 1)
    return None if start is None else Tail("above", start, bound, f"{statement} and above 1 from n = {start} on")


def geometric_tail(p: Fraction, keep: Fraction = Fraction(1)) -> Tail | None:
    """Return the `Tail` for discounts p**(i-1) if the j-th relevant document gains at most its grade times keep**(j-1).

    Return None if the bound never falls below 1.
    """
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
    """Return the `Tail` for discounts 1/i if no document gains more than its grade."""
    return Tail(
        "below",
        1,
        lambda n: n / (n + 1),
        "L(n)/T <= n / (n + 1) < 1: n terms, none above 1 / (n + 1)",
    )


def log_growth_tail() -> Tail:
    """Return the `Tail` for discounts 1 / log2(i + 1) if every document gains its full grade."""
    return Tail(
        "above",
        3,
        lambda n: n / math.log2(2 * n + 1),
        "L(n)/T >= n / log2(2n + 1): n terms, none below the last; increasing in n and above 1 from n = 3 on",
    )


# ------------------------------------------------------------------------------------------------------ P@H
#
# Both rankings have 2n documents. In the top ranking, whose gain is T, one relevant document is at rank 1. In the block
# ranking, whose gain is L(n), n of them are at ranks n+1 to 2n. All have the same grade c. Scores depend on the number
# of documents, so T may depend on n too.


def deterministic_tail() -> Tail:
    """Return the `Tail` for users who visit every document, whatever the parameter ``order``.

    Every user scores c / 2 with the block ranking and c / (2n) with the top ranking, where c is the common grade.
    """
    return Tail("above", 2, float, "users score n times as much with the block: L(n)/T = n, above 1 from n = 2 on")


def retrieved_tail() -> Tail:
    """Return the `Tail` for users who stop at retrieved relevant documents, whatever the parameter ``order``.

    Every user scores 1 with the top ranking and at most 1/2 with the block ranking.
    """
    return Tail(
        "below",
        1,
        lambda n: 0.5,
        "with the top, everyone stops at rank 1 and scores 1; with the block, everyone stops at a rank n + j, having "
        "seen j relevant documents, and scores j / (n + j) <= 1/2: L(n)/T <= 1/2",
    )


def persistent_tail(p: Fraction, order: str) -> Tail | None:
    """Return the `Tail` for users who continue with probability p.

    With the block ranking, users who stop before rank n + 1 score 0. With the top ranking, users who stop at rank 1
    score the full grade.
    """
    if p == 1:
        return deterministic_tail()
    tail = geometric_tail(p)
    if tail is None or order == "ratio":
        return tail
    ends = "with the block, a share p^n of users gets to rank n + 1, and none of them scores above c; with the top, a "
    return Tail(tail.side, tail.start, tail.bound, f"{ends}share 1 - p stops at rank 1 and scores c: {tail.statement}")


def logarithmic_tail(base: Fraction | None) -> Tail:
    """Return the `Tail` for users who reach rank i with probability 1 / max(1, log i).

    The lower bound n / max(1, log 2n) is n times the last of the n terms, which is the smallest.
    """
    unit = 1.0 if base is None else math.log(base)

    def bound(n: int) -> float:
        return n / max(1.0, math.log(2 * n) / unit)

    tail = growing_tail(bound, "L(n)/T >= n / max(1, log 2n): n terms, none below the last; increasing from n = 2 on")
    assert tail is not None
    return tail


def cascade_mean_tail() -> Tail:
    """Return the `Tail` for E[1/H]. L(n) and T are reduced by 1 / (2n), the score without relevant documents."""
    return Tail(
        "below",
        1,
        lambda n: 0.25,
        "in addition to 1 / (2n), the score without relevant documents, the block earns at most c sum_{j=1..n} (1 / "
        "(n + j) - 1 / (2n)) <= c (n - 1) / (4n) and the top c (2n - 1) / (2n): L(n)/T <= (n - 1) / (2 (2n - 1)) < 1/4",
    )


def walk_tail(p: Fraction, q: Fraction) -> Tail | None:
    """Return the `Tail` for users who go forward with probability p and back with q; None if p + q is too near 1."""
    a = float(p + q)
    return vanishing_tail(
        lambda n: a**n / (1 - a) ** 2,
        f"with a = p + q = {a:g}, users at a rank ever reach the next rank with probability at most a, and take at "
        "most 1 / (1 - a) steps from there in expectation, so the block earns at most c a^n / (1 - a); the top earns "
        "at least c (1 - a), from users who stop at once: L(n)/T <= a^n / (1 - a)^2",
    )
