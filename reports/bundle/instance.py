"""The instance of a witness at concrete grades, scored: what a bundle shows.

A witness about r << 1 stands for a family of topics, and one about long blocks for an argument on every n; a tool can
be shown one of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, cast

import numpy as np
from flint import fmpq

from axiomcheck.axioms import Axiom, PairAxiom, ThresholdAxiom, about_blocks, about_pairs, about_scores, find_axiom
from axiomcheck.core.counting import counted
from axiomcheck.core.domain import Instance, Ranking, Topic
from axiomcheck.core.errors import InternalDisagreement, InvalidInput
from axiomcheck.decide.batch import Batch
from axiomcheck.decide.comparison import at_eps, judge
from axiomcheck.decide.dominance import APART
from axiomcheck.decide.pairs import Pairs
from axiomcheck.decide.witness import instance_of, rebuilt
from axiomcheck.metrics import Metric
from axiomcheck.records.witnesses import AnyWitness, PairWitness, ThresholdWitness
from axiomcheck.sources.provenance import runs_catalogue_code

_GDEVAL = Fraction(1, 16)
"""A grade that gdeval.pl knows, besides those that witnesses have."""

_SMALLER = (_GDEVAL, *(Fraction(1, 10**k) for k in (2, 3, 6, 9, 12, 15)))
"""Grades of relevant documents at which a threshold is shown where r << 1 is assumed."""

LARGEST_N = 20
"""Blocks up to here are looked at for the one that comes nearest to the top document."""

Kind = Literal["reversal", "tie", "incomparable"]


@dataclass(frozen=True)
class ScoredInstance:
    """Two rankings of one topic at concrete grades, with what the metric makes of them.

    Args:
        axiom: that is violated.
        instance: ``better`` is the ranking that the axiom wants ahead.
        kind: what the metric does instead.
        worse, better: the scores, as exact fractions or decimals; or probabilities of scores.
        unit: what the scores are multiples of, where nobody scored the instance at concrete grades; else empty.
        eps: the value of eps that the grades have, where r << 1 is assumed.
        n: the length of the block, where the axiom is about long blocks.
        is_nearest: whether of n = 2 to `LARGEST_N` the block comes nearest to the top document here.
        sentence: what must hold here, and why, in words.

    """

    axiom: Axiom
    instance: Instance
    kind: Kind
    worse: str
    better: str
    unit: str
    eps: Fraction | None
    n: int | None
    is_nearest: bool
    sentence: str

    @property
    def of_distributions(self) -> bool:
        """Whether the metric compares distributions, so that there is no single score."""
        return self.better.startswith("P[")

    @property
    def longest(self) -> int:
        """Documents in the longer ranking."""
        return max(len(self.instance.worse), len(self.instance.better))


def pairs_of(instance: Instance) -> Pairs:
    """An instance at concrete grades in exact numbers."""
    topic = instance.topic

    def rows(names: Sequence[str]) -> Any:
        out = np.empty((1, len(names), len(topic.weights)), dtype=object)
        for row, name in enumerate(names):
            out[0, row] = [_fmpq(grade) for grade in topic.pool[name]]
        return out

    weights = np.empty((1, len(topic.weights)), dtype=object)
    weights[0] = [_fmpq(weight) for weight in topic.weights]
    return Pairs(rows(instance.worse), rows(instance.better), weights, rows(list(topic.pool)), False)


def _fmpq(value: Fraction) -> fmpq:
    return fmpq(value.numerator, value.denominator)


def scored_instances(witness: AnyWitness, metric: Metric | None) -> Iterator[ScoredInstance]:
    """The instances of a witness that show its violation, the one to be preferred first.

    Args:
        witness: of a refuted or incomparable cell.
        metric: that it is of; None for one that is not to be loaded: the scores are then those of the record.

    Raises:
        InvalidInput: the witness is no instance of its axiom.
        InternalDisagreement: the violation shows at no concrete grades.

    """
    axiom = find_axiom(witness.axiom)
    if about_scores(axiom):
        raise InvalidInput(f"{axiom} bounds the score of a single ranking; a bundle is about two rankings")
    if isinstance(witness, PairWitness) and about_pairs(axiom):
        found = _of_pair(witness, axiom, metric)
    else:
        assert isinstance(witness, ThresholdWitness)
        assert about_blocks(axiom)
        found = _of_threshold(witness, axiom, metric)
    shown = False
    for one in found:
        shown = True
        yield one
    if not shown:
        raise InternalDisagreement(f"{witness.metric} on {axiom}: the violation shows at no concrete grades")


# Axioms on pairs


def _of_pair(record: PairWitness, axiom: PairAxiom, metric: Metric | None) -> Iterator[ScoredInstance]:
    binary = metric is not None and metric.binary_only
    batch = rebuilt(record, axiom, axiom.binary or binary)
    eps = Fraction(record.eps) if record.eps else None
    if eps is None:
        values: list[Fraction | None] = [None]
    else:
        values = [eps, _GDEVAL] if eps > _GDEVAL else [eps]
    for value in values:
        concrete = batch if value is None else at_eps(batch, _fmpq(value))
        if metric is None:
            unit = f"eps^{record.scores.order}" if record.small and record.scores.order else ""
            worse, better = record.scores.worse, record.scores.better
            yield _pair(axiom, concrete, record.kind, worse, better, unit, value)
            return
        judged = judge(metric, concrete)
        if _kind(judged.sign) == record.kind:
            yield _pair(axiom, concrete, record.kind, judged.worse, judged.better, "", value)


def _pair(
    axiom: PairAxiom, batch: Batch, kind: Kind, worse: str, better: str, unit: str, eps: Fraction | None
) -> ScoredInstance:
    sentence = f"{axiom.words} Here {axiom.sentence(batch.draft).rstrip('.')}."
    return ScoredInstance(axiom, instance_of(batch), kind, worse, better, unit, eps, None, False, sentence)


def _kind(sign: int | None) -> Kind | None:
    kinds: dict[int, Kind] = {-1: "reversal", 0: "tie", APART: "incomparable"}
    return None if sign is None else kinds.get(sign)


# Axioms on long blocks


def block_instance(axiom: ThresholdAxiom, n: int, grade: Fraction, extras: int) -> Instance:
    """A relevant document on top of 2n - 1 others, and n others before n relevant documents.

    Args:
        axiom: says which of the two is to be ahead.
        n: 1 or more.
        grade: of the relevant documents.
        extras: relevant documents that neither ranking has.

    """
    relevant = [f"r{k}" for k in range(1, n + 1)]
    others = [f"n{k}" for k in range(1, 2 * n)]
    unseen = [f"e{k}" for k in range(1, extras + 1)]
    pool = {name: [grade] for name in (*relevant, *unseen)} | {name: [Fraction(0)] for name in others}
    top, block = [relevant[0], *others], [*others[:n], *relevant]
    worse, better = (block, top) if axiom.winner == "top" else (top, block)
    return Instance(Topic([1], pool), worse, better)


def _of_threshold(record: ThresholdWitness, axiom: ThresholdAxiom, metric: Metric | None) -> Iterator[ScoredInstance]:
    values = _SMALLER if record.small else (Fraction(record.rc),)
    for grade in values:
        n = _block_length(record, axiom, metric, grade)
        instance = block_instance(axiom, n, grade, record.unretrieved_relevant)
        eps = grade if record.small else None
        if metric is None:
            told = f"{record.ahead[n - 1]} ahead" if n <= len(record.ahead) else "not scored"
            yield _threshold(axiom, instance, "reversal", (told, told), eps, n, False)
            return
        judged = judge(metric, pairs_of(instance))
        kind = _kind(judged.sign)
        if kind is not None and kind == _expected(record, axiom, n):
            nearest = axiom.winner == "block" and _is_scored(metric)
            yield _threshold(axiom, instance, kind, (judged.worse, judged.better), eps, n, nearest)
            return  # a smaller grade shows nothing else


def _expected(record: ThresholdWitness, axiom: ThresholdAxiom, n: int) -> Kind | None:
    """What the witness says of the block of n; None where it says that the axiom's side is ahead."""
    who = record.ahead[n - 1] if n <= len(record.ahead) else record.ahead_beyond
    if who in ("tie", "incomparable"):
        return cast(Kind, who)
    return None if who in (axiom.winner, "not tried") else "reversal"


def _threshold(
    axiom: ThresholdAxiom,
    instance: Instance,
    kind: Kind,
    scores: tuple[str, str],
    eps: Fraction | None,
    n: int,
    is_nearest: bool,
) -> ScoredInstance:
    what = (
        f"the one relevant document on top is to be ahead of the {n} below"
        if axiom.winner == "top"
        else f"the {counted(n, 'relevant document')} below would have to be ahead of the one on top"
    )
    sentence = f"{axiom.words} Here n = {n}, and {what}."
    return ScoredInstance(axiom, instance, kind, *scores, "", eps, n, is_nearest, sentence)


def _block_length(record: ThresholdWitness, axiom: ThresholdAxiom, metric: Metric | None, grade: Fraction) -> int:
    """The n to be shown: for DeepTh the first from which on the top is not ahead, for CloseTh the hardest case."""
    ahead = record.ahead
    if axiom.winner == "top":
        last = max((n for n, who in enumerate(ahead, start=1) if who != record.ahead_beyond), default=0)
        return max(2, last + 1)
    if metric is None or not _is_scored(metric):
        return min(2, len(ahead))

    def nearness(n: int) -> float:
        topic, worse, better = _float_rankings(block_instance(axiom, n, grade, record.unretrieved_relevant))
        top, block = (float(metric.evaluate(*topic, order)[0]) for order in (worse, better))
        return block / top if top > 0 else block - top

    return max(range(2, LARGEST_N + 1), key=nearness)


def _is_scored(metric: Metric) -> bool:
    """Whether the metric gives scores in no time, so that several n can be looked at."""
    return not metric.partial and runs_catalogue_code(metric)


def _float_rankings(instance: Instance) -> tuple[tuple[Any, Any], Any, Any]:
    """((pool, weights), worse, better) as `axiomcheck.metrics.Metric.evaluate` takes them."""
    topic = instance.topic
    rows = {name: row for row, name in enumerate(topic.pool)}
    pool = np.array([[[float(grade) for grade in grades] for grades in topic.pool.values()]])
    weights = np.array([[float(weight) for weight in topic.weights]])

    def order(ranking: Ranking) -> Any:
        return np.array([[rows[name] for name in ranking]])

    return (pool, weights), order(instance.worse), order(instance.better)
