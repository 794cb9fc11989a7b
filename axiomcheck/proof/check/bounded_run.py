"""Run a metric's own code on the symbols of one case, and derive the coefficients of the difference.

The checker runs the cases that a certificate lists. The prover runs the cases that its guessed splits lead to. The
lemmas are in docs/lemmas/bounded.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from math import gcd, lcm
from typing import Any

import numpy as np

from axiomcheck.axioms import PairAxiom
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.typing import ExactNumbers
from axiomcheck.metrics import Metric
from axiomcheck.numbers.series import Series, Truncated, last_known
from axiomcheck.proof.check.bounded_space import Space
from axiomcheck.proof.check.bounded_symbols import Sortable, Symbolic, Unread, World, Zetas
from axiomcheck.proof.check.polynomials import Polynomial
from axiomcheck.proof.check.quotients import Quotient
from axiomcheck.sources.provenance import runs_catalogue_code

DISCOUNTS = ("decreasing", "convex", "own")
"""Assumptions about discounts that are neither constant nor geometric, weakest first."""


@dataclass(frozen=True)
class BoundedPlan:
    """Claim about a metric on instances up to some size, with the assumptions of the proof.

    Args:
        axiom: Axiom of the claim.
        metric: Metric with its own parameter values.
        small: True if r << 1 is assumed.
        binary: True if every grade is 0 or the same number rc.
        parameters: Parameters that become symbols, each with its range.
        discount: One of `DISCOUNTS`.
        pool: True if the metric receives a pool. Without a pool, the number of unretrieved documents does not matter.

    """

    axiom: PairAxiom
    metric: Metric
    small: bool
    binary: bool
    parameters: Mapping[str, str]
    discount: str
    pool: bool

    @cached_property
    def own_code(self) -> bool:
        """Return True if external code determines the metric's scores."""
        return not runs_catalogue_code(self.metric)


class SymbolicCase:
    """Symbols of one case, and the metric's scores on them.

    Args:
        plan: Plan of the proof.
        space: Grades of the case.

    Attributes:
        world: Symbols created so far.
        by_order: Q(better) - Q(worse) by order of eps. If r << 1 is not assumed, the only order is 0.
        last: Highest known order; None if all are known.

    """

    def __init__(self, plan: BoundedPlan, space: Space) -> None:
        self.plan, self.space = plan, space
        self._begin(None, None)

    def _begin(self, earlier: World | None, zetas: list[tuple[int, Polynomial]] | None) -> None:
        """Create the symbols, or reuse those of an earlier run that requested the given zeta values."""
        self.world = World(earlier)
        self.parameters = {name: self.world.variable(name, range_) for name, range_ in self.plan.parameters.items()}
        self.zetas = Zetas(self.world, zetas)
        grades = self.space.grades(self.world).view(Sortable)
        grades.world = self.world
        self.grades: ExactNumbers = grades
        self.weights = self.space.weights(self.world)
        self.arithmetic = Symbolic(self.world, self.plan.discount, self.space.setting.shape.documents, self.zetas)
        self.by_order: dict[int, Quotient] = {}
        self.last: int | None = None

    def derive(self, keep: int | None = None) -> None:
        """Score both rankings, and score them again if zeta values turn out to be related.

        Args:
            keep: Order of eps up to which the difference is derived; None for all orders. If the difference is 0 up to
                this order, all orders are derived.

        Raises:
            SignUnknown: The metric's code makes a comparison that the symbols do not decide.
            PoolRead: The code reads the pool, although the plan gives it none.
            InvalidInput: The code does not run on symbols.

        """
        with suppress(Truncated):
            self._score(keep)
        if not self.by_order or (keep is not None and self.leading()[1].is_zero):
            self._begin(None, None)
            self._score(None)
        if self.zetas.are_related():
            self._begin(self.world, self.zetas.values)
            self._score(None)

    def leading(self) -> tuple[int, Quotient]:
        """Return the first order of eps at which the difference is not 0, and its coefficient; else (0, 0)."""
        return next(((k, q) for k, q in self.by_order.items() if not q.is_zero), (0, Quotient.of(0)))

    def _score(self, keep: int | None) -> None:
        """Score both rankings, keeping products up to a given order of eps.

        Raises:
            Truncated: A result of the metric's code depends on higher orders.

        """
        plan = self.plan
        metric = plan.metric.at(self.parameters) if self.parameters else plan.metric

        def as_seen(x: Any) -> Any:
            return Series({1: x}, keep) if plan.small else x

        pool = as_seen(self.grades) if plan.pool else Unread()
        sides: list[dict[int, Quotient]] = []
        scores = []
        for rows in plan.axiom.rankings(self.space.setting.draft()):
            try:
                score = metric.score(self.arithmetic, as_seen(self.grades[:, rows[0]]), self.weights, pool)
            except InvalidInput:
                raise
            except Truncated as error:
                if keep is not None:
                    raise
                raise InvalidInput(f"certificate: {metric.name}: {error}") from None
            except Exception as error:
                raise InvalidInput(f"certificate: {metric.name} raised {type(error).__name__}: {error}") from error
            scores.append(score)
            terms = score.terms if isinstance(score, Series) else {0: score}
            if any(np.size(c) != 1 for c in terms.values()):
                raise InvalidInput("certificate: the metric returned several numbers for one ranking")
            if isinstance(score, Series) and score.dropped and not plan.axiom.strict:
                raise InvalidInput("certificate: scores that are equal in all known orders may differ in a higher one")
            try:
                sides.append({k: Quotient.of(np.asarray(c, dtype=object).reshape(-1)[0]) for k, c in terms.items()})
            except TypeError as error:
                raise InvalidInput(f"certificate: a score is not an exact number: {error}") from None
        worse, better = sides
        zero, self.last = Quotient.of(0), last_known(*scores)
        self.by_order = {
            k: better.get(k, zero) - worse.get(k, zero)
            for k in sorted({*worse, *better})
            if self.last is None or k <= self.last
        }


def written(case: SymbolicCase, order: int, numerator: Polynomial) -> dict[str, Any]:
    """Write a difference in the notation of certificates: variables, zeta values, order of eps and coefficients.

    The coefficients are grouped by products of weights. They are integers without a common divisor.
    """
    world, expanded = case.world, numerator.expanded()
    used, zetas = numerator.degrees(), case.zetas.written()
    scale = lcm(*(int(c.q) for c in expanded.values()))
    whole = {monomial: int(c.p) * scale // int(c.q) for monomial, c in expanded.items()}
    divisor = gcd(*whole.values())
    terms: dict[str, dict[str, str]] = {}
    for monomial in sorted(whole, key=world.monomial):
        weights = world.monomial(tuple(v for v in monomial if v.name.startswith("w")))
        rest = world.monomial(tuple(v for v in monomial if not v.name.startswith("w")))
        terms.setdefault(weights, {})[rest] = str(whole[monomial] // divisor)
    return {
        "variables": [[v.name, v.range] for v in world.variables if v in used],
        **({"zeta": zetas} if zetas else {}),
        "order": order,
        "terms": terms,
    }
