"""Every entry of a report, changed in every way that its type allows."""

import copy
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from axiomcheck.core.documents import path_text
from tests.support.tampering import Document, Steps, at, spot, walk

_ARABIC = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")
_NAMED_BY_DATA = {"pool", "ranges", "coefficients", "grades", "invariants", "keep", "parts", "zeta"}
"""Objects whose entries are named by what they are about, so that one entry is as good as another."""

_RAW = "@raw@"
"""A text in a mutant that stands for what JSON can spell and a parsed document cannot have."""


@dataclass(frozen=True)
class Mutant:
    """One change of one report.

    Args:
        place: the path, with * for the numbers of items and for names that are data.
        where: the path itself.
        kind: how it was changed.
        before: the value there, or None where it is about an entry that was not there.
        document: the altered report.
        raw: what stands in its text for `_RAW`; None where the document says it all.

    """

    place: str
    where: str
    kind: str
    before: Any
    document: Document
    raw: str | None = None

    @property
    def after(self) -> Any:
        """The value that stands there now; None where nothing does."""
        value: Any = self.document
        for step in self.steps:
            try:
                value = value[step]
            except (KeyError, IndexError, TypeError):
                return None
        return value

    steps: Steps = ()

    def text(self) -> str:
        """As JSON."""
        text = json.dumps(self.document, ensure_ascii=False)
        return text if self.raw is None else text.replace(f'"{_RAW}"', self.raw)


def place_of(steps: Sequence[str | int]) -> str:
    """A path with stars for what is data."""
    shown: list[str | int] = []
    for k, step in enumerate(steps):
        of = steps[k - 1] if k else ""
        shown.append("*" if isinstance(step, int) or (of in _NAMED_BY_DATA and isinstance(step, str)) else step)
    return ".".join(map(str, shown)).replace("certificates.*.parts.*.", "certificates.*.")


def mutants(reports: Mapping[str, Document], step: int) -> Iterator[tuple[str, Mutant]]:
    """Yield (report's name, mutant): every place x every kind of change, at one of the entries of each place.

    Args:
        reports: by name.
        step: every ``step``-th change is made.

    """
    rng, number = random.Random(0), -1
    places: dict[tuple[str, str], list[tuple[str, Steps]]] = {}
    seen: dict[str, list[Any]] = {}
    for name, document in reports.items():
        for steps, value in walk(document):
            kind_of_cell = _about(document, steps)
            places.setdefault((place_of(steps), kind_of_cell), []).append((name, steps))
            others = seen.setdefault(place_of(steps), [])
            if value not in others:
                others.append(value)
    for (place, _), found in sorted(places.items()):
        name, steps = rng.choice(found)
        few = 8 if len(steps) <= 3 else 2
        before = at(reports[name], steps)
        for kind, value in _changes(before, seen[place], few, rng):
            number += 1
            if number % step:
                continue
            document = _copied(reports[name], steps)
            raw = _made(document, steps, kind, value)
            if raw is not None or document != reports[name] or kind in _ALIKE:
                yield name, Mutant(place, path_text(steps), kind, before, document, raw, steps)


_ALIKE = ("type: float", "type: bool")
"""Changes that Python takes for none: 1.0 and True for 1."""


def _copied(document: Document, steps: Steps) -> Document:
    """Copy a report as deeply as a change at a place needs it; all else is the report's own."""
    key = str(steps[0]) if steps else ""
    if len(steps) < 2 or not isinstance(document[key], list):
        return copy.deepcopy(document)
    entries = list(document[key])
    entries[int(steps[1])] = copy.deepcopy(entries[int(steps[1])])
    return {**document, key: entries}


def _about(document: Document, steps: Steps) -> str:
    """Return what tells apart entries of one path: the kind of certificate, of axiom, or else the verdict."""
    if len(steps) > 1 and steps[0] == "certificates":
        return str(document["certificates"][steps[1]]["kind"]) if "parts" not in steps else "induction"
    if len(steps) < 2 or steps[0] != "cells":
        return ""
    cell = document["cells"][steps[1]]
    inside = steps[2] if len(steps) > 3 else ""
    if inside in ("evidence", "witness"):
        return "threshold" if cell["axiom"] in ("DeepTh", "CloseTh") else "pair"
    return str(cell["verdict"])


class Raw(str):
    """The text of a value that JSON can spell and a parsed document cannot have."""

    __slots__ = ()


def _made(document: Document, steps: Steps, kind: str, value: Any) -> str | None:
    """Make a change in a document; return what stands in its text for `_RAW`, if anything does."""
    if not steps:
        if kind not in _OF_ENTRIES:
            document.clear()
            document[""] = value
        return None
    parent, last = spot(document, steps)
    if kind == "delete":
        del parent[last]
    elif kind == "rename" and isinstance(parent, dict):
        items = [(f"{key}1" if key == last else key, old) for key, old in parent.items()]
        parent.clear()
        parent.update(items)
    elif kind == "twice" and isinstance(parent, list):
        parent.insert(int(last), copy.deepcopy(value))
    elif kind == "twice":
        parent[last], text = _RAW, json.dumps(value, ensure_ascii=False)
        return f"{text}, {json.dumps(last)}: {text}"
    elif kind != "rename":
        parent[last] = _RAW if isinstance(value, Raw) else copy.deepcopy(value)
    return str(value) if isinstance(value, Raw) else None


_OF_ENTRIES = ("delete", "twice", "rename")
"""Changes of the object or list that a value is in."""
_TYPES = {"null": None, "bool": True, "whole number": 7, "number": 0.5, "text": "text", "list": [], "object": {}}


def _changes(value: Any, others: Sequence[Any], few: int, rng: random.Random) -> Iterator[tuple[str, Any]]:
    """Yield what can be made of a value: the kind of change, and the value in its place."""
    yield from ((kind, value) for kind in _OF_ENTRIES)
    for name, other in _TYPES.items():
        if type(other) is not type(value) and not (name == "whole number" and isinstance(value, float)):
            yield f"type: {name}", other
    elsewhere = [other for other in others if type(other) is not type(value) or other != value]
    for other in elsewhere if len(elsewhere) <= few else rng.sample(elsewhere, 2):
        yield "another's", other
    if isinstance(value, bool):
        yield "other value", not value
    elif isinstance(value, int):
        yield from _of_whole(value)
    elif isinstance(value, float):
        yield from (("+ 1", value + 1), ("a little more", value * 1.01 + 0.001), ("negative", -value - 0.5))
        yield from (
            ("huge", 1e300),
            ("NaN", Raw("NaN")),
            ("infinite", Raw("-Infinity")),
            ("out of range", Raw("1e999")),
        )
    elif isinstance(value, str):
        yield from _of_text(value)
    elif isinstance(value, list):
        yield from _of_list(value)
    elif isinstance(value, dict):
        yield from (("empty", {}), ("extra entry", value | {"extra": 1}))


def _of_whole(value: int) -> Iterator[tuple[str, Any]]:
    yield from (("+ 1", value + 1), ("- 1", value - 1), ("negative", -value - 1), ("huge", 10**30))
    yield "type: float", float(value)
    if value in (0, 1):
        yield "type: bool", bool(value)
    yield from (("5,000 digits", Raw("1" * 5000)), ("NaN", Raw("NaN")))


def _of_text(value: str) -> Iterator[tuple[str, Any]]:
    yield from (("empty", ""), ("longer", value + "x"), ("a space", " " + value), ("a line end", value + "\n"))
    yield "a control character", value + "\x1b[2J"
    yield "half a character", Raw(json.dumps(value)[:-1] + '\\ud800"')
    if any(digit in value for digit in "0123456789"):
        yield "other digits", value.translate(_ARABIC)
        yield "5,000 digits", "".join("9" * 5000 if c.isdecimal() else c for c in value)
        for old, new in (("1", "2"), ("2", "3"), ("0", "1"), ("5", "4"), ("3", "4")):
            if old in value:
                yield f"{old} for {new}", value.replace(old, new, 1)
        yield "negative", "-" + value
    if value.swapcase() != value:
        yield "other case", value.swapcase()


def _of_list(value: list[Any]) -> Iterator[tuple[str, Any]]:
    yield from (("empty", []), ("one more", [*value, None]))
    if value:
        yield from (("one less", value[:-1]), ("first twice", [value[0], *value]))
    if len(value) > 1:
        yield "turned round", value[::-1]
    yield "5,000 deep", Raw("[" * 5000 + "]" * 5000)
