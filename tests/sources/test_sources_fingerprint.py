"""What counts as a change of a metric's code, and what does not."""

import functools
from collections.abc import Callable
from pathlib import Path

import pytest

from axiomcheck import parse
from axiomcheck.core.own_code import file_digest
from axiomcheck.sources import modules
from axiomcheck.sources.fingerprint import Fingerprint, fingerprint_of_own
from tests.gating.gate_projects import GOOD, project
from tests.support.suites import quality

WITH_HELPER = """
import pathlib, sys
import helper
sys.path.append(str(pathlib.Path(__file__).parent))
def gain(topic, ranking):
    total = sum(helper.discount(k) * topic.pool[name][0] for k, name in enumerate(ranking))
    if len(ranking) == 1 or len(topic.weights) == 1:
        return total
    import late
    return late.weigh(total)
"""
HELPER = "def discount(k):\n    return 1 / (k + 1)\n"
LATE = "def weigh(x):\n    return x\n"


def test_the_file_and_whatever_it_imports_count(tmp_path: Path, taken: Callable[[str], Fingerprint]) -> None:
    """On loading, and only for a ranking of several documents on several aspects."""
    project(tmp_path, "", gain=WITH_HELPER, helper=HELPER, late=LATE, unused="x = 1\n")
    name = f"{tmp_path}/gain.py:gain"

    def code() -> str:
        return taken(name).code

    first = code()
    assert first.startswith("files-sha256:")
    (tmp_path / "unused.py").write_text("x = 2\n", encoding="utf-8")
    (tmp_path / "helper.py").write_bytes(HELPER.replace("\n", "\r\n").encode())  # checked out on another system
    assert code() == first
    (tmp_path / "helper.py").write_text(HELPER.replace("k + 1", "k + 2"), encoding="utf-8")
    second = code()
    assert second != first
    (tmp_path / "late.py").write_text(LATE.replace("return x", "return 2 * x"), encoding="utf-8")
    assert code() not in (first, second)


@quality
def test_declarations_count_and_values_from_files_are_in_the_identity(
    tmp_path: Path, taken: Callable[[str], Fingerprint]
) -> None:
    reads = "import pathlib\nBASE = float((pathlib.Path(__file__).parent / 'base').read_text())\n"
    path = project(tmp_path, "", gain=reads + GOOD.replace("2 ** (k + 1)", "BASE ** (k + 1)"))
    name = f"{tmp_path}/gain.py:gain"
    found = []
    for base, declared in (("2", ""), ("3", ""), ("3", '[declared."gain.py:gain"]\ncutoff = 3\n')):
        (tmp_path / "base").write_text(base, encoding="utf-8")
        path.write_text(declared, encoding="utf-8")
        found.append(taken(name))
    first, second, third = found
    assert first.code == second.code != third.code
    assert first.identity != second.identity


def test_the_folder_of_the_files_does_not_count(tmp_path: Path, taken: Callable[[str], Fingerprint]) -> None:
    for folder in ("a", "b"):
        project(tmp_path / folder, gain=WITH_HELPER, helper=HELPER, late=LATE)
    one, other = (taken(f"{tmp_path}/{folder}/gain.py:gain") for folder in ("a", "b"))
    assert one.code == other.code
    assert one.packages == other.packages


@pytest.mark.extra("ir_measures")
def test_the_version_of_a_library_is_among_the_packages(taken: Callable[[str], Fingerprint]) -> None:
    assert "ir-measures" in taken("ir_measures:nDCG@10").packages


def test_the_catalogue_needs_no_process() -> None:
    assert fingerprint_of_own(parse("RBP")).code == fingerprint_of_own(parse("RBP(p=0.5)")).code
    assert fingerprint_of_own(parse("RBP")).code != fingerprint_of_own(parse("RBU")).code


def test_the_digest_of_a_file_that_is_gone_says_so(tmp_path: Path) -> None:
    assert file_digest(tmp_path / "gone.py") == "unreadable: No such file or directory"


def test_packages_of_an_environment_below_this_one_are_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An environment on top of another one finds its packages by a path that no setting of Python names."""
    below, beside = tmp_path / "lower" / "site-packages", tmp_path / "project"
    files = {folder: str(folder / "package" / "__init__.py") for folder in (below, beside)}
    monkeypatch.syspath_prepend(str(beside))
    for known in (modules.site_folders, modules._folders, modules.is_installed):
        monkeypatch.setattr(modules, known.__name__, functools.cache(known.__wrapped__))
    assert not modules.is_installed(files[below])
    monkeypatch.syspath_prepend(str(below))
    for known in (modules.site_folders, modules._folders, modules.is_installed):
        known.cache_clear()
    assert modules.is_installed(files[below])
    assert not modules.is_installed(files[beside])
