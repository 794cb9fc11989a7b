"""Programs run in a fork of the tests' own process: what they import is there already, which is most of their time."""

from __future__ import annotations

import os
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Ended:
    """What became of a program: its exit code, and what it wrote."""

    code: int
    stdout: str
    stderr: str


def forked(program: Callable[[], Any], folder: Path, environ: Mapping[str, str]) -> Ended:
    """Runs a program in a process of its own, with descriptors, working directory and environment of its own.

    Args:
        program: what returns its exit code, or raises SystemExit.
        folder: the working directory.
        environ: all of the environment.

    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, open(os.devnull, "rb") as nothing:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside threads, which xdist has
            child = os.fork()
        if child == 0:
            code = 1
            try:
                for number, file in enumerate((nothing, out, err)):
                    os.dup2(file.fileno(), number)
                streams = (os.fdopen(k, mode, encoding="utf-8", closefd=False) for k, mode in enumerate("rww"))
                sys.stdin, sys.stdout, sys.stderr = streams
                os.chdir(folder)
                os.environ.clear()
                os.environ.update(environ)
                code = program()
            except SystemExit as end:
                code = end.code if isinstance(end.code, int) else int(end.code is not None)
            except BaseException:
                traceback.print_exc()
            finally:
                for stream in (sys.stdout, sys.stderr):
                    stream.flush()
                os._exit(code)
        _, status = os.waitpid(child, 0)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode("utf-8"))
    return Ended(os.waitstatus_to_exitcode(status), texts[0], texts[1])
