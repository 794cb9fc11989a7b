"""Verbs of Python in a script, in notebooks with a real kernel, and on functions that these define."""

import linecache
import math
import subprocess
import sys
import warnings
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from axiomcheck.numbers.natural import Number
from axiomcheck.sources.function_metrics import as_metric
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


FEW_CHECKS = """
from axiomcheck.checks import metric
run_contract = metric.run_contract
metric.run_contract = lambda *given, **more: run_contract(*given, **more | {"checks": ["document-twice"]})
metric.known_definition = lambda metric: None
"""
"""Leaves out contract checks, which take a notebook no other way than a file, and most of the time."""
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
    cells[0].source += FEW_CHECKS
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


def test_a_text_that_is_not_the_functions_is_noticed() -> None:
    function = cell(GEOMETRIC, "geometric", P=0.5)
    file = function.__code__.co_filename
    changed = GEOMETRIC.replace("P ** i", "P ** (i + 1)")
    linecache.cache[file] = (len(changed), None, changed.splitlines(keepends=True), file)
    with pytest.raises(Unreadable, match="its source has changed since it was defined"):
        read_again(function)


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
        (
            "def made(c):\n    def f(n):\n        nonlocal c\n        c = n\n    return f\nf = made(0)\n",
            "it changes c, which belongs to another scope",
        ),
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
