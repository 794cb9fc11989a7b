"""docs/how-to/your-own-metric.md: its files are written, its commands run and its examples checked."""

from __future__ import annotations

import doctest
import os
import re
import sys
import tempfile
from pathlib import Path
from types import ModuleType

import pytest

from axiomcheck.sources.own import CallableMetric, FunctionMetric
from axiomcheck.sources.resolve import resolve
from tests.support.installing import pip_install
from tests.support.transcripts import ROOT, run

PAGE = ROOT / "docs" / "how-to" / "your-own-metric.md"


def blocks(language: str, text: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def write_files(directory: Path, text: str) -> list[str]:
    """Writes every block that begins with a comment that names a file."""
    names = []
    for language in ("python", "toml"):
        for block in blocks(language, text):
            name = block.splitlines()[0].removeprefix("# ")
            (directory / name).write_text(block, encoding="utf-8")
            names.append(name)
    return names


def install(directory: Path, text: str) -> Path:
    """Installs what the page makes of its files by the command that it shows, into a folder of its own."""
    project, site = directory / "project", directory / "site"
    project.mkdir()
    write_files(project, text)
    assert blocks("sh", text) == ["python -m pip install .\n"]
    return pip_install(project, site)


def replayed(directory: Path, text: str) -> str:
    """The page with what its commands print now."""

    def anew(block: re.Match[str]) -> str:
        command = block[1].removeprefix("$ ")
        shown = run(command, directory, anew="patient-gain" in command)  # the plugin's
        return f"```console\n{block[1]}\n{shown}```"

    return re.sub(r"^```console\n(\$ .*)\n(?:.*\n)*?```", anew, text, flags=re.MULTILINE)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(tmp_path_factory.mktemp("plugin"), PAGE.read_text(encoding="utf-8"))


@pytest.fixture
def installed(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    assert write_files(tmp_path, PAGE.read_text(encoding="utf-8")) == [
        "my_metric.py",
        "pasted.py",
        "my_callable.py",
        "my_folds.py",
        "pyproject.toml",
    ]
    monkeypatch.setenv("PYTHONPATH", str(site))
    monkeypatch.syspath_prepend(str(site))
    return tmp_path


def test_the_plugin_brings_its_module_and_nothing_else(site: Path) -> None:
    assert sorted(path.name for path in site.glob("*.py")) == ["my_metric.py"]
    (info,) = site.glob("*.dist-info")
    assert (info / "entry_points.txt").read_text("utf-8").split() == [
        "[axiomcheck.metrics]",
        *["patient-gain", "=", "my_metric:patient_gain"],
    ]


def test_the_files_hold_metrics(installed: Path) -> None:
    function = resolve(f"{installed}/my_metric.py:patient_gain")
    assert isinstance(function, FunctionMetric)
    assert (function.numerical(False), function.numerical(True)) == ("", "")
    assert isinstance(resolve(f"{installed}/my_callable.py:gain_less_cost"), CallableMetric)
    plugin = resolve("patient-gain")
    assert isinstance(plugin, FunctionMetric)
    assert plugin.canonical == "patient-gain"


def test_the_commands_print_what_the_page_says(installed: Path) -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert len(blocks("console", text)) == 9
    assert replayed(installed, text) == text


def test_a_changed_transcript_is_noticed(installed: Path) -> None:
    altered = "```console\n$ axiomcheck --version\naxiomcheck, version 0.0.0\n```\n"
    assert replayed(installed, altered) != altered


def test_the_examples_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))  # as where they are typed: of no file
    outcome = doctest.testfile(str(PAGE), module_relative=False)
    assert outcome.attempted >= 9
    assert outcome.failed == 0


if __name__ == "__main__":  # PYTHONPATH=tests python FILE writes the page anew, with what its commands print now
    with tempfile.TemporaryDirectory() as name:
        page = PAGE.read_text(encoding="utf-8")
        write_files(Path(name), page)
        os.environ["PYTHONPATH"] = str(install(Path(name), page))
        PAGE.write_text(replayed(Path(name), page), encoding="utf-8")
