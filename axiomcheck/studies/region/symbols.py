"""A metric's own code run on symbols for its parameters, and for the discounts that are irrational."""

from __future__ import annotations

from typing import Any

from flint import Ordering, arb, ctx, fmpq_mpoly, fmpq_mpoly_ctx

from axiomcheck.core.errors import AxiomcheckError, InvalidInput, NotRational
from axiomcheck.core.typing import Array
from axiomcheck.metrics import Metric
from axiomcheck.numbers.discount import Discount
from axiomcheck.numbers.polynomials import Ring, Term, Terms, Undecided
from axiomcheck.numbers.series import Series
from axiomcheck.studies.region.polynomials import BITS, Box, BoxPolynomial, OpenEnds


class BoxSymbols(Ring):
    """Polynomials over the rationals in variables, and in the irrational discounts of ranks up to ``depth``.

    Args:
        box: variable -> the closed interval that comparisons in the metric's code have to be certain on; none below 0.
        open_ends: (name, value) of the ends of its sides that are never reached.
        depth: the largest rank whose discount may be irrational.

    """

    def __init__(self, box: Box, open_ends: OpenEnds = frozenset(), depth: int = 0) -> None:
        discounts = [f"D{i}" for i in range(1, depth + 1)]
        super().__init__(fmpq_mpoly_ctx.get([*box, *discounts], Ordering.lex), list(box))
        self.box = box
        self.open_ends = open_ends
        self.depth = depth
        self.discount: Discount | None = None

    def variable(self, name: str) -> Term:
        """The symbol of a variable."""
        return self.at(self.names.index(name))

    def irrational(self, discount: Discount, rank: int) -> Term:
        """The symbol of an irrational discount.

        Raises:
            Undecided: of another discount, or of a rank below ``depth``.

        """
        if self.discount not in (None, discount) or rank > self.depth:
            raise Undecided(f"there is no symbol for {discount} at rank {rank}")
        self.discount = discount
        return self.at(len(self.names) + rank - 1)

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

    def shows(self, polynomial: fmpq_mpoly, strict: bool) -> object | None:
        """Whether the sign of a polynomial is seen to be 1 (not strict: or 0); None where not."""
        sign = self.sign(polynomial)
        return True if sign == 1 or (sign == 0 and not strict) else None

    def cancels(self, common: fmpq_mpoly) -> int | None:
        """That of any factor whose sign is known: polynomials are looked at for roots."""
        return self.sign(common)

    def sign(self, polynomial: fmpq_mpoly) -> int | None:
        """The sign on the whole box, ends that are never reached left out; None where it is not shown to be one."""
        if polynomial.is_constant():
            return super().sign(polynomial)
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
        """Whether a monomial in x, and in 1 - x for the variables flipped, is positive wherever it is asked about."""
        for name, exponent in zip(self.names, exponents, strict=True):
            low, high = self.box[name]
            zero, end = (1, high) if name in flips else (0, low)
            if exponent and end == zero and (name, end) not in self.open_ends:
                return False
        return True


class ParameterArithmetic(Terms):
    """Rationals, with terms for the parameters that are varied and for irrational discounts.

    Args:
        symbols: that the terms are over.

    """

    def __init__(self, symbols: BoxSymbols) -> None:
        self.symbols = symbols

    def irrational(self, discount: Discount, rank: int) -> Any:
        """The symbol of an irrational discount, where there are such symbols."""
        return self.symbols.irrational(discount, rank) if self.symbols.depth else super().irrational(discount, rank)


def score_on(metric: Metric, symbols: BoxSymbols, grades: Array, weights: Array, pool: Array, small: bool) -> Any:
    """What a metric scores (...,): terms and rationals, or a series of them if small.

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
