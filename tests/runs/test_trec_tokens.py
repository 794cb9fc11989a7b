"""Tokens in bulk are what they are one by one: as numbers, in order, and alike."""

from math import isfinite

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from axiomcheck.core.typing import Reals
from axiomcheck.runs.trec.table import ABSENT, DocumentTable, codes_of, distinct
from axiomcheck.runs.trec.tokens import Tokens

ODD = (
    *(b"-0", b"+1.5", b"1e5", b"1e400", b"nan", b"inf", b"1_0", b".", b"-", b"-.5", b"5.", b"1.2.3", b"+-1", b"1-"),
    b"",
    *(b"123456789012345", b"1234567890123456", b"0.1234567890123456789", b"0.000000000000001", b"1" * 40, b"0x1"),
    *(b".000000000000000000001", b"00000000000000000000001", b"\xd9\xa3", b"1\x002", b"9007199254740993", b"-1.5e-3"),
)
NUMBERS = st.one_of(
    st.sampled_from(ODD),
    st.binary(max_size=4).filter(lambda token: token == token.strip()),  # files have no others
    st.floats(allow_nan=False, allow_infinity=False).map(lambda x: repr(x).encode()),
    st.floats(-1e6, 1e6).map(lambda x: f"{x:.4f}".encode()),
    st.integers(-(10**18), 10**18).map(lambda x: str(x).encode()),
)
NAMES = st.lists(st.binary(max_size=20) | st.text("ab", max_size=18).map(str.encode), max_size=30)


def _one(token: bytes) -> float:
    try:
        value = float(token) if b"_" not in token else float("nan")
    except ValueError:
        return float("nan")
    return value if isfinite(value) else float("nan")


def _table(lines: list[tuple[bytes, bytes]]) -> DocumentTable:
    """Return lines, of a topic and a document each, as a table."""
    topics: dict[bytes, int] = {}
    codes = codes_of((topic for topic, _ in lines), topics)
    return DocumentTable(
        "t", topics, codes, Tokens.of([name for _, name in lines]), np.arange(len(lines)), {}
    ).grouped()


def _bits(numbers: Reals) -> list[int]:
    """Return the bits of doubles, the same for all that are no number."""
    return np.where(np.isnan(numbers), -1, numbers.view(np.int64)).tolist()  # type: ignore[no-any-return]


@settings(max_examples=25, deadline=None)
@given(st.lists(NUMBERS, min_size=1, max_size=40))
def test_numbers_are_those_of_python_to_the_last_bit(tokens: list[bytes]) -> None:
    assert _bits(Tokens.of(tokens).numbers()) == _bits(np.array([_one(token) for token in tokens]))


@settings(max_examples=25, deadline=None)
@given(st.lists(NUMBERS, min_size=1, max_size=40))
def test_whole_numbers_are_a_sign_and_some_digits(tokens: list[bytes]) -> None:
    values, good = Tokens.of(tokens).wholes()
    for token, value, is_whole in zip(tokens, values.tolist(), good.tolist(), strict=True):
        digits = token[1:] if token[:1] in (b"+", b"-") else token
        assert is_whole == (digits.isdigit() and len(digits) <= 15)
        assert value == (int(token) if is_whole else 0)


@settings(max_examples=25, deadline=None)
@given(NAMES)
def test_order_and_likeness_are_those_of_bytes(names: list[bytes]) -> None:
    tokens = Tokens.of(names)
    assert tokens.listed() == names
    ranks = tokens.ranks()
    assert [names[k] for k in np.argsort(ranks, kind="stable")] == sorted(names)
    assert len(set(ranks.tolist())) == len(set(names))
    back = tokens[np.arange(len(names))[::-1]]
    assert tokens.same(back).tolist() == [a == b for a, b in zip(names, reversed(names), strict=True)]
    for seed in (0, 1):
        hashes = tokens.hashes(seed).tolist()
        assert len(set(hashes)) == len(set(names))


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.sampled_from([b"q1", b"q2", b"q10"]), st.sampled_from([b"a", b"b", b"ab"])), max_size=12))
def test_documents_are_told_apart_by_topic(lines: list[tuple[bytes, bytes]]) -> None:
    table = _table(lines)
    grouped = sorted(lines, key=lambda line: table.topics[line[0]])  # as the table has them
    found = distinct(table)
    assert table.is_distinct == (len(set(lines)) == len(lines))
    assert [grouped[k] for k in found.firsts[found.of]] == grouped
    assert [grouped.index(line) for line in grouped] == found.firsts[found.of].tolist()


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
