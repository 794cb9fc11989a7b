"""What counts as a change of a metric, and what does not."""

import os
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from axiomcheck import parse
from axiomcheck.core.own_code import file_digest
from axiomcheck.sources.dependencies import InstalledDistributions
from axiomcheck.sources.fingerprint import Fingerprint, fingerprint
from tests.gating.gate_projects import GOOD, project
from tests.support.plugin_packages import install
from tests.support.suites import each

of_fingerprints = import_module("axiomcheck.sources.fingerprint")  # the package has a function of that name

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
    assert first.startswith("sha256:")
    (tmp_path / "unused.py").write_text("x = 2\n", encoding="utf-8")
    (tmp_path / "helper.py").write_bytes(HELPER.replace("\n", "\r\n").encode())  # checked out on another system
    assert code() == first
    (tmp_path / "helper.py").write_text(HELPER.replace("k + 1", "k + 2"), encoding="utf-8")
    second = code()
    assert second != first
    (tmp_path / "late.py").write_text(LATE.replace("return x", "return 2 * x"), encoding="utf-8")
    assert code() not in (first, second)


def test_every_installed_module_of_the_metrics_package_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    core = "def add(x):\n    return x.sum(axis=(1, 2))\n"
    files = {
        "installed/metric.py": "from installed.core import add\ndef gain(grades, weights):\n    return add(grades)\n",
        "installed/core.py": core,
    }
    install(tmp_path, files, metrics={"plugged": "installed.metric:gain"}, dist="installed")
    monkeypatch.syspath_prepend(tmp_path)
    folders = (*of_fingerprints.site_folders(), str(tmp_path.resolve()))
    monkeypatch.setattr(of_fingerprints, "site_folders", lambda: folders)
    for loaded in [module for module in sys.modules if module.partition(".")[0] == "installed"]:
        del sys.modules[loaded]
    installed = InstalledDistributions.installed([str(tmp_path)])
    first = of_fingerprints._fingerprint_of(of_fingerprints.load_and_score("plugged"), installed)
    (tmp_path / "installed" / "core.py").write_text(core.replace("return", "return 2 *"), encoding="utf-8")
    second = of_fingerprints._fingerprint_of(of_fingerprints.load_and_score("plugged"), installed)
    assert second.code != first.code
    assert second.key != first.key


@each("tracked", [True, False], 2)
def test_every_file_of_the_project_is_in_the_key(
    tracked: bool, tmp_path: Path, taken: Callable[[str], Fingerprint]
) -> None:
    """Count what git tracks or, without it, what Python can load: no report that was written there, nothing ignored."""
    files = {"pyproject.toml": "", "pkg/deep/late.py": "", "data/table.json": "1", "report.html": "", "out/x.py": ""}
    project(tmp_path, "", gain=GOOD)
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    if tracked:
        (tmp_path / ".gitignore").write_text("out\n", encoding="utf-8")
        subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
        subprocess.run(["git", "add", "gain.py", "data", "axiomcheck.toml"], cwd=tmp_path, check=True)
    in_key = ["gain.py", "pkg/deep/late.py", "data/table.json" if tracked else "out/x.py"]
    name = f"{tmp_path}/gain.py:gain"
    before = taken(name)
    others = [file for file in (*files, "axiomcheck.toml") if file not in in_key]
    for changed in (others, *([file] for file in in_key if tracked or file == "out/x.py")):
        texts = {tmp_path / file: (tmp_path / file).read_text(encoding="utf-8") for file in changed}
        for path, text in texts.items():
            path.write_text(text + "\n", encoding="utf-8")
        now = taken(name)
        assert (now.key != before.key) is (changed[0] in in_key), changed
        assert (now.code != before.code) is (changed == ["gain.py"]), changed
        for path, text in texts.items():
            path.write_text(text, encoding="utf-8")


def test_an_edited_file_of_an_installed_library_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if its times are as before."""
    folders, site = of_fingerprints.site_folders(), tmp_path / "site"
    module, info = site / "thing.py", site / "thing-1.dist-info"
    info.mkdir(parents=True)
    module.write_text("x = 1\n", encoding="utf-8")
    (info / "METADATA").write_text("Name: thing\nVersion: 1\n", encoding="utf-8")
    (info / "RECORD").write_text("thing.py,sha256=x,6\nthing-1.dist-info/RECORD,,\n", encoding="utf-8")
    installed = InstalledDistributions.installed([str(site)])
    assert (installed.providers({"thing", "other"}), installed.providers({"thin"})) == ({"thing"}, set())
    project(tmp_path, "", gain="def gain(topic, ranking):\n    import thing\n    return float(thing.x)\n")
    monkeypatch.syspath_prepend(site)
    monkeypatch.setattr(of_fingerprints, "site_folders", lambda: (*folders, str(site.resolve())))

    def taken_now() -> Fingerprint:
        sys.modules.pop("thing", None)
        return of_fingerprints._fingerprint_of(of_fingerprints.load_and_score(f"{tmp_path}/gain.py:gain"), installed)

    first, times = taken_now(), module.stat()
    assert taken_now().key == first.key
    module.write_text("x = 2\n", encoding="utf-8")
    os.utime(module, ns=(times.st_atime_ns, times.st_mtime_ns))
    second = taken_now()
    assert (second.code, second.packages) == (first.code, first.packages)
    assert second.key != first.key
    (info / "RECORD").write_text("thing-1.dist-info/RECORD,,\n", encoding="utf-8")
    assert InstalledDistributions.installed([str(site)]).digest != installed.digest


def test_the_folder_of_the_files_does_not_count(tmp_path: Path, taken: Callable[[str], Fingerprint]) -> None:
    for folder in ("a", "b"):
        project(tmp_path / folder)
    one, other = (taken(f"{tmp_path}/{folder}/gain.py:gain") for folder in ("a", "b"))
    assert one.key == other.key
    assert one.stamp != other.stamp


def test_the_catalogue_needs_no_process() -> None:
    assert fingerprint(parse("RBP")).code == fingerprint(parse("RBP(p=0.5)")).code
    assert fingerprint(parse("RBP")).code != fingerprint(parse("RBU")).code


def test_a_pipe_beside_a_metric_is_not_read(tmp_path: Path) -> None:
    """Reading it would wait for a writer."""
    os.mkfifo(tmp_path / "pipe.py")
    assert [file_digest(tmp_path / name) for name in ("pipe.py", "gone.py")] == [
        "not a regular file",
        "unreadable: No such file or directory",
    ]
