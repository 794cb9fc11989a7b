"""Print which axioms are independent, and which sets of them no metric satisfies, in the three regimes.

It takes minutes. Where something has changed: ``python -m research.independence > research/output/independence.txt``.
"""

from __future__ import annotations

from collections.abc import Sequence

from axiomcheck.core.domain import Regime
from axiomcheck.decide.budgets import REPEATED
from axiomcheck.decide.search import Settings
from axiomcheck.processes.workers import usable_cpus
from research.independence.report import print_studies
from research.independence.study import study
from research.printing import text_of


def report(regimes: Sequence[Regime] = tuple(Regime), examples: int = REPEATED) -> str:
    """Return the studies of regimes as text; it does not depend on the number of workers.

    Args:
        regimes: one study each.
        examples: instances per search. Verdicts are printed without them, so fewer give the same text as long as they
            find every violation.

    """
    studies = study(regimes, Settings(examples=examples, proofs=False), usable_cpus())
    return text_of(lambda console: print_studies(console, studies))


if __name__ == "__main__":
    print(report(), end="")
