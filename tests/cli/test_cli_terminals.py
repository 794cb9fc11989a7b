"""What commands print on terminals of all kinds, and in pipes."""

import contextlib
import fcntl
import os
import pty
import struct
import sys
import termios
import threading
from functools import partial
from pathlib import Path

import pytest

import axiomcheck.__main__
from tests.support.forked import as_started, axiomcheck_command, forked

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
