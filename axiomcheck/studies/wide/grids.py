"""Grids of settings: a metric's name with ranges in the place of numbers, as in ``RBU(p=0.1..0.9/50, e=../20)@20``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod
from typing import Any

from axiomcheck.core.domain import exact
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import shown
from axiomcheck.metrics import Metric, Real, parse
from axiomcheck.metrics.spelling import Spelling, spelled
from axiomcheck.sources.names import is_foreign

CUTOFF = "k"
MOST_SETTINGS = 100_000
"""Of one grid."""

_RANGE = re.compile(r"(?P<low>[^/]*?)\s*\.\.\s*(?P<high>[^/]*?)\s*(?:/\s*(?P<count>[0-9]{1,9}))?")
_EXPECTED = "expected LOW..HIGH/COUNT, such as p=0.1..0.9/50, or p=../50 for the whole range that the metric declares"


@dataclass(frozen=True)
class GridAxis:
    """The values that one parameter takes, in ascending order.

    Args:
        name: of the parameter, or ``k`` for the cutoff.
        values: exact; whole numbers for ``k``.

    """

    name: str
    values: tuple[Fraction, ...]


@dataclass(frozen=True)
class SettingsGrid:
    """Every combination of the values of some parameters of one metric.

    Args:
        text: as typed.
        base: the metric at some values of what varies.
        axes: in the order in which they were typed; the last one changes fastest.

    """

    text: str
    base: Metric
    axes: tuple[GridAxis, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        """How many values each axis has."""
        return tuple(len(axis.values) for axis in self.axes)

    @property
    def size(self) -> int:
        """How many settings there are."""
        return prod(self.shape)

    @cached_property
    def metrics(self) -> tuple[Metric, ...]:
        """The metric at every setting.

        Raises:
            InvalidInput: the metric does not allow one of them.

        """
        found = []
        for point in product(*(axis.values for axis in self.axes)):
            given: dict[str, Any] = dict(zip((axis.name for axis in self.axes), point, strict=True))
            cutoff = int(given.pop(CUTOFF)) if CUTOFF in given else self.base.cutoff
            found.append(self.base.remade(cutoff, self.base.values | given))
        return tuple(found)

    def value_text(self, axis: int, index: int) -> str:
        """A value as the metric's names have it."""
        name, value = self.axes[axis].name, self.axes[axis].values[index]
        declared = {p.name: p for p in self.base.declared}
        return str(value) if name == CUTOFF else declared[name].text(value)


def read_grid(text: str) -> SettingsGrid:
    """The grid of a text.

    Args:
        text: a metric's name, in which the value of one parameter or more, or the cutoff, is a range.

    Raises:
        InvalidInput: the metric, a parameter or a range; the message says what is expected.

    """
    said = spelled(text)
    if is_foreign(text):
        raise InvalidInput(f"{text}: grids are of the catalogue's metrics only")
    if said is None:
        raise InvalidInput(f"cannot read {shown(text)} as a grid; {_EXPECTED}")
    ranges = {name: value for name, value in said.parameters().items() if ".." in value}
    cutoffs = said.after if said.after is not None and ".." in said.after else None
    if not ranges and cutoffs is None:
        raise InvalidInput(f"{text}: no range; {_EXPECTED}")
    plain = _without_ranges(said, ranges, cutoffs)
    declared = {p.name: p for p in plain.declared}
    axes = []
    for name, range_ in ranges.items():
        parameter = declared.get(name)
        if not isinstance(parameter, Real):
            reals = [p.range() for p in declared.values() if isinstance(p, Real)]
            raise InvalidInput(
                f"{text}: {said.name} has no parameter {name!r} with a range of numbers; "
                f"expected {', '.join(reals) or 'a range of cutoffs, such as @1..20'}"
            )
        axes.append(GridAxis(name, _values(plain, parameter, range_, f"{text}: {name}={range_}")))
    if cutoffs is not None:
        axes.append(GridAxis(CUTOFF, _cutoffs(cutoffs, f"{text}: @{cutoffs}")))
    size = prod(len(axis.values) for axis in axes)
    if size > MOST_SETTINGS:
        raise InvalidInput(f"{text}: {size:,} settings; expected at most {MOST_SETTINGS:,} in one grid")
    grid = SettingsGrid(text, plain, tuple(axes))
    try:
        assert grid.metrics
    except InvalidInput as error:
        raise InvalidInput(f"{text}: {error}") from None
    return grid


def _without_ranges(said: Spelling, ranges: Mapping[str, str], cutoffs: str | None) -> Metric:
    """The metric as typed, with its defaults where ranges are, and the first of a range of cutoffs."""
    inside = ", ".join(f"{name}={value}" for name, value in said.parameters().items() if name not in ranges)
    after = said.after if cutoffs is None else str(_cutoffs(cutoffs, f"{said.text}: @{cutoffs}")[0])
    return parse(said.name + (f"({inside})" if inside else "") + ("" if after is None else f"@{after}"))


def _values(metric: Metric, parameter: Real, text: str, said: str) -> tuple[Fraction, ...]:
    """Evenly spaced values; where no ends were typed, those of the declared range, if the metric allows them."""
    match = _RANGE.fullmatch(text.strip())
    if match is None or match["count"] is None or bool(match["low"]) != bool(match["high"]):
        raise InvalidInput(f"{said}: {_EXPECTED}")
    count = int(match["count"])
    if not 2 <= count <= MOST_SETTINGS:
        raise InvalidInput(f"{said}: {count} values; expected 2 to {MOST_SETTINGS:,}")
    before = after = 0
    if match["low"]:
        low, high = exact(match["low"], said), exact(match["high"], said)
    elif parameter.high is None:
        raise InvalidInput(f"{said}: {parameter.range()} has no upper end; expected LOW..HIGH/COUNT")
    else:
        low, high = parameter.low, parameter.high
        before, after = (int(not _allowed(metric, parameter, end)) for end in (low, high))
    if not low < high:
        raise InvalidInput(f"{said}: expected LOW < HIGH, got {low} and {high}")
    steps = count - 1 + before + after
    values = [low + (high - low) * Fraction(before + i, steps) for i in range(count)]
    try:
        return tuple(parameter.parse(value) for value in values)
    except InvalidInput as error:
        raise InvalidInput(f"{said}: {error}") from None


def _allowed(metric: Metric, parameter: Real, value: Fraction) -> bool:
    try:
        metric.remade(metric.cutoff, metric.values | {parameter.name: value})
    except InvalidInput:
        return False
    return True


def _cutoffs(text: str, said: str) -> tuple[Fraction, ...]:
    """Every whole number of a range."""
    match = re.fullmatch(r"\s*([0-9]{1,9})\s*\.\.\s*([0-9]{1,9})\s*", text)
    low, high = (int(match[1]), int(match[2])) if match else (0, 0)
    if not 1 <= low < high or high - low >= MOST_SETTINGS:
        raise InvalidInput(f"{said}: expected whole numbers LOW..HIGH with 1 <= LOW < HIGH, such as @1..20")
    return tuple(Fraction(k) for k in range(low, high + 1))
