"""Witnesses: read back, altered, minimal and shrunk; patterns find what random instances miss, and each is counted."""

import json
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

from axiomcheck import Cell, Domain, Metric, Reading, Regime, Verdict, parse
from axiomcheck.axioms import AXIOMS, PairAxiom, find_axiom
from axiomcheck.axioms.drafts import exact_draft
from axiomcheck.core.documents import document_of
from axiomcheck.core.domain import Instance, assumes_small
from axiomcheck.core.writing import json_text
from axiomcheck.decide.batch import Batch, Pairs
from axiomcheck.decide.comparison import compare, signs
from axiomcheck.decide.patterns import pattern_batches
from axiomcheck.decide.sampling import generator, sample_batches
from axiomcheck.decide.search import Search, Settings
from axiomcheck.decide.shrink import shrink, size_key
from axiomcheck.decide.space import InstanceSpace, instance_keys
from axiomcheck.decide.tally import Tally
from axiomcheck.decide.witness import read_threshold_witness, read_witness
from axiomcheck.engine.run import run_matrix
from tests.engine.campaigns import Tilted
from tests.proof.documents import pair_axiom
from tests.support.metrics_topics import exact
from tests.support.scalar import PAIR_AXIOMS, every_instance, meets, roles_of, topic_of
from tests.support.suites import each
from tests.support.tampering import DROP, Change, Document, put, tampered


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
    ("axiom-other", POSITIONS, put("axiom", "Red"), "roles."),
    ("axiom-threshold", SMALL, put("axiom", "DeepTh"), "DeepTh"),
    ("metric-unknown", SMALL, put("metric", "nDGC@20"), "nDCG"),
    ("metric-other", SMALL, put("metric", "RBU@20"), "scored again"),
    ("metric-cutoff", POSITIONS, put("metric", "ERR@1"), "cutoff"),
    ("small-flipped", POSITIONS, put("small", True), ""),
    ("weights-equal", ASPECTS, put("topic.weights", ["1/2", "1/2"]), "premises of AspRel"),
    ("grade-changed", POSITIONS, put("topic.pool.d1.0", "31/32"), "scored again"),
    ("overlap", APPENDED, put("topic.pool.x", ["1", "1"]), "premises of Red"),
    ("pool-less", SMALL, put("topic.pool.x", DROP), "x"),
    ("pool-renamed", SMALL, renamed, "topic.pool"),
    ("ranking-order", POSITIONS, lambda d: d["worse"].reverse(), "worse"),
    ("sides", POSITIONS, swapped_sides, "worse"),
    ("roles-ranked", SMALL, put("roles.ranked", 0), "roles.ranked"),
    ("roles-same", POSITIONS, put("roles.j", 1), "premises of Pri"),
    ("score-better", POSITIONS, put("scores.better", 1), "scores.better"),
    ("eps-missing", SMALL, put("eps", DROP), "eps is missing"),
    # Conf assumes r << 1 in ``stated`` and not in ``finite``: a witness cannot belong to both
    ("regime-without-small-grades", SMALL, put("reading.regime", "finite"), ""),
    ("metric-cutoff", TIED, put("metric", "P@4"), "P@4"),
    ("rc-with-small", TIED, put("rc", "1/2"), "rc"),
    ("rc-zero", GROWING, put("rc", "0"), "rc"),
    ("ahead-changed", TIED, put("ahead.0", "block"), "ahead"),
    ("argument", GROWING, put("argument", "trust me"), "argument"),
    ("axiom-of-pairs", TIED, put("axiom", "Pri"), ""),
]


@pytest.mark.parametrize(("what", "which", "tampering", "place"), TAMPERINGS)
def test_an_altered_witness_is_turned_down(
    what: str, which: tuple[str, str, Regime], tampering: Change, place: str
) -> None:
    read = read_witness if isinstance(AXIOMS[which[1]], PairAxiom) else read_threshold_witness
    assert place in tampered(read, json.loads(example(*which)), tampering)


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
    ("NRBP", "AspRel", Regime.STATED, Domain.GRADED),
    ("ERR@20", "Pri", Regime.FINITE, Domain.GRADED),
]


@each(("name", "axiom_name", "regime", "domain"), MINIMAL, 2)
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


def test_ap_breaks_deepness_with_eight_documents() -> None:
    """True up to seven ranks, false at eight."""
    decided = cell(parse("AP"), "Deep", Reading())
    assert decided.witness is not None
    witness = read_witness(decided.witness)
    assert signs(witness.metric, witness.batch)[0] in (-1, 0)
    assert witness.minimal
    assert witness.batch.draft.shape.documents == 8


SHRUNK = [
    ("nDCG@20", "Conf", Regime.STATED, Domain.GRADED),
    ("D#-nDCG@20", "MRed", Regime.LIMIT, Domain.GRADED),
]


@each(("name", "axiom_name", "regime", "domain"), SHRUNK, 2)
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


MANY = 10_000


def patterns_of(
    axiom: PairAxiom, domain: Domain = Domain.GRADED, small: bool = False, examples: int = MANY, exact: bool = True
) -> tuple[Batch, ...]:
    return pattern_batches(InstanceSpace(axiom, domain, small, 100), exact, examples)


@each(("axiom", "small"), list(product(PAIR_AXIOMS, (True, False))), 5, ids=str)
def test_patterns_meet_the_premises_and_come_once(axiom: PairAxiom, small: bool) -> None:
    for domain in Domain:
        batches = patterns_of(axiom, domain, small)
        keys = np.concatenate([instance_keys(batch, False) for batch in batches])
        assert len(np.unique(keys)) == len(keys) > 30
        assert all(axiom.premises(batch.draft).all() for batch in batches)
        assert max(batch.draft.shape.aspects for batch in batches) == (axiom.max_aspects or 12)


def test_a_search_of_few_examples_tries_few_patterns() -> None:
    axiom = PAIR_AXIOMS[0]
    sizes = [sum(batch.size for batch in patterns_of(axiom, examples=examples)) for examples in (0, 40, 400, MANY)]
    assert sizes[0] == 0
    assert sizes == sorted(sizes)
    assert 0 < sizes[1] <= 10 + 9  # one of each size at least


class OfADeepPool(Tilted):
    """Counts ranks the other way round where 32 judged documents are not ranked."""

    name = "of-a-deep-pool"

    def tilted(self, ranked: int, documents: int) -> bool:
        return documents - ranked == 32


def test_patterns_find_what_random_instances_miss() -> None:
    pri = find_axiom("Pri")
    settings = Settings(examples=200, proofs=False, exhaustive=False)
    (cell,) = run_matrix([OfADeepPool()], [pri], settings=settings).cells
    assert cell.verdict is Verdict.REFUTED
    assert cell.reason.endswith("but in none of the sampled instances")


def test_patterns_are_counted_apart_from_what_was_enumerated_and_drawn() -> None:
    pri = find_axiom("Pri")
    (cell,) = run_matrix([parse("RBP")], [pri], settings=Settings(examples=500, proofs=False)).cells
    assert cell.pairs is not None
    search = Search(pri, [parse("RBP")], Reading(), Settings(examples=500))
    assert cell.pairs.patterns == sum(batch.size for batch in search.patterns()) > 50
    fewer = cell.pairs.instances - cell.pairs.enumerated - cell.pairs.focused
    assert cell.pairs.one_in == int((fewer - cell.pairs.patterns) / np.log(100))


class RecordingTally(Tally):
    def __init__(self, metric: Metric, axiom: PairAxiom) -> None:
        super().__init__(metric, axiom)
        self.kept: set[Any] = set()

    def look(self, batch: Batch, sampled: bool) -> None:
        self.kept |= spelled_out(batch, self.metric.binary_only)
        super().look(batch, sampled)


def spelled_out(batch: Batch, binary: bool) -> set[Any]:
    """Return each instance as grades, weights, ranks and choices, equal where a metric cannot tell two apart."""
    draft, found = batch.draft, set()
    for b in range(batch.size):
        grades, weights = draft.grades[b], draft.weights[b]
        if binary:
            grades = grades > 0
        elif batch.small and grades.any():
            grades = grades / grades.max()
        choices = tuple(int(getattr(draft, choice)[b]) for choice in batch.axiom.choices)
        shares = tuple((weights // np.gcd.reduce(weights)).tolist())
        found.add((draft.shape, tuple(grades.ravel().tolist()), shares, choices))
    return found


CASES = [
    ("RBP@4", "Pri", Domain.BINARY, False, 2000),
    ("nDCG@3", "Pri", Domain.GRADED, True, 1000),
    ("AP@3", "Pri", Domain.GRADED, False, 500),
    ("RBP-IA@3", "AspDiv", Domain.GRADED, False, 400),
]
"""Choices and sizes, small grades, metrics that see whether a grade is positive, and weights: one case for each."""


@each(("metric", "axiom", "domain", "small", "examples"), CASES, 1)
def test_instances_are_counted_once(metric: str, axiom: str, domain: Domain, small: bool, examples: int) -> None:
    found = find_axiom(axiom)
    of = parse(metric)
    regime = Regime.LIMIT if small else Regime.FINITE
    search = Search(found, [of], Reading(regime, domain), Settings(examples=examples))
    tally = search.tallies[0] = RecordingTally(of, found)
    search.run()
    assert tally.focused
    assert not tally.violated
    assert search.coverage.distinct + sum(map(len, tally.focused)) == len(tally.kept)
    if (more := search.further(tally)) is not None:
        assert more.distinct + sum(map(len, tally.focused)) == len(tally.kept)
