"""Find proofs for cells, and check their certificates with a checker that is independent of the prover.

The signs that a threshold certificate claims are also compared with the signs that the search computed.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from msgspec import structs

from axiomcheck.axioms import AXIOMS, Axiom, PairAxiom, about_blocks, about_pairs, about_scores
from axiomcheck.core.documents import UNSET, document_of
from axiomcheck.core.domain import Domain, Reading, assumes_small
from axiomcheck.core.errors import InternalDisagreement, InvalidInput, MetricError
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.dominance import APART
from axiomcheck.decide.thresholds import Tried
from axiomcheck.metrics import Metric
from axiomcheck.metrics.derived_fold import FoldOfFunction
from axiomcheck.proof.check import check_certificate
from axiomcheck.records.certificates import (
    BlocksCertificate,
    Certificate,
    TailCertificate,
    certified_verdict,
    read_certificate,
)
from axiomcheck.sources.function_metrics import CallableMetric, FunctionMetric
from axiomcheck.sources.provenance import identity_of, is_genuine

_CATALOGUE_TIMES = 12
"""Factor by which the budget of bounded proofs is multiplied for metrics in the catalogue.

Few of these metrics need a bounded proof. S-RR@100%, which is not a sum over aspects, needs the larger budget for a
proof that covers up to six documents on three aspects.
"""

_FEW_RANKED, _LITTLE = 4, 20_000
"""Limits of a bounded proof with little effort: number of ranked documents (or the axiom's minimum), and cost."""


@dataclass(frozen=True)
class Proof:
    """Certificate that has passed its check.

    Args:
        certificate: Certificate; see docs/lemmas.
        seconds: Time spent finding the certificate, in seconds.
        check_seconds: Time spent checking the certificate, in seconds.

    """

    certificate: Certificate
    seconds: float = field(compare=False, default=0.0)
    check_seconds: float = field(compare=False, default=0.0)

    @property
    def verdict(self) -> Verdict:
        """Verdict that the certificate proves: ``proved``, ``bounded`` or, for threshold axioms only, ``refuted``."""
        return certified_verdict(self.certificate)

    @property
    def holds(self) -> bool:
        """True if the certificate proves that the axiom holds, False if it refutes the axiom."""
        return self.verdict is not Verdict.REFUTED

    @property
    def size(self) -> int:
        """Size of the certificate in bytes, as compact JSON."""
        return len(json.dumps(document_of(self.certificate), separators=(",", ":")))


def prove(
    axiom: Axiom,
    metric: Metric,
    reading: Reading,
    identity: str | None = None,
    least_effort: bool = False,
    cutoff: int | None = None,
) -> Proof | None:
    """Return a checked proof that a metric satisfies an axiom or, for a threshold axiom, violates it.

    The result is None if no proof was found. The axiom may still hold.

    Args:
        axiom: Axiom to prove.
        metric: Metric of any kind. A metric without exact scores gets no proof. A metric that compares distributions
            gets no proof of an axiom about pairs. An axiom about scores has no proof for any metric.
        reading: Regime and domain.
        identity: Digest of an external metric's code and attributes at load time, to be recorded in the certificate.
            Default: the current digest.
        least_effort: True to limit a bounded proof to a few documents, to save time.
        cutoff: Cutoff of a function that declares none. A proof about the function's fold then covers the ranks down to
            this cutoff.

    Raises:
        InternalDisagreement: The checker rejects a certificate from the prover for a metric in the catalogue.
        MetricError: The scores of a function differ from those of the fold that its source defines.
        InvalidInput: The metric is external but has the name of a metric in the catalogue.

    """
    now, own_code = identity_of(metric), not is_genuine(metric)
    small = assumes_small(axiom, reading)
    if (metric.partial and about_pairs(axiom)) or about_scores(axiom):
        return None
    start = time.perf_counter()
    try:
        certificate = _derived_certificate(axiom, metric, reading, small, cutoff, least_effort)
        if certificate is None and not metric.numerical(small):
            certificate = _certificate(axiom, metric, own_code, reading, small, least_effort)
    except MetricError:  # the scores of a function differ from those of its fold
        raise
    except Exception:
        if not own_code:
            raise
        return None  # external code may be unable to run on symbols
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
            return None  # external code may treat symbols and numbers differently, which is no error of the prover
        raise InternalDisagreement(f"the checker rejects a proof of {axiom} for {metric}: {error}") from None
    if now is not None and identity is not None:
        checked = structs.replace(checked, identity=identity)
    return Proof(checked, found - start, time.perf_counter() - found)


def _derived_certificate(
    axiom: Axiom, metric: Metric, reading: Reading, small: bool, cutoff: int | None, least_effort: bool
) -> dict[str, Any] | None:
    """Return a certificate about the fold that is derived from a user's function, or None if there is none."""
    if not isinstance(metric, FunctionMetric | CallableMetric):
        return None
    from axiomcheck.derivation.agreement import agreeing_fold
    from axiomcheck.derivation.derive import open_names
    from axiomcheck.proof.check.derived import fold_of_function

    derived = agreeing_fold(metric).metric
    if derived is None:
        return None
    asked = metric.cutoff or cutoff
    if about_pairs(axiom) and derived.cutoff is not None and (asked is None or asked > derived.cutoff):
        return None  # the axiom is also about ranks below the cutoff
    names = open_names(metric)
    for opened in (names, *([name] for name in names if len(names) > 1), *([[]] if names else ())):
        if opened and agreeing_fold(metric, opened).metric is None:
            continue
        found = fold_of_function(metric, axiom, opened)
        if isinstance(found, str):
            break
        certificate = _certificate(axiom, found, False, reading, small, least_effort=True)
        if certificate is None or certificate["kind"] not in ("tail", "induction", "mixture"):
            break  # without a proof at the metric's own values, there is none for all values
        if opened == (certificate if "parameters" in certificate else certificate["scope"])["parameters"]:
            # rc in the proof is a number that the fold receives, and not the grade of a document
            return None if found.base and certificate.get("rc") else {**certificate, "derived": found.text}
    if derived.has_other_scores:  # bounded proofs are about scores
        return None
    certificate = _certificate(axiom, FoldOfFunction(metric, derived), True, reading, small, least_effort)
    return None if certificate is None else {**certificate, "derived": derived.text}


def _certificate(
    axiom: Axiom, metric: Metric, own_code: bool, reading: Reading, small: bool, least_effort: bool
) -> dict[str, Any] | None:
    if about_blocks(axiom):
        from axiomcheck.proof.find.thresholds import prove_blocks, prove_threshold

        if type(AXIOMS.get(axiom.name)) is not type(axiom):
            return None
        return prove_threshold(axiom, metric, small) or prove_blocks(axiom, metric, own_code, small)
    assert about_pairs(axiom)
    from axiomcheck.proof.find.bounded import BUDGET, MOST_RANKED, prove_bounded
    from axiomcheck.proof.find.induction import prove_by_induction

    if _speaks_for(axiom, "script"):
        found = prove_by_induction(axiom, metric, small, reading.domain)
        if found is not None:
            return found
    if not _speaks_for(axiom, "relate"):
        return None
    # On binary instances, every pattern of zeros is a case unless the metric is binary. One more document takes ten
    # times as long, which would add minutes to a report on the binary domain.
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
    """Return True if a method of an axiom, ``script`` or ``relate``, describes the instances of this very axiom.

    It does not if it is inherited, and a subclass of the class that defines it changes a premise.
    """
    classes = type(axiom).__mro__

    def place(name: str) -> int:
        return next(k for k, cls in enumerate(classes) if name in vars(cls))

    return place(method) <= min(place(name) for name in _PREMISES)


# Threshold axioms: signs that the search has computed

_ANY = frozenset({-1, 0, 1, APART})
_NOT_BEHIND = frozenset({0, 1, APART})
_AHEAD = {1: "the top ahead", -1: "the block ahead", 0: "a tie", APART: "neither side dominating"}


def allowed_signs(certificate: TailCertificate | BlocksCertificate, n: int) -> frozenset[int]:
    """Return the signs of Q(top) - Q(block) that a certificate allows for a given n >= 1."""
    data, lemma = certificate.data, certificate.lemma
    if lemma == "ahead":
        return frozenset({-1}) if n == data.m else _ANY
    if lemma == "witness":
        return frozenset({-1}) if n == data.m else _NOT_BEHIND if n < (data.m or 0) else _ANY
    if certificate.axiom == "CloseTh":
        return _NOT_BEHIND
    parts = data.parts.values() if data.parts else [data]
    starts = [len(data.signs or ()) if part.n0 is UNSET else part.n0 for part in parts]
    if any(start is None or n < start for start in starts):
        return _ANY
    return frozenset({1}) if certificate.claim == "holds" else _ANY - {1}


def contradiction(certificate: Certificate, tried: Sequence[Tried]) -> str:
    """Describe a contradiction between a certificate and exact signs, or return an empty string if there is none.

    Args:
        certificate: Certificate of any kind. Only ``tail`` and ``blocks`` certificates make claims about single n.
        tried: Exact signs for the same metric, axiom and regime.

    """
    if not isinstance(certificate, TailCertificate | BlocksCertificate):
        return ""
    rc = certificate.rc if isinstance(certificate, TailCertificate) else None
    for one in tried:
        if rc is not None and one.case.rc != Fraction(rc):
            continue
        for n, sign in enumerate(one.signs, start=1):
            if sign is not None and sign not in allowed_signs(certificate, n):
                return (
                    f"a certificate says that {certificate.axiom} {certificate.claim}, but the scores have "
                    f"{_AHEAD[sign]} at n = {n}"
                )
    return ""
