"""Find cutoffs and counters in a loop over ranks from the ways in which its iterations can end."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from axiomcheck.derivation import values as v
from axiomcheck.derivation.aliases import changes, has
from axiomcheck.derivation.cutoffs import within
from axiomcheck.derivation.environment import Ending
from axiomcheck.derivation.forms import ONE, ZERO, Form, Quantity, Underivable, number, of_atom
from axiomcheck.derivation.functions import LocalObject
from axiomcheck.derivation.methods import methods_of
from axiomcheck.derivation.values import Array, Value


def counters(statements: Iterable[ast.AST], before: Mapping[str, Value]) -> dict[str, int]:
    """Return the integers to which statements, or methods that they call, add a constant, each with its constant."""
    found: dict[str, set[int]] = {}
    of_objects: dict[str, int] = {}
    for statement in statements:
        match statement:
            case ast.AugAssign(
                ast.Name(name) | ast.Attribute(_, name), ast.Add(), ast.Constant(int() as step)
            ) | ast.Assign(
                [ast.Name(name) | ast.Attribute(_, name)], ast.BinOp(_, ast.Add(), ast.Constant(int() as step))
            ) if type(before.get(name)) is int:
                found.setdefault(name, set()).add(step)
            case ast.Attribute(ast.Name(name)) if isinstance(owner := before.get(name), LocalObject):
                nodes = (node for method in methods_of(owner.kind.value) for node in ast.walk(method))
                of_objects |= {part_of(name, x): step for x, step in counters(nodes, owner.attributes).items()}
    return of_objects | {name: steps.pop() for name, steps in found.items() if len(steps) == 1}


def left_out(keep: Form | None) -> int | None:
    """Return the number of initial ranks that a loop skips; None if it may skip other ranks.

    Raises:
        Underivable: The loop skips the documents that meet a condition.

    """
    if keep is None:
        return 0
    for atom in keep.atoms():
        if keep == ONE - of_atom(atom):
            if atom.kind == "within":
                return atom.last_rank
            raise Underivable(
                "loops over only the documents that do not meet a condition, such as a positive grade: loop over all "
                "documents, and test each one with if"
            )
    return None


def go_on_by(step: int, name: str, outcomes: Sequence[Ending], before: Mapping[str, Value]) -> bool:
    """Return True if an integer increases by ``step`` in every iteration that does not exit the loop."""
    going = [_with_attributes(o.names).get(name) for o in outcomes if o.kind in ("next", "continue")]
    old = v.as_array(_with_attributes(before)[name])
    after = replace(old, form=old.form + number(step))
    return all(isinstance(x, Array) and is_same(x, after) and (x.kind, x.maker) == (old.kind, old.maker) for x in going)


def _with_attributes(names: Mapping[str, Value]) -> dict[str, Value]:
    """Return the values of names and of the attributes of objects, by the names of their state variables."""
    objects = {name: value.attributes for name, value in names.items() if isinstance(value, LocalObject)}
    return {**names, **{part_of(name, x): value for name, held in objects.items() for x, value in held.items()}}


def without_cuts(
    outcomes: list[Ending], entry: dict[str, Value], names: set[str], every: bool
) -> tuple[list[Ending], Form]:
    """Convert breaks after a fixed rank to a cutoff; return the other outcomes, and the indicator of the ranks reached.

    Args:
        outcomes: Ways in which an iteration of a loop ends.
        entry: Values of names before the iteration.
        names: Names that the loop changes.
        every: True if the loop visits every rank, False if it skips some and a break may come at a skipped one.

    """
    cut = ONE
    kept = []
    going = next((o for o in outcomes if o.kind == "next"), None)
    for outcome in outcomes:
        rank = _last_rank(outcome.guard) if outcome.kind == "break" else None
        if rank is not None and not every and outcome.guard not in (ONE, ONE - within(rank)):
            rank = None
        if rank is not None and all(is_same(outcome.names[name], entry[name]) for name in names):
            cut = cut * within(rank)
        elif (
            rank is not None
            and every
            and going is not None
            and all(is_same(outcome.names[name], going.names[name]) for name in names)
        ):
            cut = cut * within(rank + 1)  # the last step is completed before the loop ends
        else:
            kept.append(outcome)
    if cut == ONE:
        return outcomes, ONE
    return [replace(o, guard=_within_cut(o.guard, cut)) for o in kept], cut


def _last_rank(guard: Form) -> int | None:
    """Return k if the first rank that meets a condition is always k + 1; None for another condition."""
    if guard == ONE:
        return 0
    for atom in guard.atoms():
        if atom.kind == "within":
            rank = atom.last_rank
            if guard == within(rank):
                return 0
            if guard in (ONE - within(rank), within(rank + 1) - within(rank)):
                return rank
    return None


def _within_cut(guard: Form, cut: Form) -> Form:
    """Simplify a guard for ranks within a cutoff, where the cutoff's indicator is 1."""
    (last,) = (atom.of[0] for atom in cut.atoms())
    assert isinstance(last, int)

    def change(atom: Quantity) -> Form | None:
        known = atom.kind == "within" and isinstance(atom.of[0], int) and atom.of[0] >= last
        return ONE if known else None

    return guard.replace(change)


def guard_of(outcomes: Sequence[Ending], kind: str) -> Form:
    """Return the indicator that an iteration ends with ``next``, ``continue``, ``break`` or ``return``."""
    return sum((o.guard for o in outcomes if o.kind == kind), start=ZERO)


def appended_once(body: Sequence[ast.stmt]) -> set[str]:
    """Return the names of lists to which each iteration of a loop appends exactly one element."""
    found: list[str] = []
    for statement in body:
        match statement:
            case ast.Expr(ast.Call(ast.Attribute(ast.Name(name), "append"))):
                found.append(name)
            case _ if any(has(statement, kind) for kind in (ast.Continue, ast.Break, ast.Return)):
                return set()
    changed = [name for statement in body for name, _ in changes(statement)]
    return {name for name in found if changed.count(name) == 1}


def part_of(name: str, place: Value) -> str:
    """Return the name of the state variable for an entry of a list or a dictionary."""
    return f"{name}[{place!r}]"


def is_same(one: Value, two: Value) -> bool:
    """Return True if two values are the same object, or arrays, lists or dictionaries with equal contents."""
    if v.are_alike(one, two):
        return False not in v.entries(v.by_entry(lambda _, x, y: is_same(x, y), one, two))
    if isinstance(one, Array) and isinstance(two, Array):
        return one.axes == two.axes and one.form == two.form and one.keyed == two.keyed
    return one is two
