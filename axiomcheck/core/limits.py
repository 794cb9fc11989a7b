"""Tolerances, precisions and limits of searches that several packages share.

They are in one module so that they agree with each other. A constant that only one module uses is defined there.
"""

from __future__ import annotations

ROUNDING = 1e-9
"""Largest difference, absolute or relative to the larger score, at which two floats count as the same score. They may
come from different batches or processes, or from sums in a different order. Rounding errors of doubles are far smaller
than this tolerance, and those of single precision are larger."""

SINGLE_ROUNDING = 1e-5
"""`ROUNDING` for scores in single precision, which has seven digits. Sums of many terms lose some of these digits."""

VISIBLE = 1e-6
"""Ranks below a rank count as ignored only if this rank itself changes the score by more than this threshold. It is
well above `ROUNDING`, since with a fading discount, the effects of lower ranks may merely be too small for floats."""

MOST_UNRESOLVED = 0.05
"""Largest share of undecided instances at which a search still counts as evidence for an axiom."""

PRECISION = 256
"""Precision in bits of certified balls if only one precision is used. It is several times that of a double, so that it
separates scores that floats cannot."""

LONGEST_RANKING = 42
"""Largest number of documents in a ranking of a search."""

MOST_ASPECTS = 12
"""Largest number of aspects in the instances of a search."""

MOST_UNRANKED = 32
"""Largest number of unranked documents in the instances of a search."""

TRIED = 48
"""Largest block size n at which threshold axioms are usually tested exactly. A `Tail` decides them at larger n."""

FARTHEST = 512
"""Largest n that is tested exactly if the `Tail` starts above `TRIED`. Rankings then have 1,024 documents."""

CELLS = 1 << 22
"""Maximum number of entries in an array (32 MB of doubles). Larger computations are split into chunks."""
