"""Files as people write them: proofs that a colleague's copy replays, and words that are true."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from axiomcheck import Verdict, as_metric, find_axiom
from axiomcheck.cli.program import main
from axiomcheck.decide.search import Settings
from axiomcheck.engine.run import run_matrix

FILE = """
import functools
import logging
from fractions import Fraction

import numpy as np

import axiomcheck
from axiomcheck.numbers.discount import Geometric
from axiomcheck.metrics import FoldMetric
from axiomcheck.metrics.fold import Additive

log = logging.getLogger(__name__)
NAMES = {"a", "b"}


class Lazy(FoldMetric):
    summary = source = "mine"
    _fold = None

    def fold(self):
        log.debug("folding %s", NAMES)
        if self._fold is None:
            self._fold = Additive(Geometric(Fraction(4, 5)))
        return self._fold


@functools.lru_cache
def table(n):
    return tuple(Fraction(4, 5) ** i for i in range(n))


@axiomcheck.metric(single_aspect=True)
def tabled(grades, weights):
    return (grades[..., 0] * axiomcheck.exactly(table(grades.shape[1]), like=grades)).sum(axis=1)
"""
NAMES = ("Lazy", "tabled")


def invoke(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mine")
    (folder / "mine.py").write_text(FILE, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        metrics = [f"mine.py:{name}" for name in NAMES]
        done = invoke("matrix", *metrics, "-a", "Pri", "--examples", "50", "-f", "json", "-o", "r.json")
    assert done.exit_code == 0, done.output
    return folder / "r.json"


def test_honest_metrics_of_a_file_are_proved(report: Path) -> None:
    cells = json.loads(report.read_text(encoding="utf-8"))["cells"]
    assert [cell["verdict"] for cell in cells] == ["proved", "bounded"]


def test_a_copy_in_another_folder_replays_and_an_edited_one_does_not(
    report: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(report.parent / "mine.py", tmp_path)
    monkeypatch.chdir(tmp_path)
    named = [word for name in NAMES for word in ("--metric", f"mine.py:{name}")]
    done = invoke("replay", str(report), *named)
    assert "0 witnesses confirmed, 2 certificates checked" in done.output
    (tmp_path / "mine.py").write_text(FILE.replace("(4, 5)", "(3, 5)"), encoding="utf-8")
    edited = invoke("replay", str(report), *named)
    assert edited.exit_code == 2
    assert "identity is that of another metric or of other code" in edited.stderr


def test_a_metric_that_needs_two_aspects_is_tried_on_two() -> None:
    def spread(grades, weights):  # type: ignore[no-untyped-def]
        return grades.sum(axis=(1, 2)) / (grades.shape[2] - 1)

    axioms = [find_axiom("Pri"), find_axiom("Red")]
    one, several = run_matrix(
        [as_metric(spread, "x:spread")], axioms, settings=Settings(examples=50, exhaustive=False, proofs=False)
    ).cells
    assert one.verdict is Verdict.ERROR
    assert several.verdict is not Verdict.ERROR
