"""Adapters that installed packages ship (docs/how-to/plugins.md has one): their names, and what is wrong with some."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from axiomcheck.core.errors import InvalidInput
from axiomcheck.sources.resolve import resolve
from tests.support.plugin_packages import documented, install, refused, run

LAB = {"lab": "lab.adapter:measure"}
NAME = "lab:precision(k=2)"
SMALL = ["-a", "Pri", "--examples", "20"]


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    return install(tmp_path, documented(), adapters=LAB)


@pytest.fixture
def importable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of packages that are as good as installed in this process."""
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    for module in [name for name in sys.modules if name.partition(".")[0] == "lab"]:
        del sys.modules[module]


def test_a_witness_is_confirmed_where_the_adapter_is_and_refused_where_not(lab: Path, tmp_path: Path) -> None:
    report = run(lab, "matrix", NAME, *SMALL, "-f", "json").stdout
    witness = json.loads(report)["cells"][0]["witness"]
    (lab / "witness.json").write_text(json.dumps(witness), encoding="utf-8")
    assert NAME in run(lab, "replay", "witness.json").stdout
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "witness.json").write_text(json.dumps(witness), encoding="utf-8")
    assert "which would load code" in refused(elsewhere, "replay", "witness.json")


def test_its_measures_are_checked_against_each_other(lab: Path) -> None:
    done = run(lab, "check", NAME, *SMALL, "-f", "json")
    (metric,) = json.loads(done.stdout)["metrics"]
    outcomes = {outcome["check"]: outcome["status"] for outcome in metric["contract"]}
    assert outcomes["measures-together"] == "passed"


ODD = documented() | {
    "lab/odd.py": "def raises(text):\n    raise KeyError(text)\n\ndef nothing(text):\n    return None\n"
}
UNUSABLE: list[tuple[str, str, str]] = [
    ("ranx", "lab.adapter:measure", "adapter 'ranx' (lab 1.0): axiomcheck already has an adapter with this name"),
    ("lab.py", "lab.adapter:measure", "names that end in .py are reserved for files"),
    ("lab", "nowhere.at:all", "adapter 'lab' (lab 1.0) cannot be loaded: ModuleNotFoundError"),
    ("lab", "lab.library:__name__", "is of type str; expected a function that takes the name of a measure"),
    ("lab", "lab.odd:raises", "adapter 'lab' (lab 1.0) raised KeyError for 'precision(k=2)'"),
    ("lab", "lab.odd:nothing", "adapter 'lab' (lab 1.0): lab:precision(k=2) is NoneType, not a metric"),
]


@pytest.mark.parametrize(("prefix", "target", "message"), UNUSABLE)
def test_adapters_that_cannot_be_used_are_refused_with_the_reason(
    prefix: str, target: str, message: str, importable: Path
) -> None:
    install(importable, ODD, adapters={prefix: target})
    with pytest.raises(InvalidInput) as caught:
        resolve(f"{prefix}:precision(k=2)")
    assert message in str(caught.value)


def test_adapters_that_cannot_be_used_cost_other_metrics_nothing(tmp_path: Path) -> None:
    for number, (prefix, target, _) in enumerate(UNUSABLE):
        name = prefix if prefix != "lab" else f"lab{number}"
        install(tmp_path, ODD, adapters={name: target}, dist=f"odd{number}")
    assert run(tmp_path, "matrix", "P@2", *SMALL, "-f", "csv").returncode == 0


@pytest.mark.parametrize(
    ("name", "other", "said"),
    [
        ("lab:recall(k=2)", {}, r"adapter 'lab' \(lab 1.0\): no measure 'recall\(k=2\)'; expected precision\(k=K\)"),
        ("lob:precision(k=2)", {}, r"there is no module lob.*ranx:measure, .*lab:measure"),
        (NAME, {"adapters": LAB}, r"\(lab 1.0, other 1.0\): several packages ship an adapter with this name"),
        ("LAB", {"metrics": {"LAB": "lab.metrics:gain"}}, "an adapter has this name"),
    ],
    ids=["measure", "prefix", "two adapters", "metric and adapter"],
)
def test_a_name_that_leads_to_no_measure_is_refused_with_the_reason(
    name: str, other: dict[str, Any], said: str, importable: Path
) -> None:
    """Where a second package ships something, too."""
    install(importable, documented(), adapters=LAB)
    install(importable, {}, dist="other", **other)
    with pytest.raises(InvalidInput, match=said):
        resolve(name)
