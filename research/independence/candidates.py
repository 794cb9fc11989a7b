"""Candidate metrics of the study: metrics of the catalogue, and constructed ones (`axiomcheck.metrics.constructed`)."""

from __future__ import annotations

from dataclasses import dataclass

from axiomcheck.metrics import Metric, parse
from axiomcheck.metrics.constructed import ConstructedUtility


@dataclass(frozen=True)
class Contender:
    """A metric that is tested as a witness that a set of axioms is consistent, or that an axiom is independent.

    Args:
        metric: Metric to be decided on every axiom.
        continuous: True if the formula of its score is continuous in the weights. All such metrics here are affine
            functions of the weights.

    """

    metric: Metric
    continuous: bool


def candidates() -> tuple[Contender, ...]:
    """Return the candidate metrics in order of preference, with the catalogue's first."""
    made = ConstructedUtility
    return (
        Contender(parse("RBU@20"), True),
        Contender(parse("RBU(p=0.5)@20"), True),
        Contender(parse("RBU(e=0)@20"), True),
        Contender(made(), False),
        Contender(made(cutoff=5, discount="lifted"), False),
        Contender(made(discount="concave"), False),
        Contender(made(cutoff=None, discount="hyperbolic"), False),
        Contender(made(p="0.5"), False),
        Contender(made(cost="saturable"), False),
        Contender(made(overlap=False), False),
        Contender(made(novelty="last"), False),
        Contender(made(novelty="focused"), False),
        Contender(made(e="0.05"), False),
        Contender(made(weighted=False), False),
        # For the conditions: redundancy for all weights, or no redundancy, and costs of non-relevant documents only.
        Contender(made(cost="nonrelevant"), False),
        Contender(made(p="0.9", scope="always"), True),
        Contender(made(p="0.9", scope="always", cost="nonrelevant"), True),
        Contender(made(alpha=0), True),
        Contender(made(alpha=0, cost="nonrelevant"), True),
        Contender(made(alpha=1, scope="always", cost="nonrelevant"), True),
    )
