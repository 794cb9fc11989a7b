"""Floats against exact numbers, r << 1 against small eps, far cutoffs, doubts given up, and stochastic dominance."""

import json
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from axiomcheck import Metric, Verdict, find_axiom, metric, paper_rows, parse, read_witness
from axiomcheck.axioms import AXIOMS, PairAxiom
from axiomcheck.core.domain import Domain, Reading, Regime, assumes_small
from axiomcheck.decide import doubts, scores, thresholds
from axiomcheck.decide.batch import Batch, Pairs
from axiomcheck.decide.comparison import at_eps, compare, signs
from axiomcheck.decide.dominance import APART, Distribution, FloatDistributions, float_relations, relation
from axiomcheck.decide.sampling import generator, sample_batches
from axiomcheck.decide.search import Settings
from axiomcheck.decide.space import InstanceSpace
from axiomcheck.decide.thresholds import ThresholdCase, Tried, block_pairs, decide_threshold, examine
from axiomcheck.engine.run import run_matrix
from axiomcheck.metrics.stopping import StoppingRankBiasedPrecision
from axiomcheck.numbers.series import Series
from axiomcheck.records.matrix import from_document
from axiomcheck.records.sentences import reason
from axiomcheck.reports.formats import render
from tests.support.planted import Planted, except_at
from tests.support.scalar import PAIR_AXIOMS
from tests.support.suites import each

METRICS = paper_rows()
COSTLY = ("nDCG", "D-", "D#", "EU", "alpha")


@cache
def sampled(axiom: PairAxiom, domain: Domain, small: bool, depth: int) -> list[Batch]:
    """Return two instances of every other shape, from which every metric gets some."""
    rng = generator(axiom.name, domain.value, small, depth)
    batches = [batch for batch in sample_batches(InstanceSpace(axiom, domain, small, depth), 800, rng) if batch.size]
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


@each("metric", METRICS, 40, ids=lambda m: str(m.canonical), share=40)
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


@each("name", ["ERR@20", "NRBP", "nDCG@20"], 3)
def test_the_limit_is_what_happens_at_tiny_eps(name: str) -> None:
    metric = parse(name)
    total = 0
    for axiom in PAIR_AXIOMS:
        if not axiom.can_be_small:
            continue
        for batch in tried(metric, axiom, Domain.GRADED, True):
            limit = signs(metric, batch)
            for exponent in (40, 60):
                assert signs(metric, at_eps(batch, fmpq(1, 10**exponent))) == limit
            total += batch.size
    assert total > 10


class NearlyTied(Planted):
    """Ranks 1 and 2 differ by less than a double shows, and the ranks from 5 on tie."""

    name, axiom, breaks = "nearly-tied", "Pri", True
    discount = except_at(
        {1: Fraction(1), 2: 1 - Fraction(1, 10**18), 3: Fraction(1, 3), 4: Fraction(1, 4)}, Fraction(1, 5)
    )


def test_a_tie_found_does_not_make_ties_of_small_differences() -> None:
    settings = Settings(proofs=False, examples=2_000, exhaustive=False)
    cell = run_matrix([NearlyTied()], [AXIOMS["Pri"]], settings=settings).cells[0]
    assert cell.verdict is Verdict.REFUTED, cell.reason


def test_a_leading_order_below_float_resolution_is_not_skipped() -> None:
    """The next order of eps must not speak where the leading one is small but not zero."""
    settings = Settings(proofs=False, examples=1_000)
    cell = run_matrix([parse("RBU(p=0.9999999)@10")], [AXIOMS["Pri"]], settings=settings).cells[0]
    assert (cell.verdict, cell.evidence.audited > 0) == (Verdict.HELD, True), cell.reason


@pytest.mark.parametrize("name", ["ERR", "alpha-nDCG"])
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


@pytest.mark.parametrize("name", ["P@1000", "AP@5000"])
def test_the_first_n_and_the_cutoff_settle_deepth(name: str) -> None:
    of = parse(name)
    found, outcome = tried_of(of, "DeepTh")
    assert tried_numbers(found) == [*range(1, FIRST + 1), of.cutoff]
    assert outcome is True
    assert f"(n = {FIRST + 1} to {(of.cutoff or 0) - 1} not tried)" in found.argument


@pytest.mark.parametrize(("name", "outcome", "most"), [("RR@80", False, 80), ("RR@90", None, 61)])
def test_a_block_that_is_never_ahead_is_looked_for_at_every_n_that_is_near(
    name: str, outcome: bool | None, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thresholds, "FARTHEST", 60)
    monkeypatch.setattr(thresholds, "_FARTHEST_CUTOFF", 80)
    found, said = tried_of(parse(name), "CloseTh")
    assert said is outcome  # where the cutoff is farther not every n is tried, so nothing is refuted
    assert len(tried_numbers(found)) == most


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


Array = Any


PERSISTENT = parse("P@H-RBP(p=0.8, order=dominance)")


class Against(StoppingRankBiasedPrecision):
    """P@H-RBP with its scores turned round, so that what should be ahead often falls behind."""

    name = "Against"

    def distribution(self, *asked: Any) -> tuple[Array, Array, Any]:
        values, masses, rest = super().distribution(*asked)
        return -1 * values, masses, rest


class Leaky(StoppingRankBiasedPrecision):
    """P@H-RBP with some probability unaccounted for."""

    name = "Leaky"
    rest = Fraction(1, 3)

    def distribution(self, *asked: Any) -> tuple[Array, Array, Any]:
        a, (values, masses, _) = asked[0], super().distribution(*asked)
        return values, masses * a.number(1 - self.rest), a.number(self.rest)


def _floats(values: Any, masses: Any) -> FloatDistributions:
    """Return a distribution as the only row of a batch, with no probability left out."""
    rows = [np.array([[float(x) for x in row]]) for row in (values, masses)]
    return FloatDistributions(rows[0], {0: rows[1]}, np.zeros(1))


def _rational(value: Fraction) -> fmpq:
    return fmpq(value.numerator, value.denominator)


def _by_definition(worse: dict[Fraction, Fraction], better: dict[Fraction, Fraction]) -> int:
    thresholds = {*worse, *better}
    gaps = [
        sum(m for v, m in better.items() if v >= x) - sum(m for v, m in worse.items() if v >= x) for x in thresholds
    ]
    ahead, behind = any(g > 0 for g in gaps), any(g < 0 for g in gaps)
    return APART if ahead and behind else int(ahead) - int(behind)


@st.composite
def _distributions(draw: st.DrawFn) -> dict[Fraction, Fraction]:
    values = draw(st.lists(st.integers(0, 4), min_size=1, max_size=4, unique=True))
    parts = draw(st.lists(st.integers(1, 3), min_size=len(values), max_size=len(values)))
    return {Fraction(v, 4): Fraction(m, sum(parts)) for v, m in zip(values, parts, strict=True)}


@settings(max_examples=40, deadline=None, database=None)
@given(_distributions(), _distributions())
def test_relations_are_those_of_the_definition(
    worse: dict[Fraction, Fraction], better: dict[Fraction, Fraction]
) -> None:
    expected = _by_definition(worse, better)
    exact = [
        Distribution([_rational(v) for v in side], [_rational(m) for m in side.values()], fmpq(0))
        for side in (worse, better)
    ]
    sign, gaps = relation(*exact)
    assert sign == expected
    assert len(gaps) == {APART: 2, 0: 0}.get(expected, 1)
    for gap, side in zip(gaps, (1, -1) if expected == APART else (expected,), strict=expected != 0):
        assert (gap.better > gap.worse) == (side == 1)
        assert gap.better != gap.worse
    found = float_relations(*(_floats(side, side.values()) for side in (worse, better)))
    assert found.sign[0] == expected
    assert found.equal[0] == (expected == 0)


@st.composite
def _steep(draw: st.DrawFn) -> tuple[list[Fraction], list[Fraction], list[Fraction]]:
    """Draw two supports that share masses, some of them tiny."""
    number = draw(st.integers(2, 5))
    exponents = draw(st.lists(st.integers(0, 40), min_size=number, max_size=number))
    parts = [Fraction(1, 10**e) for e in exponents]
    values = st.lists(st.integers(0, 3), min_size=number, max_size=number)
    worse, better = ([Fraction(v, 3) for v in draw(values)] for _ in range(2))
    return [p / sum(parts) for p in parts], worse, better


@settings(max_examples=40, deadline=None, database=None)
@given(_steep())
def test_small_probabilities_are_not_taken_for_none(steep: tuple[list[Fraction], ...]) -> None:
    masses, *values = steep
    sides: list[dict[Fraction, Fraction]] = [{}, {}]
    for side, own in zip(sides, values, strict=True):
        for value, mass in zip(own, masses, strict=True):
            side[value] = side.get(value, Fraction(0)) + mass
    found = float_relations(*(_floats(own, masses) for own in values))
    expected = _by_definition(*sides)
    if found.sure[0]:
        assert found.sign[0] in (expected, 0)
        assert not found.equal[0] or expected == 0


def test_probability_that_is_not_listed_leaves_open_what_it_could_change() -> None:
    low = Distribution([fmpq(0), fmpq(1)], [fmpq(1, 2), fmpq(1, 4)], fmpq(1, 4))
    high = Distribution([fmpq(0), fmpq(1)], [fmpq(1, 4), fmpq(5, 8)], fmpq(1, 8))
    low, high = replace(low, cap=fmpq(1)), replace(high, cap=fmpq(1))
    assert relation(low, high)[0] == 1  # 5/8 against at most 1/4 + 1/4
    assert relation(low, replace(high, masses=[fmpq(3, 8), fmpq(1, 2)])) == (None, [])  # 1/2 against at most 1/2
    beyond = replace(low, cap=fmpq(3, 2))
    assert relation(beyond, high)[0] is None  # who knows above 1
    assert len(relation(beyond, high)[1]) == 1
    crossing = Distribution([fmpq(1, 2), fmpq(2)], [fmpq(3, 4), fmpq(1, 4)], fmpq(0))
    other = Distribution([fmpq(1, 4), fmpq(1)], [fmpq(1, 4), fmpq(3, 4)], fmpq(0))
    assert relation(crossing, other)[0] == APART
    tied = Distribution([fmpq(1)], [fmpq(7, 10)], fmpq(3, 10), fmpq(1))
    assert relation(tied, tied, [True])[0] is None  # equal as far as they are listed


def test_a_ball_around_zero_decides_nothing_without_an_identity() -> None:
    around_half = arb("0.5 +/- 1e-9")
    one = Distribution([fmpq(0), fmpq(1)], [around_half, around_half], fmpq(0))
    assert relation(one, one)[0] is None
    assert relation(one, one, [True, True])[0] == 0
    blurred = Series({0: np.asarray(arb("0 +/- 1e-9"), dtype=object), 1: np.asarray(fmpq(1), dtype=object)})
    side = Distribution([fmpq(1)], [blurred], fmpq(0))
    assert relation(side, Distribution([fmpq(1)], [fmpq(0)], fmpq(0)))[0] is None


def _cells(metric: Any, *axioms: str, regime: Regime = Regime.STATED, examples: int = 500) -> dict[str, Any]:
    chosen = [find_axiom(a) for a in axioms]
    ledger = run_matrix([metric], chosen, Reading(regime), Settings(examples=examples))
    assert from_document(json.loads(render(ledger, "json"))) == ledger
    return {cell.axiom: cell for cell in ledger.cells}


def test_an_axiom_holds_fails_or_leaves_rankings_incomparable() -> None:
    cells = _cells(PERSISTENT @ 5, "Pri", "Deep", "DeepTh", "CloseTh", "Conf", "Sat")
    assert {name: cell.verdict for name, cell in cells.items()} == {
        "Pri": Verdict.HELD,
        "Deep": Verdict.INCOMPARABLE,
        "DeepTh": Verdict.PROVED,
        "CloseTh": Verdict.INCOMPARABLE,
        "Conf": Verdict.REFUTED,
        "Sat": Verdict.NOT_APPLICABLE,
    }
    witness = read_witness(cells["Deep"].witness)
    assert witness.kind == "incomparable"
    assert witness.judgement.sign == APART
    assert witness.minimal is not None
    assert 0 < cells["Deep"].evidence.incomparable.share < 1
    assert cells["Deep"].violations is None


def test_a_block_can_dominate() -> None:
    cell = _cells(parse("P@H-P(order=dominance)@20"), "CloseTh")["CloseTh"]
    assert (cell.verdict, cell.evidence.m) == (Verdict.PROVED, 2)
    assert cell.evidence.example.block == "P[S >= 1/2*eps] = 1"


def test_a_reversal_outranks_pairs_that_are_incomparable() -> None:
    against = Against(p="0.8", order="dominance")
    cells = _cells(against, "Deep")
    assert cells["Deep"].verdict is Verdict.REFUTED
    assert read_witness(cells["Deep"].witness, against).kind == "reversal"
    assert cells["Deep"].evidence.incomparable.share > 0


def test_probability_left_out_of_a_distribution_is_not_taken_for_dominance() -> None:
    cells = _cells(Leaky(p="0.8", order="dominance"), "Pri", "Conf")
    assert cells["Pri"].verdict is Verdict.UNDECIDED  # too much of it is missing for any pair to be told apart
    assert cells["Conf"].verdict is Verdict.UNDECIDED  # what ties with all of it known need not


def test_crossings_among_rare_users_are_seen() -> None:
    walk = parse("P@H-walk(p=0.5, q=0.00000000001, order=dominance)@3")
    (cell,) = run_matrix([walk], [find_axiom("Pri")], settings=Settings(examples=2000, seed=1)).cells
    assert cell.verdict is Verdict.INCOMPARABLE, cell.reason


def test_no_witness_is_minimal_where_smaller_instances_were_left_undecided() -> None:
    metrics = [parse(f"P@H-{browsing}(order=dominance)@5") for browsing in ("walk", "RBP")]
    walk, forward = run_matrix(metrics, [find_axiom("Deep")], settings=Settings(examples=150)).cells
    assert walk.witness is not None
    assert forward.witness is not None
    assert walk.evidence.unresolved > 0
    assert walk.witness.minimal is None
    assert forward.witness.minimal is not None
