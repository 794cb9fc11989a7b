"""Check threshold axiom certificates for metrics that are not folds: P@H with a cutoff, INST, and external code.

A ``blocks`` certificate names a metric, an axiom, a claim and a lemma from ``docs/lemmas/blocks.md`` with its numbers.
For each n, the checker runs the metric's own code on both rankings, in exact or certified arithmetic, and compares the
scores (or distributions). The pool is a placeholder that raises an error if the metric reads it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NoReturn, TypeAlias

import numpy as np
from flint import arb, ctx, fmpq

from axiomcheck.core.documents import UNSET
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.limits import FARTHEST, PRECISION
from axiomcheck.core.printable import shown
from axiomcheck.core.typing import Array
from axiomcheck.metrics import Metric
from axiomcheck.metrics.inst import Inst, InstUpper
from axiomcheck.numbers.arithmetic import Arithmetic, float_of, in_exact_arithmetic
from axiomcheck.numbers.series import Series, last_known
from axiomcheck.proof.check.bounded_symbols import Symbolic, Unread, World
from axiomcheck.proof.check.header import require, threshold_axiom
from axiomcheck.proof.check.polynomials import Variable
from axiomcheck.proof.check.quotients import Quotient, attempt
from axiomcheck.proof.check.threshold_parts import (
    WHOLE,
    Terms,
    leading_sign,
    one_aspect,
    orders_of,
    scalar,
    top_and_block,
)
from axiomcheck.records.certificates import BlocksCertificate, Numbers, Signs
from axiomcheck.sources.code_inspection import check_same_branches
from axiomcheck.sources.provenance import is_genuine

_APART = 2

Distribution: TypeAlias = tuple[list[tuple[Terms, Terms]], Terms, Terms]
"""Listed values with their probabilities, the remaining probability, and an upper bound on the remaining values."""

_AT_GRADES = (fmpq(1), fmpq(1, 2), fmpq(1, 1024))
"""Grades at which scores in floats must agree with the symbolic scores. If r << 1 is assumed, the grades are multiplied
by `_SMALL`."""

_SMALL = fmpq(1, 2**16)
_CLOSE = 1e-9
_TOLD_APART = 1e-6
_MOST_LEFT_OUT = 1024
"""Assumed bound on the sum of the coefficients of a score in the orders of eps that were left out."""


def check_blocks(certificate: BlocksCertificate, metric: Metric) -> None:
    """Check that a ``blocks`` certificate proves its claim about a metric.

    Raises:
        InvalidInput: The certificate does not prove its claim. The message says where and why.

    """
    axiom, small, holds = threshold_axiom(certificate.axiom), certificate.small, certificate.claim == "holds"
    lemma, data, own_code = certificate.lemma, certificate.data, not is_genuine(metric)
    m = data.m or 0
    require(not certificate.scope.parameters, "scope.parameters is not empty; expected an empty list")
    require(m <= FARTHEST, f"data.m is {m}; expected an integer from 1 to {FARTHEST}")
    if lemma == "ahead":
        require(own_code, f"the 'ahead' lemma applies to external code only; {metric} is in the catalogue")
        require(axiom.winner == "block" and holds, "the 'ahead' lemma can only show that CloseTh holds")
        check_ahead(metric, small, m)
        return
    require(not own_code, f"the {lemma!r} lemma does not apply to external code, and {metric} is external")
    require(metric.applies_to_aspects() or metric.single_aspect, f"{metric} has no score for a single aspect")
    with ctx.workprec(PRECISION):
        if lemma == "witness":
            require(axiom.winner == "block" and holds, "the 'witness' lemma can only show that CloseTh holds")
            require(small, "the 'witness' lemma covers a single grade, but the axiom is about every grade")
            signs = _checked_signs(data, metric, m, "m")
            require(signs[-1] == -1 and -1 not in signs[:-1], "m is not the first n at which the block is ahead")
            return
        side, start = (_cutoff if lemma == "cutoff" else _inst)(data, metric, small)
        if axiom.winner == "top":
            require((side == 1) == holds and (holds or side in (0, -1)), "the lemma's sign contradicts the claim")
            return
        require(not holds, "a claim that CloseTh holds needs the 'witness' lemma")
        require(small, "the signs are computed for a single grade, but the axiom is about every grade")
        require(side in (0, 1), "the lemma does not rule out that the block is ahead at some large n")
        signs = _checked_signs(data, metric, start - 1, "n0 - 1") if lemma == "inst" else data.signs or ()
        require(set(signs) <= {0, 1}, "the block may be ahead at some n")


def _checked_signs(data: Numbers, metric: Metric, last: int, what: str) -> Signs:
    """Check that the signs in a certificate are those of `sign_at` for n = 1 to ``last``, and return them.

    Args:
        data: Numbers from the certificate.
        metric: Metric of the certificate.
        last: Number of signs that the certificate must list.
        what: Description of ``last`` in messages, such as ``the cutoff``.

    Raises:
        InvalidInput: A sign is missing, wrong or unexpected.

    """
    signs = data.signs or ()
    there = data.signs is not UNSET and len(signs) == last
    require(there, f"data.signs is {shown(list(signs))}; expected the signs for n = 1 to {what}")
    for n, sign in enumerate(signs, start=1):
        found = sign_at(metric, n)
        require(sign == found, f"data.signs is {sign!r} at n = {n}; expected {found}")
    return signs


def _cutoff(data: Numbers, metric: Metric, small: bool) -> tuple[int, int]:
    """Check the ``cutoff`` lemma; return the sign of Q(top) - Q(block) for all n >= cutoff, and the cutoff."""
    require(small, "the signs are computed for a single grade, but the axiom is about every grade")
    there = metric.cutoff is not None and metric.cutoff <= FARTHEST
    require(there, f"the 'cutoff' lemma needs a metric with a cutoff of at most {FARTHEST}")
    assert metric.cutoff is not None
    return _checked_signs(data, metric, metric.cutoff, "the cutoff")[-1], metric.cutoff


def _inst(data: Numbers, metric: Metric, small: bool) -> tuple[int, int]:
    """Check the ``inst`` lemma; return the sign of Q(top) - Q(block) for all n >= n0, which is 1, and n0.

    The lemma needs a bound on L(n) / T that is below 1 at n0 and does not increase after that.
    """
    require(
        isinstance(metric, Inst | InstUpper) and metric.cutoff is None, f"the 'inst' lemma does not apply to {metric}"
    )
    n0 = data.n0 or 0
    require(n0 <= 2**62, f"data.n0 is {n0}; expected at most {2**62}")
    z = 2 * Fraction(metric.values["T"])
    c = z - Fraction(1, 2)
    require(z >= 1 and 2 * n0 * n0 >= c * c, f"n0 is {n0}; the bound decreases only for n >= (2T - 1/2) / sqrt(2)")
    bound = _upper_bound(z, n0) if isinstance(metric, InstUpper) else _base_bound(z, n0)
    require(bool(bound < 1), f"n0 is {n0}, but the bound is not below 1 there")
    return 1, n0


def _block_weight(z: Fraction, n: int) -> arb:
    """Return a lower bound on psi_1(n + z) - psi_1(2n + z): 1 / (2n + 3c + c^2 / n) with c = z - 1/2."""
    c = z - Fraction(1, 2)
    return _ball(1 / (2 * n + 3 * c + c * c / n))


def _base_bound(z: Fraction, n: int) -> arb:
    top = _trigamma(z)
    return _ball(z * z) * top * _block_weight(z, n) / (top - _trigamma(2 * n + z))


def _upper_bound(z: Fraction, n: int) -> arb:
    whole, early = _ball(z * z) * _trigamma(z), _ball(z * z) * (_trigamma(z) - _trigamma(n + z))
    g, a = _ball(z * z / (4 * n + 2 * z - 1)), _ball((4 * n - 1) / (4 * n + 2 * z - 1))
    return _ball(z * z) * _block_weight(z, n) * (1 + 2 * g / early) * (whole + g) / (a * early)


def _trigamma(x: Fraction) -> arb:
    return arb(2).zeta(_ball(x))


def _ball(x: Fraction) -> arb:
    return arb(fmpq(x.numerator, x.denominator))


# Signs at one n


class _Unreadable:
    """Placeholder for a grade that no result may depend on. Every operation on the placeholder raises an error."""

    def _refuse(self, *operands: object) -> NoReturn:
        raise InvalidInput("certificate: the score depends on the pool, or on ranks below the cutoff")

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _refuse
    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = __bool__ = __float__ = __neg__ = __pow__ = _refuse
    __hash__ = None  # type: ignore[assignment]


def sign_at(metric: Metric, n: int) -> int:
    """Return the sign of Q(top) - Q(block) at n for every sufficiently small grade; 2 if neither dominates.

    Raises:
        InvalidInput: The sign is unknown, or the scores depend on the pool or on ranks below the cutoff.

    """
    length = 2 * n if metric.cutoff is None else min(2 * n, metric.cutoff)
    cut = [[*ranking[:length], *[_Unreadable()] * (2 * n - length)] for ranking in top_and_block(n, fmpq(1))]
    _, (top, block) = in_exact_arithmetic(lambda a: [_scored(metric, a, ranking) for ranking in cut])
    found = _relation(top, block) if metric.partial else _compared(top, block)
    if found is None:
        raise InvalidInput(f"certificate: the sign at n = {n} is unknown")
    return found


def _scored(metric: Metric, a: Arithmetic, ranking: Sequence[object]) -> Array | Distribution:
    """Return the score of a ranking, or its `Distribution` if the metric compares distributions."""
    small, pool = (Series({1: one_aspect(row)}) for row in (ranking, [_Unreadable()]))
    if not metric.partial:
        return metric.score(a, small, WHOLE, pool)
    values, masses, rest = metric.distribution(a, small, WHOLE, pool)
    size = values.shape[-1]
    listed = [(_only(values, s), _only(masses, s)) for s in range(size)]
    left = orders_of(rest)
    return listed, left, orders_of(metric.unlisted(small)) if left else {}


def _only(array: Array, place: int) -> Terms:
    if isinstance(array, Series):
        return orders_of(array.map(lambda c: np.asarray(c)[..., place]))
    return orders_of(np.asarray(array, dtype=object)[..., place])


def _compared(top: Array, block: Array) -> int | None:
    """Return the sign of Q(top) - Q(block), or None if it is unknown.

    It is unknown, for example, if the scores are equal in all known orders of eps and higher orders were dropped.
    """
    sign = leading_sign(orders_of(top), orders_of(block))
    expanded = not any(isinstance(score, Series) and score.dropped for score in (top, block))
    return sign if sign or expanded else None


def _sum(parts: Sequence[Terms]) -> Terms:
    total: Terms = {}
    for part in parts:
        for order, c in part.items():
            total[order] = total[order] + c if order in total else c
    return total


def _relation(top: Distribution, block: Distribution) -> int | None:
    """Compare two distributions of a score S by P[S >= x], at every x that occurs in either distribution.

    Returns:
        1 if the top dominates, -1 if the block does, 0 if they are equal, 2 if neither dominates, None if unknown.

    """
    values = [value for listed, _, _ in (top, block) for value, _ in listed]
    complete = not top[1] and not block[1]
    thresholds = [*values, *(cap for _, left, cap in (top, block) if left)]
    ahead = behind = False
    sure = {1: True, -1: True}
    for x in thresholds:
        if all(leading_sign(value, x) in (0, 1) for listed, _, _ in (top, block) for value, _ in listed) and (
            complete or not x
        ):
            continue  # no value is lower: both probabilities are 1
        least, most = {}, {}
        for number, (listed, left, cap) in enumerate((top, block)):
            least[number] = _sum([mass for value, mass in listed if leading_sign(value, x) in (0, 1)])
            most[number] = _sum([least[number], left]) if left and leading_sign(cap, x) in (0, 1) else least[number]
        up, down = leading_sign(least[0], most[1]), leading_sign(least[1], most[0])
        ahead, behind = ahead or up == 1, behind or down == 1
        sure[1] &= up in (0, 1)
        sure[-1] &= down in (0, 1)
    if ahead and behind:
        return _APART
    if sure[1] and sure[-1]:
        return 0
    return 1 if ahead and sure[1] else -1 if behind and sure[-1] else None


# External code. CloseTh needs one n at which the block is ahead. Its instances have one aspect and one positive grade.
# With a symbol for the grade and a pool that cannot be read, one run of the code on each ranking covers all of them.


def check_ahead(metric: Metric, small: bool, m: int) -> None:
    """Check the ``ahead`` lemma: the block is ahead at n = m for every grade and every pool.

    Args:
        metric: External metric; the caller has checked that its code is external.
        small: True if r << 1 is assumed.
        m: Value of n, at least 1.

    Raises:
        InvalidInput: The claim cannot be proved, or the code behaves differently on floats. The message says why.

    """
    check_same_branches(metric)
    world = World()
    grade = Quotient.of(1) if small else world.variable("r", "(0, 1]")
    arithmetic = Symbolic(world, "own", 2 * m, _no_zeta)
    columns = [Series({1: one_aspect(row)}) if small else one_aspect(row) for row in top_and_block(m, grade)]
    scores = [attempt("metric", metric.score, arithmetic, column, WHOLE, Unread()) for column in columns]
    top, block = (score.terms if isinstance(score, Series) else {0: score} for score in scores)
    last, zero, several = last_known(*scores), Quotient.of(0), "the metric returned several numbers for one ranking"
    ahead = {
        order: Quotient.of(scalar(block.get(order, zero), several)) - Quotient.of(scalar(top.get(order, zero), several))
        for order in sorted({*block, *top})
        if last is None or order <= last
    }
    leading = next((difference for difference in ahead.values() if not difference.is_zero), zero)
    require(leading.shown(">"), f"the block is not shown to be ahead at n = {m} for every grade")
    point = arithmetic.where_between()
    for value in _AT_GRADES:
        _compare_with_floats(metric, m, ahead, point, value, last if small else None, small)


def _no_zeta(s: int, x: Array) -> Array:
    raise InvalidInput("certificate: external code uses the zeta function, which the lemma does not cover")


def _compare_with_floats(
    metric: Metric,
    m: int,
    ahead: dict[int, Quotient],
    point: dict[Variable, fmpq],
    value: fmpq,
    last: int | None,
    small: bool,
) -> None:
    """Check at a single grade that code gives the same score difference on symbols as on floats.

    Raises:
        InvalidInput: The results differ.

    """
    grade = value * _SMALL if small else value
    found = []
    for ranking in reversed(top_and_block(m, grade)):
        column = one_aspect(ranking).astype(np.float64)
        found.append(float(metric.evaluate(column, np.ones((1, 1)), np.arange(2 * m)[None])[0]))
    at = point | {v: grade for q in ahead.values() for v in q.numerator.degrees() if v.name == "r"}
    expected = sum(float_of(q.at(at)) * float_of(grade) ** order for order, q in ahead.items())
    left_out = 0.0 if last is None else _MOST_LEFT_OUT * float_of(grade) ** (last + 1)
    apart = abs(found[0] - found[1] - expected)
    told = (found[0] > found[1]) == (expected > 0) and apart <= _TOLD_APART * abs(expected) + left_out
    if not (told and apart <= _CLOSE * max(map(abs, found)) + left_out):
        raise InvalidInput(
            f"metric: {metric.name} gives {found[0] - found[1]!r} at n = {m} with floats, but {expected!r} with "
            "symbols, so its code treats them differently"
        )
