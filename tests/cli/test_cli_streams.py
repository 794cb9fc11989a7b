"""Standard streams that cannot take what is printed: full disks, readers that went away, and names that misbehave."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from axiomcheck.axioms import find_axiom
from axiomcheck.cli.program import main
from axiomcheck.cli.streams import guarded_streams
from axiomcheck.core.documents import document_of
from axiomcheck.core.domain import Reading
from axiomcheck.decide.search import Settings
from axiomcheck.engine.matrix import run_matrix
from axiomcheck.ledger import LedgerFile
from axiomcheck.metrics import parse
from axiomcheck.records.matrix import to_json

FULL = Path("/dev/full")
COMMANDS = {
    "help": ["--help"],
    "version": ["--version"],
    "matrix": ["matrix", "-m", "RBP", "-a", "Conf", "--examples", "50", "-j", "1", "--no-proof"],
    "matrix as CSV": ["matrix", "-m", "RBP", "-a", "Conf", "--examples", "50", "-j", "1", "--no-proof", "-f", "csv"],
    "check": ["check", "RBP", "-a", "Conf", "--examples", "50", "-j", "1"],
    "gate": ["gate", "--config", "axiomcheck.toml", "-j", "1"],
    "gate as JSON": ["gate", "--config", "axiomcheck.toml", "-j", "1", "--format", "json"],
    "prove": ["prove", "RBP", "Conf", "--examples", "50"],
    "region": ["region", "RBP", "CloseTh", "--over", "p=0.5:0.9"],
    "grid": ["grid", "RBP(p=0.5..0.9/2)", "-a", "Conf", "--examples", "50", "-j", "1"],
    "weakest": ["weakest", "RBP", "Conf", "--examples", "50"],
    "identity": ["identity", "P@1", "P@2"],
    "independence": ["independence", "--format", "json"],
    "replay": ["replay", "witness.json"],
    "bundle": ["bundle", "witness.json", "-o", "folder"],
    "diff": ["diff", "matrix", "matrix"],
    "score": ["score", "P@1", "--qrels", "qrels", "--run", "run"],
    "compare": ["compare", "run", "other", "--qrels", "qrels", "-m", "P@1", "--samples", "20"],
    "report": ["report", "matrix"],
    "report as a page": ["report", "matrix", "-f", "html"],
    "join": ["join", "matrix", "unanimity"],
    "wild": ["wild", "P@1", "--qrels", "qrels", "--run", "run"],
    "unanimity": ["unanimity", "P@1", "RR", "--qrels", "qrels", *["--run", "run"] * 2, "--bootstrap", "9"],
    "informativeness": ["informativeness", "AP", "--qrels", "qrels", "--run", "run", "-j", "1"],
    "simulate": ["simulate", "--run", "1,0", "--users", "10"],
    "claims": ["claims"],
    "explain": ["explain", "Pri"],
    "explain as JSON": ["explain", "Pri", "--format", "json"],
    "replay as JSON": ["replay", "witness.json", "--format", "json"],
    "list": ["list", "metrics"],
    "list as JSON": ["list", "axioms", "--format", "json"],
    "ledger": ["ledger", "show"],
    "ledger as JSON": ["ledger", "show", "-f", "json"],
    "ledger's entries": ["ledger", "export", "-"],
    "ledger cleared": ["ledger", "gc"],
    "completion": ["completion", "bash"],
}


def test_every_command_is_among_them() -> None:
    assert {words[0] for words in COMMANDS.values()} == {
        "--help",
        "--version",
        *main.list_commands(click.Context(main)),
    }


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with what the commands read; what takes them long is left out."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AXIOMCHECK_LEDGER", "kept")
    kept = LedgerFile("kept")
    kept.put("key", "content", about={"kind": "test"})
    kept.close()
    monkeypatch.setattr("axiomcheck.checks.metric.run_contract", lambda *_, **__: [])
    monkeypatch.setattr("axiomcheck.gating.run.check_outcomes", lambda *_: [])
    monkeypatch.setattr("axiomcheck.cli.independence.study", lambda *_, **__: [])
    monkeypatch.setattr("axiomcheck.cli.claims._PAPERS", {})
    files = {
        "qrels": "1 0 a 1\n2 0 a 1\n",
        "run": "1 Q0 a 1 2 t\n2 Q0 a 1 2 t\n",
        "other": "1 Q0 b 1 2 t\n2 Q0 b 1 2 t\n",
        "axiomcheck.toml": 'examples = 1\n[metrics."RBP".axioms]\nConf = "holds"\n',
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    ledger = run_matrix([parse("P@1")], [find_axiom("Conf")], Reading(), Settings(0, 1, proofs=False))
    (tmp_path / "matrix").write_text(to_json(ledger), encoding="utf-8")
    mu = {
        "schema": "axiomcheck/unanimity",
        "version": 1,
        "scenario": "official",
        "set": [],
        "metrics": [{"metric": "P@1", "mu": 1}],
    }
    (tmp_path / "unanimity").write_text(json.dumps(mu), encoding="utf-8")
    return tmp_path


@pytest.fixture(scope="module")
def witness() -> dict[str, Any]:
    (cell,) = run_matrix([parse("RBP")], [find_axiom("Conf")], Reading(), Settings(0, 1, proofs=False)).cells
    assert cell.witness is not None
    return document_of(cell.witness)


def run_into(stream: Any, words: list[str], monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    """Exit code and stderr of a command whose standard output is that stream."""
    said = io.BytesIO()
    with monkeypatch.context() as context, stream:
        context.setattr(sys, "stdout", stream)
        context.setattr(sys, "stderr", io.TextIOWrapper(said, "utf-8"))
        with pytest.raises(SystemExit) as ended:
            main(words, prog_name="axiomcheck")
        code, text = ended.value.code or 0, said.getvalue().decode()
    assert isinstance(code, int)
    return code, text


@pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_disk_is_said_and_is_no_verdict(
    command: str, place: Path, witness: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    (place / "witness.json").write_text(json.dumps(witness), encoding="utf-8")
    code, said = run_into(FULL.open("w", encoding="utf-8"), COMMANDS[command], monkeypatch)
    assert (code, said.splitlines()[-1]) == (2, "Error: cannot write to standard output: No space left on device")
    assert "Traceback" not in said


@pytest.mark.parametrize("command", ["help", "list", "list as JSON", "explain", "score", "matrix as CSV", "gate"])
def test_a_reader_that_went_away_ends_it_quietly(command: str, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    assert run_into(os.fdopen(writing, "w", encoding="utf-8"), COMMANDS[command], monkeypatch) == (141, "")


@pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    ("ending", "code", "said"),
    [
        ("| head -2 > /dev/null", 141, ""),
        ("> /dev/full", 2, "Error: cannot write to standard output: No space left on device\n"),
        (">&-", 0, ""),
        ("> /dev/full 2> /dev/full", 2, ""),
    ],
)
def test_the_interpreter_has_nothing_to_add_when_it_ends(ending: str, code: int, said: str) -> None:
    script = f'set -o pipefail; "{sys.executable}" -m axiomcheck list metrics {ending}'
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (code, said)


def test_an_error_on_a_full_stderr_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    if not FULL.exists():
        pytest.skip("needs /dev/full")
    with monkeypatch.context() as context, FULL.open("w", encoding="utf-8") as full:
        context.setattr(sys, "stderr", full)
        with pytest.raises(SystemExit) as ended:
            main(["explain", "Prii"])
    assert ended.value.code == 2


@pytest.mark.parametrize(
    "words", [["ODD"], ["list", "ODD"], ["list", "metrics", "ODD"], ["list", "--ODD"], ["explain", "ODD"]]
)
def test_what_was_typed_is_said_escaped(words: list[str]) -> None:
    typed = [word.replace("ODD", "\u202e\x1b[31m") for word in words]
    done = CliRunner().invoke(main, typed)
    assert (done.exit_code, "\x1b" in done.stderr, "\u202e" in done.stderr) == (2, False, False)
    assert r"\u202e\u001b[31m" in done.stderr or r"\u202e\x1b[31m" in done.stderr


def test_help_is_not_cut() -> None:
    assert " ".join(CliRunner().invoke(main, []).output.split()).endswith("as in '| head'.")


ODD = "\x1b[31m \x9b \x00 \u202e \u2066 \u200f \u200e \ufeff \ud800 \U000e0001"
SHOWN = r"\u001b[31m \u009b \u0000 \u202e \u2066 \u200f \u200e \ufeff \ud800 \udb40\udc01"


def test_streams_show_what_would_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, "ascii"))
    with guarded_streams():
        print(f"{ODD} é\t😀\r\n", end="")
    colours = SHOWN.replace(r"\u001b", "\x1b")  # are a terminal's own
    assert written.getvalue().decode() == rf"{colours} \u00e9" + "\t" + r"\ud83d\ude00" + "\r\n"


def test_json_is_the_same_document_whatever_can_be_encoded(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, "ascii"))
    text = json.dumps([ODD, "é 😀 ○ \\u0041"], ensure_ascii=False)
    with guarded_streams():
        print(text)
    assert json.loads(written.getvalue()) == json.loads(text)


METRIC = """
def gain(grades, weights):
    raise ValueError("=cmd\\x1b[31m|\\u202e" + "x" * 10_000_000)
"""


@pytest.fixture(scope="module")
def misbehaving(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a metric whose file's name and message have everything in them."""
    directory = tmp_path_factory.mktemp("misbehaving")
    (directory / "=1+\u202e\x1b[31m.py").write_text(METRIC, encoding="utf-8")
    return directory


@pytest.mark.parametrize("style", ["table", "csv", "markdown", "json"])
def test_names_and_messages_are_shown_escaped_and_cut(
    style: str, misbehaving: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(misbehaving)
    name = "=1+\u202e\x1b[31m.py:gain"
    written = misbehaving / "out"
    stream = written.open("w", encoding="utf-8")
    words = ["matrix", "-m", name, "-a", "Pri", "--examples", "1", "-j", "1", "-f", style]
    assert run_into(stream, words, monkeypatch) == (4, "")
    text = written.read_text(encoding="utf-8")
    assert len(text) < 10_000
    assert text.replace("\n", "").isprintable()
    if style == "json":
        (cell,) = json.loads(text)["cells"]
        assert (cell["metric"], cell["verdict"]) == (name, "error")
    else:
        assert r"\u202e" in text.replace("\\\\", "\\")
        assert r"\u001b" in text.replace("\\\\", "\\")
    if style == "csv":
        assert next(csv.DictReader(io.StringIO(text)))["metric"] == r"'=1+\u202e\u001b[31m.py:gain"


@pytest.mark.parametrize(
    "words",
    [
        ["matrix", "-m", "own.py:gain", "-a", "Conf", "-f", "csv", "-o", "own.py"],
        ["matrix", "-m", "RBP", "-a", "Conf", "-f", "json", "-o", "r.json", "--times", "./r.json"],
        ["matrix", "-m", "RBP", "-a", "Conf", "--expect", "r.json", "-f", "json", "-o", "r.json"],
        ["check", "own.py:gain", "-f", "json", "-o", "own.py"],
        ["prove", "own.py:gain", "Conf", "-f", "json", "-o", "own.py"],
        ["score", "P@1", "--qrels", "qrels", "--run", "run", "-o", "run"],
        ["replay", "witness.json", "-f", "json", "-o", "witness.json"],
        ["gate", "--config", "axiomcheck.toml", "--junit", "axiomcheck.toml"],
        ["gate", "--config", "axiomcheck.toml", "--junit", "x.xml", "--sarif", "x.xml"],
    ],
    ids=" ".join,
)
def test_what_is_read_or_written_already_is_not_overwritten(
    words: list[str], place: Path, witness: dict[str, Any]
) -> None:
    for name in ("witness.json", "r.json"):
        (place / name).write_text(json.dumps(witness), encoding="utf-8")
    (place / "own.py").write_text("def gain(grades, weights):\n    return grades[:, 0, 0]\n", encoding="utf-8")
    before = {file: file.read_bytes() for file in place.iterdir() if file.is_file()}
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 2, done.output
    assert "it is read, or written otherwise, by the same command" in done.output
    assert {file: file.read_bytes() for file in place.iterdir() if file.is_file()} == before
