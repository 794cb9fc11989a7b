"""Packages with entry points, made in a directory that goes onto the path: as good as installed."""

import re
import subprocess
from pathlib import Path

from tests.support.forked import axiomcheck_command

DOCS = Path(__file__).parents[2] / "docs" / "how-to" / "plugins.md"


def documented() -> dict[str, str]:
    """Path in the package -> code, of every block of docs/how-to/plugins.md that begins with one."""
    blocks = re.findall(r"```python\n# (\S+\.py)\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    return dict(blocks)


def install(
    directory: Path,
    files: dict[str, str],
    axioms: dict[str, str] | None = None,
    metrics: dict[str, str] | None = None,
    adapters: dict[str, str] | None = None,
    dist: str = "lab",
) -> Path:
    """Writes a package and its metadata; entry points as name -> ``module:attribute``."""
    for name, code in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.parent != directory:
            (path.parent / "__init__.py").touch()
        path.write_text(code, encoding="utf-8")
    info = directory / f"{dist}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {dist}\nVersion: 1.0\n", encoding="utf-8")
    lines = [
        f"[axiomcheck.{group}]\n" + "".join(f"{k} = {v}\n" for k, v in points.items())
        for group, points in (("axioms", axioms), ("metrics", metrics), ("adapters", adapters))
        if points
    ]
    (info / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")
    return directory


def run(directory: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """``axiomcheck ARGUMENTS`` with the packages of a directory installed."""
    done = axiomcheck_command(arguments, directory, installed=directory)
    return subprocess.CompletedProcess(arguments, done.code, done.stdout, done.stderr)


def refused(directory: Path, *arguments: str) -> str:
    done = run(directory, *arguments)
    assert done.returncode == 2, (done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    return done.stderr
