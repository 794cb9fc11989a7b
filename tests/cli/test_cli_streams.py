"""Standard streams that cannot take what is printed: full disks, readers that went away, and names that misbehave."""

import contextlib
import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from axiomcheck.cli.program import main
from axiomcheck.cli.streams import guarded_streams
from tests.cli.test_command_conformance import FULL, NO_SPACE, run_into
from tests.support.suites import each

needs_full = pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")


@needs_full
@each(
    ("ending", "code", "said"),
    [
        ("| (exec <&-; sleep 2)", 141, ""),  # a reader that ends at once
        ("> /dev/full", 2, f"{NO_SPACE}\n"),
        (">&-", 2, f"{NO_SPACE.rpartition(':')[0]}: it is closed\n"),
        ("> /dev/full 2> /dev/full", 2, ""),
    ],
    2,
)
def test_the_interpreter_has_nothing_to_add_when_it_ends(ending: str, code: int, said: str) -> None:
    script = f'set -o pipefail; "{sys.executable}" -m axiomcheck list metrics {ending}'
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (code, said)


@pytest.mark.parametrize("unbuffered", [True, False])
def test_what_a_stream_takes_in_part_is_written_on_or_is_an_error(
    unbuffered: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading, writing = os.pipe()
    os.set_blocking(writing, False)  # takes 64 KiB, and then nothing
    with open(writing, "wb", 0 if unbuffered else -1, closefd=False) as raw:
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, "utf-8", write_through=unbuffered))
        with pytest.raises(SystemExit) as ended, guarded_streams():
            click.echo("x" * 1_000_000)
        assert ended.value.code == 2
        os.close(reading)
        with contextlib.suppress(BrokenPipeError):
            sys.stdout.close()


@needs_full
def test_an_error_on_a_full_stderr_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as context, FULL.open("w", encoding="utf-8") as full:
        context.setattr(sys, "stderr", full)
        with pytest.raises(SystemExit) as ended:
            main(["explain", "Prii"])
    assert ended.value.code == 2


@pytest.mark.parametrize(
    "words", [["ODD"], ["list", "ODD"], ["list", "metrics", "ODD"], ["list", "--ODD"], ["explain", "ODD"]]
)
def test_typed_words_are_said_escaped(words: list[str]) -> None:
    typed = [word.replace("ODD", "\u202e\x1b[31m") for word in words]
    done = CliRunner().invoke(main, typed)
    assert (done.exit_code, "\x1b" in done.stderr, "\u202e" in done.stderr) == (2, False, False)
    assert r"\u202e\u001b[31m" in done.stderr or r"\u202e\x1b[31m" in done.stderr


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
    """Return a directory with a metric whose file's name and message have everything in them."""
    directory = tmp_path_factory.mktemp("misbehaving")
    (directory / "=1+\u202e\x1b[31m.py").write_text(METRIC, encoding="utf-8")
    return directory


@each("style", ["csv", "table", "markdown", "json"], 4)
def test_names_and_messages_are_shown_escaped_and_cut(
    style: str, misbehaving: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(misbehaving)
    name = "=1+\u202e\x1b[31m.py:gain"
    written = misbehaving / "out"
    stream = written.open("w", encoding="utf-8")
    words = ["matrix", name, "-a", "Pri", "--examples", "1", "-j", "1", "-f", style]
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
