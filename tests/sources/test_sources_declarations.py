"""Declarations in axiomcheck.toml or pyproject.toml, for code that does not import axiomcheck."""

from pathlib import Path

import pytest

from axiomcheck import InvalidInput
from axiomcheck.api.asked import metric_of
from axiomcheck.checks.contract import run_contract
from axiomcheck.metrics.base import Abilities, Claims
from axiomcheck.pytest_plugin.cells import _named
from axiomcheck.sources.modules import load_file
from axiomcheck.sources.resolve import resolve

CODE = """
def top_two(grades, weights):
    return grades[:, :2, 0].sum(axis=1) / 2

class Loose:
    def __call__(self, topic, ranking):
        return float(len(ranking[:2]))

loose = Loose()
"""
DECLARED = """
[declared."metrics.py:top_two"]
cutoff = 2
single_aspect = true
levels = 4
weights = false
low = 0
high = 1
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "metrics.py").write_text(CODE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("file", "text"),
    [("axiomcheck.toml", DECLARED), ("pyproject.toml", DECLARED.replace("[declared", "[tool.axiomcheck.declared"))],
)
def test_a_declaration_is_that_of_the_metric(
    file: str, text: str, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (place / file).write_text(text, encoding="utf-8")
    (place / "deep").mkdir()
    monkeypatch.chdir(place / "deep")
    metric = resolve(f"{place}/metrics.py:top_two")
    assert (metric.cutoff, metric.single_aspect, metric.binary_only) == (2, True, False)
    assert metric.abilities == Abilities(weights=False, levels=4)
    assert metric.claims == Claims(0.0, 1.0)
    assert resolve(f"{place}/metrics.py:loose").cutoff is None
    given = vars(load_file(place / "metrics.py"))
    assert (metric_of(given["top_two"]).cutoff, metric_of(given["loose"]).cutoff) == (2, None)
    assert [metric.cutoff for metric, _ in _named([given["top_two"]]).values()] == [2]


def test_a_declaration_is_held_to(place: Path) -> None:
    """The planted fault: a range that the scores leave."""
    (place / "axiomcheck.toml").write_text(DECLARED.replace("high = 1", "high = 0.5"), encoding="utf-8")
    [outcome] = run_contract(resolve("metrics.py:top_two"), checks=["in-range"])
    assert outcome.status == "failed"
    assert "outside the declared [0, 0.5]" in outcome.reason


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (DECLARED.replace("cutoff = 2", "cutoff = 0"), "cutoff"),
        (DECLARED.replace("cutoff = 2", "cutof = 2"), "cutof"),
        (DECLARED.replace("levels = 4", "levels = 3"), "a power of two"),
        (DECLARED.replace("high = 1", "ideal = true"), "ideal needs high"),
        (DECLARED.replace("low = 0", "low = 2"), "expected low < high"),
        ("declared = 3", "expected a table"),
        ("[declared", "not valid TOML"),
        (DECLARED.replace("top_two", "top_tow"), "declared.'metrics.py:top_tow * did you mean top_two?"),
        (DECLARED.replace("top_two", "Loose.missing"), "declared.'metrics.py:Loose.missing * unknown name"),
        (DECLARED.replace("metrics", "deep/metrics"), "declared.'deep/metrics.py:top_two * there is no file"),
    ],
)
def test_a_wrong_table_is_told_with_file_and_key(text: str, message: str, place: Path) -> None:
    (place / "axiomcheck.toml").write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"axiomcheck\.toml") as caught:
        resolve("metrics.py:top_two")
    assert all(part in str(caught.value) for part in message.split(" * "))


@pytest.mark.parametrize("key", ["other.py:gone", "deep/metrics.py:gone", "metrics.py:Loose(p=0.5)@3", "metrics:gone"])
def test_tables_about_other_files_and_of_other_spellings_are_no_fault(key: str, place: Path) -> None:
    (place / "deep").mkdir()
    (place / "deep" / "metrics.py").write_text("", encoding="utf-8")
    (place / "axiomcheck.toml").write_text(f'{DECLARED}\n[declared."{key}"]\ncutoff = 3\n', encoding="utf-8")
    assert resolve("metrics.py:top_two").cutoff == 2


def test_code_that_declares_itself_has_no_table(place: Path) -> None:
    (place / "metrics.py").write_text(
        f"from axiomcheck import metric\n{CODE}\ntop_two = metric(cutoff=2)(top_two)\n", encoding="utf-8"
    )
    (place / "axiomcheck.toml").write_text(DECLARED, encoding="utf-8")
    with pytest.raises(InvalidInput, match="also has declarations in its code"):
        resolve("metrics.py:top_two")
