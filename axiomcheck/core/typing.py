"""Names of the arrays that code passes around: what their entries are."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Reals: TypeAlias = NDArray[np.float64]
"""Floats."""

ExactNumbers: TypeAlias = NDArray[np.object_]
"""Fractions, certified balls, or symbols, an object each."""

AnyNumbers: TypeAlias = NDArray[Any]
"""`Reals` or `ExactNumbers`: grades are floats where instances are searched, and exact where they are judged."""

Integers: TypeAlias = NDArray[np.integer[Any]]
"""Whole numbers: ranks, rows of a pool, numbers of aspects, weights before they are scaled, signs."""

Mask: TypeAlias = NDArray[np.bool_]
"""An array of truth values, one per entry."""

Keys: TypeAlias = NDArray[np.uint64]
"""Digests of 64 bits."""

Array: TypeAlias = Any
"""The arrays that a definition runs on: `AnyNumbers`, or a `Series` in eps, which answers to numpy's functions.

No type says that: numpy's functions are not declared for what takes part in them from outside.
"""
