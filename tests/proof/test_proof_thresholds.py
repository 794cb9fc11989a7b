"""Certificates of DeepTh and CloseTh: found for every row, and what the checker examines of a metric."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from axiomcheck import AXIOMS, Metric, parse
from axiomcheck.decide.comparison import signs
from axiomcheck.decide.thresholds import ThresholdCase, block_pairs, examine
from axiomcheck.metrics.adhoc import RankBiasedPrecision
from axiomcheck.metrics.coverage import DMeasure, DSharpMeasure, SubtopicRecall
from axiomcheck.metrics.fold import Additive, Cascade, Fold, State
from axiomcheck.metrics.parameters import Base, Real
from axiomcheck.numbers.arithmetic import Arithmetic
from axiomcheck.numbers.discount import Constant, Discount, Geometric, InverseLog
from axiomcheck.proof.check import threshold_parts, thresholds
from axiomcheck.proof.find.thresholds import prove_threshold
from axiomcheck.proof.proving import allowed_signs, contradiction
from axiomcheck.records.certificates import TailCertificate, read_certificate
from tests.proof.documents import ROWS, check_document, handwritten, tail_proof
from tests.support.catalogue_rows import catalogue_rows
from tests.support.suites import each
from tests.support.tampering import Document, refused

Array = Any

ONE_LESS = {"1": "1", "alpha": "-1"}
SETTLED = [(metric, axiom, small) for metric in ROWS for axiom in ("DeepTh", "CloseTh") for small in (True, False)]


_SAMPLED = (Fraction(1, 10), Fraction(3, 5), Fraction(19, 20))
"""Values in (0, 1) at which open parameters are tried; at 20 times these where the range is unbounded."""
_GRADES = (Fraction(1), Fraction(1, 2), Fraction(1, 10))


def said_against(document: Document) -> list[str]:
    """Return how exact signs of block pairs, and what is known of long ones, contradict a certificate."""
    metric, small, holds = parse(document["metric"]), document["small"], document["claim"] == "holds"
    certificate = read_certificate(document)
    assert isinstance(certificate, TailCertificate)
    of_tails = document["axiom"] == "DeepTh"
    grades = [Fraction(1)] if small else [Fraction(document["rc"])] if document["rc"] else [*_GRADES]
    tried = [examine(metric, ThresholdCase(rc, extras), small) for rc, extras in product(grades, (0, 3))]
    tails = [one for one in tried if of_tails and one.tail is not None]
    found = [
        contradiction(certificate, tried),
        *(f"a tail: {one.argument}" for one in tails if (one.tail == 1) != holds),
    ]
    uniform = document["lemma"] not in ("geometric", "vanishing", "mixture") or not of_tails
    for other in _samples(metric, document["scope"]["parameters"]):
        tail = other.tail() if other.cutoff is None else None
        if of_tails and tail is not None and (tail.side == "below") != holds:
            found.append(f"{other}: {tail.statement}")
        for n in (1, 2, 3, 5, 8, 13, 21) if uniform else ():
            sign = signs(other, block_pairs(ThresholdCase(grades[0], 0), n, small))[0]
            if sign is not None and sign not in allowed_signs(certificate, n):
                found.append(f"{other}: the sign at n = {n} is {sign}")
    return [*filter(None, found)]


def _samples(metric: Metric, open_: list[str]) -> Iterator[Metric]:
    """Give the metric at other values of its open parameters."""
    for share in _SAMPLED if open_ else ():
        values = dict(metric.values)
        for parameter in metric.declared:
            if parameter.name in open_:
                high = parameter.high if isinstance(parameter, Real) else None
                values[parameter.name] = Fraction(isinstance(parameter, Base)) + share * (high or 20)
        yield type(metric)(metric.cutoff, **values)


@each(("metric", "axiom", "small"), SETTLED, 50)
def test_every_row_is_settled_at_every_n(metric: str, axiom: str, small: bool) -> None:
    """Compare the proof with the verdict of the search, which the prover never sees."""
    document, holds = tail_proof(metric, axiom, small), catalogue_rows()[metric]["stated" if small else "finite", axiom]
    check_document(document)
    assert document["claim"] == ("holds" if holds else "fails")
    assert document["metric"] == metric
    assert document["scope"]["n"] == "all n"
    assert document["small"] is small
    assert said_against(document) == []


@pytest.mark.parametrize(
    ("metric", "axiom", "lemma", "open_", "data"),
    [
        ("RBP(p=0.8)", "DeepTh", "geometric", ["p"], {"keep": {"1": "1"}, "n0": 8}),
        ("RBP(p=0.8)", "CloseTh", "witness", [], {"m": 2, "difference": [{"order": 1, "value": "19/625"}]}),
        ("NRBP(p=0.8, alpha=0.5)", "CloseTh", "geometric", [], {"keep": {"1": "1/2"}, "n0": 3, "signs": [1, 1]}),
        ("NRBP(p=0.99, alpha=0)", "DeepTh", "geometric", ["p"], {"keep": {"1": "1"}, "n0": 459}),
        ("AP", "DeepTh", "growth", [], {"rising": True, "n0": 4}),
        ("nDCG", "DeepTh", "cutoff", [], {"n0": 20}),
        ("S-Recall@inf", "DeepTh", "equal", [], {"n0": 1}),
        ("CT@inf", "CloseTh", "harmonic", ["alpha", "level"], {"keep": {"1": "1"}, "n0": 1, "signs": []}),
        ("alpha-nDCG(alpha=0.01)@inf", "DeepTh", "vanishing", ["alpha"], {"keep": ONE_LESS, "n0": 2**100 - 1}),
    ],
)
def test_lemmas_and_their_numbers(metric: str, axiom: str, lemma: str, open_: list[str], data: Document) -> None:
    metric = "nDCG@20" if metric == "nDCG" else metric
    document = tail_proof(metric, axiom)
    found = {key: document["data"][key] for key in data}
    assert (document["lemma"], document["scope"]["parameters"], found) == (lemma, open_, data)


def test_mixtures_take_one_lemma_per_part_and_finite_refutations_name_a_grade() -> None:
    document = tail_proof("D#-nDCG@inf", "DeepTh")
    assert (document["claim"], document["scope"]["parameters"]) == ("fails", ["lambda"])
    assert [part["lemma"] for part in document["data"]["parts"].values()] == ["equal", "growth"]
    document = tail_proof("RBU(p=0.8, e=0.05)@20", "CloseTh", small=False)
    assert (document["claim"], document["rc"], document["scope"]["parameters"]) == ("fails", "1", ["p", "e"])


@pytest.mark.usefixtures("origin_unchecked")
def test_nothing_is_claimed_without_a_fold_nor_what_the_checker_refuses() -> None:
    deep: Any = AXIOMS["DeepTh"]
    for metric in ("trec-NRBP", "alpha-nDCG-greedy"):
        assert prove_threshold(deep, parse(metric), True) is None
    assert prove_threshold(deep, planted(SUM), True) is not None
    assert prove_threshold(deep, planted(SUM, scale=lambda self, aspects: Fraction(-1)), True) is None


# Planted metrics


@dataclass(frozen=True)
class Planted(Fold):
    """Every relevant document earns ``gain`` of (grade, state); the state starts at 1 and moves to ``move``."""

    discount: Discount
    gain: Callable[[Any, Any], Any]
    move: Callable[[Any, Any], Any]

    def start(self, a: Arithmetic) -> State:
        return Cascade(self.discount).start(a)

    def step(self, a: Arithmetic, state: State, r: Array) -> tuple[Array, State]:
        return self.gain(r, state[0]), (self.move(r, state[0]),)


GEOMETRIC, UNDISCOUNTED = Geometric(Fraction(1, 2)), Geometric(Fraction(1))
SUM = Additive(GEOMETRIC)
TRUE_OF_SUM = handwritten("RBP(p=0.8)", "DeepTh", "holds", "geometric", {"keep": {"1": "1"}, "n0": 2})


def planted(fold: Fold, **members: Any) -> Metric:
    """Return a metric of the name RBP(p=0.8) that has another fold, or other members."""
    made: Metric = type("Planted", (RankBiasedPrecision,), {"fold": lambda self: fold, "name": "RBP"} | members)()
    return made


def refused_of(metric: Metric, document: Document, message: str) -> None:
    refused(lambda d: check_document(d, metric), document, message)


@pytest.fixture
def unprobed(monkeypatch: pytest.MonkeyPatch, origin_unchecked: None) -> None:
    """Leave out the scores of short block pairs, which show some faults before the lemma is checked."""
    monkeypatch.setattr(thresholds, "compare_with_scores", lambda *_: None)


@pytest.mark.parametrize("small", [True, False])
@pytest.mark.parametrize(
    ("gain", "move", "in_the_limit", "at_any_grade"),
    [
        (lambda r, s: r * s + s, lambda r, s: s, "non-relevant document", "non-relevant document"),
        (lambda r, s: r * (2 - s), lambda r, s: s * (1 - r), "may be negative", "may be negative"),
        (lambda r, s: -r * s, lambda r, s: s, "first relevant document may be 0", "first relevant document may be 0"),
        # a metric without a fault, and faults that vanish as r -> 0
        (lambda r, s: r * s, lambda r, s: s * (1 - r), None, None),
        (lambda r, s: r * s, lambda r, s: s + r * s, None, "not shown to shrink"),
        (lambda r, s: r * (1 - r) * s, lambda r, s: s, None, "first relevant document may be 0"),
        (lambda r, s: r * s, lambda r, s: s - 2 * r, None, "may be negative"),
    ],
)
@pytest.mark.usefixtures("unprobed")
def test_gains_and_states_are_examined(
    gain: Any, move: Any, in_the_limit: str | None, at_any_grade: str | None, small: bool
) -> None:
    metric, document = planted(Planted(GEOMETRIC, gain, move)), TRUE_OF_SUM | {"small": small}
    message = in_the_limit if small else at_any_grade
    if message is None:
        check_document(document, metric)
    else:
        refused_of(metric, document, message)


@pytest.mark.parametrize(
    ("fold", "axiom", "claim", "lemma", "data", "message"),
    [
        (Additive(UNDISCOUNTED), "DeepTh", "holds", "geometric", {"keep": {"1": "1"}, "n0": None}, "may diverge"),
        # r, r (1 - r), ...: nothing is left after the first at r = 1 only
        (Cascade(Constant()), "CloseTh", "fails", "equal", {"n0": 1, "signs": []}, "not shown to shrink"),
    ],
)
@pytest.mark.usefixtures("origin_unchecked")
def test_claims_that_a_fold_does_not_keep_are_rejected(
    fold: Fold, axiom: str, claim: str, lemma: str, data: Document, message: str
) -> None:
    refused_of(planted(fold), handwritten("RBP(p=0.8)", axiom, claim, lemma, data), message)


@pytest.mark.usefixtures("origin_unchecked")
def test_a_negative_share_is_rejected() -> None:
    class Negative(DSharpMeasure):
        name = "D#-nDCG"

        def parts(self) -> Any:
            return (Fraction(-1), SubtopicRecall(self.cutoff)), (Fraction(1), DMeasure(self.cutoff))

    tails = {str(i): {"lemma": "cutoff", "n0": 20} for i in (1, 2)}
    document = handwritten("D#-nDCG(lambda=0.5)@20", "DeepTh", "holds", "mixture", {"parts": tails})
    refused_of(Negative(), document, "may be negative")


@dataclass(frozen=True)
class LongState(Additive):
    """A fold that remembers five numbers."""

    def start(self, a: Arithmetic) -> State:
        return Cascade(self.discount).start(a) * 5

    def step(self, a: Arithmetic, state: State, r: Array) -> tuple[Array, State]:
        return r, state


NOT_POSITIVE = [
    Geometric(Fraction(1, 2), Fraction(-1)),
    InverseLog(shift=0, offset=0),
]


def many_comparisons(r: Array, state: Array) -> Array:
    return r * state if all(bool(np.all(state > k)) in (True, False) for k in range(2, 10)) else r


@pytest.mark.parametrize(
    ("fold", "members", "message"),
    [
        (LongState(GEOMETRIC), {}, "the state of the fold has 5 numbers"),
        (Planted(GEOMETRIC, many_comparisons, lambda r, s: s), {}, "too many comparisons"),
        (Planted(GEOMETRIC, lambda r, s: np.append(r, r), lambda r, s: s), {}, "several numbers for one grade"),
        # g_1 = r^2, g_2 = r: no keep factor bounds that as r -> 0
        (
            Planted(GEOMETRIC, lambda r, s: r * (1 - s) + r * r * s, lambda r, s: s * (1 - r)),
            {},
            "a lower order in r",
        ),
        *((Additive(discount), {}, "not shown to be positive") for discount in NOT_POSITIVE),
        (SUM, {"kernel": lambda self, *asked: -RankBiasedPrecision.kernel(self, *asked)}, "redefines kernel"),
        # a normaliser that is negative turns every comparison round
        (
            SUM,
            {"normalised": True, "normaliser": lambda *asked: -asked[-1].sum(axis=-2)},
            "not shown to be positive for every pool",
        ),
        (SUM, {"scale": lambda self, aspects: Fraction(-1)}, "scale of RBP is not positive"),
    ],
)
@pytest.mark.usefixtures("unprobed")
def test_folds_and_code_beyond_the_checker_are_rejected(fold: Fold, members: dict[str, Any], message: str) -> None:
    refused_of(planted(fold, **members), TRUE_OF_SUM, message)


def test_s_rr_has_to_be_its_fold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threshold_parts, "Cascade", lambda discount, binary: Additive(discount, binary))
    threshold_parts._check_reduction.cache_clear()
    document = handwritten("S-RR@100%", "DeepTh", "holds", "harmonic", {"keep": {"1": "1"}, "n0": 1})
    refused(check_document, document, "and its fold differ on one aspect")


def test_comparisons_inside_a_metric_are_explored_both_ways() -> None:
    """CT at any level: whether the aspect is full is open, and nothing is gained by taking it for never full."""
    document = tail_proof("CT(alpha=0.5, level=1)@20", "CloseTh", small=False)
    assert document["scope"]["parameters"] == ["alpha", "level"]
    false = handwritten("CT(alpha=0, level=1)@inf", "DeepTh", "fails", "growth", {"rising": False, "n0": 3})
    refused(check_document, false | {"small": False, "rc": "1/2"}, "not shown to grow")


SOME = [{"order": 1, "value": "1"}]


@pytest.mark.parametrize(
    "document",
    [
        handwritten("RR", "DeepTh", "fails", "growth", {"rising": False, "n0": 3}),
        handwritten("RBP(p=0.8)", "CloseTh", "holds", "witness", {"m": 1, "difference": SOME}),
        handwritten("RBU(p=0.8, e=0.05)@20", "CloseTh", "holds", "witness", {"m": 2, "difference": SOME}, small=False),
        handwritten("RBP(p=0.8)", "DeepTh", "holds", "geometric", {"keep": {"1": "1"}, "n0": 1}),
    ],
    ids=lambda d: f"{d['metric']}-{d['axiom']}-{d['claim']}",
)
def test_exact_signs_contradict_false_certificates(document: Document) -> None:
    assert said_against(document)
