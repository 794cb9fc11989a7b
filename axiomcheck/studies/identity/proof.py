"""Proofs that the scores of two metrics are proportional, by induction over the ranks of both folds side by side.

On one aspect an invariant relates the two states: it holds before rank 1, one more document of any kind keeps it, and
under it one gain is a constant times the other. With discounts, scales, weights, normalisers and costs that are
proportional too, the scores are (docs/how-to/identities.md). `axiomcheck.studies.identity.recheck` derives them
again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

from flint import fmpq

from axiomcheck.core.errors import AxiomcheckError
from axiomcheck.metrics import Fold, FoldMetric, Metric, SingleAspectMetric, ideal
from axiomcheck.metrics.adhoc import DiscountedGain
from axiomcheck.metrics.intent_aware import IntentAware
from axiomcheck.numbers.discount import Constant, Discount, Geometric
from axiomcheck.numbers.polynomials import Range, Term, Undecided, Variables
from axiomcheck.proof.find.setting import symbolic_parameters
from axiomcheck.studies.identity.walk import Grades, NoProofError, Walk, need, shown, tidy


class Relation(StrEnum):
    """What one metric is to another, the strongest first."""

    EQUAL = "equal"
    PROPORTIONAL = "proportional"
    PER_TOPIC = "proportional on each topic"
    SAME_ORDER = "same order"
    DIFFERENT = "different"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Scope:
    """The topics that are spoken of.

    Args:
        one_aspect: topics of one aspect only.
        equal_weights: equal aspect weights only.
        grades: ``graded`` (any in [0, 1]), ``binary`` (0, or one rc > 0 per topic) or ``one`` (0 or 1).

    """

    one_aspect: bool = False
    equal_weights: bool = False
    grades: str = "graded"

    def text(self) -> str:
        """In words."""
        aspects = "topics of one aspect" if self.one_aspect else "topics of any aspects"
        weights = ", equal weights" if self.equal_weights else ""
        return (
            aspects + weights + {"graded": "", "binary": ", grades 0 or one rc", "one": ", grades 0 or 1"}[self.grades]
        )


@dataclass(frozen=True)
class IdentityProof:
    """That the scores of two metrics are proportional, on every topic of a scope and rankings of every length.

    Args:
        scope: the topics.
        relation: equal, proportional, or proportional on each topic.
        leading: the order of eps up to which it is shown; None: for all grades, so for every order.
        equal_length: whether only up to a term that depends on nothing but the ranking's length (a cost).
        factor: score A = factor * score B, as text in the parameters; by the number of aspects, in its place, where it
            depends on that; empty where it is a quotient of the topic's normalisers.
        value: the factor at the metrics' own parameters, where it is one number.
        by_aspects: number of aspects -> factor.
        parameters: those that were symbols: it holds for each of their values in the open range.
        discount_factor, gain_factor: D_A(i) = discount_factor * D_B(i) and gain A = gain_factor * gain B at every rank.
        invariant: quantity -> what is known of it, in words; empty where both metrics have one and the same fold.
        steps: the identities that were shown, in words.

    """

    scope: Scope
    relation: Relation
    leading: int | None
    equal_length: bool
    factor: str
    value: fmpq | None
    by_aspects: Mapping[int, str]
    parameters: tuple[str, ...]
    discount_factor: str
    gain_factor: str
    invariant: Mapping[str, tuple[str, str]]
    steps: tuple[str, ...]


class _TouchedError(AxiomcheckError):
    """A scale looked at the number of aspects."""


class _Untouched:
    """Stands for the number of aspects of a scale that does not depend on it: whatever is done with it raises."""

    __hash__ = None  # type: ignore[assignment]

    def _touched(self, *_: Any) -> Any:
        raise _TouchedError("depends on the number of aspects")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _touched
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _touched
    __pow__ = __rpow__ = __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = _touched
    __int__ = __float__ = __index__ = __bool__ = __neg__ = __pos__ = __abs__ = __str__ = __repr__ = _touched
    __getattr__ = __len__ = __iter__ = __round__ = _touched


MOST_ASPECTS = 6


def open_parameters(first: Metric, second: Metric) -> tuple[str, ...]:
    """Real parameters of one value in both, inside their range."""
    found: dict[str, set[Any]] = {}
    for metric in (first, second):
        symbolic = symbolic_parameters(metric)
        for name, value in metric.values.items():
            found.setdefault(name, set()).add(value if name in symbolic else None)
    return tuple(sorted(name for name, values in found.items() if len(values) == 1 and None not in values))


def fold_metric(metric: Metric, symbols: Mapping[str, Any]) -> FoldMetric:
    """The metric at symbols for some parameters, if it is what its fold says."""
    if not isinstance(metric, FoldMetric):
        raise NoProofError(f"{metric} is no fold over ranks")
    kernels = (FoldMetric.kernel, SingleAspectMetric.kernel)
    own = type(metric).kernel not in kernels or type(metric).score is not Metric.score
    need(not own, f"{metric} has a kernel of its own")
    need(type(metric.fold()).total is Fold.total, f"{metric} has a fold that adds up in a way of its own")
    at = metric.at({name: symbol for name, symbol in symbols.items() if name in metric.values})
    assert isinstance(at, FoldMetric)
    return at


def _alike(x: Any, y: Any, leave_out: str = "") -> bool:
    """Whether two objects are of one class and have the same attributes."""
    mine, others = ({k: v for k, v in vars(o).items() if k != leave_out} for o in (x, y))
    try:
        return type(x) is type(y) and mine.keys() == others.keys() and all(bool(mine[k] == others[k]) for k in mine)
    except Undecided:
        return False


def proved(first: Metric, second: Metric, scope: Scope, leading: bool, symbolic: Sequence[str]) -> IdentityProof:
    """A proof that the scores are proportional.

    Args:
        first: metric A.
        second: metric B.
        scope: the topics.
        leading: whether it is about leading coefficients for r << 1, not about every grade.
        symbolic: the parameters that become symbols.

    Raises:
        NoProofError, Undecided, _TouchedError: a premise is not met or not shown; or whatever the metrics' code raises
            on symbols.

    """
    variables = Variables()
    symbols: dict[str, Any] = {}
    for name in symbolic:
        ranges = {symbolic_parameters(m).get(name) for m in (first, second)}
        symbols[name] = variables.new(name, Range.POSITIVE if Range.POSITIVE in ranges else Range.OPEN)
    count = len(symbols)
    a, b = (fold_metric(m, symbols) for m in (first, second))
    need(scope.one_aspect or a.pooling == b.pooling, "the grades of a document are pooled in different ways")
    single = scope.one_aspect or a.pooling != "no"
    need(scope.one_aspect or a.pooling == "no" or not (a.weighted or b.weighted), "pooled grades are weighted again")
    steps: list[str] = []
    fold_a, fold_b = a.fold(), b.fold()
    ranks = min((m.cutoff for m in (first, second) if m.cutoff is not None), default=None)
    discount = _discount_factor(fold_a.discount, fold_b.discount, variables, ranks)
    steps.append(f"discounts: D_A(i) = {shown(discount)} * D_B(i) at every rank i")
    grades = Grades(seen_grades(a, scope), leading, variables)
    walk = Walk(fold_a, fold_b, grades, count)
    order: int | None = None
    invariant: dict[str, tuple[str, str]] = {}
    if not leading and _alike(fold_a, fold_b, "discount"):
        gain = variables.constant(1)
        steps.append("gains: both metrics have one and the same fold")
    else:
        gain, order, invariant = walk.gains(steps)
    factor = discount * gain
    by_topic = _normalisers(a, b, single, leading, (factor - 1).numerator.is_zero(), steps)
    need(not by_topic or walk.without_relevant(), "rankings without relevant documents earn something")
    scales = _scales(a, b, scope, single, steps, variables)
    by_aspects = {m: tidy(factor * s) for m, s in scales.items() if m}
    whole = tidy(factor * scales[0]) if 0 in scales else None
    cost_a, cost_b = (variables.constant(0) + m.cost() for m in (a, b))
    free = cost_a.numerator.is_zero() and cost_b.numerator.is_zero()
    equal_length = False
    if not free:
        matched = whole is not None and not by_topic and (cost_a * discount - whole * cost_b).numerator.is_zero()
        equal_length = not matched
        steps.append(
            "costs: in the same proportion as the gains"
            if matched
            else "costs: in another proportion, so a term remains that depends on the length only"
        )
    if whole is None or by_topic:
        relation = Relation.PER_TOPIC
    else:
        relation = Relation.EQUAL if (whole - 1).numerator.is_zero() else Relation.PROPORTIONAL
    values = [_value(first, second, name) for name in symbolic]
    constant = whole is not None and not by_topic
    return IdentityProof(
        scope,
        relation,
        order,
        equal_length,
        shown(whole) if constant and whole is not None else "",
        _at(whole, values) if constant and whole is not None else None,
        {} if by_topic else {m: shown(t) for m, t in by_aspects.items()},
        tuple(symbolic),
        shown(discount),
        shown(gain),
        invariant,
        tuple(steps),
    )


def seen_grades(metric: FoldMetric, scope: Scope) -> str:
    """The grades that the fold sees: a weighted sum of grades 0 and rc is any grade."""
    return "graded" if metric.pooling == "sum" and not scope.one_aspect else scope.grades


def _value(first: Metric, second: Metric, name: str) -> fmpq:
    """The value of a parameter that both metrics, or the one that has it, give it."""
    value = first.values[name] if name in first.values else second.values[name]
    return fmpq(value.numerator, value.denominator)


def _discount_factor(x: Discount, y: Discount, variables: Variables, ranks: int | None) -> Term:
    """The constant d with D_A(i) = d D_B(i) at every rank, or up to a rank where there is a cutoff."""
    zero = variables.constant(0)
    scales: tuple[Any, Any] = (1, 1)
    if type(x) is Geometric and type(y) is Geometric:
        same, scales = (zero + x.ratio - y.ratio).numerator.is_zero(), (x.scale, y.scale)
    elif type(x) is Geometric and type(y) is Constant:
        same, scales = (zero + x.ratio - 1).numerator.is_zero(), (x.scale, 1)
    elif type(x) is Constant and type(y) is Geometric:
        same, scales = (zero + y.ratio - 1).numerator.is_zero(), (1, y.scale)
    else:
        same = _alike(x, y)
    if not same and ranks is not None:
        both: list[tuple[Any, Any]] = [(x.rational(i), y.rational(i)) for i in range(1, ranks + 1)]
        scales = both[0]
        same = not any(None in pair for pair in both)
        same = same and all((zero + u * scales[1] - v * scales[0]).numerator.is_zero() for u, v in both)
    need(same, "the discounts are not proportional by a known rule")
    top, bottom = (zero + s for s in scales)
    need(top.sign() > 0 and bottom.sign() > 0, "a discount is 0 throughout")
    return tidy(top / bottom)


def _normalisers(
    a: FoldMetric, b: FoldMetric, single: bool, leading: bool, same_totals: bool, steps: list[str]
) -> bool:
    """Whether normalisers contribute a factor that depends on the topic."""
    if not a.normalised and not b.normalised:
        steps.append("normalisers: none")
        return False
    if a.normalised and b.normalised:
        x, y = (_owner(m) for m in (a, b))
        alike = type(x) is type(y) and x.cutoff == y.cutoff and x.values.keys() == y.values.keys()
        if alike and type(x).normaliser is not ideal and _alike_values(x, y):
            steps.append("normalisers: the same function of the pool")
            return False
        if x.cutoff == y.cutoff and same_totals and not leading and _is_ideal(x) and _is_ideal(y):
            steps.append("normalisers: what the fold earns on the ideal ranking, so one number as the totals are")
            return False
    need(single, "the normalisers differ from aspect to aspect")
    need(not leading, "the normalisers are of different orders of eps")
    steps.append("normalisers: one number per topic, positive where the pool has anything relevant")
    return True


def _is_ideal(metric: FoldMetric) -> bool:
    """Whether the normaliser is what the metric's own fold earns on the grades of the pool in descending order."""
    return type(metric).normaliser is ideal or type(metric) is DiscountedGain


def _owner(metric: FoldMetric) -> FoldMetric:
    """The metric whose normaliser it is."""
    inherited = isinstance(metric, IntentAware) and type(metric).normaliser is IntentAware.normaliser
    return metric.base if isinstance(metric, IntentAware) and inherited else metric


def _alike_values(x: Metric, y: Metric) -> bool:
    try:
        return all(bool(x.values[name] == y.values[name]) for name in x.values)
    except Undecided:
        return False


def _scales(
    a: FoldMetric, b: FoldMetric, scope: Scope, single: bool, steps: list[str], variables: Variables
) -> dict[int, Term]:
    """Number of aspects -> quotient of the scales (and of the weights, where these are equal); {0: q} if constant."""
    zero = variables.constant(0)

    def at(aspects: Any, weights: Fraction | int = 1) -> Term:
        top, bottom = zero + a.scale(aspects) * weights, zero + b.scale(aspects)
        need(top.sign() > 0 and bottom.sign() > 0, "a scale is not positive")
        return tidy(top / bottom)

    if single:
        steps.append("weights: one number per document" if not scope.one_aspect else "weights: the only one is 1")
        return {0: at(1)}
    if a.weighted == b.weighted:
        steps.append(f"weights: {'w(t) in both' if a.weighted else 'none in both'}")
        try:
            return {0: at(_Untouched())}
        except (_TouchedError, TypeError):
            return {m: at(m) for m in range(1, MOST_ASPECTS + 1)}
    need(scope.equal_weights, "only one of the metrics weighs aspects")
    steps.append("weights: 1/m of each aspect in one metric, 1 in the other")
    return {m: at(m, Fraction(1, m) if a.weighted else m) for m in range(1, MOST_ASPECTS + 1)}


def _at(term: Term, values: Sequence[fmpq]) -> fmpq:
    """A function of the parameters alone, which are the first variables, at their values."""
    point = [*values, *[fmpq(0)] * (len(term.variables.generators) - len(values))]
    return term.numerator(*point) / term.denominator(*point)


def cost_decides(first: Metric, second: Metric) -> bool:
    """Whether for r << 1 both metrics order rankings of different lengths by their cost alone, at eps^0.

    That is so if both have one, and every gain is of order eps. Rankings of one length are another matter.
    """
    a, b = (fold_metric(m, {}) for m in (first, second))
    if a.normalised or b.normalised or not (a.cost() > 0 and b.cost() > 0):
        return False
    try:
        order = Walk(a.fold(), b.fold(), Grades("graded", True, Variables()), 0).gains([])[1]
    except (NoProofError, Undecided):
        return False
    return order == 1
