"""Split the gain of a fold into its discount, its cutoff and the rest."""

from __future__ import annotations

from fractions import Fraction

from axiomcheck.derivation.forms import OF_RANK, ONE, Form, Product, Quantity, Underivable, number
from axiomcheck.derivation.machine import ALL_GRADES, JUDGED, SUMMED
from axiomcheck.numbers.discount import Constant, Discount, Geometric, InverseLog, Reciprocal


def cut(gain: Form) -> tuple[Form, int | None]:
    """Split a gain into (gain without cutoff, cutoff); the cutoff is None if all ranks count."""
    found = {atom for product in gain.terms for atom, _ in product if atom.kind == "within"}
    if not found:
        return gain, None
    if len(found) != 1 or any(not any(a in found for a, _ in product) for product in gain.terms):
        raise Underivable("applies a cutoff to only some of its gains: apply the same one to all")
    (atom,) = found
    rank = atom.last_rank
    return uncut(gain, rank), rank


def uncut(form: Form, cutoff: int) -> Form:
    """Return a form without indicators that are 1 at all ranks within a cutoff."""

    def change(atom: Quantity) -> Form | None:
        if atom.kind != "within":
            return None
        rank = atom.last_rank
        if rank < cutoff:
            raise Underivable("applies a cutoff to only some of its gains: apply the same one to all")
        return ONE

    return form.replace(change)


def discounted(gain: Form) -> tuple[Discount, Form]:
    """Split a gain into its discount, which depends on the rank alone, and the remaining form."""
    parts = {tuple((a, e) for a, e in product if a.kind in OF_RANK) for product in gain.terms}
    if len(parts) != 1:
        raise Underivable("discounts ranks differently for different gains")
    (part,) = parts
    discount, factor = _discount(part)
    rest = Form({tuple((a, e) for a, e in product if a.kind not in OF_RANK): c for product, c in gain.terms.items()})
    if any(a.kind in OF_RANK for a in rest.atoms()):
        raise Underivable("discounts ranks differently for different gains")
    return discount, rest * number(factor)


def shows_relevance(gain: Form, over: str) -> bool:
    """Return True if a total is positive where the document at rank 1 is relevant, and 0 where no document is.

    If the order of the documents is unknown, the only relevant one may be at any rank, so all ranks must count the
    same. For the grades of one aspect, the order by weighted sums counts as unknown.
    """
    if over == SUMMED and any(a.kind in ("grade", "hit") and a.of[1] != ALL_GRADES for a in gain.atoms()):
        over = JUDGED
    return all(
        c > 0
        and any(a.kind in ("grade", "hit") for a, _ in product)
        and all(a.kind in ("grade", "hit", "ln") or (over != JUDGED and _is_positive(a)) for a, _ in product)
        for product, c in gain.terms.items()
    )


def _is_positive(atom: Quantity) -> bool:
    """Return True if an expression of the rank is positive at rank 1."""
    if atom.kind == "log":  # the logarithm of the rank itself is 0 at rank 1
        return atom.of != (Fraction(0),)
    return atom.kind in ("rank", "shifted", "power", "within")


def _discount(part: Product) -> tuple[Discount, Fraction]:
    """Convert an expression of the rank to a catalogued discount times a constant factor."""
    found = {(atom.kind, e): atom for atom, e in part}
    kinds = sorted((atom.kind, e) for atom, e in part)
    if not kinds:
        return Constant(), Fraction(1)
    if kinds == [("power", 1)]:
        (base,) = found["power", 1].of
        if isinstance(base, Fraction) and 0 < base < 1:
            return Geometric(base), base
    if kinds == [("rank", -1)]:
        return Reciprocal(), Fraction(1)
    if kinds in ([("log", -1)], [("ln", 1), ("log", -1)]):
        (shift,) = found["log", -1].of
        base = found["ln", 1].of[0] if ("ln", 1) in found else None
        if isinstance(shift, Fraction) and shift.denominator == 1 and shift >= 1:
            return InverseLog(None if base is None else Fraction(str(base)), int(shift), 0), Fraction(1)
    if kinds == [("inverse", 1)]:
        form = found["inverse", 1].form
        made = _offset_log(form)
        if made is not None:
            return made
    text = " * ".join(f"{atom}" + (f"^{e}" if e != 1 else "") for atom, e in part)
    raise Underivable(f"uses the discount {text}, which is not supported")


def _offset_log(form: Form) -> tuple[Discount, Fraction] | None:
    """Return 1 / form as (discount, factor) if the form is a + b * log(rank + shift); None for other forms."""
    offset = form.terms.get((), Fraction(0))
    logs = [(product, c) for product, c in form.terms.items() if product]
    if len(logs) != 1 or not offset:
        return None
    ((product, c),) = logs
    exponents = {atom.kind: (atom, e) for atom, e in product}
    if (
        exponents.keys() - {"log", "ln"}
        or exponents.get("log", (None, 0))[1] != 1
        or exponents.get("ln", (None, -1))[1] != -1
    ):
        return None
    shift, ratio = exponents["log"][0].of[0], offset / c
    base = Fraction(str(exponents["ln"][0].of[0])) if "ln" in exponents else None
    if not isinstance(shift, Fraction) or shift.denominator != 1 or ratio.denominator != 1 or ratio < 0 or c <= 0:
        return None
    return InverseLog(base, int(shift), int(ratio)), 1 / c
