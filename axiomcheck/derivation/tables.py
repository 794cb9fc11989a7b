"""Build lists and dictionaries of constants, such as tables of discounts by rank."""

from __future__ import annotations

import ast

from axiomcheck.derivation import values as v
from axiomcheck.derivation.aliases import Comprehension
from axiomcheck.derivation.cutoffs import LONGEST
from axiomcheck.derivation.forms import Underivable
from axiomcheck.derivation.values import Array, Value


def table(elements: tuple[Value, ...], entries: Value) -> Value:
    """Return constants as a `ConstantTable` if ``entries`` gives the entry at any index; else return them unchanged."""
    plain = isinstance(entries, Array) and len(entries.axes) == 1 and entries.keep is None
    return v.ConstantTable(elements, entries) if plain and isinstance(entries, Array) else elements


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
        raise Underivable("creates a list in nested loops over constants, or a list that is too long")
    return v.PythonList(element for row in pairs for element in row)
