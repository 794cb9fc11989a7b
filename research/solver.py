"""Check every sign obligation of the catalogue's proofs with an independent solver, z3.

The script needs z3 (``pip install -e '.[smt]'``). If a proof has changed, update the output with ``python -m
research.solver > research/output/solver.txt``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from axiomcheck.axioms import AXIOMS
from axiomcheck.core.domain import Reading, Regime
from axiomcheck.metrics import paper_rows
from axiomcheck.proof.proving import prove
from axiomcheck.proof.smt import SignObligation, obligations_of, question

RESOURCES = 3_000_000
"""Resource limit of z3 per obligation in its own steps, so that the result does not depend on the machine."""

ANSWERS = {"unsat": "confirmed", "sat": "refuted", "unknown": "given up"}


def answer(obligation: SignObligation) -> str:
    """Ask z3 whether an obligation holds, and return "confirmed", "refuted" or "given up"."""
    import z3

    solver: Any = z3.SolverFor("QF_NRA")
    solver.set("rlimit", RESOURCES)
    solver.from_string(question(obligation))
    return ANSWERS[str(solver.check())]


def report(regimes: Sequence[Regime] = tuple(Regime), axioms: Sequence[str] = tuple(AXIOMS)) -> str:
    """Return a table per regime: certificates by kind and verdict, their obligations, and the solver's answers.

    An obligation shared by several certificates of one kind and verdict counts once.

    Args:
        regimes: Regimes to report.
        axioms: Names of the axioms whose certificates are included.

    """
    known: dict[SignObligation, str] = {}
    lines = []
    for regime in regimes:
        certificates: Counter[tuple[str, str]] = Counter()
        asked: defaultdict[tuple[str, str], set[SignObligation]] = defaultdict(set)
        for metric in paper_rows():
            for axiom in map(AXIOMS.__getitem__, axioms):
                proof = prove(axiom, metric, Reading(regime))
                if proof is None:
                    continue
                kind = (str(proof.certificate.kind), proof.verdict.value)
                certificates[kind] += 1
                asked[kind].update(obligations_of(proof.certificate, metric))
        lines += [f"Regime {regime.value}", ""]
        heads = "".join(f"{name:>11}" for name in ANSWERS.values())
        lines.append(f"{'certificate':<11} {'verdict':<8} {'cells':>5} {'obligations':>11}{heads}")
        for kind in sorted(certificates):
            answers = Counter(known.setdefault(each, answer(each)) for each in asked[kind])
            lines.append(
                f"{kind[0]:<11} {kind[1]:<8} {certificates[kind]:>5} {len(asked[kind]):>11}"
                + "".join(f"{answers[name]:>11}" for name in ANSWERS.values())
            )
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    print(report(), end="")
