"""Asks z3 whether a polynomial is positive on a range; z3 is an optional extra, and is imported only here.

An answer is decided by a limit on z3's own count of steps, not by time, with a fixed seed: the same question gets the
same answer from the same release of z3.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from axiomcheck.core.errors import InvalidInput

__all__ = ["RLIMIT", "Answer", "is_positive"]

RLIMIT = 3_000_000
"""Steps of z3 for one question: some seconds at most."""


@dataclass(frozen=True)
class Answer:
    """What z3 says of "is there a point where it is not positive".

    Args:
        kind: ``unsat`` (there is none, so it is positive), ``sat``, or ``unknown``.
        point: with ``sat``, the value of every variable; an irrational one is rounded.
        exact: whether no value was rounded.

    """

    kind: Literal["unsat", "sat", "unknown"]
    point: dict[str, Fraction] = field(default_factory=dict)
    exact: bool = True


def _z3() -> Any:
    try:
        return importlib.import_module("z3")
    except ImportError:
        raise InvalidInput("the solver z3 is not installed; expected axiomcheck[smt]") from None


def is_positive(
    terms: Mapping[tuple[int, ...], Any],
    names: Sequence[str],
    ranges: Sequence[str],
    strict: bool,
    rlimit: int = RLIMIT,
) -> Answer:
    """Whether a polynomial is > 0 (not strict: >= 0) wherever its variables are in their ranges.

    Args:
        terms: exponents -> rational coefficient; positions beyond the names have exponent 0.
        names: of the variables.
        ranges: ``"(0, 1]"``, ``"[0, oo)"`` and the like, one per variable.
        strict: whether 0 is not enough.
        rlimit: steps that z3 may take.

    Raises:
        InvalidInput: z3 is not installed.

    """
    z3 = _z3()
    context = z3.Context()
    solver = z3.SolverFor("QF_NRA", ctx=context)
    solver.set("rlimit", rlimit)
    solver.set("random_seed", 0)
    occurring = sorted({k for e in terms for k, power in enumerate(e) if power})
    variables = {k: z3.Real(names[k], context) for k in occurring}
    for k, x in variables.items():
        low, high = ranges[k].split(", ")
        solver.add(x >= 0 if low[0] == "[" else x > 0)
        if not high.startswith("oo"):
            solver.add(x <= 1 if high[-1] == "]" else x < 1)
    total = z3.RealVal(0, context)
    for exponents, coefficient in sorted(terms.items(), key=lambda item: item[0]):
        product = z3.RealVal(str(coefficient), context)
        for k, power in enumerate(exponents):
            for _ in range(power):
                product = product * variables[k]
        total = total + product
    solver.add(total <= 0 if strict else total < 0)
    found = solver.check()
    if found == z3.unsat:
        return Answer("unsat")
    if found != z3.sat:
        return Answer("unknown")
    model = solver.model()
    point, exact = {}, True
    for k, x in variables.items():
        value = model.eval(x, model_completion=True)
        if z3.is_algebraic_value(value):
            value, exact = value.approx(30), False
        point[names[k]] = Fraction(value.numerator_as_long(), value.denominator_as_long())
    return Answer("sat", point, exact)
