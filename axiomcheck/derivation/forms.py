"""Compute with forms: polynomials in the quantities that a metric's code reads at an unknown rank.

A form is a sum of products of atoms with rational coefficients. Atoms are the grade of the document at the rank, the
indicator of a positive grade, the rank, logarithms and powers of the rank, numbers of the state before the rank, and
totals after the last rank. Indicators are 0 or 1, so each one is equal to its square. Equal forms have equal values
for every ranking. Unequal forms may also have equal values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias, cast

from axiomcheck.core.errors import AxiomcheckError
from axiomcheck.derivation.comparing import record_total
from axiomcheck.numbers.open_numbers import OpenNumber, is_same, number_text

_MOST_TERMS = 200
_MOST_POWER = 64


INDICATORS = frozenset(("hit", "flag", "ended", "within", "longer", "positive"))
"""Kinds of atoms that are 0 or 1."""

AT_RANK = frozenset(
    (
        "rank",
        "shifted",
        "log",
        "power",
        "huge",
        "within",
        "order",
        "grade",
        "hit",
        "state",
        "flag",
        "exp",
    )
)
"""Kinds of atoms whose values depend on the rank."""

OF_RANK = frozenset(("rank", "shifted", "log", "power", "inverse", "ln"))
"""Kinds of atoms that depend on the rank alone, or are irrational constants."""


@dataclass(frozen=True)
class Quantity:
    """Atom: a quantity that occurs as a factor in the products of a form.

    Args:
        kind: ``grade`` and ``hit`` (traversal, aspect), where a grade g with a base b is (b^g - 1) / (b - 1); ``rank``;
            ``shifted`` and ``log`` of the rank plus a number; ``power`` of a base to the rank, which is ``huge`` if it
            overflows to infinity; ``inverse`` of a form of the rank; ``ln`` of a prime; ``within`` the first k ranks;
            ``state`` and ``flag`` before the rank and ``final`` after the last one (traversal, number); ``exp`` of a
            base to a state; ``weight`` of the aspect; ``length`` of a ranking (n), a pool (P) or a batch (B);
            ``aspects``, the number of aspects; ``least`` of a length and a number; ``positive`` of a form; ``sum`` of a
            product over the aspects; ``carried`` from aspect to aspect; ``order`` of a grade, the place of the document
            at the rank when documents are sorted by that grade; ``missing``, the number of entries that a ranking lacks
            to have k, and ``longest``, the larger of its length and k; ``infinity``; ``greatest`` of a
            form and a positive number; ``reciprocal`` of a positive number plus totals.
        of: Data of the kind, as listed above.
        each: True if the value depends on the aspect.

    """

    kind: str
    of: tuple[object, ...] = ()
    each: bool = False
    text: str = field(init=False, compare=False)

    def __post_init__(self) -> None:
        inner = ", ".join(number_text(x) if isinstance(x, Fraction) else str(x) for x in self.of)
        object.__setattr__(self, "text", f"{self.kind}({inner})" + "'" * self.each)

    def __str__(self) -> str:
        return self.text

    @property
    def form(self) -> Form:
        """Form inside a ``sum``, ``positive`` or ``inverse``."""
        form: Any = self.of[0]
        return cast("Form", form)

    @property
    def last_rank(self) -> int:
        """Last rank at which ``within`` is 1, or k of ``missing``."""
        (rank,) = self.of
        assert isinstance(rank, int)
        return rank


Product: TypeAlias = tuple[tuple[Quantity, int], ...]
"""Atoms with their exponents, sorted by their texts."""


def product_of(factors: Mapping[Quantity, int]) -> tuple[Product, Fraction] | None:
    """Return a product in normal form with its constant factor; None if it is 0."""
    merged: dict[Quantity, int] = {}
    base, factor, within = Fraction(1), Fraction(1), None
    for atom, exponent in factors.items():
        if not exponent:
            continue
        if atom.kind == "power":
            (ratio,) = atom.of
            assert isinstance(ratio, Fraction)
            base *= ratio**exponent
        elif atom.kind == "within":
            within = atom.last_rank if within is None else min(within, atom.last_rank)
        else:
            merged[atom] = 1 if atom.kind in INDICATORS else exponent
    if within is not None:
        if within <= 0:
            return None
        merged[Quantity("within", (within,))] = 1
    if within == 1:  # the only rank is 1
        merged.pop(Quantity("rank"), None)
        after_first = merged.pop(Quantity("log", (Fraction(1),)), 0)
        merged[Quantity("ln", (2,))] = merged.get(Quantity("ln", (2,)), 0) + after_first
        merged = {atom: e for atom, e in merged.items() if e}
        base, factor = Fraction(1), base
    if base != 1:
        merged[Quantity("power", (base,))] = 1
    grades = [(a.of[:2], a.each) for a, e in merged.items() if a.kind == "grade" and e > 0]
    for atom in [a for a in merged if a.kind == "hit" and (a.of, a.each) in grades]:
        del merged[atom]  # a positive grade is a hit, and a grade of 0 makes the product 0
    for atom in [a for a in merged if a.kind == "positive" and _is_of_hits(a, merged)]:
        del merged[atom]  # a document with a positive grade on an aspect has one on some aspect
    return tuple(sorted(merged.items(), key=lambda item: item[0].text)), factor


def _is_of_hits(positive: Quantity, factors: Mapping[Quantity, int]) -> bool:
    """Return True for the indicator that some aspect has a positive grade, if another factor implies it."""
    products = list(positive.form.terms)
    if len(products) != 1 or [(a.kind, e) for a, e in products[0]] != [("sum", 1)]:
        return False
    inner = list(products[0][0][0].form.terms)
    if len(inner) != 1 or len(inner[0]) != 1 or inner[0][0][0].kind != "hit":
        return False
    hit = inner[0][0][0]
    return any(
        a.kind in ("hit", "grade") and (a.of[:2], a.each) == (hit.of, hit.each) and e > 0 for a, e in factors.items()
    )


class Underivable(AxiomcheckError):
    """Raised when no fold can be derived from code. The message gives the reason, and the line if it is known."""

    def __init__(self, message: str, line: int | None = None, placed: bool = False) -> None:
        super().__init__(message)
        self.line = line
        self.placed = placed  # True if the message names the file and the line


class Form:
    """Immutable sum of products.

    Args:
        terms: Coefficients of products in normal form. Zero coefficients are left out, unless they depend on
            parameters and are 0 only at some of their values.
        rounded: True if floats may round a coefficient, or may have rounded a number that the form was computed from.

    """

    __slots__ = ("_hash", "rounded", "terms")

    def __init__(self, terms: Mapping[Product, Fraction], rounded: bool = False) -> None:
        self.terms = {product: c for product, c in terms.items() if isinstance(c, OpenNumber) or c}
        # floats represent short binary fractions exactly
        self.rounded = rounded or any(
            isinstance(c, OpenNumber) or c.denominator & (c.denominator - 1) for c in self.terms.values()
        )
        if len(self.terms) > _MOST_TERMS:
            raise Underivable("expands to a formula with too many terms: simplify the code")
        self._hash = hash(frozenset(self.terms.items()))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Form) or self.terms.keys() != other.terms.keys():
            return False
        return all(is_same(c, other.terms[product]) for product, c in self.terms.items())

    def __hash__(self) -> int:
        return self._hash

    def __str__(self) -> str:
        def written(product: Product, c: Fraction) -> str:
            factors = [atom.text + (f"^{e}" if e != 1 else "") for atom, e in product]
            return "*".join([number_text(c)] * (c != 1 or not factors) + factors)

        ordered = sorted(self.terms.items(), key=lambda item: [(a.text, e) for a, e in item[0]])
        return " + ".join(written(*item) for item in ordered) or "0"

    def __add__(self, other: Form) -> Form:
        terms = dict(self.terms)
        for product, c in other.terms.items():
            terms[product] = terms.get(product, Fraction(0)) + c
        return Form(terms, self.rounded or other.rounded)

    def __neg__(self) -> Form:
        return Form({product: -c for product, c in self.terms.items()}, self.rounded)

    def __sub__(self, other: Form) -> Form:
        return self + -other

    def __mul__(self, other: Form) -> Form:
        terms: dict[Product, Fraction] = {}
        for one, c in self.terms.items():
            for two, d in other.terms.items():
                factors = dict(one)
                for atom, exponent in two:
                    factors[atom] = factors.get(atom, 0) + exponent
                made = product_of(factors)
                if made is not None:
                    product, factor = made
                    terms[product] = terms.get(product, Fraction(0)) + c * d * factor
        return Form(terms, self.rounded or other.rounded)

    @property
    def constant(self) -> Fraction | None:
        """Value of a form without atoms; None for any other form."""
        if not self.terms:
            return Fraction(0)
        return self.terms.get(()) if len(self.terms) == 1 else None

    def atoms(self) -> Iterator[Quantity]:
        """Yield every atom, including those inside other atoms."""
        for product in self.terms:
            for atom, _ in product:
                yield from _within(atom)

    def replace(self, change: Callable[[Quantity], Form | None]) -> Form:
        """Return the form with some atoms replaced.

        Args:
            change: Function that returns the replacement of an atom, or None to keep it.

        Raises:
            Underivable: An atom in a denominator would be replaced by a sum.

        """
        total = Form({}, self.rounded)
        for product, c in self.terms.items():
            made = number(c)
            for atom, exponent in product:
                made = made * power(_replaced(atom, change), exponent)
            total = total + made
        return total

    def is_indicator(self) -> bool:
        """Return True if the form is known to be 0 or 1 because it equals its square."""
        return self * self == self

    @property
    def at_rank(self) -> bool:
        """True if the value depends on the rank."""
        return any(atom.kind in AT_RANK for atom in self.atoms())

    @property
    def each(self) -> bool:
        """True if the value depends on the aspect."""
        return any(atom.each for product in self.terms for atom, _ in product)


def _within(atom: Quantity) -> Iterator[Quantity]:
    yield atom
    for inner in atom.of:
        if isinstance(inner, Form):
            yield from inner.atoms()
        elif isinstance(inner, Quantity):
            yield from _within(inner)


def _replaced(atom: Quantity, change: Callable[[Quantity], Form | None]) -> Form:
    found = change(atom)
    if found is not None:
        return found
    if atom.kind == "sum":
        return over_aspects(atom.form.replace(change))
    if atom.kind == "positive":
        return positive(atom.form.replace(change))
    if atom.kind == "exp":
        base, state = atom.of
        assert isinstance(state, Quantity)
        assert isinstance(base, Fraction)
        return to_the(number(base), _replaced(state, change))
    return of_atom(atom)


def number(value: Fraction | int) -> Form:
    """Return a constant form."""
    return Form({(): value if isinstance(value, OpenNumber) else Fraction(value)})


def of_atom(atom: Quantity) -> Form:
    """Return a form that consists of one atom."""
    made = product_of({atom: 1})
    assert made is not None
    return Form({made[0]: made[1]})


ZERO, ONE = number(0), number(1)
RANK = of_atom(Quantity("rank"))
LENGTH, POOL, BATCH = (of_atom(Quantity("length", (name,))) for name in "nPB")
ASPECTS = of_atom(Quantity("aspects"))


def least_of(form: Form) -> tuple[Form, int] | None:
    """Return (length, k) if a form is min(length, k), and None for any other form."""
    for atom in form.atoms():
        if atom.kind == "least" and form == of_atom(atom):
            whole, most = atom.of
            assert isinstance(whole, Form)
            assert isinstance(most, int)
            return whole, most
    return None


def over_aspects(form: Form) -> Form:
    """Sum a form over all aspects; factors that do not depend on the aspect are moved out of the sum."""
    total = ZERO
    for product, c in form.terms.items():
        inner = {atom: e for atom, e in product if atom.each}
        outer = Form({tuple((atom, e) for atom, e in product if not atom.each): c})
        if not inner:
            total = total + outer * ASPECTS
            continue
        made = Form({tuple(sorted(inner.items(), key=lambda item: item[0].text)): Fraction(1)})
        if [(atom.kind, e) for atom, e in inner.items()] == [("weight", 1)]:  # weights add up to 1
            total = total + Form(outer.terms, rounded=True)
            continue
        total = total + outer * of_atom(Quantity("sum", (made,)))
    return total


def linear_in_rank(form: Form) -> tuple[Fraction, Fraction] | None:
    """Return (a, b) for a form a * rank + b; None for any other form."""
    rank = ((Quantity("rank"), 1),)
    if form.terms.keys() <= {(), rank}:
        return form.terms.get(rank, Fraction(0)), form.terms.get((), Fraction(0))
    return None


def inverse(form: Form) -> Form:
    """Return 1 / form.

    Raises:
        Underivable: The form may be 0, or is a sum that depends on more than the rank.

    """
    if form == of_atom(Quantity("infinity")):
        return ZERO
    if len(form.terms) == 1:
        ((product, c),) = form.terms.items()
        for atom, _ in product:
            if atom.kind in (*INDICATORS, "grade", "state", "exp", "weight", "carried", "infinity"):
                raise Underivable("divides by a number that may be 0: test it with if first")
            if atom.kind == "power" and isinstance(atom.of[0], Fraction):
                raise Underivable("divides by a power of the rank so small that floats round it to 0")
            if atom.kind == "log" and atom.of == (Fraction(0),):
                raise Underivable("divides by the logarithm of the rank, which is 0 at rank 1: use log(rank + 1)")
        made = product_of({_falling(atom): e if atom.kind == "huge" else -e for atom, e in product})
        assert made is not None
        return Form({made[0]: made[1] / c})
    line = linear_in_rank(form)
    if line is not None and line[0] > 0 and line[0] + line[1] > 0:
        slope, shift = line
        return Form({((Quantity("shifted", (shift / slope,)), -1),): 1 / slope})
    if all(atom.kind in OF_RANK for atom in form.atoms()):
        if not _is_above_0(form):
            raise Underivable("divides by an expression in the rank that may be 0")
        lead = form.terms[min(form.terms, key=lambda product: [(a.text, e) for a, e in product])]
        return of_atom(Quantity("inverse", (form * number(1 / lead),))) * number(1 / lead)
    for atom in form.atoms():
        if atom.kind in ("positive", "longer"):
            indicator = of_atom(atom)
            yes, no = form.replace({atom: ONE}.get), form.replace({atom: ZERO}.get)
            if yes != no and indicator * yes + (ONE - indicator) * no == form:
                return indicator * inverse(yes) + (ONE - indicator) * inverse(no)
    raise Underivable(
        "divides by a number that is neither a constant, nor an expression in the rank, nor a single total"
    )


def _falling(atom: Quantity) -> Quantity:
    """Return the inverse of a power that overflows; return any other atom unchanged."""
    base = atom.of[0] if atom.of else None
    return Quantity("power", (1 / base,)) if atom.kind == "huge" and isinstance(base, Fraction) else atom


def _is_above_0(form: Form) -> bool:
    """Return True if an expression of the rank is a sum of nonnegative products, at least one of them positive."""
    least = {"shifted": -1, "log": 0}
    shifts = [(a.of[0], least[a.kind]) for a in form.atoms() if a.kind in least]
    above = [p for p in form.terms if (Quantity("log", (Fraction(0),)), 1) not in p]
    known = all(isinstance(x, Fraction) and (x > low or x == low == 0) for x, low in shifts)
    return known and bool(above) and all(c > 0 for c in form.terms.values())


def power(form: Form, exponent: int) -> Form:
    """Raise a form to an integer power."""
    if abs(exponent) > _MOST_POWER:
        raise Underivable("raises a number to a large power")
    base, made = (form if exponent >= 0 else inverse(form)), ONE
    for _ in range(abs(exponent)):
        made = made * base
    return made


def to_the(base: Form, exponent: Form) -> Form:
    """Return base ** exponent for an exponent that is a constant integer; a constant base also allows ranks and counts.

    Raises:
        Underivable: The exponent is any other form.

    """
    fixed, ratio = exponent.constant, base.constant
    if fixed is not None and fixed.denominator == 1:
        return power(base, int(fixed))
    if ratio is None or ratio < 0:
        raise Underivable("raises a number to a power that is not a constant integer")
    made = ONE
    for product, c in exponent.terms.items():
        if c.denominator != 1:
            raise Underivable("raises a constant to the power of a fraction of the rank")
        made = made * _power_of(ratio, product, int(c))
    return made


def _power_of(ratio: Fraction, product: Product, c: int) -> Form:
    """Return ratio ** (c * product), where the product is a constant, a rank, a state or an indicator."""
    indicator = Form({product: Fraction(1)})
    if not product or not indicator.is_indicator():
        if ratio == 0 or abs(c) > _MOST_POWER:
            raise Underivable("raises 0 to a power, or a number to a large power")
        if not product:
            return number(ratio**c)
        ((atom, exponent), *others) = product
        base, kind = ratio**c, "" if others or exponent != 1 else atom.kind
        grows = not isinstance(base, OpenNumber) and base > 1
        if kind == "grade" and len(atom.of) == 2 and grows:
            return ONE + number(base - 1) * of_atom(Quantity("grade", (*atom.of, base), atom.each))
        if kind in ("rank", "state") and grows:
            raise Underivable("raises a number above 1 to the power of a rank or a count, which overflows")
        if kind == "rank":
            return of_atom(Quantity("power", (base,)))
        if kind == "state":
            return of_atom(Quantity("exp", (base, atom), atom.each))
        raise Underivable("raises a constant to a power that is neither the rank nor a count")
    if ratio == 0 and c < 0:
        raise Underivable("divides by 0")
    return ONE + indicator * number(ratio**c - 1)


UNKNOWN_SIGN = "compares a number that may be negative with 0: compare a count or a sum of grades instead"
"""Reason to refuse a comparison, although the number may in fact never be negative."""


def positive(form: Form) -> Form:
    """Return the indicator of form > 0 for a form that is never negative.

    States and totals are recorded, since their updates may not be known yet: `machine.check_totals` checks them.

    Raises:
        Underivable: The form may be negative.

    """
    value = form.constant
    if value is not None:
        return number(value > 0)
    if form.is_indicator():
        return form
    small = ("power", "exp", "inverse")
    if any(a.kind in small or (e != 1 and not _is_guarded(a, p)) for p in form.terms for a, e in p):
        raise Underivable("compares 0 with a number so small that floats may round it to 0")
    kinds = {*COUNTED, *INDICATORS, *TOTALS, "grade"}
    if all(c > 0 and all(atom.kind in kinds for atom, _ in product) for product, c in form.terms.items()):
        for atom in form.atoms():
            if atom.kind in TOTALS:
                record_total(atom)
        none = ONE  # a sum is 0 if all terms are 0; a product is positive if all factors are
        for product in form.terms:
            some = ONE
            for atom, e in product:
                some = some * _positive_atom(atom) if e > 0 else some
            none = none * (ONE - some)
        return ONE - none
    raise Underivable(UNKNOWN_SIGN)


def _is_guarded(divisor: Quantity, product: Product) -> bool:
    """Return True if a product contains a divisor together with the indicator that this divisor is positive."""
    return (divisor, -1) in product and (Quantity("positive", (of_atom(divisor),), divisor.each), 1) in product


COUNTED = frozenset(("rank", "shifted", "log", "power", "ln", "weight", "length", "aspects", "least"))
"""Kinds of atoms that are positive. The logarithm of the rank itself is an exception: it is 0 at rank 1."""


TOTALS = frozenset(("state", "final", "sum"))
"""Kinds of atoms whose signs depend on the numbers that code adds up."""


def _positive_atom(atom: Quantity) -> Form:
    if atom.kind in INDICATORS:
        return of_atom(atom)
    if atom.kind == "grade" and len(atom.of) == 2:
        return of_atom(Quantity("hit", atom.of, atom.each))
    counted = least_of(of_atom(atom))
    if counted is not None:  # there may be no relevant documents
        return positive(counted[0])
    if atom.kind in COUNTED and atom.of != (Fraction(0),):
        return ONE
    if atom.kind in TOTALS:
        return of_atom(Quantity("positive", (of_atom(atom),), atom.each))
    raise Underivable(UNKNOWN_SIGN)
