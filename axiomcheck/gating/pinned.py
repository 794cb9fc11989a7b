"""Score pinned witnesses with the current metric."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from msgspec import structs

from axiomcheck.axioms import Axiom, about_pairs
from axiomcheck.core.documents import difference, document_of, read
from axiomcheck.core.domain import Domain, Reading, assumes_small
from axiomcheck.core.errors import InvalidInput, MetricError
from axiomcheck.decide.comparison import judge
from axiomcheck.decide.witness import rebuilt, rebuilt_for, witness_of
from axiomcheck.engine.tasks import not_applicable
from axiomcheck.metrics import Metric
from axiomcheck.records.values import ReadingRecord
from axiomcheck.records.witnesses import AnyWitness, PairWitness, witness_kind
from axiomcheck.sources.resolve import resolve, resolve_axiom
from axiomcheck.trials.consistency import read_own_witness


@dataclass(frozen=True)
class Rescored:
    """Result of scoring a pinned witness again.

    Args:
        witness: Witness with its current scores, as a document; None if it no longer violates the axiom.
        remark: Difference from the pinned witness; empty if there is none.

    """

    witness: dict[str, Any] | None
    remark: str = ""


def rescore(metric: Metric, axiom: Axiom, document: Any, reading: Reading, name: str) -> Rescored:
    """Score a pinned witness again.

    A witness whose scores are the same is confirmed as in `axiomcheck replay`. Otherwise the metric has changed, but
    the rankings may still violate the axiom.

    Args:
        metric: Metric that scores the witness.
        axiom: Axiom that the witness should violate.
        document: Pinned witness, parsed from JSON.
        reading: Reading of the contract.
        name: Name of the metric in the contract.

    Raises:
        InvalidInput: The witness is malformed, or belongs to a different metric or axiom.
        MetricError, InternalDisagreement: The metric failed, or two parts of axiomcheck contradict each other.

    """
    pinned: AnyWitness = read(witness_kind(axiom), document, "witness")
    for key, said, expected in (("metric", pinned.metric, name), ("axiom", pinned.axiom, axiom.name)):
        if said != expected:
            raise InvalidInput(f"witness: {key} is {said!r}; expected {expected!r}")
    apart = difference(pinned.reading, ReadingRecord.of(reading))
    if apart is not None:
        return Rescored(None, f"it was pinned for another reading: {apart}")
    if not_applicable(metric, axiom, assumes_small(axiom, reading)) is not None:
        return Rescored(None, "the axiom no longer applies to the metric")
    try:
        read_own_witness(pinned, metric)
    except InvalidInput as error:
        why = str(error).removeprefix("witness: ")
    else:
        return Rescored(document)
    if not (isinstance(pinned, PairWitness) and about_pairs(axiom)):
        return Rescored(None, why)
    try:
        batch = rebuilt_for(metric, pinned, axiom)
    except InvalidInput:
        rebuilt(pinned, axiom, axiom.binary or reading.domain is Domain.BINARY)  # raises if it is not an instance
        return Rescored(None, "the metric now declares that it cannot distinguish the two rankings")
    judgement = judge(metric, batch)
    if judgement.sign == -1 or (judgement.sign == 0 and axiom.strict):
        again = structs.replace(witness_of(metric, batch, reading, None).record(), metric=name)
        if again.scores != pinned.scores:
            now = f"{judgement.better} against {judgement.worse}"
            why = f"its rankings still violate the axiom, but now score {now}, unlike the pinned witness ({why})"
        return Rescored(document_of(again), why)
    if judgement.bound:
        score = judgement.better if judgement.bound == "worse" else judgement.worse
        return Rescored(None, f"its ranking scores {score}, which is no longer a violation")
    return Rescored(
        None, f"its rankings now score {judgement.better} against {judgement.worse}, which is no longer a violation"
    )


def rescore_foreign(located: str, axiom: str, document: Any, reading: Reading, name: str) -> Rescored:
    """Score a pinned witness of an external metric again, in a worker."""
    try:
        metric = resolve(located)
    except InvalidInput as error:  # the witness is not to blame
        raise MetricError(str(error)) from None
    return rescore(metric, resolve_axiom(axiom), document, reading, name)
