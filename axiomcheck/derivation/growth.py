"""Refuse numbers that grow from rank to rank until floats lose precision or NumPy integers overflow."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from itertools import product as combinations
from math import inf, log, prod

from axiomcheck.derivation.forms import INDICATORS, Form, Product, Quantity, Underivable
from axiomcheck.numbers.open_numbers import UnknownValue

_MOST = 2
"""Largest power of the rank that may bound a number: sums of sums of numbers up to 1 grow like rank^2."""

_MOST_FACTORS = 6
"""Largest number of factors for which all combinations of least and largest values are tried."""

_ROUNDING = Fraction(1, 10**9)

_ENDS = (Fraction(0), Fraction(1))

States = Mapping[Quantity, tuple[Form, Form]]
"""Start and update of each state."""


def refuse_growth(states: States) -> None:
    """Check that no state variable grows so fast that floats lose digits of other numbers at late ranks.

    Raises:
        Underivable: A state variable may grow so fast.

    """
    small = between_0_and_1(states)
    if any(_growth(atom, states, small, frozenset()) > _MOST for atom in states):
        raise Underivable("updates a number that grows from rank to rank until floats lose precision")


def between_0_and_1(states: States) -> frozenset[Quantity]:
    """Return the state variables that provably stay between 0 and 1, by joint induction over ranks."""
    small = frozenset(atom for atom, (start, _) in states.items() if 0 <= (start.constant or 0) <= 1)
    while True:
        kept = frozenset(atom for atom in small if _stays(states[atom][1], small, 0))
        if kept == small:
            return small
        small = kept


def _growth(atom: Quantity, states: States, small: frozenset[Quantity], outer: frozenset[Quantity]) -> float:
    """Return an exponent k such that a state variable grows no faster than rank^k; infinity if none is known."""
    if atom in small or atom not in states:
        return 0
    if atom in outer:
        return inf  # two states that depend on each other
    _, update = states[atom]
    own = {product: c for product, c in update.terms.items() if (atom, 1) in product}
    added = [product for product in update.terms if product not in own]
    factor = Form({tuple(item for item in product if item != (atom, 1)): c for product, c in own.items()})
    if not _stays(factor, small, -1) or any(atom == a for a in factor.atoms()):
        return inf
    most = max((_growth_of(product, states, small, outer | {atom}) for product in added), default=-1)
    return most + 1 if own else most


def _growth_of(product: Product, states: States, small: frozenset[Quantity], outer: frozenset[Quantity]) -> float:
    """Return an exponent k such that a product grows no faster than rank^k."""
    total = 0.0
    for atom, e in product:
        if atom.kind == "sum" and e > 0:
            total += max(_growth_of(inner, states, small, outer) for inner in atom.form.terms)
        elif atom.kind == "state" and e > 0:
            total += _growth(atom, states, small, outer) * e
        elif atom.kind in ("rank", "shifted") or (atom.kind in ("length", "least", "final", "greatest") and e > 0):
            total += e
        elif atom.kind in ("huge", "power", "exp") and isinstance(atom.of[0], Fraction) and atom.of[0] > 1:
            return inf
    if total <= _MOST and any(atom.kind == "within" for atom, _ in product):
        return 0  # nothing is added after some rank
    return max(total, 0)


def _stays(form: Form, small: frozenset[Quantity], lowest: int) -> bool:
    """Return True if a form is in [lowest, 1] for all combinations of the factors' bounds, up to rounding."""
    try:
        found = _at_ends(form, small)
        return bool(found) and all(lowest - _ROUNDING <= total <= 1 + _ROUNDING for total in found)
    except UnknownValue:  # it may leave the range for some values of a parameter
        return False


def _at_ends(form: Form, small: Collection[Quantity]) -> list[Fraction]:
    """Evaluate a form at all combinations of its factors' bounds; return no values if a bound is unknown."""
    atoms = list({atom for product in form.terms for atom, _ in product})
    ranges = [_values(atom, small) for atom in atoms]
    if len(atoms) > _MOST_FACTORS or not all(ranges):
        return []
    if any((e < 0) is not (a.kind in _FALLING) for p in form.terms for a, e in p if a.kind != "ln"):
        return []
    totals = []
    for values in combinations(*ranges):
        at = dict(zip(atoms, values, strict=True))
        products = (c * prod(at[a] ** (e if a.kind == "ln" else abs(e)) for a, e in p) for p, c in form.terms.items())
        totals.append(sum(products, start=Fraction(0)))
    return totals


def bounds(form: Form, small: Collection[Quantity] = ()) -> tuple[Fraction, Fraction] | None:
    """Return a lower and an upper bound of a form; None if none are known.

    A sum of products of distinct factors takes its extremes where each factor is at an end of its range.

    Args:
        form: The form.
        small: States that are between 0 and 1.

    """
    if any(abs(e) != 1 or a.kind in ("ln", "sum") for product in form.terms for a, e in product):
        return None
    try:
        found = _at_ends(form, small)
        return (min(found), max(found)) if found else None
    except UnknownValue:
        return None


_FALLING = frozenset(("rank", "shifted", "aspects"))
"""Kinds of atoms whose inverses are between 0 and 1."""


def _values(atom: Quantity, small: Collection[Quantity]) -> Sequence[Fraction]:
    """Return bounds of an atom, or of its inverse for kinds in `_FALLING`, and a value between; empty if unknown."""
    if atom.kind in INDICATORS:
        return _ENDS
    if atom.kind == "ln":
        return (Fraction(log(int(str(atom.of[0])))),)
    base = atom.of[0] if atom.of else None
    known = {
        "grade": True,
        "weight": True,
        "sum": atom.kind == "sum" and any(inner.kind == "weight" for inner in atom.form.atoms()),
        "rank": True,
        "aspects": True,
        "shifted": isinstance(base, Fraction) and base >= 0,
        "power": isinstance(base, Fraction) and base <= 1,
    }
    return (*_ENDS, Fraction(1, 2)) if atom in small or known.get(atom.kind, False) else ()
