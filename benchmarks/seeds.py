"""Whether verdicts depend on the seed: the matrix for several seeds, with and without enumeration of small shapes.

Prints the cells whose verdict differs between any two runs (there should be none), and, per axiom, the share of
sampled instances that two seeds have in common. That share counts instances as the metrics see them: for binary-only
metrics under axioms with few binary instances (MRed, Conf) two samples have to overlap.

    python benchmarks/seeds.py [--seeds N] [--regime stated|limit|finite] [--jobs N] [--metric M ...]
"""

from __future__ import annotations

import argparse
import os
import time
from itertools import combinations
from typing import Any

import numpy as np

from axiomcheck.axioms import AXIOMS, PairAxiom
from axiomcheck.core.domain import Domain, Reading, Regime, assumes_small
from axiomcheck.decide.sampling import generator, sample_batches
from axiomcheck.decide.search import ROUND, Settings
from axiomcheck.decide.space import DEEPEST, InstanceSpace, instance_keys
from axiomcheck.engine.places import Machine
from axiomcheck.engine.run import run_matrix
from axiomcheck.metrics import paper_rows, parse

Array = Any


def sampled_keys(axiom: PairAxiom, reading: Reading, domain: Domain, support_only: bool, seed: int) -> Array:
    """The distinct instances of one round, as keys."""
    small = assumes_small(axiom, reading)
    rng = generator(seed, axiom.name, domain.value, small, DEEPEST, support_only, 0)
    batches = sample_batches(InstanceSpace(axiom, domain, small), ROUND, rng)
    return np.unique(np.concatenate([instance_keys(batch, support_only) for batch in batches if batch.size]))


def print_overlap(reading: Reading, seeds: range) -> None:
    print(f"\nshare of sampled instances that two seeds have in common (mean over {len(seeds)} seeds' pairs)")
    print(f"{'axiom':<8} {'graded':>9} {'binary-only metrics':>20}")
    for axiom in AXIOMS.values():
        if isinstance(axiom, PairAxiom):
            row = []
            for domain, support_only in ((Domain.GRADED, False), (Domain.BINARY, True)):
                keys = [sampled_keys(axiom, reading, domain, support_only, seed) for seed in seeds]
                shares = [len(np.intersect1d(a, b)) / min(len(a), len(b)) for a, b in combinations(keys, 2)]
                row.append(float(np.mean(shares)))
            print(f"{axiom.name:<8} {row[0]:>9.2%} {row[1]:>20.2%}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--regime", choices=[r.value for r in Regime], default="stated")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--metric", action="append", help="default: the paper's twenty rows")
    options = parser.parse_args()
    reading = Reading(Regime(options.regime))
    metrics = [parse(text) for text in options.metric] if options.metric else paper_rows()
    seeds = range(options.seeds)

    verdicts: dict[tuple[str, str], set[str]] = {}
    for exhaustive in (True, False):
        for seed in seeds:
            start = time.perf_counter()
            settings = Settings(seed=seed, exhaustive=exhaustive, proofs=False)
            ledger = run_matrix(metrics, list(AXIOMS.values()), reading, settings, machine=Machine(options.jobs))
            for cell in ledger.cells:
                verdicts.setdefault((cell.metric, cell.axiom), set()).add(cell.verdict.value)
            kind = "with" if exhaustive else "without"
            undecided = sum(not cell.verdict.decided for cell in ledger.cells)
            seconds = time.perf_counter() - start
            print(f"seed {seed} {kind} enumeration: {seconds:.0f} s, {undecided} cells undecided", flush=True)
    differing = {cell: found for cell, found in verdicts.items() if len(found) > 1}
    print(f"\n{len(verdicts)} cells, {2 * len(seeds)} runs: {len(differing)} cells with differing verdicts")
    for (metric, axiom), found in differing.items():
        print(f"  {metric} {axiom}: {', '.join(sorted(found))}")
    print_overlap(reading, seeds)


if __name__ == "__main__":
    main()
