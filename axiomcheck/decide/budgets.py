"""Define the settings of a search, and explain the default numbers of random instances.

If each instance violates an axiom with probability s, N instances all satisfy it with probability (1 - s)^N, about
exp(-N s). If s = 5/N, a search of N instances therefore finds a violation with a probability of 99 %. Random instances
supplement the enumeration of small shapes and the proofs. A slow metric is tested on fewer instances.

The default seed is 0 everywhere, so two people who use the defaults get the same report.
"""

from __future__ import annotations

from dataclasses import dataclass

PUBLISHED = 100_000
"""Default number of instances for `matrix`, whose tables are published. With this number, the search finds a violation
that occurs in 1 of 20,000 instances. The search of all rows takes a minute or two."""

AWAITED = 30_000
"""Default number of instances for `check` and `prove`, which a user waits for. With this number, the search finds a
violation that occurs in 1 of 6,000 instances. The search takes seconds."""

REPEATED = 20_000
"""Default number of instances for commands that run often or decide hundreds of cells. With this number, the search
finds a violation that occurs in 1 of 4,000 instances. The gate and the pytest plugin run on every change, `weakest`
searches once for each set of assumptions, and `research.independence` tests every axiom on dozens of metrics."""


@dataclass(frozen=True)
class Settings:
    """Settings that affect the results of a run, in addition to its metrics, axioms and reading.

    Args:
        seed: Seed of the random search.
        examples: Number of distinct random instances to test per cell, unless fewer exist. If the verdict would be
            "held", `axiomcheck.decide.search.FURTHER` times as many are tested. For a slow metric, groups of more than
            ``examples / 2`` instances are not enumerated, unless ``examples`` is 0.
        exhaustive: True to enumerate small instances on a grid first.
        proofs: True to try to prove cells that the search does not refute.

    """

    seed: int = 0
    examples: int = PUBLISHED
    exhaustive: bool = True
    proofs: bool = True
