"""The symbolic instances made of the relations that an axiom states are those that meet its premises, both ways."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import lcm
from typing import Any

import numpy as np
from flint import fmpq

from axiomcheck.axioms import Draft, PairAxiom
from axiomcheck.core.domain import Domain
from axiomcheck.decide.sampling import generator, sample_batches
from axiomcheck.numbers.polynomials import Range, Variables
from axiomcheck.proof.find.instances import Decision, GradeRegion, InstanceSetting, Split, branches, settings_of
from tests.proof.documents import PAIRS, pair_axiom
from tests.support.suites import each


def open_split(region: GradeRegion, everything: bool) -> Split | None:
    """Return a split that is still open where the region is larger than the premises; or any that is."""
    axiom = region.setting.axiom
    if region.forced is not None:
        return region.forced
    if everything or region.setting.binary or not axiom.overlap:
        for c in region.cells:
            if region.unknown(c):
                return ("zero", c, None)
    return None


def some_value(range_: Range, rng: random.Random) -> Fraction:
    value = Fraction(rng.randint(1, 9), 10)
    if not range_.unit:
        value *= rng.choice([1, 7])
    if range_.has_zero and rng.random() < 0.3:
        return Fraction(0)
    return Fraction(1) if range_.has_one and rng.random() < 0.3 else value


def draft_of(region: GradeRegion, rng: random.Random) -> Draft:
    variables = Variables()
    terms, _ = region.grades(variables)
    shares = region.weights(variables)
    values = [some_value(r, rng) for r in variables.ranges]
    point = [fmpq(v.numerator, v.denominator) for v in values]
    point += [fmpq(0)] * (64 - len(point))

    def at(term: Any) -> Fraction:
        x = term.numerator(*point) / term.denominator(*point)
        return Fraction(int(x.p), int(x.q))

    grades = np.vectorize(at, otypes=[object])(terms)[None]
    if region.setting.small:
        grades = grades / max(1, *grades.ravel())
    weights = [at(share) for share in shares]
    assert sum(weights) == 1
    scale = lcm(*(w.denominator for w in weights))
    top = np.array([max(grades.ravel()) or Fraction(1) if region.setting.binary else Fraction(1)], dtype=object)
    whole = np.array([[int(w * scale) for w in weights]])
    return replace(region.setting.draft(), grades=grades, weights=whole, top=top)


@each(("axiom", "binary", "small"), list(product(PAIRS, (False, True), (False, True))), 6, ids=str)
def test_every_substitution_into_a_symbolic_instance_is_an_instance(
    axiom: PairAxiom, binary: bool, small: bool
) -> None:
    if small and not axiom.can_be_small:
        return
    binary = binary or axiom.binary
    rng = random.Random(3)
    tried = 0
    for extra, m in ((0, axiom.min_aspects), (1, axiom.max_aspects or axiom.min_aspects + 1)):
        for n in range(axiom.min_ranked, axiom.min_ranked + 3):
            for setting in settings_of(axiom, n, m, extra, binary, small, None):
                for _ in range(4):
                    decisions: tuple[Decision, ...] = ()
                    region = GradeRegion(setting, decisions)
                    while not region.empty and (split := open_split(region, rng.random() < 0.1)):
                        decisions = (*decisions, rng.choice(branches(split)))
                        region = GradeRegion(setting, decisions)
                    if not region.empty:
                        assert axiom.premises(draft_of(region, rng))[0], (setting, decisions)
                        tried += 1
    assert tried > 20


@each(("axiom", "domain"), list(product(PAIRS, Domain)), 7, ids=str)
def test_every_instance_lies_in_one_branch_of_every_split(axiom: PairAxiom, domain: Domain) -> None:
    binary = axiom.domain_of(domain) is Domain.BINARY
    rng = random.Random(5)
    for batch in sample_batches(axiom, domain, False, 4, 60, generator(2, axiom.name), extras=(0, 1)):
        for b in range(min(batch.size, 2)):
            d = batch.draft
            setting = InstanceSetting(axiom, d.shape, int(d.i[b]), int(d.j[b]), int(d.t[b]), int(d.u[b]), binary, False)
            cells = GradeRegion(setting, ()).cells
            splits: list[Split] = [("zero", c, None) for c in rng.sample(cells, min(4, len(cells)))]
            splits += [("one", rng.choice(cells), None)]
            if not binary:
                splits += [("compare", *sorted(rng.sample(cells, 2))) for _ in range(3) if len(cells) > 1]  # type: ignore[list-item]
            decisions: tuple[Decision, ...] = ()
            for split in splits:
                fitting = [decision for decision in branches(split) if agrees(decision, d.grades[b])]
                assert len(fitting) == 1
                decisions = (*decisions, fitting[0])
                assert not GradeRegion(setting, decisions).empty, (setting, decisions)


def agrees(decision: Decision, grades: Any) -> bool:
    sign, a, other = decision
    x = grades[a]
    if other is None:
        return bool({"=0": x == 0, ">0": x > 0, "=1": x == 1, "<1": x < 1}[sign])
    y = grades[other]
    return bool({"<": x < y, "=": x == y, ">": x > y}[sign])


def test_positions_that_no_draft_can_have_are_left_out_and_the_cutoff_is_kept() -> None:
    pri = pair_axiom("Pri")
    found = [(s.i, s.j) for s in settings_of(pri, 4, 1, 0, False, True, None)]
    assert found == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert [(s.i, s.j) for s in settings_of(pri, 4, 1, 0, False, True, 2)] == [(0, 1)]
    deep = pair_axiom("Deep")
    regions = [GradeRegion(s, ()) for s in settings_of(deep, 5, 1, 0, False, True, None)]
    assert [(r.setting.i, r.setting.j) for r in regions if not r.empty] == [(0, 2), (0, 3), (1, 3)]
