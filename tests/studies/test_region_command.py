"""The command: text, JSON, pictures, exit codes, errors."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from axiomcheck.cli.program import main
from axiomcheck.core.errors import InternalDisagreement
from tests.support.suites import quality


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["region", *words])


def test_the_text_names_the_end_and_undecided_intervals_exit_with_4() -> None:
    exact = run("RBP", "CloseTh", "--over", "p=0.5:0.99")
    assert exact.exit_code == 0
    assert "p* = 0.754877666246692760049508896358..., the root of p**3 + p**2 - 1 in (3/4, 19/25)" in exact.output
    assert run("CT@6", "CloseTh", "--over", "rc=0.3:0.9", "--regime", "finite", "--depth", "1").exit_code == 4


@pytest.mark.extra("matplotlib")
@quality
@pytest.mark.parametrize("overs", [("p=0.5:0.99",), ("p=0.5:0.99", "alpha=0:1"), ("alpha=0:1", "k=2:5")])
def test_pictures_are_drawn_and_the_same_each_time(overs: tuple[str, ...], tmp_path: Path) -> None:
    words = [x for over in overs for x in ("--over", over)]
    drawn = []
    for number in range(2):
        svg, png = tmp_path / f"{number}.svg", tmp_path / f"{number}.png"
        outcome = run("NRBP", "CloseTh", *words, "--depth", "1", "--picture", str(svg), "--picture", str(png))
        assert outcome.exit_code in (0, 4), outcome.output
        drawn.append((svg.read_bytes(), png.read_bytes()))
    assert drawn[0] == drawn[1]
    svg_text = drawn[0][0].decode()
    assert drawn[0][1].startswith(b"\x89PNG")
    assert len(drawn[0][1]) > 5000
    assert "CloseTh of NRBP" in svg_text
    assert "dc:date" not in svg_text
    assert not list(tmp_path.glob(".*.tmp"))


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    outcome = run("RBP", "CloseTh", "--over", "p=0.5:0.99", "--picture", str(tmp_path / "a.svg"))
    assert outcome.exit_code == 2
    assert "pip install 'matplotlib>=" in outcome.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("RBP", "CloseTh", "--over", "q=0:1"),
            "RBP has no 'q' to vary here; expected 0 < p <= 1, 1 <= k <= 200, 0 < rc",
        ),
        (("RBP", "CloseTh", "--over", "p=0.5"), "expected NAME=LOW:HIGH"),
        (("RBP", "CloseTh", "--over", "p=0.5:2"), "p=2 is out of range; expected 0 < p <= 1"),
        (("RBP", "CloseTh", "--over", "p=0.9:0.5"), "expected LOW < HIGH"),
        (("RBP", "CloseTh", "--over", "p=a:b"), "expected a finite number"),
        (("RBP", "CloseTh", "--over", "k=0:5"), "expected whole numbers with 1 <= k <= 200"),
        (("RBP", "CloseTh", "--over", "k=1.5:5"), "expected whole numbers"),
        (("RBP", "CloseTh", "--over", "rc=0:1"), "ask in the finite regime"),
        (("RBP", "CloseTh", "--regime", "finite", "--over", "rc=0:2"), "expected 0 < rc <= 1"),
        (("RBP", "Pri", "--regime", "finite", "--over", "rc=0:1"), "no 'rc' to vary here"),
        (("RBP", "CloseTh", *("--over", "p=0.5:0.6") * 2), "one or two different parameters"),
        (("RBP@500", "CloseTh", "--over", "p=0.5:0.6"), "at most 200"),
        (("RBP", "CloseTh", "--over", "p=0.5:0.6", "--picture", "a.pdf"), "ends in .png or .svg"),
        (("RBP", "Nope", "--over", "p=0.5:0.6"), "unknown axiom"),
        (("Nope", "CloseTh", "--over", "p=0.5:0.6"), "unknown metric"),
        (("INST", "CloseTh", "--over", "T=1:10"), "zeta values are irrational"),
        (("P@H-RBP(order=dominance)", "Deep", "--over", "p=0.1:0.9"), "has no score; regions need one"),
        (("RBP", "Red", "--over", "p=0.5:0.6"), "several aspects"),
    ],
)
def test_input_that_cannot_be_used(words: tuple[str, ...], message: str) -> None:
    outcome = run(*words)
    assert outcome.exit_code == 2
    assert message in outcome.stderr


@pytest.mark.extra("matplotlib")
@pytest.mark.parametrize(("error", "code"), [(KeyboardInterrupt(), 130), (InternalDisagreement("planted"), 3)])
def test_nothing_is_written_when_it_ends_early(
    error: BaseException, code: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def stop(*args: Any) -> None:
        raise error

    monkeypatch.setattr("axiomcheck.api.region.region_of", stop)
    outcome = run(
        "RBP", "CloseTh", "--over", "p=0.5:0.6", "-o", str(tmp_path / "a.txt"), "--picture", str(tmp_path / "a.svg")
    )
    assert outcome.exit_code == code
    assert str(error) in outcome.stderr
    assert not list(tmp_path.iterdir())
