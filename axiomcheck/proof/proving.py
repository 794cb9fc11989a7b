"""Proves a cell, and has the certificate checked by the routine that does not know how it was found."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from typing import Any

from msgspec import structs

from axiomcheck.axioms import AXIOMS, Axiom, PairAxiom, about_blocks, about_pairs, about_scores
from axiomcheck.core.documents import document_of
from axiomcheck.core.domain import Domain, Reading, assumes_small
from axiomcheck.core.errors import InternalDisagreement, InvalidInput
from axiomcheck.core.verdict import Verdict
from axiomcheck.metrics import Metric
from axiomcheck.proof.check import check_certificate
from axiomcheck.records.certificates import Certificate, certified_verdict, read_certificate
from axiomcheck.sources.provenance import identity_of, runs_catalogue_code

_CATALOGUE_TIMES = 12
"""A bounded proof may cost this many times more for a metric of the catalogue, of which few need one: S-RR@100%, which
is no sum over aspects, gets to six documents on three aspects so."""

_FEW_RANKED, _LITTLE = 4, 20_000
"""The most ranked documents and the budget of a bounded proof of least effort."""


@dataclass(frozen=True)
class Proof:
    """A certificate that was checked.

    Args:
        certificate: see docs/lemmas.
        seconds: that it took to find.
        check_seconds: that it took to check.

    """

    certificate: Certificate
    seconds: float = field(compare=False, default=0.0)
    check_seconds: float = field(compare=False, default=0.0)

    @property
    def verdict(self) -> Verdict:
        """``proved`` or ``bounded``; or, of threshold axioms only, ``refuted``."""
        return certified_verdict(self.certificate)

    @property
    def holds(self) -> bool:
        """Return whether it says that the axiom holds."""
        return self.verdict is not Verdict.REFUTED

    @property
    def size(self) -> int:
        """Bytes of the certificate as compact JSON."""
        return len(json.dumps(document_of(self.certificate), separators=(",", ":")))


def prove(
    axiom: Axiom, metric: Metric, reading: Reading, identity: str | None = None, least_effort: bool = False
) -> Proof | None:
    """Proves that a metric satisfies an axiom; None where no proof was found, which says nothing.

    Args:
        axiom: which one is asked.
        metric: of any kind; one of which floats are all there is has no proof, nor one that compares distributions
            for an axiom on pairs. An axiom on scores has none of any metric.
        reading: regime and domain.
        identity: of a metric from outside, what it was when it was new, which its certificate will say; left out, what
            it is now.
        least_effort: whether a bounded proof is to cover a few documents only, which costs little.

    Raises:
        InternalDisagreement: the checker does not accept what the prover found.
        InvalidInput: the metric is none of the catalogue and bears one of its names.

    """
    now, own_code = identity_of(metric), not runs_catalogue_code(metric)
    small = assumes_small(axiom, reading)
    if metric.numerical(small) or (metric.partial and about_pairs(axiom)) or about_scores(axiom):
        return None
    start = time.perf_counter()
    try:
        certificate = _certificate(axiom, metric, own_code, reading, small, least_effort)
    except Exception:
        if not own_code:
            raise
        return None  # somebody else's code, which need not run on symbols
    if certificate is None:
        return None
    if now is not None:
        certificate["identity"] = now
    found = time.perf_counter()
    try:
        check_certificate(certificate, metric, axiom)
        checked = read_certificate(certificate)
    except InvalidInput as error:
        if own_code:
            return None  # somebody's code may answer symbols otherwise than numbers, so this says nothing of a prover
        raise InternalDisagreement(f"a proof of {axiom} for {metric} does not pass its check: {error}") from None
    if now is not None and identity is not None:
        checked = structs.replace(checked, identity=identity)
    return Proof(checked, found - start, time.perf_counter() - found)


def _certificate(
    axiom: Axiom, metric: Metric, own_code: bool, reading: Reading, small: bool, least_effort: bool
) -> dict[str, Any] | None:
    if about_blocks(axiom):
        from axiomcheck.proof.find.thresholds import prove_blocks, prove_threshold

        if type(AXIOMS.get(axiom.name)) is not type(axiom):
            return None
        return prove_threshold(axiom, metric, own_code, small) or prove_blocks(axiom, metric, own_code, small)
    assert about_pairs(axiom)
    from axiomcheck.proof.find.bounded import BUDGET, MOST_RANKED, prove_bounded
    from axiomcheck.proof.find.induction import prove_by_induction

    if _speaks_for(axiom, "script"):
        found = prove_by_induction(axiom, metric, small, reading.domain)
        if found is not None:
            return found
    if not _speaks_for(axiom, "relate"):
        return None
    # On binary instances of a metric that sees grades, every pattern of zeros is a case: a document more takes ten
    # times as long, and a report in that domain was minutes of that.
    patterns = reading.domain is Domain.BINARY and not metric.binary_only
    budget = _CATALOGUE_TIMES * BUDGET if not (own_code or patterns) else BUDGET
    most, budget = (max(_FEW_RANKED, axiom.min_ranked), _LITTLE) if least_effort else (MOST_RANKED, budget)
    try:
        return prove_bounded(axiom, metric, small, reading.domain, most_ranked=most, budget=budget)
    except NotImplementedError:  # a plugin's axiom that does not say how its grades are related
        return None


_PREMISES = (
    *("relate", "holds", "rankings", "premises", "last_rank", "incoming", "choices", "appends"),
    *("overlap", "balanced", "binary", "weighted", "strict", "can_be_small"),
    *("min_ranked", "min_aspects", "max_aspects"),
)


def _speaks_for(axiom: PairAxiom, method: str) -> bool:
    """Return whether an axiom's script (or relations) is of the class that says what its instances are.

    One that a subclass inherits, and changes the premises of, is about other instances.
    """
    classes = type(axiom).__mro__

    def place(name: str) -> int:
        return next(k for k, cls in enumerate(classes) if name in vars(cls))

    return place(method) <= min(place(name) for name in _PREMISES)
