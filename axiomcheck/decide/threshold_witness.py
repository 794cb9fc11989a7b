"""Witnesses of refuted thresholds: the case, the exact outcome at every n tried, and the argument for the rest."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from axiomcheck.axioms import ThresholdAxiom, find_axiom
from axiomcheck.core.documents import difference, shortened
from axiomcheck.core.domain import Reading, assumes_small
from axiomcheck.core.errors import InvalidInput
from axiomcheck.decide.dominance import APART
from axiomcheck.decide.thresholds import Case, Tried, examine
from axiomcheck.decide.witness import SCHEMA, VERSION
from axiomcheck.metrics import Metric
from axiomcheck.proof.check.entries import Reader, between, fraction_of, is_text, read_header, read_reading
from axiomcheck.sources.resolve import resolve_named

__all__ = ["ThresholdWitness", "read_threshold_witness"]

_SIGNS = {1: "top", -1: "block", 0: "tie", APART: "incomparable", None: "not tried"}


@dataclass(frozen=True)
class ThresholdWitness:
    """Why a metric violates DeepTh or CloseTh.

    Args:
        axiom, metric, reading: the cell.
        small: whether r << 1 is assumed.
        tried: the refuting case.

    """

    axiom: ThresholdAxiom
    metric: Metric
    reading: Reading
    small: bool
    tried: Tried

    def to_json(self) -> dict[str, Any]:
        """The witness as a JSON document."""
        return {
            "schema": SCHEMA,
            "version": VERSION,
            "axiom": self.axiom.name,
            "metric": self.metric.canonical,
            "reading": {"regime": self.reading.regime.value, "domain": self.reading.domain.value},
            "small": self.small,
            "kind": "threshold",
            "rc": "eps" if self.small else str(self.tried.case.rc),
            "unretrieved_relevant": self.tried.case.extras,
            "ahead": [_SIGNS[s] for s in self.tried.signs],
            "ahead_beyond": _SIGNS[self.tried.tail],
            "argument": self.tried.argument,
        }


def read_threshold_witness(document: Any, metric: Metric | None = None) -> ThresholdWitness:
    """The witness in a JSON document, with every n decided again and the argument taken from the metric again.

    Args:
        document: as `ThresholdWitness.to_json` makes it.
        metric: as for `axiomcheck.decide.witness.read_witness`.

    Raises:
        InvalidInput: malformed, or altered since it was written; the message says where.

    """
    read = Reader(document)
    read_header(read, SCHEMA, VERSION)
    axiom = find_axiom(read.get("axiom", is_text, "the name of a constraint"))
    if not isinstance(axiom, ThresholdAxiom):
        raise InvalidInput(f"witness: axiom {axiom.name} is about pairs of rankings; expected DeepTh or CloseTh")
    metric = metric or resolve_named(read.get("metric", is_text, "the canonical name of a metric"))
    reading = read_reading(read)
    small = read.get("small", lambda v: isinstance(v, bool), "true or false")
    if small != assumes_small(axiom, reading):
        raise InvalidInput(
            f"witness: small is {small}; expected {not small} for {axiom.name} in {reading.regime.value}"
        )
    extras = read.get("unretrieved_relevant", between(0, 100), "a whole number from 0 to 100")
    text = read.get("rc", is_text, "'eps'" if small else "a fraction in (0, 1]")
    if small:
        read.get("rc", "eps".__eq__, "'eps', since small is true")
        rc = Fraction(1)
    else:
        stated = fraction_of(text)
        if stated is None or not 0 < stated <= 1:
            raise InvalidInput(f"witness: rc is {shortened(text)}; expected a fraction in (0, 1], in lowest terms")
        rc = stated
    tried = examine(metric, Case(rc, extras), small)
    witness = ThresholdWitness(axiom, metric, reading, small, tried)
    if tried.outcome(axiom) is not False:
        raise InvalidInput(f"witness: {metric} does not violate {axiom.name} here")
    apart = difference(document, witness.to_json() | {"metric": document["metric"]})
    if apart is not None:
        raise InvalidInput(f"witness: {apart} (as decided again)")
    return witness
