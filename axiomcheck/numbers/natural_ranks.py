"""Arrays over the ranks of a ranking of unknown length, which run code for every length at once.

An array has any number of axes of size 1 and at most one over the ranks 1..n, where n >= 2. All its entries have one
form: a number, the same at every rank, times a form of the rank (`RankForm`). Code that only combines such arrays entry
by entry and sums them does the same for a ranking of any length. All other requests (a length, an entry, a branch) are
refused, so code that runs to its end depends on none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn, TypeAlias

import numpy as np
from flint import fmpq

from axiomcheck.numbers.natural import Number, number
from axiomcheck.numbers.rank_forms import ONE, OPERATIONS, Entry, RankForm, logarithm_of_rank, refuse

_SHORTEST = 2
"""Minimum length: rankings of block pairs have 2n documents."""


Axis: TypeAlias = int | str


class Length:
    """Number of ranks, or of ranks up to a cutoff, plus an integer.

    Args:
        cut: Maximum number of ranks; None for all.
        offset: Integer that is added.

    """

    def __init__(self, cut: int | None = None, offset: int = 0) -> None:
        self._cut, self._offset = cut, offset

    def parts(self) -> tuple[int | None, int]:
        """Return the maximum number of ranks and the added integer."""
        return self._cut, self._offset

    def __add__(self, other: object) -> Length:
        if type(other) is not int:
            refuse("a sum of a length and something else")
        return Length(self._cut, self._offset + other)

    __radd__ = __add__

    def __sub__(self, other: object) -> Length:
        if type(other) is not int:
            refuse("a difference of a length and something else")
        return Length(self._cut, self._offset - other)

    def _settled(self, other: object, asked: Callable[[int, int], bool]) -> bool:
        """Return the answer to a comparison with an integer, if it is the same for every length."""
        if type(other) is not int:
            refuse("a comparison of a length")
        least = min(_SHORTEST, self._cut or _SHORTEST) + self._offset
        most = other + 1 + abs(least) if self._cut is None else self._cut + self._offset
        answers = {asked(value, other) for value in {*range(least, least + 3), most, other - 1, other, other + 1}
                   if least <= value <= max(most, least)}  # fmt: skip
        if len(answers) != 1:
            refuse(f"whether a length is {other}")
        return answers.pop()

    def __lt__(self, other: object) -> bool:
        return self._settled(other, lambda x, y: x < y)

    def __le__(self, other: object) -> bool:
        return self._settled(other, lambda x, y: x <= y)

    def __gt__(self, other: object) -> bool:
        return self._settled(other, lambda x, y: x > y)

    def __ge__(self, other: object) -> bool:
        return self._settled(other, lambda x, y: x >= y)

    def __eq__(self, other: object) -> bool:
        return self._settled(other, lambda x, y: x == y)

    def __ne__(self, other: object) -> bool:
        return self._settled(other, lambda x, y: x != y)

    def __bool__(self) -> bool:
        return self != 0

    def _no(self, *args: object, **options: object) -> NoReturn:
        refuse("an operation on a length")

    __index__ = __int__ = __float__ = __repr__ = __str__ = __format__ = __hash__ = _no
    __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = _no
    __pow__ = __rpow__ = __rsub__ = __neg__ = __abs__ = __round__ = __array__ = __getattr__ = _no


class Rows:
    """Unknown number of rankings that are scored in one call."""

    def _no(self, *args: object, **options: object) -> NoReturn:
        refuse("an operation on the number of rankings")

    __index__ = __int__ = __float__ = __repr__ = __str__ = __format__ = __hash__ = __bool__ = __array__ = _no
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __add__ = __radd__ = __sub__ = __rsub__ = _no
    __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = _no
    __pow__ = __rpow__ = __neg__ = __abs__ = __round__ = __getattr__ = _no


_RANKS = "ranks"
_ROWS = "rows"

_MOST_WHOLE = 10**6
"""Maximum integer: multiplied by ranks, or summed, it stays below 2**63 for rankings of a million documents."""


@dataclass(frozen=True, eq=False, repr=False)
class Ranks:
    """Array over ranks.

    Args:
        axes: 1 for an axis of size 1, ``ranks`` for the axis of the ranks (absent if `summed`), ``rows`` for the axis
            of the rankings scored in one call. The array stands for any one of them.
        factor: Factor of every entry, the same at every rank.
        form: Form of the rank that the factor is multiplied by.
        cut: Maximum number of ranks; None for all.
        summed: True if this is the sum of the entries over the ranks.
        whole: True for numpy integers, which overflow beyond 2**63.

    """

    axes: tuple[Axis, ...]
    factor: Number
    form: RankForm = ONE
    cut: int | None = None
    summed: bool = False
    whole: bool = False

    def __post_init__(self) -> None:
        """Refuse large integers, which could overflow at some realistic length."""
        numbers = (self.factor.raw, fmpq(self.form.shift), fmpq(self.form.offset))
        if self.whole and not all(type(x) is fmpq and abs(x) <= _MOST_WHOLE for x in numbers):
            refuse("a large whole number beside ranks, which may outgrow numpy's whole numbers,")
        if max(map(abs, numbers[1:])) > _MOST_WHOLE:
            refuse("a large number added to ranks")

    @property
    def shape(self) -> tuple[object, ...]:
        """Shape of the array."""
        lengths: dict[Axis, object] = {_RANKS: Length(self.cut), _ROWS: Rows()}
        return tuple(lengths.get(axis, 1) for axis in self.axes)

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.axes)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the entries, which is that of arrays of exact numbers."""
        return np.dtype(object)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: object, **options: object) -> Ranks:
        return apply_to_ranks(ufunc, method, inputs, options)

    def __array_function__(
        self, function: Callable[..., object], types: object, args: tuple[object, ...], options: dict[str, Any]
    ) -> Ranks:
        known = _FUNCTIONS.get(function)
        if known is None:
            refuse(f"np.{function.__name__}")
        return known(*args, **options)

    def __getitem__(self, index: object) -> Ranks:
        return _taken(self, index if isinstance(index, tuple) else (index,))

    def sum(
        self,
        axis: int | tuple[int, ...] | None = None,
        dtype: object = None,
        out: object = None,
        keepdims: bool = False,
    ) -> Ranks:
        """Return the sum over some axes, like `numpy.ndarray.sum`."""
        chosen = range(self.ndim) if axis is None else (axis,) if isinstance(axis, int) else axis
        places = {_place(k, self.ndim) for k in chosen}
        if any(self.axes[k] == _ROWS for k in places):
            refuse("a sum over rankings")
        over_ranks = any(self.axes[k] == _RANKS for k in places)
        if out is not None or (keepdims and over_ranks):
            refuse("a sum with out or keepdims")
        if dtype is not None:
            return self.astype(dtype).sum(axis=axis, keepdims=keepdims)
        kept = tuple(a for k, a in enumerate(self.axes) if keepdims or k not in places)
        return replace(self, axes=kept, summed=self.summed or over_ranks)

    def astype(self, dtype: object, *args: object, **options: object) -> Ranks:
        """Convert to a float type, like `numpy.ndarray.astype`."""
        _of_doubles(dtype)
        return replace(self, whole=False)

    def copy(self) -> Ranks:
        """Return the array itself, as it is immutable."""
        return self

    def dot(self, other: object) -> Ranks:
        """Return the dot product over the ranks, like `numpy.ndarray.dot`."""
        return _product_over_ranks(self, other)

    def __matmul__(self, other: object) -> Ranks:
        return _product_over_ranks(self, other)

    def __rmatmul__(self, other: object) -> Ranks:
        return _product_over_ranks(other, self)

    def _no(self, *args: object, **options: object) -> NoReturn:
        refuse("an operation on grades or ranks")

    __len__ = __iter__ = __bool__ = __float__ = __int__ = __index__ = __array__ = __setitem__ = __contains__ = _no
    __repr__ = __str__ = __format__ = __hash__ = __iadd__ = __getattr__ = _no


def _operator(name: str, *, swapped: bool = False) -> Callable[[object, object], Ranks]:
    def apply(self: object, other: object) -> Ranks:
        return _entrywise(name, other, self) if swapped else _entrywise(name, self, other)

    return apply


for _sign, _name in {
    "add": "add",
    "sub": "subtract",
    "mul": "multiply",
    "truediv": "divide",
    "pow": "power",
}.items():
    setattr(Ranks, f"__{_sign}__", _operator(_name))
    setattr(Ranks, f"__r{_sign}__", _operator(_name, swapped=True))
for _sign, _name in {
    "lt": "less",
    "le": "less_equal",
    "gt": "greater",
    "ge": "greater_equal",
    "eq": "equal",
    "ne": "not_equal",
}.items():
    setattr(Ranks, f"__{_sign}__", _operator(_name))
setattr(Ranks, "__neg__", lambda self: _entrywise("multiply", self, -1))  # noqa: B010 - beside the others


def grades_of(grade: object) -> Ranks:
    """Return grades (rows, n, 1) of documents that all have the same grade, a number or a symbol."""
    made = Number.__new__(Number)  # bypasses the conversion, which symbols do not need
    made.raw = grade
    return Ranks((_ROWS, _RANKS, 1), made)


def weights_of_one() -> Ranks:
    """Return the weights (rows, 1) of one aspect."""
    return Ranks((_ROWS, 1), Number(1))


def array_of_ranks(start: object, stop: object, step: object) -> Ranks:
    """Return one number per rank, like `numpy.arange`."""
    cut, offset = stop.parts() if type(stop) is Length else (None, None)
    if type(start) is not int or offset is None or offset != start or step != 1:
        refuse("np.arange")
    return Ranks((_RANKS,), Number(1), RankForm("rank", shift=start - 1), cut, whole=True)


def apply_to_ranks(ufunc: np.ufunc, method: str, inputs: Sequence[object], options: dict[str, Any]) -> Ranks:
    """Apply a ufunc to arrays over ranks.

    Raises:
        Inexact: The operation is not supported for ranks.

    """
    name, given = ufunc.__name__, {k: v for k, v in options.items() if v is not None}
    if name == "add" and method == "reduce":
        return _as_ranks(inputs[0]).sum(axis=given.pop("axis", 0), **given)
    if method != "__call__" or given:
        refuse(f"np.{name}")
    if name == "matmul":
        return _product_over_ranks(*inputs)
    if len(inputs) == 2:
        return _entrywise(name, *inputs)
    return _of_each(name, _as_ranks(inputs[0]))


# ------------------------------------------------------------------------------------------------ entry by entry


def _as_ranks(x: object) -> Ranks:
    """Convert an operand, which must be an array over ranks or have one entry."""
    if type(x) is Ranks:
        return x
    if isinstance(x, np.ndarray):
        if x.size != 1:
            refuse("an array of its own length")
        made = number(x.reshape(-1).view(np.ndarray)[0])
        return Ranks((1,) * x.ndim, _known(made), whole=_of_whole_numbers(x))
    return Ranks((), _known(number(x)), whole=_of_whole_numbers(x))


def _known(made: Number | None) -> Number:
    if made is None or isinstance(made.raw, float):
        refuse("an operand that is not a number")
    return made


def _entrywise(name: str, left: object, right: object) -> Ranks:
    x, y = _as_ranks(left), _as_ranks(right)
    operation = OPERATIONS.get(name)
    if operation is None:
        refuse(f"np.{name}")
    if "power" in name and y.form != ONE and _of_whole_numbers(left):
        refuse("a whole number to the power of the rank, which outgrows numpy's whole numbers,")
    axes, cut = _broadcast(x, y)
    if x.summed or y.summed:
        return _of_sums(name, x, y, axes)
    whole = name in _COMPARISONS or (x.whole and y.whole and "divide" not in name)
    return Ranks(axes, *operation(Entry(x.factor, x.form), Entry(y.factor, y.form)), cut, whole=whole)


_COMPARISONS = ("less", "less_equal", "greater", "greater_equal", "equal", "not_equal")


def _of_doubles(dtype: object) -> None:
    """Raise an error for array types other than doubles."""
    if dtype is Number:
        return
    if np.dtype(dtype) not in (np.dtype(np.float64), np.dtype(object)):  # type: ignore[call-overload]  # numpy's say
        refuse(f"an array of {dtype}")


def _of_whole_numbers(x: object) -> bool:
    """Return True if an operand is an integer of numpy or Python, whose powers differ from those of floats."""
    return isinstance(x, int | np.integer) or (isinstance(x, np.ndarray) and x.dtype != object)


def _broadcast(x: Ranks, y: Ranks) -> tuple[tuple[Axis, ...], int | None]:
    size = max(x.ndim, y.ndim)
    rows = [(1,) * (size - z.ndim) + z.axes for z in (x, y)]
    axes = tuple(next((axis for axis in pair if axis != 1), 1) for pair in zip(*rows, strict=True))
    if any(len({*pair} - {1}) > 1 for pair in zip(*rows, strict=True)):
        refuse("a combination of rankings and ranks")
    with_ranks = [z for z in (x, y) if _RANKS in z.axes]
    if axes.count(_RANKS) > 1 or len({z.cut for z in with_ranks}) > 1:
        refuse("a combination of arrays over different ranks")
    return axes, with_ranks[0].cut if with_ranks else None


def _of_sums(name: str, x: Ranks, y: Ranks, axes: tuple[Axis, ...]) -> Ranks:
    """Combine a sum over ranks and a number, or two sums of the same form."""
    if _RANKS in axes:
        refuse("a combination of a sum and single ranks")
    whole = x.whole and y.whole and name != "divide"
    if name in ("multiply", "divide") and x.summed and not y.summed and y.form == ONE:
        factor = x.factor * y.factor if name == "multiply" else x.factor / y.factor
        return replace(x, axes=axes, factor=factor, whole=whole)
    if name == "multiply" and y.summed and not x.summed and x.form == ONE:
        return replace(y, axes=axes, factor=x.factor * y.factor, whole=whole)
    if name in ("add", "subtract") and x.summed and y.summed and (x.form, x.cut) == (y.form, y.cut):
        factor = x.factor + y.factor if name == "add" else x.factor - y.factor
        return replace(x, axes=axes, factor=factor, whole=whole)
    return refuse(f"np.{name} of a sum")


def _of_each(name: str, x: Ranks) -> Ranks:
    """Apply a function of one number at every rank."""
    if x.summed:
        refuse(f"np.{name} of a sum")
    if name == "negative":
        return replace(x, factor=-x.factor)
    if name == "positive":
        return x
    if name == "square" and x.form == ONE:
        return replace(x, factor=x.factor * x.factor)
    if name == "reciprocal":
        return _entrywise("divide", 1, x)
    if name == "exp2":
        return _entrywise("power", 2, x)
    factor, form = logarithm_of_rank(name, Entry(x.factor, x.form))
    return replace(x, factor=factor, form=form, whole=False)


# -------------------------------------------------------------------------------------------------- whole arrays


def _place(k: object, size: int) -> int:
    if type(k) is not int or not -size <= k < size:
        refuse("an axis that is not there")
    return k % size


def _taken(x: Ranks, index: tuple[Any, ...]) -> Ranks:
    """Index an array: take the only entry of an axis of size 1, all ranks or the first k, or add axes of size 1."""
    taken = sum(1 for step in index if step is not None and step is not Ellipsis)
    if taken > x.ndim or sum(step is Ellipsis for step in index) > 1:
        refuse("an index")
    if Ellipsis not in [step if step is Ellipsis else 0 for step in index]:
        index = (*index, Ellipsis)
    axes: list[Axis] = []
    cut, left = x.cut, list(x.axes)
    for step in index:
        if step is None:
            axes.append(1)
        elif step is Ellipsis:
            rest = len(left) - sum(1 for s in index[index.index(Ellipsis) + 1 :] if s is not None)
            axes += [left.pop(0) for _ in range(rest)]
        elif type(step) is int and left[0] == 1 and step in (0, -1):
            left.pop(0)
        elif type(step) is slice and step.start in (None, 0) and step.step in (None, 1):
            axis = left.pop(0)
            axes.append(axis)
            if step.stop is not None and axis == _ROWS:
                refuse("some of the rankings")
            if step.stop is not None:
                cut = _shortened(cut, axis, step.stop)
        else:
            refuse("single ranks, whose number")
    return replace(x, axes=tuple(axes), cut=cut)


def _shortened(cut: int | None, axis: Axis, stop: object) -> int | None:
    if type(stop) is Length and axis == _RANKS and stop.parts() == (cut, 0):
        return cut
    if type(stop) is not int or stop < 1:
        refuse("a slice")
    return cut if axis == 1 else stop if cut is None else min(cut, stop)


def _product_over_ranks(left: object, right: object) -> Ranks:
    """Return left @ right, where the sum is over the ranks."""
    x, y = _as_ranks(left), _as_ranks(right)
    if not x.ndim or not y.ndim or _RANKS not in (x.axes[-1], y.axes[max(0, y.ndim - 2)]):
        refuse("a product of matrices")
    if y.ndim > 1:
        refuse("a product of matrices")
    return _entrywise("multiply", x, y).sum(axis=-1)


def _chosen(where: object, x: object, y: object) -> Ranks:
    """Select entries of x or y by a mask, like `numpy.where`."""
    mask, one, other = _as_ranks(where), _as_ranks(x), _as_ranks(y)
    if mask.form != ONE or mask.summed or one.summed or other.summed:
        refuse("np.where")
    chosen = one if bool(mask.factor) else other
    axes, _ = _broadcast(one, other)
    spread = Ranks(axes, Number(1), ONE, _broadcast(one, other)[1])
    axes, cut = _broadcast(mask, spread)
    return Ranks(axes, chosen.factor, chosen.form, cut, whole=one.whole and other.whole)


_FUNCTIONS: dict[object, Callable[..., Ranks]] = {
    np.sum: lambda a, axis=None, **options: a.sum(axis=axis, **options),
    np.dot: _product_over_ranks,
    np.where: _chosen,
}
"""Functions of numpy on whole arrays."""
