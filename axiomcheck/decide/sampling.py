"""Sample random instances, and mutate drafts at random. All code is vectorised."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from axiomcheck.axioms import Draft, Shape
from axiomcheck.core.limits import LONGEST_RANKING, MOST_UNRANKED
from axiomcheck.core.typing import Integers, Reals
from axiomcheck.decide.batch import Batch
from axiomcheck.decide.space import InstanceSpace

MOST_SAMPLED_ASPECTS = 8
"""Largest number of aspects in sampled instances. Patterns have more aspects."""

_USUAL = 12
_LONG = 22
_FEW_ASPECTS = 4
_ROOMY = 16
_EXTRAS = (0, 1, 2, 3, 1, 2, 3, 8)
_DEEP_POOLS = (4, MOST_UNRANKED + 1)
_PER_LONG_SHAPE = 16_000
"""Number of drafts per long shape in one round, which determines how many long shapes a round has."""

_FEWEST_LONG_SHAPES = 4
_ADJACENT = 0.12
_GRID = 2.0**20


def generator(*parts: object) -> np.random.Generator:
    """Return a random generator that is seeded with all arguments, such as a seed, an axiom's name and a purpose."""
    digest = hashlib.sha256(repr(parts).encode()).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest[:16], "big")))


def sample_batches(
    space: InstanceSpace, size: int, rng: np.random.Generator, extras: tuple[int, ...] | None = None
) -> Iterator[Batch]:
    """Yield about ``size`` random instances of the usual shapes and of some large ones, in one batch per shape.

    Args:
        space: Space of the instances.
        size: Number of drafts to draw. Drafts that do not meet the premises are discarded.
        rng: Random generator; see `generator`.
        extras: Choices for the number of unranked documents; by default 0 to 3, and sometimes 8.

    """
    long_shapes = max(_FEWEST_LONG_SHAPES, size // _PER_LONG_SHAPE)
    shapes = list(_shapes(space, rng, extras or _EXTRAS, long_shapes))
    if size < len(shapes):  # if few drafts are allowed, take every k-th shape, both short and long
        shapes = shapes[:: -(-len(shapes) // max(1, size))]
    # Small shapes get few drafts: they have few distinct instances, which are enumerated anyway.
    room = np.array([min(shape.documents * shape.aspects, _ROOMY) for shape in shapes], dtype=float)
    for shape, share in zip(shapes, room / room.sum(), strict=True):
        yield space.repaired(_free_draft(space, shape, max(1, round(size * share)), rng))


def _shapes(
    space: InstanceSpace, rng: np.random.Generator, extras: tuple[int, ...], long_shapes: int
) -> Iterator[Shape]:
    """Yield every usual shape, and a few shapes with long rankings, many aspects or deep pools."""
    axiom = space.axiom
    fits = LONGEST_RANKING if space.max_rank is None else axiom.longest(space.max_rank) + (0 if axiom.appends else 2)
    longest, most = min(LONGEST_RANKING, fits), axiom.max_aspects or MOST_SAMPLED_ASPECTS
    few = range(axiom.min_aspects, min(most, _FEW_ASPECTS) + 1)
    repeats = 4 // len(few)

    def shape(n: int, m: int) -> Shape:
        unranked = rng.choice(extras) if rng.random() < 0.9 else rng.integers(*_DEEP_POOLS)
        return Shape(n + len(axiom.incoming) + int(unranked), m, n)

    for n in range(axiom.min_ranked, min(longest, _LONG) + 1):
        for m in few:
            for _ in range(repeats if n <= _USUAL else 1):
                yield shape(n, m)
    for m in range(_FEW_ASPECTS + 1, most + 1 if longest >= axiom.min_ranked else 0):
        yield shape(int(rng.integers(axiom.min_ranked, min(longest, _USUAL) + 1)), m)
    if longest > _LONG:
        for _ in range(long_shapes):
            yield shape(int(rng.integers(_LONG + 1, longest + 1)), int(rng.choice(few)))


def _free_draft(space: InstanceSpace, shape: Shape, size: int, rng: np.random.Generator) -> Draft:
    grades = _grades(shape, size, rng)
    _zeros(grades, shape, rng)
    reach = space.reach(shape.ranked)
    t = rng.integers(0, shape.aspects, size)
    i, j = rng.integers(0, reach, (2, size))
    step = rng.integers(1, shape.aspects, size) if shape.aspects > 1 else np.zeros(size, dtype=np.int64)
    return Draft(
        shape=shape,
        grades=grades.transpose(2, 0, 1),
        weights=_weights(shape.aspects, size, rng),
        top=_tops(size, rng) if space.binary and not space.small else np.ones(size),
        i=i,
        j=np.where(rng.random(size) < _ADJACENT, np.minimum(i + 1, reach - 1), j),
        t=t,
        u=(t + step) % shape.aspects,
        binary=space.binary,
    )


def _segments(size: int, styles: int) -> Iterator[slice]:
    edges = np.linspace(0, size, styles + 1).astype(int)
    for a, b in pairwise(edges):
        yield slice(int(a), int(b))


def _grades(shape: Shape, size: int, rng: np.random.Generator) -> Reals:
    """Draw (documents, m, B) grades in [0, 1]. Each seventh of the drafts has a different distribution of grades."""
    u = rng.random((shape.documents, shape.aspects, size))
    spread, levels, atoms, close, magnitudes, high, tied = _segments(size, 7)
    del spread  # the drafts of this segment keep the drawn values in (0, 1)
    # few distinct grades, so that ties are common
    choice = (u[..., levels] * 3).astype(np.int64)
    values = rng.random((3, u[..., levels].shape[-1]))
    for level in range(3):
        u[..., levels] = np.where(choice == level, values[level], u[..., levels])
    u[..., atoms] = np.floor(u[..., atoms] * 5) / 4
    # all grades close to one value
    width = 2.0 ** -rng.integers(3, 19, u[..., close].shape[-1])
    centre = rng.random(u[..., close].shape[-1])
    u[..., close] = np.clip(centre + width * (u[..., close] - 0.5), 0, 1)
    u[..., magnitudes] = 2.0 ** (-20 * u[..., magnitudes])
    u[..., high] = 1 - 2.0 ** (-1 - 12 * u[..., high])
    # mostly one value, sometimes another
    common = rng.random(u[..., tied].shape[-1])
    u[..., tied] = np.where(u[..., tied] < 0.85, common, u[..., tied])
    # Multiples of 2**-20: exact as doubles, and cheap as rationals.
    return np.round(u * _GRID) / _GRID


def _zeros(grades: Reals, shape: Shape, rng: np.random.Generator) -> None:
    size = grades.shape[-1]
    share = rng.choice([0.0, 0.25, 0.5, 0.75, 0.95], size=size)
    grades *= rng.random(grades.shape, dtype=np.float32) >= share
    # some drafts get a sequence of ranks without relevant documents
    run = rng.random(size) < 0.25
    start = rng.integers(0, shape.ranked, size)
    stop = start + rng.integers(0, shape.ranked + 1, size)
    documents = np.arange(shape.documents)[:, None]
    inside = run & (documents >= start) & (documents < np.minimum(stop, shape.ranked))
    grades *= ~inside[:, None, :]


def _weights(aspects: int, size: int, rng: np.random.Generator) -> Integers:
    """Draw (B, m) positive integers as aspect weights: equal, nearly equal, small, arbitrary or very different ones."""
    weights = np.ones((size, aspects), dtype=np.int64)
    _equal, near, small, any_, extreme = _segments(size, 5)
    base = 10 ** rng.choice([3, 3, 3, 3, 4, 4, 5, 6], weights[near].shape[0])[:, None]
    weights[near] = base + rng.integers(-1, 2, weights[near].shape)
    weights[small] = rng.integers(1, 4, weights[small].shape)
    weights[any_] = rng.integers(1, 1001, weights[any_].shape)
    weights[extreme] = rng.choice([1, 10, 1000], weights[extreme].shape)
    return rng.permuted(weights, axis=0) if aspects == 1 else weights[rng.permutation(size)]


def _tops(size: int, rng: np.random.Generator) -> Reals:
    """Draw (B,) values of rc, the only positive grade of a binary draft: 1, near 0, near 1, or arbitrary."""
    tops = np.ones(size)
    _one, any_, low, high, atoms = _segments(size, 5)
    tops[any_] = rng.random(tops[any_].shape)
    tops[low] = 2.0 ** (-20 * rng.random(tops[low].shape))
    tops[high] = 1 - 2.0 ** (-1 - 12 * rng.random(tops[high].shape))
    tops[atoms] = rng.integers(1, 4, tops[atoms].shape) / 4
    tops = np.maximum(np.round(tops * _GRID), 1) / _GRID
    return tops[rng.permutation(size)]


def mutations(space: InstanceSpace, drafts: Draft, times: int, rng: np.random.Generator) -> Batch:
    """Return ``times`` small random mutations of each draft, repaired to meet the premises.

    Mutations that do not meet the premises even after the repair are discarded.
    """
    d = drafts.pick(np.repeat(drafts.rows, times))
    shape, size = d.shape, d.size
    inner = np.moveaxis(d.grades, 0, -1)
    cells = shape.documents * shape.aspects
    change = rng.random(inner.shape) < np.minimum(1.0, rng.choice([1.0, 2.0, 4.0], size=size) / cells)
    other = inner[rng.integers(0, shape.documents, size), rng.integers(0, shape.aspects, size), np.arange(size)]
    nudge = inner + 2.0 ** -rng.integers(2, 18, size) * rng.choice([-1, 1], inner.shape)
    kind = rng.integers(0, 5, inner.shape)
    new = np.choose(
        kind, [np.zeros_like(inner), np.ones_like(inner), other + 0 * inner, nudge, rng.random(inner.shape)]
    )
    new = np.round(np.clip(new, 0, 1) * _GRID) / _GRID
    inner[...] = np.where(change, new, inner)
    move = rng.integers(-1, 2, (2, size)) * (rng.random((2, size)) < 0.3)
    reach = space.reach(shape.ranked)
    d.i[:] = np.clip(d.i + move[0], 0, reach - 1)
    d.j[:] = np.clip(d.j + move[1], 0, reach - 1)
    heavier = (rng.random(d.weights.shape) < 0.1) * rng.integers(0, 4, d.weights.shape)
    d.weights[:] = d.weights + heavier
    return space.repaired(d)
