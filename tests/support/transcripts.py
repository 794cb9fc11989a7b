"""Transcripts: files with lines ``$ command`` followed by what it prints, run and compared, or written anew.

    python -m tests.support.transcripts --update [FILE ...]    (default: the README and tests/cli/*.transcript)

Every ``axiomcheck`` command runs in one temporary directory per transcript, 100 columns wide. A line ``[exit N]``
follows the output of a command that does not exit with 0.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import axiomcheck.__main__
import axiomcheck.cli.matrix
import axiomcheck.engine.matrix
from tests.support.forked import Ended, forked

ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def default_files() -> list[Path]:
    return [
        ROOT / "README.md",
        ROOT / "docs" / "explanation" / "proofs.md",
        *sorted((ROOT / "tests" / "cli").glob("*.transcript")),
    ]


def _program(words: list[str]) -> None:
    sys.argv = words
    axiomcheck.__main__.run()


def run(command: str, directory: Path, anew: bool = False) -> str:
    """What a command prints (standard output, then standard error), and its exit code if that is not 0.

    Args:
        command: as it is typed.
        directory: to run it in.
        anew: whether axiomcheck is started anew, as where it has to see packages that this process does not.

    """
    words = shlex.split(command)
    environ = os.environ | {"COLUMNS": "100", "NO_COLOR": "1", "PYTHONUTF8": "1"}
    if words[0] == "axiomcheck" and not anew:
        done = forked(partial(_program, words), directory, environ)
    else:
        if words[0] == "axiomcheck":
            words[:1] = [sys.executable, "-m", "axiomcheck"]
        ran = subprocess.run(
            words, cwd=directory, capture_output=True, text=True, env=environ, timeout=300, check=False
        )
        done = Ended(ran.returncode, ran.stdout, ran.stderr)
    lines = [line.rstrip() for line in (done.stdout + done.stderr).splitlines()]
    if done.code:
        lines.append(f"[exit {done.code}]")
    return "".join(f"{line}\n" for line in lines)


def _commands(text: str, fenced: bool) -> Iterator[tuple[str, str, str]]:
    """(text before, command, expected output) for every command of a file, then the rest as text before."""
    inside = not fenced
    before: list[str] = []
    command: str | None = None
    expected: list[str] = []
    for line in text.splitlines(keepends=True):
        if command is not None and (line.startswith("$ ") or (fenced and line.startswith("```"))):
            yield "".join(before), command, "".join(expected)
            before, command, expected = [], None, []
        if fenced and line.startswith("```"):
            inside = line.startswith("```console")
            before.append(line)
        elif inside and line.startswith("$ "):
            before.append(line)
            command = line[2:].strip()
        elif command is not None:
            expected.append(line)
        else:
            before.append(line)
    if command is not None:
        yield "".join(before), command, "".join(expected)
        before = []
    yield "".join(before), "", ""


def replayed(path: Path) -> str:
    """The file with every command's output as it is now."""
    out: list[str] = []
    with tempfile.TemporaryDirectory() as directory:
        for before, command, _expected in _commands(path.read_text(encoding="utf-8"), path.suffix == ".md"):
            out.append(before)
            if command:
                out.append(run(command, Path(directory)))
    return "".join(out)


def replayed_page(text: str, directory: Path) -> str:
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


if __name__ == "__main__":
    named = [Path(a) for a in sys.argv[1:] if a != "--update"]
    if "--update" not in sys.argv:
        sys.exit(__doc__)
    for file in named or default_files():
        file.write_text(replayed(file), encoding="utf-8")
