"""Files of runs, judgments and weights: forms, malformed lines, files and names that are not as one thinks."""

import gzip
import io
import json
import os
import random
import sys
import tracemalloc
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from axiomcheck import InvalidInput, score
from axiomcheck.runs.trec import read_qrels, read_run, read_weights, rows, with_weights
from tests.runs.trec_data import judgments_of, lines_of
from tests.support.commands import command
from tests.support.suites import each, quality

Write: TypeAlias = Callable[[str | bytes], str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return what writes a text into a new file, and says its path."""

    def made(text: str | bytes) -> str:
        path = tmp_path / f"file{len(list(tmp_path.iterdir()))}"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return str(path)

    return made


RUN = "q1 Q0 a 1 2.5 tag\nq1 Q0 b 2 1.5 tag\n"
ADHOC = "q1 0 a 1\nq1 0 b 0\n"
DIVERSITY = "q1 1 a 1\nq1 2 a 0\nq1 1 b 0\nq1 2 b 3\n"


MALFORMED: dict[Callable[[str], object], list[tuple[str | bytes, str]]] = {
    partial(read_run, ranks=True): [
        ("", "no retrieved documents; expected lines of topic Q0 document rank score tag"),
        (RUN + "q1 Q0 c 3 0.5\n", "line 3: 5 columns; expected 6: topic Q0 document rank score tag"),
        ("\n\n" + RUN + "\nq1 Q0 c 3 high tag\n", "line 6: score 'high'; expected a finite number"),
        *(
            (f"{RUN}q1 Q0 c 3 {number} tag\n", f"line 3: score '{number}'; expected a finite number")
            for number in ("nan", "1_0", "-inf", "1e400")
        ),
        (b"\x1f\x8b\x08\x00 not gzip", "is not a complete gzip file"),
        (b"BZh91AY&SY", "is compressed by bzip2; expected plain text or gzip"),
    ],
    read_run: [
        ('{"qid": "1", "docno": "a", "score": 1}\n{"qid"', "line 2: invalid JSON; expected one JSON object per line"),
        ('{"qid": "1", "docno": "a"}', "has no column score; its columns are qid, docno"),
        ('{"qid": "1", "docno": "a", "score": 1, "score": 3}', "line 1: two values for 'score'; expected each"),
        ('{"qid": "1", "docno": "a", "score": 1}\n{"qid": "1", "score": 1}', "line 2: no docno; expected one on every"),
        ('{"qid": "1", "docno": "a", "score": 1}\n[1]', "line 2: JSON that is not an object"),
        ("qid,docno,score\n1,a\n", "line 2: 2 values; expected 3: qid docno score"),
        ("1\ta\tfirst\n", "line 1: rank 'first'; expected ranks 1, 2, 3 and so on"),
        ('qid,docno,score,query\nq,b,3,"foo\nbar"\n', "line 3: a value that spans several lines"),
        ("qid,docno,score\n1,,2\n", "line 2: doc_id ''; expected a one-line string"),
    ],
    read_qrels: [
        ("", "no judgments"),
        (ADHOC + "q1 0 c\n", "line 3: 3 columns; expected 4: topic iteration or aspect document grade"),
        *(
            (f"{ADHOC}q1 0 c {grade}\n", f"line 3: grade '{grade}'; expected an integer")
            for grade in ("1.5", "--1", "1_0", "99999999999")
        ),
        (ADHOC + "q1 0 a 2\n", "line 3: document 'a' of topic 'q1' has grade 2 here, but 1 on line 1; expected one"),
        ("q1 1 a 1\nq1 2 b 1\n", "several values in the second column, but no document has more than one of them"),
        ("qid,docno,label\n1,a,2\n1,b,1.5\n", "line 3: relevance 1.5; expected an integer"),
    ],
    read_weights: [
        ("q1 1 0.5 x\n", "line 1: 4 columns; expected 3: topic aspect weight"),
        *((f"q1 1 {weight}\n", f"line 1: weight '{weight}'") for weight in ("-1", "heavy", "inf")),
        ("q1 1 0.5\nq1 1 0.5\n", "line 2: a second weight for aspect '1' of topic 'q1'; expected one"),
    ],
}
"""Who reads a file -> texts, and what is said of each."""


@pytest.mark.parametrize(
    ("read", "text", "message"), [(read, *row) for read, rows in MALFORMED.items() for row in rows]
)
def test_a_malformed_file_is_refused_by_line(
    write: Write, read: Callable[[str], object], text: str | bytes, message: str
) -> None:
    path = write(text)
    with pytest.raises(InvalidInput) as caught:
        read(path)
    assert str(caught.value).startswith(path)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@each("block", [4096, 1 << 21, 100], 3)
def test_interleaved_lines_keep_their_numbers_and_their_order(
    write: Write, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In many small pieces that are merged, and in one that is sorted."""
    monkeypatch.setattr(rows, "BLOCK", block)
    rng = random.Random(4)
    lines = [(f"q{t}", f"d{n}", rng.randrange(100), rng.random()) for t in range(7) for n in range(60)]
    rng.shuffle(lines)
    run = read_run(write("".join(f"{t} Q0 {d} {k} {s!r} tag\n" for t, d, k, s in lines)), ranks=True)
    assert sum(len(lines_of(run, topic)[0]) for topic in run.topics) == len(lines)
    for topic in run.topics:
        documents, columns = lines_of(run, topic)
        expected = [(n, *row[1:]) for n, row in enumerate(lines, 1) if row[0].encode() == topic]
        names = [document.decode() for document in documents]
        assert list(zip(columns["line"], names, columns["rank"], columns["score"], strict=True)) == expected
    qrels = read_qrels(write("".join(f"{t} 0 {d} {k}\n" for t, d, k, _ in lines)))
    for topic in qrels.topics:
        assert judgments_of(qrels, topic) == ({d.encode(): [k] for t, d, k, _ in lines if t.encode() == topic}, [1.0])


def test_the_second_column_is_an_aspect_where_a_document_has_two(write: Write) -> None:
    assert read_qrels(write(DIVERSITY)).diversity
    assert not read_qrels(write(ADHOC)).diversity
    rounds = "q1 0.5 a 1\nq1 1 b 0\n"  # rounds of judging, as in TREC-COVID: each document once
    assert not read_qrels(write(rounds), "adhoc").diversity
    assert read_qrels(write(rounds), "diversity").aspects.tolist() == [2]
    with pytest.raises(InvalidInput, match="kind of qrels 'both': expected auto, adhoc, diversity"):
        read_qrels(write(ADHOC), "both")  # type: ignore[arg-type]


def test_repeated_judgments_are_counted_and_negative_grades_are_judged(write: Write) -> None:
    qrels = read_qrels(write(ADHOC + "q1 0 a 1\nq1 0 spam -2\n"))
    assert (qrels.repeated, qrels.highest) == (1, 1)
    assert qrels.judged.tolist() == [3]
    assert judgments_of(qrels, b"q1") == ({b"a": [1], b"b": [0], b"spam": [0]}, [1.0])


def test_weights_cover_aspects_without_judgments(write: Write) -> None:
    qrels = read_qrels(write(DIVERSITY))
    weights = read_weights(write("q1 3 2\nq1 1 1\nq1 2 1\nq9 1 1\n"))
    assert judgments_of(with_weights(qrels, weights, "weights"), b"q1")[1] == [0.25, 0.25, 0.5]
    weights = {b"q1": {b"1": 1e308, b"2": 1e308, b"3": 1e308}}  # whose sum no float holds
    assert judgments_of(with_weights(qrels, weights, "weights"), b"q1")[1] == [1 / 3] * 3
    assert judgments_of(qrels, b"q1")[1] == [1 / 2] * 2  # as they were
    with pytest.raises(InvalidInput, match="ad hoc qrels have no aspects"):
        with_weights(read_qrels(write(ADHOC)), {}, "w")


def test_a_run_of_many_blocks_takes_few_bytes_per_line_and_keeps_their_numbers(tmp_path: Path) -> None:
    """A plain list of rows takes some 500 bytes per line."""
    count, path = 60_000, tmp_path / "run"
    with path.open("w") as file:
        file.write("\n")
        file.writelines(f"q{n // 1000} Q0 clueweb12-0000tw-00-{n:05d} {n} {-n} tag\n" for n in range(count))
    tracemalloc.start()
    run: Any = read_run(path)
    kept, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    found = [lines_of(run, topic)[1] for topic in run.topics]
    assert [number for columns in found for number in columns["line"].tolist()] == [*range(2, count + 2)]
    assert [value for columns in found for value in columns["score"].tolist()] == [-n for n in range(count)]
    assert kept < 80 * count + rows.BLOCK  # of which the line itself takes 57, and a block may be left over
    assert peak < kept + 40 * rows.BLOCK
    with path.open("a") as file:
        file.write("\nq61 Q0 d 1 1 tag more\n")
    with pytest.raises(InvalidInput, match=f"line {count + 3}: 7 columns"):
        read_run(path)


TREC_RUN = "1 Q0 a 1 3.5 t\n1 Q0 b 2 2.5 t\n2 Q0 c 1 1.5 t\n"
QRELS = "1 0 a 1\n1 0 b 2\n2 0 d 1\n"
OF_PYTERRIER = "qid,docno,score\n1,a,3.5\n1,b,2.5\n2,c,1.5\n"
RUNS: dict[str, str | bytes] = {
    "comments": "# a run\n\n# of six words in this line\n1 Q0 a 1 3.5 t\n1 Q0 b 2 2.5 t\n#\n2 Q0 c 1 1.5 t\n",
    "MS MARCO": "1\ta\t1\n1\tb\t2\n2\tc\t1\n",
    "JSON Lines": '{"qid": "1", "docno": "a", "score": 3.5}\n\n{"qid": 1, "docno": "b", "score": "2.5"}\n'
    '{"qid": "2", "docno": "c", "score": 1.5}\n',
    "PyTerrier": 'qid,docid,docno,rank,score,query\n1,7,a,0,3.5,one\n1,8,b,1,2.5,one\n2,9,c,0,1.5,"two, three"\n',
    "comment as long as many lines": "#" + "x" * 200_000 + f"\n{TREC_RUN}",
    "header in a comment": f"# topic Q0 docno rank score tag\n{TREC_RUN}",
    "byte order mark alone": f"\ufeff\n{OF_PYTERRIER}",
    "quote between tabs": 'qid\tdocno\tscore\tquery\n1\ta\t3\t"foo\n1\tb\t2\tbar\n2\tc\t1\t"baz\n',
    "gzip": gzip.compress(TREC_RUN.encode()),
    "a byte order mark, tabs, CRLF and no end": f"\ufeff{TREC_RUN}".replace("\n", "\r\n").replace(" ", "\t", 3).strip(),
    "ranks alone": "qid,docno,rank\n1,a,0\n1,b,1\n2,c,0\n",
}
LINES_OF_TREC = ("comments", "in a comment", "many lines", "gzip", "no end")
"""Names of the kinds of files whose lines have a tag."""
JUDGED = {
    "comments": "# judged\n1 0 a 1\n1 0 b 2\n# more\n2 0 d 1\n",
    "JSON Lines": '{"query_id": "1", "doc_id": "a", "relevance": 1}\n{"query_id": "1", "doc_id": "b", "relevance": 2}\n'
    '{"query_id": "2", "doc_id": "d", "relevance": 1}\n',
    "PyTerrier": "qid,docno,label\n1,a,1\n1,b,2\n2,d,1\n",
    "BEIR": "query-id\tcorpus-id\tscore\n1\ta\t1\n1\tb\t2\n2\td\t1\n",
}


@pytest.mark.parametrize("kind", RUNS)
def test_a_run_is_the_same_whatever_its_file(write: Write, kind: str) -> None:
    run, plain = read_run(write(RUNS[kind])), read_run(write(TREC_RUN))
    assert list(run.topics) == [b"1", b"2"]
    assert [lines_of(run, topic)[0] for topic in run.topics] == [[b"a", b"b"], [b"c"]]
    assert (run.tag, plain.tag) == ("t" if kind.endswith(LINES_OF_TREC) else "", "t")
    expected = score(["nDCG", "RR"], write(QRELS), plain)
    assert score(["nDCG", "RR"], write(QRELS), run).per_topic == expected.per_topic
    assert expected.per_topic["1"]["nDCG"] < 1


@pytest.mark.parametrize("kind", JUDGED)
def test_judgments_are_the_same_whatever_their_file(write: Write, kind: str) -> None:
    expected = score(["nDCG", "RR"], write(QRELS), write(TREC_RUN))
    assert score(["nDCG", "RR"], write(JUDGED[kind]), write(TREC_RUN)).per_topic == expected.per_topic


def test_ranks_of_tables_are_there_for_rules_that_go_by_them(write: Write) -> None:
    table = "qid,docno,rank,score\n1,a,2,9\n1,b,1,5\n"
    assert score("RR", {"1": {"b": 1}}, write(table), ties="ndeval").mean == {"RR": 1.0}
    assert score("RR", {"1": {"b": 1}}, write(table)).mean == {"RR": 0.5}


THIRD = {
    "scores that fall": "1\ta\t9\n1\tb\t8\n1\tc\t7\n",
    "ranks from 0": "1 a 0\n1 b 1\n1 c 2\n",
}
"""Runs of three columns whose third is not 1..n in each topic."""


@pytest.mark.parametrize("kind", THIRD)
def test_a_third_column_that_may_be_scores_is_refused_with_both_readings(write: Write, kind: str) -> None:
    path = write(THIRD[kind])
    both = r"line \d: .*; expected ranks 1, 2, 3 .* --ties ndeval.*query_id doc_id score"
    with pytest.raises(InvalidInput, match=both):
        score("RR", {"1": {"a": 1}}, path)
    named = write("query_id doc_id score\n" + THIRD[kind].replace("\t", " "))
    first = "c" if kind == "ranks from 0" else "a"
    assert score("RR", {"1": {first: 1}}, named).mean == {"RR": 1.0}


def test_ranks_with_gaps_are_ranks_where_the_tie_rule_says_so(write: Write) -> None:
    assert score("RR", {"1": {"c": 1}}, write(THIRD["scores that fall"]), ties="ndeval").mean == {"RR": 1.0}


@quality
@pytest.mark.extra("ir_datasets")
def test_judgments_of_a_dataset(monkeypatch: pytest.MonkeyPatch, write: Write) -> None:
    import ir_datasets

    path = Path(write(QRELS))
    qrels = ir_datasets.formats.TrecQrels(ir_datasets.util.LocalDownload(path), {1: "relevant", 2: "very"})
    monkeypatch.setitem(ir_datasets.registry._registered, "axiomcheck-local", ir_datasets.Dataset(qrels))
    assert judgments_of(read_qrels("irds:axiomcheck-local"), b"1")[0] == {b"a": [1], b"b": [2]}
    with pytest.raises(InvalidInput, match="irds:no-such-set: ir_datasets has no dataset no-such-set"):
        read_qrels("irds:no-such-set")
    monkeypatch.setitem(ir_datasets.registry._registered, "axiomcheck-empty", ir_datasets.Dataset())
    with pytest.raises(InvalidInput, match="irds:axiomcheck-empty: "):
        read_qrels("irds:axiomcheck-empty")


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


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
    result = command("score", "RR", "--run", "one", "--run", "two", "--qrels", "q", "-f", "json")
    assert [scores["mean"] for scores in json.loads(result.stdout)] == [{"RR": 2 / 3}, {"RR": 1 / 3}]
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
        result = command("score", "RR", option, name, other, "small")
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
    result = command("score", "RR", "--qrels", "qrels", "--run", "run")
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
    result = command("score", "RR", "--qrels", "t", "--run", "t")
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
    with pytest.raises(InvalidInput, match="cannot read standard input: it is closed"):
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
    lines = command("score", "RR", "-q", "--qrels", "q", "--run", "r", "--run", "s").stdout.splitlines()
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
        said = command("score", "RR", "--qrels", "q", "--run", name).stderr.splitlines()
        assert said == [judged, "q: 1 line repeated", f"{name}: {told}"]
