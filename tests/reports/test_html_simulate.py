"""The page of simulated users: the curve is the simulated distribution, the numbers are the terminal's."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from axiomcheck.metrics.browsing import Explicit, User
from axiomcheck.reports.html.plot import Scale
from axiomcheck.reports.html.simulate_page import study_page
from axiomcheck.reports.simulate_report import study_text
from axiomcheck.runs.simulate import study
from axiomcheck.runs.simulate.compared import RunStudy
from tests.reports.html_pages import HOSTILE, SHOWN, Page, check_self_contained

RUNS = ((1, 0, 1), (0, 1, 1))


@cache
def made(runs: int = 2) -> RunStudy:
    half = Fraction(1, 2)
    user = User(Explicit((half, half, Fraction(0)), (Fraction(0),) * 3), Fraction(0))
    return study(HOSTILE, user, [[Fraction(grade) for grade in run] for run in RUNS[:runs]], users=2000)


def height_at(path: str, x: float) -> float:
    """The pixel down at which a path of H and V runs at a pixel across."""
    across, down = (float(number) for number in re.match(r"M(\S+) ([\d.]+)", path).groups())  # type: ignore[union-attr]
    for letter, number in re.findall(r"([HV])([\d.]+)", path):
        if letter == "H" and float(number) > x:
            break
        across, down = (float(number), down) if letter == "H" else (across, float(number))
    return down


@pytest.mark.parametrize("number", [0, 1])
def test_the_curve_is_the_share_of_users(number: int) -> None:
    page = Page(study_page(made()))
    check_self_contained(page)
    path = page.all("path", **{"class": f"line-{number + 1}"})[0]["d"]
    values = made().simulations[number].values
    for x in (0.01, 0.2, 0.45, 0.6, 0.9):
        assert abs(values - x).min() > 0.001
        share = float(np.mean(values <= x))
        assert height_at(path, 62 + 640 * x) == pytest.approx(12 + 360 * (1 - share), abs=0.01)


@pytest.mark.parametrize("runs", [1, 2])
def test_it_says_what_the_terminal_says(runs: int) -> None:
    page = Page(study_page(made(runs)))
    assert SHOWN in page.shown
    text = study_text(made(runs)).replace(HOSTILE, "")
    for number in re.findall(r"\d\.\d{6}", text):
        assert number in page.shown
    for line in text.splitlines():
        if ": run" in line or "dominance" in line:
            assert line.split(": ")[1] in page.shown
        if " < x <= " in line:
            low, high, said = re.match(r"  (\S+) < x <= (\S+): (.*)", line).groups()  # type: ignore[union-attr]
            assert [low, high, said] in page.rows
    assert Scale(0, 1, 62, 702).at(0.5) == 382
