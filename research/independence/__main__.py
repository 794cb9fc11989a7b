"""Print the independent axioms, and the sets of axioms that no metric satisfies, in the three regimes.

The script takes minutes. If a result has changed, run ``python -m research.independence >
research/output/independence.txt``.
"""

from __future__ import annotations

from collections.abc import Sequence

from axiomcheck.core.domain import Regime
from axiomcheck.decide.budgets import REPEATED
from axiomcheck.decide.search import Settings
from axiomcheck.processes.limits import usable_cpus
from research.independence.report import print_studies
from research.independence.study import study
from research.printing import text_of


def report(regimes: Sequence[Regime] = tuple(Regime), examples: int = REPEATED) -> str:
    """Return the studies of regimes as text, independent of the number of workers.

    Args:
        regimes: Regimes to study.
        examples: Instances per search. They are not printed, so a smaller number gives the same text as long as all
            violations are found.

    """
    studies = study(regimes, Settings(examples=examples, proofs=False), usable_cpus())
    return text_of(lambda console: print_studies(console, studies))


if __name__ == "__main__":
    print(report(), end="")
