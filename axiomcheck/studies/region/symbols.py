"""Run a metric's own code on symbols for its parameters, and for the discounts that are irrational.

Comparisons say what is so on a whole box of parameters, or raise `Undecided`. Polynomials are flint's, of degrees that
grow with the length of a ranking, and signs are told by looking for roots; variables of certificates have ranges in
place of a box, and quotients of their own (`axiomcheck.proof.check.quotients`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from numbers import Rational
from typing import Any

import numpy as np
from flint import Ordering, arb, ctx, fmpq, fmpq_mpoly, fmpq_mpoly_ctx, fmpz

from axiomcheck.core.errors import AxiomcheckError, InvalidInput, NotRational
from axiomcheck.core.typing import Array
from axiomcheck.metrics import Metric
from axiomcheck.numbers.arithmetic import Objects, to_fmpq
from axiomcheck.numbers.discount import Discount
from axiomcheck.numbers.series import Series
from axiomcheck.proof.check.own_code import check_scores, own_fold
from axiomcheck.proof.check.own_parameters import check_parameters, check_symbols
from axiomcheck.proof.check.quotients import settled
from axiomcheck.studies.region.polynomials import BITS, Box, BoxPolynomial, OpenEnds


class Undecided(AxiomcheckError):
    """A comparison has not one answer on the whole box, or none that was shown.

    Args:
        about: whose sign it is, or what is undecided in words.

    """

    def __init__(self, about: Term | str) -> None:
        super().__init__(about)
        self.about = about

    def __str__(self) -> str:
        about = self.about
        return about if isinstance(about, str) else f"the sign of {about} is not settled on the whole box"


class Term:
    """A quotient of polynomials whose denominator is positive on the whole box. Immutable."""

    __slots__ = ("denominator", "numerator", "symbols")
    __hash__ = None  # type: ignore[assignment]  # == compares functions

    def __init__(self, numerator: fmpq_mpoly, denominator: fmpq_mpoly, symbols: BoxSymbols) -> None:
        self.numerator = numerator
        self.denominator = denominator
        self.symbols = symbols

    def _pair(self, other: Any) -> tuple[Any, Any] | None:
        """Return numerator and denominator of a term or a plain number; None of what is neither.

        Raises:
            TypeError: of a float, which is not exact.

        """
        if isinstance(other, Term):
            return other.numerator, other.denominator
        if isinstance(other, float):
            raise TypeError("floats cannot be combined with exact terms")
        if isinstance(other, Rational):
            other = fmpq(int(other.numerator), int(other.denominator))
        known = isinstance(other, fmpq | fmpz)
        return (self.symbols.context.constant(other), self.symbols.one) if known else None

    def __add__(self, other: Any) -> Any:
        pair = self._pair(other)
        if pair is None:
            return NotImplemented
        n, d = pair
        if self.denominator == d:
            return Term(self.numerator + n, d, self.symbols)
        return self._reduced(self.numerator * d + n * self.denominator, self.denominator * d)

    __radd__ = __add__

    def __neg__(self) -> Term:
        return Term(-self.numerator, self.denominator, self.symbols)

    def __pos__(self) -> Term:
        return self

    def __sub__(self, other: Any) -> Any:
        pair = self._pair(other)
        return NotImplemented if pair is None else self + Term(-pair[0], pair[1], self.symbols)

    def __rsub__(self, other: Any) -> Any:
        return (-self) + other

    def __mul__(self, other: Any) -> Any:
        pair = self._pair(other)
        if pair is None:
            return NotImplemented
        n, d = pair
        if self.denominator.is_one() and d.is_one():
            return Term(self.numerator * n, d, self.symbols)
        return self._reduced(self.numerator * n, self.denominator * d)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        pair = self._pair(other)
        if pair is None:
            return NotImplemented
        n, d = pair
        sign = Term(n, d, self.symbols).sign()
        if sign == 0:
            raise ZeroDivisionError("division of terms by zero")
        return self._reduced(self.numerator * d * sign, self.denominator * n * sign)

    def __rtruediv__(self, other: Any) -> Any:
        pair = self._pair(other)
        return NotImplemented if pair is None else Term(*pair, self.symbols) / self

    def __pow__(self, exponent: int) -> Term:
        if exponent < 0:
            inverse: Term = 1 / self ** (-exponent)
            return inverse
        return Term(self.numerator**exponent, self.denominator**exponent, self.symbols)

    def _reduced(self, numerator: fmpq_mpoly, denominator: fmpq_mpoly) -> Term:
        common = numerator.gcd(denominator)
        if not common.is_one() and (sign := self.symbols.sign(common)):
            numerator, denominator = numerator / common * sign, denominator / common * sign
        return Term(numerator, denominator, self.symbols)

    def lowest(self) -> Term:
        """Return the same in lowest terms, even if what cancels may be 0.

        Raises:
            Undecided: of the denominator that is left.

        """
        common = self.numerator.gcd(self.denominator)
        if common.is_one():
            return self
        top, bottom = self.numerator / common, self.denominator / common
        sign = Term(bottom, self.symbols.one, self.symbols).sign()
        return Term(top * sign, bottom * sign, self.symbols)

    def sign(self) -> int:
        """Return +1, -1 or 0: the sign on the whole box.

        Raises:
            Undecided: it is not settled, or it is not one and the same.

        """
        sign = self.symbols.sign(self.numerator)
        if sign is None:
            raise Undecided(self)
        return sign

    def __gt__(self, other: Any) -> bool:
        return (self - other).sign() == 1  # type: ignore[no-any-return]

    def __lt__(self, other: Any) -> bool:
        return (other - self).sign() == 1  # type: ignore[no-any-return]

    def __ge__(self, other: Any) -> bool:
        return not self < other

    def __le__(self, other: Any) -> bool:
        return not self > other

    def __eq__(self, other: Any) -> Any:
        return NotImplemented if self._pair(other) is None else (self - other).sign() == 0

    def __ne__(self, other: Any) -> Any:
        return NotImplemented if self._pair(other) is None else (self - other).sign() != 0

    def __bool__(self) -> bool:
        return self.sign() != 0

    def __repr__(self) -> str:
        return str(self.numerator) if self.denominator.is_one() else f"({self.numerator})/({self.denominator})"


@lru_cache(maxsize=16)
def _generators(context: fmpq_mpoly_ctx) -> tuple[fmpq_mpoly, ...]:
    """Return the variables of a context, which take long to make."""
    return tuple(context.gens())


class BoxSymbols:
    """Polynomials over the rationals in variables, and in the irrational discounts of ranks up to ``depth``.

    Args:
        box: variable -> the closed interval that comparisons in the metric's code have to be certain on; none below 0.
        open_ends: (name, value) of the ends of its sides that are never reached.
        depth: the largest rank whose discount may be irrational.

    """

    def __init__(self, box: Box, open_ends: OpenEnds = frozenset(), depth: int = 0) -> None:
        discounts = [f"D{i}" for i in range(1, depth + 1)]
        self.context = fmpq_mpoly_ctx.get([*box, *discounts], Ordering.lex)
        self.names = list(box)
        self.one = self.context.constant(1)
        self.box = box
        self.open_ends = open_ends
        self.depth = depth
        self.discount: Discount | None = None

    def variable(self, name: str) -> Term:
        """Return the symbol of a variable."""
        return self._at(self.names.index(name))

    def _at(self, k: int) -> Term:
        return Term(_generators(self.context)[k], self.one, self)

    def constant(self, value: fmpq | int) -> Term:
        """Return a number as a term."""
        return Term(self.context.constant(value), self.one, self)

    def irrational(self, discount: Discount, rank: int) -> Term:
        """The symbol of an irrational discount.

        Raises:
            Undecided: of another discount, or of a rank below ``depth``.

        """
        if self.discount not in (None, discount) or rank > self.depth:
            raise Undecided(f"there is no symbol for {discount} at rank {rank}")
        self.discount = discount
        return self._at(len(self.names) + rank - 1)

    def read(self, polynomial: fmpq_mpoly) -> BoxPolynomial:
        """A polynomial in the variables, with the discounts as certified balls inside its coefficients."""
        exact: dict[tuple[int, ...], Any] = {}
        balls: dict[tuple[int, ...], Any] = {}
        count = len(self.names)
        with ctx.workprec(2 * BITS):
            for exponents, c in polynomial.to_dict().items():
                key, ranks = exponents[:count], exponents[count:]
                if not any(ranks):
                    exact[key] = c
                    continue
                assert self.discount is not None
                value = arb(c)
                for rank, power in enumerate(ranks, start=1):
                    if power:
                        value *= self.discount.ball(rank) ** int(power)
                balls[key] = balls.get(key, arb(0)) + value
            terms = {key: arb(exact[key]) + balls[key] if key in exact else balls[key] for key in balls}
        return BoxPolynomial(tuple(self.names), exact | terms)

    def sign(self, polynomial: fmpq_mpoly) -> int | None:
        """The sign on the whole box, ends that are never reached left out; None where it is not shown to be one."""
        if polynomial.is_constant():  # by far the most are
            constant = polynomial.leading_coefficient()
            return int(constant > 0) - int(constant < 0)
        found = self.read(polynomial)
        low, high = found.range_signs(self.box)
        if low == 1 or high == -1:
            return 1 if low == 1 else -1
        # Zero at a corner only, which may be at ends that are never reached.
        monotone = found.fits(self.box)
        if monotone is not None:
            terms = monotone.oriented.terms
            for sign in (1, -1):
                positive = all(sign * c > 0 for c in terms.values())
                if positive and any(self._never_zero(k, monotone.flips) for k in terms):
                    return sign
        return None

    def _never_zero(self, exponents: tuple[int, ...], flips: frozenset[str]) -> bool:
        """Tell whether a monomial in x, or 1 - x for the variables flipped, is positive wherever it is asked about."""
        for name, exponent in zip(self.names, exponents, strict=True):
            low, high = self.box[name]
            zero, end = (1, high) if name in flips else (0, low)
            if exponent and end == zero and (name, end) not in self.open_ends:
                return False
        return True


class ParameterArithmetic(Objects):
    """Rationals, with terms for the parameters that are varied and for irrational discounts.

    Args:
        symbols: that the terms are over.

    """

    def __init__(self, symbols: BoxSymbols) -> None:
        self.symbols = symbols

    def number(self, value: Any) -> Any:
        """Return a constant exactly; a term as it is."""
        return value if isinstance(value, Term) else to_fmpq(value)

    def irrational(self, discount: Discount, rank: int) -> Any:
        """The symbol of an irrational discount, where there are such symbols."""
        return self.symbols.irrational(discount, rank) if self.symbols.depth else super().irrational(discount, rank)


def score_on(metric: Metric, symbols: BoxSymbols, grades: Array, weights: Array, pool: Array, small: bool) -> Any:
    """Return what a metric scores (...,): terms and rationals, or a series of them if small.

    Args:
        metric: at its fixed values.
        symbols: those of its parameters that have one take it.
        grades: (..., n, m) terms or rationals.
        weights: (..., m).
        pool: (..., P, m).
        small: whether grades and pool are multiplied by eps.

    Raises:
        NotRational: a discount is irrational, and there are no symbols for these; may be tried again with some.
        InvalidInput: the metric cannot be run on symbols.
        Undecided: a comparison has not one outcome.

    """
    placed = metric.at({name: symbols.variable(name) for name in symbols.names if name in metric.values})
    seen, judged = (Series({1: x}) if small else x for x in (grades, pool))
    try:
        score = placed.score(ParameterArithmetic(symbols), seen, weights, judged)
    except NotRational as error:
        if symbols.depth == 0:
            raise
        raise InvalidInput(f"{metric} cannot be run on symbols for its parameters: {error}") from None
    except AxiomcheckError:
        raise
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
        raise InvalidInput(f"{metric} cannot be run on symbols for its parameters: {text}") from error
    return score


def one_entry(value: Any) -> Any:
    """Return an array of shape (1,), as folds take them."""
    return np.array([value], dtype=object)


def check_in_terms(metric: Metric, symbols: BoxSymbols) -> None:
    """Check that a metric of a user's own is scored by its fold, also with terms for grades and parameters.

    Nothing is asked of metrics of the catalogue.

    Args:
        metric: with its own values of the parameters.
        symbols: of the parameters that are varied, among others.

    Raises:
        InvalidInput: it is no fold, or not that fold everywhere; the message says where.

    """
    names = [name for name in symbols.names if name in metric.values]

    def at(made: Any, point: Mapping[str, fmpq]) -> Any:
        made = _single(made)
        if not isinstance(made, Term):
            return made
        values = [point.get(name, fmpq(0)) for name in symbols.names]
        values += [fmpq(0)] * symbols.depth
        return made.numerator(*values) / made.denominator(*values)

    with settled(f"metric: {type(metric).__name__}"):
        checked = own_fold(metric)
        if checked is None:
            return
        a = ParameterArithmetic(symbols)
        try:
            check_scores(checked, a, symbols.constant, lambda x: _number(_single(x)))
            check_symbols(checked, names)
            check_parameters(checked, names, a, symbols.variable, symbols.constant, at)
        except Undecided as error:
            raise InvalidInput(
                f"metric: {type(metric).__name__} takes different ways for different values: {error}"
            ) from None


def _single(x: Any) -> Any:
    return x.reshape(-1)[0] if isinstance(x, np.ndarray) and x.size == 1 else x


def _number(x: Any) -> fmpq:
    if not isinstance(x, Term):
        return x if isinstance(x, fmpq) else to_fmpq(x)
    top, bottom = x.numerator, x.denominator
    if not (top.is_constant() and bottom.is_constant()):
        raise TypeError("a number came out of the fold with symbols in it")
    return top.leading_coefficient() / bottom.leading_coefficient()
