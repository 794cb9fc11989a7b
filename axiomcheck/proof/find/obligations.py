"""What has to be shown, and shown to hold by its coefficients."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

from flint import fmpq

from axiomcheck.core.errors import AxiomcheckError
from axiomcheck.numbers.polynomials import Range, Term, positivity, product_text
from axiomcheck.proof.find.invariants import Binding


class Failed(AxiomcheckError):
    """An obligation does not follow from its coefficients."""


Obligation = dict[str, Any]
"""A function of the variables that is > 0, >= 0 or = 0, as JSON: where, what, relation, ranges, coefficients."""


def shown(where: str, what: str, term: Term, relation: str) -> Obligation:
    """An obligation that its coefficients meet.

    Args:
        where: the place in the script.
        what: in words.
        term: the function; its numerator is what the coefficients are of.
        relation: ``>``, ``>=`` or ``=``.

    Raises:
        Failed: they do not.

    """
    variables = term.variables
    found: dict[Any, Any] | None = {}
    if not term.numerator.is_zero():
        found = positivity(term.numerator, variables, relation == ">") if relation != "=" else None
    elif relation == ">":
        found = None
    if found is None:
        raise Failed(f"{where}: {what}")
    used = sorted({k for monomial in found for k, _ in monomial})
    return {
        "where": where,
        "what": what,
        "relation": relation,
        "ranges": {variables.names[k]: variables.ranges[k].value for k in used},
        "coefficients": {product_text(m, variables.names, times=" "): str(c) for m, c in sorted(found.items())},
    }


def obligations_of(
    name: str, value: Term, binding: Binding, old: Term, names: Mapping[str, Term]
) -> list[tuple[str, Term, str]]:
    """What it takes for a value to be as a binding says: (in words, function, relation)."""
    kind, *rest = binding
    if kind == "free":
        return []
    if kind == "same":
        return [(f"{name} = old_{name}", value - old, "=")]
    if kind == "split":
        return [(f"{name} >= 0", value, ">=")]
    base, shown_base = evaluate(rest[-1], names), rest[-1]
    if kind == "share":
        share = Range(rest[0])
        low, high = (">=" if closed else ">" for closed in (share.has_zero, share.has_one))
        return [
            (f"{shown_base} >= 0", base, ">="),
            (f"{name} {low} 0", value, low),
            (f"{shown_base} {high} {name}", base - value, high),
        ]
    difference = base - value if kind in ("<", "<=") else value - base
    relation = {"<": ">", "<=": ">=", ">": ">", ">=": ">=", "=": "="}[kind]
    return [(f"{name} {kind} {shown_base}", difference, relation)]


_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def evaluate(expression: str, names: Mapping[str, Term]) -> Term:
    """The value of an expression of names, whole numbers, + - * / and brackets.

    Raises:
        Failed: it has a name that is not settled yet.

    """

    def value(node: ast.expr) -> Any:
        if isinstance(node, ast.BinOp):
            return _OPERATORS[type(node.op)](value(node.left), value(node.right))
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            return fmpq(node.value)
        assert isinstance(node, ast.Name)
        if node.id not in names:
            raise Failed(f"{node.id} is not settled")
        return names[node.id]

    result: Term = value(ast.parse(expression, mode="eval").body)
    return result
