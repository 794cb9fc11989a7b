"""Check that a fold metric overrides only the parts that proofs allow, and that its scores are those of its fold.

The lemmas are about `FoldMetric.kernel`: its sum, cutoff and pooling. External code may define plain attributes and the
gain of one document, which the proofs run on symbols. The lemmas do not cover a metric that overrides any other part.
The assumptions of a proof about the discount (Lemmas 6 and 7 in docs/lemmas/induction.md) are checked as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from flint import arb, ctx, fmpq

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.own_code import is_own_class, is_own_value, is_patched
from axiomcheck.core.printable import counted
from axiomcheck.core.typing import Array, ExactNumbers
from axiomcheck.metrics import DeclaredFold, FoldMetric, Metric, SingleAspectMetric, ideal, number_relevant
from axiomcheck.metrics.adhoc import AveragePrecision, DiscountedGain
from axiomcheck.metrics.coverage import DMeasure
from axiomcheck.metrics.derived_fold import DerivedByIdeal, DerivedByRelevant
from axiomcheck.metrics.fold import Fold
from axiomcheck.metrics.intent_aware import IntentAware
from axiomcheck.numbers.arithmetic import (
    Arithmetic,
    Rationals,
    divide,
    float_of,
    floats_of,
    in_exact_arithmetic,
    is_equal,
    rationals_of,
)
from axiomcheck.numbers.discount import Constant, Discount, Geometric, InverseLog, Reciprocal
from axiomcheck.proof.check.own_types import check_own_types
from axiomcheck.proof.check.quotients import Exact, Quotient, attempt, every_outcome, variable
from axiomcheck.sources.abilities import same_but_for_rounding
from axiomcheck.sources.code_inspection import check_same_branches, instructions
from axiomcheck.sources.provenance import NEUTRAL, foreign_parts, runs_catalogue_code

_NORMALISERS = (
    *(AveragePrecision.normaliser, DerivedByRelevant.normaliser, number_relevant),
    *(DiscountedGain.normaliser, DMeasure.normaliser, DerivedByIdeal.normaliser, ideal),
    IntentAware.normaliser,
)
"""Normalisers that, by Lemma 3, are positive for every pool with a relevant document and 0 for every other pool.

They are the number of relevant documents and the gain of the ideal ranking. The property is unknown for other code.
"""

_DEFINITIONS = {
    "kernel": (FoldMetric.kernel, SingleAspectMetric.kernel),
    "score": (Metric.score,),
    "evaluate": (Metric.evaluate,),
}
_RUN = {"fold", "scale", "cost"}
_FACTS = {"weighted": bool, "normalised": bool, "pooling": str, "binary_only": bool, "single_aspect": bool}
_LEFT_OPEN = {
    *("declared", "default_cutoff", "abilities", "precision", "rounding", "validate", "tail", "numerical"),
    *("is_seed_form", "user_model", "base_class", "distribution", "unlisted"),
}
_OF_FOLDS = {"start", "step", "discount"}
"""Parts that a fold may define. A metric that is its own fold (`DeclaredFold`) may define them, too."""
_COPYING = ("__copy__", "__deepcopy__", "__reduce__", "__reduce_ex__")


def check_own_fold(metric: Metric) -> FoldMetric:
    """Check that a metric's scores, both exact and in floats, equal the sum that its fold gives on symbols.

    Args:
        metric: Metric with its own parameter values.

    Returns:
        The metric.

    Raises:
        InvalidInput: The metric overrides code that no lemma covers, or differs from its fold. The message says where.

    """
    name = type(metric).__name__
    if not isinstance(metric, FoldMetric):
        raise InvalidInput(f"metric: {name} is not a fold over ranks")
    check_own_code(metric)
    check_fold(attempt("metric: the fold", metric.fold), name)
    if not runs_catalogue_code(metric):
        attempt("metric: its scores", check_scores, metric, Quotient.of, lambda x: Quotient.of(x).constant())
    return metric


def check_own_code(metric: FoldMetric) -> None:
    """Check that a metric's external code overrides only the parts that the lemmas leave open.

    Raises:
        InvalidInput: The metric overrides a different part. The message names it.

    """
    name = type(metric).__name__
    found: dict[str, object] = {}
    run = _RUN | _OF_FOLDS if isinstance(metric, DeclaredFold) else _RUN
    for cls in filter(is_own_class, type(metric).__mro__):
        found |= foreign_parts(metric, cls)
    for part, known in _DEFINITIONS.items():
        if getattr(type(metric), part) not in known:
            raise InvalidInput(f"metric: {name} redefines {part}, which proofs about its fold do not cover")
    for part, definition in found.items():
        if part == "normaliser":
            continue
        if part in _FACTS and type(definition) is not _FACTS[part]:
            raise InvalidInput(f"metric: {part} of {name} is computed; proofs need a plain value")
        if part not in run | _LEFT_OPEN | NEUTRAL | _FACTS.keys():
            raise InvalidInput(f"metric: {name} redefines {part}, which proofs about its fold do not cover")
    for part in _COPYING:
        if any(part in vars(cls) for cls in type(metric).__mro__ if cls is not object):
            raise InvalidInput(f"metric: {name} redefines {part}, so a copy of it may be a different metric")
    cutoff = metric.cutoff
    if cutoff is not None and not (type(cutoff) is int and cutoff >= 1):
        raise InvalidInput(f"metric: the cutoff of {name} is {cutoff!r}; expected a whole number or none")
    if metric.partial is not False:
        raise InvalidInput(f"metric: {name} compares distributions")
    if metric.normalised:
        check_normaliser(metric)


def check_normaliser(metric: FoldMetric) -> None:
    """Check that a metric's normaliser is positive for every pool with a relevant document, and 0 for every other pool.

    Args:
        metric: Normalised metric; its parameters may be symbols.

    Raises:
        InvalidInput: The property cannot be shown.

    """
    name = type(metric).__name__
    own = vars(metric).get("normaliser", getattr(type(metric), "normaliser", None))
    if own not in _NORMALISERS:
        raise InvalidInput(
            f"metric: the normaliser of {name} is external code, which is not shown to be positive for every pool"
        )
    if own is IntentAware.normaliser:
        base = getattr(metric, "base", None)
        if not isinstance(base, FoldMetric):
            raise InvalidInput(f"metric: {name} has no base metric that is a fold over ranks")
        check_own_code(base)
        check_normaliser(base)
    if own in (DerivedByIdeal.normaliser, ideal):
        check_ideal(metric.fold(), name)


def check_ideal(fold: Fold, of: str) -> None:
    """Check that a fold's total over grades in descending order is positive if any grade is positive, and 0 otherwise.

    Args:
        fold: Fold. Its step is run on symbols for a nonnegative state and for grades in [0, 1].
        of: Name of the metric for messages.

    Raises:
        InvalidInput: The property cannot be shown. The message says which part of it.

    """
    a, where = Exact(), f"metric: the normaliser of {of}"
    check_discount(fold.discount, "positive")
    start = tuple(Quotient.of(x) for x in attempt(where, fold.start, a))
    state = tuple(variable(f"state_{k}", "[0, oo)") for k in range(len(start)))

    if not all(x.shown(">=") for x in start):
        raise InvalidInput(f"{where}: the fold starts with a number that is not shown to be nonnegative")
    for gain, after in outcomes_of_step(where, fold, state, variable("r", "[0, 1]")):
        if not (gain.shown(">=") and all(x.shown(">=") for x in after)):
            raise InvalidInput(f"{where}: a gain or a state component of the fold is not shown to be nonnegative")
    if not all(gain.shown(">") for gain, _ in outcomes_of_step(where, fold, start, variable("r", "(0, 1]"))):
        raise InvalidInput(f"{where}: the first relevant document is not shown to have a positive gain")
    for gain, after in outcomes_of_step(where, fold, start, Quotient.of(0)):
        if not gain.is_zero or not all((x - y).is_zero for x, y in zip(after, start, strict=True)):
            raise InvalidInput(f"{where}: a pool without relevant documents may have a positive gain")


def outcomes_of_step(
    where: str, fold: Fold, state: tuple[Quotient, ...], grade: Quotient
) -> list[tuple[Quotient, tuple[Quotient, ...]]]:
    """Return the gain of a document and the state after it, for each outcome of the undecided comparisons.

    Raises:
        InvalidInput: The step cannot be run on symbols. The message starts with ``where``.

    """

    def run() -> tuple[Quotient, tuple[Quotient, ...]]:
        gain, after = fold.step(Exact(), state, grade)
        return Quotient.of(gain), tuple(Quotient.of(x) for x in after)

    return attempt(where, every_outcome, run)


def check_fold(fold: object, of: str) -> None:
    """Check that a fold sums discounted gains as `Fold` does, with a discount that the lemmas cover.

    Args:
        fold: Return value of a metric's ``fold()``.
        of: Name of the metric for messages.

    Raises:
        InvalidInput: The object is not such a fold.

    """
    if not isinstance(fold, Fold):
        raise InvalidInput(f"metric: the fold of {of} is {type(fold).__name__}; expected a Fold")
    own = foreign_parts(fold, Fold).keys() - _OF_FOLDS
    if own:
        raise InvalidInput(f"metric: the fold of {of} redefines {min(own)}")
    check_discount_class(fold.discount)


# Scores


@dataclass(frozen=True)
class _Case:
    """B exact rankings of one shape: weights (B, m), and pools (B, P, m) whose first n documents are ranked."""

    pool: ExactNumbers
    weights: ExactNumbers
    ranked: int


_ROWS = 3
_SHAPES = (
    *((1, 1, 0), (2, 1, 1), (3, 1, 7), (5, 1, 0), (8, 1, 3), (21, 1, 2), (34, 1, 60), (4, 1, 300)),
    *((1, 2, 1), (3, 2, 0), (6, 3, 2), (3, 9, 1), (2, 14, 0), (12, 5, 50)),
)
"""Shapes of the rankings: (ranked documents, aspects, further documents)."""


def _cases(metric: Metric) -> Iterator[_Case]:
    rng = np.random.default_rng(20_181)
    for n, m, extras in _SHAPES:
        if m > 1 and not metric.applies_to_aspects():
            continue
        size = (_ROWS, n + extras, m)
        fine = rng.random(size)
        kinds = [
            fine,
            rng.integers(0, 11, size) / 10,
            np.where(rng.random(size) < 0.5, 0.0, np.where(rng.random(size) < 0.5, 1.0, fine)),
            fine * 2.0 ** -rng.integers(0, 40, size),
        ]
        grades = np.choose(rng.integers(0, len(kinds), size), kinds)
        shares = rng.integers(1, 9, (_ROWS, m)) if metric.abilities.weights else np.ones((_ROWS, m), dtype=int)
        yield _Case(rationals_of(grades), _RATIOS(shares, shares.sum(axis=1, keepdims=True)), n)


_RATIOS = np.frompyfunc(lambda k, scale: fmpq(int(k), int(scale)), 2, 1)


def check_scores(metric: FoldMetric, symbol: Callable[[fmpq], object], number: Callable[[object], fmpq]) -> None:
    """Check that a metric's scores equal the gains of its fold, normalised, summed and scaled.

    Random rankings of up to 34 documents, 14 aspects and 304 judged documents, with grades of every size, are scored in
    three ways: by the metric's `score` in exact arithmetic, by its `evaluate` in floats, and by the sum that the proofs
    are about. The first two receive batches of several rankings. The check detects code that treats numbers and symbols
    differently, or that behaves differently when called again.

    Args:
        metric: Metric that is scored by a fold.
        symbol: Function that converts a rational grade to the number that the proof passes to the fold.
        number: Function that converts such a number, or a result of the fold, back to a rational.

    Raises:
        InvalidInput: Two of the three scores differ, or the code may treat symbols and numbers differently. The message
            names the ranking, or the position in the code.

    """
    name = type(metric).__name__
    check_same_branches(metric)
    proof = _ProofNumbers(symbol, number)
    _check_ways(metric, proof)
    with ctx.workprec(128):
        cases = list(_cases(metric))
        for case in (*cases, cases[0], cases[-1]):
            pool = case.pool
            order = np.broadcast_to(np.arange(case.ranked), (_ROWS, case.ranked))
            a, scored = in_exact_arithmetic(
                lambda a: metric.score(a, case.pool[:, : case.ranked], case.weights, case.pool)  # noqa: B023
            )
            floats = metric.evaluate(floats_of(pool), floats_of(case.weights), order)
            expecteds = np.empty(_ROWS, dtype=object)
            expecteds[:] = [_by_the_fold(metric, a, proof, case, row) for row in range(_ROWS)]
            same = same_but_for_rounding(expecteds, np.asarray(floats, dtype=np.float64))
            for row, expected in enumerate(expecteds):
                exact = np.asarray(scored, dtype=object).reshape(-1)[row]
                where = (
                    f"{counted(case.ranked, 'document')}, {counted(pool.shape[2], 'aspect')}, {pool.shape[1]} judged"
                )
                if not is_equal(exact, expected):
                    raise InvalidInput(
                        f"metric: {name} scores {exact}, but its fold gives {expected} ({where}): its code "
                        "treats numbers and symbols differently"
                    )
                if not same[row]:
                    raise InvalidInput(
                        f"metric: {name} scores {float(floats[row])!r} in floats and {float_of(expected)!r} exactly "
                        f"({where}), so its code treats floats and exact numbers differently"
                    )
    check_own_types(metric)


def _check_ways(metric: FoldMetric, proof: _ProofNumbers) -> None:
    """Check that the fold runs the same instructions on numbers as on symbols."""
    fold, column = metric.fold(), np.array([fmpq(1), fmpq(0), fmpq(1, 4), fmpq(3, 4)], dtype=object)
    ones = np.array([fmpq(1)] * len(column), dtype=object)

    def on_numbers() -> None:
        state = fold.start(Rationals())
        for grade in column:
            _, state = fold.step(Rationals(), state, np.array([[grade]], dtype=object))

    def on_symbols() -> None:
        _total(fold, proof, column, ones)

    on_numbers()
    on_symbols()
    if instructions(on_numbers) != instructions(on_symbols):
        raise InvalidInput(
            f"metric: the fold of {type(metric).__name__} runs different instructions on numbers and on symbols"
        )


class _ProofNumbers(NamedTuple):
    """Functions that convert rational numbers to the arithmetic of a proof and back. See `check_scores`."""

    symbol: Callable[[fmpq], object]
    number: Callable[[object], fmpq]


def _by_the_fold(metric: FoldMetric, a: Arithmetic, proof: _ProofNumbers, case: _Case, row: int) -> fmpq | arb:
    """Compute the score of one ranking as the proofs define it, by running the fold on one document at a time."""
    pool, weights = case.pool[row], case.weights[row]
    if metric.pooling == "sum":
        pool = (pool * weights).sum(axis=1)[:, None]
    elif metric.pooling == "max":
        pool = np.array([max(grades) for grades in pool], dtype=object)[:, None]
    ranked = pool[: case.ranked][: metric.cutoff]
    fold = metric.fold()
    discounts = a.discounts(fold.discount, len(ranked))
    totals = np.array([_total(fold, proof, ranked[:, t], discounts) for t in range(ranked.shape[1])], dtype=object)
    if metric.normalised:
        totals = divide(totals, np.asarray(metric.normaliser(a, pool), dtype=object))
    if metric.weighted:
        totals = totals * weights
    cost = a.number(metric.cost()) * sum(discounts, fmpq(0))
    score: fmpq | arb = sum(totals, fmpq(0)) * a.number(metric.scale(case.pool.shape[2])) - cost
    return score


def _total(fold: Fold, proof: _ProofNumbers, column: Array, discounts: Array) -> fmpq | arb:
    a = Exact()
    after, total = fold.start(a), fmpq(0)
    for grade, discount in zip(column, discounts, strict=True):
        # Proofs run the fold on symbols only, so the state's plain numbers are converted.
        state = tuple(proof.symbol(proof.number(x)) for x in after)
        gain, after = fold.step(a, state, proof.symbol(grade))
        total = total + discount * proof.number(gain)
    return total


DISCOUNTS = ("constant", "positive", "decreasing", "convex", "reciprocal")
_DISCOUNTS = (Constant, Geometric, InverseLog, Reciprocal)


def check_discount_class(discount: Any) -> None:
    """Check that the lemmas cover the class of a discount; subclasses of covered classes are rejected.

    Raises:
        InvalidInput: The lemmas do not cover the class.

    """
    if type(discount) not in _DISCOUNTS or not is_own_value(discount) or is_patched(type(discount)):
        known = ", ".join(cls.__name__ for cls in _DISCOUNTS)
        raise InvalidInput(f"discount: no lemma covers {type(discount).__name__}; the lemmas cover {known}")


def check_discount(discount: Discount, assumed: str) -> None:
    """Check a certificate's assumption about a metric's discount (Lemma 7).

    Args:
        discount: Discount of the metric; a geometric one may contain symbols.
        assumed: One of `DISCOUNTS`.

    Raises:
        InvalidInput: The discount cannot be proved to satisfy the assumption.

    """
    kind = type(discount)
    shapes: set[str] = set()
    if kind is Constant:
        shapes = {"constant", "positive"}
    elif kind is Reciprocal:
        x = variable("x", "[0, oo)")
        shapes = {"reciprocal", *_shapes(*(1 / (x + k) for k in (1, 2, 3)))}
    elif isinstance(discount, Geometric) and kind is Geometric:
        ratio, scale = Quotient.of(discount.ratio), Quotient.of(discount.scale)
        if not (scale.shown(">") and ratio.shown(">")):
            raise InvalidInput(f"discount: {kind.__name__} is not shown to be positive")
        # each rank's discount is a positive number times those of ranks 1 to 3
        shapes = _shapes(scale, scale * ratio, scale * ratio * ratio)
        if (ratio - 1).is_zero:
            shapes |= {"constant"}
    elif isinstance(discount, InverseLog) and kind is InverseLog:
        increasing = discount.base is None or discount.base > 1
        if not (increasing and discount.shift >= 0 and discount.offset >= 0 and discount.shift + discount.offset > 0):
            raise InvalidInput(f"discount: {kind.__name__} is not shown to be positive from rank 1 on")
        # the divisors of three ranks are a, a + (s + u) and a + (s + u) + s
        a, s, u = (variable(name, "(0, oo)") for name in "asu")
        shapes = _shapes(1 / a, 1 / (a + s + u), 1 / (a + s + u + s))
    if assumed not in shapes:
        raise InvalidInput(f"discount: {kind.__name__} is not shown to be {assumed}")


def _shapes(first: Quotient, second: Quotient, third: Quotient) -> set[str]:
    """Return the properties (positive, decreasing, convex) that three consecutive discounts provably have."""
    shapes = set()
    if third.shown(">"):
        shapes |= {"positive"}
        if (first - second).shown(">") and (second - third).shown(">"):
            shapes |= {"decreasing"}
            if (first - second * 2 + third).shown(">"):
                shapes |= {"convex"}
    return shapes
