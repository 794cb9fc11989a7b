"""Decide whether two metrics have equal scores, have proportional scores, or order rankings differently.

Equality and proportionality are proved by induction over ranks (`axiomcheck.studies.identity.proof`). A search on small
topics looks for two rankings that the metrics order differently, and confirms them in exact arithmetic
(`axiomcheck.studies.identity.search`). If r << 1 is assumed, grades are eps * rho, and the leading coefficients of the
scores are compared. A proof for every grade is tried first, since it proves more.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from axiomcheck.core.errors import AxiomcheckError, InternalDisagreement, InvalidInput
from axiomcheck.metrics import FoldMetric, Metric
from axiomcheck.proof.check.own_parameters import check_own_symbols
from axiomcheck.proof.check.quotients import SignUnknown
from axiomcheck.studies.identity.proof import IdentityProof, Relation, Scope, open_parameters, proved
from axiomcheck.studies.identity.search import IdentityFound, search

__all__ = ["Identity", "IdentityProof", "Relation", "Scope", "decide_identity", "prove_identity"]


@dataclass(frozen=True)
class Identity:
    """Relation between the scores of two metrics, with its proof or witness.

    Args:
        first: Metric A.
        second: Metric B.
        small: Whether the grades are eps * rho, so that leading coefficients are compared.
        scope: Topics on which both metrics are defined.
        ranks: Maximum length of the rankings, which is the smaller cutoff; None for any length.
        relation: Relation of the scores, or of their leading coefficients if the proof is about leading coefficients.
        proof: Proof that the scores are equal or proportional, or None.
        order: Two rankings of one topic that the metrics order differently, or None. They can exist despite a proof
            about leading coefficients, since coefficients of higher orders break ties.
        tried: Number of topics that were enumerated.
        reasons: Reasons why there is no proof.

    """

    first: Metric
    second: Metric
    small: bool
    scope: Scope
    ranks: int | None
    relation: Relation
    proof: IdentityProof | None
    order: dict[str, Any] | None
    tried: int
    reasons: tuple[str, ...] = field(default=())

    @property
    def decided(self) -> bool:
        """Return whether the relation is known."""
        return self.relation is not Relation.UNDECIDED

    @property
    def one_order(self) -> bool | None:
        """Return whether both metrics order all rankings of up to ``ranks`` ranks in the same way; None if unknown."""
        if self.order is not None:
            return False
        return True if self.proof is not None and self.proof.leading is None else None


FAILURES = (AxiomcheckError, ArithmeticError, TypeError, ValueError, NotImplementedError, AttributeError)
"""Errors that a metric's code may raise when it runs on symbols. They only mean that there is no proof."""


def prove_identity(
    first: Metric, second: Metric, scope: Scope, small: bool
) -> tuple[IdentityProof | None, tuple[str, ...]]:
    """Return a proof that the scores of two metrics are proportional, or else None and the reasons why there is none.

    The proof covers all values of parameters that are equal in both metrics, if possible.

    Args:
        first: Metric A.
        second: Metric B.
        scope: Topics of the proof.
        small: Whether a proof about leading coefficients is sufficient.

    """
    for metric in (first, second):
        try:
            check_own_symbols(metric, open_parameters(first, second))
        except InvalidInput as error:
            own = f"{metric} has its own code, which no lemma covers: {error}"
            return None, (own if isinstance(metric, FoldMetric) else f"{metric} is not declared as a sum over ranks",)
    reasons: list[str] = []
    for leading in (False, True) if small else (False,):
        names = open_parameters(first, second)
        for symbolic in (names, ()) if names else ((),):
            try:
                return proved(first, second, scope, leading, symbolic), ()
            except (SignUnknown, *FAILURES) as error:
                reasons.append(str(error) or type(error).__name__)
    return None, tuple(dict.fromkeys(reasons))


def decide_identity(first: Metric, second: Metric, small: bool) -> Identity:
    """Decide the relation of two metrics.

    Args:
        first: Metric A, which must run in exact arithmetic.
        second: Metric B, which must also run in exact arithmetic.
        small: Whether grades are eps * rho, eps -> 0, and leading coefficients are compared.

    Raises:
        InvalidInput: One of the metrics runs only in floats.
        InternalDisagreement: A proof and exact arithmetic contradict each other.

    """
    for metric in (first, second):
        if why := metric.numerical(small):
            raise InvalidInput(f"{metric}: expected a metric that runs in exact arithmetic; {why}")
    one_aspect = not (first.applies_to_aspects() and second.applies_to_aspects())
    scope = Scope(one_aspect, "binary" if first.binary_only or second.binary_only else "graded")
    cutoffs = [m.cutoff for m in (first, second) if m.cutoff is not None]
    ranks = min(cutoffs, default=None)
    proof, reasons = prove_identity(first, second, scope, small)
    found = _attacked(first, second, scope, small, ranks, proof)
    if proof is not None:
        relation = proof.relation
    else:
        relation = Relation.DIFFERENT if found.order is not None else Relation.UNDECIDED
    return Identity(first, second, small, scope, ranks, relation, proof, found.order, found.tried, reasons)


def _attacked(
    first: Metric, second: Metric, scope: Scope, small: bool, ranks: int | None, proof: IdentityProof | None
) -> IdentityFound:
    """Search for counterexamples to a relation, and check that they do not contradict its proof.

    Raises:
        InternalDisagreement: The search contradicts the proof.

    """
    found = search(first, second, scope, small, ranks, None if proof is None else proof.value)
    if proof is not None and (witness := (found.order if proof.leading is None else None) or found.factor):
        raise InternalDisagreement(f"{first} and {second} are proved {proof.relation}; this is refuted by {witness}")
    return found
