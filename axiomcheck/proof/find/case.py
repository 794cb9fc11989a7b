"""One region of symbolic instances, and the difference of the two scores there, from the metric's own code.

Discounts that are neither constant nor geometric are sequences made of positive steps, and np.sort of grades that
cannot be put in order gives variables that stand for the sorted values: see ``docs/lemmas/bounded.md``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq

from axiomcheck.axioms.relations import Cell
from axiomcheck.core.errors import AxiomcheckError, NotRational
from axiomcheck.core.typing import Array
from axiomcheck.metrics import Metric
from axiomcheck.numbers.closed import Closed
from axiomcheck.numbers.discount import Constant, Discount, Geometric
from axiomcheck.numbers.polynomials import Range, Term, Terms, Undecided, Variables, positivity
from axiomcheck.numbers.series import Series, Truncated, last_known
from axiomcheck.proof.find.instances import GradeRegion, Split
from axiomcheck.proof.find.setting import parameter_symbols
from axiomcheck.proof.find.zeta_terms import Deeper, ZetaTerms
from axiomcheck.sources.provenance import runs_catalogue_code

DISCOUNTS = ("decreasing", "convex", "own")
"""What is assumed of discounts other than constant and geometric ones: the weakest that is tried first."""


_FIRST_ORDERS = 2


class Unprovable(AxiomcheckError):
    """The metric's code does not run on symbols, or what it asks cannot be split any further."""


class PoolTouched(BaseException):
    """The metric looks at the pool.

    No Exception, so that a metric that catches what goes wrong in it does not go on with an answer of its own.
    """


class _UntouchedCase:
    """A pool that nobody may look at: whatever is scored with it does not depend on documents that are not ranked."""

    def __getattribute__(self, name: str) -> Any:
        raise PoolTouched(name)

    def _refuse(self, *args: Any, **options: Any) -> Any:
        raise PoolTouched("operator")

    __array__ = __len__ = __iter__ = __getitem__ = __bool__ = __eq__ = __ne__ = __lt__ = __gt__ = _refuse
    __add__ = __radd__ = __mul__ = __rmul__ = __sub__ = __rsub__ = __repr__ = __str__ = __contains__ = _refuse
    __array_function__ = __array_ufunc__ = _refuse
    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True)
class ProofPlan:
    """How a proof is tried.

    Args:
        metric: as it was named.
        small: whether r << 1 is assumed.
        binary: whether grades are 0 or one rc.
        parameters: those that are symbols.
        discount: one of `DISCOUNTS`.
        pool: whether the metric is given one; without it the number of unretrieved documents does not matter.

    """

    metric: Metric
    small: bool
    binary: bool
    parameters: tuple[str, ...]
    discount: str
    pool: bool


class SymbolicArithmetic(Terms):
    """Discounts that are neither constant nor geometric are positive sequences made of positive steps.

    Args:
        variables: of the case.
        discount: one of `DISCOUNTS`.
        depth: the largest rank.

    Attributes:
        assumed: whether such a discount was asked for.

    """

    def __init__(self, variables: Variables, discount: str, depth: int) -> None:
        self.variables = variables
        self.discount = discount
        self.depth = depth
        self.sequences: dict[Discount, list[Term]] = {}
        self.assumed = False
        self.zetas = ZetaTerms(variables)
        self.enclosed: dict[Any, Term] = {}
        self.sort_row: Callable[[list[Any]], list[Any]] = sorted

    def discounts(self, discount: Discount, n: int) -> Array:
        """The discounts of ranks 1..n."""
        if self.discount == "own" or isinstance(discount, Constant | Geometric):
            return super().discounts(discount, n)
        return np.array(self._sequence(discount, n)[:n], dtype=object)

    def in_order(self, values: list[Any]) -> list[Any]:
        """As the case has them."""
        return self.sort_row(values)

    def closed(self, value: Closed) -> Term:
        """What the number certainly lies between, with a variable of (0, 1) for where, one per product in it."""
        total = self.variables.constant(0)
        for low, width, product in value.enclosures():
            if product and product not in self.enclosed:
                name = f"K{len(self.enclosed) + 1}"
                self.enclosed[product] = self.variables.new(name, Range.OPEN)
            total = total + (low + width * self.enclosed[product] if product else low)
        return total

    def zeta(self, s: int, x: Array) -> Array:
        """Positive variables, one for all x that differ by whole numbers."""
        return self.zetas(s, x)

    def irrational_one(self) -> fmpq:
        """Exactly."""
        return fmpq(1)

    def _sequence(self, discount: Discount, n: int) -> list[Term]:
        self.assumed = True
        if n > self.depth:
            raise Unprovable(f"a discount of rank {n} in rankings of {self.depth}")
        if discount not in self.sequences:
            if not has_shape(discount, self.discount, self.depth):
                raise Unprovable(f"{discount} is not {self.discount}")
            number = len(self.sequences) + 1
            steps = [self.variables.new(f"D{number}.{k}", Range.POSITIVE) for k in range(1, self.depth + 1)]
            values: list[Term] = []
            for k in range(self.depth):
                value = steps[-1]
                for later in range(k, self.depth - 1):
                    value = value + steps[later] * (later - k + 1 if self.discount == "convex" else 1)
                values.append(value)
            self.sequences[discount] = values
        return self.sequences[discount]


@lru_cache(maxsize=1024)
def has_shape(discount: Discount, shape: str, depth: int) -> bool:
    """Whether the discounts of ranks 1..depth are positive, and decreasing (and convex), all strictly."""
    with ctx.workprec(256):
        values = [discount.ball(i) for i in range(1, depth + 1)]
        first = [a - b for a, b in pairwise(values)]
        second = [a - b for a, b in pairwise(first)] if shape == "convex" else []
        return all(x > arb(0) for x in (*values, *first, *second))


class _Grades(np.ndarray[Any, Any]):
    """Grades whose sorting need not be decided: the sorted values may stand for themselves."""

    case: SymbolicCase | None

    def __array_finalize__(self, source: Any) -> None:
        self.case = getattr(source, "case", None)

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        if function is np.sort and self.case is not None:
            return self.case.sort(*args, **options)
        return super().__array_function__(function, types, args, options)


class SymbolicCase:
    """One region with its variables.

    Args:
        plan: how the proof is tried.
        region: not empty, nothing forced.

    """

    def __init__(self, plan: ProofPlan, region: GradeRegion) -> None:
        self.plan = plan
        self.region = region
        self.variables = Variables()
        self.parameters = parameter_symbols(plan.metric, plan.parameters, self.variables)
        offset = len(self.variables.names)
        grades, self.owners = region.grades(self.variables)
        assert all(k >= offset for k in self.owners)
        self.sorted_from: dict[int, list[Cell]] = {}
        self._sorted: dict[tuple[str, ...], list[Any]] = {}
        self.weights = region.weights(self.variables)
        self.grades = grades[None].view(_Grades)
        self.grades.case = self
        self.arithmetic = SymbolicArithmetic(self.variables, plan.discount, region.setting.shape.documents)
        self.arithmetic.sort_row = self._sorted_row

    def sort(self, array: Array, axis: int = -1, **options: Any) -> Array:
        """np.sort, where need be with fresh variables for the sorted values: see ``docs/lemmas/bounded.md``.

        Raises:
            Undecided: a value may be negative.

        """
        plain = np.asarray(array)
        if options or axis not in (-1, plain.ndim - 1):
            return np.sort(plain, axis=axis, **options)
        out = np.empty(plain.shape, dtype=object)
        for index in np.ndindex(plain.shape[:-1]):
            out[index] = self._sorted_row(list(plain[index]))
        return out

    def _sorted_row(self, values: list[Any]) -> list[Any]:
        try:
            return sorted(values)
        except Undecided:
            pass
        terms = [_as_term(v, self.variables) for v in values]
        key = tuple(sorted(f"{t.numerator}/{t.denominator}" for t in terms))
        if key not in self._sorted:
            for t in terms:
                if not t.at_least_zero():
                    raise Undecided(t)
            zeros = sum(t.numerator.is_zero() for t in terms)
            positive = sum(positivity(t.numerator, self.variables, True) is not None for t in terms)
            sources = sorted({c for t in terms for c in self.cells_of(t)})
            number = len(self._sorted) + 1
            row: list[Any] = []
            for k in range(len(terms) - zeros):
                self.sorted_from[len(self.variables.names)] = sources
                range_ = Range.POSITIVE if k < positive else Range.NONNEGATIVE
                row.append(self.variables.new(f"S{number}.{k + 1}", range_))
            self._sorted[key] = [self.variables.constant(0)] * zeros + row[::-1]
        return self._sorted[key]

    def cells_of(self, term: Term) -> list[Cell]:
        """The classes that a term depends on."""
        found: set[Cell] = set()
        for k, degree in enumerate(term.numerator.degrees()):
            if degree > 0:
                found.update([self.owners[k]] if k in self.owners else self.sorted_from.get(k, ()))
        return sorted(found)

    def scores(self, keep: int | None = None) -> tuple[Any, Any]:
        """(worse, better): terms of order 0, or series of them.

        Args:
            keep: the highest order of eps that products keep; None keeps all.

        Raises:
            Truncated: what it asks depends on orders above that.
            Undecided: the metric asks what the coefficients do not settle.
            Unprovable: its code does not run on symbols.
            PoolTouched: it looks at the pool, where none is given.

        """
        setting = self.region.setting
        metric = self.plan.metric.at(self.parameters) if self.parameters else self.plan.metric
        rows = setting.axiom.rankings(setting.draft())

        def wrap(grades: Array) -> Any:
            return Series({1: grades}, keep) if setting.small else grades

        pool = wrap(self.grades) if self.plan.pool else _UntouchedCase()
        try:
            worse, better = (
                metric.score(self.arithmetic, wrap(self.grades[:, r[0]]), self.weights[None], pool) for r in rows
            )
        except Deeper:
            return self.scores(keep)
        except (Undecided, PoolTouched, Unprovable):
            raise
        except Truncated as error:
            if keep is not None:
                raise
            raise Unprovable(str(error)) from None
        except NotRational as error:
            raise Unprovable(str(error)) from None
        except Exception as error:
            raise Unprovable(f"{self.plan.metric} raised {type(error).__name__} on symbols: {error}") from error
        return worse, better

    def split_of(self, term: Term) -> Split | None:
        """A split that may help to settle a term's sign; None where every grade in it is split already."""
        cells = self.cells_of(term)
        if len(cells) == 2 and self._is_comparison(term, *cells):
            return ("compare", cells[0], cells[1])
        for c in cells:
            if self.region.unknown(c):
                return ("zero", c, None)
        for c in cells:
            if not self.region.setting.small and not self.region.one_known(c):
                return ("one", c, None)
        for k, a in enumerate(cells):
            for b in cells[k + 1 :]:
                if not self.region.setting.binary and not self.region.comparable(a, b):
                    return ("compare", a, b)
        return None

    def _is_comparison(self, term: Term, a: Cell, b: Cell) -> bool:
        """Whether a term is one grade less another that may be on either side of it."""
        if self.region.setting.binary or self.region.comparable(a, b) or not term.denominator.is_one():
            return False
        difference = self.grades[0][a] - self.grades[0][b]
        return bool(term.numerator == difference.numerator or -term.numerator == difference.numerator)


def _as_term(value: Any, variables: Variables) -> Term:
    if isinstance(value, bool | np.bool_ | float | np.floating):
        raise Unprovable(f"a {type(value).__name__} came out of symbolic arithmetic")
    term: Term = value if isinstance(value, Term) else variables.constant(0) + value
    return term


def difference(case: SymbolicCase) -> dict[int, Term]:
    """Q(better) - Q(worse) by order of eps (order 0 alone where r << 1 is not assumed).

    Raises:
        Undecided, Unprovable, PoolTouched: as `Case.scores`.

    """
    if case.region.setting.small and not runs_catalogue_code(case.plan.metric):
        # Most cases are decided in the first orders, and the rest is most of the work.
        try:
            first = _difference(case, *case.scores(_FIRST_ORDERS))
        except Truncated:
            first = {}
        if any(not term.numerator.is_zero() for term in first.values()):
            return first
    return _difference(case, *case.scores())


def _difference(case: SymbolicCase, *scores: Any) -> dict[int, Term]:
    sides = []
    last = last_known(*scores)
    for score in scores:
        terms = score.terms if isinstance(score, Series) else {0: score}
        if any(np.shape(c) not in ((), (1,)) for c in terms.values()):
            raise Unprovable("the score of one ranking is not one number")
        if isinstance(score, Series) and score.dropped and not case.region.setting.axiom.strict:
            raise Unprovable("scores that tie in every order kept may differ in one that was dropped")
        sides.append(
            {
                k: _as_term(np.ravel(np.asarray(c, dtype=object))[0], case.variables)
                for k, c in terms.items()
                if last is None or k <= last
            }
        )
    worse, better = sides
    zero = case.variables.constant(0)
    return {order: better.get(order, zero) - worse.get(order, zero) for order in sorted({*worse, *better})}
