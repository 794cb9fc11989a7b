"""Files and names that are not as one thinks: told apart, read as they are, or refused in one line."""

import gzip
import io
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from axiomcheck import InvalidInput, score
from axiomcheck.cli.program import main
from axiomcheck.ledger import LedgerFile
from axiomcheck.runs.trec import read_qrels, read_run
from axiomcheck.runs.trec.tokens import Tokens
from tests.runs.trec_data import lines_of
from tests.support.suites import each


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def files(**contents: str | bytes) -> None:
    for name, content in contents.items():
        Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())


def test_names_that_are_no_utf_8_stay_different() -> None:
    files(
        q=b"q\xe9 0 a 1\nq\xe8 0 a 1\nq3 0 a 1\n",
        one=b"q\xe9 Q0 a 1 2 x\nq\xe8 Q0 b 1 2 x\nq3 Q0 a 1 2 x\n",
        two=b"q\xe9 Q0 b 1 2 y\nq\xe8 Q0 a 1 2 y\nq3 Q0 b 1 2 y\n",
    )
    assert list(score("RR", "q", "one").per_topic.values()) == [{"RR": 1.0}, {"RR": 0.0}, {"RR": 1.0}]
    result = run("compare", "RR", "--run", "one", "--run", "two", "--qrels", "q", "-f", "json")
    assert [metric["means"] for metric in json.loads(result.stdout)["metrics"]] == [{"x": 2 / 3, "y": 1 / 3}]
    first, second = (chr(0xD800 + k) for k in range(2))  # halves of pairs are names like others
    qrels = {first: {chr(0xDC80): 1}, second: {chr(0xDCE9): 1}}
    found = score("RR", qrels, {first: {chr(0xDC80): 1.0}, second: {"x": 1.0}})
    assert list(found.per_topic.values()) == [{"RR": 1.0}, {"RR": 0.0}]


@pytest.mark.parametrize("option", ["--qrels", "--run"])
@each("content", ["/dev/zero", b"\n", b"#" + bytes(9), b'{"qid": 1, "docno": "a"}\n', b"# 1\n"], 2)
def test_a_file_of_more_than_the_limit_is_refused(
    content: str | bytes, option: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit = 1 << 20
    monkeypatch.setattr("axiomcheck.runs.trec.lines.LARGEST", limit)
    if isinstance(content, bytes):
        packed = content * (limit // len(content) + 10)
        files(large=packed, packed=gzip.compress(packed))
    files(small="q 0 a 1\n" if option == "--run" else "q Q0 a 1 1 t\n")
    other = "--run" if option == "--qrels" else "--qrels"
    for name in ("large", "packed") if isinstance(content, bytes) else (content,):
        result = run("score", "RR", option, name, other, "small")
        assert result.exit_code == 2, result.output
        assert (
            result.stderr
            == f"Error: {name} is larger than {limit:,} bytes; expected a smaller file, or several parts\n"
        )


def test_a_file_that_memory_does_not_hold_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise MemoryError

    files(run="q Q0 a 1 1 t\n", qrels="q 0 a 1\n")
    monkeypatch.setattr("axiomcheck.runs.trec.lines._read_all", full)
    result = run("score", "RR", "--qrels", "qrels", "--run", "run")
    assert result.exit_code == 2
    assert "larger than memory holds; expected a smaller file, or several parts" in result.stderr


@pytest.mark.parametrize("rows", ["qid,docno,score\nq,a,1\n" * 50, "q Q0 a 1 1 t\n" * 50], ids=["named", "TREC"])
@each("cut", [12, 25, 3, -6], 2)
def test_damaged_gzip_is_said(rows: str, cut: int) -> None:
    files(t=gzip.compress(rows.encode())[:cut])
    with pytest.raises(InvalidInput, match=r"t is not a complete gzip file|t, line"):
        read_run("t")
    whole = bytearray(gzip.compress(os.urandom(300).hex().encode() + rows.encode()))
    whole[len(whole) // 2] ^= 0xFF
    files(t=bytes(whole))
    result = run("score", "RR", "--qrels", "t", "--run", "t")
    assert (result.exit_code, result.output[:8]) == (2, "Error: t")


class InParts(io.RawIOBase):
    """A stream of bytes that come in parts, as those of a slow pipe do."""

    def __init__(self, *parts: bytes) -> None:
        self._parts = [*parts]

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        part = self._parts.pop(0) if self._parts else b""
        buffer[: len(part)] = part
        return len(part)


@pytest.mark.parametrize(
    "parts",
    [
        (b"qid,do", b"cno,score\nq,a,1\n"),
        [bytes([byte]) for byte in gzip.compress(b"q Q0 a 1 1 t\n")],
    ],
    ids=["a header in two parts", "gzip byte by byte"],
)
def test_standard_input_may_come_in_parts_and_is_closed_at_times(
    parts: Sequence[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(InParts(*parts))))
    assert score("RR", {"q": {"a": 1}}, "-").mean == {"RR": 1.0}
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InvalidInput, match="standard input is closed"):
        score("RR", {"q": {"a": 1}}, "-")


def test_the_upper_end_of_inst_is_its_score_and_residual() -> None:
    qrels = {"1": {"a": 1, "b": 0}, "2": {"a": 1}}
    found = score(["INST", "INST-upper"], qrels, {"1": {"u": 3.0, "b": 2.0, "a": 1.0}}, complete=True)
    upper = {topic: values["INST-upper(T=3)"] for topic, values in found.per_topic.items()}
    residual = {topic: values["INST(T=3)"] for topic, values in found.residual_per_topic.items()}
    assert upper == {topic: pytest.approx(found.per_topic[topic]["INST(T=3)"] + residual[topic]) for topic in qrels}
    assert upper["2"] == pytest.approx(1.0)
    assert upper["1"] < 1
    assert "INST-upper(T=3)" not in found.residual
    empty = score("INST", {"1": {"a": 1}}, {"1": {"z": 3.0}}, unjudged="skip")
    assert (empty.mean, empty.residual) == ({"INST(T=3)": 0.0}, {"INST(T=3)": pytest.approx(1.0)})


def test_a_topic_called_all_is_a_topic() -> None:
    files(q="all 0 a 1\nq 0 b 1\n", r="all Q0 a 1 1 t\nq Q0 x 1 1 t\n", s="all Q0 x 1 1 s\nq Q0 b 1 1 s\n")
    lines = run("score", "RR", "-q", "--qrels", "q", "--run", "r", "--run", "s").stdout.splitlines()
    rows = [" ".join(line.split()) for line in lines if line.startswith(("t ", "s "))]
    assert rows[:3] == ["t all 1.0000", "t q 0.0000", "t all 0.5000"]
    assert rows[3:] == ["s all 0.0000", "s q 1.0000", "s all 0.5000"]


def test_one_topic_of_many_aspects_costs_what_it_has() -> None:
    """And not that much for every topic: 5,000 of one aspect and one of 3,000."""
    rows = [f"t{k} 0 a 1\n" for k in range(5000)] + [f"big {k} a {k % 2}\n" for k in range(3000)]
    files(q="".join(rows), g="1 x a 4\n1 y a 1\n1 y b 2\n2 x a 1\n2 y b 3\n")
    qrels = read_qrels("q", "diversity")
    assert qrels.grades.nbytes + sum(qrels.weights_of(place).nbytes for place in range(5001)) < 300_000
    found = score("S-Recall@5", "q", {"big": {"a": 1.0}, "t7": {"a": 1.0}}, qrels_kind="diversity").per_topic
    assert found == {"t7": {"S-Recall@5": 1.0}, "big": {"S-Recall@5": 0.5}}
    qrels = read_qrels("g", "diversity")
    assert qrels.grades.tolist() == [0, 2, 4, 1, 0, 3, 1, 0]
    assert qrels.largest(False).tolist() == [4, 4, 4, 4, 3, 3, 3, 3]  # gmax by topic, then by aspect
    assert qrels.largest(True).tolist() == [4, 2, 4, 2, 1, 3, 1, 3]


def test_a_long_name_among_equal_scores_costs_nothing() -> None:
    names = [b"d%05d" % k for k in range(1_000)] + [b"d" * 20_000, b"d" * 20_000 + b"e"]
    ranks = Tokens.of(names).ranks()
    assert [names[k][:8] for k in np.argsort(ranks)] == [name[:8] for name in sorted(names)]
    files(r=b"q Q0 " + b"d" * 70_000 + b" 1 1 t\n")
    with pytest.raises(InvalidInput, match="r, line 1: a column of 70,000 bytes; expected at most 65,536"):
        read_run("r")


def test_a_ledger_may_be_called_as_a_database_in_memory(place: Path) -> None:
    LedgerFile(":memory:").put("a", 1, about={})
    assert (place / ":memory:").exists()


def test_names_keep_what_is_no_blank() -> None:
    rows = [{"qid": "1", "docno": f"a{end}", "score": 1} for end in ("", "\x1c", "\u3000")]
    files(j="".join(json.dumps(row) + "\n" for row in rows), s="qid docno score\n1 a\u00a0b 3\n", b="{x Q0 a 1 1 t\n")
    assert len(set(lines_of(read_run("j"), b"1")[0])) == 3
    assert lines_of(read_run("s"), b"1")[0] == ["a\u00a0b".encode()]
    assert list(read_run("b").topics) == [b"{x"]


def test_lines_that_begin_with_a_mark_are_not_dropped_in_silence() -> None:
    """A topic may be called #1."""
    files(q="#1 0 a 1\n2 0 a 1\n#\n2 0 a 1\n", r="#1 Q0 a 1 2 t\n2 Q0 a 1 2 t\n", t="qid,docno,score\n#1,a,2\n2,a,2\n")
    told, judged = "ignored 1 line beginning with #", "q: ignored 2 lines beginning with #"
    for name in ("r", "t"):
        assert score("RR", "q", name).notes == (told, judged, "q: 1 line repeated")
        said = run("score", "RR", "--qrels", "q", "--run", name).stderr.splitlines()
        assert said == [judged, "q: 1 line repeated", f"{name}: {told}"]
