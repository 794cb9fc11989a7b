"""Search for the weakest assumptions under which a metric satisfies an axiom that it otherwise violates.

Sets of assumptions are tried by size: single assumptions, then pairs, and then triples if no set was sufficient. A set
is skipped if a weaker set is sufficient, since the stronger one is then sufficient as well. It is also skipped if a
weaker set has no instances, since the stronger one then has none either. A set is insufficient if a known
counterexample meets its assumptions. Otherwise, violations of the axiom with the added assumptions are searched for,
and a proof is tried if the search finds no violation. The search and the provers treat an axiom with added assumptions
(`Restricted`) like any other axiom.
"""

from __future__ import annotations

import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations, permutations
from typing import Any

import numpy as np
from msgspec import structs

from axiomcheck.axioms import Axiom, Draft, PairAxiom, Shape, about_pairs, about_scores
from axiomcheck.axioms.relations import Index, Relations
from axiomcheck.axioms.script import Script
from axiomcheck.core.domain import Domain, Reading, Regime, assumes_small
from axiomcheck.core.errors import InternalDisagreement, InvalidInput, MetricError
from axiomcheck.core.typing import Integers, Mask
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.budgets import Settings
from axiomcheck.decide.sampling import generator, sample_batches
from axiomcheck.decide.shrink import size_key
from axiomcheck.decide.space import DEEPEST, InstanceSpace
from axiomcheck.decide.witness import read_witness, rebuilt
from axiomcheck.engine.events import Listener, Progress
from axiomcheck.engine.run import run_matrix
from axiomcheck.metrics import Metric
from axiomcheck.proof.proving import prove
from axiomcheck.records.cells import Cell
from axiomcheck.records.certificates import Certificate, OrthantCertificate, scope_text
from axiomcheck.records.witnesses import PairWitness
from axiomcheck.sources.provenance import is_genuine
from axiomcheck.studies.weakest.assumptions import ASSUMPTIONS, Assumption, Occasion, implies, offered, weaker_or_equal

_COLUMNS = ("grades", "weights", "top", "i", "j", "t", "u")


class Restricted(PairAxiom):
    """Axiom with added assumptions. Its instances are those of the base axiom that meet all assumptions.

    Args:
        base: Axiom without the assumptions.
        added: Assumptions to add, all of them offered for the axiom.

    """

    base: PairAxiom
    added: tuple[Assumption, ...]

    def __new__(cls, base: PairAxiom, added: Sequence[Assumption]) -> Restricted:
        """Create an instance of a new subclass of the base axiom's class, because other code tests for that class."""
        kind = type(base)
        return super().__new__(types.new_class(f"Restricted{kind.__name__}", (Restricted, kind)))

    def __init__(self, base: PairAxiom, added: Sequence[Assumption]) -> None:
        vars(self).update(vars(base))
        self.base, self.added = base, tuple(added)
        changed = {"name": " + ".join([base.name, *(a.name for a in added)]), "number": None}
        for assumption in added:
            for name, value in assumption.flags.items():
                changed[name] = _both(name, changed.get(name, getattr(base, name)), value)
        vars(self).update(changed)

    @property
    def source(self) -> str:
        """Source of the base axiom."""
        return self.base.source

    @property
    def impossible(self) -> bool:
        """True if the assumptions exclude every possible number of aspects."""
        return self.max_aspects is not None and self.max_aspects < self.min_aspects

    def met(self, d: Draft) -> Mask:
        """Return a (B,) mask of the instances of the base axiom that meet every assumption."""
        ok = np.ones(d.size, dtype=bool)
        for assumption in self.added:
            ok &= assumption.met(self.base, d)
        return ok

    def holds(self, d: Draft) -> Mask:
        """Return a (B,) mask of the drafts that meet the premises of the base axiom and every assumption."""
        ok = self.base.premises(d)
        return ok & self.met(d) if ok.any() else ok

    def fix(self, d: Draft) -> None:
        """Apply the repair of the base axiom, and then the repair of each assumption that is not met."""
        self.base.fix(d)
        for _ in self.added[:2]:  # twice for several assumptions, since a repair may undo another
            for assumption in self.added:
                if not self._towards(assumption, d):
                    break

    def _towards(self, assumption: Assumption, d: Draft) -> bool:
        """Repair in place the instances that do not meet an assumption. Return False if no draft is an instance."""
        rows = np.flatnonzero(self.base.premises(d))
        if not rows.size:
            return False
        part = d.pick(rows)
        unmet = ~assumption.met(self.base, part)
        if unmet.any():
            rows, part = rows[unmet], part.pick(unmet)
            assumption.repair(self.base, part)
            self.base.repair(part)
            for column in _COLUMNS:
                getattr(d, column)[rows] = getattr(part, column)
        return True

    def rankings(self, d: Draft) -> tuple[Integers, Integers]:
        """Return the rankings of the base axiom."""
        return self.base.rankings(d)

    def sentence(self, d: Draft) -> str:
        """Return the base axiom's sentence that describes a draft in reports."""
        return self.base.sentence(d)

    def script(self) -> Script | None:
        """Return the script of the base axiom with all assumptions that a script can express."""
        script = self.base.script()
        if script is None:
            return None
        # Assumptions about grades at a place come before those that leave the place empty.
        for assumption in self.added:
            script = assumption.script(self.base, script)
        return script

    def relate(self, g: Relations, shape: Shape, i: Index, j: Index, t: Index, u: Index) -> None:
        """Add the relations of the base axiom and of the assumptions."""
        self.base.relate(g, shape, i, j, t, u)
        for assumption in self.added:
            assumption.relate(self.base, g, shape, i, j, t, u)


def _both(name: str, one: Any, other: Any) -> Any:
    """Combine two values of a class attribute: the stricter limit on aspects, or else the assumption's value."""
    if name == "min_aspects":
        return max(one, other)
    if name == "max_aspects":
        return other if one is None else min(one, other)
    return other


MOST = 3
"""Maximum number of assumptions in a set."""

FEWEST = 100
"""Minimum number of distinct instances for a set of assumptions to count as sufficient without a proof."""

_SAMPLED = 20_000


class SearchOutcome(StrEnum):
    """Effect of adding a set of assumptions to a violated axiom."""

    ENOUGH = "enough"
    NOT_ENOUGH = "not-enough"
    VACUOUS = "vacuous"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Trial:
    """Result of trying one set of assumptions.

    Args:
        assumptions: Names of the assumptions, in the order of `axiomcheck.studies.weakest.assumptions.ASSUMPTIONS`.
        outcome: Effect of adding the set to the axiom.
        verdict: Verdict on the axiom with the assumptions; None if no instance is left.
        reason: Explanation in one sentence.
        instances: Number of distinct instances that were searched; 0 if a counterexample was already known.
        share: Share, from 0 to 1, of the axiom's sampled instances that meet the assumptions. None with ``limit``,
            where no instance has fixed grades.
        witness: Counterexample to the axiom that meets the assumptions (see `axiomcheck.decide.witness`).
        certificate: Checked proof of the axiom with the assumptions; None if there is no proof.

    """

    assumptions: tuple[str, ...]
    outcome: SearchOutcome
    verdict: Verdict | None
    reason: str
    instances: int = 0
    share: float | None = None
    witness: PairWitness | None = None
    certificate: Certificate | None = None


@dataclass(frozen=True)
class Weakest:
    """Cell of an axiom without assumptions and, if the axiom is violated, the trials of sets of assumptions.

    Args:
        cell: Cell of the axiom without assumptions.
        reading: Regime and domain.
        settings: Seed and budgets.
        offered: Names of the assumptions that can be added to the axiom.
        trials: Trials of sets of assumptions, in order.

    """

    cell: Cell
    reading: Reading
    settings: Settings
    offered: tuple[str, ...] = ()
    trials: tuple[Trial, ...] = ()

    def having(self, outcome: SearchOutcome) -> list[Trial]:
        """Return the trials with a given outcome, in order."""
        return [trial for trial in self.trials if trial.outcome is outcome]

    @property
    def enough(self) -> list[Trial]:
        """Trials of sufficient sets, except those made redundant by a weaker set with the same or a better verdict.

        Sets with fewer assumptions come first. Sets of equal size are sorted by the share of instances that meet them,
        largest first.
        """
        found = self.having(SearchOutcome.ENOUGH)
        kept = [t for t in found if not any(o is not t and _makes_needless(o, t) for o in found)]
        return sorted(kept, key=lambda t: (len(t.assumptions), t.share is None, -(t.share or 0.0)))

    @property
    def decided(self) -> bool:
        """True if the cell and every set that was tried are decided."""
        return self.cell.verdict.decided and not self.having(SearchOutcome.UNDECIDED)


_STRENGTH = {Verdict.HELD: 0, Verdict.BOUNDED: 1, Verdict.PROVED: 2}


def _reaches(record: Certificate, counterexample: Draft) -> bool:
    """Return True if a proof covers instances as large as the counterexample to the axiom without assumptions.

    A proof that covers only smaller sizes shows nothing, since there may be no violation of these sizes anyway.
    """
    if not isinstance(record, OrthantCertificate):
        return True
    shape = counterexample.shape
    return record.scope.ranked >= shape.ranked and record.scope.aspects >= shape.aspects


def _makes_needless(one: Trial, other: Trial) -> bool:
    """Return True if a trial makes another redundant: its assumptions are no stronger, and its verdict is no weaker."""
    assert one.verdict is not None
    assert other.verdict is not None
    weaker = weaker_or_equal(one.assumptions, other.assumptions)
    return weaker and _STRENGTH[one.verdict] >= _STRENGTH[other.verdict]


def weakest(
    axiom: Axiom,
    metric: Metric,
    reading: Reading = Reading(),  # noqa: B008 - immutable
    settings: Settings = Settings(examples=20_000),  # noqa: B008 - immutable
    listen: Listener = lambda event: None,
) -> Weakest:
    """Search for the weakest added assumptions under which a metric satisfies an axiom that it violates.

    Args:
        axiom: Axiom about pairs of rankings, known to `axiomcheck.axioms.find_axiom`.
        metric: Metric that should satisfy the axiom.
        reading: Regime and domain.
        settings: Seed and budgets of each search.
        listen: Callback for the progress.

    Raises:
        InvalidInput: The axiom is a threshold axiom, or it bounds single scores.
        InternalDisagreement: Two parts of axiomcheck contradict each other.

    """
    if not about_pairs(axiom):
        raise InvalidInput(
            f"no assumptions can be added to {axiom}: it is a threshold axiom, which compares one document at the top "
            "with a block of n documents further down, for every n; use 'axiomcheck region' to find the parameters and "
            "grades for which it holds"
        )
    if about_scores(axiom):
        raise InvalidInput(
            f"{axiom} bounds the score of a single ranking; expected an axiom that compares two rankings"
        )
    settings = replace(settings, proofs=False)
    cell = _search(axiom, (), metric, reading, settings)
    if cell.verdict is not Verdict.REFUTED:
        return Weakest(cell, reading, settings)
    one_grade = metric.binary_only or metric.abilities.levels == 1
    one_grade = one_grade or axiom.domain_of(reading.domain) is Domain.BINARY
    occasion = Occasion(axiom, assumes_small(axiom, reading), one_grade, metric.abilities.weights)
    work = _Work(occasion, metric, reading, settings)
    return Weakest(cell, reading, settings, work.names, tuple(work.trials(cell, listen)))


def _search(axiom: PairAxiom, names: tuple[str, ...], metric: Metric, reading: Reading, settings: Settings) -> Cell:
    """Search for a counterexample to an axiom with assumptions, and check that it also violates the axiom itself.

    Raises:
        InternalDisagreement: A witness does not meet the assumptions, or does not violate the axiom.

    """
    restricted = _restricted(axiom, names)
    (cell,) = run_matrix([metric], [restricted], reading, settings).cells
    if cell.contradicts_axiomcheck:
        raise InternalDisagreement(f"{metric} on {restricted}: {cell.reason}")
    cell = replace(cell, axiom=axiom.name)
    if not isinstance(cell.witness, PairWitness) or not names:
        return cell
    # Only smaller instances that meet the assumptions were tried, so the witness is not known to be minimal.
    witness = structs.replace(cell.witness, axiom=axiom.name, minimal=None)
    try:
        again = read_witness(witness, metric)
    except InvalidInput as error:
        raise InternalDisagreement(f"{metric} on {restricted}: {error}") from None
    if not _meets(axiom, names, again.batch.draft):
        raise InternalDisagreement(f"{metric} on {restricted}: a witness does not meet {', '.join(names)}")
    return replace(cell, witness=witness)


def _restricted(axiom: PairAxiom, names: Sequence[str]) -> PairAxiom:
    return Restricted(axiom, [ASSUMPTIONS[name] for name in names]) if names else axiom


def _meets(axiom: PairAxiom, names: Sequence[str], d: Draft) -> bool:
    """Return True if a draft with one instance meets all the named assumptions."""
    return all(bool(ASSUMPTIONS[name].met(axiom, d)[0]) for name in names)


class _Work:
    """Trials of sets of assumptions for one violated cell, and the counterexamples found so far."""

    def __init__(self, occasion: Occasion, metric: Metric, reading: Reading, settings: Settings) -> None:
        self.axiom, self.occasion, self.metric = occasion.axiom, occasion, metric
        self.reading, self.settings = reading, settings
        self.provable = is_genuine(metric)
        self.names = tuple(assumption.name for assumption in offered(occasion))
        self.known: list[tuple[Draft, PairWitness]] = []
        self.met = self._sampled()

    def _sampled(self) -> dict[str, Mask]:
        """Sample instances of the axiom, and map the name of each assumption to a mask of those that meet it."""
        domain = Domain.BINARY if self.occasion.binary else Domain.GRADED
        depth = min(self.metric.cutoff or DEEPEST, DEEPEST)
        rng = generator(self.settings.seed, self.axiom.name, domain.value, self.occasion.small, "shares")
        space = InstanceSpace(self.axiom, domain, self.occasion.small, depth, abilities=self.metric.abilities)
        drafts = [batch.draft for batch in sample_batches(space, _SAMPLED, rng) if batch.size]
        if not drafts:
            return {name: np.zeros(0, dtype=bool) for name in self.names}
        return {name: np.concatenate([ASSUMPTIONS[name].met(self.axiom, d) for d in drafts]) for name in self.names}

    def _book(self, witness: PairWitness) -> None:
        """Add a validated counterexample, which refutes every set of assumptions that it meets."""
        self.known.append((rebuilt(witness, self.axiom, self.occasion.binary).draft, witness))

    def certificate(self, restricted: PairAxiom, reading: Reading) -> Certificate | None:
        """Try to prove the axiom with assumptions; return a checked certificate, or None."""
        if not self.provable:
            return None
        try:
            proof = prove(restricted, self.metric, reading, least_effort=True)
        except (MetricError, InvalidInput):
            return None
        return None if proof is None else proof.certificate

    def share(self, names: Sequence[str]) -> float | None:
        """Return the share of sampled instances that meet all assumptions, to four digits; None with ``limit``."""
        if "limit" in names:
            return None
        met = np.logical_and.reduce([self.met[name] for name in names])
        return float(f"{met.mean():.4g}") if met.size else 0.0

    def trials(self, cell: Cell, listen: Listener) -> Iterator[Trial]:
        """Try every set of assumptions that is not skipped, smaller and weaker sets first; yield the trials."""
        if isinstance(cell.witness, PairWitness):
            self._book(cell.witness)
        needless: list[tuple[str, ...]] = []
        enough = False
        for size in range(1, MOST + 1):
            if size > 2 and enough:
                return
            sets = [
                names
                for names in combinations(self.names, size)
                if not any(implies(a, b) for a, b in permutations(names, 2))
            ]
            later: list[tuple[str, ...]] = []
            for number, names in enumerate(sets):
                listen(Progress((size - 1 + number / len(sets)) / MOST, " + ".join(names)))
                if any(weaker_or_equal(weaker, names) for weaker in needless):
                    continue
                trial = self.trial(names)
                yield trial
                if trial.outcome is SearchOutcome.ENOUGH:
                    enough = True
                    # Without a proof, stronger single assumptions are tried as well, since they may give one.
                    wait = size == 1 and trial.verdict is not Verdict.PROVED and self.provable
                    (later if wait else needless).append(names)
                elif trial.outcome is SearchOutcome.VACUOUS:
                    needless.append(names)
            needless += later

    def trial(self, names: tuple[str, ...]) -> Trial:
        """Decide the axiom with one set of assumptions: by a known counterexample, a search, or a proof."""
        small = self.occasion.small or "limit" in names
        share = self.share(names)

        def outcome(outcome: SearchOutcome, verdict: Verdict | None, reason: str, **more: Any) -> Trial:
            return Trial(names, outcome, verdict, reason, share=share, **more)

        meeting = [known for known in self.known if known[1].small == small and _meets(self.axiom, names, known[0])]
        if meeting:
            _, smallest = min(meeting, key=lambda known: size_key(known[0]))
            reason = "an earlier counterexample meets the assumptions"
            return outcome(SearchOutcome.NOT_ENOUGH, Verdict.REFUTED, reason, witness=smallest)
        restricted = _restricted(self.axiom, names)
        if isinstance(restricted, Restricted) and restricted.impossible:
            return outcome(SearchOutcome.VACUOUS, None, "no number of aspects is possible")
        reading = replace(self.reading, regime=Regime.LIMIT) if "limit" in names else self.reading
        cell = _search(self.axiom, names, self.metric, reading, self.settings)
        seen = cell.instances
        if cell.verdict is Verdict.REFUTED:
            assert isinstance(cell.witness, PairWitness)
            self._book(cell.witness)
            return outcome(SearchOutcome.NOT_ENOUGH, cell.verdict, cell.reason, instances=seen, witness=cell.witness)
        if cell.verdict is Verdict.NOT_APPLICABLE:
            return outcome(SearchOutcome.VACUOUS, None, cell.reason)
        if not cell.verdict.satisfied:
            tried = cell.pairs and (cell.pairs.enumerated or cell.pairs.sampled or cell.pairs.focused)
            if tried or cell.verdict is Verdict.ERROR:
                return outcome(SearchOutcome.UNDECIDED, cell.verdict, cell.reason, instances=seen)
            return outcome(SearchOutcome.VACUOUS, None, "no instance was found that meets the assumptions")
        record = self.certificate(restricted, reading)
        if record is not None and _reaches(record, self.known[0][0]):
            reason = f"{record.verdict} for {scope_text(record)}; {cell.reason}"
            return outcome(SearchOutcome.ENOUGH, record.verdict, reason, instances=seen, certificate=record)
        if seen < FEWEST:
            reason = f"{cell.reason}, fewer than {FEWEST}"
            return outcome(SearchOutcome.UNDECIDED, Verdict.UNDECIDED, reason, instances=seen)
        return outcome(SearchOutcome.ENOUGH, cell.verdict, cell.reason, instances=seen)
