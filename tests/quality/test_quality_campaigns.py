"""docs/how-to/campaigns.md: what it shows is what comes of it; and a campaign in workers, which Ctrl-C ends."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.support import transcripts

PAGE = transcripts.ROOT / "docs" / "how-to" / "campaigns.md"


def test_the_page_shows_what_is_printed(tmp_path: Path) -> None:
    text = PAGE.read_text(encoding="utf-8")
    for name, code in re.findall(r"^```python\n# (\S+)\n(.*?)^```$", text, re.M | re.S):
        (tmp_path / name).write_text(code, encoding="utf-8")
    pairs = [(command, shown) for _, command, shown in transcripts._commands(text, fenced=True) if command]
    assert len(pairs) == 2
    for command, shown in pairs:
        printed = transcripts.run(command, tmp_path)
        table = [line for line in printed.splitlines() if not line.startswith("the corpus: ")]  # on standard error
        assert table == shown.splitlines()
    caption = subprocess.run(
        [sys.executable, "campaign.py"], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True
    ).stdout
    assert "until 0.5 s were over" in caption


def test_ctrl_c_in_a_campaign_of_workers(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    words = "matrix -m RBP -m RBP(p=0.5) -a Pri --no-proof --examples 1000 -j 2 --until 1h -f json -o"
    command = [sys.executable, "-m", "axiomcheck", *words.split(), str(report)]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert process.stderr.readline().startswith("wave 1: 2 cells open; ")
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        told = process.stderr.read()
    assert time.monotonic() - began < 20
    assert process.returncode == 130
    assert told.endswith("interrupted; every cell was decided\n"), told
    found = json.loads(report.read_text(encoding="utf-8"))
    assert [cell["verdict"] for cell in found["cells"]] == ["held"] * 2
    assert all(cell["evidence"]["blocks"] > 1 for cell in found["cells"])
