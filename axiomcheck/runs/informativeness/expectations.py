"""Expected values of measures where documents are relevant independently of each other, and their derivatives.

Each is a function of p (n, m), the probability that the document at a rank is relevant to an intent: (m,) expectations,
one per intent, and the (n, m) derivatives by p of the expectation of the same intent. At probabilities 0 and 1 the
expectation is the score. All are polynomials without a division by p, so that complex probabilities will do as well.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeAlias

import numpy as np

from axiomcheck.core.typing import Array, Reals
from axiomcheck.numbers.arithmetic import to_fmpq
from axiomcheck.numbers.zeta import elementwise

Expectation: TypeAlias = Callable[[Array], tuple[Array, Array]]
"""p (n, m) -> expectations (m,), derivatives (n, m)."""


class Form(Protocol):
    """An expectation that a relevant document moving up raises, as long as the ranks' gains fall."""

    def __call__(self, p: Array) -> tuple[Array, Array]:
        """As `Expectation`."""

    def exact(self) -> Form:
        """The same of rational probabilities, in rational arithmetic: the constants as the floats that they are."""


@dataclass(frozen=True)
class ExpectedCascade:
    """sum_i gain_i g_i (1 - alpha)^c, c being the number of relevant documents before rank i.

    c is a sum of independent zeros and ones, so that E[(1 - alpha)^c] is the product of the 1 - alpha p_k before i.

    Args:
        gains: (n,), alpha over the discount D_i.
        alpha: how much of the gain a relevant document takes from those after it; a float, or exact as the gains.

    """

    gains: Array
    alpha: Array

    def __call__(self, p: Array) -> tuple[Array, Array]:
        """The expectation and its derivatives."""
        gains = self.gains[: len(p), None]
        left = np.ones_like(p)
        np.cumprod(1 - self.alpha * p[:-1], axis=0, out=left[1:])
        # What the documents below a rank are worth to somebody who starts there: no division by 1 - alpha p, which may
        # be 0.
        below = np.zeros_like(p)
        for i in range(len(p) - 1, 0, -1):
            below[i - 1] = gains[i] * p[i] + (1 - self.alpha * p[i]) * below[i]
        return (gains * p * left).sum(axis=0), left * (gains - self.alpha * below)

    def exact(self) -> ExpectedCascade:
        """In rational arithmetic."""
        return replace(self, gains=elementwise(to_fmpq, self.gains), alpha=to_fmpq(self.alpha))


@dataclass(frozen=True)
class ExpectedAveragePrecision:
    """The precision at the ranks of relevant documents, summed, over the number of relevant documents that there are.

    Args:
        totals: (m,), R of each intent, 1 or more.

    """

    totals: Reals

    def __call__(self, p: Array) -> tuple[Array, Array]:
        """The expectation and its derivatives."""
        ranks = np.arange(1, len(p) + 1)[:, None]
        before = np.cumsum(p, axis=0) - p
        shares = p / ranks
        below = shares.sum(axis=0) - np.cumsum(shares, axis=0)
        return (shares * (1 + before)).sum(axis=0) / self.totals, ((1 + before) / ranks + below) / self.totals

    def exact(self) -> ExpectedAveragePrecision:
        """In rational arithmetic."""
        return replace(self, totals=elementwise(to_fmpq, self.totals))


@dataclass(frozen=True)
class ExpectedGain:
    """sum_i gain_i g_i over a constant, in which relevance at one rank has nothing to do with that at another.

    Args:
        gains: (n,), 1 over the discount D_i.
        ideals: (m,), the constants.

    """

    gains: Reals
    ideals: Reals

    def __call__(self, p: Array) -> tuple[Array, Array]:
        """The expectation and its derivatives."""
        gains = self.gains[: len(p), None]
        return (gains * p).sum(axis=0) / self.ideals, np.broadcast_to(gains / self.ideals, p.shape)

    def exact(self) -> ExpectedGain:
        """In rational arithmetic."""
        return replace(self, gains=elementwise(to_fmpq, self.gains), ideals=elementwise(to_fmpq, self.ideals))


@dataclass(frozen=True)
class PublishedCascade:
    """What the recursion that Ashkan and Clarke print (equation 8) makes of `ExpectedCascade`, which it is not.

    T^i_r = p_i (T^{i-1}_{r-1} + gain_i (1 - alpha)^{r-1}) + (1 - p_i) T^{i-1}_r for 1 <= r <= i, else 0; the result is
    T^n_R, for R relevant documents. An expectation over the rankings with r of the first i documents relevant would add
    the gain times the probability that r - 1 of the first i - 1 are, which is left out. T^i_0 is not printed; without
    a relevant document there is no gain.

    Args:
        gains: (n,), alpha over the discount D_i.
        alpha: as in `ExpectedCascade`.
        counts: (m,), R of each intent: whole numbers from 0 to n.

    """

    gains: Reals
    alpha: float
    counts: Any

    def __call__(self, p: Array) -> tuple[Array, Array]:
        """T^n_R and its derivatives."""
        n, m = p.shape
        kept = (1 - self.alpha) ** np.arange(n)[:, None]
        table = np.zeros((n + 1, n + 1, m), dtype=p.dtype)
        for i in range(1, n + 1):
            table[i, 1 : i + 1] = p[i - 1] * (table[i - 1, :i] + self.gains[i - 1] * kept[:i])
            table[i, 1 : i + 1] += (1 - p[i - 1]) * table[i - 1, 1 : i + 1]
        intents = np.arange(m)
        share = np.zeros_like(table[0])  # of T^n_R that changes with T^i_r
        share[self.counts, intents] = 1
        share[0] = 0
        derivatives = np.zeros_like(p)
        for i in range(n, 0, -1):
            used = share[1 : i + 1]
            rise = table[i - 1, :i] + self.gains[i - 1] * kept[:i] - table[i - 1, 1 : i + 1]
            derivatives[i - 1] = (used * rise).sum(axis=0)
            before = np.zeros_like(share)
            before[:i] += p[i - 1] * used
            before[1 : i + 1] += (1 - p[i - 1]) * used
            before[0] = 0
            share = before
        return table[n, self.counts, intents], derivatives
