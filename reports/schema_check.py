"""Checks a document against the part of JSON Schema (draft 2020-12) that `matrix.schema.json` uses.

Reading a report back needs no further dependency this way, and has one description of what is well-formed. A keyword
that is not known here is an error, so that the schema cannot ask for something that goes unchecked.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

__all__ = ["first_fault"]

Schema = dict[str, Any] | bool

_ANNOTATIONS = frozenset({"$schema", "$id", "$defs", "title", "description", "then", "else"})
_TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
    "integer": lambda v: not isinstance(v, bool) and (isinstance(v, int) or (isinstance(v, float) and v.is_integer())),
    "number": lambda v: isinstance(v, int | float) and not isinstance(v, bool),
}


def first_fault(document: Any, schema: dict[str, Any]) -> str | None:
    """Where a document breaks a schema, and what was expected there; None where it does not.

    Args:
        document: parsed JSON.
        schema: a schema whose references are all of the form ``#/$defs/name``.

    Raises:
        NotImplementedError: the schema uses a keyword that is not checked here.

    """
    return _Checker(schema.get("$defs", {})).fault(document, schema, "")


def _same(a: Any, b: Any) -> bool:
    """Equal as JSON: true is not 1."""
    return bool(a == b) and isinstance(a, bool) == isinstance(b, bool)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


class _Checker:
    def __init__(self, definitions: dict[str, Schema]) -> None:
        self.definitions = definitions

    def fault(self, value: Any, schema: Schema, path: str) -> str | None:
        if isinstance(schema, bool):
            return None if schema else f"{path} is not expected here"
        for keyword, wanted in schema.items():
            if keyword in _ANNOTATIONS:
                continue
            if keyword == "if":
                found = self._conditional(value, schema, path)
            else:
                method = getattr(self, f"_{keyword.replace('$', '')}", None)
                if method is None:
                    raise NotImplementedError(f"JSON Schema keyword {keyword!r}")
                found = method(value, wanted, path, schema)
            if found is not None:
                return str(found)
        return None

    def _conditional(self, value: Any, schema: dict[str, Any], path: str) -> str | None:
        met = self.fault(value, schema["if"], path) is None
        return self.fault(value, schema.get("then" if met else "else", True), path)

    def _ref(self, value: Any, wanted: str, path: str, schema: Schema) -> str | None:
        return self.fault(value, self.definitions[wanted.removeprefix("#/$defs/")], path)

    def _allOf(self, value: Any, wanted: list[Schema], path: str, schema: Schema) -> str | None:  # noqa: N802
        return next((f for s in wanted if (f := self.fault(value, s, path)) is not None), None)

    def _type(self, value: Any, wanted: str | list[str], path: str, schema: Schema) -> str | None:
        names = [wanted] if isinstance(wanted, str) else wanted
        if any(_TYPES[name](value) for name in names):
            return None
        return f"{path or 'the document'} is {_shown(value)}; expected {' or '.join(names)}"

    def _const(self, value: Any, wanted: Any, path: str, schema: Schema) -> str | None:
        return None if _same(value, wanted) else f"{path} is {_shown(value)}; expected {wanted!r}"

    def _enum(self, value: Any, wanted: list[Any], path: str, schema: Schema) -> str | None:
        if any(_same(value, choice) for choice in wanted):
            return None
        return f"{path} is {_shown(value)}; expected one of {', '.join(map(repr, wanted))}"

    def _pattern(self, value: Any, wanted: str, path: str, schema: Schema) -> str | None:
        if not isinstance(value, str) or (re.search(wanted, value) and not value.endswith("\n")):
            return None
        return f"{path} is {_shown(value)}; expected text like {wanted}"

    def _minimum(self, value: Any, wanted: float, path: str, schema: Schema) -> str | None:
        if not _TYPES["number"](value) or value >= wanted:
            return None
        return f"{path} is {value}; expected {wanted} or more"

    def _maximum(self, value: Any, wanted: float, path: str, schema: Schema) -> str | None:
        if not _TYPES["number"](value) or value <= wanted:
            return None
        return f"{path} is {value}; expected {wanted} or less"

    def _minLength(self, value: Any, wanted: int, path: str, schema: Schema) -> str | None:  # noqa: N802
        return f"{path} is empty" if isinstance(value, str) and len(value) < wanted else None

    def _minItems(self, value: Any, wanted: int, path: str, schema: Schema) -> str | None:  # noqa: N802
        return self._sized(value, list, wanted, None, path, "entries")

    def _maxItems(self, value: Any, wanted: int, path: str, schema: Schema) -> str | None:  # noqa: N802
        return self._sized(value, list, 0, wanted, path, "entries")

    def _minProperties(self, value: Any, wanted: int, path: str, schema: Schema) -> str | None:  # noqa: N802
        return self._sized(value, dict, wanted, None, path, "entries")

    def _maxProperties(self, value: Any, wanted: int, path: str, schema: Schema) -> str | None:  # noqa: N802
        return self._sized(value, dict, 0, wanted, path, "entries")

    def _sized(self, value: Any, kind: type, least: int, most: int | None, path: str, what: str) -> str | None:
        if not isinstance(value, kind):
            return None
        size = len(value)  # type: ignore[arg-type]
        if size < least:
            return f"{path} has {size} {what}; expected {least} or more"
        return f"{path} has {size} {what}; expected {most} at most" if most is not None and size > most else None

    def _uniqueItems(self, value: Any, wanted: bool, path: str, schema: Schema) -> str | None:  # noqa: N802
        if not wanted or not isinstance(value, list) or all(v not in value[:k] for k, v in enumerate(value)):
            return None
        return f"{path} has an entry twice"

    def _items(self, value: Any, wanted: Schema, path: str, schema: Schema) -> str | None:
        items = enumerate(value) if isinstance(value, list) else ()
        return next((f for k, v in items if (f := self.fault(v, wanted, f"{path}[{k}]")) is not None), None)

    def _required(self, value: Any, wanted: list[str], path: str, schema: Schema) -> str | None:
        missing = [key for key in wanted if key not in value] if isinstance(value, dict) else []
        return f"{_join(path, missing[0])} is missing" if missing else None

    def _properties(self, value: Any, wanted: dict[str, Schema], path: str, schema: Schema) -> str | None:
        present = [key for key in wanted if key in value] if isinstance(value, dict) else []
        return next((f for k in present if (f := self.fault(value[k], wanted[k], _join(path, k))) is not None), None)

    def _additionalProperties(self, value: Any, wanted: Schema, path: str, schema: Any) -> str | None:  # noqa: N802
        named = schema.get("properties", {})
        others = [key for key in value if key not in named] if isinstance(value, dict) else []
        return next((f for k in others if (f := self.fault(value[k], wanted, _join(path, k))) is not None), None)

    def _propertyNames(self, value: Any, wanted: Schema, path: str, schema: Schema) -> str | None:  # noqa: N802
        names = list(value) if isinstance(value, dict) else []
        return next((f for k in names if (f := self.fault(k, wanted, f"a name in {path}")) is not None), None)


def _join(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key
