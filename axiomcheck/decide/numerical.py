"""Compare rankings using metrics that have only float scores.

A ranking is ahead if its score is larger by more than rounding error. The limit for r << 1 cannot be computed for a
black box. Instead, the sign must be the same at several decreasing values of eps, the ladder. Verdicts call these
results numerical, since only another call of the metric can confirm them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from axiomcheck.axioms import Draft
from axiomcheck.axioms.drafts import last_axis_all
from axiomcheck.core.limits import SINGLE_ROUNDING
from axiomcheck.core.typing import Integers, Mask, Reals
from axiomcheck.decide.batch import Batch, Comparison, Judgement, Pairs
from axiomcheck.metrics import Metric
from axiomcheck.metrics.scores import calling, finite_scores
from axiomcheck.numbers.arithmetic import Floats
from axiomcheck.records.causes import Remark
from axiomcheck.sources.external_metrics import is_single
from axiomcheck.sources.function_metrics import FunctionMetric

LADDER = (Fraction(1, 10), Fraction(1, 100), Fraction(1, 1000), Fraction(1, 10_000))
"""Values of eps at which r << 1 is tested, largest first. A sign must be the same from the second value on. A tie must
also hold at the first value, where a difference of a high order in eps would still be visible."""

_BELOW = LADDER[-1] / 10
_TOWARDS_ZERO = (*LADDER[1:], _BELOW)
"""Values of eps through which the margin of a reversal is extrapolated to eps = 0."""

_RESOLVED = 1e-9
"""Smallest extrapolated margin that is not an error of the extrapolation or of rounding."""

_APART = 1 / 50
"""Smallest difference between two weights, as shares of their sum, that the extrapolation can resolve."""

ACROSS = 3
"""Smallest number of shapes of coarse instances with ties in floats that refute a strict axiom."""

_CLEAR = 10_000.0
"""Two scores tie if their relative difference is at most the metric's precision. They differ clearly if it is more than
this multiple of the precision. Pairs in between are undecided, because scores that are themselves differences (gain
minus cost) lose precision."""

_COARSE_LEVELS = 16
_COARSE_RANKS = 6
_COARSEST_LEVELS = 4
_COARSEST_RANKS = 3

_SINGLE_TIE = 4 * 2.0**-23
"""Largest relative difference between tied scores in single precision: a few units in the last place."""


@dataclass(frozen=True)
class NumericalPoint:
    """Comparison of B pairs in floats.

    Args:
        sign: (B,) sign of Q(better) - Q(worse); 0 for a tie or a pair that is ``open``.
        open: (B,) True if the comparison is undecided, for example because the sign changes on the ladder of eps.
        margin: (B,) difference divided by the larger score, at the smallest eps.
        worse, better: (B,) scores at the smallest eps.
        eps: Smallest tested eps; None if r << 1 is not assumed.

    """

    sign: Integers
    open: Mask
    margin: Reals
    worse: Reals
    better: Reals
    eps: Fraction | None


def numbers(metric: Metric, pairs: Pairs) -> NumericalPoint:
    """Score both rankings of every pair in floats, and compare the scores.

    Raises:
        MetricError: The metric raised an exception, or did not return one finite number per ranking.

    """
    ladder = LADDER if pairs.small and not metric.binary_only else (Fraction(1),)
    signs, told, margins = [], [], []
    for eps in ladder:
        worse, better = _scores(metric, pairs, float(eps))
        scale = np.maximum(np.abs(worse), np.abs(better))
        difference = better - worse
        gap = np.abs(difference)
        clear, tied = _apart_and_tied(metric, gap, scale)
        if pairs.bound is not None:  # a score near 1e-16 may be rounding error, which no relative test reveals
            clear &= gap > _CLEAR * metric.precision
        signs.append(np.where(clear, np.sign(difference), 0).astype(np.int8))
        told.append(clear | tied)
        margins.append(_margin(worse, better))
    persists = np.all(np.array(signs[1:] or signs) == signs[-1], axis=0) & np.all(np.array(told[1:] or told), axis=0)
    persists &= (signs[-1] != 0) | ((signs[0] == 0) & told[0])
    margin = margins[-1]
    shown = ladder[-1] if len(ladder) > 1 else None
    doubtful = ~persists | (signs[-1] < 0)
    if shown is not None and doubtful.any():
        sign, towards = _in_the_limit(metric, [*margins[1:], _margin(*_scores(metric, pairs, float(_BELOW)))])
        ahead = doubtful & (sign > 0)
        persists = np.where(ahead, True, persists & ((signs[-1] >= 0) | (sign < 0) | _separate(pairs)))
        signs[-1], margin = np.where(ahead, 1, signs[-1]), np.where(ahead, towards, margin)
    return NumericalPoint(np.where(persists, signs[-1], 0), ~persists, margin, worse, better, shown)


def _margin(worse: Reals, better: Reals) -> Reals:
    """Return (B,) differences better - worse, divided by the larger absolute score, or by 1 if both scores are 0."""
    scale = np.maximum(np.abs(worse), np.abs(better))
    margin: Reals = (better - worse) / np.where(scale == 0, 1, scale)
    return margin


def _in_the_limit(metric: Metric, margins: list[Reals]) -> tuple[Integers, Reals]:
    """Extrapolate margins to eps = 0, since higher-order terms may outweigh small differences at every tested eps.

    Args:
        metric: Metric that computed the scores.
        margins: (B,) margins at each eps of `_TOWARDS_ZERO`.

    Returns:
        The (B,) signs and the (B,) extrapolated margins. A sign is 0 if the margin may be an extrapolation error.

    """
    towards = _at_zero(_TOWARDS_ZERO, margins)
    error = np.abs(towards - _at_zero(_TOWARDS_ZERO[:-1], margins[:-1]))
    resolved = (np.abs(towards) > _RESOLVED) & (error <= np.abs(towards) / 2)
    if is_single(metric) or metric.rounding:
        resolved[:] = False
    return np.where(resolved, np.sign(towards), 0).astype(np.int8), towards


def _at_zero(points: Sequence[Fraction], margins: Sequence[Reals]) -> Reals:
    """Interpolate the margins at the points by polynomials, and return the (B,) values of the polynomials at 0."""
    at = [float(eps) for eps in points]
    shares = [np.prod([other / (other - eps) for other in at if other != eps]) for eps in at]
    total: Reals = np.sum([share * margin for share, margin in zip(shares, margins, strict=True)], axis=0)
    return total


def _separate(pairs: Pairs) -> Mask:
    """Return a (B,) mask of the pairs whose grades are multiples of 1/16, and whose weights are equal or far apart.

    For these pairs, a reversal on the ladder counts even if the extrapolation does not confirm it: a lowest-order
    difference that the extrapolation cannot resolve must be 0.
    """
    fine = pairs.pool * _COARSE_LEVELS
    gaps = np.abs(pairs.weights[:, :, None] - pairs.weights[:, None, :])
    apart = (gaps < _RESOLVED) | (gaps >= _APART)
    mask: Mask = (fine == np.rint(fine)).all(axis=(1, 2)) & apart.all(axis=(1, 2))
    return mask


def _apart_and_tied(metric: Metric, gap: Reals, scale: Reals) -> tuple[Mask, Mask]:
    """Return two (B,) masks: pairs with different scores, and pairs with tied scores. All other pairs are undecided.

    In single precision, a small score may have very few correct digits, for example if it is 1 minus a product close
    to 1. Small scores must therefore differ by an absolute amount.
    """
    if is_single(metric):
        return gap > SINGLE_ROUNDING * np.maximum(1.0, scale), gap <= _SINGLE_TIE * scale
    clear = gap > _CLEAR * metric.precision * scale + 4 * metric.rounding
    return clear, (gap <= metric.precision * scale) & (metric.rounding == 0)


@dataclass(frozen=True)
class FloatScores:
    """Compares rankings by the scores of a metric that has only float scores."""

    metric: Metric

    def compare(self, batch: Batch) -> Comparison:
        """Compare the scores of every instance. Differences within the metric's precision count as ties."""
        found = numbers(self.metric, Pairs.floats_of(batch))
        sure = np.ones(batch.size, dtype=bool)
        tied = (found.sign == 0) & ~found.open
        return Comparison(found.sign, found.margin, tied, sure, returned=(found.worse, found.better))

    def signs(self, pairs: Pairs) -> list[int | None]:
        """Return the sign of the float score difference for every pair, or None where it is undecided."""
        found = numbers(self.metric, pairs.in_floats())
        return [None if open_ else int(sign) for sign, open_ in zip(found.sign, found.open, strict=True)]

    def judge(self, pairs: Pairs) -> Judgement:
        """Compare one pair, and return the sign with both scores as decimals that Python reads as the same floats."""
        found = numbers(self.metric, pairs.in_floats())
        sign = None if found.open[0] else int(found.sign[0])
        return Judgement(sign, 0, repr(float(found.worse[0])), repr(float(found.better[0])), "numerical")


def coarse(draft: Draft, single: bool = False) -> Mask:
    """Return a (B,) mask of the coarse instances, on which equal float scores mean equal scores.

    Coarse instances have at most 6 ranks, and their grades are multiples of 1/16. In single precision (``single``),
    they have at most 3 ranks, and multiples of 1/4. On other instances, scores may differ by less than a float can
    show, for example if the rankings differ only below many nearly perfect documents.
    """
    ranks, levels = (_COARSEST_RANKS, _COARSEST_LEVELS) if single else (_COARSE_RANKS, _COARSE_LEVELS)
    if draft.n > ranks:
        return np.zeros(draft.size, dtype=bool)
    fine = draft.grades * levels
    return last_axis_all(fine == np.rint(fine))


def vanishing_ties(metric: Metric, batch: Batch, tied: Mask) -> Mask:
    """Return a (B,) mask of the ties that disappear when every grade is halved.

    After documents of grade 1, the contribution of later documents may be 0, or too small for any float to show. A tie
    that disappears proves nothing. The mask is all False if r << 1 is assumed or grades cannot be halved.
    """
    vanishing = np.zeros(batch.size, dtype=bool)
    if batch.small or metric.binary_only or metric.abilities.levels is not None or not tied.any():
        return vanishing
    rows = np.flatnonzero(tied)
    pairs = Pairs.floats_of(batch.pick(rows))
    halved = numbers(metric, replace(pairs, pool=pairs.pool / 2))
    vanishing[rows] = (halved.sign != 0) | halved.open
    return vanishing


def _scores(metric: Metric, pairs: Pairs, eps: float) -> tuple[Reals, Reals]:
    if type(metric) is FunctionMetric:
        return _array_scores(metric, pairs, eps)
    pool, size = pairs.pool * eps, pairs.pool.shape[0]
    if pairs.bound is not None:
        score = asked(metric, pool, pairs.weights, pairs.worse)
        return pairs.bound.beside(score, np.full(size, float(pairs.bound.number)))
    if pairs.worse.shape == pairs.better.shape:
        # one call scores both rankings, since library calls are slow
        both = asked(
            metric,
            np.concatenate([pool, pool]),
            np.concatenate([pairs.weights, pairs.weights]),
            np.concatenate([pairs.worse, pairs.better]),
        )
        return both[:size], both[size:]
    return asked(metric, pool, pairs.weights, pairs.worse), asked(metric, pool, pairs.weights, pairs.better)


def _array_scores(metric: FunctionMetric, pairs: Pairs, eps: float) -> tuple[Reals, Reals]:
    """Score both rankings of every pair with a user's array function.

    The function is given copies of its arrays, so the grades in rank order can be reused for every eps.
    """
    pool = pairs.pool * eps if metric.needs_pool and eps != 1 else pairs.pool

    def score(ranked: Reals) -> Reals:
        with calling(metric):
            scores = metric.score(Floats(), ranked if eps == 1 else ranked * eps, pairs.weights, pool)
            return finite_scores(metric, np.reshape(scores, -1), int(np.prod(ranked.shape[:-2])))

    if pairs.bound is not None:
        return pairs.bound.beside(score(pairs.rankings[0]), np.full(pairs.size, float(pairs.bound.number)))
    if pairs.both is None:
        return score(pairs.rankings[0]), score(pairs.rankings[1])
    scores = score(pairs.both)
    return scores[: pairs.size], scores[pairs.size :]


def asked(metric: Metric, pool: Reals, weights: Reals, order: Integers) -> Reals:
    """Call `Metric.evaluate` on copies of the arrays, and check the scores that it returns.

    Raises:
        MetricError: The metric raised an exception, or did not return one finite number per ranking.

    """
    with calling(metric):
        return finite_scores(metric, metric.evaluate(pool.copy(), weights.copy(), order.copy()), pool.shape[0])


def resolution(scores: Reals) -> Remark | None:
    """Return a remark if all scores are multiples of a power of ten, or are large numbers that differ little.

    Otherwise, or if there are fewer than four different scores, return None.

    Args:
        scores: (N,) scores of several rankings.

    """
    if len(np.unique(scores)) < _FEWEST_SCORES:
        return None
    for digits in range(_MOST_DIGITS + 1):
        if np.all(np.abs(scores * 10**digits - np.rint(scores * 10**digits)) <= _ROUNDED * 10**digits):
            return Remark("multiples", numbers=(10.0**-digits,))
    largest = float(np.abs(scores).max())
    spacing = float(np.spacing(largest))
    if spacing > _COARSEST_SPACING * float(np.ptp(scores)):
        return Remark("spacing", numbers=(largest, spacing))
    return None


_FEWEST_SCORES, _MOST_DIGITS, _ROUNDED = 4, 6, 1e-12
_COARSEST_SPACING = 1e-9
"""Largest spacing of floats without a remark, as a share of the difference between the largest and smallest score."""
