import subprocess
import sys

import pytest
import speed

from tests.support.suites import quality


def test_every_stage_of_the_search_is_measured_and_the_parts_make_up_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "PAIR_AXIOMS", [axiom for axiom in speed.PAIR_AXIOMS if axiom.name == "Red"])
    monkeypatch.setattr(speed, "rows_of", lambda axiom: [speed.parse("NRBP"), speed.parse("RBP-IA")])
    found = speed.search(200)
    assert {"Red: search / bare kernels, x", "Red: instances per second and cell, /s"} <= found.keys()
    parts = [name for name in found if name.startswith("search: ") and "in all" not in name]
    assert len(parts) == 6
    assert all(found[name] >= 0 for name in parts)
    assert found["search: in all, s"] <= sum(found[name] for name in parts) * 1.05
    assert found["search / bare kernels, x"] > 1


@quality
def test_the_table_has_a_ratio_for_each_row_that_both_checkouts_have() -> None:
    asked = [sys.executable, str(speed.__file__), "--turns", "1", "--parts", "start"]
    done = subprocess.run([*asked, "--against", sys.executable, "--markdown"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    rows = [line.strip("| ").split(" | ") for line in done.stdout.splitlines() if "| s |" in line]
    assert [row[0] for row in rows] == ["axiomcheck --help", "import axiomcheck"]
    for _, _, ours, other, ratio in rows:
        assert float(ratio) == pytest.approx(float(ours) / float(other), rel=0.05, abs=0.01)


def test_a_part_that_there_is_not_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["speed.py", "--parts", "start,nothing"])
    with pytest.raises(SystemExit):
        speed.main()
    assert "no part nothing" in capsys.readouterr().err
