"""What is true of a metric, by plain arithmetic: instances of the axioms by hand, scored without axiomcheck.

The premises are those of `scalar`, from section 3 of the specification, so that a verdict is called false by what is
computed there and here, and not by what axiomcheck says of itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from axiomcheck.core.domain import Instance, Topic
from tests.support.scalar import INCOMING, readings

Number = Fraction | float
Rows = Sequence[Sequence[Number]]
Plain = Callable[[Rows, Sequence[Number], Rows], Number]
"""(ranking's grades, weights, pool's grades) -> score; grades are one row of aspects per document."""

EPSILONS = (Fraction(1, 10**3), Fraction(1, 10**6), Fraction(1, 10**9))
"""Stand for r << 1: every grade is multiplied by each."""


@dataclass(frozen=True)
class Pair:
    """Two rankings of one topic, the better of which has to score higher.

    Args:
        pool: the grades of every judged document.
        worse, better: documents of the pool in rank order.
        weights: of the aspects; equal ones if left out.

    """

    pool: tuple[tuple[Number, ...], ...]
    worse: tuple[int, ...]
    better: tuple[int, ...]
    weights: tuple[Fraction, ...] = ()

    @property
    def shares(self) -> tuple[Fraction, ...]:
        m = len(self.pool[0])
        return self.weights or (Fraction(1, m),) * m

    def scaled(self, eps: Fraction) -> Pair:
        return Pair(tuple(tuple(g * eps for g in row) for row in self.pool), self.worse, self.better, self.weights)

    def ranked(self, side: tuple[int, ...]) -> list[tuple[Number, ...]]:
        return [self.pool[k] for k in side]

    def scores(self, plain: Plain) -> tuple[Number, Number]:
        """Return (worse, better) by plain arithmetic."""
        return tuple(plain(self.ranked(side), self.shares, self.pool) for side in (self.worse, self.better))  # type: ignore[return-value]


def of(grades: Sequence[Number], *more: Number) -> tuple[tuple[Number, ...], ...]:
    """Return a pool of one aspect."""
    return tuple((g,) for g in (*grades, *more))


def swapped(ranking: Sequence[int], i: int, j: int) -> tuple[int, ...]:
    out = list(ranking)
    out[i], out[j] = out[j], out[i]
    return tuple(out)


def meets_premises(axiom: str, pair: Pair) -> bool:
    """Tell whether a pair is an instance of an axiom, by `scalar`."""
    kept = pair.better if axiom == "Conf" else pair.worse
    names = {document: f"d{k}" for k, document in enumerate(kept, 1)}
    (incoming,) = INCOMING[axiom] or ("",)
    names |= {document: incoming for document in (*pair.worse, *pair.better) if document not in names}
    pool = {names.get(k, f"e{k}"): [Fraction(g) for g in row] for k, row in enumerate(pair.pool)}
    worse, better = ([names[k] for k in side] for side in (pair.worse, pair.better))
    return any(readings(axiom, Instance(Topic(pair.shares, pool), worse, better), binary=False))


@dataclass(frozen=True)
class Blocks:
    """Sizes n at which the block pair of DeepTh and CloseTh comes out against the axiom.

    For DeepTh these are some large n at which the block is not behind (that it is so at every larger one is said where
    the metric is defined); for CloseTh every n from 1 on, as far as it is worth while.
    """

    sizes: tuple[int, ...]


def block_pair(n: int, rc: Number = Fraction(1), extras: int = 0) -> Pair:
    """Return the block ("worse") and the single top document ("better")."""
    relevant, rest = n + extras, 2 * n - 1
    zeros = tuple(range(relevant, relevant + rest))
    pool = of([rc] * relevant + [Fraction(0)] * rest)
    return Pair(pool, zeros[:n] + tuple(range(n)), (0, *zeros))


def against(axiom: str, blocks: Blocks, plain: Plain, eps: Sequence[Number]) -> bool:
    """Tell whether plain scores put the block pairs against an axiom at each size, at every grade given."""
    for n in blocks.sizes:
        for rc in eps:
            block, top = block_pair(n, rc).scores(plain)
            if (axiom == "DeepTh" and top > block) or (axiom == "CloseTh" and block > top):
                return False
    return bool(blocks.sizes)


# ------------------------------------------------------------ what several tables have

P = Fraction(4, 5)
LARGE = Blocks((35, 60, 120))
"""Sizes at which blocks are ahead of the top, by sums that grow with n."""

HALF_AHEAD = Pair(of([Fraction(1, 2), Fraction(1)]), (0, 1), (1, 0))
"""Pri in two documents: the better one on top."""

ZERO_APPENDED = Pair(of([Fraction(1, 2), Fraction(0)]), (0, 1), (0,))

_LONG = tuple(range(31))
RANK_31 = Pair(of([Fraction(1, 2)] * 30 + [Fraction(1)]), _LONG, swapped(_LONG, 29, 30))
"""Pri between ranks 30 and 31."""


def patient(i: int) -> Number:
    """Return what a rank counts, from 0."""
    return P**i


def per_aspect(
    ranked: Rows,
    weights: Sequence[Number],
    by_rank: Callable[[int], Number] = patient,
    gain: Callable[[Number], Number] = lambda grade: grade,
) -> list[Number]:
    """Return w(t) times the discounted sum of gains."""
    return [
        w * sum((by_rank(i) * gain(row[t]) for i, row in enumerate(ranked)), start=Fraction(0))
        for t, w in enumerate(weights)
    ]


def summed(by_rank: Callable[[int], Number] = patient, gain: Callable[[Number], Number] = lambda grade: grade) -> Plain:
    """Return the sum over ranks and aspects of w(t) times what the rank counts times the gain."""
    return lambda ranked, weights, pool: sum(per_aspect(ranked, weights, by_rank, gain), start=Fraction(0))


ONE_DOUBLE = Pair(of([0.1, 0.123456789]), (0, 1), (1, 0))


def without_one(odd: Number) -> Plain:
    """Return the usual sum, in which one grade counts nothing."""
    return summed(gain=lambda grade: 0 if grade == odd else grade)
