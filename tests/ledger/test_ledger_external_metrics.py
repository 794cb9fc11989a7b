"""An edited helper of an external metric is seen by every later run; `tests/sources` has other ways to load one."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.sources.test_sources_dependencies import GAIN, HEAD, HELPERS
from tests.support.suites import quality

RANKED = "DISCOUNTS = [1 / k for k in range(1, 60)]\n"
FLAT = "DISCOUNTS = [1.0] * 60\n"
SCORE = "    return grades.sum(axis=2) @ numpy.array(table()[: grades.shape[1]])\n"


def matrix(folder: Path) -> Callable[[], tuple[str, str]]:
    """Return a function that runs the command there, and returns the verdict on Pri and what is said on stderr."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["AXIOMCHECK_LEDGER"] = str(folder.parent / "ledger.sqlite")
    words = ["matrix", "mine.py:gain", "-a", "Pri", "--examples", "50", "--no-proofs", "-j", "1", "-f", "json"]

    def run() -> tuple[str, str]:
        done = subprocess.run(
            [sys.executable, "-m", "axiomcheck", *words], cwd=folder, env=environment, capture_output=True, text=True
        )
        return json.loads(done.stdout)["cells"][0]["verdict"], done.stderr

    return run


@quality
def test_an_edited_helper_is_seen(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    helper = folder / "lib" / "helper.py"
    helper.parent.mkdir(parents=True)
    helper.write_text(RANKED, encoding="utf-8")
    text = f"import numpy\n{HELPERS['by its place']}def table():\n    return helper.DISCOUNTS\n{GAIN}{SCORE}"
    (folder / "mine.py").write_text(HEAD + text, encoding="utf-8")
    run = matrix(folder)
    assert run()[0] == "held"
    verdict, said = run()
    assert (verdict, "1 search loaded from the ledger" in said) == ("held", True)
    helper.write_text(FLAT, encoding="utf-8")
    subprocess.run([sys.executable, "-c", "import mine"], cwd=folder, check=True)  # bytecode of the edited helper
    verdict, said = run()
    assert (verdict, "from the ledger" in said) == ("refuted", False)
    assert "1 search loaded from the ledger" in run()[1]
