"""Rewrite ``try: ... except ...`` as a test of a divisor or a key, and ``match`` as tests of a value."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FunctionType

import numpy as np

from axiomcheck.derivation.forms import Underivable

_CERTAIN = ast.Return | ast.Assign | ast.AugAssign | ast.BinOp | ast.UnaryOp | ast.Call | ast.Subscript
_DIVISIONS = ast.Div | ast.FloorDiv


def as_if(statement: ast.Try) -> ast.If:
    """Rewrite a try statement as an if statement that tests its only divisor or its only key.

    Raises:
        Underivable: Another exception is caught, or the first statement does not divide or look up a key exactly once.

    """
    match statement:
        case ast.Try(body, [], [], final) if not any(map(_leaves, (*body, *final))):
            together = ast.If(ast.Constant(True), [*body, *final], [])
            return ast.fix_missing_locations(ast.copy_location(together, statement))
        case ast.Try([first, *_], [ast.ExceptHandler(ast.Name("KeyError"), _, handler)], [], []):
            nodes = [node for part in statement.body for node in ast.walk(part)]
            increased = [node.target for node in nodes if isinstance(node, ast.AugAssign)]
            looked_up = [
                node
                for node in nodes
                if isinstance(node, ast.Subscript)
                and not isinstance(node.slice, ast.Constant)
                and (isinstance(node.ctx, ast.Load) or node in increased)
            ]
            called = any(isinstance(node, ast.Call) for part in statement.body for node in ast.walk(part))
            if len(looked_up) == 1 and not called and looked_up[0] in list(_evaluated(first)):
                asked = ast.Compare(looked_up[0].slice, [ast.In()], [looked_up[0].value])
                return ast.fix_missing_locations(ast.copy_location(ast.If(asked, statement.body, handler), statement))
        case ast.Try([first, *_], [ast.ExceptHandler(ast.Name("ZeroDivisionError"), _, handler)], [], []):
            divisors = [
                node.right if isinstance(node, ast.BinOp) else node.value
                for part in statement.body
                for node in ast.walk(part)
                if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, _DIVISIONS)
            ]
            formats = any(isinstance(node, ast.Mod) for part in statement.body for node in ast.walk(part))
            if len(divisors) == 1 and not formats and divisors[0] in list(_evaluated(first)):
                test = ast.Compare(divisors[0], [ast.Eq()], [ast.Constant(0)])
                return ast.fix_missing_locations(ast.copy_location(ast.If(test, handler, statement.body), statement))
    raise Underivable("catches exceptions in an unsupported way: test the divisor or the key with if")


def _leaves(node: ast.AST) -> bool:
    """Return True if a statement may return, or may end or continue a loop around it."""
    if isinstance(node, ast.For | ast.While):
        return any(isinstance(x, ast.Return) for x in ast.walk(node)) or any(map(_leaves, node.orelse))
    return isinstance(node, ast.Return | ast.Break | ast.Continue) or any(map(_leaves, ast.iter_child_nodes(node)))


def as_tests(statement: ast.Match) -> ast.stmt:
    """Rewrite a match statement that compares the value of a name with constants as if statements.

    Raises:
        Underivable: A pattern is not a constant, or sets a name.

    """
    if not isinstance(statement.subject, ast.Name):
        raise Underivable("uses match with a value that has no name: use if")
    rest: list[ast.stmt] = []
    for case in reversed(statement.cases):
        patterns = case.pattern.patterns if isinstance(case.pattern, ast.MatchOr) else [case.pattern]
        values = [x.value for x in patterns if isinstance(x, ast.MatchValue) and isinstance(x.value, ast.Constant)]
        test: ast.expr = ast.Compare(statement.subject, [ast.In()], [ast.Tuple(list(values), ast.Load())])
        match case.pattern:
            case ast.MatchAs(None, None):
                test = ast.Constant(True)
            case ast.MatchSingleton(None):
                test = ast.Compare(statement.subject, [ast.Is()], [ast.Constant(None)])
            case ast.MatchValue(value):
                test = ast.Compare(statement.subject, [ast.Eq()], [value])
            case _ if len(values) < len(patterns):
                raise Underivable("uses match with a pattern that is not a constant: use if")
        if case.guard is not None:
            raise Underivable("uses match with a guard: use if")
        made = ast.If(test, case.body, rest)
        rest = [ast.fix_missing_locations(ast.copy_location(made, case.pattern))]
    return rest[0]


def _evaluated(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the expressions that a statement evaluates once and for certain."""
    yield node
    if isinstance(node, _CERTAIN):
        for child in ast.iter_child_nodes(node):
            yield from _evaluated(child)


def knows_numbers_of_numpy(function: FunctionType) -> bool:
    """Return True if a global name or a default argument of a function is a numpy number or array."""
    names = function.__code__.co_names
    values = [*(function.__globals__.get(name) for name in names), *(function.__defaults__ or ())]
    return any(isinstance(value, np.generic | np.ndarray) for value in values)


def is_of_numpy(callee: object) -> bool:
    """Return True for a numpy function or type, whose results do not raise an exception when divided by 0."""
    return isinstance(callee, np.ufunc) or str(getattr(callee, "__module__", "")).partition(".")[0] == "numpy"
