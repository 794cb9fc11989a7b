"""Claims that two metrics are the same, decided as by `axiomcheck identity`."""

from __future__ import annotations

from dataclasses import dataclass

from axiomcheck.metrics import parse
from axiomcheck.reports.identity_report import identity_report
from axiomcheck.reports.table import report_text
from axiomcheck.studies.identity.decide import decide_identity


@dataclass(frozen=True)
class IdentityClaim:
    """Claim of a paper that two metrics are the same.

    Args:
        where: Place in the paper.
        what: Claim in words.
        first, second: Names of the metrics.
        small: True if the claim assumes r << 1.

    """

    where: str
    what: str
    first: str
    second: str
    small: bool

    @property
    def command(self) -> str:
        """Command that decides the claim."""
        return f'axiomcheck identity "{self.first}" "{self.second}"' + (" --regime limit" if self.small else "")


CLAIMS = (
    IdentityClaim(
        "Amigo et al. 2018, section 5",
        "RBU matches RBP-IA for e = 0 and r << 1",
        "RBU(e=0)@20",
        "RBP-IA",
        True,
    ),
    IdentityClaim(
        "Amigo et al. 2018, section 5",
        "RBU is equivalent to ERR-IA for e = 0 and p = 1",
        "RBU(e=0, p=1)@20",
        "ERR-IA@20",
        False,
    ),
)


def decided(claim: IdentityClaim) -> tuple[str, str]:
    """Return the relation of the metrics, and the output of the command."""
    found = decide_identity(parse(claim.first), parse(claim.second), claim.small)
    return found.relation.value, report_text(identity_report(found))
