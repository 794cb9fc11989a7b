"""docs/how-to/your-own-metric.md: the package that its files make is installed as a user would, and has its metrics."""

from __future__ import annotations

from pathlib import Path

import pytest

from axiomcheck.sources.own import CallableMetric, FunctionMetric
from axiomcheck.sources.resolve import resolve
from tests.support.installing import pip_install
from tests.support.suites import quality
from tests.support.transcripts import ROOT, write_files

pytestmark = quality


def test_the_plugin_of_the_page_has_one_module_and_metrics_of_three_kinds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (ROOT / "docs" / "how-to" / "your-own-metric.md").read_text(encoding="utf-8")
    project = tmp_path / "project"
    project.mkdir()
    assert write_files(text, project) == [
        "my_metric.py",
        "pasted.py",
        "my_callable.py",
        "my_folds.py",
        "pyproject.toml",
    ]
    assert "```sh\npython -m pip install .\n```" in text
    site = pip_install(project, tmp_path / "site")
    assert sorted(path.name for path in site.glob("*.py")) == ["my_metric.py"]
    (info,) = site.glob("*.dist-info")
    assert (info / "entry_points.txt").read_text("utf-8").split() == [
        "[axiomcheck.metrics]",
        *["patient-gain", "=", "my_metric:patient_gain"],
    ]
    monkeypatch.setenv("PYTHONPATH", str(site))
    monkeypatch.syspath_prepend(str(site))
    function = resolve(f"{project}/my_metric.py:patient_gain")
    assert isinstance(function, FunctionMetric)
    assert (function.numerical(False), function.numerical(True)) == ("", "")
    assert isinstance(resolve(f"{project}/my_callable.py:gain_less_cost"), CallableMetric)
    plugin = resolve("patient-gain")
    assert isinstance(plugin, FunctionMetric)
    assert plugin.canonical == "patient-gain"
