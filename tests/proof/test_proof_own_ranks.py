"""DeepTh and CloseTh of own code at every length: by a run in which the length is no number, or by one n."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from axiomcheck import Reading, Regime, Verdict, find_axiom
from axiomcheck.core.documents import document_of
from axiomcheck.derivation.derive import derive
from axiomcheck.proof.check import check_certificate
from axiomcheck.proof.proving import Proof, prove
from axiomcheck.sources.external_metrics import OwnMetric
from axiomcheck.sources.provenance import identity_of
from axiomcheck.sources.resolve import resolve
from tests.proof.documents import handwritten
from tests.support.suites import each
from tests.support.tampering import Document, both, changed, put, refused

CODE = """
import math
import numpy as np

HALF = 0.5
EXACT = not hasattr(0.5, "hex")


def dcg(grades, weights):
    n = grades.shape[1]
    return (grades[:, :, 0] / np.log2(np.arange(2, n + 2))).sum(axis=1)


def discounted(x, n):
    return x * HALF ** np.arange(n, dtype=float)


# At every length that is tried these are sums over ranks; far down they are something else.


def tells_by_kind(grades, weights):
    n = grades.shape[1]
    far = (callable, (5000).__lt__)[isinstance(grades, np.ndarray)](n)
    return discounted(grades[..., 0], n).sum(axis=1) * (1 - far)


def far_down(x):
    n = x.shape[1]
    return discounted(x, n) + np.maximum(n - 5000, 0)


def near(x):
    return discounted(x, x.shape[1])


def tells_by_reading(grades, weights):
    return (far_down, near)[EXACT](grades[..., 0]).sum(axis=1)


helper = (lambda x, i: x / np.where(i > 100, 0.001, i)) if 0.1 + 0.2 != 0.3 else (lambda x, i: x / i)


# No sums over ranks, or none for which a block has to be ahead for every grade.


def dcg_of_ranking(topic, ranking):
    return sum(max(topic.pool[d][0], topic.pool[d][0] / 2) / math.log2(i + 2) for i, d in enumerate(ranking))


# ERR: no block is ever ahead.


def cascade(topic, ranking):
    left, total = 1, 0
    for rank, d in enumerate(ranking, start=1):
        total += left * topic.pool[d][0] / rank
        left *= 1 - topic.pool[d][0]
    return total


# Full at 1: with grade 1 the top is ahead, with small grades the block is.


def filled(topic, ranking):
    total = 0
    for i, d in enumerate(ranking[:8]):
        total += topic.pool[d][0] * 0.9**i
    return min(total, 1)


# Exactly, a sum, in which blocks win; in floats the first grade.


def by_kind(grades, weights):
    summed = grades[:, :, 0].sum(axis=1)
    return summed if grades.dtype == object else grades[:, 0, 0]
"""
FUNCTION = """

def {}(grades, weights{}):
    x = grades[:, :, 0]
    i = np.arange(1, grades.shape[1] + 1)
    return {}
"""
SCORES = {
    "patient": "((weights[:, None] * grades).sum(axis=2) * 0.8 ** np.arange(grades.shape[1])).sum(axis=1)",
    "p_at_10": "np.where(grades[:, :10, 0] > 0, 1.0, 0.0).sum(axis=1) / 10",
    "reciprocal": "(grades[..., 0] / i).sum(axis=1)",
    "squared": "(1 - HALF) * (x**2 * 0.5 ** np.arange(grades.shape[1])).sum(axis=1)",
    "by_a_lambda": "helper(x, i).sum(axis=1)",
    "nines": "(x * 0.99999999999999999 ** np.arange(grades.shape[1])).sum(axis=1)",
    "share_of_the_pool": "grades.sum(axis=(1, 2)) * np.arange(grades.shape[1]).sum() / pool.sum(axis=(1, 2))",
}
"""Further functions over arrays: the score, of the grades x on the first aspect at the ranks i."""

FOUND = [
    ("patient", Regime.FINITE, "geometric", Verdict.PROVED, Verdict.PROVED),
    ("dcg", Regime.STATED, "growth", Verdict.REFUTED, Verdict.PROVED),
    ("p_at_10", Regime.STATED, "cutoff", Verdict.PROVED, Verdict.PROVED),
    ("reciprocal", Regime.STATED, "harmonic", Verdict.PROVED, Verdict.REFUTED),
]
LIES = [
    ("tells_by_kind", "__lt__"),
    ("tells_by_reading", "EXACT"),
    ("by_a_lambda", "shares its line"),
]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("own") / "mine.py"
    written = [FUNCTION.format(name, ", pool" * ("pool" in score), score) for name, score in SCORES.items()]
    path.write_text("".join([CODE, *written]))
    return path


def own(file: Path, name: str) -> OwnMetric:
    found = resolve(f"{file}:{name}")
    assert isinstance(found, OwnMetric)
    return found


@cache
def proved(file: Path, name: str, axiom: str, regime: Regime) -> Proof:
    found = prove(find_axiom(axiom), own(file, name), Reading(regime))
    assert found is not None
    return found


@each(("name", "regime", "lemma", "deep", "close"), FOUND, 6)
def test_sums_over_ranks_are_decided_at_every_n(
    file: Path, name: str, regime: Regime, lemma: str, deep: Verdict, close: Verdict
) -> None:
    deeper, closer = (proved(file, name, axiom, regime) for axiom in ("DeepTh", "CloseTh"))
    assert (deeper.verdict, document_of(deeper.certificate)["lemma"]) == (deep, lemma)
    assert (closer.verdict, closer.certificate.kind) == (close, "tail")


@each(("name", "complaint"), LIES, 2)
def test_code_that_may_differ_farther_down_gets_no_certificate(file: Path, name: str, complaint: str) -> None:
    derivation = derive(own(file, name))
    assert derivation.metric is None
    assert complaint in derivation.why_not
    assert prove(find_axiom("DeepTh"), own(file, name), Reading()) is None


def test_a_literal_has_the_digits_that_floats_have(file: Path) -> None:
    proof = prove(find_axiom("DeepTh"), own(file, "nines"), Reading())
    assert proof is None or proof.verdict is Verdict.REFUTED  # 0.99999999999999999 is 1.0


def test_code_has_no_derivation_where_numpy_was_changed_after_loading(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    metric, right = own(file, "dcg"), np.arange
    assert derive(metric).metric is not None
    monkeypatch.setattr(np, "arange", lambda *numbers: right(*numbers))
    assert "calls <lambda>" in derive(metric).why_not


@each(
    ("name", "axiom", "change", "complaint"),
    [
        ("patient", "DeepTh", {"claim": "fails", "rc": "1"}, "does not rule out that the top is ahead"),
        ("patient", "DeepTh", {"data.keep": {"1": "0"}}, "not shown to shrink"),
        ("reciprocal", "CloseTh", {"data.n0": 2}, "expected 1"),
    ],
    4,
)
def test_tampered_certificates_are_refused(file: Path, name: str, axiom: str, change: Document, complaint: str) -> None:
    metric, document = own(file, name), document_of(proved(file, name, axiom, Regime.FINITE).certificate)
    altered = changed(document, both(*(put(path, value) for path, value in change.items())))
    refused(lambda d: check_certificate(d, metric), altered, complaint)


def test_a_certificate_is_of_one_function_only(file: Path) -> None:
    document = document_of(proved(file, "patient", "DeepTh", Regime.FINITE).certificate)
    other = own(file, "squared")
    put("metric", other.canonical)(document)
    refused(lambda d: check_certificate(d, other), document, "of other code")


def test_one_n_at_which_the_block_is_ahead_for_every_grade_is_a_proof(file: Path) -> None:
    document = document_of(proved(file, "dcg_of_ranking", "CloseTh", Regime.FINITE).certificate)
    assert (document["claim"], document["lemma"], document["data"]) == ("holds", "ahead", {"m": 3})


def test_a_block_ahead_for_some_grades_only_is_no_proof(file: Path) -> None:
    assert prove(find_axiom("CloseTh"), own(file, "filled"), Reading()) is not None
    assert prove(find_axiom("CloseTh"), own(file, "filled"), Reading(Regime.FINITE)) is None


@each(
    ("name", "change", "complaint"),
    [
        ("dcg_of_ranking", {"axiom": "DeepTh"}, "can only show"),
        ("dcg_of_ranking", {"lemma": "witness", "data.signs": [1, -1]}, "does not apply to external code"),
        ("cascade", {}, "not shown to be ahead at n = 3"),
        ("filled", {"small": False}, "depends on the values|not shown"),
        ("share_of_the_pool", {}, "reads the pool"),
        ("by_kind", {}, "differently for exact numbers"),
    ],
    6,
    whole=True,
)
def test_false_certificates_that_a_block_is_ahead_are_refused(
    file: Path, name: str, change: Document, complaint: str
) -> None:
    metric = own(file, name)
    document = handwritten(metric.canonical, "CloseTh", "holds", "ahead", {"m": 3}, kind="blocks")
    document["identity"] = identity_of(metric)
    both(*(put(path, value) for path, value in change.items()))(document)
    refused(lambda d: check_certificate(d, metric), document, complaint)
