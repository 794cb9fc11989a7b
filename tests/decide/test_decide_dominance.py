"""Stochastic dominance: floats and exact arithmetic against the definition, and what the engine makes of it."""

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from axiomcheck import MetricError, Reading, Regime, Verdict, find_axiom, parse, read_witness
from axiomcheck.decide.dominance import APART, Distribution, FloatDistributions, float_relations, relation
from axiomcheck.decide.search import Settings
from axiomcheck.engine.run import run_matrix
from axiomcheck.metrics.stopping import StoppingRankBiasedPrecision
from axiomcheck.numbers.series import Series
from axiomcheck.reports.formats import from_document, render
from tests.support.suites import each

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


@settings(max_examples=60, deadline=None, database=None)
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


@settings(max_examples=80, deadline=None, database=None)
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


@each(
    ("metric", "axiom", "regime", "seed"),
    [
        ("P@H-walk(p=0.5, q=0.00000000001, order=dominance)@3", "Pri", Regime.STATED, 1),
        ("P@H-RBP(p=0.000001, order=dominance)@20", "Deep", Regime.FINITE, 0),
    ],
    2,
)
def test_crossings_among_rare_users_are_seen(metric: str, axiom: str, regime: Regime, seed: int) -> None:
    sampled = Settings(examples=2000, seed=seed)
    (cell,) = run_matrix([parse(metric)], [find_axiom(axiom)], Reading(regime), sampled).cells
    assert cell.verdict is Verdict.INCOMPARABLE, cell.reason


def test_a_metric_that_is_not_partial_has_no_distribution() -> None:
    with pytest.raises(MetricError, match="gives scores, not distributions"):
        parse("RBP").distribution(None, None, None, None)  # type: ignore[arg-type]


def test_no_witness_is_minimal_where_smaller_instances_were_left_undecided() -> None:
    metrics = [parse(f"P@H-{browsing}(order=dominance)@5") for browsing in ("walk", "RBP")]
    walk, forward = run_matrix(metrics, [find_axiom("Deep")], settings=Settings(examples=150)).cells
    assert walk.witness is not None
    assert forward.witness is not None
    assert walk.evidence.unresolved > 0
    assert walk.witness.minimal is None
    assert forward.witness.minimal is not None
