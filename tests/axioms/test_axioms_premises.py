"""Whatever samples, enumerates, mutates or draws instances makes instances: checked by `scalar`, not by the axioms."""

import dataclasses
import functools
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from operator import setitem
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from axiomcheck import InvalidInput
from axiomcheck.axioms import Draft, PairAxiom
from axiomcheck.axioms.drafts import exact_draft
from axiomcheck.core.domain import Domain, Instance
from axiomcheck.decide.batch import Batch
from axiomcheck.decide.enumeration import grid_groups, group_batches, group_size
from axiomcheck.decide.sampling import generator, mutations, sample_batches
from axiomcheck.decide.space import InstanceSpace
from axiomcheck.decide.witness import instance_of
from axiomcheck.strategies import instances
from tests.support.scalar import PAIR_AXIOMS, accepts, check, deepest, every_instance, readings
from tests.support.suites import each, quality

MAX_RANK = 20
SIZE, LARGER = 300, 400
"""Drafts of a sample."""
COLUMNS = ("grades", "weights", "top", "i", "j", "t", "u")
ROWS = [
    (axiom, domain, size)
    for number, axiom in enumerate(PAIR_AXIOMS)
    for domain, size in zip(sorted(Domain, reverse=number % 2 == 1), (SIZE, LARGER), strict=True)
]
"""Each axiom with a sample of one domain, and a larger one of the other, which is left to the quality suite."""
each_sample = each(("axiom", "domain", "size"), ROWS, 4, ids=str)
some_samples = each(("axiom", "domain", "size"), ROWS, 8, ids=str)


def smallness(axiom: PairAxiom) -> list[bool]:
    return [False, True] if axiom.can_be_small else [False]


def is_binary(axiom: PairAxiom, domain: Domain) -> bool:
    return domain is Domain.BINARY or axiom.name == "Red"


@functools.lru_cache(maxsize=64)
def sampled(
    axiom: PairAxiom, domain: Domain, small: bool, size: int = SIZE, max_rank: int = MAX_RANK
) -> tuple[Batch, ...]:
    """Return a sample, which tests share: they change copies of its drafts."""
    rng = generator(size, axiom.name, domain.value, small, "tests")
    return tuple(b for b in sample_batches(InstanceSpace(axiom, domain, small, max_rank), size, rng) if b.size)


def independent(draft: Draft) -> Draft:
    """A copy that shares no array."""
    columns: dict[str, Any] = {k: getattr(draft, k).copy() for k in COLUMNS}
    return dataclasses.replace(draft, **columns)


def same(one: Draft, other: Draft) -> bool:
    return all(np.array_equal(getattr(one, k), getattr(other, k)) for k in COLUMNS)


@some_samples
def test_samples_are_instances(axiom: PairAxiom, domain: Domain, size: int) -> None:
    for small in smallness(axiom):
        made = sampled(axiom, domain, small, size)
        assert sum(check(b, is_binary(axiom, domain), MAX_RANK, every=24) for b in made) > 40


@each(("axiom", "max_rank"), [(axiom, max_rank) for axiom in PAIR_AXIOMS for max_rank in (5, 11)], 8, ids=str)
def test_samples_fit_the_cutoff(axiom: PairAxiom, max_rank: int) -> None:
    domain = Domain.GRADED
    batches_ = sampled(axiom, domain, False, max_rank=max_rank)
    assert sum(check(b, is_binary(axiom, domain), max_rank, every=10) for b in batches_) > 25
    reached = max(int(axiom.last_rank(b.draft).max()) for b in batches_)
    assert reached == max_rank


@some_samples
def test_mutations_are_instances(axiom: PairAxiom, domain: Domain, size: int) -> None:
    rng = generator(3, "mutations", axiom.name)
    for small in smallness(axiom):
        space, tried = InstanceSpace(axiom, domain, small, MAX_RANK), 0
        for batch in sampled(axiom, domain, small, size):
            tried += check(mutations(space, batch.draft, 1, rng), is_binary(axiom, domain), MAX_RANK, every=15)
        assert tried > 25


DRAWN = [(axiom, domain, cutoff) for axiom in PAIR_AXIOMS for domain, cutoff in zip(Domain, (5, None), strict=True)]


@each(("axiom", "domain", "cutoff"), DRAWN, 5, ids=str)
def test_drawn_are_instances(axiom: PairAxiom, domain: Domain, cutoff: int | None) -> None:
    binary = is_binary(axiom, domain)

    @settings(max_examples=8, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def property_(data: st.DataObject) -> None:
        for small in smallness(axiom):
            instance = data.draw(instances(axiom, domain=domain, small=small, cutoff=cutoff))
            assert isinstance(instance, Instance)
            assert instance.small == small
            assert any(readings(axiom.name, instance, binary))
            assert cutoff is None or deepest(instance.worse, instance.better) <= cutoff

    property_()


SMALL_SHAPES = {
    "Pri": [(2, 2, 1), (2, 3, 1), (3, 3, 1), (3, 4, 1), (4, 4, 1)],
    "Deep": [(4, 4, 1), (4, 5, 1), (5, 5, 1)],
    "Conf": [(1, 2, 1), (2, 3, 1), (1, 4, 1), (3, 4, 1)],
    "AspDiv": [(1, 2, 1), (2, 3, 1), (1, 2, 2), (2, 3, 2), (1, 2, 3)],
    "Red": [(1, 3, 3), (1, 3, 2), (1, 4, 2), (2, 4, 2)],
    "MRed": [(1, 3, 2), (1, 4, 2)],
    "Sat": [(1, 2, 1), (2, 3, 1), (1, 2, 2), (1, 3, 2), (2, 3, 2), (1, 2, 3)],
    "AspRel": [(1, 2, 2), (1, 3, 2), (2, 3, 2), (1, 2, 3)],
}
"""(n, documents, m) by axiom, the quickest first."""
ENUMERATED = [
    (axiom, domain, shape)
    for axiom in PAIR_AXIOMS
    for number, shape in enumerate(SMALL_SHAPES[axiom.name])
    for domain in sorted(Domain, reverse=number % 2 == 1)
]


@each(("axiom", "domain", "shape"), ENUMERATED, 9, ids=str)
def test_the_enumerator_leaves_nothing_out(axiom: PairAxiom, domain: Domain, shape: tuple[int, int, int]) -> None:
    """On small shapes its instances are those of a brute-force product, filtered by `scalar`."""
    binary = is_binary(axiom, domain)
    n, documents, m = shape
    alike = documents * m > 6 and axiom.balanced and binary
    space = InstanceSpace(axiom, domain, max_rank=MAX_RANK, support_only=alike)
    grades, weights = [Fraction(g) for g in space.grid.grades], (1, 2) if documents * m <= 6 else space.grid.weights
    found = set()
    for batch in group_batches(space, documents, m):
        if batch.draft.shape.ranked != n:
            continue
        for row in range(batch.size):
            one = instance_of(Batch(axiom, exact_draft(batch.draft.pick(np.array([row]))), False))
            found.add((one.topic, one.worse, one.better))
    brute = list(every_instance(axiom.name, n, documents, m, grades, weights, binary))
    expected = {(one.topic, one.worse, one.better) for one in brute}
    assert len(expected) == len(brute) > 0
    assert found == expected


@each_sample
def test_repair_leaves_instances_as_they_are(axiom: PairAxiom, domain: Domain, size: int) -> None:
    for small in smallness(axiom):
        space, groups = InstanceSpace(axiom, domain, small, MAX_RANK), grid_groups(axiom)
        made = list(sampled(axiom, domain, small, size))
        for _ in range(8):
            documents, m = next(groups)
            if group_size(space, documents, m) <= 12_000:
                made += group_batches(space, documents, m)
        assert sum(b.size for b in made) > 0.9 * size
        for batch in made:
            repaired = independent(batch.draft)
            axiom.repair(repaired)
            assert same(repaired, batch.draft), (axiom, batch.draft.shape)


def test_a_copy_of_a_draft_is_independent() -> None:
    """Shrinking tries out changes on copies, which must not show in the original."""
    axiom = next(a for a in PAIR_AXIOMS if a.name == "AspRel")
    batch = sampled(axiom, Domain.GRADED, False)[0]
    original = independent(batch.draft)
    copy = batch.draft.copy()
    for column in COLUMNS:
        getattr(copy, column)[:] = 1 - getattr(copy, column)
    assert same(batch.draft, original)


Corruption = Callable[[Draft], None]
GRAIN = 2.0**-20


def another_rc(d: Draft) -> None:
    peak = d.grades.max(axis=(1, 2))
    d.grades[:, -1] *= 0
    d.grades[:, -1, 0] = np.where(peak == 1, 0.5, 1.0)
    d.grades[:, 0] *= 0
    d.grades[:, 0, 0] = np.where(peak == 0, 0.5, peak)


def one_pair_off(d: Draft) -> None:
    grades = d.grades[d.rows, d.j, 0]
    d.grades[d.rows, d.j, 0] = np.maximum(grades - GRAIN, 0) + (grades == 0) * GRAIN


CORRUPTIONS: dict[str, Corruption] = {
    "past the end": lambda d: setitem(d.i, ..., d.n),
    "before the start": lambda d: setitem(d.i, ..., -1),
    "overlap": lambda d: setitem(d.grades, np.s_[:, -1], d.top[:, None]),
    "unbalanced": lambda d: setitem(d.weights, np.s_[:, 0], d.weights[:, 0] + 1),
    "no weight": lambda d: setitem(d.weights, np.s_[:, 0], 0),
    "negative weight": lambda d: setitem(d.weights, np.s_[:, -1], -1),
    "above one": lambda d: setitem(d.grades, np.s_[:, -1, 0], 1 + GRAIN),
    "below zero": lambda d: setitem(d.grades, np.s_[:, -1, -1], -GRAIN),
    "another rc": another_rc,
    "one pair off": one_pair_off,
    "almost saturated": lambda d: setitem(d.grades, (d.rows, d.n - 1, d.t), 1 - GRAIN),
}
OF_ALL = ("above one", "below zero")
CORRUPTED = {
    "Pri": "before the start",
    "Deep": "past the end, one pair off",
    "AspDiv": "past the end, no weight, negative weight",
    "Red": "overlap, unbalanced, another rc",
    "MRed": "unbalanced",
    "Sat": "overlap, almost saturated, no weight",
    "AspRel": "overlap, before the start",
}
"""Test what the drafts of `perturbed` lack: impossible ranks and weights, and the finest differences of grades."""


def corrupted() -> Iterator[Any]:
    """Give every corruption of every axiom; everyday has each corruption once."""
    seen: set[str] = set()
    for axiom in PAIR_AXIOMS:
        for name in [*filter(None, CORRUPTED.get(axiom.name, "").split(", ")), *OF_ALL]:
            yield pytest.param(axiom, name, id=f"{axiom}-{name}", marks=quality if name in seen else ())
            seen.add(name)


@pytest.mark.parametrize(("axiom", "name"), list(corrupted()))
def test_a_corrupted_instance_is_rejected(axiom: PairAxiom, name: str) -> None:
    tried = 0
    for batch in sampled(axiom, Domain.GRADED, False):
        if name in ("overlap", "negative weight") and batch.draft.shape.aspects == 1:
            continue
        d = independent(batch.draft)
        CORRUPTIONS[name](d)
        stated = axiom.premises(d)
        assert not stated.any(), (batch.draft.shape, np.flatnonzero(stated))
        assert not any(accepts(axiom.name, d, row, is_binary(axiom, Domain.GRADED)) for row in range(0, d.size, 12))
        tried += d.size
    assert tried > 100


@each("axiom", PAIR_AXIOMS, 8, ids=repr)
def test_binary_instances_have_one_positive_grade(axiom: PairAxiom) -> None:
    for batch in sampled(axiom, Domain.BINARY, False):
        d = independent(batch.draft)
        another_rc(d)
        assert not axiom.premises(d).any()
        assert not any(accepts(axiom.name, d, row, True) for row in range(d.size))


def perturbed(axiom: PairAxiom, domain: Domain, size: int) -> Iterator[tuple[list[bool], list[bool]]]:
    """On drafts that nobody repaired: which the axiom accepts, and which `scalar` does."""
    rng = np.random.default_rng(23)
    binary = is_binary(axiom, domain)
    for batch in sampled(axiom, domain, False, size):
        d = independent(batch.draft)
        fewer = rng.random(d.grades.shape) < 0.03
        d.grades[fewer] = (1.0 if binary else rng.integers(0, 5) / 4) if rng.random() < 0.5 else 0.0
        for choice in axiom.choices:
            column = getattr(d, choice)
            moved = rng.random(column.shape) < 0.1
            column[moved] = rng.integers(0, d.shape.aspects if choice in "tu" else d.n, moved.sum())
        stated = axiom.premises(d)
        own = [accepts(axiom.name, d, row, binary) for row in range(d.size)]
        if binary:  # `scalar` does not know which rc was meant: a draft whose only grade is not it is no difference
            own = [a and bool(((d.grades[k] == 0) | (d.grades[k] == d.top[k])).all()) for k, a in enumerate(own)]
        yield stated.tolist(), own


@each_sample
def test_two_statements_of_the_premises_accept_the_same_drafts(axiom: PairAxiom, domain: Domain, size: int) -> None:
    accepted = rejected = 0
    for stated, own in perturbed(axiom, domain, size):
        assert stated == own
        accepted += sum(stated)
        rejected += len(stated) - sum(stated)
    assert accepted > 50
    assert rejected > 1


@pytest.mark.parametrize(
    ("axiom", "sizes", "said"),
    [
        (None, {}, "expected the name of an axiom, such as 'Red', got NoneType"),
        ("DeepTh", {}, "a threshold axiom, without instances to draw"),
        ("Conf", {"cutoff": "3"}, "cutoff is '3'; expected an integer >= 1"),
        ("Conf", {"max_extras": -1}, "max_extras is -1; expected an integer >= 0"),
        ("Conf", {"domain": "grades"}, "domain is 'grades'; expected one of 'graded', 'binary'"),
    ],
)
def test_a_strategy_of_no_instances_is_refused_when_it_is_made(axiom: Any, sizes: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidInput, match=re.escape(said)):
        instances(axiom, **sizes)
