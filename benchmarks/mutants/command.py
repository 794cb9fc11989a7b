"""Mutants of the catalogue's metrics, run through the gate with the original's contract and the original as reference.

Prints how many are noticed by the axioms, by the contract checks, by the reference, and which by none of them.

    python benchmarks/mutants [--jobs N] [--row R ...] [--operator O ...] [--regime stated|limit|finite]
                              [--examples N] [--json FILE] [--list]
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import as_completed
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

from axiomcheck.core.domain import Reading, Regime
from axiomcheck.core.errors import AxiomcheckError
from axiomcheck.decide.search import Settings
from axiomcheck.metrics import ROWS
from axiomcheck.processes.isolation import Limits, Workers, outcome_of
from mutants.building import Mutant, mutants_of
from mutants.judging import LAYERS, Judgement, RowContract, judge_mutant, record_row
from mutants.operators import OPERATORS
from mutants.report import report
from mutants.wrappers import WRAPPERS, unspoiled

__all__ = ["main", "run"]


def run(chosen: Sequence[Mutant], reading: Reading, settings: Settings, limits: Limits, jobs: int) -> list[Judgement]:
    """Judges mutants in worker processes; one that hangs or crashes its process is noticed by that."""
    os.environ["PYTHONHASHSEED"] = "0"  # of the workers: mutants that depend on it have to be the same in every run
    done: dict[Mutant, Judgement] = {}
    forms = {mutant: (mutant.row, unspoiled(mutant.operator)) for mutant in chosen}
    with Workers(jobs, limits) as workers:
        asked = {
            form: workers.submit(record_row, mutant.row, mutant.operator, reading, settings)
            for form, mutant in {forms[mutant]: mutant for mutant in chosen}.items()
        }
        contracts: dict[Any, RowContract] = {form: outcome_of(future, limits) for form, future in asked.items()}
        running: dict[Any, Mutant] = {
            workers.submit(judge_mutant, m, contracts[forms[m]], reading, settings): m for m in chosen
        }
        for ended in as_completed(running):
            mutant = running[ended]
            try:
                done[mutant] = outcome_of(cast("Any", ended), limits)
            except AxiomcheckError as error:
                done[mutant] = Judgement(mutant, {layer: [str(error)] for layer in LAYERS})
            if not done[mutant].killed:
                print(f"survives: {mutant.name}: {mutant.change}", file=sys.stderr, flush=True)
            if len(done) % 20 == 0 or len(done) == len(chosen):
                print(f"{len(done)} of {len(chosen)}", file=sys.stderr, flush=True)
    return [done[mutant] for mutant in chosen]


def main() -> int:
    names = [*OPERATORS, *WRAPPERS]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="worker processes")
    parser.add_argument("--row", action="append", choices=list(ROWS), help="default: all twenty", metavar="ROW")
    parser.add_argument("--operator", action="append", choices=names, help="default: all", metavar="OPERATOR")
    parser.add_argument("--regime", choices=[r.value for r in Regime], default="stated")
    parser.add_argument("--examples", type=int, default=2_000, help="random instances per cell")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=180, help="limit per mutant")
    parser.add_argument("--json", type=Path, help="write every judgement to this file")
    parser.add_argument("--list", action="store_true", help="print the mutants and stop")
    options = parser.parse_args()
    chosen = [
        mutant
        for mutant in mutants_of()
        if mutant.row in (options.row or ROWS) and mutant.operator in (options.operator or names)
    ]
    if options.list or not chosen:
        for mutant in chosen:
            print(f"{mutant.name}: {mutant.change}")
        print(f"{len(chosen)} mutants")
        return 0
    settings = Settings(seed=options.seed, examples=options.examples, proofs=False)
    start = time.perf_counter()
    limits = Limits(seconds=options.seconds)
    judgements = run(chosen, Reading(Regime(options.regime)), settings, limits, max(1, options.jobs))
    print(report(judgements))
    print(f"\n{time.perf_counter() - start:.0f} s with {options.jobs} jobs", file=sys.stderr)
    if options.json:
        rows = [asdict(j) | {"name": j.mutant.name} for j in judgements]
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return 0
