"""Witnesses go through JSON and back, and one that was altered is turned down with the place."""

import json
from functools import cache
from typing import Any

import pytest

from axiomcheck import Domain, InvalidInput, Reading, Regime, Verdict, parse
from axiomcheck.axioms import AXIOMS, PairAxiom
from axiomcheck.core.documents import document_of, parse_json
from axiomcheck.core.writing import json_text
from axiomcheck.decide.search import Settings
from axiomcheck.decide.witness import read_threshold_witness, read_witness
from axiomcheck.engine.run import run_matrix
from axiomcheck.records.witnesses import AnyWitness
from tests.support.suites import each
from tests.support.tampering import DROP, Change, Document, put, tampered

READINGS = [
    (("RR",), Regime.STATED, Domain.GRADED),
    (("ERR@20", "NRBP"), Regime.LIMIT, Domain.GRADED),
    (("RR-IA",), Regime.FINITE, Domain.BINARY),
]


def through_json(record: AnyWitness) -> Document:
    back: Document = parse_json(json_text(document_of(record)))
    return back


@each(("names", "regime", "domain"), READINGS, 3)
def test_every_witness_goes_through_json_and_back(names: tuple[str, ...], regime: Regime, domain: Domain) -> None:
    settings = Settings(proofs=False, examples=400)
    ledger = run_matrix([parse(name) for name in names], list(AXIOMS.values()), Reading(regime, domain), settings)
    assert not [cell for cell in ledger.cells if cell.verdict is Verdict.ERROR]
    pairs = thresholds = 0
    for cell in ledger.cells:
        if cell.verdict is not Verdict.REFUTED:
            continue
        assert cell.witness is not None
        document = through_json(cell.witness)
        if isinstance(AXIOMS[cell.axiom], PairAxiom):
            witness = read_witness(document)
            assert document_of(witness.record()) == document
            assert witness.record() == cell.witness
            assert (witness.metric.canonical, witness.axiom.name) == (cell.metric, cell.axiom)
            assert witness.reading == Reading(regime, domain)
            assert (witness.eps is None) == (not witness.batch.small)
            pairs += 1
        else:
            threshold = read_threshold_witness(document)
            assert document_of(threshold.record()) == document
            assert threshold.record() == cell.witness
            thresholds += 1
    assert pairs > 2
    assert thresholds > 0


@cache
def example(metric: str, axiom: str, regime: Regime) -> str:
    settings = Settings(proofs=False, examples=500)
    (cell,) = run_matrix([parse(metric)], [AXIOMS[axiom]], Reading(regime), settings).cells
    assert cell.witness is not None, cell.reason
    return json_text(document_of(cell.witness))


def swapped_sides(document: Document) -> None:
    for entry in (document, document["scores"]):
        entry["worse"], entry["better"] = entry["better"], entry["worse"]


def renamed(document: Document) -> None:
    document["topic"]["pool"] = {f"z{name}": grades for name, grades in document["topic"]["pool"].items()}
    for side in ("worse", "better"):
        document[side] = [f"z{name}" for name in document[side]]


SMALL = ("nDCG@20", "Conf", Regime.STATED)
POSITIONS = ("ERR@20", "Pri", Regime.FINITE)
ASPECTS = ("NRBP", "AspRel", Regime.STATED)
APPENDED = ("P-IA@20", "Red", Regime.STATED)
TIED = ("P@3", "CloseTh", Regime.STATED)
GROWING = ("AP", "DeepTh", Regime.FINITE)

TAMPERINGS: list[tuple[str, tuple[str, str, Regime], Change, str]] = [
    ("schema", SMALL, put("schema", "axiomcheck/matrix"), "schema"),
    ("axiom-unknown", SMALL, put("axiom", "Confi"), "Conf"),
    ("axiom-other", POSITIONS, put("axiom", "Red"), "roles."),
    ("metric-unknown", SMALL, put("metric", "nDGC@20"), "nDCG"),
    ("metric-other", SMALL, put("metric", "RBU@20"), "scored again"),
    ("metric-missing", SMALL, put("metric", DROP), "metric is missing"),
    ("metric-cutoff", POSITIONS, put("metric", "ERR@1"), "cutoff"),
    ("regime-unknown", SMALL, put("reading.regime", "infinite"), "reading.regime"),
    ("small-flipped", POSITIONS, put("small", True), ""),
    ("kind", SMALL, put("kind", "reversal"), "kind"),
    ("weights-sum", ASPECTS, put("topic.weights.0", "9/10"), "sum to 1"),
    ("weights-word", ASPECTS, put("topic.weights.0", "half"), "topic.weights[0]"),
    ("weights-equal", ASPECTS, put("topic.weights", ["1/2", "1/2"]), "premises of AspRel"),
    ("grade-above", POSITIONS, put("topic.pool.d1.0", "3/2"), "'d1'"),
    ("grade-changed", POSITIONS, put("topic.pool.d1.0", "31/32"), "scored again"),
    ("grades-more", SMALL, put("topic.pool.d1", ["0", "0"]), "topic.pool.d1 has 2 grades"),
    ("overlap", APPENDED, put("topic.pool.x", ["1", "1"]), "premises of Red"),
    ("pool-less", SMALL, put("topic.pool.x", DROP), "x"),
    ("pool-renamed", SMALL, renamed, "topic.pool"),
    ("ranking-order", POSITIONS, lambda d: d["worse"].reverse(), "worse"),
    ("ranking-twice", SMALL, put("worse", ["d1", "d1"]), "worse is"),
    ("sides", POSITIONS, swapped_sides, "worse"),
    ("roles-missing", POSITIONS, put("roles.j", DROP), "roles.j is missing"),
    ("roles-ranked", SMALL, put("roles.ranked", 0), "roles.ranked"),
    ("roles-position", POSITIONS, put("roles.i", 99), "roles.i"),
    ("roles-same", POSITIONS, put("roles.j", 1), "premises of Pri"),
    ("score-better", POSITIONS, put("scores.better", 1), "scores.better"),
    ("score-order", SMALL, put("scores.order", 7), "scores.order"),
    ("eps-missing", SMALL, put("eps", DROP), "eps is missing"),
    ("eps-word", SMALL, put("eps", "tiny"), "eps"),
    # Conf assumes r << 1 in ``stated`` and not in ``finite``: a witness cannot belong to both
    ("regime-without-small-grades", SMALL, put("reading.regime", "finite"), ""),
    ("arithmetic", POSITIONS, put("scores.arithmetic", "divine"), "scores.arithmetic"),
    ("metric-cutoff", TIED, put("metric", "P@4"), "P@4"),
    ("metric-other", TIED, put("metric", "AP"), "AP"),
    ("small-flipped", TIED, put("small", False), "small"),
    ("rc-with-small", TIED, put("rc", "1/2"), "rc"),
    ("extras-negative", TIED, put("unretrieved_relevant", -1), "unretrieved_relevant"),
    ("rc-above", GROWING, put("rc", "3/2"), "rc"),
    ("rc-zero", GROWING, put("rc", "0"), "rc"),
    ("ahead-changed", TIED, put("ahead.0", "block"), "ahead"),
    ("beyond", TIED, put("ahead_beyond", "block"), "ahead_beyond"),
    ("argument", GROWING, put("argument", "trust me"), "argument"),
    ("axiom-of-pairs", TIED, put("axiom", "Pri"), ""),
    ("regime-without-small", TIED, put("reading.regime", "finite"), ""),
]


@each(("what", "which", "tampering", "place"), TAMPERINGS, 4)
def test_an_altered_witness_is_turned_down(
    what: str, which: tuple[str, str, Regime], tampering: Change, place: str
) -> None:
    read = read_witness if isinstance(AXIOMS[which[1]], PairAxiom) else read_threshold_witness
    assert place in tampered(read, json.loads(example(*which)), tampering)


@pytest.mark.parametrize("document", [None, [], "witness", 3, {}])
def test_documents_that_are_no_witness_are_turned_down(document: Any) -> None:
    for read in (read_witness, read_threshold_witness):
        with pytest.raises(InvalidInput, match="witness"):
            read(document)
