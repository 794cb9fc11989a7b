"""The harness of every test that tampers with a document: changes by path, and whether a check refuses them."""

import copy
import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from axiomcheck.core.errors import InvalidInput

Document = dict[str, Any]
Change = Callable[[Any], object]
Steps = tuple[str | int, ...]

DROP = object()
"""In place of a value: the entry is taken out."""


def steps_of(path: str | Steps) -> Steps:
    """The steps of a dotted path; numbers pick from lists."""
    return tuple(path.split(".")) if isinstance(path, str) else path


def at(document: Any, path: str | Steps) -> Any:
    for step in steps_of(path):
        document = document[int(step) if isinstance(document, list) else step]
    return document


def spot(document: Any, path: str | Steps) -> tuple[Any, str | int]:
    """The object or list that a path ends in, and the key or index there."""
    *outer, last = steps_of(path)
    parent = at(document, tuple(outer))
    return parent, int(last) if isinstance(parent, list) else last


def put(path: str | Steps, value: Any) -> Change:
    """Sets an entry, which must not be so already, or takes it out (`DROP`)."""

    def change(document: Any) -> None:
        parent, last = spot(document, path)
        if value is DROP:
            del parent[last]
            return
        before = parent.get(last, DROP) if isinstance(parent, dict) else parent[last]
        assert before is DROP or json.dumps(before) != json.dumps(value), f"{path} is {value!r} already"
        parent[last] = copy.deepcopy(value)

    change.__name__ = f"{'.'.join(map(str, steps_of(path)))}={'' if value is DROP else value}"
    return change


def both(*changes: Change) -> Change:
    def change(document: Any) -> None:
        for each in changes:
            each(document)

    return change


def changed(document: Any, change: Change) -> Any:
    """A copy with a change, which has to be one."""
    other = copy.deepcopy(document)
    change(other)
    assert json.dumps(other) != json.dumps(document), "nothing was changed"
    return other


def refused(check: Callable[[Any], object], document: Any, about: str = "") -> str:
    """The one line with which a check refuses a document; ``about`` is a pattern that it matches."""
    with pytest.raises(InvalidInput, match=about or None) as raised:
        check(document)
    assert "\n" not in str(raised.value)
    return str(raised.value)


def tampered(check: Callable[[Any], object], document: Any, change: Change, about: str = "") -> str:
    """Check that a document is accepted, and refused with a change; return the message, as `refused` does."""
    _accepted(check, json.dumps(document))
    return refused(check, changed(document, change), about)


@cache
def _accepted(check: Callable[[Any], object], text: str) -> None:
    check(json.loads(text))


def walk(value: Any, steps: Steps = ()) -> Iterator[tuple[Steps, Any]]:
    """Every place of a document, and what is there."""
    yield steps, value
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield from walk(value[key], (*steps, key))
