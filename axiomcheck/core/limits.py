"""Numbers that several rooms share: tolerances, precisions, and how far things are tried. One page, so that they agree.

From small to large: what is rounding, what is visible, what is exact enough, what is tried, what fits into memory. A
number that one module alone uses stands there, with its reason.
"""

from __future__ import annotations

ROUNDING = 1e-9
"""Up to this difference, or share of the larger score, two floats count as one score computed in two ways: in another
batch or process, or added up in another order. Rounding of doubles stays far below it, of single precision above."""

SINGLE_ROUNDING = 1e-5
"""The same of scores that come in single precision, which has seven digits: some of them go in sums of many terms."""

VISIBLE = 1e-6
"""The least that the last rank that counts must count, if the ranks after it are to be missed. Well above `ROUNDING`:
discounts fade out, and later ranks may count for less than floats show."""

MOST_UNRESOLVED = 0.05
"""A search that leaves more than this share of its instances open has not shown that an axiom held; up to it, a
share of the decided ones goes for a share of all."""

PRECISION = 256
"""Bits of certified balls where one precision has to do: several times those of a double, so that scores that floats
cannot tell apart are told apart."""

TRIED = 48
"""Block sizes n = 1, 2, ... at which threshold axioms are tried exactly, where an argument covers the rest."""

FARTHEST = 512
"""The largest n that is tried exactly because an argument begins there: rankings of 1,024 documents."""

CELLS = 1 << 22
"""Numbers in one array of a computation that goes in portions: 32 MB of doubles."""
