"""Read loop invariants of induction certificates: the values that they allow, and the obligations to prove them."""

from __future__ import annotations

import ast
import operator
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from axiomcheck.core.errors import InvalidInput
from axiomcheck.proof.check.polynomials import FREE, Polynomial, monomial_text
from axiomcheck.proof.check.quotients import Quotient, attempt, settled, variable

Binding = tuple[str, ...]

Invariant = Sequence[tuple[str, Binding]]
"""Quantities and their bindings, in order."""

Values = dict[str, Quotient]
"""Values of the quantities, by name."""

_MOST_CASES = 8

_WORDS = {"same": 0, "free": 0, "=": 1, ">=": 1, ">": 1, "<=": 1, "<": 1, "split": 1, "share": 2}
"""First word of a binding -> number of further entries."""

_SHARES = {"(0, 1)": (">", ">"), "(0, 1]": (">", ">="), "[0, 1)": (">=", ">"), "[0, 1]": (">=", ">=")}
"""Range of a share -> relation of the share to 0, and relation of the whole to the share."""


@dataclass(frozen=True)
class BoundObligation:
    """Inequality or equation that a proof must show: the relation of a term to 0.

    Args:
        where: Position in the script.
        what: Description of the term for messages.
        relation: ``>``, ``>=`` or ``=``.
        term: The term, a quotient of polynomials.

    """

    where: str
    what: str
    relation: str
    term: Quotient

    def numerator(self) -> Polynomial:
        """Return the numerator of the term in lowest terms, after checking that its coefficients show the relation.

        Raises:
            InvalidInput: The coefficients do not show the relation.

        """
        with settled(f"{self.where}: {self.what}"):
            numerator = self.term.lowest()
        if not numerator.shown(self.relation):
            raise InvalidInput(f"{self.where}: {self.what}: the coefficients do not show that it is {self.relation} 0")
        return numerator

    def written(self) -> dict[str, Any]:
        """Write the obligation in the notation of certificates, with its coefficients.

        Raises:
            InvalidInput: The coefficients do not show the relation, or two of its variables have the same name.

        """
        expanded = self.numerator().expanded()
        variables = sorted({v for monomial in expanded for v in monomial})
        ranges = {v.name: v.range for v in variables}
        if len(ranges) != len(variables):
            raise InvalidInput(f"{self.where}: {self.what}: two different variables have the same name")
        terms = sorted(expanded.items(), key=lambda term: tuple(Counter(term[0]).items()))
        return {
            "where": self.where,
            "what": self.what,
            "relation": self.relation,
            "ranges": ranges,
            "coefficients": {monomial_text(monomial, times=" "): str(c) for monomial, c in terms},
        }


def check_binding(name: str, binding: Binding, where: str) -> None:
    """Check that a binding is of a known kind and has the right number of entries.

    Raises:
        InvalidInput: The binding is of an unknown kind, or its entries are wrong.

    """
    if _WORDS.get(binding[0]) != len(binding) - 1:
        raise InvalidInput(f"{where}: {name} has the unknown binding {list(binding)!r}")
    if binding[0] == "share" and binding[1] not in _SHARES:
        raise InvalidInput(f"{where}: the range of {name} is {binding[1]!r}; expected one of {', '.join(_SHARES)}")


def within(where: str, invariant: Invariant, values: Values, old: Values) -> Iterator[BoundObligation]:
    """Yield the obligations to prove that values satisfy an invariant.

    Args:
        where: Position, for messages.
        invariant: Invariant of the loop.
        values: Value of every quantity.
        old: Values on entry to the loop.

    """
    bound: Values = {}
    for name, binding in invariant:
        yield from bound_by(where, name, binding, values[name], bound, old)
        bound[name] = values[name]


def bound_by(
    where: str, name: str, binding: Binding, value: Quotient, bound: Values, old: Values
) -> Iterator[BoundObligation]:
    """Yield the obligations to prove that one quantity satisfies its binding.

    Args:
        where: Position, for messages.
        name: Name of the quantity.
        binding: Binding of the quantity.
        value: Value of the quantity.
        bound: Values of the quantities whose bindings come earlier.
        old: Values of all quantities on entry to the loop.

    """
    word, *rest = binding
    known = bound | {f"old_{other}": before for other, before in old.items()}
    if word == "same":
        yield BoundObligation(where, f"{name} = old_{name}", "=", value - old[name])
    elif word == "split":
        yield BoundObligation(where, f"{name} >= 0", ">=", value)
    elif word == "share":
        whole = _expression(rest[1], known)
        from_below, from_above = _SHARES[rest[0]]
        yield BoundObligation(where, f"{rest[1]} >= 0", ">=", whole)
        yield BoundObligation(where, f"{name} {from_below} 0", from_below, value)
        yield BoundObligation(where, f"{rest[1]} {from_above} {name}", from_above, whole - value)
    elif word != "free":
        limit = _expression(rest[0], known)
        difference = limit - value if "<" in word else value - limit
        yield BoundObligation(where, f"{name} {word} {rest[0]}", word.replace("<", ">"), difference)


def hypotheses(segment: int, invariant: Invariant, old: Values) -> list[Values]:
    """Return symbolic values that satisfy an invariant, one set per combination of the sides of its splits.

    Args:
        segment: Index of the loop, which becomes part of the names of new variables.
        invariant: Invariant of the loop.
        old: Values on entry to the loop.

    Raises:
        InvalidInput: An expression has unknown names, or the level of a split cannot be shown to be positive.

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
            raise InvalidInput(f"invariants.{segment}: the splits produce more than {_MOST_CASES} cases")
    return [bound for _, bound in cases]


def _bind(binding: Binding, made: str, old: Quotient, known: Mapping[str, Quotient]) -> list[Quotient]:
    """Return the symbolic values that a binding allows: one for each side of a split, otherwise a single one."""
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
            raise InvalidInput(f"the level {rest[0]} is not shown to be positive, so there may be further cases")
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
    """Evaluate an expression of names, integers, + - * / and parentheses.

    Args:
        text: Expression of at most 300 ASCII characters.
        known: Names that may occur, with their values.

    Raises:
        InvalidInput: The text is not such an expression, or contains an unknown name.

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
            raise InvalidInput(
                f"expression {text!r}: {node.id} is neither an earlier quantity nor one with the prefix old_"
            )
        raise InvalidInput(f"expression {text!r}: expected names, integers, + - * / and parentheses")

    if not isinstance(text, str) or len(text) > 300 or not text.isascii():  # Python maps some other letters to ASCII
        raise InvalidInput("an expression is not a string of at most 300 ASCII characters")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InvalidInput(f"expression {text!r}: not a valid expression") from None
    return value(tree)
