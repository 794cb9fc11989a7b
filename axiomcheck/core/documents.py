"""Convert JSON documents to typed records and back, and describe records with JSON Schemas.

A document type is a subclass of `Record`. `read` converts a parsed document to a record. Its error messages give the
path and the value of an invalid entry, and say what was expected. `document_of` converts a record back to JSON, and
`schema_of` returns a JSON Schema. A record checks relations between its fields in ``__post_init__``, and raises a
ValueError whose message begins with the name of the invalid entry.
"""

from __future__ import annotations

import json
import math
import os
import re
import threading
from collections.abc import Iterator, Sequence
from inspect import cleandoc
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, dataclass_transform

import msgspec
from msgspec import UNSET, UnsetType, inspect

from axiomcheck.core.errors import InvalidInput, meant
from axiomcheck.core.printable import counted, shown

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

__all__ = [
    "UNSET",
    "Maybe",
    "Record",
    "convert",
    "decode",
    "difference",
    "document_of",
    "parse_json",
    "path_text",
    "read",
    "schema_of",
]

T = TypeVar("T")

Maybe: TypeAlias = T | UnsetType
"""Type of an optional entry. A missing entry has the value `UNSET`, which is falsy; null has the value None."""

_DEEPEST = 64
"""Maximum nesting depth of objects and lists. Reports need about a dozen levels."""

_MOST_DIGITS = 400
"""Maximum number of digits in an integer. The text of a number has the same limit in `axiomcheck.core.domain`."""

_SHOWN = 200
"""Maximum length in characters of a quoted key in the text of a path."""

_PLAIN_KEY = re.compile(r"[A-Za-z0-9_'#-]+")


# Without the decorator, type checkers do not see that subclasses are data classes.
@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base class of JSON documents and of the objects inside them.

    The entries of an object are its fields, in order. A field without a default is required. An integer field accepts
    neither a bool nor a number with a decimal point.
    """


def document_of(record: Record | DataclassInstance) -> dict[str, Any]:
    """Convert a record, or a data class of records, to a JSON object as `parse_json` returns it."""
    plain: dict[str, object] = msgspec.to_builtins(record)
    return {key: _listed(inner) for key, inner in plain.items()}


def _listed(value: object) -> object:
    """Convert all tuples in a value, at any depth, to lists."""
    if isinstance(value, dict):
        return {key: _listed(inner) for key, inner in value.items()}
    return [_listed(inner) for inner in value] if isinstance(value, list | tuple) else value


# Parsing


class _Refused:
    """Placeholder for a rejected value in a parsed document, with the reason for its rejection."""

    def __init__(self, why: str) -> None:
        self.why = why


def parse_json(text: str) -> Any:
    """Parse a JSON text more strictly than `json.loads` does.

    It rejects duplicate keys in an object, NaN, infinities, numbers that overflow, integers of more than 400 digits,
    strings with lone surrogates, and objects and lists that are nested more than 64 levels deep.

    Raises:
        InvalidInput: The text is not JSON (the message gives line and column), or has a rejected value (the message
            gives its path).

    """
    try:
        document = json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_whole,
            parse_float=_float,
            parse_constant=lambda name: _Refused(f"{name} is not a number"),
        )
    except json.JSONDecodeError as error:
        raise InvalidInput(f"line {error.lineno}, column {error.colno}: not JSON ({error.msg})") from None
    except RecursionError:
        raise InvalidInput(
            f"this JSON is not accepted: objects and lists are nested more than {_DEEPEST} deep"
        ) from None
    for steps, why in _refused(document, []):
        raise InvalidInput(f"{path_text(steps) or 'the document'}: this JSON is not accepted: {why}")
    return document


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        found[key] = _Refused("the entry occurs twice") if key in found else value
    return found


def _whole(text: str) -> int | _Refused:
    digits = len(text.lstrip("-"))
    if digits > _MOST_DIGITS:
        return _Refused(f"an integer of {counted(digits, 'digit')}; expected at most {_MOST_DIGITS}")
    return int(text)


def _float(text: str) -> float | _Refused:
    value = float(text)
    return value if math.isfinite(value) else _Refused(f"{text[:40]} is out of range")


def _refused(value: object, steps: list[str | int]) -> Iterator[tuple[list[str | int], str]]:
    """Yield the path of each value that is rejected, and the reason."""
    if isinstance(value, _Refused):
        yield steps, value.why
    elif isinstance(value, str):
        if not _is_unicode(value):
            yield steps, "text with a lone surrogate"
    elif isinstance(value, dict | list):
        if len(steps) >= _DEEPEST:
            yield steps[:3], f"objects and lists are nested more than {_DEEPEST} deep"
            return
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(key, str) and not _is_unicode(key):
                yield steps, "a name with a lone surrogate"
            yield from _refused(inner, [*steps, key])


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


# Conversion to a type

# msgspec builds a description of a type when it is first used. If another thread uses the type meanwhile, the process
# crashes with a segmentation fault (msgspec 0.22).
_describing = threading.RLock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_describing.acquire, after_in_parent=_describing.release, after_in_child=_describing.release
    )


def convert(document: object, kind: type[T]) -> T:
    """Convert a parsed document to a type that msgspec supports. Several threads may call this function at once.

    Raises:
        msgspec.ValidationError: The document does not have this type.

    """
    with _describing:
        return msgspec.convert(document, kind)


def decode(text: bytes, kind: Any) -> Any:
    """Parse a JSON text as a type that msgspec supports. Several threads may call this function at once.

    Raises:
        msgspec.DecodeError: The text is not JSON, or does not have this type.

    """
    with _describing:
        return msgspec.json.decode(text, type=kind)


# Reading


def read(kind: type[T], document: object, what: str, steps: Sequence[str | int] = (), *, python: bool = False) -> T:
    """Convert a parsed document to a record.

    Args:
        kind: Subclass of `Record`.
        document: Document as `parse_json` returns it, or a part of a document.
        what: Name of the whole document, for messages.
        steps: Path of the part within the whole document.
        python: True for arguments of a Python function, whose messages name None, True and False as Python does.

    Raises:
        InvalidInput: An entry is missing, unknown or invalid. The message gives its path.

    """
    try:
        return convert(document, kind)
    except msgspec.ValidationError as error:
        raise InvalidInput(f"{what}: {_complaint(kind, document, str(error), steps, python)}") from None


_FAULT = re.compile(r"(?P<what>.*?)( - at (?P<key>`key` in )?`\$(?P<place>[^`]*)`)?", re.DOTALL)
_STEP = re.compile(r"\.(\w+)|\[([0-9]+|\.\.\.)\]")
_FIELD = re.compile(r"Object (contains unknown|missing required) field `(.*)`", re.DOTALL)
_KINDS = {
    "`int`": "an integer",
    "`float`": "a number",
    "`str`": "a string",
    "`bool`": "true or false",
    "`array`": "a list",
    "`object`": "an object",
    "`null`": "null",
}
_IN_PYTHON = {"`bool`": "True or False", "`null`": "None"}


def _complaint(kind: type, document: object, message: str, before: Sequence[str | int], python: bool) -> str:
    """Convert msgspec's error message to one that gives the entry's path, its value, and what was expected."""
    fault = _FAULT.fullmatch(message)
    assert fault is not None
    steps, document = _spelled_out(kind, document, message, fault["place"] or "")
    what = fault["what"]
    field = _FIELD.fullmatch(what)
    if field is not None:
        where = path_text([*before, *steps, field[2]])
        if field[1] == "missing required":
            return f"{where} is missing"
        known = [known.encode_name for known in _type_at(kind, steps, *_OBJECTS).fields]
        expected = meant(field[2], known) or f"expected {', '.join(known)}"
        return f"{where} is not known; {expected}"
    if fault["key"]:
        keys = _at(document, steps)
        name = next((key for key in keys if _fails_so(kind, _with(document, steps, {key: keys[key]}), message)), "")
        return (
            f"{path_text([*before, *steps, name])} is not one of the expected names; expected {_expected(what, python)}"
        )
    where = path_text([*before, *steps])
    if what.startswith("Invalid enum value"):
        node = _type_at(kind, steps, inspect.EnumType, inspect.LiteralType)
        choices = [member.value for member in node.cls] if isinstance(node, inspect.EnumType) else node.values
        what = f"{'one of ' * (len(choices) > 1)}{', '.join(map(repr, choices))}"
    elif what.startswith("Expected "):
        what = _expected(what, python)
    else:  # message of a __post_init__ about an entry of this object
        return f"{where}.{what}" if where else what
    return f"{where or 'the document'} is {shown(_at(document, steps))}; expected {what}"


def _expected(what: str, python: bool) -> str:
    kinds = _KINDS | _IN_PYTHON if python else _KINDS
    what = what.removeprefix("Expected ").partition(", got ")[0]
    types, _, more = what.partition("` ")
    words = " or ".join(kinds.get(f"`{name}`", name) for name in types.strip("`").split(" | "))
    return f"{words} {more}".rstrip()


def _spelled_out(kind: type, document: object, message: str, place: str) -> tuple[list[str | int], object]:
    """Find the path of an invalid entry. In msgspec's message, ellipses stand for keys of dictionaries.

    Returns:
        The path, and the document without the other keys of these dictionaries, whose entries may have the same fault.

    """
    steps: list[str | int] = []
    for name, number in _STEP.findall(place):
        if number != "...":
            steps.append(name or int(number))
            continue
        inner = _at(document, steps)
        alone = ((key, _with(document, steps, {key: inner[key]})) for key in inner)
        key, document = next((key, narrowed) for key, narrowed in alone if _fails_so(kind, narrowed, message))
        steps.append(key)
    return steps, document


def _fails_so(kind: type, document: object, message: str) -> bool:
    try:
        convert(document, kind)
    except msgspec.ValidationError as error:
        return str(error) == message
    return False


def _at(document: Any, steps: Sequence[str | int]) -> Any:
    for step in steps:
        document = document[step]
    return document


def _with(document: Any, steps: Sequence[str | int], value: Any) -> Any:
    """Return a copy of a document with the value at a path replaced."""
    if not steps:
        return value
    first, *rest = steps
    changed = document.copy()
    changed[first] = _with(document[first], rest, value)
    return changed


_OBJECTS = (inspect.StructType, inspect.DataclassType)


def _type_at(kind: type, steps: Sequence[str | int], *wanted: type) -> Any:
    """Return msgspec's description of the type at a path. Of a union, return the first member of a wanted kind."""
    node = inspect.type_info(kind)
    for step in steps:
        node = _part(node, *_OBJECTS, inspect.DictType, inspect.TupleType, inspect.VarTupleType)
        if isinstance(node, _OBJECTS):
            node = next(field.type for field in node.fields if field.encode_name == step)
        elif isinstance(node, inspect.TupleType):
            node = node.item_types[int(step)]
        else:
            node = node.value_type if isinstance(node, inspect.DictType) else node.item_type
    return _part(node, *wanted)


def _part(node: object, *wanted: type) -> Any:
    """Return msgspec's description of the first member of a union (or of a single type) that has a wanted class."""
    if isinstance(node, inspect.Metadata):
        return _part(node.type, *wanted)
    parts = node.types if isinstance(node, inspect.UnionType) else [node]
    return next(part for part in parts if isinstance(part, wanted))


# Schemas


def schema_of(
    kinds: Sequence[type[Record]], name: str, version: int, parts: Sequence[type[Record]] = ()
) -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a document of one or more types.

    Args:
        kinds: Types that the document may have.
        name: Name of the schema, which is the value of the document's entry ``schema``.
        version: Version of the schema, which is the value of the document's entry ``version``.
        parts: Other types to define in the schema.

    """
    wholes, definitions = msgspec.json.schema_components([*kinds, *parts], ref_template="#/$defs/{name}")
    for definition in definitions.values():
        if "description" in definition:
            definition["description"] = cleandoc(definition["description"])
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:{name.replace('/', ':')}:{version}",
        **({"oneOf": list(wholes[: len(kinds)])} if len(kinds) > 1 else definitions.pop(kinds[0].__name__)),
        "title": name.replace("/", " "),
        "$defs": definitions,
    }


# Places


def path_text(steps: Sequence[str | int]) -> str:
    """Format a path in a document, such as ``cells[12].certificate.scope.n``; empty for the document itself."""
    text = ""
    for step in steps:
        if isinstance(step, int):
            text += f"[{step}]"
        elif _PLAIN_KEY.fullmatch(step):
            text += f".{step}" if text else step
        else:
            text += f"[{json.dumps(step)[:_SHOWN]}]"
    return text


def difference(value: object, expected: object, steps: Sequence[str | int] = ()) -> str | None:
    """Describe the first difference between a JSON value and the expected one, or return None if they are equal.

    Values of different types are never equal. The order of the keys of an object does not matter.

    Args:
        value: JSON value, or a record, which is converted to JSON.
        expected: Expected JSON value or record.
        steps: Path of the value, for the description.

    """
    value, expected = (document_of(v) if isinstance(v, Record) else v for v in (value, expected))
    where = path_text(steps)
    if isinstance(expected, dict) and isinstance(value, dict):
        for key in expected:
            if key not in value:
                return f"{path_text([*steps, key])} is missing; expected {shown(expected[key])}"
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
    return f"{where or 'it'} is {shown(value)}; expected {shown(expected)}"
