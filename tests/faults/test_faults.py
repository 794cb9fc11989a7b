"""Metrics that misbehave lose their own cells and nothing else; benchmarks/faults.py tries all of them."""

import functools
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import axiomcheck
from axiomcheck import Cell, MetricError, Verdict
from axiomcheck.engine.external import SentCell
from axiomcheck.processes.isolation import Spawning
from axiomcheck.processes.keeper import TIMED_OUT, Ended
from axiomcheck.processes.piece import Piece, pack, unpack
from tests.faults.beside import Command, Ran, beside
from tests.faults.misbehaving import FAULTS, GOOD, HONEST, Fault
from tests.faults.signalled import SIGNALS, signalled
from tests.support.forked import axiomcheck_command
from tests.support.made_records import because
from tests.support.suites import each, exhaustive, quality

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="pieces of work are forked on Linux only")


BY_NAME = {fault.name: fault for fault in FAULTS}
IN_MATRIX = {
    "rounds towards zero, call": "",
    "writes garbage into every descriptor, call": "wrote to standard output",
    "answers for another metric, load": "an invalid cell",
    "kills its parent, call": "killed or stopped its parent process",
    "leaves by os._exit(0), load": "before the work was done (exit code 0)",
    "calls itself another metric, class": "",
}
IN_OTHERS = {
    "closes every descriptor, call": "exit code",
    "is no Python, load": "SyntaxError",
}


def _honest(command: Command) -> Sequence[str]:
    return HONEST if command == "matrix" else ["gain"]


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Command], Ran]:
    """Run a command on honest metrics alone, once, and in a fork."""

    def run(words: Sequence[str], folder: Path, environ: Mapping[str, str], seconds: float) -> tuple[int, str, str]:
        done = axiomcheck_command(words, folder)
        return done.code, done.stdout, done.stderr

    return functools.cache(lambda command: beside(command, [], tmp_path_factory.mktemp("clean"), _honest(command), run))


def _faults(names: dict[str, str]) -> list[Fault]:
    return [BY_NAME[name] for name in names]


def _as_expected(ran: Ran, clean: Ran, expected: dict[str, str]) -> None:
    assert not clean.lost(clean)
    assert not ran.lost(clean), ran.stderr
    assert ran.honest.count("verdict") or ran.honest.count("status")
    for name, said in expected.items():
        assert said in ran.others[name], name


@pytest.mark.parametrize(
    ("command", "names"),
    [
        pytest.param("matrix", IN_MATRIX, marks=quality),
        pytest.param("check", IN_OTHERS, marks=exhaustive),
        pytest.param("gate", {"is no Python, load": "SyntaxError"}, marks=exhaustive),
    ],
)
def test_cells_of_honest_metrics_are_the_same_beside_faults(
    command: Command, names: dict[str, str], tmp_path: Path, clean: Callable[[Command], Ran]
) -> None:
    ran = beside(command, _faults(names), tmp_path / "beside", _honest(command))
    _as_expected(ran, clean(command), names)


@each(("number", "moment"), [*zip(SIGNALS, (0.15, 1.0, 1.2, 1.4), strict=True)], 4)
def test_a_signal_leaves_no_process_no_part_of_a_file_and_no_traceback(
    number: signal.Signals, moment: float, tmp_path: Path
) -> None:
    stopped = signalled(number, moment, tmp_path / "run", GOOD)
    assert not stopped.wrong, stopped.stderr
    assert stopped.code == SIGNALS[number]


@each("becomes", ["pass", "raise"], 2)
def test_ctrl_c_is_130_whatever_a_library_makes_of_it(becomes: str) -> None:
    program = f"""
import signal, sys, axiomcheck.cli.program
from axiomcheck.__main__ import run
def main(prog_name):
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        {becomes}
    sys.exit(0)
axiomcheck.cli.program.main = main
signal.signal(signal.SIGINT, signal.default_int_handler)
run()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "")


def test_ctrl_c_while_modules_are_loaded_exits_with_130_and_one_line() -> None:
    program = """
import sys
sys.path.insert(0, "")
import axiomcheck.__main__
print([slow for slow in ("importlib", "typing", "threading") if slow in sys.modules], flush=True)
class Interrupts:
    def find_spec(self, name, *_):
        if name == "axiomcheck.cli.program":
            import signal
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Interrupts())
axiomcheck.__main__.run()
"""
    root = Path(axiomcheck.__file__).parents[1]  # -S: nothing but this program loads modules
    done = subprocess.run([sys.executable, "-S", "-c", program], cwd=root, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "[]\n", "interrupted\n")


# Workers cannot import this module: what they are to do is a function of Python's own, or a program as text.
def _spawned(seconds: float, *work: Any) -> Ended:
    return Spawning().run(Piece(pickle.dumps((work[0], work[1:])), seconds, seconds, 4096, __name__))


def test_without_forks_a_piece_has_an_interpreter_of_its_own() -> None:
    done = _spawned(600, abs, -2.5)
    assert (done.code, unpack(done.answer).result) == (0, 2.5)
    assert _spawned(600, os._exit, 7).code == 7
    assert _spawned(0.5, time.sleep, 1000.0).code == TIMED_OUT


def test_an_answer_runs_nothing_and_is_what_was_asked_for() -> None:
    class Bomb:
        def __reduce__(self) -> Any:
            return os._exit, (77,)

    for data in (b"", b"garbage", pickle.dumps((Bomb(), None, "")), pack(None, None, "")[:-1]):
        with pytest.raises(MetricError, match="an answer that cannot be decoded"):
            unpack(data)
    sent = SentCell.of(Cell("m", None, "Pri", Verdict.HELD, None, because()))
    assert unpack(pack(sent, None, ""), SentCell).result == sent
    for data, promised in (
        (pack(sent, None, ""), int),
        (pack(replace(sent, document="{}"), None, ""), SentCell),  # type: ignore[arg-type]
        (b"3", int),
        (b"[3, null, 4]", int),
        (b'[null, "KeyError", "x"]', int),
    ):
        with pytest.raises(MetricError, match="a result of the wrong type"):
            unpack(data, promised)


@pytest.mark.parametrize(
    ("value", "hint", "fits"),
    [
        (1, int, True),
        (True, int, False),
        (None, str | None, True),
        ((1, "a"), tuple[int, ...], False),
        ({"a": 1}, dict[str, int], True),
        (frozenset([1]), frozenset[str], False),
    ],
)
def test_a_value_fits_its_type_or_not(value: Any, hint: Any, fits: bool) -> None:
    if fits:
        assert unpack(pack(value, None, ""), hint).result == value
    else:
        with pytest.raises(MetricError, match="a result of the wrong type"):
            unpack(pack(value, None, ""), hint)
