"""Pinned witnesses, scored again: whether the counterexample still is one, whatever the scores are by now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from axiomcheck.axioms import Axiom, PairAxiom, find_axiom
from axiomcheck.core.domain import Domain, Instance, Reading, Topic, assumes_small
from axiomcheck.core.errors import InvalidInput, MetricError
from axiomcheck.decide.batch import Batch
from axiomcheck.decide.exact import judge
from axiomcheck.decide.threshold_witness import read_threshold_witness
from axiomcheck.decide.witness import batch_of, read_witness, witness_of
from axiomcheck.metrics import Metric
from axiomcheck.proof.check.entries import Reader, between
from axiomcheck.sources.resolve import resolve

__all__ = ["Replay", "replay", "replay_foreign"]


@dataclass(frozen=True)
class Replay:
    """What came of scoring a pinned witness again.

    Args:
        witness: the witness as it is now; None if it no longer violates the constraint.
        remark: how it differs from what was pinned; empty if it does not.

    """

    witness: dict[str, Any] | None
    remark: str = ""


def replay(metric: Metric, axiom: Axiom, document: dict[str, Any], reading: Reading, name: str) -> Replay:
    """Scores a pinned witness again.

    A witness of the very scores that were pinned is confirmed as `axiomcheck replay` does. Failing that, its rankings
    may still violate the constraint: the metric changed, and the violation stayed.

    Args:
        metric: to score with.
        axiom: that it is to violate.
        document: the pinned witness.
        reading: that it is expected in.
        name: the metric's name in the contract.

    Raises:
        InvalidInput: it is not a witness of this metric and constraint, or malformed.
        MetricError, InternalDisagreement: the metric failed, or axiomcheck did.

    """
    for key, expected in (("metric", name), ("axiom", axiom.name)):
        if document.get(key) != expected:
            raise InvalidInput(f"witness: {key} is {document.get(key)!r}; expected {expected!r}")
    stated = {"regime": reading.regime.value, "domain": reading.domain.value}
    if document.get("reading") != stated:
        return Replay(None, f"it was pinned for the reading {document.get('reading')}; expected {stated}")
    try:
        read = read_witness if isinstance(axiom, PairAxiom) else read_threshold_witness
        read(document, metric)
    except InvalidInput as error:
        why = str(error).removeprefix("witness: ")
    else:
        return Replay(document)
    if not isinstance(axiom, PairAxiom):
        return Replay(None, why)
    batch = _rebuilt(document, metric, axiom, reading)
    judgement = judge(metric, batch)
    if judgement.sign == -1 or (judgement.sign == 0 and axiom.strict):
        again = witness_of(metric, batch, reading, None).to_json() | {"metric": name}
        return Replay(again, why)
    return Replay(None, f"its rankings score {judgement.better} against {judgement.worse} now, which is no violation")


def _rebuilt(document: dict[str, Any], metric: Metric, axiom: PairAxiom, reading: Reading) -> Batch:
    """The instance of a witness, its scores left aside."""
    read = Reader(document)
    weights = read.get("topic.weights", lambda v: isinstance(v, list) and bool(v), "a list of fractions")
    pool = read.get("topic.pool", _is_pool, "an object of document name: grades")
    worse, better = (read.get(side, _is_names, "a list of document names") for side in ("worse", "better"))
    try:
        topic = Topic(weights, pool)
        instance = Instance(topic, worse, better, assumes_small(axiom, reading))
    except InvalidInput as error:
        raise InvalidInput(f"witness: {error}") from None
    most = len(pool) - len(axiom.incoming)
    roles = {"ranked": read.get("roles.ranked", between(1, most), f"a whole number from 1 to {most}")}
    for choice in axiom.choices:
        high = len(weights) if choice in "tu" else roles["ranked"]
        roles[choice] = read.get(f"roles.{choice}", between(1, high), f"a whole number from 1 to {high}")
    binary = axiom.binary or metric.binary_only or reading.domain is Domain.BINARY
    batch = batch_of(axiom, instance, roles, binary)
    last = axiom.last_rank(batch.draft)[0]
    if metric.cutoff is not None and last > metric.cutoff:
        raise InvalidInput(f"witness: roles speak of rank {last}, past the metric's cutoff")
    return batch


def _is_pool(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(grades, list) for grades in value.values())


def _is_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def replay_foreign(located: str, axiom: str, document: dict[str, Any], reading: Reading, name: str) -> Replay:
    """In a worker: `replay` of a foreign metric."""
    try:
        metric = resolve(located)
    except InvalidInput as error:  # which is not the witness's fault
        raise MetricError(str(error)) from None
    return replay(metric, find_axiom(axiom), document, reading, name)
