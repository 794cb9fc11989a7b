"""Quantities that a metric's code computes at an unknown rank, and their products in normal form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from axiomcheck.numbers.open_numbers import number_text

if TYPE_CHECKING:
    from axiomcheck.derivation.forms import Form

INDICATORS = frozenset(("hit", "flag", "ended", "within", "longer", "positive"))
"""Kinds of atoms that are 0 or 1."""

AT_RANK = frozenset(("rank", "shifted", "log", "power", "within", "grade", "hit", "state", "flag", "exp", "order"))
"""Kinds of atoms whose values depend on the rank."""

OF_RANK = frozenset(("rank", "shifted", "log", "power", "inverse", "ln"))
"""Kinds of atoms that depend on nothing but the rank, or are irrational constants."""


@dataclass(frozen=True)
class Quantity:
    """Factor of a product.

    Args:
        kind: ``grade`` and ``hit`` (traversal, aspect), where a grade g with a base b is (b^g - 1) / (b - 1); ``rank``;
            ``shifted`` and ``log`` of the rank plus a number; ``power`` of a base to the rank; ``inverse`` of a form of
            the rank; ``ln`` of a prime; ``within`` the first k ranks; ``state`` and ``flag`` before the rank and
            ``final`` after the last one (traversal, number); ``exp`` of a base to a state; ``weight`` of the aspect;
            ``length`` of a ranking (n), a pool (P) or a batch (B); ``aspects``, their number; ``least`` of a length and
            a number; ``positive`` of a form; ``sum`` of a product over the aspects; ``carried`` from aspect to aspect;
            ``order`` of a grade, the place of the document that has the rank in the order of that grade; ``missing``,
            what a ranking lacks for k entries, and ``longest``, its length or k; ``infinity``.
        of: Further data, as above.
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
        """Form that a ``sum``, ``positive`` or ``inverse`` is made of."""
        form: Any = self.of[0]
        return cast("Form", form)

    @property
    def last_rank(self) -> int:
        """Last rank at which ``within`` is 1, or k of ``missing``."""
        (rank,) = self.of
        assert isinstance(rank, int)
        return rank


Product: TypeAlias = tuple[tuple[Quantity, int], ...]
"""Atoms with their exponents, in the order of their texts."""


def product_of(factors: Mapping[Quantity, int]) -> tuple[Product, Fraction] | None:
    """Return a product in normal form with a factor; None if it is 0."""
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
    """Return True for the indicator that a document has a positive grade, if such a grade is among the factors."""
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
