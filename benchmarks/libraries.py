"""Ask axioms and contract checks of measures in installed libraries: the tables of research/output/libraries.md.

A row per measure and a column per axiom. In the regime ``finite`` grades are any in [0, 1]; ``limit`` decides the
axioms for r << 1, as far as the library takes such grades. Time goes to standard error.

    python benchmarks/libraries.py [--regime finite|limit|stated] [--examples N] [--jobs N] [MEASURE ...]
    python benchmarks/libraries.py --contract [--seed N] [MEASURE ...]
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence

from axiomcheck.axioms import AXIOMS
from axiomcheck.checks.contract import Outcome
from axiomcheck.checks.metric import check_metric
from axiomcheck.core.domain import Reading, Regime
from axiomcheck.core.errors import AxiomcheckError
from axiomcheck.decide.search import Settings
from axiomcheck.engine.places import Machine
from axiomcheck.engine.run import run_matrix
from axiomcheck.engine.tasks import External
from axiomcheck.reports.contract_case import case_text
from axiomcheck.reports.symbols import SYMBOLS

MEASURES = [
    "ir_measures:P@10",
    "ir_measures:AP",
    "ir_measures:RR",
    "ir_measures:nDCG@10",
    "ir_measures:ERR@10",
    "ir_measures:Bpref",
    "ir_measures:infAP",
    "ir_measures:Compat",
    "ir_measures:RBP(rel=1)",
    "ir_measures:INST(max_rel=4)",
    "ir_measures:SDCG(max_rel=4)@10",
    "ir_measures:NERR8(max_rel=4)@10",
    "ir_measures:BPM(T=2.0, max_rel=4)@10",
    "ir_measures:alpha_nDCG@20",
    "ir_measures:ERR_IA@20",
    "ir_measures:nNRBP",
    "ir_measures:NRBP",
    "ir_measures:AP_IA",
    "ir_measures:StRecall@10",
    "ranx:ndcg@10",
    "ranx:ndcg_burges@10",
    "ranx:map",
    "ranx:rbp.8",
    "ranx:bpref",
    "sklearn:ndcg_score(k=10)",
    "sklearn:ndcg_score",
    "sklearn:average_precision_score",
    "sklearn:label_ranking_average_precision_score",
]


def contract_row(name: str, outcomes: Sequence[Outcome]) -> str:
    """The row of the table on contract checks."""
    passed = sum(outcome.status == "passed" for outcome in outcomes)
    told = {
        status: ", ".join(f"`{o.check}`" for o in outcomes if o.status in statuses) or "–"
        for status, statuses in (("failed", ("failed", "error")), ("admitted", ("admitted",)))
    }
    return f"| `{name}` | {passed} | {told['failed']} | {told['admitted']} |"


def contract_reasons(name: str, outcomes: Sequence[Outcome]) -> list[str]:
    """What every check says that did not pass, with its smallest case."""
    return [
        f"{name} {o.check} {o.status}: {o.reason}" + (f" [{case_text(o.counterexample)}]" if o.counterexample else "")
        for o in outcomes
        if o.status in ("failed", "error", "admitted")
    ]


def contract_table(names: Sequence[str], seed: int) -> list[str]:
    """Prints the table on contract checks; returns the reasons."""
    print("| measure | passed | failed, or in error | admitted by documentation |")
    print("| --- | --: | --- | --- |")
    reasons = []
    for name in names:
        outcomes = check_metric(External(name), [], settings=Settings(seed=seed)).tried.contract
        print(contract_row(name, outcomes), flush=True)
        reasons += contract_reasons(name, outcomes)
    return reasons


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("measures", nargs="*", default=MEASURES, metavar="MEASURE")
    parser.add_argument("--regime", choices=[r.value for r in Regime], default=Regime.FINITE.value)
    parser.add_argument("--examples", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--reasons", action="store_true", help="after the table, why each cell is what it is")
    parser.add_argument("--contract", action="store_true", help="the contract checks, and no axiom")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    if arguments.contract:
        reasons = contract_table(arguments.measures, arguments.seed)
        if arguments.reasons:
            print("\n".join(["", *reasons]))
        return
    reading = Reading(Regime(arguments.regime))
    settings = Settings(examples=arguments.examples, proofs=False)
    axioms = list(AXIOMS.values())
    print("| measure | " + " | ".join(axiom.name for axiom in axioms) + " |")
    print("| --- |" + " :-: |" * len(axioms))
    reasons = []
    for name in arguments.measures:
        began = time.perf_counter()
        try:
            cells = run_matrix([External(name)], axioms, reading, settings, machine=Machine(arguments.jobs)).cells
        except AxiomcheckError as error:
            print(f"{name}: {error}", file=sys.stderr)
            continue
        print(f"| `{name}` | " + " | ".join(SYMBOLS[cell.verdict] for cell in cells) + " |", flush=True)
        reasons += [f"{name} {cell.axiom} {cell.verdict}: {cell.reason}" for cell in cells]
        print(f"{name}: {time.perf_counter() - began:.1f} s", file=sys.stderr)
    if arguments.reasons:
        print("\n".join(["", *reasons]))


if __name__ == "__main__":
    main()
