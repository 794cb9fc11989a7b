"""Worker processes of a pool: they end with the process that started them, and leave Ctrl-C to it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.process import BaseProcess
from typing import Any

from axiomcheck.core.errors import OverLimit
from axiomcheck.processes.interrupts import deaf_births
from axiomcheck.processes.sweep import end_with

Work = Callable[[Any, Any], Any]
"""(what is common to all pieces, a piece) -> its result; a function of a module, which workers import."""


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
    """Ends a pool in the middle of its work."""
    for process in multiprocessing.active_children():
        process.terminate()
    # Waited for: at the interpreter's exit, an executor that is half closed is a traceback.
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
        with deaf_births():
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
