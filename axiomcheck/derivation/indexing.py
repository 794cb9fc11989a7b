"""Read entries and slices of arrays, lists, dictionaries and tuples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, TypeGuard

from axiomcheck.derivation import arithmetic
from axiomcheck.derivation import values as v
from axiomcheck.derivation.aliases import filled_over
from axiomcheck.derivation.cutoffs import least, within
from axiomcheck.derivation.forms import (
    LENGTH,
    ONE,
    POOL,
    RANK,
    ZERO,
    Form,
    Quantity,
    Underivable,
    least_of,
    number,
    of_atom,
)
from axiomcheck.derivation.functions import LocalObject
from axiomcheck.derivation.lists_so_far import by_aspect
from axiomcheck.derivation.machine import (
    ASCENDING,
    JUDGED,
    LAST_FIRST,
    PADDED,
    POSITIONS,
    RANKING,
    SORTED,
    SUMMED,
    SUMMED_ASCENDING,
    WORST_FIRST,
    factored,
    summed_grades,
)
from axiomcheck.derivation.values import Array, Dimension, Document, Documents, First, Value

if TYPE_CHECKING:
    from axiomcheck.derivation.sequences import Sequences


def item_of(run: Sequences, owner: Value, index: Value) -> Value:
    """Return an entry or a part of a value.

    Raises:
        Underivable: The value of the entry is unknown.

    """
    if isinstance(owner, v.Failed):
        raise owner.error
    owner = owner.unpacked() if isinstance(owner, LocalObject) else owner
    bounds = (index.start, index.stop, index.step) if isinstance(index, slice) else (index,)
    is_sequence = isinstance(owner, Array | Documents | tuple) and not getattr(owner, "keyed", "")
    if is_sequence and any(isinstance(x, Array) and not x.axes and x.kind == "f" for x in bounds):
        raise Underivable("uses a float as an index: convert it with int")
    if isinstance(owner, v.ConstantTable) and not isinstance(index, int):
        entries = item_of(run, owner.entries, index)
        if isinstance(entries, Array) and isinstance(index, slice) and _is_plain_slice(index):
            return v.ConstantTable(owner[index], entries)
        return entries
    if isinstance(owner, tuple) and (isinstance(index, int) or _is_plain_slice(index)):
        try:
            part = owner[index]
        except (IndexError, TypeError) as error:
            raise Underivable(f"raises {type(error).__name__}: {error}") from None
        return v.PythonList(part) if isinstance(index, slice) and isinstance(owner, v.PythonList) else part
    if isinstance(owner, dict) and isinstance(index, str | int):
        if index not in owner:
            raise Underivable(f"looks up {index!r}, a key that the dictionary lacks")
        if isinstance(owner[index], v.Failed):
            raise owner[index].error
        return owner[index]
    if isinstance(owner, v.GradesInOrder) and index == 0 and not isinstance(index, bool):
        return v.scalar(v.grade(SORTED, 0), maker="Python")
    if isinstance(owner, v.Builder) and run.is_aspect(index):
        owner = by_aspect(run, owner) or owner
    if isinstance(owner, v.Mapping):
        if owner.keep is not None and (isinstance(index, Document) or run.is_aspect(index)):
            there = v.renamed(owner.keep, owner.axis.over, getattr(index, "over", owner.axis.over))
            owner = replace(owner, keep=None) if any(known * there == known for known in run.holding) else owner
        if owner.keep is not None:
            raise Underivable("looks up a key that may be missing from the dictionary")
        return looked_up(run, owner, index)
    if isinstance(owner, v.Builder) and owner.entry is not None and owner.keep == ONE:  # the newest entry
        key, value = owner.entry if owner.keyed and isinstance(owner.entry, tuple) else (-1, owner.entry)
        at_rank = isinstance(index, Array) and not index.axes and index.form == v.PLACE
        if key == index or (not owner.keyed and at_rank and run.is_certain):  # the list has an entry for each rank
            return value
    if isinstance(owner, v.Loop) and owner.keep is None and index == v.Index("aspect") and owner.axis.kind == "aspect":
        return owner.element
    if isinstance(owner, Array) and owner.keyed and not run.is_aspect(index):
        raise Underivable("looks up a key that is not an aspect in a dictionary of aspects")
    if isinstance(owner, Documents):
        if not (owner.ordered and owner.listed):
            raise Underivable("reads an entry of a set, or of a list in the order of a set")
        if isinstance(index, slice) and owner.keep is None:
            return replace(owner, axis=_sliced(run, owner.axis, index))
        if owner.keep is None and isinstance(index, Array) and index.form == v.PLACE:
            _check_loop(run, owner.axis)
            return Document(run.rank_loops[-1].over if owner.axis.over == POSITIONS else owner.axis.over)
        if index == 0 and not isinstance(index, bool) and owner.keep is None and owner.axis.over in (RANKING, SORTED):
            none = v.Failed(Underivable("reads the first document of a list that may be empty: test it with if first"))
            return First(owner.axis.over, within(1), Document(owner.axis.over), none)
        raise Underivable("reads a document other than the loop's current one: use index 0 or the loop's index")
    if isinstance(owner, v.Loop) and owner.keep is None and owner.axis.kind == "rank":
        if isinstance(index, slice):
            return replace(owner, axis=_sliced(run, owner.axis, index))
        if isinstance(index, Array) and index.form == v.PLACE:
            _check_loop(run, owner.axis)
            return owner.element
    if isinstance(owner, Array):
        v.refuse_nested(owner)
        return _entries(run, owner, index)
    raise Underivable(f"reads an entry of {v.described(owner)}, which is not supported")


def looked_up(run: Sequences, owner: v.Mapping, document: Value) -> Value:
    """Look up a document or an aspect in a dictionary, and return the value even if the key was filtered out.

    Raises:
        Underivable: The dictionary has other keys, or may lack some documents.

    """
    if run.is_aspect(document) and document == owner.key:
        return owner.value
    if not isinstance(document, Document) or owner.axis.kind != "rank":
        raise Underivable("looks up a key that may be missing from the dictionary")
    if owner.axis.length not in (LENGTH, POOL) or (owner.axis.over == RANKING != document.over):
        raise Underivable("looks up a document that may be missing from the dictionary")
    return about(run, owner.value, owner.axis.over, document.over)


def about(run: Sequences, value: Value, old: str, new: str) -> Value:
    """Rewrite a value for a document in sequence ``old`` as the value for the same document in sequence ``new``."""
    if old == new:
        return value
    if isinstance(value, Array):
        if value.rank_axis is not None:
            raise Underivable("uses a dictionary in which the value for each document is a list over ranks")
        if new == SORTED and value.form == v.grade(old, None) and value.axes == (v.ASPECT_AXIS,):
            return v.GradesInOrder()
        if new == SORTED and any(a.kind in ("grade", "hit") and a.of[:2] != (old, 0) for a in value.form.atoms()):
            raise Underivable("looks up grades of other aspects in the order of the first aspect's grades")
        held = (value.root or value.memory) if value.axes else None
        keep = None if value.keep is None else v.renamed(value.keep, old, new)
        return replace(value, form=v.renamed(value.form, old, new), keep=keep, root=held)
    if isinstance(value, tuple | dict):
        return v.by_entry(lambda _, part: about(run, part, old, new), value)
    if isinstance(value, LocalObject):
        return value.changed(lambda part: about(run, part, old, new))
    if isinstance(value, v.AspectSet) and (new != SORTED or not value.member.each):
        return replace(value, member=v.renamed(value.member, old, new))
    if isinstance(value, v.Mapping) and value.axis == run.aspect_axis and (new != SORTED or value.axis == v.ONE_AXIS):
        keep = None if value.keep is None else v.renamed(value.keep, old, new)
        return replace(value, value=about(run, value.value, old, new), keep=keep)
    if isinstance(value, Document):
        return Document(new)
    if v.is_number(value) or value is None or isinstance(value, str):
        return value
    raise Underivable(f"looks up {v.described(value)}, which is not supported")


def _is_plain_slice(index: Value) -> TypeGuard[slice]:
    return isinstance(index, slice) and all(
        x is None or isinstance(x, int) for x in (index.start, index.stop, index.step)
    )


def _check_loop(run: Sequences, axis: Dimension) -> None:
    """Check that the current loop runs over the sequence of an axis, so its rank is a valid index along the axis."""
    if not run.rank_loops:
        raise Underivable("uses a rank as an index outside the loop over ranks")
    loop, over = run.rank_loops[-1].over, filled_over(axis)
    if over not in (loop, POSITIONS) and loop != POSITIONS:
        raise Underivable("indexes a sequence other than the one that it loops over")
    if loop == POSITIONS and over not in (POSITIONS, RANKING, SORTED, SUMMED):
        raise Underivable("reads documents whose order is not known")
    if not _reaches(run, axis.length):
        raise Underivable("may read past the end of a list: let the loop end where the list does")


def _reaches(run: Sequences, length: Form) -> bool:
    """Return True if a list of a given length has an entry for the current rank of the loop."""
    *_, ranks = [run.rank_loops[-1].length, *(x.length for x in run.rank_loops if x.length not in (RANK - ONE, RANK))]
    shorter, most = least_of(ranks) or (ranks, ranks.constant)
    own, end = least_of(length) or (length, length.constant)
    if own.constant is None:
        more = (own - shorter).constant
        if own != POOL and (more is None or more < 0):
            return False
    return end is None or (most is not None and most <= end) or run.holds(within(int(end)))


def _entries(run: Sequences, array: Array, index: Value) -> Value:
    if isinstance(index, Array) and any(atom.kind == "order" for atom in index.form.atoms()):
        return by_order(array, index)
    index = as_mask(index) if len(array.axes) == 1 and array.keep is None else index
    if isinstance(index, Array) and index.kind == "b" and not array.listed and _kinds(index) == _kinds(array):
        common = tuple(arithmetic.common_axis(x, y) for x, y in zip(array.axes, index.axes, strict=True))
        if index.keep is not None or (array.keep is not None and index.axes != array.axes):
            raise Underivable("indexes an array with a filtered array, which is not supported")
        keep = index.form if array.keep is None else index.form * array.keep
        return replace(array, axes=common, keep=keep, root=array.root or array.memory)
    parts = list(index) if isinstance(index, tuple) else [index]
    if array.listed and len(parts) > 1:
        raise Underivable("indexes a list with several indices: convert it with np.array")
    if array.keep is not None:
        return _of_filtered(run, array, parts)
    if len(parts) == len(array.axes) and any(isinstance(part, First) for part in parts):
        return _at_first_hit(run, array, parts)
    axes: list[Dimension] = []
    form, pending = array.form, list(array.axes)
    for part in _expanded(parts, len(array.axes)):
        if part is None:
            axes.append(v.ONE_AXIS)
            continue
        axis = pending.pop(0)
        if isinstance(part, slice) and part == slice(None, None, -1) and not form.at_rank and axis.kind == "rank":
            axes.append(axis)  # all entries are the same
        elif axis.kind == "aspect" and part in (slice(None, 1), slice(0, 1)) and type(part.stop) is int:
            axes.append(v.ONE_AXIS)
            form = _of_aspect(form, 0)
        elif isinstance(part, slice) and (part.start, part.stop, part.step) == (1, None, None) and axis.kind == "rank":
            form = _after_first(run, axis, form)
            axes.append(replace(axis, length=axis.length - ONE))
        elif isinstance(part, slice):
            axes.append(_sliced(run, axis, part))
        elif isinstance(part, Array) and part.axes and part.form == v.PLACE:
            axes.append(gathered(axis, part))
        else:
            form = _at(run, axis, part, form)
    owner = array.root or array.memory
    return v.simplified(Array((*axes, *pending), form, array.kind, array.listed, None, owner, maker=array.maker))


def _after_first(run: Sequences, axis: Dimension, form: Form) -> Form:
    """Undo a shift: return the entries of ``[c, *entries][1:]``, where c was put before the first rank."""
    whole = axis.length - ONE
    if whole in (LENGTH, POOL) or least_of(whole):
        for outer, inner in factored(form).items() if len(form.terms) == 1 else ():
            states = [atom for atom in inner.atoms() if inner == of_atom(atom) and atom.kind in ("state", "flag")]
            update = run.traversals[str(states[0].of[0])].of(states[0]).update if states else None
            if update is not None:
                return outer * update
    raise Underivable("slices ranks with a step, or skips ranks at the start")


def as_mask(index: Value) -> Value:
    """Convert the positions of some entries to the mask that selects them; return any other index unchanged."""
    if not isinstance(index, Array) or len(index.axes) != 1 or index.form != v.PLACE or index.keep is None:
        return index
    return replace(index, form=index.keep, keep=None, kind="b", listed=False)


def gathered(axis: Dimension, places: Array) -> Dimension:
    """Return the axis of ``array[positions]``, where the positions are those of the first entries.

    Raises:
        Underivable: The index holds any other positions.

    """
    (own, *others) = places.axes
    length = least_of(own.length) or (own.length,)
    if (
        axis.kind != "rank"
        or others
        or places.keep is not None
        or own.over != POSITIONS
        or axis.length not in (own.length, length[0])
        or (axis.length != own.length and axis.over in (*WORST_FIRST, JUDGED))
    ):
        raise Underivable("indexes an array with positions that do not count up from 0: use a mask or a slice")
    return replace(axis, length=own.length)


def _kinds(array: Array) -> list[str]:
    return [axis.kind for axis in array.axes]


def _expanded(parts: list[Value], dimensions: int) -> Iterator[Value]:
    """Yield the parts of an index, with ``...`` replaced by full slices."""
    taken = sum(part is not None and part is not ... for part in parts)
    if taken > dimensions:
        raise Underivable("uses more indices than the array has dimensions")
    for part in parts:
        if part is ... and taken == dimensions:
            raise Underivable("reads one entry as a 0-d array, which is not supported")
        if part is ...:
            yield from [slice(None)] * (dimensions - taken)
        else:
            yield part


def _at(run: Sequences, axis: Dimension, index: Value, form: Form) -> Form:
    """Return the form of one entry along an axis."""
    if isinstance(index, v.Index) and index.kind == axis.kind:
        return form
    if axis.kind == "one" and index in (0, -1):
        return form
    if axis.kind == "aspect" and isinstance(index, int) and not isinstance(index, bool) and index >= 0:
        return _of_aspect(form, index)
    if axis.kind == "rank":
        if isinstance(index, Array) and not index.axes and index.form == v.PLACE:
            _check_loop(run, axis)
            return form
        limit = least_of(axis.length)
        ordered = axis.over in (RANKING, SORTED, SUMMED) and (limit or (axis.length,))[0] in (LENGTH, POOL)
        if index == 0 and not isinstance(index, bool) and (ordered or axis.over == PADDED):
            return run.total(axis, within(1) * form)
        if index == -1:
            return _last(run, axis, form)
        if isinstance(index, Array) and not index.axes and index.kind != "f":
            end = index.form + ONE
            if (least_of(end) or (end,))[0] in (LENGTH, POOL):  # at least 1, so the index is not -1
                return _last(run, _sliced(run, axis, slice(None, v.scalar(end, "i"), None)), form)
            if axis.over in (ASCENDING, SUMMED_ASCENDING) and index.form in (axis.length - RANK, -RANK):
                _check_loop(run, reversed_axis(axis))
                count = run.rank_loops[-1].length
                if (least_of(count) or (count,))[0] != axis.length:  # negative indices count from the end
                    raise Underivable("reads a list from its end in a loop that may be longer than the list")
                return form
    raise Underivable("reads an entry other than the loop's current one: use index 0, -1 or the loop's index")


def _at_first_hit(run: Sequences, array: Array, parts: list[Value]) -> First:
    """Return ``array[argmax(array)]`` for a boolean array: True if it is True at any rank, else False."""
    place = next(k for k, part in enumerate(parts) if isinstance(part, First))
    first, axis = parts[place], array.axes[place]
    assert isinstance(first, First)
    rank, none = (v.as_array(case).form for case in (first.value, first.default))
    known = axis.kind == "rank" and (rank, none) == (v.PLACE, ZERO) and array.form.is_indicator()
    if not known or run.extent(axis, run.traversal_of(axis))[0] * array.form != first.condition:
        raise Underivable("reads an entry at the first rank that meets a condition on other entries")
    others = (*parts[:place], *parts[place + 1 :])
    rest = replace(array, axes=(*array.axes[:place], *array.axes[place + 1 :]), root=array.root or array.memory)
    value, default = (_entries(run, replace(rest, form=form), others) for form in (ONE, ZERO))
    return replace(first, value=value, default=default)


def _last(run: Sequences, axis: Dimension, form: Form) -> Form:
    """Return the form of the last entry along an axis of ranks."""
    traversal = run.traversal_of(axis)
    mask, prefix = run.extent(axis, traversal)
    if prefix is not None:
        raise Underivable("reads the last entry of the ranks above the current one")
    parts = {} if len(form.terms) < 2 else factored(form)
    if any(outer != ONE for outer in parts):  # sums of totals, each with its own divisor
        return sum((outer * _last(run, axis, inner) for outer, inner in parts.items()), ZERO)
    for atom in form.atoms():  # a running total has its own last value
        updates = (form, mask * form + (ONE - mask) * of_atom(atom)) if atom.kind == "state" else ()
        if atom.kind == "state" and atom.of[0] == traversal.name and traversal.of(atom).update in updates:
            total = traversal.total(mask * (form - of_atom(atom)), atom.each)
            return traversal.of(atom).start + of_atom(Quantity("final", total.of, total.each))
    if form.each:
        raise Underivable("reads the last rank of an array over aspects, which is not supported")
    before = traversal.new(number(0), form.each)
    step = mask * (form - of_atom(before))
    traversal.close(before, of_atom(before) + step)
    total = traversal.total(step)
    return of_atom(Quantity("final", total.of, total.each))


def _of_aspect(form: Form, aspect: int) -> Form:
    """Return a form's value for the aspect with a given index."""

    def change(atom: Quantity) -> Form | None:
        if not atom.each:
            return None
        if atom.kind in ("grade", "hit"):
            return of_atom(Quantity(atom.kind, (atom.of[0], aspect, *atom.of[2:])))
        raise Underivable("computes a value for each aspect and then reads one of them")

    return form.replace(change)


def shorter_axis(x: Dimension, y: Dimension) -> Dimension:
    """Return the axis of the shorter of two lists whose entries are read side by side.

    Raises:
        Underivable: It is unknown which list is shorter, or the lists are in different orders.

    """
    if x.kind != y.kind:
        raise Underivable("combines lists of different lengths")
    if x.kind != "rank" or x.length == y.length:
        return arithmetic.common_axis(x, y)
    if x.over != y.over and POSITIONS not in (x.over, y.over):
        raise Underivable("combines lists in different orders")
    over = y.over if x.over == POSITIONS else x.over
    more = (x.length - y.length).constant
    if more is not None:
        return Dimension("rank", y.length if more > 0 else x.length, over)
    limits = [least_of(axis.length) or (axis.length, None) for axis in (x, y)]
    wholes = {whole for whole, _ in limits if whole.constant is None}
    ends = [most for _, most in limits if most is not None]
    ends += [int(whole.constant) for whole, _ in limits if whole.constant is not None]
    if len(wholes) == 1 and ends and over not in (*WORST_FIRST, JUDGED):
        whole = wholes.pop()
        return Dimension("rank", least(whole, min(ends), counted=any(most for _, most in limits)), over)
    raise Underivable("combines lists of different lengths")


def _sliced(run: Sequences, axis: Dimension, part: slice) -> Dimension:
    """Return the axis that remains after slicing."""
    if part.start in (None, 0) and part.stop is None and part.step is None:
        return axis
    if axis.kind != "rank":
        raise Underivable("slices the axis of aspects or topics, which is not supported")
    if part.step == -1 and part.start is None and part.stop is None:
        return reversed_axis(axis)
    if part.start not in (None, 0) or part.step not in (None, 1):
        raise Underivable("slices ranks with a step, or skips ranks at the start")
    if axis.over in (*WORST_FIRST, JUDGED):
        raise Underivable("slices documents that are in ascending or unknown order: sort them with reverse=True first")
    return replace(axis, length=_shorter(run, axis, part.stop))


def reversed_axis(axis: Dimension) -> Dimension:
    """Reverse an axis of judged documents from worst to best, or of positions from last to first.

    Raises:
        Underivable: The axis has another order.

    """
    best_first = {ASCENDING: SORTED, SUMMED_ASCENDING: SUMMED, LAST_FIRST: POSITIONS}
    if axis.kind != "rank" or axis.over not in best_first:
        raise Underivable("reads ranks in reverse order, which is not supported")
    return replace(axis, over=best_first[axis.over])


def _shorter(run: Sequences, axis: Dimension, stop: Value) -> Form:
    """Return the length of an axis after ``[:stop]``."""
    if isinstance(stop, bool) or not isinstance(stop, int | Array):
        raise Underivable("slices up to a value that is not a number")
    if isinstance(stop, Array) and stop.axes:
        raise Underivable("slices up to an array, which is not supported")
    whole, end = axis.length, v.as_array(stop).form
    if end in (whole, whole - ONE):
        return end
    constant, fixed = end.constant, whole.constant
    if constant is not None:
        if constant == -1:
            return whole - ONE
        if constant < 0:
            raise Underivable("slices off the last ranks, which is not supported")
        if fixed is not None:
            return number(min(fixed, constant))
        return least(whole, int(constant), counted=axis.over == SORTED)
    if end in (RANK - ONE, RANK) and (whole in (LENGTH, POOL) or least_of(whole)):
        if whole not in (LENGTH, POOL) and [loop.length for loop in run.rank_loops[-1:]] != [whole]:
            raise Underivable("slices a truncated list at the current rank: truncate the loop as well")
        return end
    if whole == POOL and end == LENGTH:
        if axis.over != POSITIONS:
            raise Underivable("slices the judged documents to the length of the ranking")
        return end
    cut = least_of(end)
    if cut is not None:
        length, most = cut
        long_enough = whole == POOL or (fixed is not None and fixed >= most)
        if whole == length or (long_enough and axis.over == POSITIONS):
            return end
    raise Underivable("slices up to a number that is neither a constant nor the length of the ranking")


def _of_filtered(run: Sequences, array: Array, parts: list[Value]) -> Value:
    """Return ``filtered[0]``, which is the only supported entry of a filtered list."""
    if parts != [0] or array.keep is None or len(array.axes) != 1 or array.axes[0].kind != "rank":
        raise Underivable("reads an entry of a filtered list, which is not supported")
    traversal = run.traversal_of(array.axes[0])
    mask, prefix = run.extent(array.axes[0], traversal)
    if prefix is not None:
        raise Underivable("reads an entry of the ranks above the current one, which is not supported")
    missing = v.Failed(Underivable("reads the first entry of a list that may be empty: test it with if first"))
    return First(traversal.name, mask * array.keep, v.scalar(array.form, array.kind, array.maker), missing)


def grade_of(form: Form) -> Quantity | None:
    """Return the grade, grade indicator or weighted sum of grades that a form equals up to sign, or else None."""
    sums = [atom for product in form.terms for atom, _ in product if atom.kind == "sum"]
    if len(sums) == 1 and form in (of_atom(sums[0]), -of_atom(sums[0])) and summed_grades(of_atom(sums[0])):
        return sums[0]
    grades = [atom for atom in form.atoms() if atom.kind in ("grade", "hit")]
    return grades[0] if len(grades) == 1 and form in (of_atom(grades[0]), -of_atom(grades[0])) else None


def order_by(grade: Quantity) -> str:
    """Return the name of the sequence of judged documents in the order of a grade, best first."""
    return SUMMED if grade.kind == "sum" else SORTED


def by_order(array: Array, order: Array) -> Value:
    """Index an array by the argsort of its grades.

    Raises:
        Underivable: The index is the argsort of another array.

    """
    grade = grade_of(array.form)
    if grade is None or order.form != of_atom(Quantity("order", (of_atom(grade),), grade.each)) or array.listed:
        raise Underivable("indexes an array with the argsort of another array")
    if len(array.axes) != len(order.axes) or any(
        x != y and (x.kind != "rank" or x.over != JUDGED or x.length != POOL)
        for x, y in zip(array.axes, order.axes, strict=True)
    ):
        raise Underivable("indexes an array with the argsort of an array of a different shape")
    return Array(order.axes, v.renamed(array.form, JUDGED, order_by(grade)), array.kind)
