"""Two parameters, and the pairwise axioms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from axiomcheck.axioms import PairAxiom, find_axiom
from axiomcheck.core.domain import Reading
from axiomcheck.decide.pairs import Pairs
from axiomcheck.decide.witness import read_witness
from axiomcheck.metrics import parse
from axiomcheck.reports.region_report import region_json
from axiomcheck.studies.region import pairs
from axiomcheck.studies.region.pairs import difference_on
from axiomcheck.studies.region.result import Region
from axiomcheck.studies.region.verify import block_signs
from tests.studies.test_region_exact import contradicted, region
from tests.support.suites import each, quality


def nrbp(depth: int) -> Region:
    """Return the map of CloseTh of NRBP over both parameters."""
    return region("CloseTh", "NRBP", "p=0.5:0.99", "alpha=0:1", depth=depth)


def rbu(depth: int) -> Region:
    """Return the map of CloseTh of RBU over patience and grade."""
    return region("CloseTh", "RBU", "p=0.5:1", "rc=0:1", regime="finite", depth=depth)


@each(
    ("drawn", "depth", "area", "most_undecided"),
    [
        (rbu, 3, Fraction(1, 2), Fraction(1, 5)),
        (nrbp, 2, Fraction(49, 100), Fraction(2, 5)),
        (nrbp, 3, Fraction(49, 100), Fraction(1, 5)),
        (nrbp, 4, Fraction(49, 100), Fraction(1, 8)),
    ],
    4,
)
def test_cells_tile_the_rectangle(
    drawn: Callable[[int], Region], depth: int, area: Fraction, most_undecided: Fraction
) -> None:
    found = drawn(depth)
    cells = found.parts[0].cells
    assert sum((cell.area for cell in cells), Fraction(0)) == area
    shares = found.shares()
    assert sum(shares.values()) == 1
    assert 0 < shares["undecided"] < most_undecided
    for a, b in product(cells[:40], cells[:40]):
        if a is not b:
            apart = any(x[2] <= y[1] or y[2] <= x[1] for x, y in zip(a.box, b.box, strict=True))
            assert apart


def test_json_has_boxes_that_fill_a_map() -> None:
    document = region_json(rbu(3))
    boxes = document["parts"][0]["boxes"]
    assert {box["verdict"] for box in boxes} == {"holds", "fails", "undecided"}
    assert sum(document["shares"].values()) == pytest.approx(1)
    assert all(set(box) == {"p", "rc", "verdict", "certified"} for box in boxes)


@quality
@pytest.mark.parametrize(("depth", "fewest"), [(2, 5), (3, 15), (4, 30)])
def test_every_certified_corner_is_right(depth: int, fewest: int) -> None:
    seen = set()
    for cell in nrbp(depth).parts[0].cells:
        if cell.finding.verdict == "undecided":
            continue
        for p, alpha in product(*((low, high) for _, low, high in cell.box)):
            if (p, alpha) in seen:
                continue
            seen.add((p, alpha))
            metric = type(parse("NRBP"))(None, p=p, alpha=alpha)
            held = -1 in block_signs(metric, Fraction(1), True, range(1, 9))
            assert held is (cell.finding.verdict == "holds")
    assert len(seen) > fewest


def test_rbu_holds_where_its_hardest_corner_does() -> None:
    """That with the least patience and the largest grade."""
    certified = [cell.box for cell in rbu(3).parts[0].cells if cell.finding.verdict == "holds"]
    assert len(certified) > 2
    for (_, p, _), (_, _, rc) in certified:
        assert p**2 + p**3 * (1 - rc) > 1 or p**3 + p**4 * (1 - rc) + p**5 * (1 - rc) ** 2 > 1


def test_alpha_ndcg_over_alpha_and_the_cutoff() -> None:
    found = region("CloseTh", "alpha-nDCG", "alpha=0:1", "k=4:9")
    assert [part.cutoff for part in found.parts] == [4, 5, 6, 7, 8, 9]
    ends = [part.pieces[0].high.middle if len(part.pieces) == 2 else None for part in found.parts]
    assert ends[:2] == [None, None]
    assert all(part.verdicts == {"fails"} for part in found.parts[:2])
    # A rank more never takes a block away.
    assert ends[2:] == sorted(end for end in ends[2:] if end is not None)
    assert found.decided


@quality
def test_a_wrong_cell_is_caught() -> None:
    coarser = nrbp(2)
    assert contradicted(coarser, "CloseTh", "NRBP") == []
    cells = list(coarser.parts[0].cells)
    for verdict, other in (("holds", "fails"), ("fails", "holds")):
        planted = [
            replace(c, finding=replace(c.finding, verdict=other)) if c.finding.verdict == verdict else c for c in cells
        ]
        wrong = replace(coarser, parts=(replace(coarser.parts[0], cells=tuple(planted)),))
        assert contradicted(wrong, "CloseTh", "NRBP")


def test_pairwise_cells_are_certified_by_witnesses() -> None:
    found = region("Pri", "NRBP", "alpha=0.5:1")
    assert found.parts[0].verdicts == {"fails"}
    assert found.witnesses
    measured = parse("NRBP")
    for piece in found.parts[0].pieces:
        for alpha in (piece.low.low, piece.length / 3 + piece.low.low, piece.high.high):
            placed = type(measured)(None, p=Fraction(4, 5), alpha=alpha)
            signs = []
            for document in found.witnesses:
                batch = read_witness(document).batch
                orders = difference_on(placed, Pairs.of(batch), {})
                signs.append(next((p.sign_at({}) for p in orders if p.sign_at({}) != 0), 0))
            assert min(s for s in signs if s is not None) <= 0


@quality
def test_pairwise_axioms_hold_where_a_proof_says_so() -> None:
    found = region("Pri", "RBP", "p=0:1")
    assert found.parts[0].verdicts == {"holds"}
    ends = region("Red", "NRBP", "alpha=0:1").parts[0].pieces
    assert [(p.low.low, p.high.low, p.finding.verdict) for p in ends] == [
        (0, 0, "fails"),
        (0, 1, "holds"),
        (1, 1, "fails"),
    ]


def test_pairwise_axioms_without_a_proof_stay_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs, "proof_for_box", lambda *asked: None)
    found = region("Pri", "RBP", "p=0.5:0.9", depth=0)
    assert found.parts[0].verdicts == {"undecided"}
    assert "proves nothing" in found.notes[0]
    assert not found.decided


def test_a_proof_at_one_value_is_not_taken_for_a_whole_box(monkeypatch: pytest.MonkeyPatch) -> None:
    box = {"p": (Fraction(1, 2), Fraction(3, 4))}
    axiom = find_axiom("Pri")
    assert isinstance(axiom, PairAxiom)
    assert pairs.proof_for_box(axiom, parse("RBP"), Reading(), box) is not None
    monkeypatch.setattr(pairs, "_symbols_of_proof", lambda *asked: set())
    assert pairs.proof_for_box(axiom, parse("RBP"), Reading(), box) is None


def test_an_end_of_the_range_that_breaks_an_axiom_is_a_point_of_its_own() -> None:
    found = region("Conf", "RBU", "e=0:1")
    first = found.parts[0].pieces[0]
    assert (first.low, first.finding.verdict) == (first.high, "fails")
    assert first.low.low == 0


def test_a_witness_of_one_place_is_not_taken_for_a_whole_box() -> None:
    """Pri of NRBP at alpha = 1/2 has witnesses that are none at alpha = 0, where every document counts fully."""
    found = region("Pri", "NRBP", "alpha=0:1", depth=0)
    whole, end = found.parts[0].pieces
    assert (whole.low.low, whole.high.low, whole.finding.verdict) == (0, 1, "undecided")
    assert (end.low.low, end.high.low, end.finding.verdict) == (1, 1, "fails")
