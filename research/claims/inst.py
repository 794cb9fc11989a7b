"""Check the printed numbers of Moffat, Bailey, Scholer and Thomas, "INST" (ADCS 2015), by computing each again.

Computed values are certified: balls of 256 bits, or exact rationals, from `axiomcheck.metrics.inst`. A printed number
agrees if the computed value certainly rounds to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq

from axiomcheck.core.printable import counted
from axiomcheck.metrics.cwl import GeometricModel, InstModel
from axiomcheck.metrics.inst import walk
from axiomcheck.numbers.arithmetic import Balls, to_fmpq
from research.claims import Claim

PAPER = "INST"
_BITS = 256

TABLE_GAINS = ("0", "1", "0.5", "0", "0", "1", "0", "0.2", "0", "1")

TABLE_1: dict[tuple[str, int], str] = {
    ("C", 0): "0.640 0.640 0.669 0.716 0.751 0.751 0.779 0.797 0.815 0.815 0.831 0.844",
    ("W", 0): "0.287 0.184 0.118 0.079 0.056 0.042 0.032 0.025 0.020 0.016 0.013 0.011",
    ("L", 0): "0.360 0.230 0.135 0.078 0.049 0.037 0.025 0.018 0.013 0.010 0.008 0.006",
    ("C", 1): "0.640 0.640 0.669 0.716 0.751 0.751 0.779 0.797 0.815 0.815 0.815 0.815",
    ("W", 1): "0.309 0.198 0.127 0.085 0.061 0.046 0.034 0.027 0.021 0.017 0.014 0.011",
    ("L", 1): "0.360 0.230 0.135 0.078 0.049 0.037 0.025 0.018 0.013 0.010 0.008 0.007",
}
"""Printed values of rows 1 to 12, by column and gain of the tail."""

TABLE_2 = (
    # T, expected depth, p, then for each bound: INST's n, share beyond in %, RBP's n, share beyond in %
    (1, "2.58", "0.612", (("0.05", "30", "0.39", "7", "3.22"), ("0.01", "154", "0.02", "10", "0.74"))),
    (3, "6.53", "0.847", (("0.05", "105", "0.29", "19", "4.26"), ("0.01", "547", "0.01", "28", "0.96"))),
    (10, "20.51", "0.951", (("0.05", "371", "0.26", "60", "4.91"), ("0.01", "1931", "0.01", "92", "0.98"))),
)


def _exact(gains: Sequence[str | int]) -> Any:
    out = np.empty(len(gains), dtype=object)
    out[:] = [to_fmpq(Fraction(g)) for g in gains]
    return out


def _ball(value: Any) -> arb:
    """Convert a number, or an array with one number, to a ball."""
    return arb(np.asarray(value, dtype=object).item())


@dataclass(frozen=True)
class Tailed:
    """A ranking followed by infinitely many documents of one gain, in certified numbers.

    Args:
        gains: Gains in rank order, as decimals.
        target: Target T.
        tail: Gain beyond the ranking, 0 or 1.

    """

    gains: tuple[str | int, ...]
    target: Fraction
    tail: int

    def _sums(self) -> tuple[arb, arb]:
        """Return sum_i r_i W(i) / W(1), which is INST times the expected depth, and sum_i W(i) / W(1), the depth."""
        way = walk(Balls(), _exact(self.gains), self.target)
        rest = _ball(way.relevant_tail() if self.tail else way.irrelevant_tail(Balls()))
        return _ball(way.earned) + self.tail * rest, _ball(way.inspected) + rest

    @property
    def score(self) -> arb:
        """INST score of the ranking."""
        earned, inspected = self._sums()
        return earned / inspected

    @property
    def depth(self) -> arb:
        """Expected search depth E(W)."""
        return self._sums()[1]

    def columns(self, ranks: int) -> dict[str, list[arb]]:
        """Return C, W and L for the first ranks of the ranking, continued by its tail."""
        more = (*self.gains, *[self.tail] * (ranks + 1 - len(self.gains)))
        reached = [_ball(x) for x in walk(Balls(), _exact(more), self.target).reached]
        depth = self.depth
        steps = range(ranks)
        return {
            "C": [reached[i + 1] / reached[i] for i in steps],
            "W": [reached[i] / depth for i in steps],
            "L": [reached[i] - reached[i + 1] for i in steps],
        }


def printed(published: str, value: arb) -> bool:
    """Return True if a value certainly rounds to a printed decimal, and False if it certainly does not.

    Raises:
        ArithmeticError: The ball is too wide to decide.

    """
    digits = len(published.partition(".")[2])
    half = arb(fmpq(1, 2 * 10**digits))
    off = abs(value - arb(to_fmpq(Fraction(published))))
    if off < half:
        return True
    if off > half:
        return False
    raise ArithmeticError(f"{value} is too close to the middle between two decimals of {counted(digits, 'digit')}")


def _text(value: arb, digits: int = 6) -> str:
    return str(value.str(digits, radius=False))


def _number(where: str, what: str, published: str, value: arb, note: str = "") -> Claim:
    agrees = printed(published, value)
    return Claim(PAPER, where, what, published, _text(value), agrees, note)


def _scored(target: int, gains: Sequence[str | int] = TABLE_GAINS) -> tuple[Tailed, Tailed]:
    base, full = (Tailed(tuple(gains), Fraction(target), tail) for tail in (0, 1))
    return base, full


def _table_1() -> Iterator[Claim]:
    base, full = _scored(2)
    for side in (base, full):
        columns = side.columns(12)
        for name in "CWL":
            for i, published in enumerate(TABLE_1[name, side.tail].split(), start=1):
                yield _number(
                    f"Table 1, row {i}, {name}(i), tail of gain {side.tail}",
                    f"{name}({i}) of the ten gains at T = 2",
                    published,
                    columns[name][i - 1],
                )
    where = "Table 1, last row and caption"
    yield _number(where, "sum of W(i) r_i, tail of gain 0", "0.306", base.score)
    yield _number(where, "sum of W(i) r_i, tail of gain 1", "0.406", full.score)
    yield _number(where, "residual", "0.100", full.score - base.score)
    yield _number("section 2", "expected search depth of Table 1's ranking, tail of gain 1", "3.24", full.depth)
    yield _number("section 2", "expected search depth of Table 1's ranking, tail of gain 0", "3.48", base.depth)


def _table_1_at_ten() -> Iterator[Claim]:
    base, full = _scored(10)
    what = "of Table 1's ranking at T = 10"
    yield _number("section 2", f"lower end of the expected search depth {what}", "12.4", full.depth)
    yield _number("section 2", f"upper end of the expected search depth {what}", "18.0", base.depth)
    yield _number("section 2", f"lower end of INST {what}", "0.139", base.score)
    residual = full.score - base.score
    note = (
        f"the paper prints the residual ({_text(residual)}) where its sentence needs base score plus residual "
        f"({_text(full.score)}); all weights follow equation 1, and the residual does round to 0.513"
        if printed("0.513", residual)
        else "the residual is not what is printed either"
    )
    yield _number("section 2", f"upper end of INST {what}", "0.513", full.score, note)


def _ten_alike() -> Iterator[Claim]:
    for gain, word, published in ((0, "non-relevant", "0.150"), (1, "relevant", "0.006")):
        base, full = _scored(2, [gain] * 10)
        yield _number("section 3", f"residual of ten {word} documents at T = 2", published, full.score - base.score)


_TARGETS = (Fraction(1, 2), Fraction(1), Fraction(2), Fraction(3), Fraction(5), Fraction(10), Fraction(50))


def _depths() -> Iterator[Claim]:
    """Yield the claims about the approximate expected depths T + 0.25 and 2T + 0.5, after bounding their errors.

    With x = 2T, the bounds follow from x^2 / (2x - 1) and from x^2 psi_1(x) = x + 1/2 + 1/(6x) - ..., respectively.
    """
    for tail, slope, constant, error, words in (
        (1, 1, Fraction(1, 4), Fraction(1, 7), "all-relevant"),
        (0, 2, Fraction(1, 2), Fraction(1, 12), "all-non-relevant"),
    ):
        found, good = [], True
        for t in _TARGETS:
            gap = Tailed((), t, tail).depth - arb(to_fmpq(slope * t + constant))
            good &= bool(gap > 0) and bool(gap < arb(to_fmpq(error / t)))
            found.append(f"{_text(gap, 3)} at T = {t}")
        exact = "4 T^2 / (4T - 1) = T + 1/4 + 1/(16T - 4)" if tail else "(2T)^2 psi_1(2T), in 2T + 1/2 + (0, 1/(12T))"
        yield Claim(
            PAPER,
            "section 2",
            f"expected search depth of an {words} ranking, approximately",
            "T + 0.25" if tail else "2T + 0.5",
            f"above it by {', '.join(found)}",
            good,
            f"an asymptotic value for large T: the depth is {exact}; it is never below the printed form, and further "
            "above it the smaller T is",
        )


def _weight_beyond(target: int, depth: int) -> arb:
    """Return the weight of all ranks beyond a depth if no document is relevant (equation 7)."""
    start, rest = (_ball(Balls().zeta(2, fmpq(2 * target + d))) for d in (0, depth))
    return rest / start


def _residual_depth(target: int, bound: arb, enough: int) -> int:
    """Return the smallest number n of non-relevant documents whose residual is below a bound."""
    low, high = 0, enough
    while high - low > 1:
        middle = (low + high) // 2
        base, full = _scored(target, [0] * middle)
        low, high = (low, middle) if full.score - base.score < bound else (middle, high)
    return high


def _depth_claim(
    where: str, what: str, published: str, beyond: Any, bound: Fraction, found: int, note: str = ""
) -> Claim:
    """Return a claim about a depth that was found in floats, after certifying beyond(n) < bound < beyond(n - 1).

    Raises:
        ArithmeticError: The depth is not certainly the smallest one.

    """
    limit = arb(to_fmpq(bound))
    if not (beyond(found) < limit and beyond(found - 1) > limit):
        raise ArithmeticError(f"{what}: {found} is not the smallest depth")
    shown = f"{_text(beyond(found - 1))} at n = {found - 1}, {_text(beyond(found))} at n = {found}{note}"
    return Claim(PAPER, where, what, published, str(found), str(found) == published, shown)


def _table_2() -> Iterator[Claim]:
    for target, depth_text, p_text, rows in TABLE_2:
        where = f"Table 2, T = {target}"
        depth = Tailed((), Fraction(target), 0).depth
        yield _number(where, "expected depth where nothing is relevant", depth_text, depth)
        matched = 1 - 1 / depth
        yield _number(where, "p of RBP with that expected depth, 1 - 1/depth", p_text, matched)
        p = Fraction(p_text)
        for bound_text, n_text, share_text, rbp_n_text, rbp_share_text in rows:
            bound = Fraction(bound_text)
            n = InstModel(target).evaluation_depth(float(bound))
            yield _depth_claim(
                where,
                f"depth n for a residual below {bound_text}",
                n_text,
                lambda k, target=target: _weight_beyond(target, k),
                bound,
                n,
            )
            way = walk(Balls(), _exact([0] * n), Fraction(target))
            yield _number(where, f"probability in % of going beyond n = {n}", share_text, 100 * _ball(way.beyond))
            m = GeometricModel(float(p)).evaluation_depth(float(bound))
            unrounded = GeometricModel(float(matched)).evaluation_depth(float(bound))
            yield _depth_claim(
                where,
                f"RBP(p={p_text}): depth n for a residual below {bound_text}",
                rbp_n_text,
                lambda k, p=p: arb(to_fmpq(p)) ** k,
                bound,
                m,
                "" if unrounded == m else f"; by the printed p: by the matched one, not rounded, it takes {unrounded}",
            )
            with_printed, with_matched = 100 * arb(to_fmpq(p)) ** m, 100 * matched**m
            same = printed(rbp_share_text, with_matched)
            note = "" if same else f"by the printed p, rounded to three digits; by the matched p {_text(with_matched)}"
            yield _number(
                where,
                f"RBP(p={p_text}): probability in % of going beyond n = {m}",
                rbp_share_text,
                with_printed,
                note,
            )


def _table_2_minimal() -> Iterator[Claim]:
    found, all_minimal = [], True
    for target, _, _, rows in TABLE_2:
        for bound_text, n_text, *_ in rows:
            bound = arb(to_fmpq(Fraction(bound_text)))
            least = _residual_depth(target, bound, int(n_text))
            all_minimal &= least == int(n_text)
            found.append(f"{least} for {n_text} (T = {target}, {bound_text})")
    yield Claim(
        PAPER,
        "section 3",
        "Table 2's n are the smallest depths at which the residual is certainly below the bound",
        "minimum values n",
        f"the residual of n non-relevant documents is below it from n = {', '.join(found)} on",
        all_minimal,
        "the n are sufficient: with D documents seen, N gain and tails t1 <= t0 of gain 1 and 0, the residual is "
        "(t1 (D + t0) + N (t0 - t1)) / ((D + t0) (D + t1)) <= t0 / (D + t0), at most equation 7's weight. But that "
        "is the weight of a tail of gain 0, while the residual's upper end has one of gain 1, which users leave "
        "sooner: on the ranking that equation 7 is about, half the depth is enough",
    )


def _limits() -> Iterator[Claim]:
    bound = Fraction(5, 10**4)
    for target, n, word in ((5, 20_000, "suffices"), (50, 200_000, "is necessary")):
        weight = _weight_beyond(target, n)
        least = InstModel(target).evaluation_depth(float(bound))
        _depth_claim("", "limit", "", lambda k, target=target: _weight_beyond(target, k), bound, least)
        enough = bool(weight < arb(to_fmpq(bound)))
        yield Claim(
            PAPER,
            "section 3, limit(T)",
            f"N = {n} {word} for a tail weight below 0.0005 at T <= {target}",
            f"{word} for T <= {target}",
            f"weight beyond N {_text(weight)} at T = {target}; the smallest N is {least}",
            enough and (word == "suffices" or least * 100 > 99 * n),
            "the weight psi_1(N + 2T) / psi_1(2T) increases in T, so the largest T decides"
            + ("" if word == "suffices" else f"; necessary to the one digit printed, as {least} is enough"),
        )


def _approximation() -> Iterator[Claim]:
    """Yield the claim about equation 2's approximation: the ratio of W(i) (i + T + T_i)^2 to its value at rank 1."""
    target, ranks = Fraction(2), 50
    ratios: dict[int, arb] = {}
    shifted: dict[int, arb] = {}
    for tail in (0, 1):
        way = walk(Balls(), _exact([tail] * ranks), target)
        x = [2 * target + (i if tail == 0 else 0) for i in range(ranks + 1)]  # x_0, x_1, ...
        last = _ball(way.reached[-1])
        ratios[tail] = last * arb(to_fmpq((x[ranks] / x[1]) ** 2))
        shifted[tail] = last * arb(to_fmpq((x[ranks - 1] / x[0]) ** 2))
    yield Claim(
        PAPER,
        "equation 2",
        "W(i) is proportional to 1 / (i + T + T_i)^2, approximately",
        "W(i) ~ 1 / (i + T + T_i)^2",
        f"W(50) (50 + T + T_50)^2 over W(1) (1 + T + T_1)^2 at T = 2: {_text(ratios[0])} where nothing is relevant, "
        f"{_text(ratios[1], 3)} where all is",
        bool(abs(ratios[0] - 1) < arb("0.1")) and bool(abs(ratios[1] - 1) < arb("0.1")),
        "where nothing is relevant W(i) is exactly proportional to 1 / (i + T + T_(i-1) - 1)^2 (ratio "
        f"{_text(shifted[0], 3)}), one rank less than printed; where all is relevant i + T + T_i is constant and W "
        "falls geometrically, which the approximation does not show at all",
    )


_PARTS = (
    _approximation,
    _depths,
    _table_1,
    _table_1_at_ten,
    _table_2,
    _limits,
    _table_2_minimal,
    _ten_alike,
)


def claims() -> Iterator[Claim]:
    """Yield a claim for every printed number of the paper about its metric, in the paper's order."""
    for part in _PARTS:
        with ctx.workprec(_BITS):
            decided = list(part())
        yield from decided
