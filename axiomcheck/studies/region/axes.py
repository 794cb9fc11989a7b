"""Parse and check the axes of a region: metric parameters, the cutoff k, and the grade rc of relevant documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod

from axiomcheck.axioms import Axiom
from axiomcheck.core.domain import Number, exact
from axiomcheck.core.errors import InvalidInput
from axiomcheck.metrics import Metric
from axiomcheck.metrics.parameters import Numeric, Real
from axiomcheck.sources.exactness import FunctionOwner

CUTOFF = "k"
GRADE = "rc"
MOST_CUTOFFS = 200
"""Largest cutoff for exact endpoints, since blocks of every n up to the cutoff are compared."""

MOST_SETTINGS = 5_000
"""Maximum number of settings in a grid, and maximum cutoff there. A setting takes up to a second."""

_USUAL_COUNTS = {1: 50, 2: 20}
"""Default number of values per real axis, keyed by the number of real axes. It is 10 for three or more."""

_EXPECTED = "expected NAME=LOW:HIGH, such as p=0.5:0.99, or NAME=LOW:HIGH:COUNT for a grid with that number of values"


@dataclass(frozen=True)
class Axis:
    """Quantity that varies over a region, with its range.

    Args:
        name: Name of a parameter, ``k`` (the cutoff), or ``rc`` (the grade of relevant documents).
        low, high: Endpoints of the range.
        low_open, high_open: Whether the endpoint is excluded because the metric does not allow it.
        default: The metric's own value; None if it has none.
        count: Number of values in a grid; None if not specified.
        whole: True if the axis has only integer values.
        cutoff: True for the cutoff, as opposed to a parameter named k.

    """

    name: str
    low: Fraction
    high: Fraction
    low_open: bool = False
    high_open: bool = False
    default: Fraction | None = None
    count: int | None = None
    whole: bool = False
    cutoff: bool = False

    @property
    def text(self) -> str:
        """Range of the axis in interval notation."""
        if self.whole:
            return f"{self.name} = {self.low}, ..., {self.high}"
        by = "" if self.count is None else f" by {self.count}"
        return (
            f"{self.name} in {'(' if self.low_open else '['}{self.low}, {self.high}{')' if self.high_open else ']'}{by}"
        )

    @property
    def values(self) -> tuple[Fraction, ...]:
        """Grid values in ascending order: every integer in the range, or `count` evenly spaced values.

        Both endpoints of the range are included unless the metric does not allow them.
        """
        if self.whole:
            return tuple(map(Fraction, range(int(self.low), int(self.high) + 1)))
        assert self.count is not None
        steps = self.count - 1 + self.low_open + self.high_open
        return tuple(self.low + (self.high - self.low) * Fraction(self.low_open + i, steps) for i in range(self.count))

    def around(self, low: Fraction, high: Fraction) -> tuple[float, float]:
        """Return the interval that represents the grid values from ``low`` to ``high`` in a chart.

        It extends halfway to the neighbouring values, or to the endpoint of the axis.
        """
        values = self.values
        first, last = values.index(low), values.index(high)
        left = (values[first - 1] + low) / 2 if first else self.low
        right = (high + values[last + 1]) / 2 if last + 1 < len(values) else self.high
        return float(left), float(right)


def grid_axes(axes: Sequence[Axis]) -> tuple[Axis, ...]:
    """Return the axes, with a default number of values where none is specified. Axes of integers are unchanged.

    Raises:
        InvalidInput: The grid would have too many settings.

    """
    usual = _USUAL_COUNTS.get(sum(not axis.whole for axis in axes), 10)
    found = tuple(axis if axis.whole or axis.count else replace(axis, count=usual) for axis in axes)
    size = prod(len(axis.values) for axis in found)
    if size > MOST_SETTINGS:
        raise InvalidInput(
            f"{size:,} settings; expected at most {MOST_SETTINGS:,}; choose smaller ranges, or fewer values per "
            "range, as in p=0.5:0.99:20"
        )
    return found


def read_axis(text: str, axiom: Axiom, metric: Metric, small: bool) -> Axis:
    """Parse an axis from a string such as ``p=0.5:0.99``, ``p=0.5:0.99:50`` or ``p=:``.

    Args:
        text: ``name=low:high`` or ``name=low:high:count``. Without endpoints, the declared range is used.
        axiom: Axiom to decide. Only threshold axioms accept an rc axis.
        metric: Metric to study. Its own value becomes the axis's default.
        small: Whether r << 1 is assumed. In that case, there is no rc.

    Raises:
        InvalidInput: The text, the name or the range is invalid. The message gives the accepted values.

    """
    said = f"--over {text!r}"
    name, _, rest = (part.strip() for part in text.partition("="))
    low, high, *counts = (part.strip() for part in rest.split(":")) if ":" in rest else ("", "?")
    if not name or bool(low) != bool(high) or len(counts) > 1 or not all(c.isdecimal() and len(c) < 10 for c in counts):
        raise InvalidInput(f"{said}: {_EXPECTED}")
    count = int(counts[0]) if counts else None
    if low:
        return axis_of(name, low, high, axiom, metric, small, said, count)
    declared = {p.name: p for p in metric.declared}.get(name)
    if declared is None and name not in (CUTOFF, GRADE):
        return axis_of(name, 0, 1, axiom, metric, small, said)  # raises the error that there is no such parameter
    if not isinstance(declared, Real) or declared.high is None:
        raise InvalidInput(f"{said}: {name} has no declared range with two endpoints; {_EXPECTED}")
    return axis_of(name, declared.low, declared.high, axiom, metric, small, said, count)


def axis_of(
    name: str,
    least: Number,
    most: Number,
    axiom: Axiom,
    metric: Metric,
    small: bool,
    said: str,
    count: int | None = None,
) -> Axis:
    """Create an axis from a name and a range.

    Args:
        name: Name of a parameter, ``k`` (the cutoff), or ``rc`` (the grade of relevant documents).
        least: Lower endpoint, as a number or text. A float stands for its decimal representation.
        most: Upper endpoint, in the same form.
        axiom: Axiom to decide. Only threshold axioms accept an rc axis.
        metric: Metric to study. Its own value becomes the axis's default.
        small: Whether r << 1 is assumed. In that case, there is no rc.
        said: Description of the axis for messages, such as ``--over p=0.5:0.99``.
        count: Number of values in a grid, or None.

    Raises:
        InvalidInput: The name or the range is invalid. The message gives the accepted values.

    """
    numeric = {p.name: p for p in metric.declared if isinstance(p, Real | Numeric)}
    parameter = numeric.get(name)
    ranges = [p.range() for p in numeric.values()] + [f"1 <= {CUTOFF} <= {MOST_SETTINGS}"]
    if not axiom.drawn:
        ranges.append(f"0 < {GRADE} <= 1 (in the finite regime)")
    if parameter is None and (name not in (CUTOFF, GRADE) or (name == GRADE and axiom.drawn)):
        what = "keyword parameter " if isinstance(metric, FunctionOwner) else ""
        raise InvalidInput(f"{said}: {metric.name} has no {what}{name!r} to vary here; expected {', '.join(ranges)}")
    if parameter is None and name == GRADE and small:
        raise InvalidInput(f"{said}: where r << 1 is assumed, there is no {GRADE}; use the finite regime")
    whole = parameter.whole if isinstance(parameter, Numeric) else parameter is None and name == CUTOFF
    if count is not None and (whole or parameter is None or not 2 <= count <= MOST_SETTINGS):
        every = "every integer" if parameter else "every cutoff" if whole else "a range of grades"
        several = f"a count from 2 to {MOST_SETTINGS:,}"
        expected = several if parameter and not whole else f"{every}, without a count"
        raise InvalidInput(f"{said}: a count of {count}; expected {expected}")
    low, high = exact(least, said), exact(most, said)
    if not low < high and not (whole and low == high):
        raise InvalidInput(f"{said}: expected LOW < HIGH, got {low} and {high}")
    if whole:
        outside = parameter is None and (low < 1 or high > MOST_SETTINGS)
        if low.denominator != 1 or high.denominator != 1 or outside:
            raise InvalidInput(f"{said}: expected integers{'' if parameter else f' with {ranges[len(numeric)]}'}")
    if whole and parameter is None:
        default = None if metric.cutoff is None else Fraction(metric.cutoff)
        return Axis(name, low, high, default=default, whole=True, cutoff=True)
    if parameter is None:
        if low < 0 or high > 1:
            raise InvalidInput(f"{said} is out of range; expected 0 < {GRADE} <= 1")
        return Axis(name, low, high, low_open=low == 0)
    missing = [_left_out(metric, parameter, end, said) for end in (low, high)]
    return Axis(name, low, high, missing[0], missing[1], Fraction(metric.values[name]), count, whole)


def _left_out(metric: Metric, parameter: Real | Numeric, end: Fraction, said: str) -> bool:
    """Return True if the metric rejects an endpoint that the axis shares with the parameter's declared range.

    Raises:
        InvalidInput: The metric rejects the endpoint, which lies inside the parameter's declared range.

    """
    try:
        metric.remade(metric.cutoff, metric.values | {parameter.name: end})
    except InvalidInput as error:
        if isinstance(parameter, Numeric) or end not in (parameter.low, parameter.high):
            raise InvalidInput(f"{said}: {error}") from None
        return True
    return False
