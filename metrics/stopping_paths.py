"""The ways through a chain that end within so many steps, by how often they visit each rank.

What a user collects depends on how often she visits each rank and on nothing else, so the paths are counted together
that agree in that (and in their length): a few hundred classes for twelve steps over ten ranks, of thousands of paths.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import lcm

import numpy as np
from flint import fmpq

from axiomcheck.core.typing import Array, Integers
from axiomcheck.metrics.browsing import ChainModel


@dataclass(frozen=True)
class Paths:
    """The classes of paths of at most so many steps.

    Args:
        visits: (S, T) how often each of the ranks that were asked for is visited.
        steps: (S,) H.
        masses: (S,) the probability of each class, exact.
        rest: the probability of longer paths, exact.

    """

    visits: Integers
    steps: Integers
    masses: Array
    rest: fmpq


@lru_cache(maxsize=256)
def paths_within(model: ChainModel, n: int, tracked: tuple[int, ...], depth: int) -> Paths:
    """The classes of paths with H <= depth over n ranks.

    Args:
        model: the chain.
        n: the number of documents, N.
        tracked: the ranks whose visits matter; paths that differ elsewhere only are one class.
        depth: the most steps, 1 or more.

    """
    forward, backward = model.chain(n)
    ends = [1 - p - q for p, q in zip(forward, backward, strict=True)]
    # Whole numbers over one denominator to the power of the number of steps are much faster to add than fractions.
    unit = lcm(*(x.denominator for x in (*forward, *backward)))
    up, down, out = ([int(x * unit) for x in side] for side in (forward, backward, ends))
    # A class is one number, a digit of this base for each tracked rank.
    base = depth + 1
    digit = [0] * n
    for place, rank in enumerate(tracked):
        digit[rank - 1] = base**place
    here: dict[int, dict[int, int]] = {0: {digit[0]: 1}}
    classes: list[int] = []
    steps: list[int] = []
    masses: list[fmpq] = []
    for h in range(1, depth + 1):
        ended: dict[int, int] = {}
        further: dict[int, dict[int, int]] = {}
        for at, found in here.items():
            for to, share in ((at + 1, up[at]), (at - 1, down[at])):
                if share:
                    target, step = further.setdefault(to, {}), digit[to]
                    for code, count in found.items():
                        target[code + step] = target.get(code + step, 0) + count * share
            if out[at]:
                for code, count in found.items():
                    ended[code] = ended.get(code, 0) + count * out[at]
        scale = unit**h
        classes += ended
        steps += [h] * len(ended)
        masses += [fmpq(count, scale) for count in ended.values()]
        here = further
    left = sum(count for found in here.values() for count in found.values())
    visits = np.array([[code // base**place % base for place in range(len(tracked))] for code in classes], dtype=int)
    mass = np.empty(len(masses), dtype=object)
    mass[:] = masses
    size = (len(masses), len(tracked))
    return Paths(visits.reshape(size), np.array(steps, dtype=int), mass, fmpq(left, unit**depth))
