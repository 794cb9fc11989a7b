"""Check that a metric of somebody else's means the same with symbols for its parameters as with numbers.

A proof about every p runs the metric with a symbol for p. Code that asks what kind of number p is could hand it
another fold than it scores by. So what the fold is made of with symbols has to be, at points, what it is made of with
numbers, by the same instructions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import zip_longest
from typing import Any

import numpy as np
from flint import fmpq

from axiomcheck.core.errors import InvalidInput
from axiomcheck.metrics import FoldMetric
from axiomcheck.metrics.parameters import Real
from axiomcheck.numbers.arithmetic import Arithmetic, Rationals, to_fmpq
from axiomcheck.proof.check.discounts import check_discount_class
from axiomcheck.proof.check.quotients import Exact, Quotient, every_outcome, variable
from axiomcheck.sources.code_inspection import instructions

Point = Mapping[str, fmpq]
Outcomes = Callable[[Callable[[], list[Any]]], list[list[Any]]]

_GRADES = (1, 0, Fraction(1, 4), Fraction(3, 4), 1, Fraction(1, 8), 0, Fraction(1, 2))
_ELSEWHERE = (Fraction(2, 7), Fraction(8, 9))
"""Values of every parameter, as shares of its range, besides the metric's own."""


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
    for point in _points(metric, names):
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


def _same(x: fmpq) -> fmpq:
    return x


def _single(x: Any) -> Any:
    return x.reshape(-1)[0] if isinstance(x, np.ndarray) and x.size == 1 else x


def _points(metric: FoldMetric, names: Sequence[str]) -> Iterator[Point]:
    declared = {p.name: p for p in metric.declared}
    own = {name: metric.values[name] for name in names}
    if None not in own.values():  # of a logarithm's base that is e
        yield {name: to_fmpq(value) for name, value in own.items()}
    for share in _ELSEWHERE:
        point = {}
        for k, name in enumerate(names):
            parameter, place = declared[name], share ** (k + 1)
            low, high = (parameter.low, parameter.high) if isinstance(parameter, Real) else (Fraction(1), None)
            point[name] = to_fmpq(low + place * (3 if high is None else high - low))
        yield point


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
