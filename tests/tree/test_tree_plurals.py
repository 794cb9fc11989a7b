"""Numbers of things in sentences are made by `axiomcheck.core.counting`, so that one of them is no plural."""

import re
from collections.abc import Iterator

import pytest

from axiomcheck.core.counting import counted
from tests.support.transcripts import ROOT

PRODUCT = [file for room in ("axiomcheck", "axioms", "metrics", "reports") for file in (ROOT / room).rglob("*.py")]

PLURAL = re.compile(
    r"(?P<before> to )?\{(?P<value>[^{}]+?)(?::[^{}=]*)?\}(?:['\"]\s*f?['\"])?"
    r"(?P<noun> (?:(?:more|distinct|ranked|relevant|judged|further|other|sampled|non-zero|smaller) )*"
    "(?:aspects|axioms|bytes|candidates|cases|cells|certificates|characters|checks|coefficients|digits|documents|edits|"
    "examples|expectations|files|folds|grades|instances|intervals|items|lines|lists|metrics|numbers|obligations|others|"
    "pairs|panels|parts|patterns|probes|ranks|reports|rows|runs|samples|sets|shapes|steps|systems|ties|topics|users|"
    r"values|violations|witnesses)\b)"
)
"""A value in braces and a plural after it, in the same string or the next; a range ends in a number above its first."""


def plurals(source: str) -> Iterator[str]:
    """Return every plural that follows a number that may be one; a name in capitals is a constant, which is not."""
    for found in PLURAL.finditer(source):
        if not found["before"] and not found["value"].rpartition(".")[2].isupper():
            yield f"{{{found['value']}}}{found['noun']}"


ALWAYS_SEVERAL = {
    "{total} cells": "beside what is said of one",
    "{metric.canonical} runs": "a metric does",
    "{type(metric).__name__} runs": "a fold does",
    "{where} runs": "a fold does",
    "{k} ranks": "beside what is said of one",
}


def test_no_sentence_has_a_number_before_a_plural_that_may_be_one() -> None:
    found = {(file.name, text) for file in PRODUCT for text in plurals(file.read_text(encoding="utf-8"))}
    assert {each for each in found if each[1] not in ALWAYS_SEVERAL} == set()
    assert {text for _, text in found} == {*ALWAYS_SEVERAL}
    assert len(PRODUCT) > 300


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('f"{n} cells"', ["{n} cells"]),
        ('f"{len(x):,} distinct instances of {k} documents"', ["{len(x)} distinct instances", "{k} documents"]),
        ('f"{_MOST} cells, {self.LONGEST} documents, 1 to {n} documents"', []),
        ("f\"{counted(n, 'cell')} of {name}\"", []),
    ],
)
def test_a_planted_plural_is_found(source: str, expected: list[str]) -> None:
    assert list(plurals(source)) == expected


def test_a_number_of_things_is_counted_in_words() -> None:
    assert [counted(n, "cell") for n in (0, 1, 2, 1000)] == ["0 cells", "1 cell", "2 cells", "1,000 cells"]
    assert [counted(n, "witness") for n in (0, 1, 2)] == ["0 witnesses", "1 witness", "2 witnesses"]
    assert counted(1, "distinct instance") == "1 distinct instance"
    assert counted(3, "distinct instance") == "3 distinct instances"
