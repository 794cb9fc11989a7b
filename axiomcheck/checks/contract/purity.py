"""Contract checks that a score depends only on the topic, the ranking and the declared parameters."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from axiomcheck.checks.contract.counterexamples import (
    Reproduced,
    compare,
    reproduce_after_calls,
    reproduce_in_call,
)
from axiomcheck.checks.contract.registry import Outcome, check, error, failed, not_applicable, passed
from axiomcheck.core.errors import InvalidInput, MetricError, OverLimit
from axiomcheck.metrics.base import Metric
from axiomcheck.metrics.parameters import Base, Choice, Flag, Parameter, Real
from axiomcheck.numbers.arithmetic import Floats
from axiomcheck.sources.adapters import measure
from axiomcheck.sources.adapters.common import LibraryMetric, MeasureOption
from axiomcheck.sources.external_metrics import NamedMetric, named_cases
from axiomcheck.sources.function_metrics import CallableMetric, FunctionMetric
from axiomcheck.sources.names import read_name
from axiomcheck.sources.probes import CaseBlock, blocks_of, plain
from axiomcheck.trials.calls import HASH_SEEDS, label_of, scores_by_hash_seed
from axiomcheck.trials.fresh_process import both_ways, fresh_process
from axiomcheck.trials.subject import BlockScores, Subject, apart


@check("repeatable", group="purity")
def repeatable(subject: Subject) -> Outcome:
    """Check that repeated calls on the same object give the same scores, even at a later time."""
    metric = subject.fresh()
    first, second = subject.score(subject.blocks, metric), subject.score(subject.blocks, metric)

    def again(number: int, row: int) -> Reproduced | None:
        return reproduce_after_calls(subject, subject.blocks[number].rows([row]), subject.singles(), same_object=True)

    says = "scored again, the same ranking has a different score"
    found = compare(subject, _twice(subject.blocks), says, first=first, second=second, again=again)
    if found.status == "passed" and subject.library is None and (fresh := fresh_process(subject.metric)) is not None:
        pairs = [pair for block in subject.blocks for pair in both_ways(block.rows(slice(0, 1)))]
        try:
            fresh.check_scores_depend_on_no_clock(subject.metric, pairs)
        except MetricError as problem:
            return failed(str(problem), found.cases)
    return found


def _twice(blocks: Sequence[CaseBlock]) -> list[tuple[CaseBlock, CaseBlock]]:
    return [(block, block) for block in blocks]


@check("inputs-unmodified", group="purity")
def inputs_unmodified(subject: Subject) -> Iterator[Outcome]:
    """Check that the metric does not change its topics, weights or rankings."""
    for block in subject.blocks:
        for call, given, names in _parts(subject.metric, block):
            before = copy.deepcopy(given)
            _, message = subject.guarded(call)
            yield passed(int(not message))
            for name, was, now in zip(names, before, given, strict=True):
                same = np.array_equal(was, now) if isinstance(now, np.ndarray) else was == now
                if not same:
                    shown = {"argument": name, "before": plain(was), "after": plain(now)}
                    yield failed(f"the metric changed its argument {name}", 0, shown)


_Part = tuple[Callable[[], Any], list[Any], tuple[str, ...]]


def _parts(metric: Metric, block: CaseBlock) -> list[_Part]:
    """Return functions that score a block or its first rankings, each with the arguments to watch and their names."""
    if isinstance(metric, NamedMetric):
        parts: list[_Part] = []
        for topic, ranking in named_cases(block.rows(slice(0, 3))):

            def call(topic: Any = topic, ranking: Any = ranking) -> Any:
                if isinstance(metric, CallableMetric):
                    return metric.function(topic, ranking)
                return metric.score_rankings([(topic, ranking)])

            parts.append((call, [topic.pool, ranking], ("topic.pool", "ranking")))
        return parts
    given = [block.grades, block.weights.copy(), block.pool.copy()]
    names = ("grades", "weights", "pool")
    if isinstance(metric, FunctionMetric):
        count = 3 if metric.needs_pool else 2
        return [(lambda: metric.function(*given[:count]), given[:count], names[:count])]
    return [(lambda: metric.score(Floats(), *given), given, names)]


@check("batch-as-alone", group="purity")
def batch_as_alone(subject: Subject) -> Outcome:
    """Check that topics scored in one call get the same scores as each topic alone."""
    rng = subject.rng("batch-as-alone")
    share = max(2, subject.handful // len(subject.blocks))
    places = [
        (k, row) for k, block in enumerate(subject.blocks) for row in rng.permutation(block.size)[:share].tolist()
    ]
    singles = [subject.blocks[k].rows([row]) for k, row in places]
    alone = [subject.score([single])[0] for single in singles]
    among = [subject.base[k].rows([row]) for k, row in places]

    def again(pair: int, _: int) -> Reproduced | None:
        return reproduce_in_call(subject, *places[pair], "alone")

    says = "when other topics are scored in the same call, the score of a ranking changes"
    return compare(subject, _twice(singles), says, first=alone, second=among, again=again)


@check("measures-together", group="purity")
def measures_together(subject: Subject) -> Outcome:
    """Check that computing another library measure between two calls does not change scores."""
    other = None if subject.library is None else _companion(subject.library)
    if other is None:
        return not_applicable(
            "it does not belong to a library whose measures could be computed in between", "a library's measure"
        )
    singles = subject.singles()

    def after_the_other(single: CaseBlock) -> BlockScores:
        subject.guarded(partial(other.evaluate, single.pool, single.weights, single.order))
        return subject.score([single])[0]

    def again(number: int, _: int) -> Reproduced | None:
        before = subject.score([singles[number]])[0].score(0)
        after = after_the_other(singles[number]).score(0)
        takes = {"computed_between": str(other)}
        return Reproduced(before, after, takes) if before.is_unlike(after, subject.rounding) else None

    first = [subject.score([single])[0] for single in singles]
    second = [after_the_other(single) for single in singles]
    says = f"after {other} was computed, the same ranking has a different score"
    return compare(subject, _twice(singles), says, first=first, second=second, again=again)


def _companion(metric: LibraryMetric) -> Metric | None:
    """Return another measure of the same library, or None if there is none."""
    named = read_name(metric.canonical)
    for candidate in metric.companions:
        if candidate != named.name:
            try:
                return measure(named.prefix, candidate)
            except InvalidInput:
                continue
    return None


@check("call-order", group="purity")
def call_order(subject: Subject) -> Outcome:
    """Check that the order of calls, and of topics within a call, does not change scores.

    Calls are made in forward and backward order, and with their topics in reverse order.
    """
    singles = subject.singles()
    forwards, backwards = subject.fresh(), subject.fresh()
    first = [subject.score([one], forwards)[0] for one in singles]
    second = [subject.score([one], backwards)[0] for one in reversed(singles)][::-1]

    def after(number: int, _: int) -> Reproduced | None:
        earlier = (singles[:number], singles[:number:-1])
        found = (reproduce_after_calls(subject, singles[number], calls) for calls in earlier)
        return next(filter(None, found), None)

    says = "with the calls in another order, the same ranking has a different score"
    found = compare(subject, _twice(singles), says, first=first, second=second, again=after)
    if found.status != "passed":
        return found
    turned = [
        scores.rows(range(scores.size)[::-1])
        for scores in subject.score([b.rows(slice(None, None, -1)) for b in subject.blocks])
    ]

    def among(number: int, row: int) -> Reproduced | None:
        return reproduce_in_call(subject, number, row, "reverse")

    says = "with the topics of a call in another order, the same ranking has a different score"
    whole = compare(subject, _twice(subject.blocks), says, second=turned, again=among)
    return replace(whole, cases=found.cases + whole.cases)


@check("hash-seed", group="purity")
def hash_seed(subject: Subject) -> Outcome:
    """Check that scores do not depend on the hash seed of the process."""
    label = label_of(subject.metric)
    if label is None:
        return not_applicable("another process cannot load it by its name", "a name such as file.py:function")
    singles = [one for one in subject.singles() if one.ranked > 1]
    try:
        first, second = scores_by_hash_seed(label, singles)
    except OverLimit as problem:
        return not_applicable(str(problem), "a metric that answers within the time limit")
    except MetricError as problem:
        return error(str(problem))
    if not any(scores.usable.any() for scores in first):
        raised = next((message for scores in first for message in scores.raised.values()), "")
        return error(raised or f"scores {first[0].values[0]:.6g} in a separate process")
    says = "in a process with another hash seed, the same ranking has a different score"
    found = compare(subject, _twice(singles), says, first=first, second=second)
    if found.counterexample is None:
        return found
    return replace(found, counterexample=found.counterexample | {"hash_seeds": list(HASH_SEEDS)})


@check(
    "parameters-matter",
    group="purity",
    asks="Every declared parameter, and the cutoff, changes some score; a library's depth does not change the scores "
    "of shorter rankings.",
)
def parameters_matter(subject: Subject) -> Outcome:
    """Check that changing any parameter, or the cutoff, changes the score of some ordinary case."""
    metric = subject.metric
    if subject.library is not None:
        return _options_matter(subject, subject.library.options)
    if not subject.origin.is_class:
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
            return failed(f"{parameter.name} has no effect: all scores are the same with {tried} as with {now}", cases)
    cut = _made(metric, {}, 1 if metric.cutoff != 1 else 2)
    if cut is not None:
        cases += size
        if not _differs(base, subject.score(blocks, cut)):
            return failed(f"the cutoff has no effect: all scores of {cut} equal those of {metric}", cases)
    return passed(cases)


def _made(metric: Metric, changed: dict[str, Any], cutoff: int | None = None) -> Metric | None:
    """Return the metric with other parameters or another cutoff; None if its class rejects them."""
    try:
        return type(metric)(cutoff or metric.cutoff, **(metric.values | changed))
    except Exception:  # InvalidInput for incompatible values, or any error from a custom constructor
        return None


def _other_values(parameter: Parameter, metric: Metric) -> list[Any]:
    """Return a few values within the parameter's range that differ from the current value."""
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


def _options_matter(subject: Subject, options: Sequence[MeasureOption]) -> Outcome:
    """Check that every option of a library's measure changes some score when it is set to another value.

    An option that limits the depth must not change the score of a topic with at most that many documents.
    """
    tried = blocks_of(
        subject.scale, subject.rng("parameters-matter"), aspects=(1, 2) if subject.scale.aspects else (1,)
    )
    blocks = [block.rows(slice(0, 40)) for block in tried]
    base = subject.score(blocks)
    cases = sum(block.size for block in blocks)
    if not any(scores.usable.any() for scores in base):
        return passed(0)
    asked = 0
    for option in options:
        others = [(value, made, subject.score(blocks, made)) for value, made in _with_option(subject.metric, option)]
        asked += cases * len(others)
        if others and not any(_differs(base, scores) for _, _, scores in others):
            values = ", ".join(str(value) for value, _, _ in others)
            return failed(f"{option.name} has no effect: all scores are the same with {values}", asked)
        for value, made, scores in others if option.depth else ():
            short = [k for k, block in enumerate(blocks) if block.documents <= min(value, option.now or value)]
            says = f"the depth {option.name} changes the score of a topic with no more documents than that, in {made}"
            twice = [(blocks[k], blocks[k]) for k in short]
            found = compare(subject, twice, says, first=[base[k] for k in short], second=[scores[k] for k in short])
            if found.status != "passed":
                return replace(found, cases=asked)
    return (
        passed(asked) if asked else not_applicable("it has no option with alternative values", "a measure with options")
    )


def _differs(one: Sequence[BlockScores], other: Sequence[BlockScores]) -> bool:
    """Return True if two sequences of scores differ somewhere, or if a case has a score in only one of them."""
    return any(
        bool((a.usable != b.usable).any() or (a.usable & apart(a.values, b.values)).any())
        for a, b in zip(one, other, strict=True)
    )


def _with_option(metric: Metric, option: MeasureOption) -> list[tuple[Any, Metric]]:
    """Return the alternative values of an option, each with the measure that has this value."""
    prefix, made = read_name(metric.canonical).prefix, []
    for value, spelled in option.others.items():
        try:
            made.append((value, measure(prefix, spelled)))
        except InvalidInput:  # a value that this measure does not accept
            continue
    return made
