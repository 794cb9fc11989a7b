"""Says how many distinct random instances are tried per cell where nobody says otherwise, and why so many.

Of instances that violate an axiom with probability s each, N find none with probability (1 - s)^N, about
exp(-N s): whatever is violated with s = 5/N is found with 99 %. They come on top of the small shapes, which are
enumerated, and of proofs; a metric that is slow to call has fewer.

The seed is 0 everywhere: any other number is as good, and two people who say nothing get the same report.
"""

from __future__ import annotations

PUBLISHED = 100_000
"""For a table that is kept and cited (`matrix`): 1 violation in 20,000 is found, in a minute or two for all rows."""

AWAITED = 30_000
"""For one metric that somebody waits for (`check`, `prove`): 1 in 6,000, in seconds."""

REPEATED = 20_000
"""For what is decided often (the gate and the pytest plugin, on every change) or in hundreds of cells at a time
(`weakest`, once per set of assumptions; `independence`, every axiom of dozens of metrics): 1 in 4,000."""
