"""What a page of the documentation shows as a package, installed as a user would."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

OFFLINE = ("--no-build-isolation", "--no-deps", "--no-index", "--disable-pip-version-check", "--quiet")


def pip_install(project: Path, site: Path) -> Path:
    """``python -m pip install .`` in a project's folder, into a folder of its own and without a network."""
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", ".", *OFFLINE, "--target", str(site)],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return site
