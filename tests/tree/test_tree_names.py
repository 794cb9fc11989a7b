"""Names in texts are those of the tree, sentences count in words, suites hang together, imports keep their rules."""

import importlib.util
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest
from click import Context
from packaging.requirements import Requirement

from axiomcheck.cli.program import main
from axiomcheck.core.printable import counted
from tests.support.suites import each, quality
from tests.support.transcripts import ROOT

MODULE = re.compile(r"(?<![\w./@:-])axiomcheck(?:\.[A-Za-z_]\w*)+")
FILE = re.compile(
    r"(?<![\w./*{}<>-])"
    r"(?:axiomcheck/[\w.-]+(?:/[\w./-]*\w|\.\w+|/)|(?:axioms|metrics|reports|docs|benchmarks|tests)/[\w./-]*\w)"
    r"(?![\w*{}<>])"
)
"""A path below the project's folder; ``axiomcheck/witness`` alone is the name of a schema."""
COMMAND = re.compile(r"(?:^\$ |`|^    |')(?:[\w./-]*/)?axiomcheck ([a-z][a-z-]*)(?= |`|'|$)", re.MULTILINE)
NO_MODULES = {
    *("axiomcheck.toml", "axiomcheck.escape", "axiomcheck.adapters"),  # a file, an error handler, an entry-point group
    *("axiomcheck.metrics.own", "axiomcheck.metrics.exactness"),  # what digests call modules that have moved
    "axiomcheck.no_such_name",
}
NEW = re.compile(r"^<!-- new: (\S+) -->$", re.MULTILINE)
"""A file that a recipe has its reader write."""
MADE_BY_READERS = {"docs/generated", "docs/generated/", "metrics/", "tests/test_metrics.py"}
"""Files that a page tells its reader to make, or that are made of the site."""


def _sources() -> list[Path]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split(
        "\n"
    )
    kinds = (".py", ".md", ".toml", ".yml", ".yaml", ".transcript")
    return [
        ROOT / name
        for name in listed
        if name.endswith(kinds) and (ROOT / name).exists() and (ROOT / name) != Path(__file__)
    ]


def _is_module(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # what comes before the last dot is no package
        return False


@cache
def _resolves(name: str) -> bool:
    module, *rest = name.split(".")
    while rest and _is_module(f"{module}.{rest[0]}"):
        module = f"{module}.{rest.pop(0)}"
    found: Any = importlib.import_module(module) if rest else None
    for part in rest:
        if not hasattr(found, part):
            return part in getattr(found, "__annotations__", {})
        found = getattr(found, part)
    return True


def _module_of(file: str) -> str:
    return f"axiomcheck.{file.removeprefix('axiomcheck/').removesuffix('.py').replace('/', '.')}"


def wrong_names(text: str) -> Iterator[str]:
    """Return the names in a text that nothing in the tree has, nor what the text's recipes add to it."""
    made = set(NEW.findall(text))
    made_modules = {_module_of(file) for file in made if file.endswith(".py")}
    for name in sorted(set(MODULE.findall(text)) - NO_MODULES):
        if not _resolves(name) and not any(f"{name}.".startswith(f"{module}.") for module in made_modules):
            yield name
    for name in sorted(set(FILE.findall(text)) - made):
        if not (ROOT / name).exists() and name not in MADE_BY_READERS:
            yield name
    for name in sorted(set(COMMAND.findall(text))):
        if name not in main.list_commands(Context(main)):
            yield f"axiomcheck {name}"


def test_names_of_modules_files_and_commands_are_those_of_the_tree() -> None:
    files = _sources()
    assert len(files) > 300
    wrong = {str(file.relative_to(ROOT)): list(wrong_names(file.read_text(encoding="utf-8"))) for file in files}
    assert {name: found for name, found in wrong.items() if found} == {}


@pytest.mark.parametrize("wrong", ["axiomcheck.engine.matrices", "axiomcheck/engine.py", "tests/nothing.py"])
def test_a_name_that_nothing_has_is_found(wrong: str) -> None:
    text = f"See `{wrong}` and `axiomcheck.engine.run.run_matrix` in axiomcheck/engine/run.py.\n"
    assert list(wrong_names(text)) == [wrong]


def test_files_that_a_recipe_adds_are_there_for_its_page_alone() -> None:
    text = "See `axiomcheck.axioms.appended.Appended` in axioms/appended.py.\n"
    assert list(wrong_names(f"<!-- new: axioms/appended.py -->\n{text}")) == []
    assert list(wrong_names(f"<!-- new: axioms/other.py -->\n{text}")) == [
        "axiomcheck.axioms.appended.Appended",
        "axioms/appended.py",
    ]


def test_a_command_that_is_none_is_found() -> None:
    assert list(wrong_names("$ axiomcheck matrixx RBP\n$ axiomcheck matrix\n")) == ["axiomcheck matrixx"]


PRODUCT = [file for room in ("axiomcheck", "axioms", "metrics", "reports") for file in (ROOT / room).rglob("*.py")]

PLURAL = re.compile(
    r"(?P<before> to )?\{(?P<value>[^{}]+?)(?::[^{}=]*)?\}(?:['\"]\s*f?['\"])?"
    r"(?P<noun> (?:(?:more|distinct|ranked|relevant|judged|further|other|sampled|non-zero|smaller) )*"
    "(?:aspects|axioms|bytes|candidates|cases|cells|certificates|characters|checks|coefficients|digits|documents|edits|"
    "examples|expectations|files|folds|grades|instances|intervals|items|lines|lists|metrics|numbers|obligations|others|"
    "pairs|panels|parts|patterns|probes|ranks|reports|rows|runs|samples|sets|shapes|steps|systems|ties|topics|users|"
    r"values|violations|witnesses)\b)"
)
"""A value in braces and a plural after it, in the same string or the next; a range ends in a number above its first."""


def plurals(source: str) -> Iterator[str]:
    """Return every plural that follows a number that may be one; a name in capitals is a constant, which is not."""
    for found in PLURAL.finditer(source):
        if not found["before"] and not found["value"].rpartition(".")[2].isupper():
            yield f"{{{found['value']}}}{found['noun']}"


ALWAYS_SEVERAL = {
    "{total} cells": "beside what is said of one",
    "{metric.canonical} runs": "a metric does",
    "{k} ranks": "beside what is said of one",
}


def test_no_sentence_has_a_number_before_a_plural_that_may_be_one() -> None:
    found = {(file.name, text) for file in PRODUCT for text in plurals(file.read_text(encoding="utf-8"))}
    assert {each for each in found if each[1] not in ALWAYS_SEVERAL} == set()
    assert {text for _, text in found} == {*ALWAYS_SEVERAL}
    assert len(PRODUCT) > 300


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('f"{n} cells"', ["{n} cells"]),
        ('f"{len(x):,} distinct instances of {k} documents"', ["{len(x)} distinct instances", "{k} documents"]),
        ('f"{_MOST} cells, {self.LONGEST} documents, 1 to {n} documents"', []),
        ("f\"{counted(n, 'cell')} of {name}\"", []),
    ],
)
def test_a_planted_plural_is_found(source: str, expected: list[str]) -> None:
    assert list(plurals(source)) == expected


def test_a_number_of_things_is_counted_in_words() -> None:
    assert [counted(n, "cell") for n in (0, 1, 2, 1000)] == ["0 cells", "1 cell", "2 cells", "1,000 cells"]
    assert [counted(n, "witness") for n in (0, 1, 2)] == ["0 witnesses", "1 witness", "2 witnesses"]
    assert counted(1, "distinct instance") == "1 distinct instance"
    assert counted(3, "distinct instance") == "3 distinct instances"


def test_ci_runs_the_commands_of_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    lines = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    everyday = [line.strip() for line in readme.splitlines() if line.endswith("&& .venv/bin/pytest")]
    assert len(everyday) == 1
    assert everyday[0] in lines
    quality = ".venv/bin/pytest -m '(quality or extra) and not exhaustive'"
    assert quality in lines
    assert f"`{quality}`" in readme


@quality
def test_every_package_of_the_quality_extra_is_installed() -> None:
    """Where the quality suite runs, no test is skipped for want of a package."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    needed = [Requirement(text) for text in extras["quality"]]
    needed += [
        Requirement(text) for one in needed if one.name == "axiomcheck" for e in one.extras for text in extras[e]
    ]
    assert len(needed) > 20
    for one in needed:
        assert one.name == "axiomcheck" or distribution(one.name).version in one.specifier


def test_every_folder_of_tests_is_a_package() -> None:
    """Imports say where a helper lives, and no folder of tests has to be on the path."""
    folders = {path.parent for path in (ROOT / "tests").rglob("*.py")} - {ROOT / "tests" / "natural" / "written"}
    assert not [folder for folder in folders if not (folder / "__init__.py").is_file()]


PACKAGES = {"axioms": "axiomcheck/axioms", "metrics": "axiomcheck/metrics", "reports": "axiomcheck/reports"}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    site = tmp_path_factory.mktemp("site")
    python = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "axiomcheck", site / "axiomcheck", ignore=python)
    for source, target in PACKAGES.items():
        shutil.copytree(ROOT / source, site / target, ignore=python)
    return site


def checked(site: Path) -> subprocess.CompletedProcess[str]:
    lint = Path(sys.executable).with_name("lint-imports")
    command = [lint, "--config", ROOT / "pyproject.toml", "--no-cache"]
    return subprocess.run(command, cwd=site, capture_output=True, text=True, check=False, timeout=600)


def test_the_import_rules_hold(installed: Path) -> None:
    done = checked(installed)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken" in done.stdout


def test_no_rule_has_an_exception() -> None:
    rules = (ROOT / "pyproject.toml").read_text(encoding="utf-8").partition("[tool.importlinter]")[2]
    assert rules.count("[[tool.importlinter.contracts]]") == 4
    assert "ignore_imports" not in rules


@each(
    ("file", "line", "broken"),
    [
        ("core/errors.py", "import axiomcheck.numbers.discount", "Rooms import only rooms below them"),
        (
            "axioms/base.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from axiomcheck.axioms.pri import Priority",
            "No circle",
        ),
        ("proof/check/induction.py", "import axiomcheck.proof.find.bounded", "What checks a proof imports nothing"),
        ("engine/cells.py", "from axiomcheck import find_axiom", "The public face is for users"),
    ],
    0,
)
def test_a_planted_import_breaks_its_rule(installed: Path, file: str, line: str, broken: str) -> None:
    place = installed / "axiomcheck" / file
    before = place.read_text(encoding="utf-8")
    place.write_text(f"{before}\n{line}\n", encoding="utf-8")
    try:
        done = checked(installed)
    finally:
        place.write_text(before, encoding="utf-8")
    assert done.returncode == 1
    failed = done.stdout.partition("Broken contracts")[2]
    assert broken in failed
