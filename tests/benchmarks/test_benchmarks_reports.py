"""Two reports are compared by what their cells say, to the last obligation of a proof."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import compare_reports
import pytest

from axiomcheck import find_axiom, parse
from axiomcheck.decide.search import Settings
from axiomcheck.engine.run import run_matrix
from axiomcheck.records.matrix import to_json


@cache
def decided() -> str:
    """Return a report of a proof by induction, a refutation, and a proof about every large n."""
    metrics = [parse("RBP"), parse("P@10")]
    return to_json(run_matrix(metrics, [find_axiom("Pri"), find_axiom("DeepTh")], settings=Settings(examples=300)))


def differing(tmp_path: Path, change: Callable[[dict[str, Any]], object]) -> int:
    """Compare the report with a changed one; return the exit code."""
    changed = json.loads(decided())
    change(changed)
    before, after = tmp_path / "before.json", tmp_path / "after.json"
    before.write_text(decided(), encoding="utf-8")
    after.write_text(json.dumps(changed), encoding="utf-8")
    return compare_reports.main(str(before), str(after))


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda report: report["obligations"][0].update(argument="another"), "certificate of RBP(p=0.8) on Pri"),
        (lambda report: report["certificates"][-1].update(lemma="another"), "certificate of P@10 on DeepTh"),
        (lambda report: report["cells"][2].update(verdict="held"), "verdict of P@10 on Pri: refuted -> held"),
        (lambda report: report["cells"].pop(), "only before: P@10 on DeepTh"),
    ],
    ids=["obligation", "certificate", "verdict", "missing"],
)
def test_a_planted_difference_is_named(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    change: Callable[[dict[str, Any]], object],
    named: str,
) -> None:
    assert differing(tmp_path, change) == 1
    assert f"  {named}\n" in capsys.readouterr().out


def test_other_counts_of_instances_are_no_difference(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert differing(tmp_path, lambda report: report["cells"][0]["evidence"].update(instances=1)) == 0
    assert "certificate 0, evidence 1;" in capsys.readouterr().out
