"""Convert scored cases to counterexamples in JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from axiomcheck.sources.probes import CaseBlock


def plain(value: Any) -> Any:
    """Convert numbers, arrays and mappings to JSON values. NaN and infinities become text."""
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def counterexample(*cases: tuple[CaseBlock, int, float | None]) -> dict[str, Any]:
    """Convert scored cases to a counterexample in JSON.

    Args:
        cases: Tuples (block, row, score). The score is None if the metric raised an exception.

    """
    topics = [{"weights": block.weights[row].tolist(), "pool": plain(block.topic(row))} for block, row, _ in cases]
    topic = {"topic": topics[0]} if all(t == topics[0] for t in topics) else {"topics": topics}
    rankings = [block.ranking(row) for block, row, _ in cases]
    return {**topic, "rankings": rankings, "scores": [plain(score) for _, _, score in cases]}
