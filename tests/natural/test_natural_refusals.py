"""Code that hides from exact numbers what it does in floats gets no proof, and code that has no end there an answer."""

import re
import subprocess
import sys
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest

from axiomcheck import Cell, InvalidInput, Reading, Regime, Verdict, find_axiom
from axiomcheck.decide.search import Settings
from axiomcheck.engine.run import run_matrix
from axiomcheck.proof.proving import prove
from axiomcheck.reports.layout import hints
from axiomcheck.sources.code_inspection import instructions
from axiomcheck.sources.external_metrics import OwnMetric
from axiomcheck.sources.function_metrics import FunctionMetric, as_metric
from axiomcheck.sources.resolve import resolve
from tests.support.suites import each
from tests.support.unread import unread

HIDDEN = {
    "a table asked in a try": """
TABLE = {0.55: 0.65, 0.65: 0.55}
def gain(g):
    try:
        return TABLE[g]
    except (KeyError, TypeError):
        return g
""",
    "a bare except": """
def gain(g):
    try:
        return 0.0 if 0.37121 < g < 0.37124 else g
    except:
        return g
""",
    "a context manager that swallows a comparison": """
class Quiet:
    def __enter__(self): return self
    def __exit__(self, *error): return True
def gain(g):
    with Quiet():
        g = 0.0 if 0.37121 < g < 0.37124 else g
    return g
""",
    "a generator of a context": """
from contextlib import contextmanager
@contextmanager
def quiet():
    try:
        yield
    except Exception:
        return
def gain(g):
    with quiet():
        g = 0.0 if 0.37121 < g < 0.37124 else g
    return g
""",
    "the kind of number, within a line": """
def gain(g):
    return 0.0 if not hasattr(g, "raw") and 0.371 < g < 0.372 else g
""",
    "digits": """
def gain(g):
    return 0.0 if repr(g) == "0.371" else g
""",
    "a clock": """
from time import time
def gain(g):
    return g * (1 if int(time()) % 79190001 else -1)
""",
}
ENDLESS = {
    "a huge power": "def gain(g):\n    return g + 0 * 0.99999 ** 10**12\n",
    "until nothing changes": """
def gain(g):
    total, term = g, 0.5
    while total + term != total:
        total, term = total + term, term * 0.7123456789
    return g + 0 * total
""",
}
METRIC = """
def metric(topic, ranking):
    return sum(gain(topic.pool[d][0]) * 0.8 ** k for k, d in enumerate(ranking))
"""


def made(tmp_path: Path, code: str, encoding: str = "utf-8", metric: str = METRIC) -> OwnMetric:
    (tmp_path / "mine.py").write_bytes((code + metric).encode(encoding))
    found = resolve(f"{tmp_path}/mine.py:metric")
    assert isinstance(found, OwnMetric)
    return found


def decided(metric: OwnMetric) -> Cell:
    (cell,) = run_matrix([metric], [find_axiom("Pri")], Reading(Regime.FINITE), Settings(examples=10)).cells
    return cell


@each("kind", list(HIDDEN), 3)
def test_code_that_hides_from_exact_numbers_is_never_proved(kind: str, tmp_path: Path) -> None:
    cell = decided(made(tmp_path, HIDDEN[kind]))
    assert cell.certificate is None
    assert cell.verdict in (Verdict.HELD, Verdict.REFUTED, Verdict.UNDECIDED), cell.reason


AS_IT_IS = """
import numpy as np
from contextlib import suppress
from axiomcheck import exactly
def metric(grades, weights):
    p, total = exactly(0.8, like=grades), grades[:, 0, 0] * 0
    for k in range(grades.shape[1]):
        g = grades[:, k, 0]
{part}        total = total + g * p**k
    return total
"""
HANDLER = """
        try:
            g = g * (0 if any(int(x * 100000) == 37123 for x in g) else 1)
        except Exception:
            pass
"""
SUPPRESS = """
        with suppress(Exception):
            g = g * (0 if any(int(x * 100000) == 37123 for x in g) else 1)
"""
HARMLESS = "        with np.errstate(all='ignore'):\n            g = g * 1\n"


@each(("part", "proved"), [(HANDLER, False), (SUPPRESS, False), (HARMLESS, True), ("", True)], 2)
def test_code_that_runs_as_it_is_and_handles_errors_is_not_proved(part: str, proved: bool, tmp_path: Path) -> None:
    cell = decided(made(tmp_path, "", metric=AS_IT_IS.format(part=part)))
    assert (cell.verdict is Verdict.BOUNDED) == proved, cell.reason


KINDS_OF_NUMBER = {
    "a branch on the kind of array": "total = total * 2 / 2 if grades.dtype == object else total",
    "a choice of operand": "total = total * (1 if grades.dtype != object else exactly(1, like=grades))",
    "an assertion": "assert grades.dtype != object or total.dtype == object",
    "a handler": HANDLER.strip(),
    "a trace that is switched off": "import sys; sys.settrace(None)",
    "a trace of its own": "import sys; sys.settrace(lambda *told: None)",
}
"""Lines of code that runs on exact numbers as it is, after which its exact scores say nothing of its floats."""


@each("kind", list(KINDS_OF_NUMBER), 9)
def test_why_exact_scores_are_not_relied_on_is_shown_with_the_cell(kind: str, tmp_path: Path) -> None:
    part = f"        {KINDS_OF_NUMBER[kind]}\n"
    written = made(tmp_path, "", metric=AS_IT_IS.format(part=part))
    assert isinstance(written, FunctionMetric)
    metric = as_metric(unread(written.function), "mine")
    ledger = run_matrix([metric], [find_axiom("Pri")], Reading(Regime.FINITE), Settings(examples=5, proofs=False))
    (cell,) = ledger.cells
    told = "did not report which instructions run" if "trace" in kind else "differently for exact numbers"
    assert told in str(cell.pairs.numerical)
    assert re.search(r"at line \d+ of mine.py", str(cell.pairs.numerical))
    assert [told in hint for hint in hints(ledger)] == [True]


PLAIN = {
    "two names": "p, s = 1.0, 0.0\nfor d in ranking:\n    s += p * topic.pool[d][0]\n    p *= 0.5\nreturn s",
    "a swap": "p, q = 0.5, 1.0\nq, p = p, q\nreturn sum(topic.pool[d][0] * q**k for k, d in enumerate(ranking))",
    "a lambda": "gain = lambda d: topic.pool[d][0]\nreturn sum(gain(d) * 0.5**k for k, d in enumerate(ranking))",
}


@each("kind", list(PLAIN), 6)
def test_the_first_code_that_a_process_looks_at_goes_one_way(kind: str, tmp_path: Path) -> None:
    """Python 3.12 and 3.13 report instructions only to who asks in their order, and 3.13 merges assignments."""
    code = indent(PLAIN[kind], "    ")
    (tmp_path / "mine.py").write_text(f"def mine(topic, ranking):\n{code}")
    asks = "import sys; from axiomcheck.sources.resolve import resolve; print(resolve(sys.argv[1]).numerical(False))"
    program = [sys.executable, "-c", asks, f"{tmp_path}/mine.py:mine"]
    asked = subprocess.run(program, capture_output=True, text=True, check=True)
    assert asked.stdout == "\n"


def test_a_run_whose_instructions_are_not_reported_is_no_evidence(monkeypatch: pytest.MonkeyPatch) -> None:
    def first_line(topic: object, ranking: list[str]) -> float:
        return float(len(ranking))

    monkeypatch.setattr("axiomcheck.sources.code_inspection.sys", MuteInterpreter)
    with pytest.raises(InvalidInput, match=r"of test_natural_refusals\.py, the interpreter did not report"):
        instructions(lambda: first_line(None, []))


class MuteInterpreter:
    """Stand in for an interpreter that reports calls, and no instructions."""

    _getframe = sys._getframe
    gettrace = sys.gettrace

    @staticmethod
    def settrace(entered: Any) -> None:
        """Trace calls alone."""
        sys.settrace(entered and (lambda frame, event, told: entered(frame, event, told) and None))


@each("kind", list(ENDLESS), 3)
def test_code_that_is_endless_in_exact_numbers_runs_in_floats(kind: str, tmp_path: Path) -> None:
    why = made(tmp_path, ENDLESS[kind]).numerical(small=False)
    assert "mine.py" in why
    assert "an exact number has more than" in why or "too many digits" in why


@each(
    ("code", "encoding"),
    [
        ('# coding: latin-1\ndef gain(g):\n    return {"é": 10.5 }["é"] * g\n', "latin-1"),
        ('def gain(g):\n    return {"é": 10.5 }["é"] * g\n', "utf-8-sig"),
        ("def gain(g):\n    return g * (1e-999999999 + 10.5) if g < 1e999999999 else 0\n", "utf-8"),
    ],
    3,
)
def test_literals_are_read_as_python_reads_them(code: str, encoding: str, tmp_path: Path) -> None:
    metric = made(tmp_path, code, encoding)
    assert metric.numerical(small=False) == ""
    assert decided(metric).verdict in (Verdict.PROVED, Verdict.BOUNDED, Verdict.HELD)


def test_functions_on_one_line_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import numpy as np\n"
        "kept = (lambda g: np.where((g > 0.371) & (g < 0.372), 0.0, g)) if 0.1 + 0.2 != 0.3 else (lambda g: g)\n"
        "def mine(grades, weights):\n"
        "    return (kept(grades[:, :, 0]) / np.arange(1, grades.shape[1] + 1)).sum(axis=1)\n"
    )
    metric = resolve(f"{tmp_path}/mine.py:mine")
    assert "at line 2 of mine.py, it behaves, or may behave, differently" in metric.numerical(small=False)
    assert prove(find_axiom("Pri"), metric, Reading(Regime.FINITE)) is None


@each("call", ["log10(100)", "log(36, 6)"], 2)
def test_a_logarithm_of_a_power_is_a_whole_number(call: str, tmp_path: Path) -> None:
    gain = f"import math\ndef gain(g):\n    return g if math.{call} == round(math.{call}) else 0\n"
    cell = decided(made(tmp_path, gain))
    assert cell.verdict is Verdict.BOUNDED, cell.reason


SCRIPT = """
import axiomcheck
print("loaded", __name__)
def mine(topic, ranking):
    return sum(topic.pool[d][0] * 0.8 ** k for k, d in enumerate(ranking))
class Inner:
    unread = object()
    def __call__(self, topic, ranking):
        return mine(topic, ranking)
{guard}    inner = Inner()
    for found in (mine, inner):
        print(axiomcheck.as_metric(found, "mine").numerical(small=False) or "exactly")
"""


@each(
    ("guard", "told"),
    [
        ('if __name__ == "__main__":\n', ["exactly", "it is loaded, or only under if"]),
        ("if True:\n", ["exactly", "starts axiomcheck whenever it is loaded"]),
    ],
    2,
)
def test_a_script_is_not_run_again(guard: str, told: list[str], tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT.format(guard=guard))
    ran = subprocess.run([sys.executable, tmp_path / "script.py"], capture_output=True, text=True, check=True).stdout
    said = [line for line in ran.splitlines() if not line.startswith("loaded")]
    assert [part in line for part, line in zip(told, said, strict=True)] == [True, True], ran


@pytest.mark.parametrize("mean", ["g.mean(axis=1, where=g >= 0)", "np.mean(g, axis=1, where=g >= 0)"])
def test_a_mean_of_chosen_entries_runs_in_floats(mean: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        f"import numpy as np\ndef mine(grades, weights):\n    g = grades[:, :, 0]\n    return {mean}\n"
    )
    assert "argument 'where'" in resolve(f"{tmp_path}/mine.py:mine").numerical(small=False)
