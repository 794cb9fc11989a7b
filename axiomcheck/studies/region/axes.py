"""What may be varied: a metric's parameters, its cutoff k, and the grade rc of relevant documents."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from axiomcheck.axioms import Axiom, about_blocks
from axiomcheck.core.domain import Number, exact
from axiomcheck.core.errors import InvalidInput
from axiomcheck.metrics import Metric
from axiomcheck.metrics.parameters import Real

CUTOFF = "k"
GRADE = "rc"
MOST_CUTOFFS = 200
"""The largest cutoff that is looked at; the blocks of every n up to it are compared."""


@dataclass(frozen=True)
class Axis:
    """One thing that is varied.

    Args:
        name: of a parameter, ``k``, or ``rc``.
        low, high: the ends; whole numbers for ``k``.
        low_open, high_open: whether an end itself is left out, because the metric does not allow it.
        default: the metric's own value, None where it has none.

    """

    name: str
    low: Fraction
    high: Fraction
    low_open: bool = False
    high_open: bool = False
    default: Fraction | None = None

    @property
    def whole(self) -> bool:
        """Whether only whole numbers are meant."""
        return self.name == CUTOFF

    @property
    def text(self) -> str:
        """The range as an interval."""
        if self.whole:
            return f"{self.name} = {self.low}, ..., {self.high}"
        return f"{self.name} in {'(' if self.low_open else '['}{self.low}, {self.high}{')' if self.high_open else ']'}"


def read_axis(text: str, axiom: Axiom, metric: Metric, small: bool) -> Axis:
    """The axis of a text such as ``p=0.5:0.99``.

    Args:
        text: name=low:high.
        axiom: rc is an axis of the threshold axioms only.
        metric: of the catalogue, at whatever values.
        small: whether r << 1 is assumed, where there is no rc.

    Raises:
        InvalidInput: the text, the name or the range; the message says what is accepted.

    """
    name, equals, rest = text.partition("=")
    name = name.strip()
    low_text, colon, high_text = rest.partition(":")
    if not (name and equals and colon):
        raise InvalidInput(f"--over {text!r}: expected NAME=LOW:HIGH, such as p=0.5:0.99")
    return axis_of(name, low_text.strip(), high_text.strip(), axiom, metric, small, f"--over {text!r}")


def axis_of(name: str, least: Number, most: Number, axiom: Axiom, metric: Metric, small: bool, said: str) -> Axis:
    """The axis of a name and a range.

    Args:
        name: of a parameter, ``k`` or ``rc``.
        least: the lower end: a number, or a text of one; a float stands for its decimals.
        most: the upper end.
        axiom: rc is an axis of the threshold axioms only.
        metric: of the catalogue, at whatever values.
        small: whether r << 1 is assumed, where there is no rc.
        said: what messages call the axis.

    Raises:
        InvalidInput: the name or the range; the message says what is accepted.

    """
    reals = {p.name: p for p in metric.declared if isinstance(p, Real)}
    ranges = [p.range() for p in reals.values()] + [f"1 <= {CUTOFF} <= {MOST_CUTOFFS}"]
    if about_blocks(axiom):
        ranges.append(f"0 < {GRADE} <= 1 (in the finite regime)")
    if name not in {*reals, CUTOFF, GRADE} or (name == GRADE and not about_blocks(axiom)):
        raise InvalidInput(f"{said}: {metric.name} has no {name!r} to vary here; expected {', '.join(ranges)}")
    if name == GRADE and small:
        raise InvalidInput(f"{said}: where r << 1 is assumed there is no {GRADE}; ask in the finite regime")
    low, high = exact(least, said), exact(most, said)
    if not low < high and not (name == CUTOFF and low == high):
        raise InvalidInput(f"{said}: expected LOW < HIGH, got {low} and {high}")
    if name == CUTOFF:
        if low.denominator != 1 or high.denominator != 1 or low < 1 or high > MOST_CUTOFFS:
            raise InvalidInput(f"{said}: expected whole numbers with {ranges[len(reals)]}")
        default = None if metric.cutoff is None else Fraction(metric.cutoff)
        return Axis(name, low, high, default=default)
    if name == GRADE:
        if low < 0 or high > 1:
            raise InvalidInput(f"{said} is out of range; expected 0 < {GRADE} <= 1")
        return Axis(name, low, high, low_open=low == 0)
    parameter = reals[name]
    missing = [_left_out(metric, parameter, end, said) for end in (low, high)]
    return Axis(name, low, high, missing[0], missing[1], metric.values[name])


def _left_out(metric: Metric, parameter: Real, end: Fraction, said: str) -> bool:
    """Whether an end of the range is one of the parameter's own that the metric does not allow."""
    try:
        metric.remade(metric.cutoff, metric.values | {parameter.name: end})
    except InvalidInput as error:
        if end not in (parameter.low, parameter.high):
            raise InvalidInput(f"{said}: {error}") from None
        return True
    return False
