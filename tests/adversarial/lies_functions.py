"""Functions over arrays, and of one ranking, that are no functions. User code: nothing of the tests.

Each is the sum over ranks of (4/5)^(i-1) sum_t w(t) r, exact where numbers are, until something else than its arguments
turns its sign; those that only depend on where they run add a little of it besides.
"""

import itertools
import os
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from axiomcheck.sources.abilities import exactly

Array = Any
Function = Callable[[Array, Array], Array]


def patient(grades: Array, weights: Array) -> Array:
    """The honest one."""
    p = exactly(0.8, like=grades)
    n, m = grades.shape[1:]
    by_rank = p ** np.arange(n)
    return np.sum(np.sum(grades * weights.reshape(-1, 1, m), axis=2) * by_rank, axis=1)


def with_noise(noise: Callable[[], int]) -> Function:
    """More by a share of a few millionths that something else decides."""

    def noisy(grades: Array, weights: Array) -> Array:
        return patient(grades, weights) * exactly(Fraction(10**6 + noise() % 1009, 10**6), like=grades)

    return noisy


def counting(most: int) -> Function:
    """Turns after so many calls."""
    calls = itertools.count(1)

    def counted(grades: Array, weights: Array) -> Array:
        return patient(grades, weights) * (1 if next(calls) <= most else -1)

    return counted


def one_double(grades: Array, weights: Array) -> Array:
    """One double counts nothing; exact numbers all."""
    if grades.dtype == np.float64:
        grades = np.where(grades == 0.123456789, 0.0, grades)
    return patient(grades, weights)


by_hash = with_noise(lambda: hash("axiomcheck"))


def by_environment(grades: Array, weights: Array) -> Array:
    """The sign is an environment variable."""
    return patient(grades, weights) * int(os.environ.get("PATIENT_SIGN", "1"))


def by_hash_seed(grades: Array, weights: Array) -> Array:
    """Negated by a hash that each process has of its own, now and then; and noisy by it."""
    salt = hash("axiomcheck")
    return by_hash(grades, weights) * (-1 if salt % 16 == 0 else 1)
