"""Processes for trusted work: what they say, and how they and what they are at end."""

import os
import signal
import time
from typing import Any

import psutil
import pytest

from axiomcheck.processes.interpreters import Calling, WorkerDied
from axiomcheck.processes.isolation import Workers
from tests.support.waiting import until


def speak(words: list[str], say: Any) -> None:
    for word in words:
        print(word, flush=True)
        say(word)
    if "raise" in words:
        raise KeyError("no such word")


def test_a_call_says_things_until_it_is_over_and_the_next_one_is_made_in_the_same_process(
    capfd: pytest.CaptureFixture[str],
) -> None:
    said: list[Any] = []
    with Workers(1) as workers:
        workers.call(speak, ["one", "two"], hear=said.append)
        with pytest.raises(KeyError, match="no such word"):
            workers.call(speak, ["raise"], hear=said.append)
        workers.call(tell_number, hear=said.append)
        workers.call(tell_number, hear=said.append)
    assert said[:3] == ["one", "two", "raise"]
    assert said[3] != os.getpid()
    assert capfd.readouterr().out == ""  # which belongs to reports


def tell_number(say: Any) -> None:
    say(os.getpid())


def sleep(say: Any) -> None:
    say(os.getpid())
    time.sleep(1000)


@pytest.mark.parametrize("interrupts", [1, 2])
def test_ctrl_c_ends_processes_in_the_middle_of_a_call(interrupts: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second one that comes meanwhile is not heard."""
    said: list[int] = []
    close = Calling.close

    def interrupted(self: Calling, patience: float = 0.0) -> None:
        for _ in range(interrupts - 1):
            os.kill(os.getpid(), signal.SIGINT)
        close(self, patience)

    monkeypatch.setattr(Calling, "close", interrupted)
    before = signal.getsignal(signal.SIGINT)

    def work() -> None:
        with Workers(1) as workers:
            asked = workers.begin(lambda: workers.call(sleep, hear=said.append))
            until(lambda: bool(said))
            os.kill(os.getpid(), signal.SIGINT)
            asked.result()

    with pytest.raises(KeyboardInterrupt):
        work()
    assert not psutil.pid_exists(said[0]) or psutil.Process(said[0]).status() == psutil.STATUS_ZOMBIE
    assert signal.getsignal(signal.SIGINT) is before


def test_the_end_of_a_process_is_told_to_who_waits_for_its_call() -> None:
    said: list[int] = []
    with Workers(1) as workers:
        asked = workers.begin(lambda: workers.call(sleep, hear=said.append))
        until(lambda: bool(said))
        os.kill(said[0], signal.SIGKILL)
        with pytest.raises(WorkerDied):
            asked.result()
