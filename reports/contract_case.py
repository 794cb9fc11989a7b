"""Describe the counterexample of a contract check in words, and as a program that reproduces it."""

from __future__ import annotations

import json
from typing import Any

from axiomcheck.core.printable import counted
from axiomcheck.reports.html.page import render_fragment

_MOST = 3
"""Maximum number of other rankings listed in the text; JSON contains all of them."""

_OTHERS = {
    "call": "in one call with",
    "calls_before": "after calls with",
    "calls_between": "with calls in between of",
}


def case_text(shown: dict[str, Any]) -> str:
    """Return a counterexample in one line; documents without a positive grade are omitted.

    Args:
        shown: Counterexample in the form of `axiomcheck.checks.contract.Outcome.counterexample`.

    """
    if "calls" in shown:
        return _lists_text(shown["calls"]) or "; then ".join(map(_call_text, shown["calls"]))
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
    parts += [_others(key, shown) for key in _OTHERS if key in shown]
    return "; ".join(part for part in parts if part)


def _lists_text(calls: list[dict[str, Any]]) -> str:
    """Describe calls as rankings with scores; '' unless all have the same single measure, and a single topic each."""
    if len({call["measure"] for call in calls}) != 1:
        return ""
    parts, before = [f"{calls[0]['measure']}"], None
    for call in calls:
        topics = {*call["qrels"], *call["run"]}
        if len(call["measures"]) != 1 or topics != {call.get("query")}:
            return ""
        judged, run = (call[of].get(call["query"]) for of in ("qrels", "run"))
        if judged != before or len(parts) == 1:
            parts.append(_judged(judged))
        before = judged
        parts.append(f"{_ranked(run)} {_result(call)}")
    return "; ".join(parts)


def _result(call: dict[str, Any]) -> str:
    return f"raises {call['raised']}" if "raised" in call else _scores(call["score"])


def _call_text(call: dict[str, Any]) -> str:
    """Describe a call that scores a run: its measures, judgments, rankings and result."""
    topics = dict.fromkeys([*call["qrels"], *call["run"]])
    said = [
        f"topic {topic}: {_judged(call['qrels'].get(topic))}, {_ranked(call['run'].get(topic))}" for topic in topics
    ]
    of = f"topic {call['query']} " if "query" in call else "the mean "
    listed = (
        said
        if len(said) <= _MOST
        else [*said[:_MOST], f"and {counted(len(said) - _MOST, 'more topic')} (-f json has all)"]
    )
    return f"{', '.join(call['measures'])} on {'; '.join(listed)}: by {call['measure']}, {of}{_result(call)}"


def _judged(judged: dict[str, float] | None) -> str:
    if judged is None:
        return "not among the judgments"
    return f"judged {_pairs(judged)}" if judged else "nothing judged"


def _ranked(scored: dict[str, float] | None) -> str:
    if scored is None:
        return "not in the run"
    return f"run {_pairs(scored)}" if scored else "an empty run"


def _pairs(values: dict[str, float]) -> str:
    listed = [f"{name}={value!r}" for name, value in values.items()]
    return " ".join(listed if len(listed) <= 12 else [*listed[:12], f"and {len(listed) - 12} more"])


def case_program(metric: str, shown: dict[str, Any]) -> str:
    """Return a Python program that makes the calls in a counterexample and prints each score or exception.

    Args:
        metric: Name of the metric, as `axiomcheck check` accepts it.
        shown: Counterexample in the form of `axiomcheck.checks.contract.Outcome.counterexample`.

    Returns:
        Source code; empty if a program cannot show the counterexample, for example if it is about a modified input.

    """
    if "calls" not in shown and ("rankings" not in shown or "hash_seeds" in shown):
        return ""
    return render_fragment("program.py.j2", metric=metric, shown=shown, repr=repr)


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


def _others(key: str, shown: dict[str, Any]) -> str:
    """Describe the rankings that a counterexample lists under a key such as ``call``, except the failing one."""
    cases = [one for place, one in enumerate(shown[key]) if key != "call" or place != shown["place"]]
    if not cases:
        return ""
    texts = [f"{' '.join(one['ranking']) or 'an empty ranking'} of {_topic(one['topic'])}" for one in cases[:_MOST]]
    more = f" and {len(cases) - _MOST} more (-f json has all)" if len(cases) > _MOST else ""
    return f"{_OTHERS[key]} {', '.join(texts)}{more}"
