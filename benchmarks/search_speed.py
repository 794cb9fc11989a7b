"""How fast the search is, as ratios measured in one run.

1. Instances per second of the search, against a one-example-at-a-time Hypothesis property test of the same metric
   kernel, axiom, sizes and premises (generate phase only).
2. Time of the search (drawing, repairing, checking premises, counting distinct instances, scoring, comparing) over the
   time of the bare metric kernels on the same arrays, all metrics of an axiom sharing its batches as in the matrix.

    python benchmarks/search_speed.py [--examples N] [--hypothesis N]
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, given, settings

from axiomcheck.axioms import AXIOMS, PairAxiom
from axiomcheck.core.domain import Domain
from axiomcheck.decide.batch import Batch, compile_batch, instance_keys
from axiomcheck.decide.comparison import compare
from axiomcheck.decide.sampling import LONGEST, generator, sample_batches
from axiomcheck.decide.search import DEEPEST, ROUND
from axiomcheck.decide.strategies import batches
from axiomcheck.decide.tally import Tally
from axiomcheck.metrics import Metric, paper_rows, parse
from axiomcheck.numbers.arithmetic import Floats

SPEED_CASES = [
    ("Pri", "nDCG@20"),
    ("Deep", "RBP"),
    ("AspDiv", "ERR-IA@20"),
    ("Red", "alpha-nDCG@20"),
    ("AspRel", "RBP-IA"),
]


def draw(axiom: PairAxiom, small: bool, examples: int) -> list[Batch]:
    drawn: list[Batch] = []
    count = round_ = 0
    while count < examples:
        fresh = list(sample_batches(axiom, Domain.GRADED, small, DEEPEST, ROUND, generator(0, axiom.name, round_)))
        count += sum(batch.size for batch in fresh)
        round_ += 1
        drawn += fresh
    return drawn


def search(axiom: PairAxiom, metrics: list[Metric], small: bool, examples: int) -> tuple[float, list[Batch]]:
    """Seconds and batches of the engine's sampling stage."""
    start = time.perf_counter()
    tallies = [Tally(metric, axiom) for metric in metrics]
    keys = []
    drawn = draw(axiom, small, examples)
    for batch in drawn:
        keys.append(instance_keys(batch, support_only=False))
        for tally in tallies:
            tally.look(batch, sampled=True)
    np.unique(np.concatenate(keys))
    return time.perf_counter() - start, drawn


def bare(metrics: list[Metric], drawn: list[Batch]) -> float:
    """Seconds of the metrics' kernels alone on arrays that are already there."""
    arithmetic = Floats()
    arrays: list[Any] = []
    for batch in drawn:
        sides = [batch.pair] if batch.pair is not None else list(batch.rankings)
        pool = batch.wrap(batch.draft.grades, 2)
        arrays += [(batch.wrap(side, 2), batch.weights, pool) for side in sides]
    start = time.perf_counter()
    for metric in metrics:
        for ranked, weights, pool in arrays:
            metric.score(arithmetic, ranked, weights, pool)
    return time.perf_counter() - start


def property_test(axiom: PairAxiom, metric: Metric, small: bool, examples: int) -> tuple[float, int, float]:
    """Examples per second, examples run, and mean documents of a plain property test."""
    sizes: list[int] = []

    @settings(
        max_examples=examples,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        derandomize=True,
    )
    @given(batches(axiom, small=small, cutoff=DEEPEST, max_ranked=LONGEST, max_aspects=4, max_extras=8))
    def check(one: Batch) -> None:
        draft = one.draft.copy()
        draft.grades = draft.grades.astype(float)
        draft.top = draft.top.astype(float)
        sizes.append(draft.shape.documents)
        assert compare(metric, compile_batch(axiom, draft, small, DEEPEST)).sign[0] >= -1

    start = time.perf_counter()
    check()
    return len(sizes) / (time.perf_counter() - start), len(sizes), float(np.mean(sizes))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--examples", type=int, default=100_000, help="instances per axiom for the search")
    parser.add_argument("--hypothesis", type=int, default=2_000, help="examples of each property test")
    options = parser.parse_args()

    print("1. against a property test (instances per second)")
    print(f"{'axiom':<8} {'metric':<26} {'search':>10} {'test':>8} {'ratio':>8}  mean documents")
    for name, text in SPEED_CASES:
        axiom, metric = AXIOMS[name], parse(text)
        assert isinstance(axiom, PairAxiom)
        seconds, drawn = search(axiom, [metric], axiom.states_small, options.examples)
        count = sum(batch.size for batch in drawn)
        documents = sum(batch.size * batch.draft.shape.documents for batch in drawn) / count
        slow, _, slow_documents = property_test(axiom, metric, axiom.states_small, options.hypothesis)
        ratio = count / seconds / slow
        print(
            f"{name:<8} {metric.canonical:<26} {count / seconds:>10,.0f} {slow:>8,.0f} {ratio:>7,.0f}x"
            f"  {documents:.1f} / {slow_documents:.1f}"
        )

    print("\n2. over the bare kernels (seconds, all metrics of the axiom)")
    print(f"{'axiom':<8} {'metrics':>7} {'search':>8} {'kernels':>8} {'ratio':>6}")
    total_search = total_bare = 0.0
    for axiom in AXIOMS.values():
        if not isinstance(axiom, PairAxiom):
            continue
        rows = [m for m in paper_rows() if not m.binary_only and (axiom.group == "relevance" or m.applies_to_aspects())]
        seconds, drawn = search(axiom, rows, axiom.states_small, options.examples)
        kernels = bare(rows, drawn)
        total_search += seconds
        total_bare += kernels
        print(f"{axiom.name:<8} {len(rows):>7} {seconds:>8.2f} {kernels:>8.2f} {seconds / kernels:>6.2f}")
    print(f"{'all':<8} {'':>7} {total_search:>8.2f} {total_bare:>8.2f} {total_search / total_bare:>6.2f}")


if __name__ == "__main__":
    main()
