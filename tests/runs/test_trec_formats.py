"""Files of other communities: comments, MS MARCO's lines, JSON Lines, tables with a header, datasets of ir_datasets."""

import gzip
from pathlib import Path

import pytest

from axiomcheck import InvalidInput, score
from axiomcheck.runs.trec import read_qrels, read_run
from tests.runs.conftest import Write
from tests.runs.trec_data import judgments_of, lines_of
from tests.support.suites import quality

RUN = "1 Q0 a 1 3.5 t\n1 Q0 b 2 2.5 t\n2 Q0 c 1 1.5 t\n"
QRELS = "1 0 a 1\n1 0 b 2\n2 0 d 1\n"
OF_PYTERRIER = "qid,docno,score\n1,a,3.5\n1,b,2.5\n2,c,1.5\n"
RUNS: dict[str, str | bytes] = {
    "comments": "# a run\n\n# of six words in this line\n1 Q0 a 1 3.5 t\n1 Q0 b 2 2.5 t\n#\n2 Q0 c 1 1.5 t\n",
    "MS MARCO": "1\ta\t1\n1\tb\t2\n2\tc\t1\n",
    "JSON Lines": '{"qid": "1", "docno": "a", "score": 3.5}\n\n{"qid": 1, "docno": "b", "score": "2.5"}\n'
    '{"qid": "2", "docno": "c", "score": 1.5}\n',
    "PyTerrier": 'qid,docid,docno,rank,score,query\n1,7,a,0,3.5,one\n1,8,b,1,2.5,one\n2,9,c,0,1.5,"two, three"\n',
    "tabs": "qid\tdocno\tscore\n1\ta\t3.5\n1\tb\t2.5\n2\tc\t1.5\n",
    "spaces": "qid docno score\n1 a 3.5\n1 b 2.5\n2 c 1.5\n",
    "comment as long as many lines": "#" + "x" * 200_000 + f"\n{RUN}",
    "comment before a header": f"# of PyTerrier\n{OF_PYTERRIER.replace('2,c', '# more' + chr(10) + '2,c')}",
    "header in a comment": f"# topic Q0 docno rank score tag\n{RUN}",
    "comment before JSON": '# JSON\n{"qid": 1, "docno": "a", "score": 3}\n{"qid": 1, "docno": "b", "score": 2}\n'
    '{"qid": 2, "docno": "c", "score": 2}\n',
    "byte order mark alone": f"\ufeff\n{OF_PYTERRIER}",
    "old line ends": OF_PYTERRIER.replace("\n", "\r"),
    "old line ends, tabs": OF_PYTERRIER.replace("\n", "\r").replace(",", "\t"),
    "blank lines": "\n" * 100_000 + RUN,
    "long value": f"qid,docno,score,query\n1,a,3,{'x' * 200_000}\n1,b,2,\n2,c,1,\n",
    "quote between tabs": 'qid\tdocno\tscore\tquery\n1\ta\t3\t"foo\n1\tb\t2\tbar\n2\tc\t1\t"baz\n',
    "gzip": gzip.compress(RUN.encode()),
    "a byte order mark, tabs, CRLF and no end": f"\ufeff{RUN}".replace("\n", "\r\n").replace(" ", "\t", 3).strip(),
    "ranks alone": "qid,docno,rank\n1,a,0\n1,b,1\n2,c,0\n",
}
LINES_OF_TREC = ("comments", "in a comment", "many lines", "blank lines", "gzip", "no end")
"""How the kinds are called of which a line has a tag."""
JUDGED = {
    "comments": "# judged\n1 0 a 1\n1 0 b 2\n# more\n2 0 d 1\n",
    "header in a comment": f"# topic docid grade\n{QRELS}",
    "JSON Lines": '{"query_id": "1", "doc_id": "a", "relevance": 1}\n{"query_id": "1", "doc_id": "b", "relevance": 2}\n'
    '{"query_id": "2", "doc_id": "d", "relevance": 1}\n',
    "PyTerrier": "qid,docno,label\n1,a,1\n1,b,2\n2,d,1\n",
    "BEIR": "query-id\tcorpus-id\tscore\n1\ta\t1\n1\tb\t2\n2\td\t1\n",
}


@pytest.mark.parametrize("kind", RUNS)
def test_a_run_is_the_same_whatever_its_file(write: Write, kind: str) -> None:
    run, plain = read_run(write(RUNS[kind])), read_run(write(RUN))
    assert list(run.topics) == [b"1", b"2"]
    assert [lines_of(run, topic)[0] for topic in run.topics] == [[b"a", b"b"], [b"c"]]
    assert (run.tag, plain.tag) == ("t" if kind.endswith(LINES_OF_TREC) else "", "t")
    expected = score(["nDCG", "RR"], write(QRELS), plain)
    assert score(["nDCG", "RR"], write(QRELS), run).per_topic == expected.per_topic
    assert expected.per_topic["1"]["nDCG"] < 1


@pytest.mark.parametrize("kind", JUDGED)
def test_judgments_are_the_same_whatever_their_file(write: Write, kind: str) -> None:
    expected = score(["nDCG", "RR"], write(QRELS), write(RUN))
    assert score(["nDCG", "RR"], write(JUDGED[kind]), write(RUN)).per_topic == expected.per_topic


def test_ranks_of_tables_are_there_for_rules_that_go_by_them(write: Write) -> None:
    table = "qid,docno,rank,score\n1,a,2,9\n1,b,1,5\n"
    assert score("RR", {"1": {"b": 1}}, write(table), ties="ndeval").mean == {"RR": 1.0}
    assert score("RR", {"1": {"b": 1}}, write(table)).mean == {"RR": 0.5}


THIRD = {
    "scores that fall": "1\ta\t9\n1\tb\t8\n1\tc\t7\n",
    "scores that rise": "1 a 7\n1 b 8\n1 c 9\n",
    "ranks from 0": "1 a 0\n1 b 1\n1 c 2\n",
    "a gap": "1 a 1\n1 b 2\n1 c 4\n",
    "a rank twice": "1 a 1\n1 b 2\n1 c 2\n",
    "the second topic": "0 x 1\n1 a 3\n1 b 2\n",
    "below zero": "1 a -1\n1 b -2\n1 c -3\n",
    "fractions": "1 a 0.9\n1 b 0.8\n1 c 0.7\n",
}
"""Runs of three columns whose third is not 1..n in each topic."""


@pytest.mark.parametrize("kind", THIRD)
def test_a_third_column_that_may_be_scores_is_refused_with_both_readings(write: Write, kind: str) -> None:
    path = write(THIRD[kind])
    both = r"line \d: .*; expected ranks 1, 2, 3 .* --ties ndeval.*query_id doc_id score"
    with pytest.raises(InvalidInput, match=both):
        score("RR", {"1": {"a": 1}}, path)
    named = write("query_id doc_id score\n" + THIRD[kind].replace("\t", " "))
    first = "c" if kind in ("scores that rise", "ranks from 0", "a gap", "a rank twice") else "a"
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
