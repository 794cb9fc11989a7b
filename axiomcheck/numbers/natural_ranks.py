"""Arrays over the ranks of a ranking whose length is not told: what code over arrays does at every length at once.

An array here has any number of axes of size 1 and at most one over the ranks 1..n, of which it is known that n >= 2.
All its entries are made in one way: a number, the same at every rank, times a form of the rank (`RankForm`). Code that
only combines such arrays entry by entry and adds them up makes the same of a ranking of any length. Whatever else it
asks (a length, an entry, which way to go on) is refused, so that code which gets through has asked nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn

import numpy as np
from flint import fmpq

from axiomcheck.numbers.closed import logarithm
from axiomcheck.numbers.natural import Number, number
from axiomcheck.numbers.refusals import Inexact

_SHORTEST = 2
"""Rankings of block pairs have 2n documents."""

_BASES = range(2, 11)
"""Of logarithms that may be written as a quotient of two natural ones."""

_MOST_STEP = 1_000
"""From rank to rank a power may go on by so many factors."""


def _refuse(what: str) -> NoReturn:
    raise Inexact(f"{what} depends on how long a ranking is, or has no meaning at every length that is known here")


@dataclass(frozen=True)
class RankForm:
    """What an entry at rank i = 1, 2, ... is, but for a factor that is the same at every rank.

    Args:
        kind: ``one``: 1; ``rank``: i + shift; ``power``: base ** (i + shift); ``log``: offset + log(i + shift) to the
            base, None being e; ``over rank``, ``over log``: 1 over these.
        base, shift, offset: as above.

    """

    kind: str = "one"
    base: fmpq | None = None
    shift: int = 0
    offset: int = 0


_ONE = RankForm()
_INVERSE = {"one": "one", "rank": "over rank", "over rank": "rank", "log": "over log", "over log": "log"}


class Length:
    """The number of ranks, or of the first so many of them; plus a whole number.

    Args:
        cut: of how many ranks at most; None of all.
        offset: what is added.

    """

    def __init__(self, cut: int | None = None, offset: int = 0) -> None:
        self._cut, self._offset = cut, offset

    def parts(self) -> tuple[int | None, int]:
        """How many ranks at most, and what is added."""
        return self._cut, self._offset

    def __add__(self, other: Any) -> Length:
        if type(other) is not int:
            _refuse("a sum of a length and something else")
        return Length(self._cut, self._offset + other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Length:
        if type(other) is not int:
            _refuse("a difference of a length and something else")
        return Length(self._cut, self._offset - other)

    def _settled(self, other: Any, asked: Callable[[int, int], bool]) -> bool:
        """The answer to a comparison with a whole number, where it is the same for every length."""
        if type(other) is not int:
            _refuse("a comparison of a length")
        least = min(_SHORTEST, self._cut or _SHORTEST) + self._offset
        most = other + 1 + abs(least) if self._cut is None else self._cut + self._offset
        answers = {asked(value, other) for value in {*range(least, least + 3), most, other - 1, other, other + 1}
                   if least <= value <= max(most, least)}  # fmt: skip
        if len(answers) != 1:
            _refuse(f"whether a length is {other}")
        return answers.pop()

    def __lt__(self, other: Any) -> bool:
        return self._settled(other, lambda x, y: x < y)

    def __le__(self, other: Any) -> bool:
        return self._settled(other, lambda x, y: x <= y)

    def __gt__(self, other: Any) -> bool:
        return self._settled(other, lambda x, y: x > y)

    def __ge__(self, other: Any) -> bool:
        return self._settled(other, lambda x, y: x >= y)

    def __eq__(self, other: object) -> bool:
        return self._settled(other, lambda x, y: x == y)

    def __ne__(self, other: object) -> bool:
        return self._settled(other, lambda x, y: x != y)

    def __bool__(self) -> bool:
        return self != 0

    def _no(self, *args: Any, **options: Any) -> NoReturn:
        _refuse("what is done with a length")

    __index__ = __int__ = __float__ = __repr__ = __str__ = __format__ = __hash__ = _no
    __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = _no
    __pow__ = __rpow__ = __rsub__ = __neg__ = __abs__ = __round__ = __array__ = __getattr__ = _no


_RANKS = "ranks"


@dataclass(frozen=True, eq=False, repr=False)
class Ranks:
    """An array over ranks.

    Args:
        axes: 1 for an axis of size 1, ``ranks`` for that of the ranks; all 1 where `summed`.
        factor: of every entry, the same at every rank.
        form: what an entry is besides.
        cut: how many ranks there are at most; None where there are all.
        summed: whether this is the sum over the ranks of such entries.

    """

    axes: tuple[Any, ...]
    factor: Number
    form: RankForm = _ONE
    cut: int | None = None
    summed: bool = False

    @property
    def shape(self) -> tuple[Any, ...]:
        """As of arrays."""
        return tuple(Length(self.cut) if axis == _RANKS else 1 for axis in self.axes)

    @property
    def ndim(self) -> int:
        """As of arrays."""
        return len(self.axes)

    @property
    def dtype(self) -> np.dtype[Any]:
        """As of arrays of exact numbers."""
        return np.dtype(object)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        return apply_to_ranks(ufunc, method, inputs, options)

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        known = _FUNCTIONS.get(function)
        if known is None:
            _refuse(f"np.{function.__name__}")
        return known(*args, **options)

    def __getitem__(self, index: Any) -> Ranks:
        return _taken(self, index if isinstance(index, tuple) else (index,))

    def sum(self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Ranks:
        """As of arrays."""
        chosen = range(self.ndim) if axis is None else (axis,) if type(axis) is int else axis
        places = {_place(k, self.ndim) for k in chosen}
        over_ranks = any(self.axes[k] == _RANKS for k in places)
        if out is not None or (keepdims and over_ranks):
            _refuse("a sum with out or keepdims")
        kept = tuple(a for k, a in enumerate(self.axes) if keepdims or k not in places)
        return replace(self, axes=kept, summed=self.summed or over_ranks)

    def astype(self, dtype: Any, *args: Any, **options: Any) -> Ranks:
        """As of arrays, of floats."""
        if dtype is not Number and np.dtype(dtype).kind not in "fO":
            _refuse(f"an array of {dtype}")
        return self

    def copy(self) -> Ranks:
        """As of arrays."""
        return self

    def dot(self, other: Any) -> Ranks:
        """As of arrays."""
        return _product_over_ranks(self, other)

    def __matmul__(self, other: Any) -> Ranks:
        return _product_over_ranks(self, other)

    def __rmatmul__(self, other: Any) -> Ranks:
        return _product_over_ranks(other, self)

    def _no(self, *args: Any, **options: Any) -> NoReturn:
        _refuse("what is done with grades or ranks")

    __len__ = __iter__ = __bool__ = __float__ = __int__ = __index__ = __array__ = __setitem__ = __contains__ = _no
    __repr__ = __str__ = __format__ = __hash__ = __iadd__ = __getattr__ = _no


def _operator(name: str, *, swapped: bool = False) -> Callable[[Any, Any], Any]:
    def apply(self: Any, other: Any) -> Any:
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


def grades_of(grade: Any) -> Ranks:
    """The grades (1, n, 1) of documents that all have one grade, a number or a symbol."""
    made = Number.__new__(Number)  # whatever symbols are
    made.raw = grade
    return Ranks((1, _RANKS, 1), made)


def array_of_ranks(start: Any, stop: Any, step: Any) -> Ranks:
    """As np.arange, where one number per rank comes out."""
    cut, offset = stop.parts() if type(stop) is Length else (None, None)
    if type(start) is not int or offset is None or offset != start or step != 1:
        _refuse("np.arange")
    return Ranks((_RANKS,), Number(1), RankForm("rank", shift=start - 1), cut)


def apply_to_ranks(ufunc: Any, method: str, inputs: Sequence[Any], options: dict[str, Any]) -> Any:
    """What a ufunc makes of arrays over ranks.

    Raises:
        Inexact: nothing that is known here.

    """
    name, given = ufunc.__name__, {k: v for k, v in options.items() if v is not None}
    if name == "add" and method == "reduce":
        return inputs[0].sum(axis=given.pop("axis", 0), **given)
    if method != "__call__" or given:
        _refuse(f"np.{name}")
    if name == "matmul":
        return _product_over_ranks(*inputs)
    if len(inputs) == 2:
        return _entrywise(name, *inputs)
    return _of_each(name, inputs[0])


# ------------------------------------------------------------------------------------------------ entry by entry


def _as_ranks(x: Any) -> Ranks:
    """An operand, which is an array over ranks or has one entry."""
    if type(x) is Ranks:
        return x
    if isinstance(x, np.ndarray):
        if x.size != 1:
            _refuse("an array of its own length")
        made = number(x.reshape(-1).view(np.ndarray)[0])
        return Ranks((1,) * x.ndim, _known(made))
    return Ranks((), _known(number(x)))


def _known(made: Number | None) -> Number:
    if made is None or isinstance(made.raw, float):
        _refuse("an operand that is no number")
    return made


def _entrywise(name: str, left: Any, right: Any) -> Ranks:
    x, y = _as_ranks(left), _as_ranks(right)
    operation = _OPERATIONS.get(name)
    if operation is None:
        _refuse(f"np.{name}")
    if "power" in name and y.form != _ONE and _of_whole_numbers(left):
        _refuse("a whole number to the power of the rank, which outgrows numpy's whole numbers,")
    axes, cut = _broadcast(x, y)
    if x.summed or y.summed:
        return _of_sums(name, x, y, axes)
    factor, form = operation(x, y)
    return Ranks(axes, factor, form, cut)


def _of_whole_numbers(x: Any) -> bool:
    """Whether an operand is of numpy's or Python's whole numbers, of which powers are made otherwise than of floats."""
    return isinstance(x, int | np.integer) or (isinstance(x, np.ndarray) and x.dtype != object)


def _broadcast(x: Ranks, y: Ranks) -> tuple[tuple[Any, ...], int | None]:
    size = max(x.ndim, y.ndim)
    rows = [(1,) * (size - z.ndim) + z.axes for z in (x, y)]
    axes = tuple(_RANKS if _RANKS in pair else 1 for pair in zip(*rows, strict=True))
    with_ranks = [z for z in (x, y) if _RANKS in z.axes]
    if axes.count(_RANKS) > 1 or len({z.cut for z in with_ranks}) > 1:
        _refuse("what is made of arrays over different ranks")
    return axes, with_ranks[0].cut if with_ranks else None


def _of_sums(name: str, x: Ranks, y: Ranks, axes: tuple[Any, ...]) -> Ranks:
    """A sum over ranks and one number, or two sums of one form."""
    if _RANKS in axes:
        _refuse("what is made of a sum and of single ranks")
    if name in ("multiply", "divide") and x.summed and not y.summed and y.form == _ONE:
        return replace(x, axes=axes, factor=x.factor * y.factor if name == "multiply" else x.factor / y.factor)
    if name == "multiply" and y.summed and not x.summed and x.form == _ONE:
        return replace(y, axes=axes, factor=x.factor * y.factor)
    if name in ("add", "subtract") and x.summed and y.summed and (x.form, x.cut) == (y.form, y.cut):
        return replace(x, axes=axes, factor=x.factor + y.factor if name == "add" else x.factor - y.factor)
    return _refuse(f"np.{name} of a sum")


_Entry = tuple[Number, RankForm]


def _sum(x: Ranks, y: Ranks, sign: int = 1) -> _Entry:
    if x.form == y.form:
        return x.factor + sign * y.factor, x.form
    if y.form == _ONE and _is_one(x.factor):
        return Number(1), _moved(x.form, sign * _whole(y.factor))
    if x.form == _ONE and _is_one(y.factor) and sign == 1:
        return Number(1), _moved(y.form, _whole(x.factor))
    return _refuse("a sum of two forms")


def _moved(form: RankForm, by: int) -> RankForm:
    """A form with a whole number added to it."""
    if form.kind == "rank":
        return replace(form, shift=form.shift + by)
    if form.kind == "log":
        return replace(form, offset=form.offset + by)
    return _refuse("a sum of two forms")


def _is_one(x: Number) -> bool:
    return type(x.raw) is fmpq and x.raw == 1


def _whole(x: Number) -> int:
    if type(x.raw) is not fmpq or x.raw.q != 1:
        _refuse("a number that is not whole, beside a rank,")
    return int(x.raw.p)


def _times(x: Ranks, y: Ranks) -> _Entry:
    if _ONE not in (x.form, y.form):
        _refuse("a product of two forms")
    return x.factor * y.factor, y.form if x.form == _ONE else x.form


def _over(x: Ranks, y: Ranks) -> _Entry:
    if y.form == _ONE:
        base = _base_of(y.factor) if x.form.kind == "log" and x.form.base is None and not x.form.offset else None
        if base is not None:
            return x.factor, replace(x.form, base=base)
        return x.factor / y.factor, x.form
    if x.form != _ONE:
        _refuse("a quotient of two forms")
    if y.form.kind == "power":
        assert y.form.base is not None
        return x.factor / y.factor, replace(y.form, base=1 / y.form.base)
    return x.factor / y.factor, replace(y.form, kind=_INVERSE[y.form.kind])


def _base_of(x: Number) -> fmpq | None:
    """The whole number whose natural logarithm this is."""
    if type(x.raw) is fmpq:
        return None
    return next((fmpq(b) for b in _BASES if x.raw == logarithm(fmpq(b))), None)


def _raised(x: Ranks, y: Ranks) -> _Entry:
    if x.form == _ONE and y.form == _ONE:
        return x.factor**y.factor, _ONE
    base = x.factor.raw
    if x.form != _ONE or y.form.kind != "rank" or type(base) is not fmpq or base <= 0:
        _refuse("a power of or to a form")
    step = _whole(y.factor)
    if abs(step) > _MOST_STEP:
        _refuse("a power")
    return Number(1), RankForm("power", base**step, y.form.shift)


def _compared(test: Callable[[Number, Number], bool]) -> Callable[[Ranks, Ranks], _Entry]:
    def compare(x: Ranks, y: Ranks) -> _Entry:
        if not x.form == y.form == _ONE:
            _refuse("which ranks there are")
        return Number(int(bool(test(x.factor, y.factor)))), _ONE

    return compare


def _larger(x: Ranks, y: Ranks) -> _Entry:
    greater, _ = _compared(lambda a, b: a >= b)(x, y)
    return (x if greater else y).factor, _ONE


def _smaller(x: Ranks, y: Ranks) -> _Entry:
    less, _ = _compared(lambda a, b: a <= b)(x, y)
    return (x if less else y).factor, _ONE


_OPERATIONS: dict[str, Callable[[Ranks, Ranks], _Entry]] = {
    "add": _sum,
    "subtract": lambda x, y: _sum(x, y, -1),
    "multiply": _times,
    "divide": _over,
    "power": _raised,
    "float_power": _raised,
    "maximum": _larger,
    "minimum": _smaller,
    "less": _compared(lambda a, b: a < b),
    "less_equal": _compared(lambda a, b: a <= b),
    "greater": _compared(lambda a, b: a > b),
    "greater_equal": _compared(lambda a, b: a >= b),
    "equal": _compared(lambda a, b: a == b),
    "not_equal": _compared(lambda a, b: a != b),
}
_LOGS: dict[str, int | None] = {"log": None, "log2": 2, "log10": 10, "log1p": None}


def _of_each(name: str, x: Ranks) -> Ranks:
    """A function of one number, at every rank."""
    if x.summed:
        _refuse(f"np.{name} of a sum")
    if name == "negative":
        return replace(x, factor=-x.factor)
    if name == "positive":
        return x
    if name == "square" and x.form == _ONE:
        return replace(x, factor=x.factor * x.factor)
    if name == "reciprocal":
        return _entrywise("divide", 1, x)
    if name == "exp2":
        return _entrywise("power", 2, x)
    if name in _LOGS and x.form.kind == "rank" and _is_one(x.factor):
        base, shift = _LOGS[name], x.form.shift + (name == "log1p")
        return replace(x, form=RankForm("log", None if base is None else fmpq(base), shift))
    return _refuse(f"np.{name}")


# -------------------------------------------------------------------------------------------------- whole arrays


def _place(k: Any, size: int) -> int:
    if type(k) is not int or not -size <= k < size:
        _refuse("an axis that is not there")
    return k % size


def _taken(x: Ranks, index: tuple[Any, ...]) -> Ranks:
    """Some entries: the only one of an axis of size 1, all ranks or the first so many, new axes of size 1."""
    taken = sum(1 for step in index if step is not None and step is not Ellipsis)
    if taken > x.ndim or sum(step is Ellipsis for step in index) > 1:
        _refuse("an index")
    if Ellipsis not in [step if step is Ellipsis else 0 for step in index]:
        index = (*index, Ellipsis)
    axes: list[Any] = []
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
            if step.stop is not None:
                cut = _shortened(cut, axis, step.stop)
        else:
            _refuse("single ranks, whose number")
    return replace(x, axes=tuple(axes), cut=cut)


def _shortened(cut: int | None, axis: Any, stop: Any) -> int | None:
    if type(stop) is Length and axis == _RANKS and stop.parts() == (cut, 0):
        return cut
    if type(stop) is not int or stop < 1:
        _refuse("a slice")
    return cut if axis == 1 else stop if cut is None else min(cut, stop)


def _product_over_ranks(left: Any, right: Any) -> Ranks:
    """left @ right, where the ranks are what is added up over."""
    x, y = _as_ranks(left), _as_ranks(right)
    if not x.ndim or not y.ndim or _RANKS not in (x.axes[-1], y.axes[max(0, y.ndim - 2)]):
        _refuse("a product of matrices")
    if y.ndim > 1:
        _refuse("a product of matrices")
    return _entrywise("multiply", x, y).sum(axis=-1)


def _chosen(where: Any, x: Any, y: Any) -> Ranks:
    """As np.where."""
    mask, one, other = _as_ranks(where), _as_ranks(x), _as_ranks(y)
    if mask.form != _ONE or mask.summed or one.summed or other.summed:
        _refuse("np.where")
    chosen = one if bool(mask.factor) else other
    axes, _ = _broadcast(one, other)
    spread = Ranks(axes, Number(1), _ONE, _broadcast(one, other)[1])
    axes, cut = _broadcast(mask, spread)
    return Ranks(axes, chosen.factor, chosen.form, cut)


_FUNCTIONS: dict[Any, Callable[..., Ranks]] = {
    np.sum: lambda a, axis=None, **options: a.sum(axis=axis, **options),
    np.dot: _product_over_ranks,
    np.where: _chosen,
}
"""numpy's functions of whole arrays."""
