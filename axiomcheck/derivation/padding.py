"""Pad lists of ranked documents to a length: ranks without documents count as grade 0."""

from __future__ import annotations

from dataclasses import replace

from axiomcheck.derivation.cutoffs import check_rank
from axiomcheck.derivation.forms import LENGTH, ZERO, Form, Quantity, Underivable, least_of, number, of_atom
from axiomcheck.derivation.machine import FILLED_UP, PADDED, RANKING
from axiomcheck.derivation.values import Array, Dimension


def at_padding(form: Form) -> Form:
    """Return the value of a form at a rank without a document."""
    return form.replace(lambda atom: ZERO if atom.kind in ("grade", "hit") else None)


def refuse_at_padding(axis: Dimension, step: Form) -> None:
    """Check that ranks without documents add nothing.

    Raises:
        Underivable: Such a rank may add something.

    """
    if axis.over in FILLED_UP and at_padding(step) != ZERO:
        raise Underivable("adds a nonzero value at padded ranks, which have no document")


def missing(form: Form) -> Form | None:
    """Return max(0, k - n), with the ranking's length n, for a form that is this number or k - n; else None.

    Either gives the same number of repetitions, because a list that is repeated a negative number of times is empty.
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
    """Return the axis of a list that pads a ranking to k entries; None for a list of another length."""
    length = missing(count)
    return None if length is None else Dimension("rank", length, PADDED)


def is_padding(array: Array) -> bool:
    """Return True for a list that pads a ranking to k entries."""
    return len(array.axes) == 1 and missing(array.axes[0].length) is not None and array.axes[0].over == PADDED


def padded(array: Array, count: Form, entry: Form, place: int = 0) -> Array:
    """Return a list over ranks with more entries after the last one.

    Args:
        array: List over all ranks, or over the first k.
        count: Number of entries to add.
        entry: Value of these entries.
        place: Number of the axis of ranks.

    Raises:
        Underivable: The list would have another entry for a document of grade 0, or the lengths do not match.

    """
    axis, length = array.axes[place], missing(count)
    if length is None or axis.over != RANKING or array.keep is not None:
        raise Underivable("pads a list other than the ranked documents")
    if at_padding(array.form) != entry:
        raise Underivable("pads a list with a value other than that of a document of grade 0")
    ((atom, _),) = next(iter(length.terms))
    if axis.length != LENGTH and least_of(axis.length) != (LENGTH, atom.of[0]):
        raise Underivable("pads a list to a length other than the one it was truncated to")
    whole = of_atom(Quantity("longest", atom.of)) if axis.length == LENGTH else number(atom.last_rank)
    axes = (*array.axes[:place], Dimension("rank", whole, PADDED), *array.axes[place + 1 :])
    return replace(array, axes=axes, root=None, origin=None)


def filled_up(owner: Array, new: Array, place: int = 0) -> Array | None:
    """Return an array of length k whose first entries are replaced by those of the first k ranks; None otherwise."""
    axis, other = owner.axes[place], new.axes[place]
    limit = least_of(other.length)
    if other.over != RANKING or limit is None or limit[0] != LENGTH or axis.length.constant != limit[1]:
        return None
    if at_padding(new.form) != owner.form or axis.over in FILLED_UP:
        return None
    axes = (*owner.axes[:place], replace(axis, over=PADDED), *owner.axes[place + 1 :])
    return replace(owner, axes=axes, form=new.form, root=None)
