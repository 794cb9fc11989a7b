"""A refuted cell that is written as held: what it says that it enumerated has the violation in it."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from axiomcheck.cli.program import main


def test_a_refuted_cell_written_as_held_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    words = ["matrix", "-m", "RBP", "-a", "Conf", "--no-proof", "--examples", "100", "-f", "json", "-o", str(file)]
    assert CliRunner().invoke(main, words).exit_code == 0
    report = json.loads(file.read_text(encoding="utf-8"))
    (cell,) = report["cells"]
    del cell["evidence"]["violations"]
    instances = cell["evidence"]["instances"]
    cell |= {"verdict": "held", "witness": None, "reason": f"no violation in {instances:,} distinct instances"}
    file.write_text(json.dumps(report), encoding="utf-8")
    done = CliRunner().invoke(main, ["replay", str(file)])
    assert done.exit_code == 2
    assert "violates Conf, and the verdict is held" in done.stderr
