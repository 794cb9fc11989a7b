"""Score the instance of a witness at concrete grades for a bundle.

A witness under r << 1 represents a family of topics, and a witness about long blocks represents an argument for every
n. Other tools can score only one member of such a family.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
from flint import fmpq

from axiomcheck.axioms import Axiom, PairAxiom, ThresholdAxiom, about_blocks, about_pairs, about_scores, find_axiom
from axiomcheck.core.counting import counted
from axiomcheck.core.domain import Instance, Topic
from axiomcheck.core.errors import InternalDisagreement, InvalidInput
from axiomcheck.decide.batch import Pairs
from axiomcheck.decide.comparison import at_eps, judge
from axiomcheck.decide.dominance import APART
from axiomcheck.decide.witness import instance_of, rebuilt
from axiomcheck.metrics import Metric
from axiomcheck.records.witnesses import AnyWitness, PairWitness, ThresholdWitness

_SMALL = tuple(Fraction(1, 10**k) for k in (1, 2, 3, 6, 9, 12, 15))
"""Grades of relevant documents that are tried for a threshold axiom if r << 1 is assumed."""

Kind = Literal["reversal", "tie", "incomparable"]


@dataclass(frozen=True)
class ScoredInstance:
    """Two rankings of one topic at concrete grades, with their scores.

    Args:
        axiom: Violated axiom.
        instance: Instance; ``better`` is the ranking that the axiom requires to be ahead.
        kind: Kind of violation.
        worse, better: Scores as exact fractions or decimals, or probabilities of scores.
        unit: Unit of the scores, such as ``eps^2``, if the instance was not scored at concrete grades; else empty.
        eps: Value of eps in the grades, if r << 1 is assumed.
        sentence: Requirement of the axiom for this instance, with the reason.

    """

    axiom: Axiom
    instance: Instance
    kind: Kind
    worse: str
    better: str
    unit: str
    eps: Fraction | None
    sentence: str

    @property
    def of_distributions(self) -> bool:
        """True if the metric compares distributions, so that there is no single score."""
        return self.better.startswith("P[")


def pairs_of(instance: Instance) -> Pairs:
    """Convert an instance at concrete grades to exact arrays."""
    topic, names = instance.topic, list(instance.topic.pool)
    pool = np.empty((1, len(names), len(topic.weights)), dtype=object)
    pool[0] = [[_fmpq(grade) for grade in grades] for grades in topic.pool.values()]
    weights = np.empty((1, len(topic.weights)), dtype=object)
    weights[0] = [_fmpq(weight) for weight in topic.weights]
    sides = (instance.worse, instance.better)
    worse, better = (np.array([[names.index(name) for name in side]], dtype=np.int64) for side in sides)
    return Pairs(pool, weights, worse, better, False)


def _fmpq(value: Fraction) -> fmpq:
    return fmpq(value.numerator, value.denominator)


def scored_instance(witness: AnyWitness, metric: Metric | None) -> ScoredInstance:
    """Return an instance of a witness that shows its violation.

    Args:
        witness: Witness of a refuted or incomparable cell.
        metric: Metric of the witness; None for a metric that is not loaded, for which the scores of the record are
            used.

    Raises:
        InvalidInput: The witness is not an instance of its axiom.
        InternalDisagreement: The violation cannot be shown at concrete grades.

    """
    axiom = find_axiom(witness.axiom)
    if about_scores(axiom):
        raise InvalidInput(f"{axiom} bounds the score of a single ranking; a bundle is about two rankings")
    if isinstance(witness, PairWitness) and about_pairs(axiom):
        shown = _of_pair(witness, axiom, metric)
    else:
        assert isinstance(witness, ThresholdWitness)
        assert about_blocks(axiom)
        shown = _of_threshold(witness, axiom, metric)
    if shown is None:
        raise InternalDisagreement(f"{witness.metric} on {axiom}: the violation shows at no concrete grades")
    return shown


def _of_pair(record: PairWitness, axiom: PairAxiom, metric: Metric | None) -> ScoredInstance | None:
    """Return the instance for an axiom on pairs, at the eps of the record if r << 1 is assumed."""
    batch = rebuilt(record, axiom, axiom.binary or (metric is not None and metric.binary_only))
    eps = Fraction(record.eps) if record.eps else None
    concrete = batch if eps is None else at_eps(batch, _fmpq(eps))
    sentence = f"{axiom.words} Here {axiom.sentence(concrete.draft).rstrip('.')}."
    if metric is None:
        unit = f"eps^{record.scores.order}" if record.small and record.scores.order else ""
        scores = record.scores.worse, record.scores.better
        return ScoredInstance(axiom, instance_of(concrete), record.kind, *scores, unit, eps, sentence)
    judged = judge(metric, concrete)
    if _kind(judged.sign) != record.kind:
        return None
    scores = judged.worse, judged.better
    return ScoredInstance(axiom, instance_of(concrete), record.kind, *scores, "", eps, sentence)


def _kind(sign: int | None) -> Kind | None:
    kinds: dict[int, Kind] = {-1: "reversal", 0: "tie", APART: "incomparable"}
    return None if sign is None else kinds.get(sign)


# Axioms on long blocks


def block_instance(axiom: ThresholdAxiom, n: int, grade: Fraction, extras: int) -> Instance:
    """Return a pair of rankings: a relevant document above 2n - 1 others, and n others above n relevant documents.

    Args:
        axiom: Threshold axiom, which determines the ranking that must be ahead.
        n: Length of the block, 1 or more.
        grade: Grade of the relevant documents.
        extras: Number of relevant documents in neither ranking.

    """
    relevant = [f"r{k}" for k in range(1, n + 1)]
    others = [f"n{k}" for k in range(1, 2 * n)]
    unseen = [f"e{k}" for k in range(1, extras + 1)]
    pool = {name: [grade] for name in (*relevant, *unseen)} | {name: [Fraction(0)] for name in others}
    top, block = [relevant[0], *others], [*others[:n], *relevant]
    worse, better = (block, top) if axiom.winner == "top" else (top, block)
    return Instance(Topic([1], pool), worse, better)


def _of_threshold(record: ThresholdWitness, axiom: ThresholdAxiom, metric: Metric | None) -> ScoredInstance | None:
    """Return the instance of a witness at one n.

    For DeepTh, it is the first n from which the top is never ahead. For CloseTh, it is 2.
    """
    n = min(2, len(record.ahead))
    if axiom.winner == "top":
        n = 1 + max((k for k, who in enumerate(record.ahead, start=1) if who != record.ahead_beyond), default=1)
    who = record.ahead[n - 1] if n <= len(record.ahead) else record.ahead_beyond
    what = (
        f"the one relevant document on top is to be ahead of the {n} below"
        if axiom.winner == "top"
        else f"the {counted(n, 'relevant document')} below would have to be ahead of the one on top"
    )
    sentence = f"{axiom.words} Here n = {n}, and {what}."
    for grade in _SMALL if record.small else (Fraction(record.rc),):
        instance = block_instance(axiom, n, grade, record.unretrieved_relevant)
        eps = grade if record.small else None
        if metric is None:
            told = f"{who} ahead"
            return ScoredInstance(axiom, instance, "reversal", told, told, "", eps, sentence)
        judged = judge(metric, pairs_of(instance))
        kind = _kind(judged.sign)
        if kind is not None and kind == (who if who in ("tie", "incomparable") else "reversal"):
            return ScoredInstance(axiom, instance, kind, judged.worse, judged.better, "", eps, sentence)
    return None
