"""Types of metric parameters. A parameter has a name, a default and a range, which error messages state."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from axiomcheck.core.domain import exact
from axiomcheck.core.errors import InvalidInput


def _decimal(value: Fraction) -> str:
    """Return the shortest decimal that equals a fraction, such as ``0.8``, or else the fraction, such as ``1/3``."""
    short = repr(float(value))
    short = short.removesuffix(".0")
    return short if Fraction(short) == value else str(value)


@dataclass(frozen=True)
class Parameter(ABC):
    """Declared parameter of a metric. Subclasses define the type of its values.

    Args:
        name: Name that users write, as in ``RBP(p=0.9)``.
        default: Default value.
        description: Meaning of the parameter, for `axiomcheck list metrics`.
        decisive: True if canonical names always show the parameter, because verdicts depend on it.

    """

    name: str
    default: Any
    description: str = ""
    decisive: bool = True

    @abstractmethod
    def parse(self, value: object) -> Any:
        """Convert a user's input to a value of the parameter.

        Raises:
            InvalidInput: The input has the wrong type or is out of range. The message states the range.

        """

    @abstractmethod
    def text(self, value: Any) -> str:
        """Format a value as text that `parse` converts back to the value."""

    @abstractmethod
    def range(self) -> str:
        """Return the accepted values as text for messages, such as ``0 < p <= 1``."""


def _fraction(name: str, value: Any, expected: str) -> Fraction:
    try:
        number = exact(value, name)
        float(number)
    except (InvalidInput, OverflowError):
        raise InvalidInput(f"{name}={value!r:.60}: expected {expected}") from None
    if number and not float(number):
        raise InvalidInput(f"{name}={value!r} is so close to 0 that floats round it to 0; expected {expected}")
    return number


@dataclass(frozen=True)
class Real(Parameter):
    """Real number in a range, stored as an exact fraction (0.8 as 4/5).

    Args:
        low, high: Endpoints of the range. If ``high`` is None, the range has no upper endpoint.
        low_open, high_open: True if the endpoint is excluded.

    """

    low: Fraction = Fraction(0)
    high: Fraction | None = Fraction(1)
    low_open: bool = True
    high_open: bool = True

    def __post_init__(self) -> None:
        if self.low is None:
            raise InvalidInput(f"Real({self.name!r}): low is None; expected a number, since only high may be None")
        for end in ("low", "high"):
            given = getattr(self, end)
            if given is not None and type(given) is not Fraction:
                object.__setattr__(self, end, exact(given, f"Real({self.name!r}): {end}"))

    def range(self) -> str:
        """Return the range as text, such as ``0 < p <= 1``."""
        left = f"{_decimal(self.low)} {'<' if self.low_open else '<='} {self.name}"
        return left if self.high is None else f"{left} {'<' if self.high_open else '<='} {_decimal(self.high)}"

    def parse(self, value: object) -> Fraction:
        """Return the value as an exact fraction. Floats are converted from their decimal text."""
        number = _fraction(self.name, value, f"a number with {self.range()}")
        too_low = number <= self.low if self.low_open else number < self.low
        too_high = self.high is not None and (number >= self.high if self.high_open else number > self.high)
        if too_low or too_high:
            raise InvalidInput(f"{self.name}={_decimal(number)} is out of range; expected {self.range()}")
        return number

    def text(self, value: Fraction) -> str:
        """Format a value as a decimal, or as a fraction if it has no short decimal."""
        return _decimal(value)


@dataclass(frozen=True)
class Numeric(Parameter):
    """Number without a declared range, such as a keyword argument of a user's function.

    Args:
        whole: True if values are integers; otherwise they are exact fractions.

    """

    whole: bool = False

    def range(self) -> str:
        """Return text such as ``k, a whole number``."""
        return f"{self.name}, a {'whole ' if self.whole else ''}number"

    def parse(self, value: object) -> Fraction | int:
        """Return the value as an integer or an exact fraction. Floats are converted from their decimal text."""
        expected = "an integer, like its default" if self.whole else "a number"
        number = _fraction(self.name, value, expected)
        if self.whole and number.denominator != 1:
            raise InvalidInput(f"{self.name}={_decimal(number)}: expected {expected}")
        return int(number) if self.whole else number

    def text(self, value: Fraction | int) -> str:
        """Format a value as a decimal, or as a fraction if it has no short decimal."""
        return _decimal(Fraction(value))


@dataclass(frozen=True)
class Base(Parameter):
    """Base of a logarithm: a number above 1, or ``e`` for the natural logarithm, which is stored as None."""

    def range(self) -> str:
        """Return text such as ``log > 1, or log=e``."""
        return f"{self.name} > 1, or {self.name}=e"

    def parse(self, value: object) -> Fraction | None:
        """Return the base as an exact fraction, or None for e."""
        if value is None or value == "e":
            return None
        number = _fraction(self.name, value, self.range())
        if float(number) <= 1:
            raise InvalidInput(f"{self.name}={_decimal(number)} is out of range; expected {self.range()}")
        return number

    def text(self, value: Fraction | None) -> str:
        """Format the base as a decimal or a fraction, or None as ``e``."""
        return "e" if value is None else _decimal(value)


@dataclass(frozen=True)
class Flag(Parameter):
    """Boolean parameter, written as ``yes`` or ``no``."""

    def range(self) -> str:
        """Return text such as ``weighted=yes or weighted=no``."""
        return f"{self.name}=yes or {self.name}=no"

    def parse(self, value: object) -> bool:
        """Convert ``yes`` or ``true`` to True, and ``no`` or ``false`` to False, in any case. Accept a bool."""
        answers = {"yes": True, "true": True, "no": False, "false": False}
        if isinstance(value, bool):
            return value
        if isinstance(value, str) and value.casefold() in answers:
            return answers[value.casefold()]
        raise InvalidInput(f"{self.name}={value!r}: expected {self.range()}")

    def text(self, value: bool) -> str:
        """Return ``yes`` for True and ``no`` for False."""
        return "yes" if value else "no"


@dataclass(frozen=True)
class Choice(Parameter):
    """Parameter whose value is one of several words.

    Args:
        choices: Accepted words.

    """

    choices: tuple[str, ...] = ()

    def range(self) -> str:
        """Return text such as ``order=mean or order=ratio``."""
        return " or ".join(f"{self.name}={c}" for c in self.choices)

    def parse(self, value: object) -> str:
        """Return the word if it is one of the choices."""
        if value in self.choices:
            return str(value)
        raise InvalidInput(f"{self.name}={value!r}: expected {self.range()}")

    def text(self, value: str) -> str:
        """Return the word itself."""
        return str(value)
