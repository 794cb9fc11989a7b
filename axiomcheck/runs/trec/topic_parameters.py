"""Parameters that differ from topic to topic, from files or from Python: weights of aspects, and INST's T.

T is how much relevance users expect to need.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence

from axiomcheck.core.errors import InvalidInput
from axiomcheck.runs.trec.lines import LineReader, Source, malformed, name_of, shown_text, source_name
from axiomcheck.runs.trec.qrels import Qrels, Weights

Targets = Mapping[bytes, float]
"""Topic -> T."""

_LEAST_TARGET = 0.5
"""The smallest T of `axiomcheck.metrics.inst`."""
_LEAST_WEIGHT = math.ulp(0.0)


def read_weights(source: Source) -> Weights:
    """Return weights of aspects from a file of lines ``topic aspect weight``.

    Raises:
        InvalidInput: unreadable, malformed, a weight that is not above 0, an aspect with two.

    """
    weights: dict[bytes, dict[bytes, float]] = {}
    for (topic, aspect), weight in _numbers(source, ("topic", "aspect", "weight"), _LEAST_WEIGHT, "a number above 0"):
        weights.setdefault(topic, {})[aspect] = weight
    return weights


def read_targets(source: Source) -> Targets:
    """Return T per topic from a file of lines ``topic T``.

    Raises:
        InvalidInput: unreadable, malformed, a T below 1/2, a topic with two.

    """
    numbers = _numbers(source, ("topic", "T"), _LEAST_TARGET, "a number, 0.5 or more")
    return {topic: target for (topic,), target in numbers}


def _numbers(
    source: Source, columns: Sequence[str], least: float, expected: str
) -> Iterator[tuple[tuple[bytes, ...], float]]:
    """Yield the names of each line and the number in its last column; no two lines have the same names."""
    *named, what = columns
    seen = set[tuple[bytes, ...]]()
    for block in LineReader(source, columns):
        listed = [block.column(place).listed() for place in range(len(columns))]
        for *names, mark, line in zip(*listed, block.lines.tolist(), strict=True):
            value, key = _number(mark.decode("utf-8", errors="replace"), least), tuple(names)
            if value is None:
                raise malformed(source, line, f"{what} {shown_text(mark)}", expected)
            if key in seen:
                of = [f" of {name} {shown_text(text)}" for name, text in zip(named, names, strict=True)]
                raise malformed(source, line, f"a second {what}{''.join(reversed(of))}", "one")
            seen.add(key)
            yield key, value


def as_weights(given: object) -> Weights:
    """Return weights of aspects: from a file's name, or topic -> aspect -> weight.

    Raises:
        InvalidInput: another shape, a weight that is not above 0.

    """
    if isinstance(given, (str, os.PathLike)):
        return read_weights(given)
    if not isinstance(given, Mapping) or not all(isinstance(aspects, Mapping) for aspects in given.values()):
        wanted = "expected a file's name or a dict of topic -> aspect -> weight"
        raise InvalidInput(f"weights: {type(given).__name__}; {wanted}")
    weights: dict[bytes, dict[bytes, float]] = {}
    for topic, aspects in given.items():
        for aspect, value in aspects.items():
            weight = _number(value, _LEAST_WEIGHT)
            if weight is None:
                raise InvalidInput(f"weights of topic {topic!r}: {list(aspects.values())!r}; expected numbers above 0")
            weights.setdefault(name_of(str(topic)), {})[name_of(str(aspect))] = weight
    return weights


def as_targets(given: object) -> Targets:
    """Return T per topic: from a file's name, or topic -> T.

    Raises:
        InvalidInput: another shape, a T below 1/2.

    """
    if isinstance(given, (str, os.PathLike)):
        return read_targets(given)
    if not isinstance(given, Mapping):
        raise InvalidInput(f"targets: {type(given).__name__}; expected a file's name or a dict of topic -> T")
    targets: dict[bytes, float] = {}
    for topic, value in given.items():
        target = _number(value, _LEAST_TARGET)
        if target is None:
            raise InvalidInput(f"targets of topic {topic!r}: {value!r}; expected a number, 0.5 or more")
        targets[name_of(str(topic))] = target
    return targets


def _number(value: object, least: float) -> float | None:
    """Return the finite number that a text or a number is; None where it is none, or is below the least."""
    if isinstance(value, bool) or (isinstance(value, str) and "_" in value):
        return None
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None
    return number if least <= number < math.inf else None


def attach_weights(qrels: Qrels, weights: Weights, source: Source) -> None:
    """Give the aspects of qrels their weights; a topic's sum to 1 after division by their sum.

    An aspect that has a weight and no judgments is an aspect all the same.

    Raises:
        InvalidInput: ad hoc qrels; a judged aspect without a weight.

    """
    if not qrels.diversity:
        raise InvalidInput(f"{source_name(qrels.source)}: ad hoc qrels have no aspects that weights could be given to")
    for topic, aspects in qrels.judged_aspects().items():
        for aspect in sorted(aspects - weights.get(topic, {}).keys()):
            raise InvalidInput(
                f"{source_name(source)}: no weight of aspect {shown_text(aspect)} of topic {shown_text(topic)}; "
                "expected one for every judged aspect"
            )
    qrels.weigh(weights)
