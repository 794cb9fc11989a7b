"""Regions: exact ends, maps, signs and roots, checked by arithmetic of their own; grids of settings; the command."""

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flint import fmpq, fmpz_poly

import axiomcheck
from axiomcheck import AXIOMS, InternalDisagreement, InvalidInput, Metric, Reading, Verdict, parse, read_witness
from axiomcheck.axioms import Axiom, find_axiom
from axiomcheck.decide.comparison import judge
from axiomcheck.decide.search import Settings
from axiomcheck.engine.memory import Remembered
from axiomcheck.engine.run import run_matrix
from axiomcheck.ledger.file import LedgerFile
from axiomcheck.proof.proving import prove
from axiomcheck.records.cells import Cell, Ledger, failed
from axiomcheck.records.witnesses import PairWitness
from axiomcheck.reports.region_report import regions_json
from axiomcheck.sources.resolve import resolve
from axiomcheck.studies.region import grid as grids
from axiomcheck.studies.region.algebraic import Box, Ring, factors, roots_between, separate
from axiomcheck.studies.region.axes import Axis, grid_axes, read_axis
from axiomcheck.studies.region.decide import regions_of
from axiomcheck.studies.region.grid import boxes_of, covers_setting, settings_of, study_grid
from axiomcheck.studies.region.result import INTERRUPTED, End, Region, RegionPart, SettingsGrid
from axiomcheck.studies.region.thresholds import Thresholds
from axiomcheck.studies.region.verify import block_signs, contradictions
from tests.support.commands import command
from tests.support.suites import each, quality


@cache
def region(axiom: str, metric: str, *overs: str, regime: str = "stated", depth: int | None = None) -> Region:
    return axiomcheck.region(metric, axiom, over=overs, regime=regime, depth=depth).region


def verdicts(found: Region) -> list[str]:
    (part,) = found.parts
    return [piece.finding.verdict for piece in part.pieces]


def intervals(found: Region) -> list[dict[str, Any]]:
    """Return the intervals of a region's only part as JSON has them."""
    (part,) = regions_json([found])["regions"][0]["parts"]
    return part["intervals"]  # type: ignore[no-any-return]


def rbp_block_ahead(p: Fraction, n: int) -> bool:
    """RBP by its formula: n documents at ranks n+1..2n against one at rank 1."""
    return sum(p ** (n + j - 1) for j in range(1, n + 1)) > 1


def test_rbp_has_the_end_of_its_polynomial() -> None:
    found = region("CloseTh", "RBP", "p=0.5:0.99")
    fails, holds = found.parts[0].pieces
    assert (fails.finding.verdict, holds.finding.verdict) == (Verdict.REFUTED, Verdict.PROVED)
    assert (fails.low_in, fails.high_in, holds.low_in, holds.high_in) == (True, True, False, True)
    end = holds.low
    assert end == fails.high
    assert end.polynomial == "p**3 + p**2 - 1"
    assert (end.low, end.high) == (Fraction(3, 4), Fraction(19, 25))
    assert end.tied == (2, 3)
    # Just below the end no block of 1 to 60 is ahead, and the rest of the series is too small; just above, n = 2 is.
    below, above = Fraction(end.decimal), Fraction(end.decimal) + Fraction(1, 10**30)
    assert not any(rbp_block_ahead(below, n) for n in range(1, 61))
    assert below**60 / (1 - below) < 1
    assert rbp_block_ahead(above, 2)
    written_fails, written_holds = intervals(found)
    assert written_holds["low"] == {
        "polynomial": "p**3 + p**2 - 1",
        "interval": ["3/4", "19/25"],
        "decimal": "0.754877666246692760049508896358",
        "tied": [2, 3],
    }
    assert (written_fails["high_included"], written_holds["low_included"]) == (True, False)
    assert "for n >= 6" in written_fails["certified"]


def test_rbu_over_the_grade() -> None:
    found = region("CloseTh", "RBU", "rc=0:1", regime="finite")
    holds, fails = found.parts[0].pieces
    assert (holds.finding.verdict, fails.finding.verdict) == (Verdict.PROVED, Verdict.REFUTED)
    # 1 = p^2 + p^3 (1 - rc) at p = 4/5
    assert holds.high.low == holds.high.high == 1 - (1 - Fraction(4, 5) ** 2) / Fraction(4, 5) ** 3 == Fraction(19, 64)
    assert (holds.low_in, holds.high_in, fails.low_in, fails.high_in) == (False, False, True, True)
    assert holds.high.tied == (2,)
    metric = parse("RBU")
    for rc, expected in ((Fraction(19, 64), 0), (Fraction(19, 64) - Fraction(1, 10**30), -1), (Fraction(3, 10), 1)):
        signs = list(block_signs(metric, rc, False, range(1, 25)))
        assert signs[1] == expected
        assert all(sign == 1 for n, sign in enumerate(signs, start=1) if n != 2 and rc >= Fraction(19, 64))


def test_enclosed_ends_are_right_on_both_sides() -> None:
    found = region("CloseTh", "alpha-nDCG@7", "alpha=0:1")
    holds, fails = found.parts[0].pieces
    end = holds.high
    assert (holds.finding.verdict, fails.finding.verdict) == (Verdict.PROVED, Verdict.REFUTED)
    assert end.polynomial is None
    assert 0 < end.high - end.low <= Fraction(2, 10**20)
    measured = parse("alpha-nDCG@7")
    for alpha, expected in ((end.low, True), (end.high, False)):
        placed = type(measured)(measured.cutoff, **(measured.values | {"alpha": alpha}))
        signs = list(block_signs(placed, Fraction(1), True, range(1, 26)))
        assert None not in signs
        assert (-1 in signs) is expected
    assert set(intervals(found)[0]["high"]) == {"enclosure", "decimal"}
    assert found.shares()[Verdict.UNDECIDED] < 1e-15


def test_for_every_grade_is_not_for_some_grade() -> None:
    (piece,) = region("CloseTh", "RBU", "p=0.5:0.99", regime="finite").parts[0].pieces
    assert piece.finding.verdict is Verdict.REFUTED
    assert piece.finding.how.startswith("at rc = 1:")


@quality
def test_excluded_and_tied_ends() -> None:
    uncut = region("CloseTh", "RBP", "p=0:1").parts[0].pieces
    assert not uncut[0].low_in
    assert not uncut[-1].high_in
    cut = region("CloseTh", "RBP@20", "p=0:1").parts[0].pieces  # p = 1 is allowed with a cutoff: everything scores 0
    assert [(p.finding.verdict, p.low == p.high) for p in cut] == [
        (Verdict.REFUTED, False),
        (Verdict.PROVED, False),
        (Verdict.REFUTED, True),
    ]


def test_deepth() -> None:
    assert verdicts(region("DeepTh", "RBP", "p=0:1")) == [Verdict.PROVED]
    assert verdicts(region("DeepTh", "RBP@20", "p=0:1")) == [Verdict.PROVED, Verdict.REFUTED]
    found = region("DeepTh", "alpha-nDCG@inf", "alpha=0:1")
    assert verdicts(found) == [Verdict.REFUTED, Verdict.PROVED]  # at alpha = 0 the sum grows without bound
    assert found.parts[0].pieces[0].high.high == 0


def test_a_metric_that_is_no_fold_is_decided_at_settings() -> None:
    found = region("CloseTh", "D#-nDCG", "lambda=0.25:0.75")
    assert found.grid is not None
    assert found.notes == (
        "decided at individual settings; no exact endpoints: metric: DSharpMeasure is not a fold over ranks",
    )
    assert found.decided


def contradicted(found: Region, axiom: str, metric: str) -> list[str]:
    """Return what a second look at a region finds wrong with it."""
    asked = find_axiom(axiom)
    return contradictions(found, parse(metric), asked)


def test_a_tail_that_begins_too_early_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Thresholds, "behind_from", lambda self, box: (1, "for n >= 1: planted"))
    with pytest.raises(InternalDisagreement, match="reported as refuted at"):
        region("CloseTh", "RBP", "p=0.8:0.9")


@pytest.mark.parametrize("wrong", ["0.74", "0.77"])
def test_a_misstated_end_is_caught(wrong: str) -> None:
    found = region("CloseTh", "RBP", "p=0.5:0.99")
    assert contradicted(found, "CloseTh", "RBP") == []
    fails, holds = found.parts[0].pieces
    end = End.at(Fraction(wrong))
    moved = (replace(fails, high=end), replace(holds, low=end))
    planted = replace(found, parts=(replace(found.parts[0], pieces=moved),))
    assert contradicted(planted, "CloseTh", "RBP")


def test_swapped_verdicts_are_caught() -> None:
    found = region("DeepTh", "RBP@20", "p=0:1")
    (part,) = found.parts
    other = {Verdict.PROVED: Verdict.REFUTED, Verdict.REFUTED: Verdict.PROVED}
    for number, piece in enumerate(part.pieces):
        pieces = list(part.pieces)
        pieces[number] = replace(piece, finding=replace(piece.finding, verdict=other[piece.finding.verdict]))
        planted = replace(found, parts=(replace(part, pieces=tuple(pieces)),))
        assert contradicted(planted, "DeepTh", "RBP@20")


def rbu() -> Region:
    """Return the map of CloseTh of RBU over patience and grade."""
    return region("CloseTh", "RBU", "p=0.5:1", "rc=0:1", regime="finite", depth=2)


def test_cells_tile_the_rectangle() -> None:
    found = rbu()
    cells = found.parts[0].cells
    assert sum((cell.size for cell in cells), Fraction(0)) == Fraction(1, 2)
    shares = found.shares()
    assert sum(shares.values()) == 1
    assert 0 < shares[Verdict.UNDECIDED] < Fraction(2, 5)
    for a, b in product(cells[:40], cells[:40]):
        if a is not b:
            apart = any(x[2] <= y[1] or y[2] <= x[1] for x, y in zip(a.box, b.box, strict=True))
            assert apart


def test_alpha_ndcg_over_alpha_and_the_cutoff() -> None:
    found = region("CloseTh", "alpha-nDCG", "alpha=0:1", "k=4:9")
    assert [part.cutoff for part in found.parts] == [4, 5, 6, 7, 8, 9]
    ends = [part.pieces[0].high.middle if len(part.pieces) == 2 else None for part in found.parts]
    assert ends[:2] == [None, None]
    assert all({area.finding.verdict for area in part.areas} == {Verdict.REFUTED} for part in found.parts[:2])
    # A rank more never takes a block away.
    assert ends[2:] == sorted(end for end in ends[2:] if end is not None)
    assert found.decided


@quality
def test_a_wrong_cell_is_caught() -> None:
    found = rbu()
    cells = list(found.parts[0].cells)
    for verdict, other in ((Verdict.PROVED, Verdict.REFUTED), (Verdict.REFUTED, Verdict.PROVED)):
        planted = [
            replace(c, finding=replace(c.finding, verdict=other)) if c.finding.verdict is verdict else c for c in cells
        ]
        wrong = replace(found, parts=(replace(found.parts[0], cells=tuple(planted)),))
        assert contradicted(wrong, "CloseTh", "RBU")


UNIT = (Fraction(0), Fraction(1))
HALF = (Fraction(1, 2), Fraction(3, 4))


@pytest.mark.parametrize("box", [{"x": UNIT, "y": UNIT}, {"x": HALF, "y": UNIT}, {"x": HALF, "y": (HALF[0], HALF[0])}])
def test_bounds_are_those_of_the_values_in_the_box(box: Box) -> None:
    """Asks it of every c0 + c1 x + c2 y + c3 x y + c4 x^2 with coefficients -1, 0 and 1."""
    ring = Ring(("x", "y"))
    x, y = ring.variables.values()
    sides = [(low, (low + high) / 2, high) for low, high in box.values()]
    points = [dict(zip(box, at, strict=True)) for at in product(*sides)]
    decided = 0
    for a, b, c, d, e in product((-1, 0, 1), repeat=5):
        f = ring.context.constant(a) + b * x + c * y + d * x * y + e * x * x
        low, high = ring.bounds(f, box)
        values = [ring.value(f, point) for point in points]
        decided += low is not None or high is not None
        assert low is None or all(value > 0 if low == 1 else value >= 0 for value in values)
        assert high is None or all(value < 0 if high == -1 else value <= 0 for value in values)
        assert max(values) <= ring.upper(f, box)
    assert decided > 150


def test_an_end_that_is_left_out_may_be_zero() -> None:
    box = {"x": UNIT, "y": UNIT}
    ring, opened = (Ring(("x", "y"), open_ends) for open_ends in (frozenset(), frozenset({("x", Fraction(1))})))
    for of, positive in ((ring, 0), (opened, 1)):
        x, y = of.variables.values()
        assert of.bounds((1 - x) * (1 + y), box) == (positive, None)
        assert of.bounds((x - 1) * (1 + y), box) == (None, -positive)
        assert of.bounds((1 - x) * y, box) == (0, None)
    x, _ = ring.variables.values()
    assert ring.bounds(1 - x, box, frozenset({("x", Fraction(1))})) == (1, None)
    assert ring.upper(x - x * x, box) == fmpq(1, 2)


@each(
    "coefficients",
    [
        (-1, 0, 1, 1),
        (1, 0, 1),
        (6, -29, 46, -24),
    ],
    1,
)
def test_real_roots_are_those_of_sympy(coefficients: tuple[int, ...]) -> None:
    from sympy import Poly, real_roots, symbols

    x = symbols("x")
    low, high = Fraction(0), Fraction(2)
    expected = sorted(r for r in set(real_roots(Poly(coefficients[::-1], x))) if 0 <= r <= 2)
    found = [root for g in factors(fmpz_poly(list(coefficients))) for root in roots_between(g, low, high)]
    separate(found)
    assert len(found) == len(expected)
    for root, true in zip(found, expected, strict=True):
        assert root.low <= Fraction(str(true.evalf(60))) + Fraction(1, 10**50)
        assert Fraction(str(true.evalf(60))) - Fraction(1, 10**50) <= root.high
        assert root.rational is bool(true.is_rational)
        left, right = root.plain_interval()
        assert left <= true <= right
        assert root.sign_of(root.polynomial) == 0
        shifted = root.polynomial + root.polynomial.derivative() ** 2 + 1
        assert root.sign_of(shifted) == 1
        if not root.rational:
            assert str(true.evalf(45)).startswith(root.decimal())


def axes(metric: str, *overs: str) -> tuple[Axis, ...]:
    return grid_axes([read_axis(over, AXIOMS["Conf"], parse(metric), True) for over in overs])


def settings(metric: str, *overs: str) -> list[Metric]:
    return settings_of(parse(metric), axes(metric, *overs))


@pytest.mark.parametrize(
    ("metric", "overs", "expected"),
    [
        ("RBP", ["p=0.5:0.9:3"], ["RBP(p=0.5)", "RBP(p=0.7)", "RBP(p=0.9)"]),
        ("NRBP(alpha=0.2)", ["p=0.5:0.7:2"], ["NRBP(p=0.5, alpha=0.2)", "NRBP(p=0.7, alpha=0.2)"]),
        # a range without ends is the declared one, as far as the metric allows it
        ("alpha-nDCG", ["alpha=::3"], [f"alpha-nDCG(alpha={a})@20" for a in ("0", "0.5", "1")]),
        ("RBP", ["p=::3"], [f"RBP(p={p})" for p in ("0.25", "0.5", "0.75")]),
    ],
)
def test_ranges_are_settings(metric: str, overs: Sequence[str], expected: list[str]) -> None:
    assert [setting.canonical for setting in settings(metric, *overs)] == expected


def test_values_are_exact_and_the_last_axis_changes_fastest() -> None:
    assert axes("RBP", "p=0.1:1/5:4")[0].values == tuple(Fraction(k, 30) for k in range(3, 7))
    found = settings("RBU@5", "e=0:0.1:2", "p=0.5:0.6:2")
    assert [(m.values["e"], m.values["p"], m.cutoff) for m in found] == [
        (Fraction(e, 10), Fraction(p, 10), 5) for e, p in product((0, 1), (5, 6))
    ]


def test_a_grid_without_counts_has_the_usual_ones() -> None:
    assert [len(axis.values) for axis in axes("RBP", "p=0.5:0.9")] == [50]
    assert [len(axis.values) for axis in axes("NRBP", "p=0.5:0.9", "alpha=:")] == [20, 20]
    assert [len(axis.values) for axis in axes("NRBP", "p=0.5:0.9:7", "alpha=:", "k=1:4")] == [7, 20, 4]


@pytest.mark.parametrize(
    ("metric", "overs", "said"),
    [
        ("RBP", ["p=0.1:0.9:x"], "expected NAME=LOW:HIGH"),
        ("RBP", ["p=0.1:0.9:1"], "a count of 1; expected a count from 2 to 5,000"),
        ("RBP", ["k=1:9:3"], "expected every cutoff, without a count"),
        ("RBP", ["p=0.5:1.5:3"], "expected 0 < p <= 1"),
        ("RBU", ["e=::3"], "e has no declared range with two endpoints"),
        ("P", ["k=1:100000"], "expected integers with 1 <= k <= 5000"),
        ("NRBP", ["p=0.1:0.9:1000", "alpha=0:1:1000"], "1,000,000 settings; expected at most 5,000; choose smaller"),
    ],
)
def test_ranges_that_cannot_be_used_are_refused_with_the_expected_form(
    metric: str, overs: Sequence[str], said: str
) -> None:
    with pytest.raises(InvalidInput) as caught:
        axes(metric, *overs)
    assert said in str(caught.value)


@pytest.mark.parametrize("shape", [(7,), (3, 2, 4)])
def test_boxes_fill_the_grid_once(shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(0)
    for kinds in (1, 2, 3):
        marks = rng.choice([Verdict.PROVED, Verdict.REFUTED, Verdict.HELD][:kinds], size=shape)
        verdicts = [Verdict(v) for v in marks.reshape(-1)]
        covered = np.zeros(shape, dtype=int)
        boxes = boxes_of(verdicts, shape)
        for ranges, verdict in boxes:
            inside = tuple(slice(low, high + 1) for low, high in ranges)
            covered[inside] += 1
            assert (marks[inside] == verdict).all()
        assert (covered == 1).all()
        assert kinds > 1 or len(boxes) == 1


FEW = Settings(examples=100, exhaustive=False)
RBU = ("RBU@5", "p=0.5:0.9:2", "e=0:0.2:2")
CHOSEN = [AXIOMS[name] for name in ("CloseTh", "Conf", "AspRel")]


Study = list[tuple[RegionPart, SettingsGrid]]


@pytest.fixture(scope="module")
def study() -> Study:
    return decided(RBU, CHOSEN)


def decided(asked: Sequence[str], axioms: Sequence[Axiom], **more: Any) -> Study:
    """Return a metric's grid, of its name and ranges."""
    metric, *overs = asked
    return study_grid(parse(metric), axes(metric, *overs), axioms, Reading(), FEW, **more)


@pytest.fixture(scope="module")
def matrix() -> list[Cell]:
    """Return the cells of the same settings and axioms, setting after setting."""
    return list(run_matrix(settings(*RBU), CHOSEN, Reading(), FEW).cells)


def grid_verdicts(part: tuple[RegionPart, SettingsGrid]) -> list[Verdict]:
    return [part[1].finding(number).verdict for number in range(4)]


def test_verdicts_are_those_of_the_matrix(study: Study, matrix: list[Cell]) -> None:
    own = [cell.verdict for cell in matrix]
    assert [grid_verdicts(part) for part in study] == [own[k::3] for k in range(3)]
    assert Verdict.PROVED in grid_verdicts(study[0])
    assert {*grid_verdicts(study[1])} == {Verdict.REFUTED, Verdict.PROVED}


def test_a_reason_that_speaks_for_several_settings_is_true_of_each() -> None:
    asked = ("alpha-nDCG@3", "alpha=0.1:0.9:3")
    ((_, grid),) = decided(asked, [AXIOMS["Red"]])
    own = run_matrix(settings(*asked), [AXIOMS["Red"]], Reading(), FEW).cells
    findings = [grid.findings[k] for k in grid.by]
    assert any(findings.count(finding) > 1 for finding in findings)
    for finding, cell in zip(findings, own, strict=True):
        if findings.count(finding) > 1 and finding.verdict.satisfied:
            assert cell.reason.startswith(finding.how)
        elif findings.count(finding) > 1:
            assert finding.how in ("a tie", "a reversal")


def test_settings_that_were_decided_before_are_loaded_from_the_ledger(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, asked = grids.run_matrix, []

    def noted(metrics: Any, axioms: Any, *more: Any, **named: Any) -> Ledger:
        asked.append(axioms[0].name)
        if len(asked) == 3:
            raise KeyboardInterrupt
        return real(metrics, axioms, *more, **named)

    monkeypatch.setattr(grids, "run_matrix", noted)
    first = decided(RBU, CHOSEN, memory=Remembered(LedgerFile(tmp_path / "ledger")))
    assert first[2][1].finding(0).how == INTERRUPTED
    assert {*grid_verdicts(first[2])} == {Verdict.UNDECIDED}
    memory = Remembered(LedgerFile(tmp_path / "ledger"))
    again = decided(RBU, CHOSEN, memory=memory)
    assert memory.found >= 2
    for (part, found), (same, known) in zip(study, again, strict=True):
        assert (part, found.findings) == (same, known.findings)
        assert found.by.tolist() == known.by.tolist()


def test_every_witness_refutes_all_that_it_speaks_for(study: Study) -> None:
    tried = 0
    for axiom, (_, grid) in zip(CHOSEN, study, strict=True):
        for number, metric in enumerate(settings(*RBU)):
            finding = grid.finding(number)
            if isinstance(finding.witness, PairWitness):
                batch = read_witness(finding.witness).batch
                assert batch.axiom is axiom
                assert finding.verdict is Verdict.REFUTED
                assert judge(metric, batch).sign in ((-1, 0) if batch.axiom.strict else (-1,))
                tried += 1
    assert tried > 4


def test_a_proof_speaks_for_open_parameters_inside_their_ranges() -> None:
    here, there = settings("RBU(e=0.05)@5", "p=0.5:0.9:2")
    proof = prove(AXIOMS["Conf"], here, Reading())
    assert covers_setting(proof.certificate, here, there)
    end, inside = settings("RBU(p=0.5)@5", "e=0:0.3:2")
    assert not covers_setting(proof.certificate, here, end)
    assert covers_setting(proof.certificate, here, inside)
    assert not covers_setting(proof.certificate, here, settings("RBU(e=0.05)@6", "p=0.5:0.9:2")[1])
    close = prove(AXIOMS["CloseTh"], here, Reading())
    assert not covers_setting(close.certificate, here, there)


def test_a_proof_carried_too_far_is_a_contradiction(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grids, "covers_setting", lambda certificate, metric, other: True)
    with pytest.raises(InternalDisagreement, match="a proof of Conf"):
        decided(RBU, [AXIOMS["Conf"]])


def test_a_counterexample_is_carried_to_settings_that_it_refutes_alone(
    matrix: list[Cell], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A planted fault: every setting of the grid counts as refuted by another one's counterexample."""
    monkeypatch.setattr(grids._Column, "_refuted", lambda self, instance, numbers: list(numbers))
    (part,) = decided(RBU, [AXIOMS["Conf"]])
    assert grid_verdicts(part) != [cell.verdict for cell in matrix[1::3]]


NEGATIVE_AT_ONE_VALUE = """
from fractions import Fraction
from axiomcheck.metrics.adhoc import RankBiasedPrecision


class Mine(RankBiasedPrecision):
    default_cutoff = 2

    def kernel(self, a, grades, weights, pool):
        sign = -1 if self.values["p"] == Fraction(7, 10) else 1
        return sign * super().kernel(a, grades, weights, pool)
"""


def test_a_class_that_does_otherwise_at_one_value_has_its_verdict_there_alone(tmp_path: Path) -> None:
    """Findings about its neighbours are not carried to it."""
    (tmp_path / "mine.py").write_text(NEGATIVE_AT_ONE_VALUE, encoding="utf-8")
    metric, pri = resolve(f"{tmp_path / 'mine.py'}:Mine"), AXIOMS["Pri"]
    few = Settings(examples=20, exhaustive=False)
    (region,) = regions_of(metric, {pri: [read_axis("p=0.5:0.9:3", pri, metric, True)]}, settings=few)
    assert region.grid is not None
    first, middle, last = (region.grid.finding(number).verdict for number in range(3))
    assert middle is Verdict.REFUTED
    assert first.satisfied
    assert last.satisfied


def test_a_contradiction_about_one_setting_is_an_error_there(monkeypatch: pytest.MonkeyPatch) -> None:
    genuine = grids.run_matrix

    def planted(metrics: Sequence[Metric], *more: Any, **named: Any) -> Ledger:
        ledger = genuine(metrics, *more, **named)
        cells = [
            failed(cell, InternalDisagreement("planted")) if metric.values["p"] == Fraction(7, 10) else cell
            for metric, cell in zip(metrics, ledger.cells, strict=True)
        ]
        return replace(ledger, cells=tuple(cells))

    monkeypatch.setattr(grids, "run_matrix", planted)
    ((_, grid),) = decided(("RBP", "p=0.5:0.9:3"), [AXIOMS["DeepTh"]])
    assert [grid.finding(k).contradicts_axiomcheck for k in range(3)] == [False, True, False]
    assert grid.finding(1).verdict is Verdict.ERROR
    assert grid.finding(0).verdict.satisfied


run = partial(command, "region")


def test_undecided_intervals_exit_with_4_and_are_told_beside_a_file(tmp_path: Path) -> None:
    """The room that CT has left depends on how a sum of grades compares with its level."""
    words = ("CT@6", "CloseTh", "--over", "rc=0.3:0.9", "--regime", "finite", "--depth", "1")
    done = run(*words, "-o", str(tmp_path / "region.json"))
    assert done.exit_code == 4
    assert "% of the range has no verdict\n" in done.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("RBP", "CloseTh", "--over", "rc=0:1"), "use the finite regime"),
        (("RBP", "CloseTh", *("--over", "p=0.5:0.6") * 2), "expected one or more different parameters"),
        (("RBP@500", "CloseTh", "--regime", "finite", "--over", "rc=0:1"), "expected a cutoff of at most 200"),
        (("INST", "CloseTh", "--regime", "finite", "--over", "rc=0:1"), "metric: Inst is not a fold"),
        (("CT@6", "CloseTh", "--over", "rc=0.1:0.9:3", "--regime", "finite"), "a range of grades, without a count"),
        (("RBP", "CloseTh", "--over", "p=0.5:0.6", "-f", "csv"), "CSV needs a number of values, such as p=0.5:0.99:20"),
        (("NRBP", "Pri", "Deep", "--over", "p=:", "-o", "a.svg"), "shows one axiom over one or two parameters"),
    ],
)
def test_input_that_cannot_be_used(words: tuple[str, ...], message: str) -> None:
    outcome = run(*words)
    assert outcome.exit_code == 2
    assert message in outcome.stderr


def test_a_picture_that_cannot_be_drawn_here_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    outcome = run("RBP", "CloseTh", "--over", "p=0.5:0.6", "-o", str(tmp_path / "a.png"))
    assert outcome.exit_code == 2
    assert "a picture as PNG or PDF needs vl-convert" in outcome.stderr
    assert "vl-convert-python" in outcome.stderr


GRID = ("RBU@5", "Conf", "AspRel", "--over", "p=0.5:0.9:2", "--over", "e=0:0.2:3", "--examples", "50", "-j", "1")


def test_json_has_boxes_that_fill_the_grid_and_witnesses_that_are_right() -> None:
    done = run(*GRID, "-f", "json")
    assert done.exit_code == 0
    document = json.loads(done.output)
    assert (document["schema"], document["version"]) == ("axiomcheck/region", 3)
    conf, asprel = document["regions"]
    assert [axis["count"] for axis in conf["over"]] == [2, 3]
    where = {box["verdict"]: (box["p"], box["e"], box["settings"]) for box in conf["parts"][0]["boxes"]}
    assert where == {
        "refuted": (["1/2", "9/10"], ["0", "0"], 2),
        "proved": (["1/2", "9/10"], ["1/10", "1/5"], 4),
    }
    for region in (conf, asprel):
        assert sum(box["settings"] for box in region["parts"][0]["boxes"]) == 6
        for box in region["parts"][0]["boxes"]:
            if box["verdict"] == "refuted":
                assert read_witness(region["witnesses"][box["witness"] - 1]).axiom.name == region["axiom"]
