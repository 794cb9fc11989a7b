"""Check that samplers reach every usual shape, pools with and without other documents, extreme and tied grades."""

from collections import Counter
from itertools import product
from typing import Any

import numpy as np

from axiomcheck.axioms import PairAxiom
from axiomcheck.core.domain import Domain
from axiomcheck.decide.batch import Batch
from axiomcheck.decide.sampling import MOST_SAMPLED_ASPECTS, generator, sample_batches
from axiomcheck.decide.space import InstanceSpace
from tests.support.scalar import INCOMING, ONE_ASPECT, PAIR_AXIOMS
from tests.support.suites import each

MAX_RANK = 20
ROUND_SIZE = 12_000
each_axiom = each("axiom", PAIR_AXIOMS, 4, ids=repr)


def one_round(axiom: PairAxiom, domain: Domain, small: bool, seed: int, size: int = ROUND_SIZE) -> list[Batch]:
    rng = generator(seed, axiom.name, domain.value, small, "coverage")
    return [b for b in sample_batches(InstanceSpace(axiom, domain, small, MAX_RANK), size, rng) if b.size]


def aspects_of(axiom: PairAxiom) -> set[int]:
    if axiom.name in ONE_ASPECT:
        return {1}
    return {2} if axiom.name == "MRed" else {2, 3, 4} if axiom.name in ("Red", "AspRel") else {1, 2, 3, 4}


def sampled_aspects(axiom: PairAxiom) -> set[int]:
    """A few shapes of every round have more aspects than the usual ones."""
    return aspects_of(axiom) | (set() if axiom.max_aspects else set(range(5, MOST_SAMPLED_ASPECTS + 1)))


@each(("axiom", "domain", "seed"), list(product(PAIR_AXIOMS, Domain, (0,))), 5, ids=str)
def test_every_usual_shape_occurs_in_every_round(axiom: PairAxiom, domain: Domain, seed: int) -> None:
    seen = {(b.draft.shape.ranked, b.draft.shape.aspects) for b in one_round(axiom, domain, False, seed, 5_000)}
    fewest = {"Pri": 2, "Deep": 4}.get(axiom.name, 1)
    missing = {(n, m) for n in range(fewest, 13) for m in aspects_of(axiom)} - seen
    assert not missing
    assert {m for _, m in seen} == sampled_aspects(axiom)


@each_axiom
def test_every_length_position_aspect_and_number_of_documents_besides_occurs(axiom: PairAxiom) -> None:
    """Rank 20 is spoken of, and some rankings go on past it where the axiom does not append."""
    made = one_round(axiom, Domain.GRADED, False, 1)
    longest = 19 if axiom.appends else 22
    assert {b.draft.shape.ranked for b in made} == set(range(axiom.min_ranked, longest + 1))
    assert max(int(axiom.last_rank(b.draft).max()) for b in made) == MAX_RANK
    extras = {b.draft.shape.documents - b.draft.shape.ranked - len(INCOMING[axiom.name]) for b in made}
    assert {0, 1, 2, 3} < extras
    seen = {c: {chosen for b in made for chosen in getattr(b.draft, c).tolist()} for c in axiom.choices}
    aspects = set(range(max(sampled_aspects(axiom))))
    expected = {
        "Pri": {"i": set(range(19)), "j": set(range(1, 20))},
        "Deep": {"i": set(range(17)), "j": set(range(2, 19))},
    }.get(axiom.name, {"i": set(range(20)), "t": aspects, "u": aspects})
    assert seen == {c: expected[c] for c in axiom.choices}


def longest_zero_run(ranked: Any) -> Any:
    """(B,): the longest run of ranks without anything relevant."""
    empty = (ranked == 0).all(axis=2)
    best = run = np.zeros(len(ranked), dtype=int)
    for rank in range(ranked.shape[1]):
        run = np.where(empty[:, rank], run + 1, 0)
        best = np.maximum(best, run)
    return best


def features(batch: Batch) -> dict[str, int]:
    """In how many drafts each thing occurs that faults hide behind."""
    d = batch.draft
    flat = d.grades.reshape(d.size, -1)
    positive = np.where(flat > 0, flat, np.nan)
    shown = ~np.isnan(positive).all(axis=1)
    low = np.where(flat > 0, flat, np.inf).min(axis=1)
    high = flat.max(axis=1)
    shares = d.unit_weights()
    apart = shares.max(axis=1) / shares.min(axis=1)
    several = d.shape.aspects > 1
    relevant = (d.ranked > 0).any(axis=2)
    run = longest_zero_run(d.ranked)
    return {
        "a grade of 1": int((flat == 1).any(axis=1).sum()),
        "a grade of 0": int((flat == 0).any(axis=1).sum()),
        "all tied": int((shown & (low == high) & ((flat > 0).sum(axis=1) > 1)).sum()),
        "all zero": int((~shown).sum()),
        "grades a thousandth apart": int((shown & (low < high) & (high < low * 1.001)).sum()),
        "grades a thousandfold apart": int((shown & (high > low * 1000)).sum()),
        "grades just below 1": int(((flat > 0.999) & (flat < 1)).any(axis=1).sum()),
        "faint grades only": int((shown & (high < 0.001)).sum()),
        "equal weights": int((several & (apart == 1)).sum()),
        "nearly equal weights": int((several & (apart > 1) & (apart < 1.01)).sum()),
        "weights a hundredfold apart": int((several & (apart >= 100)).sum()),
        "nothing ranked relevant": int((~relevant).all(axis=1).sum()),
        "everything ranked relevant": int(relevant.all(axis=1).sum()),
        "five empty ranks, then a relevant one": int(((run >= 5) & relevant[:, -1]).sum()),
    }


def impossible(axiom: PairAxiom, binary: bool, small: bool) -> set[str]:
    """Return what the premises rule out."""
    out = {"faint grades only"} if small else set()  # where only the pattern matters
    if binary or axiom.name == "Red":
        out |= {"grades a thousandth apart", "grades a thousandfold apart"}
        if small:
            out |= {"grades just below 1"}
        if axiom.name in ("Pri", "Deep", "AspDiv"):
            out |= {"everything ranked relevant"}
    else:
        out |= {"all tied"} if axiom.name == "Deep" else set()
    if axiom.name != "Conf":
        out |= {"all zero"}
    if axiom.name in ("Pri", "Deep", "Red", "MRed", "Sat"):
        out |= {"nothing ranked relevant"}
    if axiom.name == "AspRel":
        out |= {"nothing ranked relevant", "equal weights"}
    if axiom.name in ("Red", "MRed", *ONE_ASPECT):
        out |= {"nearly equal weights", "weights a hundredfold apart"}
    if axiom.name in ONE_ASPECT:
        out |= {"equal weights"}
    if axiom.name == "MRed":
        out |= {"five empty ranks, then a relevant one"}
    if axiom.name == "Sat":
        out |= {"faint grades only"} | ({"grades just below 1"} if binary else set())
    return out


EXTREME = [(axiom, domain, small) for axiom, domain, small in product(PAIR_AXIOMS, Domain, (False, True))
           if axiom.can_be_small or not small]  # fmt: skip


@each(("axiom", "domain", "small"), EXTREME, 7, ids=str)
def test_extreme_and_tied_instances_occur(axiom: PairAxiom, domain: Domain, small: bool) -> None:
    counts: Counter[str] = Counter()
    for batch in one_round(axiom, domain, small, 0):
        counts.update(features(batch))
    ruled_out = impossible(axiom, domain is Domain.BINARY, small)
    # MRed needs a grade in every ranked document, and puts 1 where there is none.
    least = {what: 1 if (axiom.name, what) == ("MRed", "faint grades only") else 5 for what in counts}
    rare = {what: counts[what] for what in counts if what not in ruled_out and counts[what] < least[what]}
    assert not rare
    assert not any(counts[what] for what in ruled_out & {"all zero", "nothing ranked relevant"})
