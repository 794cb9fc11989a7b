"""Metrics in files: each has the helpers of its own folder, now and when it is called."""

import json
import os
import subprocess
import sys
import sysconfig
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.support.forked import as_started, forked
from tests.support.suites import each, quality

EAGER = "from helpers import gain\n"
LAZY = """
def gain(grades, weights):
    from helpers import gain
    return gain(grades, weights)
"""
BETWEEN = LAZY
HELPER = "def gain(grades, weights):\n    return {} * grades.sum(axis=(1, 2))\n"

PROGRAM = """
import json, sys
import numpy as np
from axiomcheck.sources.resolve import resolve
one = np.ones((1, 1, 1)), np.ones((1, 1)), np.zeros((1, 1), dtype=np.int64)
metrics = [resolve(name) for name in sys.argv[1:]]
scores = [[float(m.evaluate(*one)[0]) for m in metrics] for again in range(2)]
print(json.dumps(scores))
"""


def _write(folder: Path, texts: dict[str, str]) -> None:
    """Write modules, by name, into a folder."""
    for name, text in texts.items():
        file = folder / f"{name}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def _project(tmp_path: Path, metric: str) -> list[str]:
    """Return the names of a metric in two folders, whose helpers weigh by 1 and by 2."""
    for weight, folder in enumerate(("old", "new"), start=1):
        texts = {"metric": metric, "between": BETWEEN, "helpers": HELPER.format(weight), "common": "unit = 1\n"}
        weigh = f"from common import unit\nfactor = {weight} * unit\n"
        _write(tmp_path / folder, texts | {"tools/__init__": "", "tools/weigh": weigh, "bare/weigh": weigh})
    return [f"{tmp_path}/{folder}/metric.py:gain" for folder in ("old", "new")]


def _run(program: str, *args: str, cwd: Path | None = None) -> Any:
    """Return what a program prints as JSON, in a process that has loaded nothing of these folders."""
    done = forked(partial(_program, program, args), cwd or Path.cwd(), os.environ)
    assert done.code == 0, done.stderr
    return json.loads(done.stdout)


def _program(program: str, args: tuple[str, ...]) -> int:
    as_started("")
    sys.argv = ["-c", *args]
    exec(compile(program, "<string>", "exec"), {"__name__": "__main__"})
    return 0


OF_A_FACTOR = "def gain(grades, weights):\n    return factor * grades.sum(axis=(1, 2))\n"
FORMS = {
    "on-loading": EAGER,
    "when-called": LAZY,
    "a-module-renamed": f"import tools.weigh as w\nfactor = w.factor\n{OF_A_FACTOR}",
    "all-names": f"from tools.weigh import *\n{OF_A_FACTOR}",
    "a-folder-without-init": f"from bare.weigh import factor\n{OF_A_FACTOR}",
}


@each("metric", [*FORMS.values()], 2, ids={form: name for name, form in FORMS.items()}.get)
def test_helpers_of_the_same_name_stay_apart_however_they_are_imported(metric: str, tmp_path: Path) -> None:
    assert _run(PROGRAM, *_project(tmp_path, metric)) == [[1, 2], [1, 2]]


def test_a_helper_that_is_missing_is_not_taken_from_another_folder(tmp_path: Path) -> None:
    old, new = _project(tmp_path, EAGER)
    (tmp_path / "new" / "helpers.py").unlink()
    program = PROGRAM.replace("metrics = ", "import axiomcheck\ntry:\n    metrics = ").split("scores")[0]
    program += "except axiomcheck.InvalidInput as error:\n    print(json.dumps(str(error)))\n"
    assert "No module named 'helpers'" in _run(program, old, new)


def test_files_of_the_same_folder_share_their_helpers(tmp_path: Path) -> None:
    old, _ = _project(tmp_path, EAGER)
    _write(tmp_path / "old", {"second": EAGER})
    program = PROGRAM.split("scores")[0] + "print(json.dumps(metrics[0].function is metrics[1].function))\n"
    assert _run(program, old, f"{tmp_path}/old/second.py:gain") is True


def test_a_dataclass_and_a_pickle_find_their_module(tmp_path: Path) -> None:
    text = """
from __future__ import annotations
import pickle
from dataclasses import dataclass
from typing import ClassVar
@dataclass
class Weigh:
    by: float
    kind: ClassVar[str] = "x"
def gain(grades, weights):
    return pickle.loads(pickle.dumps(Weigh(3))).by * grades.sum(axis=(1, 2))
"""
    old, new = _project(tmp_path, EAGER)
    _write(tmp_path / "old", {"metric": text})
    assert _run(PROGRAM, old, new) == [[3, 2], [3, 2]]


# ------------------------------------------------------------------------------------------- modules and packages

IMPORTS = {
    "nothing": "def gain(grades, weights):\n    return {0} * grades.sum(axis=(1, 2))\n",
    "relative": "from .between import gain\n",
    "absolute": "from outer.inner.between import gain\n",
    "sibling": "from helpers import gain\n",
    "relative-when-called": "def gain(g, w):\n    from .between import gain\n    return gain(g, w)\n",
}

NAMES = {text: name for name, text in IMPORTS.items()}


def _packages(tmp_path: Path, metric: str) -> list[Path]:
    """Return the roots of two projects with a package of the same name, whose metrics weigh by 1 and by 2."""
    roots = [tmp_path / root for root in ("old", "new")]
    for weight, root in enumerate(roots, start=1):
        code = metric.format(weight).replace("(g, w):", "(grades, weights):").replace("(g, w)\n", "(grades, weights)\n")
        modules = {"metric": code, "helpers": HELPER.format(weight), "between": "from .helpers import *"}
        _write(root / "outer" / "inner", modules | {"__init__": "", "../__init__": ""})
    return roots


@each("metric", [*IMPORTS.values()], 3, ids=NAMES.get)
def test_a_file_of_a_package_finds_its_own_package_and_the_files_next_to_it(metric: str, tmp_path: Path) -> None:
    roots = _packages(tmp_path, metric)
    file, module = "outer/inner/metric.py:gain", "outer.inner.metric:gain"
    if metric == IMPORTS["sibling"]:  # which is no import of a package's module
        assert _run(PROGRAM, file, cwd=roots[1]) == [[2], [2]]
    else:
        assert _run(PROGRAM, file, module, cwd=roots[1]) == [[2, 2], [2, 2]]
        assert _run(PROGRAM, *(f"{root}/{file}" for root in roots)) == [[1, 2], [1, 2]]


def test_a_package_whose_name_is_taken_is_not_imported_instead(tmp_path: Path) -> None:
    """``json`` is loaded; the file is then one without a package."""
    _write(tmp_path / "json", {"__init__": "1 / 0\n", "metric": HELPER.format(3)})
    assert _run(PROGRAM, f"{tmp_path}/json/metric.py:gain") == [[3], [3]]


def test_a_file_of_a_package_that_was_edited_is_loaded_anew(tmp_path: Path) -> None:
    old, _ = _packages(tmp_path, "from .helpers import gain\n")
    file = old / "outer" / "inner" / "metric.py"
    program = (
        "import json, sys, os\nfrom pathlib import Path\nfrom axiomcheck.sources.resolve import resolve\n"
        "file = Path(sys.argv[1])\nresolve(f'{file}:gain')\nfile.write_text('def gain(topic, ranking): return 7.0')\n"
        "print(json.dumps(resolve(f'{file}:gain').function(None, [])))\n"
    )
    assert _run(program, str(file)) == 7


@pytest.mark.parametrize("edited", ["metric", "helpers"])
def test_an_edit_that_leaves_size_and_time_as_they_were_is_seen(edited: str, tmp_path: Path) -> None:
    """As one within a second may, on which bytecode that Python keeps beside a file would go unnoticed."""
    own = "from helpers import gain as theirs\ndef gain(grades, weights):\n    return 1 * theirs(grades, weights)\n"
    texts = {"metric": own, "helpers": HELPER.format(1)}
    scores = []
    for weight in ("1 *", "2 *"):
        for name, text in texts.items():
            file = tmp_path / f"{name}.py"
            file.write_text(text.replace("1 *", weight) if name == edited else text, encoding="utf-8")
            os.utime(file, (1e9, 1e9))
        scores.append(_run(PROGRAM, f"{tmp_path}/metric.py:gain")[0])
    assert scores == [[1.0], [2.0]]


@quality
@pytest.mark.parametrize(
    ("module", "safe", "said"),
    [
        (True, "", "axiomcheck check outer.inner.metric:gain"),
        (False, "1", "there is no module outer"),
    ],
)
def test_the_console_script_finds_what_python_m_finds_but_for_a_safe_path(
    module: bool, safe: str, said: str, tmp_path: Path
) -> None:
    """The pre-commit hook calls the script, the action the module."""
    _, root = _packages(tmp_path, IMPORTS["relative"])
    program = [sys.executable, "-m", "axiomcheck"] if module else [f"{sysconfig.get_path('scripts')}/axiomcheck"]
    words = [*program, "explain", "outer.inner.metric:gain"]
    environ = os.environ | {"PYTHONSAFEPATH": safe}
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=root, env=environ)
    assert (done.returncode, said in done.stderr) == (2, True), done.stderr


# ---------------------------------------------------------------------------------------------- what imports mean


def test_nothing_of_pythons_imports_is_replaced_and_no_path_is_added(tmp_path: Path) -> None:
    program = (
        "import builtins, json, sys\nfrom axiomcheck.sources.resolve import resolve\n"
        "before = builtins.__import__, list(sys.path)\nmetrics = [resolve(name) for name in sys.argv[1:]]\n"
        "try:\n    import helpers\n    leaked = True\nexcept ModuleNotFoundError:\n    leaked = False\n"
        "print(json.dumps([before == (builtins.__import__, sys.path), leaked, 'helpers' in sys.modules]))\n"
    )
    (root, _) = _packages(tmp_path, IMPORTS["sibling"])
    names = [*_project(tmp_path / "old", EAGER), f"{root}/outer/inner/metric.py:gain"]
    assert _run(program, *names) == [True, False, False]


@each("taken", ["statistics", "hypothesis"], 1)
def test_a_file_next_to_a_metric_shadows_nothing_installed(taken: str, tmp_path: Path) -> None:
    """On loading and when called, whether or not it has been loaded before."""
    code = f"import {taken} as found"
    metric = f"{code}\ndef gain(grades, weights):\n    {code}\n    return 4 * grades.sum(axis=(1, 2))\n"
    _write(tmp_path, {taken: "1 / 0\n", "metric": metric})
    assert _run(PROGRAM, f"{tmp_path}/metric.py:gain") == [[4], [4]]


def test_the_helper_next_to_a_file_is_meant_and_not_one_of_the_current_directory(tmp_path: Path) -> None:
    old, new = _project(tmp_path, LAZY)
    program = "import helpers\n" + PROGRAM.replace("import json, sys", "import json, sys; sys.path.insert(0, '.')")
    program = program.replace("import helpers\n", "import sys; sys.path.insert(0, '.')\nimport helpers\n")
    assert _run(program, new, old, cwd=tmp_path / "old") == [[2, 1], [2, 1]]


def test_an_identity_does_not_say_how_a_helper_was_loaded(tmp_path: Path) -> None:
    """A method that a dataclass is given names the helper's module: as itself here, in a folder's package there."""
    helper = "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass Weigh:\n    by: int = 3\n"
    gain = "def gain(grades, weights):\n    return Weigh().by * grades.sum(axis=(1, 2))\n"
    _write(tmp_path, {"weighing": helper, "metric": f"from weighing import Weigh\n{gain}"})
    program = (
        "import json, sys\nsys.path[0] = '.'\nfrom axiomcheck.sources.digest import digest\n"
        "from axiomcheck.sources.resolve import resolve\n"
        "print(json.dumps([digest(resolve(name).function) for name in sys.argv[1:]]))\n"
    )
    as_itself, in_a_package = _run(program, "metric:gain", f"{tmp_path}/metric.py:gain", cwd=tmp_path)
    assert in_a_package == as_itself


def test_a_file_that_changes_the_current_directory_is_found_and_read_again(tmp_path: Path) -> None:
    moving = (
        "import os\nos.chdir('sub')\ndef total(topic, ranking):\n    return sum(topic.pool[d][0] for d in ranking)\n"
    )
    _write(tmp_path, {"first": moving, "second": moving, "sub/empty": ""})
    program = """
import json
from axiomcheck.checks.contract import run_contract
from axiomcheck.core.writing import write_atomically
from axiomcheck.derivation.derive import derive
from axiomcheck.sources.resolve import resolve
found = [resolve(f"{name}.py:total") for name in ("first", "second")]
write_atomically("out", "")
print(json.dumps([[derive(m).why_not, run_contract(m, checks=["hash-seed"])[0].status] for m in found]))
"""
    assert _run(program, cwd=tmp_path) == [["", "passed"]] * 2
    assert (tmp_path / "out").exists()
