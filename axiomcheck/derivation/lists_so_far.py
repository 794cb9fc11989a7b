"""Support ``len(x)`` and ``sum(x)`` of a list that a loop over ranks is still filling."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiomcheck.derivation import values as v
from axiomcheck.derivation.forms import ONE, ZERO, Form, Underivable, of_atom
from axiomcheck.derivation.values import Builder, Value

if TYPE_CHECKING:
    from axiomcheck.derivation.sequences import Sequences


def so_far(run: Sequences, made: Builder, summed: bool) -> Value:
    """Return the sum or the number of the entries of a list to which a loop over ranks is appending.

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
    if number.axes or number.kind in v.NARROW:
        raise Underivable("sums lists or float32 or small integers, which is not supported")
    above.total = above.total or traversal.new(ZERO, each=False)
    above.whole |= number.kind != "f"
    run.mixtures += added != ONE and number.kind == "f"  # without entries, the sum is the integer 0
    return v.scalar(of_atom(above.total) + added * number.form, "f" if number.kind == "f" else "i")


def close_so_far(run: Sequences, before: Value, after: Value, mask: Form, every: bool) -> None:
    """Set the updates of the totals that `so_far` returned.

    Args:
        run: Interpreter.
        before: Value of a name at the start of a step of a loop over ranks.
        after: Value of the name at the end of the step.
        mask: Indicator of the ranks that the loop reaches.
        every: True if the loop skips no rank before the last one that it reaches.

    Raises:
        Underivable: The value was read as a list with other entries.

    """
    above = before.above if isinstance(before, Builder) else None
    if above is None or not (above.count or above.total or above.every):
        return
    if not isinstance(after, Builder) or after.above is not above or not every:
        raise Underivable("reads a list that a loop is filling, and changes it in another way than by append")
    added = ZERO if after.entry is None else after.keep
    if above.every and added != ONE:
        raise Underivable("reads a list that a loop is filling, and does not append to it in every iteration")
    number = v.as_array(after.entry if above.total else 0)
    if number.axes or number.form.each or added.each or (above.whole and number.kind == "f"):
        raise Underivable("reads a list that a loop is filling with numbers of different kinds")
    for atom, step in ((above.count, added), (above.total, added * number.form)):
        if atom is not None:
            run.traversals[above.over].close(atom, of_atom(atom) + mask * step)
