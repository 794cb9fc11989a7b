"""Contract checks that scores are finite, in range, maximal for ideal rankings only, and defined everywhere."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from axiomcheck.checks.contract.counterexamples import compare, first_row, number, rounding
from axiomcheck.checks.contract.registry import (
    Outcome,
    admitted,
    check,
    error,
    failed,
    not_applicable,
    passed,
)
from axiomcheck.core.domain import Instance, Topic
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.typing import Mask, Reals
from axiomcheck.metrics.base import Metric
from axiomcheck.numbers.arithmetic import Floats
from axiomcheck.sources.external_metrics import FloatTopic
from axiomcheck.sources.probes import CaseBlock, counterexample, every_ranking, plain, random_block
from axiomcheck.sources.provenance import Origin
from axiomcheck.trials.subject import BlockScores, Subject


def _declared(subject: Subject) -> str:
    claims = subject.metric.claims
    low = "-inf" if claims.low is None else number(claims.low)
    high = "inf" if claims.high is None else number(claims.high)
    return f"[{low}, {high}]"


def _outside(subject: Subject, values: Reals) -> Mask:
    """Return a mask of the scores outside the declared range, beyond rounding error."""
    claims = subject.metric.claims
    wrong = np.zeros(values.shape, dtype=bool)
    if claims.low is not None:
        wrong |= values < claims.low - np.maximum(rounding(values), subject.rounding)
    if claims.high is not None:
        wrong |= values > claims.high + np.maximum(rounding(values), subject.rounding)
    return wrong


def _first_case(
    blocks: Sequence[CaseBlock], scores: Sequence[BlockScores], wrong: Callable[[BlockScores], Mask]
) -> tuple[CaseBlock, int, float] | None:
    """Return the block, the row and the score of the first case with a wrong score; None if there is none."""
    for block, found in zip(blocks, scores, strict=True):
        chosen = wrong(found)
        if chosen.any():
            row = first_row(block, chosen)
            return block, row, float(found.values[row])
    return None


def _numbers(blocks: Sequence[CaseBlock], scores: Sequence[BlockScores]) -> Outcome:
    """Check that every score is a finite number."""
    cases = sum(block.size for block in blocks)
    for block, found in zip(blocks, scores, strict=True):
        if found.raised:
            row = first_row(block, found.refused)
            return error(f"raised {found.raised[row]}", cases, counterexample((block, row, None)))
        if (case := _first_case([block], [found], lambda found: ~found.usable)) is not None:
            return failed(f"scores {number(case[2])}", cases, counterexample(case))
    return passed(cases)


def _defined(subject: Subject, blocks: Sequence[CaseBlock]) -> Outcome:
    """Check that every score is a finite number within the declared range."""
    scores = subject.score(blocks)
    found = _numbers(blocks, scores)
    return found if found.status != "passed" else _ranged(subject, blocks, scores)


def _ranged(subject: Subject, blocks: Sequence[CaseBlock], scores: Sequence[BlockScores]) -> Outcome:
    """Check that every finite score is within the declared range."""
    cases = sum(int(found.usable.sum()) for found in scores)
    case = _first_case(blocks, scores, lambda found: found.usable & _outside(subject, found.values))
    if case is None:
        return passed(cases)
    return failed(f"scores {number(case[2])}, outside the declared {_declared(subject)}", cases, counterexample(case))


@check("finite", group="values")
def finite(subject: Subject) -> Outcome:
    """Check that every score is a finite number."""
    return _numbers(subject.blocks, subject.base)


@check("in-range", group="values")
def in_range(subject: Subject) -> Iterator[Outcome]:
    """Check that no score is outside the declared range.

    Rankings of small pools are also scored with small cutoffs. All rankings are needed because a metric that divides by
    the score of a greedy ideal ranking exceeds the range on only a few of them.
    """
    claims = subject.metric.claims
    if claims.low is None and claims.high is None:
        yield not_applicable("no range is declared", "a declaration of low or high")
    every = every_ranking(subject.scale)
    yield _ranged(subject, every, subject.score(every))
    for metric in _with_small_cutoffs(subject):
        found = _ranged(subject, every, subject.score(every, metric))
        yield replace(found, reason=f"{metric} {found.reason}")
    yield _ranged(subject, subject.blocks, subject.base)


def _with_small_cutoffs(subject: Subject) -> list[Metric]:
    """Return the metric with each other cutoff from 1 to 3, or an empty list if its class does not accept them."""
    metric = subject.metric
    if metric.cutoff is None or not subject.origin.is_class:
        return []
    with contextlib.suppress(Exception):  # the class may have a different constructor
        return [type(metric)(cutoff, **metric.values) for cutoff in (1, 2, 3) if cutoff != metric.cutoff]
    return []


@check(
    "ideal-attains-maximum",
    group="values",
    asks="The best ranking of every topic scores the declared maximum, and none that misses relevant documents does.",
)
def ideal_attains_maximum(subject: Subject) -> Iterator[Outcome]:
    """Check that the best ranking of each pool has the maximum score, and that incomplete rankings do not.

    For pools of up to three documents, every ranking is tried. Larger pools are tried only for one aspect, with the
    ranking by descending grade. Shorter rankings are tried only if no ranking of the whole pool has the maximum score.
    Finally, rankings of up to three documents must not have the maximum score if they miss relevant documents within
    the cutoff.
    """
    high = subject.metric.claims.high
    if not subject.metric.claims.ideal or high is None:
        yield not_applicable("ideal rankings are not declared to score the maximum", "a declaration of high and ideal")
        return
    # Small topics occur once per length; only the longest is used.
    every = [b for b in subject.blocks if (b.documents == b.ranked if b.documents <= 3 else b.aspects == 1)]
    yield from (maximum_attained(subject, block, high) for block in every)
    for block in [block for block in every if 1 < block.documents <= 3]:
        yield from maximum_of_incomplete(subject, block, high)


@check("empty-ranking", group="values")
def empty_ranking(subject: Subject) -> Outcome:
    """Check that a ranking without documents has a score within the declared range."""
    return _defined(subject, [block.cut(0) for block in subject.blocks])


@check("nothing-relevant", group="values")
def nothing_relevant(subject: Subject) -> Outcome:
    """Check that a topic without a relevant document has scores within the range."""
    blocks = [replace(block, pool=np.zeros_like(block.pool)).rows(slice(0, 3)) for block in subject.blocks]
    return _defined(subject, blocks)


@check("nothing-judged", group="values")
def nothing_judged(subject: Subject) -> Outcome:
    """Check that a topic without a judged document has scores within the range.

    The empty ranking of an empty pool is scored and, if possible, rankings of unjudged documents.
    """
    # A plain callable may rely on every ranked document being in the pool.
    lengths = (0,) if subject.origin is Origin.CALLABLE else (0, 1, 2)
    refuses = subject.library.refuses_empty if subject.library else None
    refused, cases = None, 0
    for m in (1, 2) if subject.scale.aspects else (1,):
        for names in [[f"u{k}" for k in range(1, n + 1)] for n in lengths]:
            values, message = subject.attempt(partial(_of_unjudged, subject, names, m), 1)
            cases += 1
            score = float(values[0])
            shown: dict[str, Any] = {
                "topic": {"weights": [1 / m] * m, "pool": {}},
                "rankings": [names],
                "scores": [None if message else plain(score)],
            }
            if message and refuses is not None and refuses.says in message:
                refused = refused or admitted(error(f"raised {message}", cases, shown), refuses.documented)
            elif message:
                return error(f"raised {message}", cases, shown)
            elif not np.isfinite(score):
                return failed(f"scores {number(score)}", cases, shown)
            elif _outside(subject, values)[0]:
                return failed(f"scores {number(score)}, outside the declared {_declared(subject)}", cases, shown)
    return passed(cases) if refused is None else replace(refused, cases=cases)


def _of_unjudged(subject: Subject, names: list[str], aspects: int) -> Any:
    if subject.named is not None:
        return subject.named.score_rankings([(FloatTopic((1 / aspects,) * aspects, {}), names)])
    shares = np.full((1, aspects), 1 / aspects)
    return subject.metric.score(Floats(), np.zeros((1, len(names), aspects)), shares, np.zeros((1, 0, aspects)))


@check("cutoff-beyond-ranking", group="values")
def cutoff_beyond_ranking(subject: Subject) -> Outcome:
    """Check that a ranking shorter than the cutoff has a score within the range."""
    cutoff = subject.metric.cutoff
    if cutoff is None:
        return not_applicable("there is no cutoff", "a declared cutoff")
    lengths = sorted({0, 1, 2, cutoff // 2, cutoff - 1} & set(range(min(cutoff, 1001))))
    rng = subject.rng("cutoff-beyond-ranking")
    blocks = [
        random_block(subject.scale, rng, min(subject.scale.share, 1 + 20_000 // (n + 1)), n + extra, n, m)
        for n in lengths
        for extra in (1, 3)
        for m in ((1, 2) if subject.scale.aspects else (1,))
    ]
    return _defined(subject, blocks)


@check(
    "grades-above-scale",
    group="values",
    asks="A grade above the scale is refused, or the ranking still has a score, which is within the range if the "
    "metric claims to be normalised.",
)
def grades_above_scale(subject: Subject) -> Outcome:
    """Check that grades of 2 and 5 on a scale up to 1 are rejected, or that rankings with them have valid scores.

    The scores have to stay in the range only if the metric declares that ideal rankings have the maximum score.
    """
    rng = subject.rng("grades-above-scale")
    blocks = []
    for block in subject.blocks:
        pool = block.pool.copy()
        raised = rng.random(pool.shape) < 0.5
        raised[:, 0, 0] = True
        pool[raised] = rng.choice([2.0, 5.0], int(raised.sum()))
        blocks.append(replace(block, pool=pool))
    if subject.origin.is_class:  # such a metric gets its grades only from `axiomcheck.Topic`
        few = [block.rows(slice(0, 3)) for block in blocks]
        refused = _check_rejected(few, "Topic", lambda topic, ranking: topic)
        if refused.status == "passed":
            return refused
    # Cases that the metric cannot score with grades on the scale are skipped.
    blocks = [block.rows(scores.usable) for block, scores in zip(blocks, subject.base, strict=True)]
    blocks = [block for block in blocks if block.size]
    cases = sum(block.size for block in blocks)
    scores = subject.score(blocks)
    case = _first_case(blocks, scores, lambda found: ~found.refused & ~found.usable)
    if case is not None:
        return failed(f"scores {number(case[2])}", cases, counterexample(case))
    found = _ranged(subject, blocks, scores) if subject.metric.claims.ideal else passed(cases)
    return replace(found, cases=cases, reason=found.reason or _refused(scores))


def _refused(scores: Sequence[BlockScores]) -> str:
    """Return the number of cases that the metric rejected and the first error message, in words; empty if none."""
    messages = [message for found in scores for message in found.raised.values()]
    return f"{len(messages):,} refused, the first with {messages[0]}" if messages else ""


def _check_rejected(blocks: Sequence[CaseBlock], name: str, make: Callable[[Topic, list[str]], object]) -> Outcome:
    """Check that axiomcheck's own validation rejects all cases, so that none of them reaches a metric.

    Args:
        blocks: Cases that the class should reject.
        name: Name of the axiomcheck class that validates them.
        make: Function that constructs an instance of this class from a topic and a ranking.

    """
    cases = 0
    for block in blocks:
        for row in range(block.size):
            cases += 1
            with contextlib.suppress(InvalidInput):
                make(Topic([f"1/{block.aspects}"] * block.aspects, block.topic(row)), block.ranking(row))
                return failed(f"axiomcheck.{name} accepts it", cases, counterexample((block, row, None)))
    return passed(cases, f"axiomcheck.{name} refuses them before the metric is called")


@check("document-twice", group="values")
def document_twice(subject: Subject) -> Outcome:
    """Check that a document listed twice is refused, or earns nothing the second time."""
    if subject.origin is Origin.ARRAYS:
        return not_applicable(
            "it receives grades, so it cannot recognise a repeated document", "a function of (topic, ranking)"
        )
    rng = subject.rng("document-twice")
    pairs, moved = [], []
    for block in subject.blocks:
        place = rng.integers(0, block.ranked, (block.size, 1))
        twice = block.followed(np.take_along_axis(block.order, place, axis=1))
        later = np.delete(twice.order.ravel(), np.arange(block.size) * twice.ranked + place[:, 0])
        pairs.append((block, twice))
        moved.append((block.reordered(later.reshape(block.size, block.ranked)), twice))
    if subject.origin.is_class:
        few = [doubled.rows(slice(0, 3)) for _, doubled in pairs]
        return _check_rejected(few, "Instance", lambda topic, ranking: Instance(topic, ranking, ranking))
    second = subject.score([doubled for _, doubled in pairs])
    says = "listing a document twice changes the score"
    found = compare(subject, pairs, says, second=second, may_refuse=True)
    if found.status == "failed":
        if compare(subject, moved, "", second=second).status == "passed":
            return not_applicable(
                "a repeated document keeps only its last rank, because the ranking becomes a dictionary, which "
                "cannot contain it twice",
                "a function that does not convert the ranking to a dictionary",
            )
        if _earns_nothing(subject, pairs):
            return passed(found.cases, "the second copy takes a rank and earns nothing")
    return replace(found, reason=found.reason or _refused(second))


def _earns_nothing(subject: Subject, pairs: Sequence[tuple[CaseBlock, CaseBlock]]) -> bool:
    """Return True if a repeated document counts like a new document of grade 0 at the same rank."""
    compared = []
    for once, twice in pairs:
        pool = np.concatenate([once.pool, np.zeros_like(once.pool[:, :1])], axis=1)
        last = np.full((once.size, 1), once.documents)
        more: dict[str, Any] = {"pool": pool, "names": (*once.names, f"d{once.documents + 1}")}
        other = replace(once.followed(last), **more)
        compared.append((other, replace(twice, **more)))
    return compare(subject, compared, "").status == "passed"


def maximum_attained(subject: Subject, block: CaseBlock, high: float) -> Outcome:
    """Check that every topic has a ranking with the maximum score.

    Topics are skipped if some ranking of the whole pool has no score.

    Args:
        subject: Metric with its cases.
        block: Topics. For up to three documents, every ranking is tried, else only rankings by descending grade.
        high: Declared maximum.

    """
    every = block.documents <= 3

    def rankings(topics: CaseBlock, length: int) -> list[CaseBlock]:
        if every:
            orders = itertools.permutations(range(topics.documents), length)
            return [topics.alike(order) for order in orders]
        descending = np.argsort(-topics.pool[:, :, 0], axis=1, kind="stable")
        return [topics.reordered(descending[:, :length])]

    def below(values: Reals) -> Mask:
        best: Reals = values.max(axis=0)
        close: Reals = np.maximum(rounding(best), subject.rounding) * max(1.0, abs(high))
        return best < high - close

    values = np.array([found.values for found in subject.score(rankings(block, block.documents))])
    usable = np.isfinite(values).all(axis=0)
    cases = int(usable.sum())
    missing = block.rows(usable & below(values))
    if not missing.size:
        return passed(cases)
    tried = [ranked for length in range(block.documents, 0, -1) for ranked in rankings(missing, length)]
    values = np.array([found.values for found in subject.score(tried)])
    finite = np.isfinite(values)
    values = np.where(finite, values, -np.inf)
    wrong = below(values)
    if not wrong.any():
        return passed(cases)
    row = first_row(missing, wrong)
    which = int(values[:, row].argmax())
    best = float(values[which, row])
    what = f"a ranking of the topic's only document scores {number(best)}"
    if len(tried) > 1:
        kinds = "its rankings" if every else "its rankings by descending grade"
        gaps = "" if finite.all() else ", some of them without a score,"
        what = f"no ranking among {kinds} of 1 to {block.documents:,} documents{gaps} scores above {number(best)}"
    return failed(f"{what}; the declared maximum is {number(high)}", cases, counterexample((tried[which], row, best)))


def maximum_of_incomplete(subject: Subject, block: CaseBlock, high: float) -> Iterator[Outcome]:
    """Check that no ranking with the maximum score misses a document that the metric rewards within the cutoff.

    A metric rewards a document missing from a ranking if appending it, to this ranking or to one with more documents,
    raises the score. Reciprocal rank never rewards a second relevant document, so a ranking may miss that document.

    Args:
        subject: Metric with its cases.
        block: Topics of two or three documents.
        high: Declared maximum.

    """
    documents = range(block.documents)
    lengths = range(1, block.documents + 1)
    orders = [order for length in lengths for order in itertools.permutations(documents, length)]
    scored = subject.score([block.alike(order) for order in orders])
    values = {order: scores.values for order, scores in zip(orders, scored, strict=True)}
    deepest = min(block.documents, subject.metric.cutoff or block.documents)
    shorter = [order for order in orders if len(order) < deepest]
    for order, missing in itertools.product(shorter, documents):
        if missing in order:
            continue
        close = np.maximum(rounding(values[order]), subject.rounding) * max(1.0, abs(high))
        others = [other for other in shorter if set(order) <= set(other) and missing not in other]
        rewarded = np.any([values[(*other, missing)] > values[other] + close for other in others], axis=0)
        asked = rewarded & block.pool[:, missing].any(axis=1)
        yield passed(int(asked.sum()))
        wrong = asked & (values[order] >= high - close)
        if wrong.any():
            row = first_row(block, wrong)
            score = float(values[order][row])
            reason = f"a ranking without the relevant document {block.names[missing]} scores {number(score)}"
            shown = counterexample((block.alike(order), row, score))
            yield failed(f"{reason}, although this document raises the score of other rankings", 0, shown)
