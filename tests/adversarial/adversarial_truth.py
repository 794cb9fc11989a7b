"""What is true of a metric, by plain arithmetic: instances of the axioms by hand, scored without axiomcheck.

The premises are written out from section 3 of the specification, so that a verdict is called false by what is computed
here and not by what axiomcheck says of itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

Number = Fraction | float
Rows = Sequence[Sequence[Number]]
Plain = Callable[[Rows, Sequence[Number], Rows], Number]
"""(ranking's grades, weights, pool's grades) -> score; grades are one row of aspects per document."""

EPSILONS = (Fraction(1, 10**3), Fraction(1, 10**6), Fraction(1, 10**9))
"""What r << 1 is tried at: every grade is multiplied by each."""


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
        """(worse, better) by plain arithmetic."""
        return tuple(plain(self.ranked(side), self.shares, self.pool) for side in (self.worse, self.better))  # type: ignore[return-value]


def of(grades: Sequence[Number], *more: Number) -> tuple[tuple[Number, ...], ...]:
    """A pool of one aspect."""
    return tuple((g,) for g in (*grades, *more))


def swapped(ranking: Sequence[int], i: int, j: int) -> tuple[int, ...]:
    out = list(ranking)
    out[i], out[j] = out[j], out[i]
    return tuple(out)


def meets_premises(axiom: str, pair: Pair) -> bool:
    """Whether a pair is an instance of an axiom, in the specification's words."""
    worse, better = pair.worse, pair.better
    whole = all(0 <= g <= 1 for row in pair.pool for g in row) and sum(pair.shares) == 1
    distinct = all(len(set(side)) == len(side) for side in (worse, better))
    return whole and distinct and _PREMISES[axiom](pair)


def _pri(pair: Pair) -> bool:
    r = [row[0] for row in pair.pool]
    places = [k for k, (w, b) in enumerate(zip(pair.worse, pair.better, strict=True)) if w != b]
    if len(pair.pool[0]) != 1 or len(places) != 2:
        return False
    i, j = places
    return swapped(pair.worse, i, j) == pair.better and r[pair.worse[j]] > r[pair.worse[i]]


def _deep(pair: Pair) -> bool:
    r = [row[0] for row in pair.pool]
    n = len(pair.worse)
    for i in range(n - 3):
        for j in range(i + 2, n - 1):
            d = swapped(pair.better, i, i + 1)
            if swapped(d, j, j + 1) == pair.worse and r[d[i]] == r[d[j]] < r[d[i + 1]] == r[d[j + 1]]:
                return len(pair.pool[0]) == 1
    return False


def _conf(pair: Pair) -> bool:
    appended = pair.worse[-1]
    return pair.worse[:-1] == pair.better != () and not any(pair.pool[appended]) and len(pair.pool[0]) == 1


def _aspdiv(pair: Pair) -> bool:
    places = [k for k, (w, b) in enumerate(zip(pair.worse, pair.better, strict=True)) if w != b]
    if len(places) != 1:
        return False
    w, b = (pair.pool[side[places[0]]] for side in (pair.worse, pair.better))
    return all(y > x for x, y in zip(w, b, strict=True))


def _mred(pair: Pair) -> bool:
    d, x, other = pair.worse[:-1], pair.pool[pair.worse[-1]], pair.pool[pair.better[-1]]
    return (
        len(pair.shares) == 2
        and pair.shares[0] == pair.shares[1]
        and pair.better[:-1] == d != ()
        and all(pair.pool[k][0] > pair.pool[k][1] for k in d)
        and x[0] == other[1] > 0
        and x[1] == other[0] == 0
    )


def _asprel(pair: Pair) -> bool:
    if any(sum(g > 0 for g in row) > 1 for row in pair.pool):
        return False
    places = [k for k, (w, b) in enumerate(zip(pair.worse, pair.better, strict=True)) if w != b]
    if len(places) != 1:
        return False
    i = places[0]
    w, b = pair.pool[pair.worse[i]], pair.pool[pair.better[i]]
    t, u = (next((k for k, g in enumerate(row) if g > 0), None) for row in (w, b))
    if t is None or u is None or w[t] != b[u]:
        return False
    before = [pair.pool[k] for k in pair.worse[:i]]
    return pair.shares[t] < pair.shares[u] and not any(row[t] or row[u] for row in before)


_PREMISES: dict[str, Callable[[Pair], bool]] = {
    "Pri": _pri,
    "Deep": _deep,
    "Conf": _conf,
    "AspDiv": _aspdiv,
    "MRed": _mred,
    "AspRel": _asprel,
}


@dataclass(frozen=True)
class Blocks:
    """Sizes n at which the block pair of DeepTh and CloseTh comes out against the axiom.

    For DeepTh these are some large n at which the block is not behind (that it is so at every larger one is said where
    the metric is defined); for CloseTh every n from 1 on, as far as it is worth while.
    """

    sizes: tuple[int, ...]


def block_pair(n: int, rc: Number = Fraction(1), extras: int = 0) -> Pair:
    """The block ("worse") and the single top document ("better")."""
    relevant, rest = n + extras, 2 * n - 1
    zeros = tuple(range(relevant, relevant + rest))
    pool = of([rc] * relevant + [Fraction(0)] * rest)
    return Pair(pool, zeros[:n] + tuple(range(n)), (0, *zeros))


def against(axiom: str, blocks: Blocks, plain: Plain, eps: Sequence[Number]) -> bool:
    """Whether plain scores put the block pairs against an axiom at each size, at every grade given."""
    for n in blocks.sizes:
        for rc in eps:
            block, top = block_pair(n, rc).scores(plain)
            if (axiom == "DeepTh" and top > block) or (axiom == "CloseTh" and block > top):
                return False
    return bool(blocks.sizes)
