"""Constants that several packages share: tolerances, precisions and bounds of searches.

They are defined in one module so that they agree with each other.

The constants are listed from small to large: rounding, visibility, precision, search bounds, memory. A constant that
only one module uses is defined in that module.
"""

from __future__ import annotations

ROUNDING = 1e-9
"""Largest difference, absolute or relative to the larger score, at which two floats count as the same score. They may
have been computed in another batch or process, or summed in another order. Rounding errors of doubles stay far below
it; those of single precision are above it."""

SINGLE_ROUNDING = 1e-5
"""`ROUNDING` for scores in single precision, which has seven digits; sums of many terms lose some of them."""

VISIBLE = 1e-6
"""Least effect on the score that the last effective rank must have for the ranks after it to count as ignored. It is
well above `ROUNDING`, because with discounts that fade out, later ranks may have effects too small for floats."""

MOST_UNRESOLVED = 0.05
"""Largest share of undecided instances with which a search still counts as evidence that an axiom held. Up to this
share, results on the decided instances stand for all."""

PRECISION = 256
"""Bits of certified balls where a single precision is used. It is several times that of a double, so that scores that
floats cannot separate are separated."""

TRIED = 48
"""Number of block sizes n = 1, 2, ... at which threshold axioms are tested exactly; an argument covers the rest."""

FARTHEST = 512
"""Largest n that is tested exactly because an argument begins there, with rankings of 1,024 documents."""

CELLS = 1 << 22
"""Maximum number of entries of one array in a computation that is split into chunks: 32 MB of doubles."""
