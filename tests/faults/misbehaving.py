"""Metrics that misbehave, each in a file of its own: what they do, when, and as what kind of metric.

A table for the tests and for `benchmarks/faults.py`. A row is a `Fault`; its source is a file whose metric is ``it``.
"""

from dataclasses import dataclass
from textwrap import dedent, indent
from typing import Literal

__all__ = ["FAULTS", "GOOD", "HONEST", "Fault"]

Way = Literal["load", "call", "arrays", "class"]

GOOD = """
import math

def dcg(topic, ranking):
    return sum(topic.pool[name][0] / math.log2(rank + 2) for rank, name in enumerate(ranking))

def gain(grades, weights):
    share = 1.0
    total = 0 * grades[:, 0, 0] if grades.shape[1] else grades.sum(axis=(1, 2))
    for rank in range(grades.shape[1]):
        share = share / 2
        total = total + share * (grades[:, rank] * weights).sum(axis=1)
    return total
"""
HONEST = ("dcg", "gain")
"""Metrics of `GOOD`, whose cells are to be the same whatever runs beside them."""

_FORMS: dict[Way, str] = {
    "load": """
        {act}

        def it(topic, ranking):
            return float(sum(topic.pool[name][0] / (rank + 1) for rank, name in enumerate(ranking)))
        """,
    "call": """
        def it(topic, ranking):
            {act}
            return float(sum(topic.pool[name][0] / (rank + 1) for rank, name in enumerate(ranking)))
        """,
    "arrays": """
        def it(grades, weights):
            {act}
            return grades.sum(axis=(1, 2))
        """,
}


@dataclass(frozen=True)
class Fault:
    name: str
    way: Way
    source: str


def _fault(name: str, way: Way, act: str) -> Fault:
    form = dedent(_FORMS[way]).strip("\n")
    (line,) = (line for line in form.splitlines() if "{act}" in line)
    margin = line[: line.index("{")]
    return Fault(f"{name}, {way}", way, form.replace(line, indent(dedent(act).strip("\n"), margin)) + "\n")


_STATE = [
    _fault("changes the working directory", "arrays", "import os; os.chdir('/')"),
    _fault("lets numpy raise", "arrays", "import numpy; numpy.seterr(all='raise')"),
    _fault("rounds towards zero", "call", "import ctypes; ctypes.CDLL('libm.so.6').fesetround(0xC00)"),
    _fault("lowers the recursion limit", "call", "import sys; sys.setrecursionlimit(60)"),
    _fault("empties sys.path", "load", "import sys; sys.path.clear(); sys.modules.pop('math', None)"),
    _fault("ignores signals", "call", "import signal\nfor n in (2, 15, 17):\n    signal.signal(n, signal.SIG_IGN)"),
    _fault("sets an alarm", "call", "import signal; signal.alarm(1); import time; time.sleep(2)"),
    _fault("traces", "load", "import sys; sys.settrace(lambda *a: 1 / 0)"),
    _fault("makes warnings errors", "load", "import warnings; warnings.simplefilter('error')"),
]

_STREAMS = [
    _fault("closes every descriptor", "call", "import os; os.closerange(0, 4096)"),
    _fault("opens 10,000 files", "load", "held = []\nfor _ in range(10_000):\n    held.append(open('/dev/null'))"),
    _fault(
        "writes garbage into every descriptor",
        "call",
        """
        import os
        for n in range(1, 256):
            try:
                os.set_blocking(n, False)
                os.write(n, os.urandom(4096))
            except OSError:
                pass
        """,
    ),
    _fault("prints", "call", "print('debug', flush=True)"),
    _fault("asks for input", "call", "input()"),
]

_PATCHES = [
    _fault(
        "patches numpy", "load", "import numpy\nnumpy.take_along_axis = numpy.asarray = numpy.where = lambda *a, **k: 0"
    ),
    _fault(
        "answers for another metric",
        "load",
        """
        import axiomcheck.engine.cells as e
        from dataclasses import replace
        true = e._pair_cell
        lie = {"metric": "good.py:dcg", "axiom": "Conf", "cause": e.Cause("counterexample"), "evidence": None}
        e._pair_cell = lambda *a: replace(true(*a), **lie)
        """,
    ),
    _fault("patches builtins", "load", "import builtins\nbuiltins.isinstance = builtins.len = lambda *a: 1 / 0"),
    _fault("forgets modules", "load", "import sys\nfor name in list(sys.modules):\n    del sys.modules[name]"),
]

_ENDS = [
    _fault("leaves by os._exit(0)", "load", "import os; os._exit(0)"),
    _fault("raises SystemExit", "arrays", "raise SystemExit(0)"),
    _fault("raises KeyboardInterrupt", "load", "raise KeyboardInterrupt"),
    _fault("kills itself", "arrays", "import os; os.kill(os.getpid(), 9)"),
    _fault("kills its parent", "call", "import os; os.kill(os.getppid(), 9)"),
    _fault("stops its parent", "call", "import os, time; os.kill(os.getppid(), 19); time.sleep(60)"),
    _fault("stops itself", "call", "import os; os.kill(os.getpid(), 19)"),
    _fault("hangs", "load", "import time; time.sleep(1000)"),
    _fault("computes for ever", "call", "while True:\n    pass"),
    _fault("eats memory", "call", "hoard = []\nwhile True:\n    hoard.append(bytearray(10**8))"),
    _fault("recurses without end", "call", "def down(): return down()\ndown()"),
    _fault(
        "forks, and both return",
        "call",
        "import os, sys\nif not hasattr(sys, 'forked'):\n    sys.forked = True\n    os.fork()",
    ),
    _fault(
        "leaves a child in a session of its own",
        "call",
        "import subprocess; subprocess.Popen(['sleep', '4321'], start_new_session=True)",
    ),
]

_RAISES = [
    _fault("raises what cannot be shown", "call", "class E(Exception):\n    def __str__(self): raise self\nraise E"),
    _fault("raises a page of control characters", "call", "raise ValueError('\\ud800\\x1b[31m\\u202e' * 10**5)"),
    _fault("raises no Exception", "arrays", "class E(BaseException): pass\nraise E(1)"),
]

_SCORES = [
    _fault("scores are complex", "arrays", "return grades.sum(axis=(1, 2)) + 0j"),
    _fault("scores are masked", "arrays", "import numpy; return numpy.ma.masked_less(grades.sum(axis=(1, 2)), 1)"),
    _fault("scores are strings", "call", "return '0.5'"),
    _fault("scores are nan", "arrays", "return grades.sum(axis=(1, 2)) * float('nan')"),
]

_FILES = [
    Fault("is no Python, load", "load", "def it(:\n"),
    Fault("has no metric, load", "load", "x = 1\n"),
    _fault("deletes itself", "load", "import os; os.path.exists(__file__) and os.remove(__file__)"),
    Fault(
        "calls itself another metric, class",
        "class",
        "from axiomcheck.metrics.adhoc import RankBiasedPrecision\n\n\nclass it(RankBiasedPrecision):\n"
        "    canonical = 'good.py:dcg'\n    name = 'dcg'\n",
    ),
    Fault(
        "is unlike everything, class",
        "class",
        "class Odd(type):\n    def __eq__(cls, other): raise RuntimeError\n    def __hash__(cls): raise RuntimeError\n"
        "    def __getattribute__(cls, name): raise RuntimeError\n\n\nclass it(metaclass=Odd):\n    pass\n",
    ),
]

FAULTS: tuple[Fault, ...] = (*_STATE, *_STREAMS, *_PATCHES, *_ENDS, *_RAISES, *_SCORES, *_FILES)
