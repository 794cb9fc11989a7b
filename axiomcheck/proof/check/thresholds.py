"""Check DeepTh and CloseTh certificates for metrics that are folds or mixtures of folds.

A certificate of kind ``tail`` names a metric, an axiom, a claim, and one of the lemmas in ``docs/lemmas/thresholds.md``
with its numbers. The checker derives the side conditions of that lemma from the metric's fold
(`axiomcheck.metrics.fold`). The state of the fold, the grade and the parameters that the scope lists are symbols.

Notation, as in the lemmas: D_i is the discount, g_j the gain of the j-th relevant document in a row, T = D_1 g_1 the
total of the one relevant document on top, L(n) = sum_{j=1..n} D_{n+j} g_j the total of the block. If r << 1 is assumed,
g_j stands for its leading coefficient in r.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, ctx, fmpq

from axiomcheck.axioms import ThresholdAxiom
from axiomcheck.core.documents import UNSET
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.limits import FARTHEST, PRECISION
from axiomcheck.core.printable import counted
from axiomcheck.metrics import Metric
from axiomcheck.numbers.arithmetic import to_fmpq
from axiomcheck.numbers.discount import Constant, Discount, Geometric, InverseLog, Reciprocal
from axiomcheck.proof.check.fold_conditions import check_origin
from axiomcheck.proof.check.header import fraction_of, open_parameters, require, threshold_axiom
from axiomcheck.proof.check.polynomials import LIMIT, Polynomial
from axiomcheck.proof.check.quotients import Quotient, every_outcome, settled, variable
from axiomcheck.proof.check.threshold_parts import (
    ThresholdPart,
    compare_with_scores,
    discount_at,
    number_sign,
    parts_of,
    sign_of_sum,
)
from axiomcheck.records.certificates import FoldPart, Numbers, TailCertificate

_MOST_STATES = 4
"""Maximum number of values in the state of a fold."""


def check_threshold(certificate: TailCertificate, metric: Metric) -> None:
    """Check that a ``tail`` certificate proves its claim about a metric.

    Raises:
        InvalidInput: The certificate does not prove its claim. The message says where and why.

    """
    axiom, small, holds = threshold_axiom(certificate.axiom), certificate.small, certificate.claim == "holds"
    if metric.partial or metric.numerical(small):
        raise InvalidInput(f"certificate: {metric} has no exact scores, which the lemmas need")
    symbolic = open_parameters(metric, certificate.scope.parameters, "certificate: scope.parameters")
    rc = _rc(certificate, small, holds)
    check_origin(metric)
    with settled("certificate"), ctx.workprec(PRECISION):
        parts = parts_of(metric, symbolic, small, rc)
        compare_with_scores(metric, small, rc or Fraction(1))
        if certificate.lemma == "witness":
            require(axiom.winner == "block" and holds, "the 'witness' lemma can only show that CloseTh holds")
            _check_witness(certificate.data, parts, parts_of(metric, {}, small, Fraction(1)))
        else:
            own = parts_of(metric, {}, small, rc) if axiom.winner == "top" else parts
            _check_tail(certificate, metric, parts, own, axiom, holds)


def _rc(certificate: TailCertificate, small: bool, holds: bool) -> Fraction | None:
    """Return the grade rc at which a certificate claims that the axiom fails, or None for a claim about every grade."""
    if small or holds:
        require(certificate.rc is None, f"rc is {certificate.rc!r}; expected null for a claim about every grade")
        return None
    require(certificate.rc is not None, "rc is null; expected the grade at which the claim fails")
    assert certificate.rc is not None
    rc = fraction_of(certificate.rc, "rc")
    require(0 < rc <= 1, f"rc is {rc}; expected 0 < rc <= 1")
    return rc


# Symbols


@dataclass(frozen=True)
class Conditions:
    """Gains of one part on symbols, with checks of the conditions that the lemmas impose on the gains.

    If r is infinitesimal, a gain stands for its coefficient at the order of g_1, and a state for its coefficient at
    order 0.

    Args:
        part: Fold, with its grade and symbols.
        outcomes: (gain, state after) of a relevant document in any state, for each outcome of undecided comparisons.
        first: First gain g_1.
        states: Symbols of the state.
        start: State before rank 1.

    """

    part: ThresholdPart
    outcomes: list[tuple[Quotient, tuple[Quotient, ...]]]
    first: Quotient
    states: tuple[Quotient, ...]
    start: tuple[Quotient, ...]

    @classmethod
    def of(cls, part: ThresholdPart) -> Conditions:
        """Run the fold of a part on symbols, and check the conditions that all lemmas share.

        A non-relevant document must have gain 0 and must not change the state. g_1 must be positive, and no gain or
        state component may be negative.
        """
        start = part.start()
        most = f"the state of the fold has {counted(len(start), 'number')}; expected at most {_MOST_STATES}"
        require(len(start) <= _MOST_STATES, most)
        states = _states(len(start), "[0, oo)")
        symbols = _states(len(start), LIMIT) if part.is_small else states
        for gain, after in every_outcome(lambda: part.step(symbols, fmpq(0))):
            unmoved = all((x - y).is_zero for x, y in zip(after, symbols, strict=True))
            require(gain.is_zero and unmoved, "a non-relevant document may have a nonzero gain or change the state")
        order, first = part.leading(part.step(start, part.grade)[0])
        require(first.shown(">"), "the gain of the first relevant document may be 0")
        outcomes = []
        for gain, after in every_outcome(lambda: part.step(symbols, part.grade)):
            later = gain.is_zero or part.leading(gain)[0] >= order
            require(later, "the gain of a later document may be of a lower order in r than that of the first")
            leading = (part.coefficient(gain, order), *(part.coefficient(x, 0) for x in after))
            earned, *left = (_at(x, symbols, states) for x in leading)
            outcomes.append((earned, tuple(left)))
        begin = tuple(part.coefficient(x, 0) for x in start)
        for x in (*begin, *(y for gain, after in outcomes for y in (gain, *after))):
            require(x.shown(">="), "a gain or a state component may be negative")
        return cls(part, outcomes, first, states, begin)

    def check_shrinking(self, keep: Quotient) -> None:
        """Check that g_j <= keep**(j-1) g_1 for every j.

        This is shown by an outcome whose gain is an upper bound on all gains, is at most g_1 at the start, and is
        multiplied by at most ``keep`` at every document.
        """
        require(keep.shown(">="), "the keep factor may be negative")
        for bound, _ in self.outcomes:
            if (
                all((bound - gain).shown(">=") for gain, _ in self.outcomes)
                and (self.first - _at(bound, self.states, self.start)).shown(">=")
                and all((keep * bound - _at(bound, self.states, after)).shown(">=") for _, after in self.outcomes)
            ):
                return
        raise InvalidInput("certificate: the gains of relevant documents in a row are not shown to shrink by 'keep'")

    def check_growing(self, rising: bool) -> None:
        """Check that g_j >= g_1 for every j, or g_j >= j g_1 if ``rising``."""
        more = self.first if rising else Quotient.of(0)
        for bound, _ in self.outcomes:
            if (
                all((gain - bound).shown(">=") for gain, _ in self.outcomes)
                and (_at(bound, self.states, self.start) - self.first).shown(">=")
                and all((_at(bound, self.states, after) - bound - more).shown(">=") for _, after in self.outcomes)
            ):
                return
        raise InvalidInput("certificate: the gains of relevant documents in a row are not shown to grow")

    def check_discounts(self) -> None:
        """Check that D_1 >= D_2 >= ... > 0."""
        discount = self.part.fold.discount
        if isinstance(discount, Geometric):
            ratio, scale = Quotient.of(discount.ratio), Quotient.of(discount.scale)
            fine = ratio.shown(">") and scale.shown(">") and (1 - ratio).shown(">=")
        elif isinstance(discount, InverseLog):
            based = discount.base is None or (Quotient.of(discount.base) - 1).shown(">")
            fine = based and discount.shift >= 0 and discount.offset >= 0 and discount.shift + discount.offset > 0
        else:
            fine = isinstance(discount, Constant | Reciprocal)
        require(fine, "the discounts are not shown to be positive and non-increasing")


def _states(count: int, within: str) -> tuple[Quotient, ...]:
    return tuple(variable(f"state {k}", within) for k in range(count))


def _at(term: Quotient, symbols: Sequence[Quotient], values: Sequence[Quotient]) -> Quotient:
    """Return a polynomial with some of its symbols replaced by values."""
    point = {v: Quotient(Polynomial({(v,): fmpq(1)})) for v in term.numerator.degrees()}
    for symbol, value in zip(symbols, values, strict=True):
        point |= dict.fromkeys(symbol.numerator.degrees(), value)
    return Quotient.of(term.numerator.at(point))


# Lemmas


def _keep(
    certificate: TailCertificate, numbers: Numbers | FoldPart, path: str, part: ThresholdPart, metric: Metric
) -> Quotient:
    """Return the keep factor stated in a certificate. The lemma needs g_j <= keep**(j - 1) g_1 for every j.

    The factor is a linear form in the open parameters, {"1": constant, parameter: coefficient}. A parameter that is not
    a symbol in this part has the metric's own value.
    """
    total = Quotient.of(0)
    for name, text in (numbers.keep or {}).items():
        coefficient = fraction_of(text, f"{path}.keep")
        known = name == "1" or name in certificate.scope.parameters
        require(known, f"{path}.keep names {name!r}, which scope.parameters does not list")
        times = 1 if name == "1" else part.open.get(name, metric.values[name])
        require(times is not None, f"{path}.keep names {name!r}, whose value in {metric} is e, not a rational number")
        total = total + Quotient.of(times) * coefficient
    return total


def _first(n0: int, over: Callable[[int], int | None]) -> None:
    """Check that n0 is the first n at which a bound is sufficient: ``over`` must be 1 at n0, and 0 or -1 at n0 - 1."""
    require(over(n0) == 1, f"n0 is {n0}; the lemma's bound is not sufficient there")
    require(n0 == 1 or over(n0 - 1) in (0, -1), f"n0 is {n0}; expected the first n at which the bound is sufficient")


def _apply(
    certificate: TailCertificate,
    metric: Metric,
    path: str,
    lemma: str,
    numbers: Numbers | FoldPart,
    part: ThresholdPart,
    own: ThresholdPart,
) -> tuple[int, int | None]:
    """Apply a lemma with numbers from a certificate (at ``path``) to one part.

    n0 refers to ``own``, which is the part itself or the same part with the metric's own parameters.

    Returns:
        The sign of T - L(n) for every n >= n0, and n0. n0 is None if the lemma only shows that such an n0 exists.

    """
    discount, n0 = part.fold.discount, numbers.n0
    assert n0 is not UNSET
    found = Conditions.of(part.finite() if lemma == "equal" else part)  # leading coefficients show no exact tie
    found.check_discounts()
    if lemma == "equal":
        found.check_shrinking(Quotient.of(0))
    if lemma == "cutoff":
        require(part.cutoff is not None, "the 'cutoff' lemma needs a metric with a cutoff")
        require(n0 == part.cutoff, f"n0 is {n0}; expected the cutoff {part.cutoff}")
        return 1, n0
    if lemma in ("growth", "equal"):
        require(part.cutoff is None, f"the {lemma!r} lemma needs a metric without a cutoff")
    if lemma == "equal":
        require(isinstance(discount, Constant) and n0 == 1, "the 'equal' lemma needs constant discounts, and n0 = 1")
        return 0, n0
    if lemma == "growth":
        found.check_growing(bool(numbers.rising))
        _check_growth(discount, bool(numbers.rising), n0)
        return -1, n0
    keep = _keep(certificate, numbers, path, part, metric)
    found.check_shrinking(keep)
    if lemma == "harmonic":
        require(isinstance(discount, Reciprocal), "the 'harmonic' lemma needs discounts 1 / i")
        require((1 - keep).shown(">="), "the 'harmonic' lemma needs a keep factor of at most 1")
        require(n0 == 1, f"n0 is {n0}; expected 1")
        return 1, n0
    if lemma == "geometric":
        require(isinstance(discount, Geometric), "the 'geometric' lemma needs geometric discounts")
        assert isinstance(discount, Geometric)
        ratio = Quotient.of(discount.ratio)
        require((1 - ratio * keep).shown(">") and (1 - ratio).shown(">"), "the geometric series may diverge")
        if n0 is not None:
            _first_geometric(own, _keep(certificate, numbers, path, own, metric), n0)
        return 1, n0
    require(isinstance(discount, Reciprocal | InverseLog), "the 'vanishing' lemma needs discounts 1 / i or 1 / log i")
    require((1 - keep).shown(">"), "the 'vanishing' lemma needs a keep factor below 1")
    if n0 is not None:
        factor = _keep(certificate, numbers, path, own, metric).numerator.number()
        require(factor is not None, "n0 depends on the open parameters; expected null")
        assert factor is not None
        _first(n0, lambda n: number_sign(vanishing_excess(own.fold.discount, factor, n)))
    return 1, n0


def _first_geometric(own: ThresholdPart, keep: Quotient, n0: int) -> None:
    discount = own.fold.discount
    assert isinstance(discount, Geometric)
    ratio = Quotient.of(discount.ratio)
    most = 64 if ratio.numerator.degrees() else 10**5
    require(n0 <= most, f"n0 is {n0}; expected at most {most}, or null")
    _first(n0, lambda n: _strict(1 - ratio * keep - ratio**n))


def _strict(term: Quotient) -> int | None:
    return 1 if term.shown(">") else 0 if term.shown("<=") else None


def _check_growth(discount: Discount, rising: bool, n0: int | None) -> None:
    """Check that n D_2n (n (n + 1) D_2n / 2 if ``rising``) increases with n and exceeds D_1 from n0 on."""
    require(n0 is not None, "the 'growth' lemma needs n0")
    assert n0 is not None
    if isinstance(discount, InverseLog):
        require(not isinstance(discount.base, Quotient), "n0 depends on the base of the logarithm")
        # x / (c + log_b(2x + s)) increases where c ln b + ln(2x + s) >= 2x / (2x + s), and the right side is at most 1.
        base = arb(1).exp() if discount.base is None else arb(discount.base.numerator) / discount.base.denominator
        increasing = bool(discount.offset * base.log() + arb(2 * n0 + discount.shift).log() >= 1)
    else:
        increasing = isinstance(discount, Constant) or (isinstance(discount, Reciprocal) and rising)
    require(increasing, "the bound of the 'growth' lemma is not shown to increase with n")
    _first(n0, lambda n: number_sign(growth_excess(discount, rising, n)))


def vanishing_excess(discount: Discount, keep: fmpq, n: int) -> Any:
    """Return D_1 (1 - keep) - D_(n + 1), which must be positive for the 'vanishing' lemma."""
    return discount_at(discount, 1) * (1 - keep) - discount_at(discount, n + 1)


def growth_excess(discount: Discount, rising: bool, n: int) -> Any:
    """Return n D_2n - D_1, or n (n + 1) D_2n / 2 - D_1 if ``rising``. It must be positive for the 'growth' lemma."""
    return discount_at(discount, 2 * n) * (fmpq(n * (n + 1), 2) if rising else n) - discount_at(discount, 1)


def _check_tail(
    certificate: TailCertificate,
    metric: Metric,
    parts: Sequence[ThresholdPart],
    own: Sequence[ThresholdPart],
    axiom: ThresholdAxiom,
    holds: bool,
) -> None:
    """Check a claim about every sufficiently large n; see `_apply` for ``own``."""
    data, lemma = certificate.data, certificate.lemma
    if data.parts:
        given = data.parts
        wanted = [str(i) for i in range(1, len(parts) + 1)]
        require(set(given) == set(wanted), f"data.parts has the keys {list(given)}; expected {wanted}")
        tails = []
        for i, (part, at) in enumerate(zip(parts, own, strict=True), start=1):
            numbers = given[str(i)]
            tails.append(_apply(certificate, metric, f"data.parts.{i}", numbers.lemma, numbers, part, at))
    else:
        require(len(parts) == 1, f"{metric} mixes {counted(len(parts), 'fold')}; expected the 'mixture' lemma")
        tails = [_apply(certificate, metric, "data", lemma, data, parts[0], own[0])]
    side = sign_of_sum([sign for sign, _ in tails])
    starts = [n0 for _, n0 in tails]
    if axiom.winner == "top":
        require(data.signs is UNSET, "data.signs is not expected for a claim about DeepTh")
        if holds:
            require(side == 1, "the lemma does not show that the top is ahead for every large n")
        else:
            require(side in (0, -1), "the lemma does not rule out that the top is ahead at some large n")
        return
    require(not holds, "a claim that CloseTh holds needs the 'witness' lemma")
    require(side in (0, 1), "the lemma does not rule out that the block is ahead at some large n")
    if None in starts:
        raise InvalidInput("certificate: n0 is null; a claim that CloseTh fails needs n0, to check every n below it")
    n0 = max(n for n in starts if n is not None)
    require(n0 - 1 <= FARTHEST, f"n0 is {n0}; expected at most {FARTHEST + 1}, as every n below it is checked")
    found = _signs(parts, n0 - 1)
    require(None not in found, f"the sign at n = {found.index(None) + 1 if None in found else 0} is unknown")
    require(-1 not in found, "the block is ahead at some n below n0")
    signs = list(data.signs or ())
    require(data.signs is not UNSET and signs == found, f"data.signs is {signs}; expected {found}")


def _signs(parts: Sequence[ThresholdPart], last: int) -> list[int | None]:
    """Return the exact signs of Q(top) - Q(block) for n = 1 to ``last``."""
    gains = [part.gains(last) for part in parts]
    return [sign_of_sum([part.ahead(n, g) for part, g in zip(parts, gains, strict=True)]) for n in range(1, last + 1)]


def _check_witness(data: Numbers, parts: Sequence[ThresholdPart], plain: Sequence[ThresholdPart]) -> None:
    """Check that m is the smallest n at which the block is ahead, and check the differences there.

    Args:
        data: Numbers from the certificate: m and the differences.
        parts: Parts with symbols for the open parameters and the grade.
        plain: Parts with the metric's own parameters, and with grade 1 unless r << 1 is assumed.

    """
    m = data.m or 0
    require(m <= FARTHEST, f"data.m is {m}; expected an integer from 1 to {FARTHEST}")
    found = _signs(parts, m)
    require(found[-1] == -1, f"the block is not ahead at m = {m} for all parameters of the scope")
    for n, sign in enumerate(found[:-1], start=1):
        require(sign in (0, 1), f"m is {m}, but the block may already be ahead at n = {n}")
    said = data.difference or ()
    require(len(said) == len(plain), f"data.difference has {counted(len(said), 'entry')}; expected {len(plain)}")
    for entry, part in zip(said, plain, strict=True):
        order, value = difference_at(part, m)
        require(entry.order == order, f"data.difference: order is {entry.order}; expected {order}")
        if isinstance(value, arb):
            require(entry.above is not UNSET, "data.difference: expected the entries order and above")
            least = fraction_of(entry.above or "", "data.difference")
            require(
                least > 0 and bool(value > to_fmpq(least)), f"data.difference: {least} is not a positive lower bound"
            )
        else:
            require(entry.value is not UNSET, "data.difference: expected the entries order and value")
            stated = fraction_of(entry.value or "", "data.difference")
            require(to_fmpq(stated) == value, f"data.difference is {stated}; expected {value}")


def difference_at(part: ThresholdPart, m: int) -> tuple[int, Any]:
    """Return (order, coefficient) of the lowest power of r in L(m) - T, for a part without open parameters."""
    terms = part.terms(m, part.gains(m))
    monomials = terms.numerator.terms if isinstance(terms, Quotient) else terms
    order = min(map(len, monomials), default=0)
    return order, -sum((c for monomial, c in monomials.items() if len(monomial) == order), fmpq(0))
