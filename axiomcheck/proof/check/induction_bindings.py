"""Invariants of loops in induction certificates: what their bindings say, and what they stand for."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from axiomcheck.core.errors import InvalidInput
from axiomcheck.proof.check.polynomials import FREE
from axiomcheck.proof.check.quotients import Quotient, attempt, variable

Binding = tuple[str, ...]

Invariant = Sequence[tuple[str, Binding]]
"""Quantity and binding, in order."""

Values = dict[str, Quotient]
"""Of the quantities, by name."""

_MOST_CASES = 8

_WORDS = {"same": 0, "free": 0, "=": 1, ">=": 1, ">": 1, "<=": 1, "<": 1, "split": 1, "share": 2}
"""What a binding begins with -> how many texts follow."""

_SHARES = {"(0, 1)": (">", ">"), "(0, 1]": (">", ">="), "[0, 1)": (">=", ">"), "[0, 1]": (">=", ">=")}
"""Range of a share -> how the value compares with 0, and the whole with the value."""


@dataclass(frozen=True)
class BoundObligation:
    """``term`` must be ``relation`` 0: ``>``, ``>=`` or ``=``."""

    where: str
    relation: str
    term: Quotient


def read_binding(value: Any, where: str) -> tuple[str, Binding]:
    """A quantity and its binding from a certificate.

    Raises:
        InvalidInput: not a pair of a name and a list of texts, or an unknown binding.

    """
    well_formed = isinstance(value, list | tuple) and len(value) == 2 and isinstance(value[0], str)
    if not well_formed or not isinstance(value[1], list | tuple) or not all(isinstance(p, str) for p in value[1]):
        raise InvalidInput(f"{where}: {value!r} is no binding; expected a quantity and a list of texts")
    name, binding = value[0], tuple(value[1])
    if not binding or _WORDS.get(binding[0]) != len(binding) - 1:
        raise InvalidInput(f"{where}: {name} has the unknown binding {value[1]!r}")
    if binding[0] == "share" and binding[1] not in _SHARES:
        raise InvalidInput(f"{where}: {name} is a share in {binding[1]!r}; expected one of {', '.join(_SHARES)}")
    return name, binding


def within(where: str, invariant: Invariant, values: Values, old: Values) -> Iterator[BoundObligation]:
    """What says that values are within an invariant.

    Args:
        where: for messages.
        invariant: of the loop.
        values: of every quantity.
        old: the values when the loop was entered.

    """
    known = {f"old_{name}": value for name, value in old.items()}
    for name, (word, *rest) in invariant:
        at, value = f"{where}, {name}", values[name]
        if word == "same":
            yield BoundObligation(at, "=", value - old[name])
        elif word == "split":
            yield BoundObligation(at, ">=", value)
        elif word == "share":
            whole = _expression(rest[1], known)
            from_below, from_above = _SHARES[rest[0]]
            yield BoundObligation(at, ">=", whole)
            yield BoundObligation(at, from_below, value)
            yield BoundObligation(at, from_above, whole - value)
        elif word != "free":
            bound = _expression(rest[0], known)
            yield BoundObligation(at, word.replace("<", ">"), bound - value if "<" in word else value - bound)
        known[name] = value


def hypotheses(segment: int, invariant: Invariant, old: Values) -> list[Values]:
    """The values that an invariant allows: one set, or one for each case of what it splits.

    Args:
        segment: the number of the loop, which the names of new variables have.
        invariant: of the loop.
        old: the values when the loop was entered.

    Raises:
        InvalidInput: an expression has names that are not bound before, or what is split is not shown to be positive.

    """
    entered = {f"old_{name}": value for name, value in old.items()}
    cases: list[tuple[str, Values]] = [("", {})]
    for name, binding in invariant:
        following: list[tuple[str, Values]] = []
        for suffix, bound in cases:
            made, known = f"h{segment}_{name}{suffix}", entered | bound
            values = attempt(f"invariants.{segment}, {name}", _bind, binding, made, old[name], known)
            if len(values) == 1:
                following.append((suffix, bound | {name: values[0]}))
            else:
                following += [(f"{suffix}_{i}", bound | {name: value}) for i, value in enumerate(values)]
        cases = following
        if len(cases) > _MOST_CASES:
            raise InvalidInput(f"invariants.{segment}: splits into more than {_MOST_CASES} cases")
    return [bound for _, bound in cases]


def _bind(binding: Binding, made: str, old: Quotient, known: Mapping[str, Quotient]) -> list[Quotient]:
    """What a binding's quantity stands for: one value, or two where it is split."""
    word, *rest = binding
    if word == "same":
        return [old]
    if word == "free":
        return [variable(made, FREE)]
    if word == "share":
        return [_expression(rest[1], known) * variable(made, rest[0])]
    bound = _expression(rest[0], known)
    if word == "=":
        return [bound]
    if word == "split":
        if not bound.shown(">"):
            raise InvalidInput(f"{rest[0]} is not shown to be positive, so the two cases are not all")
        return [bound * variable(f"{made}_below", "[0, 1)"), bound + variable(f"{made}_over", "[0, oo)")]
    over = variable(made, "(0, oo)" if word in "<>" else "[0, oo)")
    return [bound - over if "<" in word else bound + over]


_OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def _expression(text: str, known: Mapping[str, Quotient]) -> Quotient:
    """The value of an expression of names, whole numbers, + - * / and brackets.

    Args:
        text: of at most 300 characters, in ASCII.
        known: the names that may occur.

    Raises:
        InvalidInput: anything else in it, or a name that is not known.

    """

    def value(node: ast.expr) -> Quotient:
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            return Quotient.of(_OPERATORS[type(node.op)](value(node.left), value(node.right)))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -value(node.operand)
        if isinstance(node, ast.Constant) and type(node.value) is int:
            return Quotient.of(node.value)
        if isinstance(node, ast.Name):
            if node.id in known:
                return known[node.id]
            raise InvalidInput(f"expression {text!r}: {node.id} is not a quantity bound before, nor an old_ one")
        raise InvalidInput(f"expression {text!r}: expected names, whole numbers, + - * / and brackets")

    if not isinstance(text, str) or len(text) > 300 or not text.isascii():  # Python reads other letters as Latin ones
        raise InvalidInput("an expression is not a text of at most 300 ASCII characters")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InvalidInput(f"expression {text!r}: cannot be read") from None
    return value(tree)
