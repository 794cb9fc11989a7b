"""Read certificates, which people may have edited: every complaint says which entry and what was expected."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from axiomcheck.axioms import AXIOMS, Axiom, ThresholdAxiom, about_blocks
from axiomcheck.core.documents import difference, path_text
from axiomcheck.core.domain import Domain, Reading, Regime
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import shown
from axiomcheck.metrics import Metric, parse
from axiomcheck.metrics.parameters import Base, Real
from axiomcheck.sources.provenance import runs_catalogue_code

SCHEMA = "axiomcheck/certificate"
VERSION = 1


def certificate(kind: str, metric: Metric, axiom: Axiom, **entries: Any) -> dict[str, Any]:
    """Return a certificate of some kind about a metric and an axiom, with further entries in their order."""
    head = {"schema": SCHEMA, "version": VERSION, "kind": kind}
    return {**head, "metric": metric.canonical, "axiom": axiom.name, **entries}


_MOST_DIGITS = 400
"""Digits of either part of a fraction: as many as numbers of metrics may have."""

_FRACTION = re.compile(rf"-?(0|[1-9][0-9]{{0,{_MOST_DIGITS - 1}}})(/[1-9][0-9]{{0,{_MOST_DIGITS - 1}}})?")


class Reader:
    """Entries of one JSON object by dotted path.

    Args:
        document: the parsed document.
        what: what it is, for messages.

    Raises:
        InvalidInput: it is not an object.

    """

    def __init__(self, document: Any, what: str) -> None:
        if not isinstance(document, dict):
            raise InvalidInput(f"{what}: expected a JSON object")
        self.document = document
        self.what = what

    def get(self, path: str, check: Callable[[Any], bool], expected: str) -> Any:
        """The entry at a path, if it passes a check.

        Raises:
            InvalidInput: missing, or fails the check.

        """
        value: Any = self.document
        for key in path.split("."):
            if not isinstance(value, dict) or key not in value:
                raise InvalidInput(f"{self.what}: {path} is missing; expected {expected}")
            value = value[key]
        if check(value) is not True:
            raise InvalidInput(f"{self.what}: {path} is {shown(value)}; expected {expected}")
        return value

    def has_only(self, path: str, known: Collection[str]) -> None:
        """Checks that an object has no entries but known ones.

        Args:
            path: of the object; empty for the document.
            known: the entries that it may have.

        Raises:
            InvalidInput: another entry, or no object.

        """
        value = self.get(path, lambda v: isinstance(v, dict), "an object") if path else self.document
        for key in value:
            if key not in known:
                at = path_text([*filter(None, path.split(".")), key])
                raise InvalidInput(f"{self.what}: {at} is not known; expected {', '.join(sorted(known))}")


def is_text(value: Any) -> bool:
    """Return whether a JSON value is a string."""
    return isinstance(value, str)


def between(low: int, high: int) -> Callable[[Any], bool]:
    """Return a test for JSON values that are whole numbers from low to high."""
    return lambda v: isinstance(v, int) and not isinstance(v, bool) and low <= v <= high


def exactly(expected: Any) -> Callable[[Any], bool]:
    """Return a test for one JSON value, of the same type at every place (``True``, ``1`` and ``1.0`` differ)."""
    return lambda value: difference(value, expected) is None


def fraction_of(text: Any) -> Fraction | None:
    """The fraction that a text is in lowest terms, in ASCII digits, as ``str`` writes it; None for anything else."""
    if not isinstance(text, str) or _FRACTION.fullmatch(text) is None:
        return None
    value = Fraction(text)
    return value if str(value) == text else None


def read_header(read: Reader, schema: str, version: int) -> None:
    """The entries ``schema`` and ``version``.

    Raises:
        InvalidInput: another kind of document, or another version.
    """
    read.get("schema", schema.__eq__, repr(schema))
    read.get("version", between(version, version), str(version))


def read_reading(read: Reader) -> Reading:
    """The entry ``reading``.

    Raises:
        InvalidInput: unknown regime or domain.

    """
    regimes, domains = [r.value for r in Regime], [d.value for d in Domain]
    return Reading(
        Regime(read.get("reading.regime", regimes.__contains__, f"one of {', '.join(regimes)}")),
        Domain(read.get("reading.domain", domains.__contains__, f"one of {', '.join(domains)}")),
    )


def require(condition: bool, otherwise: str, where: str = "certificate") -> None:
    """Raises InvalidInput unless a condition of the certificate is met."""
    if not condition:
        raise InvalidInput(f"{where}: {otherwise}")


def open_parameters(metric: Metric, names: Any, where: str) -> dict[str, tuple[Fraction, Fraction | None]]:
    """The open range of every parameter that a certificate leaves open; the metric's own value lies in it.

    Args:
        metric: that the certificate is about.
        names: as they are listed.
        where: they are listed, for messages.

    Raises:
        InvalidInput: no list of numeric parameters, one twice, or one at an end of its range in this metric.

    """
    require(isinstance(names, list | tuple), f"expected a list of parameters of {metric}", where)
    declared = {p.name: p for p in metric.declared}
    ranges: dict[str, tuple[Fraction, Fraction | None]] = {}
    for name in names:
        require(isinstance(name, str) and name not in ranges, f"has {name!r} twice or as no text", where)
        parameter = declared.get(name)
        if isinstance(parameter, Real):
            low, high = parameter.low, parameter.high
        elif isinstance(parameter, Base):
            low, high = Fraction(1), None
        else:
            raise InvalidInput(f"{where}: has {name!r}, no numeric parameter of {metric}")
        value = metric.values[name]
        inside = isinstance(value, Fraction) and low < value and (high is None or value < high)
        inside = inside or (value is None and isinstance(parameter, Base))
        require(inside, f"has {name!r}, whose value in {metric} is an end of its range", where)
        ranges[name] = (low, high)
    return ranges


def unit_symbols(metric: Metric, names: Any, where: str) -> dict[str, str]:
    """The ranges as texts where each is from 0 to 1, or from 0 without end.

    Raises:
        InvalidInput: as `open_parameters`, or another range.

    """
    ranges = open_parameters(metric, names, where)
    for name, (low, high) in ranges.items():
        require(low == 0 and high in (None, 1), f"has {name!r}, no parameter from 0 to 1, or from 0 without end", where)
    return {name: "(0, oo)" if high is None else "(0, 1)" for name, (_, high) in ranges.items()}


def symbolic_parameters(metric: Metric) -> dict[str, str]:
    """Return the parameters that can be symbols, each with its range: (0, 1), or (0, oo)."""
    found: dict[str, str] = {}
    for parameter in metric.declared:
        with suppress(InvalidInput):
            found |= unit_symbols(metric, [parameter.name], "parameters")
    return found


@dataclass(frozen=True)
class ThresholdClaim:
    """A claim that an axiom holds for a metric, or fails, at every n.

    Args:
        metric, axiom: the cell.
        small: whether r << 1 is assumed.
        holds: whether it holds.
        own_code: whether other code than axiomcheck's decides the metric's scores.

    """

    metric: Metric
    axiom: ThresholdAxiom
    small: bool
    holds: bool
    own_code: bool


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
    names = [name for name, axiom in AXIOMS.items() if about_blocks(axiom)]
    axiom = AXIOMS[read.get("axiom", names.__contains__, " or ".join(names))]
    assert about_blocks(axiom)
    small = read.get("small", lambda v: isinstance(v, bool), "true or false")
    holds = read.get("claim", ("holds", "fails").__contains__, "'holds' or 'fails'") == "holds"
    read.get("scope", lambda v: isinstance(v, dict) and set(v) == {"n", "parameters"}, "n and parameters")
    read.get("scope.n", "all n".__eq__, "'all n'")
    return ThresholdClaim(metric, axiom, small, holds, not runs_catalogue_code(metric))
