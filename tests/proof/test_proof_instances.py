"""The symbolic instances made of the relations that an axiom states are those that meet its premises, both ways."""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import lcm
from typing import Any

import numpy as np
from flint import fmpq

from axiomcheck.axioms import Draft, PairAxiom
from axiomcheck.axioms.relations import Cell
from axiomcheck.core.domain import Domain
from axiomcheck.decide.sampling import generator, sample_batches
from axiomcheck.decide.space import InstanceSpace
from axiomcheck.proof.check.bounded_run import Decision, Space, SpaceSetting, decisions_of, settings_of
from axiomcheck.proof.check.bounded_symbols import World
from tests.proof.documents import PAIRS, pair_axiom
from tests.support.suites import each


def is_open(space: Space, cell: Cell) -> bool:
    return space.leader[cell] not in space.known["zero"] | space.known["positive"]


def open_split(space: Space, everything: bool) -> Decision | None:
    """Return a split that is still open where the space is larger than the premises; or any that is."""
    if (uncompared := space.uncompared()) is not None:
        return ("<=>", *uncompared)
    if everything or space.setting.binary or not space.setting.axiom.overlap:
        return next((("=0", c, None) for c in space.cells if is_open(space, c)), None)
    return None


def some_value(range_: str, rng: random.Random) -> fmpq:
    value = fmpq(rng.randint(1, 9), 10)
    if range_.endswith("oo)"):
        value *= rng.choice([1, 7])
    if range_.startswith("[") and rng.random() < 0.3:
        return fmpq(0)
    return fmpq(1) if range_.endswith("1]") and rng.random() < 0.3 else value


def draft_of(space: Space, rng: random.Random) -> Draft:
    world = World()
    symbols, shares = space.grades(world)[0], space.weights(world)[0]
    point = {v: some_value(v.range, rng) for v in world.variables}

    def at(quotient: Any) -> Fraction:
        x = quotient.at(point)
        return Fraction(int(x.p), int(x.q))

    grades = np.vectorize(at, otypes=[object])(symbols)[None]
    if space.setting.small:
        grades = grades / max(1, *grades.ravel())
    weights = [at(share) for share in shares]
    assert sum(weights) == 1
    scale = lcm(*(w.denominator for w in weights))
    top = np.array([max(grades.ravel()) or Fraction(1) if space.setting.binary else Fraction(1)], dtype=object)
    whole = np.array([[int(w * scale) for w in weights]])
    return replace(space.setting.draft(), grades=grades, weights=whole, top=top)


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
                    space = Space(setting, decisions)
                    while not space.is_empty() and (split := open_split(space, rng.random() < 0.1)):
                        decisions = (*decisions, rng.choice(decisions_of(split)))
                        space = Space(setting, decisions)
                    if not space.is_empty():
                        assert axiom.premises(draft_of(space, rng))[0], (setting.text, decisions)
                        tried += 1
    assert tried > 20


@each(("axiom", "domain"), list(product(PAIRS, Domain)), 7, ids=str)
def test_every_instance_lies_in_one_branch_of_every_split(axiom: PairAxiom, domain: Domain) -> None:
    binary = axiom.domain_of(domain) is Domain.BINARY
    rng = random.Random(5)
    for batch in sample_batches(InstanceSpace(axiom, domain, max_rank=4), 60, generator(2, axiom.name), (0, 1)):
        for b in range(min(batch.size, 2)):
            d = batch.draft
            chosen = (int(d.i[b]), int(d.j[b]), int(d.t[b]), int(d.u[b]))
            setting = SpaceSetting(axiom, d.shape, chosen, binary, False)
            cells = Space(setting, ()).cells
            splits: list[Decision] = [("=0", c, None) for c in rng.sample(cells, min(4, len(cells)))]
            splits += [("=1", rng.choice(cells), None)]
            if not binary:
                splits += [("<=>", *sorted(rng.sample(cells, 2))) for _ in range(3) if len(cells) > 1]  # type: ignore[list-item]
            decisions: tuple[Decision, ...] = ()
            for split in splits:
                fitting = [decision for decision in decisions_of(split) if agrees(decision, d.grades[b])]
                assert len(fitting) == 1
                decisions = (*decisions, fitting[0])
                assert not Space(setting, decisions).is_empty(), (setting.text, decisions)


def agrees(decision: Decision, grades: Any) -> bool:
    sign, a, other = decision
    x = grades[a]
    if other is None:
        return bool({"=0": x == 0, ">0": x > 0, "=1": x == 1, "<1": x < 1}[sign])
    y = grades[other]
    return bool({"<": x < y, "=": x == y, ">": x > y}[sign])


def test_positions_that_no_draft_can_have_are_left_out_and_the_cutoff_is_kept() -> None:
    pri = pair_axiom("Pri")
    found = [(s.chosen["i"], s.chosen["j"]) for s in settings_of(pri, 4, 1, 0, False, True, None)]
    assert found == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert len(list(settings_of(pri, 4, 1, 0, False, True, 2))) == 1
    deep = pair_axiom("Deep")
    chosen = [s.chosen for s in settings_of(deep, 5, 1, 0, False, True, None) if not Space(s, ()).is_empty()]
    assert [(c["i"], c["j"]) for c in chosen] == [(0, 2), (0, 3), (1, 3)]
