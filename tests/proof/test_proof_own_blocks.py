"""CloseTh of code of one's own: proved where one n does for every grade, and by nothing less."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from axiomcheck.axioms import find_axiom
from axiomcheck.core.documents import document_of
from axiomcheck.core.domain import Reading, Regime
from axiomcheck.core.verdict import Verdict
from axiomcheck.metrics import Metric
from axiomcheck.proof.check import check_certificate
from axiomcheck.proof.proving import Proof, prove
from axiomcheck.sources.provenance import identity_of
from axiomcheck.sources.resolve import resolve
from tests.support.suites import each
from tests.support.tampering import Document, both, put, refused

CODE = '''
import math
import numpy as np


def dcg(topic, ranking):
    return sum(topic.pool[d][0] / math.log2(i + 2) for i, d in enumerate(ranking))


def cascade(topic, ranking):
    """ERR: no block is ever ahead."""
    left, total = 1, 0
    for rank, d in enumerate(ranking, start=1):
        total += left * topic.pool[d][0] / rank
        left *= 1 - topic.pool[d][0]
    return total


def filled(topic, ranking):
    """Full at 1: with grade 1 the top is ahead, with small grades the block is."""
    total = 0
    for i, d in enumerate(ranking[:8]):
        total += topic.pool[d][0] * 0.9**i
    return min(total, 1)


def of_the_pool(grades, weights, pool):
    return grades.sum(axis=(1, 2)) * np.arange(grades.shape[1]).sum() / pool.sum(axis=(1, 2))


def by_kind(grades, weights):
    """Exactly, a sum, in which blocks win; in floats the first grade."""
    summed = grades[:, :, 0].sum(axis=1)
    return summed if grades.dtype == object else grades[:, 0, 0]


def by_kind_without_a_branch(grades, weights):
    share = 1 * (grades.dtype == object)
    return grades[:, :, 0].sum(axis=1) * share + grades[:, 0, 0] * (1 - share)
'''


@pytest.fixture
def own(tmp_path: Path) -> Callable[[str], Metric]:
    file = tmp_path / "mine.py"
    file.write_text(CODE)

    def named(name: str) -> Metric:
        found = resolve(f"{file}:{name}")
        assert isinstance(found, Metric)
        return found

    return named


def _proof(metric: Metric, regime: str = "stated", axiom: str = "CloseTh") -> Proof | None:
    return prove(find_axiom(axiom), metric, Reading(Regime(regime)))


def test_one_n_at_which_the_block_is_ahead_for_every_grade_is_a_proof(own: Callable[[str], Metric]) -> None:
    proof = _proof(own("dcg"), "finite")
    assert proof is not None
    assert proof.verdict is Verdict.PROVED
    document = document_of(proof.certificate)
    assert document["lemma"] == "ahead"
    assert document["data"] == {"m": 3}
    check_certificate(proof.certificate, own("dcg"))


def test_what_holds_for_some_grades_only_is_no_proof(own: Callable[[str], Metric]) -> None:
    assert _proof(own("filled")) is not None
    assert _proof(own("filled"), "finite") is None


def test_what_is_false_or_reads_the_pool_has_no_certificate(own: Callable[[str], Metric]) -> None:
    for name in ("cascade", "of_the_pool", "by_kind", "by_kind_without_a_branch"):
        for regime in ("stated", "finite"):
            assert _proof(own(name), regime) is None, name


def _document(metric: Metric, m: int, small: bool = True) -> Document:
    head = {"schema": "axiomcheck/certificate", "version": 1, "kind": "blocks", "metric": metric.canonical}
    scope = {"n": "all n", "parameters": []}
    claim = {"axiom": "CloseTh", "small": small, "claim": "holds", "scope": scope, "lemma": "ahead", "data": {"m": m}}
    return {**head, **claim, "identity": identity_of(metric)}


@each(
    ("name", "change", "complaint"),
    [
        ("dcg", {"data.m": 2}, "not shown to be ahead at n = 2"),
        ("dcg", {"data.m": 0}, "whole number from 1"),
        ("dcg", {"data.signs": [1, 1, -1]}, "expected m"),
        ("dcg", {"claim": "fails"}, "nothing else"),
        ("dcg", {"axiom": "DeepTh"}, "nothing else"),
        ("dcg", {"lemma": "witness"}, "has code of its own"),
        ("cascade", {}, "not shown to be ahead at n = 3"),
        ("filled", {"small": False}, "depends on the values|not shown"),
        ("of_the_pool", {}, "looks at the pool"),
        ("by_kind", {}, "something else for exact numbers"),
        ("by_kind_without_a_branch", {"small": False}, "does not mean the same on both"),
    ],
    6,
)
def test_false_and_tampered_certificates_are_refused(
    own: Callable[[str], Metric], name: str, change: Document, complaint: str
) -> None:
    metric = own(name)
    document = _document(metric, 3)
    both(*(put(path, value) for path, value in change.items()))(document)
    refused(lambda d: check_certificate(d, metric), document, complaint)
