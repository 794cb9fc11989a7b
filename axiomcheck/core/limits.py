"""Define constants that several packages share: tolerances, precisions and search bounds.

They are defined in one module so that they agree with each other.

A constant that only one module uses is defined in that module.
"""

from __future__ import annotations

ROUNDING = 1e-9
"""Largest difference, absolute or relative to the larger score, at which two floats count as the same score. The two
may come from different batches or processes, or from sums in a different order. Rounding errors of doubles are far
smaller than this tolerance, and those of single precision are larger."""

SINGLE_ROUNDING = 1e-5
"""`ROUNDING` for scores in single precision, which has seven digits. Sums of many terms lose some of these digits."""

VISIBLE = 1e-6
"""Ranks below some rank count as ignored only if the lowest rank that affects the score changes the score by at least
this much. If discounts fade out, the effects of lower ranks may merely be too small for floats, so this threshold is
well above `ROUNDING`."""

MOST_UNRESOLVED = 0.05
"""Largest share of undecided instances at which a search still counts as evidence for an axiom."""

PRECISION = 256
"""Precision in bits of certified balls where only one precision is used. It is several times that of a double, so that
it separates scores that floats cannot separate."""

LONGEST_RANKING = 42
"""Number of documents in the longest rankings of a search."""

MOST_ASPECTS = 12
"""Largest number of aspects in the instances of a search."""

MOST_UNRANKED = 32
"""Largest number of documents that the instances of a search leave unranked."""

TRIED = 48
"""Largest block size n up to which threshold axioms are tested exactly. An argument covers larger n."""

FARTHEST = 512
"""Largest n that is tested exactly to reach the n from which an argument holds. Rankings then have 1,024 documents."""

CELLS = 1 << 22
"""Maximum number of entries in an array (32 MB of doubles). Larger computations are split into chunks."""
