"""Express array code as a sum over any number of ranks: the gain of one document times a discount.

The code is read again from its source and run over exact numbers. Its input is an array over an unknown number of ranks
(`axiomcheck.numbers.natural_ranks`), whose documents all have one grade. The code can derive entries from entries at
the same rank, and sum entries over ranks; everything else is refused. So the result is a sum over ranks, for rankings
of every length: the gain of the document's grade times a form of the rank. `axiomcheck.sources.code_inspection` checks
that the same code runs in floats and cannot distinguish this run from others.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq

from axiomcheck.core.counting import counted
from axiomcheck.core.errors import InvalidInput, NotRational
from axiomcheck.core.typing import Array
from axiomcheck.metrics import Metric
from axiomcheck.metrics.fold import Fold, State
from axiomcheck.numbers.arithmetic import Arithmetic, Balls, Floats, Rationals, float_of, to_fmpq
from axiomcheck.numbers.discount import Constant, Discount, Geometric, InverseLog, Reciprocal
from axiomcheck.numbers.natural import Number
from axiomcheck.numbers.natural_ranks import Ranks, grades_of, weights_of_one
from axiomcheck.numbers.natural_values import running_on
from axiomcheck.numbers.rank_forms import RankForm
from axiomcheck.proof.check.bounded_symbols import Unread
from axiomcheck.proof.check.header import require
from axiomcheck.proof.check.quotients import Exact, Quotient, attempt
from axiomcheck.sources.abilities import same_but_for_rounding
from axiomcheck.sources.code_inspection import not_plain, require_one_way
from axiomcheck.sources.function_metrics import FunctionMetric

_LENGTHS = (2, 3, 7, 24, 75, 400)
"""Lengths of rankings on which the sum is compared with the code's own scores, exactly and in floats."""

_LONG = (1_500, 12_000)
"""Lengths of rankings on which the sum is compared in floats only."""

_ROWS = 3
_CLOSE = 1e-9


@dataclass(frozen=True)
class RanksFold(Fold):
    """Fold of code over arrays, on one aspect.

    Args:
        metric: Metric whose code was read again from its source.
        discount: Discount of the ranks.

    """

    metric: FunctionMetric
    discount: Discount

    def start(self, a: Arithmetic) -> State:
        """Return an empty state, as ranks do not depend on each other."""
        return ()

    def step(self, a: Arithmetic, state: State, r: Array) -> tuple[Array, State]:
        """Return the gain of one document; r is an array of one number."""
        gain, discount, _ = _run_on_ranks(self.metric, r[0])
        require(discount == self.discount, f"what a rank is worth in {self.metric} depends on the grade")
        column = np.empty(1, dtype=object)
        column[0] = gain
        return column, ()


def fold_of_ranks(metric: Metric) -> tuple[RanksFold, int | None]:
    """Return the fold on one aspect, and the cutoff, of an external metric that is a function over arrays.

    Raises:
        InvalidInput: The metric's code needs an operation that arrays over ranks do not have. The message names it.

    """
    source = metric.from_source if isinstance(metric, FunctionMetric) else None
    if not (isinstance(metric, FunctionMetric) and isinstance(source, FunctionMetric)):
        raise InvalidInput(f"certificate: {metric.name} is not scored by a fold, and no lemma speaks of it")
    why = not_plain(source.read_again, metric.function)
    if why:
        raise InvalidInput(f"metric: {why}, and what it does at every length is not known")
    _, discount, cut = _run_on_ranks(source, fmpq(1))
    return RanksFold(source, discount), cut


def check_ranks(metric: FunctionMetric) -> None:
    """Check that code and its sum over ranks give rankings of known length equal scores, exactly and in floats.

    Args:
        metric: Metric of a fold that `fold_of_ranks` returns.

    Raises:
        InvalidInput: The code's scores differ from those of the sum. The message names the ranking.

    """
    fold, cut = fold_of_ranks(metric)
    source = fold.metric
    require_one_way(metric)
    if source is not metric:
        require_one_way(source)
    rng = np.random.default_rng(7)
    for n in _LENGTHS:
        _compare_scores(metric, fold, cut, rng.integers(0, 9, (_ROWS, n, 1)) / 8)
    for n in _LONG:
        _compare_floats(metric, fold, cut, rng.integers(0, 9, (_ROWS, n, 1)) / 8)


def _ranks(metric: FunctionMetric, grade: Any) -> list[Any]:
    return [grades_of(grade), weights_of_one(), *([Unread()] * metric.needs_pool)]


def _run_on_ranks(metric: FunctionMetric, grade: Any) -> tuple[Quotient, Discount, int | None]:
    """Return the undiscounted gain of a document of one grade, the discount of the ranks, and the cutoff."""
    again = metric.read_again
    assert again is not None

    def run() -> Any:
        with running_on(Exact()):
            return again(*_ranks(metric, grade))

    found = attempt("metric", run)
    if type(found) is not Ranks or not found.summed or found.axes != ("rows",):
        raise InvalidInput(f"metric: {metric.name} does not return one sum over the ranks")
    gain, discount = _weighed(found.factor, found.form)
    return gain, discount, found.cut


def _weighed(factor: Number, form: RankForm) -> tuple[Quotient, Discount]:
    try:
        gain = Quotient.of(factor.raw)
    except TypeError as error:
        raise InvalidInput(f"metric: what a document earns is not rational: {error}") from None
    base = None if form.base is None else Fraction(int(form.base.p), int(form.base.q))
    if form.kind == "one":
        return gain, Constant()
    if form.kind == "power" and base is not None:
        return gain * to_fmpq(base ** (1 + form.shift)), Geometric(base)
    if form.kind == "over rank" and form.shift == 0:
        return gain, Reciprocal()
    if form.kind == "over log":
        return gain, InverseLog(base, form.shift, form.offset)
    raise InvalidInput(f"metric: no lemma knows a discount by {form}")


def _compare_scores(metric: FunctionMetric, fold: RanksFold, cut: int | None, grades: Array) -> None:
    """Check that the sum over ranks equals the score, exactly and in floats.

    Args:
        metric: Function over arrays.
        fold: Expected fold of the metric.
        cut: Cutoff of the sum.
        grades: Floats of shape (B, n, 1) that are exact.

    Raises:
        InvalidInput: The sum and the score differ.

    """
    exact, ones = _RATIONALS(grades), np.full((len(grades), 1), fmpq(1), dtype=object)
    gains = {float(x): _run_on_ranks(fold.metric, to_fmpq(float(x)))[0].constant() for x in np.unique(grades)}
    with ctx.workprec(128):
        try:
            a: Arithmetic = Rationals()
            scores = np.asarray(metric.score(a, exact, ones, exact), dtype=object)
        except NotRational:
            a = Balls()
            scores = np.asarray(metric.score(a, exact, ones, exact), dtype=object)
        discounts = a.discounts(fold.discount, grades.shape[1])[:cut]
        totals = np.empty(len(grades), dtype=object)
        for row, ranked in enumerate(grades[:, :cut, 0]):
            totals[row] = sum((gains[float(x)] * d for x, d in zip(ranked, discounts, strict=True)), fmpq(0))
        floats = _in_floats(metric, grades)
        same = same_but_for_rounding(totals, floats)
        for score, total, real, told in zip(scores, totals, floats, same, strict=True):
            if not (told and (arb(score).overlaps(arb(total)) if isinstance(a, Balls) else score == total)):
                raise InvalidInput(
                    f"metric: {metric.name} scores {score}, and {float(real)!r} in floats, where its sum over ranks "
                    f"is {total}"
                )


def _compare_floats(metric: FunctionMetric, fold: RanksFold, cut: int | None, grades: Array) -> None:
    """Check in floats that the sum over ranks equals the score, on rankings too long for exact numbers."""
    gains = {float(x): float_of(_run_on_ranks(fold.metric, to_fmpq(float(x)))[0].constant()) for x in np.unique(grades)}
    discounts = Floats().discounts(fold.discount, grades.shape[1])[:cut]
    totals = (np.vectorize(gains.__getitem__)(grades[:, :cut, 0]) * discounts).sum(axis=1)
    floats = _in_floats(metric, grades)
    if not np.allclose(floats, totals, rtol=_CLOSE, atol=_CLOSE * np.abs(totals).max()):
        raise InvalidInput(
            f"metric: {metric.name} scores {floats.tolist()} in floats on "
            f"{counted(grades.shape[1], 'document')}, where its sum over ranks is {totals.tolist()}"
        )


def _in_floats(metric: FunctionMetric, grades: Array) -> Array:
    order = np.broadcast_to(np.arange(grades.shape[1]), grades.shape[:2])
    with np.errstate(all="ignore"):  # gains of far ranks may overflow or underflow in floats
        return metric.evaluate(grades, np.ones((len(grades), 1)), order)


_RATIONALS = np.frompyfunc(lambda x: to_fmpq(float(x)), 1, 1)
