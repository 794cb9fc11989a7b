"""Rewrite loops that choose the best remaining document at each step as loops over the best order."""

from __future__ import annotations

import ast
import builtins
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from axiomcheck.derivation import values as v
from axiomcheck.derivation.aliases import has, loads_of, refuse_aliases, set_by
from axiomcheck.derivation.endings import appended_once
from axiomcheck.derivation.forms import Quantity, Underivable
from axiomcheck.derivation.handlers import handles
from axiomcheck.derivation.indexing import item_of
from axiomcheck.derivation.machine import SORTED
from axiomcheck.derivation.orders import in_best_order
from axiomcheck.derivation.values import Environment, Loop, Value

if TYPE_CHECKING:
    from axiomcheck.derivation.interpreter import Interpreter

_SORTED, _CHECK, _CHECKED = "documents in the best order", "check of the key", "checked key"
"""Names of values that the rewritten loop uses. They are not identifiers."""


@dataclass(frozen=True)
class _Greedy:
    """Loop that takes the best document from a list until the list is empty, or until enough documents are taken.

    Args:
        left: Name of the list.
        chosen: Name of the document.
        key: Function whose value is largest for the best document.
        choosing: Statement that chooses the document.
        removing: Statement that removes the document from the list.
        end: Largest number of documents; None if all are taken.
        taken: Name of the list of documents taken, whose length is compared with this number; empty if there is none.
        place: Name of the number of the step; empty if there is none.

    """

    left: str
    chosen: str
    key: ast.expr
    choosing: ast.stmt
    removing: ast.stmt
    end: ast.expr | None
    taken: str
    place: str


def _of_loop(statement: ast.For | ast.While) -> _Greedy | None:
    """Return the parts of a loop that chooses the best remaining document at each step; None for any other loop."""
    end: ast.expr | None = None
    taken = place = ""
    match statement:
        case ast.For(ast.Name(place), ast.Call(ast.Name("range"), [ast.Call(ast.Name("min"), tests)]), _, []):
            ends = [test for test in tests if not _length_of(test)]
            end = ends[0] if len(ends) == 1 == len(tests) - 1 else None
            lefts = [_length_of(test) for test in tests if _length_of(test)]
        case ast.While(ast.BoolOp(ast.And(), [one, two]), _, []):
            lefts = [x.id for x in (one, two) if isinstance(x, ast.Name)]
            for test in (one, two):
                match test:
                    case ast.Compare(length, [ast.Lt()], [end]):
                        taken = _length_of(length)
            if not taken:
                return None
        case ast.While(ast.Name(left), _, []):
            lefts = [left]
        case _:
            return None
    if len(lefts) != 1 or (place and end is None):
        return None
    for part in statement.body:
        match part:
            case ast.Assign([ast.Name(chosen)], ast.Call(ast.Name("max"), [ast.Name(name)], [ast.keyword("key", key)])):
                text = f"{name}.remove({chosen})"
                removing = next((x for x in statement.body if ast.unparse(x) == text), None)
                if name == lefts[0] and removing is not None:
                    return _Greedy(name, chosen, key, part, removing, end, taken, place)
    return None


def _length_of(node: ast.expr) -> str:
    """Return the name of a list whose length an expression is; '' for another expression."""
    match node:
        case ast.Call(ast.Name("len"), [ast.Name(name)], []):
            return name
    return ""


def _names_in(node: ast.expr | None) -> set[str]:
    return set() if node is None else {x.id for x in ast.walk(node) if isinstance(x, ast.Name)}


def in_greedy_order(run: Interpreter, statement: ast.For | ast.While, env: Environment) -> ast.For | None:
    """Rewrite a loop that chooses the best remaining document as a loop over the best order; None for any other loop.

    `_check` tests at each step that the order by grade is that of the keys.

    Raises:
        Underivable: The list has other documents than all judged ones, or the loop uses it in another way.

    """
    found = _of_loop(statement)
    if found is None:
        return None
    if any(env.find(name) is not getattr(builtins, name) for name in ("max", "min", "len", "range")):
        raise Underivable("uses the name of max, min, len or range for something else")
    stores = [name for part in statement.body for node in ast.walk(part) for name in set_by(node)]
    ends = ast.Break | ast.Continue | ast.Return | ast.Raise
    if (
        any(has(part, ends) for part in statement.body)
        or sum(len(loads_of(part, found.left)) for part in statement.body) != _USES
        or stores.count(found.chosen) != 1
        or not {found.left, found.place, *_names_in(found.end)}.isdisjoint(stores)
    ):
        raise Underivable(f"changes {found.left} in a loop in several ways")
    if found.taken and (env.find(found.taken) != () or found.taken not in appended_once(statement.body)):
        raise Underivable(f"compares the length of {found.taken}, to which not each step of the loop appends once")
    refuse_aliases(run.functions[-1], found.left, env.find)
    loop: Value = in_best_order(run, run.loop_of(env.find(found.left)))
    if found.end is not None:
        end = run.value(found.end, env)
        if type(end) is not int or end < 1:
            raise Underivable("takes a number of documents that is not a constant")
        loop = item_of(run, loop, slice(None, end, None))
    assert isinstance(loop, Loop)
    target: ast.expr = ast.Name(found.chosen, ast.Store())
    if found.place:
        loop = Loop(loop.axis, (v.scalar(v.PLACE, "i"), loop.element))
        target = ast.Tuple([ast.Name(found.place, ast.Store()), target], ast.Store())
    env.names |= {_SORTED: loop, _CHECK: _check}
    env.names[found.left] = v.Failed(Underivable(f"uses {found.left}, from which a loop removes documents"))
    run.called_at_once.add(found.key)
    key = ast.Call(found.key, [ast.Name(found.chosen, ast.Load())], [])
    check = ast.Assign([ast.Name(_CHECKED, ast.Store())], ast.Call(ast.Name(_CHECK, ast.Load()), [key], []))
    ast.fix_missing_locations(ast.copy_location(check, found.choosing))
    body = [check if part is found.choosing else part for part in statement.body if part is not found.removing]
    made = ast.For(target, ast.Name(_SORTED, ast.Load()), body, [], None)
    run.visits.leave_out(run.files[-1], statement, made)
    return ast.fix_missing_locations(ast.copy_location(made, statement))


_USES = 2
"""Number of times that a loop uses the list: it chooses a document, and removes it."""


def _check(_key: object) -> None:
    """Stand for the check that the order by grade is that of the keys."""


@handles(_check)
def _check_order(run: Interpreter, key: Value) -> Value:
    """Check that the key of any judged document at this step is its grade, or its hit, times a positive number."""
    form = v.as_array(key).form
    graded = {atom for atom in form.atoms() if atom.kind in ("grade", "hit")}
    (only,) = graded if len(graded) == 1 else (None,)
    if only not in (Quantity("grade", (SORTED, 0)), Quantity("hit", (SORTED, 0))):
        raise Underivable("chooses documents by a key that depends on other things than the grade of one aspect")
    assert only is not None
    for product, c in form.terms.items():
        others = [(atom, e) for atom, e in product if atom != only]
        if c <= 0 or (only, 1) not in product or not all(_is_positive(atom) for atom, _ in others):
            raise Underivable("chooses documents by a key that is not the grade times a positive number")
    run.reads_hits_only |= only.kind == "hit"
    return None


def _is_positive(atom: Quantity) -> bool:
    """Return True for a positive constant to the power of a count."""
    base = atom.of[0] if atom.kind == "exp" else None
    return isinstance(base, Fraction) and base > 0
