"""Write the sign conditions of a certificate in SMT-LIB 2, for solvers of nonlinear real arithmetic.

The checker reads signs from coefficients (`axiomcheck.proof.check.polynomials`). For each sign, a solver searches the
ranges for values at which the sign is different. If the checker is right, the solver answers "unsat".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

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
        terms: Pairs of the exponents of the variables and the coefficient as text.
        relation: Relation of the sum of the terms to 0: ``">"``, ``">="``, ``"<"`` or ``"<="``.

    """

    ranges: tuple[str, ...]
    terms: tuple[tuple[tuple[int, ...], str], ...]
    relation: str


def obligations_of(certificate: Certificate, metric: Metric, axiom: Axiom | None = None) -> list[SignObligation]:
    """Check a certificate, and return the sign conditions of the check without duplicates and constants.

    Args:
        certificate: Certificate of a proof.
        metric: Metric of the certificate.
        axiom: Axiom of the certificate; needed only if it has no registered name.

    Raises:
        InvalidInput: The certificate does not prove its claim.

    """
    with recorded_claims() as claims:
        check_certificate(certificate, metric, axiom)
    return list(dict.fromkeys(_obligation(claim) for claim in claims if claim.polynomial.number() is None))


def _obligation(claim: SignClaim) -> SignObligation:
    """Convert a claim to an obligation with numbered variables. Claims that differ only in names become equal."""
    variables = list(claim.polynomial.degrees())
    ranges = tuple("[0, oo)" if v.range == LIMIT else v.range for v in variables)
    terms = sorted((tuple(map(m.count, variables)), str(c)) for m, c in claim.polynomial.terms.items())
    return SignObligation(ranges, tuple(terms), claim.relation)


def smt_text(obligations: Iterable[SignObligation]) -> str:
    """Write obligations as an SMT-LIB 2 script with a query for each. The expected answer to each query is "unsat"."""
    parts = ["(set-logic QF_NRA)\n"]
    for number, obligation in enumerate(obligations, start=1):
        parts.append(f"; obligation {number}: expected unsat\n(push 1)\n{question(obligation)}(check-sat)\n(pop 1)\n")
    return "\n".join(parts)


def question(obligation: SignObligation) -> str:
    """Write SMT-LIB 2 declarations and assertions that are unsatisfiable if an obligation holds.

    Powers are written as products, because the standard has no powers of real numbers.
    """
    symbols = [f"x{number}" for number in range(len(obligation.ranges))]
    facts: list[str] = []
    for symbol, range_ in zip(symbols, obligation.ranges, strict=True):
        facts += [] if range_ == FREE else [f"({'>=' if range_.startswith('[') else '>'} {symbol} 0)"]
        facts += [f"({'<=' if range_.endswith(']') else '<'} {symbol} 1)"] if range_[-2] == "1" else []
    products = [_product(symbols, *term) for term in obligation.terms]
    total = f"(+ {' '.join(products)})" if len(products) > 1 else products[0]
    against = {">": "<=", ">=": "<", "<": ">=", "<=": ">"}[obligation.relation]
    lines = [*(f"(declare-const {symbol} Real)" for symbol in symbols), *(f"(assert {fact})" for fact in facts)]
    return "\n".join([*lines, f"(assert ({against} {total} 0))", ""])


def _product(symbols: Sequence[str], exponents: Sequence[int], coefficient: str) -> str:
    above, _, below = coefficient.partition("/")
    factors = [symbol for symbol, power in zip(symbols, exponents, strict=True) for _ in range(power)]
    number = f"(/ {above} {below})" if below else above
    return f"(* {' '.join([number, *factors])})" if factors else number
