"""Verbs of Python in a script, in notebooks of a kernel or IPython's shell, and on functions that these define."""

import linecache
import math
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import axiomcheck
from axiomcheck.numbers.natural import Number
from axiomcheck.sources.function_metrics import as_metric
from axiomcheck.sources.natural import reading
from axiomcheck.sources.natural.reading import read_again
from axiomcheck.sources.natural.same_reading import Unreadable
from tests.support.suites import quality

SCRIPT = """
import axiomcheck

print("once")

def first(topic, ranking):
    return 0.8 * topic.pool[ranking[0]][0] if ranking else 0.0

print(axiomcheck.matrix(["RR", first], "Pri", examples=20, jobs=2))
"""


@quality
def test_a_script_without_a_guard_runs_once(tmp_path: Path) -> None:
    """Workers that loaded it would ask again, and print again, each of them."""
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("once") == 1
    assert "error" not in done.stdout
    assert "first" in done.stdout
    assert not done.stderr


NOTEBOOK = Path(__file__).parents[2] / "docs" / "tutorials" / "notebook.ipynb"


@quality
@pytest.mark.extra("nbclient")
def test_the_notebook_runs_and_shows_what_it_says(tmp_path: Path) -> None:
    """In a real kernel, from the top; the file itself has no outputs, which would be those of another day."""
    import nbclient
    import nbformat

    book = nbformat.read(NOTEBOOK, as_version=4)
    cells = [cell for cell in book.cells if cell.cell_type == "code"]
    assert not any(cell.outputs or cell.execution_count for cell in cells)
    for cell in cells:
        cell.source = cell.source.replace("examples=500", "examples=20")  # which shows the same
        cell.source = cell.source.replace("check(geometric,", "check(geometric, ['CloseTh', 'Red'],")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        nbclient.NotebookClient(book, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    texts = [" ".join(str(out.get("text") or out.data["text/plain"]) for out in cell.outputs) for cell in cells]
    pages = [" ".join(out.get("data", {}).get("text/html", "") for out in cell.outputs) for cell in cells]
    assert len(texts) == 9
    assert "CloseTh" in texts[1]
    assert "v-proved" in pages[1]
    assert "Contract checks" in pages[1]
    assert "must score higher: ('d1', \"x'\") scores 1" in texts[2]
    assert "must score above" in pages[3]
    assert "geometric(p=0.5)" in pages[3]
    assert "<table" in pages[4]
    assert "<svg" in pages[5]
    assert "proved for 1 of 3 settings: p = 0.9" in texts[6]
    assert "geometric:" in texts[7]
    assert "query_id" in texts[8]


GEOMETRIC = """
def geometric(topic, ranking):
    return sum(topic.pool[d][0] * P ** i for i, d in enumerate(ranking))
"""


def cell(text: str, name: str, **names: Any) -> Callable[..., Any]:
    """Return what a cell of a notebook defines, its text kept where ipykernel keeps it."""
    file = f"/nowhere/ipykernel/{abs(hash(text))}.py"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    there = {"__name__": "__main__", **names}
    exec(compile(text, file, "exec"), there)
    found: Callable[..., Any] = there[name]
    return found


@pytest.fixture(autouse=True)
def _no_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the program at work be in no file, as in a notebook."""
    monkeypatch.setitem(sys.modules, "__main__", type(sys)("__main__"))


def test_functions_and_values_that_it_uses_are_read_again_too() -> None:
    text = (
        "import math\ndef half(x):\n    return x / 2\ndef f(topic, ranking, p=P):\n    return half(p) + math.log2(2)\n"
    )
    again = read_again(cell(text, "f", P=0.1))
    assert again(None, []) == Fraction(21, 20)
    assert read_again(cell("def f(n):\n    return 1 if n < 1 else f(n - 1) / 3\n", "f"))(2) == Fraction(1, 9)
    assert read_again(cell("def f(n):\n    return log2(n)\n", "f", log2=math.log2))(4) == 2
    made = "def make(p):\n    def inner(n):\n        return p * n\n    return inner\nf = make(0.1)\n"
    assert read_again(cell(made, "f"))(3) == Fraction(3, 10)
    table = "def f(n):\n    return T['p'][n] + A[n] / 2\n"
    assert read_again(cell(table, "f", T={"p": [0.1, 0.7]}, A=np.array([1, 0])))(0) == Fraction(3, 5)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def made(c):\n    def f(n):\n        nonlocal c\n        c = n\n    return f\nf = made(0)\n", "it changes c"),
        ("f, g = lambda n: n, lambda n: n + 1\n", "line 1 has 2 functions named <lambda>"),
        ("seen = []\ndef f(n):\n    return len(seen)\n", r"it uses seen \(list\)"),
        ("def f(n):\n    global count\n    count = n\n", "it changes count"),
    ],
)
def test_functions_that_cannot_be_read_alone_say_why(text: str, said: str) -> None:
    with pytest.raises(Unreadable, match=said):
        read_again(cell(text, "f"))


def test_defaults_are_those_that_it_was_defined_with() -> None:
    """Use the defaults themselves, because the names in their expressions may have other values by now."""
    function = cell(
        "def total(grades, weights, least=LEAST):\n    return grades.sum(axis=(1, 2))\n", "total", LEAST=0.3
    )
    function.__globals__["LEAST"] = 0.0
    assert read_again(function).__defaults__ == (Number("0.3"),)
    function.__defaults__ = ([],)
    with pytest.raises(Unreadable, match=r"it uses a default \(list\)"):
        read_again(function)


def test_a_function_under_another_name_is_read_by_that_of_its_text() -> None:
    function = cell("def plain(topic, ranking):\n    return sum(topic.pool[d][0] for d in ranking)\n", "plain")
    function.__name__ = "my metric"
    assert as_metric(function, "mine").numerical(small=False) == ""


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
        ([IMPORT + PATIENT.replace("0.8", "np.linalg.norm([0.8])")], "line 5 of its cell: np.linalg.norm cannot be"),
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
