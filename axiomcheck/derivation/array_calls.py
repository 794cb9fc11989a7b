"""Handle numpy functions that create, cast, reshape and join arrays."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from axiomcheck.derivation import arithmetic
from axiomcheck.derivation import values as v
from axiomcheck.derivation.comparisons import comparison
from axiomcheck.derivation.cutoffs import check_rank, within
from axiomcheck.derivation.forms import (
    ASPECTS,
    BATCH,
    LENGTH,
    ONE,
    POOL,
    ZERO,
    Form,
    Quantity,
    Underivable,
    least_of,
    of_atom,
)
from axiomcheck.derivation.handlers import handles, handles_method, unlisted
from axiomcheck.derivation.indexing import item_of
from axiomcheck.derivation.machine import POSITIONS, RANKING
from axiomcheck.derivation.values import Array, Dimension, Documents, Index, Loop, Value

if TYPE_CHECKING:
    from axiomcheck.derivation.interpreter import Interpreter


@handles(np.array, np.asarray, np.asanyarray, np.ascontiguousarray, np.atleast_1d, np.copy)
def _array(run: Interpreter, value: Value, /, dtype: Value = None, *, copy: Value = None) -> Value:
    if isinstance(value, v.ConstantTable):
        value = value.entries
    if value == ():
        raise Underivable("creates an array from an empty list, which is not supported")
    if isinstance(value, tuple) and len(value) == 1:
        value = unlisted(value)
    if isinstance(value, Loop):
        value = run.listed(value)
    if isinstance(value, Documents) and value.listed and dtype is None:
        return value
    if isinstance(value, Loop | Documents | v.Mapping | Index | tuple):
        raise Underivable(f"creates an array from {v.described(value)}, which is not supported")
    v.refuse_nested(value)
    array = value if isinstance(value, Array) else v.as_array(value)
    made = replace(array, listed=False, root=None if array.listed else array.root or array.memory)
    if array.listed and dtype is None and run.mixtures:
        run.has_open_dtype = True
    return _cast(run, _with_axes(made), dtype)


def _with_axes(array: Array) -> Array:
    """Check that an array has an axis, and return the array.

    Raises:
        Underivable: The array is 0-dimensional. It could be changed in place, whereas a form treats it as a number.

    """
    if not array.axes:
        raise Underivable("creates a 0-d array, which is not supported: use a float")
    return array


def _cast(run: Interpreter, array: Array, dtype: Value) -> Array:
    """Return an array with its entries converted to a dtype; None keeps their type."""
    if dtype is None:
        return array
    kind = _KINDS.get(np.dtype(dtype).name) if isinstance(dtype, type | str | np.dtype) else None
    if kind is None:
        name = getattr(dtype, "__name__", dtype)
        raise Underivable(f"uses dtype {name}, which is not supported because it may lose digits: use float64")
    if kind == "b":
        return replace(array, form=comparison(ast.NotEq(), array, v.as_array(0)), kind="b")
    if kind == "i" and array.kind == "f" and not _is_whole(array.form):
        raise Underivable("converts floats to int, which is not supported")
    if kind == "i":
        run.take_as_integers(array.form)
    return replace(array, kind=kind)


_KINDS: dict[str, v.Kind] = {"float64": "f", "int64": "i", "bool": "b"}
"""Types of numbers by the names of numpy's dtypes."""


def _is_whole(form: Form) -> bool:
    kinds = {"hit", "flag", "ended", "within", "rank", "unset"}
    whole = not form.rounded and all(c.denominator == 1 for c in form.terms.values())
    return whole and all(a.kind in kinds and e > 0 for product in form.terms for a, e in product)


@handles_method("astype")
def _astype(run: Interpreter, array: Array, dtype: Value, /, *, copy: Value = True) -> Value:
    if copy is not True:
        raise Underivable("calls astype with copy=False, which is not supported: omit copy")
    return replace(_cast(run, array, dtype), root=None, origin=None)


@handles_method("copy")
def _copy(_run: Interpreter, array: Array, /) -> Value:
    return replace(array, root=None, origin=None)


@handles_method("item")
def _item(run: Interpreter, array: Array, /, *arguments: Value) -> Value:
    if len(arguments) == len(array.axes) == 1:
        entry = item_of(run, array, arguments[0])
        return run.call_method(entry, "item", [], {})
    if arguments or array.keep is not None or any(axis.kind != "one" for axis in array.axes):
        raise Underivable("calls item() on an array with several entries")
    return v.simplified(_as_python(replace(array, axes=(), root=None, origin=None)))


def _as_python(array: Array) -> Array:
    """Convert the entries of an array to Python numbers."""
    return replace(array, listed=True, maker="Python")


@handles_method("tolist")
def _tolist(_run: Interpreter, array: Array, /) -> Value:
    return v.simplified(replace(_as_python(array), listed=bool(array.axes), root=None, origin=None))


# Consecutive numbers


def consecutive(run: Interpreter, bounds: Sequence[Value], listed: bool = False) -> Array | Loop:
    """Return the consecutive integers of a range, in ascending or descending order.

    Raises:
        Underivable: The numbers are not consecutive integers, or the length of the range is unknown.

    """
    step = bounds[2] if len(bounds) == 3 else 1
    if step not in (1, -1) or isinstance(step, bool):
        raise Underivable("calls range or arange with a step other than 1 or -1, which is not supported")
    low, high = map(v.as_array, (0, bounds[0]) if len(bounds) == 1 else bounds[:2])
    run.take_as_integers(low.form + high.form)
    kind: v.Kind = "f" if "f" in (low.kind, high.kind, v.as_array(step).kind) else "i"
    if low.axes or high.axes or (listed and kind == "f") or (step == 1 and low.form.constant is None):
        raise Underivable(
            "calls range or arange from a start that is not a constant, or with a bound that is a float or an array"
        )
    if any(c.denominator != 1 for x in (low, high) for c in x.form.terms.values()):
        raise Underivable("calls range or arange with a bound that is not an integer")
    if step == 1:
        numbers = positions(run, low.form, high.form - low.form, listed)
        return replace(numbers, kind=kind) if isinstance(numbers, Array) else numbers
    length = low.form - high.form
    if not (length in (LENGTH, POOL) or least_of(length) or (length.constant or 0) > 0):
        raise Underivable("counts down to a number that may exceed the start, or in an unknown number of steps")
    check_rank(int(length.constant or 0))
    return Array((Dimension("rank", length, POSITIONS),), low.form - v.PLACE, kind, listed, maker="Python")


def positions(run: Interpreter, start: Form, length: Form, listed: bool = False) -> Array | Loop:
    """Return ``range(start, start + length)`` for a length that is a number of aspects, topics or ranks.

    Raises:
        Underivable: The indices of aspects or topics do not start at 0.

    """
    if length == ASPECTS and start == ZERO:
        return Loop(v.ASPECT_AXIS, Index("aspect"))
    if length == BATCH and start == ZERO:
        return Loop(v.BATCH_AXIS, Index("batch"))
    if any(atom.kind == "aspects" or atom == Quantity("length", ("B",)) for atom in length.atoms()):
        raise Underivable(
            "loops over only some of the indices of aspects or topics: start at 0 and stop at their number"
        )
    if length.constant is not None:
        check_rank(int(length.constant))  # code that reads more entries raises an exception
    counted = run.ranks_of_count(length)
    first, end = start.constant, start + length
    counts = partial(Array, kind="i", listed=listed, maker="Python")
    if listed and first is not None and first >= 1 and (end in (LENGTH, POOL) or least_of(end) is not None):
        check_rank(int(first))  # ranks from the start of the range on
        return counts((Dimension("rank", end, POSITIONS),), v.PLACE, keep=ONE - within(int(first)))
    if counted is not None:  # one number for each of the ranks that were counted
        total, keep = counted
        return counts((v.rank_axis(RANKING),), start + of_atom(total), keep=keep)
    return counts((Dimension("rank", length, POSITIONS),), start + v.PLACE)


@handles(np.arange)
def _arange(run: Interpreter, /, *bounds: Value, start: Value = None, stop: Value = None, dtype: Value = None) -> Value:
    if start is not None or stop is not None:
        bounds = (*bounds, *(bound for bound in (start, stop) if bound is not None))
        if stop is None or len(bounds) > 2:
            raise Underivable("calls arange with start but no stop, or with too many bounds")
    numbers = consecutive(run, bounds)
    return numbers if isinstance(numbers, Loop) else _cast(run, numbers, dtype)


# Arrays of one number


def _axes_of_shape(shape: Value) -> tuple[Dimension, ...]:
    known = {ASPECTS: v.ASPECT_AXIS, BATCH: v.BATCH_AXIS, ONE: v.ONE_AXIS}
    axes = []
    for part in shape if isinstance(shape, tuple) else (shape,):
        length = v.as_array(part).form
        if v.as_array(part).kind == "f":
            raise Underivable("creates an array whose length is a float: convert it with int")
        if length.constant is not None:
            check_rank(int(length.constant))
        if length.at_rank:
            raise Underivable("creates an array whose length depends on the rank")
        axes.append(known.get(length) or Dimension("rank", length, POSITIONS))
    arithmetic.refuse_squares(tuple(axes))
    return tuple(axes)


def _filled(entry: Form, run: Interpreter, shape: Value = None, dtype: Value = None) -> Value:
    return _cast(run, _with_axes(Array(_axes_of_shape(shape), entry, "f")), dtype)


handles(np.zeros)(partial(_filled, ZERO))
handles(np.empty)(partial(_filled, v.UNSET))
handles(np.ones)(partial(_filled, ONE))


def _of_one_number(run: Interpreter, axes: tuple[Dimension, ...], fill: Value, dtype: Value) -> Value:
    entry = v.as_array(fill)
    if entry.axes or entry.form.at_rank or entry.form.each:
        raise Underivable("fills an array with a value that is not a single number")
    return _cast(run, _with_axes(Array(axes, entry.form, entry.kind)), dtype)


@handles(np.full)
def _full(run: Interpreter, shape: Value, fill: Value, /, dtype: Value = None) -> Value:
    return _of_one_number(run, _axes_of_shape(shape), fill, dtype)


def _filled_like(fill: Value, run: Interpreter, like: Value, /, *, dtype: Value = None) -> Value:
    shape = v.as_array(unlisted(like))
    axes = tuple(replace(axis, over=POSITIONS) if axis.kind == "rank" else axis for axis in shape.axes)
    return _of_one_number(run, axes, fill, run.attribute(shape, "dtype") if dtype is None else dtype)


handles(np.zeros_like)(partial(_filled_like, 0))
handles(np.ones_like)(partial(_filled_like, 1))


@handles(np.full_like)
def _full_like(run: Interpreter, like: Value, fill: Value, /, *, dtype: Value = None) -> Value:
    return _filled_like(fill, run, like, dtype=dtype)


# Shapes


@handles_method("reshape", np.reshape)
@handles_method("ravel", np.ravel)
@handles_method("flatten")
def _reshape(_run: Interpreter, array: Array, /, *shape: Value) -> Value:
    """Return an array with axes of length 1 added or removed; refuse to change other axes."""
    sizes = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape or (-1,)
    pending = [axis for axis in array.axes if axis.kind != "one"]
    axes = []
    for size in sizes:
        given = v.as_array(size)
        fits = bool(pending) and (given.form == pending[0].length or given.form.constant == -1)
        if given.axes or (not fits and abs(given.form.constant or 0) != 1):
            raise Underivable("changes the shape of an array; only axes of length 1 may be added or removed")
        axes.append(pending.pop(0) if fits else v.ONE_AXIS)
    if pending or array.keep is not None:
        raise Underivable("changes the shape of an array; only axes of length 1 may be added or removed")
    return _with_axes(replace(array, axes=tuple(axes), root=array.root or array.memory))


@handles(np.atleast_2d)
def _atleast_2d(run: Interpreter, value: Value, /) -> Value:
    """Return an array with an axis of length 1 in front of its only axis; other arrays stay the same."""
    array = v.as_array(_array(run, value))
    axes = (v.ONE_AXIS,) * (2 - len(array.axes)) + array.axes
    return replace(array, axes=axes, root=array.root or array.memory)


@handles_method("squeeze", np.squeeze)
def _squeeze(_run: Interpreter, array: Array, /, axis: Value = None) -> Value:
    if not isinstance(axis, int) or not -len(array.axes) <= axis < len(array.axes) or array.keep is not None:
        raise Underivable("calls squeeze without an axis, or with an axis that the array does not have")
    if array.axes[axis].kind != "one":
        raise Underivable("squeezes an axis whose length is not 1")
    place = axis % len(array.axes)
    axes = (*array.axes[:place], *array.axes[place + 1 :])
    return _with_axes(replace(array, axes=axes, root=array.root or array.memory))


@handles_method("transpose", np.transpose)
def _transpose(_run: Interpreter, array: Array, /, *order: Value) -> Value:
    given, size = order[0] if len(order) == 1 and isinstance(order[0], tuple) else order, len(array.axes)
    places = [p % size for p in given if isinstance(p, int) and size] or list(range(size))[::-1]
    if sorted(places) != list(range(size)) or array.keep is not None:
        raise Underivable("transposes an array with axes that are not constants")
    return replace(array, axes=tuple(array.axes[p] for p in places), root=array.root or array.memory)


@handles(np.broadcast_to)
def _broadcast_to(_run: Interpreter, value: Value, shape: Value, /) -> Value:
    """Return an array whose axes of length 1 are expanded to a given shape. New axes are added at the front."""
    array, wanted = v.as_array(unlisted(value)), _axes_of_shape(shape)
    axes = arithmetic.broadcast(array, Array(wanted, ZERO))
    if [axis.length for axis in axes] != [axis.length for axis in wanted]:
        raise Underivable("repeats an array along an axis with several entries; only axes of length 1 can be repeated")
    return _with_axes(replace(array, axes=axes, root=array.root or array.memory))


@handles(np.hstack)
def _hstack(run: Interpreter, parts: Value, /) -> Value:
    if isinstance(parts, tuple) and any(isinstance(part, Array) and len(part.axes) > 2 for part in parts):
        raise Underivable("concatenates arrays along an axis other than ranks")
    if isinstance(parts, tuple):
        parts = tuple((part,) if v.is_number(part) else part for part in parts)
    return _concatenate(run, parts, -1)


@handles(np.concatenate)
def _concatenate(run: Interpreter, parts: Value, /, axis: Value = 0) -> Value:
    """Put a number, or a column of them, before the first rank of an array; refuse to concatenate other arrays."""
    if not isinstance(parts, tuple) or len(parts) != 2:
        raise Underivable("concatenates one array, or more than two; only two arrays can be concatenated")
    head, rest = parts[0], v.as_array(unlisted(parts[1]))
    first = v.as_array(unlisted(head))
    places = [place for place, dimension in enumerate(rest.axes) if dimension.kind == "rank"]
    if len(places) != 1 or len(first.axes) != len(rest.axes):
        raise Underivable("concatenates arrays of different shapes")
    (place,) = places
    if axis not in (place, place - len(rest.axes)) or isinstance(axis, bool):
        raise Underivable("concatenates arrays along an axis other than ranks")
    before = first.axes[place]
    if before.kind not in ("one", "rank"):
        raise Underivable("concatenates arrays over ranks; only a single number can be put before an array over ranks")
    is_column = any(atom.kind == "least" and atom.of[1] == 1 for atom in before.length.atoms())
    if before.kind == "rank" and before.length != ONE and not is_column:
        raise Underivable("concatenates two arrays over ranks; only a single number can be put before the ranks")
    length = rest.axes[place].length
    if not any(whole in (LENGTH, POOL) or least_of(whole) is not None for whole in (length, length + ONE)):
        raise Underivable("concatenates arrays over ranks; only a single number can be put before an array over ranks")
    return run.shifted(first, rest, place)


@handles(np.append)
def _append(run: Interpreter, head: Value, rest: Value, /) -> Value:
    if any(len(v.as_array(unlisted(part)).axes) > 1 for part in (head, rest) if not isinstance(part, tuple)):
        raise Underivable("appends to an array of two or more dimensions, which is not supported")
    numbers = [v.is_number(part) or (isinstance(part, Array) and not part.axes) for part in (head, rest)]
    return _concatenate(run, tuple((x,) if alone else x for x, alone in zip((head, rest), numbers, strict=True)))


@handles(np.diff)
def _diff(run: Interpreter, value: Value, /, n: Value = 1, axis: Value = -1, prepend: Value = None) -> Value:
    array = v.as_array(unlisted(value))
    if n != 1:
        raise Underivable("calls np.diff with n, which is not supported: pass the axis by keyword")
    if len(array.axes) != 1 or axis not in (0, -1):
        raise Underivable("calls np.diff on an array of several dimensions")
    whole = array if prepend is None else _concatenate(run, ((prepend,), array))
    parts = [item_of(run, whole, part) for part in (slice(1, None, None), slice(None, -1, None))]
    return run.binary(ast.Sub(), *parts)


@handles(np.errstate)
def _errstate(_run: Interpreter, /, **options: Value) -> Value:
    if any(kind == "call" or handling not in ("ignore", "warn") for kind, handling in options.items()):
        raise Underivable('uses np.errstate with options other than "ignore" and "warn"')
    return v.Ignored()
