"""Compare tables of a user's module, such as discounts by rank, with the expressions that created them."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from fractions import Fraction
from math import log, prod

import numpy as np

from axiomcheck.derivation import values as v
from axiomcheck.derivation.aliases import Comprehension
from axiomcheck.derivation.cutoffs import LONGEST
from axiomcheck.derivation.forms import Form, Quantity, Underivable
from axiomcheck.derivation.values import Array, Value

_CLOSE = 1e-12


@dataclass(frozen=True)
class Assigned:
    """Global name of a table that is assigned once.

    Args:
        name: The name.
        expression: Right-hand side of the only assignment.
        value: Current value.
        constant: Current value as a plain value; None if it cannot be converted.

    """

    name: str
    expression: ast.expr
    value: object
    constant: Value = None


def table(elements: tuple[Value, ...], entries: Value) -> Value:
    """Return a table of constants as a `ConstantTable`, if an expression is known for the entry at any index."""
    plain = isinstance(entries, Array) and len(entries.axes) == 1 and entries.keep is None
    return v.ConstantTable(elements, entries) if plain and isinstance(entries, Array) else elements


def refuse_other_values(assigned: Assigned, made: Value) -> None:
    """Check that a global name still has the value of its expression, because other code may have changed it.

    Raises:
        Underivable: The value has changed, or is not a list, tuple or array of numbers.

    """
    held, numbers = assigned.value, None
    if isinstance(made, v.ConstantTable) and type(held) in (list, tuple):
        numbers = [_number(element) for element in made]
    elif isinstance(made, Array) and type(held) is np.ndarray and held.dtype == np.float64 and len(made.axes) == 1:
        length = made.axes[0].length.constant
        if length is not None and length <= LONGEST:
            numbers = [_value_at(made.form, rank) for rank in range(1, int(length) + 1)]
    if numbers is None or not isinstance(held, list | tuple | np.ndarray) or len(held) != len(numbers):
        raise Underivable(f"uses {assigned.name}, which is not supported")
    if not all(
        isinstance(x, float | int) and abs(x - y) <= _CLOSE * abs(y) for x, y in zip(held, numbers, strict=True)
    ):
        raise Underivable(f"uses {assigned.name}, which is changed after its assignment")


def _number(element: Value) -> float:
    array = v.as_array(element)
    if array.axes or array.form.at_rank:
        raise Underivable("creates a table of values that are not constants")
    return _value_at(array.form, 1)


def _value_at(form: Form, rank: int) -> float:
    """Return the value of an expression of the rank as a float."""
    return sum(float(c) * prod(_factor(atom, rank) ** e for atom, e in product) for product, c in form.terms.items())


def _factor(atom: Quantity, rank: int) -> float:
    given = atom.of[0] if atom.of else 0
    if atom.kind == "inverse":
        return 1 / _value_at(atom.form, rank)
    if not isinstance(given, int | Fraction) or atom.kind not in ("rank", "shifted", "log", "power", "ln", "within"):
        raise Underivable("creates a table of values that depend on more than the rank")
    of_rank = {"rank": rank, "shifted": rank + given, "within": rank <= given}
    if atom.kind in of_rank:
        return float(of_rank[atom.kind])
    return float(given) ** rank if atom.kind == "power" else log(given if atom.kind == "ln" else rank + given)


def of_constants(node: Comprehension, made: tuple[Value, ...], several: bool) -> Value:
    """Build the value of a comprehension over constants from its elements.

    Raises:
        Underivable: The comprehension makes a set, or a dictionary with keys other than strings and integers, or has
            several loops of which one is not over constants.

    """
    if isinstance(node, ast.SetComp):
        raise Underivable("creates a set of constants, which drops duplicates: use a list")
    pairs = [pair for pair in made if isinstance(pair, tuple)]
    if isinstance(node, ast.DictComp):
        if several or not all(isinstance(key, str | int) for key, _ in pairs):
            raise Underivable("creates a dictionary whose constant keys are neither strings nor integers")
        return dict(pairs)
    if not several:
        return made
    if len(pairs) < len(made) or sum(map(len, pairs)) > LONGEST:
        raise Underivable("creates a list in nested loops over constants, or one that is too long")
    return v.PythonList(element for row in pairs for element in row)
