"""Pieces of trusted work, done in several processes."""

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
"""(what is common to all pieces, a piece) -> its result; a function of a module, which workers import."""


def usable_cpus() -> int:
    """Return how many CPUs this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def travels(work: object) -> bool:
    """Tell whether something can be sent to worker processes; what the script or notebook itself defines cannot."""
    program = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        pickle.dumps(work)
    except Exception:  # which one it is depends on what the work holds
        return False
    finally:
        sys.modules["__main__"] = program
    return True


def results(work: Work, common: object, pieces: Sequence[object], jobs: int) -> Iterator[tuple[int, Any]]:
    """Yield the number of each piece and its result, as they come.

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
"""In a worker: its work, and what is common to all pieces."""


def _begin(work: Work, common: object, say: Callable[[object], None]) -> None:
    global _at_work
    _at_work = work, common


def _do(piece: object, say: Callable[[object], None]) -> None:
    assert _at_work is not None
    work, common = _at_work
    say(work(common, piece))
