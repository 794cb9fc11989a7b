"""Parameters that differ between topics, from files or Python: weights of aspects, and T of INST.

T is the amount of relevance that users expect to need.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence

from axiomcheck.core.errors import InvalidInput
from axiomcheck.runs.trec.lines import Source, blocks, malformed, name_of, read_bytes, shown_text
from axiomcheck.runs.trec.qrels import Weights
from axiomcheck.runs.trec.tokens import number_of

Targets = Mapping[bytes, float]
"""T of INST by topic."""

_LEAST_TARGET = 0.5
"""Minimum T of `axiomcheck.metrics.inst`."""
_LEAST_WEIGHT = math.ulp(0.0)


def read_weights(source: Source) -> Weights:
    """Read weights of aspects from a file of lines ``topic aspect weight``.

    Raises:
        InvalidInput: The file is unreadable or malformed, a weight is not above 0, or an aspect has two weights.

    """
    weights: dict[bytes, dict[bytes, float]] = {}
    numbers = _read(source, ("topic", "aspect", "weight"), _LEAST_WEIGHT, "a number above 0")
    for (topic, aspect), weight in numbers.items():
        weights.setdefault(topic, {})[aspect] = weight
    return weights


def read_targets(source: Source) -> Targets:
    """Read T per topic from a file of lines ``topic T``.

    Raises:
        InvalidInput: The file is unreadable or malformed, a T is below 1/2, or a topic has two values of T.

    """
    numbers = _read(source, ("topic", "T"), _LEAST_TARGET, "a number, 0.5 or more")
    return {topic: target for (topic,), target in numbers.items()}


def _read(source: Source, columns: Sequence[str], least: float, expected: str) -> dict[tuple[bytes, ...], float]:
    """Return a dict from the names in each line to the number in its last column.

    No two lines may have the same names.
    """
    *named, what = columns
    found: dict[tuple[bytes, ...], float] = {}
    for block in blocks(source, read_bytes(source), columns):
        listed = [block.tokens(column).listed() for column in columns]
        for *names, token, line in zip(*listed, block.lines.tolist(), strict=True):
            value, key = number_of(token), tuple(names)
            if not value >= least:
                raise malformed(source, line, f"{what} {shown_text(token)}", expected)
            if key in found:
                of = [f" of {name} {shown_text(text)}" for name, text in zip(named, names, strict=True)]
                raise malformed(source, line, f"a second {what}{''.join(reversed(of))}", "one")
            found[key] = value
    return found


def as_weights(given: object) -> Weights:
    """Return weights of aspects from a file's name, or from nested dicts (topic -> aspect -> weight).

    Raises:
        InvalidInput: The object has neither form, or a weight is not above 0.

    """
    if isinstance(given, (str, os.PathLike)):
        return read_weights(given)
    if not isinstance(given, Mapping) or not all(isinstance(aspects, Mapping) for aspects in given.values()):
        wanted = "expected a file's name or a dict of topic -> aspect -> weight"
        raise InvalidInput(f"weights: {type(given).__name__}; {wanted}")
    for topic, aspects in given.items():
        if not all(number_of(weight) >= _LEAST_WEIGHT for weight in aspects.values()):
            raise InvalidInput(f"weights of topic {topic!r}: {list(aspects.values())!r}; expected numbers above 0")
    return {
        name_of(str(topic)): {name_of(str(aspect)): number_of(weight) for aspect, weight in aspects.items()}
        for topic, aspects in given.items()
    }


def as_targets(given: object) -> Targets:
    """Return T per topic from a file's name, or from a dict (topic -> T).

    Raises:
        InvalidInput: The object has neither form, or a T is below 1/2.

    """
    if isinstance(given, (str, os.PathLike)):
        return read_targets(given)
    if not isinstance(given, Mapping):
        raise InvalidInput(f"targets: {type(given).__name__}; expected a file's name or a dict of topic -> T")
    for topic, target in given.items():
        if not number_of(target) >= _LEAST_TARGET:
            raise InvalidInput(f"targets of topic {topic!r}: {target!r}; expected a number, 0.5 or more")
    return {name_of(str(topic)): number_of(target) for topic, target in given.items()}
