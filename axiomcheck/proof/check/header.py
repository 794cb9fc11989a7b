"""Create certificates, and read the entries that several kinds share: fractions, open parameters and axioms."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any

from axiomcheck.axioms import (
    AXIOMS,
    Axiom,
    PairAxiom,
    ThresholdAxiom,
    about_blocks,
    about_pairs,
    about_scores,
    find_axiom,
)
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import shown
from axiomcheck.metrics import Metric
from axiomcheck.metrics.parameters import Base, Parameter, Real
from axiomcheck.records.certificates import (
    SCHEMA,
    VERSION,
    BlocksCertificate,
    Certificate,
    InductionCertificate,
    MixtureCertificate,
    Names,
)


def certificate(kind: str, metric: Metric, axiom: Axiom, **entries: Any) -> dict[str, Any]:
    """Create a certificate as a JSON object: schema, version, kind, metric and axiom, followed by ``entries``."""
    head = {"schema": SCHEMA, "version": VERSION, "kind": kind}
    return {**head, "metric": metric.canonical, "axiom": axiom.name, **entries}


def left_open(certificate: Certificate) -> Names:
    """Return the names of the open parameters: the certificate is valid for all their values inside their ranges."""
    if isinstance(certificate, InductionCertificate | MixtureCertificate):
        return certificate.parameters
    if isinstance(certificate, BlocksCertificate) and certificate.lemma == "ahead":
        return ()
    return certificate.scope.parameters


def fraction_of(text: str, where: str) -> Fraction:
    """Parse a fraction in a certificate, which must be in lowest terms.

    Raises:
        InvalidInput: The fraction is not in lowest terms.

    """
    value = Fraction(text)
    if str(value) != text:
        raise InvalidInput(f"certificate: {where} is {shown(text)}; expected a fraction in lowest terms, such as '1/2'")
    return value


def require(condition: bool, otherwise: str, where: str = "certificate") -> None:
    """Raise InvalidInput unless a condition on the certificate is met."""
    if not condition:
        raise InvalidInput(f"{where}: {otherwise}")


def range_of(parameter: Parameter) -> tuple[Fraction, Fraction | None]:
    """Return (lower bound, upper bound) of a numeric parameter; None if there is no upper bound."""
    return (parameter.low, parameter.high) if isinstance(parameter, Real) else (Fraction(1), None)


def open_parameters(metric: Metric, names: Sequence[str], where: str) -> dict[str, tuple[Fraction, Fraction | None]]:
    """Return the range of each open parameter, after checking that the metric's own value is inside it.

    Args:
        metric: Metric of the certificate.
        names: Names of the parameters, as the certificate lists them.
        where: Path of the list in the certificate, for messages.

    Raises:
        InvalidInput: A name occurs twice or is not that of a numeric parameter, or the metric's value is an endpoint of
            the range.

    """
    declared = {p.name: p for p in metric.declared}
    ranges: dict[str, tuple[Fraction, Fraction | None]] = {}
    for name in names:
        require(name not in ranges, f"{name!r} is listed twice", where)
        parameter = declared.get(name)
        if not isinstance(parameter, Real | Base):
            raise InvalidInput(f"{where}: {name!r} is not a numeric parameter of {metric}")
        low, high = range_of(parameter)
        value = metric.values[name]
        inside = isinstance(value, Fraction) and low < value and (high is None or value < high)
        inside = inside or (value is None and isinstance(parameter, Base))
        require(inside, f"the value of {name!r} in {metric} is an endpoint of its range", where)
        ranges[name] = (low, high)
    return ranges


def unit_symbols(metric: Metric, names: Sequence[str], where: str) -> dict[str, str]:
    """Return the open range of each parameter as a string, ``"(0, 1)"`` or ``"(0, oo)"``.

    Raises:
        InvalidInput: `open_parameters` rejects a name, or a parameter has a different range.

    """
    ranges = open_parameters(metric, names, where)
    for name, (low, high) in ranges.items():
        require(low == 0 and high in (None, 1), f"the range of {name!r} is neither (0, 1) nor (0, oo)", where)
    return {name: "(0, oo)" if high is None else "(0, 1)" for name, (_, high) in ranges.items()}


def symbolic_parameters(metric: Metric) -> dict[str, str]:
    """Return the range of each parameter that can be a symbol, ``"(0, 1)"`` or ``"(0, oo)"``, by name."""
    found: dict[str, str] = {}
    for parameter in metric.declared:
        with suppress(InvalidInput):
            found |= unit_symbols(metric, [parameter.name], "parameters")
    return found


def pair_axiom(name: str, axiom: Axiom | None) -> PairAxiom:
    """Return the axiom that a certificate names, which must be about pairs of rankings.

    Args:
        name: Name in the certificate.
        axiom: Axiom of that name. Default: the registered one.

    Raises:
        InvalidInput: No axiom about pairs has that name.

    """
    about = find_axiom(name) if axiom is None else axiom
    if not about_pairs(about) or about_scores(about) or about.name != name:
        raise InvalidInput(f"certificate: axiom is {name!r}; expected the name of an axiom on pairs")
    return about


def threshold_axiom(name: str) -> ThresholdAxiom:
    """Return the axiom that a certificate names, which must be a threshold axiom.

    Raises:
        InvalidInput: No threshold axiom has that name.

    """
    names = [known for known, axiom in AXIOMS.items() if about_blocks(axiom)]
    require(name in names, f"axiom is {shown(name)}; expected {' or '.join(names)}")
    axiom = AXIOMS[name]
    assert about_blocks(axiom)
    return axiom
