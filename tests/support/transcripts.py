"""Follow pages and transcripts: run every line ``$ command``, and put what it prints now below it."""

import multiprocessing
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import axiomcheck.__main__
import axiomcheck.cli.matrix
import axiomcheck.engine.run
from tests.support.forked import PLAIN, Ended, as_started, forked

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```([^\n]*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
"""A fenced block of a page: its language, which for files of judgments and runs is a name, and its text."""
OFFLINE = ("--no-build-isolation", "--no-deps", "--no-index", "--disable-pip-version-check", "--quiet")
_COMMAND = re.compile(r"^\$ (.*)\n(?:(?!\$ ).*\n)*", re.MULTILINE)
_MODULES = ("ir_measures", "pytest")
"""Programs that are run as modules of the tests' interpreter."""


def _program(words: list[str], installed: Path | None) -> None:
    """Run the command, in a separate process, whose workers are forked: they import nothing then."""
    forks = multiprocessing.get_context("fork")
    multiprocessing.get_context = lambda method=None: forks
    if installed is not None:
        as_started(installed)
    sys.argv = words
    axiomcheck.__main__.run()


def run(command: str, directory: Path, installed: Path | None = None) -> str:
    """Return what a command prints (standard output, then standard error), and its exit code if that is not 0.

    Args:
        command: as it is typed.
        directory: to run it in.
        installed: a folder of packages that axiomcheck finds as if they were installed.

    """
    words = shlex.split(command)
    environ = os.environ | PLAIN | ({"PYTHONPATH": str(installed)} if installed else {})
    if words[0] == "axiomcheck":
        done = forked(partial(_program, words, installed), directory, environ)
    else:
        if words[0] == "python":
            words[0] = sys.executable
            environ |= {"PYTHONPATH": str(ROOT)}  # of which research/ is run
        elif words[0] in _MODULES:
            words[:1] = [sys.executable, "-m", words[0], *(["-p", "no:xdist"] if words[0] == "pytest" else [])]
        ran = subprocess.run(
            words, cwd=directory, capture_output=True, text=True, env=environ, timeout=600, check=False
        )
        done = Ended(ran.returncode, ran.stdout, ran.stderr)
    lines = [line.rstrip() for line in (done.stdout + done.stderr).splitlines()]
    if done.code:
        lines.append(f"[exit {done.code}]")
    return "".join(f"{line}\n" for line in lines)


def file_of(language: str, body: str) -> str:
    """Return the name of the file that a block of a page is, or nothing where it is none."""
    if re.fullmatch(r"[\w.]+\.(qrels|run)", language):
        return language
    first = body.split("\n", 1)[0]
    return first.removeprefix("# ") if language in ("python", "toml") and first.startswith("# ") else ""


def write_files(text: str, directory: Path) -> list[str]:
    files = {file_of(*block): block[1] for block in BLOCK.findall(text)}
    files.pop("", None)
    for name, body in files.items():
        (directory / name).write_text(body, encoding="utf-8")
    return list(files)


def is_as_shown(printed: str, shown: str) -> bool:
    """Say whether an output is what a page shows; a line ``...`` stands for any lines."""
    parts = re.split(r"^\.\.\.\n", shown, flags=re.MULTILINE)
    return re.fullmatch(r"(?:.*\n)*".join(map(re.escape, parts)), printed) is not None


def followed(
    text: str,
    directory: Path,
    fenced: bool = True,
    installed: Path | None = None,
    steady: Callable[[str], str] = lambda printed: printed,
) -> str:
    """Return a page with the output of every command as it is now.

    Args:
        text: of a page, whose files are written where it shows them, or of a transcript.
        directory: where the first command runs; ``cd`` holds for the commands after it.
        fenced: whether commands stand in blocks, as they do in pages.
        installed: a folder of packages that axiomcheck finds as if they were installed.
        steady: replaces the parts of an output that change from run to run.

    """
    here = directory

    def command(found: re.Match[str]) -> str:
        nonlocal here
        program, _, rest = found[1].partition(" ")
        here = here / rest if program == "cd" else here
        if program == "cd":
            return f"$ {found[1]}\n"
        printed = steady(run(found[1], here, installed=installed))
        shown = found[0].partition("\n")[2]
        return found[0] if is_as_shown(printed, shown) else f"$ {found[1]}\n{printed}"

    def block(found: re.Match[str]) -> str:
        write_files(found[0], directory)
        return f"```console\n{_COMMAND.sub(command, found[2])}```" if found[1] == "console" else found[0]

    return BLOCK.sub(block, text) if fenced else _COMMAND.sub(command, text)


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
