"""Exact regions: ends, maps, signs and roots are checked by arithmetic of its own."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest
from flint import fmpq, fmpz_poly

import axiomcheck
from axiomcheck import InternalDisagreement, Verdict, parse
from axiomcheck.axioms import find_axiom
from axiomcheck.reports.region_report import regions_json
from axiomcheck.studies.region.algebraic import Box, Ring, factors, roots_between, separate
from axiomcheck.studies.region.result import End, Region
from axiomcheck.studies.region.thresholds import Thresholds
from axiomcheck.studies.region.verify import block_signs, contradictions
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


@each(
    ("metric", "over", "regime", "verdict"),
    [
        ("RBU", "e=0:1", "stated", Verdict.PROVED),
        ("ERR", "rc=0:1", "finite", Verdict.REFUTED),
    ],
    1,
)
def test_a_parameter_that_does_not_matter_gives_one_interval(metric: str, over: str, regime: str, verdict: str) -> None:
    assert verdicts(region("CloseTh", metric, over, regime=regime)) == [verdict]


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
    assert all(part.verdicts == {Verdict.REFUTED} for part in found.parts[:2])
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
