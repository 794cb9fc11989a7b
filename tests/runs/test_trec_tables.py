"""Columns of files are read as Python reads their values one by one, and documents are told apart by topic."""

from math import isfinite

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from axiomcheck import InvalidInput
from axiomcheck.runs.trec.rows import Rows, read_columns
from axiomcheck.runs.trec.table import ABSENT, DocumentTable, name_ranks

ODD = (
    *(b"-0", b"+1.5", b"1e5", b"1e400", b"nan", b"inf", b"1_0", b".", b"-", b"-.5", b"5.", b"1.2.3", b"+-1", b"1-"),
    *(b"123456789012345", b"1234567890123456", b"0.1234567890123456789", b"1" * 40, b"0x1", b"\xd9\xa3", b"1\x002"),
)
NUMBERS = st.one_of(
    st.sampled_from(ODD),
    st.binary(min_size=1, max_size=4).filter(lambda token: token.split() == [token]),  # files have no others
    st.floats(allow_nan=False, allow_infinity=False).map(lambda x: repr(x).encode()),
    st.integers(-(10**18), 10**18).map(lambda x: str(x).encode()),
)


def _rows(*tokens: bytes) -> Rows:
    """Return rows of a single column, which is called x."""
    return Rows("t", ["x"], {"x": tokens}, np.arange(1, len(tokens) + 1), layout="x")


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
        with pytest.raises(InvalidInput, match=r"t, line 2: x .*; expected a whole number"):
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
    assert [grouped.index(line) for line in grouped] == table.firsts[table.of].tolist()
    assert len(table.firsts) == len({*lines})
    topics = np.array([*reversed(range(len(table.topics)))], dtype=int)  # each topic as another one
    asked = [(list(table.topics)[topics[table.topics[topic]]], name) for topic, name in grouped]
    found = [None if place == ABSENT else grouped[table.firsts[place]] for place in table.find(table, topics)]
    assert found == [line if line in lines else None for line in asked]


@settings(max_examples=25, deadline=None)
@given(st.lists(st.binary(max_size=20) | st.text("ab", max_size=18).map(str.encode), max_size=30))
def test_names_are_ranked_by_their_bytes(names: list[bytes]) -> None:
    ranks = name_ranks(np.array([*names, None], dtype=object)[:-1]).tolist()
    assert [name for _, name in sorted(zip(ranks, names, strict=True))] == sorted(names)
    assert len({*ranks}) == len({*names})
