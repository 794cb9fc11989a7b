"""Reading JSON documents that people may have edited: every complaint says which entry and what was expected."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from fractions import Fraction
from typing import Any

from axiomcheck.core.domain import Domain, Reading, Regime
from axiomcheck.core.errors import InvalidInput

__all__ = [
    "Reader",
    "between",
    "difference",
    "exactly",
    "fraction_of",
    "is_text",
    "parse_json",
    "path_text",
    "read_header",
    "read_reading",
    "shortened",
]

_DEEPEST = 64
"""How many objects and lists may be in one another; those of reports are at most a dozen."""

_MOST_DIGITS = 400
"""Of a whole number, or of either part of a fraction: as many as numbers of metrics may have."""

_SHOWN = 200
"""Characters of a value that a message shows."""

_FRACTION = re.compile(rf"-?(0|[1-9][0-9]{{0,{_MOST_DIGITS - 1}}})(/[1-9][0-9]{{0,{_MOST_DIGITS - 1}}})?")
_PLAIN_KEY = re.compile(r"[A-Za-z0-9_'#-]+")


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
            raise InvalidInput(f"{self.what}: {path} is {shortened(value)}; expected {expected}")
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


def shortened(value: Any) -> str:
    """A value for a message, cut where it is long."""
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


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


# Parsing


class _Refused:
    """What stands in a parsed document where JSON has something that is not read."""

    def __init__(self, why: str) -> None:
        self.why = why


def parse_json(text: str) -> Any:
    """The value of a JSON text.

    Stricter than `json.loads`, it refuses an entry twice in one object, NaN, infinities and numbers out of range, whole
    numbers of more than 400 digits, lone surrogates in texts, and objects and lists that are more than 64 deep.

    Raises:
        InvalidInput: not JSON (with line and column), or not read (with the path).

    """
    try:
        document = json.loads(
            text, object_pairs_hook=_object, parse_int=_whole, parse_float=_float, parse_constant=_constant
        )
    except json.JSONDecodeError as error:
        raise InvalidInput(f"line {error.lineno}, column {error.colno}: not JSON ({error.msg})") from None
    except RecursionError:
        raise InvalidInput(f"not JSON that is read: objects and lists are more than {_DEEPEST} deep") from None
    for steps, why in _refused(document, []):
        raise InvalidInput(f"{path_text(steps) or 'the document'}: not JSON that is read: {why}")
    return document


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        found[key] = _Refused("the entry is there twice") if key in found else value
    return found


def _whole(text: str) -> int | _Refused:
    digits = len(text.lstrip("-"))
    if digits > _MOST_DIGITS:
        return _Refused(f"a whole number of {digits:,} digits; expected at most {_MOST_DIGITS}")
    return int(text)


def _float(text: str) -> float | _Refused:
    value = float(text)
    return value if math.isfinite(value) else _Refused(f"{text[:40]} is out of range")


def _constant(name: str) -> _Refused:
    return _Refused(f"{name} is not a number")


def _refused(value: Any, steps: list[str | int]) -> Iterator[tuple[list[str | int], str]]:
    """Every place that is not read, and why."""
    if isinstance(value, _Refused):
        yield steps, value.why
    elif isinstance(value, str):
        if not _is_unicode(value):
            yield steps, "text with half of a surrogate pair"
    elif isinstance(value, dict | list):
        if len(steps) >= _DEEPEST:
            yield steps[:3], f"objects and lists are more than {_DEEPEST} deep"
            return
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(key, str) and not _is_unicode(key):
                yield steps, "a name with half of a surrogate pair"
            yield from _refused(inner, [*steps, key])


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


# Places


def path_text(steps: Sequence[str | int]) -> str:
    """A place in a document, such as ``cells[12].certificate.scope.n``; empty for the document itself."""
    text = ""
    for step in steps:
        if isinstance(step, int):
            text += f"[{step}]"
        elif _PLAIN_KEY.fullmatch(step):
            text += f".{step}" if text else step
        else:
            text += f"[{json.dumps(step)[:_SHOWN]}]"
    return text


def difference(value: Any, expected: Any, steps: Sequence[str | int] = ()) -> str | None:
    """Where and how a JSON value is not an expected one; None where it is, type by type.

    Args:
        value: what a document has.
        expected: what it has to have; the order of entries of an object does not matter.
        steps: where the value stands.

    """
    where = path_text(steps)
    if isinstance(expected, dict) and isinstance(value, dict):
        for key in expected:
            if key not in value:
                return f"{path_text([*steps, key])} is missing; expected {shortened(expected[key])}"
        for key in value:
            if key not in expected:
                return f"{path_text([*steps, key])} is not expected; expected {', '.join(map(str, expected)) or 'none'}"
        found = (difference(value[key], expected[key], [*steps, key]) for key in expected)
        return next(filter(None, found), None)
    if isinstance(expected, list) and isinstance(value, list) and len(value) == len(expected):
        pairs = enumerate(zip(value, expected, strict=True))
        return next(filter(None, (difference(v, e, [*steps, k]) for k, (v, e) in pairs)), None)
    if type(value) is type(expected) and value == expected:
        return None
    return f"{where or 'it'} is {shortened(value)}; expected {shortened(expected)}"
