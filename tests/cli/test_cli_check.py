"""`axiomcheck check` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from axiomcheck.axioms import AXIOMS
from axiomcheck.cli.program import main
from axiomcheck.core.documents import document_of
from axiomcheck.core.domain import Reading, Regime
from axiomcheck.decide.search import Settings
from axiomcheck.engine.matrix import run_matrix
from axiomcheck.metrics import parse

FAST = ["--examples", "300", "-j", "1"]

METRIC = '''
import numpy as np
from axiomcheck.sources.own import metric

@metric(cutoff=5, high=1)
def mean_of_five(grades, weights):
    """The weighted mean grade of the first five."""
    return (grades[:, :5] * weights[:, None, :]).sum(axis=-1).sum(axis=-1) / 5

@metric(cutoff=5, high=1, name="forgets its cutoff")
def deeper(grades, weights):
    return (grades[:, :6] * weights[:, None, :]).sum(axis=-1).sum(axis=-1) / 6

def silent(topic, ranking):
    raise ValueError("no")
'''


def invoke(*words: str) -> Result:
    return CliRunner().invoke(main, ["check", *words])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "own.py"
    path.write_text(METRIC, encoding="utf-8")
    return path


def test_rows_are_those_of_the_matrix_in_each_regime() -> None:
    axioms = [AXIOMS[name] for name in ("Pri", "CloseTh", "Red")]
    words = [word for axiom in axioms for word in ("-a", axiom.name)]
    done = invoke("RBU@20", *words, "--format", "json", "--examples", "200", "-j", "1")
    assert done.exit_code == 0, done.output
    (found,) = json.loads(done.stdout)["metrics"]
    assert [r["regime"] for r in found["readings"]] == [r.value for r in Regime]
    for reading in found["readings"]:
        ledger = run_matrix([parse("RBU@20")], axioms, Reading(Regime(reading["regime"])), Settings(examples=200))
        for cell, other in zip(reading["cells"], ledger.cells, strict=True):
            assert (cell["axiom"], cell["verdict"]) == (other.axiom, other.verdict.value)
            assert cell["evidence"] == document_of(other.evidence)
            assert cell["witness"] == (other.witness and document_of(other.witness))


def test_a_metric_in_a_file(file: Path) -> None:
    done = invoke(f"{file}:mean_of_five", "-a", "Pri", "-a", "Conf", "-a", "Sat", *FAST)
    assert done.exit_code == 0, done.output
    special, shared = done.output.index("Violations, other than nDCG"), done.output.index("Violations, as nDCG")
    assert special < done.output.index("○ Pri") < shared < done.output.index("○ Conf")
    assert "violated in 100% of the sampled instances" in done.output
    assert "by up to" in done.output
    assert "P-IA@20" in done.output  # which knows no order of ranks either
    assert " 0 failed" in done.output


def test_a_broken_promise_is_told(file: Path) -> None:
    done = invoke(f"{file}:deeper", "--format", "json", "-a", "Conf", *FAST)
    assert done.exit_code == 5
    (found,) = json.loads(done.stdout)["metrics"]
    status = {outcome["check"]: outcome["status"] for outcome in found["contract"]}
    assert status["below-cutoff"] == "failed"


def test_a_reference_that_disagrees_is_told(file: Path) -> None:
    done = invoke(f"{file}:mean_of_five", "--format", "json", "--reference", "P-IA@5", "-a", "Conf", *FAST)
    assert done.exit_code == 5
    (found,) = json.loads(done.stdout)["metrics"]
    (reference,) = [o for o in found["contract"] if o["check"] == "reference"]
    assert reference["status"] == "failed"
    assert reference["counterexample"]


def test_errors_have_their_exit_codes(file: Path, tmp_path: Path) -> None:
    assert invoke(f"{file}:nothing").exit_code == 2
    assert invoke("RBX").exit_code == 2
    assert invoke("RBP", "--reference", "nDGC@10", "-a", "Conf", *FAST).exit_code == 2
    assert invoke("RBP", "-o", str(tmp_path / "no" / "where.json")).exit_code == 2
    assert invoke(f"{file}:silent", "-a", "Pri", *FAST).exit_code == 4


@pytest.mark.parametrize("command", [["check"], ["matrix", "-m"]])
def test_more_memory_than_there_can_be_is_turned_down(command: list[str]) -> None:
    done = CliRunner().invoke(main, [*command, "RBP", "--memory", "99999999999999999", "-a", "Pri", *FAST])
    assert done.exit_code == 2
    assert "memory is 99999999999999999 MB; expected at most 1099511627776" in done.output


def test_a_contract_with_more_memory_than_there_can_be_is_turned_down(tmp_path: Path) -> None:
    path = tmp_path / "axiomcheck.toml"
    path.write_text("memory = 99999999999999999\n[metrics.RBP.axioms]\nPri = 'held'\n", encoding="utf-8")
    done = CliRunner().invoke(main, ["gate", "--config", str(path)])
    assert done.exit_code == 2
    assert "axiomcheck.toml: memory is 99999999999999999; expected a whole number <= 1099511627776" in done.output


def test_a_number_of_too_many_digits_is_turned_down(tmp_path: Path) -> None:
    path = tmp_path / "witness.json"
    path.write_text('{"weights": [' + "1" * 5000 + "]}", encoding="utf-8")
    done = CliRunner().invoke(main, ["replay", str(path)])
    assert done.exit_code == 2
    assert "not JSON" in done.output


def test_the_contract_alone(file: Path) -> None:
    done = invoke(f"{file}:mean_of_five", "--contract-only")
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith(str(file)[:60])
    assert "Regime" not in done.stdout
    assert "\nContract checks: " in done.stdout
    found = json.loads(invoke(f"{file}:mean_of_five", "--contract-only", "-f", "json").stdout)
    assert [r["cells"] for r in found["metrics"][0]["readings"]] == [[], [], []]
    assert invoke("RBP", "--contract-only", "-a", "Pri").exit_code == 2
    assert invoke(f"{file}:nothing", "--contract-only").exit_code == 2
    assert invoke("RBX", "--contract-only").exit_code == 2


def test_a_contract_check_that_failed_has_an_exit_code_of_its_own(file: Path) -> None:
    assert invoke(f"{file}:deeper", "--contract-only").exit_code == 5
    done = invoke(f"{file}:silent", "--contract-only")
    assert done.exit_code == 4
    assert done.output.count("ValueError: no") == 1


def test_the_cause_of_all_errors_is_said_once(file: Path) -> None:
    done = invoke(f"{file}:silent", "-a", "Pri", "-a", "Deep", *FAST)
    assert done.exit_code == 4
    assert done.output.count("ValueError: no") == 1
    assert "Pri, Deep: " in done.output
    unloaded = invoke(f"{file}:nothing", "RBP", "-a", "Pri", "-a", "Deep", *FAST)
    assert unloaded.output.count("nothing'") == 1


def test_output_goes_to_a_file(tmp_path: Path) -> None:
    for words in (["--format", "json"], []):
        out = tmp_path / "out"
        assert invoke("RBP", "-a", "Conf", "-o", str(out), *words, *FAST).exit_code == 0
        text = out.read_text(encoding="utf-8")
        assert "Conf" in text
        document: Any = json.loads(text) if words else None
        assert document is None or document["schema"] == "axiomcheck/check"


def test_several_metrics_and_one_axiom(file: Path) -> None:
    done = invoke("RBP", f"{file}:mean_of_five", "-a", "Conf", "--format", "json", *FAST)
    found = json.loads(done.stdout)["metrics"]
    assert [m["metric"] for m in found] == ["RBP(p=0.8)", f"{file}:mean_of_five"]
    assert {len(r["cells"]) for m in found for r in m["readings"]} == {1}
