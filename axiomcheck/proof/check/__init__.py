"""Check certificates. The checker imports nothing from the provers in `axiomcheck.proof.find`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiomcheck.core.documents import Record, document_of
from axiomcheck.core.errors import InvalidInput, MetricError
from axiomcheck.records.certificates import (
    BlocksCertificate,
    Certificate,
    OrthantCertificate,
    TailCertificate,
    read_certificate,
)

if TYPE_CHECKING:
    from axiomcheck.axioms import Axiom
    from axiomcheck.metrics import Metric

__all__ = ["check_certificate", "check_claim"]


def check_certificate(document: object, metric: Metric | None = None, axiom: Axiom | None = None) -> None:
    """Check a certificate without relying on its prover.

    Args:
        document: Certificate record, or a JSON object from a prover or a file.
        metric: Metric that the certificate must be about. Default: the catalogue metric that the certificate names. A
            certificate about an external metric contains the digest of the metric's code and attributes, and is valid
            only for that metric.
        axiom: Axiom of the certificate; needed only if it has no registered name.

    Raises:
        InvalidInput: The certificate does not prove its claim, or is about a different metric.

    """
    from axiomcheck.sources.provenance import identity_of
    from axiomcheck.sources.resolve import resolve_named

    certificate = read_certificate(document_of(document) if isinstance(document, Record) else document)
    name, said = certificate.metric, certificate.identity or None
    metric = resolve_named(name) if metric is None else metric
    try:
        identity = identity_of(metric)
    except MetricError as error:
        raise InvalidInput(f"certificate: {error}") from None
    if said != identity:
        of = "that of another metric or of other code" if said else "missing, and the metric is not in the catalogue"
        raise InvalidInput(f"certificate: identity is {of}; the proof may not be valid for {name}")
    try:
        check_claim(certificate, metric, axiom)
    except InvalidInput:
        raise
    except Exception as error:
        if identity is None:  # a metric of the catalogue
            raise
        raise InvalidInput(f"metric: {name} cannot be run on symbols: {type(error).__name__}: {error}") from error


def check_claim(certificate: Certificate, metric: Metric, axiom: Axiom | None = None) -> None:
    """Check that a certificate proves its claim about a metric, without comparing the identity of an external metric.

    ``axiom`` is needed only if it has no registered name.

    Raises:
        InvalidInput: The certificate does not prove its claim. The message says where.

    """
    if metric.canonical != certificate.metric:
        raise InvalidInput(f"certificate: metric is {certificate.metric!r}; expected {metric.canonical!r}")
    if not isinstance(certificate, BlocksCertificate) and certificate.derived:
        from axiomcheck.proof.check.derived import derived_metric

        metric = derived_metric(metric, certificate, axiom)
    if isinstance(certificate, TailCertificate):
        from axiomcheck.proof.check.thresholds import check_threshold

        check_threshold(certificate, metric)
    elif isinstance(certificate, BlocksCertificate):
        from axiomcheck.proof.check.blocks import check_blocks

        check_blocks(certificate, metric)
    elif isinstance(certificate, OrthantCertificate):
        from axiomcheck.proof.check.bounded import check_bounded

        check_bounded(certificate, metric, axiom)
    else:
        from axiomcheck.proof.check.induction import check_induction

        check_induction(certificate, metric, axiom)
