"""Score pinned witnesses again: the counterexample may still be one, whatever the scores are by now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from msgspec import structs

from axiomcheck.axioms import Axiom
from axiomcheck.core.documents import difference, document_of, read
from axiomcheck.core.domain import Reading
from axiomcheck.core.errors import InvalidInput, MetricError
from axiomcheck.decide.comparison import judge
from axiomcheck.decide.witness import read_any_witness, rebuilt_for, witness_of
from axiomcheck.metrics import Metric
from axiomcheck.records.values import ReadingRecord
from axiomcheck.records.witnesses import AnyWitness, PairWitness, witness_kind
from axiomcheck.sources.resolve import resolve, resolve_axiom


@dataclass(frozen=True)
class Rescored:
    """The outcome of scoring a pinned witness again.

    Args:
        witness: the witness as it is now, as a document; None if it no longer violates the axiom.
        remark: how it differs from what was pinned; empty if it does not.

    """

    witness: dict[str, Any] | None
    remark: str = ""


def rescore(metric: Metric, axiom: Axiom, document: Any, reading: Reading, name: str) -> Rescored:
    """Score a pinned witness again.

    A witness of the very scores that were pinned is confirmed as `axiomcheck replay` does. Failing that, its rankings
    may still violate the axiom: the metric changed, and the violation stayed.

    Args:
        metric: to score with.
        axiom: that it is to violate.
        document: the pinned witness, parsed.
        reading: that it is expected in.
        name: the metric's name in the contract.

    Raises:
        InvalidInput: it is not a witness of this metric and axiom, or malformed.
        MetricError, InternalDisagreement: the metric failed, or axiomcheck did.

    """
    pinned: AnyWitness = read(witness_kind(axiom), document, "witness")
    for key, said, expected in (("metric", pinned.metric, name), ("axiom", pinned.axiom, axiom.name)):
        if said != expected:
            raise InvalidInput(f"witness: {key} is {said!r}; expected {expected!r}")
    apart = difference(pinned.reading, ReadingRecord.of(reading))
    if apart is not None:
        return Rescored(None, f"it was pinned for another reading: {apart}")
    try:
        read_any_witness(pinned, metric)
    except InvalidInput as error:
        why = str(error).removeprefix("witness: ")
    else:
        return Rescored(document)
    if not isinstance(pinned, PairWitness):
        return Rescored(None, why)
    batch = rebuilt_for(metric, pinned, axiom)
    judgement = judge(metric, batch)
    if judgement.sign == -1 or (judgement.sign == 0 and axiom.strict):
        again = structs.replace(witness_of(metric, batch, reading, None).record(), metric=name)
        return Rescored(document_of(again), why)
    if judgement.bound:
        score = judgement.better if judgement.bound == "worse" else judgement.worse
        return Rescored(None, f"its ranking scores {score}, which is no violation now")
    return Rescored(None, f"its rankings score {judgement.better} against {judgement.worse} now, which is no violation")


def rescore_foreign(located: str, axiom: str, document: Any, reading: Reading, name: str) -> Rescored:
    """Score a pinned witness of an external metric again, in a worker."""
    try:
        metric = resolve(located)
    except InvalidInput as error:  # which is not the witness's fault
        raise MetricError(str(error)) from None
    return rescore(metric, resolve_axiom(axiom), document, reading, name)
