"""Counting distinct instances: of keys in any portions, and of a search, each different one once."""

from typing import Any

import numpy as np
import pytest

from axiomcheck import Domain, Metric, Reading, Regime, parse
from axiomcheck.axioms import PairAxiom, find_axiom
from axiomcheck.decide.batch import Batch
from axiomcheck.decide.distinct import Distinct
from axiomcheck.decide.search import Search, Settings
from axiomcheck.decide.tally import Tally
from tests.support.suites import each


@pytest.mark.parametrize("high", [1, 50, 2**64 - 1])
def test_the_length_is_the_number_of_different_keys_after_every_portion(high: int) -> None:
    rng = np.random.default_rng(high % 1000)
    distinct, expected = Distinct(), set[int]()
    ends = [np.array(portion, dtype=np.uint64) for portion in ([0, high], [high, 1, 0], [high] * 5)]
    sizes = [0, 1, 1, 2, 700, 3, 0, 90, *rng.integers(0, 400, 30)]
    for keys in [*ends, *(rng.integers(0, high, size, dtype=np.uint64, endpoint=True) for size in sizes)]:
        distinct.add(keys)
        expected |= set(keys.tolist())
        assert len(distinct) == len(expected)


class RecordingTally(Tally):
    def __init__(self, metric: Metric, axiom: PairAxiom) -> None:
        super().__init__(metric, axiom)
        self.kept: set[Any] = set()

    def look(self, batch: Batch, sampled: bool) -> None:
        self.kept |= spelled_out(batch, self.metric.binary_only)
        super().look(batch, sampled)


def spelled_out(batch: Batch, binary: bool) -> set[Any]:
    """Return each instance as grades, weights, ranks and choices, equal where a metric cannot tell two apart."""
    draft, found = batch.draft, set()
    for b in range(batch.size):
        grades, weights = draft.grades[b], draft.weights[b]
        if binary:
            grades = grades > 0
        elif batch.small and grades.any():
            grades = grades / grades.max()
        choices = tuple(int(getattr(draft, choice)[b]) for choice in batch.axiom.choices)
        shares = tuple((weights // np.gcd.reduce(weights)).tolist())
        found.add((draft.shape, tuple(grades.ravel().tolist()), shares, choices))
    return found


CASES = [
    ("RBP@4", "Pri", Domain.BINARY, False, 2000),
    ("nDCG@3", "Pri", Domain.GRADED, True, 1000),
    ("NRBP", "Red", Domain.GRADED, False, 400),
]


@each(("metric", "axiom", "domain", "small", "examples"), CASES, 2)
def test_instances_are_counted_once(metric: str, axiom: str, domain: Domain, small: bool, examples: int) -> None:
    found = find_axiom(axiom)
    of = parse(metric)
    regime = Regime.LIMIT if small else Regime.FINITE
    search = Search(found, [of], Reading(regime, domain), Settings(examples=examples))
    tally = search.tallies[0] = RecordingTally(of, found)
    search.run()
    assert tally.focused
    assert not tally.violated
    assert search.coverage.distinct + sum(map(len, tally.focused)) == len(tally.kept)
    if (more := search.further(tally)) is not None:
        assert more.distinct + sum(map(len, tally.focused)) == len(tally.kept)
