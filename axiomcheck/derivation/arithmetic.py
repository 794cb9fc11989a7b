"""Compute with arrays of numbers at an unknown rank, as Python and numpy do."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from axiomcheck.derivation.forms import (
    INDICATORS,
    ONE,
    Form,
    Quantity,
    Underivable,
    linear_in_rank,
    number,
    of_atom,
    to_the,
)
from axiomcheck.derivation.forms import inverse as inverse_form
from axiomcheck.derivation.machine import POSITIONS, WORST_FIRST
from axiomcheck.derivation.values import (
    ONE_AXIS,
    Array,
    Dimension,
    Kind,
    Maker,
    Value,
    maker_of,
    simplified,
)
from axiomcheck.numbers.open_numbers import OpenNumber


def broadcast(one: Array, two: Array) -> tuple[Dimension, ...]:
    """Return the axes of the result of an operation on two arrays, aligned as in numpy.

    Raises:
        Underivable: Two axes differ, or a whole array is combined with the current rank or aspect of a loop.

    """
    for x, y in ((one, two), (two, one)):
        if x.rank_axis is not None and y.rank_axis is None and y.form.at_rank:
            raise Underivable("combines an array over all ranks with the current rank of a loop: index the array")
        if has_axis(x, "aspect") and not has_axis(y, "aspect") and y.form.each:
            raise Underivable("combines an array over all aspects with the current aspect of a loop: index the array")
    size = max(len(one.axes), len(two.axes))
    rows = [(ONE_AXIS,) * (size - len(x.axes)) + x.axes for x in (one, two)]
    axes = tuple(common_axis(x, y) for x, y in zip(*rows, strict=True))
    refuse_squares(axes)
    return axes


def has_axis(array: Array, kind: str) -> bool:
    """Return True if an array has an axis of the given kind."""
    return any(axis.kind == kind for axis in array.axes)


def refuse_squares(axes: tuple[Dimension, ...]) -> None:
    """Check that an array has at most one axis of each kind, because a form has one rank, aspect and topic.

    Raises:
        Underivable: The array has two axes of a kind.

    """
    kinds = [axis.kind for axis in axes if axis.kind != "one"]
    if len(set(kinds)) < len(kinds):
        raise Underivable("creates an array with two axes of ranks, of aspects or of topics, which is not supported")


def common_axis(x: Dimension, y: Dimension) -> Dimension:
    """Merge two aligned axes of an operation's operands, as in numpy broadcasting.

    Raises:
        Underivable: Their lengths or orders differ.

    """
    if x == y or y.kind == "one":
        return x
    if x.kind == "one":
        return y
    if x.over in WORST_FIRST or y.over in WORST_FIRST:  # ranks of such a list are counted from its end
        raise Underivable("combines a list in ascending order with one in another order: sort it in reverse first")
    if x.kind == y.kind == "rank" and x.length == y.length:
        if x.over == POSITIONS:
            return y
        if y.over == POSITIONS:
            return x
    raise Underivable("combines arrays of different lengths or in different orders")


def _promoted(one: Array, two: Array) -> Kind:
    """Return ``f`` if an operand consists of floats, else ``i``."""
    return "f" if "f" in (one.kind, two.kind) else "i"


def kind_of_both(one: Array, two: Array) -> Kind:
    """Return the common type of the entries of two arrays or lists.

    Raises:
        Underivable: One consists of booleans, and the other of numbers.

    """
    if one.kind == two.kind:
        return one.kind
    if "b" in (one.kind, two.kind):
        raise Underivable("chooses between a boolean and a number: write 1 and 0 for True and False")
    return _promoted(one, two)


def are_moderate(form: Form, least: Fraction, most: Fraction) -> bool:
    """Return True if the absolute values of all coefficients are between two bounds.

    Coefficients that depend on a parameter are not checked here: the derivation is repeated at values of the parameter.
    """
    return all(least <= abs(c) <= most for c in form.terms.values() if not isinstance(c, OpenNumber))


_SMALLEST = Fraction(1, 10**9)
"""Smallest constant with which sums in floats keep most of their digits. Its inverse is the largest such constant."""

_SMALLEST_BESIDE = Fraction(1, 10**20)
"""Smallest number that may be added to a total that is then used as a divisor."""

_LARGEST, _MOST_RANKS = 10**6, 2
"""Largest factor and largest power of the rank in NumPy integers, which overflow without an error."""


def _elementwise(operation: Callable[[Form, Form], Form], one: Array, two: Array, kind: Kind) -> Value:
    axes = broadcast(one, two)
    form = operation(one.form, two.form)
    beside = operation is operator.add and (_is_beside(one.form, two.form) or _is_beside(two.form, one.form))
    least = _SMALLEST_BESIDE if beside else _SMALLEST
    if not all(are_moderate(x, least, 1 / _SMALLEST) for x in (one.form, two.form, form)):
        raise Underivable("computes with numbers so large or small that floats lose precision")
    if kind == "i" and form.constant is None:
        for product, c in form.terms.items():
            growing = sum(e for atom, e in product if atom.kind in ("rank", "state", "final", "sum", "length"))
            if abs(c) > _LARGEST or growing > _MOST_RANKS:
                raise Underivable("computes with integers so large that numpy integers overflow: use floats")
    rounded = kind == "f" and not all(_is_whole(x) for x in (one.form, two.form, form))
    made = Form(form.terms, rounded or one.form.rounded or two.form.rounded)
    return simplified(Array(axes, made, kind, maker=maker_of_both(one, two)))


def maker_of_both(one: Array, two: Array) -> Maker:
    """Return the library of an operator's result: numpy if either operand is a numpy number."""
    return "numpy" if "numpy" in (one.maker, two.maker) else maker_of(one, two)


def _is_beside(added: Form, totals: Form) -> bool:
    """Return True if a positive constant is added to totals over the ranks."""
    above = added.constant is not None and not isinstance(added.constant, OpenNumber) and added.constant > 0
    return above and all(p and all(a.kind in ("final", "positive") for a, _ in p) for p in totals.terms)


def _is_whole(form: Form) -> bool:
    """Return True if a form is a sum of products of indicators, ranks and lengths."""
    kinds = {*INDICATORS, "rank", "length", "least"}
    return all(atom.kind in kinds and e > 0 for product in form.terms for atom, e in product)


def _refuse_residue(one: Array, two: Array, made: Form) -> None:
    """Refuse a sum in which rounded numbers cancel exactly, because in floats a small residue would remain."""
    if (one.form.rounded or two.form.rounded) and (one.form.terms.keys() & two.form.terms.keys()) - made.terms.keys():
        raise Underivable("subtracts numbers that are equal except for rounding")


def add(one: Array, two: Array) -> Value:
    """Return one + two."""
    _no_truth_values(one, two)
    _no_growing_powers(one, two)
    _refuse_residue(one, two, one.form + two.form)
    return _elementwise(operator.add, one, two, _promoted(one, two))


def subtract(one: Array, two: Array) -> Value:
    """Return one - two."""
    _no_truth_values(one, two)
    _no_growing_powers(one, two)
    _refuse_residue(one, two, one.form - two.form)
    return _elementwise(lambda x, y: x - y, one, two, _promoted(one, two))


def _no_truth_values(one: Array, two: Array) -> None:
    if one.kind == two.kind == "b":
        raise Underivable("adds or subtracts booleans, which numpy does not treat as numbers: convert them to float")


def _no_growing_powers(one: Array, two: Array) -> None:
    """Refuse sums with numbers that grow from rank to rank until floats lose digits of the sum."""
    for atom, e in (item for array in (one, two) for product in array.form.terms for item in product):
        if (atom.kind == "rank" and e > _MOST_RANKS) or atom.kind == "huge":
            raise Underivable("adds numbers that grow from rank to rank until floats lose precision")


def _times(one: Form, two: Form) -> Form:
    """Return a product.

    Raises:
        Underivable: A total is multiplied by its own inverse. The product is not 1 where the total is 0.

    """
    totals = [{(a, e > 0) for p in x.terms for a, e in p if a.kind in ("final", "sum")} for x in (one, two)]
    if any((a, not above) in totals[1] for a, above in totals[0]):
        raise Underivable("multiplies and divides by the same total, which may be 0: leave out both")
    return one * two


def _refuse_overflow(array: Array, factor: Array) -> None:
    """Refuse to multiply a power that may overflow, such as 2 ** rank, by a factor that may be 0."""
    if not factor.form.constant and any(atom.kind == "huge" for atom in array.form.atoms()):
        raise Underivable("computes with a power such as 2 ** rank that overflows; only dividing by it is supported")


def multiply(one: Array, two: Array) -> Value:
    """Return one * two."""
    _refuse_overflow(one, two)
    _refuse_overflow(two, one)
    kind: Kind = "b" if one.kind == two.kind == "b" else _promoted(one, two)
    return _elementwise(_times, one, two, kind)


def divide(one: Array, two: Array) -> Value:
    """Return one / two."""
    _refuse_overflow(one, two)
    return _elementwise(lambda x, y: _times(x, inverse_form(y)), one, two, "f")


def raise_to(one: Array, two: Array) -> Value:
    """Return one ** two."""
    if one.kind != "f" and two.kind != "f" and not one.maker == two.maker == "Python":
        exponent = two.form.constant
        if exponent is None or exponent < 0:
            raise Underivable(
                "raises integers to powers, which overflows if they are numpy integers: convert them to float"
            )
    if one.kind != "f" and two.kind != "f" and one.form != ONE and linear_in_rank(two.form) is None:
        raise Underivable("raises integers to a power that depends on grades: use a float such as 2.0 in place of 2")
    if one.kind == "b":
        raise Underivable("raises booleans to powers, which numpy computes in 8 bits: convert them to float")
    ratio, line, fixed = one.form.constant, linear_in_rank(two.form), two.form.constant
    grows = ratio is not None and not isinstance(ratio, OpenNumber) and ratio > 1
    if two.axes and grows and ratio is not None and line is not None and line[0] > 0:  # infinity from some rank on
        slope, shift = map(number, line)
        huge = of_atom(Quantity("huge", (to_the(one.form, slope).constant,)))
        return Array(broadcast(one, two), to_the(one.form, shift) * huge, maker=maker_of_both(one, two))
    made = _elementwise(to_the, one, two, _promoted(one, two) if fixed is not None and fixed >= 0 else "f")
    if fixed is None and isinstance(made, Array) and any(len(a.of) > 2 for a in made.form.atoms() if a.kind == "grade"):
        return replace(made, form=Form(made.form.terms))  # a power with the exponent 0 is exactly 1 in floats, too
    return made


def negate(value: Array) -> Value:
    """Return -value."""
    if value.kind == "b":
        raise Underivable("negates a boolean, which numpy refuses: use not, ~ or 1 - int(x)")
    return simplified(replace(value, form=-value.form, root=None))


def both(one: Array, two: Array) -> Value:
    """Return ``one and two`` for boolean arrays."""
    return _elementwise(lambda x, y: x * y, one, two, "b")


def either(one: Array, two: Array) -> Value:
    """Return ``one or two`` for boolean arrays."""
    return _elementwise(lambda x, y: x + y - x * y, one, two, "b")


def opposite(value: Array) -> Value:
    """Return ``not value`` for a boolean array."""
    return simplified(replace(value, form=ONE - value.form, kind="b", root=None))


def common_keep(one: Value, two: Value) -> Form | None:
    """Return the mask that filtered both operands of an operation; None if neither is filtered or the masks differ.

    If one operand is a number, which has no mask, the mask of the other operand is used.
    """
    arrays = [x for x in (one, two) if isinstance(x, Array) and x.axes]
    keeps = {x.keep for x in arrays}
    if len(keeps) != 1 or len({x.axes for x in arrays}) != 1 or any(x.listed for x in arrays):
        return None
    return keeps.pop()


OF_SETS: dict[type[ast.operator], Callable[[Form, Form], Form]] = {
    ast.BitAnd: operator.mul,
    ast.BitOr: lambda x, y: x + y - x * y,
    ast.Sub: lambda x, y: x - x * y,
}
"""Operators of sets, as functions of the indicators of their elements."""
