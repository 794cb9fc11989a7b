"""Type aliases of arrays, named after their entries."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Reals: TypeAlias = NDArray[np.float64]
"""Array of floats."""

ExactNumbers: TypeAlias = NDArray[np.object_]
"""Object array of fractions, certified balls or symbols."""

AnyNumbers: TypeAlias = NDArray[Any]
"""`Reals` or `ExactNumbers`: grades are floats during the search, and exact where a violation is confirmed."""

Integers: TypeAlias = NDArray[np.integer[Any]]
"""Array of integers: ranks, pool rows, numbers of aspects, weights before scaling, signs."""

Mask: TypeAlias = NDArray[np.bool_]
"""Array of booleans, one per entry."""

Keys: TypeAlias = NDArray[np.uint64]
"""Array of 64-bit digests."""

Array: TypeAlias = Any
"""Array that a metric's definition runs on: `AnyNumbers`, or a `Series` in eps, which supports numpy's functions.

The alias is Any, because numpy's functions are not annotated for external types that implement their protocols.
"""
