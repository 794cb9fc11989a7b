"""Programs run in a fork of the tests' own process: what they import is there already, which is most of their time."""

import gc
import importlib
import os
import sys
import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import axiomcheck.__main__
from axiomcheck.axioms import names
from axiomcheck.trials import calls
from tests.support import nursery

PLAIN = {"COLUMNS": "100", "NO_COLOR": "1", "PYTHONUTF8": "1"}
"""The environment of commands whose output is compared."""


@dataclass(frozen=True)
class Ended:
    code: int
    stdout: str
    stderr: str


def forked(program: Callable[[], Any], folder: Path, environ: Mapping[str, str]) -> Ended:
    """Runs a program in a separate process, with descriptors, working directory and environment of its own.

    Args:
        program: what returns its exit code, or raises SystemExit.
        folder: the working directory.
        environ: all of the environment.

    """
    nursery.start("", *calls.HASH_SEEDS)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, open(os.devnull, "rb") as nothing:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside threads, which xdist has
            child = os.fork()
        if child == 0:
            gc.freeze()  # what was there before is not the program's to look through
            nursery.run_and_exit(
                partial(_with_streams, program), [f.fileno() for f in (nothing, out, err)], folder, environ
            )
        _, status = os.waitpid(child, 0)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode("utf-8"))
    return Ended(os.waitstatus_to_exitcode(status), texts[0], texts[1])


def _with_streams(program: Callable[[], Any]) -> Any:
    streams = (os.fdopen(k, mode, encoding="utf-8", closefd=False) for k, mode in enumerate("rww"))
    sys.stdin, sys.stdout, sys.stderr = streams
    return program()


def axiomcheck_command(words: Sequence[str], folder: Path, installed: Path | None = None, **environ: str) -> Ended:
    """Run ``axiomcheck WORDS`` in a folder, without the half second that it takes to start.

    Args:
        words: what comes after the command's name.
        folder: the working directory.
        installed: a folder of packages that are as good as installed, none of which this process has loaded.
        environ: beside that of the tests.

    """
    more = PLAIN | ({"PYTHONPATH": str(installed)} if installed else {}) | environ
    return forked(partial(_command, words, installed), folder, os.environ | more)


def _command(words: Sequence[str], installed: Path | None) -> None:
    as_started(installed)
    sys.argv = ["axiomcheck", *words]
    axiomcheck.__main__.run()


def as_started(*paths: Path | str | None) -> None:
    """Set up what a new interpreter has: the usual filters of warnings, and nothing known of what is installed."""
    warnings.resetwarnings()
    for kind in (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning):
        warnings.simplefilter("ignore", kind)
    sys.path[:0] = [str(path) for path in paths if path is not None]
    importlib.invalidate_caches()
    names._points.cache_clear()
    names._loaded.cache_clear()
