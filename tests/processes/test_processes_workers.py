"""Pools of worker processes that end in the middle of their work."""

from __future__ import annotations

import multiprocessing
import os
import signal
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import pytest

from axiomcheck.processes import workers


@pytest.mark.parametrize("number", range(5))
def test_a_second_interrupt_leaves_no_worker_of_a_pool_that_ends(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))
    with workers.births():
        pool.submit(os.getpid)
    (process,) = pool._processes.values()

    def interrupted(call: Any) -> Any:
        def called(*words: Any, **options: Any) -> Any:
            for _ in range(number + 1):
                os.kill(os.getpid(), signal.SIGINT)
            return call(*words, **options)

        return called

    monkeypatch.setattr(multiprocessing, "active_children", interrupted(multiprocessing.active_children))
    monkeypatch.setattr(pool, "shutdown", interrupted(pool.shutdown))
    before = signal.getsignal(signal.SIGINT)
    try:
        workers.end_pool(pool)
    finally:
        process.kill()
    assert process.exitcode is not None
    assert signal.getsignal(signal.SIGINT) is before
