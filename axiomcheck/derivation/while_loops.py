"""Rewrite while loops that count their iterations as for loops over a range."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from axiomcheck.derivation.aliases import assigned_names, has, set_by
from axiomcheck.derivation.comparisons import COMPARISONS
from axiomcheck.derivation.environment import Environment
from axiomcheck.derivation.forms import ONE, Underivable
from axiomcheck.derivation.values import Array, AspectSet, is_number


def refuse_other_builtins(env: Environment) -> None:
    """Check that range, min and len, which a rewritten loop calls, are the builtins."""
    if (env.find("range"), env.find("min"), env.find("len")) != (range, min, len):
        raise Underivable("redefines the builtin range, min or len: use another name")


def as_for(statement: ast.While, env: Environment) -> ast.For:
    """Rewrite a loop of the form ``while i < n: ...`` as a for loop over ``range(i, n)``.

    Raises:
        Underivable: The loop has any other form.

    """
    tests = statement.test.values if isinstance(statement.test, ast.BoolOp) else [statement.test]
    if isinstance(statement.test, ast.BoolOp) and not isinstance(statement.test.op, ast.And):
        raise Underivable("uses a while loop with 'or' in its condition: use a for loop and break")
    changed = assigned_names(statement.body)
    bounds = [(test, *bound) for test in tests if (bound := _bound_of(test)) and bound[0] in changed]
    if len({name for _, name, *_ in bounds}) > 1:
        bounds = [bound for bound in bounds if adds_one(statement.body, bound[1])]
    names = {name for _, name, *_ in bounds}
    known = bounds and len(names) == len({after for *_, after in bounds}) == 1
    if not known or statement.orelse or not all(_is_plain(x, env) for x in tests[: tests.index(bounds[0][0])]):
        raise Underivable("uses a while loop whose condition is not 'i < n': use a for loop and break")
    ends = [end for _, _, end, _ in bounds]
    if {x.id for end in ends for x in ast.walk(end) if isinstance(x, ast.Name)} & changed:
        raise Underivable("changes the bound of a while loop inside the loop: use another variable")
    refuse_other_builtins(env)
    (name,) = names
    others = [test for test in tests if all(test is not bound for bound, *_ in bounds)]
    stops = [ast.If(ast.UnaryOp(ast.Not(), test), [ast.Break()], []) for test in others]
    end = ends[0] if len(ends) == 1 else ast.Call(ast.Name("min", ast.Load()), ends, [])
    end = ast.BinOp(end, ast.Add(), ast.Constant(1)) if bounds[0][-1] else end
    entries = ast.Call(ast.Name("range", ast.Load()), [ast.Name(name, ast.Load()), end], [])
    body = [*stops, *statement.body]
    if adds_one(statement.body, name) and all(_holds_before(test, env) for test in others):
        body = [*statement.body, *stops]  # a step that makes a condition false is then the last one
    loop = ast.For(ast.Name(_STEP_OF + name, ast.Store()), entries, body, [])
    return ast.fix_missing_locations(ast.copy_location(loop, statement))


def _is_plain(test: ast.expr, env: Environment) -> bool:
    """Return True if a test of variables cannot raise an exception, even after the last step of a loop."""
    match test:
        case ast.Name(name) | ast.UnaryOp(ast.Not(), ast.Name(name)):
            value = env.names.get(name)
            return isinstance(value, tuple | AspectSet) or _is_number(value)
        case ast.Compare(one, [ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE()], [two]):
            parts = [env.names.get(x.id) if isinstance(x, ast.Name) else getattr(x, "value", None) for x in (one, two)]
            return all(isinstance(x, ast.Name | ast.Constant) for x in (one, two)) and all(map(_is_number, parts))
    return False


def _holds_before(test: ast.expr, env: Environment) -> bool:
    """Return True if a plain test is known to hold before the loop."""
    match test:
        case ast.UnaryOp(ast.Not(), ast.Name(name)):
            return is_number(env.names.get(name)) and not env.names[name]
        case ast.Name(name):
            value = env.names.get(name)
            return bool(value) if is_number(value) else isinstance(value, AspectSet) and value.member == ONE
        case ast.Compare(one, [op], [two]) if _is_plain(test, env):
            parts = [env.names[x.id] if isinstance(x, ast.Name) else getattr(x, "value", None) for x in (one, two)]
            return all(map(is_number, parts)) and COMPARISONS[type(op)](*parts)
    return False


def _is_number(value: object) -> bool:
    return is_number(value) or (isinstance(value, Array) and not value.axes)


_STEP_OF = "step of "
"""Prefix of the target of a loop that was a while loop. The rest is the name of its counter."""


def counter_of(loop: ast.For) -> str:
    """Return the counter of a for loop that `as_for` made from a while loop; '' for other loops."""
    name = loop.target.id if isinstance(loop.target, ast.Name) else ""
    return name.removeprefix(_STEP_OF) if name.startswith(_STEP_OF) else ""


def adds_one(body: Sequence[ast.stmt], name: str) -> bool:
    """Return True if a loop's body adds 1 to a variable exactly once, and does not change it otherwise."""
    adding = [x for x in body if ast.unparse(x) in (f"{name} += 1", f"{name} = {name} + 1", f"{name} = 1 + {name}")]
    times = sum(name in set_by(node) for statement in body for node in ast.walk(statement))
    return len(adding) == times == 1 and not any(has(x, ast.Continue) for x in body)


def _bound_of(test: ast.expr) -> tuple[str, ast.expr, bool] | None:
    """Return (i, n, False) for a test ``i < n``, (i, n, True) for ``i <= n``, and None for other tests."""
    match test:
        case ast.Compare(ast.Name(name), [ast.Lt()], [end]) | ast.Compare(end, [ast.Gt()], [ast.Name(name)]):
            return name, end, False
        case ast.Compare(ast.Name(name), [ast.LtE()], [end]) | ast.Compare(end, [ast.GtE()], [ast.Name(name)]):
            return name, end, True
    return None
