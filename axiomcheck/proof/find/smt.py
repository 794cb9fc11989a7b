"""Bounded proofs with the help of z3, where coefficients alone do not settle a case; an optional extra.

That a case is settled by z3 can be checked by asking z3 again, not by looking at coefficients: the certificate says
``by z3``. Where z3 finds a point at which the difference of the scores is not positive, the point is made an instance
and judged in exact arithmetic; it is a counterexample only if that confirms it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mpoly

from axiomcheck.axioms import Draft, PairAxiom
from axiomcheck.core.domain import Domain
from axiomcheck.core.errors import AxiomcheckError, InternalDisagreement
from axiomcheck.decide.batch import Batch
from axiomcheck.decide.comparison import judge
from axiomcheck.decide.outcome import Judgement
from axiomcheck.metrics import Metric
from axiomcheck.numbers.arithmetic import to_fmpq
from axiomcheck.proof.check.solver import RLIMIT, is_positive
from axiomcheck.proof.find.bounded import BUDGET, prove_bounded
from axiomcheck.proof.find.case import Case

__all__ = ["SmtOutcome", "prove_smt", "replay"]

Array = Any


@dataclass(frozen=True)
class SmtOutcome:
    """What came out.

    Args:
        document: a certificate of kind ``smt``; None without a proof.
        counterexample: a violating instance (B = 1, exact) that z3 found, confirmed in exact arithmetic; or None.
        judgement: the exact judgement on it.

    """

    document: dict[str, Any] | None
    counterexample: Batch | None = None
    judgement: Judgement | None = None


class _Refuted(AxiomcheckError):
    """A model of z3 is a counterexample."""

    def __init__(self, batch: Batch, judgement: Judgement) -> None:
        super().__init__("refuted")
        self.batch = batch
        self.judgement = judgement


def prove_smt(
    axiom: PairAxiom,
    metric: Metric,
    small: bool,
    domain: Domain = Domain.GRADED,
    most_ranked: int = 4,
    most_aspects: int = 2,
    budget: int = BUDGET,
    rlimit: int = RLIMIT,
) -> SmtOutcome:
    """As `axiomcheck.proof.find.bounded.prove_bounded`, with questions to z3.

    Args:
        axiom: a constraint on pairs that states its relations.
        metric: whose code runs on symbols.
        small: whether r << 1 is assumed.
        domain: of the grades.
        most_ranked: the longest d that is tried.
        most_aspects: the most aspects that are tried.
        budget: see `prove_bounded`.
        rlimit: steps that z3 may take for one question.

    Raises:
        InvalidInput: z3 is not installed.
        InternalDisagreement: z3 has a counterexample that exact arithmetic does not confirm.

    """

    def ask(case: Case, numerator: fmpq_mpoly, order: int) -> bool:
        names, ranges = case.variables.names, [r.value for r in case.variables.ranges]
        answer = is_positive(numerator.to_dict(), names, ranges, axiom.strict, rlimit)
        if answer.kind == "sat":
            found = replay(axiom, metric, case, numerator, answer.point, answer.exact)
            if found is not None:
                raise _Refuted(*found)
        return answer.kind == "unsat"

    try:
        return SmtOutcome(prove_bounded(axiom, metric, small, domain, most_ranked, most_aspects, budget, ask))
    except _Refuted as refuted:
        return SmtOutcome(None, refuted.batch, refuted.judgement)


def replay(
    axiom: PairAxiom, metric: Metric, case: Case, numerator: fmpq_mpoly, point: dict[str, Fraction], exact: bool
) -> tuple[Batch, Judgement] | None:
    """The instance at a point, if it violates the constraint; None where that does not follow.

    Args:
        axiom: the constraint.
        metric: with its own parameters.
        case: the region that the point is from.
        numerator: of the difference of the scores.
        point: values of variables; the others are chosen inside their ranges.
        exact: whether no value of the point was rounded.

    Raises:
        InternalDisagreement: the point is an instance at which the difference has the wrong sign, and the exact
            scores do not.

    """
    values = _values(case, point)
    batch = Batch(axiom, _draft(case, values), case.plan.small)
    if not axiom.premises(batch.draft)[0]:
        return None  # a point of the larger region that the case stands for
    judgement = judge(metric, batch)
    if judgement.arithmetic == "numerical":
        return None  # floats confirm nothing
    if judgement.sign == -1 or (judgement.sign == 0 and axiom.strict):
        return batch, judgement
    difference = numerator(*values)
    # Variables that stand for discounts, sorted or zeta values are tied to nothing, and a coefficient that vanishes
    # leaves the sign to the next order.
    free = any(name[0] in "DSZ" and numerator.degrees()[k] for k, name in enumerate(case.variables.names))
    decided = difference < 0 or (difference == 0 and axiom.strict and not case.plan.small)
    if exact and decided and not free and not case.parameters and judgement.sign is not None:
        raise InternalDisagreement(
            f"{metric} on {axiom}: z3 has a point where the constraint is violated, exact arithmetic finds sign "
            f"{judgement.sign} there"
        )
    return None


def _values(case: Case, point: dict[str, Fraction]) -> list[fmpq]:
    inside = [to_fmpq(point.get(name, Fraction(1, 2))) for name in case.variables.names]
    return inside + [fmpq(0)] * (case.variables.constant(0).numerator.context().nvars() - len(inside))


def _draft(case: Case, values: list[fmpq]) -> Draft:
    setting = case.region.setting
    grades = np.empty(case.grades.shape, dtype=object)
    for index, term in np.ndenumerate(np.asarray(case.grades)):
        grades[index] = term.numerator(*values) / term.denominator(*values)
    peak = max(grades.ravel())
    if case.plan.small and peak > 0:
        grades = grades / peak  # patterns that differ by a common factor are one instance
        peak = fmpq(1)
    shares = [term.numerator(*values) / term.denominator(*values) for term in case.weights]
    scale = lcm(*(int(x.q) for x in shares))
    weights = np.array([[int(x.p) * (scale // int(x.q)) for x in shares]], dtype=np.int64)
    top = np.empty(1, dtype=object)
    top[0] = peak if setting.binary and peak > 0 else fmpq(1)
    blank = setting.draft()
    columns = {c: getattr(blank, c) for c in ("i", "j", "t", "u")}
    return Draft(setting.shape, grades, weights, top, **columns, binary=setting.binary)
