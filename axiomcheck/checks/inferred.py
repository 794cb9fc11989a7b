"""Infer properties that a metric does not declare but seems to have, such as a cutoff or a highest score.

Each declaration is added to a copy of the metric, and the contract check of that declaration is run. This proves
nothing even if no probe contradicts the property, and no verdict depends on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np

from axiomcheck.checks.contract.counterexamples import compare, number
from axiomcheck.checks.contract.invariances import monotone, one_aspect, support_only
from axiomcheck.checks.contract.registry import Outcome, failed, passed
from axiomcheck.checks.contract.values import ideal_attains_maximum
from axiomcheck.core.typing import Reals
from axiomcheck.metrics.base import Metric
from axiomcheck.records.values import Text, Whole
from axiomcheck.sources.function_metrics import CallableMetric, FunctionMetric
from axiomcheck.sources.probes import CaseBlock, counterexample, random_block
from axiomcheck.trials.consistency import PROBES, undeclared_cutoff
from axiomcheck.trials.subject import BlockScores, Subject, apart

_SHARE, _FEW = 12, 2
"""Numbers of cases per shape, for vectorised metrics and for functions that are called once per ranking."""

_LENGTHS = (1, 2, 5, 12, 60, 240)
"""Lengths of rankings of relevant documents, one of which should have the metric's highest score."""

_LEVELS = (1, 2, 4, 8)
_ROUNDED: tuple[Callable[[Reals], Reals], ...] = (np.floor, np.rint, np.ceil)


About: TypeAlias = Literal[
    "cutoff", "binary_only", "levels", "single_aspect", "weights", "pool", "low", "high", "ideal", "monotone"
]


@dataclass(frozen=True)
class Declaration:
    """Source text that declares a property, both as a decorator argument and in TOML.

    Args:
        decorator: Argument to `axiomcheck.metric`.
        toml: Entry in the metric's table in axiomcheck.toml.

    """

    decorator: Text
    toml: Text


@dataclass(frozen=True)
class Inference:
    """Undeclared property of a metric that probes suggest or contradict.

    An inference is reported, but changes no verdict.

    Args:
        about: Name of the declaration.
        says: The property, or how a probe contradicts it, in words.
        probes: Number of probes.
        contrary: Probe that contradicts the property: a topic with rankings and their scores. None if there is none.
        declare: Source text that declares the property; None if a probe contradicts it or no declaration is needed.

    """

    about: About
    says: Text
    probes: Whole
    contrary: dict[str, Any] | None
    declare: Declaration | None

    @property
    def seems_so(self) -> bool:
        """True if no probe contradicts the property."""
        return self.contrary is None


def inferred(metric: Metric, seed: int = 0) -> tuple[Inference, ...]:
    """Probe a user's function for every property that it does not declare.

    Args:
        metric: Metric of any kind. Only functions are probed, since classes and adapters declare their properties.
        seed: Seed for the probes.

    Returns:
        One inference per probed declaration; none for a metric that gives no score, or the same score to all rankings.

    """
    if not isinstance(metric, FunctionMetric | CallableMetric):
        return ()
    probing = _Probing(metric, seed)
    return tuple(probing.all()) if probing.tells_rankings_apart() else ()


class _Probing:
    """Probes of one metric. Later probes use the results of earlier ones.

    Args:
        metric: Metric to probe, which is not modified.
        seed: Seed for the probes.

    Attributes:
        as_declared: The metric without added declarations.
        metric: Copy of the metric, to which the declarations that no probe contradicts are added.

    """

    def __init__(self, metric: FunctionMetric | CallableMetric, seed: int) -> None:
        self.as_declared, self.metric, self.seed = metric, copy(metric), seed

    def subject(self, most: int = _SHARE, **declared: Any) -> Subject:
        """Return a subject for the metric with additional declarations, with at most `most` cases per shape."""
        supposed = copy(self.metric)
        vars(supposed).update(declared)
        subject = Subject(supposed, seed=self.seed)
        most = min(most, _FEW) if isinstance(self.metric, CallableMetric) else most
        subject.scale = replace(subject.scale, share=min(subject.scale.share, most))
        return subject

    def tells_rankings_apart(self) -> bool:
        """Return True if the metric gives at least two different scores."""
        subject = self.subject()
        scores = np.concatenate([found.values[found.usable] for found in subject.base])
        return bool(scores.size and apart(scores, np.full(scores.shape, scores[0]), subject.rounding).any())

    def all(self) -> Iterator[Inference]:
        """Yield an inference for each undeclared property. Later probes assume the properties inferred before."""
        metric = self.metric
        if metric.cutoff is None and (cutoff := undeclared_cutoff(metric)) is not None:
            yield _inference("cutoff", f"it ignores everything below rank {cutoff}", passed(PROBES), cutoff)
        if not metric.single_aspect:
            yield self._asked("single_aspect", "it scores only one aspect", True, one_aspect.run, single_aspect=True)
        if not metric.binary_only:
            said = "it only tests whether a grade is positive"
            support = self._asked("binary_only", said, True, support_only.run, binary_only=True)
            yield support
            if not support.seems_so and metric.abilities.levels is None:
                yield from self._levels()
        if not metric.single_aspect and metric.abilities.weights:
            yield self._asked("weights", "it ignores aspect weights", False, _other_weights)
        if not isinstance(metric, FunctionMetric) or metric.needs_pool:
            yield self._asked("pool", "it ignores documents that are not ranked", None, _other_pool)
        if not metric.lower:  # a declared range is about the scores that are returned
            yield from self._range()
        claims = metric.claims
        if claims.high is not None and not claims.ideal and not metric.lower:
            said, supposed = f"the best ranking of a topic scores {claims.high:g}", replace(claims, ideal=True)
            yield self._asked("ideal", said, True, ideal_attains_maximum.run, claims=supposed)
        if not claims.monotone:
            yield self._monotone()

    def _asked(
        self, about: About, says: str, value: Any, ask: Callable[[Subject], Outcome], **declared: Any
    ) -> Inference:
        """Infer a declaration by checking the metric with it, on one case per shape and then on all cases."""
        found = ask(self.subject(1, **declared))
        if found.status == "passed":
            found = ask(self.subject(**declared))
        if found.status == "passed" and found.cases and about != "binary_only":
            vars(self.metric).update(declared)
        return _inference(about, says, found, value)

    def _monotone(self) -> Inference:
        """Infer whether the metric is monotone, by running the contract check ``monotone`` on all its cases.

        The check is run without and with the inferred declarations, which determine the cases.
        """
        cases = 0
        for supposed in (copy(self.as_declared), copy(self.metric)):
            vars(supposed)["claims"] = replace(supposed.claims, monotone=True)
            found = monotone.run(Subject(supposed, seed=self.seed))
            cases += found.cases
            if found.status != "passed":
                break
        said = "appending a relevant document never makes the score worse"
        return _inference("monotone", said, replace(found, cases=cases), True)

    def _levels(self) -> Iterator[Inference]:
        """Infer the number of grade levels that the metric distinguishes, if this number is small."""
        for levels in _LEVELS:
            found = _of_levels(self.subject(), levels)
            # Use all cases of a contract check, since a few cases may agree by chance.
            whole = Subject(copy(self.metric), seed=self.seed)
            if found is not None and _rounds(whole, levels, whole.blocks, whole.base) is not None:
                yield _inference("levels", f"it takes grades in steps of 1/{levels}", found, levels)
                return

    def _range(self) -> Iterator[Inference]:
        """Infer bounds: 0 if no score is lower, and the highest score if rankings of several lengths reach it."""
        claims = self.metric.claims
        if claims.low is not None and claims.high is not None:
            return
        subject = self.subject()
        blocks = [*subject.blocks, *(block for length in _LENGTHS for block in _all_relevant(subject, length))]
        blocks += [replace(block, pool=np.zeros_like(block.pool)).rows(slice(0, 1)) for block in subject.blocks]
        scores = subject.score(blocks)
        cases = sum(int(found.usable.sum()) for found in scores)
        where = [(k, row) for k, found in enumerate(scores) for row in np.flatnonzero(found.usable).tolist()]
        values = np.array([scores[k].values[row] for k, row in where])
        if claims.low is None:
            k, row = where[int(values.argmin())]
            low = float(values.min())
            below = counterexample((blocks[k], row, low))
            found = passed(cases) if low >= -subject.rounding else failed(f"scores {number(low)}", cases, below)
            yield _inference("low", "no score is negative", found, 0)
        if claims.high is None:
            high = float(values.max())
            k, row = where[int(values.argmax())]
            at_most = ~apart(values, np.full(values.shape, high), subject.rounding)
            lengths = {blocks[where[i][0]].ranked for i in np.flatnonzero(at_most)}
            bounded = len(lengths) > 1
            bound = round(high) if abs(round(high) - high) <= subject.rounding else high
            more = f"scores {number(high)}, unlike rankings of other lengths"
            found = passed(cases) if bounded else failed(more, cases, counterexample((blocks[k], row, high)))
            yield _inference("high", f"no score is above {bound:g}", found, bound)
            if bounded:
                self.metric.claims = replace(claims, high=bound)


def _inference(about: About, says: str, found: Outcome, value: Any) -> Inference:
    """Convert the outcome of a check to an inference. A check that tried no case contradicts the property."""
    if found.status == "passed" and found.cases:
        toml = str(value).lower() if isinstance(value, bool) else repr(value)
        declare = None if value is None else Declaration(f"{about}={value!r}", f"{about} = {toml}")
        return Inference(about, says, found.cases, None, declare)
    return Inference(about, found.reason or "no probe could be run", found.cases, found.counterexample or {}, None)


def _other_weights(subject: Subject) -> Outcome:
    """Check that random weights do not change the scores of ordinary topics with several aspects."""
    rng = subject.rng("weights")
    chosen = [block for block in subject.blocks if block.aspects > 1]
    parts = [rng.integers(1, 9, block.weights.shape).astype(np.float64) for block in chosen]
    others = [replace(block, weights=w / w.sum(axis=1, keepdims=True)) for block, w in zip(chosen, parts, strict=True)]
    pairs = list(zip(chosen, others, strict=True))
    return compare(subject, pairs, "with other weights, the same ranking has a different score")


def _other_pool(subject: Subject) -> Outcome:
    """Check that changing the grades of unranked documents does not change the scores of ordinary topics."""
    rng = subject.rng("pool")
    pairs = []
    for block in [block for block in subject.blocks if block.documents > block.ranked]:
        pool, outside = subject.scale.grades(rng, block.pool.shape), block.outside()[:, :, None]
        changed = block.pool.copy()
        np.put_along_axis(changed, outside, np.take_along_axis(pool, outside, axis=1), axis=1)
        pairs.append((block, replace(block, pool=changed)))
    return compare(subject, pairs, "with other documents below the ranking, the score changes")


def _of_levels(subject: Subject, levels: int) -> Outcome | None:
    """Return a pass if grades are rounded to multiples of 1/levels or all other grades are rejected, else None."""
    rng = subject.rng("levels")
    fine = [replace(b, pool=np.where(b.pool > 0, 1 - rng.random(b.pool.shape), 0.0)) for b in subject.blocks]
    whole = [replace(b, pool=np.ceil(b.pool * levels) / levels) for b in fine]
    first = subject.score(fine)
    if any(found.refused.any() for found in first):
        halved = [replace(b, pool=b.pool / 2) for b in whole]
        taken, refused = (subject.score(blocks) for blocks in (whole, halved))
        only = all(found.usable.all() for found in taken) and any(found.refused.any() for found in refused)
        return passed(sum(2 * block.size for block in fine)) if only else None
    return _rounds(subject, levels, fine, first)


def _rounds(subject: Subject, levels: int, blocks: Sequence[CaseBlock], first: Sequence[BlockScores]) -> Outcome | None:
    """Return a pass if rounding grades up, down or to the nearest k/levels does not change scores, else None."""
    for rounded in _ROUNDED:
        pairs = [(block, replace(block, pool=rounded(block.pool * levels) / levels)) for block in blocks]
        found = compare(subject, pairs, "", first=first)
        if found.status == "passed" and found.cases:
            return found
    return None


def _all_relevant(subject: Subject, length: int) -> list[CaseBlock]:
    """Return cases in which every document has the highest grade on every aspect."""
    aspects = (1, 2) if subject.scale.aspects else (1,)
    blocks = [random_block(subject.scale, subject.rng("relevant"), 2, length + 1, length, m) for m in aspects]
    return [replace(block, pool=np.ones_like(block.pool)) for block in blocks]
