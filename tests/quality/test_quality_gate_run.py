"""Projects that are judged many times over: other settings, budgets and declarations, a helper that changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gating.gate_projects import CONTRACT, GOOD, cell, gated, project, updated
from tests.gating.test_gate_run import copied, no_checks, recorded

__all__ = ["copied", "no_checks", "recorded"]  # fixtures


@pytest.mark.usefixtures("no_checks")
def test_a_changed_setting_is_decided_anew_and_a_changed_search_is_named(copied: Path) -> None:
    text = copied.read_text(encoding="utf-8")
    assert 'Pri = "holds"' in text
    # As if the search of the recorded run had missed what this one finds.
    text = text.replace("examples = 300", "examples = 301", 1).replace(
        'Conf = {expect = "violated"', 'Conf = {expect = "undecided"'
    )
    copied.write_text(text, encoding="utf-8")
    result = gated(copied)
    assert cell(result, "Conf").status == "worse"
    assert "The metric's code is as recorded; it is the search that changed (examples 300, now 301)." in (
        cell(result, "Conf").message
    )
    copied.write_text(text.replace("examples = 301", "examples = 300\nseed = 4", 1), encoding="utf-8")
    result = gated(copied)
    assert "it is the search that changed (seed 0, now 4)." in cell(result, "Conf").message
    copied.write_text(text.replace("examples = 301", "examples = 300", 1), encoding="utf-8")
    assert "the contract was edited by hand" in cell(gated(copied), "Conf").message
    renumbered = text.replace('version = "0', 'version = "99.0').replace("examples = 301", "examples = 300", 1)
    copied.write_text(renumbered, encoding="utf-8")
    assert "search that changed (axiomcheck 99.0" in cell(gated(copied), "Conf").message


# Ranks 19 and 20 are worth the same, in rankings of more than 20 documents only: 1 in 1,000 instances shows it.
RARE = """
def gain(grades, weights):
    total = 0 * weights[:, 0]
    n = grades.shape[1]
    for k in range(n):
        position = 19 if n > 20 and k == 18 else k
        total = total + (grades[:, k] * weights).sum(axis=1) / 2 ** (position + 1)
    return total
"""


@pytest.mark.usefixtures("no_checks")
def test_a_better_search_finds_what_was_there_all_along(tmp_path: Path) -> None:
    contract = CONTRACT.replace("examples = 300", "examples = 0").split("Conf =")[0]
    path = project(tmp_path, contract, gain=RARE)
    updated(path)
    assert gated(path).exit_code == 0
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("examples = 0", "examples = 3000", 1), encoding="utf-8")
    result = gated(path)
    assert (result.exit_code, cell(result, "Pri").status) == (1, "worse")
    assert "it is the search that changed (examples 0, now 3000)" in cell(result, "Pri").message


def test_a_declaration_that_went_away_takes_no_checks_with_it(tmp_path: Path) -> None:
    gain = "from axiomcheck import metric\n@metric(low=0, high=9)\n" + GOOD.lstrip()
    path = project(tmp_path, CONTRACT, gain=gain)
    updated(path)
    text = path.read_text(encoding="utf-8")
    assert updated(path).exit_code == 0
    assert path.read_text(encoding="utf-8") == text
    (tmp_path / "gain.py").write_text(gain.replace("low=0, high=9", ""), encoding="utf-8")
    result = updated(path)
    assert ("in-range", "worse") in [(j.asked, j.status) for j in result.broken]
    assert gated(path).exit_code == 0


@pytest.mark.usefixtures("no_checks")
def test_a_changed_helper_is_noticed_in_spite_of_the_cache(tmp_path: Path) -> None:
    helper = "def discount(k):\n    return 2 ** (k + 1)\n"
    gain = "from helper import discount\n" + GOOD.replace("2 ** (k + 1)", "discount(k)")
    path = project(tmp_path, CONTRACT, gain=gain, helper=helper)
    updated(path)
    assert gated(path).cached > 0
    (tmp_path / "helper.py").write_text(helper.replace("2 ** (k + 1)", "2"), encoding="utf-8")
    result = gated(path)
    assert result.cached == 0
    assert cell(result, "Pri").status == "worse"
    assert "The metric's code changed" in cell(result, "Pri").message
