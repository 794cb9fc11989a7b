"""Handle Python's builtin functions and collections."""

from __future__ import annotations

import ast
import builtins
import collections
import itertools
import math
import statistics
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from axiomcheck.derivation import arithmetic
from axiomcheck.derivation import values as v
from axiomcheck.derivation.array_calls import consecutive, positions
from axiomcheck.derivation.comparisons import is_known_not_negative
from axiomcheck.derivation.constants import Floating, computed
from axiomcheck.derivation.cutoffs import LONGEST, least
from axiomcheck.derivation.forms import (
    LENGTH,
    POOL,
    RANK,
    ZERO,
    Form,
    Quantity,
    Underivable,
    least_of,
    linear_in_rank,
    number,
    of_atom,
)
from axiomcheck.derivation.growth import bounds
from axiomcheck.derivation.handlers import Handler, handles, handles_method, reads
from axiomcheck.derivation.indexing import item_of, shorter_axis
from axiomcheck.derivation.lists_so_far import so_far
from axiomcheck.derivation.machine import POSITIONS, WORST_FIRST
from axiomcheck.derivation.plain_values import call_on_plain_values, is_plain
from axiomcheck.derivation.reductions import largest, quantified, smallest, summed
from axiomcheck.derivation.tables import table
from axiomcheck.derivation.values import Array, AspectSet, Dimension, Documents, First, Index, Loop, Value

if TYPE_CHECKING:
    from axiomcheck.derivation.interpreter import Interpreter


@handles(builtins.len)
def _len(run: Interpreter, value: Value, /) -> Value:
    if isinstance(value, tuple | str | dict):
        return len(value)
    if isinstance(value, v.Builder) and not value.keyed:
        return so_far(run, value, summed=False)
    axis, keep = _axis_of(run, value.documents if isinstance(value, v.Tuples) else value)
    if isinstance(value, AspectSet) and run.in_aspect_loop:
        raise Underivable("takes the length of a set of aspects in a loop over aspects")
    return v.simplified(v.scalar(axis.length if keep is None else run.total(axis, keep), "i", "Python"))


def _axis_of(run: Interpreter, value: Value) -> tuple[Dimension, Form | None]:
    v.refuse_filling(value)
    if isinstance(value, AspectSet):
        return run.aspect_axis, value.member
    if isinstance(value, Documents | v.Mapping | Loop):
        return value.axis, value.keep
    if isinstance(value, Array) and value.axes:
        v.refuse_nested(value)
        return value.axes[0], value.keep
    raise Underivable(f"takes the length of {v.described(value)}, which is not supported")


@handles(builtins.range)
def _range(run: Interpreter, /, *bounds: Value) -> Value:
    integers = [bound for bound in bounds if isinstance(bound, int)]
    if len(integers) == len(bounds):
        numbers = range(*integers)
        if len(numbers) > LONGEST:
            raise Underivable("calls range with a constant bound that is too large")
        if numbers.step != 1 or numbers.start < 0 or not numbers:
            return tuple(numbers)
        return table(tuple(numbers), positions(run, number(numbers.start), number(len(numbers))))
    return consecutive(run, bounds, listed=True)


@reads(builtins.enumerate, lazy=False)
def _enumerate(run: Interpreter, iterable: Value, /, start: Value = 0) -> Value:
    iterable = run.iterated(iterable)
    if isinstance(iterable, tuple) and isinstance(start, int):
        return tuple(enumerate(iterable, start))
    loop = run.loop_of(iterable)
    if not isinstance(start, int):
        raise Underivable("calls enumerate with a start that is not a constant number")
    if loop.keep is not None and not run.is_of_first_ranks(loop.keep):
        before = of_atom(run.counted(loop.axis, loop.keep))
        return replace(loop, element=(v.scalar(before + number(start), "i", "Python"), loop.element))
    if loop.axis.kind == "rank":
        place = loop.axis.length - RANK if loop.axis.over in WORST_FIRST else v.PLACE
        return replace(loop, element=(v.scalar(place + number(start), "i", "Python"), loop.element))
    if start:
        raise Underivable("enumerates aspects or topics from a number other than 0")
    return Loop(loop.axis, (Index("aspect" if loop.axis.kind == "aspect" else "batch"), loop.element))


@reads(builtins.zip, lazy=False)
def _zip(run: Interpreter, /, *iterables: Value, strict: Value = False) -> Value:
    iterables = tuple(map(run.iterated, iterables))
    rows = [iterable for iterable in iterables if isinstance(iterable, tuple)]
    if len(rows) == len(iterables):
        return tuple(zip(*rows, strict=False))
    if len(iterables) > 1 and any(isinstance(x, Documents) and not x.ordered for x in iterables):
        raise Underivable("zips a set of documents, whose order is unknown")
    loops = [run.loop_of(iterable) for iterable in iterables]
    if len(loops) > 1 and any(loop.axis.over == v.ANY_ORDER for loop in loops):
        raise Underivable("zips aspects from a set or a filtered dictionary, whose order is unknown")
    if any(loop.axis.over not in WORST_FIRST for loop in loops):
        loops = [_unordered(loop) if loop.axis.over in WORST_FIRST else loop for loop in loops]
    axis, keep = loops[0].axis, loops[0].keep
    if len({(loop.keep, None if loop.keep is None else loop.axis) for loop in loops}) != 1:
        raise Underivable(
            "zips a filtered list with a list of another length: filter both by the same condition, "
            "or keep all entries and write 0 for those that do not count"
        )
    for loop in loops[1:]:
        axis = shorter_axis(axis, loop.axis)
    return Loop(axis, tuple(loop.element for loop in loops), keep)


def _unordered(loop: Loop) -> Loop:
    """Return a loop over an ascending list that keeps its length, but whose elements raise an error if used."""
    unknown = v.Failed(Underivable("reads entries of a list that is sorted in ascending order: sort it in reverse"))
    return Loop(replace(loop.axis, over=POSITIONS), unknown, loop.keep)


@reads(itertools.islice, lazy=False)
def _islice(run: Interpreter, iterable: Value, stop: Value, /) -> Value:
    return item_of(run, run.listed(run.loop_of(iterable)), slice(None, stop, None))


@reads(builtins.map, lazy=True)
def _map(run: Interpreter, function: Value, /, *iterables: Value) -> Value:
    rows = _zip(run, *iterables)
    if isinstance(rows, tuple):
        return tuple(run.call(function, row, {}) for row in rows if isinstance(row, tuple))
    loop = run.loop_of(iterables[0]) if len(iterables) == 1 else run.loop_of(rows)
    run.refuse_current_of(function, loop.axis.kind)
    arguments = loop.element if len(iterables) > 1 and isinstance(loop.element, tuple) else (loop.element,)
    with run.looping(loop.axis):
        element = run.call(function, arguments, {})
    return run.listed(Loop(loop.axis, element, loop.keep))


@reads(builtins.next)
def _next(run: Interpreter, value: Value, /, *default: Value) -> Value:
    if not isinstance(value, Array) or value.keep is None or len(value.axes) != 1 or len(default) > 1:
        raise Underivable("calls next on a value other than a generator with a condition")
    first = item_of(run, value, 0)
    return replace(first, default=default[0]) if isinstance(first, First) and default else first


@reads(builtins.sum, math.fsum)
def _sum(run: Interpreter, value: Value, /, start: Value = 0) -> Value:
    if isinstance(value, tuple):
        total = start
        for part in value:
            total = run.binary(ast.Add(), total, part)
        return Fraction(total) if isinstance(total, Floating) else total  # versions of Python round it differently
    if isinstance(value, v.Builder):
        return run.binary(ast.Add(), start, so_far(run, value, summed=True))
    if not isinstance(start, First) and v.as_array(start).kind == "b":
        raise Underivable("calls sum with a boolean as the start, which numpy does not treat as a number: start from 0")
    if isinstance(value, Documents | v.Mapping | AspectSet):
        raise Underivable("sums the names of documents")
    if isinstance(value, Loop):
        raise Underivable("sums values that are not numbers")
    array = value if isinstance(value, Array) else v.as_array(value)
    if not array.axes:
        raise Underivable("calls sum on a number")
    run.mixtures += array.keep is not None and array.kind == "f"  # without entries, the sum is the integer 0
    return run.binary(ast.Add(), start, summed(run, array, range(array.nested)))


@reads(statistics.mean, statistics.fmean)
def _mean(run: Interpreter, value: Value, /) -> Value:
    return run.binary(ast.Div(), _sum(run, value), _len(run, value))


def _quantified(some: bool, run: Interpreter, value: Value, /) -> Value:
    if isinstance(value, tuple):
        conditions = [run.condition(element) for element in value]
        if some in conditions:
            return some
        computed = [condition for condition in conditions if not isinstance(condition, bool)]
        if len(computed) > 1:
            raise Underivable("calls any or all on a list of several computed values")
        return v.as_value(computed[0]) if computed else not some
    if not isinstance(value, Array) or len(value.axes) != 1:
        raise Underivable(f"calls any or all on {v.described(value)}, which is not supported")
    return quantified(some, run, value, 0)


reads(builtins.any)(partial(_quantified, True))
reads(builtins.all)(partial(_quantified, False))


@handles(builtins.float, np.float64, np.longdouble)
def _float(_run: Interpreter, value: Value = 0, /) -> Value:
    if value == "inf":
        return v.INFINITY
    if value == "nan":
        return v.NAN
    if v.is_number(value):
        return value if isinstance(value, Fraction) else computed(float, Fraction(value), value)
    if isinstance(value, Array) and not value.axes:
        return replace(value, kind="f")
    raise Underivable(f"converts {v.described(value)} to float, which is not supported")


@handles(builtins.int)
def _int(run: Interpreter, value: Value = None, /) -> Value:
    if isinstance(value, int):
        return int(value)
    if isinstance(value, Array) and not value.axes and value.kind != "f":
        run.take_as_integers(value.form)
        return replace(value, kind="i")
    raise Underivable("converts a float to int, which is not supported")


@handles(builtins.bool)
def _bool(run: Interpreter, value: Value, /) -> Value:
    return v.as_value(run.condition(value))


@reads(builtins.list)
def _list(run: Interpreter, value: Value = (), /) -> Value:
    if isinstance(value, Documents):
        return replace(value, listed=True)
    if isinstance(value, v.ConstantTable):
        return value
    return v.PythonList(value) if isinstance(value, tuple | dict) else run.listed(run.loop_of(value))


@reads(builtins.tuple)
def _tuple(run: Interpreter, value: Value = (), /) -> Value:
    made = _list(run, value)
    return tuple(made) if isinstance(made, v.PythonList) else made


@reads(builtins.set, builtins.frozenset)
def _set(run: Interpreter, value: Value = (), /) -> Value:
    if value == ():
        return AspectSet()
    if isinstance(value, tuple) and len(value) == 1:
        return run.set_of(Loop(v.ONE_AXIS, value[0]))
    return run.set_of(run.loop_of(value))


@reads(builtins.dict)
def _dict(run: Interpreter, pairs: Value = (), /) -> Value:
    if isinstance(pairs, v.Mapping | dict):
        return pairs
    if isinstance(pairs, tuple) and all(isinstance(x, tuple) and isinstance(x[0], str | int) for x in pairs):
        return dict(pairs)
    loop = run.loop_of(pairs)
    return run.dictionary(loop.element, loop, loop.keep)


@handles(collections.Counter)
def _counter(run: Interpreter, /) -> Value:
    return _defaultdict(run, int)


@handles(collections.defaultdict)
def _defaultdict(run: Interpreter, default: Value, /) -> Value:
    if default in (dict, list):
        return v.Mapping(run.aspect_axis, {} if default is dict else v.PythonList(), ZERO)
    entry = {int: 0, float: Fraction(0)}[default] if default in (int, float) else run.call(default, [], {})
    if not v.is_number(entry):
        raise Underivable("uses a defaultdict whose factory does not return a constant number: use defaultdict(int)")
    first = v.as_array(entry)
    return replace(first, axes=(run.aspect_axis,), listed=True, keyed="made" if first.form != ZERO else "some")


def _with_constant_last(one: Value, two: Value) -> tuple[Array, Array]:
    x, y = v.as_array(one), v.as_array(two)
    return (x, y) if x.form.constant is None else (y, x)


def _ends(form: Form) -> tuple[Fraction | None, Fraction | None]:
    """Return a lower and an upper bound of a form, each None if unknown."""
    line = linear_in_rank(form)
    if line is not None and line[0] > 0:
        return line[0] + line[1], None
    found = bounds(form)
    return found or (Fraction(0) if is_known_not_negative(form) else None, None)


def _unclamped(array: Array, limit: Array) -> Value:
    """Return a copy of an array: the result of a minimum or maximum whose limit changes no entry."""
    made = replace(array, axes=arithmetic.broadcast(array, limit), root=None, origin=None, listed=False)
    return v.simplified(replace(made, kind=arithmetic.kind_of_both(array, limit)))


def _shorter_length(one: Form, two: Form) -> Form | None:
    """Return the smaller of two lengths of the ranking or the pool, with or without a limit; None for other numbers."""
    (x, most), (y, other) = (least_of(form) or (form, None) for form in (one, two))
    limits = [limit for limit in (most, other) if limit is not None]
    if x not in (LENGTH, POOL) or y not in (LENGTH, POOL):
        return None
    whole = x if x == y else LENGTH  # all ranked documents are in the pool
    return least(whole, min(limits)) if limits else whole


def _only_entry(values: Sequence[Value]) -> Array | None:
    """Return the computed number in a list of one entry, if this list is the only value; None for other values."""
    (entry,) = values[0] if len(values) == 1 and isinstance(values[0], tuple) and len(values[0]) == 1 else (None,)
    return entry if isinstance(entry, Array) and not entry.axes and entry.keep is None else None


@reads(builtins.min)
def _min(run: Interpreter, /, *values: Value, **options: Value) -> Value:
    if (only := _only_entry(values)) is not None and options.keys() <= {"default"}:
        return only
    if len(values) == 1 and isinstance(values[0], tuple) and not is_plain(values[0]):
        values = values[0]
    if all(map(is_plain, values)) and not options:
        return call_on_plain_values(min, values, {})
    if len(values) > 2 and not options:
        values = (_min(run, *values[:-1]), values[-1])
    if len(values) == 2 and not options:
        size, limit = _with_constant_last(*values)
        shorter = _shorter_length(size.form, limit.form)
        if shorter is not None and not size.axes and not limit.axes:
            return v.scalar(shorter, "i")
        run.mixtures += size.kind != limit.kind  # the result is one of the arguments, and has its type
        most = limit.form.constant
        if most is not None and most.denominator == 1:
            counted = run.relevant(size.form) is not None
            if counted or (least_of(size.form) or (size.form,))[0] in (LENGTH, POOL):
                return Array(arithmetic.broadcast(size, limit), least(size.form, int(most), counted), "i")
        if most is not None and (high := _ends(size.form)[1]) is not None and high <= most:
            return _unclamped(size, limit)
    if len(values) == 1 and isinstance(values[0], Array) and not options:
        return smallest(run, values[0])
    raise Underivable("calls min on unsupported numbers; one must be a number of documents, and the other a constant")


@reads(builtins.max)
def _max(run: Interpreter, /, *values: Value, **options: Value) -> Value:
    if (only := _only_entry(values)) is not None and options.keys() <= {"default"}:
        return only
    if len(values) == 1 and isinstance(values[0], tuple) and not is_plain(values[0]):
        values = values[0]
    if all(map(is_plain, values)) and not options:
        return call_on_plain_values(max, values, {})
    if len(values) == 1 and isinstance(values[0], Array) and len(values[0].axes) == 1 and options.keys() <= {"default"}:
        return largest(run, replace(values[0], listed=False), 0, default=options.get("default"))
    if len(values) == 2 and not options:
        count, limit = _with_constant_last(*values)
        count = replace(count, form=run.of_rank(count.form))
        run.mixtures += count.kind != limit.kind  # the result is one of the arguments, and has its type
        least_value, low = limit.form.constant, _ends(count.form)[0]
        if least_value is not None and low is not None and low >= least_value:
            return _unclamped(count, limit)
        if limit.form.constant == 1 and count.kind != "f" and not count.form.at_rank:
            # a count, or 1 if there is none
            some = v.as_array(run.compare(ast.Gt(), count, 0)).form
            return run.choose(some, count, 1, by_entry=bool(count.axes))
        of_totals = all(a.kind == "final" for product in count.form.terms for a, _ in product)
        if least_value is not None and least_value > 0 and of_totals:
            axes = arithmetic.broadcast(count, limit)
            return Array(
                axes,
                of_atom(Quantity("greatest", (count.form, least_value), count.form.each)),
                arithmetic.kind_of_both(count, limit),
            )
        if limit.form.constant == 0:
            raise Underivable("calls max with 0 on a number that may be negative, which is not supported")
    raise Underivable("calls max on unsupported numbers; one must be a constant, and the other a count or a total")


def _entrywise(of_two: Handler, run: Interpreter, one: Value, two: Value, /) -> Value:
    if isinstance(one, tuple) or isinstance(two, tuple):
        raise Underivable("calls np.minimum or np.maximum on lists of constants, which is not supported")
    mixtures = run.mixtures
    made = of_two(run, one, two)
    run.mixtures = mixtures  # numpy converts all results to one type
    return made


handles(np.minimum)(partial(_entrywise, _min))
handles(np.maximum)(partial(_entrywise, _max))


@handles_method("clip", np.clip)
def _clip(run: Interpreter, array: Array, a_min: Value = None, a_max: Value = None, **named: Value) -> Value:
    """Return an array with its entries clipped to constant bounds."""
    low, high = (
        v.made_by(given if given is not None else named.pop(name, None), "Python")
        for given, name in ((a_min, "min"), (a_max, "max"))
    )
    if named:
        raise Underivable(f"passes the argument {min(named)!r}, which is not supported")
    ends = [end for end in (low, high) if v.is_number(end)]
    if len(ends) != 2 - [low, high].count(None) or ends != sorted(ends):
        raise Underivable("clips to bounds that are not constants, or to a lower bound above the upper one")
    # min and max can be applied in either order, because the lower end is not above the upper end
    cut: Value = array if high is None else _entrywise(_min, run, array, high)
    return cut if low is None else _entrywise(_max, run, cut, low)


@handles(builtins.isinstance)
def _isinstance(run: Interpreter, value: Value, kinds: Value, /) -> Value:
    known = kinds if isinstance(kinds, tuple) else (kinds,)
    if isinstance(value, Array) and value.axes and not value.listed:
        kind: type = np.ndarray
    elif isinstance(value, Documents) and any(value is argument for argument in run.given[0]):
        kind = list  # the ranking passed to the function
    elif value is None or isinstance(value, bool | int | str | Floating):
        kind = float if isinstance(value, Floating) else type(value)
    elif known and all(any(one is other for other in _never_of(value)) for one in known):
        return False
    else:
        raise Underivable(f"tests the type of {v.described(value)}, which is not supported")
    if not all(one in (bool, int, float, str, list, tuple, dict, set, np.ndarray) for one in known):
        raise Underivable(
            "calls isinstance with a type other than those of numbers, strings, lists, dictionaries and sets"
        )
    return any(issubclass(kind, one) for one in known)


def _never_of(value: Value) -> tuple[type, ...]:
    """Return types of which a value is certainly no instance. A topic's pool may be a mapping other than a dict."""
    if isinstance(value, v.Mapping):
        return (bool, int, float, str, list, tuple, set, np.ndarray)
    listed = isinstance(value, Array) and value.listed and value.axes and not value.keyed
    return (bool, int, float, str, dict, set, np.ndarray) if listed else ()
