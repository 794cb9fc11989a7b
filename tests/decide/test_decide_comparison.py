"""Floats against exact numbers, the limit regime against small eps, doubts that are given up, and far cutoffs."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from flint import fmpq

from axiomcheck import Metric, Verdict, as_metric, find_axiom, metric, paper_rows, parse
from axiomcheck.axioms import AXIOMS, PairAxiom
from axiomcheck.core.domain import Domain, Reading, Regime, assumes_small
from axiomcheck.decide import doubts, scores
from axiomcheck.decide.batch import Batch, Pairs
from axiomcheck.decide.comparison import at_eps, compare, signs
from axiomcheck.decide.sampling import generator, sample_batches
from axiomcheck.decide.search import Settings
from axiomcheck.decide.space import InstanceSpace
from axiomcheck.decide.thresholds import FARTHEST, ThresholdCase, Tried, block_pairs, decide_threshold, examine
from axiomcheck.engine.run import run_matrix
from axiomcheck.records.sentences import reason
from tests.support.planted import Constant, Planted
from tests.support.scalar import PAIR_AXIOMS
from tests.support.suites import each

VARIANTS = [
    "nDCG",
    "D-nDCG@5",
    "RBP(p=0.2)",
    "RBP-IA(p=0.5)@7",
    "NRBP(alpha=0.1, weighted=yes)",
    "alpha-nDCG(alpha=1)@6",
    "EU(alpha=0.9, e=1, log=e)",
    "CT(alpha=0, level=0.5)",
    "RBU(p=0.99, e=0.001)@20",
    "D#-nDCG(lambda=0.9)@20",
    "AP(aggregate=max)",
]
METRICS = [*paper_rows(), *(parse(name) for name in VARIANTS)]
COSTLY = ("nDCG", "D-", "D#", "EU", "alpha")


@cache
def sampled(axiom: PairAxiom, domain: Domain, small: bool, depth: int) -> list[Batch]:
    """Return two instances of every other shape, from which every metric gets some."""
    rng = generator(axiom.name, domain.value, small, depth)
    batches = [batch for batch in sample_batches(InstanceSpace(axiom, domain, small, depth), 3_000, rng) if batch.size]
    return [Batch(axiom, batch.draft.pick(rng.integers(0, batch.size, 2)), small) for batch in batches[::2]]


def tried(metric: Metric, axiom: PairAxiom, domain: Domain, small: bool) -> Iterator[Batch]:
    """Give a few instances of shapes that fit the metric's cutoff."""
    depth = min(metric.cutoff or 20, 20)
    if axiom.longest(depth) < axiom.min_ranked or (axiom.group == "diversity" and not metric.applies_to_aspects()):
        return
    instances = sampled(axiom, Domain.BINARY if metric.binary_only else domain, small, depth)
    if metric.canonical.startswith(COSTLY):
        yield from (Batch(axiom, batch.draft.pick(np.array([0])), small) for batch in instances[::3])
    else:
        yield from instances[len(metric.canonical) % 2 :: 2]


@each("metric", METRICS, 40, ids=lambda m: str(m.canonical))
def test_clear_signs_are_the_exact_signs_and_margins_are_finite_shares(metric: Metric) -> None:
    """In every regime; the three come to r << 1 being assumed or not."""
    clear = total = 0
    for axiom in PAIR_AXIOMS:
        smallness = {assumes_small(axiom, Reading(regime)) for regime in Regime}
        for small in sorted(smallness):
            for batch in tried(metric, axiom, Domain.GRADED, small):
                stated = compare(metric, batch)
                assert (np.abs(stated.margin) <= 2 + 1e-9).all()  # which no nan and no infinity is
                exact = signs(metric, batch)
                for sign, found in zip(stated.sign.tolist(), exact, strict=True):
                    assert sign in (0, found), (axiom, batch.draft.shape, sign, found)
                clear += int((stated.sign != 0).sum())
                total += batch.size
    assert total > 50
    assert clear > 25 or metric.binary_only


RATIONAL = ["ERR@20", "RBP", "AP", "RBU@20", "CT@20", "NRBP", "S-RR@100%"]
LOGARITHMIC = ["nDCG@20", "EU", "alpha-nDCG@20", "D#-nDCG@20"]


@each("name", [*RATIONAL, *LOGARITHMIC], 11)
def test_the_limit_is_what_happens_at_tiny_eps(name: str) -> None:
    metric = parse(name)
    total = 0
    for axiom in PAIR_AXIOMS:
        if not axiom.can_be_small:
            continue
        for number, batch in enumerate(tried(metric, axiom, Domain.GRADED, True)):
            if number % (2 if name in LOGARITHMIC else 1):
                continue
            limit = signs(metric, batch)
            for exponent in (40, 60):
                assert signs(metric, at_eps(batch, fmpq(1, 10**exponent))) == limit
            total += batch.size
    assert total > 10


class NearlyTied(Planted):
    """Ranks 1 and 2 differ by less than a double shows, and the ranks from 5 on tie."""

    name, axiom, breaks = "nearly-tied", "Pri", True
    up_to_4 = ((1, Fraction(1)), (2, 1 - Fraction(1, 10**18)), (3, Fraction(1, 3)), (4, Fraction(1, 4)))
    discount = Constant(Fraction(1, 5), except_at=up_to_4)


@each(("examples", "regime", "seed"), [(4_000, Regime.STATED, 0), (70_000, Regime.FINITE, 1)], 2)
def test_a_tie_found_does_not_make_ties_of_small_differences(examples: int, regime: Regime, seed: int) -> None:
    settings = Settings(proofs=False, seed=seed, examples=examples, exhaustive=False)
    cell = run_matrix([NearlyTied()], [AXIOMS["Pri"]], Reading(regime), settings).cells[0]
    assert cell.verdict is Verdict.REFUTED, cell.reason


FLAT = [
    ("RBU(p=0.9999999)@10", "Pri"),
    ("ERR@20", "Deep"),
    # far down the leading coefficient is too small to show in floats, and the next order has another sign
    ("RBU(p=0.1)@20", "Deep"),
    ("RBU(p=0.2)@20", "AspDiv"),
]


@each(("name", "axiom"), FLAT, 4)
def test_a_leading_order_below_float_resolution_is_not_skipped(name: str, axiom: str) -> None:
    """The next order of eps must not speak where the leading one is small but not zero."""
    cell = run_matrix([parse(name)], [AXIOMS[axiom]], settings=Settings(proofs=False, examples=4_000)).cells[0]
    assert (cell.verdict, cell.evidence.audited > 0) == (Verdict.HELD, True), cell.reason


@each("name", ["ERR", "nDCG", "alpha-nDCG", "nDCG-IA"], 2)
def test_the_first_orders_of_eps_give_the_signs_of_all_orders(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    metric, in_full = parse(name), scores._decide_in_full
    pairs = [block_pairs(ThresholdCase(Fraction(1), extras), n, small=True) for extras in (0, 1) for n in (1, 2, 5, 40)]
    pairs.append(replace(pairs[0], worse=pairs[0].better))  # a tie in every order
    expected = [in_full(metric, pair)[0][0] for pair in pairs]
    asked: list[Pairs] = []

    def heard(metric: Metric, some: Pairs) -> object:
        asked.append(some)
        return in_full(metric, some)

    monkeypatch.setattr(scores, "_decide_in_full", heard)
    assert [signs(metric, pair)[0] for pair in pairs] == expected
    assert expected[-1] == 0
    assert 1 <= len(asked) <= 2


@pytest.mark.parametrize(("answer", "asked"), [(None, 600), (1, 2_000)])
def test_comparisons_without_an_answer_are_given_up(
    answer: int | None, asked: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []

    def signs(metric: object, batch: doubts.Batch) -> list[int | None]:
        sizes.append(batch.draft.size)
        return [answer] * sizes[-1]

    monkeypatch.setattr(doubts, "signs", signs)
    (cell,) = run_matrix([parse("P@2")], [find_axiom("Pri")], settings=Settings(proofs=False, examples=4_000)).cells
    if answer is None:
        assert sum(sizes) == asked
        assert cell.verdict is Verdict.UNDECIDED
    else:
        assert sum(sizes) >= asked


FIRST = 48
CASE = ThresholdCase(Fraction(1), 0)


def tried_of(metric: Metric, axiom: str) -> tuple[Tried, bool | None]:
    threshold = find_axiom(axiom)
    found = examine(metric, CASE, True, threshold.winner)
    return found, found.outcome(threshold)


def tried_numbers(found: Tried) -> list[int]:
    return [n for n, sign in enumerate(found.signs, 1) if sign is not None]


@each("name", ["P@1000", "nDCG@600", "AP@5000", "RR@600"], 2)
def test_the_first_n_and_the_cutoff_settle_deepth(name: str) -> None:
    of = parse(name)
    found, outcome = tried_of(of, "DeepTh")
    assert tried_numbers(found) == [*range(1, FIRST + 1), of.cutoff]
    assert outcome is True
    assert f"(n = {FIRST + 1} to {(of.cutoff or 0) - 1} not tried)" in found.argument


@each(("name", "outcome", "most"), [("RR@200", False, 200), ("RR@1100", None, FARTHEST + 1)], 2)
def test_a_block_that_is_never_ahead_is_looked_for_at_every_n_that_is_near(
    name: str, outcome: bool | None, most: int
) -> None:
    found, said = tried_of(parse(name), "CloseTh")
    assert said is outcome  # above 1,024 not every n is tried, so nothing is refuted
    assert len(tried_numbers(found)) == most


def test_a_declared_cutoff_that_is_far_is_tried_at_few_n() -> None:
    calls = []

    def late(grades: Any, weights: Any) -> Any:
        calls.append(grades.shape[-2])
        return grades[..., :1000, 0].sum(axis=-1)

    found, _ = tried_of(as_metric(metric(cutoff=1000)(late), "first-1000"), "DeepTh")
    assert tried_numbers(found) == [*range(1, FIRST + 1), 1000]
    assert found.argument.startswith("it declares that it ignores ranks below 1000")
    assert len({*calls}) < 100


def falling(power: float) -> Metric:
    """Return a metric of a discount that falls slowly, and which only its calls tell."""

    def scored(topic: Any, ranking: list[str]) -> float:
        return float(sum(topic.pool[d][0] * float(f"{i**-power:.15g}") for i, d in enumerate(ranking, 1)))

    made: Metric = metric(single_aspect=True)(scored)
    return made


def test_a_block_that_is_ahead_from_n_28_on_is_seen_without_an_argument() -> None:
    deep, close = (decide_threshold(find_axiom(a), falling(0.9), False, 0, True) for a in ("DeepTh", "CloseTh"))
    assert (deep.verdict, deep.cause.counts) == (Verdict.UNDECIDED, {"fails_from": 100, "up_to": 100})
    assert (close.verdict, close.evidence.m) == (Verdict.HELD, 100)


def test_a_held_axiom_says_up_to_which_n_it_was_tried() -> None:
    found = decide_threshold(find_axiom("DeepTh"), falling(0.96), False, 0, True)
    assert (found.verdict, found.evidence.up_to_n, found.evidence.beyond) == (Verdict.HELD, 24, (100, 300))
    said = reason("DeepTh", found.verdict, found.cause, found.evidence, None, None)
    assert "no argument covers larger n; held up to n = 24, and where tried beyond (n = 100, 300)" in said


def test_only_the_cases_that_fail_are_said_to_fail() -> None:
    def scored(topic: Any, ranking: list[str]) -> float:  # the block is ahead from n = 200 on
        return float(sum(topic.pool[d][0] * (0.005 if i else 1.0) for i, d in enumerate(ranking)))

    flat: Metric = metric(single_aspect=True)(scored)
    deep, close = (decide_threshold(find_axiom(a), flat, False, 0, True) for a in ("DeepTh", "CloseTh"))
    assert (deep.verdict, deep.cause.counts) == (Verdict.UNDECIDED, {"fails_from": 300, "up_to": 300})
    assert (close.verdict, close.cause.counts) == (Verdict.UNDECIDED, {"fails_from": 1, "up_to": 100})
