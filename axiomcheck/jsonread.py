"""Reading JSON documents that people may have edited: every complaint says which entry and what was expected."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from axiomcheck.domain import Domain, Reading, Regime
from axiomcheck.errors import InvalidInput

__all__ = ["Reader", "between", "is_text", "read_header", "read_reading"]


class Reader:
    """Entries of one JSON object by dotted path.

    Args:
        document: the parsed document.
        what: what it is, for messages.

    Raises:
        InvalidInput: it is not an object.

    """

    def __init__(self, document: Any, what: str = "witness") -> None:
        if not isinstance(document, dict):
            raise InvalidInput(f"{what}: expected a JSON object")
        self.document = document
        self.what = what

    def get(self, path: str, check: Callable[[Any], bool], expected: str) -> Any:
        """The entry at a path, if it passes a check.

        Raises:
            InvalidInput: missing, or fails the check.

        """
        value: Any = self.document
        for key in path.split("."):
            if not isinstance(value, dict) or key not in value:
                raise InvalidInput(f"{self.what}: {path} is missing; expected {expected}")
            value = value[key]
        if check(value) is not True:
            raise InvalidInput(f"{self.what}: {path} is {value!r}; expected {expected}")
        return value


def is_text(value: Any) -> bool:
    """Whether a JSON value is a string."""
    return isinstance(value, str)


def between(low: int, high: int) -> Callable[[Any], bool]:
    """Whether a JSON value is a whole number from low to high."""
    return lambda v: isinstance(v, int) and not isinstance(v, bool) and low <= v <= high


def read_header(read: Reader, schema: str, version: int) -> None:
    """The entries ``schema`` and ``version``.

    Raises:
        InvalidInput: another kind of document, or another version.
    """
    read.get("schema", schema.__eq__, repr(schema))
    read.get("version", between(version, version), str(version))


def read_reading(read: Reader) -> Reading:
    """The entry ``reading``.

    Raises:
        InvalidInput: unknown regime or domain.

    """
    regimes, domains = [r.value for r in Regime], [d.value for d in Domain]
    return Reading(
        Regime(read.get("reading.regime", regimes.__contains__, f"one of {', '.join(regimes)}")),
        Domain(read.get("reading.domain", domains.__contains__, f"one of {', '.join(domains)}")),
    )
