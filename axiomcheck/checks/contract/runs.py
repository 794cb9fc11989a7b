"""Contract checks of how entry points treat run scores (ties, scale, length) and unusual or missing judgments."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace

import numpy as np

from axiomcheck.checks.contract.counterexamples import fewest, number, rounding
from axiomcheck.checks.contract.entry_point import (
    Pair,
    entry_point_check,
    ordinary,
    same_in_pairs,
    scored_alone,
    shown,
    unusual,
)
from axiomcheck.checks.contract.registry import Outcome, admitted, failed, not_applicable, passed, together
from axiomcheck.core.errors import OverLimit
from axiomcheck.core.limits import ROUNDING
from axiomcheck.core.printable import counted
from axiomcheck.sources.evaluators import DeclaredMeasure, Ties, run_scores
from axiomcheck.trials.calls import (
    Asking,
    AskingInOtherProcess,
    RunTopic,
    call_of,
    died,
    label_of,
    levels_of_scale,
    small_topics,
)
from axiomcheck.trials.subject import Score

NARROWING = 12
"""Maximum number of processes that are started to reduce a crash to fewer calls."""

MAPS: Mapping[str, Callable[[float], float]] = {
    "doubled": lambda x: 2 * x,
    "shifted by -1000, so that all are negative": lambda x: x - 1000,
    "shifted so that the lowest is 0": lambda x: x - 1,
    "as negative reciprocals": lambda x: -1 / x,
    "replaced with powers of ten": lambda x: 10.0**x,
    "times 1e30": lambda x: x * 1e30,
    "close together, as 1 + k/1e6": lambda x: 1 + x / 1e6,
    "closer than single precision resolves, as 1 + k/1e9": lambda x: 1 + x / 1e9,
    "shifted to 2^24 + k": lambda x: 2.0**24 + x,
    "times 1e40, beyond single precision": lambda x: x * 1e40,
    "divided by 1e60": lambda x: x / 1e60,
    "divided by 1e300": lambda x: x / 1e300,
    "as neighbouring doubles": lambda x: 1 + x * 2.0**-52,
    "as the smallest positive doubles": lambda x: x * 5e-324,
}
"""Transformations that keep the run scores 1, 2, 3, ... strictly increasing in double precision."""


def _runs_of(topic: RunTopic) -> Mapping[str, float]:
    assert topic.scored is not None
    return topic.scored


@entry_point_check(
    "increasing-maps",
    group="runs",
    asks="Strictly increasing transformations of the run scores do not change scores, even if the results are "
    "negative, close or huge.",
)
def increasing_maps(asking: Asking) -> Iterator[Outcome]:
    """Check that strictly increasing transformations of run scores do not change the scores of measures.

    Small topics without ties are tried, with transformations that are strictly increasing even in single precision.
    """
    return same_in_pairs(asking, asking.evaluator.measures, _mapped(asking, single=True))


@entry_point_check("double-precision", group="runs")
def double_precision(asking: Asking) -> Outcome:
    """Check that scores stay the same if run scores are transformed to numbers that need double precision.

    Small topics without ties are tried, with transformations that are strictly increasing only in double precision. If
    the library documents single precision, a failure that single precision explains is admitted. Single precision
    explains a difference if the second score is in range and equals the score after rounding the run scores to single
    precision.
    """
    measures, pairs = asking.evaluator.measures, _mapped(asking, single=False)
    found, documented = together(same_in_pairs(asking, measures, pairs)), asking.evaluator.single_precision
    if found.status != "failed" or documented is None:
        return found
    for measure in measures:
        first = asking.each([pair.one for pair in pairs], measure.name)
        second = asking.each([pair.other for pair in pairs], measure.name)
        unlike = [pair for pair, a, b in zip(pairs, first, second, strict=True) if a.is_unlike(b)]
        odd = same_in_pairs(
            asking, [measure], unlike, lambda of, _, other: not _wrong_score(of, other, bounded=True, needed=True)
        )
        not_rounded = same_in_pairs(
            asking,
            [measure],
            list(map(_rounded_first, unlike)),
            lambda _, one, other: one.is_number and not one.is_unlike(other),
        )
        unexplained = together(itertools.chain(odd, not_rounded))
        if unexplained.status == "failed":
            return replace(unexplained, cases=found.cases)
    return admitted(found, documented)


def _rounded_first(pair: Pair) -> Pair:
    """Return a pair of the second topic with run scores rounded to single precision, and the second topic itself."""
    rounded = replace(pair.other, scored={d: _single(x) for d, x in _runs_of(pair.other).items()})
    return Pair(rounded, pair.other, f"{pair.says}; single precision does not explain this")


def _mapped(asking: Asking, *, single: bool) -> list[Pair]:
    """Return pairs of a small topic and a copy of it whose run scores were transformed by a map in `MAPS`.

    If `single` is True, the maps are those that are strictly increasing in single precision, otherwise the others.
    """
    topics = [topic for topic in ordinary(asking) if len(_runs_of(topic)) > 1]
    return [
        Pair(topic, replace(topic, scored={d: change(x) for d, x in _runs_of(topic).items()}), f"run scores {says}")
        for says, change in MAPS.items()
        if _increases_in_single(change) is single
        for topic in topics
    ]


def _increases_in_single(change: Callable[[float], float]) -> bool:
    """Return True if a map takes 1, 2 and 3 to finite, strictly increasing numbers in single precision."""
    scores = [_single(change(float(x))) for x in (1, 2, 3)]
    return all(map(math.isfinite, scores)) and scores[0] < scores[1] < scores[2]


def _single(score: float) -> float:
    """Round a score to single precision. The result may be infinite."""
    with np.errstate(all="ignore"):
        return float(np.float32(score))


@entry_point_check("tied-scores", group="runs")
def tied_scores(asking: Asking) -> Iterator[Outcome]:
    """Check that a run with ties has the score of the documented order, or at least one in the range of all orders.

    Topics of up to three documents are tried with every pattern of ties, and with the lines of the run reversed. If the
    library documents that tied documents are scored as a group, the score need not match any order of them.
    """
    levels = levels_of_scale(asking.evaluator.grades)
    tied = [t for t in small_topics(levels, 3, ties=True) if len(set(_runs_of(t).values())) < len(_runs_of(t))]
    ties = asking.evaluator.ties
    if ties is not Ties.LISTED:
        backwards = [
            Pair(
                t,
                replace(t, scored=dict(reversed(list(_runs_of(t).items())))),
                "the same run with its lines in another order",
            )
            for t in tied
        ]
        yield from same_in_pairs(asking, asking.evaluator.measures, backwards)
    for measure in asking.evaluator.measures if ties is not Ties.TOGETHER else ():
        orders = [list(_orders(topic)) for topic in tied]
        flat = asking.each([one for some in orders for one in some], measure.name)
        starts = list(itertools.accumulate((len(some) for some in orders), initial=0))[:-1]
        for topic, some, start, got in zip(tied, orders, starts, asking.each(tied, measure.name), strict=True):
            of_orders = flat[start : start + len(some)]
            if not all(value.is_number for value in of_orders):
                continue
            yield passed(1)
            wrong = _wrong_of_tied(got, of_orders, _documented(ties, topic))
            if not wrong:
                continue
            again = [scored_alone(asking, one, measure.name) for one in (topic, *some)]
            first, *others = (value for *_, value in again)
            wrong = _wrong_of_tied(first, others, _documented(ties, topic))
            if wrong:
                yield failed(f"{measure.name}: with tied run scores, it scores {wrong}", 0, shown(*again))


def _orders(topic: RunTopic) -> Iterator[RunTopic]:
    """Yield copies of a topic with its ties broken in every possible way. The first copy breaks ties by name."""
    scores = _runs_of(topic)
    groups = [sorted(d for d in scores if scores[d] == x) for x in sorted(set(scores.values()), reverse=True)]
    for parts in itertools.product(*map(itertools.permutations, groups)):
        order = [name for part in parts for name in part]
        yield replace(topic, scored=run_scores(order))


def _documented(ties: Ties, topic: RunTopic) -> int | str | None:
    """Return the index of the documented order in `_orders`, "mean" for an average over orders, None if unknown."""
    if ties is Ties.AVERAGED:
        return "mean"
    if ties is Ties.NAME:
        return 0
    if ties is Ties.NAME_LAST:
        return -1
    if ties is not Ties.LISTED:
        return None
    scores = _runs_of(topic)
    listed = sorted(scores, key=lambda name: -scores[name])
    return next(k for k, one in enumerate(_orders(topic)) if list(_runs_of(one)) == listed)


def _wrong_of_tied(got: Score, orders: Sequence[Score], documented: int | str | None) -> str:
    """Describe what is wrong with the score of a run with ties; return an empty string if the score is right."""
    values = [score.value for score in orders if score.value is not None]
    low, high = min(values), max(values)
    between = f"between {number(low)} and {number(high)}"
    if not got.is_number or got.value is None:
        return f"{got.text}, but the orders of the tied documents score {between}"
    if not low - ROUNDING <= got.value <= high + ROUNDING:
        return f"{got.text}, which is not the score of any order of the tied documents; these score {between}"
    if documented is None:
        return ""
    expected = math.fsum(values) / len(values) if isinstance(documented, str) else values[documented]
    if abs(expected - got.value) > ROUNDING * max(1.0, abs(expected)):
        what = "the mean over all orders" if isinstance(documented, str) else "the documented order"
        return f"{got.text}, but {what} scores {number(expected)}"
    return ""


@entry_point_check(
    "run-length",
    group="runs",
    asks="Results below the cutoff do not change scores, and a run with fewer results than the cutoff has a score.",
)
def run_length(asking: Asking) -> Iterator[Outcome]:
    """Check that adding results below the cutoff does not change scores, and that runs of two results have scores."""
    measures = asking.evaluator.measures
    cut = [(one, one.cutoff) for one in measures if one.cutoff is not None and one.cutoff <= 50]
    if not cut:
        yield not_applicable("none of its measures has a cutoff")
    # A topic of a single document may be rejected, because some libraries require at least two.
    short = [topic for topic in ordinary(asking) if len(_runs_of(topic)) == 2 and any((topic.judged or {}).values())]
    for measure, cutoff in cut:
        pairs = [Pair(*two, "more results below the cutoff") for two in _longer(asking, cutoff)]
        yield from same_in_pairs(asking, [measure], pairs)
    yield from _in_range(asking, short, lambda _: True, ", a run with two results", needed=True)


def _longer(asking: Asking, cutoff: int) -> Iterator[tuple[RunTopic, RunTopic]]:
    """Yield pairs: a topic with as many results as the cutoff, and the same topic with more results."""
    top = max(asking.evaluator.grades)
    for extra in (1, 5):
        names = [f"d{k:02d}" for k in range(1, cutoff + extra + 1)]
        run = run_scores(names)
        cut = dict(list(run.items())[:cutoff])
        for relevant in ({cutoff}, {0}, {cutoff - 1}, {0, cutoff}, {cutoff - 1, cutoff + extra - 1}):
            judged = {name: top if k in relevant else 0 for k, name in enumerate(names)}
            yield RunTopic(judged, cut), RunTopic(judged, run)
            yield RunTopic(judged, cut), RunTopic(judged, cut | {"u1": 0.5, "u2": 0.25})


def _in_range(
    asking: Asking,
    topics: Sequence[RunTopic],
    bounded: Callable[[DeclaredMeasure], bool],
    what: str = "",
    *,
    needed: bool = False,
) -> Iterator[Outcome]:
    """Check that the score of every topic is finite and within the documented range.

    Topics that the entry point rejects or leaves out are skipped unless `needed` is set.

    Args:
        asking: Caller of the entry point.
        topics: Topics, smallest first.
        bounded: Function that returns whether a measure's documented range applies to these topics.
        what: Description of the topics, which becomes part of the reason for a failure.
        needed: True if every topic needs a score. A topic that is rejected or left out is then a failure.

    """
    for measure in asking.evaluator.measures:
        for topic, found in zip(topics, asking.each(topics, measure.name), strict=True):
            yield passed(int(found.value is not None))
            if not _wrong_score(measure, found, bounded(measure), needed):
                continue
            again = scored_alone(asking, topic, measure.name)
            if wrong := _wrong_score(measure, again[-1], bounded(measure), needed):
                yield failed(f"{measure.name}{what}: {wrong}", 0, shown(again))


def _wrong_score(measure: DeclaredMeasure, value: Score, bounded: bool, needed: bool) -> str:
    """Describe what is wrong with a score; return an empty string if nothing is."""
    score = value.value
    if score is None:
        return value.text if needed else ""
    if not math.isfinite(score):
        return f"scores {number(score)}"
    low = -math.inf if measure.low is None else measure.low
    high = math.inf if measure.high is None else measure.high
    slack = float(rounding(np.array(score)))
    if bounded and not low - slack <= score <= high + slack:
        return f"scores {number(score)}, outside the documented [{number(low)}, {number(high)}]"
    return ""


@entry_point_check(
    "odd-judgments",
    group="runs",
    asks="Judgments that are negative, above the scale or fractional are refused, or the topic has a score in "
    "the range.",
)
def odd_judgments(asking: Asking) -> Outcome:
    """Check that judgments that are negative, fractional or too high are refused, or give scores in the range.

    Topics of one to three documents, with one or two such judgments, are scored, if possible in a separate process.
    """
    label = label_of(asking.subject.metric)
    # A metric that another process cannot load is called in this one.
    if label is None:
        return _odd_judgments(asking)
    with closing(AskingInOtherProcess(asking.subject, asking.evaluator, label)) as apart:
        try:
            return _odd_judgments(apart)
        except OverLimit as problem:
            return not_applicable(str(problem), "a library that answers within the time limit")


def _odd_judgments(asking: Asking) -> Outcome:
    # A single call with all kinds would be rejected for any one of them.
    kinds: dict[tuple[float, ...], list[RunTopic]] = {}
    for topic, odd in _off_scale_topics(max(asking.evaluator.grades)):
        kinds.setdefault(odd, []).append(topic)
    takes, cases = asking.evaluator.judgments, 0
    excluded = {odd for odd in kinds if takes is not None and not all(judgment in takes for judgment in odd)}
    # Documented exclusions come last, so that a crash that they cause does not affect the other kinds.
    for odd in sorted(kinds, key=excluded.__contains__):
        found = together(_check_off_scale(asking, kinds[odd]))
        cases += found.cases
        if found.status == "passed":
            continue
        found = replace(found, cases=cases)
        return admitted(found, takes.documented) if takes is not None and odd in excluded else found
    return passed(cases, "" if cases else "every such judgment is refused")


def _check_off_scale(asking: Asking, topics: Sequence[RunTopic]) -> Iterator[Outcome]:
    """Check topics with the same off-scale judgments: none may crash the process.

    Those with a relevant document must be refused, left out, or scored within the range.
    """
    for measure in asking.evaluator.measures:
        if failure := _process_ends(asking, topics, measure.name):
            yield failure
    # The check unusual-topics covers topics without relevant documents.
    relevant = [topic for topic in topics if max((topic.judged or {}).values()) > 0]
    yield from _in_range(asking, relevant, lambda measure: measure.above, ", judgments off the scale")


def _process_ends(asking: Asking, topics: Sequence[RunTopic], name: str) -> Outcome | None:
    """Return a failure if scoring these topics crashes the separate process that makes the call, else None.

    The counterexample consists of as few calls as possible that still crash a new process.
    """
    said = asking.answer(call_of(topics, [name])).raised
    if not died(said) or not isinstance(asking, AskingInOtherProcess):
        return None
    whole = asking.ended
    calls = fewest(whole, lambda some: bool(asking.end_with(some)), NARROWING)
    again = calls is not None and asking.end_with(calls)
    calls = asking.ended if again else whole
    if again and len(calls) == 1:
        few = fewest(topics, lambda some: bool(some and asking.end_with([call_of(some, [name])])), NARROWING)
        calls = [call_of(few or topics, [name])]
    each = [(call, call.measures[0], next(iter(call.qrels)), Score(None)) for call in calls[:-1]]
    each.append((calls[-1], name, next(iter(calls[-1].qrels)), Score(None, again or said)))
    after = f" after {counted(len(calls) - 1, 'other call')}" if len(calls) > 1 else ""
    known = "" if again else "; repeating these calls does not crash a new process"
    return failed(f"{name}: with judgments outside the scale{after}, {again or said}{known}", 1, shown(*each))


def _off_scale_topics(top: float) -> Iterator[tuple[RunTopic, tuple[float, ...]]]:
    """Yield topics of one to three documents with judgments that are off the scale, each with those judgments."""
    odd = (-1, -2, 0.5, 1.5, top + 1, 10 * top, 1000)
    for n in (1, 2, 3):
        names = [f"d{k}" for k in range(1, n + 1)]
        for judged in itertools.product((0, top, *odd), repeat=n):
            kinds = tuple(sorted({one for one in judged if one in odd}))
            if not kinds or (n == 3 and (len(kinds) > 1 or judged[2] not in (0, top))):
                continue
            for length in range(1, n + 1):
                yield RunTopic(dict(zip(names, judged, strict=True)), run_scores(names[:length])), kinds


@entry_point_check(
    "unusual-topics",
    group="runs",
    asks="A topic without relevant, judged or ranked documents is refused or omitted, or has a score in the range.",
)
def unusual_topics(asking: Asking) -> Iterator[Outcome]:
    """Check that each unusual topic, in a call of its own, is rejected, left out, or has a score within the range."""
    topics = [t for t in unusual(asking) if not t.judged or not t.scored or not any(map(t.judged.get, t.scored))]
    for topic in topics:
        yield from _in_range(asking, [topic], lambda _: True)


@entry_point_check(
    "small-pools",
    group="runs",
    asks="No ranking of a small pool scores outside the documented range, and the best one scores the maximum.",
)
def small_pools(asking: Asking) -> Iterator[Outcome]:
    """Check that all rankings of small pools score within the range, and that the best one scores the maximum."""
    levels = levels_of_scale(asking.evaluator.grades)
    pools = [list(pool) for n in (1, 2, 3) for pool in itertools.combinations_with_replacement(levels, n)]
    pools = [pool for pool in pools if any(grade > min(levels) for grade in pool)]
    rankings = [list(_rankings(pool)) for pool in pools]
    yield from _in_range(asking, [topic for some in rankings for topic in some], lambda _: True)
    for measure in [one for one in asking.evaluator.measures if one.ideal]:
        for some in rankings:
            values = [found.value for found in asking.each(some, measure.name)]
            scores = [-math.inf if score is None else score for score in values]
            best = max(range(len(scores)), key=scores.__getitem__)
            slack = float(rounding(np.array(scores[best])))
            if measure.high is not None and -math.inf < scores[best] < measure.high - slack:
                again = scored_alone(asking, some[best], measure.name)
                says = f"no ranking scores above {again[-1].text}; the documented maximum is {number(measure.high)}"
                yield failed(f"{measure.name}: {says}", 0, shown(again))


def _rankings(pool: Sequence[float]) -> Iterator[RunTopic]:
    names = [f"d{k}" for k in range(1, len(pool) + 1)]
    judged = dict(zip(names, pool, strict=True))
    for length in range(1, len(names) + 1):
        for order in itertools.permutations(names, length):
            yield RunTopic(judged, run_scores(order))
