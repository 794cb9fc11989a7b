"""Decide DeepTh and CloseTh on boxes of parameters, using the polynomials that the proof checker derives.

Both axioms compare two rankings. "Top" has one relevant document followed by 2n - 1 non-relevant documents. "Block" has
n non-relevant documents followed by n relevant documents. The metric's fold (`axiomcheck.proof.check.threshold_parts`)
is run on symbols for the parameters and the grade. The run gives the gain g_j of the j-th relevant document in a row.
Up to a positive factor, Q(top) - Q(block) is then D_1 g_1 - sum_j D_{n+j} g_j. An irrational discount is enclosed by
two rationals, and the difference by two polynomials.

The arguments for large n require that g_{j+1} = kappa g_j with kappa <= 1. The block then falls behind

- for D_i = c p^(i-1) once p^n < 1 - p kappa, by the sum of the whole geometric series from rank n + 1 on;
- for D_i = 1/i at every n, since the sum has n terms, each at most 1/(n + 1);
- for D_i = 1/(o + log(i + s)) and kappa < 1 once D_{n+1} < D_1 (1 - kappa), since the factors add up to less than 1 /
  (1 - kappa).

Each of these conditions, once true, stays true for larger n.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TypeAlias

from flint import arb, ctx, fmpq, fmpq_mpoly

from axiomcheck.axioms import ThresholdAxiom
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.thresholds import same_from
from axiomcheck.metrics import FoldMetric, Metric, Real
from axiomcheck.metrics.tails import first_number
from axiomcheck.numbers.arithmetic import to_fmpq
from axiomcheck.numbers.discount import Constant, Discount, Geometric, InverseLog, Reciprocal
from axiomcheck.proof.check.fold_conditions import check_origin, fold_of
from axiomcheck.proof.check.polynomials import SMALL, Polynomial, Variable
from axiomcheck.proof.check.quotients import Quotient, SignUnknown, settled, variable
from axiomcheck.proof.check.threshold_parts import ThresholdPart
from axiomcheck.proof.check.thresholds import Conditions
from axiomcheck.studies.region.algebraic import Bounds, Box, OpenEnds, Ring, dyadic
from axiomcheck.studies.region.axes import GRADE, Axis
from axiomcheck.studies.region.result import RegionFinding

MOST = 400
"""Largest n up to which every n is compared individually."""

_SHORT = 40
"""Largest n that is tried to find a block that is ahead, if there is no cutoff and no argument for large n."""

_BITS = 192
"""Precision in bits of the enclosures of irrational discounts."""

_UNIT = (Fraction(0), Fraction(1))
_GRADES = tuple(Fraction(x) for x in ("1", "1/2", "9/10", "1/10", "99/100"))
_GRADE_DEPTH = 5

Argument: TypeAlias = tuple[int, str]
"""An n or a sign, paired with the reason in words."""


@dataclass(frozen=True)
class BlockDifference:
    """Polynomial, or pair of enclosing polynomials, for Q(top) - Q(block) at one n, up to a positive factor.

    Args:
        lower, upper: Polynomials that enclose the difference. They are the same object if it is known exactly.
        later: Coefficients of higher orders of eps, which decide the sign if the first order is 0. If the difference is
            only enclosed, they are not exact.

    """

    lower: fmpq_mpoly
    upper: fmpq_mpoly
    later: tuple[fmpq_mpoly, ...] = ()

    @property
    def exact(self) -> bool:
        """True if the difference is known exactly and not just enclosed."""
        return self.lower is self.upper


class Thresholds:
    """Comparison of the rankings top and block for one metric and cutoff, with symbols for some parameters.

    Args:
        metric: Metric with its fixed parameter values and cutoff.
        axiom: DeepTh or CloseTh.
        axes: Real parameters that vary, possibly including ``rc``.
        small: Whether r << 1 is assumed, so that signs are those of the leading coefficient in eps.
        grade: Grade of relevant documents; None for a symbol.

    Attributes:
        ring: Ring of the parameters and ``rc``.

    Raises:
        InvalidInput: The metric's code does not run on symbols, or is not a fold that the lemmas on long blocks cover.

    """

    def __init__(
        self, metric: Metric, axiom: ThresholdAxiom, axes: Sequence[Axis], small: bool, grade: Fraction | None = None
    ) -> None:
        self.metric, self.axiom, self.axes, self.small, self.grade = metric, axiom, tuple(axes), small, grade
        varied = [axis for axis in axes if axis.name != GRADE]
        lows = {(axis.name, axis.low) for axis in axes if axis.low_open}
        highs = {(axis.name, axis.high) for axis in axes if axis.high_open}
        self.ring = Ring([*(axis.name for axis in varied), GRADE], frozenset({(GRADE, Fraction(0)), *lows, *highs}))
        r = variable("r", SMALL if small else "(0, 1]") if grade is None else Quotient.of(grade)
        self._at: dict[Variable, fmpq_mpoly] = dict.fromkeys(r.numerator.degrees(), self.ring.variables[GRADE])
        symbols: dict[str, Quotient] = {}
        for axis in varied:
            unit, low, width = _unit(metric, axis)
            symbols[axis.name] = unit * width + low
            (v,) = unit.numerator.degrees()
            self._at[v] = (self.ring.variables[axis.name] - to_fmpq(low)) / to_fmpq(width)
        name = type(metric).__name__
        with settled(f"metric: {name}"):
            check_origin(metric)
            placed = metric.at(symbols)
            fold = fold_of(placed)
            assert isinstance(placed, FoldMetric)
            self.part = ThresholdPart(fold, metric.cutoff, r, {})
            self._conditions = Conditions.of(self.part)
            if not isinstance(fold.discount, Geometric):  # the signs of a geometric discount depend on the box
                self._conditions.check_discounts()
            scale = Quotient.of(placed.scale(1))
            if not scale.shown(">="):
                raise InvalidInput(f"metric: the scale of {name} could not be shown to be nonnegative")
            self._scale = self._read(scale.numerator)
            if isinstance(fold.discount, Geometric):
                self._discount(1)  # its numbers have to be polynomials
        self._gains: list[Quotient] = []
        self._differences: dict[int, BlockDifference] = {}
        self._won: list[int] = []
        self._at_grades: dict[Fraction, Thresholds] = {}

    def _read(self, polynomial: Polynomial) -> fmpq_mpoly:
        """Convert a polynomial in the checker's variables to a polynomial of the ring."""
        read: fmpq_mpoly = polynomial.at(self._at) + self.ring.context.constant(0)
        return read

    @property
    def every_grade(self) -> bool:
        """True if a verdict must hold for every rc in (0, 1], because rc is not fixed, not an axis and not << 1."""
        return not self.small and self.grade is None and GRADE not in {axis.name for axis in self.axes}

    def full(self, box: Box) -> Box:
        """Add the interval [0, 1] for rc to a box that has none."""
        return {GRADE: _UNIT, **box}

    # Q(top) - Q(block)

    def difference(self, n: int) -> BlockDifference:
        """Return Q(top) - Q(block) for a given n, as polynomials in the varied parameters and rc.

        Raises:
            SignUnknown: The metric's code takes different branches for different values of a parameter or a grade.

        """
        if n not in self._differences:
            self._differences[n] = self._difference(n)
        return self._differences[n]

    def _difference(self, n: int) -> BlockDifference:
        discounts = {rank: self._discount(rank) for rank in self._weights(n)}
        zero = self.ring.context.constant(0)
        if all(low is high for low, high in discounts.values()):
            whole = sum((f * discounts[rank][0] for rank, f in self._weights(n).items()), zero) * self._scale
            first, *later = self._orders([whole]) or [[zero]]
            return BlockDifference(first[0], first[0], tuple(f for (f,) in later))
        lower = upper = zero
        leading, *later = self._orders(list(self._weights(n).values())) or [[]]
        for (rank, (low, high)), factor in zip(discounts.items(), leading, strict=True):
            # No gain is negative (`Conditions`), and all but the first document's are subtracted.
            low, high = (low, high) if rank == 1 else (high, low)
            lower, upper = lower + factor * low, upper + factor * high
        return BlockDifference(lower * self._scale, upper * self._scale, tuple(each[0] for each in later))

    def _weights(self, n: int) -> dict[int, fmpq_mpoly]:
        """Return the coefficient of each discount D_i in Q(top) - Q(block): g_1 for i = 1, and -g_j for i = n + j."""
        if len(self._gains) < n:
            self._gains = self.part.gains(2 * n)
        return {rank: self._read(factor.numerator) for rank, factor in self.part.weights(n, self._gains).items()}

    def _leading(self, n: int) -> dict[int, fmpq_mpoly]:
        """Return `_weights` at the lowest order of eps; without r << 1, return them divided by a common power of rc."""
        weights = self._weights(n)
        orders = self._orders(list(weights.values()))
        return dict(zip(weights, orders[0], strict=True)) if orders else {}

    def _orders(self, polynomials: Sequence[fmpq_mpoly]) -> list[list[fmpq_mpoly]]:
        """Split polynomials by order of eps; return a list of their coefficients for each order.

        If r << 1 is not assumed, there is one list, with the polynomials divided by a common power of rc.
        """
        place = self.ring.names.index(GRADE)
        terms = [f.to_dict() for f in polynomials]
        powers = sorted({int(key[place]) for each in terms for key in each})

        def taken(each: dict[tuple[int, ...], fmpq], order: int) -> fmpq_mpoly:
            return self.ring.context.from_dict(
                {
                    (*key[:place], int(key[place]) - order, *key[place + 1 :]): c
                    for key, c in each.items()
                    if not self.small or key[place] == order
                }
            )

        return [[taken(each, order) for each in terms] for order in (powers if self.small else powers[:1])]

    def _discount(self, rank: int) -> tuple[fmpq_mpoly | fmpq, fmpq_mpoly | fmpq]:
        """Return the discount D_i twice if it is rational or a polynomial, else two rationals that enclose it."""
        discount = self.part.fold.discount
        if isinstance(discount, Geometric):
            ratio, scale = (self._read(Quotient.of(x).polynomial()) for x in (discount.ratio, discount.scale))
            value = scale * ratio ** (rank - 1)
            return value, value
        return _enclosed(discount, rank)

    def bounds(self, n: int, box: Box) -> Bounds:
        """Bound the sign of Q(top) - Q(block) at n on a box. A bound that higher orders of eps may change is None."""
        difference = self.difference(n)
        low, high = self.ring.bounds(difference.lower, self.full(box))
        if not difference.exact:
            high = self.ring.bounds(difference.upper, self.full(box))[1]
        return (None if low == 0 and difference.later else low), (None if high == 0 and difference.later else high)

    def slope(self, n: int, box: Box) -> int | None:
        """Return the sign of the derivative of Q(top) - Q(block) on a narrow box of one parameter; None if unknown."""
        (name,) = box
        place = {of: _ball(*ends) for of, ends in self.full(box).items()}
        total = arb(0)
        with ctx.workprec(_BITS):
            for rank, factor in self._leading(n).items():
                low, high = self._discount(rank)
                if not isinstance(low, fmpq) or not isinstance(high, fmpq):
                    return None
                rate = factor.derivative(self.ring.names.index(name))
                total += _over(rate, [place[of] for of in self.ring.names]) * _ball(low, high)
        return 1 if total > 0 else -1 if total < 0 else None

    # Large n

    @cached_property
    def kappa(self) -> fmpq_mpoly | None:
        """Ratio of each relevant document's gain to the preceding one, if it is the same at all ranks; else None."""
        if len(self._conditions.outcomes) != 1:
            return None
        ((earned, left),) = self._conditions.outcomes
        if not left:
            return self.ring.context.constant(1)
        if len(left) > 1:
            return None
        (state,) = self._conditions.states[0].numerator.degrees()
        shares = [x.numerator.coefficient(state, 1) for x in (earned, left[0])]
        for x, share in zip((earned, left[0]), shares, strict=True):
            if not (x - Quotient(share) * self._conditions.states[0]).is_zero:
                return None
        return self._read(shares[1])

    def _proper(self, box: Box) -> bool:
        """Return True if the arguments for large n apply on a box: kappa is in [0, 1] and no discount is negative."""
        if self.kappa is None:
            return False
        signed = [self.kappa, 1 - self.kappa, self._scale * self._discount(1)[0]]
        signed += [self._ratio] if isinstance(self.part.fold.discount, Geometric) else []
        return all(self.ring.bounds(f, self.full(box))[0] is not None for f in signed)

    @cached_property
    def _ratio(self) -> fmpq_mpoly:
        discount = self.part.fold.discount
        assert isinstance(discount, Geometric)
        return self._read(Quotient.of(discount.ratio).polynomial())

    def behind_from(self, box: Box) -> Argument | None:
        """Return (n, reason) if the block is provably never ahead on a box from n on; None if there is no proof."""
        k = self.metric.cutoff
        if k is not None:
            return k + 1, same_from(k)
        discount, full = self.part.fold.discount, self.full(box)
        start: int | None = None
        words = _TAIL_WORDS.get(type(discount), "")
        if self.kappa is not None and self._proper(box):
            kappa = self.ring.upper(self.kappa, full)
            if isinstance(discount, Geometric):
                ratio = self.ring.upper(self._ratio, full)
                start = first_number(lambda n: bool(ratio < 1 and ratio**n < 1 - ratio * kappa), most=MOST)
            elif isinstance(discount, Reciprocal):
                start = 1
            elif isinstance(discount, InverseLog):
                first = discount.ball(1)
                start = first_number(
                    lambda n: bool(kappa < 1 and discount.ball(n + 1) < first * (1 - kappa)), most=MOST
                )
            elif isinstance(discount, Constant) and kappa == 0:
                start = 1
        if start is not None:
            return start, f"for n >= {start}: {words}"
        tail = self.metric.tail() if self.ring.names == (GRADE,) else None  # the tail's statement holds at every grade
        if tail is None or tail.side == "above" or tail.start > MOST:
            return None
        return tail.start, f"for n >= {tail.start}: {tail.statement}"

    def eventually(self, box: Box, open_ends: OpenEnds = frozenset()) -> Argument | None:
        """Return (sign, reason) for the sign of Q(top) - Q(block) on a box for all large n; None if there is no proof.

        Args:
            box: Box of parameters. The sign holds at each point for all sufficiently large n. There need not be a
                common bound for all points.
            open_ends: Endpoints of the box's sides that are excluded.

        """
        k = self.metric.cutoff
        if k is not None:
            low, high = self.bounds(k, box)
            sign = low if low in (1, high) else high if high == -1 else None
            return None if sign is None else (sign, same_from(k))
        discount, full = self.part.fold.discount, self.full(box)

        sign, words = None, _TAIL_WORDS.get(type(discount), "")
        first = self._scale * self._discount(1)[0]
        if self.kappa is not None and self._proper(box) and self.ring.bounds(first, full, open_ends)[0] == 1:
            share = self._ratio if isinstance(discount, Geometric) else self.kappa
            shrinks = isinstance(discount, Geometric | InverseLog) and (
                self.ring.bounds(1 - share, full, open_ends)[0] == 1
            )
            if isinstance(discount, Reciprocal) or shrinks:
                sign = 1
            elif isinstance(discount, InverseLog) and self.ring.bounds(1 - self.kappa, full) == (0, 0):
                # All gains are equal: n terms, none below D_{2n}, and n D_{2n} grows beyond any bound.
                sign, words = -1, "it sums n terms, none below the last, and this sum grows beyond any bound"
            elif isinstance(discount, Constant) and self.kappa.is_zero():
                sign = 0
        if sign is not None:
            return sign, words
        tail = self.metric.tail() if self.ring.names == (GRADE,) else None
        return None if tail is None else ({"below": 1, "above": -1, "equal": 0}[tail.side], tail.statement)

    # Verdicts

    def finding(self, box: Box) -> RegionFinding | None:
        """Return a finding that holds at every point of a box, or None if there is no proof.

        Endpoints that the metric does not allow are excluded from the box.
        """
        found = self._certain(box)
        known = self._differences.values()  # empty if no difference could be computed with a symbol for the grade
        grade_matters = not known or any(self.ring.depends_on(each.lower, GRADE) for each in known)
        if found is not None or not self.every_grade or not grade_matters:
            return found
        for rc in _GRADES:
            found = self._at_grade(rc).finding(box)
            if found is not None and found.verdict is Verdict.REFUTED:
                return RegionFinding(Verdict.REFUTED, f"at rc = {rc}: {found.how}")
        return self._all_grades(box, *_UNIT, _GRADE_DEPTH)

    def _at_grade(self, rc: Fraction) -> Thresholds:
        if rc not in self._at_grades:
            self._at_grades[rc] = Thresholds(self.metric, self.axiom, self.axes, self.small, rc)
        return self._at_grades[rc]

    def _all_grades(self, box: Box, low: Fraction, high: Fraction, depth: int) -> RegionFinding | None:
        found = self._certain({**box, GRADE: (low, high)})
        if found is not None and found.verdict is Verdict.PROVED:
            return RegionFinding(Verdict.PROVED, "for every rc in (0, 1]: " + found.how)
        if found is not None or not depth:
            return None
        middle = (low + high) / 2
        parts = [self._all_grades(box, *side, depth - 1) for side in ((low, middle), (middle, high))]
        return parts[0] if all(parts) else None

    def _certain(self, box: Box) -> RegionFinding | None:
        try:
            if self.axiom.winner == "block":
                return self._close(box)
            found = self.eventually(box)
        except SignUnknown:
            return None
        return None if found is None else deep(*found)

    def _close(self, box: Box) -> RegionFinding | None:
        argument = self.behind_from(box)
        numbers = range(1, (argument[0] if argument else _SHORT + 1))
        for n in [*self._won, *(n for n in numbers if n not in self._won)]:
            if self.ring.middle(self.difference(n).upper, self.full(box)) < 0 and self.bounds(n, box)[1] == -1:
                self._won = [n, *(other for other in self._won if other != n)]
                return RegionFinding(Verdict.PROVED, f"the block is ahead at n = {n}")
        if argument is None or any(self.bounds(n, box)[0] is None for n in numbers):
            return None
        return behind(*argument)


_TAIL_WORDS: dict[type[Discount], str] = {
    Geometric: "the sum of the whole geometric series from rank n + 1 on is below the top's share",
    Reciprocal: "n terms, none above 1 / (n + 1)",
    InverseLog: "the discounts are at most the first one, and the redundancy factors form a geometric series",
    Constant: "only the first relevant document counts, at any rank",
}
"""Reason why the block falls behind for large n, keyed by discount class."""


def behind(start: int, words: str) -> RegionFinding:
    """Return the finding that CloseTh fails because the block is never ahead.

    Args:
        start: First n that the argument covers. Every smaller n was compared individually.
        words: The argument in words.

    """
    tried = f"the block is not ahead at n = 1 to {start - 1}, and " if start > 1 else "the block is not ahead "
    return RegionFinding(Verdict.REFUTED, tried + words)


def deep(sign: int, words: str) -> RegionFinding:
    """Return the finding for DeepTh from the sign of the difference for all sufficiently large n."""
    what = {1: "the top is ahead", 0: "the two tie", -1: "the block is ahead"}[sign]
    return RegionFinding(Verdict.PROVED if sign == 1 else Verdict.REFUTED, f"{what} for all large n: {words}")


def _unit(metric: Metric, axis: Axis) -> tuple[Quotient, Fraction, Fraction]:
    """Return a symbol u and numbers low and width such that low + u * width ranges over a parameter's declared range.

    An endpoint of that range is included only if the axis includes it, so that the code takes the same branch there.
    """
    parameter = next(p for p in metric.declared if p.name == axis.name)
    if not isinstance(parameter, Real):
        raise InvalidInput(f"metric: {metric} declares no range for {axis.name}")
    low, high = parameter.low, parameter.high
    left = "[" if axis.low == low and not axis.low_open else "("
    right = "]" if axis.high == high and not axis.high_open else ")"
    if high is None:
        return variable(axis.name, f"{left}0, oo)"), low, Fraction(1)
    return variable(axis.name, f"{left}0, 1{right}"), low, high - low


@lru_cache(maxsize=2000)
def _enclosed(discount: Discount, rank: int) -> tuple[fmpq, fmpq]:
    """Return the discount D_i twice if it is rational, else two rationals that enclose it."""
    value = discount.rational(rank)
    if value is not None:
        exact = to_fmpq(value)
        return exact, exact
    with ctx.workprec(_BITS):
        ball = discount.ball(rank)
        middle, radius = (to_fmpq(dyadic(x)) for x in (ball.mid(), ball.rad()))
    return middle - radius, middle + radius


def _ball(low: Fraction | fmpq, high: Fraction | fmpq) -> arb:
    """Return a ball that contains an interval."""
    ends = [arb(x if isinstance(x, fmpq) else to_fmpq(x)) for x in (low, high)]
    return ends[0].union(ends[1])


def _over(f: fmpq_mpoly, place: Sequence[arb]) -> arb:
    """Evaluate a polynomial on balls; return a ball that contains all its values."""
    total = arb(0)
    for exponents, c in f.to_dict().items():
        term = arb(c)
        for x, k in zip(place, exponents, strict=True):
            term *= x ** int(k)
        total += term
    return total
