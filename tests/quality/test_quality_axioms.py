"""Larger samples, samples with other seeds, and drawn instances under the other cutoff."""

from __future__ import annotations

import pytest

from axiomcheck.axioms import PairAxiom
from axiomcheck.core.domain import Domain
from tests.axioms.test_axioms_coverage import (
    COUNTED,
    SIZES,
    documents_besides_occur,
    each_axiom,
    every_usual_shape_occurs,
    keys_count_distinct_instances,
    small_rounds_can_be_drawn,
)
from tests.axioms.test_axioms_premises import (
    SMALL_SHAPES,
    drawn_are_instances,
    each_domain,
    enumerator_leaves_nothing_out,
    mutations_are_instances,
    premises_agree,
    samples_are_instances,
)

SIZE = 4_000
each_other_seed = pytest.mark.parametrize("seed", [1, 2])


@each_axiom
@each_domain
@each_other_seed
def test_every_usual_shape_occurs_in_every_round(axiom: PairAxiom, domain: Domain, seed: int) -> None:
    every_usual_shape_occurs(axiom, domain, seed)


@each_axiom
@each_other_seed
def test_pools_with_and_without_documents_besides_occur(axiom: PairAxiom, seed: int) -> None:
    documents_besides_occur(axiom, seed)


@pytest.mark.parametrize(("axiom", "small", "support_only"), COUNTED)
def test_keys_count_distinct_instances(axiom: PairAxiom, small: bool, support_only: bool) -> None:
    keys_count_distinct_instances(axiom, small, support_only, SIZE)


@each_axiom
@each_domain
def test_samples_are_instances(axiom: PairAxiom, domain: Domain) -> None:
    samples_are_instances(axiom, domain, 1, SIZE)


@each_axiom
@each_domain
def test_mutations_are_instances(axiom: PairAxiom, domain: Domain) -> None:
    mutations_are_instances(axiom, domain, SIZE)


@each_axiom
@each_domain
def test_premises_agree_on_free_drafts(axiom: PairAxiom, domain: Domain) -> None:
    premises_agree(axiom, domain, SIZE)


@each_axiom
@each_domain
def test_the_enumerator_leaves_nothing_out(axiom: PairAxiom, domain: Domain) -> None:
    enumerator_leaves_nothing_out(axiom, domain, SMALL_SHAPES[axiom.name][-1:])


@each_axiom
@pytest.mark.parametrize(("size", "seed"), [(size, seed) for size in SIZES for seed in (1, 2)])
def test_small_rounds_can_be_drawn(axiom: PairAxiom, size: int, seed: int) -> None:
    small_rounds_can_be_drawn(axiom, size, seed)


@each_axiom
def test_drawn_are_instances(axiom: PairAxiom) -> None:
    for domain in Domain:
        for cutoff in (5, None):
            drawn_are_instances(axiom, domain, cutoff, 10)
