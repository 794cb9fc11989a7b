"""Reading certificates, which people may have edited: every complaint says which entry and what was expected."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from fractions import Fraction
from typing import Any

from axiomcheck.core.documents import difference, path_text
from axiomcheck.core.domain import Domain, Reading, Regime
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import shown

_MOST_DIGITS = 400
"""Of either part of a fraction: as many as numbers of metrics may have."""

_FRACTION = re.compile(rf"-?(0|[1-9][0-9]{{0,{_MOST_DIGITS - 1}}})(/[1-9][0-9]{{0,{_MOST_DIGITS - 1}}})?")


class Reader:
    """Entries of one JSON object by dotted path.

    Args:
        document: the parsed document.
        what: what it is, for messages.

    Raises:
        InvalidInput: it is not an object.

    """

    def __init__(self, document: Any, what: str) -> None:
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
            raise InvalidInput(f"{self.what}: {path} is {shown(value)}; expected {expected}")
        return value

    def has_only(self, path: str, known: Collection[str]) -> None:
        """Checks that an object has no entries but known ones.

        Args:
            path: of the object; empty for the document.
            known: the entries that it may have.

        Raises:
            InvalidInput: another entry, or no object.

        """
        value = self.get(path, lambda v: isinstance(v, dict), "an object") if path else self.document
        for key in value:
            if key not in known:
                at = path_text([*filter(None, path.split(".")), key])
                raise InvalidInput(f"{self.what}: {at} is not known; expected {', '.join(sorted(known))}")


def is_text(value: Any) -> bool:
    """Whether a JSON value is a string."""
    return isinstance(value, str)


def between(low: int, high: int) -> Callable[[Any], bool]:
    """Whether a JSON value is a whole number from low to high."""
    return lambda v: isinstance(v, int) and not isinstance(v, bool) and low <= v <= high


def exactly(expected: Any) -> Callable[[Any], bool]:
    """Whether a JSON value is an expected one, of the same type at every place (``True``, ``1`` and ``1.0`` differ)."""
    return lambda value: difference(value, expected) is None


def fraction_of(text: Any) -> Fraction | None:
    """The fraction that a text is in lowest terms, in ASCII digits, as ``str`` writes it; None for anything else."""
    if not isinstance(text, str) or _FRACTION.fullmatch(text) is None:
        return None
    value = Fraction(text)
    return value if str(value) == text else None


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
