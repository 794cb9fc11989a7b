"""A campaign in workers, which Ctrl-C ends."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.waiting import interrupt, started


def test_ctrl_c_ends_a_campaign_in_workers_which_reports_every_cell(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    words = "matrix -m RBP -m RBP(p=0.5) -a Pri --no-proof --examples 1000 -j 2 --until 1h -f json -o"
    with started([*words.split(), str(report)], tmp_path) as process:
        assert process.stderr is not None
        for _ in range(2):  # after the ordinary run, and once both have had further blocks
            assert process.stderr.readline().startswith("2 cells open; ")
        _, told = interrupt(process)  # and not after an hour
    assert told.endswith("interrupted; every cell was decided\n"), told
    found = json.loads(report.read_text(encoding="utf-8"))
    assert [cell["verdict"] for cell in found["cells"]] == ["held"] * 2
    assert all(cell["evidence"]["blocks"] > 1 for cell in found["cells"])
