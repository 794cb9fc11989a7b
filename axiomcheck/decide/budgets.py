"""Default numbers of distinct random instances per cell, and the reasons for them.

If instances violate an axiom with probability s each, N of them miss every violation with probability (1 - s)^N, about
exp(-N s). A violation with s = 5/N is therefore found with probability 99 %. Random instances are tried in addition to
small shapes, which are enumerated, and to proofs. A metric that is slow to call gets fewer.

The default seed is 0 everywhere. Any other number is as good, and two people who use the defaults get the same report.
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
