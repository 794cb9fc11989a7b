"""The CPU time of a test suite: per kind of work, and per folder, file or test.

    python benchmarks/suite.py [--by folder|file|test] [--most N] [--json FILE] [-- PYTEST ARGUMENT ...]

Runs `pytest` of the environment that runs this script, in the current folder, which may be another checkout. A test is
charged with the CPU time of the processes that it started, once they have ended. "proofs", "searches" and "contract
checks" are what its own process spends in these parts of axiomcheck, each without the others.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

FOLDER = "AXIOMCHECK_SUITE_COSTS"
"""The variable that tells the processes of a run where to leave what they measured."""

KINDS = {
    "proofs": [("axiomcheck.proof", "", ("prove", "check_"))],
    "searches": [("axiomcheck.decide.search", "Search", ("run",)), ("axiomcheck.decide.thresholds", "", ("decide_",))],
    "contract checks": [("axiomcheck.checks.contract", "", ("run_contract",))],
}
"""By kind: the modules (a prefix), the class if any, and how the functions' names begin."""


class Meter:
    """Measures, in one process of a run, what each test costs; a plugin of pytest.

    Args:
        folder: where to leave it, in a file of this process.

    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tests: list[dict[str, Any]] = []
        self.spent: Counter[str] = Counter()
        self.open: list[str] = []
        self.since = 0.0
        self.started = self.forked = 0
        sys.addaudithook(self._count)

    def _count(self, event: str, _: tuple[Any, ...]) -> None:
        self.started += event == "subprocess.Popen"
        self.forked += event == "os.fork"

    def _switch(self) -> None:
        """Charge what was spent since the last switch to the innermost kind that is open."""
        now = time.process_time()
        self.spent[self.open[-1] if self.open else "other work of the tests' own process"] += now - self.since
        self.since = now

    def _measured(self, kind: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def measured(*args: Any, **kwargs: Any) -> Any:
            self._switch()
            self.open.append(kind)
            try:
                return function(*args, **kwargs)
            finally:
                self._switch()
                self.open.pop()

        return measured

    def pytest_collection_finish(self) -> None:
        """Measure the parts of axiomcheck that have kinds, wherever they have been imported to."""
        replaced: dict[int, Callable[..., Any]] = {}
        for kind, places in KINDS.items():
            for prefix, owner, beginnings in places:
                for name, module in list(sys.modules.items()):
                    if name == prefix or name.startswith(f"{prefix}."):
                        for function in _functions(module, owner, beginnings):
                            measured = self._measured(kind, function)
                            replaced[id(function)] = measured
                            if owner:
                                setattr(getattr(module, owner), function.__name__, measured)
        for name, module in list(sys.modules.items()):
            if name.startswith(("axiomcheck", "tests.", "test_")):
                for attribute, value in list(vars(module).items()):
                    if id(value) in replaced:
                        setattr(module, attribute, replaced[id(value)])
        self.since = time.process_time()

    def pytest_runtest_logstart(self) -> None:
        """Begin a test."""
        self._switch()
        self.spent.clear()
        self.before = _children(), self.started, self.forked, time.perf_counter()

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """End it."""
        self._switch()
        children, started, forked, clock = self.before
        kinds = dict(self.spent)
        kinds["interpreters that tests start" if self.started > started else "forked commands and workers"] = (
            _children() - children
        )
        row = {"test": nodeid, "kinds": kinds, "started": self.started - started, "forked": self.forked - forked}
        self.tests.append(row | {"wall": time.perf_counter() - clock})

    def pytest_unconfigure(self) -> None:
        """Leave the measurements in a file of this process."""
        own = resource.getrusage(resource.RUSAGE_SELF)
        document = {"tests": self.tests, "own": own.ru_utime + own.ru_stime}
        (self.folder / f"{os.getpid()}.json").write_text(json.dumps(document), encoding="utf-8")


def _functions(module: ModuleType, owner: str, beginnings: tuple[str, ...]) -> Iterator[Callable[..., Any]]:
    """The functions of a module, or methods of its class, whose names begin like this and that are defined there."""
    for name, value in list(vars(getattr(module, owner) if owner else module).items()):
        if (
            name.startswith(beginnings)
            and getattr(value, "__module__", "") == module.__name__
            and hasattr(value, "__code__")
        ):
            yield value


def _children() -> float:
    """CPU seconds of the processes that this one started and that have ended, those of its nurseries included."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = usage.ru_utime + usage.ru_stime
    nursery = sys.modules.get("tests.support.nursery") or sys.modules.get("nursery")
    if nursery is not None:
        import psutil

        for process, _ in nursery._NURSERIES.values():
            times = psutil.Process(process.pid).cpu_times()
            seconds += times.user + times.system + times.children_user + times.children_system
    return seconds


def pytest_configure(config: Any) -> None:
    """Register the meter, in the process that runs tests and in its workers."""
    config.pluginmanager.register(Meter(Path(os.environ[FOLDER])), "suite-meter")


def main() -> int:
    """Run a suite and print what it cost; exit as pytest does."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--by", choices=["folder", "file", "test"], default="file")
    parser.add_argument("--most", type=int, default=40, help="rows to print")
    parser.add_argument("--json", type=Path, help="a file for what every test cost")
    parser.add_argument("pytest", nargs="*", help="arguments of pytest, after --")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "costs").mkdir()
        shutil.copy(__file__, folder / "suite_costs.py")  # a plugin that can be imported without this folder's others
        environ = os.environ | {FOLDER: str(folder / "costs"), "PYTHONPATH": str(folder)}
        clock = time.perf_counter()
        ended = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "suite_costs", *asked.pytest], env=environ, check=False
        )
        wall = time.perf_counter() - clock
        files = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((folder / "costs").glob("*.json"))]
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    tests = [test for file in files for test in file["tests"] if file["tests"] and test["kinds"]]
    tests = list({test["test"]: test for test in sorted(tests, key=_seconds)}.values())  # not the controller's rows
    print(_table(tests, asked.by, asked.most, usage.ru_utime + usage.ru_stime, wall))
    if asked.json:
        asked.json.write_text(json.dumps(tests, indent=1), encoding="utf-8")
    return ended.returncode


def _seconds(test: dict[str, Any]) -> float:
    return sum(test["kinds"].values())


def _table(tests: list[dict[str, Any]], by: str, most: int, cpu: float, wall: float) -> str:
    """Two tables: per kind, and per folder, file or test."""
    kinds: Counter[str] = Counter()
    for test in tests:
        kinds.update(test["kinds"])
    kinds["starting, collecting, reporting"] = cpu - sum(kinds.values())
    lines = [f"{cpu:.0f} s of CPU, {wall:.0f} s of wall time, {len(tests)} tests", ""]
    lines += [f"{seconds:8.1f} s  {kind}" for kind, seconds in kinds.most_common()]
    lines += [f"{sum(test['started'] for test in tests):8d}    interpreters started by tests"]
    groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for test in tests:
        file, _, name = test["test"].partition("::")
        folder = "/".join(file.split("/")[:2])
        groups[{"folder": folder, "file": file, "test": f"{file}::{name.partition('[')[0]}"}[by]].append(test)
    lines += ["", "   CPU s  tests  started"]
    ranked = sorted(groups.items(), key=lambda group: -sum(map(_seconds, group[1])))
    for name, group in ranked[:most]:
        started = sum(test["started"] for test in group)
        lines.append(f"{sum(map(_seconds, group)):8.1f} {len(group):6d} {started:8d}  {name}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
