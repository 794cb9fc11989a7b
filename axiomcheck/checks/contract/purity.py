"""Checks that a score depends on the topic and the ranking, and on the declared parameters, and on nothing else."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from axiomcheck.checks.contract.counterexamples import (
    Again,
    after_calls,
    again_between,
    apart,
    in_one_call,
    members,
    plain,
    same_scores,
    unlike,
)
from axiomcheck.checks.contract.registry import Finding, check, error, failed, not_applicable, passed
from axiomcheck.core.errors import InvalidInput, MetricError, OverLimit
from axiomcheck.metrics.base import Metric
from axiomcheck.metrics.parameters import Base, Choice, Flag, Parameter, Real
from axiomcheck.numbers.arithmetic import Floats
from axiomcheck.sources.adapters import measure
from axiomcheck.sources.adapters.common import LibraryMetric
from axiomcheck.sources.function_metrics import CallableMetric, FunctionMetric, NamedMetric, OwnMetric
from axiomcheck.sources.names import read_name
from axiomcheck.trials.cases import CaseBlock, blocks_of
from axiomcheck.trials.elsewhere import HASH_SEEDS, label_of, scores_elsewhere
from axiomcheck.trials.subject import BlockScores, Subject, named_cases


@check("repeatable", group="purity", asks="The second call on the same object scores as the first.")
def repeatable(subject: Subject) -> Finding:
    """The same cases in the same calls, twice."""
    metric = subject.fresh()
    first = subject.score(subject.blocks, metric)
    second = subject.score(subject.blocks, metric)
    pairs = [(block, block) for block in subject.blocks]

    def again(number: int, row: int) -> Again | None:
        return again_between(subject, subject.blocks[number].rows([row]), subject.singles())

    return same_scores(subject, pairs, first, second, "scored once more, the same ranking scores otherwise", again)


@check("inputs-unmodified", group="purity", asks="Topics, weights and rankings that are passed in stay as they are.")
def inputs_unmodified(subject: Subject) -> Finding:
    """The very objects are passed that are looked at afterwards."""
    cases = 0
    for block in subject.blocks:
        for call, given, names in _parts(subject.metric, block):
            before = copy.deepcopy(given)
            _, message = subject.guarded(call)
            cases += not message
            for name, was, now in zip(names, before, given, strict=True):
                same = np.array_equal(was, now) if isinstance(now, np.ndarray) else was == now
                if not same:
                    shown = {"argument": name, "before": plain(was), "after": plain(now)}
                    return failed(f"what was passed in as {name} is not what it was", cases, shown)
    return passed(cases)


_Part = tuple[Callable[[], Any], list[Any], tuple[str, ...]]


def _parts(metric: Metric, block: CaseBlock) -> list[_Part]:
    """Calls of a metric, each with the objects that it is given and what they are called."""
    if isinstance(metric, NamedMetric):
        parts: list[_Part] = []
        for topic, ranking in named_cases(block.rows(slice(0, 3))):

            def call(topic: Any = topic, ranking: Any = ranking) -> Any:
                if isinstance(metric, CallableMetric):
                    return metric.function(topic, ranking)
                return metric.score_rankings([(topic, ranking)])

            parts.append((call, [topic.pool, ranking], ("topic.pool", "ranking")))
        return parts
    ranked = np.take_along_axis(block.pool, block.order[:, :, None], axis=1)
    given = [ranked, block.weights.copy(), block.pool.copy()]
    names = ("grades", "weights", "pool")
    if isinstance(metric, FunctionMetric):
        count = 3 if metric.needs_pool else 2
        return [(lambda: metric.function(*given[:count]), given[:count], names[:count])]
    return [(lambda: metric.score(Floats(), *given), given, names)]


@check(
    "batch-as-alone",
    group="purity",
    asks="Several topics in one call score as each alone, so that their mean is the mean.",
)
def batch_as_alone(subject: Subject) -> Finding:
    """Each case of a handful in a call of its own, against its score among all the ordinary cases."""
    rng = subject.rng("batch-as-alone")
    pairs, first, second, places = [], [], [], []
    share = max(2, subject.handful // len(subject.blocks))
    for number, (block, among) in enumerate(zip(subject.blocks, subject.base, strict=True)):
        for row in rng.permutation(block.size)[:share].tolist():
            alone = block.rows([row])
            pairs.append((alone, alone))
            places.append((number, row))
            first += subject.score([alone])
            second.append(_row(among, row))

    def again(pair: int, _: int) -> Again | None:
        number, row = places[pair]
        call, begins = members(subject, subject.blocks, number)
        return in_one_call(subject, call, begins + row, "alone")

    return same_scores(
        subject, pairs, first, second, "in one call with other topics the score of a ranking changes", again
    )


def _row(scores: BlockScores, row: int) -> BlockScores:
    return BlockScores(scores.values[row : row + 1], {0: scores.raised[row]} if row in scores.raised else {})


@check(
    "measures-together",
    group="purity",
    asks="A measure scores the same when another measure of its library is computed in between.",
)
def measures_together(subject: Subject) -> Finding:
    """Each case before and after the other measure scored it."""
    other = _companion(subject.metric)
    if other is None:
        return not_applicable("it has no library whose measures could be computed in between", "a library's measure")
    blocks = subject.singles()
    first = [subject.score([block])[0] for block in blocks]
    second = []
    for block in blocks:
        subject.guarded(partial(other.evaluate, block.pool, block.weights, block.order))
        second.append(subject.score([block])[0])
    pairs = [(block, block) for block in blocks]

    def again(number: int, _: int) -> Again | None:
        block = blocks[number]
        [before] = subject.score([block])
        subject.guarded(partial(other.evaluate, block.pool, block.weights, block.order))
        [after] = subject.score([block])
        shown = Again(_first(before), _first(after), {"computed_between": str(other)})
        return shown if unlike(subject, shown.before, shown.after) else None

    return same_scores(
        subject, pairs, first, second, f"after {other} was computed, the same ranking scores otherwise", again
    )


def _first(scores: BlockScores) -> tuple[float, str]:
    """The score of the first row, and what it raised."""
    return float(scores.values[0]), scores.raised.get(0, "")


def _companion(metric: Metric) -> Metric | None:
    """Another measure of the same library."""
    if not isinstance(metric, LibraryMetric) or metric.label is None:
        return None
    named = read_name(metric.label)
    for candidate in metric.companions:
        if candidate != named.name:
            try:
                return measure(named.prefix, candidate)
            except InvalidInput:
                continue
    return None


@check("call-order", group="purity", asks="The order of calls, and of topics within a call, changes no score.")
def call_order(subject: Subject) -> Finding:
    """A handful of cases one by one, forwards and backwards, and whole calls with their topics in reverse."""
    singles = subject.singles()
    forwards, backwards = subject.fresh(), subject.fresh()
    first = [subject.score([one], forwards)[0] for one in singles]
    second = [subject.score([one], backwards)[0] for one in reversed(singles)][::-1]
    pairs = [(one, one) for one in singles]

    def after(number: int, _: int) -> Again | None:
        return after_calls(subject, singles[number], (singles[:number], singles[:number:-1]))

    found = same_scores(
        subject, pairs, first, second, "called in another order, it gives the same ranking another score", after
    )
    if found.status != "passed":
        return found
    reverse = [block.rows(slice(None, None, -1)) for block in subject.blocks]
    turned = [
        BlockScores(s.values[::-1], {s.values.size - 1 - row: text for row, text in s.raised.items()})
        for s in subject.score(reverse)
    ]

    def among(number: int, row: int) -> Again | None:
        call, begins = members(subject, subject.blocks, number)
        return in_one_call(subject, call, begins + row, "reverse")

    whole = same_scores(
        subject,
        [(block, block) for block in subject.blocks],
        subject.base,
        turned,
        "with the topics of a call in another order, the same ranking scores otherwise",
        among,
    )
    return Finding(whole.status, whole.reason, found.cases + whole.cases, whole.counterexample)


@check("hash-seed", group="purity", asks="Scores do not depend on the hash seed of the process.")
def hash_seed(subject: Subject) -> Finding:
    """A handful of cases in two processes with different hash seeds."""
    label = label_of(subject.metric)
    if label is None:
        return not_applicable(
            "its name does not say how another process could load it", "a name such as file.py:function"
        )
    singles = [one for one in subject.singles() if one.ranked > 1]
    try:
        first, second = scores_elsewhere(label, singles)
    except OverLimit as problem:
        return not_applicable(str(problem), "a metric that answers sooner")
    except MetricError as problem:
        return error(str(problem))
    if not any(scores.usable.any() for scores in first):
        raised = next((message for scores in first for message in scores.raised.values()), "")
        return error(raised or f"scores {first[0].values[0]:.6g} in a process of its own")
    pairs = [(one, one) for one in singles]
    found = same_scores(
        subject, pairs, first, second, "in a process with another hash seed the same ranking scores otherwise"
    )
    if found.counterexample is None:
        return found
    return replace(found, counterexample=found.counterexample | {"hash_seeds": list(HASH_SEEDS)})


@check(
    "parameters-matter", group="purity", asks="Every declared parameter, and the cutoff, has an effect on some score."
)
def parameters_matter(subject: Subject) -> Finding:
    """The metric made anew with other values."""
    metric = subject.metric
    if isinstance(metric, OwnMetric):
        return not_applicable("it declares no parameters", "a class with parameters")
    blocks = blocks_of(subject.scale, subject.rng("parameters-matter"), aspects=(1, 2))
    base = subject.score(blocks)
    if not any(scores.usable.any() for scores in base):
        return passed(0)
    size = sum(block.size for block in blocks)
    cases = 0
    for parameter in metric.declared:
        others = [o for o in (_made(metric, {parameter.name: v}) for v in _other_values(parameter, metric)) if o]
        cases += size * len(others)
        if others and not any(_differs(base, subject.score(blocks, other)) for other in others):
            tried = ", ".join(parameter.text(other.values[parameter.name]) for other in others)
            now = parameter.text(metric.values[parameter.name])
            return failed(f"{parameter.name} has no effect: with {tried} all scores are as with {now}", cases)
    cut = _made(metric, {}, 1 if metric.cutoff != 1 else 2)
    if cut is not None:
        cases += size
        if not _differs(base, subject.score(blocks, cut)):
            return failed(f"the cutoff has no effect: all scores of {cut} are those of {metric}", cases)
    return passed(cases)


def _differs(one: Sequence[BlockScores], other: Sequence[BlockScores]) -> bool:
    """Whether some score differs, or is there in one and not in the other."""
    return any(
        bool((a.usable != b.usable).any() or (a.usable & apart(a.values, b.values)).any())
        for a, b in zip(one, other, strict=True)
    )


def _made(metric: Metric, changed: dict[str, Any], cutoff: int | None = None) -> Metric | None:
    """The metric with another value or cutoff; None if it cannot be made so."""
    try:
        return type(metric)(cutoff or metric.cutoff, **(metric.values | changed))
    except Exception:  # InvalidInput where values do not go together; anything where a class is made otherwise
        return None


def _other_values(parameter: Parameter, metric: Metric) -> list[Any]:
    """A few values within the range besides the one there is."""
    now = metric.values[parameter.name]
    candidates: list[Any] = []
    if isinstance(parameter, Real):
        high = parameter.high if parameter.high is not None else max(now, Fraction(1)) * 4
        candidates = [(now + parameter.low) / 2, (now + high) / 2, parameter.low, high]
    elif isinstance(parameter, Flag):
        candidates = [not now]
    elif isinstance(parameter, Choice):
        candidates = list(parameter.choices)
    elif isinstance(parameter, Base):
        candidates = [None, 2, 10]
    others = []
    for value in candidates:
        try:
            parsed = parameter.parse(value)
        except InvalidInput:
            continue
        if parsed != now:
            others.append(parsed)
    return others
