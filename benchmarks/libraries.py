"""What the ten axioms say of measures in installed libraries, as the Markdown table of docs/libraries.md.

A row per measure and a column per axiom. In the regime ``finite`` grades are any in [0, 1]; ``limit`` decides the
axioms for r << 1, as far as the library takes such grades. Time goes to standard error.

    python benchmarks/libraries.py [--regime finite|limit|stated] [--examples N] [--jobs N] [MEASURE ...]
"""

from __future__ import annotations

import argparse
import os
import sys
import time

from axiomcheck.axioms import AXIOMS
from axiomcheck.core.domain import Reading, Regime
from axiomcheck.core.errors import AxiomcheckError
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.search import Settings
from axiomcheck.engine.matrix import Foreign, run_matrix
from axiomcheck.records.cells import Cell

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
    "cwl:RBP(0.8)",
    "cwl:INST(T=3)",
    "cwl:NDCG(10)",
    "cwl:NERReq8(10)",
    "cwl:BPM(T=2, K=10)",
]

SYMBOLS = {
    Verdict.REFUTED: "○",
    Verdict.HELD: "◐",
    Verdict.BOUNDED: "◑",
    Verdict.PROVED: "●",
    Verdict.INCOMPARABLE: "≬",
    Verdict.NOT_APPLICABLE: "–",
    Verdict.UNDECIDED: "?",
    Verdict.ERROR: "!",
}


def shown(cell: Cell) -> str:
    return SYMBOLS[cell.verdict]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("measures", nargs="*", default=MEASURES, metavar="MEASURE")
    parser.add_argument("--regime", choices=[r.value for r in Regime], default=Regime.FINITE.value)
    parser.add_argument("--examples", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--reasons", action="store_true", help="after the table, why each cell is what it is")
    arguments = parser.parse_args()
    reading = Reading(Regime(arguments.regime))
    settings = Settings(examples=arguments.examples, proofs=False)
    axioms = list(AXIOMS.values())
    print("| measure | " + " | ".join(axiom.name for axiom in axioms) + " |")
    print("| --- |" + " :-: |" * len(axioms))
    reasons = []
    for name in arguments.measures:
        began = time.perf_counter()
        try:
            cells = run_matrix([Foreign(name)], axioms, reading, settings, arguments.jobs).cells
        except AxiomcheckError as error:
            print(f"{name}: {error}", file=sys.stderr)
            continue
        print(f"| `{name}` | " + " | ".join(map(shown, cells)) + " |", flush=True)
        reasons += [f"{name} {cell.axiom} {cell.verdict}: {cell.reason}" for cell in cells]
        print(f"{name}: {time.perf_counter() - began:.1f} s", file=sys.stderr)
    if arguments.reasons:
        print("\n".join(["", *reasons]))


if __name__ == "__main__":
    main()
