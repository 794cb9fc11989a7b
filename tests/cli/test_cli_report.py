"""`axiomcheck report`: saved reports in other formats, on one page; what it refuses."""

import json
from pathlib import Path
from typing import Any

import pytest

from axiomcheck import AXIOMS, Reading, Regime, parse
from axiomcheck.decide.search import Settings
from axiomcheck.engine.run import run_matrix
from axiomcheck.records.matrix import from_document
from axiomcheck.reports.formats import render
from tests.support.commands import command


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("reports")
    for regime in (Regime.STATED, Regime.FINITE):
        ledger = run_matrix([parse("P@3")], [AXIOMS["Conf"]], Reading(regime), Settings(examples=50, proofs=False))
        (made / f"{regime.value}.json").write_text(render(ledger, "json"), encoding="utf-8")
    return made


def report(folder: Path, *words: str) -> Any:
    named = [str(folder / word) if word.endswith(".json") else word for word in words]
    return command("report", *named)


@pytest.mark.parametrize("form", ["json", "markdown", "csv", "html", "latex"])
def test_a_saved_report_is_told_as_the_run_would_tell_it(folder: Path, form: str) -> None:
    done = report(folder, "stated.json", "--format", form)
    assert done.exit_code == 0
    ledger = from_document(json.loads((folder / "stated.json").read_text(encoding="utf-8")))
    assert done.stdout == render(ledger, form)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("stated.json", "finite.json", "-f", "csv"), "reports of 2 readings were given; --format html shows several"),
        (("stated.json", "-f", "html", "-o", "no/where.html"), "no is not a writable directory"),
        (("stated.json", "-f", "html", "-o", "new/"), "a name that ends in a slash means a folder"),
    ],
)
def test_refused_reports_write_nothing(folder: Path, words: tuple[str, ...], said: str) -> None:
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    done = report(folder, *words)
    assert done.exit_code == 2
    assert said in done.stderr
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before


def test_reports_of_other_metrics_become_the_report_of_one_run(folder: Path, tmp_path: Path) -> None:
    metrics, settings = [parse("P@3"), parse("RR")], Settings(examples=50, proofs=False)
    for number, chosen in enumerate((metrics[:1], metrics[1:], metrics)):
        text = render(run_matrix(chosen, [AXIOMS["Conf"]], Reading(), settings), "json")
        (tmp_path / f"{number}.json").write_text(text, encoding="utf-8")
    assert report(tmp_path, "0.json", "1.json", "-f", "json").stdout == text
    (tmp_path / "3.json").write_text(render(run_matrix([parse("RBP")], [AXIOMS["Sat"]], settings=settings), "json"))
    done = report(tmp_path, "0.json", "3.json", "-f", "csv")
    assert (done.exit_code, "they have different axioms" in done.stderr) == (2, True)
