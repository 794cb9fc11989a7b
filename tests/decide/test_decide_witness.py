"""Witnesses go through JSON and back, one that was altered is turned down, and a minimal one is minimal."""

import json
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest

from axiomcheck import Cell, Domain, InvalidInput, Metric, Reading, Regime, Verdict, parse
from axiomcheck.axioms import AXIOMS, PairAxiom
from axiomcheck.axioms.drafts import exact_draft
from axiomcheck.core.documents import document_of, parse_json
from axiomcheck.core.domain import Instance, assumes_small
from axiomcheck.core.writing import json_text
from axiomcheck.decide.batch import Batch, Pairs
from axiomcheck.decide.comparison import compare, signs
from axiomcheck.decide.sampling import generator, sample_batches
from axiomcheck.decide.search import Settings
from axiomcheck.decide.shrink import shrink, size_key
from axiomcheck.decide.space import InstanceSpace
from axiomcheck.decide.witness import read_threshold_witness, read_witness
from axiomcheck.engine.run import run_matrix
from axiomcheck.records.witnesses import AnyWitness
from tests.proof.documents import pair_axiom
from tests.support.metrics_topics import exact
from tests.support.scalar import every_instance, meets, roles_of, topic_of
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
    ("axiom-threshold", SMALL, put("axiom", "DeepTh"), "DeepTh"),
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


@pytest.mark.parametrize(("what", "which", "tampering", "place"), TAMPERINGS)
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


QUICK = Settings(proofs=False, examples=2_000)


def cell(metric: Metric, axiom: str, reading: Reading, settings: Settings = QUICK) -> Cell:
    return run_matrix([metric], [AXIOMS[axiom]], reading, settings).cells[0]


def pairs(instances: list[Instance], small: bool) -> Pairs:
    def array(rows: list[Any]) -> Any:
        return exact(rows, *np.shape(rows))

    def ranked(side: str) -> Any:
        return np.array([[[*one.topic.pool].index(name) for name in getattr(one, side)] for one in instances])

    weights = array([one.topic.weights for one in instances])
    pool = array([[*one.topic.pool.values()] for one in instances])
    return Pairs(pool, weights, ranked("worse"), ranked("better"), small)


def violating(metric: Metric, axiom: PairAxiom, instances: Iterable[Instance], small: bool) -> list[Instance]:
    found = []
    by_length: dict[tuple[int, int], list[Instance]] = {}
    for one in instances:
        by_length.setdefault((len(one.worse), len(one.better)), []).append(one)
    for group in by_length.values():
        every = signs(metric, pairs(group, small))
        assert None not in every
        found += [one for one, sign in zip(group, every, strict=True) if sign in ((-1, 0) if axiom.strict else (-1,))]
    return found


MINIMAL = [
    ("nDCG@20", "Conf", Regime.STATED, Domain.GRADED),
    ("AP-IA", "Red", Regime.STATED, Domain.GRADED),
    ("NRBP", "AspRel", Regime.STATED, Domain.GRADED),
    ("ERR@20", "Pri", Regime.FINITE, Domain.GRADED),
]


@each(("name", "axiom_name", "regime", "domain"), MINIMAL, 3)
def test_nothing_smaller_violates(name: str, axiom_name: str, regime: Regime, domain: Domain) -> None:
    metric, axiom = parse(name), pair_axiom(axiom_name)
    reading = Reading(regime, domain)
    decided = cell(metric, axiom_name, reading)
    assert decided.witness is not None, decided.verdict
    witness = read_witness(decided.witness)
    shape, small = witness.batch.draft.shape, assumes_small(axiom, reading)
    assert witness.minimal is not None
    assert "at most" in witness.minimal
    binary = axiom.binary or metric.binary_only or domain is Domain.BINARY
    grades = [Fraction(1)] if binary and (small or metric.binary_only) else [Fraction(1, 2), Fraction(1)]
    most_aspects = int(witness.minimal.rsplit("at most ", 1)[1].split()[0])
    tried = 0
    for documents in range(1, shape.documents + 1):
        for m in range(axiom.min_aspects, min(most_aspects, axiom.max_aspects or 4) + 1):
            if (documents, m) >= (shape.documents, shape.aspects) or len(grades) ** 2 * documents * m > 24:
                continue
            for n in range(axiom.min_ranked, documents - len(axiom.incoming) + 1):
                weights = (1,) if axiom.balanced or m == 1 else (1, 2)
                every = list(every_instance(axiom.name, n, documents, m, grades, weights, binary))
                tried += len(every)
                assert not violating(metric, axiom, every, small), (documents, m, n)
    event = (shape.documents, shape.aspects) > (axiom.min_ranked + len(axiom.incoming), axiom.min_aspects)
    assert tried > 0 or not event


def test_ap_breaks_deepness_with_eight_documents_and_without_enumeration() -> None:
    """True up to seven ranks, false at eight."""
    for settings in (QUICK, Settings(proofs=False, examples=10_000, exhaustive=False)):
        decided = cell(parse("AP"), "Deep", Reading(), settings)
        assert decided.verdict is Verdict.REFUTED
        assert decided.witness is not None
        witness = read_witness(decided.witness)
        assert signs(witness.metric, witness.batch)[0] in (-1, 0)
        if settings is QUICK:
            assert decided.witness.minimal
            assert len(decided.witness.topic.pool) == len(decided.witness.worse) == 8
            assert witness.batch.draft.shape.documents == 8
        else:
            assert decided.witness.minimal is None
            assert witness.batch.draft.shape.ranked >= 8


SHRUNK = [
    ("nDCG@20", "Conf", Regime.STATED, Domain.GRADED),
    ("ERR@20", "Pri", Regime.FINITE, Domain.GRADED),
    ("RBU@7", "AspRel", Regime.STATED, Domain.GRADED),
    ("D#-nDCG@20", "MRed", Regime.LIMIT, Domain.GRADED),
]


@each(("name", "axiom_name", "regime", "domain"), SHRUNK, 3)
def test_shrinking_keeps_the_violation(name: str, axiom_name: str, regime: Regime, domain: Domain) -> None:
    metric, axiom = parse(name), pair_axiom(axiom_name)
    small = assumes_small(axiom, Reading(regime, domain))
    depth = min(metric.cutoff or 20, 20)
    seen = Domain.BINARY if metric.binary_only else domain
    done = 0
    space = InstanceSpace(axiom, seen, small, depth)
    for batch in sample_batches(space, 4_000, generator(2, name, axiom_name)):
        if done >= 3 or not batch.size:
            continue
        suspects = np.flatnonzero(compare(metric, batch).sign <= 0)[:1]
        before = Batch(axiom, exact_draft(batch.draft.pick(suspects)), small)
        if not before.size or signs(metric, before)[0] not in ((-1, 0) if axiom.strict else (-1,)):
            continue
        stated = size_key(before.draft)
        after = shrink(metric, before, metric.cutoff)
        assert size_key(before.draft) == stated, "the original has changed"
        assert size_key(after.draft) <= stated
        sign = signs(metric, after)[0]
        assert sign == -1 or (sign == 0 and axiom.strict)
        assert axiom.premises(after.draft).all()
        binary = axiom.binary or seen is Domain.BINARY
        assert meets(axiom.name, topic_of(axiom.name, after.draft, 0), roles_of(after.draft, 0), binary)
        assert metric.cutoff is None or axiom.last_rank(after.draft)[0] <= metric.cutoff
        again = shrink(metric, after, metric.cutoff)
        assert size_key(again.draft) == size_key(after.draft), "shrinking goes on when asked again"
        done += 1
    assert done == 3
