"""Assumptions: masks, repairs, scripts and relations against words, their order; and which sets of them are enough."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import axiomcheck.studies.weakest.search as searching
from axiomcheck import InternalDisagreement, InvalidInput, Reading, Regime, Verdict, parse, read_witness
from axiomcheck.axioms import AXIOMS, Draft, PairAxiom
from axiomcheck.axioms.drafts import exact_draft
from axiomcheck.axioms.relations import Relations
from axiomcheck.axioms.script import Many, One, Row, Script
from axiomcheck.core.documents import document_of, parse_json
from axiomcheck.core.writing import json_text
from axiomcheck.decide.sampling import generator, sample_batches
from axiomcheck.decide.search import Settings
from axiomcheck.decide.space import InstanceSpace
from axiomcheck.proof import proving
from axiomcheck.proof.check import check_certificate
from axiomcheck.reports.table import report_text
from axiomcheck.reports.weakest_report import weakest_report
from axiomcheck.studies.weakest.assumptions import ASSUMPTIONS, Assumption, Occasion, implies, offered, weaker_or_equal
from axiomcheck.studies.weakest.search import Restricted, SearchOutcome, Trial, Weakest, weakest
from tests.support.commands import command
from tests.support.scalar import PAIR_AXIOMS
from tests.support.suites import each, quality

COLUMNS = ("grades", "weights", "top", "i", "j", "t", "u")
RANK = 7
MOST = 8
"""Drafts of a batch that are looked at one by one."""


def names_of(axiom: PairAxiom) -> list[str]:
    """Return the assumptions that can be added to an axiom where it says least."""
    return [a.name for a in offered(Occasion(axiom, small=False, binary=axiom.binary, weights=True))]


def added(axiom: PairAxiom, *names: str) -> Restricted:
    return Restricted(axiom, [ASSUMPTIONS[name] for name in names])


def drafts(axiom: PairAxiom, size: int = 800) -> list[Draft]:
    rng = generator(7, axiom.name, size)
    space = InstanceSpace(axiom, max_rank=RANK)
    return [b.draft for b in sample_batches(space, size, rng, (0, 1, 2, 3)) if b.size]


@lru_cache
def some(axiom: PairAxiom, *names: str) -> tuple[Draft, ...]:
    return tuple(drafts(added(axiom, *names) if names else axiom))


ALONE = [(axiom, name) for axiom in PAIR_AXIOMS for name in names_of(axiom)]
PAIRS = [
    (axiom, pair)
    for axiom in PAIR_AXIOMS
    for pair in combinations(names_of(axiom), 2)
    if not any(implies(a, b) for a in pair for b in pair if a != b)
]
SEEN_FIRST = {name: axiom for axiom, name in reversed(ALONE)}
"""Assumption -> the first axiom that it can be added to; an eighth of the others is in the quality suite."""
FIRST = [(axiom, name) for name, axiom in SEEN_FIRST.items()]
alone = each(("axiom", "name"), ALONE, 0, ids=str, besides=FIRST)
twelfths = each("part", range(12), 12, share=12)
"""Every twelfth pair of assumptions, from this one on."""


def said(name: str, axiom: PairAxiom, d: Draft, b: int) -> bool:
    """Tell whether one draft meets an assumption, read off its words."""
    ranked = [list(row) for row in d.grades[b, : d.n]]
    pool = [list(row) for row in d.grades[b]]
    i, j, t, u = (int(getattr(d, c)[b]) for c in "ijtu")
    aspects = {c: v for c, v in (("t", t), ("u", u)) if c in axiom.choices}.values() or range(d.shape.aspects)
    last = {"Pri": j, "Deep": j + 1, "AspDiv": i, "AspRel": i}.get(axiom.name, d.n)
    upper = {"Pri": i, "Deep": i + 1}.get(axiom.name, i)

    def silent(rows: Sequence[list[float]]) -> bool:
        return all(row[a] == 0 for row in rows for a in aspects)

    before, between, later = ranked[:i], ranked[upper + 1 : j], ranked[last + 1 :]
    positive = {grade for row in pool for grade in row if grade > 0}
    return {
        "below-one": lambda: all(grade < 1 for grade in positive),
        "limit": lambda: True,
        "binary": lambda: len(positive) <= 1,
        "nothing-before": lambda: silent(before),
        "nothing-between": lambda: silent(between),
        "nothing-later": lambda: silent(later),
        "first-rank": lambda: not before,
        "neighbours": lambda: not between,
        "no-later": lambda: not later,
        "all-retrieved": lambda: len(pool) == len(ranked) + len(axiom.incoming),
        "equal-weights": lambda: len(set(d.weights[b])) == 1,
        "no-overlap": lambda: all(sum(grade > 0 for grade in row) <= 1 for row in pool),
        "one-aspect": lambda: len(pool[0]) == 1,
        "two-aspects": lambda: len(pool[0]) == 2,
        "unseen": lambda: not any(row[u] for row in ranked),
    }[name]()


def liars(axiom: PairAxiom, assumption: Assumption, batches: Sequence[Draft]) -> int:
    """Count the drafts, of the first few of a batch, on which a mask differs from the words."""
    return sum(
        bool(met) != said(assumption.name, axiom, d, b)
        for d in batches
        for b, met in enumerate(assumption.met(axiom, d)[:MOST])
    )


@alone
def test_masks_agree_with_the_words(axiom: PairAxiom, name: str) -> None:
    batches = some(axiom)
    assert liars(axiom, ASSUMPTIONS[name], batches) == 0
    exact = [exact_draft(d.pick(np.arange(min(2, d.size)))) for d in batches[:5]]
    assert liars(axiom, ASSUMPTIONS[name], exact) == 0


@alone
def test_a_restriction_has_instances_which_are_instances_of_the_axiom(axiom: PairAxiom, name: str) -> None:
    restricted, found = added(axiom, name), some(axiom, name)
    assert sum(d.size for d in found) > 50
    for d in found:
        assert axiom.premises(d).all()
        assert all(said(name, axiom, d, b) for b in range(min(d.size, MOST)))
        again = d.copy()
        restricted.repair(again)
        assert all(np.array_equal(getattr(d, c), getattr(again, c)) for c in COLUMNS)
        for one, other in zip(axiom.rankings(d), restricted.rankings(d), strict=True):
            assert np.array_equal(one, other)


def breakers(axiom: PairAxiom, stronger: str, weaker: str) -> int:
    """Count the sampled drafts that meet the one and not the other."""
    return sum(int((~ASSUMPTIONS[weaker].met(axiom, d)).sum()) for d in some(axiom, stronger))


def orders(axiom: PairAxiom) -> list[tuple[str, str]]:
    """Return the pairs of assumptions of which the first is said to imply the second."""
    return [(a, b) for a in names_of(axiom) for b in names_of(axiom) if a not in (b, "limit") and implies(a, b)]


@each("axiom", PAIR_AXIOMS, 8, ids=str)
def test_an_assumption_implies_the_declared_ones_and_no_others(axiom: PairAxiom) -> None:
    names = set(names_of(axiom)) - {"limit"}
    implied = [(a, b) for a in names for b in names if a != b and not breakers(axiom, a, b)]
    assert sorted(implied) == sorted((a, b) for a, b in orders(axiom) if b != "limit")


def test_limit_implies_below_one_since_small_grades_are_below_one() -> None:
    assert implies("limit", "below-one")
    assert [b for b in ASSUMPTIONS if b != "limit" and implies("limit", b)] == ["below-one"]
    # It implies nothing that is asked of a pattern: whatever a pattern meets, eps times it meets, and the reverse.
    for axiom in PAIR_AXIOMS:
        for d in some(axiom)[:20]:
            small = d.copy()
            small.grades[:] = small.grades / 4
            small.top[:] = small.top / 4 if d.binary else small.top
            for name in set(names_of(axiom)) - {"below-one"}:
                assert np.array_equal(ASSUMPTIONS[name].met(axiom, d), ASSUMPTIONS[name].met(axiom, small))


def test_sets_are_ordered_by_implication() -> None:
    assert weaker_or_equal(["nothing-later"], ["binary", "no-later"])
    assert weaker_or_equal(["equal-weights", "no-overlap"], ["one-aspect"])
    assert not weaker_or_equal(["no-later"], ["nothing-later", "binary"])
    assert not weaker_or_equal(["binary", "limit"], ["limit"])
    order = list(ASSUMPTIONS)
    assert all(order.index(b) <= order.index(a) for a in order for b in order if implies(a, b))


Pair = tuple[dict[str, float] | None, dict[str, float] | None]
"""One rank: the grades, by aspect of the script, of each ranking's document."""


def as_pairs(axiom: PairAxiom, d: Draft, b: int, script: Script) -> Iterator[list[Pair]]:
    """Yield a draft in the terms of a script, for each aspect if it is that of every aspect."""
    sides = [ranking[b] for ranking in axiom.rankings(d)]
    t, u = int(d.t[b]), int(d.u[b])
    for first in range(d.shape.aspects) if script.every else [t]:
        of = dict(zip(script.aspects, (first, u), strict=False))
        rows = [[{a: float(d.grades[b, k, c]) for a, c in of.items()} for k in side] for side in sides]
        ranks = range(max(map(len, rows)))
        pairs: list[Pair] = [
            (rows[0][k] if k < len(rows[0]) else None, rows[1][k] if k < len(rows[1]) else None) for k in ranks
        ]
        yield _paired_off(pairs) if script.leaves_out else pairs


def _paired_off(pairs: list[Pair]) -> list[Pair]:
    """Lemma 4 on Red: documents on neither aspect left out, those on t and on t' in pairs, then the others on t."""
    *common, last = pairs
    grade = max(g for row in last if row for g in row.values())
    on = Counter(aspect for row, _ in common if row for aspect, g in row.items() if g > 0)
    both, only = {"t": grade, "u": grade}, {"t": grade, "u": 0.0}
    return [(both, both)] * on["u"] + [(only, only)] * (on["t"] - on["u"]) + [last]


def bound(
    row: Row, grades: Mapping[str, float], relations: Mapping[str, str], known: dict[str, float]
) -> dict[str, float] | None:
    """Return the names with the values of a document; None where they are not as the relations say."""
    known = dict(known)
    for aspect, name in row.items():
        value = grades[aspect]
        if name in ("0", "1"):
            if value != int(name):
                return None
        elif known.setdefault(name, value) != value:
            return None
    for name, relation in relations.items():
        if name in known and relation == "positive" and not known[name] > 0:
            return None
        base = relation.removeprefix("above ")
        if name in known and base != relation and base in known and not known[name] > known[base]:
            return None
    return known


def matches(script: Script, pairs: Sequence[Pair], segment: int = 0, known: dict[str, float] | None = None) -> bool:
    """Tell whether two rankings are as a script says."""
    known = known or {}
    if segment == len(script.segments):
        return not pairs
    part = script.segments[segment]
    if isinstance(part, One):
        if not pairs:
            return False
        for row, grades in ((part.worse, pairs[0][0]), (part.better, pairs[0][1])):
            if (row is None) != (grades is None):
                return False
            if row is not None and grades is not None:
                found = bound(row, grades, script.grades, known)
                if found is None:
                    return False
                known = found
        return matches(script, pairs[1:], segment + 1, known)
    taken = 0
    while True:
        if taken >= part.least and matches(script, pairs[taken:], segment + 1, known):
            return True
        if taken == len(pairs) or pairs[taken][0] != pairs[taken][1] or pairs[taken][0] is None:
            return False
        grades = pairs[taken][0]
        assert grades is not None
        if not any(_row_fits(row, grades, part, script, known) for row in part.rows):
            return False
        taken += 1


def _row_fits(row: Row, grades: Mapping[str, float], part: Many, script: Script, known: dict[str, float]) -> bool:
    # A name of the script that has its value only later (Red's g) is checked there.
    return bound(row, grades, {**script.grades, **part.grades}, known) is not None


def outside(restricted: Restricted, script: Script, batches: Sequence[Draft]) -> int:
    """Count the drafts whose rankings are not as a script says."""
    return sum(
        not all(matches(script, pairs) for pairs in as_pairs(restricted.base, d, b, script))
        for d in batches
        for b in range(min(d.size, MOST))
    )


@alone
def test_every_instance_is_one_of_the_script(axiom: PairAxiom, name: str) -> None:
    restricted = added(axiom, name)
    script = restricted.script()
    assert script is not None
    assert outside(restricted, script, some(axiom, name)) == 0


@each("axiom", PAIR_AXIOMS, 3, ids=str)
def test_every_instance_of_an_axiom_is_one_of_its_own_script(axiom: PairAxiom) -> None:
    script = axiom.script()
    assert script is not None
    assert outside(added(axiom), script, some(axiom)) == 0


EMPTY = ("two-aspects", "one-aspect")


@twelfths
def test_instances_with_two_assumptions_are_reached_and_are_those_of_the_script(part: int) -> None:
    for axiom, pair in PAIRS[part::12]:
        restricted = added(axiom, *pair)
        found = [] if restricted.impossible else drafts(restricted, 150) or drafts(restricted, 6_000)
        assert bool(found) == (pair != EMPTY), (axiom, pair)
        script = restricted.script()
        assert script is not None
        if axiom.script() not in (added(axiom, name).script() for name in pair):
            assert outside(restricted, script, found) == 0


def test_a_script_that_says_too_much_is_caught() -> None:
    for axiom, name in FIRST:
        script = added(axiom, name).script()
        assert script is not None
        if script != axiom.script():  # of the axiom without the assumption
            assert outside(added(axiom), script, some(axiom)) > 0, (axiom, name)


def broken(restricted: Restricted, d: Draft, b: int) -> list[Any]:
    """Return the relations that a draft does not meet."""
    g = Relations()
    i, j, t, u = (int(getattr(d, c)[b]) for c in "ijtu")
    restricted.relate(g, d.shape, i, j, t, u)
    if not g.possible:
        return ["impossible"]
    grades, weights = d.grades[b], d.weights[b]
    ranked = grades[: d.n]
    holds = {
        "above": lambda a, c: grades[a] > grades[c],
        "same": lambda a, c: grades[a] == grades[c],
        "zero": lambda a: grades[a] == 0,
        "one": lambda a: grades[a] == 1,
        "positive": lambda a: grades[a] > 0,
        "lighter": lambda a, c: weights[a] < weights[c],
        "more": lambda a, c: (ranked[:, a] > 0).sum() > (ranked[:, c] > 0).sum(),
    }
    return [fact for fact in g.facts if not holds[fact[0]](*fact[1:])]


@alone
def test_every_instance_meets_the_relations(axiom: PairAxiom, name: str) -> None:
    restricted = added(axiom, name)
    assert [f for d in some(axiom, name) for b in range(min(d.size, 5)) for f in broken(restricted, d, b)] == []


def test_only_assumptions_that_make_sense_are_offered() -> None:
    by_name = {axiom.name: axiom for axiom in PAIR_AXIOMS}

    def at(name: str, small: bool) -> set[str]:
        axiom = by_name[name]
        return {a.name for a in offered(Occasion(axiom, small, axiom.binary, True))}

    assert at("AspRel", False) - at("AspRel", True) == {"limit", "below-one"}
    assert {"nothing-later", "no-later"} <= at("AspRel", False)
    assert not {"equal-weights", "nothing-before", "no-overlap", "one-aspect"} & at("AspRel", False)
    assert {"neighbours", "nothing-between"} <= at("Pri", False)
    assert not {"one-aspect", "two-aspects", "equal-weights"} & at("Pri", False)
    assert "binary" not in at("Red", False)
    assert not {"limit", "below-one"} & at("Sat", False)


FEW = Settings(seed=0, examples=300)
FEWER = Settings(seed=0, examples=100, exhaustive=False)
"""For planted faults, which are seen at once."""


@lru_cache
def found(axiom: str, metric: str, regime: Regime = Regime.STATED) -> Weakest:
    return weakest(AXIOMS[axiom], parse(metric), Reading(regime), FEW)


def enough(result: Weakest) -> set[tuple[str, ...]]:
    return {trial.assumptions for trial in result.enough}


def trial_of(result: Weakest, *names: str) -> Trial:
    (trial,) = [trial for trial in result.trials if trial.assumptions == names]
    return trial


def printed(result: Weakest) -> str:
    return report_text(weakest_report(result), width=100)


@quality
def test_rbu_sees_redundancy_where_no_document_is_certain() -> None:
    result = weakest(AXIOMS["Red"], parse("RBU@5"), Reading(), Settings(seed=0, examples=300, exhaustive=False))
    assert {"limit", "below-one"} <= set(result.offered)
    assert {("below-one",), ("unseen",)} <= enough(result)
    assert enough(result) <= {("below-one",), ("unseen",), ("limit",)}
    accepted = trial_of(result, "unseen")
    assert accepted.verdict is Verdict.PROVED
    assert accepted.certificate.axiom == "Red + unseen"
    assert result.enough[-1].verdict is Verdict.PROVED
    assert trial_of(result, "limit").outcome is SearchOutcome.ENOUGH  # stronger than below-one: of use if it is proved


def test_sets_of_three_are_tried_when_none_is_enough() -> None:
    result = found("Sat", "alpha-nDCG@5")
    assert result.enough == []
    assert max(len(trial.assumptions) for trial in result.trials) == 3
    assert "No available assumption is enough, nor up to 3 of them together" in printed(result)


def test_a_cell_that_is_not_violated_needs_nothing() -> None:
    result = found("Pri", "RBP")
    assert result.cell.verdict.satisfied
    assert (result.trials, result.decided) == ((), True)
    assert "no assumption is needed" in printed(result)


def test_every_witness_is_one_of_the_axiom_and_meets_its_assumptions() -> None:
    result, metric, axiom = found("Pri", "NRBP@3"), parse("NRBP@3"), AXIOMS["Pri"]
    refuted = result.having(SearchOutcome.NOT_ENOUGH)
    assert refuted
    for trial in refuted:
        read = read_witness(parse_json(json_text(document_of(trial.witness))), metric)
        assert read.axiom is axiom
        for name in trial.assumptions:
            assert ASSUMPTIONS[name].met(axiom, read.batch.draft).all()
        assert read.batch.small == result.cell.witness.small or "limit" in trial.assumptions


def test_sufficient_sets_are_weakest_first_and_no_two_are_alike() -> None:
    result = found("Pri", "NRBP@3")
    keys = [(len(t.assumptions), t.share is None, -(t.share or 0)) for t in result.enough]
    assert keys == sorted(keys)
    for one in result.enough:
        for other in result.enough:
            if one is not other and weaker_or_equal(one.assumptions, other.assumptions):
                assert (one.verdict, other.verdict) != (other.verdict, one.verdict)
    tried = [trial.assumptions for trial in result.trials]
    assert len(set(tried)) == len(tried)
    for early, late in ((a, b) for k, a in enumerate(result.trials) for b in result.trials[k + 1 :]):
        if early.outcome is SearchOutcome.ENOUGH and len(late.assumptions) > 1:
            assert not weaker_or_equal(early.assumptions, late.assumptions)


def test_thresholds_are_for_region() -> None:
    with pytest.raises(InvalidInput, match="axiomcheck region"):
        weakest(AXIOMS["DeepTh"], parse("RBU"))


def offer(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Make some assumptions the only ones that are offered."""
    monkeypatch.setattr(searching, "offered", lambda occasion: tuple(ASSUMPTIONS[name] for name in names))


def test_small_grades_are_not_enough_for_the_normalisers_of_ndcg_ia(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, "limit")
    tried = trial_of(weakest(AXIOMS["Red"], parse("nDCG-IA@5"), Reading(), FEWER), "limit")
    assert tried.outcome is SearchOutcome.NOT_ENOUGH
    assert (tried.witness.reading.regime, tried.witness.small) == ("limit", True)


def plant(monkeypatch: pytest.MonkeyPatch, planted: str, mask: Callable[[PairAxiom, Draft], np.ndarray]) -> None:
    """Make an assumption with a mask of the test's the only one that is offered."""

    class Planted(Assumption):
        def met(self, axiom: PairAxiom, d: Draft) -> np.ndarray:
            return mask(axiom, d)

    monkeypatch.setitem(ASSUMPTIONS, planted, Planted(planted, "planted", lambda occasion: True))
    offer(monkeypatch, planted)


def test_an_assumption_that_leaves_nothing_is_not_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, "nobody", lambda axiom, d: np.zeros(d.size, dtype=bool))
    result = weakest(AXIOMS["Red"], parse("RBU@5"), Reading(), FEWER)
    assert trial_of(result, "nobody").outcome is SearchOutcome.VACUOUS
    assert result.enough == []
    assert "No instance meets nobody." in printed(result)


def test_a_witness_that_misses_an_assumption_is_a_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, "only-in-floats", lambda axiom, d: np.full(d.size, d.grades.dtype != object))
    # The engine shrinks in rationals, where no smaller instance meets the mask: the first one is the witness.
    with pytest.raises(InternalDisagreement, match="only-in-floats"):
        weakest(AXIOMS["Red"], parse("RBU@5"), Reading(), FEWER)


def test_a_witness_of_something_else_is_a_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted fault: the instances of the restriction are no longer the axiom's."""
    offer(monkeypatch, "two-aspects")
    monkeypatch.setattr(searching, "_meets", lambda *_: False)  # so that no counterexample is known to meet it
    monkeypatch.setattr(Restricted, "holds", lambda self, d: d.incoming(1)[d.rows, d.u] > 0)
    with pytest.raises(InternalDisagreement, match="Red \\+ two-aspects: witness: the instance does not meet"):
        weakest(AXIOMS["Red"], parse("RBU@5"), Reading(), FEW)


def rejects(*_: Any) -> None:
    raise InvalidInput("certificate: planted")


def test_a_proof_counts_only_if_its_check_accepts_it(monkeypatch: pytest.MonkeyPatch) -> None:
    axiom, metric = AXIOMS["Red"], parse("RBU@5")
    offer(monkeypatch, "unseen")
    monkeypatch.setattr(proving, "check_certificate", rejects)
    with pytest.raises(InternalDisagreement, match=r"the checker rejects a proof of .*: certificate: planted"):
        weakest(axiom, metric, Reading(), FEWER)


def test_checkers_that_know_of_assumptions_accept_genuine_proofs() -> None:
    axiom, metric = AXIOMS["Red"], parse("RBU@5")
    restricted = Restricted(axiom, [ASSUMPTIONS["unseen"]])
    proof = proving.prove(restricted, metric, Reading(), least_effort=True)
    certificate = document_of(proof.certificate)
    check_certificate(certificate, metric, restricted)
    for wrong in (certificate | {"strict": False}, certificate | {"axiom": "Red"}):
        with pytest.raises(InvalidInput):
            check_certificate(wrong, metric, restricted)


def rare(axiom: PairAxiom, d: Draft) -> np.ndarray:
    """Leave few instances, which satisfy the axiom."""
    few = (d.shape.documents == 3) & (d.shape.aspects == 2) & (d.grades.sum(axis=(1, 2)) == 3)
    return few & ASSUMPTIONS["unseen"].met(axiom, d)


def test_a_handful_of_instances_decides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, "rare", rare)
    monkeypatch.setattr(searching, "prove", lambda *_, **more: None)
    done = command("weakest", "RBU@5", "Red", "--examples", "300")
    assert (done.exit_code, "fewer than" in done.output) == (4, True)
