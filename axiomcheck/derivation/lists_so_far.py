"""Support lists and dictionaries that a loop over ranks is still filling."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from axiomcheck.derivation import values as v
from axiomcheck.derivation.forms import ONE, ZERO, Form, Quantity, Underivable, of_atom
from axiomcheck.derivation.values import Builder, Value

if TYPE_CHECKING:
    from axiomcheck.derivation.sequences import Sequences


def so_far(run: Sequences, made: Builder, summed: bool) -> Value:
    """Return the sum or the number of entries of a list that a loop over ranks is appending to.

    Raises:
        Underivable: The entries are unknown, or another loop appends to the list.

    """
    above, entry = made.above, made.entry
    if above is None or run.loops[-1:] != ["rank"] or run.in_aspect_loop or (summed and entry is None):
        raise Underivable("reads a list that a loop is filling, which is not supported")
    added = ZERO if entry is None else made.keep
    if not summed and (above.certain or (added == ONE and (made.certain or run.is_certain))):
        above.every = True
        return v.scalar(v.PLACE + added, "i", "Python")
    traversal = run.traversals[above.over]
    if not summed:
        above.count = above.count or traversal.new(ZERO, each=False)
        return v.scalar(of_atom(above.count) + added, "i", "Python")
    number = v.as_array(entry)
    if number.axes:
        raise Underivable("sums lists, which is not supported")
    above.total = above.total or traversal.new(ZERO, each=False)
    above.whole |= number.kind != "f"
    run.mixtures += added != ONE and number.kind == "f"  # without entries, the sum is the integer 0
    return v.scalar(of_atom(above.total) + added * number.form, "f" if number.kind == "f" else "i")


def by_aspect(run: Sequences, value: Value) -> v.Mapping | None:
    """Convert a dictionary to one with aspects as keys; return None for other keys or another type of value.

    In a loop over ranks, the keys of a dictionary are unknown until one of them is first used.
    """
    if isinstance(value, v.Mapping) and value.axis == run.aspect_axis:
        return value
    if value == {}:
        return v.Mapping(run.aspect_axis, v.scalar(ZERO, "i"), ZERO, zero=True)
    if not isinstance(value, Builder) or not value.keyed or value.entry is not None or value.above is None:
        return None
    above, each = value.above, run.aspect_axis == v.ASPECT_AXIS
    if above.entry is None:
        traversal = run.traversals[above.over]
        above.entry = traversal.new(ZERO, each, flag=True), traversal.new(ZERO, each)
    flag, number = map(of_atom, above.entry)
    return v.Mapping(run.aspect_axis, v.scalar(number, "i"), flag, zero=True)


def held_by_aspect(run: Sequences, value: Value) -> Value:
    """Return the empty or growing container that a value holds per aspect; None for other values."""
    if not isinstance(value, v.Loop | v.Mapping) or value.axis != run.aspect_axis:
        return None
    if isinstance(value, v.Loop) and value.keep is not None:
        return None  # the index of an entry is not the number of its aspect
    inner = value.value if isinstance(value, v.Mapping) else value.element
    return inner if v.is_empty(inner) or isinstance(inner, Builder) else None


def holding(value: Value, inner: Value) -> Value:
    """Return a copy of a value that `held_by_aspect` accepts, with another container for each aspect."""
    assert isinstance(value, v.Loop | v.Mapping)
    return replace(value, value=inner) if isinstance(value, v.Mapping) else replace(value, element=inner)


def without_factors(form: Form, factors: Collection[Quantity], beside: Quantity | None = None) -> Form:
    """Drop indicators from the products of a form, or only from those with ``beside``, which is 0 where they are 0."""
    total = Form({}, form.rounded)
    for product, c in form.terms.items():
        drop = factors if beside is None or any(a == beside and e > 0 for a, e in product) else ()
        total = total + Form({tuple(x for x in product if x[0] not in drop): c})
    return total


def written_once(flag: Form, keys: Form, before: Form, number: Form) -> tuple[Form, Form] | None:
    """Return (condition, value) if a step sets an entry to a value where a condition holds first, and only there.

    Args:
        flag: Indicator that the dictionary has the key before the step.
        keys: Indicator that it has the key after the step.
        before: Number at the key before the step; 0 if the dictionary lacks the key.
        number: Number at the key after the step.

    """
    (atom,) = flag.atoms()
    condition, value = (x.replace({atom: ZERO}.get) for x in (keys - flag, number - before))
    anew = keys - flag == (ONE - flag) * condition and number - before == (ONE - flag) * value
    if not anew or any(a in (atom, *before.atoms()) for a in value.atoms()) or not condition.is_indicator():
        return None
    parts = [a for product in condition.terms for a, _ in product] if len(condition.terms) == 1 else []
    return condition, without_factors(value, parts)  # all factors are 1 where the condition holds


def close_so_far(run: Sequences, before: Value, after: Value, mask: Form, every: bool) -> None:
    """Set the updates of the totals that `so_far` returned.

    Args:
        run: Interpreter.
        before: Value of a name at the start of a step of a loop over ranks.
        after: Value of the name at the end of the step.
        mask: Indicator of the ranks that the loop reaches.
        every: True if the loop skips no rank before the last one that it reaches.

    Raises:
        Underivable: The value was read as a list with different entries.

    """
    above = before.above if isinstance(before, Builder) else None
    if above is None or not (above.count or above.total or above.every):
        return
    if not isinstance(after, Builder) or after.above is not above or not every:
        raise Underivable("reads a list that a loop is filling, and changes it other than by append")
    added = ZERO if after.entry is None else after.keep
    if above.every and added != ONE:
        raise Underivable("reads a list that a loop is filling, and does not append to it in every iteration")
    number = v.as_array(after.entry if above.total else 0)
    if number.axes or number.form.each or added.each or (above.whole and number.kind == "f"):
        raise Underivable("reads a list that a loop is filling with numbers of different types")
    for atom, step in ((above.count, added), (above.total, added * number.form)):
        if atom is not None:
            run.traversals[above.over].close(atom, of_atom(atom) + mask * step)
