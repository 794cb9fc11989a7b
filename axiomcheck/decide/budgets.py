"""Default numbers of distinct random instances per cell, with their rationale.

If each instance violates an axiom with probability s, N instances all satisfy it with probability (1 - s)^N, about
exp(-N s). A search of N instances therefore finds a violation with probability 99 % if s = 5/N. Random instances
supplement the enumeration of small shapes and the proofs. A metric that is slow to call gets fewer instances.

The default seed is 0 everywhere. Any other seed would serve as well. Two people who use the defaults get the same
report.
"""

from __future__ import annotations

PUBLISHED = 100_000
"""Default of `matrix`, whose table is kept and cited: finds 1 violation in 20,000, in a minute or two for all rows."""

AWAITED = 30_000
"""Default of `check` and `prove`, which decide one metric while the user waits: 1 violation in 6,000, in seconds."""

REPEATED = 20_000
"""Default of commands that run often or decide hundreds of cells: finds 1 violation in 4,000.

The gate and the pytest plugin run on every change, `weakest` decides once per set of assumptions, and `independence`
decides every axiom of dozens of metrics.
"""
