"""Drafts in exact numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from axiomcheck.axioms.base import Draft
from axiomcheck.numbers.arithmetic import to_fmpq

__all__ = ["exact_draft"]

Array = Any


def exact_draft(draft: Draft) -> Draft:
    """The same drafts with grades as exact rationals (a float is the dyadic rational that it is)."""
    if draft.grades.dtype == object:
        return draft
    return replace(draft, grades=_rationals(draft.grades), top=_rationals(draft.top))


def _rationals(values: Array) -> Array:
    distinct, inverse = np.unique(values, return_inverse=True)
    table = np.empty(len(distinct), dtype=object)
    table[:] = [to_fmpq(float(v)) for v in distinct]
    result: Array = table[inverse.reshape(values.shape)]
    return result
