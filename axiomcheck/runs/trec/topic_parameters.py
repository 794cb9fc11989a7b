"""Weights of aspects, which differ between topics, from files or Python."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping

from axiomcheck.core.errors import InvalidInput
from axiomcheck.runs.trec.lines import Source, blocks, malformed, name_of, read_bytes, shown_text
from axiomcheck.runs.trec.qrels import Weights
from axiomcheck.runs.trec.tokens import number_of

_LEAST_WEIGHT = math.ulp(0.0)


def read_weights(source: Source) -> Weights:
    """Read weights of aspects from a file of lines ``topic aspect weight``.

    Raises:
        InvalidInput: The file is unreadable or malformed, a weight is not above 0, or an aspect has two weights.

    """
    weights: dict[bytes, dict[bytes, float]] = {}
    columns = ("topic", "aspect", "weight")
    for block in blocks(source, read_bytes(source), columns):
        listed = [block.tokens(column).listed() for column in columns]
        for topic, aspect, token, line in zip(*listed, block.lines.tolist(), strict=True):
            value, known = number_of(token), weights.setdefault(topic, {})
            if not value >= _LEAST_WEIGHT:
                raise malformed(source, line, f"weight {shown_text(token)}", "a number above 0")
            if aspect in known:
                again = f"a second weight of aspect {shown_text(aspect)} of topic {shown_text(topic)}"
                raise malformed(source, line, again, "one")
            known[aspect] = value
    return weights


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
