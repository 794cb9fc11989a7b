"""Metrics that give a distribution of scores: rankings are compared by stochastic dominance, a partial order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import arb, ctx

from axiomcheck.core.errors import MetricError, NotRational
from axiomcheck.core.limits import PRECISION
from axiomcheck.core.typing import Array
from axiomcheck.decide.batch import Batch
from axiomcheck.decide.dominance import Distribution, FloatDistributions, Gap, float_relations, relation, tails
from axiomcheck.decide.outcome import Comparison, Judgement
from axiomcheck.decide.pairs import Pairs
from axiomcheck.metrics import Metric
from axiomcheck.metrics.scores import real_scores
from axiomcheck.numbers.arithmetic import Arithmetic, Balls, Floats, Rationals, Symbols
from axiomcheck.numbers.series import Series
from axiomcheck.records.values import ArithmeticName

_ORDERS = 4
"""Orders of eps that the limit regime is searched in: lower ones often cancel at some threshold."""

_SHOWN = 4


@dataclass(frozen=True)
class Distributions:
    """See `axiomcheck.decide.comparison.Way`."""

    metric: Metric

    def compare(self, batch: Batch) -> Comparison:
        """By dominance of what the distributions list."""
        low, high = _in_floats(self.metric, batch)
        found = float_relations(low, high)
        rest = max(float(side.rest.max(initial=0.0)) for side in (low, high))
        return Comparison(found.sign, found.margin, found.equal, found.sure, rest)

    def repeats(self, batch: Batch) -> bool:
        """Whether values and probabilities come out the same."""
        again = zip(_in_floats(self.metric, batch), _in_floats(self.metric, batch), strict=True)
        return all(
            np.array_equal(a.values, b.values)
            and a.masses.keys() == b.masses.keys()
            and all(np.array_equal(a.masses[k], b.masses[k]) for k in a.masses)
            for a, b in again
        )

    def signs(self, pairs: Pairs) -> list[int | None]:
        """In rationals, or in certified balls with identities in the logarithms."""
        return [judgement.sign for judgement in _judged(self.metric, pairs)]

    def judge(self, pairs: Pairs) -> Judgement:
        """With the probabilities at the thresholds that show it."""
        (found,) = _judged(self.metric, pairs)
        return found


def _judged(metric: Metric, pairs: Pairs) -> list[Judgement]:
    """The judgement on every pair.

    Raises:
        MetricError: the metric cannot be run in exact arithmetic.

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
            # A ball around zero never shows that tail probabilities are equal; an identity in the logarithms does.
            zero = [at.better - at.worse == 0 for at in tails(*identical)]
            found.append(_relation(*pair, zero, "identity" if all(zero) else "certified", unit))
    return found


def _distributions(
    metric: Metric, pairs: Pairs, arithmetic: Arithmetic
) -> tuple[tuple[list[Distribution], list[Distribution]], str]:
    """((worse, better), one distribution per pair each), and the unit of the values: empty, or a power of eps."""

    def wrap(grades: Array) -> Any:
        return Series({1: grades}) if pairs.small else grades

    sides, units = [], set()
    for ranking in (pairs.worse, pairs.better):
        try:
            values, masses, rest = metric.distribution(arithmetic, wrap(ranking), pairs.weights, wrap(pairs.pool))
            order, values = values.monomial() if isinstance(values, Series) else (0, np.asarray(values, dtype=object))
        except (NotRational, MetricError):
            raise
        except Exception as error:
            raise MetricError(f"{metric} raised {type(error).__name__} in exact arithmetic: {error}") from error
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
    if len(units) > 1:
        raise MetricError(f"{metric} gives values of different orders in eps, which are not compared")
    return (sides[0], sides[1]), _power(next(iter(units), 0))


def _spread(x: Any, shape: tuple[int, int]) -> Any:
    if isinstance(x, Series):
        return x.map(lambda c: np.broadcast_to(c, shape))
    return np.broadcast_to(np.asarray(x, dtype=object), shape)


def _relation(
    worse: Distribution, better: Distribution, zero: list[bool] | None, how: ArithmeticName, unit: str
) -> Judgement:
    sign, gaps = relation(worse, better, zero)
    if sign == 0:
        gaps = [Gap(at.threshold, at.worse, at.better) for at in tails(worse, better)[:_SHOWN]]
    texts = [", ".join(f"P[S >= {_text(g.threshold)}{unit}] = {_text(p)}" for g, p in side) for side in _sides(gaps)]
    return Judgement(sign, 0, texts[0], texts[1], how, "distribution")


def _sides(gaps: list[Gap]) -> list[list[tuple[Gap, Any]]]:
    return [[(gap, gap.worse) for gap in gaps], [(gap, gap.better) for gap in gaps]]


def _text(value: Any) -> str:
    if isinstance(value, Series):
        scalars = {k: np.asarray(c).item() for k, c in sorted(value.terms.items())}
        terms = [f"{_text(c)}{_power(k)}" for k, c in scalars.items() if c != 0]
        return " + ".join(terms).replace("+ -", "- ") or "0"
    return value.str(12, radius=False) if isinstance(value, arb) else str(value)


def _power(order: int) -> str:
    return "" if order == 0 else "*eps" if order == 1 else f"*eps^{order}"


def _in_floats(metric: Metric, batch: Batch) -> tuple[FloatDistributions, FloatDistributions]:
    """(worse, better) distributions of every instance.

    Raises:
        MetricError: the metric raised, or its values are of different orders in eps.

    """
    keep, found, units = _ORDERS, [], set()
    for ranking in batch.rankings:
        try:
            values, masses, rest = metric.distribution(
                Floats(), batch.wrap(ranking, keep), batch.weights, batch.wrap(batch.draft.grades, keep)
            )
            order, values = values.monomial() if isinstance(values, Series) else (0, np.asarray(values))
        except MetricError:
            raise
        except Exception as error:
            raise MetricError(f"{metric} raised {type(error).__name__}: {error}") from error
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
    if len(units) > 1:
        raise MetricError(f"{metric} gives values of different orders in eps, which are not compared")
    return found[0], found[1]
