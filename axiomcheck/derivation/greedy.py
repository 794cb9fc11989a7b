"""Rewrite loops that choose the best remaining document at each step as loops over the best order."""

from __future__ import annotations

import ast
import builtins
import re
import sys
from fractions import Fraction
from typing import TYPE_CHECKING

from axiomcheck.derivation import values as v
from axiomcheck.derivation.aliases import assigned_names, has, loads_of, refuse_aliases, set_by
from axiomcheck.derivation.cutoffs import LONGEST
from axiomcheck.derivation.endings import appended_once
from axiomcheck.derivation.environment import Environment
from axiomcheck.derivation.forms import Quantity, Underivable
from axiomcheck.derivation.handlers import handles
from axiomcheck.derivation.indexing import item_of
from axiomcheck.derivation.machine import SORTED
from axiomcheck.derivation.orders import in_best_order
from axiomcheck.derivation.values import Loop, Value

if TYPE_CHECKING:
    from axiomcheck.derivation.interpreter import Interpreter

_SORTED, _CHECK, _CHECKED = "documents in the best order", "check of the key", "checked key"
"""Names of values that the rewritten loop uses. They are not identifiers."""


def _limits(statement: ast.For | ast.While) -> tuple[str, ast.expr | None, str, str] | None:
    """Return the names and the limit of a loop that runs until a list is empty; None for any other loop.

    Returns:
        The list; the largest number of steps, or None; the list of documents taken, whose length is compared with that
        number, or ''; and the name of the step's number, or ''.

    """
    test = statement.test if isinstance(statement, ast.While) else None
    both = isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And)
    tests = (
        sorted(test.values, key=lambda node: isinstance(node, ast.Compare))
        if both and isinstance(test, ast.BoolOp)
        else [test]
    )
    match statement, tests:
        case ast.For(
            ast.Name(place), ast.Call(ast.Name("range"), [ast.Call(ast.Name("min"), [end, length])]), _, []
        ), _ if re.fullmatch(r"len\(\w+\)", ast.unparse(length)):
            return ast.unparse(length)[4:-1], end, "", place
        case ast.While(orelse=[]), [ast.Name(left), ast.Compare(length, [ast.Lt()], [end])] if re.fullmatch(
            r"len\(\w+\)", ast.unparse(length)
        ):
            return left, end, ast.unparse(length)[4:-1], ""
        case ast.While(orelse=[]), [ast.Name(left)]:
            return left, None, "", ""
    return None


def in_greedy_order(run: Interpreter, statement: ast.For | ast.While, env: Environment) -> ast.For | None:
    """Rewrite a loop that chooses the best remaining document as a loop over the best order; None for any other loop.

    `_check` tests at each step that the keys order the documents as their grades do.

    Raises:
        Underivable: The list does not hold all judged documents, or the loop also uses it for something else.

    """
    left, limit, taken, place = _limits(statement) or ("", None, "", "")
    texts = [ast.unparse(part) for part in statement.body]
    for number, choosing in enumerate(statement.body):
        match choosing:
            case ast.Assign(
                [ast.Name(chosen)], ast.Call(ast.Name("max"), [ast.Name(name)], [ast.keyword("key", key)])
            ) if name == left and f"{left}.remove({chosen})" in texts[number:]:
                break
    else:
        return None
    if any(env.find(name) is not getattr(builtins, name) for name in ("max", "min", "len", "range")):
        raise Underivable("redefines the builtin max, min, len or range: use another name")
    stores = [name for part in statement.body for node in ast.walk(part) for name in set_by(node)]
    fixed = {left, place, *(x.id for x in ast.walk(limit or ast.Pass()) if isinstance(x, ast.Name))}
    if (
        any(has(part, ast.Break | ast.Continue | ast.Return | ast.Raise) for part in statement.body)
        or sum(len(loads_of(part, left)) for part in statement.body) != 2  # to choose a document, and to remove it
        or stores.count(chosen) != 1
        or any(loads_of(part, chosen) for part in statement.body[:number])
        or not fixed.isdisjoint(assigned_names(statement.body) - {left})
        or left in stores
    ):
        raise Underivable(f"chooses the best document from {left} in an unsupported form of loop")
    if taken and (env.find(taken) != () or taken not in appended_once(statement.body)):
        raise Underivable(
            f"compares the length of {taken}, which must start empty and grow by one in every step of the loop"
        )
    refuse_aliases(run.functions[-1], left, env.find)
    loop: Value = in_best_order(run, run.loop_of(env.find(left)))
    steps: Value = LONGEST if limit is None else run.value(limit, env)
    if type(steps) is not int or steps < 1:
        raise Underivable("takes a number of documents that is not a constant")
    if limit is not None:
        loop = item_of(run, loop, slice(None, steps, None))
    assert isinstance(loop, Loop)
    target: ast.expr = ast.Name(chosen, ast.Store())
    if place:
        loop = Loop(loop.axis, (v.scalar(v.PLACE, "i", "Python"), loop.element))
        target = ast.Tuple([ast.Name(place, ast.Store()), target], ast.Store())
    env.names |= {_SORTED: loop, _CHECK: _check}
    env.names[left] = v.Failed(Underivable(f"uses {left} after a loop has removed documents from it"))
    run.called_at_once.add(key)
    most = ast.Constant(steps)
    asked = ast.Call(ast.Name(_CHECK, ast.Load()), [ast.Call(key, [ast.Name(chosen, ast.Load())], []), most], [])
    check = ast.copy_location(ast.Assign([ast.Name(_CHECKED, ast.Store())], asked), choosing)
    steps = zip(statement.body, texts, strict=True)
    body = [check if x is choosing else x for x, text in steps if text != f"{left}.remove({chosen})"]
    made = ast.copy_location(ast.For(target, ast.Name(_SORTED, ast.Load()), body, [], None), statement)
    run.visits.leave_out(run.files[-1], statement, ast.fix_missing_locations(made))
    return made


def _check(_key: object, _steps: int) -> None:
    """Serve as a placeholder for the check that the keys order the documents as their grades do."""


@handles(_check)
def _check_order(run: Interpreter, key: Value, steps: int) -> Value:
    """Check that the key of each judged document is its grade, or its hit, times a number that is the same for all.

    The number must remain positive in floats for as many steps as the loop takes.
    """
    form = v.as_array(key).form
    graded = {atom for atom in form.atoms() if atom.kind in ("grade", "hit")}
    (only,) = graded if len(graded) == 1 else (None,)
    if only not in (Quantity("grade", (SORTED, 0)), Quantity("hit", (SORTED, 0))):
        raise Underivable("chooses documents by a key that depends on more than their grade on one aspect")
    assert only is not None
    for product, c in form.terms.items():
        others = [(atom, e) for atom, e in product if atom != only]
        if c <= 0 or (only, 1) not in product or not all(_is_positive(atom, e * steps) for atom, e in others):
            raise Underivable("chooses documents by a key other than the grade times a positive number")
    run.reads_hits_only |= only.kind == "hit"
    return None


def _is_positive(atom: Quantity, most: int) -> bool:
    """Return True for a positive constant to the power of a count, if floats do not underflow up to this count."""
    base = atom.of[0] if atom.kind == "exp" else None
    return isinstance(base, Fraction) and base > 0 and base**most > sys.float_info.min
