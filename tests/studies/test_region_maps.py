"""Maps of two parameters, and grids of settings."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from axiomcheck import Verdict, parse
from axiomcheck.reports.region_report import regions_json
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
        (nrbp, 3, Fraction(49, 100), Fraction(1, 5)),
    ],
    2,
)
def test_cells_tile_the_rectangle(
    drawn: Callable[[int], Region], depth: int, area: Fraction, most_undecided: Fraction
) -> None:
    found = drawn(depth)
    cells = found.parts[0].cells
    assert sum((cell.size for cell in cells), Fraction(0)) == area
    shares = found.shares()
    assert sum(shares.values()) == 1
    assert 0 < shares[Verdict.UNDECIDED] < most_undecided
    for a, b in product(cells[:40], cells[:40]):
        if a is not b:
            apart = any(x[2] <= y[1] or y[2] <= x[1] for x, y in zip(a.box, b.box, strict=True))
            assert apart


def test_json_has_boxes_that_fill_a_map() -> None:
    (document,) = regions_json([rbu(3)])["regions"]
    boxes = document["parts"][0]["boxes"]
    assert {box["verdict"] for box in boxes} == {"proved", "refuted", "undecided"}
    assert sum(document["shares"].values()) == pytest.approx(1)
    assert all(set(box) == {"p", "rc", "verdict", "certified"} for box in boxes)


@quality
def test_every_certified_corner_is_right() -> None:
    seen = set()
    for cell in nrbp(3).parts[0].cells:
        if cell.finding.verdict is Verdict.UNDECIDED:
            continue
        for p, alpha in product(*((low, high) for _, low, high in cell.box)):
            if (p, alpha) in seen:
                continue
            seen.add((p, alpha))
            metric = type(parse("NRBP"))(None, p=p, alpha=alpha)
            held = -1 in block_signs(metric, Fraction(1), True, range(1, 9))
            assert held is (cell.finding.verdict is Verdict.PROVED)
    assert len(seen) > 15


def test_rbu_holds_where_its_hardest_corner_does() -> None:
    """That with the least patience and the largest grade."""
    certified = [cell.box for cell in rbu(3).parts[0].cells if cell.finding.verdict is Verdict.PROVED]
    assert len(certified) > 2
    for (_, p, _), (_, _, rc) in certified:
        assert p**2 + p**3 * (1 - rc) > 1 or p**3 + p**4 * (1 - rc) + p**5 * (1 - rc) ** 2 > 1


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
    coarser = nrbp(2)
    assert contradicted(coarser, "CloseTh", "NRBP") == []
    cells = list(coarser.parts[0].cells)
    for verdict, other in ((Verdict.PROVED, Verdict.REFUTED), (Verdict.REFUTED, Verdict.PROVED)):
        planted = [
            replace(c, finding=replace(c.finding, verdict=other)) if c.finding.verdict is verdict else c for c in cells
        ]
        wrong = replace(coarser, parts=(replace(coarser.parts[0], cells=tuple(planted)),))
        assert contradicted(wrong, "CloseTh", "NRBP")


def test_pairwise_axioms_are_decided_on_a_grid() -> None:
    found = region("Conf", "RBU", "e=0:1")
    assert found.grid is not None
    (end, inside) = found.parts[0].cells
    assert (end.box, end.settings, end.finding.verdict) == ((("e", Fraction(0), Fraction(0)),), 1, Verdict.REFUTED)
    assert (inside.settings, inside.finding.verdict) == (49, Verdict.PROVED)
    assert found.shares()[Verdict.PROVED] == Fraction(49, 50)


def test_a_threshold_axiom_over_a_range_with_a_count_is_decided_on_a_grid_with_the_verdicts_of_the_exact_region() -> (
    None
):
    grid, exact = region("CloseTh", "RBP", "p=0.5:0.9:5"), region("CloseTh", "RBP", "p=0.5:0.9")
    assert grid.grid is not None
    end = Fraction(exact.parts[0].pieces[0].high.decimal)
    for number, value in enumerate(grid.axes[0].values):
        assert (grid.grid.finding(number).verdict is Verdict.PROVED) is (value > end)
