"""Contract checks for entry points, which score several measures and topics in one call."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeAlias

import numpy as np

from axiomcheck.checks.contract.counterexamples import fewest, number, rounding
from axiomcheck.checks.contract.registry import Check, Outcome, Outcomes, check, failed, not_applicable, passed
from axiomcheck.sources.evaluators import DeclaredMeasure
from axiomcheck.sources.probes import plain
from axiomcheck.trials.calls import (
    Asking,
    NativeCall,
    RunTopic,
    call_of,
    levels_of_scale,
    random_topic,
    small_topics,
)
from axiomcheck.trials.subject import Score, Subject

_ENTRY_POINT = "an entry point: a function that takes (qrels, run, measures)"


def entry_point_check(name: str, *, group: str, asks: str = "") -> Callable[[Callable[[Asking], Outcomes]], Check]:
    """Return a decorator that registers a function ``(asking) -> outcomes`` as a check for entry points only."""

    def register(function: Callable[[Asking], Outcomes]) -> Check:
        @wraps(function)
        def run(subject: Subject) -> Outcomes:
            if subject.native is None:
                return not_applicable("it has no entry point that takes judgments and runs", _ENTRY_POINT)
            return function(Asking(subject, subject.native))

        return check(name, group=group, asks=asks)(run)

    return register


Scored: TypeAlias = tuple[NativeCall, str, str | None, Score]
"""Call with one of its measures and topics, and the score. The topic is None for the mean over topics."""


def scored_alone(asking: Asking, topic: RunTopic, measure: str) -> Scored:
    """Score a topic under a measure in a call of its own, and return the call with the score."""
    call = call_of([topic], [measure])
    return call, measure, "1", asking.answer(call).value(measure, "1")


def shown(*calls: Scored) -> dict[str, Any]:
    """Return a counterexample as JSON: the calls in order, each with the score to show."""
    scored = []
    for call, measure, query, value in calls:
        of: dict[str, Any] = {"qrels": plain(call.qrels), "run": plain(call.run), "measures": list(call.measures)}
        of |= {"measure": measure} | ({} if query is None else {"query": query}) | {"score": plain(value.value)}
        scored.append(of | ({"raised": value.raised} if value.raised else {}))
    return {"calls": scored}


@dataclass(frozen=True)
class Pair:
    """Two topics that should have the same score, and the message if the scores differ."""

    one: RunTopic
    other: RunTopic
    says: str


def same_in_pairs(
    asking: Asking,
    measures: Iterable[DeclaredMeasure],
    pairs: Sequence[Pair],
    agree: Callable[[DeclaredMeasure, Score, Score], bool] = lambda _, a, b: not a.is_unlike(b),
) -> Iterator[Outcome]:
    """Yield a pass for each measure, with the number of scores, and a failure for each pair whose scores differ.

    For each measure, all pairs are scored in two calls. If the scores of a pair differ, both topics are scored again in
    separate calls.

    Args:
        asking: Caller of the entry point.
        measures: Measures. No call computes more than one.
        pairs: Pairs of topics, smallest first.
        agree: Function that takes a measure and two scores, and returns whether the scores agree.

    """
    for measure in measures:
        first = asking.each([pair.one for pair in pairs], measure.name)
        second = asking.each([pair.other for pair in pairs], measure.name)
        yield passed(sum(value.is_number for value in first))
        for pair, a, b in zip(pairs, first, second, strict=True):
            if agree(measure, a, b):
                continue
            # Score them in separate calls, since another check covers the effect of other topics in a call.
            again = [scored_alone(asking, topic, measure.name) for topic in (pair.one, pair.other)]
            before, after = (value for *_, value in again)
            if not agree(measure, before, after):
                reason = f"{measure.name}: {pair.says}: {before.text} becomes {after.text}"
                yield failed(reason, 0, shown(*again))


LARGER = 6
"""Number of random calls with larger topics."""


def ordinary(asking: Asking) -> list[RunTopic]:
    """Return all topics without ties that have one or two documents, and every tenth one with three documents."""
    levels = levels_of_scale(asking.evaluator.grades)
    topics = list(small_topics(levels, 3, ties=False))
    return [topic for k, topic in enumerate(topics) if len(topic.judged or ()) < 3 or k % 10 == 0]


def unusual(asking: Asking) -> list[RunTopic]:
    """Return a few ordinary topics, and topics without a relevant, judged or ranked document."""
    top, low = max(asking.evaluator.grades), levels_of_scale(asking.evaluator.grades)[1]
    two = {"d1": 2.0, "d2": 1.0}
    return [
        RunTopic({"d1": top}, {"d1": 1.0}),
        RunTopic({"d1": 0, "d2": top}, two),
        RunTopic({"d1": low, "d2": 0}, two),
        RunTopic({"d1": 0, "d2": 0, "d3": top}, {"d2": 3.0, "d1": 2.0, "d3": 1.0}),
        RunTopic({"d1": top, "d2": low, "d3": 0}, {"d3": 1.0}),
        RunTopic({"d1": 0, "d2": 0}, two),
        RunTopic({"d1": top, "d2": 0}, {}),
        RunTopic({"d1": top, "d2": 0}, None),
        RunTopic({}, two),
        RunTopic(None, two),
        RunTopic({"d1": top}, {"d8": 2.0, "d9": 1.0}),
    ]


def larger(asking: Asking, purpose: str) -> Iterator[list[RunTopic]]:
    """Yield `LARGER` lists of three to five random topics, for one call each, with up to 29 documents per topic."""
    rng = asking.subject.rng(purpose)
    for _ in range(LARGER):
        sizes = rng.integers(1, 30, int(rng.integers(3, 6)))
        yield [random_topic(asking.evaluator.grades, rng, int(n), int(rng.integers(1, n + 1))) for n in sizes.tolist()]


def _beside(asking: Asking, topics: Sequence[RunTopic], name: str, group: Sequence[str]) -> Outcome:
    """Check that a measure has the same scores in a call with a group of measures as in a call of its own."""
    cases = len(topics)

    def difference(some: Sequence[RunTopic], more: Sequence[str]) -> list[Scored]:
        calls = call_of(some, [name]), call_of(some, more)
        answers = [asking.answer(call) for call in calls]
        for query in map(str, range(1, len(some) + 1)):
            before, after = (answer.value(name, query) for answer in answers)
            if before.is_unlike(after):
                return [(call, name, query, score) for call, score in zip(calls, (before, after), strict=True)]
        return []

    def among(others: Sequence[str]) -> list[str]:
        return [one for one in group if one == name or one in others]

    if not topics or not difference(topics, group):
        return passed(cases)
    single = next(([topic] for topic in topics if difference([topic], group)), None)
    kept = single or fewest(topics, lambda some: bool(difference(some, group))) or list(topics)
    others = fewest([one for one in group if one != name], lambda some: bool(difference(kept, among(some))))
    more = list(group) if others is None else among(others)
    found = difference(kept, more) or difference(topics, group)
    if not found:
        return failed(
            f"{name}: its scores change from call to call when {', '.join(group)} are computed together", cases
        )
    before, after = (score.text for *_, score in found)
    beside = ", ".join(one for one in more if one != name) or "itself"
    says = f"{name}: computing it together with {beside} changes {before} to {after}"
    return failed(says, cases, shown(*found))


@entry_point_check("measures-in-one-call", group="native")
def measures_in_one_call(asking: Asking) -> Iterator[Outcome]:
    """Check that a measure's scores do not depend on the other measures in the call.

    A call computes a pair of measures (possibly the same one twice), all measures, or all in reverse order.
    """
    own = [measure.name for measure in asking.evaluator.measures]
    names = list(dict.fromkeys([*own, *asking.evaluator.beside]))
    families = [ordinary(asking), *larger(asking, "measures-in-one-call")]
    # A measure that rejects every topic would cause all calls with it to be rejected.
    names = [name for name in names if any(not asking.alone(topic, [name])[0].raised for topic in families[0])]
    pairs = [list(pair) for pair in itertools.product(names, repeat=2)]
    for family, every in enumerate(families):
        # A topic that one measure rejects by itself is also rejected in a call with all of them.
        topics = [topic for topic in every if not any(asking.alone(topic, [name])[0].raised for name in names)]
        for group in [*(pairs if family == 0 else []), names, names[::-1]]:
            yield from (_beside(asking, topics, name, group) for name in own if name in group)


@entry_point_check("topics-in-one-call", group="native")
def topics_in_one_call(asking: Asking) -> Iterator[Outcome]:
    """Check that a topic's scores do not depend on the other topics in the call, or on their order.

    The run is given in its original order and in reverse order.
    """
    names = [measure.name for measure in asking.evaluator.measures][:4]
    kinds = unusual(asking)
    alone: dict[int, list[Score]] = {}

    def sound(topics: Sequence[RunTopic]) -> list[RunTopic]:
        """Return the topics that are not rejected when they are scored alone."""
        alone.update((id(topic), asking.alone(topic, names)) for topic in topics if id(topic) not in alone)
        return [topic for topic in topics if not any(value.raised for value in alone[id(topic)])]

    calls: list[list[RunTopic]] = [list(pair) for pair in itertools.product(sound(kinds), repeat=2)]
    calls += [kinds, ordinary(asking), *larger(asking, "topics-in-one-call")]
    for topics, run_reversed in itertools.product(calls, (False, True)):
        yield _topics_differ(asking, sound(topics), names, alone, run_reversed)


def _topics_differ(
    asking: Asking,
    topics: Sequence[RunTopic],
    names: Sequence[str],
    alone: dict[int, list[Score]],
    run_reversed: bool,
) -> Outcome:
    cases = len(topics) * len(names)

    def difference(some: Sequence[RunTopic]) -> tuple[str, int, Score, Score] | None:
        found = asking.answer(call_of(some, names, run_reversed=run_reversed))
        for place, topic in enumerate(some):
            for name, before in zip(names, alone[id(topic)], strict=True):
                after = found.value(name, str(place + 1))
                if before.is_unlike(after):
                    return name, place, before, after
        return None

    if difference(topics) is None:
        return passed(cases)
    kept = fewest(list(topics), lambda some: bool(some) and difference(some) is not None) or list(topics)
    found = difference(kept)
    if found is None:
        return failed("the scores of the same call change when it is repeated", cases)
    name, place, before, after = found
    both = call_of(kept, [name], run_reversed=run_reversed)
    again = asking.answer(both).value(name, str(place + 1))
    if not before.is_unlike(again):  # the difference needs the other measures too
        both, again = call_of(kept, names, run_reversed=run_reversed), after
    single = call_of([kept[place]], [name])
    order = ", with the run in another order" if run_reversed and len(kept) > 1 else ""
    beside = f"{len(kept) - 1} more {'topic' if len(kept) == 2 else 'topics'}"
    says = f"{name}: scoring the topic together with {beside}{order} changes {before.text} to {again.text}"
    example = shown((single, name, "1", before), (both, name, str(place + 1), again))
    return failed(says, cases, example)


@entry_point_check("mean-of-topics", group="native")
def mean_of_topics(asking: Asking) -> Iterator[Outcome]:
    """Check that the returned mean is the mean of the returned scores."""
    if asking.evaluator.mean is None:
        yield not_applicable("the entry point does not compute a mean", "an entry point that computes means")
    kinds = unusual(asking)
    calls = [[topic] for topic in kinds] + [list(pair) for pair in itertools.combinations(kinds, 2)]
    calls += [ordinary(asking), *larger(asking, "mean-of-topics")]
    for topics, measure in itertools.product(calls, asking.evaluator.measures[:4]):
        call = call_of(topics, [measure.name])
        found = asking.answer(call)
        means, raised = asking.mean(call)
        scores = list(found.scores.get(measure.name, {}).values())
        if found.raised or raised or not scores or not all(map(math.isfinite, scores)):
            continue
        yield passed(1)
        expected, got = Score(math.fsum(scores) / len(scores)), Score(means.get(measure.name))
        # A mean in single precision rounds once per topic.
        every = np.array([*scores, math.nan if got.value is None else got.value])
        near = abs(every[-1] - every[:-1].mean()) <= rounding(every).min() * len(scores)
        if expected.is_unlike(got) and not near:
            one = [(call, measure.name, query, Score(score)) for query, score in found.scores[measure.name].items()]
            says = f"{measure.name}: the scores {', '.join(map(number, scores[:5]))} have the mean {expected.text}"
            example = shown(*one[:5], (call, measure.name, None, got))
            yield failed(f"{says}, but the call returned {got.text}", 0, example)


@entry_point_check("second-call", group="native")
def second_call(asking: Asking) -> Iterator[Outcome]:
    """Check that a repeated call gives the same scores, whatever was called in between.

    A different topic with the same name is scored in between. The score of that other topic is compared with its score
    under a new name.
    """
    names = [measure.name for measure in asking.evaluator.measures][:3]
    for number_of_pair, (topic, between) in enumerate(itertools.product(unusual(asking), repeat=2)):
        # Names that no check has used before, so that no earlier call can have cached anything for them.
        own, fresh = 1001 + 2 * number_of_pair, 1002 + 2 * number_of_pair
        calls = [
            call_of([topic], names, first=own),
            call_of([between], names, first=own),
            call_of([topic], names, first=own),
            call_of([between], names, first=fresh),
        ]
        answers = [asking.answer(call) for call in calls]
        for name in names:
            queries = [str(own)] * 3 + [str(fresh)]
            values = [found.value(name, query) for found, query in zip(answers, queries, strict=True)]
            yield passed(int(values[0].is_number))
            for one, other, says in (
                (0, 2, "called again"),
                (3, 1, "called before with another topic of the same name"),
            ):
                if values[one].is_unlike(values[other]):
                    each = list(zip(calls, [name] * 4, queries, values, strict=True))
                    reason = f"{name}, {says}: {values[one].text} becomes {values[other].text}"
                    yield failed(reason, 0, shown(*each))


@entry_point_check("arguments-unmodified", group="native")
def arguments_unmodified(asking: Asking) -> Iterator[Outcome]:
    """Check that the call does not change its judgments, run or measure names."""
    names = [measure.name for measure in asking.evaluator.measures]
    for topics in [[topic] for topic in unusual(asking)] + [ordinary(asking)]:
        call = call_of(topics, names)
        found = asking.answer(call)
        if found.changed:
            example = shown((call, names[0], "1", found.value(names[0], "1")))
            yield failed(f"the call changed its argument {found.changed}", 1, example)
        yield passed(int(not found.raised))
