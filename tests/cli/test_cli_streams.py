"""Streams: full disks, readers that went away, names that misbehave; terminals of all kinds, and pipes."""

import contextlib
import fcntl
import io
import os
import pty
import struct
import subprocess
import sys
import termios
import threading
from functools import partial
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import axiomcheck.__main__
from axiomcheck.cli.program import guarded_streams, main
from tests.cli.test_command_conformance import FULL, NO_SPACE
from tests.support.forked import as_started, axiomcheck_command, forked
from tests.support.suites import each

needs_full = pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")


@needs_full
@each(
    ("ending", "code", "said"),
    [
        ("| (exec <&-; sleep 2)", 141, ""),  # a reader that ends at once
        (">&-", 2, f"{NO_SPACE.rpartition(':')[0]}: it is closed\n"),
    ],
    1,
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


WORDS = ["matrix", "NRBP", "-a", "Pri", "--examples", "50", "--no-proofs", "-j", "1"]
PLAIN = {key: os.environ[key] for key in ("PATH", "HOME", "AXIOMCHECK_LEDGER") if key in os.environ}


def on_terminal(*words: str, **environ: str) -> str:
    """Return what a command writes to a terminal of 80 columns, on both streams."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 80, 0, 0))
    found: list[bytes] = []
    reader = threading.Thread(target=_read, args=(ours, found))
    reader.start()
    done = forked(partial(_there, theirs, words), Path.cwd(), PLAIN | environ)
    os.close(theirs)
    reader.join()
    os.close(ours)
    assert done.code == 0, done.stderr
    return b"".join(found).decode()


def _read(terminal: int, found: list[bytes]) -> None:
    with contextlib.suppress(OSError):  # how Linux tells that the other end was closed
        while part := os.read(terminal, 65536):
            found.append(part)


def _there(terminal: int, words: tuple[str, ...]) -> None:
    for number in (1, 2):
        os.dup2(terminal, number)
    sys.stdout, sys.stderr = (os.fdopen(number, "w", encoding="utf-8", closefd=False) for number in (1, 2))
    as_started()
    sys.argv = ["axiomcheck", *words]
    axiomcheck.__main__.run()


def test_a_terminal_gets_colours_and_a_bar() -> None:
    text = on_terminal(*WORDS, TERM="xterm", LC_ALL="C.UTF-8")
    assert "\x1b[31m○" in text
    assert "\x1b[2K" in text


def test_no_colour_where_that_is_asked() -> None:
    text = on_terminal("explain", "Pri", TERM="xterm", NO_COLOR="1", LC_ALL="C.UTF-8")
    assert not any(f"\x1b[{colour}m" in text for colour in range(30, 38))
    assert "Priority" in text or "priority" in text


def test_a_dumb_terminal_gets_text_alone() -> None:
    text = on_terminal(*WORDS, TERM="dumb", LC_ALL="C.UTF-8")
    assert "\x1b" not in text
    assert text.lstrip(" ").startswith("Relevance-oriented")
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("told", [False, True])
def test_the_locale_c_gets_ascii_unless_an_encoding_was_told(told: bool) -> None:
    text = on_terminal("explain", "Pri", TERM="xterm", LC_ALL="C", **({"PYTHONUTF8": "1"} if told else {}))
    assert text.isascii() is not told


def test_a_pipe_gets_no_control_characters_unless_colour_is_forced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "\x1b" not in axiomcheck_command(WORDS, tmp_path).stdout
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[1m" in axiomcheck_command(WORDS, tmp_path).stdout  # bold: these tests run with NO_COLOR
