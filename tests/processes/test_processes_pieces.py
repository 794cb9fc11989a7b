"""Pieces of work, forked from a host or not, and processes for trusted work: what they share, and how they end."""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

import axiomcheck.engine.external as external
from axiomcheck import Ledger, Reading, Regime, Verdict, find_axiom
from axiomcheck.decide.search import Settings
from axiomcheck.engine.places import Machine
from axiomcheck.engine.run import run_matrix
from axiomcheck.engine.tasks import External
from axiomcheck.processes.interpreters import Calling, WorkerDied
from axiomcheck.processes.isolation import Limits, Work, Workers, outcome_of
from axiomcheck.processes.keeper import TIMED_OUT
from tests.support.suites import each
from tests.support.waiting import until

AXIOMS = ("Pri", "Red")

METRIC = """
import math, os, threading, time
from pathlib import Path

HERE = Path(__file__).with_name("log")
with HERE.open("a") as file:
    file.write("loaded" + chr(10))
calls = 0
at_30 = bool
{more}

def plain(topic, ranking):
    return sum(topic.pool[name][0] / math.log2(rank + 2) for rank, name in enumerate(ranking))

def counting(topic, ranking):
    global calls
    calls += 1
    if calls == 30:
        at_30()
    return plain(topic, ranking)
"""


def decided(folder: Path, more: str = "", name: str = "plain") -> tuple[Ledger, int]:
    """Decide some cells of a metric; return them, and how often its file was loaded."""
    folder.mkdir(exist_ok=True)
    file = folder / "mine.py"
    file.write_text(METRIC.format(more=more), encoding="utf-8")
    settings = Settings(examples=30, proofs=False, exhaustive=False)
    machine = Machine(1, limits=Limits(100, 1024))
    axioms = [find_axiom(axiom) for axiom in AXIOMS]
    ledger = run_matrix([External(f"{file}:{name}")], axioms, Reading(Regime.FINITE), settings, machine=machine)
    return ledger, (folder / "log").read_text(encoding="utf-8").count("loaded")


@pytest.fixture(scope="module")
def hosted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Ledger, int]:
    """Decide cells in forks of a host; return the folder of the metric, too."""
    folder = tmp_path_factory.mktemp("hosted")
    return folder, *decided(folder)


@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="hosts are forked on Linux only")
@each(
    "more",
    [
        "kept = open(__file__)",
        "at_30 = lambda: print('scored')",
        "at_30 = lambda: os._exit(3)",
    ],
    3,
)
def test_what_forks_share_or_lack_has_cells_loaded_each_by_itself(
    tmp_path: Path, more: str, hosted: tuple[Path, Ledger, int]
) -> None:
    _, _, loads = hosted
    ledger, each_time = decided(tmp_path / "loud", more, "counting" if "at_30" in more else "plain")
    assert each_time >= loads + len(AXIOMS), (loads, each_time)
    expected = [Verdict.ERROR] * 2 if "at_30" in more else [Verdict.HELD, Verdict.REFUTED]
    assert [cell.verdict for cell in ledger.cells] == expected


def test_cells_are_the_same_with_and_without_a_host(
    hosted: tuple[Path, Ledger, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, ledger, loads = hosted
    monkeypatch.setattr(external, "prepare", refuse)
    alone, more = decided(folder)
    assert more - loads >= loads + len(AXIOMS)
    assert [cell.verdict for cell in ledger.cells] == [Verdict.HELD, Verdict.REFUTED]
    for one, other in zip(ledger.cells, alone.cells, strict=True):
        assert (one.verdict, one.witness) == (other.verdict, other.witness)
        assert one.evidence == other.evidence


def refuse(name: str) -> bool:
    from axiomcheck.sources.resolve import resolve

    resolve(name)
    return False


_SEEN: list[int] = []


def look() -> bool:
    _SEEN.append(0)
    return True


def count() -> int:
    """Return how much pieces before this one left in this process."""
    _SEEN.append(1)
    return len(_SEEN)


def leave(how: str) -> None:
    import signal

    if how == "dies":
        os._exit(3)
    if how == "stops what forked it":
        os.kill(os.getppid(), signal.SIGSTOP)
    if how != "kills what forked it":
        time.sleep(1000)
    os.kill(os.getppid(), signal.SIGKILL)


def asked(workers: Workers, function: Callable[..., object], *args: object) -> Work[object]:
    return workers.submit(function, *args, seconds=3.0, prepare=(look, ())).result()


@each("how", ["hangs", "dies", "kills what forked it", "stops what forked it"], 3)
def test_a_piece_that_ends_badly_costs_itself_alone(how: str) -> None:
    with Workers(1, Limits(100, 1024)) as workers:
        asked(workers, count)
        code = asked(workers, leave, how).ended.code
        assert code == TIMED_OUT if how == "hangs" else code != 0
        left = outcome_of(workers.submit(count, prepare=(look, ())))
        assert left == 2 if how == "hangs" else left in (1, 2)  # what forked it is there, or is made anew


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
