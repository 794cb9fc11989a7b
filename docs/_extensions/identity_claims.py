"""Claims that two metrics are one, decided as `axiomcheck identity` does."""

from __future__ import annotations

from dataclasses import dataclass

from axiomcheck.metrics import parse
from axiomcheck.reports.identity_report import identity_report
from axiomcheck.reports.table import report_text
from axiomcheck.studies.identity.decide import decide_identity


@dataclass(frozen=True)
class IdentityClaim:
    """What a paper says two metrics are to each other.

    Args:
        where: the place in the paper.
        what: what it says, in words.
        first, second: the metrics.
        small: whether it says so of r << 1.

    """

    where: str
    what: str
    first: str
    second: str
    small: bool

    @property
    def command(self) -> str:
        """What asks the same on a terminal."""
        return f'axiomcheck identity "{self.first}" "{self.second}"' + (" --regime limit" if self.small else "")


CLAIMS = (
    IdentityClaim(
        "Amigo et al. 2018, section 5",
        "RBU matches RBP-IA without effort and for r << 1",
        "RBU(e=0)@20",
        "RBP-IA",
        True,
    ),
    IdentityClaim(
        "Amigo et al. 2018, section 5",
        "RBU is equivalent to ERR-IA without effort and where users always go on (p = 1)",
        "RBU(e=0, p=1)@20",
        "ERR-IA@20",
        False,
    ),
)


def decided(claim: IdentityClaim) -> tuple[str, str]:
    """(what the metrics are to each other, all that the command prints)."""
    found = decide_identity(parse(claim.first), parse(claim.second), claim.small)
    return found.relation.value, report_text(identity_report(found))
