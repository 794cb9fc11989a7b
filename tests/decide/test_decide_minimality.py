"""Witnesses: nothing smaller on the grid violates where a witness says so, and shrinking keeps what it shrinks."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np

from axiomcheck import Cell, Metric, Verdict, parse, read_witness
from axiomcheck.axioms import AXIOMS, PairAxiom
from axiomcheck.axioms.drafts import exact_draft
from axiomcheck.core.domain import Domain, Instance, Reading, Regime, assumes_small
from axiomcheck.decide.batch import Batch, Pairs
from axiomcheck.decide.comparison import compare, signs
from axiomcheck.decide.sampling import generator, sample_batches
from axiomcheck.decide.search import Settings
from axiomcheck.decide.shrink import shrink, size_key
from axiomcheck.decide.space import InstanceSpace
from axiomcheck.engine.run import run_matrix
from tests.proof.documents import pair_axiom
from tests.support.metrics_topics import exact
from tests.support.scalar import every_instance, meets, roles_of, topic_of
from tests.support.suites import each

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
