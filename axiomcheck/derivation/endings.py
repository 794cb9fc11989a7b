"""Compare the ways in which a step of a loop ends, and find cutoffs and counters in them."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from axiomcheck.derivation.aliases import assigned_names, has
from axiomcheck.derivation.cutoffs import within
from axiomcheck.derivation.forms import ONE, ZERO, Form, Quantity
from axiomcheck.derivation.values import Array, Ending, Value


def counted(body: Sequence[ast.stmt], before: dict[str, Value]) -> dict[str, Fraction]:
    """Return the constant that every step of a loop adds to a name, for names that change in no other way."""
    counters: dict[str, Fraction] = {}
    for place, statement in enumerate(body):
        match statement:
            case ast.AugAssign(ast.Name(name), ast.Add(), ast.Constant(step)):
                pass
            case ast.Assign([ast.Name(name)], ast.BinOp(ast.Name(again), ast.Add(), ast.Constant(step))) if (
                again == name
            ):
                pass
            case _:
                continue
        others = [*body[:place], *body[place + 1 :]]
        if (
            type(step) is int
            and type(before.get(name)) is int
            and name not in assigned_names(others)
            and not any(has(earlier, ast.Continue) for earlier in body[:place])
        ):
            counters[name] = Fraction(step)
    return counters


def without_cuts(
    outcomes: list[Ending], entry: dict[str, Value], names: set[str], every: bool
) -> tuple[list[Ending], Form]:
    """Return outcomes without a break after the k-th rank, and the indicator of the ranks that are run.

    Args:
        outcomes: Ways in which a step of a loop ends.
        entry: Values of names before the step.
        names: Names that the loop changes.
        every: True if the loop has every rank, False if it leaves ranks out, of which a break may be at one.

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
            cut = cut * within(rank + 1)  # the step is done before the loop ends
        else:
            kept.append(outcome)
    if cut == ONE:
        return outcomes, ONE
    return [replace(o, guard=_within_cut(o.guard, cut)) for o in kept], cut


def _last_rank(guard: Form) -> int | None:
    """Return k of the condition rank > k, or rank = k + 1 as it is met at first; None for another condition."""
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
    """Return a guard for ranks within a cutoff, at which the cutoff's indicator is 1."""
    (last,) = (atom.of[0] for atom in cut.atoms())
    assert isinstance(last, int)

    def change(atom: Quantity) -> Form | None:
        known = atom.kind == "within" and isinstance(atom.of[0], int) and atom.of[0] >= last
        return ONE if known else None

    return guard.replace(change)


def guard_of(outcomes: Sequence[Ending], kind: str) -> Form:
    """Return the indicator of all outcomes of a kind."""
    return sum((o.guard for o in outcomes if o.kind == kind), start=ZERO)


def part_of(name: str, place: int) -> str:
    """Return a name for a part of a tuple."""
    return f"{name}[{place}]"


def is_same(one: Value, two: Value) -> bool:
    """Return True for one value, or for two that are computed alike."""
    if isinstance(one, tuple) and isinstance(two, tuple):
        return len(one) == len(two) and all(map(is_same, one, two))
    if isinstance(one, Array) and isinstance(two, Array):
        return one.axes == two.axes and one.form == two.form and one.keyed == two.keyed
    return one is two
