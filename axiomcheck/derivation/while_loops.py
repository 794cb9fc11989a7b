"""Rewrite while loops that count their iterations as for loops over a range."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from axiomcheck.derivation.aliases import assigned_names, has, set_by
from axiomcheck.derivation.forms import Underivable
from axiomcheck.derivation.values import Environment


def refuse_other_builtins(env: Environment) -> None:
    """Check that range, min and len, which a rewritten loop calls, are the builtins."""
    if (env.find("range"), env.find("min"), env.find("len")) != (range, min, len):
        raise Underivable("uses the name of range, min or len for something else")


def as_for(statement: ast.While, env: Environment) -> ast.For:
    """Rewrite a loop of the form ``while i < n: ...`` as a for loop over ``range(i, n)``.

    Raises:
        Underivable: The loop has another form.

    """
    tests = statement.test.values if isinstance(statement.test, ast.BoolOp) else [statement.test]
    if isinstance(statement.test, ast.BoolOp) and not isinstance(statement.test.op, ast.And):
        raise Underivable("uses a while loop with 'or' in its condition: use a for loop and break")
    changed = assigned_names(statement.body)
    bounds = [(test, *bound) for test in tests if (bound := _bound_of(test)) and bound[0] in changed]
    names = {name for _, name, *_ in bounds}
    known = bounds and bounds[0][0] is tests[0] and len(names) == len({after for *_, after in bounds}) == 1
    if not known or statement.orelse:
        raise Underivable("uses a while loop whose condition is not 'i < n': use a for loop and break")
    ends = [end for _, _, end, _ in bounds]
    if {x.id for end in ends for x in ast.walk(end) if isinstance(x, ast.Name)} & changed:
        raise Underivable("changes the bound of a while loop in the loop")
    refuse_other_builtins(env)
    (name,) = names
    others = [test for test in tests if all(test is not bound for bound, *_ in bounds)]
    stops = [ast.If(ast.UnaryOp(ast.Not(), test), [ast.Break()], []) for test in others]
    end = ends[0] if len(ends) == 1 else ast.Call(ast.Name("min", ast.Load()), ends, [])
    end = ast.BinOp(end, ast.Add(), ast.Constant(1)) if bounds[0][-1] else end
    entries = ast.Call(ast.Name("range", ast.Load()), [ast.Name(name, ast.Load()), end], [])
    loop = ast.For(ast.Name(_STEP_OF + name, ast.Store()), entries, [*stops, *statement.body], [])
    return ast.fix_missing_locations(ast.copy_location(loop, statement))


_STEP_OF = "step of "
"""Prefix of the target of a loop that was a while loop. The rest is the name of its counter."""


def counter_of(loop: ast.For) -> str:
    """Return the counter's name of a for loop that `as_for` made of a while loop; '' for other loops."""
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
