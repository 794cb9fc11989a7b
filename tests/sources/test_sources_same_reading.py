"""What is read again has to be what runs: files, names, defaults and objects that changed since they were loaded."""

import importlib
import itertools
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import axiomcheck
from axiomcheck.sources.function_metrics import as_metric
from tests.support.suites import quality

TEXT = """
from functools import partial
import numpy as np

P = 0.5
START = 10**6
WEIGHTS = 1 / np.arange(1, 60)
TABLE = {"p": 0.5, 2: 0.25}
UNUSED = 0.1
KEPT = {}


class Setting:
    p = 0.5

    def __init__(self):
        self.q = 0.25


SETTING = Setting()


def drawn(rng: np.random.Generator) -> float:  # an annotation has no exact value
    return 0.5


def discount(n, start=START):
    d = P ** np.arange(n)
    d[start:] = 1
    return d


def gain(grades, weights):
    n = grades.shape[1]
    scale = TABLE["p"] * SETTING.q * Setting.p
    return (grades[..., 0] * discount(n) * WEIGHTS[:n] * scale).sum(axis=1)


def remembered(topic, ranking):
    key = len(ranking)
    if key not in KEPT:
        KEPT[key] = 1
    return KEPT[key] * sum(topic.pool[d][0] * 0.5**i for i, d in enumerate(ranking))


def by_rank(topic, ranking):
    return sum(topic.pool[d][0] * P**i for i, d in enumerate(ranking))


def by(base, grades, weights):
    return (grades[..., 0] * base ** np.arange(grades.shape[1])).sum(axis=1)


half = partial(by, P)
"""

NUMBER = itertools.count()


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    name = f"lab_of_readings_{next(NUMBER)}"
    (tmp_path / f"{name}.py").write_text(TEXT, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    yield importlib.import_module(name)
    del sys.modules[name]


def why(function: Callable[..., Any]) -> str:
    return as_metric(function, "mine").numerical(small=False)


def test_code_that_is_as_its_file_says_is_exact(lab: ModuleType) -> None:
    assert [why(lab.gain), why(lab.half), why(lab.remembered)] == ["", "", ""]
    lab.UNUSED = 7
    lab.KEPT[3] = 1
    assert [why(lab.gain), why(lab.remembered)] == ["", ""]


def _changed(name: str, value: Any) -> Callable[[ModuleType], None]:
    return lambda lab: setattr(lab, name, value)


CHANGES: dict[str, tuple[Callable[[ModuleType], None], str]] = {
    "a number": (_changed("P", 1), "P, whose value has changed"),
    "of another function": (lambda lab: setattr(lab.discount, "__defaults__", (30,)), "a default of discount"),
    "an array": (lambda lab: lab.WEIGHTS.__setitem__(20, 1), "WEIGHTS"),
    "in a table": (lambda lab: lab.TABLE.update(p=1), "TABLE, p"),
    "the kind of a value": (_changed("WEIGHTS", [1.0] * 60), "WEIGHTS"),
    "an attribute of a class": (lambda lab: setattr(lab.Setting, "p", 1), "Setting.p"),
    "an attribute of an object": (lambda lab: setattr(lab.SETTING, "q", 1), "SETTING, q"),
    "a helper": (_changed("discount", lambda n: 1), "discount|<lambda>"),
    "its own code": (lambda lab: setattr(lab.gain, "__code__", lab.remembered.__code__), "a different gain|remembered"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_changes_since_the_loading_are_no_second_reading(change: str, lab: ModuleType) -> None:
    made, said = CHANGES[change]
    made(lab)
    assert any(each in why(lab.gain) for each in said.split("|")), why(lab.gain)


def test_a_file_that_was_changed_is_not_read_for_what_was_loaded_before(lab: ModuleType) -> None:
    Path(str(lab.__file__)).write_text(TEXT.replace("d[start:] = 1", "d[start:] = 0"), encoding="utf-8")
    assert "differs from its file" in why(lab.gain)


def test_the_second_of_two_functions_of_one_name_does_not_stand_for_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = "def g(grades, weights):\n    return (grades[..., 0] * 0.5 ** grades.shape[1]).sum(axis=1)\n\n\n"
    (tmp_path / "two_of_a_name.py").write_text(one + "first = [g]\n\n\n" + one.replace("0.5", "0.25"), encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    two = importlib.import_module("two_of_a_name")
    assert "a different g on line" in why(two.first[0])
    assert why(two.g) == ""


@quality
def test_objects_are_decided_as_they_are_here_however_many_processes_there_may_be(lab: ModuleType) -> None:
    """And the reason to be numerical is found out again."""

    def decided(jobs: int) -> tuple[str, str | None]:
        [cell] = axiomcheck.matrix(mine, "Pri", examples=5, proofs=False, jobs=jobs).cells
        return cell.verdict.value, cell.pairs.numerical

    mine = axiomcheck.metric(name="mine")(lab.gain)
    assert decided(1) == ("held", None)
    lab.P, lab.WEIGHTS = 1, lab.WEIGHTS * 0 + 1
    verdict, numerical = decided(2)
    assert verdict == "refuted"
    assert "P, whose value has changed" in str(numerical)
