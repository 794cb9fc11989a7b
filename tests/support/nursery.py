"""Interpreters that have loaded axiomcheck already, from which tests fork those that it would start anew.

What starts them, and what they do from then on, is the product's own; what is left out is a third of a second of
imports, some hundred times over. Tests in ``tests/quality``, and commands that tests start in full, start them anew.
"""

import contextlib
import gc
import json
import os
import socket
import subprocess
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module, invalidate_caches
from pathlib import Path
from select import select
from types import SimpleNamespace
from typing import IO, Any, NoReturn

_LOADED = (
    "axiomcheck.trials.calls",
    "axiomcheck.processes.keeper",
    "axiomcheck.engine.external",
    "axiomcheck.derivation.agreement",
    "axiomcheck.proof.find.bounded",
    "axiomcheck.sources.fingerprint",
    "axiomcheck.gating",
)
_MOST = 2**17
"""Bytes of what is asked: a program, paths and an environment."""


def fresh(*programs: str) -> SimpleNamespace:
    """Return what stands in for ``subprocess`` in a module that runs programs with one of these parts."""

    def popen(command: Sequence[str], **kwargs: Any) -> _Forked:
        assert any(program in command[-1] for program in programs), command
        (reading, stdin), (stdout, writing) = os.pipe(), os.pipe()
        environ = kwargs.get("env", os.environ)
        errors = kwargs["stderr"].fileno() if kwargs["stderr"] is not None else 2
        forked = _Forked(command[-1], (reading, writing, errors), environ, kwargs.get("cwd") or os.getcwd())
        os.close(reading)
        os.close(writing)
        forked.stdin, forked.stdout = os.fdopen(stdin, "wb", 0), os.fdopen(stdout, "rb", 0)
        return forked

    return SimpleNamespace(Popen=popen, PIPE=subprocess.PIPE, TimeoutExpired=subprocess.TimeoutExpired)


class _Forked:
    """As much of a `subprocess.Popen` as is used."""

    stdin: IO[bytes]
    stdout: IO[bytes]

    def __init__(self, program: str, streams: Sequence[int], environ: Mapping[str, str], folder: str) -> None:
        self._told, tells = os.pipe()
        asked = {"program": program, "path": sys.path, "environ": dict(environ), "folder": folder}
        nursery = _nursery(environ.get("PYTHONHASHSEED", ""))
        socket.send_fds(nursery, [json.dumps(asked).encode()], [*streams, tells])
        os.close(tells)
        self.pid = self._next(None)
        self.returncode: int | None = None

    def __del__(self) -> None:
        os.close(self._told)

    def _next(self, seconds: float | None) -> int:
        if not select([self._told], [], [], seconds)[0]:
            raise subprocess.TimeoutExpired("a forked interpreter", seconds or 0)
        return int.from_bytes(os.read(self._told, 4), signed=True)

    def wait(self, timeout: float | None = None) -> int:
        """The exit code, or minus the number of the signal that ended it."""
        if self.returncode is None:
            self.returncode = self._next(timeout)
        return self.returncode

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):  # it may have ended by itself meanwhile, as subprocess allows
            os.kill(self.pid, 9)


_NURSERIES: dict[str, tuple[subprocess.Popen[bytes], socket.socket]] = {}
"""By hash seed, each with the way to it."""


def start(*hash_seeds: str) -> None:
    """Has the nurseries of these hash seeds ready, for whatever this process forks, too."""
    for seed in hash_seeds:
        _nursery(seed)


def close() -> None:
    for process, asks in _NURSERIES.values():
        asks.close()
        process.wait()
    _NURSERIES.clear()


def _nursery(hash_seed: str) -> socket.socket:
    if hash_seed not in _NURSERIES:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            process = subprocess.Popen(
                [sys.executable, __file__, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                env=os.environ | ({"PYTHONHASHSEED": hash_seed} if hash_seed else {}),
                start_new_session=True,
            )
        _NURSERIES[hash_seed] = process, ours
    return _NURSERIES[hash_seed][1]


def serve(descriptor: int) -> None:
    """In a nursery: a fork for everything asked, and one that tells of its start and of its end."""
    for module in _LOADED:
        import_module(module)
    asks = socket.socket(fileno=descriptor)
    gc.freeze()
    while True:
        said, streams, _, _ = socket.recv_fds(asks, _MOST, 4)
        if not said:
            break
        if os.fork() == 0:
            asks.close()
            _watch(json.loads(said), streams)
        for stream in streams:
            os.close(stream)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
    with suppress(ChildProcessError):
        while True:
            os.wait()


def _watch(asked: dict[str, Any], streams: list[int]) -> NoReturn:
    *streams, tells = streams
    child = os.fork()
    if child == 0:
        os.close(tells)
        _become(asked, streams)
    for stream in streams:
        os.close(stream)
    os.write(tells, child.to_bytes(4, signed=True))
    _, status = os.waitpid(child, 0)
    os.write(tells, os.waitstatus_to_exitcode(status).to_bytes(4, signed=True))
    os._exit(0)


def _become(asked: dict[str, Any], streams: Sequence[int]) -> NoReturn:
    def program() -> None:
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        sys.path[:] = asked["path"]
        invalidate_caches()
        exec(asked["program"], {"__name__": "__main__"})

    os.setsid()
    run_and_exit(program, streams, asked["folder"], asked["environ"])


def run_and_exit(
    program: Callable[[], int | None], streams: Sequence[int], folder: Path | str, environ: Mapping[str, str]
) -> NoReturn:
    """In a fork: run a program with descriptors, working directory and environment of its own, and end with it."""
    code = 1
    try:
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environ)
        code = program() or 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    serve(int(sys.argv[1]))
