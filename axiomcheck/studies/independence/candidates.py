"""The metrics that are tried: of the catalogue, and constructed ones (`axiomcheck.metrics.constructed`)."""

from __future__ import annotations

from dataclasses import dataclass

from axiomcheck.metrics import Metric, parse
from axiomcheck.metrics.constructed import ConstructedUtility

__all__ = ["Candidate", "candidates"]


@dataclass(frozen=True)
class Candidate:
    """A metric that may satisfy a set of constraints, or all but one.

    Args:
        metric: to be decided on every constraint.
        continuous: whether its score is continuous in the weights by its formula (of all here that are, it is an
            affine function of the weights).

    """

    metric: Metric
    continuous: bool


def candidates() -> tuple[Candidate, ...]:
    """The metrics in the order in which they are preferred: the catalogue's first."""
    made = ConstructedUtility
    return (
        Candidate(parse("RBU@20"), True),
        Candidate(parse("RBU(p=0.5)@20"), True),
        Candidate(parse("RBU(e=0)@20"), True),
        Candidate(made(), False),
        Candidate(made(cutoff=5, discount="lifted"), False),
        Candidate(made(discount="concave"), False),
        Candidate(made(cutoff=None, discount="hyperbolic"), False),
        Candidate(made(p="0.5"), False),
        Candidate(made(cost="saturable"), False),
        Candidate(made(overlap=False), False),
        Candidate(made(novelty="last"), False),
        Candidate(made(novelty="focused"), False),
        Candidate(made(e="0.05"), False),
        Candidate(made(weighted=False), False),
        # For the conditions: redundancy whatever the weights, or none at all, and costs that no relevant document has.
        Candidate(made(cost="nonrelevant"), False),
        Candidate(made(p="0.9", scope="always"), True),
        Candidate(made(p="0.9", scope="always", cost="nonrelevant"), True),
        Candidate(made(alpha=0), True),
        Candidate(made(alpha=0, cost="nonrelevant"), True),
        Candidate(made(alpha=1, scope="always", cost="nonrelevant"), True),
    )
