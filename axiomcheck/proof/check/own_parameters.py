"""Check that an external metric has the same fold with symbols for its parameters as with numbers.

A proof about every p runs the metric with a symbol for p. Code that checks the type of p could return a different fold
for the symbol. Therefore, at several points, the fold made with symbols must equal the fold made with numbers, and both
must run the same instructions. The points are the metric's own values, a few inside the ranges, and every value that
its code may treat as special: its constants, their ratios, and numbers in its strings. Symbols cannot be converted to
text or hashed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import product, zip_longest
from math import isfinite
from types import CodeType, FunctionType
from typing import TypeAlias

import numpy as np
from flint import fmpq

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.own_code import is_own_class
from axiomcheck.metrics import FoldMetric, Metric
from axiomcheck.numbers.arithmetic import Rationals, to_fmpq
from axiomcheck.proof.check.header import range_of
from axiomcheck.proof.check.own_code import check_discount_class, check_own_fold
from axiomcheck.proof.check.polynomials import Variable
from axiomcheck.proof.check.quotients import Exact, Quotient, every_outcome, settled, variable
from axiomcheck.sources.code_inspection import instructions
from axiomcheck.sources.provenance import runs_catalogue_code

Value: TypeAlias = Fraction | fmpq | Quotient

_GRADES = (1, 0, Fraction(1, 4), Fraction(3, 4), 1, Fraction(1, 8), 0, Fraction(1, 2))
_ELSEWHERE = (Fraction(2, 7), Fraction(8, 9))
"""Further values at which every parameter is tested, as fractions of its range."""

_MOST_SINGLED_OUT = 200
"""Maximum number of special values in code. If there are more, no parameter becomes a symbol."""


def check_symbols(metric: FoldMetric, names: Sequence[str]) -> None:
    """Check that scale, cost, discount and fold are the same on symbols as on numbers.

    Args:
        metric: External metric.
        names: Names of the parameters that are symbols.

    Raises:
        InvalidInput: A part differs, or cannot be run on symbols.

    """
    if not names:
        return
    where = f"parameters: {type(metric).__name__}"
    symbols = {name: variable(name, "(0, oo)") for name in names}
    variables = {name: next(iter(symbol.numerator.degrees())) for name, symbol in symbols.items()}
    symbolic = every_outcome(lambda: _made_at(metric, symbols, Exact()))
    codes = {code for code, _ in instructions(lambda: _made_at(metric, {}, Rationals()))}
    singled_out = _singled_out(codes, (metric, metric.fold()))
    if len(singled_out) > _MOST_SINGLED_OUT:
        raise InvalidInput(
            f"{where} has constants with {len(singled_out):,} special values; at most {_MOST_SINGLED_OUT} are tried"
        )
    for numbers in _points(metric, names, singled_out):
        point = {variables[name]: to_fmpq(x) for name, x in numbers.items()}
        expected = _made_at(metric, numbers, Rationals())
        if not any(_agree(made, expected, point) for made in symbolic):
            shown = ", ".join(f"{name} = {value}" for name, value in numbers.items())
            raise InvalidInput(
                f"{where} has a different fold with symbols for parameters than with the numbers {shown}"
            )
        constants = {name: Quotient.of(x) for name, x in numbers.items()}
        on_numbers = instructions(lambda at=numbers: _made_at(metric, at, Rationals()))  # type: ignore[misc]
        on_symbols = instructions(lambda at=constants: _made_at(metric, at, Exact()))  # type: ignore[misc]
        if on_numbers != on_symbols:
            raise InvalidInput(f"{where} runs different instructions if its parameters are symbols")


def check_own_symbols(metric: Metric, names: Sequence[str]) -> None:
    """Check that an external metric's scores are those of its fold, even with symbols for the given parameters.

    Metrics in the catalogue pass without a check.

    Raises:
        InvalidInput: The metric differs from its fold.

    """
    with settled(f"metric: {type(metric).__name__}"):
        if not runs_catalogue_code(metric):
            check_symbols(check_own_fold(metric), [name for name in names if name in metric.values])


def _points(metric: FoldMetric, names: Sequence[str], singled_out: Iterable[Fraction]) -> list[dict[str, Fraction]]:
    """Return the parameter values at which symbols and numbers are compared.

    These are the metric's own values, points inside the ranges, and the special values. Each special value is tried for
    all parameters at once, and for one at a time.
    """
    declared = {p.name: p for p in metric.declared}
    ranges = {name: range_of(declared[name]) for name in names}
    elsewhere: list[dict[str, Fraction]] = []
    for share in _ELSEWHERE:
        ends = enumerate(ranges.items(), start=1)
        elsewhere.append(
            {name: low + share**k * (3 if high is None else high - low) for k, (name, (low, high)) in ends}
        )
    own = {name: metric.values[name] for name in names}
    points = elsewhere if None in own.values() else [own, *elsewhere]  # None: the base of a logarithm is e
    for value in singled_out:
        inside = {name: value for name, (low, high) in ranges.items() if low < value and (high is None or value < high)}
        chosen = [inside, *({name: value} for name in inside)] if len(inside) > 1 else [inside] if inside else []
        points += [points[0] | values for values in chosen]
    return points


def _singled_out(codes: Iterable[CodeType], owners: Sequence[object]) -> list[Fraction]:
    """Return the values that code may treat as special: its constants, their ratios, and 1 minus each of them.

    Args:
        codes: Code objects that ran.
        owners: Objects whose attributes, classes and modules may contain constants.

    """
    classes = {cls for owner in owners for cls in type(owner).__mro__ if not is_own_class(cls)}
    spaces: list[Mapping[str, object]] = [*(getattr(owner, "__dict__", {}) for owner in owners), *map(vars, classes)]
    functions = [value for space in spaces for value in space.values() if isinstance(value, FunctionType)]
    spaces += [function.__globals__ for function in functions]
    constants = {Fraction(1)}
    for code in codes:
        constants.update(_numbers_in(code))
        for name in code.co_names:
            constants.update(*(_numbers_in(space[name]) for space in spaces if name in space))
    ratios = {x / y for x, y in product(constants, repeat=2) if y}
    return sorted({*ratios, *(1 - x for x in ratios)})


def _numbers_in(value: object) -> Iterator[Fraction]:
    """Yield the numbers in a constant, or in the constants of a code object."""
    if isinstance(value, CodeType):
        value = value.co_consts
    if isinstance(value, tuple | list | set | frozenset | dict):
        for part in value:
            yield from _numbers_in(part)
    elif isinstance(value, int | Fraction | Decimal | str) or (isinstance(value, float) and isfinite(value)):
        try:
            yield Fraction(str(value) if isinstance(value, float | Decimal) else value)
        except (ValueError, ZeroDivisionError, OverflowError):  # a string without a number, or a NaN Decimal
            return


def _made_at(metric: FoldMetric, values: Mapping[str, Value], a: Exact | Rationals) -> list[object]:
    """List scales, cost and discount at given parameter values, followed by the gains and states for some documents."""
    placed = metric.at(dict(values))
    assert isinstance(placed, FoldMetric)
    fold = placed.fold()
    made: list[object] = [placed.scale(m) for m in ((1, 2, 5) if placed.applies_to_aspects() else (1,))]
    made += [placed.cost(), type(fold.discount)]
    check_discount_class(fold.discount)
    state = fold.start(a)
    made += [*vars(fold.discount).values(), *state]
    for r in _GRADES:
        grade = to_fmpq(r)
        column = np.array([Quotient.of(grade) if isinstance(a, Exact) else grade], dtype=object)
        gain, state = fold.step(a, state, column)
        made += [gain, *state]
    return made


def _agree(made: Sequence[object], expected: Sequence[object], point: Mapping[Variable, fmpq]) -> bool:
    missing = object()
    return all(_equal(x, y, point) for x, y in zip_longest(made, expected, fillvalue=missing))


def _equal(made: object, expected: object, point: Mapping[Variable, fmpq]) -> bool:
    """Return True if a result on symbols has the expected value at a point, and the same type."""
    x, y = (one.reshape(-1)[0] if isinstance(one, np.ndarray) and one.size == 1 else one for one in (made, expected))
    x = x.at(point) if isinstance(x, Quotient) else x
    x, y = (to_fmpq(one) if isinstance(one, int | Fraction) else one for one in (x, y))
    return type(x) is type(y) and bool(x == y)
