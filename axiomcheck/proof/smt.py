"""Write the sign conditions of a certificate in SMT-LIB 2, for solvers of nonlinear real arithmetic.

The checker reads signs from coefficients (`axiomcheck.proof.check.polynomials`). For each sign, a solver searches the
ranges of the variables for values at which the sign is different. If the checker is right, it answers "unsat".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from axiomcheck.axioms import Axiom
from axiomcheck.metrics import Metric
from axiomcheck.proof.check import check_certificate
from axiomcheck.proof.check.polynomials import FREE, LIMIT, SignClaim, recorded_claims
from axiomcheck.records.certificates import Certificate


@dataclass(frozen=True)
class SignObligation:
    """Sign condition on which a certificate depends.

    Args:
        ranges: Range of each variable, such as ``"(0, 1]"``.
        terms: Pairs (exponents of the variables, coefficient as text).
        relation: Relation of the sum of the terms to 0: ``">"``, ``">="``, ``"<"`` or ``"<="``.

    """

    ranges: tuple[str, ...]
    terms: tuple[tuple[tuple[int, ...], str], ...]
    relation: str


def obligations_of(certificate: Certificate, metric: Metric, axiom: Axiom | None = None) -> list[SignObligation]:
    """Check a certificate, and return the sign conditions that the check relied on.

    Duplicates and conditions on constants are left out. ``axiom`` is needed only if it has no registered name.

    Raises:
        InvalidInput: The certificate does not prove its claim.

    """
    with recorded_claims() as claims:
        check_certificate(certificate, metric, axiom)
    return list(dict.fromkeys(_obligation(claim) for claim in claims if claim.polynomial.number() is None))


def _obligation(claim: SignClaim) -> SignObligation:
    """Convert a claim to an obligation. Claims that differ only in the names of variables give equal obligations."""
    variables = list(claim.polynomial.degrees())
    ranges = tuple("[0, oo)" if v.range == LIMIT else v.range for v in variables)
    terms = sorted((tuple(map(m.count, variables)), str(c)) for m, c in claim.polynomial.terms.items())
    return SignObligation(ranges, tuple(terms), claim.relation)


def smt_text(obligations: Iterable[SignObligation]) -> str:
    """Write an SMT-LIB 2 script with one query per obligation. The expected answer to every query is "unsat"."""
    parts = ["(set-logic QF_NRA)\n"]
    for number, obligation in enumerate(obligations, start=1):
        parts.append(f"; obligation {number}: expected unsat\n(push 1)\n{question(obligation)}(check-sat)\n(pop 1)\n")
    return "\n".join(parts)


def question(obligation: SignObligation) -> str:
    """Write SMT-LIB 2 declarations and assertions that are unsatisfiable if an obligation holds.

    Powers are written as products, because SMT-LIB has no powers of real numbers.
    """
    from sympy import Add, Integer, Mul, Rational, Symbol
    from sympy.core.relational import Ge, Gt, Le, Lt
    from sympy.printing.smtlib import smtlib_code

    symbols = [Symbol(f"x{number}", real=True) for number in range(len(obligation.ranges))]

    def product(exponents: Sequence[int], coefficient: str) -> Any:
        factors = [symbol for symbol, power in zip(symbols, exponents, strict=True) for _ in range(power)]
        return Mul(Rational(coefficient), *factors, evaluate=False) if factors else Rational(coefficient)

    total = Add(*(product(*term) for term in obligation.terms), evaluate=False)
    against = {">": Le, ">=": Lt, "<": Ge, "<=": Gt}[obligation.relation]
    facts: list[Any] = []
    for symbol, range_ in zip(symbols, obligation.ranges, strict=True):
        facts += [] if range_ == FREE else [(Ge if range_.startswith("[") else Gt)(symbol, Integer(0), evaluate=False)]
        facts += [(Le if range_.endswith("]") else Lt)(symbol, 1, evaluate=False)] if range_[-2] == "1" else []
    facts.append(against(total, 0, evaluate=False))
    text: str = smtlib_code(facts, auto_assert=True, auto_declare=True, log_warn=lambda message: None)
    return text if text.endswith("\n") else f"{text}\n"
