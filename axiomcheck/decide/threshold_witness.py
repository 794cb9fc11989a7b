"""Witnesses of refuted thresholds: the case, the exact outcome at every n tried, and the argument for the rest."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from msgspec import structs

from axiomcheck.axioms import ThresholdAxiom, about_blocks, find_axiom
from axiomcheck.core.documents import difference, read
from axiomcheck.core.domain import Reading
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import shown
from axiomcheck.decide.dominance import APART
from axiomcheck.decide.thresholds import ThresholdCase, Tried, examine
from axiomcheck.decide.witness import Witness, check_small, read_witness
from axiomcheck.metrics import Metric
from axiomcheck.records.values import ReadingRecord
from axiomcheck.records.witnesses import SCHEMA, VERSION, ThresholdWitness
from axiomcheck.sources.resolve import resolve_named

_MOST_UNRETRIEVED = 100
_LONGEST = 800
"""Characters of a grade."""

Ahead = Literal["top", "block", "tie", "incomparable"]
_SIGNS: dict[int, Ahead] = {1: "top", -1: "block", 0: "tie", APART: "incomparable"}


@dataclass(frozen=True)
class RefutedThreshold:
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

    def record(self) -> ThresholdWitness:
        """The witness as a document."""
        assert self.tried.tail is not None  # an argument settles what no number of n does
        return ThresholdWitness(
            schema=SCHEMA,
            version=VERSION,
            axiom=self.axiom.name,
            metric=self.metric.canonical,
            reading=ReadingRecord.of(self.reading),
            small=self.small,
            kind="threshold",
            rc="eps" if self.small else str(self.tried.case.rc),
            unretrieved_relevant=self.tried.case.extras,
            ahead=tuple("not tried" if s is None else _SIGNS[s] for s in self.tried.signs),
            ahead_beyond=_SIGNS[self.tried.tail],
            argument=self.tried.argument,
        )


def read_threshold_witness(document: Any, metric: Metric | None = None) -> RefutedThreshold:
    """The witness in a document, with every n decided again and the argument taken from the metric again.

    Args:
        document: a `ThresholdWitness`, or a JSON object that is one.
        metric: as for `axiomcheck.decide.witness.read_witness`.

    Raises:
        InvalidInput: malformed, or altered since it was written; the message says where.

    """
    record = document if isinstance(document, ThresholdWitness) else read(ThresholdWitness, document, "witness")
    axiom = find_axiom(record.axiom)
    if not about_blocks(axiom):
        raise InvalidInput(f"witness: axiom {axiom.name} is about pairs of rankings; expected DeepTh or CloseTh")
    metric = metric or resolve_named(record.metric)
    check_small(record.small, axiom, record.reading.reading)
    extras = record.unretrieved_relevant
    if extras > _MOST_UNRETRIEVED:
        raise InvalidInput(f"witness: unretrieved_relevant is {extras}; expected at most {_MOST_UNRETRIEVED}")
    rc = Fraction(1) if record.small else _grade(record.rc)
    tried = examine(metric, ThresholdCase(rc, extras), record.small, axiom.winner)
    if tried.outcome(axiom) is not False:
        raise InvalidInput(f"witness: {metric} does not violate {axiom.name} here")
    witness = RefutedThreshold(axiom, metric, record.reading.reading, record.small, tried)
    apart = difference(record, structs.replace(witness.record(), metric=record.metric))
    if apart is not None:
        raise InvalidInput(f"witness: {apart} (as decided again)")
    return witness


def _grade(text: str) -> Fraction:
    stated = Fraction(text) if len(text) <= _LONGEST else Fraction(0)
    if not 0 < stated <= 1 or str(stated) != text:
        raise InvalidInput(f"witness: rc is {shown(text)}; expected a fraction in (0, 1], in lowest terms")
    return stated


def read_any_witness(document: Any, metric: Metric | None = None) -> Witness | RefutedThreshold:
    """A witness of either kind, confirmed again; see `read_threshold_witness`.

    Raises:
        InvalidInput: malformed, or not confirmed.

    """
    kind = document.get("kind") if isinstance(document, dict) else getattr(document, "kind", None)
    return read_threshold_witness(document, metric) if kind == "threshold" else read_witness(document, metric)
