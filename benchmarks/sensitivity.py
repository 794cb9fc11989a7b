"""What `held` would have seen: violations of known size are planted in an array function, and searched with many seeds.

Prints, for each planted violation, its share among the instances that are sampled (measured on a million of them where
that is enough) and how many of the seeds found it.

    python benchmarks/sensitivity.py [--seeds N] [--examples N] [--only TEXT]

Every function is discounted gain with p = 0.8 but for what is planted, so that whatever is refuted is refuted for that.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import numpy as np

from axiomcheck.axioms import PairAxiom, find_axiom
from axiomcheck.core.domain import Reading, Regime
from axiomcheck.core.typing import Array
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide import budgets
from axiomcheck.decide.comparison import compare
from axiomcheck.decide.sampling import generator, sample_batches
from axiomcheck.decide.search import ROUND, Settings
from axiomcheck.decide.space import InstanceSpace
from axiomcheck.engine.run import run_matrix
from axiomcheck.sources.function_metrics import as_metric

Scores = Callable[[Array, Array, Array], Array]
READING = Reading(Regime.FINITE)


@dataclass(frozen=True)
class Plant:
    """A violation.

    Args:
        group: what kind it is.
        name: of this one, for the table.
        axiom: that is violated.
        function: ``(grades, weights, pool) -> scores``.

    """

    group: str
    name: str
    axiom: str
    function: Scores


def discounted(gains: Array, weights: Array) -> Array:
    """Discounted gain: (B, n, m) and (B, m) -> (B,)."""
    worth = 0.8 ** np.arange(gains.shape[1])
    return ((gains * weights[:, None, :]).sum(axis=2) * worth).sum(axis=1)


def scattered(share: float) -> Scores:
    """Every ranking scores 0 with a probability of ``share / 0.7``, whatever is in it.

    Were the one that should be worse 0 as well, or nothing else, there would be no violation: hence 0.7.
    """

    def score(grades: Array, weights: Array, pool: Array) -> Array:
        factors = np.modf(np.arange(1, 200) * np.sqrt(5.0))[0] * 1e7
        spread = np.einsum("bnm,n->b", grades, factors[: grades.shape[1]]) + weights @ factors[: weights.shape[1]]
        caught = np.modf(np.abs(spread))[0] < share / 0.7
        return np.where(caught, 0.0, discounted(grades, weights))

    return score


def window(width: float) -> Scores:
    """Grades within a window are worth nothing."""

    def score(grades: Array, weights: Array, pool: Array) -> Array:
        inside = (grades > 0.3712) & (grades <= 0.3712 + width)
        return discounted(np.where(inside, 0.0, grades), weights)

    return score


def flat(rank: int) -> Scores:
    """A rank is worth as much as the one above it."""

    def score(grades: Array, weights: Array, pool: Array) -> Array:
        worth = 0.8 ** np.arange(grades.shape[1])
        if grades.shape[1] >= rank:
            worth[rank - 1] = worth[rank - 2]
        return ((grades * weights[:, None, :]).sum(axis=2) * worth).sum(axis=1)

    return score


def coarse_grades(step: float) -> Scores:
    """Grades count in steps."""
    return lambda grades, weights, pool: discounted(np.floor(grades / step) * step, weights)


def coarse_weights(step: float) -> Scores:
    """Weights count in steps."""
    return lambda grades, weights, pool: discounted(grades, np.floor(weights / step) * step)


def many_aspects(m: int) -> Scores:
    """With so many aspects, the last one counts for nothing."""

    def score(grades: Array, weights: Array, pool: Array) -> Array:
        counted = weights * (np.arange(weights.shape[1]) < m - 1) if weights.shape[1] == m else weights
        return discounted(grades, counted)

    return score


def deep_pool(extras: int) -> Scores:
    """Where so many judged documents or more are not ranked, ranks 2 and 3 are worth the same."""

    def score(grades: Array, weights: Array, pool: Array) -> Array:
        return (
            flat(3)(grades, weights, pool) if pool.shape[1] - grades.shape[1] >= extras else discounted(grades, weights)
        )

    return score


PLANTS = [
    *(Plant("share of instances", f"{s:g}", "Pri", scattered(s)) for s in (1e-2, 1e-3, 1e-4, 1e-5, 1e-6)),
    *(Plant("window of grades", f"{w:g} wide", "Pri", window(w)) for w in (1e-2, 1e-3, 1e-4, 1e-5, 2e-6)),
    *(Plant("rank", f"{r} worth as much as {r - 1}", "Pri", flat(r)) for r in (9, 13, 20, 23, 30)),
    *(Plant("close grades", f"in steps of {s:g}", "Pri", coarse_grades(s)) for s in (1e-3, 1e-5, 2e-6)),
    *(Plant("close weights", f"in steps of {s:g}", "AspRel", coarse_weights(s)) for s in (1e-3, 1e-4, 1e-6)),
    *(Plant("aspects", f"the last of {m} counts for nothing", "AspRel", many_aspects(m)) for m in (3, 4, 5, 6, 8)),
    *(Plant("pool", f"{k} documents or more not ranked", "Pri", deep_pool(k)) for k in (2, 8, 10, 15, 30)),
]
# Under names of their own, by which a second reading of this file finds them: exact numbers tell ties from near ties.
globals().update({f"planted_{number}": plant.function for number, plant in enumerate(PLANTS)})


def decided(plant: Plant, seed: int, examples: int) -> Verdict:
    """What a search says."""
    axiom = find_axiom(plant.axiom)
    cells = run_matrix([as_metric(plant.function, "planted")], [axiom], READING, Settings(seed, examples)).cells
    return cells[0].verdict


def share_of(plant: Plant, least: int = 1_000_000) -> float:
    """The share of sampled instances that violate."""
    axiom, metric = find_axiom(plant.axiom), as_metric(plant.function, "planted")
    assert isinstance(axiom, PairAxiom)
    drawn = violated = 0
    while drawn < least:
        rng = generator("share", axiom.name, drawn)
        for batch in sample_batches(InstanceSpace(axiom), ROUND, rng):
            drawn += batch.size
            outcome = compare(metric, batch)
            violated += int(((outcome.sign < 0) | ((outcome.sign == 0) & outcome.equal)).sum())
    return violated / drawn


def _asked(job: tuple[int, int, int]) -> Verdict:
    number, seed, examples = job
    return decided(PLANTS[number], seed, examples)


def rows(only: str, seeds: int, examples: int) -> Iterator[tuple[Plant, float, list[Verdict], float]]:
    """Each plant with its share, what every seed's search said, and the seconds of one search."""
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for number, plant in enumerate(PLANTS):
            if only in f"{plant.group} {plant.name}":
                start = time.perf_counter()
                said = list(pool.map(_asked, ((number, seed, examples) for seed in range(seeds))))
                seconds = (time.perf_counter() - start) / seeds * (os.cpu_count() or 1)
                yield plant, share_of(plant), said, seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--examples", type=int, default=budgets.PUBLISHED)
    parser.add_argument("--only", default="", help="rows whose name has this text")
    options = parser.parse_args()
    print(f"{options.examples:,} examples per cell, {options.seeds} seeds\n")
    print("| planted | axiom | share of sampled instances | found |")
    print("| --- | --- | --- | --- |")
    for plant, share, said, seconds in rows(options.only, options.seeds, options.examples):
        seen = said.count(Verdict.REFUTED)
        doubted = said.count(Verdict.UNDECIDED)
        told = f"{seen} of {len(said)}" + (f" (undecided in {doubted})" if doubted else "")
        shown = f"{share:.1e}" if share * 1e6 >= 10 else "less than 1e-05"
        print(f"| {plant.group}: {plant.name} | {plant.axiom} | {shown} | {told} |", flush=True)
        print(f"{seconds:.1f} s a search", file=sys.stderr)


if __name__ == "__main__":
    main()
