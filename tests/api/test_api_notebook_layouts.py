"""Usual layouts of notebook cells, run by IPython: each has the verdicts of the same code in a file."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import axiomcheck
from axiomcheck.sources.function_metrics import as_metric
from axiomcheck.sources.natural import reading

interactiveshell = pytest.importorskip("IPython.core.interactiveshell")

IMPORT = "import numpy as np\n"
PATIENT = """
def patient(grades, weights):
    gain = (weights[:, None] * grades).sum(axis=2)
    return (gain * 0.8 ** np.arange(gain.shape[1])).sum(axis=1)
"""
HELPER = "def discounts(n):\n    return 0.8 ** np.arange(n)\n"
WITH_HELPER = PATIENT.replace("0.8 ** np.arange(gain.shape[1])", "discounts(gain.shape[1])")
DECORATOR = """
import functools
def logged(function):
    @functools.wraps(function)
    def inner(*arrays):
        return function(*arrays)
    return inner
"""
LAYOUTS = {
    "a helper in a later cell": [IMPORT + WITH_HELPER, HELPER],
    "constants in another cell": ["P, Q = 0.8, [0.0, 1.0]\n", IMPORT + PATIENT.replace("0.8", "(P + Q[0])")],
    "a magic and a shell line": ["%precision 3\n" + IMPORT + "!true\n" + PATIENT],
    "a decorator": [DECORATOR, IMPORT + "@logged" + PATIENT],
    "annotations of the future": [
        "from __future__ import annotations\n",
        IMPORT + PATIENT.replace("weights)", "weights: np.ndarray) -> np.ndarray", 1),
    ],
}


class Notebook:
    def __init__(self) -> None:
        self.shell = interactiveshell.InteractiveShell.instance()

    def run(self, *cells: str) -> dict[str, Any]:
        for cell in cells:
            self.shell.run_cell(cell, store_history=True).raise_error()
        names: dict[str, Any] = self.shell.user_ns
        return names


@pytest.fixture
def notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Notebook]:
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])  # the shell puts its own there
    interactiveshell.InteractiveShell.clear_instance()
    yield Notebook()
    interactiveshell.InteractiveShell.clear_instance()


def _verdicts(metric: Any) -> list[tuple[str, str, str]]:
    found = axiomcheck.matrix(metric, ["Pri", "Conf"], examples=50, jobs=1)
    return [(cell.axiom, cell.verdict.value, cell.reason.partition(";")[0]) for cell in found]


def test_a_cell_gives_what_a_file_gives(notebook: Notebook, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(IMPORT + PATIENT)
    of_file = _verdicts(f"{tmp_path / 'mine.py'}:patient")
    assert [verdict for _, verdict, _ in of_file] == ["proved", "refuted"]
    assert _verdicts(notebook.run(IMPORT + PATIENT)["patient"]) == of_file


def _sum_of_two(function: Any) -> str:
    """Return the exact score of two documents of grade 1."""
    return str(reading.read_again(function)(np.ones((1, 2, 1), int), np.ones((1, 1), int))[0])


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_are_read_again(layout: str, notebook: Notebook) -> None:
    patient = notebook.run(*LAYOUTS[layout])["patient"]
    assert as_metric(patient, "patient").numerical(small=False) == ""
    assert _sum_of_two(patient) == "1.8"


KIND = """
class Patient:
    first = 0
    def __init__(self, p=0.8):
        self.p = p
    def __call__(self, topic, ranking):
        return sum(self.gain(topic.pool[name]) * self.p**i for i, name in enumerate(ranking))
    @staticmethod
    def gain(grades):
        return grades[0] * 0.5
"""
CHILD = """
class Child(Patient):
    def __init__(self, p=0.5):
        super().__init__(p)
"""


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ([KIND + "asked = Patient\n"], "0.9"),
        ([KIND, CHILD + "asked = Child\n"], "0.75"),
        ([KIND + "asked = Patient(1 / 3)\n"], "it uses p (float), which cannot be recompiled"),
        ([KIND.replace("first = 0", "first = object()") + "asked = Patient\n"], "it uses first (object), which cannot"),
    ],
)
def test_classes_of_cells_are_read_again(cells: list[str], said: str, notebook: Notebook) -> None:
    metric = as_metric(notebook.run(*cells)["asked"])
    again = metric.read_again
    if again is None:
        assert said in metric.numerical(small=False)
    else:
        assert str(again(axiomcheck.FloatTopic((1.0,), {"a": (1,), "b": (1,)}), ["a", "b"])) == said


def test_a_cell_compiled_as_one_is_noticed(notebook: Notebook, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a cell, Python compiles a call of an imported module differently, so the text seems to be another one."""

    def as_a_file(text: str, file: str, flags: int) -> Any:
        plain = list(reading.codes_of(compile(text, file, "exec", flags, dont_inherit=True)))
        return frozenset(plain), plain

    monkeypatch.setattr(reading, "_compiled_twice", as_a_file)
    said = as_metric(notebook.run(IMPORT + PATIENT)["patient"], "patient").numerical(small=False)
    assert "its source has changed since it was defined" in said


def test_a_cell_that_was_edited_and_run_again_is_the_new_function(notebook: Notebook) -> None:
    first = notebook.run(IMPORT + PATIENT)["patient"]
    second = notebook.run(PATIENT.replace("0.8", "0.7"))["patient"]
    assert [*map(_sum_of_two, (first, second))] == ["1.8", "1.7"]


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (["%%time\n" + IMPORT + PATIENT], "its source is neither in a file nor in a notebook cell"),
        (["P = 1 / 3\n", IMPORT + PATIENT.replace("0.8", "P")], "it uses P (float), which cannot be recompiled"),
        (
            [IMPORT + PATIENT.replace("0.8", "np.linalg.norm([0.8])")],
            "line 5 of its cell: np.linalg.norm cannot be evaluated exactly",
        ),
    ],
)
def test_a_function_says_why_there_are_floats_only(cells: list[str], said: str, notebook: Notebook) -> None:
    assert said in as_metric(notebook.run(*cells)["patient"], "patient").numerical(small=False)


def test_a_result_says_why_there_are_floats_only(notebook: Notebook) -> None:
    patient = notebook.run("%%time\n" + IMPORT + PATIENT)["patient"]
    said = "its source is neither in a file nor in a notebook cell"
    found = axiomcheck.matrix(patient, "Pri", examples=5)
    assert said in " ".join(" ".join(found.lines()).split())
    assert said in found._repr_html_()


def test_a_large_matrix_tells_reasons_of_ones_own_metrics(notebook: Notebook, monkeypatch: pytest.MonkeyPatch) -> None:
    patient = notebook.run(IMPORT + PATIENT)["patient"]
    found = axiomcheck.matrix(["RBP", patient], "Conf", examples=2, proofs=False)
    for most, told in ((40, "○ RBP Conf, patient Conf: [0] × eps must"), (1, "○ patient Conf: [0] × eps must")):
        monkeypatch.setattr("axiomcheck.reports.matrix_report._MOST_TOLD", most)
        assert told in " ".join(repr(found).split())
