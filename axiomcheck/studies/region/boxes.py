"""Signs of polynomials on boxes, determined by their coefficients in the Bernstein basis of the box."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import comb, prod
from typing import TypeAlias

from flint import Ordering, fmpq, fmpq_mpoly, fmpq_mpoly_ctx

from axiomcheck.numbers.arithmetic import to_fmpq

Box: TypeAlias = Mapping[str, tuple[Fraction, Fraction]]
"""Closed interval of each variable."""

OpenEnds: TypeAlias = frozenset[tuple[str, Fraction]]
"""Pairs (variable, value) of interval ends that are excluded."""

Bounds: TypeAlias = tuple[int | None, int | None]
"""Signs of a lower bound (1 or 0) and of an upper bound (-1 or 0) on a box, each of them None if it is unknown."""

_ZERO = fmpq(0)


class Ring:
    """Polynomials with rational coefficients in some variables.

    Args:
        names: Names of the variables.
        open_ends: Ends of intervals that are excluded from every box.

    """

    def __init__(self, names: Sequence[str], open_ends: OpenEnds = frozenset()) -> None:
        self.names, self.open_ends = tuple(names), open_ends
        self.context = fmpq_mpoly_ctx.get(list(names), Ordering.lex)
        self.variables: dict[str, fmpq_mpoly] = dict(zip(names, self.context.gens(), strict=True))

    def bounds(self, f: fmpq_mpoly, box: Box, open_ends: OpenEnds = frozenset()) -> Bounds:
        """Return the signs of bounds of a polynomial on a box.

        Args:
            f: Polynomial in the variables of the ring.
            box: Interval of every variable.
            open_ends: Further ends that are excluded.

        """
        used = zip(self.names, f.degrees(), strict=True)
        if all(box[name][0] == box[name][1] for name, degree in used if degree):  # a single point
            value = self.value(f, {name: ends[0] for name, ends in box.items()})
            return (None if value < 0 else int(value > 0)), (None if value > 0 else -int(value < 0))
        coefficients, degrees = self._expanded(f, box)
        if not coefficients:
            return 0, 0
        attained = self._at_every_corner(coefficients, degrees, box, self.open_ends | open_ends)
        low = None if any(c < 0 for c in coefficients.values()) else int(attained)
        high = None if any(c > 0 for c in coefficients.values()) else -int(attained)
        return low, high

    def upper(self, f: fmpq_mpoly, box: Box) -> fmpq:
        """Return an upper bound of a polynomial on a box, which is its largest Bernstein coefficient."""
        coefficients, degrees = self._expanded(f, box)
        found = [
            c / prod(comb(d, k) for d, k in zip(degrees, exponents, strict=True))
            for exponents, c in coefficients.items()
        ]
        some_are_zero = len(found) < prod(degree + 1 for degree in degrees)
        return max(found if found and not some_are_zero else [_ZERO, *found])

    def value(self, f: fmpq_mpoly, point: Mapping[str, Fraction]) -> fmpq:
        """Return the value of a polynomial at a point."""
        return f(*(to_fmpq(point[name]) for name in self.names))

    def middle(self, f: fmpq_mpoly, box: Box) -> fmpq:
        """Return the value of a polynomial in the middle of a box."""
        return self.value(f, {name: (low + high) / 2 for name, (low, high) in box.items()})

    def depends_on(self, f: fmpq_mpoly, name: str) -> bool:
        """Return whether a variable occurs in a polynomial."""
        return bool(f.degrees()[self.names.index(name)])

    def _expanded(self, f: fmpq_mpoly, box: Box) -> tuple[dict[tuple[int, ...], fmpq], tuple[int, ...]]:
        """Return the nonzero Bernstein coefficients, times binomials, by exponents, and the degrees.

        With x = low + (high - low) s / (1 + s), these numbers are the coefficients in s after multiplication by the
        powers of 1 + s in the denominator.
        """
        sides = [tuple(map(to_fmpq, box[name])) for name in self.names]
        gens = self.variables.values()
        moved = f.compose(*((high - low) * x + low for (low, high), x in zip(sides, gens, strict=True)))
        degrees = tuple(int(d) for d in moved.degrees())
        grown = self.context.from_dict(_mirrored(moved, degrees)).compose(*(x + 1 for x in gens))
        return _mirrored(grown, degrees), degrees

    def _at_every_corner(
        self, coefficients: Mapping[tuple[int, ...], fmpq], degrees: Sequence[int], box: Box, open_ends: OpenEnds
    ) -> bool:
        """Return whether each smallest face of a box, after removal of its open ends, has a nonzero coefficient."""
        places = [
            (k, [at for at, end in ((0, box[name][0]), (degree, box[name][1])) if (name, end) not in open_ends])
            for k, (name, degree) in enumerate(zip(self.names, degrees, strict=True))
            if degree
        ]
        closed = [(k, at) for k, at in places if at]
        return all(
            any(all(exponents[k] == e for (k, _), e in zip(closed, corner, strict=True)) for exponents in coefficients)
            for corner in product(*(at for _, at in closed))
        )


def _mirrored(f: fmpq_mpoly, degrees: Sequence[int]) -> dict[tuple[int, ...], fmpq]:
    """Return the terms with each exponent subtracted from the degree."""
    return {tuple(d - int(e) for d, e in zip(degrees, key, strict=True)): c for key, c in f.to_dict().items()}
