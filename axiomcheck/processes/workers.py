"""Distribute trusted work over several worker processes."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import as_completed
from types import ModuleType
from typing import Any

from axiomcheck.core.errors import OverLimit
from axiomcheck.processes.interpreters import WorkerDied
from axiomcheck.processes.isolation import Workers

Work = Callable[[Any, Any], Any]
"""Function of the shared argument and a piece that returns the piece's result. Workers import it from its module."""


def usable_cpus() -> int:
    """Return the number of CPUs that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def travels(work: object) -> bool:
    """Return whether an object can be sent to worker processes.

    Objects that the running script or notebook itself defines cannot be sent.
    """
    program = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        pickle.dumps(work)
    except Exception:  # its class depends on the contents of the object
        return False
    finally:
        sys.modules["__main__"] = program
    return True


def results(work: Work, common: object, pieces: Sequence[object], jobs: int) -> Iterator[tuple[int, Any]]:
    """Yield the index and the result of each piece, in the order in which they finish.

    Args:
        work: Function that is called for every piece.
        common: Its first argument, which is the same for all pieces and is sent to every worker once.
        pieces: Pieces of work, one call each.
        jobs: Number of processes; 1 means this process.

    Raises:
        OverLimit: A worker was killed.

    """
    if jobs == 1 or len(pieces) < 2:
        for number, piece in enumerate(pieces):
            yield number, work(common, piece)
        return
    with Workers(min(jobs, len(pieces)), first=(_begin, work, common)) as workers:

        def result(piece: object) -> Any:
            said: list[Any] = []
            workers.call(_do, piece, hear=said.append)
            return said[0]

        numbers = {workers.begin(result, piece): number for number, piece in enumerate(pieces)}
        for future in as_completed(numbers):
            try:
                yield numbers[future], future.result()
            except WorkerDied:
                raise OverLimit(
                    "a worker process was killed, for want of memory perhaps; fewer --jobs need less"
                ) from None


_at_work: tuple[Work, object] | None = None
"""A worker's function and the argument that all pieces share; None outside workers."""


def _begin(work: Work, common: object, say: Callable[[object], None]) -> None:
    global _at_work
    _at_work = work, common


def _do(piece: object, say: Callable[[object], None]) -> None:
    assert _at_work is not None
    work, common = _at_work
    say(work(common, piece))
