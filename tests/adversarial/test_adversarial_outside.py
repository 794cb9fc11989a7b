"""The same lies by the other ways in: files on the command line, `prove`, certificates."""

import json
import shutil
from pathlib import Path

import pytest

from axiomcheck import InvalidInput, UnknownName, Verdict, find_axiom, parse
from axiomcheck.decide.search import Settings
from axiomcheck.engine.places import Machine
from axiomcheck.engine.run import run_matrix
from axiomcheck.records.matrix import from_document
from tests.adversarial import lies_inherited
from tests.adversarial.adversarial_table import GREEN, STRENGTH, Lie, Outcome, complaint
from tests.adversarial.table_of_lies import RANK_102
from tests.support.forked import Ended, axiomcheck_command
from tests.support.suites import each

HERE = Path(__file__).resolve().parent


def outcome_of(done: Ended) -> Outcome:
    """Return the one cell of a JSON report, or why the metric was refused."""
    assert "Traceback" not in done.stderr, done.stderr
    if done.code == 2:
        return Outcome(None, done.stderr)
    (cell,) = from_document(json.loads(done.stdout)).cells
    return Outcome(cell)


def assert_as_expected(outcome: Outcome, expected: Lie | Verdict) -> None:
    """Assert that a lie gets no false verdict, or that an honest metric has a verdict or a stronger one."""
    if isinstance(expected, Lie):
        assert complaint(expected, outcome) == "", (outcome.verdict, outcome.said)
        return
    assert outcome.cell is not None, outcome.refused
    assert STRENGTH.get(outcome.cell.verdict, 0) >= STRENGTH[expected], outcome.said


MORE = ("--examples", "200", "-f", "json")

# ------------------------------------------------------------ files

NOT_ONE_PROCESS = Lie("", lambda: parse("RBP"), "Pri")
"""A metric that is another in every process: nothing that one of them found is true of it."""

PATCHED = Lie("", lambda: parse("RBP"), "Pri", RANK_102, held=True)
"""Rank 101 counts 2 there, and rank 100 (4/5)^99."""

FILES: list[tuple[str, str, Lie | Verdict]] = [
    ("lies_patching.py:Patched", "Pri", PATCHED),
    ("lies_inherited.py:OwnFold", "DeepTh", Lie("", lies_inherited.OwnFold, "DeepTh")),
    ("lies_functions.py:by_hash_seed", "Pri", NOT_ONE_PROCESS),
    ("lies_inherited.py:RbpInOtherWords", "Pri", Verdict.HELD),
    ("lies_functions.py:patient", "Pri", Verdict.BOUNDED),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that hold the metrics, where they belong to no package."""
    copies = tmp_path_factory.mktemp("files")
    for file in HERE.glob("lies_*.py"):
        shutil.copy(file, copies)
    return copies


@each(("name", "axiom", "expected"), FILES, 4, whole=True)
def test_a_lying_metric_of_a_file_gets_no_false_verdict(
    name: str, axiom: str, expected: Lie | Verdict, folder: Path
) -> None:
    assert_as_expected(outcome_of(axiomcheck_command(["matrix", name, "-a", axiom, *MORE], folder)), expected)


# ------------------------------------------------------------ check, prove, and certificates

FEW = Settings(examples=50)


def test_a_metric_that_pickles_as_another_does_not_get_the_verdict_of_the_other() -> None:
    axioms = [find_axiom("Pri"), find_axiom("Conf")]
    cells = run_matrix([lies_inherited.OtherAfterPickling()], axioms, settings=FEW, machine=Machine(2)).cells
    assert cells[0].verdict not in GREEN, cells[0].reason


def test_no_metric_from_outside_bears_a_name_of_the_catalogue() -> None:
    few = Settings(examples=0, exhaustive=False, proofs=False)
    cell = run_matrix([lies_inherited.RbpInOtherWords()], [find_axiom("Conf")], settings=few).cells[0]
    with pytest.raises((InvalidInput, UnknownName)):
        parse(cell.metric)
    assert (cell.row, cell.published) == (None, None)
