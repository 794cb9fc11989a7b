"""Pages whose commands take longer: two tutorials, two guides (checking, gating) are followed; install.md is obeyed.

python -m tests.quality.test_quality_docs --update    writes the outputs of the four anew
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.support.installing import OFFLINE
from tests.support.transcripts import ROOT, replayed_page

DOCS = ROOT / "docs"
PAGES = [
    DOCS / "tutorials" / "your-metric.md",
    DOCS / "tutorials" / "gate.md",
    DOCS / "how-to" / "check.md",
    DOCS / "how-to" / "gate.md",
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}-{page.stem}")
def test_the_page_is_what_happens(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)  # or annotations are printed as well
    monkeypatch.setenv("AXIOMCHECK_LEDGER", str(tmp_path.with_name("ledger.sqlite")))
    text = page.read_text(encoding="utf-8")
    assert replayed_page(text, tmp_path) == text
    assert text.count("\n$ axiomcheck ") >= (1 if page.stem == "check" else 3)
    if page == DOCS / "how-to" / "gate.md":
        assert text.count("[exit 1]") == 2  # it ends with failing and passing jobs
        assert (tmp_path / "axiomcheck.toml").read_text(encoding="utf-8").count("# axiomcheck.toml") == 1


def test_what_the_page_on_installing_says_installs(tmp_path: Path) -> None:
    """From the repository, and from a wheel that was built as the page says; without a network."""
    text = (DOCS / "install.md").read_text(encoding="utf-8")
    address, wheel, build = (
        re.search(rf"^{start}.*$", text, re.MULTILINE)
        for start in ('pip install "git', "pip install axiom", "python -m build")
    )
    assert address
    assert wheel
    assert build
    pip = f"{sys.executable} -m pip install {' '.join(OFFLINE)}"
    tag = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True)
    here = f"git+file://{ROOT}@{tag.stdout.strip()}"
    commands = [
        address[0].replace("git+URL@TAG", here).replace("pip install", f"{pip} --target from-address"),
        f"git clone --quiet {ROOT} checkout",
        build[0].replace("python", sys.executable, 1) + " --no-isolation checkout",
        wheel[0].replace("pip install", f"{pip} --target from-wheel"),
    ]
    for command in commands:
        done = subprocess.run(["bash", "-ec", command], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    for folder in ("from-address", "from-wheel"):
        assert (tmp_path / folder / "axiomcheck" / "metrics" / "catalogue.py").is_file()


if __name__ == "__main__" and "--update" in sys.argv:
    for file in PAGES:
        with tempfile.TemporaryDirectory() as made:
            file.write_text(replayed_page(file.read_text(encoding="utf-8"), Path(made)), encoding="utf-8")
