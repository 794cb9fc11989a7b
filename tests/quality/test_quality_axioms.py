"""Samples with other seeds, and drawn instances under the other cutoff."""

from __future__ import annotations

import pytest
from rows import others
from test_axioms_coverage import (
    COUNTED,
    documents_besides_occur,
    each_axiom,
    every_usual_shape_occurs,
    keys_count_distinct_instances,
)
from test_axioms_premises import drawn_are_instances, each_domain, samples_are_instances

from axiomcheck.axioms import PairAxiom
from axiomcheck.core.domain import Domain

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


@pytest.mark.parametrize(("axiom", "small", "support_only"), others(COUNTED, 7))
def test_keys_count_distinct_instances(axiom: PairAxiom, small: bool, support_only: bool) -> None:
    keys_count_distinct_instances(axiom, small, support_only)


@each_axiom
@each_domain
@each_other_seed
def test_samples_are_instances(axiom: PairAxiom, domain: Domain, seed: int) -> None:
    samples_are_instances(axiom, domain, seed)


@each_axiom
def test_drawn_are_instances(axiom: PairAxiom) -> None:
    drawn_are_instances(axiom, Domain.GRADED, 5)
    drawn_are_instances(axiom, Domain.BINARY, None)
