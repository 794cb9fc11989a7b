"""Derives the identities of a proof again, in SymPy, which shares nothing with the prover's terms and series."""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import fmpq

from axiomcheck.core.counting import counted
from axiomcheck.core.errors import InternalDisagreement
from axiomcheck.core.typing import Array
from axiomcheck.metrics import Metric
from axiomcheck.numbers.arithmetic import Rationals
from axiomcheck.numbers.discount import Discount, Geometric
from axiomcheck.numbers.polynomials import Range, one_entry
from axiomcheck.numbers.zeta import elementwise
from axiomcheck.studies.identity.proof import MOST_ASPECTS, IdentityProof, fold_metric, seen_grades


def recheck(proof: IdentityProof, first: Metric, second: Metric) -> None:
    """Derives the identities of a proof again, in SymPy.

    Only the invariant, the factors and the choice of symbols are taken from the proof. Grades are eps * r with a symbol
    eps where leading coefficients are compared, so `axiomcheck.numbers.series` and the terms of the prover have no part
    in it.

    Raises:
        InternalDisagreement: an identity does not hold.
        TypeError, NotImplementedError: SymPy cannot follow the metric's code; there is no proof then.

    """
    import sympy
    from sympy.core.sympify import converter

    converter.setdefault(fmpq, lambda q: sympy.Rational(int(q.p), int(q.q)))
    symbols = {name: sympy.Symbol(name, positive=True) for name in proof.parameters}
    a, b = (fold_metric(m, symbols) for m in (first, second))
    folds = {"A": a.fold(), "B": b.fold()}

    def read(text: str) -> Any:
        return sympy.sympify(text, locals=symbols | {"rc": sympy.Symbol("rc", positive=True)}, rational=True)

    def demand(difference: Any, what: str) -> None:
        if sympy.simplify(difference) != 0:
            raise InternalDisagreement(f"{first} and {second}: {what}: SymPy finds a difference of {difference}")

    arithmetic = _SymPy()
    ratio = read(proof.discount_factor)
    ranks = min((m.cutoff for m in (first, second) if m.cutoff is not None), default=6)
    for i in range(1, min(ranks, 6) + 1):
        left, right = (_discount(folds[side].discount, i, sympy) for side in "AB")
        demand(left - ratio * right, f"discounts at rank {i}")
    gain = read(proof.gain_factor)
    alone = proof.scope.one_aspect or a.pooling != "no"
    for m, text in proof.by_aspects.items() if proof.by_aspects else [(1 if alone else MOST_ASPECTS, proof.factor)]:
        if text:
            weights = [sympy.Rational(1, m) if x.weighted and not alone else sympy.Integer(1) for x in (a, b)]
            top, bottom = (w * sympy.sympify(x.scale(m)) for w, x in zip(weights, (a, b), strict=True))
            demand(top / bottom * ratio * gain - read(text), f"factor with {counted(m, 'aspect')}")
    if not proof.equal_length:
        demand(sympy.sympify(a.cost()) * ratio - read(proof.factor or "1") * sympy.sympify(b.cost()), "costs")
    if not proof.invariant:
        return
    eps = sympy.Symbol("eps", positive=True) if proof.leading is not None else sympy.Integer(1)
    last = proof.leading

    def by_order(expression: Any, most: int) -> list[Any]:
        polynomial = sympy.Poly(sympy.expand(expression), eps) if last is not None else None
        return [polynomial.coeff_monomial(eps**o) for o in range(most + 1)] if polynomial is not None else [expression]

    values: dict[str, Any] = {}
    for name, (kind, what) in proof.invariant.items():
        fresh = {"nonnegative": True} if what != Range.ANY.value else {"real": True}
        values[name] = read(what) if kind == "=" else values[what] if kind == "same" else sympy.Symbol(name, **fresh)
    starts: dict[str, Any] = {}
    for side, fold in folds.items():
        for c, value in enumerate(fold.start(arithmetic)):
            starts |= {f"{side}{c}_{o}": (value if o == 0 else sympy.Integer(0)) for o in (0, 1)}
    for name, (kind, what) in proof.invariant.items():
        if kind != "in":
            demand(starts[name] - (read(what) if kind == "=" else starts[what]), f"{name} before rank 1")
    some = sympy.Integer(1) if seen_grades(a, proof.scope) == "one" else sympy.Symbol("r", positive=True)
    for grade in (sympy.Integer(0), eps * some):
        gains: dict[str, Any] = {}
        after: dict[str, Any] = {}
        for side, fold in folds.items():
            count = len(fold.start(arithmetic))
            state = []
            for c in range(count):
                if last is None:
                    state.append(one_entry(values[f"{side}{c}_0"]))
                else:
                    rest = sympy.Symbol(f"{side}{c}_rest", real=True)
                    state.append(one_entry(values[f"{side}{c}_0"] + eps * values[f"{side}{c}_1"] + eps**2 * rest))
            earned, left = fold.step(arithmetic, tuple(state), one_entry(grade))
            gains[side] = by_order(np.asarray(earned, dtype=object).reshape(-1)[0] + sympy.Integer(0), last or 0)
            for c, part in enumerate(left):
                parts = by_order(np.asarray(part, dtype=object).reshape(-1)[0] + sympy.Integer(0), 1)
                after |= {f"{side}{c}_{o}": value for o, value in enumerate(parts)}
        for o, (x, y) in enumerate(zip(gains["A"], gains["B"], strict=True)):
            demand(x - gain * y, f"gains of order {o}")
        for name, (kind, what) in proof.invariant.items():
            if kind != "in":
                demand(after[name] - (read(what) if kind == "=" else after[what]), f"{name} after a document")


class _SymPy(Rationals):
    """Arithmetic over SymPy expressions."""

    def number(self, value: Any) -> Any:
        """A number, or a symbol."""
        import sympy

        return value if isinstance(value, sympy.Basic) else sympy.Rational(value.numerator, value.denominator)

    def integers(self, counts: Array) -> Array:
        """Integer array -> SymPy integers."""
        import sympy

        return elementwise(lambda c: sympy.Integer(int(c)), counts)


def _discount(discount: Discount, rank: int, sympy: Any) -> Any:
    """A discount as an expression; one that is irrational as a symbol of the discount and the rank."""
    if isinstance(discount, Geometric):
        return sympy.sympify(discount.scale) * sympy.sympify(discount.ratio) ** (rank - 1)
    value = discount.rational(rank)
    return sympy.Symbol(f"{discount!r} {rank}") if value is None else sympy.sympify(value)
