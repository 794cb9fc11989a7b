"""Worker processes of a pool: they end with the process that started them, and leave Ctrl-C to it."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.process import BaseProcess
from types import ModuleType
from typing import Any

from axiomcheck.core.errors import OverLimit
from axiomcheck.processes.interrupts import deaf_births, ignored
from axiomcheck.processes.sweep import end_with

Work = Callable[[Any, Any], Any]
"""(what is common to all pieces, a piece) -> its result; a function of a module, which workers import."""


def usable_cpus() -> int:
    """The CPUs that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextlib.contextmanager
def births() -> Iterator[None]:
    """Worker processes that are started here do not hear Ctrl-C, and do not load the program that starts them.

    A script that asks for a verdict would ask again in every worker, and a notebook is no file that can be loaded.
    """
    with deaf_births(), _no_program():
        yield


@contextlib.contextmanager
def _no_program() -> Iterator[None]:
    """In place of the script, notebook or command at work stands a module without a file."""
    program = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = program


def travels(work: Any) -> bool:
    """Whether something can be sent to worker processes; what the script or notebook itself defines cannot."""
    with _no_program():
        try:
            pickle.dumps(work)
        except Exception:  # which one it is depends on what the work holds
            return False
    return True


def begin_worker() -> None:
    """What a worker does first."""
    # Where processes are not born deaf, Ctrl-C reaches the whole group; only the parent is to act on it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None
    assert parent.pid is not None
    end_with(parent.pid)
    threading.Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: BaseProcess) -> None:
    """Ends this process with its parent, where the system does not."""
    parent.join()
    os._exit(1)


def end_pool(pool: ProcessPoolExecutor) -> None:
    """Ends a pool in the middle of its work, whatever Ctrl-C says meanwhile."""
    with ignored():
        for process in multiprocessing.active_children():
            process.terminate()
        # Waited for: an executor that is half closed is a traceback at the interpreter's exit, and so is a worker that
        # is still being started then.
        pool.shutdown(cancel_futures=True)


def results(work: Work, common: Any, pieces: Sequence[Any], jobs: int) -> Iterator[tuple[int, Any]]:
    """The number of each piece and its result, as they come.

    Args:
        work: what is done with every piece.
        common: what it gets besides, sent to every worker once.
        pieces: the pieces.
        jobs: processes at once; one is this process.

    Raises:
        OverLimit: a worker was killed.

    """
    if jobs == 1 or len(pieces) < 2:
        for number, piece in enumerate(pieces):
            yield number, work(common, piece)
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(min(jobs, len(pieces)), context, _begin, (work, common))
    try:
        with births():
            numbers: dict[Future[Any], int] = {pool.submit(_do, piece): n for n, piece in enumerate(pieces)}
        for future in as_completed(numbers):
            yield numbers[future], future.result()
    except BrokenProcessPool:
        pool.shutdown(cancel_futures=True)
        raise OverLimit("a worker process was killed, for want of memory perhaps; fewer --jobs need less") from None
    except BaseException:
        end_pool(pool)
        raise
    pool.shutdown()


_work: Work | None = None
_common: Any = None


def _begin(work: Work, common: Any) -> None:
    global _work, _common
    begin_worker()
    _work, _common = work, common


def _do(piece: Any) -> Any:
    assert _work is not None
    return _work(_common, piece)
