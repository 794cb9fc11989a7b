"""A contract check's counterexample in words: topics, rankings and scores, and what else was scored."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

_MOST = 3
"""The most other rankings that are listed; JSON has all."""

_OTHERS = {
    "call": "in one call with",
    "calls_before": "after calls with",
    "calls_between": "with calls in between of",
}


def case_text(shown: dict[str, Any]) -> str:
    """A counterexample on a line; documents without a positive grade are not listed.

    Args:
        shown: as `axiomcheck.checks.contract.Outcome.counterexample` has it.

    """
    if "rankings" not in shown:
        return json.dumps(shown, ensure_ascii=False)
    scored = [
        f"{' '.join(ranking) or 'an empty ranking'} {_scores(score)}"
        for ranking, score in zip(shown["rankings"], shown["scores"], strict=False)
    ]
    if "topics" in shown:
        parts = [f"{_topic(topic)}: {text}" for topic, text in zip(shown["topics"], scored, strict=True)]
    else:
        parts = [_topic(shown["topic"]), *scored]
    if "reference" in shown:
        parts.append(f"by the reference {shown['reference']!r}")
    parts += [_others(key, _without_itself(shown, key)) for key in _OTHERS if key in shown]
    return "; ".join(part for part in parts if part)


def _scores(score: Any) -> str:
    return "has no score" if score is None else f"scores {score!r}"


def _topic(topic: dict[str, Any]) -> str:
    weights, pool = topic["weights"], topic["pool"]
    graded = [f"{name}={_numbers(grades)}" for name, grades in pool.items() if any(grades)]
    grades = f"grades {', '.join(graded)}" if graded else "no positive grades"
    return f"weights {_numbers(weights)}; {grades}" if len(weights) > 1 else grades


def _numbers(values: list[float]) -> str:
    texts = [f"{v:.6g}" if isinstance(v, float) else str(v) for v in values]
    return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"


def _without_itself(shown: dict[str, Any], key: str) -> list[dict[str, Any]]:
    """The other rankings of a call, or the calls before or in between."""
    return [one for place, one in enumerate(shown[key]) if key != "call" or place != shown["place"]]


def _others(key: str, cases: Sequence[dict[str, Any]]) -> str:
    if not cases:
        return ""
    texts = [f"{' '.join(one['ranking']) or 'an empty ranking'} of {_topic(one['topic'])}" for one in cases[:_MOST]]
    more = f" and {len(cases) - _MOST} more (-f json has all)" if len(cases) > _MOST else ""
    return f"{_OTHERS[key]} {', '.join(texts)}{more}"
