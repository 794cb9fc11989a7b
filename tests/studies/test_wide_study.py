"""Verdicts of many settings are those of each on its own; what carries them is held to what it says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from axiomcheck.axioms import AXIOMS, Axiom, PairAxiom
from axiomcheck.core.domain import Reading, assumes_small
from axiomcheck.core.errors import InternalDisagreement
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.batch import Batch
from axiomcheck.decide.comparison import compare, judge
from axiomcheck.decide.sampling import generator, sample_batches
from axiomcheck.decide.search import DEEPEST, Settings, domain_seen
from axiomcheck.decide.witness import read_witness
from axiomcheck.engine.matrix import run_matrix
from axiomcheck.ledger import LedgerFile
from axiomcheck.metrics import Metric
from axiomcheck.proof.proving import prove
from axiomcheck.records.witnesses import PairWitness
from axiomcheck.studies.wide import column, shared
from axiomcheck.studies.wide import study as wide
from axiomcheck.studies.wide.grids import read_grid
from axiomcheck.studies.wide.scope import speaks_for
from axiomcheck.studies.wide.shared import SharedScores
from axiomcheck.studies.wide.study import GridStudy, study_grids
from tests.support.suites import each, quality

FEW = Settings(examples=100, exhaustive=False)
GRIDS = ["RBU(p=0.5..0.9/2, e=0..0.2/2)@5"]
CHOSEN = [AXIOMS[name] for name in ("CloseTh", "Conf", "AspRel")]


@pytest.fixture(scope="module")
def study() -> GridStudy:
    return study_grids(GRIDS, CHOSEN, Reading(), FEW)


def as_in_the_matrix(study: GridStudy, axioms: list[Axiom]) -> set[tuple[str, Verdict]]:
    """Hold every verdict of a study to that of the matrix, and return those that there are, by axiom."""
    seen = set()
    for grid, columns in study.grids:
        cells = iter(run_matrix(grid.metrics, axioms, Reading(), FEW).cells)
        for number in range(grid.size):
            for carried in columns:
                cell = next(cells)
                assert carried.verdict(number) is cell.verdict, (cell.metric, cell.axiom)
                seen.add((cell.axiom, cell.verdict))
    return seen


def test_verdicts_are_those_of_the_matrix(study: GridStudy) -> None:
    expected = {("Conf", Verdict.REFUTED), ("Conf", Verdict.PROVED), ("CloseTh", Verdict.PROVED)}
    assert expected <= as_in_the_matrix(study, CHOSEN)


@each(
    ("text", "axiom"),
    [
        ("NRBP(p=0.5..0.999/5, alpha=0.5)", "DeepTh"),
        ("RBP(p=0.5..0.99/3)", "DeepTh"),
        ("alpha-nDCG(alpha=0.1..0.9/3)@3", "Red"),
        ("RBU(p=0.5..0.9/3, e=0.1)@4", "AspDiv"),
        ("RBP(p=0.5..0.9/3)@4", "Conf"),
        ("NRBP(p=0.2..0.9/3, alpha=0.5)", "AspRel"),
    ],
    1,
)
def test_a_reason_that_speaks_for_several_settings_is_true_of_each(text: str, axiom: str) -> None:
    study = study_grids([text], [AXIOMS[axiom]], Reading(), FEW)
    ((grid, (carried,)),) = study.grids
    own = run_matrix(grid.metrics, [AXIOMS[axiom]], Reading(), FEW).cells
    findings = [carried.findings[k] for k in carried.by]
    assert any(findings.count(finding) > 1 for finding in findings)
    for finding, cell in zip(findings, own, strict=True):
        if findings.count(finding) > 1 and finding.verdict.satisfied:
            assert cell.reason.startswith(finding.reason)
        elif findings.count(finding) > 1:
            assert finding.reason in ("a tie", "a reversal")


@quality
@pytest.mark.parametrize("text", ["NRBP(p=0.5..0.99/2, alpha=../2)", "RBP(p=0.7..0.8/2)@2..3", "P@1..3"])
def test_verdicts_of_every_axiom_are_those_of_the_matrix(text: str) -> None:
    axioms = list(AXIOMS.values())
    assert as_in_the_matrix(study_grids([text], axioms, Reading(), FEW), axioms)


@quality
def test_two_workers_find_the_same(study: GridStudy) -> None:
    def told(found: GridStudy) -> list[Any]:
        return [(c.axiom, c.findings, c.by.tolist(), c.regions) for c in found.columns]

    assert told(study_grids(GRIDS, CHOSEN, Reading(), FEW, jobs=2)) == told(study)


@each("interrupted", [True, False], 2)
def test_parts_that_were_decided_before_are_loaded_from_the_ledger(
    interrupted: bool, study: GridStudy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, asked = wide.decide_column, []

    def decided(part: column.ColumnPart) -> column.ColumnFound:
        asked.append(part.axiom.name)
        if interrupted and len(asked) == 3:
            raise KeyboardInterrupt
        return real(part)

    monkeypatch.setattr(wide, "decide_column", decided)
    first = study_grids(GRIDS, CHOSEN, Reading(), FEW, ledger=LedgerFile(tmp_path / "ledger"))
    assert first.interrupted is interrupted
    assert len(asked) == 3
    again = study_grids(GRIDS, CHOSEN, Reading(), FEW, ledger=LedgerFile(tmp_path / "ledger"))
    assert len(asked) == (4 if interrupted else 3)
    assert (first.remembered, again.remembered) == (0, 2 if interrupted else 3)
    for found, known in zip(study.columns, again.columns, strict=True):
        assert (found.axiom, found.findings, found.regions) == (known.axiom, known.findings, known.regions)
        assert found.by.tolist() == known.by.tolist()
        assert np.array_equal(found.reversed, known.reversed, equal_nan=True)
        assert found.compared == known.compared
    study_grids(GRIDS, CHOSEN, Reading(), replace(FEW, seed=1), ledger=LedgerFile(tmp_path / "ledger"))
    assert len(asked) == (7 if interrupted else 6)


def test_every_witness_refutes_all_that_it_speaks_for(study: GridStudy) -> None:
    tried = 0
    for grid, columns in study.grids:
        for carried in columns:
            for number, metric in enumerate(grid.metrics):
                finding = carried.findings[carried.by[number]]
                if isinstance(finding.witness, PairWitness):
                    batch = read_witness(finding.witness).batch
                    assert batch.axiom.name == carried.axiom
                    assert finding.verdict is Verdict.REFUTED
                    assert judge(metric, batch).sign in ((-1, 0) if batch.axiom.strict else (-1,))
                    tried += 1
    assert tried > 4


def batches(axiom: PairAxiom, metric: Metric) -> Iterator[Batch]:
    small, depth = assumes_small(axiom, Reading()), min(metric.cutoff or DEEPEST, DEEPEST)
    drawn = sample_batches(axiom, domain_seen(metric, Reading()), small, depth, 60, generator(1))
    yield from (batch for batch in drawn if batch.size)


def differences(text: str, names: Sequence[str]) -> int:
    """Count the clear comparisons that differ between shared scores and a metric's own."""
    metrics, wrong = read_grid(text).metrics, 0
    scores = SharedScores(metrics)
    for name in names:
        axiom = AXIOMS[name]
        assert isinstance(axiom, PairAxiom)
        for batch in batches(axiom, metrics[0]):
            told = np.zeros(len(metrics), dtype=int)
            for numbers, behind, sure in scores.compared(batch):
                told[numbers] += 1
                for row, number in enumerate(numbers):
                    alone = compare(metrics[number], batch)
                    clear = alone.sure & (np.abs(alone.margin) > 1e-9)
                    wrong += int(((alone.sign == -1) != sure[row])[clear].sum())
                    assert (behind[row] | ~sure[row]).all()
            assert (told == 1).all()
    return wrong


@each(
    "text",
    [
        "RBU(p=0.5..0.9/2, e=0..0.3/2)@5",
        "NRBP-paper(p=0.5..0.9/2, alpha=0.3..0.6/2, weighted=yes)@7",
        "RBU-program(p=0.5..0.9/2, e=0..0.3/2)",
        "NRBP(p=0.5..0.9/2, alpha=../2)",
        "EU(alpha=0.2..0.7/2, e=0..0.1/2)",
        "alpha-nDCG(alpha=0.2..0.7/2)",
        "RBP-IA(p=0.5..0.9/2)",
    ],
    7,
)
def test_shared_scores_are_the_metrics_own(text: str) -> None:
    assert differences(text, ["AspDiv", "Sat", "Conf"]) == 0


def test_discounts_of_the_next_rank_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    genuine: Any = shared._FoldGroup._discounts_to
    monkeypatch.setattr(shared._FoldGroup, "_discounts_to", lambda self, n: genuine(self, n)[:, ::-1])
    assert differences("NRBP(p=0.5..0.9/2, alpha=../2)", ["AspDiv", "Sat"]) > 0


def test_a_proof_speaks_for_open_parameters_inside_their_ranges() -> None:
    def metrics(text: str) -> tuple[Metric, ...]:
        return read_grid(text).metrics

    here, there = metrics("RBU(p=0.5..0.9/2, e=0.05)@5")
    proof = prove(AXIOMS["Conf"], here, Reading())
    assert proof is not None
    assert speaks_for(proof.certificate, here, there)
    end, inside = metrics("RBU(p=0.5, e=0..0.3/2)@5")
    assert not speaks_for(proof.certificate, here, end)
    assert speaks_for(proof.certificate, here, inside)
    assert not speaks_for(proof.certificate, here, metrics("RBU(p=0.5..0.9/2, e=0.05)@6")[1])
    close = prove(AXIOMS["CloseTh"], here, Reading())
    assert close is not None
    assert not speaks_for(close.certificate, here, there)


@pytest.mark.parametrize(
    ("where", "what", "fault", "said"),
    [
        (column, "speaks_for", lambda certificate, metric, other: True, "a proof of Conf"),
        (shared, "_behind", lambda worse, better, shape: (np.ones(shape, dtype=bool),) * 2, "a reversal that is none"),
    ],
)
def test_a_proof_or_reversal_carried_too_far_is_a_contradiction(
    where: Any, what: str, fault: Callable[..., Any], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(where, what, fault)
    with pytest.raises(InternalDisagreement, match=said):
        study_grids(["RBU(p=0.5..0.9/2, e=0..0.2/2)@5"], [AXIOMS["Conf"]], Reading(), FEW)
