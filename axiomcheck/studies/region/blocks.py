"""DeepTh and CloseTh with symbols for the parameters: who is ahead at each n, and an argument for every large n.

Both compare one relevant document on top of 2n - 1 others ("top") with n non-relevant documents before n relevant ones
("block"). At each n the metric's own code, run on symbols, gives Q(top) - Q(block) as a quotient of polynomials.

For large n the metric's fold (`axiomcheck.metrics.fold`) is asked what one more relevant document earns. Where that is
kappa times what the one before it earned, whatever the state, the block earns D_{n+1} g, D_{n+2} kappa g, ... and the
single top document D_1 g. With kappa <= 1 the block falls behind

- for D_i = c p^(i-1) once p^n < 1 - p kappa, the sum of the whole geometric series from rank n + 1 on;
- for D_i = 1/i at every n: n terms, none above 1/(n + 1);
- for D_i = 1/(o + log(i + s)) and kappa < 1 once D_{n+1} < D_1 (1 - kappa), the factors adding up to less than
  1 / (1 - kappa).

Each of these conditions, once true, stays so for larger n.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from flint import ctx, fmpq

from axiomcheck.core.errors import NotRational
from axiomcheck.decide.thresholds import same_from
from axiomcheck.metrics import Fold, FoldMetric, Metric
from axiomcheck.numbers.discount import Constant, Discount, Geometric, InverseLog, Reciprocal
from axiomcheck.numbers.series import Series
from axiomcheck.proof.find.thresholds import first_where
from axiomcheck.studies.region.axes import GRADE
from axiomcheck.studies.region.polynomials import BITS, Box, BoxPolynomial, OpenEnds
from axiomcheck.studies.region.symbols import BoxSymbols, ParameterArithmetic, Term, Undecided, one_entry, score_on

_ZERO: Any = fmpq(0)
_FARTHEST = 2**40
_STATE = "(state)"


@dataclass(frozen=True)
class BlockDifference:
    """Q(top) - Q(block) at one n, up to a positive factor.

    Args:
        plain: its numerators, the lowest order of eps that is not identically zero first; none if the two always tie.
        leading: the first of them divided by what the top document earns, which is positive on the whole box; None
            where that was not shown.

    """

    plain: tuple[BoxPolynomial, ...]
    leading: BoxPolynomial | None

    def signs(self, box: Box) -> tuple[int | None, int | None]:
        """Signs of a lower and an upper bound of the deciding term on a box; None where open."""
        if not self.plain:
            return 0, 0
        return (self.leading or self.plain[0]).range_signs(box)

    @property
    def polynomial(self) -> BoxPolynomial | None:
        """Return what decides wherever it is not zero; None if the two always tie."""
        return self.leading or self.plain[0] if self.plain else None


@dataclass
class Blocks:
    """The block pairs of one metric, with symbols for some of its parameters.

    Args:
        metric: at its fixed values and cutoff.
        box: varied name -> its whole range, none below 0; with ``rc`` unless ``small``.
        small: whether r << 1 is assumed: signs are then those of the leading coefficient in eps.
        open_ends: (name, value) of the ends that the metric does not allow.

    """

    metric: Metric
    box: Box
    small: bool
    open_ends: OpenEnds = frozenset()
    _known: dict[int, BlockDifference] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.tail = _fold_tail(self.metric, self.box, self.small) if self.metric.cutoff is None else None

    @property
    def names(self) -> tuple[str, ...]:
        """The variables."""
        return tuple(self.box)

    def difference(self, n: int) -> BlockDifference:
        """Q(top) - Q(block) for blocks of n.

        Raises:
            Undecided: the metric's code takes different branches for different parameters.
            InvalidInput: the metric's code cannot be run on symbols.

        """
        if n not in self._known:
            try:
                self._known[n] = self._run(n, 0)
            except NotRational:
                self._known[n] = self._run(n, min(3 * n + 3, self.metric.cutoff or 3 * n + 3))
        return self._known[n]

    def behind_from(self, box: Box, most: int) -> tuple[int, str] | None:
        """(n, why): on the whole box the block is not ahead from that n on if it is not before; None where not shown.

        Args:
            box: where.
            most: the largest such n that is of use.

        """
        k = self.metric.cutoff
        if k is not None:
            return k + 1, same_from(k)
        if self.tail is not None:
            start = self.tail.start(box, most)
            return None if start is None else (start, f"for n >= {start}: {self.tail.words}")
        tail = self.metric.tail() if set(self.box) <= {GRADE} else None  # which holds at every grade
        if tail is None or tail.side == "above" or tail.start > most:
            return None
        return tail.start, f"for n >= {tail.start}: {tail.statement}"

    def eventually(self, box: Box, open_ends: OpenEnds) -> tuple[int, str] | None:
        """(sign, why) of Q(top) - Q(block) for every n from some n on, at each point of a box; None where not shown.

        Args:
            box: where.
            open_ends: (name, value) of the ends of its sides that are not part of it.

        """
        k = self.metric.cutoff
        if k is not None:
            last = self.difference(k)
            low, high = last.signs(box)
            words = same_from(k)
            if low == 1 or high == -1:
                return (1 if low == 1 else -1), words
            return (0, words) if not last.plain else None
        if self.tail is not None:
            sign = self.tail.eventually(box, open_ends)
            grows = "n terms, none below the last, whose sum grows beyond any bound"
            return None if sign is None else (sign, grows if sign < 0 else self.tail.words)
        tail = self.metric.tail() if set(self.box) <= {GRADE} else None
        if tail is None:
            return None
        return {"below": 1, "above": -1, "equal": 0}[tail.side], tail.statement

    def _run(self, n: int, depth: int) -> BlockDifference:
        symbols = BoxSymbols(self.box, self.open_ends | {(GRADE, Fraction(0))}, depth)
        lost, earned = self._scores(symbols, n, 0)
        if not isinstance(self.metric, FoldMetric):  # of which all aspects' normalisers are known to be positive
            for extras in (1, 3):
                others, _ = self._scores(symbols, n, extras)
                pairs = zip(others, lost, strict=False)
                if len(others) != len(lost) or not all(_of_one_sign(*pair, symbols) for pair in pairs):
                    raise Undecided("relevant documents that neither ranking retrieves may change the comparison")
        leading = None
        if lost and earned is not None and symbols.sign(earned.numerator) == 1:
            leading = symbols.read((lost[0] / earned).lowest().numerator)
        return BlockDifference(tuple(symbols.read(x.numerator) for x in lost), leading)

    def _scores(self, symbols: BoxSymbols, n: int, extras: int) -> tuple[list[Term], Term | None]:
        """By order of eps, what is not identically zero of Q(top) - Q(block); and what the top document earns."""
        grade = fmpq(1) if self.small else symbols.variable(GRADE)
        zeros = [_ZERO] * n
        rankings = [[grade, *zeros, *zeros[1:]], [*zeros, *([grade] * n)], [*zeros, *zeros]]
        grades = np.array(rankings, dtype=object)[..., None]
        pool = np.array([grade] * (n + extras) + [*zeros, *zeros[1:]], dtype=object)[:, None]
        weights = one_entry(fmpq(1))
        zero = symbols.constant(0)
        score = score_on(self.metric, symbols, grades, weights, pool, self.small)
        terms = score.terms if isinstance(score, Series) else {0: score}
        rows = [[zero + v for v in np.broadcast_to(terms[order], (3,))] for order in sorted(terms)]
        earned = next((x for top, _, none in rows if not (x := top - none).numerator.is_zero()), None)
        lost = [top - block for top, block, _ in rows]
        return [x for x in lost if not x.numerator.is_zero()], earned


def _of_one_sign(x: Term, y: Term, symbols: BoxSymbols) -> bool:
    """Tell whether a quotient of two terms is seen to be positive, though neither may have one sign."""
    top, bottom = x.numerator * y.denominator, y.numerator * x.denominator
    common = top.gcd(bottom)
    sign = symbols.sign(top / common)
    return bool(sign) and sign == symbols.sign(bottom / common)


@dataclass(frozen=True)
class FoldTail:
    """The argument for every large n, from the fold.

    Args:
        discount: of the ranks, at symbols.
        ratio: of a geometric discount, as a polynomial in the parameters.
        kappa: what a relevant document earns as a share of what the one before it earned.

    """

    discount: Discount
    ratio: BoxPolynomial | None
    kappa: BoxPolynomial

    def start(self, box: Box, most: int) -> int | None:
        """An n from which on the block is behind or ties on the whole box, if there is one up to ``most``."""
        with ctx.workprec(BITS):
            kappa = self.kappa.upper(box)
            if isinstance(self.discount, Geometric):
                assert self.ratio is not None
                ratio = self.ratio.upper(box)
                return first_where(lambda n: bool(ratio < 1 and ratio**n < 1 - ratio * kappa), most)
            if isinstance(self.discount, Reciprocal):
                return 1
            if isinstance(self.discount, InverseLog):
                discount = self.discount
                first = discount.ball(1)
                return first_where(lambda n: bool(kappa < 1 and discount.ball(n + 1) < first * (1 - kappa)), most)
        return 1 if self.kappa.is_zero else None

    def eventually(self, box: Box, open_ends: OpenEnds) -> int | None:
        """The sign of Q(top) - Q(block) for every n from some n on, at each point of a box; None where not shown.

        That n may grow without bound over the box.

        Args:
            box: where.
            open_ends: (name, value) of the ends of its sides that are not part of it.

        """
        if isinstance(self.discount, Reciprocal):
            return 1
        if isinstance(self.discount, Geometric):
            assert self.ratio is not None
            return 1 if _below_one(self.ratio, box, open_ends) else None
        if isinstance(self.discount, InverseLog):
            if _below_one(self.kappa, box, open_ends):
                return 1
            # Everything counts fully: n terms, none below D_{2n}, and n D_{2n} grows beyond any bound.
            return -1 if _always_one(self.kappa, box) else None
        return 0 if self.kappa.is_zero else None

    @property
    def words(self) -> str:
        """The argument in words."""
        if isinstance(self.discount, Geometric):
            return "the sum of the whole geometric series from rank n + 1 on is below the top's share"
        if isinstance(self.discount, Reciprocal):
            return "n terms, none above 1 / (n + 1)"
        if isinstance(self.discount, InverseLog):
            return "the discounts are at most the first, and the redundancy factors a geometric series"
        return "only the first relevant document counts, at any rank"


def _below_one(polynomial: BoxPolynomial, box: Box, open_ends: OpenEnds) -> bool:
    """Tell whether it is below 1 at each point of a box without its open ends."""
    high = polynomial.upper(box)
    if high < 1:
        return True
    (name, *others) = sorted(polynomial.variables) or [""]
    if others or not polynomial.exact or polynomial.monotone is None or not name:
        return False
    # One variable, and strictly monotone in it: 1 is reached at one end of its side only.
    return bool(high == 1) and (name, polynomial.corner(box, 1)[name]) in open_ends


def _always_one(polynomial: BoxPolynomial, box: Box) -> bool:
    if all(box[name][0] == box[name][1] for name in polynomial.variables) and polynomial.exact:
        return bool(polynomial.value({name: ends[0] for name, ends in box.items()}) == 1)
    return False


def _fold_tail(metric: Metric, box: Box, small: bool) -> FoldTail | None:
    """The tail argument of a metric without cutoff; None where its fold does not have the form that it needs."""
    if not isinstance(metric, FoldMetric):
        return None
    unit = (Fraction(0), Fraction(1))
    symbols = BoxSymbols({GRADE: unit, **box, _STATE: unit}, frozenset({(GRADE, Fraction(0)), (_STATE, Fraction(0))}))
    a = ParameterArithmetic(symbols)
    placed = metric.at({name: symbols.variable(name) for name in box if name != GRADE})
    assert isinstance(placed, FoldMetric)
    fold = placed.fold()
    if not isinstance(fold.discount, Geometric | Reciprocal | InverseLog | Constant):
        return None
    try:
        share = _share_of_the_next(fold, a, symbols)
    except Undecided:
        return None
    if share is None:
        return None
    names = tuple(box)
    # Where r << 1 is assumed, what counts is the leading order in eps, where kappa has its value at rc = 0.
    kappa = _in(names, symbols.read(share), small)
    ratio = None
    if isinstance(fold.discount, Geometric):
        ratio = _in(names, symbols.read((symbols.constant(0) + fold.discount.ratio).numerator), small)
    one_less = _in(names, symbols.read(symbols.one - share), small)
    proper = all(p.range_signs(box)[0] in (0, 1) for p in (kappa, one_less))
    return FoldTail(fold.discount, ratio, kappa) if proper else None


def _share_of_the_next(fold: Fold, a: ParameterArithmetic, symbols: BoxSymbols) -> Any:
    """Kappa, as a polynomial of the ring, where each relevant document earns kappa times what the one before it earned.

    Shown for every state at once: the state S is a symbol, a relevant document earns g S and leaves kappa S behind, and
    a non-relevant one earns nothing and leaves S as it is.
    """
    relevant, other = one_entry(symbols.variable(GRADE)), one_entry(_ZERO)
    start = fold.start(a)
    if not start:
        gain, after = fold.step(a, (), relevant)
        nothing, still = fold.step(a, (), other)
        return symbols.one if after == still == () and nothing[0] == 0 and gain[0] > 0 else None
    if len(start) != 1 or not start[0] > 0:
        return None
    state = one_entry(symbols.variable(_STATE))
    gain, (after,) = fold.step(a, (state,), relevant)
    nothing, (still,) = fold.step(a, (state,), other)
    earned, left = (symbols.constant(0) + x[0] for x in (gain, after))
    if not (nothing[0] == 0 and still[0] - state[0] == 0 and earned > 0):
        return None
    if not (earned.denominator.is_one() and left.denominator.is_one()):
        return None
    place = symbols.names.index(_STATE)
    if any(key[place] != 1 for x in (earned, left) for key in x.numerator.to_dict()):
        return None
    return left.numerator / state[0].numerator


def _in(names: tuple[str, ...], polynomial: BoxPolynomial, small: bool) -> BoxPolynomial:
    """The polynomial in some of its variables; the others do not occur, or are rc -> 0."""
    places = [polynomial.names.index(name) for name in names]
    rest = [k for k in range(len(polynomial.names)) if k not in places]
    kept = {}
    for key, c in polynomial.terms.items():
        if any(key[k] for k in rest):
            assert small
            continue
        kept[tuple(key[k] for k in places)] = c
    return BoxPolynomial(names, kept)
