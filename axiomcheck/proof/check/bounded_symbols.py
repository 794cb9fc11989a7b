"""Represent the grades, parameters, discounts and zeta values of a case as quotients of polynomials."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Any, NoReturn

import numpy as np
from flint import arb, ctx, fmpq

from axiomcheck.axioms.relations import Cell
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.typing import Array
from axiomcheck.numbers.closed import Closed, Product
from axiomcheck.numbers.discount import Constant, Discount, Geometric
from axiomcheck.proof.check.polynomials import Monomial, Polynomial, Variable, monomial_text
from axiomcheck.proof.check.quotients import Exact, Quotient, SignUnknown

MOST = 64
"""Maximum number of variables in one case."""


class World:
    """Variables of one case.

    Args:
        earlier: Variables of an earlier run of the same case. Those with the same name and range are reused.

    Attributes:
        rows: Sorted values by a key of the unsorted ones, if variables stand for them because their order is unknown.
        cells: Grades that each variable depends on. The prover splits a case on these grades.

    """

    def __init__(self, earlier: World | None = None) -> None:
        self.variables: list[Variable] = []
        self.rows: dict[tuple[str, ...], list[Quotient]] = {}
        self.cells: dict[Variable, tuple[Cell, ...]] = {}
        self._earlier = {(v.name, v.range): v for v in earlier.variables} if earlier else {}

    def variable(self, name: str, range_: str, cells: Iterable[Cell] = ()) -> Quotient:
        """Create a variable whose value depends on some grades, ``cells``.

        Raises:
            SignUnknown: The case has too many variables. A split reduces their number.
            InvalidInput: The name is already in use.

        """
        if any(v.name == name for v in self.variables):
            raise InvalidInput(f"certificate: duplicate variable {name}; each name may appear only once")
        if len(self.variables) == MOST:
            raise SignUnknown(f"more than {MOST} variables", Quotient(Polynomial({(self.variables[-1],): fmpq(1)})))
        made = self._earlier[name, range_] if (name, range_) in self._earlier else Variable(name, range_)
        self.variables.append(made)
        self.cells[made] = tuple(sorted(set(cells)))
        return Quotient(Polynomial({(made,): fmpq(1)}))

    def cells_of(self, value: Quotient) -> list[Cell]:
        """Return the grades that the numerator of a quotient depends on."""
        return sorted({cell for v in value.numerator.degrees() for cell in self.cells.get(v, ())})

    def monomial(self, monomial: Monomial) -> str:
        """Write a monomial in the notation of certificates."""
        return monomial_text(sorted(monomial, key=self.variables.index))


class Symbolic(Exact):
    """Arithmetic on quotients. Discounts that are neither constant nor geometric may be symbols of an assumed shape.

    Attributes:
        assumed: True if the assumption about discounts was used.

    """

    def __init__(self, world: World, discount: str, depth: int, zetas: Callable[[int, Array], Array]) -> None:
        self.world, self.discount, self.depth, self.zetas = world, discount, depth, zetas
        self.assumed = False
        self.steps: dict[Discount, list[Quotient]] = {}
        self.between: dict[Product, Quotient] = {}

    def discounts(self, discount: Discount, n: int) -> Array:
        """Return the discounts of ranks 1..n, shape (n,): their exact values, or sums of symbols.

        Raises:
            InvalidInput: Exact values are required but irrational, n is too large, or the assumed shape is wrong.

        """
        values: Sequence[Fraction | Quotient | None]
        if isinstance(discount, Constant | Geometric) or self.discount == "own":
            values = [discount.rational(rank) for rank in range(1, n + 1)]
            if any(value is None for value in values):
                raise InvalidInput(f"certificate: {discount} is irrational, so scope.discount must not be 'own'")
        else:
            self.assumed = True
            if n > self.depth:
                raise InvalidInput(f"certificate: the metric uses rank {n}; expected at most {self.depth}")
            values = self._abstract(discount)[:n]
        out = np.empty(n, dtype=object)
        out[:] = [Quotient.of(value) for value in values]
        return out

    def in_order(self, values: list[Any]) -> list[Any]:
        """Sort values in ascending order; if their order is unknown, return variables for the sorted values."""
        return _in_order(self.world, values)

    def closed(self, value: Closed) -> Quotient:
        """Convert a closed form to a quotient.

        Each irrational product becomes its lower bound plus the width of its enclosure times a variable in (0, 1).
        """
        total = Quotient.of(0)
        for low, width, product in value.enclosures():
            if not product:
                total = total + low
                continue
            if product not in self.between:
                self.between[product] = self.world.variable(f"K{len(self.between) + 1}", "(0, 1)")
            total = total + (low + width * self.between[product])
        return total

    def where_between(self) -> dict[Variable, fmpq]:
        """Return approximations to the values of the variables that `closed` created."""
        return {next(iter(v.numerator.degrees())): Closed.share(product) for product, v in self.between.items()}

    def zeta(self, s: int, x: Array) -> Array:
        """Return the zeta values for every entry of x, as positive variables plus rational terms."""
        return self.zetas(s, x)

    def irrational_one(self) -> Quotient:
        """Return 1 as a quotient."""
        return Quotient.of(1)

    def own_steps(self) -> dict[Variable, float]:
        """Return the values of the discount variables that give the metric's own discounts."""
        found: dict[Variable, float] = {}
        for discount, steps in self.steps.items():
            real = [discount.real(rank) for rank in range(1, self.depth + 1)]
            values = [*(x - y for x, y in pairwise(real)), real[-1]]
            if self.discount == "convex":
                falls = values[:-1]
                values = [*(x - y for x, y in zip(falls, [*falls[1:], 0.0], strict=True)), real[-1]]
            for step, value in zip(steps, values, strict=True):
                found[next(iter(step.numerator.degrees()))] = value
        return found

    def _abstract(self, discount: Discount) -> list[Quotient]:
        """Return the discounts of all ranks as sums of positive variables.

        The last discount is a variable. The difference between a discount and the next one is a variable or, for convex
        discounts, the sum of a variable and the difference at the next rank.
        """
        if discount not in self.steps:
            if not _has_shape(discount, self.discount, self.depth):
                raise InvalidInput(f"certificate: scope.discount is {self.discount!r}, but {discount} is not")
            name = f"D{len(self.steps) + 1}"
            self.steps[discount] = [self.world.variable(f"{name}.{k + 1}", "(0, oo)") for k in range(self.depth)]
        *steps, value = self.steps[discount]
        values, fall = [value], Quotient.of(0)
        for step in reversed(steps):
            fall = fall + step if self.discount == "convex" else step
            value = value + fall
            values.append(value)
        return values[::-1]


@lru_cache(maxsize=1024)
def _has_shape(discount: Discount, shape: str, depth: int) -> bool:
    """Return True if the discounts of ranks 1..depth are positive, decreasing and, if the shape is "convex", convex."""
    with ctx.workprec(384):
        real = [discount.ball(i) for i in range(1, depth + 1)]
        falls = [x - y for x, y in pairwise(real)]
        bends = [x - y for x, y in pairwise(falls)] if shape == "convex" else []
        return all(bool(x > arb(0)) for x in real + falls + bends)


class PoolRead(SignUnknown):
    """Raised when a metric reads the pool in a run in which the score must not depend on it."""


class Unread:
    """Placeholder for a pool that a score must not depend on. Every operation on it raises PoolRead."""

    def __getattribute__(self, name: str) -> NoReturn:
        raise PoolRead("scope.unretrieved is 'any', but the metric reads the pool")

    def _no(self, *args: object, **options: object) -> NoReturn:
        raise PoolRead("scope.unretrieved is 'any', but the metric reads the pool")

    __array__ = __len__ = __iter__ = __getitem__ = __bool__ = __eq__ = __ne__ = __lt__ = __gt__ = _no
    __add__ = __radd__ = __mul__ = __rmul__ = __sub__ = __rsub__ = __repr__ = __str__ = __contains__ = _no
    __array_function__ = __array_ufunc__ = _no
    __hash__ = None  # type: ignore[assignment]


class Sortable(np.ndarray[Any, Any]):
    """Array of grades that `np.sort` can sort along the last axis even if the order of the grades is unknown."""

    world: World | None

    def __array_finalize__(self, source: object) -> None:
        self.world = getattr(source, "world", None)

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> object:
        if function is not np.sort or self.world is None:
            return super().__array_function__(function, types, args, options)
        values, last = np.asarray(args[0]), options.get("axis", args[1] if len(args) > 1 else -1)
        if len(args) > 2 or set(options) - {"axis"} or last not in (-1, values.ndim - 1):
            return np.sort(values, *args[1:], **options)
        flat = values.reshape(-1, values.shape[-1])
        out = np.empty(flat.shape, dtype=object)
        for row, line in zip(out, flat, strict=True):
            row[:] = _in_order(self.world, list(line))
        return out.reshape(values.shape)


def _in_order(world: World, values: list[Quotient]) -> list[Quotient]:
    """Sort values in ascending order; if their order is unknown, return variables for the sorted values."""
    try:
        return sorted(values)
    except SignUnknown:
        quotients = [Quotient.of(v) for v in values]
    key = tuple(sorted(str([sorted(p.terms.items()) for p in (q.numerator, q.denominator)]) for q in quotients))
    if key not in world.rows:
        known = []
        for q in quotients:
            if not q.is_zero:
                if not q.shown(">="):
                    raise SignUnknown("the code sorts values, one of which may be negative", q)
                known.append(q.shown(">"))
        positive, number = sum(known), len(world.rows) + 1
        ranges = ["(0, oo)"] * positive + ["[0, oo)"] * (len(known) - positive)
        cells = [cell for q in quotients for cell in world.cells_of(q)]
        largest_first = [world.variable(f"S{number}.{k}", r, cells) for k, r in enumerate(ranges, start=1)]
        world.rows[key] = [Quotient.of(0)] * (len(values) - len(known)) + largest_first[::-1]
    return world.rows[key]


_FARTHEST = 64


class Zetas:
    """Variables for values of the Hurwitz zeta function, zeta(s, x) with s >= 2 and x > 0.

    The metric is run with one positive variable for each requested value. If some arguments differ by integers, the
    metric is run again with one variable for all their values: the value at the largest argument.

    Args:
        world: World of the variables.
        asked: Arguments (s, polynomial x) that an earlier run requested; None in the first run.

    Attributes:
        values: Arguments (s, polynomial x) of the variables Z1, Z2, ..., in the order of the first requests.

    """

    def __init__(self, world: World, asked: list[tuple[int, Polynomial]] | None) -> None:
        self.world, self.asked = world, asked
        self.values: list[tuple[int, Polynomial]] = []
        self._variables: list[Quotient] = []

    def __call__(self, s: int, x: Array) -> Array:
        """Return zeta(s, x) for every entry of x, in terms of the variables.

        Raises:
            SignUnknown: The sign of an argument is unknown.
            InvalidInput: An argument is not positive, or not a polynomial.

        """
        arguments = np.asarray(x, dtype=object)
        out = np.empty(arguments.shape, dtype=object)
        for index in np.ndindex(arguments.shape):
            out[index] = self._one(s, Quotient.of(arguments[index]))
        return out

    def _one(self, s: int, x: Quotient) -> Quotient:
        if s < 2 or not x > 0:
            raise InvalidInput(f"certificate: the metric uses zeta({s}, x) with an x that is not shown to be positive")
        argument = x.polynomial()
        if self.asked is None:
            return self._variable(s, argument)
        apart = [(_whole(deep - argument), deep) for r, deep in self.asked if r == s]
        known = ((k, deep) for k, deep in apart if k is not None)
        steps, deepest = max(known, key=lambda e: e[0], default=(-1, argument))
        if not 0 <= steps <= _FARTHEST:
            raise InvalidInput("certificate: the metric uses different values of the zeta function when run again")
        total = self._variable(s, deepest)  # positive, as x is positive and deepest = x + steps
        for k in range(steps):
            total = total + 1 / (x + k) ** s
        return total

    def _variable(self, s: int, x: Polynomial) -> Quotient:
        if (s, x) not in self.values:
            self.values.append((s, x))
            self._variables.append(self.world.variable(f"Z{len(self.values)}", "(0, oo)"))
        return self._variables[self.values.index((s, x))]

    def are_related(self) -> bool:
        """Return True if the values of two variables differ by a rational function, so that one variable is enough."""
        return any(r == s and _whole(x - y) is not None for (r, x), (s, y) in combinations(self.values, 2))

    def written(self) -> dict[str, list[object]]:
        """Write the variables in the notation of certificates: [s, coefficients of x] by name."""
        return {f"Z{k}": [s, self._polynomial(x)] for k, (s, x) in enumerate(self.values, start=1)}

    def _polynomial(self, x: Polynomial) -> dict[str, str]:
        return dict(sorted((self.world.monomial(monomial), str(c)) for monomial, c in x.terms.items()))

    def point(self, point: dict[Variable, fmpq]) -> dict[Variable, arb]:
        """Convert a point to balls, and add the values of the zeta variables at this point."""
        out = {v: arb(value) for v, value in point.items()}
        for (s, x), z in zip(self.values, self._variables, strict=True):
            out |= dict.fromkeys(z.numerator.degrees(), arb(s).zeta(arb(x.at(point))))
        return out


def _whole(polynomial: Polynomial) -> int | None:
    """Return the value of a polynomial that is a constant integer, or None for any other polynomial."""
    c = polynomial.number()
    return int(c.p) if c is not None and c.q == 1 else None
