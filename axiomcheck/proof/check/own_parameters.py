"""Check that a metric of somebody else's means the same with symbols for its parameters as with numbers.

A proof about every p runs the metric with a symbol for p. Code that asks what kind of number p is could hand it
another fold than it scores by. So what the fold is made of with symbols has to be, at points, what it is made of with
numbers, by the same instructions. The points are the metric's own values, some shares of the ranges, and every value
that its code may single out: its constants, their ratios, and numbers in its texts. Symbols have no text and no hash.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import product, zip_longest
from math import isfinite
from types import CodeType
from typing import Any

import numpy as np
from flint import fmpq

from axiomcheck.core.errors import InvalidInput
from axiomcheck.metrics import FoldMetric, Metric
from axiomcheck.metrics.parameters import Real
from axiomcheck.numbers.arithmetic import Arithmetic, Rationals, to_fmpq
from axiomcheck.proof.check.discounts import check_discount_class
from axiomcheck.proof.check.own_code import own_fold
from axiomcheck.proof.check.quotients import Exact, Quotient, every_outcome, settled, variable
from axiomcheck.sources.code_inspection import instructions

Point = Mapping[str, fmpq]
Outcomes = Callable[[Callable[[], list[Any]]], list[list[Any]]]

_GRADES = (1, 0, Fraction(1, 4), Fraction(3, 4), 1, Fraction(1, 8), 0, Fraction(1, 2))
_ELSEWHERE = (Fraction(2, 7), Fraction(8, 9))
"""Values of every parameter, as shares of its range, besides the metric's own."""

_MOST_SINGLED_OUT = 200
"""Values that code may single out; with more, parameters are no symbols."""


def check_parameters(
    metric: FoldMetric,
    names: Sequence[str],
    a: Arithmetic,
    symbol: Callable[[str], Any],
    constant: Callable[[fmpq], Any],
    at: Callable[[Any, Point], Any],
    outcomes: Outcomes = lambda run: [run()],
) -> None:
    """Checks that scale, cost, discount and fold at symbols are those at numbers.

    Args:
        metric: of somebody else's code.
        names: of the parameters that are symbols.
        a: the arithmetic of the symbols.
        symbol: a parameter's, by its name.
        constant: a number as a symbol of that kind is.
        at: the value of what was made of symbols, at a point.
        outcomes: runs code under every answer to what symbols do not answer.

    Raises:
        InvalidInput: they are not, or cannot be run so.

    """
    if not names:
        return
    where = f"parameters: {type(metric).__name__}"

    def run(values: Mapping[str, Any], numbers: Arithmetic, grade: Callable[[fmpq], Any]) -> list[Any]:
        placed = metric.at(dict(values))
        assert isinstance(placed, FoldMetric)
        return list(_made_of(placed, numbers, grade))

    symbolic = outcomes(lambda: run({name: symbol(name) for name in names}, a, constant))
    codes = {code for code, _ in instructions(lambda: run({}, Rationals(), _same))}
    singled_out = _singled_out(codes, (metric, metric.fold()))
    if len(singled_out) > _MOST_SINGLED_OUT:
        raise InvalidInput(
            f"{where} has constants that single out {len(singled_out):,} values; at most {_MOST_SINGLED_OUT} are tried"
        )
    for point in _points(metric, names, singled_out):
        numbers = {name: Fraction(int(x.p), int(x.q)) for name, x in point.items()}
        expected = run(numbers, Rationals(), _same)
        if not any(_agree([at(x, point) for x in made], expected) for made in symbolic):
            shown = ", ".join(f"{name} = {value}" for name, value in numbers.items())
            raise InvalidInput(f"{where} with symbols for parameters is not what it is with the numbers {shown}")
        constants = {name: constant(x) for name, x in point.items()}
        ways = [
            instructions(lambda v=values, b=numbers_of, g=grade: run(v, b, g))  # type: ignore[misc]
            for values, numbers_of, grade in ((numbers, Rationals(), _same), (constants, a, constant))
        ]
        if ways[0] != ways[1]:
            raise InvalidInput(f"{where} does something else with symbols for parameters than with numbers")


def check_symbols(metric: FoldMetric, names: Sequence[str]) -> None:
    """`check_parameters` in the arithmetic of the checks.

    Raises:
        InvalidInput: as there.

    """
    symbols = {name: variable(name, "(0, oo)") for name in names}
    variables = {name: next(iter(symbol.numerator.degrees())) for name, symbol in symbols.items()}

    def at(made: Any, point: Point) -> Any:
        made = _single(made)
        return made.at({variables[name]: x for name, x in point.items()}) if isinstance(made, Quotient) else made

    check_parameters(metric, names, Exact(), symbols.__getitem__, Quotient.of, at, every_outcome)


def check_own_symbols(metric: Metric, names: Sequence[str]) -> None:
    """Checks that a metric of somebody else's is its fold, also with symbols for some parameters.

    Nothing is asked of metrics of the catalogue.

    Raises:
        InvalidInput: it is not.

    """
    with settled(f"metric: {type(metric).__name__}"):
        checked = own_fold(metric)
        if checked is not None:
            check_symbols(checked, [name for name in names if name in metric.values])


def _same(x: fmpq) -> fmpq:
    return x


def _single(x: Any) -> Any:
    return x.reshape(-1)[0] if isinstance(x, np.ndarray) and x.size == 1 else x


def _points(metric: FoldMetric, names: Sequence[str], singled_out: Iterable[Fraction]) -> Iterator[Point]:
    """Yield values of the parameters: the metric's own, shares of the ranges, and values for each and for all."""
    declared = {p.name: p for p in metric.declared}
    ranges: dict[str, tuple[Fraction, Fraction | None]] = {}
    for name in names:
        parameter = declared[name]
        ranges[name] = (parameter.low, parameter.high) if isinstance(parameter, Real) else (Fraction(1), None)
    elsewhere = []
    for share in _ELSEWHERE:
        ends = enumerate(ranges.items(), start=1)
        elsewhere.append(
            {name: low + share**k * (3 if high is None else high - low) for k, (name, (low, high)) in ends}
        )
    own = {name: metric.values[name] for name in names}
    points = elsewhere if None in own.values() else [own, *elsewhere]  # a logarithm's base that is e
    for value in singled_out:
        inside = {name: value for name, (low, high) in ranges.items() if low < value and (high is None or value < high)}
        chosen = [inside, *({name: value} for name in inside)] if len(inside) > 1 else [inside] if inside else []
        points += [points[0] | values for values in chosen]
    for point in points:
        yield {name: to_fmpq(x) for name, x in point.items()}


def _singled_out(codes: Iterable[CodeType], owners: Sequence[object]) -> list[Fraction]:
    """Return the values that code may ask for: its constants and their ratios, and 1 less these.

    Args:
        codes: that ran.
        owners: objects of whose attributes and modules it may have constants.

    """
    spaces: list[Mapping[str, Any]] = [vars(sys.modules[type(owner).__module__]) for owner in owners]
    spaces += [vars(cls) for owner in owners for cls in type(owner).__mro__]
    constants = {Fraction(1)}
    for code in codes:
        constants.update(_numbers_in(code))
        for name in code.co_names:
            constants.update(*(_numbers_in(space[name]) for space in spaces if name in space))
    ratios = {x / y for x, y in product(constants, repeat=2) if y}
    return sorted({*ratios, *(1 - x for x in ratios)})


def _numbers_in(value: object) -> Iterator[Fraction]:
    """Yield the numbers in a constant, or in the constants of code."""
    if isinstance(value, CodeType):
        value = value.co_consts
    if isinstance(value, tuple | list | set | frozenset | dict):
        for part in value:
            yield from _numbers_in(part)
    elif isinstance(value, int | Fraction | Decimal | str) or (isinstance(value, float) and isfinite(value)):
        try:
            yield Fraction(str(value) if isinstance(value, float | Decimal) else value)
        except (ValueError, ZeroDivisionError, OverflowError):  # a text that is no number, or a Decimal that is none
            return


def _made_of(metric: FoldMetric, a: Arithmetic, grade: Callable[[fmpq], Any]) -> Iterator[Any]:
    """Scales, cost, discount, then gain and state document by document."""
    yield from (metric.scale(m) for m in ((1, 2, 5) if metric.applies_to_aspects() else (1,)))
    yield metric.cost()
    fold = metric.fold()
    yield type(fold.discount)
    check_discount_class(fold.discount)
    yield from vars(fold.discount).values()
    state = fold.start(a)
    yield from state
    for r in _GRADES:
        column = np.array([grade(to_fmpq(r))], dtype=object)
        gain, state = fold.step(a, state, column)
        yield from (gain, *state)


def _agree(made: Sequence[Any], expected: Sequence[Any]) -> bool:
    missing = object()
    return all(_equal(x, y) for x, y in zip_longest(made, expected, fillvalue=missing))


def _equal(x: Any, y: Any) -> bool:
    x, y = (_single(one) for one in (x, y))
    x, y = (to_fmpq(one) if isinstance(one, int | Fraction) else one for one in (x, y))
    return type(x) is type(y) and bool(x == y)
