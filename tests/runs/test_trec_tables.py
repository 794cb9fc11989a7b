"""Columns of files are read as Python reads their values one by one, and documents are told apart by topic."""

from math import isfinite

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from axiomcheck import InvalidInput
from axiomcheck.runs.trec.rows import Rows, read_columns
from axiomcheck.runs.trec.table import ABSENT, DocumentTable, distinct, name_ranks
from axiomcheck.runs.trec.tokens import Tokens

ODD = (
    *(b"-0", b"+1.5", b"1e5", b"1e400", b"nan", b"inf", b"1_0", b".", b"-", b"-.5", b"5.", b"1.2.3", b"+-1", b"1-"),
    *(b"123456789012345", b"1234567890123456", b"0.1234567890123456789", b"1" * 40, b"0x1", b"\xd9\xa3", b"1\x002"),
)
NUMBERS = st.one_of(
    st.sampled_from(ODD),
    # files have no others, and a line that begins with # is a comment
    st.binary(min_size=1, max_size=4).filter(lambda token: token.split() == [token] and token[:1] != b"#"),
    st.floats(allow_nan=False, allow_infinity=False).map(lambda x: repr(x).encode()),
    st.integers(-(10**18), 10**18).map(lambda x: str(x).encode()),
)


def _rows(*tokens: bytes) -> Rows:
    """Return rows of a single column, which is called x."""
    return read_columns("t", b"\n".join(tokens), {"x": "x"}, {"x"})


def _is_number(token: bytes) -> bool:
    try:
        return b"_" not in token and isfinite(float(token))
    except ValueError:
        return False


@settings(max_examples=50, deadline=None)
@given(st.lists(NUMBERS, min_size=1, max_size=5))
def test_numbers_are_those_of_python_to_the_last_bit(tokens: list[bytes]) -> None:
    for number, is_good in enumerate(map(_is_number, tokens), 1):
        if not is_good:
            with pytest.raises(InvalidInput, match=rf"t, line {number}: x .*; expected a finite number"):
                _rows(*tokens).numbers("x")
            return
    assert list(map(repr, _rows(*tokens).numbers("x").tolist())) == [repr(float(token)) for token in tokens]


@settings(max_examples=50, deadline=None)
@given(NUMBERS)
def test_whole_numbers_are_a_sign_and_some_digits(token: bytes) -> None:
    digits = token[1:] if token[:1] in (b"+", b"-") else token
    if digits.isdigit() and len(digits) <= 15:
        assert _rows(b"7", token).wholes("x").tolist() == [7, int(token)]
    else:
        with pytest.raises(InvalidInput, match=r"t, line 2: x .*; expected an integer"):
            _rows(b"7", token).wholes("x")


def _table(lines: list[tuple[bytes, bytes]]) -> DocumentTable:
    data = b"".join(b" ".join(line) + b"\n" for line in lines)
    layout = {"query_id": "topic", "doc_id": "document"}
    return read_columns("t", data, layout, layout).table({})


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.sampled_from([b"q1", b"q2", b"q10"]), st.sampled_from([b"a", b"b", b"ab"])), max_size=12))
def test_documents_are_told_apart_by_topic(lines: list[tuple[bytes, bytes]]) -> None:
    table = _table(lines)
    grouped = sorted(lines, key=lambda line: table.topics[line[0]])  # as the table has them
    documents = distinct(table)
    assert [grouped.index(line) for line in grouped] == documents.firsts[documents.of].tolist()
    assert len(documents.firsts) == len({*lines})
    assert table.is_distinct == (len({*lines}) == len(lines))
    topics = np.array([*reversed(range(len(table.topics)))], dtype=int)  # each topic as another one
    asked = [(list(table.topics)[topics[table.topics[topic]]], name) for topic, name in grouped]
    found = [None if place == ABSENT else grouped[documents.firsts[place]] for place in documents.find(table, topics)]
    assert found == [line if line in lines else None for line in asked]


@settings(max_examples=25, deadline=None)
@given(st.lists(st.binary(max_size=20) | st.text("ab", max_size=18).map(str.encode), max_size=30))
def test_names_are_ranked_by_their_bytes(names: list[bytes]) -> None:
    ranks = name_ranks(Tokens.of(names)).tolist()
    assert [name for _, name in sorted(zip(ranks, names, strict=True))] == sorted(names)
    assert len({*ranks}) == len({*names})


def test_names_of_one_hash_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a hash that only another seed makes good, and with one that takes a name in a run for a judged one."""
    honest = Tokens.hashes

    def poor(self: Tokens, seed: int = 0) -> object:
        return honest(self, seed) if seed else np.zeros(len(self), dtype=np.uint64)

    monkeypatch.setattr(Tokens, "hashes", poor)
    judged = _table([(b"q", name) for name in (b"a", b"b", b"a")])
    found = distinct(judged)
    assert (found.seed, found.of.tolist()[0] == found.of.tolist()[2], len(found.firsts)) == (1, True, 2)
    assert not _table([(b"q", b"a"), (b"q", b"b")]).is_distinct  # in doubt
    one = distinct(_table([(b"q", b"a")]))
    assert one.seed == 0
    assert one.find(_table([(b"q", b"b"), (b"q", b"a")]), np.array([0])).tolist() == [ABSENT, 0]
