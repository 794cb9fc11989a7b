"""Check the conditions of the lemmas about folds: the origin of the code, the normaliser and the discount.

The lemmas are about `FoldMetric.kernel` (its sum, cutoff and pooling), and about folds that the catalogue defines or
that are derived from a function's source. They do not cover folds that external code defines, because such code may
distinguish the symbols of a proof from numbers. The assumptions of a proof about the discount (Lemmas 6 and 7 in
docs/lemmas/induction.md) are checked as well.
"""

from __future__ import annotations

from typing import Any

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.own_code import is_own_value, is_patched
from axiomcheck.metrics import FoldMetric, Metric, SingleAspectMetric
from axiomcheck.metrics.adhoc import AveragePrecision, DiscountedGain
from axiomcheck.metrics.coverage import DMeasure
from axiomcheck.metrics.derived_fold import DerivedByIdeal, DerivedByRelevant
from axiomcheck.metrics.fold import Fold
from axiomcheck.metrics.intent_aware import IntentAware
from axiomcheck.numbers.discount import Constant, Discount, Geometric, InverseLog, Reciprocal
from axiomcheck.proof.check.quotients import Exact, Quotient, attempt, every_outcome, variable
from axiomcheck.sources.provenance import is_genuine

_NORMALISERS = (
    *(AveragePrecision.normaliser, DerivedByRelevant.normaliser),
    *(DiscountedGain.normaliser, DMeasure.normaliser, DerivedByIdeal.normaliser),
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


def check_origin(metric: Metric) -> None:
    """Check that axiomcheck's own code, or a fold that was derived from source code, computes a metric's scores.

    Args:
        metric: Metric with numbers for all of its parameters.

    Raises:
        InvalidInput: External code computes the scores.

    """
    if not is_genuine(metric):
        raise InvalidInput(f"metric: {type(metric).__name__} is external code, which no lemma covers")


def fold_of(metric: Metric) -> Fold:
    """Return the fold of a metric, after checking that the lemmas cover how the metric computes scores from the fold.

    Args:
        metric: Metric that has passed `check_origin`; its parameters may be symbols.

    Raises:
        InvalidInput: The metric is not a fold, or the lemmas do not cover it.

    """
    name = type(metric).__name__
    if not isinstance(metric, FoldMetric):
        raise InvalidInput(f"metric: {name} is not a fold over ranks")
    for part, known in _DEFINITIONS.items():
        if getattr(type(metric), part) not in known:
            raise InvalidInput(f"metric: {name} redefines {part}, which proofs about its fold do not cover")
    if metric.partial is not False:
        raise InvalidInput(f"metric: {name} compares distributions")
    if metric.normalised:
        check_normaliser(metric)
    fold = attempt("metric: the fold", metric.fold)
    check_discount_class(fold.discount)
    return fold


def check_normaliser(metric: FoldMetric) -> None:
    """Check that a metric's normaliser is positive for every pool with a relevant document, and 0 for every other pool.

    Args:
        metric: Normalised metric; its parameters may be symbols.

    Raises:
        InvalidInput: The property cannot be shown.

    """
    name = type(metric).__name__
    own = type(metric).normaliser
    if own not in _NORMALISERS:
        raise InvalidInput(
            f"metric: the normaliser of {name} is external code, which is not shown to be positive for every pool"
        )
    if own is IntentAware.normaliser:
        base = getattr(metric, "base", None)
        if not isinstance(base, FoldMetric):
            raise InvalidInput(f"metric: {name} has no base metric that is a fold over ranks")
        fold_of(base)
        check_normaliser(base)
    if own is DerivedByIdeal.normaliser:
        check_ideal(metric.fold(), name)


def check_ideal(fold: Fold, of: str) -> None:
    """Check that a fold's total over grades in descending order is positive if any grade is positive, and 0 otherwise.

    Args:
        fold: Fold. Its step is run on symbols for a nonnegative state and for grades in [0, 1].
        of: Name of the metric for messages.

    Raises:
        InvalidInput: The property cannot be shown. The message says which condition fails.

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
        # any three consecutive discounts are a positive multiple of those of ranks 1 to 3
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
