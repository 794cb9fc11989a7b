"""Sort the judged documents, their grades, or values computed from both, by grade."""

from __future__ import annotations

import builtins
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from axiomcheck.derivation import values as v
from axiomcheck.derivation.forms import (
    POOL,
    RANK,
    Form,
    Quantity,
    Underivable,
    number,
    of_atom,
    positive,
)
from axiomcheck.derivation.functions import LocalObject
from axiomcheck.derivation.handlers import handles_method, reads
from axiomcheck.derivation.indexing import about, grade_of, order_by
from axiomcheck.derivation.machine import (
    ASCENDING,
    JUDGED,
    LAST_FIRST,
    POSITIONS,
    RANKING,
    SORTED,
    SUMMED,
    SUMMED_ASCENDING,
)
from axiomcheck.derivation.values import Array, Loop, Value

if TYPE_CHECKING:
    from axiomcheck.derivation.interpreter import Interpreter


_LARGEST_BESIDE = 10**6
"""Largest ratio of a constant to the difference between neighbouring ranks with which floats still tell them apart."""


@reads(builtins.sorted)
def in_python_order(run: Interpreter, value: Value, /, *, key: Value = None, reverse: Value = False) -> Value:
    """Evaluate ``sorted(value, key=..., reverse=...)``.

    Raises:
        Underivable: The result is neither in the order of the ranking, nor in that of the judged documents' grades.

    """
    if not isinstance(reverse, bool):
        raise Underivable("sorts with a reverse argument that is not a constant: write reverse=True")
    loop = run.loop_of(value)
    run.refuse_current_of(key, loop.axis.kind)
    with run.looping(loop.axis):
        by = loop.element if key is None else run.call(key, [loop.element], {})
    if isinstance(by, tuple) and by:
        by = by[0]  # the rest of the key orders documents of equal grades
    if isinstance(by, v.Document) and by == loop.element and loop.axis.over == JUDGED:
        return v.Documents(loop.axis, loop.keep, ordered=False)
    if isinstance(by, v.Document):
        raise Underivable("sorts documents by their names, which is not supported")
    form = v.as_array(by).form
    same = key is None and not form.at_rank and loop.axis.kind == "rank"
    if same or loop.axis == v.ONE_AXIS:  # all entries are the same, or there is at most one
        return run.listed(loop)
    if loop.axis.over == RANKING and _rises(form) is (not reverse) and loop.keep is None:
        return run.listed(loop)
    return run.listed(_ordered(run, loop, by, reverse))


def _rises(form: Form) -> bool | None:
    """Return True if a form increases from each rank to the next, False if it decreases; None if this is unknown.

    In floats, the numbers at neighbouring ranks must differ, and none of them may be NaN.
    """
    slope = form.terms.get(((Quantity("rank"), 1),), Fraction(0))
    if slope:
        rest = form - RANK * number(slope)
        clear = all(abs(c) <= _LARGEST_BESIDE * abs(slope) for c in rest.terms.values())
        lengths = all(a.kind in ("length", "least") and e == 1 for p in rest.terms for a, e in p)
        return slope > 0 if clear and lengths and all(len(p) < 2 for p in rest.terms) else None
    if not form.terms:
        return None
    ((product, c), *others) = form.terms.items()
    falls = not others and [(a.kind, e) for a, e in product] in ([("rank", -1)], [("shifted", -1)])
    return c < 0 if falls else None


def _ordered(run: Interpreter, loop: Loop, by: Value, descending: bool) -> Loop:
    """Return a loop over the judged documents in the order of a key."""
    key = v.as_array(by)
    grade = grade_of(key.form)
    if key.axes or grade is None or loop.axis.over != JUDGED:
        raise Underivable("sorts documents by a key other than the grade, or documents other than the judged ones")
    axis = _axis_in_order(run, loop.axis, loop.keep, key.form, descending)
    if grade.kind == "sum":
        return Loop(axis, about(run, loop.element, JUDGED, SUMMED))
    by_grade = any(atom.kind == "grade" for atom in key.form.atoms())  # else by whether the grade is positive
    return Loop(axis, _in_order_of(run, loop.element, grade, by_grade))


def in_best_order(run: Interpreter, loop: Loop) -> Loop:
    """Return a loop over the judged documents in the order of their grades on the first aspect, best first."""
    if loop.axis.over != JUDGED:
        raise Underivable("chooses the best of documents other than the judged ones")
    axis = _axis_in_order(run, loop.axis, loop.keep, v.grade(JUDGED, 0), True)
    return Loop(axis, about(run, loop.element, JUDGED, SORTED))


def _axis_in_order(run: Interpreter, axis: v.Dimension, keep: Form | None, key: Form, descending: bool) -> v.Dimension:
    """Return the axis of judged documents, or of those with positive grades, in the order of a key.

    Raises:
        Underivable: The axis holds any other documents.

    """
    grade = grade_of(key)
    assert grade is not None
    hit = positive(of_atom(grade if grade.kind == "sum" else replace(grade, of=grade.of[:2])))
    best_first = descending is (key == of_atom(grade))
    worst_first = SUMMED_ASCENDING if grade.kind == "sum" else ASCENDING
    over = order_by(grade) if best_first else worst_first
    if axis.length != POOL or keep not in (None, hit) or (keep is not None and not best_first):
        raise Underivable("sorts a subset of the judged documents")
    length = axis.length if keep is None else run.total(axis, keep)  # documents of grade 0 come last
    return replace(axis, over=over, length=length)


def _in_order_of(run: Interpreter, value: Value, grade: Quantity, whole: bool) -> Value:
    """Rewrite an element for a list sorted by a grade, in which documents with equal grades may be in any order.

    If the list is only sorted by whether grades are positive, its elements must depend on nothing else.
    """
    if isinstance(value, tuple):
        return tuple(_in_order_of(run, part, grade, whole) for part in value)
    if isinstance(value, LocalObject):
        return value.changed(lambda part: _in_order_of(run, part, grade, whole))
    if isinstance(value, Array):
        alike = [Quantity(kind, grade.of, grade.each) for kind in (("grade", "hit") if whole else ("hit",))]
        if not value.axes and not any(atom not in alike for atom in value.form.atoms()):
            return replace(value, form=v.renamed(value.form, JUDGED, SORTED))
    if not whole and not (v.is_number(value) or value is None or isinstance(value, str)):
        raise Underivable("sorts by whether the grade is positive, which is not supported")
    is_number = isinstance(value, Array) and not value.axes and value.form == v.PLACE
    if is_number or isinstance(value, v.Document) or (isinstance(value, Array) and value.axes == (v.ASPECT_AXIS,)):
        if grade != Quantity("grade", (JUDGED, 0)):
            raise Underivable("sorts documents by the grade of an aspect other than the first")
        return about(run, value, JUDGED, SORTED)
    if v.is_number(value) or value is None or isinstance(value, str):
        return value
    raise Underivable("sorts values other than the judged documents and their grades")


@handles_method("", np.sort)
def _sort(run: Interpreter, array: Array, axis: Value = -1) -> Value:
    if not isinstance(axis, int) or array.axes[axis].kind != "rank":
        raise Underivable("sorts along the axis of aspects or topics")
    if not array.form.at_rank:  # all entries are the same
        return replace(array, root=None, origin=None)
    return in_order(run, array, descending=False)


def in_order(run: Interpreter, array: Array, descending: bool) -> Value:
    """Sort the grades of the judged documents.

    Raises:
        Underivable: The array has other entries, or lacks the grades of some documents.

    """
    axis = array.rank_axis
    if axis is None or axis.over != JUDGED or grade_of(array.form) is None:
        raise Underivable("sorts values other than the grades of the judged documents")
    made = _axis_in_order(run, axis, array.keep, array.form, descending)
    axes = tuple(made if x is axis else x for x in array.axes)
    grade = grade_of(array.form)
    assert grade is not None
    return Array(axes, v.renamed(array.form, JUDGED, order_by(grade)), array.kind, array.listed, maker=array.maker)


@handles_method("argsort", np.argsort)
def _argsort(run: Interpreter, array: Array, axis: Value = -1, *, kind: Value = None) -> Value:
    """Return the argsort of the judged documents' grades, which can only be used as an index."""
    if not isinstance(axis, int) or array.axes[axis].kind != "rank" or array.keep is not None:
        raise Underivable("sorts along the axis of aspects or topics, or sorts a filtered array")
    rises = _rises(array.form)
    if rises is not None and array.axes[axis].over in (RANKING, POSITIONS):  # all rows have the same order
        over = POSITIONS if rises else LAST_FIRST
        return Array(tuple(replace(x, over=over) if x.kind == "rank" else x for x in array.axes), v.PLACE, "i")
    made = in_order(run, array, descending=False)
    grade = grade_of(array.form)
    assert isinstance(made, Array)
    assert grade is not None
    return Array(made.axes, of_atom(Quantity("order", (of_atom(grade),), grade.each)), "i")
