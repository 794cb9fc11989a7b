"""docs/how-to/gate.md: its files are written and its commands run, in order, in one directory.

python tests/gating/test_gate_docs.py --update    writes the outputs anew
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))  # for --update; under pytest it is there
from transcripts import ROOT, run

PAGE = ROOT / "docs" / "how-to" / "gate.md"
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def replayed(text: str, directory: Path) -> str:
    """The page with what its commands print now. A block that begins with a comment naming a file is that file."""

    def anew(block: re.Match[str]) -> str:
        language, body = block.groups()
        first = body.split("\n", 1)[0]
        if language in ("python", "toml") and first.startswith("# "):
            (directory / first.removeprefix("# ")).write_text(body, encoding="utf-8")
        if language != "console":
            return block[0]
        commands = [line for line in body.splitlines() if line.startswith("$ ")]
        shown = "".join(f"{line}\n{run(line.removeprefix('$ '), directory)}" for line in commands)
        return f"```console\n{shown}```"

    return _BLOCK.sub(anew, text)


def test_the_page_is_what_happens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)  # or annotations are printed as well
    text = PAGE.read_text(encoding="utf-8")
    assert replayed(text, tmp_path) == text
    assert text.count("[exit 1]") == 2  # it ends with failing and passing jobs
    assert (tmp_path / "axiomcheck.toml").read_text(encoding="utf-8").count("# axiomcheck.toml") == 1


if __name__ == "__main__" and "--update" in sys.argv:
    with tempfile.TemporaryDirectory() as made:
        PAGE.write_text(replayed(PAGE.read_text(encoding="utf-8"), Path(made)), encoding="utf-8")
