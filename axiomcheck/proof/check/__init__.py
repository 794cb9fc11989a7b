"""The check of certificates: shares metrics and axioms with the provers of `axiomcheck.proof`, nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from axiomcheck.core.documents import Record, document_of
from axiomcheck.core.errors import InvalidInput, MetricError

if TYPE_CHECKING:
    from axiomcheck.axioms import Axiom
    from axiomcheck.metrics import Metric

__all__ = ["KINDS", "check_certificate"]

KINDS = ("blocks", "induction", "mixture", "orthant", "tail")
"""Kinds of certificates; docs/lemmas says what each is."""


def check_certificate(document: Any, metric: Metric | None = None, axiom: Axiom | None = None) -> None:
    """Checks a certificate from scratch.

    Args:
        document: a record, or a JSON object, as a prover made it or as it was read from a file.
        metric: that it is to be about; left out, the one of the catalogue that it names. A certificate about a metric
            from outside has the digest of that metric's code and attributes, and is about no other.
        axiom: that it is about, where it is none that has a name.

    Raises:
        InvalidInput: it does not prove what it says, or not of this metric; the message says where.

    """
    from axiomcheck.sources.provenance import identity_of
    from axiomcheck.sources.resolve import resolve_named

    if isinstance(document, Record):
        document = document_of(document)
    if not isinstance(document, dict):
        raise InvalidInput("certificate: expected a JSON object")
    kind, name, said = document.get("kind"), document.get("metric"), document.get("identity")
    if kind not in KINDS:
        raise InvalidInput(f"certificate: kind is {kind!r}; expected {', '.join(KINDS[:-1])} or {KINDS[-1]}")
    if not isinstance(name, str):
        raise InvalidInput(f"certificate: metric is {name!r}; expected the name of a metric")
    metric = resolve_named(name) if metric is None else metric
    if metric.canonical != name:
        raise InvalidInput(f"certificate: metric is {name!r}; expected {metric.canonical!r}")
    if "identity" in document and said is None:
        raise InvalidInput("certificate: identity is null; expected a digest, or no such entry")
    try:
        identity = identity_of(metric)
    except MetricError as error:
        raise InvalidInput(f"certificate: {error}") from None
    if said != identity:
        of = "of another metric, or of other code" if said else "missing: this metric is none of the catalogue"
        raise InvalidInput(f"certificate: identity is {of}; what was proved is not known to be true of {name}")
    document = {key: value for key, value in document.items() if key != "identity"}
    try:
        _check(document, kind, metric, axiom)
    except InvalidInput:
        raise
    except Exception as error:
        if identity is None:  # a metric of the catalogue
            raise
        raise InvalidInput(f"metric: {name} cannot be run on symbols: {type(error).__name__}: {error}") from error


def _check(document: dict[str, Any], kind: str, metric: Metric, axiom: Axiom | None) -> None:
    if kind == "tail":
        from axiomcheck.proof.check.thresholds import check_threshold

        check_threshold(document, metric)
    elif kind == "blocks":
        from axiomcheck.proof.check.blocks import check_blocks

        check_blocks(document, metric)
    elif kind in ("induction", "mixture"):
        from axiomcheck.proof.check.induction import check_induction

        check_induction(document, metric, axiom)
    else:
        from axiomcheck.proof.check.bounded import check_bounded

        check_bounded(document, metric, axiom)
