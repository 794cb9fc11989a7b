"""What every certificate begins with, and what those about a threshold constraint claim."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from axiomcheck.axioms import AXIOMS, ThresholdAxiom
from axiomcheck.core.errors import InvalidInput
from axiomcheck.metrics import Metric, parse
from axiomcheck.proof.check.entries import Reader, is_text, read_header

__all__ = ["SCHEMA", "VERSION", "ThresholdClaim", "read_claim"]

SCHEMA = "axiomcheck/certificate"
VERSION = 1


@dataclass(frozen=True)
class ThresholdClaim:
    """That a constraint holds for a metric, or fails, at every n.

    Args:
        metric, axiom: the cell.
        small: whether r << 1 is assumed.
        holds: whether it holds.

    """

    metric: Metric
    axiom: ThresholdAxiom
    small: bool
    holds: bool


def read_claim(read: Reader, metric: Metric | None, kind: str, more: Collection[str] = ()) -> ThresholdClaim:
    """The claim of a certificate.

    Args:
        read: the certificate.
        metric: that it has to be about; None for the one of the catalogue that it names.
        kind: what it has to be of.
        more: the entries that it may have besides the usual ones.

    Raises:
        InvalidInput: malformed; the message says where.

    """
    read_header(read, SCHEMA, VERSION)
    read.get("kind", kind.__eq__, repr(kind))
    keys = {"schema", "version", "kind", "metric", "axiom", "small", "claim", "scope", "lemma", "data", *more}
    for key in read.document:
        if key not in keys:
            raise InvalidInput(f"certificate: {key!r} is not known; expected {', '.join(sorted(keys))}")
    if metric is None:
        metric = parse(read.get("metric", is_text, "the canonical name of a metric"))
    read.get("metric", metric.canonical.__eq__, f"the canonical name {metric.canonical}")
    names = [name for name, axiom in AXIOMS.items() if isinstance(axiom, ThresholdAxiom)]
    axiom = AXIOMS[read.get("axiom", names.__contains__, " or ".join(names))]
    assert isinstance(axiom, ThresholdAxiom)
    small = read.get("small", lambda v: isinstance(v, bool), "true or false")
    holds = read.get("claim", ("holds", "fails").__contains__, "'holds' or 'fails'") == "holds"
    read.get("scope", lambda v: isinstance(v, dict) and set(v) == {"n", "parameters"}, "n and parameters")
    read.get("scope.n", "all n".__eq__, "'all n'")
    return ThresholdClaim(metric, axiom, small, holds)
