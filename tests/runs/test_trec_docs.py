"""The README's command that scores, the rules of ties in docs/how-to/score.md, and benchmarks/scoring.py."""

from __future__ import annotations

import gzip
import re
import subprocess
import sys
from pathlib import Path

import pytest

from axiomcheck.runs.trec import TIES
from tests.support import transcripts
from tests.support.suites import quality

PAGE = transcripts.ROOT / "docs" / "how-to" / "score.md"


@quality
def test_the_readmes_command_runs(tmp_path: Path) -> None:
    (line,) = re.findall(r"^axiomcheck score .*$", (transcripts.ROOT / "README.md").read_text(encoding="utf-8"), re.M)
    (qrels,), (run,) = (re.findall(rf"--{name} (\S+)", line) for name in ("qrels", "run"))
    (tmp_path / qrels).write_bytes(gzip.compress(b"1 1 a 1\n1 2 a 0\n1 2 b 2\n"))
    (tmp_path / run).write_text("1 Q0 b 1 2.0 mine\n1 Q0 x 2 1.0 mine\n")
    printed = transcripts.run(line, tmp_path)
    assert "[exit" not in printed
    assert re.search(r"^RBU\S+ \S+\s+1\s+\S+$", printed, re.M)


def test_the_page_says_what_every_rule_of_ties_does() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for rule, order in TIES.items():
        shown = f"`{rule}` (default)" if rule == "trec_eval" else f"`{rule}`"
        assert f"| {shown} | {order} |" in text


@quality
@pytest.mark.extra("ir_measures")
@pytest.mark.extra("pyndeval")
@pytest.mark.extra("pytrec_eval")
def test_the_benchmark_compares_and_prints_the_ratio(tmp_path: Path) -> None:
    rows = [f"{t} {a} d{d} {(t + a + d) % 3}\n" for t in (1, 2) for d in range(6) for a in (1, 2)]
    (tmp_path / "qrels.ndeval.txt.gz").write_bytes(gzip.compress("".join(rows).encode()))
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "one").write_text(
        "".join(f"{t} Q0 d{(5 * d + t) % 9} {d} {-(d // 2)} tag\n" for t in (1, 2) for d in range(9))
    )
    script = str(transcripts.ROOT / "benchmarks" / "scoring.py")
    words = [sys.executable, script, str(tmp_path), "--turns", "1", "--rows", "diversity"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    found = re.search(r"diversity +14 scores as by ir_measures, largest difference (\S+)", done.stdout)
    assert found is not None, done.stdout
    assert float(found[1]) < 1e-9
    assert re.search(r"^diversity +ratio +\d+\.\d\d +\d+\.\d\d ", done.stdout, re.MULTILINE)
