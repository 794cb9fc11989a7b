"""The import rules of pyproject.toml, on a tree laid out as it is installed; and that breaking one is noticed."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.suites import each

ROOT = Path(__file__).parents[2]
PACKAGES = {"axioms": "axiomcheck/axioms", "metrics": "axiomcheck/metrics", "reports": "axiomcheck/reports"}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    site = tmp_path_factory.mktemp("site")
    python = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "axiomcheck", site / "axiomcheck", ignore=python)
    for source, target in PACKAGES.items():
        shutil.copytree(ROOT / source, site / target, ignore=python)
    return site


def checked(site: Path) -> subprocess.CompletedProcess[str]:
    lint = Path(sys.executable).with_name("lint-imports")
    command = [lint, "--config", ROOT / "pyproject.toml", "--no-cache"]
    return subprocess.run(command, cwd=site, capture_output=True, text=True, check=False, timeout=600)


def test_the_import_rules_hold(installed: Path) -> None:
    done = checked(installed)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken" in done.stdout


def test_no_rule_has_an_exception() -> None:
    rules = (ROOT / "pyproject.toml").read_text(encoding="utf-8").partition("[tool.importlinter]")[2]
    assert rules.count("[[tool.importlinter.contracts]]") == 4
    assert "ignore_imports" not in rules


@each(
    ("file", "line", "broken"),
    [
        ("core/errors.py", "import axiomcheck.numbers.discount", "Rooms import only rooms below them"),
        (
            "axioms/base.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from axiomcheck.axioms.pri import Priority",
            "No circle",
        ),
        ("proof/check/induction.py", "import axiomcheck.proof.find.bounded", "What checks a proof imports nothing"),
        ("engine/cells.py", "from axiomcheck import find_axiom", "The public face is for users"),
    ],
    6,
)
def test_a_planted_import_breaks_its_rule(installed: Path, file: str, line: str, broken: str) -> None:
    place = installed / "axiomcheck" / file
    before = place.read_text(encoding="utf-8")
    place.write_text(f"{before}\n{line}\n", encoding="utf-8")
    try:
        done = checked(installed)
    finally:
        place.write_text(before, encoding="utf-8")
    assert done.returncode == 1
    failed = done.stdout.partition("Broken contracts")[2]
    assert broken in failed
