"""docs/how-to/plugins.md: the package that it shows can be installed as it is, and its names work."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.plugin_packages import documented
from tests.support.transcripts import ROOT, pip_install, run

PAGE = ROOT / "docs" / "how-to" / "plugins.md"


def test_the_package_of_the_page_is_installed_and_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = PAGE.read_text(encoding="utf-8")
    project = tmp_path / "project"
    for name, code in documented().items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(code, encoding="utf-8")
    (table,) = re.findall(r"^```toml\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    (project / "pyproject.toml").write_text(table, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(pip_install(project, tmp_path / "site")))
    words = re.findall(r"^    axiomcheck (.*)$", text, re.MULTILINE)
    assert words == [
        'check "lab:precision(k=2)"',
        "list axioms",
        "explain Mono",
        "matrix -m RBP -m RBU@20 -a Mono",
    ]
    shown = run(f"axiomcheck {words[1]}", tmp_path, anew=True)
    assert "Mono  Monotonicity" in shown
    checked = run(f"axiomcheck {words[0]} -a Pri --examples 50", tmp_path, anew=True)
    assert "[exit" not in checked
    assert "P@2" in checked  # which it resembles
    assert "lab-gain" in run("axiomcheck matrix -m lab-gain -a Mono --examples 50", tmp_path, anew=True)
