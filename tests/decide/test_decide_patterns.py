"""Patterns are tried by every search and find what random instances miss; distinct instances are counted once."""

from typing import Any

import numpy as np
import pytest

from axiomcheck import Domain, Metric, Reading, Regime, Verdict, as_metric, parse
from axiomcheck.axioms import PairAxiom, find_axiom
from axiomcheck.decide.batch import Batch
from axiomcheck.decide.patterns import pattern_batches
from axiomcheck.decide.search import Search, Settings
from axiomcheck.decide.space import InstanceSpace, instance_keys
from axiomcheck.decide.tally import Tally
from axiomcheck.engine.run import run_matrix
from tests.engine.campaigns import Tilted
from tests.support.scalar import PAIR_AXIOMS
from tests.support.suites import each

MANY = 10_000


def patterns_of(
    axiom: PairAxiom, domain: Domain = Domain.GRADED, small: bool = False, examples: int = MANY, exact: bool = True
) -> tuple[Batch, ...]:
    return pattern_batches(InstanceSpace(axiom, domain, small, 100), exact, examples)


@pytest.mark.parametrize("small", [True, False])
@each("axiom", PAIR_AXIOMS, 4, ids=str)
def test_patterns_meet_the_premises_and_come_once(axiom: PairAxiom, small: bool) -> None:
    for domain in Domain:
        batches = patterns_of(axiom, domain, small)
        keys = np.concatenate([instance_keys(batch, False) for batch in batches])
        assert len(np.unique(keys)) == len(keys) > 30
        assert all(axiom.premises(batch.draft).all() for batch in batches)
        assert max(batch.draft.shape.aspects for batch in batches) == (axiom.max_aspects or 12)


@each("axiom", PAIR_AXIOMS, 4, ids=str)
def test_a_search_of_few_examples_tries_few_patterns(axiom: PairAxiom) -> None:
    sizes = [sum(batch.size for batch in patterns_of(axiom, examples=examples)) for examples in (0, 40, 400, MANY)]
    assert sizes[0] == 0
    assert sizes == sorted(sizes)
    assert 0 < sizes[1] <= 10 + 9  # one of each size at least


@each("name", ["single precision", "double precision"], 2)
def test_a_function_of_floats_is_not_refuted_by_grades_that_floats_round_together(name: str) -> None:
    kind = np.float32 if name == "single precision" else np.float64
    discounts = 1 / np.log2(np.arange(2, 200))

    def dcg(grades: np.ndarray, weights: np.ndarray) -> np.ndarray:
        gains = np.asarray(grades, dtype=kind)[..., 0]
        return (gains * discounts[: gains.shape[-1]].astype(kind)).sum(axis=-1)

    reading, settings = Reading(Regime.FINITE), Settings(examples=2_000, proofs=False)
    (cell,) = run_matrix([as_metric(dcg, f"dcg-{kind.__name__}")], [find_axiom("Pri")], reading, settings).cells
    assert cell.verdict in (Verdict.HELD, Verdict.UNDECIDED), cell.reason
    assert cell.witness is None


class OfADeepPool(Tilted):
    """Counts ranks the other way round where 32 judged documents are not ranked."""

    name = "of-a-deep-pool"

    def tilted(self, ranked: int, documents: int) -> bool:
        return documents - ranked == 32


class OfLongRankings(Tilted):
    """Counts ranks the other way round where 42 documents are ranked, and nothing else is judged."""

    name = "of-long-rankings"

    def tilted(self, ranked: int, documents: int) -> bool:
        return ranked == documents == 42


@each("cls", [OfADeepPool, OfLongRankings], 2)
def test_patterns_find_what_random_instances_miss(cls: type[Tilted]) -> None:
    pri = find_axiom("Pri")
    settings = Settings(examples=200, proofs=False, exhaustive=False)
    (cell,) = run_matrix([cls()], [pri], settings=settings).cells
    assert cell.verdict is Verdict.REFUTED
    assert cell.reason.endswith("but in none of the sampled instances")


def test_patterns_are_counted_apart_from_what_was_enumerated_and_drawn() -> None:
    pri = find_axiom("Pri")
    (cell,) = run_matrix([parse("RBP")], [pri], settings=Settings(examples=500, proofs=False)).cells
    assert cell.pairs is not None
    search = Search(pri, [parse("RBP")], Reading(), Settings(examples=500))
    assert cell.pairs.patterns == sum(batch.size for batch in search.patterns()) > 50
    fewer = cell.pairs.instances - cell.pairs.enumerated - cell.pairs.focused
    assert cell.pairs.one_in == int((fewer - cell.pairs.patterns) / np.log(100))


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
