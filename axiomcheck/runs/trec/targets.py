"""How much relevance users expect to need, topic by topic: INST's T."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from axiomcheck.core.errors import InvalidInput
from axiomcheck.runs.trec.lines import LineReader, Source, malformed, name_of, shown_text

Targets = Mapping[bytes, float]
"""Topic -> T."""

LEAST = 0.5
"""The smallest T of `axiomcheck.metrics.inst`."""


def read_targets(source: Source) -> Targets:
    """T per topic, from a file of lines ``topic T``.

    Raises:
        InvalidInput: unreadable, malformed, a T below 1/2, a topic with two.

    """
    targets: dict[bytes, float] = {}
    for block in LineReader(source, ("topic", "T")):
        columns = block.column(0).listed(), block.column(1).listed()
        for topic, mark, line in zip(*columns, block.lines.tolist(), strict=True):
            target = _number(mark.decode("utf-8", errors="replace"))
            if target is None:
                raise malformed(source, line, f"T {shown_text(mark)}", "a number, 0.5 or more")
            if topic in targets:
                raise malformed(source, line, f"a second T of topic {shown_text(topic)}", "one")
            targets[topic] = target
    return targets


def as_targets(given: Any) -> Targets:
    """T per topic: a file's name, or topic -> T.

    Raises:
        InvalidInput: another shape, a T below 1/2.

    """
    if isinstance(given, (str, os.PathLike)):
        return read_targets(given)
    if not isinstance(given, Mapping):
        raise InvalidInput(f"targets: {type(given).__name__}; expected a file's name or a dict of topic -> T")
    targets: dict[bytes, float] = {}
    for topic, value in given.items():
        target = _number(value)
        if target is None:
            raise InvalidInput(f"targets of topic {topic!r}: {value!r}; expected a number, 0.5 or more")
        targets[name_of(str(topic))] = target
    return targets


def _number(value: Any) -> float | None:
    """The value as T; None where it is none."""
    if isinstance(value, bool) or (isinstance(value, str) and "_" in value):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if LEAST <= number < float("inf") else None
