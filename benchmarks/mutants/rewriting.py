"""What a mutation operator is: it makes of an expression in a metric's source another that a slip could have written.

An operator is a function of one expression and its parent that yields replacements, none where it does not apply; its
docstring says what the slip is. `_m` in a replacement is the mutant's own `mutants.runtime.Runtime`, injected into the
mutated module.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator

__all__ = ["OPERATORS", "Operator", "axis_of", "called", "is_function", "operator", "parsed"]

Operator = Callable[[ast.expr, ast.AST], Iterator[ast.expr]]

OPERATORS: dict[str, Operator] = {}
"""By name, in report order; complete once `mutants.operators` is imported."""


def operator(name: str) -> Callable[[Operator], Operator]:
    """Enters an operator under its name."""

    def entered(function: Operator) -> Operator:
        OPERATORS[name] = function
        return function

    return entered


def parsed(template: str, **parts: ast.AST) -> ast.expr:
    """An expression with names replaced by expressions."""

    class Filled(ast.NodeTransformer):
        def visit_Name(self, name: ast.Name) -> ast.AST:
            return copy.deepcopy(parts[name.id]) if name.id in parts else name

    filled: ast.expr = Filled().visit(ast.parse(template, mode="eval")).body
    return filled


def called(node: ast.AST) -> str:
    """The name of the function or method that a call calls; empty if it is no call."""
    if not isinstance(node, ast.Call):
        return ""
    if isinstance(node.func, ast.Name):
        return node.func.id
    return node.func.attr if isinstance(node.func, ast.Attribute) else ""


def is_function(node: ast.AST, name: str) -> bool:
    """Whether a call calls the function (not a method) of that name."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def axis_of(call: ast.Call) -> str:
    """The ``axis=`` of a call, as source; empty without one."""
    return next((ast.unparse(k.value) for k in call.keywords if k.arg == "axis"), "")
