"""Handle sums, running sums, products, maxima and other operations along the axes of arrays."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from axiomcheck.derivation import arithmetic
from axiomcheck.derivation import values as v
from axiomcheck.derivation.discounts import discounted
from axiomcheck.derivation.forms import (
    LENGTH,
    OF_RANK,
    ONE,
    POOL,
    RANK,
    ZERO,
    Form,
    Underivable,
    least_of,
    linear_in_rank,
    number,
    of_atom,
    positive,
)
from axiomcheck.derivation.handlers import handles, handles_method, unlisted
from axiomcheck.derivation.indexing import item_of
from axiomcheck.derivation.machine import POSITIONS, RANKING
from axiomcheck.derivation.values import Array, Dimension, First, Value

if TYPE_CHECKING:
    from axiomcheck.derivation.interpreter import Interpreter


def _places(array: Array, axis: Value) -> Sequence[int]:
    """Return the indices of the axes that numpy's ``axis`` argument selects; None selects all."""
    if axis is None:
        return range(len(array.axes))
    places = []
    for place in axis if isinstance(axis, tuple) else (axis,):
        if isinstance(place, bool) or not isinstance(place, int) or not -len(array.axes) <= place < len(array.axes):
            raise Underivable("uses an axis that is not a constant, or that the array does not have")
        places.append(place % len(array.axes))
    return places


def _rank_place(array: Array, axis: Value, why_not: str) -> int:
    (place, *others) = _places(array, axis)
    if others or array.axes[place].kind != "rank":
        raise Underivable(why_not)
    return place


def _without(array: Array, places: Collection[int]) -> tuple[Dimension, ...]:
    return tuple(axis for place, axis in enumerate(array.axes) if place not in places)


_LARGEST_SUMMED = 1_000
"""Largest factor of a numpy integer in a sum."""


def summed(run: Interpreter, array: Array, places: Collection[int]) -> Value:
    """Return the sum of an array over the axes with the given indices."""
    form = array.form if array.keep is None else run.where(array.keep, array.form)
    if array.kind == "i" and array.maker != "Python" and any(array.axes[place].kind == "rank" for place in places):
        growing = [atom for atom in form.atoms() if atom.kind in ("rank", "state")]
        if len(growing) > 1 or any(abs(c) > _LARGEST_SUMMED for c in form.terms.values()):
            raise Underivable("sums numpy integers, which may overflow: convert them to float")
    # ranks come first: their sums may depend on the aspect
    for place in sorted(places, key=lambda k: array.axes[k].kind != "rank"):
        form = run.total(array.axes[place], form)
    return v.simplified(Array(_without(array, places), form, _of_sum(array), maker=array.maker))


def _of_sum(array: Array) -> v.Kind:
    """Return the type of an array's sum or product; numpy converts booleans and integers to 64 bits."""
    return "f" if array.kind == "f" else "i"


def _with_dtype(run: Interpreter, array: Array, dtype: Value) -> Array:
    """Return an array with its entries converted before they are summed; None keeps their type."""
    made = array if dtype is None else v.as_array(run.call_method(array, "astype", [dtype], {}))
    if dtype is not None and made.kind == "b":
        raise Underivable("adds booleans without converting them to numbers: use float64 or int64")
    return made


@handles_method("sum", np.sum, np.nansum)
def _sum(run: Interpreter, array: Array, axis: Value = None, *, dtype: Value = None, keepdims: Value = False) -> Value:
    array = _with_dtype(run, array, dtype)
    places = _places(array, axis)
    total = replace(v.as_array(summed(run, array, places)), kind=_of_sum(array) if dtype is None else array.kind)
    if keepdims is not True:
        return v.simplified(total)
    axes = tuple(v.ONE_AXIS if place in places else kept for place, kept in enumerate(array.axes))
    return replace(total, axes=axes)


@handles(np.average)
def _average(run: Interpreter, value: Value, /, axis: Value = None, weights: Value = None) -> Value:
    array = v.as_array(unlisted(value))
    if weights is None:
        return _mean(run, array, axis)
    (place, *others), by = _places(array, axis), v.as_array(unlisted(weights))
    if others or len(by.axes) not in (1, len(array.axes)):
        raise Underivable("calls np.average with weights over several axes")
    if len(by.axes) == 1:
        by = replace(by, axes=(*by.axes, *(v.ONE_AXIS,) * (len(array.axes) - 1 - place)))
    product = v.as_array(arithmetic.multiply(array, by))
    if product.axes != array.axes:
        raise Underivable("calls np.average with weights of a different shape")
    total = summed(run, by, (place - len(array.axes) + len(by.axes),))
    return arithmetic.divide(v.as_array(summed(run, product, (place,))), v.as_array(total))


@handles_method("mean", np.mean)
def _mean(run: Interpreter, array: Array, axis: Value = None) -> Value:
    places = _places(array, axis)
    count = ONE
    for place in places:
        kept = array.keep is not None
        count = count * (run.total(array.axes[place], array.keep or ONE) if kept else array.axes[place].length)
    return run.binary(ast.Div(), summed(run, array, places), v.scalar(count))


def quantified(some: bool, run: Interpreter, array: Array, axis: Value = None) -> Value:
    """Return the condition that any entry, or every entry, along an axis is true."""
    condition = array if array.kind == "b" or array.form.is_indicator() else run.compare(ast.NotEq(), array, 0)
    form = condition.form if isinstance(condition, Array) else v.as_array(condition).form
    if array.keep is not None:
        form = form * array.keep if some else ONE - array.keep + form * array.keep
    (place, *others) = _places(array, axis)
    along, axes = array.axes[place], _without(array, [place])
    if others or along.kind == "batch" or (along.kind != "rank" and array.keep is not None):
        raise Underivable("calls any or all along an axis other than ranks or aspects")
    if along.kind != "rank":
        reached = positive(run.total(along, form if some else ONE - form))
        return v.simplified(Array(axes, reached if some else ONE - reached, "b", maker=array.maker))
    traversal = run.traversal_of(along)
    mask, prefix = run.extent(along, traversal)
    hit = mask * (form if some else ONE - form)
    if prefix is None and traversal.name == RANKING and not any(kept.kind == "aspect" for kept in axes):
        return First(RANKING, hit, Array(axes, number(some), "b"), Array(axes, number(not some), "b"))
    reached = run.ever(along, form if some else ONE - form)
    return v.simplified(Array(axes, reached if some else ONE - reached, "b", maker=array.maker))


handles_method("any", np.any)(partial(quantified, True))
handles_method("all", np.all)(partial(quantified, False))


@handles_method("argmax", np.argmax)
def _argmax(run: Interpreter, array: Array, axis: Value = None) -> Value:
    message = "calls argmax on numbers, or along an axis other than ranks: use it on booleans, such as (grades > 0)"
    place = _rank_place(array, axis, message)
    if not array.form.is_indicator() or array.keep is not None:
        raise Underivable(message)
    found = _at_first(run, array, place, array.form, Array((), v.PLACE, "i"), Array((), ZERO, "i"))
    if found is None:
        raise Underivable("calls argmax for each aspect, or on a sequence other than the ranking")
    return found


def _at_first(run: Interpreter, array: Array, place: int, hit: Form, value: Array, default: Array) -> First | None:
    """Return ``value`` at the first rank that meets a condition, else ``default``, for each entry of the other axes.

    The result is None if there is an axis of aspects, or if the ranks are not those of the ranking.
    """
    traversal, axes = run.traversal_of(array.axes[place]), _without(array, [place])
    mask, prefix = run.extent(array.axes[place], traversal)
    if prefix is not None or traversal.name != RANKING or any(kept.kind == "aspect" for kept in axes):
        return None
    return First(RANKING, mask * hit, *(replace(case, axes=axes) for case in (value, default)))


def _as_indicator(run: Interpreter, array: Array) -> Array:
    return array if array.form.is_indicator() else v.as_array(run.compare(ast.NotEq(), array, 0))


@handles_method("count_nonzero", np.count_nonzero)
def _count_nonzero(run: Interpreter, array: Array, axis: Value = None) -> Value:
    return summed(run, replace(_as_indicator(run, array), kind="b"), _places(array, axis))


@handles_method("flatnonzero", np.flatnonzero)
def _flatnonzero(run: Interpreter, array: Array, /) -> Value:
    if len(array.axes) != 1:
        raise Underivable("calls flatnonzero on an array of several dimensions")
    return item_of(run, places_of_entries(run, array), 0)


@handles_method("nonzero", np.nonzero)
def _nonzero(run: Interpreter, array: Array, /) -> Value:
    return places_of_entries(run, array)


def places_of_entries(run: Interpreter, array: Array) -> Value:
    """Return the result of ``np.nonzero``: a tuple of one array, with the indices of the nonzero entries."""
    found = _as_indicator(run, array)
    if array.keep is not None or [axis.kind for axis in array.axes] != ["rank"]:
        raise Underivable("calls nonzero on an array other than an unfiltered array of one number per rank")
    return (Array(array.axes, v.PLACE, "i", False, found.form),)


def _running(product: bool, run: Interpreter, array: Array, axis: Value = None, *, dtype: Value = None) -> Value:
    """Return the running sum or product of an array along its ranks."""
    array = _with_dtype(run, array, dtype)
    (place, *others) = _places(array, axis)
    if others:
        raise Underivable("accumulates an array of several dimensions without an axis")
    if array.axes[place].kind != "rank":
        raise Underivable("accumulates along the axis of aspects or topics")
    traversal = run.traversal_of(array.axes[place])
    if array.axes[place].length.at_rank or array.keep is not None:
        raise Underivable("accumulates over a filtered array, or over the ranks above the current one")
    kind = _of_sum(array) if dtype is None else array.kind
    if kind != "f" and not array.form.is_indicator():
        raise Underivable("accumulates numpy integers, which may overflow or truncate floats: convert them to float")
    join: Callable[[Form, Form], Form] = operator.mul if product else operator.add
    if array.form == ONE and not product:  # the number of the rank
        return Array(array.axes, RANK, kind)
    last = traversal.moved(array.form)
    if last is not None:  # entries shifted by one rank: return the running total of the rank above
        state = traversal.new(last.start, array.form.each)
        assert last.update is not None
        traversal.close(state, join(of_atom(state), last.update))
        return Array(array.axes, of_atom(state), kind)
    state = traversal.new(ONE if product else ZERO, array.form.each)
    update = join(of_atom(state), array.form)
    traversal.close(state, update)
    return Array(array.axes, update, kind)


handles_method("cumsum", np.cumsum)(partial(_running, False))
handles_method("cumprod", np.cumprod)(partial(_running, True))


@handles_method("prod", np.prod)
def _prod(run: Interpreter, array: Array, axis: Value = None) -> Value:
    place = _rank_place(array, axis, "multiplies along an axis other than ranks")
    traversal = run.traversal_of(array.axes[place])
    mask, prefix = run.extent(array.axes[place], traversal)
    state = traversal.new(ONE, array.form.each)
    mask = mask if array.keep is None else mask * array.keep
    update = of_atom(state) * (mask * array.form + ONE - mask)
    traversal.close(state, update)
    if prefix is None:
        made = ONE + run.total(v.rank_axis(traversal.name), update - of_atom(state))
    else:
        made = of_atom(state) if prefix == "above" else update
    return Array(_without(array, [place]), made, _of_sum(array))


@handles_method("max", np.max)
def largest(
    run: Interpreter, array: Array, axis: Value = None, *, initial: Value = None, default: Value = None
) -> Value:
    """Return the largest entry of an array along an axis.

    Raises:
        Underivable: The entries are neither booleans, nor discounts of hits, nor compared with 0.

    """
    places = _places(array, axis)
    if len(places) != 1 or initial not in (None, 0):
        raise Underivable("takes the maximum over several axes, or with an initial value other than 0")
    (place,) = places
    line, along = linear_in_rank(array.form), array.axes[place]
    if initial is None and array.keep is None and along.kind == "one":
        return item_of(run, array, (*[slice(None)] * place, 0) if place else 0)
    filled = along.over in (RANKING, POSITIONS) and (least_of(along.length) or (along.length,))[0] in (LENGTH, POOL)
    if initial is None and array.keep is None and filled and len(array.axes) == 1 and line and line[0] > 0:
        return v.scalar(along.length * number(line[0]) + number(line[1]), array.kind)  # the number of the last rank
    first = _first_discount(run, array, place, default)
    if first is not None:
        return first
    if array.keep is not None:
        raise Underivable("takes the maximum of a filtered array")
    some = array if array.form.is_indicator() else v.as_array(run.compare(ast.Gt(), array, 0))
    found = quantified(True, run, replace(some, kind="b"), place)
    if array.form.is_indicator():
        return found if array.kind == "b" else run.binary(ast.Mult(), found, v.scalar(ONE, array.kind))
    return v.Largest(found, array)


def _first_discount(run: Interpreter, array: Array, place: int, default: Value) -> First | None:
    """Return the largest of the discounts of hits, which is that of the first hit; None for other numbers."""
    if len(array.form.terms) != 1 or array.form.is_indicator() or array.axes[place].kind != "rank":
        return None
    ((product, c),) = array.form.terms.items()
    of_rank = Form({tuple((a, e) for a, e in product if a.kind in OF_RANK): c})
    hit = Form({tuple((a, e) for a, e in product if a.kind not in OF_RANK): Fraction(1)})
    cases = (Array((), form, array.kind) for form in (of_rank, ZERO))
    found = _at_first(run, array, place, hit if array.keep is None else array.keep, *cases)
    if c < 0 or not hit.is_indicator() or found is None:
        return None
    discounted(of_rank)  # the discounts of the catalogue never rise
    if array.keep is None:
        return found
    if hit != ONE or len(array.axes) > 1:
        return None
    missing = v.Failed(Underivable("takes the maximum of a list that may be empty: pass default=0"))
    return replace(found, value=Array((), of_rank), default=missing if default is None else default)


@handles_method("min", np.min)
def smallest(run: Interpreter, array: Array) -> Value:
    """Return the minimum of an array of ranks or of one entry, which is its first entry.

    Raises:
        Underivable: The array has other entries.

    """
    if array.axes == (v.ONE_AXIS,):
        return item_of(run, array, 0)
    line = linear_in_rank(array.form)
    if array.keep is None or line is None or line[0] <= 0:
        raise Underivable("takes the minimum of an array of numbers other than ranks")
    return item_of(run, array, 0)


@handles_method("dot", np.dot)
def _dot(run: Interpreter, array: Array, factor: Value, /) -> Value:
    array, other = v.as_array(array), v.as_array(unlisted(factor))
    _refuse_truth_values(array, other)
    if not array.axes or not other.axes:
        return arithmetic.multiply(array, other)
    if len(other.axes) > 1 and len(array.axes) + len(other.axes) > 4:
        raise Underivable("multiplies each matrix in a stack by every other matrix")
    return matrix_product(run, array, other)


@handles(np.matmul)
def matrix_product(run: Interpreter, one: Value, two: Value, /) -> Value:
    """Multiply two matrices, stacks of matrices, or a matrix and a row, with axes aligned as in numpy."""
    x, y = v.as_array(unlisted(one)), v.as_array(unlisted(two))
    _refuse_truth_values(x, y)
    if not x.axes or not y.axes:
        raise Underivable("multiplies a matrix by a number with @: use * instead")
    if len(y.axes) == 1:
        return summed(run, v.as_array(arithmetic.multiply(x, y)), (len(x.axes) - 1,))
    if (x.axes[-1].kind == "one") is not (y.axes[-2].kind == "one"):
        raise Underivable("multiplies matrices of different sizes")
    product = arithmetic.multiply(
        replace(x, axes=(*x.axes, v.ONE_AXIS)),
        replace(y, axes=y.axes if len(x.axes) == 1 else (*y.axes[:-2], v.ONE_AXIS, *y.axes[-2:])),
    )
    made = v.as_array(product)
    return summed(run, made, (len(made.axes) - 2,))


def _refuse_truth_values(*arrays: Array) -> None:
    """Refuse a matrix product of booleans, whose entries would be booleans in numpy."""
    if all(array.kind == "b" for array in arrays):
        raise Underivable("multiplies arrays of booleans with @ or dot: convert them to float")


@handles(np.einsum)
def _einsum(run: Interpreter, text: Value, /, *factors: Value) -> Value:
    if not isinstance(text, str) or "->" not in text or "." in text:
        raise Underivable("calls einsum without ->, or with ..., which is not supported")
    inputs, result = text.replace(" ", "").split("->")
    names = inputs.split(",")
    arrays = [v.as_array(unlisted(factor)) for factor in factors]
    _refuse_truth_values(*arrays)
    order = list(dict.fromkeys("".join((result, *names))))
    if [len(letters) for letters in names] != [len(array.axes) for array in arrays] or any(
        len(set(letters)) != len(letters) or not set(letters) <= set("".join(names)) for letters in (*names, result)
    ):
        raise Underivable("uses einsum subscripts that are not supported: multiply the entries and sum the products")
    if len(names) == 1 and set(result) == set(names[0]):
        raise Underivable("transposes an array with einsum, whose result is a view: use .T instead")
    product: Value = 1
    for letters, array in zip(names, arrays, strict=True):
        axes = dict(zip(letters, array.axes, strict=True))
        aligned = replace(array, axes=tuple(axes.get(letter, v.ONE_AXIS) for letter in order))
        product = run.binary(ast.Mult(), product, aligned)
    places = [place for place, letter in enumerate(order) if letter not in result]
    return summed(run, v.as_array(product), places)
