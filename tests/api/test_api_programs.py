"""Verbs of Python in a script, and in notebooks with a real kernel."""

import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from tests.support.suites import quality

SCRIPT = """
import axiomcheck

print("once")

def first(topic, ranking):
    return 0.8 * topic.pool[ranking[0]][0] if ranking else 0.0

print(axiomcheck.matrix(["RR", first], ["Pri", "Conf"], examples=200, jobs=2))
print(axiomcheck.matrix(["RR", "P@5"], ["Pri", "Conf"], examples=200, jobs=2))
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
