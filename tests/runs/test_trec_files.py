"""Reading runs, judgments and weights: what is accepted, and what every malformed line is told."""

import random
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from axiomcheck.core.errors import InvalidInput
from axiomcheck.runs.trec import lines, read_qrels, read_run, read_weights, with_weights
from tests.runs.conftest import Write
from tests.runs.trec_data import judgments_of, lines_of
from tests.support.suites import each

RUN = "q1 Q0 a 1 2.5 tag\nq1 Q0 b 2 1.5 tag\n"
ADHOC = "q1 0 a 1\nq1 0 b 0\n"
DIVERSITY = "q1 1 a 1\nq1 2 a 0\nq1 1 b 0\nq1 2 b 3\n"


MALFORMED: dict[Callable[[str], object], list[tuple[str | bytes, str]]] = {
    partial(read_run, ranks=True): [
        ("", "no retrieved documents; expected lines of topic Q0 document rank score tag"),
        ("\n \n", "no retrieved documents"),
        (RUN + "q1 Q0 c 3 0.5\n", "line 3: 5 columns; expected 6: topic Q0 document rank score tag"),
        (RUN + "q1 Q0 c 3 0.5 tag more", "line 3: 7 columns"),
        ("q1\n" + RUN, "line 1: 1 column; expected"),
        ("q1 Q0 a 1 2.5\ntag q1 Q0 b 2 1.5 tag\n", "line 1: 5 columns"),
        ("\n\n" + RUN + "\nq1 Q0 c 3 high tag\n", "line 6: score 'high'; expected a finite number"),
        *(
            (f"{RUN}q1 Q0 c 3 {number} tag\n", f"line 3: score '{number}'; expected a finite number")
            for number in ("nan", "1_0", "-inf", "1e400")
        ),
        (RUN + "q1 Q0 c third 1 tag\n", "line 3: rank 'third'; expected a whole number"),
        (RUN.encode() + b"q1 Q0 c 3 \xff tag\n", "line 3: score '\ufffd'; expected a finite number"),
        (b"\x1f\x8b\x08\x00 not gzip", "is not a complete gzip file"),
        (b"BZh91AY&SY", "is compressed by bzip2; expected plain text or gzip"),
    ],
    read_run: [
        ('{"qid": "1", "docno": "a", "score": 1}\n{"qid"', "line 2: invalid JSON; expected one JSON object per line"),
        ('{"qid": "1", "docno": "a", "score": 1}\n[1]', "line 2: JSON that is not an object"),
        ('{"qid": "1", "docno": "a"}', "has no column score; its columns are qid, docno"),
        ('{"qid": "1", "docno": "a", "score": 1e999}', "line 1: score inf; expected a finite number"),
        ('{"qid": "1", "docno": "a", "score": true}', "line 1: score True; expected a finite number"),
        (
            '{"qid": "1", "docno": "a", "score": 1, "score": 3}',
            "line 1: two values of 'score'; expected each",
        ),
        ('{"qid": "1", "docno": "a", "score": "high"}', "line 1: score 'high'; expected a finite number"),
        ('{"qid": "1", "docno": "a", "score": 1}\n{"qid": "1", "score": 1}', "line 2: no docno; expected one on every"),
        ('{"qid": ["1"], "docno": "a", "score": 1}', "line 1: query_id ['1']; expected a one-line string"),
        ('qid,docno,score,query\nq,b,3,"foo\nbar"\n', "line 3: a value that spans several lines"),
        ('qid,docno,score,query\nq,b,3,"foo\nq,a,2,bar\n', "line 3: unexpected end of data"),
        ("qid,docno,score\n1,a\n", "line 2: 2 values; expected 3: qid docno score"),
        ("qid,docno,score\n1,,2\n", "line 2: doc_id ''; expected a one-line string"),
        ("1\ta\t1\n1\tb\n", "line 2: 2 columns; expected 3: topic document rank"),
        ("1\ta\tfirst\n", "line 1: rank 'first'; expected ranks 1, 2, 3 and so on"),
        ("qid,docno,score\n", "no retrieved documents"),
        ("# nothing\n#\n", "no retrieved documents"),
    ],
    read_qrels: [
        ("", "no judgments"),
        (ADHOC + "q1 0 c\n", "line 3: 3 columns; expected 4: topic iteration or aspect document grade"),
        *(
            (f"{ADHOC}q1 0 c {grade}\n", f"line 3: grade '{grade}'; expected a whole number")
            for grade in ("1.5", "--1", "1_0", "99999999999")
        ),
        (
            ADHOC + "q1 0 a 2\n",
            "line 3: document 'a' of topic 'q1' has grade 2 here, but 1 on line 1; expected one grade",
        ),
        (
            DIVERSITY + "q2 1 a 0\nq1 2 b 1\n",
            "line 6: document 'b' of topic 'q1' under '2' has grade 1 here, but 3 on line 4",
        ),
        (
            "q1 1 a 1\nq1 2 b 1\n",
            "topic 'q1' has several values in the second column, but no document has more than one of them",
        ),
        ("qid,docno,label\n1,a,2\n1,b,1.5\n", "line 3: relevance 1.5; expected a whole number"),
        ("qid,docno,label\n", "no judgments"),
    ],
    read_weights: [
        ("q1 1 0.5 x\n", "line 1: 4 columns; expected 3: topic aspect weight"),
        ("q1 1 0.5\nq1 2 0\n", "line 2: weight '0'; expected a number above 0"),
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


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    for read in (read_run, read_qrels, read_weights):
        with pytest.raises(InvalidInput, match=r"cannot read .*none: No such file"):
            read(tmp_path / "none")
        with pytest.raises(InvalidInput, match=r"cannot read .*: Is a directory"):
            read(tmp_path)


@each("block", [4096, 1 << 21, 100], 3)
def test_interleaved_lines_keep_their_numbers_and_their_order(
    write: Write, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In many small pieces that are merged, and in one that is sorted."""
    monkeypatch.setattr(lines, "BLOCK", block)
    rng = random.Random(4)
    rows = [(f"q{t}", f"d{n}", rng.randrange(100), rng.random()) for t in range(7) for n in range(60)]
    rng.shuffle(rows)
    run = read_run(write("".join(f"{t} Q0 {d} {k} {s!r} tag\n" for t, d, k, s in rows)), ranks=True)
    assert sum(len(lines_of(run, topic)[0]) for topic in run.topics) == len(rows)
    for topic in run.topics:
        documents, columns = lines_of(run, topic)
        expected = [(n, *row[1:]) for n, row in enumerate(rows, 1) if row[0].encode() == topic]
        names = [document.decode() for document in documents]
        assert list(zip(columns["line"], names, columns["rank"], columns["score"], strict=True)) == expected
    qrels = read_qrels(write("".join(f"{t} 0 {d} {k}\n" for t, d, k, _ in rows)))
    for topic in qrels.topics:
        assert judgments_of(qrels, topic) == ({d.encode(): [k] for t, d, k, _ in rows if t.encode() == topic}, [1.0])


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
    assert kept < 80 * count + lines.BLOCK  # of which the line itself takes 57, and a block may be left over
    assert peak < kept + 40 * lines.BLOCK
    with path.open("a") as file:
        file.write("\nq61 Q0 d 1 1 tag more\n")
    with pytest.raises(InvalidInput, match=f"line {count + 3}: 7 columns"):
        read_run(path)
