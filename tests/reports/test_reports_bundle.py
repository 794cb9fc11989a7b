"""Bundles: the tables of equivalences and the folders, held to the tool itself."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec import structs

from axiomcheck.axioms import AXIOMS
from axiomcheck.cli.documents import file_names
from axiomcheck.cli.program import main
from axiomcheck.core.documents import document_of
from axiomcheck.decide.search import Settings
from axiomcheck.engine.run import run_matrix
from axiomcheck.metrics import Metric, paper_rows, parse
from axiomcheck.metrics.adhoc import AveragePrecision
from axiomcheck.records.cells import Ledger
from axiomcheck.records.witnesses import PairWitness
from axiomcheck.reports.bundle import bundle_of
from axiomcheck.reports.bundle.tools import MEASURES, ToolCall, judgments_of, run_text, tool_call
from axiomcheck.reports.formats import to_json
from axiomcheck.sources.resolve import resolve
from tests.reports.bundles_in_tool import Drawn, differences, drawn, scored, written
from tests.reports.reports_ledgers import compared_by_dominance, document, entry, real
from tests.support.suites import each, quality


def in_the_tool(test: Any) -> Any:
    """Mark a test that has ir_measures score with the libraries that it calls."""
    for name in ("ir_measures", "pyndeval", "cwl"):
        test = pytest.mark.extra(name)(test)
    return test


NAMES = (
    *("P@3", "RR", "RR@2", "AP", "AP@2", "nDCG", "nDCG@3"),
    *("trec-ERR-IA@2", "trec-alpha-DCG(alpha=0.3)@5", "trec-NRBP", "trec-AP-IA", "trec-P-IA@2", "trec-S-Recall@2"),
)


SETTINGS = Settings(examples=200, exhaustive=False, proofs=False)


def calls_of(metric: Metric, shown: Drawn, folder: Path) -> list[ToolCall]:
    """Return the call for an instance, which printed what was said; none where there is none."""
    call = tool_call(metric, shown.instance, shown.worse, shown.better, shown.kind)
    if isinstance(call, str):
        return []
    (folder / "qrels.txt").write_text(judgments_of(metric, shown.instance).qrels, encoding="utf-8")
    for name in ("worse", "better"):
        (folder / f"{name}.run").write_text(run_text(getattr(shown.instance, name), name), encoding="utf-8")
    assert differences(call, folder) == [], (metric, shown)
    return [call]


def in_tool(name: str, number: int, folder: Path) -> list[ToolCall]:
    """The calls for instances drawn at random."""
    metric = parse(name)
    return [call for shown in drawn(metric, number, 7) for call in calls_of(metric, shown, folder)]


@in_the_tool
@each("name", NAMES, 8)
def test_the_tool_prints_what_is_said(name: str, tmp_path: Path) -> None:
    found = in_tool(name, 12, tmp_path)
    assert found, "none of the instances is one that the tool has"
    assert any(float(call.worse) for call in found)


def test_every_line_of_the_table_is_run() -> None:
    assert {*MEASURES} == {type(parse(name)) for name in NAMES}


@in_the_tool
def test_a_wrong_measure_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(MEASURES, AveragePrecision, "RR")
    with pytest.raises(AssertionError, match="is said"):
        in_tool("AP", 12, tmp_path)


def test_somebody_elses_metric_is_not_in_the_table() -> None:
    class Other(AveragePrecision):
        def scale(self, aspects: int) -> Any:
            return 2

    for shown in drawn(parse("AP"), 2, 7):
        given = (shown.instance, shown.worse, shown.better, shown.kind)
        assert isinstance(tool_call(parse("AP"), *given), ToolCall)
        assert isinstance(tool_call(Other(), *given), str)


# Folders


def witness_of(metric: str, axiom: str, ledger: Ledger | None = None) -> Any:
    """Return the witness of a cell, in the real run that has ties, reversals and arguments about every n."""
    cells = (ledger or real()).cells
    (found,) = (cell.witness for cell in cells if cell.metric.startswith(metric) and cell.axiom == axiom)
    assert found is not None
    return found


@cache
def of_the_paper() -> Ledger:
    """The metrics and axioms of the default matrix that have findings, so that every refuted one is there."""
    axioms = [AXIOMS[name] for name in ("Pri", "Deep", "Conf", "AspDiv")]
    return run_matrix(
        [*paper_rows(), parse("RBP(p=0.612)")], axioms, settings=replace(SETTINGS, examples=60, exhaustive=False)
    )


@quality
@in_the_tool
def test_every_bundle_is_what_the_tool_prints(tmp_path: Path) -> None:
    found = 0
    for number, cell in enumerate(of_the_paper().cells):
        if not isinstance(cell.witness, PairWitness):
            continue
        bundle = bundle_of(cell.witness, parse(cell.metric))
        call = bundle.call
        assert differences(call, written(bundle, tmp_path / str(number))) == [], (cell.metric, cell.axiom)
        for command, score in zip(call.commands, (call.worse, call.better), strict=True) if call else ():
            assert f"$ {command}\n{call.measure}\t{score}\n" in bundle.files["README.md"]
        assert (call is None) is bool(bundle.reason)
        found += call is not None
    assert found >= 4


def test_a_page_says_why_no_tool_has_a_witness() -> None:
    bundle = bundle_of(witness_of("NRBP", "Pri"), parse("NRBP"))
    assert bundle.call is None
    assert bundle.reason == "No measure of ir_measures is known to be NRBP on this topic."
    bundle = bundle_of(witness_of("P@H-RBP", "Deep", compared_by_dominance()), parse("P@H-RBP(order=dominance)"))
    assert bundle.reason == "The metric compares distributions of scores, which no measure of ir_measures does."
    assert "`axiomcheck replay witness.json` scores the two rankings again" in bundle.files["README.md"]


def test_a_difference_below_the_tools_digits_is_said() -> None:
    metric = parse("nDCG")
    shown = next(drawn(metric, 1, 7))
    for gap, shows in ((Fraction(1, 10**4), True), (Fraction(1, 10**13), False)):
        found = tool_call(metric, shown.instance, str(Fraction(1, 2) + gap), "1/2", "reversal")
        assert isinstance(found, ToolCall) is shows
        assert shows or "differ by less than shows in what it prints" in str(found)


def test_a_hostile_name_is_text() -> None:
    witness = witness_of("AP", "Deep")
    page = bundle_of(structs.replace(witness, metric=HOSTILE), parse("AP")).files["README.md"]
    assert "\x1b" not in page
    assert page.count("<script>") == page.count("\\<script>") > 0
    assert "y" * 300 not in page


HOSTILE = 'x.py:<script>"""\\\n\x1b[31m|`$(rm)`' + "y" * 5000


@in_the_tool
@each(
    ("measure", "axiom", "provider"),
    [
        ("P(rel=2)@3", "Pri", ""),
        ("P_IA@3", "AspRel", ""),
        ("cwl_eval:P@3", "Pri", "cwl_eval"),
        ("nDCG(dcg='exp-log2')@3", "Deep", ""),
    ],
    2,
)
def test_a_measure_of_ir_measures_is_itself(measure: str, axiom: str, provider: str, tmp_path: Path) -> None:
    """On the judgments of its adapter, where its scores are floats."""
    metric = resolve(f"ir_measures:{measure}")
    calls = []
    for turn, shown in enumerate(drawn(parse("RR-IA" if axiom == "AspRel" else "P@3"), 8, 7)):
        if turn % 5 > 1:
            continue  # grades that the library does not take
        again = scored(metric, shown.instance)
        found = calls_of(metric, again, tmp_path)
        assert all(call.provider == provider for call in found)
        calls += found
    assert any(float(call.worse) for call in calls)


# The command


def invoke(*words: Any) -> Any:
    return CliRunner().invoke(main, ["bundle", *map(str, words)])


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """The real run's JSON."""
    path = tmp_path / "report.json"
    path.write_text(to_json(real()), encoding="utf-8")
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The JSON of the witness of AP and Deep."""
    path = tmp_path / "w.json"
    path.write_text(json.dumps(document_of(witness_of("AP", "Deep"))), encoding="utf-8")
    return path


def test_a_report_becomes_a_folder_per_witness(report: Path, tmp_path: Path) -> None:
    done = invoke(report, "-o", tmp_path / "out", "-m", "AP", "-m", "NRBP")
    assert done.exit_code == 0, done.output
    folders = {path.name for path in (tmp_path / "out").iterdir()}
    assert folders > {"AP-Deep", "NRBP_p=0.8__alpha=0.5_-Pri"}
    assert {name.split("-")[0] for name in folders} == {"AP", "NRBP_p=0.8__alpha=0.5_"}
    files = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "out" / "AP-Deep").iterdir()}
    assert files == bundle_of(witness_of("AP", "Deep"), parse("AP")).files
    assert "AP, Deep: ir_measures AP" in done.stdout
    assert "Pri: no measure of ir_measures" in done.stdout


def test_a_witness_becomes_a_folder(file: Path, tmp_path: Path) -> None:
    done = invoke(file, "-o", tmp_path / "out", "-f", "json")
    assert done.exit_code == 0
    (said,) = json.loads(done.stdout)["bundles"]
    bundle = bundle_of(witness_of("AP", "Deep"), parse("AP"))
    assert bundle.call is not None
    assert tuple(said["call"]["commands"].values()) == bundle.call.commands
    assert (said["folder"], said["scores"]["worse"], said["reason"]) == (str(tmp_path / "out"), bundle.worse, None)
    assert (tmp_path / "out" / "README.md").is_file()
    left_out = invoke(file, "-o", tmp_path / "other", "-m", "RR")
    assert left_out.exit_code == 2
    assert "is a witness of AP, which --metric leaves out" in left_out.stderr
    assert not (tmp_path / "other").exists()


def test_altered_witnesses_and_what_cannot_be_are_refused_in_a_line(report: Path, tmp_path: Path) -> None:
    altered = document()
    entry(altered, "AP", "Deep")["witness"]["scores"]["worse"] = "1/2"
    (tmp_path / "altered.json").write_text(json.dumps(altered))
    for words, said in (
        ((tmp_path / "altered.json", "-o", tmp_path / "out", "-m", "AP"), "AP, Deep: witness: scores.worse is '1/2'"),
        ((report, "-o", tmp_path / "out", "-m", "P@3"), "no witness of what was asked for"),
        ((report, "-o", report / "below", "-m", "AP"), "cannot write to"),
    ):
        done = invoke(*words)
        assert done.exit_code == 2, said
        assert said in done.stderr, done.stderr
        assert not (tmp_path / "out").exists()


def test_names_of_folders_are_short_and_apart(tmp_path: Path) -> None:
    names = ["a b", "a_b", "A_B", "a_b-Pri", "y" * 5000, "y" * 4999 + "z", "../up", "\x00<>", "\u00e9" * 300]
    cells = [(name, axiom) for name in names for axiom in ("Pri", "Pri-2", "Pri")]
    found = list(file_names(cells))
    assert len({name.casefold() for name in found}) == len(cells)
    for name in found:
        (tmp_path / f"{name}.json").touch()
    assert len(list(tmp_path.iterdir())) == len(cells)
    assert max(len(name.encode()) for name in found) < 150
    assert found[0] == "a_b-Pri"


def test_files_of_others_are_not_written_over(file: Path, tmp_path: Path) -> None:
    for name, kept in (("README.md", "mine"), ("worse.run", "mine"), ("witness.json", file.read_text())):
        folder = tmp_path / name.partition(".")[0]
        folder.mkdir()
        (folder / name).write_text(kept, encoding="utf-8")
        done = invoke(file, "-o", folder)
        assert done.exit_code == 2
        assert f"it has {name}, which would be overwritten" in done.stderr
        assert {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()} == {name: kept}
    other = tmp_path / "other"
    other.mkdir()
    (other / "notes.txt").write_text("mine", encoding="utf-8")
    for _ in range(2):  # beside files of other names, and over an earlier bundle
        assert invoke(file, "-o", other).exit_code == 0
    assert (other / "notes.txt").read_text(encoding="utf-8") == "mine"
