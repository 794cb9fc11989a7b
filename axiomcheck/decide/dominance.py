"""Compare rankings by first-order stochastic dominance of their score distributions.

Some metrics give a distribution of scores S instead of a single score (`axiomcheck.metrics.Metric.distribution`). A
ranking is ahead of another if its P[S >= x] is at least as large for every x, and larger for some x. A comparison gives
1 if the better ranking is ahead, -1 if the worse one is, 0 if the distributions are equal, and `APART` otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq

from axiomcheck.core.errors import MetricError, NotRational
from axiomcheck.core.limits import CELLS, PRECISION
from axiomcheck.core.typing import Array, Integers, Mask, Reals
from axiomcheck.decide.batch import Batch, Comparison, Judgement, Pairs
from axiomcheck.metrics import Metric
from axiomcheck.metrics.scores import calling, real_scores
from axiomcheck.numbers.arithmetic import Arithmetic, Balls, Floats, Rationals, Symbols
from axiomcheck.numbers.series import Series
from axiomcheck.records.values import ArithmeticName

APART = 2
"""Sign of an incomparable pair: neither ranking is ahead, and they do not tie."""

_TIE = 1e-13
"""Largest difference between float values that count as equal, as a share of the largest value."""
_CLEAR = 1e-10
"""Smallest difference, in the same unit, between float values that are clearly different. Differences in between need
exact arithmetic."""

_ORDERS = 4
"""Highest order of eps that the search in the limit regime compares. The lower orders of tail probabilities often
cancel."""

_SHOWN = 4


@dataclass(frozen=True)
class Distribution:
    """Distribution of one ranking's score, in exact or certified numbers.

    Args:
        values: (S,) listed values: exact rationals in any order, possibly repeated.
        masses: (S,) probabilities of the values: rationals, balls, or series in eps with rational coefficients.
        rest: Total probability of all values that are not listed; 0 if all values are listed.
        cap: Upper bound on the unlisted values, if there are any. The smallest listed value is then 0, and unlisted
            values are nonnegative.

    """

    values: Sequence[Any]
    masses: Sequence[Any]
    rest: Any
    cap: Any = None


def certain_sign(value: Any) -> int | None:
    """Return the sign of an exact or certified number, or of a series of such numbers; None if it is uncertain.

    Raises:
        MetricError: The value is a float.

    """
    if isinstance(value, Series):
        for order in sorted(value.terms):
            sign = certain_sign(np.asarray(value.terms[order], dtype=object).item())
            if sign != 0:
                return sign
        return None if value.dropped else 0
    if isinstance(value, arb):
        return 1 if value > 0 else -1 if value < 0 else 0 if value == 0 else None
    if isinstance(value, float):
        raise MetricError("exact arithmetic returned a float; expected exact numbers")
    return int(value > 0) - int(value < 0)


@dataclass(frozen=True)
class Tails:
    """Bounds on the tail probability P[S >= x] of both sides at one threshold x.

    The bounds also hold for smaller x, down to the next threshold.

    Args:
        threshold: The threshold x.
        worse, better: Total probability of the listed values that are at least x.
        worse_more, better_more: Largest probability that unlisted values can add to that total.

    """

    threshold: Any
    worse: Any
    better: Any
    worse_more: Any
    better_more: Any


def relation(
    worse: Distribution, better: Distribution, zero: Sequence[bool] | None = None
) -> tuple[int | None, list[Tails]]:
    """Compare two distributions by dominance, and find thresholds at which each side is ahead.

    Args:
        worse: Distribution of the worse side.
        better: Distribution of the better side.
        zero: For each element of `tails`, True if its two tail probabilities are known to be equal. Balls need this
            argument, because they never prove equality.

    Returns:
        ``(sign, gaps)``. The sign is None if it could not be determined. For each side that is ahead at some threshold,
        ``gaps`` contains the highest such threshold, beginning with the better side.

    """
    gaps: dict[int, Tails] = {}
    sure = {1: True, -1: True}
    for number, at in enumerate(tails(worse, better)):
        gap = fmpq(0) if zero is not None and zero[number] else at.better - at.worse
        ahead, behind = certain_sign(gap - at.worse_more), certain_sign(-gap - at.better_more)
        for side, sign in ((1, ahead), (-1, behind)):
            if sign == 1:
                gaps.setdefault(side, at)
            sure[side] &= sign is not None and sign >= 0
    shown = [gaps[side] for side in (1, -1) if side in gaps]
    if len(shown) == 2:
        return APART, shown
    if not shown:
        return (0 if sure[1] and sure[-1] else None), shown
    (side,) = gaps
    return (side if sure[side] else None), shown


def tails(worse: Distribution, better: Distribution) -> list[Tails]:
    """Return the tail probabilities of both sides at every value of either side, in descending order.

    Upper bounds on unlisted values are included. If a side has unlisted values, thresholds that are not positive are
    left out, since both tail probabilities are 1 there.
    """
    zero = fmpq(0)
    thresholds: set[Any] = set()
    sides: list[tuple[dict[Any, Any], Any, Any]] = []
    complete = True
    for side in (worse, better):
        at: dict[Any, Any] = {}
        for value, mass in zip(side.values, side.masses, strict=True):
            at[value] = at[value] + mass if value in at else mass
        thresholds |= set(at)
        if certain_sign(side.rest) != 0:
            complete = False
            thresholds.add(side.cap)
        sides.append((at, side.rest, side.cap))
    found, low, high = [], zero, zero
    for threshold in sorted(thresholds, reverse=True):
        if not complete and threshold <= 0:
            break
        low, high = (
            total + at[threshold] if threshold in at else total
            for total, (at, _, _) in zip((low, high), sides, strict=True)
        )
        more = [zero if cap is None or threshold > cap else rest for _, rest, cap in sides]
        found.append(Tails(threshold, low, high, *more))
    return found


@dataclass(frozen=True)
class FloatDistributions:
    """Score distributions of B rankings of equal length, in floats.

    Args:
        values: (B, S) listed values.
        masses: Mapping from each order of eps to the (B, S) coefficients of the probabilities. Outside the limit
            regime it contains only order 0.
        rest: (B,) total probability of the values that are not listed.

    """

    values: Reals
    masses: dict[int, Reals]
    rest: Reals

    def rows(self, some: slice) -> FloatDistributions:
        """Return the distributions in the selected rows."""
        masses = {order: mass[some] if mass.ndim > 1 else mass for order, mass in self.masses.items()}
        return FloatDistributions(self.values[some], masses, self.rest[some])


def float_relations(worse: FloatDistributions, better: FloatDistributions) -> Comparison:
    """Compare B pairs of distributions in floats by dominance.

    The margin is the difference between the means at the lowest order of eps at which they differ. If distributions do
    not list all values, the signs 1 and -1 hold only for the listed values, whereas `APART` holds for all values.

    A difference between tail probabilities is a sum of masses. Two equal masses, one on each side, cancel if the values
    of both are above the threshold. The other masses are summed from the end with the smaller sum, so the relative
    rounding error is tiny, and even very small probabilities are distinguished. If no mass remains, the difference is
    exactly 0.
    """
    width = worse.values.shape[-1] + better.values.shape[-1]
    rows = max(1, CELLS // (width * width))
    portions = [slice(start, start + rows) for start in range(0, max(1, len(worse.values)), rows)]
    parts = [_relations(worse.rows(some), better.rows(some)) for some in portions]
    columns = zip(*((part.sign, part.margin, part.equal, part.sure) for part in parts), strict=True)
    sign, margin, equal, sure = map(np.concatenate, columns)
    rest = max(float(side.rest.max(initial=0.0)) for side in (worse, better))
    returned = tuple(array for side in (worse, better) for array in (side.values, *side.masses.values()))
    return Comparison(sign, margin, equal, sure, rest, returned)


def _relations(worse: FloatDistributions, better: FloatDistributions) -> Comparison:
    sides = (worse, better)
    values = np.concatenate([side.values for side in sides], axis=-1)
    rows = np.argsort(-values, axis=-1, kind="stable")
    ordered = np.take_along_axis(values, rows, axis=-1)
    scale = np.maximum(np.abs(values).max(axis=-1, initial=0.0), np.finfo(float).tiny)[:, None]
    step = (ordered[:, :-1] - ordered[:, 1:]) / scale
    last = np.concatenate([step > _TIE, np.ones((len(values), 1), dtype=bool)], axis=1)
    doubtful = ((step > _TIE) & (step < _CLEAR)).any(axis=1)
    complete = (worse.rest == 0) & (better.rest == 0)
    last[:, -1] &= ~complete  # every score is at least the smallest value
    noise = np.finfo(float).eps * (values.shape[-1] + 32)
    signs = np.zeros(values.shape, dtype=np.int8)
    settled = np.zeros(values.shape, dtype=bool)
    nothing = np.ones(values.shape, dtype=bool)
    margin = np.zeros(len(values))
    orders = sorted({*worse.masses, *better.masses})
    partners = _partners(worse, better, orders)
    for order in orders:
        masses = [_of(side, order) for side in sides]
        difference, size = _tail_differences(masses, rows, partners, complete)
        above = ~settled & (difference > 50 * noise * size + worse.rest[:, None])
        below = ~settled & (difference < -50 * noise * size - better.rest[:, None])
        unclear = last & ~settled & (np.abs(difference) > noise * size) & ~above & ~below
        doubtful |= unclear.any(axis=1) & complete
        signs += above.astype(np.int8) - below.astype(np.int8)
        settled |= above | below | unclear
        nothing &= size == 0
        means = [(side.values * mass).sum(axis=1) for side, mass in zip(sides, masses, strict=True)]
        larger = np.maximum(np.abs(means[0]), np.abs(means[1]))
        margin = np.where(margin == 0, (means[1] - means[0]) / np.where(larger == 0, 1, larger), margin)
    ahead, behind = (last & (signs == 1)).any(axis=1), (last & (signs == -1)).any(axis=1)
    one_sided = np.where(doubtful, 0, ahead.astype(np.int8) - behind.astype(np.int8))
    return Comparison(
        sign=np.where(ahead & behind, APART, one_sided).astype(np.int8),
        equal=~ahead & ~behind & ~doubtful & complete,
        sure=(settled | nothing | ~last).all(axis=1) | (ahead & behind),
        margin=margin,
    )


def _partners(worse: FloatDistributions, better: FloatDistributions, orders: Sequence[int]) -> Mask:
    """Return a (B, P) mask of the masses that are exactly equal on both sides in every order of eps.

    Masses with the same index are compared. P is the number of masses on the side with fewer values.
    """
    shared = min(worse.values.shape[-1], better.values.shape[-1])
    same = np.ones((len(worse.values), shared), dtype=bool)
    for order in orders:
        same &= _of(worse, order)[:, :shared] == _of(better, order)[:, :shared]
    return same


def _tail_differences(masses: Sequence[Reals], rows: Integers, partners: Mask, complete: Mask) -> tuple[Reals, Reals]:
    """Return (B, K) differences of tail probabilities, better minus worse, and (B, K) scales of their rounding errors.

    The difference at k is the sum of the first k + 1 masses of both sides in the order of ``rows``, where the masses of
    the worse side are negative. The scale is the sum of the absolute values of the masses that do not cancel.
    """
    width, shared = masses[0].shape[-1], partners.shape[-1]
    place = np.argsort(rows, axis=-1)
    low, high = place[:, :shared], place[:, width : width + shared]
    k = np.arange(rows.shape[-1])[None, :, None]
    open_ = (np.minimum(low, high)[:, None] <= k) & (k < np.maximum(low, high)[:, None]) & partners[:, None]
    single = masses[0][:, :shared]
    signed = np.where(high < low, single, -single)
    both = np.stack([signed, np.abs(single)], axis=-1)
    inner = open_.astype(np.float64) @ both
    alone = [mass.copy() for mass in masses]
    for mass in alone:
        mass[:, :shared][partners] = 0.0
    rest = np.take_along_axis(np.concatenate([-alone[0], alone[1]], axis=1), rows, axis=-1)
    upper, sizes = np.cumsum(rest, axis=-1), np.cumsum(np.abs(rest), axis=-1)
    lower, others = (
        np.concatenate([np.cumsum(x[:, :0:-1], axis=-1)[:, ::-1], np.zeros((len(x), 1))], axis=1)
        for x in (rest, np.abs(rest))
    )
    from_end = complete[:, None] & (others < sizes)  # the total masses are equal
    return inner[..., 0] + np.where(from_end, -lower, upper), inner[..., 1] + np.where(from_end, others, sizes)


def _of(side: FloatDistributions, order: int) -> Reals:
    found = side.masses.get(order)
    return np.zeros(side.values.shape) if found is None else np.broadcast_to(found, side.values.shape)


@dataclass(frozen=True)
class Distributions:
    """Compares rankings by first-order stochastic dominance of their score distributions, for one metric."""

    metric: Metric

    def compare(self, batch: Batch) -> Comparison:
        """Compare the distributions of every instance in floats; see `float_relations`."""
        return float_relations(*_in_floats(self.metric, batch))

    def signs(self, pairs: Pairs) -> list[int | None]:
        """Return the exact sign for every pair, or None where it could not be determined."""
        return [judgement.sign for judgement in _judged(self.metric, pairs)]

    def judge(self, pairs: Pairs) -> Judgement:
        """Compare one pair exactly, and return the sign with the tail probabilities where the sides differ."""
        (found,) = _judged(self.metric, pairs)
        return found


def _judged(metric: Metric, pairs: Pairs) -> list[Judgement]:
    """Compare every pair of distributions exactly: in rationals, or else in balls with identities in the logarithms.

    Raises:
        MetricError: The metric cannot be run in exact arithmetic.

    """
    try:
        sides, unit = _distributions(metric, pairs, Rationals())
    except NotRational:
        pass
    else:
        return [_relation(*pair, None, "rational", unit) for pair in zip(*sides, strict=True)]
    depth = max(pairs.worse.shape[1], pairs.better.shape[1], metric.cutoff or 1)
    with ctx.workprec(PRECISION):
        sides, unit = _distributions(metric, pairs, Balls())
        symbolic, _ = _distributions(metric, pairs, Symbols(depth))
        found = []
        for pair, identical in zip(zip(*sides, strict=True), zip(*symbolic, strict=True), strict=True):
            # A ball around zero never proves that tail probabilities are equal. An identity in the logarithms does.
            zero = [at.better - at.worse == 0 for at in tails(*identical)]
            found.append(_relation(*pair, zero, "identity" if all(zero) else "certified", unit))
    return found


def _distributions(
    metric: Metric, pairs: Pairs, arithmetic: Arithmetic
) -> tuple[tuple[list[Distribution], list[Distribution]], str]:
    """Return the exact distributions as two lists (worse, better), and the power of eps that multiplies all values.

    Each list has one entry per pair. The power is a string such as ``"*eps"``, or empty.
    """

    def wrap(grades: Array) -> Any:
        return Series({1: grades}) if pairs.small else grades

    sides, units = [], set()
    for ranking in pairs.rankings:
        with calling(metric, " in exact arithmetic", NotRational):
            values, masses, rest = metric.distribution(arithmetic, wrap(ranking), pairs.weights, wrap(pairs.pool))
            order, values = values.monomial() if isinstance(values, Series) else (0, np.asarray(values, dtype=object))
        if np.any(values != 0):
            units.add(order)
        shape = (pairs.size, values.shape[-1])
        values, masses = (_spread(x, shape) for x in (values, masses))
        rests = np.broadcast_to(np.asarray(rest, dtype=object), shape[:1])
        caps = [None] * shape[0]
        if np.any(rests != 0):
            highest = metric.unlisted(wrap(ranking))
            highest = highest.monomial()[1] if isinstance(highest, Series) else highest
            caps = [*np.broadcast_to(np.asarray(highest, dtype=object), shape[:1])]
        sides.append(
            [
                Distribution([*values[b]], [masses[b, s] for s in range(shape[1])], rests[b], caps[b])
                for b in range(shape[0])
            ]
        )
    return (sides[0], sides[1]), _power(_one_order(metric, units))


def _spread(x: Any, shape: tuple[int, int]) -> Any:
    if isinstance(x, Series):
        return x.map(lambda c: np.broadcast_to(c, shape))
    return np.broadcast_to(np.asarray(x, dtype=object), shape)


def _relation(
    worse: Distribution, better: Distribution, zero: list[bool] | None, how: ArithmeticName, unit: str
) -> Judgement:
    sign, gaps = relation(worse, better, zero)
    if sign == 0:
        gaps = tails(worse, better)[:_SHOWN]
    sides = [[(gap, gap.worse) for gap in gaps], [(gap, gap.better) for gap in gaps]]
    texts = [", ".join(f"P[S >= {_text(g.threshold)}{unit}] = {_text(p)}" for g, p in side) for side in sides]
    return Judgement(sign, 0, texts[0], texts[1], how, "distribution")


def _text(value: Any) -> str:
    if isinstance(value, Series):
        scalars = {k: np.asarray(c).item() for k, c in sorted(value.terms.items())}
        terms = [f"{_text(c)}{_power(k)}" for k, c in scalars.items() if c != 0]
        return " + ".join(terms).replace("+ -", "- ") or "0"
    return value.str(12, radius=False) if isinstance(value, arb) else str(value)


def _power(order: int) -> str:
    return "" if order == 0 else "*eps" if order == 1 else f"*eps^{order}"


def _in_floats(metric: Metric, batch: Batch) -> tuple[FloatDistributions, FloatDistributions]:
    """Return the distributions of all instances in floats, (worse, better).

    Raises:
        MetricError: The metric raised an exception, or its values are multiples of different powers of eps.

    """
    keep, found, units = _ORDERS, [], set()
    for ranking in batch.rankings:
        with calling(metric):
            values, masses, rest = metric.distribution(
                Floats(), batch.wrap(ranking, keep), batch.weights, batch.wrap(batch.draft.grades, keep)
            )
            order, values = values.monomial() if isinstance(values, Series) else (0, np.asarray(values))
        if np.any(values != 0):
            units.add(order)
        by_order = masses.terms if isinstance(masses, Series) else {0: masses}
        shape = (batch.size, values.shape[-1])
        found.append(
            FloatDistributions(
                np.broadcast_to(real_scores(metric, values), shape),
                {k: np.broadcast_to(real_scores(metric, c), shape) for k, c in by_order.items()},
                np.broadcast_to(real_scores(metric, rest), shape[:1]),
            )
        )
    _one_order(metric, units)
    return found[0], found[1]


def _one_order(metric: Metric, orders: set[int]) -> int:
    """Return the only order of eps in a set, or 0 if the set is empty.

    Raises:
        MetricError: There are several orders.

    """
    if len(orders) > 1:
        raise MetricError(f"{metric} returned values that are multiples of different powers of eps; expected one power")
    return next(iter(orders), 0)
