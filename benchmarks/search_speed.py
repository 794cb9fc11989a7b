"""How fast the search is beside a property test: instances per second of each.

The test is Hypothesis's, one example at a time, of the same metric kernel, axiom, sizes and premises (generate phase
only). What the search spends over the bare kernels is one of the rows of `benchmarks/speed.py`.

    python benchmarks/search_speed.py [--examples N] [--hypothesis N]
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from hypothesis import HealthCheck, Phase, given, settings
from speed import draw

from axiomcheck.axioms import AXIOMS, PairAxiom
from axiomcheck.decide.batch import Batch, compile_batch, instance_keys
from axiomcheck.decide.comparison import compare
from axiomcheck.decide.enumeration import DEEPEST
from axiomcheck.decide.sampling import LONGEST
from axiomcheck.decide.strategies import batches
from axiomcheck.decide.tally import Tally
from axiomcheck.metrics import Metric, parse

SPEED_CASES = [
    ("Pri", "nDCG@20"),
    ("Deep", "RBP"),
    ("AspDiv", "ERR-IA@20"),
    ("Red", "alpha-nDCG@20"),
    ("AspRel", "RBP-IA"),
]


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

    print("instances per second")
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


if __name__ == "__main__":
    main()
