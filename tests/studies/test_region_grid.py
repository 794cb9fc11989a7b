"""Grids, whose settings' verdicts are those of each on its own, and the command `axiomcheck region`."""

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from axiomcheck import AXIOMS, InternalDisagreement, InvalidInput, Metric, Reading, Verdict, parse, read_witness
from axiomcheck.axioms import Axiom
from axiomcheck.decide.comparison import judge
from axiomcheck.decide.search import Settings
from axiomcheck.engine.memory import Remembered
from axiomcheck.engine.run import run_matrix
from axiomcheck.ledger.file import LedgerFile
from axiomcheck.proof.proving import prove
from axiomcheck.records.cells import Cell, Ledger, failed
from axiomcheck.records.witnesses import PairWitness
from axiomcheck.sources.resolve import resolve
from axiomcheck.studies.region import grid as grids
from axiomcheck.studies.region.axes import Axis, grid_axes, read_axis
from axiomcheck.studies.region.decide import regions_of
from axiomcheck.studies.region.grid import GridStudy, boxes_of, covers_setting, settings_of, study_grid
from axiomcheck.studies.region.result import RegionPart, SettingsGrid
from tests.support.commands import command


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
        ("P", ["k=1:100000"], "expected whole numbers with 1 <= k <= 5000"),
        (
            "NRBP",
            ["p=0.1:0.9:1000", "alpha=0:1:1000"],
            "1,000,000 settings; expected at most 5,000; choose smaller ranges, or fewer",
        ),
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


@pytest.fixture(scope="module")
def study() -> GridStudy:
    return decided(RBU, CHOSEN)


def decided(asked: Sequence[str], axioms: Sequence[Axiom], **more: Any) -> GridStudy:
    """Return a metric's grid, of its name and ranges."""
    metric, *overs = asked
    return study_grid(parse(metric), axes(metric, *overs), axioms, Reading(), FEW, **more)


@pytest.fixture(scope="module")
def matrix() -> list[Cell]:
    """Return the cells of the same settings and axioms, setting after setting."""
    return list(run_matrix(settings(*RBU), CHOSEN, Reading(), FEW).cells)


def verdicts(part: tuple[RegionPart, SettingsGrid]) -> list[Verdict]:
    return [part[1].finding(number).verdict for number in range(4)]


def test_verdicts_are_those_of_the_matrix(study: GridStudy, matrix: list[Cell]) -> None:
    own = [cell.verdict for cell in matrix]
    assert [verdicts(part) for part in study.parts] == [own[k::3] for k in range(3)]
    assert Verdict.PROVED in verdicts(study.parts[0])
    assert {*verdicts(study.parts[1])} == {Verdict.REFUTED, Verdict.PROVED}


def test_a_reason_that_speaks_for_several_settings_is_true_of_each() -> None:
    asked = ("alpha-nDCG@3", "alpha=0.1:0.9:3")
    ((_, grid),) = decided(asked, [AXIOMS["Red"]]).parts
    own = run_matrix(settings(*asked), [AXIOMS["Red"]], Reading(), FEW).cells
    findings = [grid.findings[k] for k in grid.by]
    assert any(findings.count(finding) > 1 for finding in findings)
    for finding, cell in zip(findings, own, strict=True):
        if findings.count(finding) > 1 and finding.verdict.satisfied:
            assert cell.reason.startswith(finding.how)
        elif findings.count(finding) > 1:
            assert finding.how in ("a tie", "a reversal")


def test_settings_that_were_decided_before_are_loaded_from_the_ledger(
    study: GridStudy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, asked = grids.run_matrix, []

    def noted(metrics: Any, axioms: Any, *more: Any, **named: Any) -> Ledger:
        asked.append(axioms[0].name)
        if len(asked) == 3:
            raise KeyboardInterrupt
        return real(metrics, axioms, *more, **named)

    monkeypatch.setattr(grids, "run_matrix", noted)
    first = decided(RBU, CHOSEN, memory=Remembered(LedgerFile(tmp_path / "ledger")))
    assert first.interrupted
    assert {*verdicts(first.parts[2])} == {Verdict.UNDECIDED}
    memory = Remembered(LedgerFile(tmp_path / "ledger"))
    again = decided(RBU, CHOSEN, memory=memory)
    assert memory.found >= 2
    for (part, found), (same, known) in zip(study.parts, again.parts, strict=True):
        assert (part, found.findings) == (same, known.findings)
        assert found.by.tolist() == known.by.tolist()


def test_every_witness_refutes_all_that_it_speaks_for(study: GridStudy) -> None:
    tried = 0
    for axiom, (_, grid) in zip(CHOSEN, study.parts, strict=True):
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
    (part,) = decided(RBU, [AXIOMS["Conf"]]).parts
    assert verdicts(part) != [cell.verdict for cell in matrix[1::3]]


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
    (region,) = regions_of(metric, {pri: [read_axis("p=0.5:0.9:3", pri, metric, True)]}, settings=few).regions
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
    ((_, grid),) = decided(("RBP", "p=0.5:0.9:3"), [AXIOMS["DeepTh"]]).parts
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
