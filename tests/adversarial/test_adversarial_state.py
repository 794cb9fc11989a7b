"""No metric with state gets a verdict that its scores in a new process contradict; honest ones keep theirs."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from axiomcheck import Cell, Reading, Regime, Verdict, as_metric, find_axiom
from axiomcheck.core.typing import Array
from axiomcheck.decide.search import Settings
from axiomcheck.engine.run import run_matrix
from axiomcheck.records.matrix import from_document
from tests.adversarial.adversarial_table import GREEN
from tests.adversarial.stateful_metrics import HONEST, LIARS
from tests.support.forked import axiomcheck_command
from tests.support.suites import each

SETTINGS = Settings(examples=100, exhaustive=False)
FILE = Path(__file__).with_name("stateful_metrics.py")


def cells_of(names: Sequence[str], axiom: str, *options: str) -> list[Cell]:
    """Return the cells of metrics of the file, from one run of the command."""
    words = ["matrix", "-a", axiom, *options, "--regime", "finite", "--examples", "25", "-f", "json"]
    done = axiomcheck_command([*words, *(f"{FILE}:{name}" for name in names)], Path.cwd())
    assert "Traceback" not in done.stderr, done.stderr
    cells = list(from_document(json.loads(done.stdout)).cells)
    assert len(cells) == len(names)
    return cells


@each(("names", "axiom"), [(LIARS[:1], "Conf"), (LIARS[1:], "Pri")], 2)
def test_metrics_with_state_have_no_green_cell_and_no_witness(names: list[str], axiom: str) -> None:
    cells = cells_of(names, axiom)
    named = [cell for cell in cells if "depend on the names of documents" in cell.reason]
    # without a relevant document, they score 0 whatever they remember, so that these ties are true
    ties = [cell for cell in cells if cell.axiom == "Conf" and "both score 0" in cell.reason]
    unsure = (Verdict.ERROR, Verdict.UNDECIDED)
    assert [cell for cell in cells if cell.verdict not in unsure and cell not in (*named, *ties)] == []
    assert [cell for cell in named if cell.verdict.satisfied] == []


@each("names", [HONEST[:1], HONEST[1:]], 2)
def test_honest_metrics_keep_their_verdicts(names: list[str]) -> None:
    assert [cell for cell in cells_of(names, "Pri", "--no-proofs") if cell.verdict not in GREEN] == []


def test_what_holds_of_a_metric_says_that_it_remembers_something() -> None:
    calls = []

    def discounted(grades: Array, weights: Array) -> Array:
        calls.append(len(grades))
        gains = np.asarray(grades, dtype=float)[..., 0]
        return (gains / np.log2(np.arange(2, gains.shape[-1] + 2))).sum(axis=-1)

    of = as_metric(discounted, "discounted")
    cell = run_matrix([of], [find_axiom("Pri")], Reading(Regime("finite")), SETTINGS).cells[0]
    assert cell.verdict is Verdict.HELD
    assert "its state changed while it was scored" in cell.reason
