"""Certificates of DeepTh and CloseTh: found for every row, accepted when true, rejected when changed or false."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from rows import few
from threshold_attack import cross_examine

from axiomcheck.axioms import AXIOMS
from axiomcheck.core.errors import InternalDisagreement, InvalidInput
from axiomcheck.metrics import CATALOGUE, Metric, paper_rows, parse
from axiomcheck.metrics.adhoc import RankBiasedPrecision
from axiomcheck.metrics.coverage import DMeasure, DSharpMeasure, SubtopicRecall
from axiomcheck.metrics.fold import Additive, Cascade, Fold, Novelty, State
from axiomcheck.numbers.arithmetic import Arithmetic
from axiomcheck.numbers.discount import Constant, Discount, Geometric, InverseLog, Reciprocal
from axiomcheck.proof.check import threshold_parts
from axiomcheck.proof.check import thresholds as threshold_check
from axiomcheck.proof.check.thresholds import check_threshold
from axiomcheck.proof.find import thresholds as threshold_proof
from axiomcheck.proof.find.thresholds import prove_threshold

Array = Any
Document = dict[str, Any]

ROWS = [metric.canonical for metric in paper_rows()]
DEEPTH_FAILS = {"AP", "AP-IA"}
CLOSETH_HOLDS = {
    *("P@20", "AP", "nDCG@20", "RBP(p=0.8)", "P-IA@20", "AP-IA", "nDCG-IA@20", "RBP-IA(p=0.8)"),
    *("D#-nDCG(lambda=0.5)@20", "RBU(p=0.8, e=0.05)@20"),
}
"""Where r << 1 is assumed. In the finite regime RBU@20 fails CloseTh: at grade 1 the cascade ends at once."""


def proved(metric: str, axiom: str, small: bool = True) -> Document:
    document = prove_threshold(AXIOMS[axiom], parse(metric), small)  # type: ignore[arg-type]
    assert document is not None
    found: Document = json.loads(json.dumps(document))
    return found


def certificate(metric: str, axiom: str, claim: str, lemma: str, data: Document, **other: Any) -> Document:
    """A certificate written by hand."""
    document = {
        "schema": "axiomcheck/certificate",
        "version": 1,
        "kind": "tail",
        "metric": metric,
        "axiom": axiom,
        "small": True,
        "claim": claim,
        "scope": {"n": "all n", "parameters": other.pop("parameters", [])},
        "rc": None,
        "lemma": lemma,
        "data": data,
    }
    return document | other


def signed(metric: str, axiom: str, small: bool) -> bool:
    if axiom == "DeepTh":
        return metric not in DEEPTH_FAILS
    return metric in CLOSETH_HOLDS and (small or not metric.startswith("RBU"))


SETTLED = [(metric, axiom, small) for metric in ROWS for axiom in ("DeepTh", "CloseTh") for small in (True, False)]


def row_is_settled_at_every_n(metric: str, axiom: str, small: bool) -> None:
    document = proved(metric, axiom, small)
    check_threshold(document)
    assert document["claim"] == ("holds" if signed(metric, axiom, small) else "fails")
    assert document["metric"] == metric
    assert document["scope"]["n"] == "all n"
    assert document["small"] is small
    assert cross_examine(document) > 0


@pytest.mark.parametrize(("metric", "axiom", "small"), few(SETTLED, 3))
def test_every_row_is_settled_at_every_n(metric: str, axiom: str, small: bool) -> None:
    row_is_settled_at_every_n(metric, axiom, small)


@pytest.mark.parametrize(
    ("metric", "axiom", "lemma", "open_", "data"),
    [
        ("RBP(p=0.8)", "DeepTh", "geometric", ["p"], {"keep": {"1": "1"}, "n0": 8}),
        ("RBP(p=0.8)", "CloseTh", "witness", [], {"m": 2, "difference": [{"order": 1, "value": "19/625"}]}),
        ("RBP(p=0.5)", "CloseTh", "geometric", [], {"keep": {"1": "1"}, "n0": 2, "signs": [1]}),
        ("NRBP(p=0.8, alpha=0.5)", "DeepTh", "geometric", ["p", "alpha"], {"keep": {"1": "1", "alpha": "-1"}, "n0": 3}),
        ("NRBP(p=0.8, alpha=0.5)", "CloseTh", "geometric", [], {"keep": {"1": "1/2"}, "n0": 3, "signs": [1, 1]}),
        ("NRBP(p=0.99, alpha=0)", "DeepTh", "geometric", ["p"], {"keep": {"1": "1"}, "n0": 459}),
        ("EU(log=e)", "DeepTh", "vanishing", ["alpha", "e", "log"], {"keep": {"1": "1", "alpha": "-1"}, "n0": 2}),
        ("EU(alpha=0, log=10)", "DeepTh", "growth", ["e"], {"rising": False, "n0": 2}),
        ("AP", "DeepTh", "growth", [], {"rising": True, "n0": 4}),
        ("nDCG", "DeepTh", "cutoff", [], {"n0": 20}),
        ("nDCG@inf", "DeepTh", "growth", [], {"rising": False, "n0": 3}),
        ("S-Recall@inf", "DeepTh", "equal", [], {"n0": 1}),
        ("S-Recall@2", "CloseTh", "cutoff", [], {"n0": 2, "signs": [0]}),
        ("S-RR@100%", "DeepTh", "harmonic", [], {"keep": {"1": "1"}, "n0": 1}),
        ("CT@inf", "CloseTh", "harmonic", ["alpha", "level"], {"keep": {"1": "1"}, "n0": 1, "signs": []}),
        (
            "alpha-nDCG(alpha=0.01)@inf",
            "DeepTh",
            "vanishing",
            ["alpha"],
            {"keep": {"1": "1", "alpha": "-1"}, "n0": 2**100 - 1},
        ),
    ],
)
def test_lemmas_and_their_numbers(metric: str, axiom: str, lemma: str, open_: list[str], data: Document) -> None:
    metric = "nDCG@20" if metric == "nDCG" else metric
    document = proved(metric, axiom)
    found = {key: document["data"][key] for key in data}
    assert (document["lemma"], document["scope"]["parameters"], found) == (lemma, open_, data)


def test_mixtures_take_one_lemma_per_part() -> None:
    document = proved("D#-nDCG@inf", "DeepTh")
    assert document["claim"] == "fails"
    assert [part["lemma"] for part in document["data"]["parts"].values()] == ["equal", "growth"]
    assert document["scope"]["parameters"] == ["lambda"]


def test_finite_refutations_name_a_grade() -> None:
    document = proved("RBU(p=0.8, e=0.05)@20", "CloseTh", small=False)
    assert (document["claim"], document["rc"]) == ("fails", "1")
    assert document["scope"]["parameters"] == ["p", "e"]


def test_nothing_is_claimed_where_no_fold_is_known() -> None:
    for metric in ("trec-NRBP", "alpha-nDCG-greedy"):
        assert prove_threshold(AXIOMS["DeepTh"], parse(metric), True) is None  # type: ignore[arg-type]


def test_the_prover_returns_only_what_the_checker_accepts(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(document: Document, metric: Metric) -> None:
        raise InvalidInput("no")

    monkeypatch.setattr(threshold_proof, "check_threshold", refuse)
    assert prove_threshold(AXIOMS["DeepTh"], parse("RBP"), True) is None  # type: ignore[arg-type]


def put(path: str, value: Any) -> Callable[[Document], None]:
    def change(document: Document) -> None:
        *keys, last = path.split("/")
        target: Any = document
        for key in keys:
            target = target[int(key)] if isinstance(target, list) else target[key]
        if isinstance(target, list):
            target[int(last)] = value
        else:
            target[last] = value

    return change


def both(*changes: Callable[[Document], None]) -> Callable[[Document], None]:
    def change(document: Document) -> None:
        for each in changes:
            each(document)

    return change


ONE_LESS = {"1": "1", "alpha": "-1"}
NRBP = "NRBP(p=0.8, alpha=0.5)"
EU = "EU(alpha=0.5, e=0.05, log=2)"
ALPHA_NDCG = "alpha-nDCG(alpha=0.5)@20"
DSHARP = "D#-nDCG(lambda=0.5)@20"

TAMPERED: list[tuple[str, str, Callable[[Document], None], str]] = [
    # keep factor
    (NRBP, "CloseTh", put("data/keep", {"1": "1/3"}), "not shown to shrink"),
    (NRBP, "DeepTh", put("data/keep", {"1": "1", "alpha": "-2"}), "may be negative"),
    (NRBP, "DeepTh", put("data/keep", {"1": "1/2"}), "not shown to shrink"),
    (NRBP, "CloseTh", put("data/keep", {"1": "3/4"}), "n0 is 3"),
    (NRBP, "CloseTh", put("data/keep", {"1": "1", "alpha": "-1"}), "does not list"),
    ("RBP(p=0.8)", "DeepTh", put("data/keep", {"1": "1/2"}), "not shown to shrink"),
    (EU, "DeepTh", put("data/keep", {"1": "1"}), "keep factor below 1"),
    ("RR", "DeepTh", put("data/keep", {"1": "2"}), "at most 1"),
    # n0
    ("RBP(p=0.8)", "DeepTh", put("data/n0", 7), "does not decide yet"),
    ("RBP(p=0.8)", "DeepTh", put("data/n0", 9), "expected the first n"),
    (NRBP, "CloseTh", put("data/n0", 2), "does not decide yet"),
    (NRBP, "CloseTh", put("data/n0", None), "takes an n0"),
    (ALPHA_NDCG, "CloseTh", put("data/n0", 2), "does not decide yet"),
    (EU, "DeepTh", put("data/n0", 1), "does not decide yet"),
    ("P@20", "DeepTh", put("data/n0", 19), "expected the cutoff"),
    ("AP", "DeepTh", put("data/n0", 3), "does not decide yet"),
    ("AP", "DeepTh", put("data/n0", 5), "expected the first n"),
    ("RR", "CloseTh", put("data/n0", 2), "expected 1"),
    (DSHARP, "DeepTh", put("data/parts/2/n0", 2), "expected the cutoff"),
    # the signs below n0
    (NRBP, "CloseTh", put("data/signs", [1, 0]), "data.signs is"),
    ("S-Recall@20", "CloseTh", put("data/signs", [0] * 18), "data.signs is"),
    # m and the difference
    ("P@20", "CloseTh", put("data/m", 1), "not ahead at m = 1"),
    ("P@20", "CloseTh", put("data/m", 3), "expected the smallest"),
    ("nDCG@20", "CloseTh", put("data/m", 2), "not ahead at m = 2"),
    ("AP", "CloseTh", put("data/m", 40), "expected the smallest"),
    ("AP", "CloseTh", put("data/difference/0/value", "3/10"), "data.difference is 3/10"),
    ("AP", "CloseTh", put("data/difference/0/value", "6/40"), "lowest terms"),
    ("nDCG@20", "CloseTh", put("data/difference/0/above", "1/5"), "not below it"),
    ("RBP(p=0.8)", "CloseTh", put("data/difference/0/order", 0), "expected order 1"),
    # the claim and the constraint
    ("RBP(p=0.8)", "DeepTh", put("claim", "fails"), "does not keep the top"),
    ("AP", "DeepTh", put("claim", "holds"), "does not put the top ahead"),
    (NRBP, "CloseTh", put("claim", "holds"), "takes the lemma 'witness'"),
    ("AP", "CloseTh", put("claim", "fails"), "lemma 'witness' shows"),
    ("AP", "CloseTh", put("axiom", "DeepTh"), "lemma 'witness' shows"),
    ("AP", "DeepTh", put("axiom", "CloseTh"), "keep the block from being ahead"),
    ("AP", "DeepTh", put("axiom", "Deep"), "axiom is 'Deep'"),
    # the metric and its parameters
    ("RBP(p=0.8)", "CloseTh", put("metric", "RBP(p=0.7)"), "not ahead at m = 2"),
    ("RBP(p=0.8)", "CloseTh", put("metric", "RBP(p=0.9)"), "data.difference is 19/625"),
    (NRBP, "CloseTh", put("metric", "NRBP(p=0.9, alpha=0.5)"), "does not decide yet"),
    (NRBP, "CloseTh", put("metric", "NRBP(p=0.8, alpha=0.4)"), "not shown to shrink"),
    ("P@20", "DeepTh", put("metric", "P@10"), "expected the cutoff 10"),
    ("P@20", "CloseTh", put("metric", "P@2"), "not ahead at m = 2"),
    ("nDCG@20", "DeepTh", put("metric", "nDCG"), "needs a cutoff"),
    ("RR", "DeepTh", put("metric", "AP"), "not shown to shrink"),
    ("RR", "DeepTh", put("metric", "trec-NRBP(alpha=0.5, beta=0.5)"), "not scored by a fold"),
    ("RBP(p=0.8)", "DeepTh", put("metric", "RBP"), "expected the canonical name"),
    # the scope
    ("RBP(p=0.8)", "CloseTh", put("scope/parameters", ["p"]), "not ahead at m = 2 wherever"),
    (NRBP, "CloseTh", put("scope/parameters", ["p"]), "does not decide yet"),
    (NRBP, "CloseTh", put("scope/parameters", ["alpha"]), "not shown to shrink"),
    (EU, "CloseTh", put("scope/parameters", ["e", "log"]), "base is left open"),
    ("RBP(p=0.8)", "DeepTh", put("scope/parameters", ["p", "q"]), "no numeric parameter"),
    ("RBP(p=0.8)", "DeepTh", put("scope/parameters", ["p", "p"]), "twice"),
    (NRBP, "DeepTh", put("scope/parameters", ["p"]), "does not list"),
    ("RBP(p=0.8)", "DeepTh", put("scope/n", "n <= 6"), "expected 'all n'"),
    (ALPHA_NDCG, "CloseTh", both(put("scope/parameters", ["alpha"]), put("data/keep", ONE_LESS)), "n0 depends on"),
    ("EU(alpha=0.5, e=0.05, log=e)", "DeepTh", put("data/keep", ONE_LESS | {"log": "0"}), "which is e"),
    # the regime
    ("RBU(p=0.8, e=0.05)@20", "CloseTh", put("small", False), "not ahead at m = 2 wherever"),
    ("RBP(p=0.8)", "DeepTh", put("rc", "1"), "the grade is open"),
    # a lemma that does not apply
    ("RR", "DeepTh", put("lemma", "geometric"), "geometric discounts"),
    ("RBP(p=0.8)", "DeepTh", put("lemma", "vanishing"), "1 / i or 1 / log i"),
    ("RBP(p=0.8)", "DeepTh", put("lemma", "harmonic"), "discounts 1 / i"),
    (EU, "DeepTh", put("lemma", "harmonic"), "discounts 1 / i"),
    (DSHARP, "DeepTh", put("lemma", "cutoff"), "expected the lemma 'mixture'"),
    ("S-Recall@20", "DeepTh", put("lemma", "equal"), "without a cutoff"),
    ("RR", "DeepTh", put("lemma", "because"), "lemma is 'because'"),
    ("AP", "DeepTh", put("data", {"n0": 4}), "expected"),
    ("AP", "DeepTh", put("data/rising", False), "not shown to increase"),
    ("nDCG", "DeepTh", put("data/rising", True), "not shown to grow"),
    (DSHARP, "DeepTh", put("data/parts/1/lemma", "witness"), "not a lemma about one fold"),
    # numbers that are no part of the lemma, or missing
    ("RR", "DeepTh", put("data/why", 1), "data has"),
    ("RR", "DeepTh", put("data/signs", []), "not part of a claim"),
    ("AP", "DeepTh", put("data/n0", None), "needs n0"),
    ("RBP(p=0.8)", "DeepTh", put("data/n0", 10**5 + 1), "expected at most 100000"),
    (DSHARP, "DeepTh", put("data/parts/3", {"lemma": "cutoff", "n0": 20}), "expected 2 of them"),
    (DSHARP, "DeepTh", put("data/n0", 20), "expected parts and signs"),
    ("AP", "CloseTh", put("data/n0", 3), "expected m and difference"),
    ("AP", "CloseTh", put("data/difference", []), "expected 1 of them"),
    ("AP", "CloseTh", put("data/difference/0", {"order": 0, "above": "1/10"}), "expected \\['order', 'value'\\]"),
    # not a certificate
    ("RR", "DeepTh", put("schema", "axiomcheck/witness"), "schema"),
    ("RR", "DeepTh", put("version", 2), "version"),
    ("RR", "DeepTh", put("kind", "positivity"), "kind"),
    ("RR", "DeepTh", put("digest", "00"), "not known"),
    ("RR", "DeepTh", put("data", []), "data is"),
]


@pytest.mark.parametrize(("metric", "axiom", "change", "message"), TAMPERED)
def test_changed_certificates_are_rejected(
    metric: str, axiom: str, change: Callable[[Document], None], message: str
) -> None:
    document = proved(f"{metric}@inf" if metric == "nDCG" else metric, axiom)
    check_threshold(copy.deepcopy(document))
    change(document)
    with pytest.raises(InvalidInput, match=message.replace("(", r"\(")):
        check_threshold(document)


FALSE: dict[str, tuple[Document, str]] = {
    "ERR never falls behind a long block": (
        certificate("ERR@inf", "DeepTh", "fails", "growth", {"rising": False, "n0": 3}),
        "not shown to increase|not shown to grow",
    ),
    "nDCG's tail vanishes": (
        certificate("nDCG", "DeepTh", "holds", "vanishing", {"keep": {"1": "1/2"}, "n0": 3}),
        "not shown to shrink",
    ),
    "AP is bounded as 1 / i": (
        certificate("AP", "DeepTh", "holds", "harmonic", {"keep": {"1": "1"}, "n0": 1}),
        "not shown to shrink",
    ),
    "NRBP with a patient user fails CloseTh": (
        certificate(
            "NRBP(p=0.99, alpha=0.5)",
            "CloseTh",
            "fails",
            "geometric",
            {"keep": {"1": "1/2"}, "n0": 68, "signs": [1] * 67},
        ),
        "block is ahead",
    ),
    "RBU holds CloseTh at every grade": (
        certificate(
            "RBU(p=0.8, e=0.05)@20",
            "CloseTh",
            "holds",
            "witness",
            {"m": 2, "difference": [{"order": 0, "value": "76/625"}]},
            small=False,
        ),
        "not ahead at m = 2 wherever",
    ),
    "S-Recall puts the top ahead": (
        certificate("S-Recall@inf", "DeepTh", "holds", "equal", {"n0": 1}),
        "does not put the top ahead",
    ),
    "S-Recall ties at its cutoff": (
        certificate("S-Recall@20", "DeepTh", "fails", "equal", {"n0": 1}),
        "without a cutoff",
    ),
    "alpha open where it is 0": (
        certificate(
            "alpha-nDCG(alpha=0)@inf",
            "DeepTh",
            "holds",
            "vanishing",
            {"keep": {"1": "1", "alpha": "-1"}, "n0": None},
            parameters=["alpha"],
        ),
        "an end of its range",
    ),
    "RBP at p = 1 earns something": (
        certificate("RBP(p=1)@20", "DeepTh", "holds", "cutoff", {"n0": 20}),
        "not shown to be positive",
    ),
    "RBP at p = 1 by leaving p open": (
        certificate("RBP(p=1)@20", "DeepTh", "holds", "cutoff", {"n0": 20}, parameters=["p"]),
        "an end of its range",
    ),
    "nDCG without a cutoff, mixed": (
        certificate(
            "D#-nDCG(lambda=0.5)@inf",
            "DeepTh",
            "holds",
            "mixture",
            {"parts": {"1": {"lemma": "equal", "n0": 1}, "2": {"lemma": "growth", "rising": False, "n0": 3}}},
        ),
        "does not put the top ahead",
    ),
    "RR ties": (certificate("RR", "DeepTh", "fails", "equal", {"n0": 1}), "constant discounts"),
    "no grade is above 1": (
        certificate(
            "RR", "CloseTh", "fails", "harmonic", {"keep": {"1": "1"}, "n0": 1, "signs": []}, small=False, rc="3/2"
        ),
        "expected 0 < rc <= 1",
    ),
    "non-relevant documents at grade 0": (
        certificate(
            "RR", "CloseTh", "fails", "harmonic", {"keep": {"1": "1"}, "n0": 1, "signs": []}, small=False, rc="0"
        ),
        "expected 0 < rc <= 1",
    ),
    "more signs than anyone checks": (
        certificate(
            "RBP(p=0.995)", "CloseTh", "fails", "geometric", {"keep": {"1": "1"}, "n0": 1058, "signs": [1] * 1057}
        ),
        "leaves more than 512",
    ),
    "signs that nobody knows": (
        certificate(
            "RBP(p=0.8)@5",
            "CloseTh",
            "fails",
            "cutoff",
            {"n0": 5, "signs": [1, None, None, 1]},
            parameters=["p"],
        ),
        "sign at n = 2 is not known",
    ),
    "gains that depend on an open level": (
        certificate(
            "CT(alpha=0.5, level=1)@20",
            "CloseTh",
            "fails",
            "cutoff",
            {"n0": 20, "signs": []},
            parameters=["level"],
            small=False,
            rc="1/2",
        ),
        "depends on the values",
    ),
    "ERR ties in the limit": (
        certificate("ERR@inf", "CloseTh", "fails", "equal", {"n0": 1, "signs": []}),
        "constant discounts|not shown to shrink",
    ),
}


@pytest.mark.parametrize("name", FALSE)
def test_false_certificates_are_rejected(name: str) -> None:
    document, message = FALSE[name]
    with pytest.raises(InvalidInput, match=message):
        check_threshold(document)


# Planted metrics, under the name RBP


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


GEOMETRIC = Geometric(Fraction(1, 2))


def plant(monkeypatch: pytest.MonkeyPatch, fold: Fold, **members: Any) -> Document:
    """A certificate, true of RBP(p=0.5), for a metric of that name with another fold or other members."""
    members |= {"fold": lambda self: fold, "name": "RBP"}
    monkeypatch.setitem(CATALOGUE, "RBP", type("PlantedMetric", (RankBiasedPrecision,), members))
    return certificate("RBP(p=0.5)", "DeepTh", "holds", "geometric", {"keep": {"1": "1"}, "n0": 2})


def test_a_planted_metric_without_a_fault_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    check_threshold(plant(monkeypatch, Planted(GEOMETRIC, lambda r, s: r * s, lambda r, s: s * (1 - r))))


@pytest.mark.parametrize("small", [True, False])
@pytest.mark.parametrize(
    ("gain", "move", "in_the_limit", "at_any_grade"),
    [
        (lambda r, s: r * s + s, lambda r, s: s, "non-relevant document", "non-relevant document"),
        (lambda r, s: r * s, lambda r, s: s + s, "non-relevant document", "non-relevant document"),
        (lambda r, s: r * (2 - s), lambda r, s: s * (1 - r), "may be negative", "may be negative"),
        (lambda r, s: -r * s, lambda r, s: s, "may earn nothing", "may earn nothing"),
        (lambda r, s: r - r, lambda r, s: s, "may earn nothing", "may earn nothing"),
        # faults that vanish as r -> 0
        (lambda r, s: r * s, lambda r, s: s + r * s, None, "not shown to shrink"),
        (lambda r, s: r * (1 - r) * s, lambda r, s: s, None, "may earn nothing"),
        (lambda r, s: r * s, lambda r, s: s - 2 * r, None, "may be negative"),
    ],
)
def test_gains_and_states_are_examined(
    monkeypatch: pytest.MonkeyPatch, gain: Any, move: Any, in_the_limit: str | None, at_any_grade: str, small: bool
) -> None:
    monkeypatch.setattr(threshold_check, "probe", lambda *_: None)  # which sees some of these on short blocks
    document = plant(monkeypatch, Planted(GEOMETRIC, gain, move)) | {"small": small}
    message = in_the_limit if small else at_any_grade
    if message is None:
        check_threshold(document)
        return
    with pytest.raises(InvalidInput, match=message):
        check_threshold(document)


def test_a_later_gain_of_a_lower_order_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    """g_1 = r^2, g_2 = r: no keep factor bounds that as r -> 0."""
    fold = Planted(GEOMETRIC, lambda r, s: r * (1 - s) + r * r * s, lambda r, s: s * (1 - r))
    document = plant(monkeypatch, fold)
    with pytest.raises(InvalidInput, match="by an order of r"):
        check_threshold(document)


@pytest.mark.parametrize(
    "discount",
    [
        Geometric(Fraction(1, 2), Fraction(-1)),
        Geometric(Fraction(1, 2), Fraction(0)),
        Geometric(Fraction(3, 2)),
        Geometric(Fraction(-1, 2)),
        InverseLog(Fraction(1, 2)),
        InverseLog(shift=0, offset=0),
    ],
)
def test_discounts_are_examined(monkeypatch: pytest.MonkeyPatch, discount: Discount) -> None:
    monkeypatch.setattr(threshold_check, "probe", lambda *_: None)
    document = plant(monkeypatch, Additive(discount))
    with pytest.raises(InvalidInput, match="not shown to be positive"):
        check_threshold(document)


@pytest.mark.parametrize("fold", [Additive(Geometric(Fraction(1))), Novelty(Geometric(Fraction(1)), Fraction(1, 2))])
def test_a_geometric_tail_needs_a_ratio_below_one(monkeypatch: pytest.MonkeyPatch, fold: Fold) -> None:
    document = plant(monkeypatch, fold)
    document["data"] = {"keep": {"1": "1" if isinstance(fold, Additive) else "1/2"}, "n0": None}
    with pytest.raises(InvalidInput, match="has no sum"):
        check_threshold(document)


def test_leading_coefficients_show_no_tie(monkeypatch: pytest.MonkeyPatch) -> None:
    """r, r (1 - r), ...: nothing is left after the first at r = 1 only."""
    plant(monkeypatch, Cascade(Constant()))
    document = certificate("RBP(p=0.5)", "CloseTh", "fails", "equal", {"n0": 1, "signs": []})
    with pytest.raises(InvalidInput, match="not shown to shrink"):
        check_threshold(document)


def test_a_negative_share_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    def parts(self: Any) -> Any:
        return (Fraction(-1), SubtopicRecall(self.cutoff)), (Fraction(1), DMeasure(self.cutoff))

    monkeypatch.setattr(DSharpMeasure, "parts", parts)
    tails = {str(i): {"lemma": "cutoff", "n0": 20} for i in (1, 2)}
    monkeypatch.setattr(threshold_parts, "runs_catalogue_code", lambda metric: True)
    with pytest.raises(InvalidInput, match="may be negative"):
        check_threshold(certificate(DSHARP, "DeepTh", "holds", "mixture", {"parts": tails}))


class TotalOfItsOwn(Additive):
    """A fold that does not add up its gains."""

    def total(self, a: Arithmetic, grades: Array) -> Array:
        return -super().total(a, grades)


def test_a_total_of_its_own_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    document = plant(monkeypatch, TotalOfItsOwn(GEOMETRIC))
    with pytest.raises(InvalidInput, match="redefines total"):
        check_threshold(document)


@dataclass(frozen=True)
class LongState(Additive):
    """A fold that remembers five numbers."""

    def start(self, a: Arithmetic) -> State:
        return Cascade(self.discount).start(a) * 5

    def step(self, a: Arithmetic, state: State, r: Array) -> tuple[Array, State]:
        return r, state


def many_comparisons(r: Array, state: Array) -> Array:
    return r * state if all(bool(np.all(state > k)) in (True, False) for k in range(2, 10)) else r


@pytest.mark.parametrize(
    ("fold", "message"),
    [
        (LongState(GEOMETRIC), "5 numbers in its state"),
        (Planted(GEOMETRIC, many_comparisons, lambda r, s: s), "too many comparisons"),
        (Planted(GEOMETRIC, lambda r, s: np.append(r, r), lambda r, s: s), "several numbers of one grade"),
    ],
)
def test_folds_beyond_the_checker_are_rejected(monkeypatch: pytest.MonkeyPatch, fold: Fold, message: str) -> None:
    monkeypatch.setattr(threshold_check, "probe", lambda *_: None)
    with pytest.raises(InvalidInput, match=message):
        check_threshold(plant(monkeypatch, fold))


def test_a_kernel_of_its_own_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    def kernel(self: Any, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        return -RankBiasedPrecision.kernel(self, a, grades, weights, pool)

    document = plant(monkeypatch, Additive(GEOMETRIC), kernel=kernel)
    with pytest.raises(InvalidInput, match="redefines kernel"):
        check_threshold(document)


def test_scores_are_compared_with_the_fold(monkeypatch: pytest.MonkeyPatch) -> None:
    """A normaliser that is negative turns every comparison round."""

    def normaliser(self: Any, a: Arithmetic, pool: Array) -> Array:
        return -pool.sum(axis=-2)

    document = plant(monkeypatch, Additive(GEOMETRIC), normalised=True, normaliser=normaliser)
    with pytest.raises(InvalidInput, match="for every pool is not shown"):
        check_threshold(document)


def test_a_negative_scale_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    document = plant(monkeypatch, Additive(GEOMETRIC), scale=lambda self, aspects: Fraction(-1))
    with pytest.raises(InvalidInput, match="scale of RBP is not positive"):
        check_threshold(document)


def test_s_rr_has_to_be_its_fold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threshold_parts, "Cascade", lambda discount, binary: Additive(discount, binary))
    threshold_parts._check_reduction.cache_clear()
    with pytest.raises(InvalidInput, match="not its fold on one aspect"):
        check_threshold(certificate("S-RR@100%", "DeepTh", "holds", "harmonic", {"keep": {"1": "1"}, "n0": 1}))


def test_comparisons_inside_a_metric_are_explored_both_ways() -> None:
    """CT at any level: whether the aspect is full is open, and nothing is gained by taking it for never full."""
    document = proved("CT(alpha=0.5, level=1)@20", "CloseTh", small=False)
    assert document["scope"]["parameters"] == ["alpha", "level"]
    false = certificate("CT(alpha=0, level=1)@inf", "DeepTh", "fails", "growth", {"rising": False, "n0": 3})
    with pytest.raises(InvalidInput, match="not shown to grow"):
        check_threshold(false | {"small": False, "rc": "1/2"})


# Cross-examination


@pytest.mark.parametrize(
    "document",
    [
        certificate("AP", "DeepTh", "holds", "harmonic", {"keep": {"1": "1"}, "n0": 1}),
        certificate("RR", "DeepTh", "fails", "growth", {"rising": False, "n0": 3}),
        certificate("RBP(p=0.8)", "CloseTh", "fails", "geometric", {"keep": {"1": "1"}, "n0": 8, "signs": [1] * 7}),
        certificate("RBP(p=0.8)", "CloseTh", "holds", "witness", {"m": 1, "difference": []}),
        certificate("nDCG@20", "CloseTh", "holds", "witness", {"m": 5, "difference": []}),
        certificate("RBP(p=0.8)", "CloseTh", "holds", "witness", {"m": 2, "difference": []}, parameters=["p"]),
        certificate("RBU(p=0.8, e=0.05)@20", "CloseTh", "holds", "witness", {"m": 2, "difference": []}, small=False),
        certificate("RBP(p=0.8)", "DeepTh", "holds", "geometric", {"keep": {"1": "1"}, "n0": 1}),
        certificate("S-Recall@20", "DeepTh", "fails", "equal", {"n0": 1}),
    ],
    ids=lambda d: f"{d['metric']}-{d['axiom']}-{d['claim']}",
)
def test_exact_signs_contradict_false_certificates(document: Document) -> None:
    with pytest.raises(InternalDisagreement, match="a certificate says"):
        cross_examine(document)


def test_reciprocal_growth_is_only_for_rising_gains() -> None:
    """n D_2n is 1/2 for 1 / i, however long the block."""
    document = certificate("AP", "DeepTh", "fails", "growth", {"rising": False, "n0": 1})
    assert isinstance(parse("AP").fold().discount, Reciprocal)  # type: ignore[attr-defined]
    with pytest.raises(InvalidInput, match="not shown to increase"):
        check_threshold(document)
