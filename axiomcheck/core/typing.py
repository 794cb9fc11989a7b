"""Names of the arrays that code passes around: what their entries are."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["Array", "Exact", "Mask", "Numbers", "Positions", "Reals", "Signs"]

Reals: TypeAlias = NDArray[np.float64]
"""Floats."""

Exact: TypeAlias = NDArray[np.object_]
"""Fractions, certified balls, or symbols, one object each."""

Numbers: TypeAlias = NDArray[Any]
"""`Reals` or `Exact`: grades and weights are floats where instances are searched, exact where they are judged."""

Positions: TypeAlias = NDArray[np.integer[Any]]
"""Whole numbers that say where: ranks, rows of a pool, numbers of aspects."""

Mask: TypeAlias = NDArray[np.bool_]
"""Which entries."""

Signs: TypeAlias = NDArray[np.int8]
"""-1, 0 or 1."""

Array: TypeAlias = Any
"""What a definition runs on: `Numbers`, or a `Series` in eps, which answers to numpy's functions without being numpy's.

No protocol says that: operators and functions of numpy would have to be declared for both, and numpy declares none for
arrays of objects.
"""
