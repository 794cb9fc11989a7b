"""Lists of the ranked documents that are filled up to a number of entries: ranks without documents are like grade 0."""

from __future__ import annotations

from dataclasses import replace

from axiomcheck.derivation import values as v
from axiomcheck.derivation.cutoffs import check_rank
from axiomcheck.derivation.forms import LENGTH, ZERO, Form, Quantity, Underivable, least_of, number, of_atom
from axiomcheck.derivation.machine import FILLED_UP, PADDED, RANKING
from axiomcheck.derivation.values import Array, Dimension


def at_padding(form: Form) -> Form:
    """Return a form at a rank without a document."""
    return form.replace(lambda atom: ZERO if atom.kind in ("grade", "hit") else None)


def refuse_at_padding(axis: Dimension, step: Form) -> None:
    """Check that ranks without documents add nothing.

    Raises:
        Underivable: They may add something.

    """
    if axis.over in FILLED_UP and at_padding(step) != ZERO:
        raise Underivable("adds a nonzero value at padded ranks, which have no document")


def missing(form: Form) -> Form | None:
    """Return the number of entries that a ranking lacks for being k long, for a form that counts them.

    A list repeated a negative number of times is empty, so that k - n and max(0, k - n) say the same.
    """
    if any(atom.kind == "missing" and form == of_atom(atom) for atom in form.atoms()):
        return form
    for whole in (LENGTH, *(of_atom(atom) for atom in form.atoms() if atom.kind == "least")):
        most, limit = (form + whole).constant, least_of(whole)
        if (
            most is not None
            and most >= 1
            and most.denominator == 1
            and (whole == LENGTH or limit == (LENGTH, int(most)))
        ):
            check_rank(int(most))
            return of_atom(Quantity("missing", (int(most),)))
    return None


def padding(count: Form) -> Dimension | None:
    """Return the axis of a list of as many entries as a ranking lacks; None for another number."""
    length = missing(count)
    return None if length is None else Dimension("rank", length, PADDED)


def is_padding(array: Array) -> bool:
    """Return True for a list of as many entries as a ranking lacks for being k long."""
    return len(array.axes) == 1 and missing(array.axes[0].length) is not None and array.axes[0].over == PADDED


def padded(array: Array, count: Form, entry: Form, place: int = 0) -> Array:
    """Return a list of ranks with more entries after its last one.

    Args:
        array: List of all ranks, or of the first k.
        count: Number of further entries.
        entry: Further entry.
        place: Place of the axis of ranks.

    Raises:
        Underivable: An entry of the list would not be that at grade 0, or the numbers do not fit.

    """
    axis, length = array.axes[place], missing(count)
    if length is None or axis.over != RANKING or array.keep is not None:
        raise Underivable("pads a list that is not one of the ranked documents")
    if at_padding(array.form) != entry:
        raise Underivable("pads a list with a value other than that of a document of grade 0")
    ((atom, _),) = next(iter(length.terms))
    if axis.length != LENGTH and least_of(axis.length) != (LENGTH, atom.of[0]):
        raise Underivable("pads a list to a length other than the one it was truncated to")
    whole = of_atom(Quantity("longest", atom.of)) if axis.length == LENGTH else number(atom.last_rank)
    axes = (*array.axes[:place], Dimension("rank", whole, PADDED), *array.axes[place + 1 :])
    return replace(array, axes=axes, root=None, origin=None)


def filled_up(owner: Array, new: Array, place: int = 0) -> Array | None:
    """Return an array of k entries whose first ones are those of the first k ranks; None for other arrays."""
    axis, other = owner.axes[place], new.axes[place]
    limit = least_of(other.length)
    if other.over != RANKING or limit is None or limit[0] != LENGTH or axis.length.constant != limit[1]:
        return None
    if at_padding(new.form) != owner.form or axis.over in FILLED_UP:
        return None
    axes = (*owner.axes[:place], replace(axis, over=PADDED), *owner.axes[place + 1 :])
    return replace(owner, axes=axes, form=new.form, root=None)


def kind_of_both(one: Array, two: Array) -> v.Kind:
    """Return the type of numbers of a list that has entries of two."""
    return one.kind if one.kind == two.kind else "f" if "f" in (one.kind, two.kind) else "i"
