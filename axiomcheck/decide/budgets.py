"""Default numbers of distinct random instances per cell, with their rationale.

If each instance violates an axiom with probability s, N instances all satisfy it with probability (1 - s)^N, about
exp(-N s). A search of N instances therefore finds a violation with probability 99 % if s = 5/N. Random instances
supplement the enumeration of small shapes and the proofs. A metric that is slow to call gets fewer instances.

The default seed is 0 everywhere. Any other seed would serve as well. Two people who use the defaults get the same
report.
"""

from __future__ import annotations

PUBLISHED = 100_000
"""Default of `matrix`, whose table is kept and cited. It detects violations in 1 of 20,000 instances, and takes a
minute or two for all rows."""

AWAITED = 30_000
"""Default of `check` and `prove`, for which a user waits. It detects violations in 1 of 6,000 instances, and takes
seconds."""

REPEATED = 20_000
"""Default of commands that run often or decide hundreds of cells. It detects violations in 1 of 4,000 instances. The
gate and the pytest plugin run on every change, `weakest` runs once per set of assumptions, and `independence` tests
every axiom on dozens of metrics."""
