"""An edited helper of an external metric is seen by every later run, however the metric loads it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.sources.test_sources_dependencies import GAIN, HEAD, HELPERS
from tests.support.suites import quality

RANKED = "DISCOUNTS = [1 / k for k in range(1, 60)]\n"
FLAT = "DISCOUNTS = [1.0] * 60\n"
SCORE = "    return grades.sum(axis=2) @ numpy.array(table()[: grades.shape[1]])\n"
TABLES = {
    "by its place": "helper.DISCOUNTS",
    "by runpy": 'helper["DISCOUNTS"]',
    "by exec": "DISCOUNTS",
    "in a zip": "packed.DISCOUNTS",
    "of a namespace package": 'sys.modules["lib.helper"].DISCOUNTS',
}
"""How a metric reaches the table of the helper that it loads so."""


def write_helper(folder: Path, text: str) -> None:
    (folder / "lib" / "helper.py").write_text(text, encoding="utf-8")
    with zipfile.ZipFile(folder / "lib" / "packed.zip", "w") as packed:
        packed.writestr("packed.py", text)


def matrix(folder: Path, bytecode: bool) -> Callable[[], tuple[str, str]]:
    """Return a function that runs the command there, and returns the verdict on Pri and what is said on stderr."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["AXIOMCHECK_LEDGER"] = str(folder.parent / "ledger.sqlite")
    if not bytecode:
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
    words = ["matrix", "-m", "mine.py:gain", "-a", "Pri", "--examples", "50", "--no-proof", "-j", "1", "-f", "json"]

    def run() -> tuple[str, str]:
        done = subprocess.run(
            [sys.executable, "-m", "axiomcheck", *words], cwd=folder, env=environment, capture_output=True, text=True
        )
        return json.loads(done.stdout)["cells"][0]["verdict"], done.stderr

    return run


@quality
@pytest.mark.parametrize(("way", "bytecode"), [*((way, True) for way in TABLES), ("by its place", False)])
def test_an_edited_helper_is_seen(way: str, bytecode: bool, tmp_path: Path) -> None:
    folder = tmp_path / "project"
    (folder / "lib").mkdir(parents=True)
    write_helper(folder, RANKED)
    text = f"import numpy\n{HELPERS[way]}def table():\n    return {TABLES[way]}\n{GAIN}{SCORE}"
    (folder / "mine.py").write_text(HEAD + text, encoding="utf-8")
    run = matrix(folder, bytecode)
    assert run()[0] == "held"
    verdict, said = run()
    assert (verdict, "1 search loaded from the ledger" in said) == ("held", True)
    write_helper(folder, FLAT)
    subprocess.run([sys.executable, "-c", "import mine"], cwd=folder, check=True)  # bytecode of the edited helper
    verdict, said = run()
    assert (verdict, "from the ledger" in said) == ("refuted", False)
    assert "1 search loaded from the ledger" in run()[1]
