"""Handle the builtin functions and the collections of Python."""

from __future__ import annotations

import ast
import builtins
import collections
import math
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from axiomcheck.derivation import values as v
from axiomcheck.derivation.array_calls import ends_of_range, positions
from axiomcheck.derivation.forms import LENGTH, POOL, RANK, Form, Quantity, Underivable, least, number
from axiomcheck.derivation.handlers import call_on_plain_values, handles, is_plain
from axiomcheck.derivation.indexing import item_of
from axiomcheck.derivation.machine import RANKING
from axiomcheck.derivation.reductions import in_order, largest, quantified, summed
from axiomcheck.derivation.values import Array, AspectSet, Dimension, Document, Documents, First, Index, Loop, Value

if TYPE_CHECKING:
    from axiomcheck.derivation.interpreter import Interpreter


@handles(builtins.len)
def _len(run: Interpreter, value: Value, /) -> Value:
    if isinstance(value, tuple | str | dict):
        return len(value)
    axis, keep = _axis_of(value)
    if isinstance(value, AspectSet) and run.in_aspect_loop:
        raise Underivable("counts a set of aspects within a loop over aspects")
    return v.simplified(v.scalar(axis.length if keep is None else run.total(axis, keep), "i"))


def _axis_of(value: Value) -> tuple[Dimension, Form | None]:
    if isinstance(value, AspectSet):
        return v.ASPECT_AXIS, value.member
    if isinstance(value, Documents | v.Mapping | Loop):
        return value.axis, value.keep
    if isinstance(value, Array) and value.axes:
        return value.axes[0], value.keep
    raise Underivable(f"asks for the length of {v.described(value)}")


@handles(builtins.range)
def _range(_run: Interpreter, /, *bounds: Value) -> Value:
    integers = [bound for bound in bounds if isinstance(bound, int)]
    if len(integers) == len(bounds):
        return tuple(range(*integers))
    low, high = ends_of_range(bounds)
    if low.form.constant is None or high.axes or low.kind == "f" or high.kind == "f":
        raise Underivable("counts from or to something unknown")
    return positions(low.form, high.form - low.form, listed=True)


@handles(builtins.enumerate)
def _enumerate(run: Interpreter, iterable: Value, /, start: Value = 0) -> Value:
    if isinstance(iterable, tuple) and isinstance(start, int):
        return tuple(enumerate(iterable, start))
    loop = run.loop_of(iterable)
    if loop.keep is not None:
        raise Underivable("numbers the elements of a list that leaves documents out")
    if not isinstance(start, int):
        raise Underivable("numbers from something unknown")
    if loop.axis.kind == "rank":
        return Loop(loop.axis, (v.scalar(v.PLACE + number(start), "i"), loop.element))
    if start:
        raise Underivable("numbers aspects or topics from another number than 0")
    return Loop(loop.axis, (Index("aspect" if loop.axis.kind == "aspect" else "batch"), loop.element))


@handles(builtins.zip)
def _zip(run: Interpreter, /, *iterables: Value, strict: Value = False) -> Value:
    rows = [iterable for iterable in iterables if isinstance(iterable, tuple)]
    if len(rows) == len(iterables):
        return tuple(zip(*rows, strict=False))
    loops = [run.loop_of(iterable) for iterable in iterables]
    if any(loop.keep is not None for loop in loops):
        raise Underivable("zips lists that leave documents out")
    axis = loops[0].axis
    for loop in loops[1:]:
        axis = v.common_axis(axis, loop.axis)
    return Loop(axis, tuple(loop.element for loop in loops))


@handles(builtins.map)
def _map(run: Interpreter, function: Value, /, *iterables: Value) -> Value:
    rows = _zip(run, *iterables)
    if isinstance(rows, tuple):
        return tuple(run.call(function, row, {}) for row in rows if isinstance(row, tuple))
    loop = run.loop_of(iterables[0]) if len(iterables) == 1 else run.loop_of(rows)
    run.refuse_rank_of(function)
    arguments = loop.element if len(iterables) > 1 and isinstance(loop.element, tuple) else (loop.element,)
    with run.looping(loop.axis):
        element = run.call(function, arguments, {})
    return run.listed(Loop(loop.axis, element, loop.keep))


@handles(builtins.next)
def _next(run: Interpreter, value: Value, /, *default: Value) -> Value:
    if not isinstance(value, Array) or value.keep is None or len(value.axes) != 1 or len(default) > 1:
        raise Underivable("takes the next element of something else than a generator with a condition")
    first = item_of(run, value, 0)
    return replace(first, default=default[0]) if isinstance(first, First) and default else first


@handles(builtins.sum, math.fsum)
def _sum(run: Interpreter, value: Value, /, start: Value = 0) -> Value:
    if isinstance(value, tuple):
        total = start
        for part in value:
            total = run.binary(ast.Add(), total, part)
        return total
    if isinstance(value, Documents | v.Mapping | AspectSet):
        raise Underivable("sums the names of documents")
    if isinstance(value, Loop):
        raise Underivable("sums something else than numbers")
    array = value if isinstance(value, Array) else v.as_array(value)
    if not array.axes:
        raise Underivable("sums a number")
    return run.binary(ast.Add(), start, summed(run, array, range(array.nested)))


def _quantified(some: bool, run: Interpreter, value: Value, /) -> Value:
    if isinstance(value, tuple):
        conditions = [run.condition(element) for element in value]
        if not all(isinstance(condition, bool) for condition in conditions):
            raise Underivable("asks about unknown elements of a constant")
        return any(conditions) if some else all(conditions)
    if not isinstance(value, Array) or len(value.axes) != 1:
        raise Underivable(f"asks about all elements of {v.described(value)}")
    return quantified(some, run, value, 0)


handles(builtins.any)(partial(_quantified, True))
handles(builtins.all)(partial(_quantified, False))


@handles(builtins.float, np.float64, np.longdouble)
def _float(_run: Interpreter, value: Value = 0, /) -> Value:
    if v.is_number(value):
        return Fraction(value)
    if isinstance(value, Array) and not value.axes:
        return replace(value, kind="f")
    raise Underivable(f"makes a float of {v.described(value)}")


@handles(builtins.int)
def _int(_run: Interpreter, value: Value = None, /) -> Value:
    if isinstance(value, int):
        return int(value)
    if isinstance(value, Array) and not value.axes and value.kind != "f":
        return replace(value, kind="i")
    raise Underivable("rounds to an integer")


@handles(builtins.bool)
def _bool(run: Interpreter, value: Value, /) -> Value:
    return v.as_value(run.condition(value))


@handles(builtins.list, builtins.tuple)
def _list(run: Interpreter, value: Value = (), /) -> Value:
    if isinstance(value, tuple | Documents):
        return value
    if isinstance(value, dict):
        return tuple(value)
    return run.listed(run.loop_of(value))


@handles(builtins.set, builtins.frozenset)
def _set(run: Interpreter, value: Value = (), /) -> Value:
    if value == ():
        return AspectSet()
    loop = run.loop_of(value)
    if isinstance(loop.element, Document):
        return Documents(loop.axis, loop.keep, ordered=False)
    raise Underivable("makes a set of numbers")


@handles(builtins.dict)
def _dict(run: Interpreter, pairs: Value = (), /) -> Value:
    if isinstance(pairs, v.Mapping | dict):
        return pairs
    if pairs == ():
        return {}
    loop = run.loop_of(pairs)
    return run.dictionary(loop.element, loop, loop.keep)


@handles(collections.defaultdict)
def _defaultdict(_run: Interpreter, default: Value = None, /) -> Value:
    if default not in (int, float):
        raise Underivable("uses a defaultdict of something else than numbers")
    return v.Counters(default is int)


@handles(collections.Counter)
def _counter(_run: Interpreter, /) -> Value:
    return v.Counters(True)


@handles(builtins.sorted)
def _sorted(run: Interpreter, value: Value, /, *, key: Value = None, reverse: Value = False) -> Value:
    if not isinstance(reverse, bool):
        raise Underivable("sorts in an unknown direction")
    if isinstance(value, Documents | v.Mapping):
        return _sorted_documents(run, value, key, reverse)
    array = value if isinstance(value, Array) else run.listed(run.loop_of(value))
    if not isinstance(array, Array):
        raise Underivable("sorts tuples")
    if key is not None:
        form = v.as_array(run.call(key, [replace(array, axes=(), listed=False)], {})).form
        if form == -array.form:
            reverse = not reverse
        elif form != array.form:
            raise Underivable("sorts by a key that is not the grade")
    return in_order(array, descending=reverse, listed=True)


def _sorted_documents(run: Interpreter, value: Documents | v.Mapping, key: Value, reverse: bool) -> Value:
    if key is None:
        raise Underivable("sorts documents by their names")
    form = v.as_array(run.call(key, [Document(value.axis.over)], {})).form
    slope = form.terms.get(((Quantity("rank"), 1),), Fraction(0))
    by_rank = slope and not (form - RANK * number(slope)).at_rank
    if value.axis.over == RANKING and by_rank and value.keep is None and (slope < 0) is reverse:
        return Documents(value.axis)
    raise Underivable("sorts documents by something else than their ranks")


def _with_constant_last(one: Value, two: Value) -> tuple[Array, Array]:
    x, y = v.as_array(one), v.as_array(two)
    return (x, y) if x.form.constant is None else (y, x)


@handles(builtins.min, np.minimum)
def _min(run: Interpreter, /, *values: Value, **options: Value) -> Value:
    if all(map(is_plain, values)) and not options:
        return call_on_plain_values(min, values, {})
    if len(values) == 2 and not options:
        size, limit = _with_constant_last(*values)
        most = limit.form.constant
        if most is not None and most.denominator == 1 and not size.axes:
            counted = run.relevant(size.form) is not None
            if counted or size.form in (LENGTH, POOL):
                return v.scalar(least(size.form, int(most), counted), "i")
    raise Underivable("takes a minimum of unknown numbers")


@handles(builtins.max, np.maximum)
def _max(run: Interpreter, /, *values: Value, **options: Value) -> Value:
    if all(map(is_plain, values)) and not options:
        return call_on_plain_values(max, values, {})
    if len(values) == 1 and isinstance(values[0], Array) and len(values[0].axes) == 1 and not options:
        return largest(run, replace(values[0], listed=False), 0)
    if len(values) == 2 and not options:
        count, limit = _with_constant_last(*values)
        if limit.form.constant == 1 and count.kind != "f" and not count.form.at_rank:
            # a count, or 1 if there is none
            return run.choose(v.as_array(run.compare(ast.Gt(), count, 0)).form, count, 1)
        if limit.form.constant == 0:
            raise Underivable("cuts something off at 0")
    raise Underivable("takes a maximum of unknown numbers")


@handles(builtins.reversed, np.flip, np.flipud, np.fliplr)
def _reversed(_run: Interpreter, /, *_values: Value, **_options: Value) -> Value:
    raise Underivable("reads ranks in reverse order")


@handles(builtins.isinstance)
def _isinstance(_run: Interpreter, /, *_values: Value) -> Value:
    raise Underivable("asks for the type of a value")
