"""Calls of an entry point that should agree: compared many at a time, and shown by the fewest topics that differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from axiomcheck.checks.contract.registry import Check, Finding, check, failed, not_applicable, passed
from axiomcheck.checks.contract.showing import apart, number, plain
from axiomcheck.sources.adapters.common import LibraryMetric
from axiomcheck.sources.evaluated import EvaluatedMetric
from axiomcheck.sources.native import DeclaredMeasure, Evaluator
from axiomcheck.trials.calls import Asking, NativeCall, RunTopic, Value, call_of, is_number
from axiomcheck.trials.subject import Subject

_ENTRY_POINT = "an entry point: a function of (qrels, run, measures)"


def entry_point_check(name: str, *, group: str, asks: str) -> Callable[[Callable[[Asking], Finding]], Check]:
    """Registers a function ``(asking) -> Finding`` as a `check` of metrics that score judgments and runs."""

    def register(function: Callable[[Asking], Finding]) -> Check:
        def run(subject: Subject) -> Finding:
            native = subject.metric.native if isinstance(subject.metric, LibraryMetric | EvaluatedMetric) else None
            if native is None:
                return not_applicable("it has no entry point that takes judgments and runs", _ENTRY_POINT)
            return function(Asking(subject, native))

        return check(name, group=group, asks=asks)(run)

    return register


def unlike_values(one: Value, other: Value) -> bool:
    """Whether the first is a finite number, and the second another one or none."""
    if not is_number(one):
        return False
    return not is_number(other) or bool(apart(np.array(one[0]), np.array(other[0])))


def told(value: Value) -> str:
    """A score in a sentence."""
    if value[1]:
        return f"an error ({value[1]})"
    return "no score" if value[0] is None else number(value[0])


def scored(call: NativeCall, measure: str, query: str | None, value: Value) -> dict[str, Any]:
    """A call as JSON, and the score in question; that of no query is the mean."""
    of: dict[str, Any] = {"measure": measure} | ({} if query is None else {"query": query})
    what: dict[str, Any] = {"qrels": plain(call.qrels), "run": plain(call.run), "measures": list(call.measures)}
    return what | of | {"score": plain(value[0])} | ({"raised": value[1]} if value[1] else {})


def shown(evaluator: Evaluator, *calls: dict[str, Any]) -> dict[str, Any]:
    """A counterexample: calls in their order, and the program that defines what is called."""
    return {"calls": list(calls), "program": evaluator.program}


@dataclass(frozen=True)
class Pair:
    """Two topics that should score the same, and what to say if they do not."""

    one: RunTopic
    other: RunTopic
    says: str


def same_in_pairs(
    asking: Asking,
    measures: Iterable[DeclaredMeasure],
    pairs: Sequence[Pair],
    agree: Callable[[DeclaredMeasure, Value, Value], bool] = lambda _, a, b: not unlike_values(a, b),
) -> Finding:
    """Whether pairs of topics score the same by every measure: all in two calls, and where they do not, each alone.

    Args:
        asking: calls the entry point.
        measures: asked one by one.
        pairs: smallest first.
        agree: whether two scores are as they should be.

    """
    cases = 0
    for measure in measures:
        first = asking.each([pair.one for pair in pairs], measure.name)
        second = asking.each([pair.other for pair in pairs], measure.name)
        cases += sum(map(is_number, first))
        for pair, a, b in zip(pairs, first, second, strict=True):
            if agree(measure, a, b):
                continue
            calls = [call_of([topic], [measure.name]) for topic in (pair.one, pair.other)]
            # In calls of their own: what depends on other topics of a call is another check's to find.
            before, after = (asking.answer(call).value(measure.name, "1") for call in calls)
            if not agree(measure, before, after):
                example = shown(
                    asking.evaluator,
                    scored(calls[0], measure.name, "1", before),
                    scored(calls[1], measure.name, "1", after),
                )
                return failed(f"{measure.name}: {pair.says}: {told(before)} becomes {told(after)}", cases, example)
    return passed(cases)
