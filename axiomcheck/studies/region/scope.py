"""For which other settings a certificate speaks."""

from __future__ import annotations

from axiomcheck.core.errors import InvalidInput
from axiomcheck.metrics import Metric
from axiomcheck.proof.check.header import open_parameters
from axiomcheck.records.certificates import (
    BlocksCertificate,
    Certificate,
    InductionCertificate,
    MixtureCertificate,
    Names,
)


def left_open(certificate: Certificate) -> Names:
    """The parameters for every value of which, inside their ranges, a certificate speaks."""
    if isinstance(certificate, InductionCertificate | MixtureCertificate):
        return certificate.parameters
    if isinstance(certificate, BlocksCertificate) and certificate.lemma == "ahead":
        return ()
    return certificate.scope.parameters


def speaks_for(certificate: Certificate, metric: Metric, other: Metric) -> bool:
    """Whether a certificate about one setting covers another of the same metric.

    It does where they differ in nothing but parameters that it leaves open, whose values lie inside their ranges: of
    the ends of a range it says nothing.

    Args:
        certificate: as it was checked.
        metric: that it is about.
        other: the setting that is asked about.

    """
    names = left_open(certificate)
    if type(metric) is not type(other) or metric.cutoff != other.cutoff:
        return False
    if any(other.values[name] != value for name, value in metric.values.items() if name not in names):
        return False
    try:
        open_parameters(other, names, "parameters")
    except InvalidInput:
        return False
    return True
