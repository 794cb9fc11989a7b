"""Pieces of work: what crashes, hangs, eats memory or prints costs itself alone; what they share, how they end."""

import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest

import axiomcheck.engine.external as external
from axiomcheck import Ledger, Reading, Regime, Verdict, find_axiom, parse
from axiomcheck.core.errors import InvalidInput, MetricError, OverLimit
from axiomcheck.decide.search import Settings
from axiomcheck.engine.places import Machine
from axiomcheck.engine.run import run_matrix
from axiomcheck.engine.tasks import External
from axiomcheck.processes import keeper
from axiomcheck.processes.interpreters import Calling, WorkerDied
from axiomcheck.processes.isolation import Limits, Printed, Work, Workers, outcome_of
from axiomcheck.processes.keeper import TIMED_OUT
from axiomcheck.processes.piece import Piece
from tests.support.suites import each, quality
from tests.support.waiting import until

METRICS = """
import math, os

def good(topic, ranking):
    return sum(topic.pool[name][0] / math.log2(rank + 2) for rank, name in enumerate(ranking))

def crashing(topic, ranking):
    return good(topic, ranking) if len(ranking) < 4 else os._exit(3)

def segfault(topic, ranking):
    import ctypes
    ctypes.string_at(0)

def unprintable(topic, ranking):
    raise ValueError("lone \\ud800, \\x1b[31mred, \\x00")
"""

EXPECTED = {
    "crashing": "exit code 3",
    "segfault": "SIGSEGV",
    "unprintable": r"lone \ud800, \u001b[31mred, \u0000",
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "metrics_of_mine.py"
    path.write_text(METRICS, encoding="utf-8")
    return path


def test_all_good_cells_are_decided(file: Path) -> None:
    bad = [External(f"{file}:{name}") for name in EXPECTED]
    good = External(f"{file}:good")
    metrics = [parse("RBP"), bad[0], good, *bad[1:], parse("P@10")]
    settings = Settings(proofs=False, examples=20, exhaustive=False)
    ledger = run_matrix(
        metrics, [find_axiom("Pri")], Reading(Regime.FINITE), settings, machine=Machine(2, limits=Limits(300, 512))
    )
    assert [cell.metric for cell in ledger.cells] == [metric.canonical for metric in metrics]
    found = {cell.metric: cell for cell in ledger.cells}
    for name, reason in EXPECTED.items():
        cell = found[f"{file}:{name}"]
        assert cell.verdict is Verdict.ERROR
        assert reason in cell.reason, (name, cell.reason)
    assert found[good.canonical].verdict is Verdict.HELD
    assert found["P@10"].verdict is Verdict.REFUTED
    assert found["RBP(p=0.8)"].verdict is Verdict.HELD


# Workers cannot import this module: what they are to do is a function of Python's own, or a program as text.
ALLOCATE = "len(bytearray({} * 2**20))"


def test_a_worker_goes_on_after_its_limits_were_passed() -> None:
    limits = Limits(30, 200)
    with Workers(1, limits) as workers:
        asked = [workers.submit(eval, ALLOCATE.format(size)) for size in (50, 1000, 50)]
        assert outcome_of(asked[0]) == 50 * 2**20
        with pytest.raises(MetricError, match="200 MB"):
            outcome_of(asked[1])
        assert outcome_of(asked[2]) == 50 * 2**20


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="pieces are forked on Linux only")
@pytest.mark.parametrize(("waits", "code"), [(True, 0), (False, TIMED_OUT)], ids=["waits for a CPU", "works"])
def test_time_in_which_a_piece_waits_for_a_cpu_is_not_charged(
    waits: bool, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0

    def later() -> float:
        nonlocal now
        now += 1000.0
        return now

    monkeypatch.setattr(keeper, "time", SimpleNamespace(monotonic=later))
    monkeypatch.setattr(keeper, "seconds_without_cpu", lambda process: now if waits else 0.0)
    monkeypatch.setattr(keeper, "end_descendants", lambda spared: None)
    work = pickle.dumps((time.sleep, (0.1,)))
    assert keeper._attend(Piece(work, 1.0, 1e9, 4096, __name__)).code == code


@pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="asks /proc")
def test_two_processes_on_one_cpu_wait_for_it() -> None:
    burn = f"import os; os.sched_setaffinity(0, {{{min(os.sched_getaffinity(0))}}})\nwhile True: pass"
    burning = [subprocess.Popen([sys.executable, "-c", burn]) for _ in range(2)]
    try:
        until(lambda: all(keeper.seconds_without_cpu(process.pid) > 0.1 for process in burning))
    finally:
        for process in burning:
            process.kill()
            process.wait()


WANT_OF_MEMORY = [
    "MemoryError()",
    "ImportError('libx.so: failed to map segment from shared object')",
    "RuntimeError('std::bad_alloc')",
    "ValueError('Unable to allocate 3 GiB for an array')",
]


def test_want_of_memory_names_the_option_whatever_is_raised() -> None:
    limits = Limits(30, 200)
    with Workers(1, limits) as workers:
        for raised in WANT_OF_MEMORY:
            asked = workers.submit(eval, f"(_ for _ in ()).throw({raised})")
            with pytest.raises(OverLimit, match=r"needed more than the limit of 200 MB \(--memory\)"):
                outcome_of(asked)
        with pytest.raises(MetricError, match=r"^raised KeyError: 'map'$"):
            outcome_of(workers.submit(eval, "{}['map']"))


ONCE = """
said = []

def once(topic, ranking):
    if len(ranking) > 1 and not said:
        said.append(1)
        print("hello")
    return float(len(ranking))
"""


@each("jobs", [1, 2], 2)
def test_one_cell_that_printed_puts_all_of_the_metric_in_error(jobs: int, tmp_path: Path) -> None:
    path = tmp_path / "once.py"
    path.write_text(ONCE, encoding="utf-8")
    axioms, settings = [find_axiom(name) for name in ("Pri", "Conf")], Settings(proofs=False, examples=50)
    ledger = run_matrix([External(f"{path}:once")], axioms, Reading(Regime.FINITE), settings, machine=Machine(jobs))
    for cell in ledger.cells:
        assert cell.verdict is Verdict.ERROR
        assert "standard output, which is reserved for reports: 'hello'" in cell.reason


def test_printed_text_is_told_of_work_that_raised() -> None:
    with Workers(1, Limits(30)) as workers, pytest.raises(Printed, match="before the end"):
        outcome_of(workers.submit(exec, "print('before the end'); raise SystemExit"))


LEAVE_A_CHILD = """
import os, subprocess, time
child = subprocess.Popen(["sleep", "4321"], start_new_session=True)
open({file!r} + ".tmp", "w").write(str(child.pid))
os.rename({file!r} + ".tmp", {file!r})
"""
ENDS = {"return": "", "crash": "os._exit(3)", "timeout": "time.sleep(1000)", "stop": "time.sleep(1000)"}


def _gone(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def _written(file: Path) -> int:
    until(file.exists)
    return int(file.read_text())


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks /proc")
@pytest.mark.parametrize("ends", ["return", "crash", "stop", pytest.param("timeout", marks=quality)])
def test_processes_that_the_work_started_end_with_it(tmp_path: Path, ends: str) -> None:
    file, limits = tmp_path / "pid", Limits(10 if ends == "timeout" else 600)

    def work() -> None:
        with Workers(1, limits) as workers:
            asked = workers.submit(exec, LEAVE_A_CHILD.format(file=str(file)) + ENDS[ends])
            if ends == "stop":
                _written(file)
                raise KeyboardInterrupt
            try:
                outcome_of(asked)
            finally:
                if ends == "crash":  # before the next piece begins, and not only at the end
                    assert not Path(f"/proc/{_written(file)}").exists()

    if ends == "return":
        work()
    else:
        with pytest.raises(KeyboardInterrupt if ends == "stop" else MetricError):
            work()
    until(partial(_gone, _written(file)))


def test_limits_that_no_system_has_are_turned_down() -> None:
    with pytest.raises(InvalidInput, match="expected at most 1099511627776"):
        Limits(megabytes=99999999999999999)
    most = Limits(megabytes=2**40)
    with Workers(1, most) as workers:
        assert outcome_of(workers.submit(eval, ALLOCATE.format(1))) == 2**20


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
