"""Array entries of the form number times function of the rank, and operations on two such entries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple, NoReturn

from flint import fmpq

from axiomcheck.numbers.closed import logarithm
from axiomcheck.numbers.natural import Number
from axiomcheck.numbers.refusals import Inexact

_BASES = range(2, 11)
"""Bases of logarithms that may be written as a quotient of two natural logarithms."""

_MOST_STEP = 1_000
"""Maximum number of factors that a power may gain from one rank to the next."""


def refuse(what: str) -> NoReturn:
    """Raise an error for an operation whose result depends on the length.

    Raises:
        Inexact: Every call raises this error.

    """
    raise Inexact(f"{what} depends on the length of the ranking, or is not supported for rankings of unknown length")


@dataclass(frozen=True)
class RankForm:
    """Entry at rank i = 1, 2, ..., without a factor that is the same at every rank.

    Args:
        kind: ``one``: 1; ``rank``: i + shift; ``power``: base ** (i + shift); ``log``: offset + log(i + shift) to the
            base, which is e if None; ``over rank``, ``over log``: 1 over these.
        base, shift, offset: Numbers in the form, see `kind`.

    """

    kind: str = "one"
    base: fmpq | None = None
    shift: int = 0
    offset: int = 0


ONE = RankForm()


class Entry(NamedTuple):
    """Entry at any rank: a factor, the same at every rank, times a form."""

    factor: Number
    form: RankForm


_INVERSE = {"one": "one", "rank": "over rank", "over rank": "rank", "log": "over log", "over log": "log"}


def _sum(x: Entry, y: Entry, sign: int = 1) -> Entry:
    if x.form == y.form:
        return Entry(x.factor + sign * y.factor, x.form)
    if y.form == ONE and _is_one(x.factor):
        return Entry(Number(1), _moved(x.form, sign * _whole(y.factor)))
    if x.form == ONE and _is_one(y.factor) and sign == 1:
        return Entry(Number(1), _moved(y.form, _whole(x.factor)))
    return refuse("a sum of two forms")


def _moved(form: RankForm, by: int) -> RankForm:
    """Return a form plus an integer."""
    if form.kind == "rank":
        return replace(form, shift=form.shift + by)
    if form.kind == "log":
        return replace(form, offset=form.offset + by)
    return refuse("a sum of two forms")


def _is_one(x: Number) -> bool:
    return type(x.raw) is fmpq and x.raw == 1


def _whole(x: Number) -> int:
    if type(x.raw) is not fmpq or x.raw.q != 1:
        refuse("a number that is not whole, beside a rank,")
    return int(x.raw.p)


def _times(x: Entry, y: Entry) -> Entry:
    if ONE not in (x.form, y.form):
        refuse("a product of two forms")
    return Entry(x.factor * y.factor, y.form if x.form == ONE else x.form)


def _over(x: Entry, y: Entry) -> Entry:
    if y.form == ONE:
        base = _base_of(y.factor) if x.form.kind == "log" and x.form.base is None and not x.form.offset else None
        if base is not None:
            return Entry(x.factor, replace(x.form, base=base))
        return Entry(x.factor / y.factor, x.form)
    if x.form != ONE:
        refuse("a quotient of two forms")
    if y.form.kind == "power":
        assert y.form.base is not None
        return Entry(x.factor / y.factor, replace(y.form, base=1 / y.form.base))
    return Entry(x.factor / y.factor, replace(y.form, kind=_INVERSE[y.form.kind]))


def _base_of(x: Number) -> fmpq | None:
    """Return the integer from 2 to 10 whose natural logarithm a number is; None if there is none."""
    if type(x.raw) is fmpq:
        return None
    return next((fmpq(b) for b in _BASES if x.raw == logarithm(fmpq(b))), None)


def _raised(x: Entry, y: Entry) -> Entry:
    if x.form == ONE and y.form == ONE:
        return Entry(x.factor**y.factor, ONE)
    base = x.factor.raw
    if x.form != ONE or y.form.kind != "rank" or type(base) is not fmpq or base <= 0:
        refuse("a power of or to a form")
    step = _whole(y.factor)
    if abs(step) > _MOST_STEP:
        refuse("a power")
    return Entry(Number(1), RankForm("power", base**step, y.form.shift))


def _compared(test: Callable[[Number, Number], bool]) -> Callable[[Entry, Entry], Entry]:
    def compare(x: Entry, y: Entry) -> Entry:
        if not x.form == y.form == ONE:
            refuse("which ranks there are")
        return Entry(Number(int(bool(test(x.factor, y.factor)))), ONE)

    return compare


def _larger(x: Entry, y: Entry) -> Entry:
    greater, _ = _compared(lambda a, b: a >= b)(x, y)
    return Entry((x if greater else y).factor, ONE)


def _smaller(x: Entry, y: Entry) -> Entry:
    less, _ = _compared(lambda a, b: a <= b)(x, y)
    return Entry((x if less else y).factor, ONE)


OPERATIONS: dict[str, Callable[[Entry, Entry], Entry]] = {
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
"""Operations by the names of numpy's ufuncs."""

_LOGS: dict[str, int | None] = {"log": None, "log2": 2, "log10": 10, "log1p": None}


def logarithm_of_rank(name: str, x: Entry) -> Entry:
    """Apply a logarithm, given by numpy's name, to the rank plus a number."""
    if name not in _LOGS or x.form.kind != "rank" or not _is_one(x.factor):
        refuse(f"np.{name}")
    base = _LOGS[name]
    return Entry(Number(1), RankForm("log", None if base is None else fmpq(base), x.form.shift + (name == "log1p")))
