"""Type aliases for arrays, named after the kind of their entries."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Reals: TypeAlias = NDArray[np.float64]
"""Array of floats."""

ExactNumbers: TypeAlias = NDArray[np.object_]
"""Object array of fractions, certified balls or symbols."""

AnyNumbers: TypeAlias = NDArray[Any]
"""`Reals` or `ExactNumbers`. Grades are floats during the search, and exact when a violation is confirmed."""

Integers: TypeAlias = NDArray[np.integer[Any]]
"""Array of integers, such as ranks, rows of a pool, numbers of aspects, unscaled weights or signs."""

Mask: TypeAlias = NDArray[np.bool_]
"""Array of booleans that selects entries."""

Keys: TypeAlias = NDArray[np.uint64]
"""Array of 64-bit digests."""

Array: TypeAlias = Any
"""Array that a metric computes with: `AnyNumbers`, or a `Series` in eps, which supports NumPy's functions. The alias is
Any, because the annotations of NumPy's functions do not allow other types that implement its protocols."""
